"""What the runtime itself tells the model: in the place of a result, beside one, and when it is asked again.

A call without a result is answered in the one form in which tools refuse (`integrations.errors.ToolError.as_error`):
`{"error": {code, retryable, message, try}}`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import cast

from bot.domain.actions import Action, ActionState
from bot.domain.files import FileState, MessageFile
from bot.domain.runs import SILENCE, Run, RunState
from bot.llm.wire import encode
from integrations.base import Json
from integrations.fences import untrusted

Response = Mapping[str, object]
"""What goes back to the model for one call, as JSON."""

HANDLED_APART = "(This request is handled on its own. It is not part of the next one, and must not be done again.)"
ANSWERED_IN_WORDS = "The person answered the question in words of their own. Go on with what was said."
NONE_OF_THESE = "The person says that it is none of these. Do not guess: ask in words what is meant."
SCHEDULED = (
    "It happens at that time without you, unless the person undoes it before. What you say of it is read later, too: "
    "say that it happens then unless undone, never that it is not done yet. Do not call it again."
)
STEERED = "(The person said this while you were at work. It counts for the request that you are working on.)"
NOT_SHOWN = (
    "(Your answer above was not shown: meanwhile the person said the following. Answer anew, so that one answer covers "
    "everything.)"
)
CONTINUED = (
    "[The person pressed “Continue”: there is a fresh allowance and tools are on again. Go on where you stopped, and "
    "do nothing twice.]"
)
RETRY_EMPTY = "Your last answer was empty or malformed. Answer again: either call a declared tool, or answer in words."
RETRY_LONG = "Your last answer was cut at the length limit and none of its calls was executed. Be much shorter."
RESULT_CHARACTERS = 100_000
"""Of one result that the model is told, as JSON: every later call sends it again. Our own tools say less by far."""
FILE_FORGOTTEN = "(A file that came with this is not kept any more.)"
FILE_REFUSED = f"(Not read: {FileState.REFUSED.caption}. The person is told that under your answer.)"


def file_unread(file: MessageFile) -> str:
    """In the place of a file that was not read."""
    return f"(The file “{file.name}” was not read: {file.state.caption}. The person is told that under your answer.)"


def file_left_out(file: MessageFile) -> str:
    """In the place of a file that was read, and has no place in this call."""
    return f"(The file “{file.name}” is left out here, because of newer files.)"


# In the place of a result -----------------------------------------------------------------------------------------


def output(data: Json) -> Json:
    """What a tool returned, as the model is told it: of more than it is told at once, only the beginning, as a text."""
    whole = encode(data)
    left_out = len(whole) - RESULT_CHARACTERS
    if left_out <= 0:
        return data
    told = f"Only the beginning of the result: {left_out:,} more characters were left out. Ask for less at once."
    return {"cut": told, "beginning": untrusted(whole[:RESULT_CHARACTERS], source="the result of a tool")}


def error(code: str, message: str, *, retryable: bool = False, hint: str = "") -> dict[str, object]:
    """A failure as the model reads it."""
    told: dict[str, object] = {"code": code, "retryable": retryable, "message": message}
    return {"error": told | ({"try": hint} if hint else {})}


def rejected(reason: str) -> Response:
    """A person said no."""
    said = f" The reason given: {reason}" if reason else ""
    return error("rejected_by_user", f"The person rejected this. It was not done; do not try it again.{said}")


def rejected_by_other(reason: str) -> Response:
    """Somebody besides the person had to agree, and said no."""
    said = f" The reason that they gave: {reason}" if reason else ""
    told = f"Somebody else who had to agree to this rejected it. It was not done; do not try it again.{said}"
    return error("rejected_by_approver", told)


def not_connected_now() -> Response:
    """A person does not want to connect an account for this."""
    told = "What it needs of an account was not connected or allowed, so it was not done."
    return error("not_connected", told, hint="say so, and do not try it again")


def other_account() -> Response:
    """A person connected another account than the one that this was about."""
    told = "The person connected another account than the one this was meant for. It was not done."
    return error("other_account", told, hint="if it is still wanted, do it anew with the account that is connected now")


def superseded() -> Response:
    """A person replied in words instead of deciding."""
    told = "The person replied in words instead of deciding. It was not done; what was said follows."
    return error("superseded_by_reply", told, hint="do as the reply says")


def denied(reason: str) -> Response:
    """Policy said no."""
    return error("denied_by_policy", f"Policy does not allow this, and it was not done. {reason}".strip())


def expired() -> Response:
    """No answer in time counts as a no."""
    return error("nobody_answered", "Nobody answered the approval card in time. It was not done.")


def cancelled(action: Action) -> Response:
    """The run ended first."""
    doubt = f" Attempt {action.attempt} may have happened." if action.doubt else ""
    return error("cancelled", f"The request was stopped before this was done.{doubt}")


def outcome_unknown(where: str) -> Response:
    """It may have happened."""
    look = f" Look here: {where}" if where else ""
    return error("outcome_unknown", f"It is not known whether this happened. Do not repeat it.{look}")


def unsettled(action: Action) -> Response:
    """Whatever state a call without a response was left in."""
    match action.state:
        case ActionState.UNKNOWN:
            return outcome_unknown("")
        case ActionState.EXPIRED:
            return expired()
        case _:
            return cancelled(action)


def handed_over(child: Run) -> Response:
    """What an agent that was given work hands over, however it ended; what others wrote is in it."""
    trust = {"trust": child.label.value}
    if child.state is RunState.COMPLETED:
        return {"output": child.summary, **trust}
    so_far = {"handed_over_so_far": child.partial or child.summary, **trust}
    match child.state:
        case RunState.FAILED:
            told = f"The agent failed: {child.error}"
            return error("agent_failed", told, hint="go on without its result, or say that it failed") | so_far
        case RunState.CANCELLED:
            by = " by the person" if child.stopped_by == child.user else ""
            told = f"The agent was stopped{by} before it was done."
            return error("cancelled", told, hint="do not begin it again unasked; say that it was stopped") | so_far
        case _ if child.stop_code == SILENCE:
            return error("nobody_answered", "Nobody answered what the agent asked, so it did not finish.") | so_far
        case _:
            return {"output": {"status": "paused", "reason": child.stop_code, "summary": child.summary}, **trust}


def too_many_calls(most: int) -> Response:
    """A call beyond the cap of one step."""
    return error(
        "too_many_calls",
        f"Only {most} calls of one step are executed; this one was not.",
        retryable=True,
        hint="call it again in a later step if it is still needed",
    )


def repeated() -> Response:
    """The same call once more, as often in a row as the guard against loops allows no more."""
    return error(
        "repeated_call",
        "You just made exactly this call. It was not executed again.",
        hint="try another approach, or answer with what you know",
    )


# Beside a result, or after it -------------------------------------------------------------------------------------


def doubted(response: Response, attempt: int) -> Response:
    """The response, and that an earlier attempt may have happened."""
    return {**response, "doubt": f"Attempt {attempt} may have happened all the same. Say so, and do not repeat it."}


def edited(response: Response, action: Action) -> Response:
    """The response, and which arguments its owner changed: the model still believes in those of its call."""
    now, called = json.loads(action.args), _called(action)
    differing = {name: value for name, value in now.items() if _differs(called, name, value)}
    note = "The person changed these arguments on the card. They count, not those of your call."
    return {**response, "edited_by_person": {"arguments": differing, "note": note}}


def _called(action: Action) -> Mapping[str, object]:
    """The arguments of the model's call; none where its record was cut."""
    try:
        return json.loads(action.args_proposed)
    except ValueError:
        return {}


def _differs(called: Mapping[str, object], name: str, value: object) -> bool:
    """An argument that the call left out and that is empty is its default."""
    return called[name] != value if name in called else value not in (None, "", [], False)


def held_since(response: Response, action: Action) -> Response:
    """What the model is told of a call that was scheduled, and ended before it was told."""
    return {**response, "output": {"status": "not_scheduled_any_more", "outcome": action.summary}}


def held_now(actions: Sequence[Action]) -> str:
    """What came since of calls that the model knows as scheduled, for its instruction; empty while all of them wait.

    Nobody else's words are in it.
    """
    over = [action for action in actions if action.is_scheduled and not action.is_waiting]
    if not over:
        return ""
    lead = "[SCHEDULED CALLS] What has come of calls that were scheduled; this counts, not their first answer."
    return "\n".join([lead, *(f"- {action.tool} for {_planned_for(action)}: {action.summary}" for action in over)])


def _planned_for(action: Action) -> str:
    output = (action.response or {}).get("output")
    return str(cast("Response", output).get("local_time", "later")) if isinstance(output, Mapping) else "later"
