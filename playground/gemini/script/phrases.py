"""What the scripted model says about a call: what it would do, what was done, and why not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, cast

from playground.gemini.answers import Call
from playground.gemini.script.dates import spoken_day
from playground.gemini.script.reading import BEYOND_LIMIT, Outcome
from playground.gemini.script.wording import listed, literal

NOTHING_TO_DO = "nothing_to_change"
"""The code of a call that would leave things as they are."""

_DENIED = "Policy does not allow this, and it was not done."
_GIVEN = re.compile(r"\breason (?:given|that they gave):(?P<reason>.*)", re.S)
_ANSWERS = {"accept": "accept", "decline": "decline", "tentative": "answer maybe to"}


def todo(call: Call) -> str:
    """`send the mail “Benches” to helen@marsh.example`."""
    args = call.args
    match call.name:
        case "gmail_send":
            return f"send the mail “{args.get('subject', '')}” to {_addresses(args.get('to'))}"
        case "gmail_draft_create":
            return f"save the draft “{args.get('subject', '')}” to {_addresses(args.get('to'))}"
        case "gmail_reply":
            return "send the reply"
        case "gmail_labels":
            return _sorted(args)
        case "find_person":
            return f"find the address of {args.get('name', '')}"
        case "calendar_event_create":
            return f"create the event “{args.get('title', '')}” at {_moment(args.get('start'))}"
        case "calendar_event_update":
            start = args.get("start")
            return f"move the event to {_moment(start)}" if start else "change the event"
        case "calendar_event_cancel":
            return "cancel the event"
        case "calendar_event_answer":
            return f"{_ANSWERS.get(str(args.get('answer')), 'answer')} the invitation"
        case name:
            return _SHORT.get(name) or _run(name)


_LOOKING = {
    "gmail_search": "search your mail",
    "gmail_thread_read": "read the mail",
    "gmail_attachment_read": "read the attachment",
    "calendar_search": "look into your calendar",
    "calendar_find_time": "look for a time",
    "slack_channels": "list the channels",
    "slack_read": "read the channel",
    "search_memory": "look into what I remember",
    "reminders": "list your reminders",
}
_LOOKS = frozenset({"find_person", *_LOOKING})
_SHORT = {
    **_LOOKING,
    "save_memory": "remember that",
    "gmail_draft_update": "change the draft",
    "gmail_draft_send": "send the draft",
    "reminder_set": "set the reminder",
    "reminder_remove": "remove the reminder",
    "briefing_schedule": "plan the briefing",
    "briefing_send": "make the briefing",
}


def _sorted(args: Mapping[str, Any]) -> str:
    """What is done with a mail in the mailbox."""
    archive, read = args.get("archive"), args.get("read")
    said = [
        *([] if archive is None else ["archive it" if archive else "move it to the inbox"]),
        *([] if read is None else ["mark it as read" if read else "mark it as unread"]),
    ]
    return " and ".join(said) or "change its labels"


def done(outcome: Outcome) -> str:
    """What a call that succeeded did."""
    args = outcome.call.args
    match outcome.call.name:
        case "gmail_send" | "gmail_reply" if outcome.get("sent") is False:
            return "As you chose, it is saved as a draft. Nothing was sent."
        case "gmail_send":
            return f"Sent: the mail “{args.get('subject', '')}” to {_addresses(args.get('to'))}."
        case "gmail_reply":
            return "Sent: the reply."
        case "gmail_draft_create":
            return f"The draft “{args.get('subject', '')}” to {_addresses(args.get('to'))} is saved. Nothing was sent."
        case "calendar_event_create":
            return f"Created: “{args.get('title', '')}”, {_moment(args.get('start'))}."
        case "calendar_event_update":
            start = args.get("start")
            return f"The event is moved to {_moment(start)}." if start else "The event is changed."
        case "calendar_event_cancel":
            return "The event is cancelled."
        case _:
            return f"{_past(outcome)}."


def failed(outcome: Outcome) -> str:
    """Why a call did not succeed, without claiming anything."""
    error = outcome.error or {}
    message = str(error.get("message", "")).strip()
    what, told = todo(outcome.call), message.rstrip(".")
    match outcome.code:
        case "rejected_by_user":
            return f"I did not {what}: you rejected it{_reason(message)}."
        case "rejected_by_approver":
            return f"I did not {what}: somebody else who had to agree rejected it{_reason(message)}."
        case code if code == BEYOND_LIMIT:
            return f"I did not {what}. {told}."
        case "nobody_answered":
            return f"I did not {what}: nobody answered the card. Ask me again when you want it done."
        case "outcome_unknown":
            return f"I tried to {what}, and it is not known whether that happened. Please look before you ask me again."
        case "superseded_by_reply":
            return f"I did not {what}, as you said something else."
        case "denied_by_policy":
            return f"I am not allowed to {what}, so I did not. {message.removeprefix(_DENIED).strip()}".strip()
        case code if code == NOTHING_TO_DO:
            return f"{told}."
        case "not_connected" | "missing_scope" | "needs_reconnect":
            return f"I could not {what}. {told or 'No working account is connected'}."
        case code:  # what to try is said to the model, not to people
            return f"I could not {what}. {told}." if told else f"I could not {what}: {code}."


def stopped(outcomes: Iterable[Outcome]) -> str:
    """The answer when tools are off and the work is not finished."""
    outcomes = list(outcomes)
    worked = [outcome for outcome in outcomes if outcome.error is None]
    changed = [done(outcome) for outcome in worked if _changes(outcome.call)]
    looked = len(worked) - len(changed)
    times = "once" if looked == 1 else f"{looked} times"
    lines = [
        "The work is not finished.",
        *([f"So far I looked things up {times}."] if looked else []),
        *(changed or ["Nothing was changed."]),
        *[failed(outcome) for outcome in outcomes if outcome.error is not None],
    ]
    return " ".join(lines)


def _changes(call: Call) -> bool:
    return call.name not in _LOOKS and todo(call) != _run(call.name)


def _run(name: str) -> str:
    """Of a tool without words of its own, such as an agent: `run the mail clerk`."""
    return f"run the {name.replace('_', ' ')}"


def _past(outcome: Outcome) -> str:
    summary = outcome.response.get("summary")
    return str(summary).rstrip(".") if summary else f"Done: {todo(outcome.call)}"


def _reason(message: str) -> str:
    """Somebody's own words out of `… The reason given: …` and `… The reason that they gave: …`."""
    found = _GIVEN.search(message)
    return f" ({literal(found['reason'].strip().rstrip('.'))})" if found else ""


def _addresses(value: Any) -> str:
    if isinstance(value, list):
        return listed([str(item) for item in cast("list[object]", value)])
    return str(value)


def _moment(value: Any) -> str:
    """A local time as people say it; another text stays as it is."""
    text = str(value)
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return text.replace("T", " ")
    day = spoken_day(at)
    return f"{day}, {at:%H:%M}" if "T" in text else day
