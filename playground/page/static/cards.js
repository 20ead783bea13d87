/* The larger blocks: card, carousel, container, alert, table, task card and plan. */

import { h, icon } from "./dom.js";
import { element, isVisible } from "./elements.js";
import { richText } from "./richtext.js";
import { shown, textOf } from "./texts.js";

export function card(block, context) {
  const buttons = (block.actions ?? block.elements ?? []).filter(isVisible);
  return h(
    "article",
    { class: "b-card" },
    block.hero_image &&
      h(
        "div",
        { class: "b-card-hero", role: "img", "aria-label": block.hero_image.alt_text ?? "" },
        block.hero_image.alt_text ?? "Image",
      ),
    h(
      "header",
      { class: "b-card-head" },
      block.icon && h("span", { class: "b-card-icon", title: block.icon.alt_text ?? "" }, "▣"),
      h(
        "div",
        {},
        h("div", { class: "b-card-title" }, textOf(block.title)),
        block.subtitle && h("div", { class: "b-card-sub" }, textOf(block.subtitle)),
      ),
    ),
    block.body && h("div", { class: "b-card-body" }, textOf(block.body)),
    block.subtext && h("div", { class: "note" }, textOf(block.subtext)),
    buttons.length > 0 && h("div", { class: "b-actions" }, ...buttons.map((part) => element(part, block, context))),
  );
}

export function carousel(block, context, rendered) {
  return h(
    "div",
    { class: "b-carousel", tabindex: "0", role: "group", "aria-label": "Cards" },
    ...(block.elements ?? block.cards ?? []).map((one) => rendered({ type: "card", ...one }, context)),
  );
}

export function containerBlock(block, context, rendered) {
  const inner = block.child_blocks ?? block.blocks ?? block.elements ?? [];
  const children = inner.map((child) => rendered(child, context));
  const head =
    block.title &&
    h(
      "span",
      { class: "b-container-title" },
      textOf(block.title),
      block.subtitle && h("span", { class: "note" }, textOf(block.subtitle)),
    );
  if (block.is_collapsible ?? block.collapsible) {
    const open = !(block.default_collapsed ?? block.is_collapsed);
    return h(
      "details",
      { class: "b-container", open },
      h("summary", {}, head || "Details"),
      h("div", { class: "b-container-body" }, ...children),
    );
  }
  return h(
    "section",
    { class: "b-container" },
    head && h("div", { class: "b-container-head" }, head),
    h("div", { class: "b-container-body" }, ...children),
  );
}

const ALERTS = { default: "•", info: "i", success: "✓", warning: "!", error: "×" };

export function alertBlock(block) {
  const level = block.level in ALERTS ? block.level : "default";
  return h(
    "div",
    { class: `b-alert ${level}`, role: level === "error" ? "alert" : "note" },
    h("span", { class: "b-alert-mark", "aria-hidden": "true" }, ALERTS[level]),
    h("div", {}, textOf(block.text)),
  );
}

export function table(block) {
  const settings = block.column_settings ?? [];
  const cell = (one, at, tag) => h(tag, { class: `align-${settings[at]?.align ?? "left"}` }, cellOf(one));
  const [head = [], ...rows] = block.rows ?? [];
  return h(
    "div",
    { class: "table", tabindex: "0" },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ...head.map((one, at) => cell(one, at, "th")))),
      h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row.map((one, at) => cell(one, at, "td"))))),
    ),
  );
}

function cellOf(one) {
  if (one?.type === "rich_text") return richText(one);
  if (one?.type === "raw_number") return String(one.value ?? one.text ?? "");
  return one?.type === "mrkdwn" ? textOf(one) : shown(one);
}

const STATES = { pending: "Waiting", in_progress: "Working", complete: "Done", error: "Failed" };

export function taskCard(block) {
  const state = block.status in STATES ? block.status : "pending";
  const details =
    block.details && (block.details.type === "rich_text" ? richText(block.details) : textOf(block.details));
  const output = block.output && (block.output.type === "rich_text" ? richText(block.output) : textOf(block.output));
  const sources = (block.sources ?? []).map((source) =>
    h("span", { class: "chip", title: source.url ?? "" }, shown(source.text) || source.url),
  );
  const head = [
    mark(state),
    h("span", { class: "b-task-title" }, shown(block.title)),
    h("span", { class: "visually-hidden" }, STATES[state]),
  ];
  if (!details && !output && !sources.length)
    return h("div", { class: `b-task ${state}` }, h("div", { class: "b-task-head" }, ...head));
  return h(
    "details",
    { class: `b-task ${state}`, open: state === "error" },
    h("summary", { class: "b-task-head" }, ...head),
    h("div", { class: "b-task-body" }, details, output, sources.length > 0 && h("div", { class: "chips" }, ...sources)),
  );
}

function mark(state) {
  const face = state === "complete" ? icon("check") : state === "error" ? icon("close") : null;
  return h("span", { class: `b-task-mark ${state}`, title: STATES[state] }, face);
}

export function plan(block) {
  const tasks = (block.tasks ?? []).map((task) => h("li", {}, taskCard(task)));
  return h(
    "section",
    { class: "b-plan" },
    h("div", { class: "b-plan-title" }, shown(block.title) || "Plan"),
    h("ol", {}, ...tasks),
  );
}
