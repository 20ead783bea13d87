/* A person's initials on a colour of their own; the app's mark. */

import { h, icon } from "./dom.js";
import { isApp, nameOf } from "./place.js";

const COLOURS = 7;

export function avatar(id, size = "") {
  if (isApp(id)) return h("span", { class: `avatar app ${size}`, "aria-hidden": "true" }, icon("check"));
  const name = nameOf(id);
  return h("span", { class: `avatar tint${tint(id)} ${size}`, "aria-hidden": "true" }, initials(name));
}

export function initials(name) {
  const words = name.split(/[\s._-]+/).filter(Boolean);
  return [...words.slice(0, 1), ...words.slice(1).slice(-1)].map((word) => [...word][0].toUpperCase()).join("");
}

function tint(id = "") {
  return [...id].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 997, 7) % COLOURS;
}
