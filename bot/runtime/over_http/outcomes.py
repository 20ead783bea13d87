"""What came of a request, read from its rows at any time (runtime contract §3)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import cast

from bot.domain.actions import Action, ActionState
from bot.domain.deliveries import card_slot
from bot.domain.questions import AnswerPayload, ConnectPayload, Question, QuestionKind, SettlePayload
from bot.domain.runs import FollowUp, Mode, Run, RunState
from bot.runtime.actions.asking.tool_questions import options_of
from bot.runtime.actions.previews import connect_preview, preview_of
from bot.runtime.questions.follow_ups import follow_up_of, is_remembered
from bot.runtime.texts import about_agents, about_plans, about_requests, to_people
from bot.runtime.texts.inert_markdown import inert_commonmark
from bot.store.unit_of_work import UnitOfWork

APPROVALS = frozenset({QuestionKind.APPROVE, QuestionKind.PLAN})
"""The questions that ask whether something may be done; the others ask for something else."""

DEEPEST = 100
"""How many values of a call's arguments may contain each other, to be told. What is valid has a few."""


class Status(StrEnum):
    """The contract's three; a run that still works has none."""

    COMPLETED = "completed"
    AWAITING = "awaiting_confirmation"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingQuestion:
    """A question that its owner is asked in Slack. `title` is one line, `preview` all that its card shows, as text.
    `card` is where that stands, once it does. `still_to_agree` are those besides its owner who have not agreed.
    """

    id: str
    kind: QuestionKind
    action_id: str
    tool: str
    title: str
    reason: str
    preview: str
    expires_at: datetime
    card: tuple[str, str] | None
    still_to_agree: Sequence[str] = ()

    @property
    def is_approval(self) -> bool:
        """Whether it asks if something may be done."""
        return self.kind in APPROVALS


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A request as it stands. `text` is its answer or what is said in its place, and never empty once it rests.

    `step` names the action that waits, else the newest one, else the message that is the text. `call` is the tool of
    that action with its arguments, without them where they were too long to be kept or too deep to be told. `result` is
    what an agent handed over. `offered` is how its owner can go on with it.
    """

    run_id: str
    thread_id: str
    step: str
    state: RunState
    status: Status | None
    mode: Mode
    model: str
    text: str
    call: tuple[str, Mapping[str, object] | None] | None = None
    waiting: Sequence[WaitingQuestion] = ()
    result: object = None
    stop_reason: str = ""
    offered: FollowUp | None = None

    @property
    def rests(self) -> bool:
        """Whether only people can move it, or nobody."""
        return self.status is not None


def rests(state: RunState) -> bool:
    """Whether a run in this state can only be moved by people, or not at all."""
    return state is RunState.AWAITING or not state.is_live()


async def outcome_of(work: UnitOfWork, run_id: str, *, team: str, user: str) -> Outcome | None:
    """What came of this person's request over HTTP; None where there is no such one."""
    run = await work.records.run(run_id)
    if run is None or run.is_child or (run.team, run.user) != (team, user):
        return None
    thread = await work.threads.find(run.thread_id)
    return await _outcome(work, run) if thread.is_over_http_of(team, user) else None


async def _outcome(work: UnitOfWork, run: Run) -> Outcome:
    actions = await work.actions.of_work(run.id)
    waiting = await _waiting(work, run, actions) if run.state is RunState.AWAITING else []
    status, newest = _status(run, waiting), _newest(actions, waiting)
    said = await work.messages.said_last(run.thread_id, run.id)
    return Outcome(
        run_id=run.id,
        thread_id=run.thread_id,
        step=newest.id if newest else said.id if said else run.id,
        state=run.state,
        status=status,
        mode=_mode([action for action in actions if await _is_done(work, action)], waiting),
        model=run.model,
        text=await _text(work, run, said.text if said else "", actions, waiting) if status else "",
        call=(newest.tool, _arguments(newest)) if newest else None,
        waiting=waiting,
        result=run.output,
        stop_reason=_stop_reason(run),
        offered=await follow_up_of(work, run),
    )


def _status(run: Run, waiting: Sequence[WaitingQuestion]) -> Status | None:
    """A question in words is an answer to the prompt: the next one answers it. Everything else is decided in Slack."""
    match run.state:
        case RunState.COMPLETED:
            return Status.COMPLETED
        case RunState.FAILED | RunState.CANCELLED | RunState.PAUSED:
            return Status.FAILED
        case RunState.AWAITING:
            in_words = bool(waiting) and all(one.kind is QuestionKind.ANSWER for one in waiting)
            return Status.COMPLETED if in_words else Status.AWAITING
        case _:
            return None


def _mode(done: Sequence[Action], waiting: Sequence[WaitingQuestion]) -> Mode:
    if any(one.is_approval for one in waiting):
        return Mode.APPROVAL
    return Mode.TOOL if done else Mode.TEXT


async def _is_done(work: UnitOfWork, action: Action) -> bool:
    """What was scheduled counts, unless it came to nothing since: it was taken back, or it failed at its moment."""
    if action.undo is None or not action.is_scheduled or action.is_waiting:
        return action.state is ActionState.COMPLETED
    return all(one.state is ActionState.COMPLETED for one in await work.actions.of_run(action.undo.subject))


