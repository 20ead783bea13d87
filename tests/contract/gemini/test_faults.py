"""What may come instead of an answer, and what is tried again."""

from __future__ import annotations

import asyncio
import gc
import socket
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import pairwise

import pytest

from bot.llm.model import (
    FinishKind,
    ModelMisconfigured,
    ModelRejected,
    ModelUnavailable,
    QuotaExhausted,
    Restarted,
    TextDelta,
    ThoughtDelta,
    Turn,
)
from bot.llm.models import DEFAULT_MODEL
from bot.llm.transport import Timeouts
from playground.gemini.app import build
from playground.serve import Served
from tests.contract.gemini.world import ONCE, QUICK, World, asking, events_of, last_chunk, turn_of

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("overloaded", {}),
        ("status", {"status": 503}),
        ("status", {"status": 502, "body": "<html>", "headers": {"content-type": "text/html"}}),
        ("rate_limit", {"seconds": 0.01}),
        ("error", {"status": 500}),
        ("drop_before", {}),
        ("drop_after", {}),
    ],
)
async def test_a_passing_fault_before_the_answer(world: World, kind: str, more: dict[str, object]) -> None:
    """A fault that passes is waited out; as nothing was shown, nothing is replaced."""
    await world.fault(kind, **more)
    async with world.model() as model:
        events = await events_of(model, asking("hello"))
    assert Restarted() not in events
    assert isinstance(events[-1], Turn)
    assert events[-1].finish is FinishKind.STOP
    assert len(await world.log()) == 2


@pytest.mark.parametrize(
    ("kind", "more"),
    [("cut", {}), ("no_finish", {}), ("error_event", {"status": 503}), ("hang_midstream", {"seconds": 5})],
)
async def test_a_stream_that_breaks_is_redone(world: World, kind: str, more: dict[str, object]) -> None:
    """A stream that is cut, ends without a finish reason, hangs or carries an error is done again from its start."""
    await world.fault(kind, after=3, **more)
    async with world.model(timeouts=Timeouts(idle=0.1 if kind == "hang_midstream" else 30)) as model:
        events = await events_of(model, asking("[[model: text=All of this text comes again from its very start.]]"))
    again = events.index(Restarted())
    assert [event for event in events[:again] if isinstance(event, TextDelta)]
    turn = events[-1]
    assert isinstance(turn, Turn)
    last = len(events) - events[::-1].index(Restarted())  # a busy machine may be slow between two chunks, too
    anew = "".join(event.text for event in events[last:] if isinstance(event, TextDelta))
    assert anew == turn.text == "All of this text comes again from its very start."
    single = last_chunk((await world.log())[-1])["usageMetadata"]["promptTokenCount"]
    assert turn.usage.prompt_tokens > single


@pytest.mark.parametrize(
    ("kind", "more", "reason"),
    [
        ("overloaded", {}, "overloaded"),
        ("rate_limit", {"seconds": 0.01}, "rate"),
        ("drop_before", {}, "network"),
        ("cut", {"after": 2}, "network"),
        ("no_finish", {"after": 2}, "network"),
        ("hang", {"seconds": 5}, "timeout"),
    ],
)
async def test_a_lasting_fault_ends_in_an_error(world: World, kind: str, more: dict[str, object], reason: str) -> None:
    """A fault that does not pass is told after the last attempt, with its reason."""
    await world.fault(kind, times=-1, **more)
    with pytest.raises(ModelUnavailable) as caught:
        await world.turn(asking("hello"), timeouts=Timeouts(first=0.1 if kind == "hang" else 10))
    assert caught.value.reason == reason
    assert await world.requests(at_least=QUICK.attempts) == QUICK.attempts


async def test_a_stream_that_pauses_goes_on(world: World) -> None:
    """What was begun stands for so long, and the rest follows, once; the log says so."""
    whole = "All of this text comes, and once."
    await world.fault("pause", after=3, seconds=1.0)
    async with world.model() as model:
        at, events = list[float](), list[object]()
        async for event in model.stream(asking(f"[[model: text={whole}]]")):
            at.append(time.monotonic())
            events.append(event)
    assert Restarted() not in events
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == whole
    assert max(later - before for before, later in pairwise(at)) >= 0.9
    assert [entry["note"] for entry in await world.log()] == ["fault: pause"]


async def test_garbage_inside_a_stream(world: World) -> None:
    """What is no JSON makes the turn malformed, whatever came before it."""
    await world.fault("garbage", after=2)
    turn = await world.turn(asking("hello"))
    assert (turn.finish, turn.content) == (FinishKind.MALFORMED, None)


