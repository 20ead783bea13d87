/* An audit entry as a sentence for people; its code and its facts stand beside it. */

import { nameOf } from "../place.js";
import { factsOf } from "../relations.js";

/** Each tool as "to do" and as "did". */
const TOOLS = {
  gmail_search: ["search the mail", "searched the mail"],
  gmail_thread_read: ["read a mail", "read a mail"],
  gmail_draft_create: ["save a draft", "saved a draft"],
  gmail_send: ["send a mail", "sent a mail"],
  gmail_reply: ["send a reply", "sent a reply"],
  gmail_attachment_read: ["read an attachment", "read an attachment"],
  gmail_draft_update: ["change a draft", "changed a draft"],
  gmail_draft_send: ["send a draft", "sent a draft"],
  gmail_labels: ["sort a mail", "sorted a mail"],
  find_person: ["look up an address", "looked up an address"],
  calendar_search: ["look into the calendar", "looked into the calendar"],
  calendar_event_create: ["create an event", "created an event"],
  calendar_event_update: ["change an event", "changed an event"],
  save_memory: ["remember something", "remembered something"],
  search_memory: ["look into its memory", "looked into its memory"],
  slack_channels: ["list channels", "listed channels"],
  slack_read: ["read a channel", "read a channel"],
  reminder_set: ["set a reminder", "set a reminder"],
  reminders: ["list what is planned", "listed what is planned"],
  reminder_remove: ["remove a reminder", "removed a reminder"],
  briefing_schedule: ["plan a daily briefing", "planned a daily briefing"],
  propose_plan: ["propose a plan", "proposed a plan"],
  briefing_send: ["send a briefing", "sent a briefing"],
};

