/* What an audit entry says, in a sentence for people; its code and its facts stand beside it. */

import { nameOf } from "../place.js";
import { factsOf } from "../relations.js";

/** Each tool as "to do" and as "did". */
const TOOLS = {
  gmail_search: ["search the mail", "searched the mail"],
  gmail_thread_read: ["read a mail", "read a mail"],
  gmail_draft_create: ["save a draft", "saved a draft"],
  gmail_send: ["send a mail", "sent a mail"],
  gmail_reply: ["send a reply", "sent a reply"],
  calendar_search: ["look into the calendar", "looked into the calendar"],
  calendar_event_create: ["create an event", "created an event"],
  calendar_event_update: ["change an event", "changed an event"],
  save_memory: ["remember something", "remembered something"],
  search_memory: ["look into its memory", "looked into its memory"],
  slack_channels: ["list channels", "listed channels"],
  slack_read: ["read a channel", "read a channel"],
};

const PRESSED = {
  approve: "pressed Approve",
  reject: "pressed Reject",
  happened: "said that it happened",
  did_not: "said that it did not happen",
  try_again: "asked to try again",
};

const STATES = {
  planning: "The model is asked what comes next",
  executing: "The agent goes on with its work",
  awaiting_confirmation: "The request waits for people",
};

const todo = (entry) => TOOLS[factsOf(entry).tool]?.[0] ?? `run ${factsOf(entry).tool ?? "something"}`;
const done = (entry) => TOOLS[factsOf(entry).tool]?.[1] ?? `ran ${factsOf(entry).tool ?? "something"}`;

const SAID = {
  "run.queued": (entry) => `${who(entry)} asked for something`,
  "run.started": () => "The agent began to work on it",
  "run.moved": (entry) => STATES[factsOf(entry).run?.at(-1)] ?? "The request moved on",
  "run.completed": () => "The agent gave its answer",
  "run.failed": () => "The request failed; the reason was told",
  "run.cancelled": () => "The request was stopped",
  "run.paused": () => "The agent paused and said what was done",
  "run.stop_asked": (entry) => `${who(entry)} asked to stop`,
  "run.limit": () => "A limit was reached",
  "run.doom_loop": () => "The model went round in circles and was stopped",
  "person.disallowed": (entry) => `${who(entry)} took an address off the list`,
  "run.request_deleted": () => "The request was deleted in Slack",
  "message.deleted_early": () => "A message was deleted before it arrived, so nothing begins",
  "run.refused": (entry) => `A message of ${who(entry)} started nothing`,
  "run.unknown_tool": () => "The model called a tool that does not exist",
  "action.read": (entry) => `The agent begins to ${todo(entry)}`,
  "action.asked": (entry) => `It has to ask before it may ${todo(entry)}`,
  "action.approved": (entry) => `${who(entry)} allowed it to ${todo(entry)}`,
  "action.claimed": (entry) => `The agent is about to ${todo(entry)}`,
  "action.completed": (entry) => `The agent ${done(entry)}`,
  "action.failed": (entry) => `It could not ${todo(entry)}`,
  "action.denied": (entry) => `It is not allowed to ${todo(entry)}`,
  "action.rejected": (entry) => `${who(entry)} refused: it does not ${todo(entry)}`,
  "action.expired": (entry) => `Nobody answered: it does not ${todo(entry)}`,
  "action.cancelled": (entry) => `Stopped before it could ${todo(entry)}`,
  "action.unknown": (entry) => `Nobody knows whether it could ${todo(entry)}`,
  "action.reconciled": (entry) => `The provider was asked: the agent ${done(entry)}`,
  "action.settled": () => "The doubt was settled",
  "action.not_done": (entry) => `The provider was asked: it did not ${todo(entry)}`,
  "action.invalid": () => "The model's call made no sense and was sent back",
  "action.repeated": () => "The model repeated itself and was told so",
  "action.too_many": () => "Too many calls at once: the rest was sent back",
  "action.basis_changed": () => "The world changed since the card was made",
  "action.judged_again": () => "Policy judged it once more before it acts",
  "action.after_stop": () => "A call after the stop was refused",
  "question.asked": () => "A card was put up for a decision",
  "question.decided": (entry) => `${who(entry)} ${PRESSED[factsOf(entry).decision] ?? "answered a card"}`,
  "question.expired": () => "A card was not answered in time",
  "question.withdrawn": () => "A card needs no answer any more",
  "question.replaced": () => "A newer card took the place of another",
  "memory.forgotten": (entry) => `${who(entry)} pressed Undo: it forgot that`,
  "connection.adopted": (entry) => `The Google account of ${who(entry)} was connected`,
  "connection.refused": (entry) => `The account of ${who(entry)} does not work any more`,
  "delivery.dead": () => "A message could not be delivered",
};

/** Who did it: a person by name, else the agent. */
export function who(entry) {
  const actor = String(entry.actor ?? "").replace(/^user:/, "");
  if (!actor || actor === "agent") return "The agent";
  return /^[UW][A-Z0-9]{3,}$/.test(actor) ? nameOf(actor) : actor;
}

/** `run.completed` as a sentence; a code that is not known here, as its words. */
export function sentenceOf(entry) {
  const said = SAID[entry.code]?.(entry);
  if (said) return said;
  const words = String(entry.code ?? "entry").replace(/[._]/g, " ");
  return words[0].toUpperCase() + words.slice(1);
}
