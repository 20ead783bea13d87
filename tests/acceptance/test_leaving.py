"""SIGTERM: intake stops, effects end, model calls are let go of, all within ten seconds; and nothing in flight is lost.

The bot is a process of its own, over Socket Mode and over HTTP.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from playground.people import DANA, SIGNING_SECRET
from tests.acceptance.mortal import QUICK, BotProcesses, Mortal, is_gone
from tests.acceptance.slack_side import final, reply_in
from tests.acceptance.world import APPROVE, Json, World

SEND = '[[call: gmail_send {"to": ["helen.marsh@marshgardens.example"], "subject": "Benches", "body": "Ready."}]]'
DM = "D0DANA"
MODEL, DRAFT_SENT = "streamGenerateContent", "*users/me/drafts/send?*"


@dataclass(slots=True)
class Leaver(Mortal):
    """A bot that can be asked to leave."""

    over_http: bool = False
    """Whether it hears Slack over HTTP."""

    def environment(self) -> Mapping[str, str]:
        given = dict(Mortal.environment(self))
        if self.over_http:
            del given["SLACK_APP_TOKEN"]
            given["SLACK_SIGNING_SECRET"] = SIGNING_SECRET
        return given

    @property
    def said(self) -> str:
        return (self.folder / f"bot-{self.births}.log").read_text(encoding="utf-8")

    @property
    def url(self) -> str:
        """Where it serves HTTP."""
        return json.loads(next(line for line in self.said.splitlines() if line.startswith('{"ready"')))["url"]

    async def begin(self) -> None:
        """Start it, and have Slack deliver where it listens."""
        await self.start()
        if self.over_http:
            done = await self.here.slack.post("/__admin/http_delivery", {"url": f"{self.url}/slack/events"})
            assert done["verified"]

    async def ask_to_leave(self) -> None:
        """SIGTERM, until the bot has heard it."""
        self._terminate()

        async def heard() -> bool:
            return '"service.leaves"' in self.said

        await self.here.until(heard, "the signal")

    async def deaf(self) -> None:
        """Wait until nothing more is taken in."""
        await self.here.until(self.ready, "the end of the intake", when=lambda told: not told[1]["parts"]["open"])

    async def ready(self) -> tuple[int, Json]:
        """What `/readyz` answers."""
        async with self.here.slack.http.get(f"{self.url}/readyz") as answer:
            return answer.status, await answer.json()

    def _terminate(self) -> None:
        assert self.pid is not None
        os.kill(self.pid, signal.SIGTERM)

    async def gone(self) -> None:
        """Wait until the process is gone."""
        pid, self.pid = self.pid, None
        assert pid is not None
        await self.here.until(lambda: is_gone(pid), "the end of the bot")

    async def leave(self) -> float:
        """SIGTERM; the seconds until the process is gone."""
        began = time.monotonic()
        self._terminate()
        await self.gone()
        return time.monotonic() - began

    async def sending(self, seconds: float) -> Json:
        """The card of a mail that left, and of which Google says so only after these seconds."""
        card = await self.here.card_for(DANA, SEND)
        await self.here.google.fault("hold", path=DRAFT_SENT, seconds=seconds)
        await self.here.click(DANA, card, APPROVE)
        await self.here.until(lambda: self.here.sent(DANA), "the mail")
        return card

    def codes(self, code: str) -> int:
        return len(self.rows("SELECT id FROM audit WHERE code = ?", code))


def over(first: str, *deep: str, **timings: float) -> pytest.MarkDecorator:
    """The bot hears Slack in these ways; `tool_seconds` is how long a mail may take."""
    ways = [(first, ()), *((way, pytest.mark.deep) for way in deep)]
    return pytest.mark.parametrize(
        "leaver", [pytest.param((way, timings), id=way, marks=marks) for way, marks in ways], indirect=True
    )


BOTH, SOCKET = over("socket", "http"), over("socket")
BOTH_PATIENT, SOCKET_PATIENT = over("socket", "http", tool_seconds=30.0), over("socket", tool_seconds=30.0)
HTTP_TOO_PATIENT = over("http", "socket", tool_seconds=30.0)


@pytest.fixture
async def leaver(
    idle_world: World, tmp_path: Path, bot_processes: BotProcesses, request: pytest.FixtureRequest
) -> AsyncGenerator[Leaver]:
    way, timings = request.param
    made = Leaver(idle_world, tmp_path, bot_processes, over_http=way == "http", timings={**QUICK, **timings})
    await idle_world.slack.post("/__admin/settings", {"retries": 60, "retry_seconds": 0.2})
    try:
        await made.begin()
        yield made
    finally:
        await made.stop()


@BOTH
async def test_a_model_call_is_let_go_of(leaver: Leaver) -> None:
    """Nobody waits for the model: the lease is given back at once, and the next process asks again and answers once."""
    here = leaver.here
    await here.gemini.fault("hold", path=MODEL, seconds=30)
    root = (await here.say(DANA, "hello"))["ts"]
    await here.until(here.gemini.no_fault, "a call of the model")
    assert await leaver.leave() < 8
    assert leaver.rows("SELECT name FROM leases WHERE holder IS NOT NULL") == []
    assert [row["state"] for row in leaver.rows("SELECT state FROM runs")] == ["planning"]
    await leaver.begin()
    await reply_in(here, DM, root, "Hello Dana")
    await leaver.at_rest()
    assert leaver.codes("run.completed") == 1


@BOTH_PATIENT
async def test_an_effect_ends_and_what_is_said_meanwhile_comes_again(leaver: Leaver) -> None:
    """A mail that is being sent is recorded as sent. A message that arrives after the signal is not taken in; Slack
    delivers it to the next process, which answers it once.
    """
    here = leaver.here
    card = await leaver.sending(30)
    began = time.monotonic()
    await leaver.ask_to_leave()
    await leaver.deaf()
    late = (await here.say(DANA, "hello"))["ts"]
    await asyncio.sleep(0.3)
    await here.mend()
    await leaver.gone()
    assert time.monotonic() - began < 10
    assert (leaver.codes("action.claimed"), leaver.codes("action.completed")) == (1, 1)
    assert len(leaver.rows("SELECT id FROM runs")) == 1
    await leaver.begin()
    await final(here, card, "✓ Done.")
    await reply_in(here, DM, late, "Hello Dana")
    await leaver.at_rest()
    assert len(leaver.rows("SELECT id FROM runs")) == 2
    assert len(await here.sent(DANA)) == 1


@SOCKET
async def test_an_effect_that_takes_too_long_is_settled_by_the_next(leaver: Leaver) -> None:
    """Ten seconds are the limit, whatever Google does: what was cut off is looked up, and was done once."""
    here = leaver.here
    card = await leaver.sending(15)
    assert await leaver.leave() < 10
    await leaver.begin()
    await final(here, card, "✓ Done.")
    await leaver.at_rest()
    assert len(await here.sent(DANA)) == 1


@SOCKET_PATIENT
async def test_a_second_signal_ends_it_at_once(leaver: Leaver) -> None:
    """Who cannot wait presses again: the process is gone, and the next one finds everything in the rows."""
    here = leaver.here
    card = await leaver.sending(30)
    await leaver.ask_to_leave()
    assert await leaver.leave() < 5
    await leaver.begin()
    await final(here, card, "✓ Done.")
    assert len(await here.sent(DANA)) == 1


@HTTP_TOO_PATIENT
async def test_readiness_ends_before_the_process(leaver: Leaver) -> None:
    """A balancer learns at the signal that this one takes nothing more, while it still works off what it has."""
    here = leaver.here
    http, url = here.slack.http, leaver.url
    await here.until(leaver.ready, "readiness", when=lambda told: told[0] == 200 and told[1]["ok"])
    await leaver.sending(30)
    await leaver.ask_to_leave()
    await leaver.deaf()
    assert (await leaver.ready())[0] == 503
    async with http.get(f"{url}/healthz") as answer:
        assert answer.status == 200
    if leaver.over_http:
        async with http.post(f"{url}/slack/events", data=b"{}") as answer:
            assert answer.status == 503
    await here.mend()
    await leaver.gone()
