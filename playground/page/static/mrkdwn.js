/* Slack's mrkdwn as nodes: *bold* _italic_ ~strike~ `code` ```fences``` > quotes, and <links|labels>. */

import { h } from "./dom.js";
import { withEmoji } from "./emoji.js";
import { broadcast, channelMention, link, mention } from "./inline.js";
import { slackDate } from "./times.js";

const STYLES = { "*": "strong", _: "em", "~": "del" };

export function mrkdwn(text) {
  return h("div", { class: "mrkdwn" }, ...pieces(String(text ?? "")));
}

function pieces(text) {
  return text
    .split(/```/)
    .flatMap((part, at) => (at % 2 ? [h("pre", {}, plain(part.replace(/^\n|\n$/g, "")))] : lines(part)));
}

function lines(text) {
  const out = [];
  let quoted = [];
  const flush = () => {
    if (quoted.length) out.push(h("blockquote", {}, ...broken(quoted)));
    quoted = [];
  };
  let open = [];
  const close = () => {
    if (open.join("").length || open.length > 1) out.push(...broken(open));
    open = [];
  };
  for (const line of text.split("\n")) {
    const quote = /^(?:&gt;|>)\s?(.*)$/.exec(line);
    if (quote) close();
    else flush();
    (quote ? quoted : open).push(quote ? quote[1] : line);
  }
  flush();
  close();
  return out;
}

function broken(rows) {
  return rows.flatMap((row, at) => (at ? [h("br"), ...spans(row)] : spans(row)));
}

const TOKEN =
  /<([^<>\s][^<>]*)>|`([^`\n]+)`|(^|[\s(\[{"'.,;:!?—–-])([*_~])(\S(?:[^\n]*?\S)?)\4(?=$|[\s)\]}"'.,;:!?—–-])/;

function spans(text) {
  const out = [];
  let rest = text;
  for (let found = TOKEN.exec(rest); found; found = TOKEN.exec(rest)) {
    const [whole, bracket, code, before, style, inner] = found;
    out.push(words(rest.slice(0, found.index)));
    if (bracket !== undefined) out.push(bracketed(bracket));
    else if (code !== undefined) out.push(h("code", {}, plain(code)));
    else out.push(words(before), h(STYLES[style], {}, ...spans(inner)));
    rest = rest.slice(found.index + whole.length);
  }
  out.push(words(rest));
  return out.filter((piece) => piece !== "");
}

function bracketed(inside) {
  const [target, label = ""] = split(inside);
  if (target.startsWith("@")) return mention(target.slice(1));
  if (target.startsWith("#")) return channelMention(target.slice(1), plain(label));
  if (target.startsWith("!date^")) {
    const [, stamp, pattern] = target.split("^");
    return slackDate(stamp, pattern ?? "{date}") ?? plain(label);
  }
  if (target.startsWith("!subteam")) return broadcast(plain(label).replace(/^@/, "") || "team");
  if (target.startsWith("!")) return broadcast(target.slice(1));
  return link(plain(target), words(label));
}

function split(inside) {
  const at = inside.indexOf("|");
  return at < 0 ? [inside] : [inside.slice(0, at), inside.slice(at + 1)];
}

function words(text) {
  return withEmoji(plain(text));
}

/** Undoes Slack's three escapes. */
export function plain(text) {
  return String(text ?? "")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&");
}
