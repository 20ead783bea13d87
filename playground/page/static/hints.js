/* Three numbered hints for the first visit: on the card, on its Approve button, on the right pane. */

import { h } from "./dom.js";
import { changed } from "./server.js";

const SEEN = "countersign.playground.hints";
let shown = !localStorage.getItem(SEEN);

export function showHints() {
  localStorage.removeItem(SEEN);
  shown = true;
  changed();
}

export function makeHints(place) {
  const dismiss = () => {
    localStorage.setItem(SEEN, "seen");
    shown = false;
    changed();
  };
  const step = (number, title, text) =>
    h(
      "li",
      {},
      h("span", { class: "number", "aria-hidden": "true" }, number),
      h("span", {}, h("strong", {}, title), " ", h("span", { class: "hint-text" }, text)),
    );
  const strip = h(
    "aside",
    { class: "hint-strip", "aria-label": "How it works" },
    h(
      "ol",
      {},
      step(1, "Read the card.", "What the agent wants to do."),
      step(2, "Press Approve.", "Nothing happens before."),
      step(3, "Look right.", "There it is, with its audit entry."),
    ),
    h("button", { type: "button", class: "button small", onclick: dismiss }, "Got it"),
  );
  return () => {
    document.body.classList.toggle("hinted", shown);
    if (shown && !strip.isConnected) place.append(strip);
    if (!shown) strip.remove();
    number();
  };
}

/** Puts the numbers at the first card that waits. */
function number() {
  document.querySelectorAll(".hint-1, .hint-2").forEach((node) => node.classList.remove("hint-1", "hint-2"));
  if (!shown) return;
  const button = document.querySelector("#talk .card .blocks .button.primary");
  button?.closest(".blocks").classList.add("hint-1");
  button?.classList.add("hint-2");
}
