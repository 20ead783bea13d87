/* Block Kit's live elements: buttons, overflow menus, selects, pickers, radios, checkboxes, feedback. */

import { insideOf, openInside } from "./addresses.js";
import { whileBusy } from "./busy.js";
import { confirmed } from "./confirm.js";
import { h, icon } from "./dom.js";
import { emoji } from "./emoji.js";
import { menu } from "./menu.js";
import { conversations, nameOf, people, place, titleOf } from "./place.js";
import { shown, textOf } from "./texts.js";
import { moment, ofClock, onClock } from "./times.js";

/** Buttons can be for some people only; the text around them is for all. */
export function isVisible(part) {
  return !part.visible_to_user_ids?.length || part.visible_to_user_ids.includes(place.user);
}

export function element(part, block, context) {
  const node = (ELEMENTS[part?.type] ?? unknown)(part, block, context);
  const live = node.matches("button, select, input, textarea")
    ? node
    : node.querySelector("button, select, input, textarea");
  if (live && part.action_id) live.dataset.focus = `${block.block_id ?? ""}/${part.action_id}`;
  return node;
}

const ELEMENTS = {
  button,
  workflow_button: button,
  icon_button: (part, block, context) =>
    button({ ...part, text: part.text ?? part.alt_text, quiet: true }, block, context),
  overflow,
  image: (part) =>
    h(
      "div",
      { class: "b-thumb", role: "img", "aria-label": part.alt_text ?? "image", title: part.alt_text ?? "" },
      "▣",
    ),
  feedback_buttons: feedback,
  static_select: (part, block, context) => select(part, block, context, "selected_option", optionsOf(part)),
  external_select: (part, block, context) => select(part, block, context, "selected_option", optionsOf(part)),
  users_select: (part, block, context) => select(part, block, context, "selected_user", users()),
  conversations_select: (part, block, context) => select(part, block, context, "selected_conversation", rooms()),
  channels_select: (part, block, context) => select(part, block, context, "selected_channel", rooms()),
  multi_static_select: (part, block, context) => many(part, block, context, "selected_options", optionsOf(part)),
  multi_external_select: (part, block, context) => many(part, block, context, "selected_options", optionsOf(part)),
  multi_users_select: (part, block, context) => many(part, block, context, "selected_users", users()),
  multi_conversations_select: (part, block, context) => many(part, block, context, "selected_conversations", rooms()),
  multi_channels_select: (part, block, context) => many(part, block, context, "selected_channels", rooms()),
  checkboxes: (part, block, context) => many(part, block, context, "selected_options", optionsOf(part)),
  radio_buttons: radios,
  datepicker: (part, block, context) => picker(part, block, context, "date", "selected_date", part.initial_date),
  timepicker: (part, block, context) => picker(part, block, context, "time", "selected_time", part.initial_time),
  datetimepicker: dateTime,
};

function unknown(part) {
  return h("span", { class: "b-unknown" }, h("strong", {}, part?.type ?? "element"), " element, shown in Slack only");
}

function button(part, block, context) {
  const kind = part.style === "primary" ? "primary" : part.style === "danger" ? "danger" : part.quiet ? "quiet" : "";
  const label = shown(part.text) || part.icon || "Button";
  const node = h(
    "button",
    {
      type: "button",
      class: `button ${kind}`,
      "aria-label": part.accessibility_label,
      title: label.length > 40 ? label : null,
    },
    label,
  );
  node.addEventListener("click", () => pressed(node, part, block, context));
  return node;
}

async function pressed(node, part, block, context) {
  await whileBusy(node, async () => {
    if (!(await confirmed(part.confirm))) return;
    if (part.url) follow(part.url);
    await context.act(part, block, { value: part.value });
  });
}

/** A button's address opens beside its click, here when the playground has it. */
function follow(url) {
  if (!/^https?:/.test(url)) return;
  const inside = insideOf(new URL(url));
  if (inside) openInside(inside);
  else window.open(url, "_blank", "noopener,noreferrer");
}

function overflow(part, block, context) {
  const entries = (part.options ?? []).map((option) => ({
    label: shown(option.text),
    act: async () => (await confirmed(part.confirm)) && context.act(part, block, { value: option.value }),
  }));
  return menu({ label: "More actions", face: icon("more"), entries });
}

function feedback(part, block, context) {
  const one = (option, face) =>
    h(
      "button",
      {
        type: "button",
        class: "button quiet",
        title: option.accessibility_label ?? shown(option.text),
        "aria-label": option.accessibility_label ?? shown(option.text),
        onclick: (event) => {
          for (const other of event.currentTarget.parentElement.children)
            other.setAttribute("aria-pressed", String(other === event.currentTarget));
          context.act(part, block, { value: option.value });
        },
      },
      emoji(face),
    );
  return h(
    "span",
    { class: "b-feedback" },
    part.positive_button && one(part.positive_button, "+1"),
    part.negative_button && one(part.negative_button, "-1"),
  );
}

