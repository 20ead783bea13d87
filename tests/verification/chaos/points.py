"""Fault points: places before and after every commit and every outside call, where the process can be killed.

They are put around the libraries that a forked bot talks through, never into the bot: the store's connections, Slack's
and Google's clients, the model's. A point is named by what it is (`commit:action.claimed:after`,
`google:gmail.users.drafts.send:before`) and numbered by how often it was passed since the watch began.

The test and the bot share a page of memory, the `Watch`: the test writes a turn's number and the point to die at, the
bot counts anew for each turn and writes down every point that it passes.
"""

from __future__ import annotations

import mmap
import os
import re
import signal
import threading
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import google.oauth2.credentials
import googleapiclient.http
import procrastinate
from google.genai._api_client import BaseApiClient
from slack_sdk.socket_mode.async_client import AsyncBaseSocketModeClient
from slack_sdk.web.async_base_client import AsyncBaseClient

from tests.verification.chaos.commits import around_commits

VARIABLE = "CHAOS_WATCH"
"""The variable of a bot's environment that names the file of its watch."""

ANY = "any"
"""The name of all points: `any#7` is the seventh that is passed, whatever it is."""

_PAGE_BYTES = 4096
_FETCH = "fetch_job"
_STEP = re.compile(r"\bprocrastinate_(defer_jobs?|fetch_job|finish_job|retry_job)(?:_v\d+)?\b\s*\(")


class Watch:
    """The shared page: `turn` (0: nothing is counted yet) and the point at which the bot dies (empty: nowhere)."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.passed = file.with_suffix(".passed")
        if not file.exists():
            file.write_bytes(bytes(_PAGE_BYTES))
        with file.open("r+b") as opened:
            self._page = mmap.mmap(opened.fileno(), _PAGE_BYTES)

    def set(self, turn: int, point: str = "") -> None:
        """A new turn. The number is written last: whoever sees it sees its point."""
        told = point.encode()
        self._page[4 : 6 + len(told)] = len(told).to_bytes(2, "big") + told
        self._page[0:4] = turn.to_bytes(4, "big")

    def seen(self) -> tuple[int, str]:
        """The turn and its point."""
        length = int.from_bytes(self._page[4:6], "big")
        return int.from_bytes(self._page[0:4], "big"), self._page[6 : 6 + length].decode()

    def points(self, turn: int) -> list[str]:
        """What was passed in this turn, in order."""
        lines = self.passed.read_text().splitlines() if self.passed.exists() else []
        return [line.partition(" ")[2] for line in lines if line.partition(" ")[0] == str(turn)]


class Points:
    """Counts what is passed, and ends the process at the point that the watch names."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._lock = threading.Lock()
        self._turn = 0
        self._counts: Counter[str] = Counter()
        self._passed = os.open(watch.passed, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def passing(self, name: str) -> None:
        """The process passes this point, or ends here."""
        with self._lock:
            turn, deadly = self._watch.seen()
            if turn != self._turn:
                self._turn, self._counts = turn, Counter()
            if turn == 0:
                return
            self._counts[name] += 1
            point = f"{name}#{self._counts[name]}"
            os.write(self._passed, f"{turn} {point}\n".encode())
            if deadly in {point, f"{ANY}#{self._counts.total()}"}:
                os.kill(os.getpid(), signal.SIGKILL)


def install(file: str) -> None:
    """Put the points around the libraries of this process."""
    points = Points(Watch(Path(file)))
    around_commits(points.passing)
    _around_jobs(points)
    _around_slack(points)
    _around_google(points)
    _around_the_model(points)


# Jobs ---------------------------------------------------------------------------------------------------------------


def _around_jobs(points: Points) -> None:
    """Procrastinate's connections commit each statement by themselves; it is named by the job's step, if it is one. A
    look for a job that finds none changes nothing.
    """
    connector: Any = procrastinate.PsycopgConnector
    for method in ("execute_query_async", "execute_query_one_async", "execute_query_all_async"):
        setattr(connector, method, _stepping(points, getattr(connector, method)))


def _stepping(points: Points, execute: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    async def stepping(self: Any, query: Any, **arguments: Any) -> Any:
        step = _STEP.search(str(query))
        if step is None:
            return await execute(self, query, **arguments)
        if step[1] != _FETCH:
            points.passing(f"job:{step[1]}:before")
        result: Any = await execute(self, query, **arguments)
        if step[1] != _FETCH or (result and result["id"]):
            points.passing(f"job:{step[1]}:after")
        return result

    return stepping


# Calls ------------------------------------------------------------------------------------------------------------


def _around_slack(points: Points) -> None:
    calls: Any = AsyncBaseClient
    calls.api_call = _surrounded(points, calls.api_call, lambda method: f"slack:{method}")
    sockets: Any = AsyncBaseSocketModeClient
    sockets.send_socket_mode_response = _surrounded(points, sockets.send_socket_mode_response, lambda _: "slack:ack")


def _surrounded(
    points: Points, call: Callable[..., Awaitable[Any]], named: Callable[[Any], str]
) -> Callable[..., Awaitable[Any]]:
    async def surrounded(self: Any, what: Any, *args: Any, **kwargs: Any) -> Any:
        name = named(what)
        points.passing(f"{name}:before")
        try:
            return await call(self, what, *args, **kwargs)
        finally:
            points.passing(f"{name}:after")

    return surrounded


def _around_google(points: Points) -> None:
    requests: Any = googleapiclient.http.HttpRequest
    requests.execute = _blocking(points, requests.execute, lambda request: f"google:{request.methodId}")
    batches: Any = googleapiclient.http.BatchHttpRequest
    batches.execute = _blocking(points, batches.execute, lambda _: "google:batch")
    tokens: Any = google.oauth2.credentials.Credentials
    tokens.refresh = _blocking(points, tokens.refresh, lambda _: "google:token")


def _blocking(points: Points, call: Callable[..., Any], named: Callable[[Any], str]) -> Callable[..., Any]:
    """As `_surrounded`, for libraries that work in threads."""

    def surrounded(self: Any, *args: Any, **kwargs: Any) -> Any:
        name = named(self)
        points.passing(f"{name}:before")
        try:
            return call(self, *args, **kwargs)
        finally:
            points.passing(f"{name}:after")

    return surrounded


def _around_the_model(points: Points) -> None:
    client: Any = BaseApiClient
    send = client._async_request_once

    async def generated(events: AsyncIterator[Any]) -> AsyncIterator[Any]:
        first = True
        async for event in events:
            if first:
                points.passing("model:first")
            first = False
            yield event
        points.passing("model:after")

    async def asked(self: Any, *args: Any, stream: bool = False) -> Any:
        if not stream:
            return await send(self, *args)
        points.passing("model:before")
        return generated(await send(self, *args, stream=True))

    client._async_request_once = asked
