"""The agents of a request as they are shown: when that is written anew, and what the rows say of each."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from bot.domain.actions import Tally
from bot.domain.questions import Choice
from bot.domain.runs import Run, RunState
from bot.runtime.core.clicks import ButtonClick
from bot.runtime.runs.stop import stop_agent
from policies.types import TrustLevel
from tests.builders import DANA, TEAM
from tests.unit.bot.runtime.runs.test_delegating import (
    GIVE,
    HAND_OVER,
    LOOK,
    SCOUT,
    SEND,
    WRITE,
    WRITER,
    child,
    children,
    defined,
    silence,
)
from tests.unit.bot.runtime.runtime_harness import Harness, harness, until
from tests.unit.bot.runtime.scripted import Said

TWICE: Said = [("meeting_brief", {"topic": "a"}), ("meeting_brief", {"topic": "b"})]


@pytest.fixture
async def here(tmp_path: Path) -> AsyncGenerator[Harness]:
    async with harness(tmp_path, agents=[defined(SCOUT), defined(WRITER)]) as made:
        yield made


def rows_of(here: Harness, run: Run) -> int:
    """How often the message about its agents was to be written."""
    return len(here.base.rows("SELECT id FROM outbox WHERE kind = 'agents' AND subject = ?", run.id))


async def test_its_beginning_and_its_end_are_shown(here: Harness) -> None:
    """Between its steps no row is written: that is changed as the bus says."""
    run = await here.asked(GIVE, LOOK, LOOK, HAND_OVER, "Done.")
    assert rows_of(here, run) == 2
    (line,) = (await here.queries.agents(run.id)).agents
    assert (line.path, line.state, line.tally) == (("meeting_brief",), RunState.COMPLETED, Tally(lookups=2))
    assert not line.can_be_stopped


async def test_a_request_without_agents_costs_no_row(here: Harness) -> None:
    run = await here.asked(LOOK, SEND, "Done.", in_channel=True)
    assert rows_of(here, run) == 0
    assert (await here.queries.agents(run.id)).agents == ()


async def test_that_it_waits_for_people_is_shown(here: Harness) -> None:
    run = await here.asked(GIVE, SEND, HAND_OVER, "Sent.", level=TrustLevel.SUPERVISED)
    assert rows_of(here, run) == 2
    (line,) = (await here.queries.agents(run.id)).agents
    assert (line.state, line.can_be_stopped) == (RunState.AWAITING, True)
    await here.approve(await child(here, run), serve=True)
    assert rows_of(here, run) == 4


@pytest.mark.parametrize("choice", [Choice.APPROVE, Choice.REJECT])
async def test_it_is_told_whether_all_that_it_wanted_was_rejected(here: Harness, choice: Choice) -> None:
    """Of what it looked up and of what it only gave to others nothing is said; what its helpers wanted counts."""
    says: list[Said] = [GIVE, LOOK, WRITE, SEND, "a text", HAND_OVER, "Fine."]
    run = await here.asked(*says, level=TrustLevel.SUPERVISED)
    (writer,) = [one for one in await children(here, run) if one.agent == "week_review"]
    assert (await here.click(await here.card_of(writer.id), choice)).accepted
    await here.serve()
    lines = (await here.queries.agents(run.id)).agents
    assert [(line.state, line.did_nothing) for line in lines] == [(RunState.COMPLETED, choice is Choice.REJECT)] * 2
    sent = 0 if choice is Choice.REJECT else 1
    assert [line.tally for line in lines] == [Tally(lookups=1, actions=sent), Tally(actions=sent)]


async def test_what_was_only_asked_about_is_no_action(here: Harness) -> None:
    """One that is stopped while its card waits did what it looked up, and nothing else."""
    run = await here.asked(GIVE, LOOK, SEND, level=TrustLevel.SUPERVISED)
    scout = await child(here, run)
    assert (await stop_agent(here.transactions, ButtonClick(team=TEAM, user=DANA, value=scout.id))).accepted
    await here.serve()
    (line,) = (await here.queries.agents(run.id)).agents
    assert (line.state, line.tally, line.changes) == (RunState.CANCELLED, Tally(lookups=1), 1)


async def test_what_may_be_done_counts(here: Harness) -> None:
    """Of an action in doubt it is not said that nothing was done."""
    run = await here.asked(GIVE, LOOK, SEND, level=TrustLevel.SUPERVISED)
    scout = await child(here, run)
    await here.base.tamper(f"UPDATE actions SET state = 'unknown' WHERE run_id = '{scout.id}' AND tool = 'gmail_send'")
    (line,) = (await here.queries.agents(run.id)).agents
    assert line.tally == Tally(lookups=1, actions=1)


async def test_silence_is_shown_and_so_is_a_stop(here: Harness) -> None:
    run = await here.asked(GIVE, SEND, level=TrustLevel.SUPERVISED)
    before = rows_of(here, run)
    await silence(here)
    assert rows_of(here, run) == before + 1
    (line,) = (await here.queries.agents(run.id)).agents
    assert (line.state, line.can_be_stopped) == (RunState.PAUSED, False)


async def test_a_stop_is_shown_at_once(here: Harness) -> None:
    """Also while what is being done keeps it from its end."""
    here.model.says, here.effect.busy = [GIVE, SEND, "Stopped."], asyncio.Event()
    await here.trusts(TrustLevel.AUTONOMOUS)
    run = await here.request()
    serving = asyncio.create_task(here.serve())
    await until(lambda: here.effect.calls)
    before, scout = rows_of(here, run), await child(here, run)
    assert (await stop_agent(here.transactions, ButtonClick(team=TEAM, user=DANA, value=scout.id))).accepted
    assert rows_of(here, run) == before + 1
    (line,) = (await here.queries.agents(run.id)).agents
    assert (line.state, line.stopping, line.doing) == (RunState.EXECUTING, True, "Do it")
    here.effect.busy.set()
    await serving


async def test_what_becomes_private_is_shown_elsewhere(here: Harness) -> None:
    """The message moves with the very commit after which more might be told."""
    run = await here.asked(GIVE, LOOK, HAND_OVER, "Done.", in_channel=True)
    assert (await here.queries.agents(run.id)).place.private
    assert rows_of(here, run) == 3


async def test_those_of_one_step_stand_in_the_order_of_the_calls(here: Harness) -> None:
    """Each with what works for it behind it; what that does counts for both."""
    says: list[Said] = [TWICE, WRITE, LOOK, "a text", HAND_OVER, HAND_OVER, "Both."]
    run = await here.asked(*says)
    lines = (await here.queries.agents(run.id)).agents
    assert [(line.path, line.tally) for line in lines] == [
        (("meeting_brief",), Tally()),
        (("meeting_brief", "week_review"), Tally()),
        (("meeting_brief",), Tally(lookups=1)),
    ]
    assert [(await here.run(line.run_id)).inputs for line in lines if len(line.path) == 1] == [
        {"topic": "a"},
        {"topic": "b"},
    ]
