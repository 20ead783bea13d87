"""Walks through requests with agents: whatever people do and the models say, in whatever order, nothing is stuck.

What holds between two events stands in `_holds`; at the end everything is answered, and every request comes to an end.
"""

from __future__ import annotations

import random
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.domain.questions import QUESTION_LIFE, Choice, QuestionKind
from bot.domain.runs import Run, RunState
from bot.llm.model import ModelEvent, ModelRequest
from bot.runtime.audit.sealer import Sealer
from bot.runtime.core.clicks import ButtonClick
from bot.runtime.questions import expiry
from bot.runtime.runs import resume, stop
from policies.types import TrustLevel
from tests.builders import DANA, TEAM
from tests.depth import first
from tests.unit.bot.runtime.runs.test_delegating import (
    GIVE,
    HAND_OVER,
    LOOK,
    SCOUT,
    SEND,
    WRITE,
    WRITER,
    defined,
)
from tests.unit.bot.runtime.runtime_harness import Harness, harness
from tests.unit.bot.runtime.scripted import Said

WALKS, EVENTS = 24, 14
LINE = """
name: reply_polisher
description: Works in steps.
inputConfig: {inputs: {}}
outputConfig: {outputName: text, description: The text., schema: {type: string}}
promptConfig: {query: Unused., systemPrompt: You polish.}
toolConfig: {tools: [gmail_search, gmail_send, meeting_brief]}
runConfig: {max_turns: 3}
flow:
  type: sequential
  steps:
    - {name: find, query: Find it., tools: [gmail_search, gmail_send]}
    - {name: brief, agent: meeting_brief, inputs: {topic: "${previous}"}}
    - {name: send, query: "Send ${previous}.", tools: [gmail_send]}
"""
POLISH: Said = [("reply_polisher", {})]
TWO: Said = [("meeting_brief", {"topic": "a"}), ("meeting_brief", {"topic": "b"}), ("gmail_send", {"text": "it"})]
WRONG: Said = [("complete_task", {"report": 3})]
AND_SEND: Said = [("gmail_send", {"text": "it"}), ("complete_task", {"report": {"found": "it"}})]
_ASSISTANT: Sequence[Said] = (GIVE, POLISH, TWO, LOOK, SEND, "Done.", "Done.")
_SCOUT: Sequence[Said] = (LOOK, SEND, WRITE, AND_SEND, HAND_OVER, HAND_OVER, WRONG, "a text")
_WRITER: Sequence[Said] = (SEND, "a text", "a text")
_STEP: Sequence[Said] = (LOOK, SEND, "a text", "a text")
_SAYS = {"You look": _SCOUT, "You write": _WRITER, "You polish": _STEP}


