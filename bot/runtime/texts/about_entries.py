"""What an entry of the log says, as a sentence for people. Every code has one; the log and exports keep the codes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import cast

from bot.domain.audit import AuditCode
from bot.domain.runs import CHILD_SOURCE
from bot.domain.schedules import ScheduleKind
from bot.tools.names import TOOLS
from policies.characters import quoted

_PERSON = re.compile(r"[UW][A-Z0-9]{3,}", re.ASCII)

_DRAFT = TOOLS["gmail_draft_create"]
_KEEPING = frozenset({"gmail_send", "gmail_reply"})  # tools that keep a draft where their owner chose that on the card
_ACTORS = {"": "The agent", "agent": "The agent", "slack": "Slack", "operator": "The operator"}
_TASK = "plan_task"  # what the assistant does as a task of a plan; an agent's tool has the agent's name
_ANYTHING = "*"

_PRESSED = {
    "approve": "pressed Approve",
    "reject": "pressed Reject",
    "confirm": "pressed Confirm",
    "happened": "said that it happened",
    "did_not": "said that it did not happen",
    "try_again": "asked to try again",
}
_MOVED = {
    "planning": "The model is asked what comes next",
    "executing": "The agent goes on with its work",
    "awaiting_confirmation": "The request waits for people",
}

SENTENCES: Mapping[AuditCode, str] = {
    AuditCode.MESSAGE_ANSWERS: "{who} answered a question of the agent in words",
    AuditCode.MESSAGE_DECIDES_NOTHING: "{who} said yes in words: only the button decides",
    AuditCode.MESSAGE_DELETED_EARLY: "A message was deleted before it arrived, so it starts nothing",
    AuditCode.MESSAGE_DROPPED: "A message that came too fast is not offered to {who} again",
    AuditCode.MESSAGE_REFUSED: "A message of {who} started nothing; they were told why",
    AuditCode.MESSAGE_STEERS: "{who} said something to the request under way",
    AuditCode.MESSAGE_TAKEN_IN: "The model was told what the person said meanwhile",
    AuditCode.MESSAGE_WITHDRAWN: "The request ended before the model was told what the person said",
    AuditCode.RUN_CANCELLED: "The request was stopped",
    AuditCode.RUN_COMPLETED: "The agent gave its answer",
    AuditCode.RUN_CONTINUED: "{who} pressed Continue: the request has a fresh allowance",
    AuditCode.RUN_DOOM_LOOP: "The model went round in circles and was stopped",
    AuditCode.RUN_FAILED: "The request failed; the person was told why",
    AuditCode.RUN_HARD_STOP: "{past_limit}",
    AuditCode.RUN_HELD: "It waits for its moment",
    AuditCode.RUN_LIMIT: "A limit was reached{limit}",
    AuditCode.RUN_MODEL_UNUSABLE: "The model gave nothing that could be used",
    AuditCode.RUN_MOVED: "{moved}",
    AuditCode.RUN_NOT_CONTINUED: "{who} pressed Continue, which changed nothing",
    AuditCode.RUN_NOT_SENT_NOW: "{who} pressed Send now, which changed nothing",
    AuditCode.RUN_NOT_TRIED_AGAIN: "{who} pressed Try again, which changed nothing",
    AuditCode.RUN_NOT_UNDONE: "{who} wanted to take something back, which changed nothing",
    AuditCode.RUN_OUTDATED: "The request came too late, so it starts nothing",
    AuditCode.RUN_PAUSED: "The agent paused and said what was done",
    AuditCode.RUN_QUEUED: "{queued}",
    AuditCode.RUN_REFUSED: "A message of {who} started nothing",
    AuditCode.RUN_REQUEST_DELETED: "The request was deleted in Slack",
    AuditCode.RUN_REQUEST_EDITED: "The request was edited in Slack",
    AuditCode.RUN_REQUESTER_GONE: "The person who asked left the workspace: the request was stopped",
    AuditCode.RUN_SAFETY_STOP: "The model refused to go on",
    AuditCode.RUN_SENT_NOW: "{who} pressed Send now: it does not wait any longer",
    AuditCode.RUN_STARTED: "The agent began to work on it",
    AuditCode.RUN_STOP_ASKED: "{who} asked to stop",
    AuditCode.RUN_STOP_REFUSED: "{who} may not stop what somebody else asked for",
    AuditCode.RUN_STOPPED_BY_RESTORE: "Stopped, because the database was restored from a copy",
    AuditCode.RUN_TRIED_AGAIN: "{who} pressed Try again: the request starts again",
    AuditCode.RUN_UNDONE: "{who} took it back: it is not done",
    AuditCode.RUN_UNKNOWN_TOOL: "The model called a tool that does not exist",
    AuditCode.QUESTION_AGREED: "{who} agreed, and others are asked",
    AuditCode.QUESTION_ASKED: "A card asks for a decision",
    AuditCode.QUESTION_DECIDED: "{who} {pressed}",
    AuditCode.QUESTION_EXPIRED: "A card was not answered in time",
    AuditCode.QUESTION_NOT_ASKED_AGAIN: "{who} wanted a new card, and got none",
    AuditCode.QUESTION_PASSED_ON: "A card goes on to the next who has to agree",
    AuditCode.QUESTION_READER_GONE: (
        "Whoever had to agree left, or stands in no more: a card goes on to the next, or policy decides once more"
    ),
    AuditCode.QUESTION_REPLACED: "A newer card replaced another",
    AuditCode.QUESTION_WITHDRAWN: "A card needs no answer any more",
    AuditCode.ACTION_ACCOUNT_CONNECTED: "An account was connected: it goes on",
    AuditCode.ACTION_AFTER_STOP: "A call after the stop was refused",
    AuditCode.ACTION_ANSWERED: "{who} chose an answer",
    AuditCode.ACTION_APPROVED: "{who} allowed it to {todo}",
    AuditCode.ACTION_ASKED: "{asks} {todo}",
    AuditCode.ACTION_ASKED_AGAIN: "{who} wants a new card to {todo}",
    AuditCode.ACTION_BASIS_CHANGED: "The world changed since the card was made",
    AuditCode.ACTION_CANCELLED: "Stopped before it could {todo}",
    AuditCode.ACTION_CLAIMED: "The agent is about to {todo}{unasked}",
    AuditCode.ACTION_COMPLETED: "The agent {did}",
    AuditCode.ACTION_DELEGATED: "{given}",
    AuditCode.ACTION_DENIED: "{denied} to {todo}",
    AuditCode.ACTION_EDITED: "{who} {edited} {todo}",
    AuditCode.ACTION_EXPIRED: "Nobody answered: it does not {todo}",
    AuditCode.ACTION_FAILED: "It could not {todo}",
    AuditCode.ACTION_IN_DOUBT: "It was interrupted, and it may or may not have happened: {todo}",
    AuditCode.ACTION_FORGOTTEN: "It may have been done after the copy of the database was made: {todo}",
    AuditCode.ACTION_HANDED_OVER: "{handed_over}",
    AuditCode.ACTION_INVALID: "The model's call made no sense and was sent back",
    AuditCode.ACTION_JUDGED_AGAIN: "Policy decides once more before it acts",
    AuditCode.ACTION_NEEDS_ACCOUNT: "It needs an account to {todo}, and asks for it",
    AuditCode.ACTION_NO_PLACE: "A limit leaves no room: it does not {todo}",
    AuditCode.ACTION_NOT_DONE: "The provider was asked: it did not {todo} so far",
    AuditCode.ACTION_OTHER_ACCOUNT: "Another account was connected: it does not {todo}",
    AuditCode.ACTION_PREVIEW_FAILED: "It could not prepare a card to {todo}",
    AuditCode.ACTION_READ: "The agent begins to {todo}",
    AuditCode.ACTION_RECONCILED: "The provider was asked: the agent {did}",
    AuditCode.ACTION_REJECTED: "{who} said no: it does not {todo}",
    AuditCode.ACTION_REPEATED: "The model repeated itself and was told so",
    AuditCode.ACTION_SAME_AGAIN: "The model asked again for what it had asked before: it does not {todo}",
    AuditCode.ACTION_SCHEDULED: "It is scheduled to {todo}{would_ask}",
    AuditCode.ACTION_SETTLED: "The doubt was settled",
    AuditCode.ACTION_SUPERSEDED: "A reply came first: it does not {todo}",
    AuditCode.ACTION_TASK_COMPLETED: "The agent has its result",
    AuditCode.ACTION_TOO_MANY: "Too many calls at once: the rest was sent back",
    AuditCode.ACTION_TRY_AGAIN: "{who} wants it to try once more to {todo}",
    AuditCode.ACTION_UNKNOWN: "Nobody knows whether it could {todo}",
    AuditCode.ACTION_UNKNOWN_TOOL: "A call of a tool that does not exist was sent back",
    AuditCode.PLAN_CONFIRMED: "{who} confirmed the plan",
    AuditCode.PLAN_DROPPED: "{who} dropped the plan",
    AuditCode.PLAN_TO_BE_CHANGED: "{who} wants the plan changed",
    AuditCode.PLAN_CHANGED: "The plan changed itself",
    AuditCode.CLICK_LATE: "{who} was too late, or it was so already; nothing was done",
    AuditCode.CLICK_NOT_A_MEMBER: "{who} pressed a button that only full members may press; nothing was done",
    AuditCode.CLICK_NOT_CONFIRMED: "{who} said yes without naming what it touches; nothing was approved",
    AuditCode.CLICK_NOT_EDITABLE: "{who} wanted to edit a card that cannot be edited any more",
    AuditCode.CLICK_NOT_IN_TURN: "{who} pressed a button before it was their turn; nothing was done",
    AuditCode.CLICK_NOT_READ: "{who} said yes to a long text without opening all of it; nothing was approved",
    AuditCode.CLICK_OLD_EDITION: "{who} pressed a button of an older edition of a card; nothing was done",
    AuditCode.CLICK_TOO_FAST: "{who} pressed too many buttons in a short time; nothing was done",
    AuditCode.CLICK_TOO_OLD: "{who} pressed a button that is too old; nothing was done",
    AuditCode.CLICK_UNKNOWN: "{who} pressed a button that is not known; nothing was done",
    AuditCode.CLICK_WRONG_CHOICE: "{who} pressed a button that this card does not have; nothing was done",
    AuditCode.CLICK_WRONG_PERSON: "{who} pressed a button that is somebody else's; nothing was done",
    AuditCode.CLICK_WRONG_PLACE: "{who} pressed a button in a place where it does not belong; nothing was done",
    AuditCode.CONNECT_BEGAN: "{who} chose what the agent may use, and went to Google",
    AuditCode.CONNECT_DECLINED: "Somebody said that it is not the account of {who}",
    AuditCode.CONNECT_HELD: "A Google account with another address came back for {who}, who is asked about it",
    AuditCode.CONNECT_OFFERED: "{who} got a link to connect an account",
    AuditCode.CONNECT_REFUSED: "An attempt to connect an account failed",
    AuditCode.CONNECTION_ADOPTED: "The Google account of {who} was connected",
    AuditCode.CONNECTION_CONNECTED: "{who} connected a Google account",
    AuditCode.CONNECTION_DISCONNECTED: "The Google account of {who} was disconnected",
    AuditCode.CONNECTION_NOT_REVOKED: "The account's tokens were deleted here, but not revoked at Google",
    AuditCode.CONNECTION_REFRESHED: "The connection of {who} was renewed",
    AuditCode.CONNECTION_REFUSED: "The account of {who} does not work any more",
    AuditCode.CONNECTION_REVOKED: "The account's tokens were revoked at Google",
    AuditCode.SCHEDULE_ACTIVE: "{who} resumed {planned}",
    AuditCode.SCHEDULE_ADDED: "{Planned} is planned for {who}",
    AuditCode.SCHEDULE_ANSWERED: "Somebody had answered that mail, so there was nothing to remind of",
    AuditCode.SCHEDULE_ENDED: "{who} removed {planned}",
    AuditCode.SCHEDULE_FIRED: "{Planned} is due",
    AuditCode.SCHEDULE_OWNER_GONE: "The person who planned {planned} left, so it is removed",
    AuditCode.SCHEDULE_PAUSED: "{who} paused {planned}",
    AuditCode.ALARM_ANSWERED: "{who} answered a reminder",
    AuditCode.ALARM_NOT_PUT_OFF: "{who} wanted a reminder later, which changed nothing",
    AuditCode.BRIEFING_MADE: "A briefing was made and sent to its owner",
    AuditCode.MEMORY_FORGOTTEN: "{who} made it forget something",
    AuditCode.PERSON_ALLOWED: "{who} put {address} on the list of those whom mail may reach unasked",
    AuditCode.PERSON_DISALLOWED: "{who} took {address} off the list",
    AuditCode.PERSON_ERASED: "What the log said of {person} in private was erased",
    AuditCode.PERSON_SIGNED_IN: "{who} signed in with Slack, in a browser",
    AuditCode.PERSON_SIGNED_OUT: "{who} signed out",
    AuditCode.PERSON_TRUST_LEVEL: "{who} set their trust level to {level}",
    AuditCode.PERSON_TRUST_LEVEL_REFUSED: "{who} may not have the trust level {level}",
    AuditCode.PERSON_TURNED_AWAY: "{who} was refused: only full members may ask",
    AuditCode.WORKSPACE_GUARD: "{who} set the guard to {guard}",
    AuditCode.WORKSPACE_GUARD_REFUSED: "{who} may not set the guard: only administrators may",
    AuditCode.WORKSPACE_RULE_ADDED: "{who} made a rule: others have to agree {ruled}",
    AuditCode.WORKSPACE_RULE_EDITED: "{who} edited a rule: others have to agree {ruled}",
    AuditCode.WORKSPACE_RULE_REFUSED: "{who} may not change who has to agree: only administrators may",
    AuditCode.WORKSPACE_RULE_REMOVED: "{who} took away the rule that others have to agree {ruled}",
    AuditCode.DELIVERY_DEAD: "A message could not be delivered",
    AuditCode.LOG_PRUNED: "Old entries of the log were deleted, up to a signed checkpoint",
    AuditCode.RETENTION_PRUNED: "Old data was deleted, as configured",
    AuditCode.SECRET_WITHHELD: "A secret was kept out of Slack",
    AuditCode.SECRETS_RESEALED: "Secrets were encrypted again, with the newest key",
    AuditCode.DATABASE_RESTORED: "The database was restored from a copy",
}
"""By code. What is in braces is filled in with what the entry has, or with a word for what it does not have."""


_PLANNED: Mapping[str, str] = {
    ScheduleKind.REMINDER: "a reminder",
    ScheduleKind.BRIEFING: "a briefing",
    ScheduleKind.REQUEST: "a request for later",
}
"""By the kind of a schedule, which tells nothing private."""


def sentence(code: str, actor: str, details: Mapping[str, object]) -> str:
    """What happened; people stand in it as Slack mentions them, such as `<@U0DANA>`. A code that is not known is said
    in its own words. What the details quote is not escaped.
    """
    try:
        said = SENTENCES[AuditCode(code)]
    except ValueError:
        return code.replace(".", " ").replace("_", " ").capitalize()
    return said.format_map({**_values(details, _who(actor)), "who": _who(actor)})


def _who(actor: str) -> str:
    return f"<@{actor}>" if _PERSON.fullmatch(actor) else _ACTORS.get(actor, actor)


def _values(details: Mapping[str, object], who: str) -> Mapping[str, str]:
    tool, person = _text(details, "tool"), _text(details, "person")
    todo, did = _DRAFT if _is_draft(tool, details) else _words_of(tool)
    is_late = _text(details, "rule") == "limit.deadline"
    is_given = _text(details, "source").startswith(CHILD_SOURCE)
    is_task, called = tool == _TASK, quoted(tool.replace("_", " ")) if tool else "that it chose"
    planned = _PLANNED.get(_text(details, "kind"), "something")
    limit = f" ({_text(details, 'limit').replace('_', ' ')})" if _text(details, "limit") else ""
    return {
        "todo": todo,
        "asks": "It asks a question, to" if details.get("question") == "answer" else "It has to ask before it may",
        "edited": "chose on the card to" if details.get("approved") is True else "edited the card to",
        "did": did,
        "unasked": _unasked(details),
        "would_ask": _would_ask(details),
        "denied": "The deadline is over, so it is too late" if is_late else "It is not allowed",
        "queued": "That work waits for its turn" if is_given else f"{who} asked for something",
        "given": "A task of the plan begins" if is_task else f"It gives work to the agent {called}",
        "handed_over": "A task of the plan ended" if is_task else f"The agent {called} handed over",
        "planned": planned,
        "Planned": planned.capitalize(),
        "ruled": "before anything goes out" if tool == _ANYTHING else f"before it may {todo}",
        "limit": limit,
        "past_limit": (
            "The deadline is over: nothing more begins"
            if _text(details, "limit") == "deadline"
            else f"Past a limit{limit}: what was under way is stopped"
        ),
        "moved": _MOVED.get(_last(details.get("run")), "The request moved on"),
        "pressed": _pressed(details),
        "address": _text(details, "address") or "an address",
        "person": (_who(person) if person else "") or "a person",
        "level": _text(details, "level") or "that was asked for",
        "guard": _text(details, "guard") or "another mode",
    }


def _words_of(tool: str) -> tuple[str, str]:
    return TOOLS.get(tool, (f"run {tool or 'something'}", f"ran {tool or 'something'}"))


def _is_draft(tool: str, details: Mapping[str, object]) -> bool:
    """Whether a mail was kept as a draft; entries of earlier releases tell it by what came of the call alone."""
    objects = details.get("objects")
    made = [str(one) for one in cast("list[object]", objects)] if isinstance(objects, list) else []
    kept = bool(made) and all(one.startswith("draft:") for one in made)
    return tool in _KEEPING and (details.get("as_draft") is True or kept)


def _pressed(details: Mapping[str, object]) -> str:
    variant = _text(details, "variant")
    if details.get("kind") == "plan" and details.get("decision") == "reject":
        return "pressed Cancel"
    return f"pressed {variant}" if variant else _PRESSED.get(_text(details, "decision"), "answered a card")


def _unasked(details: Mapping[str, object]) -> str:
    """Why no card was needed; empty where there was one, and for calls that policy never asks about."""
    states, rule = details.get("states"), _text(details, "rule")
    if not isinstance(states, list) or states[:1] != ["planned"] or details.get("verdict") != "allow":
        return ""
    if rule.endswith(".allow_list"):
        return f", without asking: every address is on the list{_would_ask(details)}"
    level = rule.removeprefix("level.")
    why = f"the level {level} allows it" if level != rule else f"a rule ({rule})"
    return f", without asking: {why}{_would_ask(details)}"


def _would_ask(details: Mapping[str, object]) -> str:
    """That the guard would have asked, where it only takes note of that."""
    return " (the guard would have asked)" if _text(details, "would_ask") else ""


def _text(details: Mapping[str, object], name: str) -> str:
    found = details.get(name)
    return found if isinstance(found, str) else ""


def _last(found: object) -> str:
    return str(cast("list[object]", found)[-1]) if isinstance(found, list) and found else ""
