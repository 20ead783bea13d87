/* Calendar: the week of one person or of a shared calendar in the acting person's zone, with a second zone beside it when theirs differs. */

import { fill, h, icon, keyed } from "../dom.js";
import { place, zone } from "../place.js";
import { cardOf } from "../relations.js";
import { cardLink } from "../reveal.js";
import { changed, state } from "../server.js";
import { clock, day, dayKey, dayMonth, hourOf, weekday } from "../times.js";
import { Fresh } from "./fresh.js";

const DAY_MS = 86_400_000;
const HOUR_PX = 40;
const LINE_PX = 14;
const FIRST_SEEN_HOUR = 7.5;
const SHORTEST_HOURS = 0.5;
const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const FRIDAY = 4;

const fresh = new Fresh({ whenDifferent: true });
const seen = { owner: "", week: 0, open: "", actor: "" };

/** How many events appeared or changed, and the newest of them on the acting person's own calendar, if there is one:
    the guests' copies would show somebody else's week. */
export function eventsChanged() {
  const came = fresh.update(state.google.events).map((key) => state.google.events[key]);
  const mine = came.filter((event) => state.google.people?.[event.owner]?.user_id === place.user);
  const own = mine.filter((event) => event.organizer?.self ?? true);
  return { count: came.length, own: own.at(-1) ?? mine.at(-1) ?? null };
}

export function showEvent(event) {
  const start = startOf(event);
  Object.assign(seen, { actor: place.user, owner: event.owner, open: event.key, week: start ? weeksFromNow(start) : 0 });
}

export function makeCalendar(box) {
  const bar = h("div", { class: "bar" });
  const head = h("div", { class: "week-head" });
  const grid = h("div", { class: "week" });
  const scroll = h("div", { class: "week-scroll", tabindex: "0", "aria-label": "Week" }, grid);
  const details = h("div", { class: "event-details" });
  fill(box, bar, head, scroll, details);
  let placed = false;
  return () => {
    followActor();
    const events = Object.values(state.google.events ?? {}).filter((event) => event.owner === seen.owner);
    const days = shownDays(weekDays(), events);
    for (const cells of [head, grid]) cells.style.setProperty("--days", days.length);
    const deps = () => [seen.owner, seen.week, zone(), state.google.people, dayKey(new Date())];
    keyed(bar, [1], { key: () => "bar", deps, render: () => barNode(days) });
    keyed(head, [1], {
      key: () => "head",
      deps: () => [...deps(), state.google.events],
      render: () => headNode(days, events),
    });
    const lit = events.filter((event) => fresh.has(event.key)).length;
    keyed(grid, [1], {
      key: () => "grid",
      deps: () => [...deps(), state.google.events, state.supervisor.audit, seen.open, lit],
      render: () => gridNode(days, events),
    });
    renderDetails(details, events);
    if (!placed && grid.offsetParent) {
      scroll.scrollTop = FIRST_SEEN_HOUR * HOUR_PX;
      placed = true;
    }
  };
}

function followActor() {
  if (seen.actor === place.user) return;
  const handle = Object.entries(state.google.people ?? {}).find(([, one]) => one.user_id === place.user)?.[0];
  if (handle) Object.assign(seen, { actor: place.user, owner: handle, open: "" });
}

const weekdayOf = (date) => DAYS.indexOf(weekday(date));

/** The noon of each day of the shown week, since noon is on the same day in every zone shift. The week begins on Monday;
    on a weekend it begins today, so that the coming days are in sight too. */
function weekDays() {
  const now = new Date(Date.now() + seen.week * 7 * DAY_MS);
  const before = weekdayOf(now) > FRIDAY ? 0 : weekdayOf(now);
  const noon = now.getTime() + (12 - hourOf(now)) * 3_600_000;
  return Array.from({ length: 7 }, (_, index) => new Date(noon + (index - before) * DAY_MS));
}

/** The days to show: an empty weekend at the end is left out, to give the other days more room. */
function shownDays(days, events) {
  const today = dayKey(new Date());
  const taken = (date) =>
    dayKey(date) === today ||
    events.some((event) =>
      isAllDay(event) ? coversDay(event, date) : startOf(event) && dayKey(startOf(event)) === dayKey(date),
    );
  const last = days.findLastIndex((date) => weekdayOf(date) <= FRIDAY || taken(date));
  return days.slice(0, last + 1);
}

function weeksFromNow(date) {
  for (const weeks of [0, 1, -1, 2, -2, 3, 4]) {
    seen.week = weeks;
    if (weekDays().some((one) => dayKey(one) === dayKey(date))) return weeks;
  }
  return 0;
}

