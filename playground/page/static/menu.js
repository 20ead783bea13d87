/* A button that opens a list of actions. Arrow keys move in it; Escape, Tab and a click elsewhere close it. */

import { h, icon } from "./dom.js";

/** `entries` is a list, or a function that makes it when the menu opens: `{label, note, act}`, with `checked` where an
    action can be on, or `{heading}`. */
export function menu({ label, face, entries, kind = "button small", wide = false }) {
  const list = h("div", { class: wide ? "menu-list wide" : "menu-list", role: "menu", "aria-label": label });
  const opener = h(
    "button",
    {
      type: "button",
      class: kind,
      "aria-haspopup": "menu",
      "aria-expanded": "false",
      "aria-label": label,
      title: label,
    },
    face,
  );
  const box = h("span", { class: "menu" }, opener);
  const close = () => {
    list.remove();
    opener.setAttribute("aria-expanded", "false");
    document.removeEventListener("pointerdown", outside);
  };
  const outside = (event) => !box.contains(event.target) && close();
  opener.addEventListener("click", () => {
    if (list.isConnected) return close();
    const made = typeof entries === "function" ? entries() : entries;
    list.replaceChildren(...made.map((entry) => item(entry, close)));
    box.append(list);
    opener.setAttribute("aria-expanded", "true");
    list.querySelector("button")?.focus();
    document.addEventListener("pointerdown", outside);
  });
  box.addEventListener("keydown", (event) => keys(event, list, opener, close));
  return box;
}

function item(entry, close) {
  if (entry.heading) return h("div", { class: "menu-heading", role: "presentation" }, entry.heading);
  const act = () => {
    close();
    entry.act();
  };
  const canBeOn = entry.checked !== undefined;
  return h(
    "button",
    {
      type: "button",
      role: canBeOn ? "menuitemcheckbox" : "menuitem",
      "aria-checked": canBeOn ? String(entry.checked) : null,
      class: "menu-item",
      onclick: act,
    },
    h("span", {}, entry.label),
    entry.note && h("span", { class: "note" }, entry.note),
    entry.checked && h("span", { class: "menu-mark" }, icon("check")),
  );
}

const STEPS = { ArrowDown: 1, ArrowUp: -1 };

function keys(event, list, opener, close) {
  if (!list.isConnected) return;
  const items = [...list.querySelectorAll("button")];
  const at = items.indexOf(document.activeElement);
  if (event.key === "Escape") {
    event.stopPropagation();
    close();
    opener.focus();
  } else if (event.key === "Tab") {
    opener.focus(); // from there the browser goes on
    close();
  } else if (event.key in STEPS) {
    event.preventDefault();
    items.at((at + STEPS[event.key]) % items.length)?.focus();
  } else if (event.key === "Home" || event.key === "End") {
    event.preventDefault();
    items.at(event.key === "Home" ? 0 : -1)?.focus();
  }
}
