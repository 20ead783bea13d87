/* Slack's text objects: plain_text, mrkdwn, and rich text where a card takes it. */

import { h } from "./dom.js";
import { withEmoji } from "./emoji.js";
import { mrkdwn } from "./mrkdwn.js";
import { richText } from "./richtext.js";

export function textOf(text) {
  if (!text) return null;
  if (typeof text === "string") return h("span", { class: "plain" }, text);
  if (text.type === "mrkdwn") return mrkdwn(text.verbatim ? text.text : linked(text.text));
  if (text.type === "rich_text") return richText(text);
  return h("span", { class: "plain" }, shown(text));
}

/** The words of a text object, for labels and titles. */
export function shown(text) {
  if (!text) return "";
  if (typeof text === "string") return text;
  return text.emoji === false ? (text.text ?? "") : withEmoji(text.text ?? "");
}

/** Slack links a bare address in mrkdwn by itself. */
export function linked(text) {
  return String(text ?? "").replace(/(^|[\s(])(https?:\/\/[^\s<>|)]+[^\s<>|).,;:!?])/g, "$1<$2>");
}
