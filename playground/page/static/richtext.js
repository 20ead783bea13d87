/* Slack's rich_text block: sections, lists, quotes and preformatted text made of styled elements. */

import { h } from "./dom.js";
import { emoji } from "./emoji.js";
import { broadcast, channelMention, link, mention } from "./inline.js";
import { slackDate } from "./times.js";

export function richText(block) {
  return h("div", { class: "rich" }, ...grouped(block.elements ?? []));
}

/** Lists that follow each other with growing indent belong into each other. */
function grouped(parts) {
  const out = [];
  const open = [];
  for (const part of parts) {
    if (part.type !== "rich_text_list") {
      open.length = 0;
      out.push(container(part));
      continue;
    }
    const indent = part.indent ?? 0;
    while (open.length && open.at(-1).indent > indent) open.pop();
    const list = rows(part);
    if (open.length && open.at(-1).indent === indent && open.at(-1).style === part.style) {
      open.at(-1).node.append(...list.children);
      continue;
    }
    if (open.length && open.at(-1).indent === indent) open.pop();
    const host = open.at(-1)?.node.lastElementChild;
    if (host) host.append(list);
    else out.push(list);
    open.push({ indent, style: part.style, node: list });
  }
  return out;
}

function rows(part) {
  const items = (part.elements ?? []).map((row) => h("li", {}, ...inlines(row.elements)));
  return part.style === "ordered" ? h("ol", { start: (part.offset ?? 0) + 1 }, ...items) : h("ul", {}, ...items);
}

function container(part) {
  if (part.type === "rich_text_quote") return h("blockquote", {}, ...inlines(part.elements));
  if (part.type === "rich_text_preformatted") return h("pre", {}, ...inlines(part.elements));
  if (part.type === "rich_text_section") return h("div", { class: "line" }, ...inlines(part.elements));
  return h("div", { class: "unknown" }, `[${part.type}]`);
}

function inlines(elements = []) {
  return elements.map((element) => styled(inline(element), element.style));
}

function inline(element) {
  switch (element.type) {
    case "text":
      return element.text ?? "";
    case "link":
      return link(element.url, element.text);
    case "emoji":
      return emoji(element.name, element.unicode);
    case "user":
      return mention(element.user_id);
    case "channel":
      return channelMention(element.channel_id);
    case "usergroup":
      return broadcast(element.usergroup_id);
    case "broadcast":
      return broadcast(element.range);
    case "date":
      return slackDate(element.timestamp, element.format ?? "{date}") ?? element.fallback ?? "";
    case "color":
      return h("code", {}, element.value ?? "");
    default:
      return h("span", { class: "unknown" }, `[${element.type}]`);
  }
}

function styled(content, style = {}) {
  let node = content;
  if (style.code) node = h("code", {}, node);
  if (style.strike) node = h("del", {}, node);
  if (style.underline) node = h("u", {}, node);
  if (style.italic) node = h("em", {}, node);
  if (style.bold) node = h("strong", {}, node);
  return node;
}
