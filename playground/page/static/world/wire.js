/* Wire: what Slack, Google and Gemini received and answered, newest first; the bodies are fetched when opened. */

import { fill, h, keyed } from "../dom.js";
import { folded } from "../fold.js";
import { changed, get, state } from "../server.js";
import { seconds, time } from "../times.js";
import { zone } from "../place.js";
import { during, labels, runSelect, runs } from "./runs.js";

const NAMES = { slack: "Slack", google: "Google", gemini: "Gemini" };
const seen = { source: "", run: "", open: "" };
const bodies = new Map();

export function makeWire(box) {
  const bar = h("div", { class: "bar" });
  const list = h("div", { class: "rows" });
  fill(box, bar, list);
  return () => {
    const all = Object.values(state.wire ?? {}).sort((left, right) =>
      left.at === right.at ? right.n - left.n : left.at < right.at ? 1 : -1,
    );
    const found = runs();
    keyed(bar, [1], { key: () => "bar", deps: () => [seen.source, seen.run, labels()], render: barNode });
    const run = found.find((one) => one.id === seen.run);
    const mine = all.filter((line) => (!seen.source || line.source === seen.source) && (!run || during(run, line.at)));
    const rows = mine.length ? mine : [{ key: "empty" }];
    keyed(list, rows, {
      key: (line) => line.key,
      deps: (line) => [line, zone(), seen.open === line.key, seen.open === line.key && bodies.get(line.key)],
      render: rowNode,
    });
  };
}

function pick(to) {
  Object.assign(seen, to);
  changed();
}

function barNode() {
  const names = [["", "All"], ...Object.entries(NAMES).filter(([name]) => name in (state.up ?? {}))];
  const segment = ([source, name]) =>
    h(
      "button",
      {
        type: "button",
        class: "segment",
        "aria-pressed": String(seen.source === source),
        "data-focus": `wire/${source}`,
        onclick: () => pick({ source }),
      },
      name,
    );
  const select = runSelect(seen.run, (run) => pick({ run }));
  select.title = "Shows what was on the wire while this run worked";
  return h(
    "div",
    { class: "bar-row" },
    h("div", { class: "segments", role: "group", "aria-label": "Which service" }, ...names.map(segment)),
    select,
  );
}

function rowNode(line) {
  if (line.key === "empty")
    return h("p", { class: "empty" }, "Each request and event between the agent and the outside appears here.");
  const open = seen.open === line.key;
  const [path] = line.path.split("?");
  const out = line.direction === "out";
  const good = line.status === null || line.status < 400;
  return h(
    "div",
    { class: "item wire" },
    h(
      "button",
      {
        type: "button",
        class: "item-main",
        "aria-expanded": String(open),
        "data-focus": `wire/${line.key}`,
        title: `${line.method} ${line.path}`,
        onclick: () => toggle(line.key),
      },
      h(
        "span",
        { class: "item-line" },
        h("span", { class: "chip source" }, NAMES[line.source] ?? line.source),
        h("span", { class: "arrow" }, out ? "→ to the agent" : "← from the agent"),
        h("span", { class: good ? "status-code" : "status-code bad" }, line.status ?? ""),
        time(line.at, seconds),
      ),
      h(
        "span",
        { class: "item-line" },
        h(
          "code",
          { class: "ellipsis grow" },
          line.method === "WS"
            ? `${out ? "sends" : "acks"} ${path.replace("/link/", "").replace("command//", "command /")}`
            : `${line.method} ${shortPath(path)}`,
        ),
      ),
      line.note && h("span", { class: "item-note ellipsis" }, line.note),
    ),
    open && bodiesNode(bodies.get(line.key)),
  );
}

/** The part of a path that names the call. */
const shortPath = (path) =>
  path
    .replace(/^\/api\//, "")
    .replace(/^\/(gmail|calendar)\/v\d\//, "$1/")
    .replace("users/me/", "");

async function toggle(key) {
  pick({ open: seen.open === key ? "" : key });
  if (seen.open !== key || bodies.has(key)) return;
  bodies.set(key, await get(`wire/${key}`));
  changed();
}

function bodiesNode(entry) {
  if (!entry) return h("div", { class: "item-open note" }, "Loading…");
  const part = (label, value) =>
    value !== null &&
    value !== undefined && [
      h("h4", {}, label),
      folded(h("pre", {}, typeof value === "string" ? value : JSON.stringify(value, null, 2)), `${entry.key}/${label}`),
    ];
  return h(
    "div",
    { class: "item-open" },
    part("Request", entry.request),
    part("Answer", entry.response),
    entry.error && h("p", {}, entry.error),
  );
}
