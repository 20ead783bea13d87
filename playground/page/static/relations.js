/* Cause and effect: which mails, events and audit entries belong to which card, by the ids that they share. */

import { state } from "./server.js";

const ID_LENGTH = 6;

/** A card is a message with buttons or with an id that the audit log knows. */
export function isCard(message) {
  return cardIds(message).size > 0;
}

const cardCache = new WeakMap();

/** The ids on a card: block ids, button values and metadata. Slack's own block ids are short and known to nobody else. */
export function cardIds(message) {
  if (!message.blocks && !message.metadata) return new Set();
  let found = cardCache.get(message);
  if (!found) {
    const hasButtons = JSON.stringify(message.blocks ?? []).includes('"type":"button"');
    found = new Set(hasButtons || message.metadata ? [...buttonValues(message.blocks ?? []), ...strings(message.metadata?.event_payload)].flatMap(parts) : []);
    cardCache.set(message, found);
  }
  return found;
}

function* buttonValues(list) {
  for (const block of list) {
    if (block?.block_id) yield block.block_id;
    for (const part of [...(block?.elements ?? []), ...(block?.actions ?? []), block?.accessory]) {
      if (part?.value) yield part.value;
    }
    yield* buttonValues(block?.child_blocks ?? []);
  }
}

/** `approve:Q123` holds the id `Q123`; a JSON value holds its strings. */
function parts(text) {
  const words = String(text).split(/[^A-Za-z0-9_-]+/);
  return [String(text), ...words].filter((word) => word.length >= ID_LENGTH && /\d/.test(word));
}

export function* strings(value) {
  if (typeof value === "string") yield value;
  else if (typeof value === "number") yield String(value);
  else if (value && typeof value === "object") for (const inner of Object.values(value)) yield* strings(inner);
}

/** An audit entry's body as an object, whether it came as one or as text. */
export function bodyOf(entry) {
  if (typeof entry.body !== "string") return entry.body ?? {};
  try {
    return JSON.parse(entry.body);
  } catch {
    return { text: entry.body };
  }
}

const entryCache = new WeakMap();

export function entryIds(entry) {
  let found = entryCache.get(entry);
  if (!found) {
    found = new Set([...strings(bodyOf(entry)), ...(entry.run_id ? [entry.run_id] : [])].filter((text) => text.length >= ID_LENGTH && text.length < 120));
    entryCache.set(entry, found);
  }
  return found;
}

export function runOf(entry) {
  const body = bodyOf(entry);
  return entry.run_id ?? body.run_id ?? body.run ?? body.details?.run_id;
}

export function entries() {
  return Object.values(state.supervisor.audit?.entries ?? {});
}

const LINKS = ["action_id", "question_id", "action", "question"];

function keysOf(entry) {
  const body = bodyOf(entry);
  const details = { ...body, ...body.details };
  return LINKS.map((key) => details[key]).filter((value) => typeof value === "string" && value.length >= ID_LENGTH);
}

/** What belongs to a card: `{audit: Set of entry ids, ids: Set of strings that its entries name}`. */
export function relations(message) {
  const wanted = new Set(cardIds(message));
  const all = entries();
  for (let round = 0; round < 2; round += 1) {
    for (const entry of all) {
      const keys = keysOf(entry);
      if (keys.some((key) => wanted.has(key))) keys.forEach((key) => wanted.add(key));
    }
  }
  const mine = all.filter((entry) => [...entryIds(entry)].some((id) => wanted.has(id)) && (keysOf(entry).some((key) => wanted.has(key)) || !keysOf(entry).length));
  return { audit: new Set(mine.map((entry) => String(entry.id))), ids: new Set(mine.flatMap((entry) => [...entryIds(entry)])) };
}

/** Every card that is shown to anybody, as `{channel, message}`. */
export function cards() {
  return Object.entries(state.slack.messages ?? {}).flatMap(([channel, byTs]) =>
    Object.values(byTs).filter(isCard).map((message) => ({ channel, message })),
  );
}

let memo = { slack: null, audit: null, found: [] };

function related() {
  const audit = state.supervisor.audit?.entries;
  if (memo.slack !== state.slack.messages || memo.audit !== audit) {
    memo = { slack: state.slack.messages, audit, found: cards().map((card) => ({ ...card, ...relations(card.message) })) };
  }
  return memo.found;
}

/** The card behind a mail, an event (by their ids) or an audit entry; undefined when none is known. */
export function cardOf({ ids = [], audit }) {
  return related().find((card) => (audit !== undefined && card.audit.has(String(audit))) || ids.some((id) => id && card.ids.has(String(id))));
}

/** Marks what belongs to a card on the right. */
export function light(found, card) {
  unlight();
  card?.classList.add("lit");
  for (const node of document.querySelectorAll("#world [data-ids], #world [data-audit]")) {
    const ids = (node.dataset.ids ?? "").split(" ");
    if (found.audit.has(node.dataset.audit) || ids.some((id) => id && found.ids.has(id))) node.classList.add("lit");
  }
}

export function unlight() {
  document.querySelectorAll(".lit").forEach((node) => node.classList.remove("lit"));
}
