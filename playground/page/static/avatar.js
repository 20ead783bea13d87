/* A person's initials on a colour of their own; the app's mark. */

import { h, icon } from "./dom.js";
import { isApp, nameOf, people } from "./place.js";

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

/** People have colours in the order of the workspace's list, so that the first seven differ. */
function tint(id) {
  return (people().findIndex((one) => one.id === id) + COLOURS) % COLOURS;
}