/** The choices of a select as `{label, note, raw, key}`. */
function optionsOf(part) {
  const grouped = part.option_groups?.flatMap((group) => group.options) ?? [];
  return [...(part.options ?? []), ...grouped].map((option) => ({
    key: option.value,
    label: shown(option.text),
    note: option.description,
    text: option.text,
    raw: option,
  }));
}

const users = () => people().map((user) => ({ key: user.id, label: nameOf(user.id), raw: user.id }));
const rooms = () =>
  conversations().map((room) => ({ key: room.id, label: room.is_im ? titleOf(room) : `#${room.name}`, raw: room.id }));

function initial(part, field, context, block) {
  const held = context.form?.get(block, part);
  return held ? held[field] : part[field.replace("selected_", "initial_")];
}

/** Inside an input block the block's label names the element. */
function nameFor(part, block, otherwise) {
  return block.type === "input" ? null : shown(part.placeholder) || otherwise;
}

async function chosen(part, block, context, value) {
  context.form?.set(block, part, value);
  if (block.type === "input" && !block.dispatch_action) return;
  if (await confirmed(part.confirm)) await context.act(part, block, { value: bare(value) });
}

/** What a click names: the value of the option, the date, or the ids that were chosen. */
function bare({ type, ...rest }) {
  const [found] = Object.values(rest);
  const one = (chosen) => chosen?.value ?? chosen;
  return Array.isArray(found) ? found.map(one) : one(found);
}

function select(part, block, context, field, options) {
  const now = initial(part, field, context, block);
  const key = typeof now === "object" ? now?.value : now;
  const node = h(
    "select",
    { class: "field", "aria-label": nameFor(part, block, "Choose") },
    h("option", { value: "", disabled: true, selected: !key }, shown(part.placeholder) || "Choose…"),
    ...options.map((option) => h("option", { value: option.key, selected: option.key === key }, withNote(option))),
  );
  if (key)
    context.form?.set(block, part, {
      type: part.type,
      [field]: options.find((option) => option.key === key)?.raw ?? now,
    });
  node.addEventListener("change", () => {
    const picked = options.find((option) => option.key === node.value);
    chosen(part, block, context, { type: part.type, [field]: picked.raw });
  });
  return node;
}

/** Slack shows a description below its option; a select of the page has one line for both. */
const withNote = ({ label, note }) => (note ? `${label} – ${shown(note)}` : label);

function many(part, block, context, field, options) {
  const before = (initial(part, field, context, block) ?? []).map((one) => one?.value ?? one);
  const box = h("fieldset", { class: "choices" });
  const value = () => {
    const on = [...box.querySelectorAll("input:checked")].map((input) => input.value);
    return {
      type: part.type,
      [field]: options.filter((option) => on.includes(option.key)).map((option) => option.raw),
    };
  };
  box.append(...options.map((option) => choice("checkbox", option, before.includes(option.key), block, part)));
  if (before.length) context.form?.set(block, part, value());
  box.addEventListener("change", () => chosen(part, block, context, value()));
  return box;
}

function radios(part, block, context) {
  const options = optionsOf(part);
  const now = initial(part, "selected_option", context, block)?.value;
  const box = h(
    "fieldset",
    { class: "choices" },
    ...options.map((option) => choice("radio", option, option.key === now, block, part)),
  );
  const value = (key) => ({ type: part.type, selected_option: options.find((option) => option.key === key)?.raw });
  if (now) context.form?.set(block, part, value(now));
  box.addEventListener("change", (event) => chosen(part, block, context, value(event.target.value)));
  return box;
}

function choice(type, option, on, block, part) {
  const name = `${block.block_id}/${part.action_id}`;
  return h(
    "label",
    { class: "choice" },
    h("input", { type, name, value: option.key, checked: on }),
    h(
      "span",
      {},
      option.text ? textOf(option.text) : option.label,
      option.note && h("span", { class: "note" }, textOf(option.note)),
    ),
  );
}

function picker(part, block, context, type, field, start) {
  const held = context.form?.get(block, part);
  const now = held ? held[field] : start;
  const node = h("input", { class: "field", type, value: now ?? "", "aria-label": nameFor(part, block, type) });
  if (now) context.form?.set(block, part, { type: part.type, [field]: now });
  node.addEventListener("change", () => chosen(part, block, context, { type: part.type, [field]: node.value || null }));
  return node;
}

function dateTime(part, block, context) {
  const now = initial(part, "selected_date_time", context, block);
  const value = (at) => ({ type: part.type, selected_date_time: at && at.getTime() / 1000 });
  const node = h("input", {
    class: "field",
    type: "datetime-local",
    value: now ? onClock(moment(now)) : "",
    "aria-label": nameFor(part, block, "Date and time"),
  });
  if (now) context.form?.set(block, part, value(moment(now)));
  node.addEventListener("change", () => chosen(part, block, context, value(ofClock(node.value))));
  return node;
}
