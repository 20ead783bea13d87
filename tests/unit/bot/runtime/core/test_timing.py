"""The stopwatch: tells how the model and the tools ended and how long they took, and changes nothing about it."""

from __future__ import annotations

import asyncio

import pytest

from bot.domain.events import Event, HomeChanged, ModelAnswered, ToolAnswered
from bot.llm.model import FinishKind, ModelRejected, ModelUnavailable
from bot.runtime.core import event_bus
from bot.runtime.core.event_bus import Bus
from bot.runtime.core.timing import model_timed, tool_timed
from integrations.errors import Ambiguous, BasisChanged, ToolFailed
from tests import builders as make


def _told() -> tuple[Bus, list[Event]]:
    bus, heard = Bus(), list[Event]()
    bus.attend(heard.append)
    return bus, heard


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (ToolFailed("not_found", "It is not there."), "not_found"),
        (Ambiguous("the mail"), "Ambiguous"),
        (BasisChanged(what="the event"), "BasisChanged"),
        (asyncio.CancelledError(), "cut"),
        (ValueError("a defect"), "crashed"),
    ],
)
def test_what_a_tool_raises_is_its_outcome(error: BaseException, outcome: str) -> None:
    """And it is raised on."""
    bus, heard = _told()
    with pytest.raises(type(error)), tool_timed(bus, make.action(attempt=2)):
        raise error
    (event,) = heard
    assert isinstance(event, ToolAnswered)
    assert (event.tool, event.outcome, event.attempt) == ("gmail_send", outcome, 2)
    assert event.seconds >= 0


def test_a_tool_that_returns_is_ok() -> None:
    """Once."""
    bus, heard = _told()
    with tool_timed(bus, make.action()):
        pass
    assert [event.outcome for event in heard if isinstance(event, ToolAnswered)] == ["ok"]


@pytest.mark.parametrize(
    ("error", "finish"),
    [
        (ModelUnavailable("overloaded"), "overloaded"),
        (ModelRejected("too long"), "ModelRejected"),
        (asyncio.CancelledError(), "cut"),
    ],
)
def test_why_the_model_did_not_answer_is_told(error: BaseException, finish: str) -> None:
    """By a word of ours, never by what the provider wrote."""
    bus, heard = _told()
    with pytest.raises(type(error)), model_timed(bus, "run_1", "gemini"):
        raise error
    assert [event.finish for event in heard if isinstance(event, ModelAnswered)] == [finish]


def test_how_the_model_ended_is_told() -> None:
    """By the kind of its finish."""
    bus, heard = _told()
    with model_timed(bus, "run_1", "gemini") as ended:
        ended(FinishKind.CALLS)
    assert [(event.model, event.finish) for event in heard if isinstance(event, ModelAnswered)] == [("gemini", "calls")]


# The bus -----------------------------------------------------------------------------------------------------------


async def test_everybody_hears_what_happens_while_he_listens() -> None:
    """Each subscriber has its own queue, from the beginning of its block to its end."""
    told = Bus()
    told.publish(HomeChanged("T1", "before"))
    async with told.subscribe() as one:
        async with told.subscribe() as two:
            told.publish(HomeChanged("T1", "both"))
        told.publish(HomeChanged("T1", "one"))
    told.publish(HomeChanged("T1", "after"))
    assert [one.get_nowait() for _ in range(one.qsize())] == [HomeChanged("T1", "both"), HomeChanged("T1", "one")]
    assert [two.get_nowait() for _ in range(two.qsize())] == [HomeChanged("T1", "both")]


async def test_who_falls_behind_loses_the_oldest() -> None:
    """Publishing never waits: a full queue drops its oldest event."""
    told = Bus()
    async with told.subscribe() as queue:
        for n in range(event_bus.QUEUE_LIMIT + 3):
            told.publish(HomeChanged("T1", str(n)))
        assert queue.qsize() == event_bus.QUEUE_LIMIT
        assert queue.get_nowait() == HomeChanged("T1", "3")
