"""The Stop of one agent: it ends this agent and what works for it, and the run that it works for goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.domain.actions import ActionState
from bot.domain.deliveries import AGENTS, Post
from bot.domain.questions import Choice, QuestionState
from bot.domain.runs import Run, RunState
from bot.llm.model import ModelEvent, ModelRequest
from bot.runtime.core.clicks import ButtonClick, ClickOutcome
from bot.runtime.runs.stop import stop_agent
from bot.runtime.texts import about_agents
from policies.types import TrustLevel
from tests import builders as make
from tests.builders import DANA, MARA, TEAM
from tests.patience import PATIENCE_SECONDS
from tests.unit.bot.runtime.runs.test_delegating import (
    GIVE,
    HAND_OVER,
    SCOUT,
    SEND,
    WRITE,
    WRITER,
    actions_of,
    child,
    children,
    defined,
    given,
    told,
)
from tests.unit.bot.runtime.runtime_harness import Harness, harness, until
from tests.unit.bot.runtime.scripted import Said

TWO: Said = [("meeting_brief", {"topic": "a"}), ("week_review", {})]


@pytest.fixture(params=["sqlite", "postgresql"])
async def here(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncGenerator[Harness]:
    url = request.getfixturevalue("postgres_url") if request.param == "postgresql" else None
    async with harness(tmp_path, postgresql=url, agents=[defined(SCOUT), defined(WRITER)]) as made:
        yield made


@pytest.fixture
async def asking(here: Harness) -> Run:
    """A request whose agent waits with a card."""
    return await here.asked(GIVE, SEND, "You stopped it.", "More.", level=TrustLevel.SUPERVISED)


def on(run: Run, **changes: str) -> ButtonClick:
    return replace(ButtonClick(team=TEAM, user=DANA, value=run.id), **changes)


async def pressed(here: Harness, run: Run, **changes: str) -> ClickOutcome:
    return await stop_agent(here.transactions, on(run, **changes))


async def test_it_ends_the_agent_and_the_assistant_is_told(here: Harness, asking: Run) -> None:
    scout = await child(here, asking)
    assert await pressed(here, scout) == ClickOutcome(accepted=True)
    assert (await child(here, asking)).state is RunState.CANCELLED
    assert (await given(here, asking)).state is ActionState.CANCELLED
    await here.serve()
    assert told(here)["error"]["code"] == "cancelled"
    assert (await here.run(asking.id)).summary == "You stopped it."
    assert here.effect.calls == []
    assert "run.stop_asked" in here.codes()


async def test_what_works_for_it_ends_first_and_another_goes_on(here: Harness) -> None:
    """An agent of an agent ends with it; what the assistant gave to a third one is done."""
    says: list[Said] = [TWO, WRITE, SEND, SEND, "text", "Only one."]
    run = await here.asked(*says, level=TrustLevel.SUPERVISED)
    scout, review, below = sorted(await children(here, run), key=lambda one: (one.parent != run.id, one.agent))
    assert (scout.agent, below.parent) == ("meeting_brief", scout.id)
    assert (await pressed(here, scout)).accepted
    now = {one.id: one.state for one in await children(here, run)}
    assert (now[scout.id], now[below.id], now[review.id]) == (
        RunState.CANCELLED,
        RunState.CANCELLED,
        RunState.AWAITING,
    )
    await here.approve(review, serve=True)
    assert (await here.run(run.id)).summary == "Only one."
    assert len(here.effect.calls) == 1


async def test_the_agent_that_gave_it_work_goes_on(here: Harness) -> None:
    """Of two in a line only the inner one ends."""
    run = await here.asked(GIVE, WRITE, SEND, HAND_OVER, "Fine.", level=TrustLevel.SUPERVISED)
    _, writer = await children(here, run)
    assert (await pressed(here, writer)).accepted
    await here.serve()
    assert [one.state for one in await children(here, run)] == [RunState.COMPLETED, RunState.CANCELLED]
    assert (await here.run(run.id)).summary == "Fine."


async def test_what_it_is_doing_ends_first(here: Harness) -> None:
    """Meanwhile another press is told so; then the assistant goes on."""
    here.model.says, here.effect.busy = [GIVE, SEND, "You stopped it."], asyncio.Event()
    await here.trusts(TrustLevel.AUTONOMOUS)
    run = await here.request()
    serving = asyncio.create_task(here.serve())
    await until(lambda: here.effect.calls)
    scout = await child(here, run)
    assert (await pressed(here, scout)).accepted
    assert (await child(here, run)).state is RunState.EXECUTING
    again = await pressed(here, scout)
    assert (again.accepted, again.text) == (False, about_agents.STOPS)
    here.effect.busy.set()
    await serving
    assert (await child(here, run)).state is RunState.CANCELLED
    assert (await here.run(run.id)).summary == "You stopped it."
    (sent,) = await actions_of(here, scout)
    assert sent.state is ActionState.COMPLETED
    assert here.codes().count("click.late") == 1


async def test_a_model_that_is_asked_is_let_go(here: Harness) -> None:
    """What it would answer is not awaited."""
    stream, begun = here.model.stream, asyncio.Event()

    async def silent(request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        if request.instruction.startswith("You look"):
            begun.set()
            await asyncio.Event().wait()
        async for event in stream(request):
            yield event

    here.model.stream, here.model.says = silent, [GIVE, "You stopped it."]
    run = await here.request()
    serving = asyncio.create_task(here.serve())
    await begun.wait()
    assert (await pressed(here, await child(here, run))).accepted
    await serving
    assert (await here.run(run.id)).summary == "You stopped it."


# Who, and when ------------------------------------------------------------------------------------------------------


async def test_nobody_else_ends_it(here: Harness, asking: Run) -> None:
    scout = await child(here, asking)
    refused = await pressed(here, scout, user=MARA)
    assert (refused.accepted, refused.text) == (False, f"Only <@{DANA}> can do this.")
    assert not (await pressed(here, scout, team="T_OTHER")).accepted
    assert (await child(here, asking)).state is RunState.AWAITING
    assert here.codes()[-2:] == ["click.wrong_person", "click.wrong_person"]


async def test_its_owner_must_be_a_member_still(here: Harness, asking: Run) -> None:
    await here.seen(make.person(is_guest=True))
    assert not (await pressed(here, await child(here, asking))).accepted
    assert here.codes()[-1] == "click.not_a_member"


async def test_a_made_up_value_ends_nothing(here: Harness, asking: Run) -> None:
    """Neither an id that is not known nor that of the request itself."""
    unknown = await pressed(here, replace(asking, id="run_guess"))
    request = await pressed(here, asking)
    assert (unknown.accepted, request.accepted, request.text) == (False, False, about_agents.NO_AGENT)
    assert (await here.run(asking.id)).state is RunState.AWAITING
    assert here.codes()[-2:] == ["click.unknown", "click.wrong_choice"]


async def test_a_copy_of_the_button_ends_nothing(here: Harness, asking: Run) -> None:
    """It counts in the message that shows the agents, and nowhere else."""
    scout = await child(here, asking)
    async with here.base.store.write() as work:
        await work.posts.save(Post(run_id=asking.id, slot=AGENTS, channel="D1", ts="5.5"))
    assert not (await pressed(here, scout, channel="D1", message_ts="6.6")).accepted
    assert here.codes()[-1] == "click.wrong_place"
    assert (await pressed(here, scout, channel="D1", message_ts="5.5")).accepted


async def test_a_press_behind_its_end_is_told(here: Harness, asking: Run) -> None:
    scout = await child(here, asking)
    assert (await pressed(here, scout)).accepted
    late = await pressed(here, scout)
    assert (late.accepted, late.text) == (False, about_agents.OVER)
    assert here.codes()[-1] == "click.late"


# Beside Approve -----------------------------------------------------------------------------------------------------


async def test_a_stop_then_approve(here: Harness, asking: Run) -> None:
    """The card is withdrawn, and nothing is done."""
    scout = await child(here, asking)
    card = await here.card_of(scout.id)
    assert (await pressed(here, scout)).accepted
    late = await here.click(card)
    assert (late.accepted, late.text) == (False, "This question was withdrawn, so nothing was done.")
    await here.serve()
    assert here.effect.calls == []
    assert (await here.run(asking.id)).state is RunState.COMPLETED


async def test_approve_then_a_stop(here: Harness, asking: Run) -> None:
    """What was approved and not begun is not done any more."""
    scout = await child(here, asking)
    await here.approve(scout)
    assert (await pressed(here, scout)).accepted
    await here.serve()
    (mail,) = await actions_of(here, scout)
    assert (mail.state, here.effect.calls) == (ActionState.CANCELLED, [])
    assert (await here.run(asking.id)).state is RunState.COMPLETED


@pytest.mark.parametrize("number", range(6))
async def test_both_at_once(here: Harness, asking: Run, number: int) -> None:
    """Whichever is first, both are answered, the mail is done at most once, and the assistant goes on."""
    scout = await child(here, asking)
    card = await here.card_of(scout.id)
    pressing = [here.click(card, Choice.APPROVE), pressed(here, scout)]
    async with asyncio.timeout(PATIENCE_SECONDS):
        outcomes = await asyncio.gather(*(pressing if number % 2 else pressing[::-1]))
    await here.serve()
    (mail,) = await actions_of(here, scout)
    assert any(outcome.accepted for outcome in outcomes)
    assert (await child(here, asking)).state is RunState.CANCELLED
    assert mail.state is ActionState.CANCELLED
    assert (await here.run(asking.id)).state is RunState.COMPLETED
    assert here.effect.calls == []
    async with here.base.store.read() as work:
        closed = await work.questions.find(card.id)
    assert closed is not None
    assert closed.state in {QuestionState.DECIDED, QuestionState.WITHDRAWN}


@pytest.mark.parametrize("number", range(4))
async def test_both_at_once_where_one_agent_works_for_another(here: Harness, number: int) -> None:
    """A stop of the outer one and a vote on the inner one's card: neither waits for the other for ever."""
    run = await here.asked(GIVE, WRITE, SEND, "You stopped it.", level=TrustLevel.SUPERVISED)
    scout, writer = await children(here, run)
    pressing = [here.click(await here.card_of(writer.id), Choice.APPROVE), pressed(here, scout)]
    async with asyncio.timeout(PATIENCE_SECONDS):
        outcomes = await asyncio.gather(*(pressing if number % 2 else pressing[::-1]))
    assert any(outcome.accepted for outcome in outcomes)
    await here.serve()
    assert [one.state for one in await children(here, run)] == [RunState.CANCELLED, RunState.CANCELLED]
    assert (await here.run(run.id)).summary == "You stopped it."
    assert here.effect.calls == []
