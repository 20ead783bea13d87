/* Short notices that disappear by themselves: what could not be done, and what to do next. */

import { h } from "./dom.js";

const STAY_MS = 7000;

export function notice(text, kind = "") {
  const note = h("div", { class: `notice ${kind}`, role: "status" }, text);
  const layers = document.querySelector("#layers");
  layers.querySelectorAll(".notice").forEach((older) => older.remove());
  layers.append(note);
  setTimeout(() => note.remove(), STAY_MS);
}
