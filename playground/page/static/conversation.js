/* The middle: the conversation's head, its messages by day, the thread drawer, status with Stop, and the message box. */

import { moveInRow } from "./arrows.js";
import { isStopped } from "./bot.js";
import { composer } from "./composer.js";
import { fill, h, icon, keyed } from "./dom.js";
import { homeNode } from "./home.js";
import { authorOf, messageNode } from "./message.js";
import { notice } from "./notice.js";
import { appUser, channel, go, isAppDm, nameOf, place, titleOf, user, zone } from "./place.js";
import { isCard } from "./relations.js";
import { post, state } from "./server.js";
import { day, dayKey, moment } from "./times.js";

const NEAR_END_PX = 60;
const ABOVE_PX = 8;
const REQUEST_PX = 240;
const SAME_AUTHOR_SECONDS = 300;

export function makeConversation(room, thread) {
  const main = pane("Nothing here yet. What you write appears here.");
  const side = pane("No replies yet.");
  const prompts = h("div", { class: "prompts" });
  const head = h("header", { class: "room-head" });
  const home = h("div", { class: "home", hidden: true });
  const mainBox = h("div", { class: "composer-place" });
  const sideBox = h("div", { class: "composer-place" });
  const sideHead = h("header", { class: "room-head" });
  fill(room, head, home, main.box, prompts, main.status, mainBox);
  fill(thread, sideHead, side.box, side.status, sideBox);
  return () => {
    const here = channel();
    renderHead(head, here);
    renderHome(home, here);
    const asHome = place.home === "home" && isAppDm(here);
    for (const node of [main.box, main.status, mainBox, prompts]) node.hidden = asHome;
    main.render(here ? topLevel(here) : [], here, "");
    renderComposer(mainBox, place.channel, "", "composer");
    renderPrompts(prompts, here);
    renderThread(thread, sideHead, side, sideBox, here);
    markRead(here);
  };
}

/** A scrolling list of messages that stays where its reader left it, or at its end. */
function pane(emptyText) {
  const list = h("div", { class: "messages", role: "log", "aria-live": "off" });
  const more = h("button", { type: "button", class: "button more-below", hidden: true }, "New messages ", icon("down"));
  const box = h("div", { class: "scroll", tabindex: "-1" }, list);
  const status = h("div", { class: "status-line" });
  const holder = h("div", { class: "scroll-holder" }, box, more);
  let atEnd = true;
  const toEnd = () => (box.scrollTop = box.scrollHeight);
  let shownIn = "";
  let newestShown = "";
  let saidShown = "";
  box.addEventListener("scroll", () => {
    atEnd = isAtEnd(box);
    if (atEnd) more.hidden = true;
  });
  const tell = () => {
    const kept = focusedIn(box);
    more.hidden = false; // below the messages, so that it covers none
    kept?.scrollIntoView({ block: "nearest" });
  };
  more.addEventListener("click", () => box.scrollTo({ top: box.scrollHeight }));
  const render = (rows, here, thread) => {
    const where = `${place.user}/${here?.id}/${thread}`;
    const arrived = where !== shownIn;
    if (arrived) atEnd = true;
    const newest = rows.findLast((row) => row.message)?.key ?? "";
    const said = rows.findLast((row) => row.message && saidNow(row.message))?.key ?? "";
    const shown = rows.length ? rows : [{ key: "empty", empty: emptyText, deps: [emptyText] }];
    keyed(list, shown, { key: (row) => row.key, deps: (row) => row.deps, render: (row) => rowNode(row, here) });
    renderStatus(status, here, thread);
    if (arrived) atEnd = toWaiting(box, list);
    else if (said > saidShown) atEnd = toOwn(box, list, said);
    saidShown = said;
    if (atEnd) toEnd();
    else if (newest > newestShown && !arrived) tell();
    newestShown = newest;
    shownIn = rows.length ? where : "";
  };
  const sizes = new ResizeObserver(() => atEnd && toEnd());
  sizes.observe(list);
  sizes.observe(box);
  return { box: holder, status, render };
}

/** What has the focus in a list, if it is seen whole. */
function focusedIn(box) {
  const node = document.activeElement;
  const seen = node !== box && box.contains(node);
  return seen && node.getBoundingClientRect().bottom <= box.getBoundingClientRect().bottom ? node : null;
}

