/* Times in the acting person's zone; the absolute form, with zone, is for the tooltip, and for a press on it: a finger
 * does not hover. */

import { h } from "./dom.js";
import { zone } from "./place.js";

const made = new Map();
const PARTS = { weekday: "short", day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit" };

/** Year, month, day, weekday, hour, minute and second of a moment in a zone, as text. */
function parts(at, where) {
  if (!made.has(where)) made.set(where, new Intl.DateTimeFormat("en-US", { ...PARTS, hourCycle: "h23", timeZone: where }));
  return Object.fromEntries(made.get(where).formatToParts(at).map((part) => [part.type, part.value]));
}

/** A Slack timestamp, seconds, an ISO text or a Date, as a Date; null when it is none. */
export function moment(value) {
  if (value instanceof Date) return value;
  const number = Number(value);
  const date =
    Number.isFinite(number) && value !== "" ? new Date(number > 1e11 ? number : number * 1000) : new Date(value);
  return Number.isNaN(date.getTime()) ? null : date;
}

export function clock(at, where = zone()) {
  const { hour, minute } = parts(at, where);
  return `${hour}:${minute}`;
}

export const seconds = (at, where = zone()) => `${clock(at, where)}:${parts(at, where).second}`;

export const weekday = (at, where = zone()) => parts(at, where).weekday;

export function dayMonth(at, where = zone()) {
  const { day: date, month } = parts(at, where);
  return `${date} ${month}`;
}

/** `Mon 23 Nov`, with the year if it is another one. */
export function day(at, where = zone()) {
  const { year } = parts(at, where);
  const short = `${weekday(at, where)} ${dayMonth(at, where)}`;
  return year === parts(new Date(), where).year ? short : `${short} ${year}`;
}

/** A text that is the same for moments of one day. */
export function dayKey(at, where = zone()) {
  const { year, month, day: date } = parts(at, where);
  return `${year} ${month} ${date}`;
}

export const absolute = (at, where = zone()) =>
  `${weekday(at, where)} ${dayMonth(at, where)} ${parts(at, where).year}, ${seconds(at, where)} (${where})`;

/** The time today, else the day. */
export const brief = (at, where = zone()) =>
  dayKey(at, where) === dayKey(new Date(), where) ? clock(at, where) : day(at, where);

export function time(value, show = clock) {
  const at = moment(value);
  if (!at) return h("time", {}, "");
  const [short, long] = [show(at), absolute(at)];
  const press = ({ currentTarget: shown }) => {
    if (!shown.closest("button, a")) shown.textContent = shown.classList.toggle("whole") ? long : short;
  };
  return h("time", { datetime: at.toISOString(), title: long, onclick: press }, short);
}

/** Hours since midnight of a moment in a zone, as a fraction. */
export function hourOf(at, where = zone()) {
  const { hour, minute } = parts(at, where);
  return Number(hour) + Number(minute) / 60;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `2026-11-26T17:00`: what the clocks of a zone show, as a field of the browser takes it. */
export function onClock(at, where = zone()) {
  const { year, month, day: date } = parts(at, where);
  const two = (number) => String(number).padStart(2, "0");
  return `${year}-${two(MONTHS.indexOf(month) + 1)}-${two(date)}T${clock(at, where)}`;
}

/** The moment at which they show this; null for an empty field. */
export function ofClock(text, where = zone()) {
  const shown = Date.parse(`${text}Z`);
  if (Number.isNaN(shown)) return null;
  const ahead = (at) => Date.parse(`${onClock(new Date(at), where)}Z`) - at;
  return new Date(shown - ahead(shown - ahead(shown)));
}

const DAY_MS = 86_400_000;
const NEAR_DAYS = [
  [-1, "yesterday"],
  [0, "today"],
  [1, "tomorrow"],
];

/** `today`, `yesterday`, `tomorrow` or the day, as Slack's `{date_pretty}`. */
function pretty(at) {
  const near = NEAR_DAYS.find(([days]) => dayKey(at) === dayKey(new Date(Date.now() + days * DAY_MS)));
  return near?.[1] ?? day(at);
}

/** Slack's `<!date^…>` and the `date` element of rich text; every date has the page's form. */
export function slackDate(stamp, pattern) {
  const at = moment(stamp);
  if (!at) return null;
  return pattern.replace(/\{(\w+)\}/g, (whole, word) => {
    if (word === "time") return clock(at);
    if (word === "time_secs") return seconds(at);
    if (/^date(_num|_short|_long|_slash)?$/.test(word)) return day(at);
    return /^date(_short|_long)?_pretty$/.test(word) ? pretty(at) : whole;
  });
}
