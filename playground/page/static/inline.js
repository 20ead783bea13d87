/* The small things inside a line of text, shared by rich text, mrkdwn and markdown. */

import { insideOf, openInside, pageAddress, whereInside } from "./addresses.js";
import { h } from "./dom.js";
import { channel, go, nameOf, place } from "./place.js";
import { state } from "./server.js";

const SCHEMES = new Set(["http:", "https:", "mailto:"]);

/** A link that shows its host on hover; an address with another scheme stays text. What the playground has itself
    opens here. */
export function link(url, label) {
  const target = parsed(url);
  if (!target) return h("span", {}, label || url);
  const inside = insideOf(target);
  if (inside) return insideLink(inside, url, label);
  const title = target.protocol === "mailto:" ? target.pathname : `${target.host} — ${url}`;
  return h("a", { href: target.href, target: "_blank", rel: "noopener noreferrer", title }, label || url);
}

function insideLink(inside, url, label) {
  const open = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    openInside(inside);
  };
  const title = `Opens ${whereInside(inside)}; in Slack it is ${url}`;
  return h("a", { href: pageAddress(inside), target: "_blank", title, onclick: open }, asInSlack(label) || url);
}

/** A label that names its host names the workspace's, as it does in Slack. */
function asInSlack(label) {
  const host = `(${state.slack.team?.domain ?? "the workspace"}.slack.com)`;
  return typeof label === "string" ? label.replace("(127.0.0.1)", host) : label;
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