const isAtEnd = (box) => box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END_PX;

/** Scrolls to the card that waits for a decision, with what stands before it if that is short, when a conversation opens.
    Returns whether the reader is at the end then. */
function toWaiting(box, list) {
  const waiting = newestWaiting(list);
  if (!waiting) return true;
  const request = waiting.previousElementSibling;
  const first = request?.offsetHeight < REQUEST_PX ? request : waiting;
  box.scrollTop = first.offsetTop - list.offsetTop - ABOVE_PX;
  return isAtEnd(box);
}

/** The first card that waits of the newest request that has one. The answers to a request stand below it. */
function newestWaiting(list) {
  const all = [...list.querySelectorAll(".card .blocks .button.primary")].map((button) => button.closest(".message"));
  let found = all.at(-1)?.classList.contains("answer") ? all.at(-1) : all[0];
  for (let node = found; node?.classList.contains("answer"); node = node.previousElementSibling) {
    if (all.includes(node)) found = node;
  }
  return found;
}

const OWN_SECONDS = 30;

/** Whether the acting person wrote this a moment ago, or it is an answer to that person alone. */
const saidNow = (message) =>
  (message.ephemeral || (message.user === place.user && !message.bot_id)) &&
  Date.now() / 1000 - Number(message.ts) < OWN_SECONDS;

/** Scrolls to a message that the person just wrote. Returns whether it is at the end, so that later ones are seen too. */
function toOwn(box, list, key) {
  const nodes = [...list.children];
  const at = nodes.findIndex((node) => node.dataset.ts === key);
  if (at === -1 || at >= nodes.length - 2) return true;
  box.scrollTop = nodes[at].offsetTop - list.offsetTop - box.clientHeight / 2;
  return isAtEnd(box);
}

function rowNode(row, here) {
  if (row.empty) return h("p", { class: "empty" }, row.empty);
  if (row.day) return h("div", { class: "day", role: "separator" }, h("span", {}, row.day));
  if (row.replyTo) {
    return h(
      "button",
      { type: "button", class: "reply-line link", onclick: () => go({ thread: row.replyTo }) },
      icon("reply"),
      "Reply in this thread",
    );
  }
  return messageNode(row.message, here.id, row);
}

/** In the app's own conversation every message starts a thread, so its answers are shown under it. */
function topLevel(here) {
  const all = everything(here);
  const unroll = isAppDm(here);
  const roots = all.filter(
    (message) => !message.thread_ts || message.thread_ts === message.ts || message.subtype === "thread_broadcast",
  );
  const rows = unroll ? roots.flatMap((root) => unrolled(root, all)) : roots.map((message) => ({ message }));
  return dated(rows);
}

function unrolled(root, all) {
  const replies = all.filter((message) => message.thread_ts === root.ts && message.ts !== root.ts);
  const rows = [{ message: root, unrolled: true }, ...replies.map((message) => ({ message, answer: true }))];
  return replies.length ? [...rows, { replyTo: root.ts, key: `reply/${root.ts}`, deps: [root.ts] }] : rows;
}

function threadRows(here, thread) {
  const all = everything(here).filter((message) => message.ts === thread || message.thread_ts === thread);
  return dated(
    all.map((message) => ({ message, inThread: true })),
    false,
  );
}

/** The messages, and among them this person's commands and what was shown to this person only. */
function everything(here) {
  const own = (state.slack.ephemerals ?? [])
    .filter((one) => one.channel === here.id && one.user === place.user)
    .map(asEphemeral);
  const typed = (state.slack.commands ?? [])
    .filter((one) => one.channel === here.id && one.user === place.user)
    .map(asCommand);
  const said = Object.values(state.slack.messages?.[here.id] ?? {}).filter(
    (message) => !message.hidden || message.subtype === "tombstone",
  );
  return [...said, ...typed, ...own].sort((left, right) => (left.ts < right.ts ? -1 : 1));
}

const ephemeralCache = new WeakMap();

function asEphemeral(one) {
  if (!ephemeralCache.has(one)) ephemeralCache.set(one, { ...one.message, ephemeral: true });
  return ephemeralCache.get(one);
}

