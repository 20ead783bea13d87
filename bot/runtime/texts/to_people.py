"""What people are told by the runtime itself, when a run did not end in an answer or a click does not count.

Every sentence says what happened, what was not done, and the next step. What the model is told stands in
`bot.runtime.texts.to_model`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from bot.domain.actions import UNDONE, Action, ActionState
from bot.domain.deliveries import RefusalReason
from bot.domain.files import MessageFile
from bot.domain.runs import Run
from bot.domain.threads import Surface
from bot.llm.model import ModelError, ModelMisconfigured, ModelUnavailable, QuotaExhausted
from bot.runtime.texts.about_times import short
from bot.runtime.texts.inert_markdown import in_markdown
from bot.tools.plans import PROPOSE_PLAN
from integrations.errors import Lack
from integrations.text import counted, listed
from policies.characters import quoted

CONNECT_CARDS = {
    Lack.ACCOUNT: (
        "Connect your Google account?", "Connect Google",
        "No Google account of yours is connected at the moment.",
    ),
    Lack.SCOPE: (
        "Allow more with your Google account?", "Allow more",
        "The connected account does not allow me to do this yet.",
    ),
    Lack.CREDENTIALS: (
        "Connect your Google account again?", "Connect Google again",
        "Google does not accept the connection any more: it was revoked, it expired, or your password changed.",
    ),
}  # fmt: skip
"""The title of a card that asks for an account, its button, and why it asks now."""

NOT_CONNECTED_NOW = "No account was connected."
OTHER_ACCOUNT = "Another account was connected than the one this was meant for."
STOPPED = "Stopped."  # also when its request was deleted
NOBODY_ANSWERED = "Nobody answered in time, so I stopped here."
STEP_LIMIT = "I reached the limit of steps for one request and stopped here."
NOT_CONNECTED = (
    "No working Google account is connected for you, so I could not do this, and nothing was changed. "
    "Ask your administrator: connecting accounts is not set up here yet."
)
NOT_ALLOWED = (
    "Your Google account is connected, but does not allow this, so I could not do it, and nothing was changed. "
    "Ask your administrator: connecting accounts is not set up here yet."
)
CLIENT_REFUSED = (
    "Google does not accept this installation (GOOGLE_CLIENT_ID with GOOGLE_CLIENT_SECRET), so nothing was done. "
    "An administrator can find out more with: countersign doctor."
)
GUEST = (
    "I only work for full members of this workspace, and yours is a guest account, so I did nothing. "
    "Ask a member of the workspace to help you."
)
NO_PERSON = "I only work for active members of this workspace, so I did not start."
NO_PROFILE = (
    "I could not find out from Slack who you are, so I did not start. Please ask again in a minute; if it happens "
    "again, tell your administrator."
)
NOT_TO_BE_TRIED = frozenset({GUEST, NO_PERSON})
"""Failures that another try does not mend."""

OUTSIDER = (
    "I only work for members of this workspace, and this message came from outside it, so I did not start. "
    "Ask a member of the workspace to help you with this."
)
EMPTY = "Your message had no text in it, so there is nothing for me to do yet. Tell me what you need, in a sentence."
NO_ANSWER = "It did not answer in time."
NEVER_HAPPENED = "It was tried several times and certainly did not happen."
BROKEN = "Something went wrong on my side, so it was not done."
KEEPS_CHANGING = "It changed again and again while I tried, so it was not done."
NOTHING_TO_STOP = "Nothing of yours is running here, so there is nothing to stop."
EXPIRED = (
    "This question has expired, so nothing was done. If the card offers “Ask again”, press it; "
    "otherwise tell me in words."
)
USE_THE_BUTTONS = (
    "I only count the buttons as your decision, so nothing was done yet. Please press one on the card, or tell me in "
    "words what should be different."
)
EDITED = (
    "You changed your message after I had begun, so I go on with what it said at first. "
    "If something should be different, write a reply here, or “stop”."
)
HANDED_ON = "What you wrote meanwhile comes next, as a request of its own."
WITHDRAWN = "What you wrote meanwhile is not followed up either; write it again if you still need it."
REFUSALS = {
    RefusalReason.EMPTY: EMPTY,
    RefusalReason.OUTSIDER: OUTSIDER,
    RefusalReason.NOTHING_TO_STOP: NOTHING_TO_STOP,
    RefusalReason.BUTTONS: USE_THE_BUTTONS,
    RefusalReason.EDITED: EDITED,
}
FORGOTTEN_MEMORY = "Forgotten: it is erased from my memory. What was said about it stays in the conversation."
SCHEDULE_REMOVED = "removed, so it will not come any more."
SCHEDULE_TAKEN_BACK = "undone, so it will not come any more."
GONE_ALREADY = "That was undone already, or is gone."
NOT_YOURS_TO_UNDO = "Only the person it was done for can undo this."
HELD_DONE = "Too late to undo: it is already done."
HELD_UNDONE = "This was undone already."
HELD_BEGUN = "This is being done right now, so it cannot be changed any more."
HELD_OVER = "This is not scheduled any more, so nothing was changed."
HEARD = "I go on with your earlier request, and take this into account."
NOTED = "Noted: the step hears this when it begins. Its card still waits for your decision."
NOT_PAUSED = "This request is not paused, so there is nothing to continue."
GOES_ON = "I am already going on with this request."
WAITS = "This request waits for you: decide on its card in Slack, or answer its question."
DELETED = "The request was deleted, so I do nothing more for it. Write it again if you still need it."
NOT_FAILED = "This request did not fail, so there is nothing to try again."
DEADLINE_OVER = "The deadline is over, so I begin nothing more."
NOT_KEPT = "What was asked here, or what I did for it, is not kept any more."
FORGOTTEN = f"{NOT_KEPT} Please ask again in your own words."
TRIED_ALREADY = "This request was tried again already. A later failure is that of the newer try: try that again."
CLOSED = "The request has gone on without this, so it is not asked again. Tell me in words if you still need it."
ASKED_ALREADY = "This was asked again already: use the newer card."
AT_A_LIMIT = "This request stopped at a limit. {continue_it}, and I ask again."
CONTINUE_IT = {
    Surface.SLACK: "Press “Continue” under my last answer to it",
    Surface.HTTP: "Continue it where you asked for it",
}
DECIDED_MEANWHILE = "This was decided a moment ago."
HELD_AS_IT_IS = "This can only be done as it is, or not at all. To change it, reject it and ask me again."
NOT_EDITABLE = "This cannot be changed any more, only decided: an attempt may have happened already."
NOT_KNOWN = "This card is not known here any more, so nothing was done."
TOO_MANY_DESTINATIONS = (
    "This reaches more people than a card can show, so it cannot be approved. Edit it to reach fewer, or reject it and "
    "ask for several smaller ones."
)
NOT_IN_TURN = "This waits for <@{reader}> now, so nothing was changed by this."
STANDS_IN_NO_MORE = "The time in which you stood in for somebody is over, so nothing was changed by this."
OTHER_REJECTED = "Somebody who had to agree rejected it."
NOT_ITS_BUTTON = "This button does not answer this question."
CHECK_FIRST = (
    "You did not name everything that this touches, so a plain yes does not count. Press “Check and approve…” on the "
    "card, or reject it."
)
READ_FIRST = (
    "This says more than its card shows, so a plain yes does not count, and nothing was approved. Press “Read and "
    "approve…” on the card, and read all of it. Where there is no such button, edit it or reject it."
)
NOT_CONFIRMED = "What you filled in is not what this would do, so nothing was approved."
NOTHING_TO_EDIT = "Nothing on this card can be changed in a form. Reply in words, and I make a new one."
UNCHANGED = "Nothing was changed, so the card stays as it is."
SAY_THIS_FIRST = "Please fill this in first: it cannot be done without it."
INVALID_EDIT = "This cannot be saved yet."
YOU_REJECTED = "You rejected this."
SUPERSEDED = "You replied in words instead."
MODEL_UNUSABLE = (
    "The language model gave me nothing that I could use, several times in a row, so I stopped. "
    "Please ask again, perhaps in other words."
)
DOOM_LOOP = (
    "The language model kept repeating exactly the same call, so I stopped it. "
    "Please ask again in other words, or in smaller steps."
)
ANSWER_CUT = "\n\n(My answer was cut here: it reached the model’s length limit.)"


def with_unread(text: str, files: Sequence[MessageFile]) -> str:
    """An answer, and under it which files were not read and why; those of one reason stand together."""
    unread = defaultdict[str, list[str]](list)
    for file in files:
        unread[file.state.caption].append(quoted(file.name))
    told = "; ".join(f"{listed(names)} ({why})" for why, names in unread.items())
    return f"{text}\n\nI did not read {told}." if told else text


def stopped(actions: Sequence[Action], *, copied_at: datetime | None = None) -> str:
    """The end of a stopped request, and what was done. `copied_at` is given where a copy of the database took its place
    while the request was under way: then nobody knows that nothing was changed.
    """
    if copied_at is None:
        return joined(STOPPED, ledger(actions))
    return "\n".join([_restored(copied_at), *ledger(actions, copied_at=copied_at)])


def _restored(copied_at: datetime) -> str:
    return (
        f"Stopped: an older copy of my memory was put back, and it knows nothing after {short(copied_at, 'UTC')}. "
        "What was done for this request after that is not known here. Ask again for what is missing."
    )


def unknown_tool(names: Sequence[str]) -> str:
    """To people: the model called what does not exist."""
    listed = ", ".join(quoted(name) for name in names[:3])
    return (
        f"The language model tried to use {listed}, which does not exist here, so I stopped before doing anything of "
        "that step. Please ask again, perhaps in other words."
    )


_DID = {
    ActionState.COMPLETED: "done",
    ActionState.FAILED: "not done, it failed",
    ActionState.DENIED: "not done, policy does not allow it",
    ActionState.REJECTED: "not done, you rejected it",
    ActionState.EXPIRED: "not done, nobody answered",
    ActionState.CANCELLED: "not done",
    ActionState.UNKNOWN: "it is not known whether this happened",
    ActionState.EXECUTING: "it is not known whether this happened",
}


_WHY_NOT = {
    "after_deadline": "not done, the deadline was over",
    "superseded_by_reply": "not done, you replied in words",
    "rejected_by_approver": "not done, somebody who had to agree said no",
    "other_account": "not done, another account is connected",
    "not_connected": "not done, you did not want to connect an account for it or to allow more",
}
"""By what the model was told of an action to which neither its owner nor policy said no."""


def outcome(action: Action) -> str:
    """One action's end in words; doubt is always said."""
    said = "not done, it is beyond the limit" if action.is_beyond_limit else _DID.get(action.state, "not done")
    if action.state in {ActionState.REJECTED, ActionState.DENIED}:
        said = _WHY_NOT.get(action.error_code, said)
    if action.is_needless:
        said = "nothing had to be done"
    if action.undo == UNDONE:
        said = "undone"
    if action.is_scheduled:
        said = "scheduled" if action.is_waiting else _within_a_sentence(action.summary)
    doubtful = action.doubt and action.state not in {ActionState.UNKNOWN, ActionState.EXECUTING}
    return f"{said} (attempt {action.attempt} may have happened)" if doubtful else said


