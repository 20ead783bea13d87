/* One message: who, when, what, its files and reactions, and what can be done with it. */

import { moveInRow, oneStop } from "./arrows.js";
import { avatar } from "./avatar.js";
import { blocks } from "./blocks.js";
import { sayUnanswered } from "./bot.js";
import { encoded } from "./composer.js";
import { confirmed } from "./confirm.js";
import { h, icon } from "./dom.js";
import { emoji } from "./emoji.js";
import { folded } from "./fold.js";
import { markdown } from "./markdown.js";
import { mrkdwn, plain } from "./mrkdwn.js";
import { notice } from "./notice.js";
import { appUser, go, isApp, nameOf, place, user } from "./place.js";
import { isCard, relations, unlight, light } from "./relations.js";
import { post } from "./server.js";
import { linked } from "./texts.js";
import { brief, clock, moment, time } from "./times.js";

/** `options`: `follows` (same author just before), `inThread`, `answer` (a reply shown under its root). */
export function messageNode(message, channel, options = {}) {
  const card = isCard(message, channel);
  const author = authorOf(message);
  const kinds = [
    "message",
    options.follows && "follows",
    card && "card",
    message.ephemeral && "ephemeral",
    streaming(message) && "streaming",
    options.answer && "answer",
    message.subtype === "tombstone" && "gone",
  ];
  const node = h(
    "article",
    { class: kinds.filter(Boolean).join(" "), "data-ts": message.ts, "aria-label": `Message of ${nameOf(author)}` },
    h("div", { class: "gutter" }, options.follows ? time(message.ts, clock) : avatar(author)),
    h(
      "div",
      { class: "body" },
      !options.follows && heading(message, author),
      message.ephemeral && !message.command && h("div", { class: "note only-you" }, "Only visible to you"),
      content(message, channel),
      filesOf(message),
      reactions(message),
      !options.inThread && !options.answer && threadLine(message, channel, options),
      card && h("div", { class: "effects", "data-effects": `${channel}:${message.ts}` }),
    ),
    tools(message, channel, options),
  );
  if (card) follow(node, message, channel);
  return node;
}

function follow(node, message, channel) {
  node.addEventListener("pointerenter", () => light(relations(message, channel), node));
  node.addEventListener("pointerleave", unlight);
  node.addEventListener("focusin", () => light(relations(message, channel), node));
  node.addEventListener("focusout", unlight);
}

export function authorOf(message) {
  return message.user ?? (message.bot_id ? appUser() : undefined);
}

export function streaming(message) {
  return message.streaming_state === "in_progress";
}

function heading(message, author) {
  const name = message.username ?? nameOf(author);
  return h(
    "header",
    { class: "who" },
    h("strong", { class: "name", title: user(author)?.title ?? name }, name),
    isApp(author) && h("span", { class: "badge" }, "APP"),
    user(author)?.is_restricted && h("span", { class: "badge" }, "GUEST"),
    time(message.ts, clock),
  );
}

function content(message, channel) {
  const shownBlocks = message.blocks?.length ? blocks(message.blocks, contextOf(message, channel)) : null;
  const wordy = message.markdown_text ? markdown(message.markdown_text) : mrkdwn(linked(message.text));
  const text = shownBlocks ?? h("div", { class: "text" }, wordy);
  if (streaming(message)) text.append(h("span", { class: "cursor", "aria-label": "still writing" }));
  if (message.edited && !isApp(authorOf(message)))
    text.append(h("span", { class: "note edited", title: "This message was edited" }, "(edited)"));
  return isCard(message, channel) ? text : folded(text, message.ts);
}

function contextOf(message, channel) {
  return { act: (part, block, chosen) => click({ channel, message_ts: message.ts }, part, block, chosen) };
}

/** Sends a click, and says so when the app did not accept it. */
export async function click(where, part, block, chosen) {
  const body = { user: place.user, ...where, action_id: part.action_id, block_id: block.block_id, ...chosen };
  const said = await post("act/click", body);
  if (!said.ok) notice(`Not done: ${said.reason || said.error || "the click was refused"}.`, "bad");
  else if (said.acked === false) sayUnanswered();
  return said;
}

function filesOf(message) {
  if (!message.files?.length) return null;
  const one = (file) =>
    h(
      "a",
      {
        class: "file",
        href: `/api/file/${encodeURIComponent(file.id)}`,
        download: isText(file) ? null : file.name,
        target: "_blank",
        rel: "noopener",
        title: `Open ${file.name}`,
      },
      icon("file"),
      h("span", { class: "file-name" }, file.title || file.name),
      h("span", { class: "note" }, size(file)),
    );
  return h("div", { class: "files" }, ...message.files.map(one));
}

