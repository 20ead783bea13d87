/* The markdown of Slack's markdown block and of streamed answers, as nodes. Markup inside it stays text. */

import { h } from "./dom.js";
import { withEmoji } from "./emoji.js";
import { broadcast, channelMention, link, mention } from "./inline.js";
import { plain } from "./mrkdwn.js";

export function markdown(text) {
  return h(
    "div",
    { class: "markdown" },
    ...blocks(
      String(text ?? "")
        .replace(/\r\n?/g, "\n")
        .split("\n"),
    ),
  );
}

const FENCE = /^\s*(`{3,}|~{3,})/;
const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const RULE = /^\s{0,3}([-*_])(\s*\1){2,}\s*$/;
const TABLE_RULE = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

function blocks(lines) {
  const out = [];
  let at = 0;
  while (at < lines.length) {
    const [node, next] = block(lines, at);
    if (node) out.push(node);
    at = next;
  }
  return out;
}

function block(lines, at) {
  const line = lines[at];
  if (!line.trim()) return [null, at + 1];
  if (FENCE.test(line)) return fence(lines, at);
  const heading = HEADING.exec(line);
  if (heading) return [h("p", { class: `heading h${heading[1].length}` }, ...spans(heading[2])), at + 1];
  if (RULE.test(line)) return [h("hr"), at + 1];
  if (/^\s*>/.test(line)) return quote(lines, at);
  if (ITEM.test(line)) return list(lines, at);
  if (line.includes("|") && TABLE_RULE.test(lines[at + 1] ?? "") && (lines[at + 1] ?? "").includes("-"))
    return table(lines, at);
  return paragraph(lines, at);
}

function fence(lines, at) {
  const mark = FENCE.exec(lines[at])[1];
  let end = at + 1;
  while (end < lines.length && !lines[end].trim().startsWith(mark)) end += 1;
  return [h("pre", {}, plain(lines.slice(at + 1, end).join("\n"))), end + 1];
}

function quote(lines, at) {
  let end = at;
  while (end < lines.length && /^\s*>/.test(lines[end])) end += 1;
  return [h("blockquote", {}, ...blocks(lines.slice(at, end).map((line) => line.replace(/^\s*>\s?/, "")))), end];
}

function list(lines, at) {
  const [, indent, mark] = ITEM.exec(lines[at]);
  const ordered = /\d/.test(mark);
  const items = [];
  let end = at;
  while (end < lines.length) {
    const found = ITEM.exec(lines[end]);
    if (
      found &&
      found[1].length <= indent.length &&
      /\d/.test(found[2]) === ordered &&
      found[1].length === indent.length
    ) {
      items.push([found[3]]);
    } else if (items.length && lines[end].trim() && /^\s/.test(lines[end]) && lines[end].search(/\S/) > indent.length) {
      items.at(-1).push(lines[end].slice(Math.min(lines[end].search(/\S/), indent.length + 2)));
    } else break;
    end += 1;
  }
  const rows = items.map(item);
  const start = Number.parseInt(mark, 10) || 1;
  return [ordered ? h("ol", { start }, ...rows) : h("ul", {}, ...rows), end];
}

function item([first, ...rest]) {
  const task = /^\[([ xX])\]\s+(.*)$/.exec(first);
  const box = task && h("span", { class: "task" }, task[1] === " " ? "☐ " : "☑ ");
  return h("li", {}, box, ...spans(task ? task[2] : first), ...blocks(rest));
}

function cells(line) {
  return line
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replace(/\\\|/g, "|"));
}

function table(lines, at) {
  let end = at + 2;
  while (end < lines.length && lines[end].includes("|")) end += 1;
  const head = h("tr", {}, ...cells(lines[at]).map((cell) => h("th", {}, ...spans(cell))));
  const body = lines
    .slice(at + 2, end)
    .map((line) => h("tr", {}, ...cells(line).map((cell) => h("td", {}, ...spans(cell)))));
  return [h("div", { class: "table" }, h("table", {}, h("thead", {}, head), h("tbody", {}, ...body))), end];
}

function paragraph(lines, at) {
  let end = at + 1;
  while (end < lines.length && lines[end].trim() && !startsBlock(lines[end])) end += 1;
  const rows = lines.slice(at, end).flatMap((line, row) => (row ? [h("br"), ...spans(line)] : spans(line)));
  return [h("p", {}, ...rows), end];
}

function startsBlock(line) {
  return FENCE.test(line) || HEADING.test(line) || RULE.test(line) || ITEM.test(line) || /^\s*>/.test(line);
}

const TOKEN =
  /\\([\\`*_{}\[\]()#+\-.!~|<>])|(`+)([\s\S]*?[^`])\2(?!`)|\*\*(\S(?:[\s\S]*?\S)?)\*\*|(?<!\w)__(\S(?:[\s\S]*?\S)?)__(?!\w)|\*(\S(?:[^*]*?\S)?)\*|(?<!\w)_(\S(?:[^_]*?\S)?)_(?!\w)|~~(\S(?:[\s\S]*?\S)?)~~|!?\[([^\]]*)\]\(<?([^()\s<>]+(?:\([^()\s]*\))?)>?(?:\s+"[^"]*")?\)|<([@#!][^<>]+|https?:[^<>\s]+|mailto:[^<>\s]+)>|(https?:\/\/[^\s<>()\]]+[^\s<>()\].,;:!?"'*_])/;

function spans(text) {
  const out = [];
  let rest = text;
  for (let found = TOKEN.exec(rest); found; found = TOKEN.exec(rest)) {
    out.push(withEmoji(plain(rest.slice(0, found.index))), span(found));
    rest = rest.slice(found.index + found[0].length);
  }
  out.push(withEmoji(plain(rest)));
  return out.filter((piece) => piece !== "");
}

function span([, escaped, , code, bold, bold2, italic, italic2, struck, label, url, angle, bare]) {
  if (escaped) return escaped;
  if (code) return h("code", {}, plain(code));
  if (bold ?? bold2) return h("strong", {}, ...spans(bold ?? bold2));
  if (italic ?? italic2) return h("em", {}, ...spans(italic ?? italic2));
  if (struck) return h("del", {}, ...spans(struck));
  if (url) return link(plain(url), plain(label));
  if (angle) return angled(angle);
  return link(plain(bare), plain(bare));
}

function angled(inside) {
  const [target, label = ""] = inside.split("|");
  if (target.startsWith("@")) return mention(target.slice(1));
  if (target.startsWith("#")) return channelMention(target.slice(1), label);
  if (target.startsWith("!")) return broadcast(target.slice(1));
  return link(target, label);
}
