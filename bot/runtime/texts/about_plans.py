"""What is said of plans: to the model that makes one, and to people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime

from bot.domain.limits import Limit, Limits
from bot.domain.plans import TASK_ID, ChangeKind, PlanChange, PlanTask, TaskStatus
from bot.domain.runs import Run, RunState
from bot.runtime.texts import about_limits, about_times
from integrations.text import counted, in_one_line, listed

NAME = "Plan"
TITLE = "Is this the plan?"
ASKED_BECAUSE = "Nothing of a plan is done before you confirm it."
MUST_PROPOSE = "You have not proposed a plan. Look up what you need, then call propose_plan."
NOTHING_PROPOSED = "I made no plan of this, also after I was reminded. Say in other words what you want to reach."
AS_IT_WAS = "The plan could not be changed, so this is the one of before. {why}"
MANY_ADDED = "More than {most} tasks were added since you confirmed it. Is the rest still what you want?"
DONE_SO_FAR = "Begun so far"
TO_DO, NOTHING_LEFT = "To do", "Nothing more. Confirm ends the plan."
MAY_USE, MAY_STILL_USE = "It may use", "It may still use"
NOT_AT_ITS_LIMIT = "This request does not rest at its limit of steps any more, so no plan was made of it."
FORGOTTEN = "What was asked is not kept any more, so no plan can be made of it. Please ask again."
SAY_WHAT = "Say what is to be different."
NO_PLAN = "This card shows no plan, so nothing was changed."
ONE_AT_A_TIME = "A plan waits for its answer already. Propose one plan, in one call."
NOT_NOW = "There is no plan to be made in this conversation."
NOT_MADE = "No plan is made yet. “Continue” goes on with it."
NOT_CHANGED = "The plan is not changed yet. “Continue” goes on with that, and asks you before anything is done."
NOT_CONFIRMED = "The plan was not confirmed. “Continue” asks you about it again."
NOT_CONFIRMED_IN_TIME = "The plan was not confirmed in time. With a new deadline I ask you about it again."
NOT_MADE_IN_TIME, NOT_CHANGED_IN_TIME = "No plan was made in time.", "The plan was not changed in time."
NOTHING_NEEDED = "Nothing of the plan was done: none of its tasks is needed any more."
CONFIRMED = "Confirmed. It is carried out now."
DROPPED = "Dropped."
NO_PLAN_THEN = "No plan, then. To have another one, ask again, and say what should be different."
REFINED = "To be changed, as you said."
MADE_ALREADY = "A plan is made of this already: see below in this thread."
OVER = "Nothing of this is under way any more, so there was nothing to stop."
STOPS = "This is being stopped already: what is being done at this moment ends first."
MUST_ACT = "You made no call. Make the one call that you chose, with its arguments."
MUST_REASON = "Do not call a tool now. Say in a few sentences what the next call is to find out or to do, and why."
STOPPED_TASK = "The person stopped this task while it was carried out, so do not plan the same again."
NO_CALL_ENDS = (
    "No call ends a task: you are asked afterwards whether it is done. Make the one call that you chose, with its "
    "arguments."
)
ONE_CALL = "One call is made in each round. Decide after it what the next one is."

ROUNDS = (
    "[ROUNDS] You work in rounds. In each you are asked three times: to reason about the one call that comes next, to "
    "make it, and to judge what came of it. Only your summaries reach the person. Ask nothing back; the person may say "
    "something meanwhile."
)

_NAMED = 5  # tasks in a sentence
_BRIEF = 160  # characters of a goal, or a reason, in a line

Response = Mapping[str, object]


def confirmed(revision: int) -> Response:
    """To the model: the plan is carried out."""
    return {"output": {"confirmed": True, "revision": revision}, "trust": "owner"}


def to_be_changed(words: str = "") -> Response:
    """To the model: its owner wants it different. What they wrote follows as their next message, or stands here."""
    note = "The person wants the plan changed. Change it as they say, then call propose_plan with the whole plan."
    return {"output": {"confirmed": False, "note": note, **({"words": words} if words else {})}, "trust": "owner"}


def dropped() -> Response:
    """To the model: nothing comes of it."""
    return {"output": {"confirmed": False, "note": "The person dropped the plan."}, "trust": "owner"}


def no_such_agents(wrong: Sequence[str], known: Sequence[str]) -> str:
    """To the model: these names are no agents that a task can be given to."""
    can = f"Those that can are {', '.join(known)}." if known else "There is none that can."
    return f"A task cannot be given to {', '.join(wrong)}. {can} Leave “agent” out for what you do yourself."


def not_by_hand(wrong: Sequence[str]) -> str:
    """To people: the same of tasks in a window, where nobody writes the name of an agent."""
    return f"A task cannot be given to {', '.join(wrong)}. Empty the field of that task, and write it as a new one."


def amounts(granted: Limits) -> str:
    """To people: what a confirmed plan may use at most."""
    named = [
        about_limits.amount(limit, most)
        for limit in (Limit.CARDS, Limit.EFFECTS, Limit.COST)
        if (most := granted.of(limit)) is not None
    ]
    return ", ".join(named)


def changed(change: PlanChange) -> str:
    """To people: what a plan changed of itself, and why."""
    match change.kind:
        case ChangeKind.ADD:
            what = f"“{change.title.rstrip('. ')}” was added"
        case ChangeKind.CHANGE:
            by = f"by the agent {change.agent}" if change.agent else ""
            what = f"task {change.id} was changed: {', '.join(filter(None, [_brief(change.goal or change.title), by]))}"
        case ChangeKind.OBSOLETE:
            what = f"task {change.id} was dropped"
    return f"{what} ({_brief(change.why)})."


def _brief(text: str) -> str:
    line = " ".join(text.split()).rstrip(".")
    return line if len(line) <= _BRIEF else f"{line[: _BRIEF - 1]}…"


# Its end ------------------------------------------------------------------------------------------------------

_MARKS = {
    TaskStatus.PENDING: "○",
    TaskStatus.EXECUTING: "▸",
    TaskStatus.COMPLETED: "✓",
    TaskStatus.FAILED: "✗",
    TaskStatus.OBSOLETE: "–",
}
_SAID = {TaskStatus.PENDING: "not begun", TaskStatus.OBSOLETE: "not needed any more", TaskStatus.EXECUTING: "not ended"}


def until(deadline: datetime, zone: str) -> str:
    """To people: its deadline with the zone, which Slack's own moments leave out."""
    return f"To be done by {about_times.with_zone(deadline, zone)}"