function asCommand(one) {
  if (!ephemeralCache.has(one)) ephemeralCache.set(one, { ...one, ephemeral: true, command: true });
  return ephemeralCache.get(one);
}

function dated(rows, days = true) {
  const out = [];
  let before = null;
  let last = "";
  for (const row of rows) {
    if (!row.message) {
      out.push(row);
      before = null;
      continue;
    }
    const at = moment(row.message.ts);
    const key = days && !row.answer && at ? dayKey(at) : last;
    if (key !== last) {
      out.push({ key: `day/${key}`, day: day(at), deps: [key, zone()] });
      before = null;
    }
    last = key;
    const follows = Boolean(before && sameBreath(before, row.message));
    out.push({
      ...row,
      follows,
      key: row.message.ts,
      deps: [row.message, follows, place.user, zone(), state.slack.users, isCard(row.message, place.channel)],
    });
    before = row.message;
  }
  return out;
}

function sameBreath(before, message) {
  return (
    authorOf(before) === authorOf(message) &&
    !before.ephemeral === !message.ephemeral &&
    before.thread_ts === message.thread_ts &&
    Number(message.ts) - Number(before.ts) < SAME_AUTHOR_SECONDS
  );
}

let homeOpened = 0;

function renderHead(head, here) {
  homeOpened = place.home === "home" ? homeOpened || Date.now() / 1000 : 0;
  keyed(head, [here ?? { id: "none" }], {
    key: (room) => room.id,
    deps: (room) => [room, place.user, place.home, state.slack.users, answeredBehindHome(room)],
    render: headNode,
  });
}

/** Whether something came to the messages since the home was opened in front of them. */
const answeredBehindHome = (here) =>
  place.home === "home" && isAppDm(here) && everything(here).some((message) => Number(message.ts) > homeOpened);

function headNode(here) {
  if (here.id === "none") return h("div", { class: "head" }, h("h1", {}, "Choose a conversation"));
  const topic = here.topic?.value ?? here.topic ?? "";
  const tabs =
    isAppDm(here) &&
    h(
      "div",
      { class: "tabs", role: "tablist", onkeydown: (event) => moveInRow(event, { press: true }) },
      tab("Messages", place.home !== "home", "", answeredBehindHome(here)),
      tab("Home", place.home === "home", "home"),
    );
  return h(
    "div",
    { class: "head" },
    h(
      "h1",
      { title: titleOf(here) },
      !here.is_im && (here.is_private ? icon("lock") : h("span", { class: "hash" }, "#")),
      titleOf(here),
    ),
    tabs,
    !here.is_im && h("span", { class: "note topic", title: topic }, topic),
    !here.is_im &&
      h(
        "span",
        { class: "note members", title: (here.members ?? []).map(nameOf).join(", ") },
        `${here.members?.length ?? 0} members`,
      ),
  );
}

function tab(label, on, to, news = false) {
  const open = () => {
    go({ home: to, thread: "" });
    post("act/open_home", { user: place.user, tab: to || "messages" });
  };
  return h(
    "button",
    {
      type: "button",
      role: "tab",
      "aria-selected": String(on),
      tabindex: on ? "0" : "-1",
      "data-focus": `room-tab/${to}`,
      onclick: open,
    },
    label,
    news && h("span", { class: "dot", title: "An answer came here" }),
  );
}

function renderHome(home, here) {
  home.hidden = !(place.home === "home" && isAppDm(here));
  if (home.hidden) return;
  const view = state.slack.homes?.[place.user];
  keyed(home, [view ?? {}], {
    key: () => "home",
    deps: (one) => [one, place.user, zone()],
    render: (one) => homeNode(one),
  });
}

function renderComposer(box, channelId, thread, id) {
  const rows = channelId ? [`${place.user}/${channelId}/${thread}`] : [];
  keyed(box, rows, {
    key: (row) => row,
    deps: () => [user()?.deleted],
    render: () => composer({ channelId, thread, id }),
  });
}

function renderThread(thread, head, side, box, here) {
  const rows = place.thread && here ? threadRows(here, place.thread) : [];
  thread.hidden = !rows.length;
  document.body.classList.toggle("with-thread", rows.length > 0);
  if (!rows.length) return renderComposer(box, "", "");
  const title = sessionOf(here.id, place.thread)?.title;
  keyed(head, [here], { key: () => "head", deps: (room) => [room, title], render: (room) => threadHead(room, title) });
  side.render(rows, here, place.thread);
  renderComposer(box, here.id, place.thread, "");
}

