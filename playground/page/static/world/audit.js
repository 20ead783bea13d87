/* Audit: the entries as they are written, newest first, sealed or not yet, and a button that verifies the chain. */

import { fill, h, icon, keyed } from "../dom.js";
import { bodyOf, cardOf, entries, entryCount, factsOf, runOf, strings } from "../relations.js";
import { cardLink } from "../reveal.js";
import { changed, post, state } from "../server.js";
import { absolute, moment, seconds, time } from "../times.js";
import { Fresh } from "./fresh.js";
import { labels, runSelect } from "./runs.js";
import { actorOf, sentenceOf } from "./sentences.js";

const fresh = new Fresh();
const seen = { run: "", open: new Set(), verdict: null, verifying: false };

export function auditGrew() {
  return fresh.update(state.supervisor.audit?.entries).length;
}

export function makeAudit(box) {
  const bar = h("div", { class: "bar" });
  const verdict = h("div", { "aria-live": "polite" });
  const list = h("div", { class: "rows" });
  fill(box, bar, verdict, list);
  return () => {
    const all = entries().sort((left, right) => order(right) - order(left));
    keyed(bar, [1], {
      key: () => "bar",
      deps: () => [seen.run, seen.verifying, labels(), all.filter((entry) => !isSealed(entry)).length, entryCount()],
      render: () => barNode(all),
    });
    const later = seen.verdict ? entryCount() - seen.verdict.entries : 0;
    keyed(verdict, seen.verdict ? [seen.verdict] : [], {
      key: () => "verdict",
      deps: (said) => [said, later],
      render: (said) => verdictNode(said, later),
    });
    const mine = all.filter((entry) => !seen.run || runOf(entry) === seen.run);
    const rows = mine.length ? [...mine, ...older(all)] : [{ id: "empty" }];
    const deps = (entry) => [
      JSON.stringify(entry),
      fresh.has(String(entry.id)),
      seen.open.has(entry.id),
      cardOf({ audit: entry.id })?.ts,
      state.slack.users,
    ];
    keyed(list, rows, { key: (entry) => String(entry.id), deps, render: rowNode });
  };
}

/** A last row, where the log has more than what is listed. */
const older = (all) => (entryCount() > all.length ? [{ id: "older", shown: all.length }] : []);

const order = (entry) => Number(entry.id) || Number(entry.seq) || Date.parse(entry.at) || 0;

export const isSealed = (entry) => entry.sealed ?? Boolean(entry.hash);

function barNode(all) {
  const note = countNote(all, seen.run);
  return h(
    "div",
    { class: "bar-row" },
    runSelect(seen.run, (run) => pick({ run })),
    h("span", { class: "note grow", title: note }, note),
    h(
      "button",
      {
        type: "button",
        class: seen.verifying ? "button small busy" : "button small",
        "aria-disabled": seen.verifying ? "true" : null,
        title: "Checks every hash, seal and number with the command `countersign audit verify`",
        "data-focus": "audit/verify",
        onclick: verify,
      },
      icon("check"),
      seen.verifying ? "Verifying…" : "Verify",
    ),
  );
}

/** How many entries there are, of the run if one is chosen, and whether they are sealed. */
export function countNote(all, run) {
  if (!all.length) return "";
  const mine = all.filter((entry) => !run || runOf(entry) === run);
  const waiting = mine.filter((entry) => !isSealed(entry)).length;
  const count = run ? `${mine.length} of ${entryCount()}` : entryCount();
  return `${count} entries, ${waiting ? `${waiting} not sealed yet` : "all sealed"}`;
}

function pick(to) {
  Object.assign(seen, to);
  changed();
}

async function verify() {
  if (seen.verifying) return;
  pick({ verifying: true });
  const said = await post("audit/verify");
  pick({
    verifying: false,
    verdict: {
      at: new Date().toISOString(),
      entries: entryCount(),
      ok: said.ok,
      text: said.text ?? said.error ?? "The audit log could not be verified.",
    },
  });
}

/** The command's output and its time, since it says nothing about later entries. */
function verdictNode(said, later) {
  const close = () => pick({ verdict: null });
  const since = later > 0 ? `; ${later} ${later === 1 ? "entry has" : "entries have"} come since` : "";
  return h(
    "div",
    { class: `b-alert ${said.ok ? "success" : "error"}` },
    h("span", { class: "b-alert-mark", "aria-hidden": "true" }, said.ok ? "✓" : "!"),
    h(
      "div",
      { class: "grow" },
      h("pre", { class: "verdict" }, said.text.trim()),
      h("span", { class: "note" }, "As of ", time(said.at, seconds), since),
    ),
    h(
      "button",
      { type: "button", class: "tool", "aria-label": "Dismiss", title: "Dismiss", onclick: close },
      icon("close"),
    ),
  );
}

function rowNode(entry) {
  if (entry.id === "empty")
    return h("p", { class: "empty" }, "Every decision and every effect is written here, as it happens.");
  if (entry.id === "older")
    return h("p", { class: "empty" }, `Listed are the newest ${entry.shown}. countersign audit export prints all.`);
  const sealed = isSealed(entry);
  const seal = h(
    "span",
    {
      class: sealed ? "seal sealed" : "seal",
      title: sealed ? `Sealed into the chain: ${entry.hash ?? ""}` : "Written, not sealed into the chain yet",
    },
    icon(sealed ? "lock" : "open"),
    h("code", {}, sealed ? String(entry.hash ?? "").slice(0, 8) : "unsealed"),
  );
  const open = seen.open.has(entry.id);
  const toggle = () => {
    if (!seen.open.delete(entry.id)) seen.open.add(entry.id);
    changed();
  };
  return h(
    "div",
    {
      class: ["item audit", fresh.has(String(entry.id)) && "fresh"].filter(Boolean).join(" "),
      "data-audit": String(entry.id),
    },
    h(
      "button",
      {
        type: "button",
        class: "item-main",
        "aria-expanded": String(open),
        "data-focus": `audit/${entry.id}`,
        onclick: toggle,
      },
      h("span", { class: "item-line" }, h("span", { class: "item-who said", title: sentenceOf(entry) }, sentenceOf(entry)), seal),
      h(
        "span",
        { class: "item-line item-note" },
        h("span", { class: "grow ellipsis" }, h("code", {}, entry.code), summary(entry)),
        time(entry.at, seconds),
      ),
    ),
    cardLink({ audit: entry.id }),
    open && detailsNode(entry),
  );
}

/** The most important short values of the body. */
function summary(entry) {
  const facts = factsOf(entry);
  const keys = /asked|denied|refused|claimed|no_place/.test(entry.code) ? ["tool", "rule", "why", "error"] : ["tool", "error"];
  const words = keys.map((key) => facts[key]).filter((word) => typeof word === "string" && word);
  return words.map((word) => ` · ${word}`).join("");
}

function detailsNode(entry) {
  const body = bodyOf(entry);
  const facts = {
    number: entry.number,
    seq: entry.seq,
    time: moment(entry.at) && absolute(moment(entry.at)),
    actor: actorOf(entry),
    run: runOf(entry),
    hash: entry.hash,
    "previous hash": entry.prev_hash,
  };
  const pair = ([key, value]) =>
    value !== undefined &&
    value !== null &&
    value !== "" &&
    h("div", { class: "pair" }, h("dt", {}, key), h("dd", {}, String(value)));
  return h(
    "div",
    { class: "item-open" },
    h("dl", {}, ...Object.entries(facts).map(pair)),
    [...strings(body)].length > 0 && h("pre", {}, JSON.stringify(body, null, 2)),
  );
}
