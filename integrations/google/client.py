"""Google's APIs for many people: one client for the process, one `GoogleAccount` per tool call.

Reads and idempotent writes are repeated by us, patiently; a write that must not double goes once and is `Ambiguous`
afterwards if nobody can tell. The library is blocking, so every request runs in a thread with a connection of its own.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import TracebackType
from typing import Self, TypeVar
from urllib.parse import urlsplit

from pydantic import ValidationError

from integrations.base import Clock, GoogleGrant, GoogleGrants, Requester
from integrations.errors import Ambiguous, BasisChanged, ToolError
from integrations.google.batch import read_batch
from integrations.google.calls import Answer, ApiCall, Outcome, Refusal, Resource
from integrations.google.discovery import Services
from integrations.google.errors import (
    Duplicate,
    Missing,
    Stale,
    garbled,
    is_passing,
    is_rate,
    refused,
    too_late,
    unreachable,
)
from integrations.google.http import BROKEN, Bearer, HttpPool, OneShot
from integrations.google.lanes import Lanes
from integrations.google.patience import Patience

TIMEOUT_SECONDS = 20.0
CONNECT_HELP = (
    "No working Google account is connected. "
    "An administrator connects accounts; connecting your own from Slack comes with a later version."
)

M = TypeVar("M", bound=Resource)
Sleep = Callable[[float], Awaitable[None]]


class GoogleClient:
    """The way to Google for every tool. Inert until `async with`.

    `connect_help` is what people read when no working account is connected. `api_root_url` replaces Google's address.
    """

    def __init__(
        self,
        *,
        grants: GoogleGrants,
        clock: Clock,
        connect_help: str = CONNECT_HELP,
        api_root_url: str | None = None,
        timeout_seconds: float = TIMEOUT_SECONDS,
        sleep: Sleep = asyncio.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self.grants = grants
        self.clock = clock
        self.connect_help = connect_help
        self.sleep = sleep
        self._jitter = jitter
        self._timeout = timeout_seconds
        self._proxied = not _is_loopback(api_root_url)
        self._pool = HttpPool(timeout=timeout_seconds, proxied=self._proxied)
        self._lanes = Lanes()
        self.services = Services(api_root_url=api_root_url)

    async def __aenter__(self) -> Self:
        await asyncio.to_thread(self.services.open)
        self._lanes.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._lanes.close()
        self._pool.close()

    async def account(
        self, requester: Requester, scopes: frozenset[str], *, approved: str | None = None
    ) -> GoogleAccount:
        """The requester's Google account, for one tool call.

        `approved` is the account that an action was approved for. Raises `NotConnected`, or `BasisChanged` when another
        account is connected by now.
        """
        grant = await self.grants.grant(requester, scopes)
        if approved is not None and grant.account != approved:
            raise BasisChanged(what="the connected Google account")
        return GoogleAccount(self, requester=requester, scopes=scopes, grant=grant)

    def patience(self) -> Patience:
        """A fresh measure of patience for one call."""
        return Patience(jitter=self._jitter)

    async def send(self, grant: GoogleGrant, call: ApiCall) -> Outcome:
        """One attempt over a pooled connection; raises one of `http.BROKEN` when the connection fails."""
        request = self.services.request(call)

        def work() -> Outcome:
            with self._pool.checked_out() as http:
                return self.services.execute(request, Bearer(http, grant.access_token))

        return await self._lanes.run(grant.account, work)

    async def send_batch(self, grant: GoogleGrant, calls: Sequence[ApiCall]) -> list[Outcome]:
        """Many reads of one API in one POST, as `send`."""
        requests = [self.services.request(call) for call in calls]

        def work() -> list[Outcome]:
            with self._pool.checked_out() as http:
                return self.services.execute_batch(calls[0].api, requests, Bearer(http, grant.access_token))

        return await self._lanes.run(grant.account, work)

    async def send_once(self, grant: GoogleGrant, call: ApiCall, *, what: str, deadline: datetime) -> Outcome:
        """Exactly one request on the wire, before the deadline or not at all.

        Raises `ToolFailed` when certainly nothing left, `Ambiguous` when it left and no answer came.
        """
        request = self.services.request(call)

        def work() -> Outcome:
            left = (deadline - self.clock.now()).total_seconds()
            if left <= 0:
                raise too_late()
            shot = OneShot(timeout=min(self._timeout, left), proxied=self._proxied)
            try:
                return self.services.execute(request, Bearer(shot, grant.access_token))
            except BROKEN as error:
                raise (Ambiguous(what) if shot.sent else unreachable()) from error
            finally:
                shot.close()

        return await self._lanes.run(grant.account, work)


class GoogleAccount:
    """One person's Google account during one tool call."""

    def __init__(
        self, client: GoogleClient, *, requester: Requester, scopes: frozenset[str], grant: GoogleGrant
    ) -> None:
        self._client = client
        self._requester = requester
        self._scopes = scopes
        self.grant = grant

    @property
    def clock(self) -> Clock:
        """The injected time."""
        return self._client.clock

    async def read(self, call: ApiCall, shape: type[M]) -> M:
        """A read, repeated while Google asks to wait or the connection fails; raises `ToolError`s only."""
        try:
            outcome = await self._patiently(call, _Doubt())
        except BROKEN as error:
            raise unreachable() from error
        return self._shaped(self._accepted(outcome, call), shape)

    async def read_each(self, calls: Sequence[ApiCall], shape: type[M]) -> list[M | ToolError]:
        """Many reads of one API in one round trip; each has its own value or error, in order."""
        if not calls:
            return []
        outcomes = await self._batched(calls)
        return [self._one_of_many(outcome, call, shape) for outcome, call in zip(outcomes, calls, strict=True)]

    async def repeat(self, call: ApiCall, shape: type[M], *, what: str) -> M:
        """A write that may be sent again because the second one changes nothing more.

        Raises `Ambiguous(what)` when an attempt may have arrived and no later answer settles it; 404, 409 and 412 come
        out as `Missing`, `Duplicate` and `Stale`, also after a doubtful attempt.
        """
        doubt = _Doubt()
        try:
            outcome = await self._patiently(call, doubt)
            return self._written(outcome, call, shape, what=what)
        except BROKEN as error:
            raise Ambiguous(what) from error
        except ToolError as error:
            if doubt.any and not isinstance(error, Missing | Duplicate | Stale):
                raise Ambiguous(what) from error
            raise

    async def once(self, call: ApiCall, shape: type[M], *, what: str, deadline: datetime) -> M:
        """A write that is sent once. Raises `Ambiguous(what)` when it may have happened; at other errors it did not."""
        outcome = await self._with_fresh_token(
            lambda: self._client.send_once(self.grant, call, what=what, deadline=deadline)
        )
        await self._tell_refused(outcome)
        return self._written(outcome, call, shape, what=what)

    async def _patiently(self, call: ApiCall, doubt: _Doubt) -> Outcome:
        patience = self._client.patience()
        while True:
            try:
                outcome = await self._with_fresh_token(lambda: self._client.send(self.grant, call))
            except BROKEN:
                doubt.any = True
                pause = patience.pause()
                if pause is None:
                    raise
            else:
                doubt.any |= _leaves_open(outcome)
                pause = patience.pause(_asked_wait(outcome)) if _may_pass(outcome) else None
                if pause is None:
                    await self._tell_refused(outcome)
                    return outcome
            await self._client.sleep(pause)

    async def _batched(self, calls: Sequence[ApiCall]) -> list[Outcome]:
        """Every outcome. A token that ran out between two requests shows in the items, and is renewed once."""
        outcomes = await self._read_batch(calls)
        if _unauthorized(outcomes) and await self._renewed():
            outcomes = await self._read_batch(calls)
        for outcome in _unauthorized(outcomes)[:1]:
            await self._tell_refused(outcome)
        return outcomes

    async def _read_batch(self, calls: Sequence[ApiCall]) -> list[Outcome]:
        async def send(chunk: Sequence[ApiCall]) -> Sequence[Outcome]:
            return await self._client.send_batch(self.grant, chunk)

        try:
            return await read_batch(calls, send=send, patience=self._client.patience(), sleep=self._client.sleep)
        except BROKEN as error:
            raise unreachable() from error

    async def _with_fresh_token(self, send: Callable[[], Awaitable[Outcome]]) -> Outcome:
        """A 401 may only mean that the token ran out in between: ask once for another one. Nothing was done then."""
        outcome = await send()
        return await send() if _is_unauthorized(outcome) and await self._renewed() else outcome

    async def _renewed(self) -> bool:
        """Whether there is another token of the same account now. Raises `NotConnected` when the grant is gone."""
        used = self.grant.access_token
        fresh = await self._client.grants.grant(self._requester, self._scopes, refused=used)
        if fresh.account != self.grant.account or fresh.access_token == used:
            return False
        self.grant = fresh
        return True

    async def _tell_refused(self, outcome: Outcome) -> None:
        if _is_unauthorized(outcome):
            await self._client.grants.refused(self._requester, self.grant.account)

    def _accepted(self, outcome: Outcome, call: ApiCall) -> Answer:
        if isinstance(outcome, Refusal):
            raise refused(outcome, call, connect_help=self._client.connect_help)
        return outcome

    def _one_of_many(self, outcome: Outcome, call: ApiCall, shape: type[M]) -> M | ToolError:
        try:
            return self._shaped(self._accepted(outcome, call), shape)
        except ToolError as error:
            return error

    def _written(self, outcome: Outcome, call: ApiCall, shape: type[M], *, what: str) -> M:
        """A 5xx says nothing about whether a write was carried out; neither does an answer that cannot be read."""
        if _leaves_open(outcome):
            raise Ambiguous(what)
        answer = self._accepted(outcome, call)
        try:
            return shape.model_validate(answer.data)
        except ValidationError as error:
            raise Ambiguous(what) from error

    def _shaped(self, answer: Answer, shape: type[M]) -> M:
        try:
            return shape.model_validate(answer.data)
        except ValidationError as error:
            raise garbled() from error


@dataclass(slots=True)
class _Doubt:
    """Whether an attempt may have been carried out without saying so."""

    any: bool = False


def _is_unauthorized(outcome: Outcome) -> bool:
    return isinstance(outcome, Refusal) and outcome.status == 401


def _unauthorized(outcomes: Sequence[Outcome]) -> list[Outcome]:
    return [outcome for outcome in outcomes if _is_unauthorized(outcome)]


def _leaves_open(outcome: Outcome) -> bool:
    return isinstance(outcome, Refusal) and is_passing(outcome) and not is_rate(outcome)


def _may_pass(outcome: Outcome) -> bool:
    return isinstance(outcome, Refusal) and is_passing(outcome)


def _asked_wait(outcome: Outcome) -> float | None:
    return outcome.retry_after if isinstance(outcome, Refusal) else None


def _is_loopback(url: str | None) -> bool:
    return url is not None and urlsplit(url).hostname in {"127.0.0.1", "localhost", "::1"}