def so_far(tasks: Sequence[PlanTask], state: RunState) -> str:
    """To people: how much of a confirmed plan is done, and how it stands where it is not under way."""
    done = sum(task.status is TaskStatus.COMPLETED for task in tasks)
    return f"{done} of {counted(len(tasks), 'task')} done{_STANDS.get(state, '')}"


_STANDS = {
    RunState.PAUSED: ", paused",
    RunState.CANCELLED: ", stopped",
    RunState.FAILED: ", not carried out in full",
}


UNCONFIRMED = "not confirmed, paused"
OVER_BY_NOW = ": its deadline is over"


def account(tasks: Sequence[PlanTask]) -> str:
    """What came of every task, in Markdown."""
    return "\n".join(f"{_MARKS[task.status]} {task.id}. {_title(task)}: {_came_of(task)}" for task in tasks)


def _title(task: PlanTask) -> str:
    """On its line, and without the full stop that a model may have written, as more follows."""
    return in_one_line(task.title).rstrip(". ")


def _came_of(task: PlanTask) -> str:
    said = in_one_line(task.summary)
    if task.status in _SAID:
        was_begun = task.status is TaskStatus.PENDING and bool(said)  # it is one that a pause put back
        stands = _SAID[TaskStatus.EXECUTING if was_begun else task.status]
        return f"{stands}. {said}".rstrip(" .") + "."
    return said or task.status.value


def done_before(titles: Sequence[str]) -> str:
    """What stays done of a plan that is tried again."""
    named = [f"“{title}”" for title in titles[:_NAMED]]
    more = [counted(len(titles) - _NAMED, "other task")] if len(titles) > _NAMED else []
    return f"Done already, before it was tried again: {listed([*named, *more])}."


def ended(tasks: Sequence[PlanTask], *, failed: Sequence[PlanTask]) -> str:
    """How the plan ended, and what came of every task; `failed` are those that nothing took the place of."""
    if failed:
        names, theirs = listed([f"“{_title(task)}”" for task in failed]), "its" if len(failed) == 1 else "their"
        lead = f"The plan is not carried out in full: {names} failed, and nothing was done in {theirs} place."
    elif any(task.status is TaskStatus.COMPLETED for task in tasks):
        lead = f"The plan is carried out: {', '.join(_counts(tasks))}."
    else:
        lead = NOTHING_NEEDED
    return f"{lead}\n\n{account(tasks)}"


