/* Faults of the outside world that a person can cause, to see what the agent does; a line says which are armed. */

import { fill, h, icon } from "./dom.js";
import { menu } from "./menu.js";
import { notice } from "./notice.js";
import { appDm, go, place, showPane } from "./place.js";
import { post, send, state } from "./server.js";
import { Fresh } from "./world/fresh.js";

const NAMES = { google: "Google", slack: "Slack", gemini: "Gemini" };
const CALLS = "/[gc]*/v[13]/*";
const SEND = "/send";
const MODEL = "*enerateContent*";
const FOR_EVER = -1;

/** `label` is what goes wrong, `note` what follows from it, `said` what is told when it happens. */
const FAULTS = [
  {
    source: "google",
    label: "Google holds its answer to the next mail",
    note: "The mail is sent, and for 20 s the agent does not hear of it. Press Kill meanwhile.",
    said: "Google sent the mail and holds its answer for 20 s. Press Kill now.",
    fault: { match: { path: SEND, method: "POST" }, kind: "hold", seconds: 20 },
  },
  {
    source: "google",
    label: "Google's answer to the next mail gets lost",
    note: "The mail is sent, and the agent never hears of it. It must not send it again.",
    said: "Google sent the mail, and its answer got lost.",
    fault: { match: { path: SEND, method: "POST" }, kind: "drop_after" },
  },
  {
    source: "google",
    label: "Google fails once",
    note: "It answers 503 to the next call, and does nothing.",
    said: "Google answered 503 and did nothing.",
    fault: { match: { path: CALLS }, kind: "status", status: 503 },
  },
  {
    source: "google",
    label: "Google is down",
    note: "It answers 503 to every call until you remove this.",
    fault: { match: { path: CALLS }, kind: "status", status: 503, times: FOR_EVER },
  },
  {
    source: "slack",
    label: "Slack refuses the next message",
    note: "It answers 429, too many requests. The agent sends the message again after 2 s.",
    said: "Slack answered 429. The agent sends the message again after 2 s.",
    fault: {
      match: { path: "/api/chat." },
      kind: "status",
      status: 429,
      headers: { "Retry-After": "2" },
      body: { ok: false, error: "ratelimited" },
    },
  },
  {
    source: "slack",
    label: "Slack closes the connection",
    note: "It happens at once. The agent connects again.",
    atOnce: "Slack closed the connection. The agent connects again.",
    fault: { match: {}, kind: "disconnect" },
  },
  {
    source: "gemini",
    label: "Gemini's next answer breaks off",
    note: "Half of it arrives. The agent asks again.",
    said: "Gemini's answer broke off. The agent asks again.",
    fault: { match: { path: "*:streamGenerateContent*" }, kind: "cut" },
  },
  {
    source: "gemini",
    label: "Gemini pauses in its next answer",
    note: "Nothing more of it comes for 20 s. Press Slack's Stop meanwhile.",
    said: "Gemini says nothing more for 20 s. Press Slack's Stop now.",
    fault: { match: { path: "*:streamGenerateContent*" }, kind: "pause", after: 4, seconds: 20 },
  },
  {
    source: "gemini",
    label: "Gemini fails once",
    note: "It answers 503 to the next call. The agent asks again.",
    said: "Gemini answered 503. The agent asks again.",
    fault: { match: { path: MODEL }, kind: "status", status: 503 },
  },
  {
    source: "gemini",
    label: "Gemini refuses the next request",
    note: "It answers 400. The request fails and offers Try again.",
    said: "Gemini refused the request.",
    fault: { match: { path: MODEL }, kind: "status", status: 400 },
  },
  {
    source: "gemini",
    label: "Gemini is down",
    note: "It answers 503 until you remove this. Requests fail and offer Try again.",
    fault: { match: { path: MODEL }, kind: "status", status: 503, times: FOR_EVER },
  },
  {
    source: "gemini",
    label: "Gemini never comes to an end",
    note: "Asks for something endless. The agent stops at its limit and offers Continue.",
    ask: "Look for orders in my mail, for ever",
  },
];

/** The faults that wait or last, as `{source, id, known}`; `known` is their entry in the menu, if they have one. */
function armed() {
  return Object.entries(state.faults ?? {}).flatMap(([source, waiting]) =>
    Object.values(waiting).map((one) => ({
      source,
      id: one.id,
      lasts: one.times < 0,
      known: FAULTS.find((entry) => entry.source === source && entry.fault && isOf(one, entry.fault)),
    })),
  );
}

const isOf = (one, fault) =>
  one.kind === fault.kind &&
  one.match?.path === fault.match.path &&
  (one.kind !== "status" || one.status === fault.status) &&
  one.times < 0 === fault.times < 0;

export function faultsButton() {
  const face = [icon("bolt"), h("span", { class: "roomy" }, "Faults")];
  return menu({ label: "Faults", face, entries, kind: "button quiet", wide: true });
}

function entries() {
  const on = armed();
  return Object.keys(NAMES)
    .filter((source) => source in state.up)
    .flatMap((source) => [
      { heading: NAMES[source] },
      ...FAULTS.filter((entry) => entry.source === source).map((entry) => menuEntry(entry, on)),
    ]);
}

function menuEntry(entry, on) {
  const { label, note } = entry;
  if (entry.ask) return { label, note, act: () => ask(entry.ask) };
  if (entry.atOnce) return { label, note, act: () => arm(entry) };
  const found = on.find((one) => one.known === entry);
  return { label, note, checked: Boolean(found), act: () => (found ? disarm(found) : arm(entry)) };
}

async function arm(entry) {
  const said = await post(`faults/${entry.source}`, { times: 1, ...entry.fault });
  if (!said.ok) notice(`Not armed: ${said.error}.`, "bad");
  else if (entry.atOnce) notice(entry.atOnce);
}

const disarm = ({ source, id }) => send("DELETE", `faults/${source}/${id}`);

/** A request whose directive makes the scripted model misbehave. */
async function ask(text) {
  const dm = appDm();
  if (!dm) return;
  go({ channel: dm.id, thread: "", home: "" });
  showPane("talk");
  await post("act/message", { user: place.user, channel: dm.id, text });
}

/** The line under the top: each armed fault, with a button that removes it. What happens is told once. */
export function makeArmed(line) {
  const fresh = new Fresh();
  let drawn = "";
  return () => {
    const on = armed();
    tell(fresh.update(state.wire), on);
    const looks = JSON.stringify(on.map((one) => [one.source, one.id]));
    if (looks === drawn) return;
    drawn = looks;
    line.hidden = !on.length;
    fill(line, icon("bolt"), h("strong", {}, "Armed:"), ...on.map(armedNode));
  };
}

function armedNode(one) {
  const label = one.known?.label ?? `a fault of ${NAMES[one.source]}`;
  return h(
    "span",
    { class: "armed-one" },
    h("span", {}, label),
    h(
      "button",
      {
        type: "button",
        class: "tool",
        title: "Remove this fault",
        "aria-label": `Remove: ${label}`,
        onclick: () => disarm(one),
      },
      icon("close"),
    ),
  );
}

/** A fault that lasts happens again and again, so it is not told. */
function tell(keys, on) {
  for (const line of keys.map((key) => state.wire[key])) {
    const kind = /^fault: (\w+)/.exec(line.note ?? "")?.[1];
    const isIt = ({ fault }) => fault.kind === kind && (kind !== "status" || fault.status === line.status);
    const entry = kind && FAULTS.find((one) => one.said && one.source === line.source && isIt(one));
    if (entry && !on.some((one) => one.lasts && one.source === line.source)) notice(entry.said);
  }
}
