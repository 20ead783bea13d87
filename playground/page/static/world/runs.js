/* The runs in the audit log, by which its entries and the wire can be filtered. */

import { h } from "../dom.js";
import { mrkdwn } from "../mrkdwn.js";
import { nameOf } from "../place.js";
import { begun, entries, entryCount, factsOf, runOf } from "../relations.js";
import { state } from "../server.js";
import { clock, day, dayKey, moment } from "../times.js";

const PAUSE_MS = 15_000;
const MARGIN_MS = 1_500;
const TITLE_CHARACTERS = 48;
const SAID = /^slack:[^:]+:([^:]+):([\d.]+)$/;
const ELSEWHERE = { form: "asked in a window", http: "asked over HTTP", command: "asked by a command" };
const PLAN_TASK = "plan_task"; // as which the assistant itself works for a plan
const OF_ANOTHER = /^(?:retry|plan):(.+)$/;

/** `{id, label, spans}` of each run, newest first; its spans are the times in which it did something. */
export function runs() {
  const found = new Map();
  for (const entry of entries()) {
    const id = runOf(entry);
    if (!id) continue;
    if (!found.has(id)) found.set(id, { id, who: "", queued: {}, moments: [] });
    const run = found.get(id);
    run.who ||= requester(entry);
    if (entry.code === "run.queued") run.queued = factsOf(entry);
    run.moments.push(moment(entry.at)?.getTime() ?? 0);
  }
  for (const entry of begun()) {
    const run = found.get(runOf(entry));
    if (!run) continue;
    run.who = requester(entry) || run.who;
    run.queued = factsOf(entry);
  }
  const titled = (run) => ({ ...run, title: titleOf(run, found) });
  return [...found.values()].map((run) => finished(titled(run))).sort((left, right) => right.first - left.first);
}

/** All that a menu of the runs shows: it is drawn anew when this changes. */
export const labels = () => runs().map(({ label }) => label).join("\n");

/** The beginning of what was asked, where it was said in Slack or the agent's own list has it; else whose work it is, or
    where it comes from. */
function titleOf({ id, queued }, found) {
  const [, channel, ts] = SAID.exec(queued.source) ?? [];
  const [, other] = OF_ANOTHER.exec(queued.source) ?? [];
  const text = state.slack.messages?.[channel]?.[ts]?.text;
  const words = text ? mrkdwn(text).textContent : withNames(state.supervisor.audit?.asked?.[id] ?? "");
  const agent = queued.agent && (queued.agent === PLAN_TASK ? "task of a plan" : `agent ${queued.agent}`);
  if (words) return [agent, gist(words)].filter(Boolean).join(": ");
  if (found.has(other)) return titleOf(found.get(other), new Map());
  if (agent) return agent;
  if (queued.plan) return "a plan";
  const how = ELSEWHERE[queued.source?.split(":")[0]];
  return how ? `${how} · ${id.slice(-6)}` : "";
}

/** What was written elsewhere than in a message: no mrkdwn, but for people's ids. */
const withNames = (text) => text.replace(/<@([UW][A-Z0-9]+)>/g, (_, id) => `@${nameOf(id)}`);

/** Its beginning, on one line. */
function gist(words) {
  const line = words.replace(/\s+/g, " ").trim();
  const characters = [...line];
  if (characters.length <= TITLE_CHARACTERS) return line;
  return `${characters.slice(0, TITLE_CHARACTERS).join("").trimEnd()}…`;
}

function requester(entry) {
  const id = factsOf(entry).user ?? entry.actor;
  return /^[UW][A-Z0-9]{3,}$/.test(id ?? "") ? nameOf(id) : "";
}

function finished({ id, who, title, moments }) {
  moments.sort((left, right) => left - right);
  const spans = [];
  for (const at of moments) {
    const last = spans.at(-1);
    if (last && at - last[1] < PAUSE_MS) last[1] = at;
    else spans.push([at, at]);
  }
  const label = `${stamp(new Date(moments[0]))} ${who}${title ? `: ${title}` : ` · ${id.slice(-6)}`}`;
  return { id, label, first: moments[0], spans: spans.map(([from, to]) => [from - MARGIN_MS, to + MARGIN_MS]) };
}

/** The time, after the day where that is not today. */
const stamp = (at) => (dayKey(at) === dayKey(new Date()) ? clock(at) : `${day(at)}, ${clock(at)}`);

/** What stands below the runs: that there may be older ones, where the log has more entries than what is listed. */
export function notesOf() {
  const listed = entries().length;
  return entryCount() > listed ? [`These are in the newest ${listed} of ${entryCount()} entries.`] : [];
}

export function runSelect(chosen, pick) {
  const list = runs();
  const node = h(
    "select",
    { class: "field small", "aria-label": "Filter by run", title: "Filter by run" },
    h("option", { value: "", selected: !chosen }, "All runs"),
    ...list.map((run) => h("option", { value: run.id, selected: run.id === chosen }, run.label)),
    ...notesOf().map((words) => h("option", { disabled: true }, words)),
  );
  node.addEventListener("change", () => pick(node.value));
  return node;
}

/** Whether something at this time happened while the run worked. */
export function during(run, at) {
  const when = moment(at)?.getTime();
  return run.spans.some(([from, to]) => when >= from && when <= to);
}
