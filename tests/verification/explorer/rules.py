"""The rules of a hypothesis state machine over the real runtime: events in any order, each a method that is noted."""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from bot.domain.questions import Choice, QuestionKind
from policies.types import TrustLevel
from tests.verification.explorer.live.ending import come_to_an_end
from tests.verification.explorer.live.ground import Ground
from tests.verification.explorer.live.outside import OTHERWISE, How, Place
from tests.verification.explorer.live.people import People
from tests.verification.explorer.live.seen import Row
from tests.verification.explorer.live.situation import situation
from tests.verification.explorer.live.stage import Stage, stage
from tests.verification.explorer.live.still_loop import StillLoop
from tests.verification.explorer.walks import AGAIN, Walk, event

NUMBERS = st.integers(0, 59)
"""Which of the things that are there; there may be fewer."""

REPLIES = ("no", "yes", "make it shorter", "and Friday?", "A", "2", "no", "yes", "thanks, and?", "stop")
HOUR, DAY, WEEK = 3600.0, 24 * 3600.0, 7 * 24 * 3600.0


class Machine(RuleBasedStateMachine):
    """One thread of Dana's. What cannot happen now lets the work go on instead, so that no rule has a condition."""

    ground: ClassVar[Ground]
    seen: ClassVar[Counter[str]] = Counter()

    def __init__(self) -> None:
        super().__init__()
        self._loop = StillLoop()
        self._loop.set_exception_handler(lambda loop, context: None)  # workers that died are not mourned
        self._stack = AsyncExitStack()
        self.asked: list[str] = []
        self.happened: list[str] = []
        self.walk = Walk(database=self.ground.database, machine=type(self).__name__)
        self.stage: Stage = self._loop.run_until_complete(self._stack.enter_async_context(stage(self.ground)))
        self.people = People(self.stage)

    def _run(self, work: Coroutine[Any, Any, Any]) -> Any:
        try:
            return self._loop.run_until_complete(work)
        except Exception as error:
            for line in [*self.happened, *situation(self.stage), f"once more: {AGAIN} {self.walk.kept()}"]:
                error.add_note(line)
            raise

    def do(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        """Something happens, and everything that follows by itself."""
        self.happened.append(name)
        self._run(work)

    def _goes_on(self, n: int, *, any_end: bool = False) -> None:
        """The next thing that is under way outside ends, well or in any way; else somebody looks at the thread."""
        under_way = self.stage.under_way()
        if not under_way:
            self.do("work", self.stage.work())
            return
        waiting = under_way[n % len(under_way)]
        ends = waiting.place.value
        how = ends[n // 3 % len(ends)] if any_end else How.WELL
        if waiting.place is Place.MODEL and waiting.about == "on" and n % 4:
            how = How.TWO
        self.do(
            f"{waiting.place.name} of {waiting.about} by {waiting.worker}: {how.value}", self.stage.end(waiting, how)
        )

    def _questions(self, *kinds: QuestionKind, closed: bool = False) -> list[Row]:
        wanted = {kind.value for kind in kinds}
        rows = self.stage.sight.questions.values() if closed else self.stage.sight.open_questions()
        return [row for row in rows if row["kind"] in wanted]

    def _is_rare(self, n: int, *, one_in: int = 6) -> bool:
        """Whether something happens that ends much; most of the time the work goes on instead."""
        if n % one_in:
            self._goes_on(n)
        return n % one_in == 0

    @initialize(n=NUMBERS, level=st.sampled_from([TrustLevel.SUPERVISED, TrustLevel.AUTONOMOUS]))
    @event
    def begin(self, n: int, level: str) -> None:
        """Dana asks for something, and the model calls tools."""
        self._begin(n, level)

    def _begin(self, n: int, level: str) -> None:
        self.stage.outside.numbers = itertools.count(n)
        self.do(f"trusts {level}", self.people.trusts(TrustLevel(level)))
        self.asked.append(self._say("please"))
        self.do("work", self.stage.work())
        self._call_tools(n)

    # What workers do --------------------------------------------------------------------------------------------

    @rule()
    @event
    def look(self) -> None:
        """The thread is served, or looked at again."""
        self.do("work", self.stage.work())

    @rule(n=NUMBERS)
    @event
    def end_well(self, n: int) -> None:
        """Something outside goes well."""
        self._goes_on(n)

    @rule(n=NUMBERS)
    @event
    def end_somehow(self, n: int) -> None:
        """Something outside ends in any way."""
        self._goes_on(n, any_end=True)

    @rule(n=NUMBERS)
    @event
    def call_tools(self, n: int) -> None:
        """The model that is asked calls tools."""
        self._call_tools(n)

    def _call_tools(self, n: int) -> None:
        asking = [waiting for waiting in self.stage.under_way() if waiting.about == "on"]
        if not asking:
            self._goes_on(n)
            return
        how = How.TWO if n % 3 else How.ONE
        self.do(f"the model calls {how.value}", self.stage.end(asking[0], how))

    @rule(reached=st.booleans())
    @event
    def kill(self, reached: bool) -> None:
        """kill -9; what was on its way outside arrives or not."""
        self.do(f"kill, reached {reached}", self.stage.kill(reached=reached))

    @rule(n=st.integers(1, 3), kept=st.booleans(), m=NUMBERS)
    @event
    def kill_at_commit(self, n: int, kept: bool, m: int) -> None:
        """kill -9 just before or just after one of the next commits."""
        self.stage.kill_at_commit(n, kept=kept)
        self.happened.append(f"it dies at commit {n}, kept {kept}")
        self._goes_on(m)

    @rule()
    @event
    def freeze(self) -> None:
        """The worker stops in the middle, and another takes over; one that is frozen already goes on."""
        if self.stage.frozen is None:
            self.do("freeze", self.stage.freeze())
        else:
            self.do("thaw", self.stage.thaw())

    @rule(n=NUMBERS)
    @event
    def switch_effects(self, n: int) -> None:
        """The kill switch is turned: the process starts anew with it."""
        if not self._is_rare(n):
            return
        self.stage.effects = not self.stage.effects
        self.do(f"effects {self.stage.effects}", self.stage.kill(reached=True))

    # What people do ---------------------------------------------------------------------------------------------

    @rule(n=NUMBERS)
    @event
    def ask(self, n: int) -> None:
        """Dana writes: a request, or words to the one that is under way."""
        if self._is_rare(n, one_in=2 if self.stage.sight.resting() else 4):
            self.asked.append(self._say("please"))

    @rule(n=NUMBERS)
    @event
    def reply(self, n: int) -> None:
        """She replies something; "no" and "stop" decide, "yes" does not."""
        if self._is_rare(n, one_in=3):
            self.asked.append(self._say(REPLIES[n // 3 % len(REPLIES)]))

    def _say(self, text: str, ts: str | None = None) -> str:
        self.happened.append(f"says {text}")
        said: str = self._run(self.people.says(text, ts=ts))
        return said

    @rule(n=NUMBERS)
    @event
    def say_again(self, n: int) -> None:
        """Slack delivers one of her messages again."""
        if self._is_rare(n) and self.asked:
            self._say("please", ts=self.asked[n % len(self.asked)])

    @rule(n=NUMBERS, times=st.integers(1, 2))
    @event
    def approve(self, n: int, times: int) -> None:
        """She approves, maybe twice at once."""
        self._click(n, Choice.APPROVE, times)

    @rule(n=NUMBERS)
    @event
    def reject(self, n: int) -> None:
        """She rejects."""
        self._click(n, Choice.REJECT, 1)

    def _click(self, n: int, choice: Choice, times: int) -> None:
        cards = self._questions(QuestionKind.APPROVE)
        if not cards:
            self._goes_on(n)
            return
        card = cards[n % len(cards)]
        self.do(f"{choice.value} {card['action_id']} {times} times", self.people.clicks(card, choice, times=times))

    @rule(n=NUMBERS, choice=st.sampled_from([Choice.APPROVE, Choice.REJECT]))
    @event
    def click_late(self, n: int, choice: str) -> None:
        """A press on a card that may be decided, changed, expired or withdrawn by now."""
        if cards := self._questions(QuestionKind.APPROVE, closed=True):
            self.do(f"{choice}, maybe late", self.people.clicks(cards[n % len(cards)], Choice(choice)))

    @rule(n=NUMBERS, choice=st.sampled_from([Choice.ANSWER, Choice.NONE]), times=st.integers(1, 2))
    @event
    def answer(self, n: int, choice: str, times: int) -> None:
        """She answers what a tool asks, maybe twice at once, or late."""
        asked = self._questions(QuestionKind.ANSWER, closed=n % 5 == 0)
        if not asked:
            self._goes_on(n)
            return
        self.do(f"answers {choice}", self.people.clicks(asked[n % len(asked)], Choice(choice), times=times))

    @rule(n=NUMBERS)
    @event
    def settle(self, n: int) -> None:
        """She says what happened, or has it tried again."""
        asked = self._questions(QuestionKind.SETTLE)
        if not asked:
            self._goes_on(n, any_end=True)
            return
        question = asked[n % len(asked)]
        again = n // 7 % 2 == 1 and self.people.may_try_again(question)
        choice = Choice.TRY_AGAIN if again else self.people.truth(question)
        self.do(choice.value, self.people.clicks(question, choice))

    @rule(n=NUMBERS)
    @event
    def edit(self, n: int) -> None:
        """She changes what a card asks about."""
        self._edit(n, "changed")

    @rule(n=NUMBERS, variant=st.sampled_from(range(len(OTHERWISE))))
    def approve_otherwise(self, n: int, variant: int) -> None:
        """She takes what a card offers besides, and approves it by that."""
        self._edit(n, OTHERWISE[variant], variant=variant)

    def _edit(self, n: int, how: str, *, variant: int | None = None) -> None:
        cards = [
            card for card in self._questions(QuestionKind.APPROVE, closed=n % 4 == 0) if self.people.may_edit(card)
        ]
        if not cards:
            self._goes_on(n)
            return
        card = cards[n % len(cards)]
        text = f"{self.stage.sight.actions[card['action_id']]['args'].split(chr(34))[3].split()[0]} {how}"
        self.do(f"edits {card['action_id']}, {how}", self.people.changes(card, text, variant=variant))

    @rule(level=st.sampled_from([TrustLevel.SUPERVISED, TrustLevel.AUTONOMOUS]))
    @event
    def trust(self, level: str) -> None:
        """She sets her trust level."""
        self.do(f"trusts {level}", self.people.trusts(TrustLevel(level)))

    @rule(n=NUMBERS)
    @event
    def stop(self, n: int) -> None:
        """She stops everything."""
        if not self._is_rare(n):
            return
        self.do("stop", self.people.stops())

    @rule(n=NUMBERS, now=st.booleans())
    @event
    def undo(self, n: int, now: bool) -> None:
        """She presses Undo or Send now on what is held back, maybe while it begins or when it is over."""
        held = [run_id for run_id in self.stage.sight.runs if self.stage.sight.holds(run_id)]
        if held:
            run_id = held[-1 - n % len(held)]
            self.do(f"{'send now' if now else 'undo'} {run_id}", self.people.holds_no_more(run_id, now=now))
        else:
            self._goes_on(n)

    @rule(n=NUMBERS, what=st.sampled_from(["continue", "ask", "try"]))
    @event
    def resume(self, n: int, what: str) -> None:
        """She presses Continue, Ask again or Try again, where that is possible or not."""
        values = list(self.stage.sight.runs)
        if what == "ask":
            values = [f"{row['id']}.{row['nonce']}" for row in self._questions(*QuestionKind, closed=True)]
        elif resting := self.stage.sight.resting():
            values = resting
        if values:
            self.do(f"presses {what}", self.people.presses(what, values[-1 - n % len(values)]))

    @rule(n=NUMBERS)
    @event
    def delete(self, n: int) -> None:
        """She deletes a message."""
        if self._is_rare(n) and self.asked:
            self.do("deletes", self.people.deleted(self.asked[n % len(self.asked)]))

    @rule(n=NUMBERS)
    @event
    def amend(self, n: int) -> None:
        """She changes the text of a message."""
        if self._is_rare(n) and self.asked:
            self.do("amends", self.people.edited(self.asked[n % len(self.asked)]))

    # What time does ---------------------------------------------------------------------------------------------

    @rule(seconds=st.sampled_from([5.0, 60.0, DAY, WEEK + 1]))
    @event
    def wait(self, seconds: float) -> None:
        """Nobody says anything: deadlines, approvals and questions come to their end."""
        self.do(f"{seconds:g} s", self.stage.silence(seconds))

    @rule(n=NUMBERS, seconds=st.sampled_from([-HOUR, -60.0, 60.0, HOUR]))
    @event
    def step_clock(self, n: int, seconds: float) -> None:
        """Somebody sets the clock: no time passes, and what is stored lies an hour ahead, or is over at once."""
        if self._is_rare(n):
            self.do(f"the clock steps by {seconds:g} s", self.stage.clock_steps(seconds))

    @rule(n=NUMBERS, hard=st.booleans())
    @event
    def limit(self, n: int, hard: bool) -> None:
        """A run comes to a limit."""
        if self._is_rare(n) and (runs := list(self.stage.sight.runs)):
            self.do(f"limit, hard {hard}", self.people.limited(runs[-1 - n % len(runs)], hard=hard))

    def teardown(self) -> None:
        """Then everything comes to an end."""
        self.seen.update(self.stage.moves)
        try:
            if not self.stage.found:
                self.do("the end", come_to_an_end(self.people))
        finally:
            self._run(self._stack.aclose())
            for task in asyncio.all_tasks(self._loop):
                task.cancel()
            self._run(asyncio.sleep(0))
            self._loop.close()