def _within_a_sentence(said: str) -> str:
    """Sentences as a part of another: “Undone. Nothing was sent.” is “undone, nothing was sent”."""
    return f"{said[:1].lower()}{said[1:]}".rstrip(".").replace(". ", ", ").replace(", Nothing", ", nothing")


def held_outcome(action: Action) -> str:
    """What came of something that was held back until its moment."""
    if action.state is ActionState.COMPLETED and not action.doubt:
        return f"Done: {action.caption}. {action.summary}".strip()
    detail = f" {action.summary}" if action.summary else ""
    return f"What was scheduled, {action.caption}: {outcome(action)}.{detail}"


def held_end(action: Action) -> str:
    """The same for the action that asked for it, on whose card it stands."""
    if action.state is ActionState.COMPLETED and not action.doubt:
        return "Done."
    if action.state is ActionState.CANCELLED and not action.doubt:
        return "Undone. Nothing was sent."
    return f"At the scheduled time: {outcome(action)}."


def taken_back(count: int) -> str:
    """What “stop” did where nothing else was under way."""
    if count == 0:
        return HELD_BEGUN
    things = "what was scheduled is" if count == 1 else f"{count} scheduled things are"
    return f"Stopped: {things} taken back and will not be done."


def ledger(actions: Sequence[Action], *, copied_at: datetime | None = None) -> list[str]:
    """A line per action that changed or would have changed something; with none, what was looked at, and the outermost
    agents. `copied_at` as in `stopped`.
    """
    told = _worth_telling(actions)
    left = 0 if any(action.is_change for action in told) else len(_seen(actions)) - len(told)
    before = [f"• {counted(left, 'other lookup')} before"] if left > 0 else []
    return [*before, *(f"• {_said_of(action, copied_at)}" for action in told)]


