/* The right pane: the outside world in tabs. A tab is marked when something happened on it; after an approval the right
   one opens. */

import { moveInRow, oneStop } from "./arrows.js";
import { fill, h } from "./dom.js";
import { go, nameOf, place, zone } from "./place.js";
import { makeApi } from "./world/api.js";
import { auditGrew, makeAudit } from "./world/audit.js";
import { eventsChanged, makeCalendar, showEvent } from "./world/calendar.js";
import { mailArrived, makeMail, showMail } from "./world/mail.js";
import { makeWire } from "./world/wire.js";

const TABS = { mail: "Mail", calendar: "Calendar", audit: "Audit", wire: "Wire", api: "API" };
const MAKERS = { mail: makeMail, calendar: makeCalendar, audit: makeAudit, wire: makeWire, api: makeApi };
const CAUSE_MS = 25_000;
const marks = { mail: 0, calendar: 0, audit: 0 };
let clicked = { at: 0, tab: "" };

/** Whether a mail or an event came or changed that was not looked at yet. */
export const happenedOutside = () => marks.mail + marks.calendar > 0;

export function makeWorld(pane) {
  const bar = h("div", { class: "tabs world-tabs", role: "tablist", "aria-label": "The outside world" });
  const boxes = Object.fromEntries(
    Object.keys(TABS).map((name) => [
      name,
      h("section", { class: `tab-body ${name}`, role: "tabpanel", id: `tab-${name}`, "aria-label": TABS[name] }),
    ]),
  );
  const buttons = Object.fromEntries(Object.entries(TABS).map(([name, title]) => [name, tabButton(name, title)]));
  const zones = h("p", { class: "zone-note" });
  fill(pane, bar, ...Object.values(boxes), zones);
  fill(bar, ...Object.values(buttons));
  bar.addEventListener("keydown", (event) => moveInRow(event, { press: true }));
  const renders = Object.fromEntries(Object.keys(TABS).map((name) => [name, MAKERS[name](boxes[name])]));
  document.addEventListener(
    "click",
    (event) => {
      if (event.target.closest("#talk .blocks .button, dialog .button")) clicked = { at: Date.now(), tab: place.tab };
    },
    true,
  );
  return () => {
    zones.textContent = `Times as ${nameOf(place.user)} sees them: ${zone()}`;
    noticeEffects();
    if (!(place.tab in TABS)) place.tab = "mail";
    if (pane.checkVisibility()) marks[place.tab] = 0;
    for (const name of Object.keys(TABS)) {
      const on = place.tab === name;
      boxes[name].hidden = !on;
      buttons[name].setAttribute("aria-selected", String(on));
      buttons[name].classList.toggle("marked", Boolean(marks[name]));
      if (on) renders[name]();
    }
    oneStop(Object.values(buttons), buttons[place.tab]);
  };
}

function tabButton(name, title) {
  return h(
    "button",
    { type: "button", role: "tab", "aria-controls": `tab-${name}`, onclick: () => go({ tab: name }) },
    title,
    h("span", { class: "dot", title: "Something happened here" }),
  );
}

/** What happened outside: marks the tabs, and after a person's click opens the one where it happened, unless the person
 * opened another one meanwhile, or asked over HTTP: the answer changes there. */
function noticeEffects() {
  const mail = mailArrived();
  const calendar = eventsChanged();
  marks.mail += mail.count;
  marks.calendar += calendar.count;
  marks.audit += auditGrew();
  if (Date.now() - clicked.at > CAUSE_MS || place.tab !== clicked.tab || place.tab === "api") return;
  if (mail.own) {
    showMail(mail.own);
    lead("mail");
  } else if (calendar.own) {
    showEvent(calendar.own);
    lead("calendar");
  }
}

function lead(tab) {
  clicked.tab = tab;
  go({ tab });
}
