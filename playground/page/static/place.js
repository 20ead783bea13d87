/* The reader's place: who acts, which conversation, thread and tab. It is in the address, so a reload keeps it. */

import { changed, state } from "./server.js";

const ONCE = "show";
const SLACKBOT = "USLACKBOT";
const KEYS = ["user", "channel", "thread", "tab", "home"];
const TALK = ["channel", "thread", "home", ONCE];
const LAST_USER = "countersign.playground.user";

export const place = { user: "", channel: "", thread: "", tab: "mail", home: "", show: "" };

export function readAddress() {
  const asked = new URLSearchParams(location.hash.slice(1));
  for (const key of KEYS) place[key] = asked.get(key) ?? (key === "tab" ? "mail" : "");
  place.show = asked.get(ONCE) ?? "";
  if (asked.has("tab") && !TALK.some((key) => asked.has(key))) document.body.dataset.pane = "world";
  place.user ||= localStorage.getItem(LAST_USER) ?? "";
}

export function go(to) {
  Object.assign(place, to);
  if (to.user) localStorage.setItem(LAST_USER, to.user);
  const kept = KEYS.filter((key) => place[key]).map((key) => [key, place[key]]);
  history.replaceState(null, "", `#${new URLSearchParams(kept)}`);
  changed();
}

/** Which of the three panes a narrow window shows. */
export function showPane(name) {
  document.body.dataset.pane = name;
  changed();
}

export function people() {
  return Object.values(state.slack.users ?? {}).filter(
    (user) => !user.is_bot && !user.deleted && user.id !== SLACKBOT,
  );
}

export function user(id = place.user) {
  return state.slack.users?.[id];
}

export function zone() {
  return user()?.tz || "UTC";
}

export function nameOf(id) {
  if (id === SLACKBOT) return "Slackbot";
  const found = user(id);
  return found?.real_name || found?.profile?.real_name || found?.name || id || "somebody";
}

export function isApp(id) {
  return Boolean(user(id)?.is_bot);
}

/** The conversations that a person is in, channels first. */
export function conversations(of = place.user) {
  return Object.values(state.slack.channels ?? {}).filter((channel) => isIn(channel, of));
}

function isIn(channel, id) {
  return channel.is_im
    ? channel.user === id || (channel.members ?? []).includes(id)
    : (channel.members ?? []).includes(id);
}

export function channel(id = place.channel) {
  return state.slack.channels?.[id];
}

/** The other side of a direct conversation. */
export function partner(of) {
  const others = (of.members ?? []).filter((id) => id !== place.user);
  return others[0] ?? appUser() ?? of.user;
}

export function appUser() {
  return state.slack.bot?.user_id;
}

export function isAppDm(of) {
  return Boolean(of?.is_im && isApp(partner(of)));
}

/** A person's direct conversation with the app. */
export function appDm(of = place.user) {
  return conversations(of).find((found) => found.is_im && (found.members ?? []).every((id) => id === of || isApp(id)));
}

export function titleOf(of) {
  return of.is_im ? nameOf(partner(of)) : of.name;
}
