"""What people do on the stage. Whatever they press, they are told something, and one press counts at the most."""

from __future__ import annotations

import asyncio
import itertools
from dataclasses import dataclass, field, replace
from typing import Any

from bot.domain.actions import ActionState
from bot.domain.confirmations import Confirmation, tick
from bot.domain.ids import effect_key
from bot.domain.limits import Limit, Limits
from bot.domain.questions import Choice, QuestionKind
from bot.domain.runs import RunState
from bot.runtime.core.clicks import ButtonClick, ClickOutcome
from bot.runtime.lifecycle.runs import message_source
from bot.runtime.limits import stops as pauses
from bot.runtime.questions.decide import Click, decide
from bot.runtime.questions.edit import Edit, Editing
from bot.runtime.runs import resume, stop, undo
from bot.runtime.runs.incoming import Incoming
from bot.runtime.runs.intake import Intake
from policies.deciders import Approver
from policies.types import Decision, Rule, RuleAuthor, TrustLevel
from tests.builders import DANA, MARA, TEAM
from tests.verification.explorer.circles import OWNER, RULES, TOOL
from tests.verification.explorer.live.seen import Row
from tests.verification.explorer.live.stage import Stage, must
from tests.verification.explorer.live.worker import THREAD

CHANNEL, ROOT = "D1", "1.1"


def _by_id(seat: Approver) -> Approver:
    """Whoever asks is Dana."""
    user, stand_in = (DANA if one == OWNER else one for one in (seat.user, seat.stand_in))
    return Approver(user=user, stand_in=stand_in)