@dataclass(slots=True)
class Walk:
    """One walk: its chance, and what was asked."""

    here: Harness
    chance: random.Random
    roots: list[str]

    async def ask(self) -> None:
        self.roots.append((await self.here.request()).id)

    async def decide(self) -> None:
        if asked := await self._open():
            await self.here.click(self.chance.choice(asked), self.chance.choice([Choice.APPROVE, Choice.REJECT]))

    async def silence(self) -> None:
        self.here.base.clock.advance(QUESTION_LIFE.total_seconds() + 1)
        await expiry.tick(self.here.transactions)
        await Sealer(store=self.here.base.store, keyring=self.here.base.keyring).seal()

    async def go_on(self) -> None:
        paused = [run for run in await self.runs() if run.state is RunState.PAUSED and not run.is_child]
        if paused:
            click = ButtonClick(team=TEAM, user=DANA, value=self.chance.choice(paused).id)
            await resume.continue_run(self.here.transactions, click)

    async def ask_again(self) -> None:
        expired = self.here.base.rows("SELECT id, nonce FROM questions WHERE state = 'expired'")
        if expired:
            one = self.chance.choice(expired)
            click = ButtonClick(team=TEAM, user=DANA, value=f"{one['id']}.{one['nonce']}")
            await resume.ask_again(self.here.transactions, click)

    async def stop(self) -> None:
        if live := [run for run in await self.runs() if not run.is_over]:
            async with self.here.transactions.write() as tx:
                await stop.stop(tx, self.chance.choice(live), by=DANA)

    async def reply(self) -> None:
        await self.here.says(self.chance.choice(["no", "yes", "differently, please"]))

    async def answer_everything(self) -> None:
        """What a patient person does until nothing is left."""
        for _ in range(40):
            await self.go_on()
            for question in await self._open():
                await self.here.click(question)
            await self.here.serve()
            await Sealer(store=self.here.base.store, keyring=self.here.base.keyring).seal()
            if not [run for run in await self.runs() if not run.is_child and not run.state.is_final()]:
                return

    async def holds(self) -> None:
        """What is true whenever nothing moves."""
        runs = {run.id: run for run in await self.runs()}
        actions = {row["id"]: row for row in self.here.base.rows("SELECT * FROM actions")}
        asked = {row["action_id"] for row in self.here.base.rows("SELECT * FROM questions WHERE state = 'open'")}
        for run in runs.values():
            assert run.state not in {RunState.QUEUED, RunState.PLANNING, RunState.EXECUTING}, run
            if run.is_child:
                self._of_child(run, runs, actions)
        for action in actions.values():
            if action["state"] == "awaiting_confirmation":
                child = runs.get(action["child"] or "")
                assert action["id"] in asked or (child and child.state is RunState.AWAITING), action
        waiting = {runs[action["run_id"]].request_run for action in actions.values() if action["id"] in asked}
        assert {run.id for run in runs.values() if run.state is RunState.AWAITING and not run.is_child} == waiting
        done = [action for action in actions.values() if action["tool"] == "gmail_send" and action["attempt"]]
        assert len(self.here.effect.calls) == len(done)
        assert all(action["approval"] for action in done)

    @staticmethod
    def _of_child(run: Run, runs: dict[str, Run], actions: dict[str, dict[str, Any]]) -> None:
        parent, action = runs[run.parent or ""], actions[run.parent_action or ""]
        assert action["child"] == run.id
        if run.state is RunState.AWAITING:
            assert (parent.state, action["state"]) == (RunState.AWAITING, "awaiting_confirmation"), parent
        elif not run.is_over:  # paused by silence
            assert action["state"] in {"expired", "cancelled"} or parent.is_over, (run, action)

    async def runs(self) -> Sequence[Run]:
        async with self.here.base.store.read() as work:
            return await work.records.runs(states=(), user=None, limit=1000)

    async def _open(self) -> list[Any]:
        async with self.here.base.store.read() as work:
            return [
                one for one in await work.questions.open_of(TEAM, DANA, limit=100) if one.kind is QuestionKind.APPROVE
            ]


def _speaks_by_chance(here: Harness, chance: random.Random) -> None:
    """From now on the model says whatever its agent may say."""
    stream = here.model.stream

    async def said(request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        role = " ".join(request.instruction.split()[:2]).rstrip(".")
        here.model.says = [chance.choice(_SAYS.get(role, _ASSISTANT))]
        async for event in stream(request):
            yield event

    here.model.stream = said


@pytest.mark.parametrize("number", first(1, range(WALKS)))
async def test_whatever_happens_nothing_is_stuck(tmp_path: Path, number: int) -> None:
    chance = random.Random(number)
    async with harness(tmp_path, agents=[defined(SCOUT), defined(WRITER), defined(LINE)]) as here:
        await here.trusts(TrustLevel.SUPERVISED)
        _speaks_by_chance(here, chance)
        walk = Walk(here, chance, [])
        await walk.ask()
        events: list[Callable[[], Awaitable[None]]] = [
            *(walk.ask, walk.decide, walk.decide, walk.decide, walk.silence),
            *(walk.go_on, walk.ask_again, walk.stop, walk.reply),
        ]
        for _ in range(EVENTS):
            with suppress(IndexError):
                await chance.choice(events)()
            await here.serve()
            await walk.holds()
        await walk.answer_everything()
        assert [run.state for run in await walk.runs() if not run.is_child and not run.state.is_final()] == []
