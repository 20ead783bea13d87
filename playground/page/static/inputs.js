/* Input blocks of modals and App Home: a label, an element, a hint, and what the app said is wrong. */

import { h } from "./dom.js";
import { element } from "./elements.js";
import { shown, textOf } from "./texts.js";

const TEXTS = {
  plain_text_input: "text",
  email_text_input: "email",
  url_text_input: "url",
  number_input: "number",
  rich_text_input: "rich",
};

export function inputBlock(block, context) {
  const part = block.element ?? {};
  const kind = TEXTS[part.type];
  const node = kind
    ? typed(part, block, context, kind)
    : part.type === "file_input"
      ? files(part, block, context)
      : element(part, block, context);
  const wrong = context.form?.errors?.[block.block_id];
  const label = h(
    "span",
    { class: "b-label" },
    shown(block.label),
    block.optional && h("span", { class: "note" }, " (optional)"),
  );
  const tag = node.matches("fieldset") ? "div" : "label";
  return h(
    tag,
    { class: wrong ? "b-input wrong" : "b-input" },
    label,
    node,
    wrong && h("span", { class: "b-wrong", role: "alert" }, wrong),
    block.hint && h("span", { class: "note" }, textOf(block.hint)),
  );
}

function typed(part, block, context, kind) {
  const held = context.form?.get(block, part);
  const now = flat(held ? (held.rich_text_value ?? held.value) : part.initial_value);
  const common = {
    class: "field",
    placeholder: shown(part.placeholder),
    maxlength: part.max_length,
    minlength: part.min_length,
  };
  const node =
    part.multiline || kind === "rich"
      ? h("textarea", { ...common, rows: rowsFor(now), value: now })
      : h("input", { ...common, type: kind, value: now, min: part.min_value, max: part.max_value });
  node.dataset.focus = `${block.block_id}/${part.action_id}`;
  const keep = () =>
    context.form?.set(
      block,
      part,
      kind === "rich"
        ? { type: part.type, rich_text_value: rich(node.value) }
        : { type: part.type, value: node.value || null },
    );
  keep();
  node.addEventListener("input", keep);
  const sends = part.dispatch_action_config?.trigger_actions_on ?? (block.dispatch_action ? ["on_enter_pressed"] : []);
  if (sends.includes("on_enter_pressed")) {
    node.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.shiftKey) context.act(part, block, { value: node.value });
    });
  }
  return node;
}

const [FEWEST_ROWS, MOST_ROWS, ROW_CHARACTERS] = [3, 14, 60];

/** As many rows as the text has lines, counting line breaks of long ones, up to a limit. */
function rowsFor(text) {
  const lines = text.split("\n").reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / ROW_CHARACTERS)), 0);
  return Math.min(MOST_ROWS, Math.max(FEWEST_ROWS, lines));
}

/** What a field shows of its value: a text, or the rich text that `rich` makes of one; nothing where it was emptied. */
function flat(value) {
  if (typeof value !== "object") return `${value ?? ""}`;
  const lines = (value?.elements ?? []).map((row) => (row.elements ?? []).map((part) => part.text ?? "").join(""));
  return lines.join("\n");
}

function rich(text) {
  const line = (row) => ({ type: "rich_text_section", elements: [{ type: "text", text: row }] });
  return { type: "rich_text", elements: text.split("\n").map(line) };
}

function files(part, block, context) {
  const node = h("input", {
    type: "file",
    class: "field",
    multiple: (part.max_files ?? 10) > 1,
    accept: (part.filetypes ?? []).map((end) => `.${end}`).join(","),
  });
  node.addEventListener("change", () => {
    const chosen = [...node.files].map((file) => ({ name: file.name, mimetype: file.type, size: file.size }));
    context.form?.set(block, part, { type: part.type, files: chosen });
  });
  return node;
}
