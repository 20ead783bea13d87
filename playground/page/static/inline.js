/* The small things inside a line of text, shared by rich text, mrkdwn and markdown. */

import { h } from "./dom.js";
import { channel, go, nameOf, place } from "./place.js";

const SCHEMES = new Set(["http:", "https:", "mailto:"]);

/** A link that names its host on hover; an address with another scheme stays text. */
export function link(url, label) {
  const target = parsed(url);
  if (!target) return h("span", {}, label || url);
  const title = target.protocol === "mailto:" ? target.pathname : `${target.host} — ${url}`;
  return h("a", { href: target.href, target: "_blank", rel: "noopener noreferrer", title }, label || url);
}

function parsed(url) {
  try {
    const target = new URL(url);
    return SCHEMES.has(target.protocol) ? target : null;
  } catch {
    return null;
  }
}

export function mention(id) {
  const mine = id === place.user ? " mine" : "";
  return h("span", { class: `mention${mine}`, title: id }, `@${nameOf(id)}`);
}

export function channelMention(id, label) {
  const found = channel(id);
  const name = `#${found?.name ?? (label || id)}`;
  if (!found) return h("span", { class: "mention" }, name);
  return h(
    "button",
    { class: "mention link", type: "button", onclick: () => go({ channel: id, thread: "", home: "" }) },
    name,
  );
}

export function broadcast(range) {
  return h("span", { class: "mention mine" }, `@${range}`);
}
