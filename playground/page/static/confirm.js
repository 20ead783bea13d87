/* Block Kit's confirm dialogs. */

import { h } from "./dom.js";
import { keepInside } from "./focus.js";
import { shown, textOf } from "./texts.js";

/** True at once without a dialog to show; else what the person answered. */
export function confirmed(asked) {
  if (!asked) return Promise.resolve(true);
  return new Promise((answer) => {
    const dialog = h("dialog", { class: "confirm", "aria-label": shown(asked.title) || "Are you sure?" });
    const end = (yes) => {
      dialog.close();
      dialog.remove();
      answer(yes);
    };
    const yes = asked.style === "danger" ? "button danger filled" : "button primary";
    dialog.append(
      h("h2", {}, shown(asked.title) || "Are you sure?"),
      h("div", {}, textOf(asked.text)),
      h(
        "div",
        { class: "dialog-row" },
        h("button", { type: "button", class: "button", onclick: () => end(false) }, shown(asked.deny) || "Cancel"),
        h("button", { type: "button", class: yes, onclick: () => end(true) }, shown(asked.confirm) || "Yes"),
      ),
    );
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      end(false);
    });
    keepInside(dialog);
    document.body.append(dialog);
    dialog.showModal();
  });
}
