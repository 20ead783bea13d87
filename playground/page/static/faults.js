/* The Faults menu: errors of the outside world that a person can cause, to see what the agent does. */

import { h, icon } from "./dom.js";
import { notice } from "./notice.js";
import { appDm, go, place, showPane } from "./place.js";
import { get, post, send, state } from "./server.js";

const CALLS = "/[gc]*/v[13]/*";
const SEND = "/send";
const MODEL = "*enerateContent*";

const FAULTS = [
  {
    name: "google",
    label: "Hold Google's answer to the next send",
    note: "for 20 s; the effect happens first",
    fault: { match: { path: SEND, method: "POST" }, kind: "hold", seconds: 20 },
  },
  {
    name: "google",
    label: "Drop Google's answer to the next send",
    note: "accepted, then silence: it is never sent twice",
    fault: { match: { path: SEND, method: "POST" }, kind: "drop_after" },
  },
  {
    name: "google",
    label: "Google is away for one call",
    note: "it answers 503; nothing is done",
    fault: { match: { path: CALLS }, kind: "status", status: 503 },
  },
  {
    name: "google",
    label: "Google down until restored",
    note: "nothing is done, and that is said",
    fault: { match: { path: CALLS }, kind: "status", status: 503, times: -1 },
  },
  {
    name: "slack",
    label: "Slack says “too fast” to the next message",
    note: "it answers 429; sent again after 2 s",
    fault: {
      match: { path: "/api/chat." },
      kind: "status",
      status: 429,
      headers: { "Retry-After": "2" },
      body: { ok: false, error: "ratelimited" },
    },
  },
  {
    name: "slack",
    label: "Slack closes the connection",
    note: "the agent connects again",
    fault: { match: {}, kind: "disconnect" },
  },
  {
    name: "gemini",
    label: "Cut Gemini mid-stream",
    note: "the step is done again",
    fault: { match: { path: "*:streamGenerateContent*" }, kind: "cut" },
  },
  {
    name: "gemini",
    label: "Gemini is away for one call",
    note: "it answers 503; the call is retried",
    fault: { match: { path: MODEL }, kind: "status", status: 503 },
  },
  {
    name: "gemini",
    label: "Gemini down until restored",
    note: "a request fails, and offers Try again",
    fault: { match: { path: MODEL }, kind: "status", status: 503, times: -1 },
  },
  {
    name: "gemini",
    label: "Ask for something that never ends",
    note: "reaches the limit of steps, and offers Continue",
    ask: "Look into my mail for ever [[model: never_stop]]",
  },
];

export function faultsButton() {
  const list = h("div", { class: "menu-list faults-list", role: "menu", hidden: true });
  const button = h(
    "button",
    {
      type: "button",
      class: "button quiet",
      "aria-haspopup": "menu",
      "aria-expanded": "false",
      "aria-label": "Faults",
      title: "Faults: make something go wrong once",
    },
    icon("bolt"),
    h("span", { class: "roomy" }, "Faults"),
  );
  const box = h("span", { class: "menu" }, button, list);
  const show = (on) => {
    list.hidden = !on;
    button.setAttribute("aria-expanded", String(on));
    if (on) fillList(list, () => show(false)).then(() => list.querySelector("button")?.focus());
  };
  button.addEventListener("click", () => show(list.hidden));
  document.addEventListener("pointerdown", (event) => box.contains(event.target) || show(false));
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || list.hidden) return;
    event.stopPropagation();
    show(false);
    button.focus();
  });
  return box;
}

async function fillList(list, close) {
  const { faults = [] } = await get("faults");
  const entries = FAULTS.filter((one) => one.name in state.up).map((one) =>
    row(one.label, one.note, () => (one.ask ? ask(one.ask, close) : inject(one, close))),
  );
  const waiting = faults.map((one) =>
    h("li", {}, `${one.source}: ${one.kind}${{ 1: ", once", [-1]: ", until restored" }[one.times] ?? ""} at ${one.match?.path || "anything"}`),
  );
  const clear = row("Restore everything", `${faults.length} waiting or lasting`, () => clearAll(close));
  list.replaceChildren(...entries, ...(faults.length ? [h("ul", { class: "note" }, ...waiting), clear] : []));
}

function row(label, note, act) {
  return h(
    "button",
    { type: "button", role: "menuitem", class: "menu-item", onclick: act },
    h("span", {}, label),
    h("span", { class: "note" }, note),
  );
}

async function inject({ name, label, fault }, close) {
  close();
  const said = await post(`faults/${name}`, { times: 1, ...fault });
  const lasts =
    fault.times === -1
      ? "It lasts until you restore everything in this menu."
      : "It happens once.";
  notice(said.ok ? `Armed: ${label}. ${lasts}` : `Not armed: ${said.error}.`, said.ok ? "" : "bad");
}

/** A request whose directive makes the scripted model misbehave. */
async function ask(text, close) {
  close();
  const dm = appDm();
  if (!dm) return;
  go({ channel: dm.id, thread: "", home: "" });
  showPane("talk");
  await post("act/message", { user: place.user, channel: dm.id, text });
}

async function clearAll(close) {
  close();
  await send("DELETE", "faults");
  notice("Everything is restored. No fault is left.");
}