/** What the browser can show: everything else is saved, under its name. */
const isText = (file) => /^text\/|json|xml|yaml/.test(file.mimetype ?? "");

function size(file) {
  const bytes = file.size ?? 0;
  const kind = file.pretty_type ?? file.filetype ?? file.mimetype ?? "";
  return [kind, bytes > 1024 ? `${Math.round(bytes / 1024)} KB` : bytes ? `${bytes} bytes` : ""]
    .filter(Boolean)
    .join(", ");
}

function reactions(message) {
  if (!message.reactions?.length) return null;
  const one = (reaction) =>
    h(
      "span",
      { class: "reaction", title: `${(reaction.users ?? []).map(nameOf).join(", ")} reacted with :${reaction.name}:` },
      emoji(reaction.name),
      ` ${reaction.count ?? reaction.users?.length ?? 1}`,
    );
  return h("div", { class: "reactions" }, ...message.reactions.map(one));
}

function threadLine(message, channel, options) {
  if (!message.reply_count || options.unrolled) return null;
  const at = moment(message.latest_reply);
  const count = `${message.reply_count} ${message.reply_count === 1 ? "reply" : "replies"}`;
  return h(
    "button",
    { type: "button", class: "thread-line", onclick: () => go({ channel, thread: message.ts }) },
    ...(message.reply_users ?? []).slice(0, 4).map((id) => avatar(id, "tiny")),
    h("strong", {}, count),
    at && h("span", { class: "note" }, `last ${brief(at)}`),
  );
}

function tools(message, channel, options) {
  if (message.ephemeral || message.subtype === "tombstone") return null;
  const mine = message.user === place.user;
  const tool = (name, label, act) =>
    h("button", { type: "button", class: "tool", title: label, "aria-label": label, onclick: act }, icon(name));
  const found = [
    !options.inThread &&
      tool("reply", "Reply in thread", () => go({ channel, thread: message.thread_ts ?? message.ts })),
    !isApp(authorOf(message)) && tool("bolt", "Ask the agent about this", () => shortcut(message, channel)),
    mine && tool("pencil", "Edit message", (event) => edit(event.currentTarget.closest(".message"), message, channel)),
    mine && tool("bin", "Delete message", () => remove(message, channel)),
  ].filter(Boolean);
  oneStop(found);
  return h("div", { class: "tools", role: "toolbar", "aria-label": "This message", onkeydown: moveInRow }, found);
}

const DELETION = {
  title: "Delete this message?",
  text: "It is gone for everybody. A request that it made is stopped.",
  confirm: "Delete",
  deny: "Keep it",
  style: "danger",
};

async function remove(message, channel) {
  if (await confirmed(DELETION)) await post("act/delete", { user: place.user, channel, ts: message.ts });
}

async function shortcut(message, channel) {
  const said = await post("act/shortcut", {
    user: place.user,
    channel,
    message_ts: message.ts,
    callback_id: "agent_message_shortcut",
  });
  if (!said.ok) notice(`Not asked: ${said.reason || said.error || "the shortcut was refused"}.`, "bad");
  else if (said.acked === false) sayUnanswered();
}

/** The text as its author typed it. */
function typedText(text) {
  return plain(
    text
      .replace(/<@(\w+)(?:\|[^>]*)?>/g, (_, id) => `@${nameOf(id)}`)
      .replace(/<(?:mailto:)?([^<>|]+)(?:\|[^<>]*)?>/g, "$1"),
  );
}

function edit(node, message, channel) {
  const field = h("textarea", {
    class: "field",
    rows: 3,
    "aria-label": "Edit message",
    value: typedText(message.text),
  });
  const before = node.querySelector(".text, .blocks");
  const box = h("div", {}, field, h("span", { class: "note" }, "Enter saves · Esc cancels"));
  field.addEventListener("keydown", async (event) => {
    if (event.key === "Escape") {
      event.stopPropagation(); // or the thread closes, too
      box.replaceWith(before);
    }
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    const said = await post("act/edit", { user: place.user, channel, ts: message.ts, text: encoded(field.value) });
    if (!said.ok) notice(`Not edited: ${said.reason || said.error || "it was refused"}.`, "bad");
    box.replaceWith(before);
  });
  before.replaceWith(box);
  field.focus();
}
