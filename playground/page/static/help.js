/* Help: the keys, and the way back to the tour. */

import { h, icon, showDialog } from "./dom.js";
import { showHints } from "./hints.js";

const KEYS = [
  [["Enter"], "send the message"],
  [["Shift", "Enter"], "begin a new line"],
  [["@"], "mention somebody"],
  [["/"], "choose a command of the agent"],
  [["Ctrl", "K"], "jump to a person, a channel or a tab"],
  [["F6"], "go to the next pane; with Shift to the one before"],
  [["Tab"], "go to the next button; with Shift to the one before"],
  [["←", "→"], "choose a tab; Home and End the first and the last"],
  [["↑", "↓"], "choose in a menu or a list"],
  [["Esc"], "close a menu, a window or the thread"],
  [["?"], "show these keys"],
];

export function openHelp() {
  if (document.querySelector("dialog[open]")) return;
  const dialog = h("dialog", { class: "help", "aria-label": "Help" });
  const close = () => {
    dialog.close();
    dialog.remove();
  };
  const tour = () => {
    close();
    showHints();
  };
  dialog.append(
    h(
      "header",
      { class: "dialog-head" },
      h("h2", {}, "Keys"),
      h(
        "button",
        { type: "button", class: "tool", title: "Close (Esc)", "aria-label": "Close", onclick: close },
        icon("close"),
      ),
    ),
    h("dl", { class: "keys-list" }, ...KEYS.map(keyNode)),
    h(
      "div",
      { class: "dialog-row" },
      h("button", { type: "button", class: "button", onclick: tour }, "Show the tour"),
      h("button", { type: "button", class: "button primary", onclick: close, autofocus: true }, "Got it"),
    ),
  );
  showDialog(dialog, close);
}

function keyNode([keys, what]) {
  return h("div", {}, h("dt", {}, ...keys.map((key) => h("kbd", {}, key))), h("dd", {}, what));
}