def _counts(tasks: Sequence[PlanTask]) -> Sequence[str]:
    """How many tasks ended in which way."""
    of = Counter(task.status for task in tasks)
    failed, obsolete = of[TaskStatus.FAILED], of[TaskStatus.OBSOLETE]
    return [
        f"{counted(of[TaskStatus.COMPLETED], 'task')} done",
        *([f"{failed} failed and {'was' if failed == 1 else 'were'} done in another way"] if failed else []),
        *([f"{obsolete} not needed any more"] if obsolete else []),
    ]


# Tasks --------------------------------------------------------------------------------------------------------


def wanted_for(run: Run) -> str:
    """To people, on a card: the task whose run wants it; nothing where no task does."""
    if run.phase is None or not run.phase.is_of_task:
        return ""
    return f"Wanted for task {(run.inputs or {})[TASK_ID]} of the plan."


def said_of(run: Run) -> str:
    """What a task's run left, in words: why it failed, or what it has."""
    return run.error or run.summary or run.partial


UNREADABLE = "That was not the JSON that was asked for: {why}. Answer with it alone."
PERSISTS = "The same error came three rounds running: {code}."

# Deadlines ----------------------------------------------------------------------------------------------------

NO_MOMENT = "“{text}” is no date and time. Write it as 2026-11-27 17:00, or with an offset: 2026-11-27T17:00+01:00."
NO_ZONE = "A deadline is a point in time, so it is given with a zone."
NO_SUCH_ZONE = "There is no time zone “{zone}”. Write its name as Europe/London."
TOO_FAR = "That deadline is more than a year away. Name a nearer one."
HELD_TOO_LATE = "The deadline of the plan was over before this could begin, so it was not done."
NAME_EARLIER = "name an earlier time, or say in your summary that this is not done"
NOT_ASKED_LATE = "The deadline of this plan is over, so nothing is asked again. {continue_it}, and name a new one."
NOT_BEGUN_LATE = "The deadline of the plan is over, so this is not begun any more."
NEEDS_DEADLINE = "The deadline of this plan is over. Press Continue again to name a new one."
SEND_DEADLINE = "The deadline of this plan is over. Send a new one as “deadline”."
KEEPS_DEADLINE = "No deadline of this is over, so it takes no new one."


def is_over(at: datetime, now: datetime, zone: str) -> str:
    """A deadline in the past."""
    deadline, present = about_times.with_zone(at, zone), about_times.with_zone(now, zone)
    if deadline == present:
        return f"The deadline {deadline} is over: that minute has begun."
    return f"The deadline {deadline} is over: now it is {present}."


def due_too_late(moment: datetime, deadline: datetime, zone: str) -> str:
    """To the model and to people: what could be begun only then is not begun at all."""
    due, over = about_times.with_zone(moment, zone), about_times.with_zone(deadline, zone)
    return f"It would begin at {due}, and from the deadline of the plan on, {over}, nothing is begun. It was not done."


def choose_earlier(deadline: datetime, zone: str) -> str:
    """To people who choose the moment of an action."""
    return f"Choose a time before the deadline of the plan, {about_times.with_zone(deadline, zone)}."


def skipped(naive: datetime, zone: str, choices: Sequence[str]) -> str:
    """A time that the clocks leave out, with its two neighbours."""
    return (
        f"{naive:%Y-%m-%d %H:%M} does not exist in {zone}, where the clocks go forward. Write {' or '.join(choices)}."
    )


def twice(naive: datetime, zone: str, choices: Sequence[str]) -> str:
    """A time that the clocks show twice, with both."""
    lead = f"{naive:%Y-%m-%d %H:%M} comes twice in {zone}, where the clocks go back."
    return f"{lead} Write {' or '.join(choices)}."


# For who asks without Slack -----------------------------------------------------------------------------------

SAY_WHAT_FOR = "Say what the plan is to reach."
TOO_LONG = "That has {characters:,} characters, and {most:,} are taken. Say it in fewer words."
HALF_CHARACTER = "The text has half of a character that takes two; write it whole."
NO_SUCH_PLAN = "There is no plan {session_id} of this person."
IS_CONFIRMED = "Revision {revision} was confirmed already, so no other one can be."
GIVE_DEADLINE = "The deadline of this plan is over. Give a new one with --deadline."
NOT_OVER = "This plan is {status}. Only one whose deadline is over takes another deadline."
ASKED_ANEW = "What is asked about now, revision {revision}, was not confirmed. Read it, and confirm it first."
NOT_ASKED = "Nobody is asked about this plan now: it is {status}."


def is_older(revision: int, shown: int) -> str:
    """Somebody wants to confirm a plan as it was."""
    return f"What is to be confirmed is revision {shown}, not {revision}. Read it first."