function barNode(days) {
  const people = Object.entries(state.google.people ?? {}).map(([handle, one]) => [handle, one.name]);
  const owners = [...people, ...Object.entries(state.google.calendars ?? {})];
  const owner = h(
    "select",
    { class: "field small", "aria-label": "Whose calendar", "data-focus": "calendar/owner" },
    ...owners.map(([id, name]) => h("option", { value: id, selected: id === seen.owner }, name ?? id)),
  );
  owner.addEventListener("change", () => pick({ owner: owner.value, open: "" }));
  const move = (name, label, by) =>
    h(
      "button",
      {
        type: "button",
        class: "tool",
        title: label,
        "aria-label": label,
        "data-focus": `calendar/${name}`,
        onclick: () => pick({ week: seen.week + by }),
      },
      icon(name),
    );
  const span = `${dayMonth(days[0])} – ${dayMonth(days.at(-1))}`;
  return h(
    "div",
    { class: "bar-row" },
    h(
      "span",
      { class: "week-move" },
      move("left", "Week before", -1),
      h("button", { type: "button", class: "button small", onclick: () => pick({ week: 0 }) }, "Today"),
      move("right", "Week after", 1),
    ),
    h("strong", { class: "week-name" }, span),
    owner,
  );
}

function pick(to) {
  Object.assign(seen, to);
  changed();
}

export function startOf(event) {
  return dateOf(event.start);
}

function dateOf(point) {
  const found = point?.dateTime ?? (point?.date && `${point.date}T12:00:00Z`);
  const date = found ? new Date(found) : null;
  return date && !Number.isNaN(date.getTime()) ? date : null;
}

const isAllDay = (event) => Boolean(event.start?.date);

function otherZone() {
  const theirs = state.google.people?.[seen.owner]?.zone;
  return theirs && theirs !== zone() ? theirs : "";
}

const city = (name) => name.split("/").at(-1).replace(/_/g, " ");

function headNode(days, events) {
  const today = dayKey(new Date());
  const second = otherZone();
  const corner = h(
    "div",
    { class: "corner" },
    h("span", { title: zone() }, city(zone())),
    second && h("span", { title: second }, city(second)),
  );
  const one = (date) => {
    const key = dayKey(date);
    const whole = events.filter((event) => isAllDay(event) && coversDay(event, date));
    return h(
      "div",
      { class: key === today ? "day-head today" : "day-head", title: day(date) },
      h("span", {}, weekday(date)),
      h("strong", {}, dayMonth(date).split(" ")[0]),
      ...whole.map((event) =>
        h(
          "button",
          {
            type: "button",
            class: `all-day ${fresh.has(event.key) ? "fresh" : ""}`,
            title: event.summary,
            "data-event": event.id,
            onclick: () => pick({ open: event.key }),
          },
          event.summary ?? "",
        ),
      ),
    );
  };
  return h("div", { class: second ? "week-cells two-zones" : "week-cells" }, corner, ...days.map(one));
}

function coversDay(event, date) {
  const iso = date.toISOString().slice(0, 10);
  return event.start.date <= iso && iso < (event.end?.date ?? event.start.date + "~");
}

function gridNode(days, events) {
  const second = otherZone();
  const hours = h(
    "div",
    { class: "hours" },
    ...Array.from({ length: 24 }, (_, hour) => hourLabel(days[0], hour, second)),
  );
  const columns = days.map((date) => column(date, events));
  return h("div", { class: second ? "week-cells two-zones" : "week-cells" }, hours, ...columns);
}

function hourLabel(date, hour, second) {
  const at = new Date(date.getTime() + (hour - 12) * 3_600_000);
  return h(
    "div",
    { class: "hour" },
    h("span", {}, `${String(hour).padStart(2, "0")}:00`),
    second && h("span", {}, clock(at, second)),
  );
}

function column(date, events) {
  const key = dayKey(date);
  const mine = events
    .filter((event) => !isAllDay(event) && startOf(event) && dayKey(startOf(event)) === key)
    .map(placed)
    .sort((left, right) => left.from - right.from);
  lanes(mine);
  const node = h("div", { class: key === dayKey(new Date()) ? "column today" : "column" }, ...mine.map(eventNode));
  if (key === dayKey(new Date())) {
    const now = h("div", { class: "now", title: `Now, ${clock(new Date())}` });
    now.style.top = `${hourOf(new Date()) * HOUR_PX}px`;
    node.append(now);
  }
  return node;
}

