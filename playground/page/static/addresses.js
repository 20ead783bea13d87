/* Addresses of things that the playground has: a message in Slack, a mail in Gmail, an event in Calendar. They open on
   this page, never outside, because their accounts are emulated. */

import { notice } from "./notice.js";
import { conversations, go, place, showPane } from "./place.js";
import { reveal } from "./reveal.js";
import { state } from "./server.js";
import { showEvent } from "./world/calendar.js";
import { openMail, showFolder } from "./world/mail.js";

const LOOPBACK = /^(127\.0\.0\.1|localhost|[\w-]+\.slack\.com)$/;
const PERMALINK = /^\/archives\/([A-Z][A-Z0-9]+)\/p(\d{10})(\d{6})$/;
const MAILBOX = /^(all|sent|drafts|inbox)(?:\/(.+))?$/;
const CALENDAR = /^\/calendar(\/u\/\d+)?\/event$/;

const WORDS = { message: "in this playground", mail: "in the Mail tab", event: "in the Calendar tab" };

/** The target of an address, in the short form of this page's own address; empty for another address. */
export function insideOf(url) {
  const message = LOOPBACK.test(url.hostname) && PERMALINK.exec(url.pathname);
  if (message) return `message:${message[1]}:${message[2]}.${message[3]}`;
  const mailbox = url.hostname === "mail.google.com" && MAILBOX.exec(url.hash.slice(1));
  if (mailbox) return `mail:${mailbox[2] ?? mailbox[1]}`;
  const isEvent = /^(www|calendar)\.google\.com$/.test(url.hostname) && CALENDAR.test(url.pathname);
  return isEvent ? `event:${eventId(url.searchParams.get("eid") ?? "")}` : "";
}

/** An event's address holds its id and the owner's, in base64. */
function eventId(eid) {
  try {
    return atob(eid.replace(/-/g, "+").replace(/_/g, "/")).split(" ")[0];
  } catch {
    return "";
  }
}

/** Where it opens, in words. */
export const whereInside = (target) => WORDS[target.split(":")[0]];

/** This page's own address for it, for a new tab. */
export function pageAddress(target) {
  return `#${new URLSearchParams({ user: place.user, channel: place.channel, show: target })}`;
}

/** Opens it in its pane, or says why not. */
export function openInside(target) {
  const [kind, ...rest] = target.split(":");
  const opened = { message: openMessage, mail: openThread, event: openEvent }[kind]?.(...rest);
  if (!opened) notice("This is no longer in the playground, or the acting person cannot see it.", "bad");
}

function openMessage(id, ts) {
  const message = state.slack.messages?.[id]?.[ts];
  if (!message || !conversations().some((one) => one.id === id)) return false;
  reveal({ channel: id, message });
  return true;
}

/** A mail's thread by its id, newest mail first, the acting person's own before anybody else's; or a folder. */
function openThread(id) {
  const mine = Object.entries(state.google.people ?? {}).find(([, one]) => one.user_id === place.user)?.[0];
  if (["all", "sent", "drafts", "inbox"].includes(id)) showFolder(mine ?? "", id === "all" ? "inbox" : id);
  else {
    const thread = Object.values(state.google.mails ?? {}).filter((mail) => mail.threadId === id || mail.id === id);
    const own = thread.filter((mail) => mail.owner === mine);
    const newest = (own.length ? own : thread).sort((left, right) => right.arrived - left.arrived)[0];
    if (!newest) return false;
    openMail(newest);
  }
  return look("mail");
}

function openEvent(id) {
  const events = Object.values(state.google.events ?? {}).filter((event) => event.id === id);
  const found = events.find((event) => state.google.people?.[event.owner]?.user_id === place.user) ?? events[0];
  if (!found) return false;
  showEvent(found);
  return look("calendar");
}

function look(tab) {
  go({ tab });
  showPane("world");
  return true;
}
