/* Modals: the top of the acting person's stack, with Back to the one below; Escape closes. The first field has the focus,
   and the last window gives it back to what opened the first. What was closed is gone at once, before the server knows:
   what is typed next belongs to the page. */

import { blocks } from "./blocks.js";
import { whileBusy } from "./busy.js";
import { h, icon, replace } from "./dom.js";
import { enter, keepInside, whereItIs } from "./focus.js";
import { Form } from "./form.js";
import { click } from "./message.js";
import { notice } from "./notice.js";
import { place } from "./place.js";
import { post, state } from "./server.js";
import { shown } from "./texts.js";

const forms = new Map();
const closed = new Set();
let closing = Promise.resolve();
let draw = () => {};

export function makeModal(layers) {
  let open = null;
  let giveBack = null;
  draw = () => {
    const stack = (state.slack.views?.[place.user] ?? []).filter((one) => !closed.has(one.id));
    const view = stack.at(-1);
    if (!view) {
      open?.dialog.remove();
      open = null;
      giveBack?.();
      giveBack = null;
      return;
    }
    if (open?.view === view && open.depth === stack.length && open.user === place.user) return;
    const before = open;
    const box = content(view, stack);
    if (before?.id === view.id) {
      const read = before.dialog.querySelector(".modal-body").scrollTop;
      replace(before.dialog.firstElementChild, box);
      box.querySelector(".modal-body").scrollTop = read; // whoever reads on keeps their place
      open = { ...before, view, depth: stack.length, user: place.user };
      const held = document.activeElement;
      if (held === box || !box.contains(held)) enter(before.dialog, read);
      return;
    }
    giveBack ??= whereItIs();
    before?.dialog.remove();
    const dialog = h("dialog", { class: "modal", "aria-label": shown(view.title) }, box);
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      close(view);
    });
    dialog.addEventListener("click", (event) => {
      if (event.defaultPrevented && event.target.closest("a[href^='#']")) leave();
    });
    keepInside(dialog);
    layers.append(dialog);
    dialog.showModal();
    enter(dialog);
    open = { id: view.id, view, dialog, depth: stack.length, user: place.user };
  };
  return draw;
}

/** Takes the window away, and tells the server: one after the other, since only the one on top can be closed there. */
function close(view) {
  const user = place.user;
  const leaving = view.clear_on_close ? (state.slack.views?.[user] ?? [view]) : [view];
  for (const one of leaving) {
    closed.add(one.id);
    forms.delete(one.id);
  }
  draw();
  closing = closing.then(async () => {
    const said = await post("act/close", { user, view_id: view.id });
    if (said.ok || !state.slack.views?.[user]?.some((one) => one.id === view.id)) return;
    for (const one of leaving) closed.delete(one.id);
    notice(`Not closed: ${said.reason || said.error || "it was refused"}.`, "bad");
    draw();
  });
}

/** A link of a window led to a place of the page: nothing stands before that any more. */
function leave() {
  const stack = (state.slack.views?.[place.user] ?? []).filter((one) => !closed.has(one.id));
  for (const view of stack.toReversed()) if (!closed.has(view.id)) close(view);
}

function content(view, stack) {
  if (!forms.has(view.id)) forms.set(view.id, new Form());
  const form = forms.get(view.id);
  const context = {
    form,
    act: (part, block, chosen) => click({ view_id: view.id, values: form.of(view) }, part, block, chosen),
  };
  const box = h("form", { class: "modal-box", novalidate: true });
  const submit = view.submit && h("button", { type: "submit", class: "button primary", "data-focus": "modal/submit" }, shown(view.submit));
  box.append(
    h(
      "header",
      { class: "modal-head" },
      h("h2", { title: shown(view.title) }, shown(view.title)),
      stack.length > 1 && h("span", { class: "note" }, `${stack.length} of up to 3`),
      h(
        "button",
        {
          type: "button",
          class: "tool",
          title: "Close (Esc)",
          "aria-label": "Close",
          "data-focus": "modal/x",
          onclick: () => close(view),
        },
        icon("close"),
      ),
    ),
    h("div", { class: "modal-body", role: "group", "aria-label": shown(view.title) }, blocks(view.blocks, context)),
    h(
      "footer",
      { class: "dialog-row" },
      h(
        "button",
        { type: "button", class: "button", "data-focus": "modal/close", onclick: () => close(view) },
        shown(view.close) || (stack.length > 1 ? "Back" : "Close"),
      ),
      submit,
    ),
  );
  box.addEventListener("submit", (event) => {
    event.preventDefault();
    whileBusy(submit ?? box, () => send(view, form, box, stack));
  });
  return box;
}

async function send(view, form, box, stack) {
  const said = await post("act/submit", { user: place.user, view_id: view.id, values: form.of(view) });
  form.errors = said.errors ?? {};
  if (said.errors) {
    const again = content(view, stack);
    replace(box, again);
    again.querySelector(".b-input.wrong :is(input, textarea, select)")?.focus();
  } else if (!said.ok || said.acked === false)
    notice("Not saved: the agent did not answer. Press again when the bot runs.", "bad");
}