def in_captions(actions: Sequence[Action]) -> list[str]:
    """The same for the model, in the words of its own calls: a summary may hold a title that somebody else gave. The
    tasks that came to their end are told, too, whatever they changed.
    """
    return [_by_caption(action, None) for action in _worth_telling(actions, ended=True)]


def _worth_telling(actions: Sequence[Action], *, ended: bool = False) -> Sequence[Action]:
    seen = _seen(actions)
    given = [one.id for one in seen if ended and one.child and one.state is ActionState.COMPLETED]
    told = [action for action in actions if action.is_change or action.id in given]
    return told or seen[-5:]


def _seen(actions: Sequence[Action]) -> Sequence[Action]:
    """What is told where nothing would have changed anything."""
    agents = {action.child for action in actions if action.child}
    return [one for one in actions if (one.child is None or one.run_id not in agents) and not _is_plan(one)]


def _said_of(action: Action, copied_at: datetime | None) -> str:
    """What its card and its own line say, where it was done; else what it is, and what came of it."""
    if action.is_told and action.summary and not action.is_scheduled:
        summary = " ".join(action.summary.split())
        return summary if action.is_side_effect or action.undo == UNDONE else f"{action.caption}: {summary}"
    return _by_caption(action, copied_at)


def _by_caption(action: Action, copied_at: datetime | None) -> str:
    return f"{action.caption}: {_came_of(action, copied_at)}{_left_by(action)}"