def _newest(actions: Sequence[Action], waiting: Sequence[WaitingQuestion]) -> Action | None:
    """The action that waits, an approval before other questions; else the newest one."""
    if waiting:
        first = next((one for one in waiting if one.is_approval), waiting[0])
        return next((action for action in actions if action.id == first.action_id), None)
    return actions[-1] if actions else None


async def _waiting(work: UnitOfWork, run: Run, actions: Sequence[Action]) -> list[WaitingQuestion]:
    """What is asked, in the order of the calls."""
    tree = [run, *(child for child in await work.runs.below(run.id) if child.state.is_live())]
    asked = [question for one in tree for question in await work.questions.open_of_run(one.id)]
    by_action = {question.action_id: question for question in asked if _has_card(question)}
    return [await _one(work, by_action[action.id], action) for action in actions if action.id in by_action]


def _has_card(question: Question) -> bool:
    return not isinstance(question.payload, ConnectPayload) or question.payload.has_card


async def _one(work: UnitOfWork, question: Question, action: Action) -> WaitingQuestion:
    post = await work.posts.find(question.run_id, card_slot(question.id))
    preview = connect_preview(question, action) if question.kind is QuestionKind.CONNECT else preview_of(action)
    request = await work.runs.request_of(question.run_id)
    match question.payload:
        case AnswerPayload(text=text):
            title, shown = text, about_requests.with_options(text, options_of(question))
        case SettlePayload(where=where):
            title, shown = action.caption, where
        case _:
            title, shown = preview.title, about_requests.in_words(preview)
    return WaitingQuestion(
        id=question.id,
        kind=question.kind,
        action_id=action.id,
        tool=action.tool,
        title=title,
        reason=_reason(question, action),
        preview=shown,
        expires_at=request.ends_by(question.expires_at),
        card=(post.channel, post.ts) if post else None,
        still_to_agree=await _still_to_agree(work, question),
    )


def _reason(question: Question, action: Action) -> str:
    """Why it is asked; policy does not judge a plan."""
    if question.kind is QuestionKind.PLAN:
        return about_plans.ASKED_BECAUSE
    return action.verdict.reason if action.verdict else ""


async def _still_to_agree(work: UnitOfWork, question: Question) -> Sequence[str]:
    """For each approver who has not agreed, the person who is asked, or comes next."""
    if not question.deciders:
        return ()
    agreed = {vote.user for vote in await work.questions.votes(question.id) if vote.is_yes_to(question)}
    over = question.over(agreed) - {question.reader or ""}
    return list(dict.fromkeys(one for each in question.deciders for one in each.at(work.now).waiting(agreed, over)))


async def _text(
    work: UnitOfWork, run: Run, words: str, actions: Sequence[Action], waiting: Sequence[WaitingQuestion]
) -> str:
    """What the conversation says in the end, or what it waits for. Where none of that is kept, what is left would say
    that nothing was done (`bot.runtime.operations.retention`).

    All of it is made inert at once: questions, captions and the names of tools hold words of others and of the model,
    and code that one part leaves open would show the next one in another light.
    """
    if run.state is RunState.AWAITING:
        told = [about_requests.waits(one.kind, title=one.title, preview=one.preview) for one in waiting]
        # what has no card of its own waits for another one's
        return inert_commonmark("\n".join(told)) or about_requests.WAITS
    if not (words or run.summary or run.error) and not await is_remembered(work, run):
        return to_people.NOT_KEPT
    kept = words or about_agents.answer(run) or run.error
    ends = _ends_of_scheduled(actions) if kept and run.state is RunState.COMPLETED else []
    return inert_commonmark("\n".join([kept, *ends])) or inert_commonmark(to_people.done(actions))


def _ends_of_scheduled(actions: Sequence[Action]) -> list[str]:
    """What came of it behind the words that announced it, a line each: so the answer ends in Slack, too."""
    return [f"→ {one.caption}: {one.summary}" for one in actions if one.is_scheduled and not one.is_waiting]


def _arguments(action: Action) -> Mapping[str, object] | None:
    """Of a call that was invalid what is kept may be cut, or be nested so deeply that nobody could write it again."""
    try:
        read = cast("dict[str, object]", json.loads(action.args))
    except (ValueError, RecursionError):
        return None
    return None if _is_deeper_than(DEEPEST, read) else read


def _is_deeper_than(most: int, value: object) -> bool:
    """Whether so many values contain each other, counted level by level."""
    level = [value]
    for _ in range(most):
        level = [part for one in level for part in _parts(one)]
    return bool(level)


def _parts(value: object) -> Iterable[object]:
    match value:
        case dict():
            return cast("dict[str, object]", value).values()
        case list():
            return cast("list[object]", value)
        case _:
            return ()


def _stop_reason(run: Run) -> str:
    """The limit at which it paused, “silence”, “deadline”; “cancelled” where somebody stopped it."""
    if run.state is RunState.CANCELLED:
        return "cancelled"
    return run.stop_code if run.state is RunState.PAUSED else ""
