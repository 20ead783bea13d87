/* Times in the acting person's zone; the absolute form, with zone, is for the tooltip. */

import { h } from "./dom.js";
import { zone } from "./place.js";

const made = new Map();

function format(options, timeZone) {
  const key = JSON.stringify(options) + timeZone;
  if (!made.has(key)) made.set(key, new Intl.DateTimeFormat("en-GB", { ...options, timeZone }));
  return made.get(key);
}

/** A Slack timestamp, seconds, an ISO text or a Date, as a Date; null when it is none. */
export function moment(value) {
  if (value instanceof Date) return value;
  const number = Number(value);
  const date =
    Number.isFinite(number) && value !== "" ? new Date(number > 1e11 ? number : number * 1000) : new Date(value);
  return Number.isNaN(date.getTime()) ? null : date;
}

export const clock = (at, where = zone()) => format({ hour: "2-digit", minute: "2-digit" }, where).format(at);
export const seconds = (at, where = zone()) =>
  format({ hour: "2-digit", minute: "2-digit", second: "2-digit" }, where).format(at);
export const day = (at, where = zone()) => format({ weekday: "long", day: "numeric", month: "long" }, where).format(at);
export const shortDay = (at, where = zone()) =>
  format({ weekday: "short", day: "numeric", month: "short" }, where).format(at);
export const dayKey = (at, where = zone()) =>
  format({ year: "numeric", month: "2-digit", day: "2-digit" }, where).format(at);
export const absolute = (at, where = zone()) =>
  `${format({ weekday: "short", day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit" }, where).format(at)} (${where})`;

/** The time today, else the day. */
export function brief(at, where = zone()) {
  return dayKey(at, where) === dayKey(new Date(), where)
    ? clock(at, where)
    : format({ day: "numeric", month: "short" }, where).format(at);
}

export function time(value, show = clock) {
  const at = moment(value);
  return at ? h("time", { datetime: at.toISOString(), title: absolute(at) }, show(at)) : h("time", {}, "");
}

/** Hours since midnight of a moment in a zone, as a fraction. */
export function hourOf(at, where = zone()) {
  const parts = Object.fromEntries(
    format({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" }, where)
      .formatToParts(at)
      .map((part) => [part.type, part.value]),
  );
  return Number(parts.hour) + Number(parts.minute) / 60;
}

/** Slack's `<!date^…>` and the `date` element of rich text. */
export function slackDate(stamp, pattern) {
  const at = moment(stamp);
  if (!at) return null;
  const words = {
    date_num: format({ year: "numeric", month: "2-digit", day: "2-digit" }, zone()).format(at),
    date: format({ day: "numeric", month: "long", year: "numeric" }, zone()).format(at),
    date_short: format({ day: "numeric", month: "short", year: "numeric" }, zone()).format(at),
    date_long: format({ weekday: "long", day: "numeric", month: "long", year: "numeric" }, zone()).format(at),
    time: clock(at),
    time_secs: seconds(at),
  };
  return pattern.replace(/\{(\w+)\}/g, (whole, word) => words[word.replace(/_pretty$/, "")] ?? whole);
}
