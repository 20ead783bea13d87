"""How soon Slack is answered: with many requests at once, and at many events a second beside many streams."""

from __future__ import annotations

import asyncio
import statistics
from collections.abc import Sequence
from pathlib import Path

from playground.people import COLLEAGUES, SIGNING_SECRET
from tests.acceptance.world import Json
from tests.verification.benchmarks.bots import Stage, moment, stage
from tests.verification.benchmarks.figures import Measured, Outcome
from tests.verification.benchmarks.processes import child

AT_ONCE, STREAMS = 50, 50
EVENTS_PER_SECOND, EVENT_SECONDS = 200, 8
_STREAM_SECONDS = 20
_BEGUN_SECONDS = 8.0
_WARM = 5
_SLACKS_PATIENCE_SECONDS = 3.0
"""What was not acknowledged by then is sent again (docs.slack.dev/apis/events-api), and counts as that long."""


async def bench(folder: Path) -> Outcome:
    """Both, each with a bot of its own."""
    places = [folder / name for name in ("at-once", "beside-streams")]
    for place in places:
        await asyncio.to_thread(place.mkdir)
    at_once, beside = await _at_once(places[0]), await _beside_streams(places[1])
    measured = [_p99("acknowledged_at_once", at_once), _p99("acknowledged_streams", beside)]
    return Outcome(measured=measured, rounds={"at_once": at_once, "beside_streams": beside})


def _p99(key: str, seconds: Sequence[float]) -> Measured:
    """All but one in a hundred took no longer; the spread is the median and the longest."""
    ordered = sorted(seconds)
    value = ordered[max(0, round(len(ordered) * 0.99) - 1)]
    return Measured(key=key, value=value * 1e3, spread=(statistics.median(ordered) * 1e3, ordered[-1] * 1e3))


async def _at_once(folder: Path) -> Sequence[float]:
    async with stage(folder) as here, here.bot():
        await _asked(here, _WARM, "hello")
        await _answered(here, _WARM)
        mark = await here.mark()
        await _asked(here, AT_ONCE, "hello")
        await asyncio.sleep(_SLACKS_PATIENCE_SECONDS + 1)
        log = [entry for entry in await here.slack_log(mark) if entry["method"] == "WS"]
    sent = {entry["request"]["envelope_id"]: moment(entry) for entry in log if _is_request(entry)}
    got = {entry["request"]["envelope_id"]: moment(entry) for entry in log if entry["direction"] == "in"}
    return [got.get(envelope, at + _SLACKS_PATIENCE_SECONDS) - at for envelope, at in sent.items()]


def _is_request(entry: Json) -> bool:
    """What a person wrote, and neither the agent's own messages nor changes of them."""
    if entry["direction"] != "out" or not entry["path"].startswith("/link/event/message"):
        return False
    event = entry["request"]["payload"]["event"]
    return not event.keys() & {"bot_id", "subtype"}


async def _asked(here: Stage, count: int, text: str) -> None:
    """So many people write to the agent at the same moment."""
    people = [COLLEAGUES[number % len(COLLEAGUES)] for number in range(count)]
    await asyncio.gather(*(here.here.say(person, text) for person in people))


async def _answered(here: Stage, count: int) -> None:
    """Until so many answers stand."""

    async def answers() -> bool:
        said = [message for person in COLLEAGUES for message in await here.here.bot_messages(here.here.dm_of(person))]
        return sum(message.get("streaming_state") != "in_progress" for message in said) >= count

    await here.here.until(answers, f"{count} answers")


async def _beside_streams(folder: Path) -> Sequence[float]:
    module = "tests.verification.benchmarks"
    async with child("model", ["-m", f"{module}.model_server"]) as model:
        url = (await model.line())["url"]
        async with stage(folder, gemini=url) as here:
            http = {"SLACK_APP_TOKEN": "", "SLACK_SIGNING_SECRET": SIGNING_SECRET}
            async with here.bot(**http) as (_, _, bot):
                done = await here.here.slack.post("/__admin/http_delivery", {"url": f"{bot}/slack/events"})
                assert done["verified"], done
                await _asked(here, STREAMS, f"Tell me at length: stream={_STREAM_SECONDS}")
                await asyncio.sleep(_BEGUN_SECONDS)
                arguments = ["-m", f"{module}.events", bot, str(EVENTS_PER_SECOND), str(EVENT_SECONDS)]
                async with child("events", arguments, errors=folder / "events.log") as events:
                    return (await events.line(within=120.0))["taken"]
