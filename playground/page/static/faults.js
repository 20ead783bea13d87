/* The Faults menu: what the outside can be made to do wrong once, to see how the agent holds. */

import { h, icon } from "./dom.js";
import { notice } from "./notice.js";
import { get, post, send, state } from "./server.js";

const CALLS = "/[gc]*/v[13]/*";
const SEND = "*/send";

const FAULTS = [
  {
    name: "google",
    label: "Hold Google's next answer for 20 s",
    note: "the effect happens first",
    fault: { match: { path: CALLS }, kind: "hold", seconds: 20 },
  },
  {
    name: "google",
    label: "Drop Google's answer to the next send",
    note: "accepted, then silence: it is never sent twice",
    fault: { match: { path: SEND, method: "POST" }, kind: "drop_after" },
  },
  {
    name: "google",
    label: "Google answers 503 once",
    note: "nothing is done",
    fault: { match: { path: CALLS }, kind: "status", status: 503 },
  },
  {
    name: "slack",
    label: "Slack answers 429 to the next message",
    note: "Retry-After: 2",
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
    label: "Gemini answers 503 once",
    note: "the call is retried",
    fault: { match: { path: "*enerateContent*" }, kind: "status", status: 503 },
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
    row(one.label, one.note, () => inject(one, close)),
  );
  const waiting = faults.map((one) =>
    h("li", {}, `${one.source}: ${one.kind}${one.times === 1 ? ", once" : ""} at ${one.match?.path || "anything"}`),
  );
  const clear = row("Clear what waits", `${faults.length} waiting`, () => clearAll(close));
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
  notice(
    said.ok ? `Armed: ${label}. It happens once, then all is well again.` : `Not armed: ${said.error}.`,
    said.ok ? "" : "bad",
  );
}

async function clearAll(close) {
  close();
  await send("DELETE", "faults");
  notice("No fault waits any more.");
}
