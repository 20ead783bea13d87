/* Ctrl+K: jump to a person, a conversation or a tab by a few letters, and go on by keyboard there. */

import { h, showDialog } from "./dom.js";
import { conversations, go, isApp, nameOf, people, place, showPane, titleOf } from "./place.js";
import { actAs } from "./people.js";

function targets() {
  const rooms = conversations().map((room) => ({
    label: room.is_im ? titleOf(room) : `#${room.name}`,
    note: room.is_im ? "direct message" : "channel",
    act: () => visit(room.id),
  }));
  const actors = people()
    .filter((one) => one.id !== place.user && !one.deleted && !isApp(one.id))
    .map((one) => ({
      label: `Act as ${nameOf(one.id)}`,
      note: one.is_admin ? "admin" : one.is_restricted ? "guest" : "member",
      act: () => actAs(one.id),
    }));
  const tabs = ["Mail", "Calendar", "Audit", "Wire", "API"].map((name) => ({
    label: name,
    note: "the outside world",
    act: () => look(name.toLowerCase()),
    lands: '#world [role="tab"][aria-selected="true"]',
  }));
  return [...rooms, ...tabs, ...actors];
}

function visit(id) {
  go({ channel: id, thread: "", home: "" });
  showPane("talk");
}

function look(tab) {
  go({ tab });
  showPane("world");
}

export function openJump() {
  if (document.querySelector("dialog[open]")) return;
  const field = h("input", { class: "field", type: "search", placeholder: "Jump to…", "aria-label": "Jump to" });
  const list = h("div", { class: "jump-list", role: "listbox" });
  const none = h("p", { class: "note", role: "status" });
  const dialog = h("dialog", { class: "jump", "aria-label": "Jump to" }, field, list, none);
  let found = [];
  let at = 0;
  const close = () => {
    dialog.close();
    dialog.remove();
  };
  const take = (target) => {
    close();
    if (!target) return;
    target.act();
    requestAnimationFrame(() => document.querySelector(target.lands ?? "#composer")?.focus());
  };
  const paint = () => {
    found = targets()
      .filter((target) => target.label.toLowerCase().includes(field.value.toLowerCase()));
    at = Math.min(at, Math.max(0, found.length - 1));
    none.textContent = found.length ? "" : "No person, conversation or tab has this in its name.";
    list.replaceChildren(
      ...found.map((target, index) =>
        h(
          "button",
          {
            type: "button",
            role: "option",
            class: "completion-row",
            "aria-selected": String(index === at),
            onclick: () => take(target),
          },
          h("strong", {}, target.label),
          h("span", { class: "note" }, target.note),
        ),
      ),
    );
    list.children[at]?.scrollIntoView({ block: "nearest" });
  };
  field.addEventListener("input", () => {
    at = 0;
    paint();
  });
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      event.preventDefault(); // a search field would only be emptied
      event.stopPropagation(); // a thread behind it stays open
      return close();
    }
    if (event.key === "Enter") {
      event.preventDefault();
      take(found[at]);
    }
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    at = (at + by + found.length) % Math.max(1, found.length);
    paint();
  });
  showDialog(dialog, close);
  paint();
  field.focus();
}
