/* An audit entry as a sentence for people, as the agent says it; its code and its facts stand beside it. */

import { nameOf } from "../place.js";

/** Who did it: a person by name, else the agent. */
function who(entry) {
  const actor = String(entry.actor ?? "").replace(/^user:/, "");
  if (!actor || actor === "agent") return "The agent";
  return /^[UW][A-Z0-9]{3,}$/.test(actor) ? nameOf(actor) : actor;
}

/** Who did it, and a person's id. */
export function actorOf(entry) {
  const [name, id] = [who(entry), entry.actor];
  return !id || id === "agent" || id === name ? name : `${name}, ${id}`;
}

/** The entry's sentence, in which people who are mentioned stand by their names; else its code. */
export function sentenceOf(entry) {
  return String(entry.said ?? entry.code ?? "").replace(/<@([UW][A-Z0-9]+)>/g, (_, id) => nameOf(id));
}
