"""Walks through plans: whatever people do and the model says, in whatever order, and wherever the process dies.

What must always be so is looked at after each commit (`mortal.Watch`); what people press is what is carried out; and in
the end each request comes to an end, with each effect once.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import Phase as Shown
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.limits import DEFAULT_LIMITS
from bot.domain.plans import Phase, TaskStatus
from bot.domain.questions import QUESTION_LIFE, Choice, Question, QuestionKind, QuestionState
from bot.domain.runs import Run, RunState
from bot.llm import wire
from bot.llm.model import ModelEvent, ModelRequest
from bot.runtime.actions.previews import preview_of
from bot.runtime.core.clicks import ButtonClick
from bot.runtime.plans.refinement import Refinement, refine_plan
from bot.runtime.questions import expiry
from bot.runtime.questions.edit import Edit, Editing
from bot.runtime.runs import resume, stop
from policies.types import TrustLevel
from tests.builders import DANA, TEAM
from tests.folders import in_memory
from tests.unit.bot.runtime.plans.mortal import Workshop, workshop
from tests.unit.bot.runtime.scripted import Said

LOOK: Said = [("gmail_search", {"text": "it"})]
SEND: Said = [("gmail_send", {"text": "it"})]
BOTH: Said = [("gmail_search", {"text": "it"}), ("gmail_send", {"text": "it"})]
AGAIN: Said = [("propose_plan", {"tasks": [{"title": "Another", "goal": "It is so."}]})]
ENDS: Said = [("complete_task", {"result": "it"})]
NOTHING: Said = [("propose_plan", {"tasks": []})]
_PHASE = re.compile(r"^\[(REASON|ACT|REFLECT|REPLAN)\]", re.M)


def _plan(chance: random.Random) -> Said:
    tasks = [{"title": f"Task {n}", "goal": f"Goal {chance.randrange(9)}"} for n in range(chance.randint(1, 3))]
    return [("propose_plan", {"tasks": tasks})]


def _modifications(chance: random.Random) -> list[dict[str, str]]:
    """Most of them cannot be made."""
    one, other = str(chance.randint(1, 4)), str(chance.randint(1, 4))
    return chance.choice(
        [
            [],
            [],
            [{"kind": "add", "title": "More", "goal": "More is done.", "why": "it is needed"}],
            [{"kind": "add", "why": "so", "title": f"More {n}", "goal": "More is done."} for n in range(6)],
            [{"kind": "add", "why": "so", "title": "Instead", "goal": "It is so.", "replaces": one}],
            [{"kind": "change", "why": "so", "id": one, "goal": "Otherwise."}],
            [
                {"kind": "obsolete", "id": one, "why": "not needed"},
                {"kind": "change", "why": "so", "id": other, "title": "New"},
            ],
        ]
    )


def said(request: ModelRequest, chance: random.Random, *, sensible: bool) -> Said:
    """Whatever a model may say in this phase; a `sensible` one brings everything to its end."""
    last = "\n".join(str(part.get("text", "")) for part in wire.parts(request.contents[-1]))
    phase = _PHASE.search(last)
    complete = json.dumps({"is_task_complete": True, "summary": "Done."})
    if not phase and "propose_plan" not in {tool.name for tool in request.tools}:
        return "An answer."
    if sensible:
        return {"REASON": "I look.", "ACT": LOOK, "REFLECT": complete, "REPLAN": '{"modifications": []}'}.get(
            phase[1] if phase else "", _plan(chance)
        )
    match phase and phase[1]:
        case "REASON":
            return chance.choice(["I look.", "I send.", "I send.", LOOK, ""])
        case "ACT":
            return chance.choice([LOOK, LOOK, SEND, SEND, SEND, BOTH, "No.", AGAIN, ENDS])
        case "REFLECT":
            verdict = {"is_task_complete": chance.random() < 0.5, "persistent_error": chance.random() < 0.2}
            judged = {**verdict, "summary": "So it is.", "modifications": _modifications(chance)}
            return chance.choice([json.dumps(judged), json.dumps(judged), complete, "It went well."])
        case "REPLAN":
            wanted = json.dumps({"modifications": _modifications(chance)})
            return chance.choice([wanted, '{"modifications": []}', "No."])
        case _:
            return chance.choice([_plan(chance), _plan(chance), _plan(chance), LOOK, SEND, "A text.", NOTHING, AGAIN])


@dataclass(slots=True)
class Walk:
    """One walk: its chance, and the cards that were shown."""

    shop: Workshop
    chance: random.Random
    sensible: bool = False
    cards: dict[str, Question] = field(default_factory=dict[str, Question])
    confirmed: dict[str, list[tuple[str, str]]] = field(default_factory=dict[str, list[tuple[str, str]]])

    def speak(self) -> None:
        model = self.shop.here.model
        stream = model.stream

        async def spoken(request: ModelRequest) -> AsyncGenerator[ModelEvent]:
            model.says = [said(request, self.chance, sensible=self.sensible)]
            async for event in stream(request):
                yield event

        model.stream = spoken

    # Events -----------------------------------------------------------------------------------------------------

    async def serve(self) -> None:
        await self.shop.serve(10_000)

    async def crash(self) -> None:
        """A worker that dies at one of its next commits."""
        await self.shop.serve(self.chance.randint(1, 9), kept=self.chance.random() < 0.5)

    async def confirm(self) -> None:
        """The owner presses Confirm on a card, be it the newest or an old one, once or twice."""
        for question in await self._plans_asked(any_state=self.chance.random() < 0.3):
            shown = await self._shown(question)
            pressed = [self.shop.click(question, Choice.CONFIRM) for _ in range(self.chance.randint(1, 2))]
            counted = [outcome.accepted for outcome in await asyncio.gather(*pressed)]
            assert sum(counted) <= 1, "it was confirmed twice"
            if any(counted):
                self.confirmed[question.run_id] = shown

    async def others_confirm(self) -> None:
        for question in await self._plans_asked(any_state=True):
            assert not (await self.shop.click(question, Choice.CONFIRM, user="U2")).accepted

    async def wrong_button(self) -> None:
        for question in await self._plans_asked(any_state=True):
            assert not (await self.shop.click(question, Choice.APPROVE)).accepted

    async def cancel(self) -> None:
        for question in await self._plans_asked():
            await self.shop.click(question, Choice.REJECT)

    async def refine(self) -> None:
        for question in await self._plans_asked(any_state=self.chance.random() < 0.3):
            wanted = Refinement(team=TEAM, user=DANA, value=question.button_value(), words="Otherwise, please.")
            pressed = [refine_plan(self.shop.here.transactions, wanted) for _ in range(self.chance.randint(1, 2))]
            assert sum(outcome.accepted for outcome in await asyncio.gather(*pressed)) <= 1

    async def refine_and_confirm(self) -> None:
        """Both at once: one of them counts."""
        for question in await self._plans_asked():
            shown = await self._shown(question)
            wanted = Refinement(team=TEAM, user=DANA, value=question.button_value(), words="Otherwise, please.")
            confirmed, refined = await asyncio.gather(
                self.shop.click(question, Choice.CONFIRM), refine_plan(self.shop.here.transactions, wanted)
            )
            assert confirmed.accepted + refined.accepted <= 1
            if confirmed.accepted:
                self.confirmed[question.run_id] = shown

    async def edit(self) -> None:
        for question in await self._plans_asked(any_state=self.chance.random() < 0.3):
            args = {"tasks": [{"title": "By hand", "goal": f"Goal {self.chance.randrange(9)}"}]}
            registry = self.shop.here.runner.evaluator.claims.registry
            edit = Edit(team=TEAM, user=DANA, value=question.button_value(), args=args)
            await Editing(transactions=self.shop.here.transactions, registry=registry).edit(edit)

    async def decide(self) -> None:
        for question in await self._asked():
            if question.kind is QuestionKind.APPROVE:
                await self.shop.click(question, self.chance.choice([Choice.APPROVE, Choice.REJECT]))
            elif question.kind is QuestionKind.SETTLE:
                await self.shop.click(question, Choice.DID_NOT)

    async def reply(self) -> None:
        await self.shop.here.says(self.chance.choice(["yes", "ok", "Otherwise, please.", "And tell Ben."]))

    async def refuse(self) -> None:
        await self.shop.here.says("no")

    async def silence(self) -> None:
        self.shop.here.base.clock.advance(QUESTION_LIFE.total_seconds() + 1)
        await expiry.tick(self.shop.here.transactions)

    async def pass_time(self) -> None:
        self.shop.here.base.clock.advance(self.chance.choice([60, 600, 3_600]))

    async def ask_again(self) -> None:
        for row in self.shop.here.base.rows("SELECT id, nonce FROM questions WHERE state = 'expired'"):
            click = ButtonClick(team=TEAM, user=DANA, value=f"{row['id']}.{row['nonce']}")
            await resume.ask_again(self.shop.here.transactions, click)

    async def go_on(self) -> None:
        for run in await self.runs():
            if run.state is RunState.PAUSED and not run.is_child:
                click = ButtonClick(team=TEAM, user=DANA, value=run.id)
                until = self.shop.here.base.clock.now() + timedelta(minutes=self.chance.choice([5, 90]))
                await resume.continue_run(self.shop.here.transactions, click, until)

    async def stop(self) -> None:
        await self._stop(child=False)

    async def stop_task(self) -> None:
        await self._stop(child=True)

    async def _stop(self, *, child: bool) -> None:
        if live := [run for run in await self.runs() if not run.is_over and run.is_child is child]:
            async with self.shop.here.transactions.write() as tx:
                await stop.stop(tx, self.chance.choice(live), by=DANA)

    # What there is ------------------------------------------------------------------------------------------------

    async def runs(self) -> Sequence[Run]:
        async with self.shop.here.base.store.read() as work:
            return await work.records.runs(states=(), user=None, limit=1000)

    async def _asked(self) -> Sequence[Question]:
        async with self.shop.here.base.store.read() as work:
            asked = await work.questions.open_of(TEAM, DANA, limit=100)
        self.cards |= {question.id: question for question in asked}
        return asked

    async def _plans_asked(self, *, any_state: bool = False) -> Sequence[Question]:
        asked = await self._asked()
        every = list(self.cards.values()) if any_state else asked
        return [question for question in every if question.kind is QuestionKind.PLAN]

    async def _shown(self, question: Question) -> list[tuple[str, str]]:
        """The tasks as the card shows them."""
        async with self.shop.here.base.store.read() as work:
            action = await work.actions.find(question.action_id)
        return [(one.label, one.value) for one in preview_of(action).fields if one.value and not one.aside]

    # What holds ---------------------------------------------------------------------------------------------------

    async def holds(self) -> None:
        await self.shop.watch.look()
        await self._asked()
        for seen in await self.shop.watch.plans():
            if seen.plan.confirmed is None:
                continue
            assert seen.run.id in self.confirmed, "a plan was confirmed by nobody"
            kept = [task for task in json.loads(seen.revisions[seen.plan.confirmed - 1].raw_plan) if _is_asked(task)]
            shown = self.confirmed[seen.run.id]
            assert [(f"Task {task['id']}", f"{task['title']}\n{task['goal']}") for task in kept] == shown
        keys = [key for key, _ in self.shop.provider.reached]
        assert len(keys) == len(set(keys)), "an effect was made twice"
        approved = self.shop.here.base.rows("SELECT approval FROM actions WHERE tool = 'gmail_send' AND attempt > 0")
        assert all(row["approval"] for row in approved), "an effect began that nobody approved"

    async def finish(self) -> None:
        """What a patient person does until nothing is left, with a model that knows its work."""
        self.sensible = True
        for _ in range(40):
            await self.serve()
            await self.holds()
            if all(run.state.is_final() for run in await self.runs() if not run.is_child):
                return
            await self.go_on()
            await self.ask_again()
            await self.serve()
            await self.confirm()
            await self.decide()
            self.shop.here.base.clock.advance(1)
        left = [(run.id, run.state, run.phase) for run in await self.runs() if not run.state.is_final()]
        raise AssertionError(f"something never ends: {left}")


def _is_asked(task: Mapping[str, str]) -> bool:
    """Whether it was to be done; what was begun before is not asked about."""
    return task["status"] == TaskStatus.PENDING.value


EVENTS: Mapping[str, Callable[[Walk], Awaitable[None]]] = {
    event.__name__: event
    for event in (
        *(Walk.serve, Walk.crash, Walk.confirm, Walk.others_confirm, Walk.wrong_button, Walk.cancel, Walk.refine),
        *(Walk.refine_and_confirm, Walk.edit, Walk.decide, Walk.reply, Walk.refuse, Walk.silence, Walk.pass_time),
        *(Walk.ask_again, Walk.go_on, Walk.stop, Walk.stop_task),
    )
}
OFTEN = ["serve", "serve", "crash", "crash", "confirm", "confirm", "decide", "decide", "refine", "reply", "go_on"]


async def walk(folder: Path, events: Sequence[str], seed: int, *, deadline: int, postgresql: str | None = None) -> None:
    """One walk; a deadline after so many minutes, if any."""
    async with workshop(folder, postgresql=postgresql) as shop:
        way = Walk(shop, random.Random(seed))
        way.speak()
        await shop.here.trusts(TrustLevel.SUPERVISED)
        until = shop.here.base.clock.now() + timedelta(minutes=deadline) if deadline else None
        limits = DEFAULT_LIMITS
        await shop.here.request(phase=Phase.PROPOSE, limits=limits, ceiling=limits, deadline_at=until)
        await way.serve()
        for event in events:
            await EVENTS[event](way)
            await way.holds()
        await way.finish()
        await over(way)


async def over(way: Walk) -> None:
    """Nothing is left of a plan that is over."""
    for seen in await way.shop.watch.plans():
        assert [task for task in seen.tasks if task.status is TaskStatus.EXECUTING] == []
        done = [task for task in seen.tasks if task.status is TaskStatus.PENDING]
        assert not done or seen.run.state is not RunState.COMPLETED, "a plan is completed with something pending"
    assert not way.shop.here.base.rows("SELECT id FROM questions WHERE state = ?", QuestionState.OPEN.value)


@settings(max_examples=15, derandomize=True, database=None, phases=[Shown.generate])
@given(
    events=st.lists(st.sampled_from([*EVENTS, *OFTEN]), max_size=14),
    seed=st.integers(0, 10_000),
    deadline=st.sampled_from([0, 0, 30, 2_000]),
)
def test_whatever_happens_only_what_was_confirmed_is_done(events: Sequence[str], seed: int, deadline: int) -> None:
    with TemporaryDirectory(dir=in_memory()) as folder:
        asyncio.run(walk(Path(folder), events, seed, deadline=deadline))
