/* Short notices that disappear by themselves, or by a click: what could not be done, and what to do next. */

import { h } from "./dom.js";

const STAY_MS = 7000;

/** Shows it. Returns what takes it away, for a caller who knows that it is over. */
export function notice(text, kind = "") {
  const away = () => note.remove();
  const note = h("div", { class: `notice ${kind}`, role: "status", popover: "manual", onclick: away }, text);
  const layers = document.querySelector("#layers");
  layers.querySelectorAll(".notice").forEach((older) => older.remove());
  layers.append(note);
  note.showPopover(); // above an open dialog, too
  setTimeout(away, STAY_MS);
  return away;
}
