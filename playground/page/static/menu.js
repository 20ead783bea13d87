/* A button that opens a list of actions; Escape and a click elsewhere close it. */

import { h } from "./dom.js";

export function menu({ label, face, entries, kind = "button small" }) {
  const list = h("div", { class: "menu-list", role: "menu" });
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
  list.append(...entries.map((entry) => item(entry, close)));
  opener.addEventListener("click", () => {
    if (list.isConnected) return close();
    box.append(list);
    opener.setAttribute("aria-expanded", "true");
    list.querySelector("button")?.focus();
    document.addEventListener("pointerdown", outside);
  });
  box.addEventListener("keydown", (event) => keys(event, list, opener, close));
  return box;
}

function item(entry, close) {
  const act = () => {
    close();
    entry.act();
  };
  return h(
    "button",
    { type: "button", role: "menuitem", class: "menu-item", onclick: act },
    h("span", {}, entry.label),
    entry.note && h("span", { class: "note" }, entry.note),
  );
}

function keys(event, list, opener, close) {
  if (!list.isConnected) return;
  const items = [...list.querySelectorAll("button")];
  const at = items.indexOf(document.activeElement);
  if (event.key === "Escape") {
    event.stopPropagation();
    close();
    opener.focus();
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    items.at((at + (event.key === "ArrowDown" ? 1 : -1)) % items.length)?.focus();
  }
}
