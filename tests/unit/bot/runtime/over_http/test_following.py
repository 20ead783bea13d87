"""Following requests: what is told of them here and elsewhere, to whoever comes, comes back, comes late or is slow."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from bot.domain.deliveries import Post, card_slot
from bot.domain.events import TextStreamed, ThoughtStreamed
from bot.domain.questions import Choice
from bot.domain.runs import RunState
from bot.llm.model import Restarted, TextDelta, ThoughtDelta
from bot.runtime.core.event_bus import Bus
from bot.runtime.over_http import following, transcripts
from bot.runtime.over_http.following import Behind, Followed, Following, Leaving, NotFollowed, settled
from bot.runtime.over_http.outcomes import Status
from bot.runtime.over_http.transcripts import Begins, Ended, Line, Lost, TextSaid, Thought, ToolCalled
from bot.store.engine.sqlite import CONNECTIONS
from bot.store.store import Store
from bot.store.unit_of_work import UnitOfWork
from policies.types import TrustLevel
from tests.builders import DANA, MARA, TEAM
from tests.dispatchers import OneThread
from tests.patience import PATIENCE_SECONDS
from tests.unit.bot.runtime.over_http.desk import LOOK, OTHER, SEND, Desk, key
from tests.unit.bot.runtime.runtime_harness import HURRIED_SECONDS, until

SUPERVISED = TrustLevel.SUPERVISED


@dataclass(slots=True)
class Page:
    """Somebody who reads, in a task of their own."""

    following: Following
    followed: Followed
    after: int | None = None
    lines: list[Line] = field(default_factory=list[Line])
    first: int = 0

    async def read(self) -> list[Line]:
        """Read to the last line."""
        async for piece in self.following.lines(self.followed, after=self.after):
            self.first = self.first or piece.first
            self.lines += piece.lines
        return self.lines

    @property
    def texts(self) -> str:
        return "".join(line.text for line in self.lines if isinstance(line, TextSaid))


async def joined(follows: Following, run_id: str, *, user: str = DANA, after: int | None = None) -> Page:
    return Page(follows, await follows.join(run_id, team=TEAM, user=user), after)


@asynccontextmanager
async def reading(page: Page) -> AsyncGenerator[None]:
    """It reads meanwhile; in the end to the last line."""
    async with asyncio.timeout(PATIENCE_SECONDS), asyncio.TaskGroup() as tasks:
        tasks.create_task(page.read())
        yield


@asynccontextmanager
async def elsewhere(at: Desk, store: Store | None = None) -> AsyncGenerator[Following]:
    """Another process over the same rows, which hears nothing of what this one tells."""
    async with Following(
        store=store or at.here.base.store, bus=Bus(), look_seconds=HURRIED_SECONDS, card_seconds=0
    ) as other:
        yield other


def calls(lines: Sequence[Line]) -> list[str]:
    return [line.tool for line in lines if isinstance(line, ToolCalled)]


def ended(lines: Sequence[Line]) -> Any:
    """What its only last line says."""
    assert [type(line) for line in lines if isinstance(line, Ended | Lost)] == [type(lines[-1])]
    last = lines[-1]
    assert isinstance(last, Ended)
    return last.outcome


# From the beginning ---------------------------------------------------------------------------------------------------


async def test_a_request_is_followed_from_its_first_moment(at: Desk) -> None:
    """The line that begins, one for each call, what is said, and what came of it, from rows; numbered from 1."""
    at.here.model.says = [[*LOOK, *LOOK], "It goes on Friday."]
    page = await joined(at.following, (taken := await at.says()).run_id)
    async with reading(page):
        await at.serve(taken)
    begins, *told, _ = page.lines
    assert isinstance(begins, Begins)
    assert told == [ToolCalled("gmail_search", "Do benches")] * 2 + [TextSaid("It goes on "), TextSaid("Friday.")]
    assert ended(page.lines) == await at.outcome(taken)
    assert page.first == 1
    assert (await at.following.outcome(page.followed)) == await at.outcome(taken)


async def test_it_is_served_where_it_is_followed(at: Desk) -> None:
    """In the process that was asked, which alone hears what the model says."""
    taken = await at.says()
    dispatcher = at.here.transactions.dispatcher
    assert isinstance(dispatcher, OneThread)
    assert dispatcher.woken_here == [taken.thread_id]


async def test_a_reader_hears_that_nothing_came(at: Desk) -> None:
    """A piece without lines, again and again; the numbers go on behind it as if there had been none."""
    followed = await at.following.join((await at.says()).run_id, team=TEAM, user=DANA)
    pieces = at.following.lines_from(followed, followed.transcript.begun(None), heartbeat=HURRIED_SECONDS)
    async with asyncio.timeout(PATIENCE_SECONDS):
        first, *silent = [await anext(pieces) for _ in range(3)]
        followed.transcript.hear(TextSaid("Now."))
        spoken = next(piece for piece in [await anext(pieces), await anext(pieces)] if piece.lines)
    assert [piece.lines for piece in silent] == [[], []]
    assert (spoken.first, spoken.lines) == (first.last + 1, [TextSaid("Now.")])
    await pieces.aclose()


async def test_thoughts_are_told(at: Desk) -> None:
    """Apart from what is said."""
    at.here.model.before = [ThoughtDelta("Hm.")]
    page = await joined(at.following, (taken := await at.says()).run_id)
    async with reading(page):
        await at.serve(taken)
    assert page.lines[:3] == [Begins(), Thought("Hm."), TextSaid("Done.")]


async def test_what_is_said_anew_begins_anew(at: Desk) -> None:
    """What the model said before it was asked once more is void, and so is what it said before it called tools."""
    at.here.model.before = [TextDelta("Let "), Restarted(), TextDelta("Let me see. ")]
    at.here.model.says = [LOOK, "Friday."]
    page = await joined(at.following, (taken := await at.says()).run_id)
    async with reading(page):
        await at.serve(taken)
    said = [line for line in page.lines if not isinstance(line, ToolCalled)]
    assert said[:4] == [Begins(), TextSaid("Let "), Begins(), TextSaid("Let me see. ")]
    assert said[4:-1] == [Begins(), TextSaid("Let "), Begins(), TextSaid("Let me see. "), TextSaid("Friday.")]


async def test_the_end_is_told_behind_all_that_was_said(at: Desk) -> None:
    """The rows may tell of the end before the bus has told the last words."""
    taken = await at.asked()
    bus = at.here.transactions.bus
    for _ in range(20):
        followed = at.following.expect(taken.run_id, team=TEAM, user=DANA, is_new=True)
        page = Page(at.following, followed)
        followed.hear(None)
        async with reading(page):
            for text in ("so ", "it ", "is"):
                bus.publish(TextStreamed(taken.run_id, text))
        assert page.texts == "so it is"


async def test_what_agents_say_is_not_told(at: Desk) -> None:
    """What runs do that work for a request is told of it; what they say is their own."""
    page = await joined(at.following, (taken := await at.says()).run_id)
    bus = at.here.transactions.bus
    async with reading(page):
        bus.publish(TextStreamed("run_child", "inner", root=taken.run_id))
        bus.publish(ThoughtStreamed("run_child", "inner", root=taken.run_id))
        bus.publish(TextStreamed("run_other", "other"))
        await at.serve(taken)
    assert page.texts == "Done."


# Late, and again ------------------------------------------------------------------------------------------------------


async def test_who_comes_late_hears_no_half_of_a_step(at: Desk) -> None:
    """A process that hears of a request while a step is under way tells of the next one."""
    at.here.model.before, at.here.model.hold_after = [TextDelta("half ")], asyncio.Event()
    at.here.model.says = [LOOK, "whole"]
    taken = await at.says()
    first = await joined(at.following, taken.run_id)
    store, bus = at.here.base.store, at.here.transactions.bus
    async with reading(first), at.serving(taken):
        await until(lambda: first.texts == "half ")
        async with Following(store=store, bus=bus, card_seconds=0) as other:
            late = await joined(other, taken.run_id)
            async with reading(late):
                at.here.model.hold_after.set()
    assert late.lines[:1] == [Begins()]
    assert late.texts == "half whole"
    assert calls(late.lines) == ["gmail_search"]
    assert ended(late.lines).text == ended(first.lines).text
    assert late.first > 1_000_000


async def test_joining_behind_every_line(at: Desk) -> None:
    """A reader who lost the connection after any line gets the others, and no line twice."""
    at.here.model.says = [LOOK, LOOK, "It goes on Friday."]
    whole = await joined(at.following, (taken := await at.says()).run_id)
    async with reading(whole):
        await at.serve(taken)
    for after in range(len(whole.lines) + 1):
        again = await joined(at.following, taken.run_id, after=after)
        assert await again.read() == whole.lines[after:]
    for unknown in (-1, len(whole.lines) + 1, 10**17):
        again = await joined(at.following, taken.run_id, after=unknown)
        assert await again.read() == whole.lines


async def test_after_a_click_it_is_told_on(at: Desk) -> None:
    """Its transcript ended with what waits; who joins again after the click is told what came of it."""
    taken = await at.asked(SEND, "Sent.", level=SUPERVISED)
    page = await joined(at.following, taken.run_id)
    await page.read()
    assert ended(page.lines).status is Status.AWAITING
    same = await joined(at.following, taken.run_id, after=page.followed.transcript.count)
    assert await same.read() == []
    await at.here.approve(await at.run(taken))
    again = await joined(at.following, taken.run_id)
    async with reading(again):
        await at.serve(taken)
    assert ended(again.lines).text == "Sent."
    assert again.texts == "Sent."


async def test_one_click_of_two(at: Desk) -> None:
    """What waits is told as it is now, although the request is in the same state as before."""
    taken = await at.asked([*SEND, *OTHER], level=SUPERVISED)
    page = await joined(at.following, taken.run_id)
    await page.read()
    assert len(ended(page.lines).waiting) == 2
    await at.here.click((await at.questions(taken.run_id))[0], Choice.REJECT)
    await at.serve(taken)
    again = await joined(at.following, taken.run_id)
    await again.read()
    assert len(ended(again.lines).waiting) == 1


async def test_what_is_said_to_what_waits(at: Desk) -> None:
    """Whoever says it follows the same request anew: what came of it before does not count any more."""
    taken = await at.asked(SEND, "Friday then.", level=SUPERVISED)
    page = await joined(at.following, taken.run_id)
    await page.read()
    await at.says("Friday", thread=taken.thread_id)
    again = await joined(at.following, taken.run_id)
    assert not again.followed.transcript.is_over
    async with reading(again):
        await at.serve(taken)
    assert ended(again.lines).text == "Friday then."


class Slow(Store):
    """A store whose readers go on only when they are let, though they have read."""

    held: asyncio.Event
    waits: asyncio.Event

    @asynccontextmanager
    async def read(self, *, patience: float | None = None, long: bool = False) -> AsyncGenerator[UnitOfWork]:
        async with super().read(patience=patience, long=long) as work:
            yield work
        self.waits.set()
        await self.held.wait()


async def test_what_was_read_before_something_was_said_is_not_how_it_ends(at: Desk) -> None:
    """The rows were read while a card waited, and then somebody said something: they are read again."""
    taken = await at.asked(SEND, "Friday then.", level=SUPERVISED)
    base = at.here.base
    slow = Slow(base.database, keyring=base.keyring, clock=base.clock)
    slow.held, slow.waits = asyncio.Event(), asyncio.Event()
    followed = Followed(taken.run_id, team=TEAM, user=DANA, store=slow, is_new=False, card_seconds=0)
    await slow.waits.wait()
    slow.held.set()
    slow.held, slow.waits = asyncio.Event(), asyncio.Event()
    await slow.waits.wait()
    await at.says("Friday", thread=taken.thread_id)
    followed.go_on()
    slow.held.set()
    await until(lambda: followed.seen == (RunState.PLANNING, 1))
    assert not followed.transcript.is_over
    await followed.close()


# Elsewhere ------------------------------------------------------------------------------------------------------------


async def test_another_process_reads_rows(at: Desk) -> None:
    """No pieces of text, but the same calls and the same end."""
    at.here.model.says = [LOOK, LOOK, "It goes on Friday."]
    here = await joined(at.following, (taken := await at.says()).run_id)
    async with elsewhere(at) as other:
        there = await joined(other, taken.run_id)
        async with reading(here), reading(there):
            await at.serve(taken)
    assert there.lines == [line for line in here.lines if not isinstance(line, TextSaid)]


async def test_two_processes_number_apart(at: Desk) -> None:
    """The same key, asked again at another process before the run began: neither takes the other's numbers for its
    own.
    """
    at.here.model.says = [LOOK, "It goes on Friday."]
    here = await joined(at.following, (taken := await at.says(key=key())).run_id)
    async with elsewhere(at) as other:
        again = await Desk(here=at.here, following=other).says(key=key())
        assert again == taken
        there = await joined(other, taken.run_id, after=2)
        async with reading(here), reading(there):
            await at.serve(taken)
        assert there.lines[0] == Begins()
        assert calls(there.lines) == ["gmail_search"]
        for after in range(1, len(here.lines) + 1):
            joins = await joined(other, taken.run_id, after=after)
            assert (await joins.read())[0] == Begins()


async def test_a_click_elsewhere(at: Desk) -> None:
    """It is clicked and worked on in another process; who waits here learns it from rows."""
    taken = await at.asked(SEND, "Sent.", level=SUPERVISED)
    await at.here.approve(await at.run(taken))
    async with elsewhere(at) as other:
        there = await joined(other, taken.run_id)
        assert not there.followed.transcript.is_over
        async with reading(there):
            await at.serve(taken)
        assert ended(there.lines).text == "Sent."
        assert calls(there.lines) == ["gmail_send"]


async def test_rows_that_cannot_be_read_are_read_later(at: Desk) -> None:
    """Nobody waits for ever because one look failed, also where the state was seen before."""
    taken = await at.asked(SEND, level=SUPERVISED)
    async with elsewhere(at) as other:
        await at.here.base.tamper("ALTER TABLE questions RENAME TO questions_gone")
        there = Page(other, other.expect(taken.run_id, team=TEAM, user=DANA, is_new=False))
        async with reading(there):
            await until(lambda: there.followed.seen)
            await at.here.base.tamper("ALTER TABLE questions_gone RENAME TO questions")
    assert ended(there.lines).status is Status.AWAITING


async def test_a_request_that_cannot_be_read_is_not_waited_for(at: Desk) -> None:
    """Its rows are not what they must be: whoever reads or waits is told so, and not never."""
    taken = await at.asked(SEND, level=SUPERVISED)
    async with elsewhere(at) as other:
        await at.here.base.tamper("UPDATE runs SET output = '{'")
        followed = other.expect(taken.run_id, team=TEAM, user=DANA, is_new=False)
        async with asyncio.timeout(PATIENCE_SECONDS):
            with pytest.raises(NotFollowed):
                await other.outcome(followed)
            with pytest.raises(NotFollowed):
                _ = [piece async for piece in other.lines(followed, after=None)]


# The end --------------------------------------------------------------------------------------------------------------


async def test_it_is_nobody_elses(at: Desk) -> None:
    """Somebody else is told nothing of it, whether it is followed here or not."""
    taken = await at.says()
    for follows in (at.following, None):
        async with elsewhere(at) as other:
            page = await joined(follows or other, taken.run_id, user=MARA)
            assert await page.read() == [Begins(), Lost()]
            assert await page.following.outcome(page.followed) is None
    mine = await joined(at.following, taken.run_id)
    async with reading(mine):
        await at.serve(taken)
    assert mine.texts == "Done."


async def test_a_request_that_was_forgotten(at: Desk) -> None:
    """Its last line says that nothing is known of it any more."""
    taken = await at.asked()
    await at.here.base.tamper(f"PRAGMA foreign_keys=OFF; DELETE FROM runs WHERE id = '{taken.run_id}'")
    page = Page(at.following, at.following.expect(taken.run_id, team=TEAM, user=DANA, is_new=False))
    assert (await page.read())[-1] == Lost()
    assert await at.following.outcome(page.followed) is None
    assert (await (await joined(at.following, taken.run_id)).read())[-1] == Lost()


async def test_the_process_leaves(at: Desk) -> None:
    """Whoever reads or waits is told so, after what there was to tell; the request goes on."""
    async with elsewhere(at) as other:
        taken = await at.says()
        page = await joined(other, taken.run_id)
        waiting = asyncio.create_task(other.outcome(page.followed))
        task = asyncio.create_task(page.read())
        await until(lambda: page.lines)
    for one in (waiting, task):
        with pytest.raises(Leaving):
            await one
    assert page.lines == [Begins()]
    assert page.followed.readers == 0
    await at.serve(taken)
    assert await at.state(taken) is RunState.COMPLETED


async def test_a_reader_who_leaves_cancels_nothing(at: Desk) -> None:
    """They may come back; the request does not notice."""
    taken = await at.says()
    page = await joined(at.following, taken.run_id)
    lines = at.following.lines(page.followed, after=None)
    await anext(lines)
    assert page.followed.readers == 1
    await lines.aclose()
    assert page.followed.readers == 0
    await at.serve(taken)
    again = await joined(at.following, taken.run_id, after=1)
    await again.read()
    assert again.texts == "Done."


async def test_a_slow_reader_begins_anew(at: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines were forgotten before they had them: their stream ends, and they join again with the number that they
    have.
    """
    monkeypatch.setattr(transcripts, "KEPT", 4)
    taken = await at.says()
    page = await joined(at.following, taken.run_id)
    lines = at.following.lines(page.followed, after=None)
    assert (await anext(lines)).lines == [Begins()]
    for _ in range(9):
        at.here.transactions.bus.publish(TextStreamed(taken.run_id, "a "))
    await until(lambda: page.followed.transcript.count == 10)
    with pytest.raises(Behind):
        await anext(lines)
    piece = await anext(at.following.lines((await joined(at.following, taken.run_id)).followed, after=1))
    assert piece.lines == [Begins(), TextSaid("a " * 9)]