const PRESSED = {
  approve: "pressed Approve",
  reject: "pressed Reject",
  confirm: "pressed Confirm",
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
const ruled = (entry) => (factsOf(entry).tool === "*" ? "what goes to somebody" : factsOf(entry).tool ?? "something");
const done = (entry) => TOOLS[factsOf(entry).tool]?.[1] ?? `ran ${factsOf(entry).tool ?? "something"}`;

/** Whether the assistant does it as a task of a plan; one that an agent does is called by that agent's name. */
const isTask = (entry) => factsOf(entry).tool === "plan_task";

const named = (limit) => (limit ? ` (${String(limit).replace(/_/g, " ")})` : "");

/** Why no card was needed; empty when there was one, or for calls that policy never asks about. */
function unasked(entry) {
  const { states, verdict, rule } = factsOf(entry);
  if (states?.[0] !== "planned" || verdict !== "allow") return "";
  if (/\.allow_list$/.test(rule ?? "")) return ", without asking: every address is on the list";
  const level = /^level\.(.+)/.exec(rule ?? "")?.[1];
  return level ? `, without asking: the level ${level} allows it` : `, without asking: a rule allows it (${rule})`;
}

const SAID = {
  "run.queued": (entry) => `${who(entry)} asked for something`,
  "run.started": () => "The agent began to work on it",
  "run.moved": (entry) => STATES[factsOf(entry).run?.at(-1)] ?? "The request moved on",
  "run.completed": () => "The agent gave its answer",
  "run.failed": () => "The request failed; the person was told why",
  "run.cancelled": () => "The request was stopped",
  "run.paused": () => "The agent paused and said what was done",
  "run.stop_asked": (entry) => `${who(entry)} asked to stop`,
  "run.continued": (entry) => `${who(entry)} pressed Continue: the request has a fresh allowance`,
  "run.tried_again": (entry) => `${who(entry)} pressed Try again: the request starts again`,
  "run.held": () => "It waits for its moment",
  "run.sent_now": (entry) => `${who(entry)} pressed Send now: it does not wait any longer`,
  "run.undone": (entry) => `${who(entry)} pressed Undo: it is not done`,
  "run.limit": (entry) => `A limit was reached${named(factsOf(entry).limit)}`,
  "run.hard_stop": (entry) =>
    factsOf(entry).limit === "deadline"
      ? "The deadline is over: nothing more begins"
      : `Past a limit${named(factsOf(entry).limit)}: what was under way is stopped`,
  "run.outdated": () => "The request came too late, so it starts nothing",
  "run.request_edited": () => "The request was edited in Slack",
  "run.requester_gone": () => "The person who asked left the workspace: the request was stopped",
  "run.stopped_by_restore": () => "Stopped, because the database was restored from a copy",
  "run.safety_stop": () => "The model refused to go on",
  "run.model_unusable": () => "The model gave nothing that could be used",
  "run.doom_loop": () => "The model went round in circles and was stopped",
  "person.trust_level": (entry) => `${who(entry)} set the level to ${factsOf(entry).level ?? "another one"}`,
  "person.trust_level_refused": (entry) => `${who(entry)} may not have the level ${factsOf(entry).level ?? "asked for"}`,
  "workspace.guard": (entry) => `${who(entry)} set the guard to ${factsOf(entry).guard ?? "another mode"}`,
  "workspace.guard_refused": (entry) => `${who(entry)} may not set the guard: only administrators may`,
  "workspace.rule_added": (entry) => `${who(entry)} made a rule: others have to agree to ${ruled(entry)}`,
  "workspace.rule_edited": (entry) => `${who(entry)} edited a rule: others have to agree to ${ruled(entry)}`,
  "workspace.rule_refused": (entry) => `${who(entry)} may not change who has to agree: only administrators may`,
  "workspace.rule_removed": (entry) => `${who(entry)} took away the rule about ${ruled(entry)}`,
  "person.turned_away": (entry) => `${who(entry)} was refused: only full members may ask`,
  "run.stop_refused": (entry) => `${who(entry)} may not stop what somebody else asked for`,
  "person.allowed": (entry) => `${who(entry)} allowed mail to ${factsOf(entry).address ?? "an address"} without asking`,
  "person.disallowed": (entry) => `${who(entry)} took ${factsOf(entry).address ?? "an address"} off the list`,
  "person.erased": (entry) => `What the log said of ${factsOf(entry).person ?? "a person"} in private was erased`,
  "message.decides_nothing": (entry) => `${who(entry)} said yes in words: only the button decides`,
  "message.answers": (entry) => `${who(entry)} answered a question of the agent in words`,
  "message.steers": (entry) => `${who(entry)} said something to the request under way`,
  "message.taken_in": () => "The model was told what the person said meanwhile",
  "message.withdrawn": () => "The request ended before the model was told what the person said",
  "message.refused": (entry) => `A message of ${who(entry)} started nothing; they were told why`,
  "run.request_deleted": () => "The request was deleted in Slack",
  "message.deleted_early": () => "A message was deleted before it arrived, so it starts nothing",
  "run.refused": (entry) => `A message of ${who(entry)} started nothing`,
  "run.unknown_tool": () => "The model called a tool that does not exist",
  "action.read": (entry) => `The agent begins to ${todo(entry)}`,
  "action.asked": (entry) => `It has to ask before it may ${todo(entry)}`,
  "action.answered": (entry) => `${who(entry)} chose an answer`,
  "action.delegated": (entry) =>
    isTask(entry) ? "A task of the plan begins" : `It gives work to the agent ${factsOf(entry).tool}`,
  "action.handed_over": (entry) =>
    isTask(entry) ? "A task of the plan ended" : `The agent ${factsOf(entry).tool} handed over`,
  "action.task_completed": () => "The agent has its result",
  "action.scheduled": (entry) => `It is scheduled to ${todo(entry)}`,
  "action.approved": (entry) => `${who(entry)} allowed it to ${todo(entry)}`,
  "action.claimed": (entry) => `The agent is about to ${todo(entry)}${unasked(entry)}`,
  "action.superseded": (entry) => `A reply came first: it does not ${todo(entry)}`,
  "action.edited": (entry) => `${who(entry)} edited the card to ${todo(entry)}`,
  "action.asked_again": (entry) => `${who(entry)} wants a new card to ${todo(entry)}`,
  "action.try_again": (entry) => `${who(entry)} wants it to try once more to ${todo(entry)}`,
  "action.in_doubt": (entry) => `It was interrupted, and it may or may not have happened: ${todo(entry)}`,
  "action.forgotten": (entry) => `It may have been done after the copy of the database was made: ${todo(entry)}`,
  "action.no_place": (entry) => `A limit leaves no room: it does not ${todo(entry)}`,
  "action.preview_failed": (entry) => `It could not prepare a card to ${todo(entry)}`,
  "action.unknown_tool": () => "A call of a tool that does not exist was sent back",
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
  "action.same_again": (entry) => `The model asked again for what it had asked before: it does not ${todo(entry)}`,
  "action.too_many": () => "Too many calls at once: the rest was sent back",
  "action.basis_changed": () => "The world changed since the card was made",
  "action.judged_again": () => "Policy decides once more before it acts",
  "action.after_stop": () => "A call after the stop was refused",
  "question.asked": () => "A card asks for a decision",
  "question.decided": (entry) => `${who(entry)} ${PRESSED[factsOf(entry).decision] ?? "answered a card"}`,
  "question.agreed": (entry) => `${who(entry)} agreed, and others are asked`,
  "question.passed_on": () => "A card goes on to the next who has to agree",
  "question.reader_gone": () => "Whoever had to agree left: a card goes on to the next, or policy decides once more",
  "question.expired": () => "A card was not answered in time",
  "question.withdrawn": () => "A card needs no answer any more",
  "question.replaced": () => "A newer card replaced another",
  "memory.forgotten": (entry) => `${who(entry)} made it forget something`,
  "connection.adopted": (entry) => `The Google account of ${who(entry)} was connected`,
  "connection.refreshed": (entry) => `The connection of ${who(entry)} was renewed`,
  "connection.connected": (entry) => `${who(entry)} connected a Google account`,
  "connection.disconnected": (entry) => `The Google account of ${who(entry)} was disconnected`,
  "connection.revoked": () => "The account's tokens were revoked at Google",
  "connection.not_revoked": () => "The account's tokens were deleted here, but not revoked at Google",
  "connect.offered": (entry) => `${who(entry)} got a link to connect an account`,
  "connect.began": (entry) => `${who(entry)} chose what the agent may use, and went to Google`,
  "connect.held": (entry) => `A Google account with another address came back for ${who(entry)}, who is asked about it`,
  "connect.declined": (entry) => `Somebody said that it is not the account of ${who(entry)}`,
  "connect.refused": () => "An attempt to connect an account failed",
  "action.needs_account": (entry) => `It needs an account to ${todo(entry)}, and asks for it`,
  "action.account_connected": () => "An account was connected: it goes on",
  "action.other_account": (entry) => `Another account was connected: it does not ${todo(entry)}`,
  "connection.refused": (entry) => `The account of ${who(entry)} does not work any more`,
  "person.signed_in": (entry) => `${who(entry)} signed in with Slack, in a browser`,
  "person.signed_out": (entry) => `${who(entry)} signed out`,
  "delivery.dead": () => "A message could not be delivered",
  "database.restored": () => "The database was restored from a copy",
  "secret.withheld": () => "A secret was kept out of Slack",
  "log.pruned": () => "Old entries of the log were deleted, up to a signed checkpoint",
  "secrets.resealed": () => "Secrets were encrypted again, with the newest key",
  "retention.pruned": () => "Old data was deleted, as configured",
  "plan.confirmed": (entry) => `${who(entry)} confirmed the plan`,
  "plan.dropped": (entry) => `${who(entry)} dropped the plan`,
  "plan.to_be_changed": (entry) => `${who(entry)} wants the plan changed`,
  "plan.changed": () => "The plan changed itself",
  "schedule.added": (entry) => `${who(entry)} planned something`,
  "schedule.fired": () => "Something planned is due",
  "click.not_confirmed": (entry) => `${who(entry)} said yes without naming what it touches; nothing was approved`,
  "click.too_old": (entry) => `${who(entry)} pressed a button that is too old; nothing was done`,
  "schedule.answered": () => "Somebody had answered that mail, so there was nothing to remind of",
  "schedule.paused": (entry) => `${who(entry)} paused what was planned`,
  "schedule.active": (entry) => `${who(entry)} resumed what was planned`,
  "schedule.ended": (entry) => `${who(entry)} removed what was planned`,
  "alarm.answered": (entry) => `${who(entry)} answered a reminder`,
  "briefing.made": () => "A briefing was made and sent to its owner",
  "schedule.owner_gone": () => "The person who planned something left, so it is removed",
};

/** Who did it: a person by name, else the agent. */
export function who(entry) {
  const actor = String(entry.actor ?? "").replace(/^user:/, "");
  if (!actor || actor === "agent") return "The agent";
  return /^[UW][A-Z0-9]{3,}$/.test(actor) ? nameOf(actor) : actor;
}

const REJECTED = /^(click\.|alarm\.not_put_off|question\.not_asked_again|run\.not_)/;

/** `run.completed` as a sentence; clicks that change nothing have one for all, an unknown code has its words. */
export function sentenceOf(entry) {
  const said = SAID[entry.code]?.(entry);
  if (said) return said;
  if (REJECTED.test(entry.code ?? "")) return `${who(entry)} pressed a button that changed nothing`;
  const words = String(entry.code ?? "entry").replace(/[._]/g, " ");
  return words[0].toUpperCase() + words.slice(1);
}