def _is_plan(action: Action) -> bool:
    """Whether it proposed a plan: that it was confirmed does not say that anything was done."""
    return action.tool == PROPOSE_PLAN


def _came_of(action: Action, copied_at: datetime | None) -> str:
    if copied_at is None or action.state is not ActionState.UNKNOWN:
        return outcome(action)
    return f"may have been done after the copy was made ({short(copied_at, 'UTC')})"


def _left_by(action: Action) -> str:
    """What a stopped action left behind, in words for people."""
    stopped = action.state in {ActionState.APPROVED, ActionState.CANCELLED} and not action.is_scheduled
    return f". {action.summary}" if stopped and action.summary else ""


def done(actions: Sequence[Action]) -> str:
    """What a request did that ended without words; what is only scheduled is not done yet."""
    waits = any(action.is_waiting for action in actions)
    return joined("Done for now." if waits else "Done.", ledger(actions))


def unanswered(actions: Sequence[Action]) -> str:
    """Why a run paused whose card nobody answered, said once, and what was not done for it."""
    silent = {action.id for action in actions if action.state is ActionState.EXPIRED and not action.doubt}
    lines = [
        f"• {action.caption}: not done" if action.id in silent else f"• {_said_of(action, None)}"
        for action in _worth_telling(actions)
    ]
    return joined(NOBODY_ANSWERED, lines)


def joined(lead: str, lines: Sequence[str]) -> str:
    """A lead sentence and the ledger under it, as Markdown."""
    return _under(lead, [in_markdown(line) for line in lines])


def _under(lead: str, lines: Sequence[str]) -> str:
    return "\n".join([lead, *lines]) if lines else f"{lead} Nothing was changed."


def run_failed(run: Run, actions: Sequence[Action]) -> str:
    """An error that nobody foresaw, with the id to quote, and what was done until then."""
    lead = (
        "Something went wrong on my side and I stopped. "
        f"Please try again; if it happens again, tell your administrator this id: {run.id}."
    )
    return _under(lead, ledger(actions))


def safety_stop(detail: str) -> str:
    """To people: the model's own filter stopped it."""
    return (
        f"The language model’s safety filter stopped this step ({detail or 'blocked'}), "
        "and nothing of it was done. Please ask again in other words."
    )


_KEEPS_WORKING = {
    Surface.SLACK: "buttons and /agent keep working",
    Surface.HTTP: "what waits for you in Slack can be decided meanwhile",
}


def model_failed(error: ModelError, surface: Surface) -> str:
    """To people who asked there: the model could not answer. The detail stays in the log."""
    match error:
        case QuotaExhausted(daily=True):
            return (
                "The language model’s daily quota is used up, so I stopped. It works again tomorrow, or when an "
                "administrator raises the quota."
            )
        case QuotaExhausted():
            return "The language model’s quota is used up, so I stopped. Please try again later."
        case ModelUnavailable():
            return (
                "The language model cannot be reached or is overloaded right now, so I stopped. Please try again in a "
                f"few minutes; {_KEEPS_WORKING[surface]}."
            )
        case ModelMisconfigured():
            return (
                "The language model refused this installation’s key or model name, so I cannot answer. An "
                "administrator must check GEMINI_API_KEY and GEMINI_MODEL."
            )
        case _:
            return (
                "The language model refused this request, so I stopped. Please try it again, ask in other words, or "
                "start a new thread."
            )
