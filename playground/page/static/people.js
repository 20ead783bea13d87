/* The left pane: the people to act as, channels, direct conversations, and unread marks. */

import { avatar } from "./avatar.js";
import { fill, h, icon, keyed } from "./dom.js";
import {
  appDm,
  conversations,
  go,
  isApp,
  isAppDm,
  nameOf,
  partner,
  people,
  place,
  showPane,
  titleOf,
} from "./place.js";
import { state } from "./server.js";

export function makePeople(pane) {
  const lists = { people: h("div"), channels: h("div"), dms: h("div") };
  const dmTitle = h("h2", {}, "Direct messages");
  fill(pane, h("h2", {}, "Act as"), lists.people, h("h2", {}, "Channels"), lists.channels, dmTitle, lists.dms);
  return () => render(lists);
}

function render(lists) {
  keyed(lists.people, people(), {
    key: (one) => one.id,
    deps: (one) => [one, one.id === place.user, anyUnread(one.id)],
    render: personRow,
  });
  const rooms = conversations();
  const byName = (left, right) => titleOf(left).localeCompare(titleOf(right));
  const channels = rooms.filter((room) => !room.is_im).sort(byName);
  const dms = rooms
    .filter((room) => room.is_im)
    .sort((left, right) => Number(isAppDm(right)) - Number(isAppDm(left)) || byName(left, right));
  const deps = (room) => [room, room.id === place.channel, isUnread(room, place.user), place.user];
  keyed(lists.channels, channels.length ? channels : [{ id: "none" }], {
    key: (room) => room.id,
    deps,
    render: roomRow,
  });
  keyed(lists.dms, dms, { key: (room) => room.id, deps, render: roomRow });
}

function personRow(one) {
  const on = one.id === place.user;
  const role = one.deleted
    ? "deactivated"
    : one.is_admin
      ? "admin"
      : one.is_restricted || one.is_ultra_restricted
        ? "guest"
        : (one.profile?.title ?? one.title ?? "member");
  const name = nameOf(one.id);
  return h(
    "button",
    {
      type: "button",
      class: "row person",
      "aria-pressed": String(on),
      title: `${name} — ${[...new Set([one.profile?.title ?? one.title, role, one.tz])].filter(Boolean).join(", ")}`,
      disabled: Boolean(one.deleted),
      onclick: () => actAs(one.id),
    },
    avatar(one.id, "small"),
    h("span", { class: "row-name" }, name),
    h("span", { class: `role ${role === "admin" || role === "guest" ? "badge" : ""}` }, role),
    anyUnread(one.id) && h("span", { class: "dot", title: "Something unread" }),
  );
}

/** Acts as another person and stays in the same kind of conversation where possible. */
export function actAs(id) {
  const rooms = conversations(id);
  const stays = rooms.some((room) => room.id === place.channel);
  const own = appDm(id)?.id ?? rooms[0]?.id ?? "";
  go({ user: id, channel: stays ? place.channel : own, thread: "", home: "" });
}

function roomRow(room) {
  if (room.id === "none") return h("p", { class: "empty" }, "This person is in no channel.");
  const title = titleOf(room);
  const open = () => {
    go({ channel: room.id, thread: "", home: "" });
    showPane("talk");
  };
  return h(
    "button",
    {
      type: "button",
      class: `row room ${isUnread(room, place.user) ? "unread" : ""}`,
      "aria-current": room.id === place.channel ? "page" : null,
      title: room.topic?.value ?? room.topic ?? title,
      onclick: open,
    },
    room.is_im
      ? avatar(partner(room), "tiny")
      : h("span", { class: "hash", "aria-hidden": "true" }, room.is_private ? icon("lock") : "#"),
    h("span", { class: "row-name" }, title),
    isAppDm(room) && h("span", { class: "badge" }, "APP"),
    isUnread(room, place.user) && h("span", { class: "dot", title: "Unread" }),
  );
}

const anyUnread = (id) => id !== place.user && conversations(id).some((room) => room.is_im && isUnread(room, id));

/** Whether something is unread that is not shown now. */
export const unreadElsewhere = () =>
  people().some((one) => anyUnread(one.id)) ||
  conversations().some((room) => room.id !== place.channel && isUnread(room, place.user));

/** Whether somebody else said something here after this person last looked. */
export function isUnread(room, id) {
  const newest = newestOf(room.id);
  if (!newest || newest.user === id) return false;
  const seen = state.reads[id]?.[room.id];
  return seen ? newest.ts > seen : room.is_im && isApp(newest.user);
}

export function newestOf(id) {
  const byTs = state.slack.messages?.[id] ?? {};
  const last = Object.keys(byTs).reduce((best, ts) => (ts > best ? ts : best), "");
  return byTs[last];
}
