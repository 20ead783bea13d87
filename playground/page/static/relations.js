/* Cause and effect: which audit entries, mails and events belong to which card.

   A card has its question's id, and the audit log names question and action together. What waits with Undo has the id of
   its run, which is this one action. An effect happened between the claim of its action and the next entry about it, or
   is named by its own id. */

import { state } from "./server.js";
import { moment } from "./times.js";

const ID_LENGTH = 6;
const BEFORE_MS = 50;
const AFTER_MS = 400;
const LINKS = ["action_id", "question_id", "action", "question", "held_run"];

const keyOf = (channel, ts) => `${channel}:${ts}`;

export function isCard(message, channel) {
  return Boolean(state.cards?.[keyOf(channel, message.ts)]);
}

export function* strings(value) {
  if (typeof value === "string") yield value;
  else if (typeof value === "number") yield String(value);
  else if (value && typeof value === "object") for (const inner of Object.values(value)) yield* strings(inner);
}

/** An audit entry's body as an object, whether it came as one or as text. */
export function bodyOf(entry) {
  if (typeof entry.body !== "string") return entry.body ?? {};
  try {
    return JSON.parse(entry.body);
  } catch {
    return { text: entry.body };
  }
}

/** The body with its details on one level. */
export function factsOf(entry) {
  const body = bodyOf(entry);
  return { ...body, ...(body.details && typeof body.details === "object" ? body.details : {}) };
}

export function runOf(entry) {
  const facts = factsOf(entry);
  return entry.run_id ?? facts.run_id ?? facts.run;
}

export function entries() {
  return Object.values(state.supervisor.audit?.entries ?? {});
}

/** Older entries, with which the runs of the listed ones began. */
export function begun() {
  return state.supervisor.audit?.begun ?? [];
}

/** How many entries the log has; the page lists the newest of them. */
export function entryCount() {
  return state.supervisor.audit?.count ?? entries().length;
}

/** How many entries of a code the log has, listed or not. */
export function countOf(code) {
  return state.supervisor.audit?.codes?.[code] ?? 0;
}

const linkCache = new WeakMap();

/** The ids of the question and the action that an entry is about, and of the run in which the action waits. */
function linksOf(entry) {
  if (!linkCache.has(entry)) {
    const facts = factsOf(entry);
    linkCache.set(
      entry,
      LINKS.map((key) => facts[key]).filter((value) => typeof value === "string" && value.length >= ID_LENGTH),
    );
  }
  return linkCache.get(entry);
}

function entriesOf(ids) {
  const wanted = new Set(ids);
  const all = entries();
  const isAbout = (entry) => wanted.has(runOf(entry)) || linksOf(entry).some((id) => wanted.has(id));
  for (let round = 0; round < 2; round += 1) {
    for (const entry of all) {
      if (isAbout(entry)) linksOf(entry).forEach((id) => wanted.add(id));
    }
  }
  return all.filter(isAbout);
}

const at = (entry) => moment(entry.at)?.getTime() ?? 0;

/** When an action was under way: from each claim to the next entry about the same action. */
function spans(mine) {
  const sorted = mine.filter((entry) => factsOf(entry).tool).sort((left, right) => at(left) - at(right));
  return sorted
    .filter((entry) => /claimed|executing/.test(entry.code))
    .map((entry) => {
      const next = sorted.find((other) => at(other) > at(entry) && !/claimed|executing/.test(other.code));
      return { tool: factsOf(entry).tool, from: at(entry) - BEFORE_MS, to: next ? at(next) + AFTER_MS : Date.now() };
    });
}

function during(all, tool, when) {
  return all.some((span) => span.tool.startsWith(tool) && when >= span.from && when <= span.to);
}

function relate(key) {
  const [channel, ts] = key.split(":");
  const mine = entriesOf(state.cards[key]);
  const named = new Set(mine.flatMap((entry) => [...strings(bodyOf(entry))]));
  const working = spans(mine);
  const owner = state.slack.channels?.[channel]?.user;
  const isOwners = (thing) => !owner || state.google.people?.[thing.owner]?.user_id === owner;
  const written = Object.values(state.google.mails ?? {}).filter(
    (mail) =>
      mail.folder !== "inbox" &&
      isOwners(mail) &&
      (named.has(mail.id) || named.has(mail.draft_id) || during(working, "gmail", mail.arrived)),
  );
  const copies = new Set(written.map((mail) => mail.message_id));
  const mails = Object.values(state.google.mails ?? {}).filter((mail) => copies.has(mail.message_id));
  const changed = Object.values(state.google.events ?? {}).filter(
    (event) =>
      named.has(event.id) ||
      (isOwners(event) && during(working, "calendar", moment(event.updated ?? "")?.getTime() ?? 0)),
  );
  return {
    channel,
    ts,
    message: state.slack.messages?.[channel]?.[ts],
    audit: new Set(mine.map((entry) => String(entry.id))),
    mails: new Set(mails.map((mail) => mail.key)),
    events: new Set(changed.map((event) => event.id)),
  };
}

const SOURCES = () => [
  state.cards,
  state.slack.messages,
  state.supervisor.audit?.entries,
  state.google.mails,
  state.google.events,
];
let memo = { of: [], found: new Map() };

/** Every card that is known, with what belongs to it, by `channel:timestamp`. */
export function related() {
  const now = SOURCES();
  if (now.some((one, index) => one !== memo.of[index])) {
    const found = Object.keys(state.cards ?? {})
      .map((key) => [key, relate(key)])
      .filter(([, one]) => one.message);
    memo = { of: now, found: new Map(found) };
  }
  return memo.found;
}

export function relations(message, channel) {
  return related().get(keyOf(channel, message.ts));
}

/** The card behind a mail (by its key), an event (by its id) or an audit entry; undefined when none is known. Of several
    that asked about the same it is the newest, because that one tells what came of it. */
export function cardOf({ mail, event, audit }) {
  const isBehind = (card) =>
    card.mails.has(mail) || card.events.has(event) || (audit !== undefined && card.audit.has(String(audit)));
  return [...related().values()].findLast(isBehind);
}

/** Marks what belongs to a card on the right. */
export function light(found, card) {
  unlight();
  card.classList.add("lit");
  if (!found) return;
  for (const node of document.querySelectorAll("#world [data-mail], #world [data-event], #world [data-audit]")) {
    const { mail, event, audit } = node.dataset;
    if (found.mails.has(mail) || found.events.has(event) || found.audit.has(audit)) node.classList.add("lit");
  }
}

export function unlight() {
  document.querySelectorAll(".lit").forEach((node) => node.classList.remove("lit"));
}