@dataclass(frozen=True, slots=True)
class People:
    """Dana, in her thread."""

    stage: Stage
    _numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    def _next_ts(self) -> str:
        return f"2.{next(self._numbers):06}"

    def said(self, text: str, ts: str) -> Incoming:
        """What Dana writes in her thread."""
        given: dict[str, Any] = {"channel": CHANNEL, "thread_ts": ROOT, "is_dm": True, "mentions_agent": False}
        return Incoming(event_id=f"Ev{ts}", team=TEAM, ts=ts, user=DANA, text=text, typed=text, **given)

    async def says(self, text: str, *, ts: str | None = None) -> str:
        """One message, a second later; its ts."""
        await self.stage.passes(1)
        ts = ts or self._next_ts()
        await Intake(transactions=self.stage.transactions, limits=Limits()).message(self.said(text, ts))
        await self.stage.settle()
        return ts

    async def deleted(self, ts: str) -> None:
        """A message of hers is deleted."""
        await Intake(transactions=self.stage.transactions, limits=Limits()).deleted(TEAM, CHANNEL, ts)
        source = message_source(TEAM, CHANNEL, ts)
        gone = {row["message_id"] for row in self.stage.sight.runs.values() if row["source_key"] == source}
        self._must_hold_nothing_of(gone)
        await self.stage.settle()

    async def edited(self, ts: str) -> None:
        """The text of a message of hers is changed."""
        await Intake(transactions=self.stage.transactions, limits=Limits()).edited(TEAM, CHANNEL, ts)
        await self.stage.settle()

    async def trusts(self, level: TrustLevel) -> None:
        """She sets her trust level."""
        async with self.stage.transactions.store.write() as work:
            await work.users.set_level(TEAM, DANA, level.value)
        await self.stage.settle()

    async def rule(self, rules: int) -> None:
        """An administrator has these rules in place of those before."""
        async with self.stage.transactions.store.write() as work:
            for row in self.stage.eyes.rows("SELECT id FROM rules"):
                await work.rules.take_away(TEAM, row["id"])
            for n, deciders in enumerate(RULES[rules] or [None]):
                named = deciders and replace(deciders, approvers=tuple(map(_by_id, deciders.approvers)))
                rule = Rule(id=f"r{rules}_{n}", decision=Decision.ASK, tool=TOOL, by=RuleAuthor.ADMIN, deciders=named)
                await work.rules.add(TEAM, MARA, rule, at=self.stage.base.clock.now())
        await self.stage.settle()

    async def clicks(self, question: Row, choice: Choice, *, times: int = 1, user: str = DANA) -> None:
        """She presses a button, or somebody else does, maybe twice at once; one press counts at the most."""
        value = f"{question['id']}.{question['nonce']}"
        option = 0 if choice is Choice.ANSWER else None
        checked = await self._checked(question) if choice is Choice.APPROVE else None
        click = Click(team=TEAM, user=user, value=value, choice=choice, option=option, confirmed=checked)
        was_open = self.stage.sight.questions[question["id"]]["state"] == "open"
        outcomes = await asyncio.gather(*(decide(self.stage.transactions, click) for _ in range(times)))
        counted = sum(outcome.accepted for outcome in outcomes)
        must(counted <= 1, "two presses counted")
        must(was_open or not counted, "a press on a closed question counted")
        must(all(outcome.accepted or outcome.text for outcome in outcomes), "a press was left without a word")
        if counted and choice in {Choice.APPROVE, Choice.TRY_AGAIN}:
            await self._remember_vote(question, user, again=choice is Choice.TRY_AGAIN)
        await self.stage.settle()

    async def _checked(self, question: Row) -> Confirmation | None:
        """Where a guard asks a plain yes does not do: everything that nobody named is ticked."""
        async with self.stage.base.store.read() as work:
            verdict = (await work.actions.find(question["action_id"])).verdict
        if verdict is None or not verdict.is_by_guard:
            return None
        return Confirmation(ticked=[tick(place) for place in range(len(verdict.unnamed))])

    async def _remember_vote(self, question: Row, user: str, *, again: bool) -> None:
        async with self.stage.base.store.read() as work:
            action = await work.actions.find(question["action_id"])
        shown = f"{action.args} {dict(action.basis or {})}"
        if user != DANA:
            self.stage.moves["agreed"] += 1
            self.stage.agreed.add((user, action.id, shown))
            return
        self.stage.voted.add((action.id, shown))
        self.stage.tries[action.id] += again

    async def changes(self, question: Row, text: str, *, variant: int | None = None) -> None:
        """She edits what a card asks about; with a `variant` of the card she approves it by that."""
        value = f"{question['id']}.{question['nonce']}"
        editing = Editing(transactions=self.stage.transactions, registry=self.stage.worker.runner.loop.registry)
        edit = Edit(team=TEAM, user=DANA, value=value, args={"text": text}, variant=variant)
        outcome = await editing.edit(edit)
        must(outcome.accepted or bool(outcome.text), "an edit was left without a word")
        if outcome.accepted and variant is not None:
            self.stage.moves["edits with an approval"] += 1
            await self._remember_vote(question, DANA, again=False)
        await self.stage.settle()

    async def stops(self) -> None:
        """She stops everything."""
        stopped = {row["message_id"] for row in self.stage.sight.runs.values() if RunState(row["state"]).is_live()}
        await stop.stop_person(self.stage.transactions, TEAM, DANA)
        self._must_hold_nothing_of(stopped)
        await self.stage.settle()

    def _must_hold_nothing_of(self, messages: set[str]) -> None:
        """What these requests held back will not be done, unless it is happening already."""
        for run_id, row in self.stage.sight.runs.items():
            if self.stage.sight.holds(run_id) and row["message_id"] in messages:
                ended = self.stage.sight.state(run_id).is_final() or bool(row["cancel_requested"])
                must(ended, "what a stopped request held back still waits for its moment")

    async def holds_no_more(self, run_id: str, *, now: bool) -> None:
        """She presses Undo on what waits, or Send now."""
        press = ButtonClick(team=TEAM, user=DANA, value=run_id)
        began = sum(len(done) for done in self.stage.outside.did.values())
        outcome = await (undo.send_now if now else undo.undo_deferred)(self.stage.transactions, press)
        must(outcome.accepted or bool(outcome.text), "a press was left without a word")
        if outcome.accepted and not now:
            self.stage.undone.add(run_id)
            must(sum(len(done) for done in self.stage.outside.did.values()) == began, "it happened while it was undone")
        await self.stage.settle()

    async def presses(self, what: str, value: str) -> None:
        """She presses Continue, Ask again or Try again."""
        deeds = {"continue": resume.continue_run, "ask": resume.ask_again, "try": resume.try_again}
        outcome: ClickOutcome = await deeds[what](
            self.stage.transactions, ButtonClick(team=TEAM, user=DANA, value=value)
        )
        must(outcome.accepted or bool(outcome.text), "a press was left without a word")
        await self.stage.settle()

    async def limited(self, run_id: str, *, hard: bool) -> None:
        """A run comes to its limit of active time, or to the end of the grace."""
        async with self.stage.transactions.write() as moves:
            await moves.work.threads.lock(THREAD)
            run = await moves.work.runs.find(run_id)
            if run.state.holds_thread() and run.hard_stop is None:
                await (pauses.hard if hard else pauses.softly)(moves, run, Limit.ACTIVE)
        await self.stage.settle()

    def truth(self, question: Row) -> Choice:
        """What its owner says who looked; to a card he says yes."""
        if question["kind"] == QuestionKind.APPROVE.value:
            return Choice.APPROVE
        if question["kind"] == QuestionKind.ANSWER.value:
            return Choice.ANSWER
        return Choice.HAPPENED if self.stage.outside.did[effect_key(question["action_id"])] else Choice.DID_NOT

    def may_edit(self, question: Row) -> bool:
        """The explored world edits once."""
        return self.stage.sight.actions[question["action_id"]]["edition"] < 2

    def may_try_again(self, question: Row) -> bool:
        """The explored world tries twice."""
        action = self.stage.sight.actions[question["action_id"]]
        return action["state"] == ActionState.UNKNOWN.value and action["attempt"] < 2