function threadHead(here, title) {
  return h(
    "div",
    { class: "head" },
    h(
      "h1",
      { title: title || titleOf(here) },
      "Thread",
      h("span", { class: "note" }, title || (here.is_im ? titleOf(here) : `#${here.name}`)),
    ),
    h(
      "button",
      {
        type: "button",
        class: "tool",
        title: "Close the thread (Esc)",
        "aria-label": "Close the thread",
        "data-focus": "thread/close",
        onclick: () => go({ thread: "" }),
      },
      icon("close"),
    ),
  );
}

function sessions() {
  return Object.values(state.slack.sessions ?? {});
}

function sessionOf(channelId, thread) {
  return sessions().find((one) => one.channel_id === channelId && one.thread_ts === thread);
}

/** What the agent does right now in this conversation or thread, with a Stop button while it works; or that it cannot. */
function renderStatus(box, here, thread) {
  const mine = sessions().filter(
    (one) => one.channel_id === here?.id && (!thread || one.thread_ts === thread) && one.status === "processing",
  );
  const words = statusWords(here?.id, thread);
  const idle = words || (isStopped() && isAppDm(here)) ? [{ thread_ts: thread, words }] : [];
  const rows = mine.length ? mine.slice(-2) : idle;
  const deps = (one) => [one.status, words, isStopped()];
  keyed(box, rows, { key: (one) => one.thread_ts, deps, render: (one) => statusRow(one, here, words) });
}

function statusWords(channelId, thread) {
  const found = Object.values(state.slack.statuses ?? {}).find(
    (one) => one.channel_id === channelId && (!thread || one.thread_ts === thread) && one.expires * 1000 > Date.now(),
  );
  return found ? (found.loading_messages?.[0] ?? found.status) : "";
}

const STOPPED = "The bot is stopped. Slack keeps what you write until it starts.";

function statusRow(one, here, words) {
  const stop = () => {
    post("act/stop_session", { user: place.user, channel: here.id, thread_ts: one.thread_ts });
    if (isStopped()) notice("The bot is stopped. It gets this Stop when it starts.");
  };
  return h(
    "div",
    { class: "status", role: "status" },
    !isStopped() && h("span", { class: "pulse", "aria-hidden": "true" }),
    h("span", { class: "status-text" }, isStopped() ? STOPPED : `${nameOf(appUser())} ${words || "is working…"}`),
    one.status === "processing" && h("button", { type: "button", class: "button small", onclick: stop }, "Stop"),
  );
}

/** The prompts that the app suggests, unless something of the newest request is under way or waits for a decision. */
function renderPrompts(box, here) {
  const shown = isAppDm(here) && place.home !== "home" && !isBusy(here);
  const list = shown ? (state.slack.prompts?.[here.id]?.prompts ?? []) : [];
  const ask = (prompt) => post("act/message", { user: place.user, channel: here.id, text: prompt.message });
  keyed(box, list, {
    key: (prompt) => prompt.title,
    deps: (prompt) => [prompt, place.user],
    render: (prompt) =>
      h(
        "button",
        { type: "button", class: "button small", title: prompt.message, onclick: () => ask(prompt) },
        prompt.title,
      ),
  });
}

function isBusy(here) {
  const newest = everything(here).findLast(
    (message) => !message.ephemeral && (!message.thread_ts || message.thread_ts === message.ts),
  );
  return newest !== undefined && ["processing", "suspended"].includes(sessionOf(here.id, newest.ts)?.status);
}

const marked = new Map();

/** Tells the server how far this person has read, once for each new message. */
function markRead(here) {
  if (!here || document.hidden) return;
  const newest = Object.keys(state.slack.messages?.[here.id] ?? {}).reduce((best, ts) => (ts > best ? ts : best), "");
  const key = `${place.user}/${here.id}`;
  if (!newest || marked.get(key) === newest || (state.reads[place.user]?.[here.id] ?? "") >= newest) return;
  marked.set(key, newest);
  post("read", { user: place.user, channel: here.id, ts: newest });
}
