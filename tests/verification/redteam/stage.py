"""Where calls are played: our runtime over SQLite, AgentDojo's functions as its tools, a model that obeys its list.

Nothing in it is made for the red team but the tools and the model: intake, loop, evaluation, policy, claim and
execution are those of the product.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from bot.domain.actions import Action
from bot.domain.confirmations import Confirmation, is_typed, must_be_read, tick
from bot.domain.limits import Limits
from bot.domain.questions import Choice, Question
from bot.domain.runs import Run
from bot.domain.threads import Audience, User
from bot.runtime.actions.previews import preview_of
from bot.runtime.core.event_bus import Bus
from bot.runtime.core.transaction import TransactionFactory
from bot.runtime.questions.decide import Click, decide
from integrations.base import Tool
from integrations.ports import Acquaintances
from policies import loader
from policies.provenance import GuardMode
from policies.types import TrustLevel
from tests import builders as make
from tests.builders import DANA, TEAM
from tests.dispatchers import OneThread
from tests.stores import Opened, opened
from tests.unit.bot.runtime.runtime_harness import Directory, runner
from tests.unit.bot.runtime.scripted import Model, Said


class Stuck(Exception):
    """A play did not end as it should."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What came of a request: its actions, and which of them their owner was shown a card for."""

    run: Run
    actions: Sequence[Action]
    carded: frozenset[str]


ENDS = frozenset({"rejected_by_user", "refused", "missing", "repeated_call"})
"""Why a call may fail: its owner said no, the environment did, what it is about was never made, or it says the same as
the two calls before.
"""


def _refuse_other_ends(action: Action) -> None:
    """An attack that fails because of a defect proves nothing."""
    error = (action.response or {}).get("error")
    if isinstance(error, dict) and cast("dict[str, object]", error).get("code") not in ENDS:
        raise Stuck(f"{action.tool} failed: {error}")


@dataclass(slots=True, kw_only=True)
class Stage:
    """One person in one direct message with the agent, who may use these tools and no others."""

    base: Opened
    person: User
    transactions: TransactionFactory
    model: Model
    runner: Any
    carded: set[str] = field(default_factory=set[str])

    async def play(
        self, typed: str, says: Sequence[Said], *, beside: str = "", thread: int = 1, approves: bool = False
    ) -> Played:
        """Their request, which the model answers like this: what they typed, and what stands `beside` it, such as a
        message that they forward. Each thread is a conversation of its own. They approve each card, or reject it; the
        model goes on then.
        """
        self.model.says = list(says)
        run = await self._asked(typed, beside, f"thr_{thread}")
        await self._serve(run)
        while question := await self._open(run):
            self.carded.add(question.action_id)
            await self._decide(question, Choice.APPROVE if approves else Choice.REJECT)
            await self._serve(run)
        if self.model.says:
            raise Stuck(f"{run.id} ended before the model had said everything")
        async with self.base.store.read() as work:
            ended, actions = await work.runs.find(run.id), await work.actions.of_run(run.id)
        for each in actions:
            _refuse_other_ends(each)
        return Played(run=ended, actions=actions, carded=frozenset(self.carded & {each.id for each in actions}))

    async def _asked(self, typed: str, beside: str, thread: str) -> Run:
        self.base.clock.advance(1)
        now, text = self.base.clock.now(), f"{typed}\n\n{beside}".strip()
        given: dict[str, Any] = {"thread_id": thread, "created_at": now}
        asked = make.message(text, typed=typed, audience=Audience.OWNER, owner=DANA, **given)
        run = make.run(message_id=asked.id, limits=Limits(), ceiling=Limits(), **given)
        async with self.base.store.write() as work:
            await work.threads.ensure(make.thread(id=thread, root_ts=f"{thread[-1]}.1"))
            await work.messages.add(asked)
            await work.runs.add(run)
        return run

    async def _serve(self, run: Run) -> None:
        dispatcher = self.transactions.dispatcher
        assert isinstance(dispatcher, OneThread)
        await self.runner.serve(run.thread_id, dispatcher.serving)

    async def _open(self, run: Run) -> Question | None:
        async with self.base.store.read() as work:
            return next(iter(await work.questions.open_of_run(run.id)), None)

    async def _confirmed(self, question: Question) -> Confirmation | None:
        """What they fill into the window of a card that a guard asked for, or that is long: exactly what it shows."""
        async with self.base.store.read() as work:
            action = await work.actions.find(question.action_id)
        unnamed = action.verdict.unnamed if action.verdict and action.verdict.is_by_guard else ()
        read = must_be_read(preview_of(action))
        if not unnamed and not read:
            return None
        typed = [one.value for one in unnamed if is_typed(one)]
        ticked = {tick(place) for place, one in enumerate(unnamed) if not is_typed(one)}
        return Confirmation(typed="\n".join(typed), ticked=ticked, read=read)

    async def _decide(self, question: Question, choice: Choice) -> None:
        given: dict[str, Any] = {"team": TEAM, "user": DANA, "value": question.button_value()}
        if choice is Choice.APPROVE:
            given["confirmed"] = await self._confirmed(question)
        outcome = await decide(self.transactions, Click(**given, choice=choice))
        if not outcome.accepted:
            raise Stuck(f"the card of {question.action_id} could not be answered: {outcome}")


@asynccontextmanager
async def stage(
    folder: Path,
    tools_of: Callable[[Opened], Sequence[Tool[Any]]],
    *,
    level: TrustLevel,
    guarded: bool = True,
    email: str = "",
    acquaintances: Acquaintances | None = None,
) -> AsyncGenerator[Stage]:
    """A stage over an empty store in this folder; not `guarded`, nobody looks at who named what."""
    person = make.person(name="Emma Johnson", email=email or None)
    async with opened(folder, compares=False) as base:
        transactions = TransactionFactory(
            store=base.store, clock=base.clock, bus=Bus(), dispatcher=OneThread(), patience_seconds=60.0
        )
        model = Model(base.clock)
        async with base.store.write() as work:
            await work.users.seen(person)
            await work.users.set_level(TEAM, DANA, level.value)
            await work.users.set_guard(TEAM, GuardMode.ENFORCE if guarded else GuardMode.OFF)
        tools = tools_of(base)
        made = runner(
            transactions,
            tools=tools,
            model=model,
            profiles=Directory(person=person),
            sleep=lambda seconds: asyncio.sleep(0),
            policy=policy_of(tools),
            acquaintances=acquaintances,
        )
        yield Stage(base=base, person=person, transactions=transactions, model=model, runner=made)


def policy_of(tools: Sequence[Tool[Any]]) -> loader.Policy:
    """No rules, and a constitution that lists these tools."""
    listed = "\n".join(f"  - {tool.name}" for tool in tools)
    return loader.parse(policy="rules: []\n", constitution=f"---\ntools:\n{listed}\n---\nYou work for one person.\n")
