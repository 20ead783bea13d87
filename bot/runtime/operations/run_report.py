"""Run reports: everything that the rows say of one run, for an operator of the bot. Nothing outside is asked."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from bot.domain.actions import Action
from bot.domain.audit import AuditEntry
from bot.domain.deliveries import DeliveryOutcome
from bot.domain.questions import Question, Vote
from bot.domain.runs import Run, RunState
from bot.domain.steps import Step
from bot.domain.threads import Message, Thread, User
from bot.errors import BotError
from bot.runtime.actions.previews import named
from bot.runtime.delivery.agents import title_of
from bot.store.store import Store
from bot.store.unit_of_work import UnitOfWork


class NoSuchRun(BotError):
    """There is no run with this id."""

    def __init__(self, run_id: str) -> None:
        super().__init__(f"There is no run {run_id}. `countersign runs list` shows the newest.")


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    """One audit entry of a run, read; an entry whose bytes were made unreadable has no details."""

    at: datetime | None
    code: str
    actor: str
    details: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A run in a list: with its request, while that is kept, who asked, and the title of the agent, if it is of one.

    A run that does at its moment what another one asked for has the id of that run in `asked_in`, and as its request
    what it does.
    """

    run: Run
    request: str
    owner: User
    agent: str = ""
    asked_in: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One run with all that belongs to it. `tree` is its request's run and those that work for it, at any depth,
    `titles` what people call the agents of these, by run.
    """

    run: Run
    tree: Sequence[Run]
    titles: Mapping[str, str]
    owner: User
    thread: Thread
    messages: Sequence[Message]
    steps: Sequence[Step]
    actions: Sequence[Action]
    questions: Sequence[Question]
    votes: Sequence[Vote]
    deliveries: Sequence[DeliveryOutcome]
    log: Sequence[LogLine]
    asked_in: str


async def newest_runs(store: Store, *, states: Sequence[RunState], user: str | None, limit: int) -> Sequence[Listed]:
    """The newest runs first; no states are all states."""
    async with store.read(long=True) as work:
        runs = await work.records.runs(states=states, user=user, limit=limit)
        return [await _listed(work, run) for run in runs]


async def run_record(store: Store, run_id: str) -> Record:
    """All of one run, in one snapshot; raises `NoSuchRun`."""
    async with store.read(long=True) as work:
        run = await work.records.run(run_id)
        if run is None:
            raise NoSuchRun(run_id)
        actions = await work.actions.of_run(run_id)
        questions = await work.records.questions(run_id)
        tree = [await work.runs.find(run.request_run), *await work.runs.below(run.request_run)]
        subjects = [run_id, *(action.id for action in actions), *(question.id for question in questions)]
        return Record(
            run=run,
            tree=tree,
            titles={each.id: await title_of(work, each) for each in tree},
            owner=await _owner(work, run),
            thread=await work.threads.find(run.thread_id),
            messages=await work.records.messages(run),
            steps=await work.steps.of_run(run_id),
            actions=actions,
            questions=questions,
            votes=await work.records.votes([question.id for question in questions]),
            deliveries=await work.records.deliveries(subjects),
            log=[_line(entry) for entry in await work.records.entries(run_id)],
            asked_in=await _asked_in(work, run),
        )


async def _listed(work: UnitOfWork, run: Run) -> Listed:
    owner, agent = await _owner(work, run), await title_of(work, run)
    if run.holds is not None:
        does = ", ".join(named(action) for action in await work.actions.of_run(run.id))
        return Listed(run=run, request=does, owner=owner, agent=agent, asked_in=await _asked_in(work, run))
    said = await work.records.messages(run)
    request = next((message.text for message in said if message.id == run.message_id), "")
    return Listed(run=run, request=request, owner=owner, agent=agent)


async def _asked_in(work: UnitOfWork, run: Run) -> str:
    asked = await work.actions.known(run.holds) if run.holds else None
    return asked.run_id if asked else ""


async def _owner(work: UnitOfWork, run: Run) -> User:
    return await work.users.find(run.team, run.user) or User(team=run.team, user=run.user)


def _line(entry: AuditEntry) -> LogLine:
    try:
        body = cast("dict[str, object]", json.loads(entry.body))
        at = datetime.fromisoformat(str(body["at"]))
        details = cast("dict[str, object]", body.get("details") or {})
        return LogLine(at=at, code=entry.code, actor=str(body.get("actor", "")), details=details)
    except (ValueError, KeyError, AttributeError):
        return LogLine(at=None, code=entry.code, actor="", details={})
