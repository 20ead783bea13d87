"""The process dies at each commit of a plan, right before it and right after: the plan ends as it would have."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

from bot.domain.limits import DEFAULT_LIMITS
from bot.domain.plans import Phase, TaskStatus
from bot.domain.questions import Choice, Question, QuestionKind
from bot.domain.runs import Run, RunState
from bot.llm import wire
from bot.llm.model import ModelEvent, ModelRequest
from policies.types import TrustLevel
from tests.builders import DANA, TEAM
from tests.depth import first
from tests.folders import in_memory
from tests.unit.bot.runtime.plans.mortal import Workshop, workshop
from tests.unit.bot.runtime.scripted import Said

PLAN = [("Find the mail", "The mail of Anna is found."), ("Answer it", "Anna has an answer.")]
_ADDED = {"kind": "add", "title": "Ask Ben", "goal": "Ben is asked.", "replaces": "1", "why": "there is no mail"}
_MORE = {"kind": "add", "title": "Tell Cleo", "goal": "Cleo knows.", "why": "she asked"}
_JUDGED: Mapping[str, Mapping[str, object]] = {
    "1": {"is_task_complete": False, "persistent_error": True, "summary": "There is no mail."},
    "2": {"is_task_complete": True, "summary": "Sent.", "modifications": [_MORE]},
    "3": {"is_task_complete": True, "summary": "Asked."},
    "4": {"is_task_complete": True, "summary": "Told."},
}


def said(request: ModelRequest) -> Said:
    """What the model says: it follows from what it is told alone, so it says the same again after a crash."""
    texts = [str(part.get("text", "")) for content in request.contents for part in wire.parts(content)]
    task = next((found[1] for text in texts if (found := re.search(r"\[TASK\] (\d+):", text))), "")
    asked = re.search(r"^\[(REASON|ACT|REFLECT|REPLAN)\]", texts[-1], re.M)
    match asked and asked[1]:
        case "REASON":
            return f"I do {task}."
        case "ACT":
            return [("gmail_search" if task == "1" else "gmail_send", {"text": task}), ("gmail_send", {"text": "more"})]
        case "REFLECT":
            return json.dumps(_JUDGED[task])
        case "REPLAN":
            return json.dumps({"modifications": [_ADDED]})
        case _:
            return [("propose_plan", {"tasks": [{"title": title, "goal": goal} for title, goal in PLAN]})]


def speak(here: Workshop) -> None:
    """Have its model speak so."""
    stream = here.here.model.stream

    async def spoken(request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        here.here.model.says = [said(request)]
        async for event in stream(request):
            yield event

    here.here.model.stream = spoken


UNENDING = 10_000
"""More commits than anybody makes."""

_ANSWERS = {
    QuestionKind.PLAN: Choice.CONFIRM,
    QuestionKind.APPROVE: Choice.APPROVE,
    QuestionKind.SETTLE: Choice.DID_NOT,
}


class Ended(NamedTuple):
    """What a plan left."""

    state: RunState
    tasks: list[tuple[str, str, TaskStatus, str]]
    revision: int
    sent: list[str]
    rounds: dict[str, list[dict[str, object]]]
    open: int


async def carried_out(here: Workshop, *, dies_at: int | None = None, kept: bool = True) -> tuple[Ended, int]:
    """The plan from the request to its end, with the crash at this commit of the workers; and how many those were."""
    speak(here)
    await here.here.trusts(TrustLevel.SUPERVISED)
    run = await here.here.request(phase=Phase.PROPOSE, limits=DEFAULT_LIMITS, ceiling=DEFAULT_LIMITS)
    made, asked = 0, list[Question]()
    while made == 0 or asked or (dies_at is not None and made == dies_at):
        left = UNENDING if dies_at is None or made >= dies_at else dies_at - made
        life = await here.serve(left, kept=kept)
        made += left - (life.commits or 0)
        async with here.here.base.store.read() as work:
            asked = await work.questions.open_of(TEAM, DANA, limit=9)
        for question in asked:
            assert (await here.click(question, _ANSWERS[question.kind])).accepted
    return await _ended(here, run), made


async def _ended(here: Workshop, run: Run) -> Ended:
    (seen,) = await here.watch.plans()
    async with here.here.base.store.read() as work:
        rounds = {task.id: [one.shown for one in await work.plans.history(run.id, task.id)] for task in seen.tasks}
        asked = await work.questions.open_of_run(run.id)
    tasks = [(task.id, task.title, task.status, task.summary) for task in seen.tasks]
    sent = [text for _, text in here.provider.reached]
    return Ended(seen.run.state, tasks, seen.plan.revision, sent, rounds, len(asked))


COMMITS = 46
"""So many commits of workers the plan below has, leases among them."""

PARTS = 8
"""In which they are tried, side by side."""


async def played(url: str | None = None, *, dies_at: int | None = None, kept: bool = True) -> tuple[Ended, int]:
    """The same in a world of its own."""
    with TemporaryDirectory(dir=in_memory()) as folder:
        async with workshop(Path(folder), postgresql=url) as here:
            return await carried_out(here, dies_at=dies_at, kept=kept)


async def test_a_plan_that_nothing_interrupts() -> None:
    ended, commits = await played()
    assert (ended.state, ended.revision, ended.open) == (RunState.COMPLETED, 3, 0)
    assert ended.sent == ["2", "3", "4"]
    assert [status for _, _, status, _ in ended.tasks] == [TaskStatus.FAILED, *[TaskStatus.COMPLETED] * 3]
    assert [len(rounds) for rounds in ended.rounds.values()] == [1, 1, 1, 1]
    assert commits == COMMITS


@pytest.mark.parametrize("part", first(1, range(PARTS)))
async def test_a_plan_ends_as_without_the_crash(part: int) -> None:
    """Right after every second commit, and right before the others."""
    whole, commits = await played()
    for commit in range(1 + part, commits + 1, PARTS):
        ended, _ = await played(dies_at=commit, kept=commit // PARTS % 2 == 0)
        assert ended == whole, f"it died at commit {commit}"