async def test_a_fault_after_the_finish_reason_is_nothing(world: World) -> None:
    """Once the API said how the answer ended, a cut costs nothing."""
    await world.fault("hang_midstream", after=1_000, seconds=5)
    async with world.model(timeouts=Timeouts(idle=0.1)) as model:
        events = await events_of(model, asking("hello"))
    assert Restarted() not in events
    assert await world.requests(at_least=1) == 1


async def test_long_advice_is_reported(world: World) -> None:
    """Advice to come back much later is handed on at once."""
    await world.fault("rate_limit", seconds=31)
    with pytest.raises(ModelUnavailable) as caught:
        await world.turn(asking("hello"))
    assert (caught.value.reason, caught.value.retry_after) == ("rate", 31.0)


async def test_the_quota_of_the_day(world: World) -> None:
    """A used-up quota of the day is told at once and never slept on."""
    await world.fault("daily_quota")
    with pytest.raises(QuotaExhausted) as caught:
        await world.turn(asking("hello"))
    assert caught.value.daily


@pytest.mark.parametrize(
    ("secret", "model", "told"),
    [("invalid", DEFAULT_MODEL, "was refused"), ("key", "gemini-0-none", "gemini-0-none")],
    ids=["key", "model"],
)
async def test_a_wrong_configuration(world: World, secret: str, model: str, told: str) -> None:
    """A key or token that is refused, and a model that does not exist, are faults of the configuration."""
    with pytest.raises(ModelMisconfigured, match=told):
        await world.turn(asking("hello", model=model), secret=secret)


async def test_an_alias(world: World) -> None:
    """A `-latest` alias works, and the turn says which model answered."""
    turn = await world.turn(asking("hello", model="gemini-flash-latest"))
    assert turn.model == "gemini-3.8-flash"


async def test_a_bad_history_is_rejected(world: World) -> None:
    """A call without a response is a 400 that is not sent again."""
    async with world.model() as model:
        turn = await turn_of(model, asking("anything unread?"))
        assert turn.content is not None
        with pytest.raises(ModelRejected, match="number of function response parts"):
            await turn_of(model, asking("anything unread?", turn.content, "and now?"))
    assert len(await world.log()) == 2


async def test_nobody_listens(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A refused connection is told as a network failure, without google-genai's own sleeps of up to ten seconds."""
    slept, sleep = list[float](), asyncio.sleep

    async def noted(seconds: float) -> None:
        slept.append(seconds)
        await sleep(0)

    monkeypatch.setattr(asyncio, "sleep", noted)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
        with pytest.raises(ModelUnavailable) as caught:
            await world.turn(asking("hello"), url=url)
    assert caught.value.reason == "network"
    assert max(slept, default=0) < 1  # others that sleep here: our own retries, and the server of the emulator


async def test_a_connection_that_never_stands(world: World) -> None:
    """Connecting has a timeout of its own, far shorter than the wait for the first token."""
    async with _full_backlog() as url, world.model(url=url, retries=ONCE, timeouts=Timeouts(connect=0.1)) as model:
        with pytest.raises(ModelUnavailable) as caught:
            await turn_of(model, asking("hello"))
    assert caught.value.reason == "timeout"


async def test_an_answer_that_never_ends(world: World) -> None:
    """An attempt has an overall timeout, however lively the stream is."""
    patience = Timeouts(total=0.15)
    async with Served(build(pace_seconds=0.02)) as url, world.model(url=url, retries=ONCE, timeouts=patience) as model:
        with pytest.raises(ModelUnavailable) as caught:
            await turn_of(model, asking("[[model: long=20000]]"))
    assert caught.value.reason == "timeout"


async def test_leaving_early_ends_the_request(world: World) -> None:
    """Closing the stream closes its connection at once, without the garbage collector; the model can be asked again."""
    async with Served(build(pace_seconds=0.01)) as url, world.model(url=url) as model:
        stream = model.stream(asking("[[model: long=20000]]"))
        assert isinstance(await anext(stream), ThoughtDelta)
        gc.disable()
        try:
            await stream.aclose()
            assert await replace(world, url=url).requests(at_least=1) == 1
        finally:
            gc.enable()
        assert (await turn_of(model, asking("hello"))).finish is FinishKind.STOP


@asynccontextmanager
async def _full_backlog() -> AsyncGenerator[str]:
    """An address that accepts no connection: its backlog is full."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(0)
    waiting = [socket.socket() for _ in range(4)]
    for client in waiting:
        client.setblocking(False)
        client.connect_ex(listener.getsockname())
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        for each in [*waiting, listener]:
            each.close()
