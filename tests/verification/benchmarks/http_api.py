"""The HTTP API: a run beside Slack's way, the first byte of a stream beside many others, the memory of an idle one."""

from __future__ import annotations

import asyncio
import contextlib
import json
import statistics
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from pathlib import Path
from typing import Any

import aiohttp

from bot.domain.threads import User
from bot.wiring.store import opened
from playground.environment import PROJECT
from playground.google.firebase import CERTIFICATES
from playground.people import COLLEAGUES, DANA, TEAM_ID
from tests.acceptance.http_side import RUN, STREAM, Client, cookie_of, read
from tests.acceptance.world import World
from tests.verification.benchmarks.bots import Stage, moment, settled, stage
from tests.verification.benchmarks.figures import Measured, Outcome
from tests.verification.benchmarks.processes import Child, child

_ROUNDS, _WARM = 12, 3
_STREAMS, _PER_PERSON, _OPENED = 100, 5, 100
_STREAM_SECONDS = 240
_PACES = {"speaking": 5, "busy": 20}
"""Pieces of a text in a second of each stream, by the folders of their bots: as a model speaks, and faster."""
_BEGUN_SECONDS, _REST_SECONDS = 6.0, 2.0
_KB = 1024  # of a MiB


async def bench(folder: Path) -> Outcome:
    """Each with a bot of its own."""
    places = {name: folder / name for name in ("ways", *_PACES, "idle")}
    for place in places.values():
        await asyncio.to_thread(place.mkdir)
    ways = await _ways(places["ways"])
    beside = {name: await _beside_busy(places[name]) for name in _PACES}
    idle, beside_idle = await _beside_idle(places["idle"])
    more = [(http - slack) * 1e3 for http, slack in zip(ways["http"], ways["slack"], strict=True)]
    measured = [
        Measured(key="http_run", value=statistics.median(more), spread=(min(more), max(more))),
        _p99("http_first_byte", beside_idle),
        *(_p99(f"http_first_byte_{name}", taken) for name, taken in beside.items()),
        Measured(key="http_idle", value=idle),
    ]
    told = {f"beside_{name}": taken for name, taken in beside.items()}
    rounds = {**ways, "beside_idle": beside_idle, **told, "kb_of_an_idle_stream": idle}
    return Outcome(measured=measured, lines=[_told(ways)], rounds=rounds)


def _told(ways: Mapping[str, Sequence[float]]) -> str:
    slack, http = (statistics.median(ways[name]) * 1e3 for name in ("slack", "http"))
    return f"  a plain question, until its answer stands: Slack {slack:.0f} ms, HTTP {http:.0f} ms"


def _p99(key: str, seconds: Sequence[float]) -> Measured:
    """All but one in a hundred took no longer; the spread is the median and the longest."""
    ordered = sorted(seconds)
    value = ordered[max(0, round(len(ordered) * 0.99) - 1)]
    return Measured(key=key, value=value * 1e3, spread=(statistics.median(ordered) * 1e3, ordered[-1] * 1e3))


# A run ------------------------------------------------------------------------------------------------------------


async def _ways(folder: Path) -> Mapping[str, Sequence[float]]:
    """Seconds of a plain question, asked in turn in Slack and over HTTP."""
    taken: dict[str, list[float]] = {"slack": [], "http": []}
    async with stage(folder) as here, _bot(here) as (_, url), aiohttp.ClientSession() as http:
        dana = Client(url, http, await cookie_of(here.here))
        for number in range(_WARM + _ROUNDS):
            slack, over_http = await _in_slack(here), await _over_http(dana)
            await settled(here)
            if number >= _WARM:
                taken["slack"].append(slack)
                taken["http"].append(over_http)
    return taken


async def _in_slack(here: Stage) -> float:
    """From the event to the last call that shows the answer."""
    mark = await here.mark()
    said = await here.here.say(DANA, "hello")
    await settled(here)
    log = await here.slack_log(mark)
    asked = next(entry for entry in log if entry["path"].startswith("/link/event/message"))
    shown = [entry for entry in log if entry["path"].startswith("/api/chat.")]
    assert shown, said
    return moment(shown[-1]) - moment(asked)


async def _over_http(who: Client) -> float:
    began = time.perf_counter()
    answer = await who.run("hello")
    assert answer.body["status"] == "completed", answer.body
    return time.perf_counter() - began


# Streams ----------------------------------------------------------------------------------------------------------


async def _beside_busy(folder: Path) -> Sequence[float]:
    """Seconds until the first byte of a stream that is opened while many others say so many pieces a second each."""
    at_length = f"Tell me at length: stream={_STREAM_SECONDS} pace={_PACES[folder.name]}"
    async with _crowd(folder) as (here, _, url, http, crowd):
        opened = list[aiohttp.ClientResponse]()
        for cookie in crowd:  # one person after the other: they are measured once they speak
            opened += await asyncio.gather(*(_opened(http, url, cookie, at_length) for _ in range(_PER_PERSON)))
        streams = [asyncio.create_task(_drained(one)) for one in opened]
        await asyncio.sleep(_BEGUN_SECONDS)
        taken = await _first_bytes_of(here, http, url)
        assert not any(task.done() for task in streams), "a stream ended before the measurement did"
        for task in streams:
            task.cancel()
        await asyncio.gather(*streams, return_exceptions=True)
    return taken