async def test_a_reader_has_few_lines_of_their_own(at: Desk) -> None:
    """Whoever comes late gets many lines piece by piece, none twice and none missing."""
    followed = at.following.expect("run_x", team=TEAM, user=DANA, is_new=True)
    for n in range(600):
        followed.transcript.hear(TextSaid(f"{n} "))
    followed.transcript.finish(Lost())
    pieces = [piece.lines async for piece in at.following.lines(followed, after=None)]
    assert [len(lines) for lines in pieces] == [256, 256, 90]
    assert [line for lines in pieces for line in lines] == [Begins(), *(TextSaid(f"{n} ") for n in range(600)), Lost()]


async def test_what_nobody_follows_is_bounded(at: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The transcripts that were followed longest ago go first; none that somebody reads."""
    monkeypatch.setattr(following, "MOST_KEPT", 2)
    taken = [await at.says() for _ in range(5)]
    read = (await joined(at.following, taken[0].run_id)).followed
    lines = at.following.lines(read, after=None)
    await anext(lines)
    first, *_, last = [(await joined(at.following, one.run_id)).followed for one in taken[1:]]
    assert (await joined(at.following, taken[0].run_id)).followed is read
    assert (await joined(at.following, taken[4].run_id)).followed is last
    assert (await joined(at.following, taken[1].run_id)).followed is not first
    await lines.aclose()


async def test_what_is_forgotten_reads_no_further(at: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its look at the rows was under way, and ends with the following: nobody closes the store under it. Whoever was
    about to read it is told so.
    """
    monkeypatch.setattr(following, "MOST_KEPT", 0)
    async with AsyncExitStack() as busy:
        for _ in range(CONNECTIONS - 1):
            await (await busy.enter_async_context(at.here.base.store.read())).records.run("run_x")
        async with elsewhere(at) as other:
            forgotten, _ = [other.expect(each, team=TEAM, user=DANA, is_new=False) for each in ("run_1", "run_2")]
            with pytest.raises(Leaving):
                await asyncio.wait_for(other.outcome(forgotten), PATIENCE_SECONDS)
        assert not {task.get_name() for task in asyncio.all_tasks()} & {"http-follows-run_1", "http-follows-run_2"}


# Cards ----------------------------------------------------------------------------------------------------------------


async def test_a_card_is_waited_for_a_moment(at: Desk) -> None:
    """Its address is told where it is there soon; else what waits is told without."""
    taken = await at.asked(SEND, level=SUPERVISED)
    store = at.here.base.store
    asking = asyncio.create_task(settled(store, taken.run_id, team=TEAM, user=DANA, patience=20.0))
    without = await settled(store, taken.run_id, team=TEAM, user=DANA, patience=0.0)
    assert without is not None
    assert without.waiting[0].card is None
    async with store.write() as work:
        slot = card_slot((await at.questions(taken.run_id))[0].id)
        await work.posts.save(Post(run_id=taken.run_id, slot=slot, channel="D1", ts="5.0"))
    found = await asking
    assert found is not None
    assert found.waiting[0].card == ("D1", "5.0")
