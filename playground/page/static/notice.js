/* Short notices that disappear by themselves: what could not be done, and what to do next. */

import { h } from "./dom.js";

const STAY_MS = 7000;

export function notice(text, kind = "") {
  const note = h("div", { class: `notice ${kind}`, role: "status", popover: "manual" }, text);
  const layers = document.querySelector("#layers");
  layers.querySelectorAll(".notice").forEach((older) => older.remove());
  layers.append(note);
  note.showPopover(); // above an open dialog, too
  setTimeout(() => note.remove(), STAY_MS);
}