async def _first_bytes_of(here: World, http: aiohttp.ClientSession, url: str) -> Sequence[float]:
    dana = await cookie_of(here)
    return [await _first_byte(http, url, dana) for _ in range(_OPENED)]


async def _first_byte(http: aiohttp.ClientSession, url: str, cookie: str) -> float:
    began = time.perf_counter()
    answer = await _opened(http, url, cookie, "hello")
    await answer.content.readany()
    seconds = time.perf_counter() - began
    answer.close()
    return seconds


async def _drained(answer: aiohttp.ClientResponse) -> None:
    """Read to its end, without looking at it: this process has other things to do."""
    async for _ in answer.content.iter_any():
        pass


async def _beside_idle(folder: Path) -> tuple[float, Sequence[float]]:
    """KB of the bot for each stream of a run that says nothing, beside the first one of it; and the seconds until the
    first byte of one more.
    """
    async with _crowd(folder) as (here, bot, url, http, crowd):
        await here.gemini.fault("hang", path="streamGenerateContent", times=-1, seconds=300)
        firsts = [await _opened(http, url, cookie, "hello") for cookie in crowd]
        runs = [await anext(read(answer)) for answer in firsts]
        await asyncio.sleep(_REST_SECONDS)
        before, more = bot.rss_mib(), list[aiohttp.ClientResponse]()
        for cookie, run in zip(crowd, runs, strict=True):
            for _ in range(_PER_PERSON - 1):
                more.append(await _opened(http, url, cookie, join=run["runId"]))
        await asyncio.gather(*(anext(read(answer)) for answer in more))
        await asyncio.sleep(_REST_SECONDS)
        grown = bot.rss_mib() - before
        taken = await _first_bytes_of(here, http, url)
        for answer in [*firsts, *more]:
            answer.close()
    return grown * _KB / len(more), taken


async def _opened(
    http: aiohttp.ClientSession, url: str, cookie: str, prompt: str = "", *, join: str = ""
) -> aiohttp.ClientResponse:
    headers = {"origin": url, "cookie": f"__session={cookie}"}
    if join:
        answer = await http.get(f"{url}{RUN}/{join}/stream", headers=headers)
    else:
        answer = await http.post(f"{url}{STREAM}", headers=headers, json={"prompt": prompt})
    assert answer.status == 200, await answer.text()
    return answer


# The bot ----------------------------------------------------------------------------------------------------------

Crowd = tuple[World, Child, str, aiohttp.ClientSession, Sequence[str]]


@contextlib.asynccontextmanager
async def _crowd(folder: Path) -> AsyncGenerator[Crowd]:
    """A bot whose model takes its time, and the cookies of so many people that each has a few streams."""
    async with contextlib.AsyncExitStack() as stack:
        arguments = ["-m", "tests.verification.benchmarks.model_server"]
        model = await stack.enter_async_context(child("model", arguments))
        at_length = (await model.line())["url"] if folder.name in _PACES else ""
        here = await stack.enter_async_context(stage(folder, gemini=at_length))
        names = [f"U0CROWD{number}" for number in range(_STREAMS // _PER_PERSON)]
        async with opened(here.here.settings, owner=True) as base, base.store.write() as work:
            for name in names:
                await work.users.seen(User(team=TEAM_ID, user=name, name=name))
        bot, url = await stack.enter_async_context(_bot(here))
        connector = aiohttp.TCPConnector(limit=0)
        http = await stack.enter_async_context(aiohttp.ClientSession(connector=connector, timeout=_NO_LIMIT))
        yield here.here, bot, url, http, [await _cookie(here.here, name) for name in names]


_NO_LIMIT = aiohttp.ClientTimeout(total=None)


async def _cookie(here: World, user: str) -> str:
    """The cookie of somebody of whom the playground knows nothing but their account in the product."""
    claims = {"slack_team_id": TEAM_ID, "slack_user_id": user}
    return await cookie_of(here, COLLEAGUES[0], claims=claims)


@contextlib.asynccontextmanager
async def _bot(here: Stage) -> AsyncGenerator[tuple[Child, str]]:
    """A bot with the HTTP API, and its address."""
    key_file, google = here.folder / "firebase.json", here.here.google
    key: Any = await google.get("/__admin/service_account")
    await asyncio.to_thread(key_file.touch, 0o600)
    await asyncio.to_thread(key_file.write_text, json.dumps(key), encoding="utf-8")
    variables = {
        "FIREBASE_PROJECT_ID": PROJECT,
        "FIREBASE_SERVICE_ACCOUNT_FILE": str(key_file),
        "FIREBASE_CERTS_URL": f"{google.url}{CERTIFICATES}",
        "FIREBASE_API_URL": google.url,
        "HTTP_REQUESTS_PER_MINUTE": "0",
    }
    async with here.bot(**variables) as (bot, _, url):
        yield bot, url
