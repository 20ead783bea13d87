/* Makes and reuses DOM nodes. Strings become text only: nothing here parses markup. */

import { keepInside } from "./focus.js";

/** An element: `h("p", {class: "x", onclick: f, hidden: true}, "text", node, [more])`. */
export function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) set(node, name, value);
  append(node, children);
  return node;
}

function set(node, name, value) {
  if (value === undefined || value === null || value === false) return;
  if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
  else if (name === "value" || name === "checked" || name === "selected") node[name] = value;
  else node.setAttribute(name === "class" ? "class" : name, value === true ? "" : String(value));
}

export function append(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    node.append(child);
  }
  return node;
}

export function fill(node, ...children) {
  node.replaceChildren();
  return append(node, children);
}

const rendered = new WeakMap();

/**
 * Shows `items` as the children of `container`. A child whose `deps` are the very same values is kept as it is,
 * so what did not change keeps its focus, selection and scroll.
 */
export function keyed(container, items, { key, deps, render }) {
  const old = new Map([...container.children].map((node) => [rendered.get(node)?.key, node]));
  let place = container.firstElementChild;
  for (const item of items) {
    const wanted = { key: key(item), deps: deps(item) };
    const before = old.get(wanted.key);
    let node = before;
    if (!before || !same(rendered.get(before).deps, wanted.deps)) {
      node = render(item);
      rendered.set(node, wanted);
      if (before) {
        if (place === before) place = node;
        replace(before, node);
      }
    }
    old.delete(wanted.key);
    if (node === place) place = place.nextElementSibling;
    else container.insertBefore(node, place);
  }
  for (const node of old.values()) node.remove();
}

function same(left, right) {
  return left.length === right.length && left.every((value, at) => value === right[at]);
}

/** Replaces a node and gives the focus back to its counterpart; if that is gone, such as a pressed button, to the new
    node itself. So people who use the keyboard keep their place. */
export function replace(before, after) {
  const held = before.contains(document.activeElement) && document.activeElement;
  const [from, to] = held ? [held.selectionStart, held.selectionEnd] : [];
  before.replaceWith(after);
  if (!held) return;
  const mark = held.dataset.focus;
  const same = mark && [...after.querySelectorAll("[data-focus]")].find((node) => node.dataset.focus === mark);
  if (same) {
    same.focus();
    if (Number.isInteger(from)) same.setSelectionRange(from, to); // typing goes on where the caret was
    return;
  }
  if (!after.matches("[tabindex], button, a, input, select, textarea")) after.tabIndex = -1;
  after.focus({ preventScroll: true });
}

const SVG = "http://www.w3.org/2000/svg";

const PATHS = {
  check: "M3 8.5l3.2 3.2L13 5",
  close: "M4 4l8 8M12 4l-8 8",
  down: "M4 6l4 4 4-4",
  left: "M10 4L6 8l4 4",
  right: "M6 4l4 4-4 4",
  lock: "M5 7V5.2a3 3 0 016 0V7M4 7h8v6H4z",
  open: "M5 7V5.2a3 3 0 015.8-1M4 7h8v6H4z",
  clip: "M11.5 7L7 11.4a2 2 0 01-2.9-2.8l5-5a3 3 0 014.3 4.2l-5 5",
  search: "M7 2.8a4.2 4.2 0 100 8.4 4.2 4.2 0 000-8.4M10.2 10.2L13.5 13.5",
  send: "M3 8h9M8.5 4.5L12 8l-3.5 3.5",
  reply: "M3 4h10v7H8l-3 2.5V11H3z",
  more: "M4 8h.01M8 8h.01M12 8h.01",
  link: "M6 4h6v6M12 4L4 12",
  bolt: "M9 2L4 9h4l-1 5 5-7H8z",
  power: "M8 2.5v5M4.6 4.6a4.8 4.8 0 106.8 0",
  file: "M4 2.5h5l3 3v8H4zM9 2.5v3h3",
  mail: "M2.5 4h11v8h-11zM2.5 4.5L8 9l5.5-4.5",
  calendar: "M3 4h10v9H3zM3 7h10M6 2.5v3M10 2.5v3",
  pencil: "M3 13l1-3 6.5-6.5 2 2L6 12z",
  bin: "M3.5 4.5h9M6 4V3h4v1M5 4.5l.5 8.5h5l.5-8.5",
};

/** A small stroke icon; decorative, the button around it carries the name. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}

/** Show a dialog over the page; Esc, and a click beside it, close it. */
export function showDialog(dialog, close) {
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    close();
  });
  dialog.addEventListener("click", (event) => event.target === dialog && close());
  keepInside(dialog);
  document.body.append(dialog);
  dialog.showModal();
}
