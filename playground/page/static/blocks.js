/* Block Kit, one renderer for each type. An unknown block is a plain box with its type, never dropped. */

import { h } from "./dom.js";
import { alertBlock, card, carousel, containerBlock, plan, table, taskCard } from "./cards.js";
import { element, isVisible } from "./elements.js";
import { inputBlock } from "./inputs.js";
import { markdown } from "./markdown.js";
import { richText } from "./richtext.js";
import { shown, textOf } from "./texts.js";

/**
 * `context` says where the blocks stand and what their elements do:
 * `act(element, block, chosen)` for a live element, `form` for a modal's or home's values.
 */
export function blocks(list, context) {
  return h("div", { class: "blocks" }, ...(list ?? []).map((block) => rendered(block, context)));
}

function rendered(block, context) {
  const node = (RENDERERS[block?.type] ?? unknown)(block, context);
  if (node && block.block_id) node.dataset.block = block.block_id;
  return node;
}

const RENDERERS = {
  rich_text: (block) => richText(block),
  markdown: (block) => markdown(block.text),
  header: (block) => h("h3", { class: "b-header" }, shown(block.text)),
  section,
  context,
  divider: () => h("hr", { class: "b-divider" }),
  image: (block) => picture(block),
  actions,
  input: inputBlock,
  table: (block, context) => table(block, context),
  alert: alertBlock,
  card: (block, context) => card(block, context, rendered),
  carousel: (block, context) => carousel(block, context, rendered),
  container: (block, context) => containerBlock(block, context, rendered),
  task_card: taskCard,
  plan,
  context_actions: actions,
  file: (block) => h("div", { class: "b-file" }, `File ${block.external_id ?? ""}`),
  video: (block) => picture({ ...block, alt_text: shown(block.title) || block.alt_text }, "Video"),
};

function unknown(block) {
  return h(
    "div",
    { class: "b-unknown" },
    h("strong", {}, block?.type ?? "block without a type"),
    " block, shown in Slack only",
  );
}

function section(block, context) {
  const body = h("div", { class: "b-section-text" }, textOf(block.text));
  if (block.fields?.length) {
    body.append(
      h("div", { class: "b-fields" }, ...block.fields.map((field) => h("div", { class: "b-field" }, textOf(field)))),
    );
  }
  const side = block.accessory && isVisible(block.accessory) && element(block.accessory, block, context);
  return h("div", { class: "b-section" }, body, side && h("div", { class: "b-accessory" }, side));
}

function context(block) {
  const parts = (block.elements ?? []).map((part) =>
    part.type === "image" ? h("span", { class: "b-tiny", title: part.alt_text ?? "" }, "▣") : textOf(part),
  );
  return h("div", { class: "b-context" }, ...parts);
}

/** An image is a placeholder: the page loads nothing from outside. */
export function picture(block, kind = "Image") {
  const alt = block.alt_text || "without a description";
  return h(
    "figure",
    { class: "b-image" },
    block.title && h("figcaption", {}, shown(block.title)),
    h("div", { class: "b-image-box", role: "img", "aria-label": alt }, h("span", {}, `${kind}: ${alt}`)),
  );
}

function actions(block, context) {
  const visible = (block.elements ?? []).filter(isVisible);
  if (!visible.length) return null;
  const row = block.type === "context_actions" ? "b-actions small" : "b-actions";
  return h("div", { class: row }, ...visible.map((part) => element(part, block, context)));
}