function placed(event) {
  const from = hourOf(startOf(event));
  const length = (dateOf(event.end) - startOf(event)) / 3_600_000;
  return { event, from, to: Math.min(24, from + Math.max(length, SHORTEST_HOURS)), lane: 0, of: 1 };
}

/** Puts events that overlap beside each other. */
function lanes(list) {
  let group = [];
  let end = -1;
  const close = () => group.forEach((one) => (one.of = Math.max(...group.map((other) => other.lane)) + 1));
  for (const one of list) {
    if (one.from >= end) {
      close();
      group = [];
    }
    const taken = new Set(group.filter((other) => other.to > one.from).map((other) => other.lane));
    while (taken.has(one.lane)) one.lane += 1;
    group.push(one);
    end = Math.max(end, one.to);
  }
  close();
}

function eventNode({ event, from, to, lane, of }) {
  const answered = event.attendees?.find((guest) => guest.self)?.responseStatus;
  const kinds = [
    "event",
    event.key === seen.open && "open",
    fresh.has(event.key) && "fresh",
    answered === "declined" && "declined",
    (answered === "needsAction" || answered === "tentative") && "tentative",
    event.status === "cancelled" && "declined",
    cardOf({ event: event.id }) && "caused",
  ];
  const lines = Math.max(1, Math.floor(((to - from) * HOUR_PX - 4) / LINE_PX));
  const hasTime = lines > 2 && of === 1;
  const title = h("strong", { class: lines === 1 ? "one-line" : null }, event.summary ?? "(no title)");
  title.style.setProperty("-webkit-line-clamp", hasTime ? lines - 1 : lines);
  const node = h(
    "button",
    {
      type: "button",
      class: kinds.filter(Boolean).join(" "),
      "data-event": event.id,
      title: `${clock(startOf(event))}–${clock(dateOf(event.end))} ${event.summary ?? ""}`,
      onclick: () => pick({ open: event.key === seen.open ? "" : event.key }),
    },
    title,
    hasTime && h("span", {}, clock(startOf(event))),
  );
  node.style.top = `${from * HOUR_PX}px`;
  node.style.height = `${(to - from) * HOUR_PX - 2}px`;
  node.style.left = `${(lane / of) * 100}%`;
  node.style.width = `calc(${100 / of}% - 2px)`;
  return node;
}

const ANSWERS = { accepted: "yes", declined: "no", tentative: "maybe", needsAction: "no answer yet" };

function renderDetails(box, events) {
  const open = events.find((event) => event.key === seen.open);
  const rows = open ? [open] : [{ key: events.length ? "hint" : "empty" }];
  keyed(box, rows, {
    key: (event) => event.key,
    deps: (event) => [event, zone(), state.supervisor.audit],
    render: detailsNode,
  });
}

function detailsNode(event) {
  if (event.key === "hint") return h("p", { class: "note pad" }, "Choose an event to see its guests and notes.");
  if (event.key === "empty")
    return h("p", { class: "empty" }, "Events of this calendar appear here, the agent's changes among them.");
  const pair = (label, value) => value && h("div", { class: "pair" }, h("dt", {}, label), h("dd", {}, value));
  const guests = (event.attendees ?? []).map((guest) =>
    h(
      "span",
      { class: "guest" },
      guest.displayName ?? guest.email,
      h("span", { class: "note" }, ` ${ANSWERS[guest.responseStatus] ?? ""}`),
    ),
  );
  return h(
    "article",
    { class: "event-open", "data-event": event.id },
    h(
      "div",
      { class: "bar-row" },
      h("h3", { title: event.summary }, event.summary ?? "(no title)"),
      cardLink({ event: event.id }),
      h(
        "button",
        { type: "button", class: "tool", "aria-label": "Close", title: "Close", onclick: () => pick({ open: "" }) },
        icon("close"),
      ),
    ),
    h(
      "dl",
      {},
      pair("When", when(event)),
      pair("Where", event.location),
      pair("Guests", guests.length > 0 && guests),
      pair("Notes", event.description),
      pair("By", event.organizer?.displayName ?? event.organizer?.email),
    ),
  );
}

/** The days of an all-day event, whose end is the day after it. */
function allDays(event) {
  const first = startOf(event);
  const last = event.end?.date ? new Date(dateOf(event.end).getTime() - DAY_MS) : first;
  return last > first ? `${day(first)} – ${day(last)}` : day(first);
}

function when(event) {
  if (isAllDay(event)) return `${allDays(event)}, all day`;
  const start = startOf(event);
  return `${day(start)}, ${clock(start)}–${clock(dateOf(event.end))} (${city(zone())})`;
}
