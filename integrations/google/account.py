"""One Google account during one tool call: reads, batches, writes that may be repeated, writes that may not."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from pydantic import ValidationError

from integrations.base import Requester
from integrations.errors import Ambiguous, Duplicate, Missing, Stale, ToolError
from integrations.google.calls import Answer, ApiCall, GoogleRefusal, ListPage, Outcome, Resource
from integrations.google.errors import garbled, is_passing, is_rate, refused, unreachable
from integrations.google.http import BROKEN
from integrations.google.retry import LIMIT_SECONDS, Backoff, asked_wait, read_batch
from integrations.google.sender import Sender
from integrations.grants import GoogleGrant, GoogleGrants
from integrations.ports import Clock

M = TypeVar("M", bound=Resource)
P = TypeVar("P", bound=ListPage)
Sleep = Callable[[float], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountSettings:
    """Settings for every account: where grants come from, how calls are repeated, what people are told."""

    grants: GoogleGrants
    connect_help: str
    sleep: Sleep
    jitter: Callable[[], float]

    def backoff(self, limit: float = LIMIT_SECONDS) -> Backoff:
        """A new backoff for one call, of so many seconds in all."""
        return Backoff(jitter=self.jitter, limit=limit)


@dataclass(slots=True, kw_only=True)
class GoogleAccount:
    """One person's Google account during one tool call."""

    sender: Sender
    settings: AccountSettings
    requester: Requester
    scopes: frozenset[str]
    grant: GoogleGrant

    @property
    def clock(self) -> Clock:
        """The injected time."""
        return self.sender.clock

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

    async def pages(self, call: ApiCall, shape: type[P], *, most: int | None = None) -> AsyncGenerator[P]:
        """Each page of a list, `most` of them at most; raises as `read`."""
        number = 0
        while True:
            page = await self.read(call, shape)
            yield page
            number += 1
            if page.next_page_token is None or number == most:
                return
            call = call.at_page(page.next_page_token)

    async def repeat(self, call: ApiCall, shape: type[M], *, what: str) -> M:
        """A write that may be sent again: the second one changes nothing more.

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
        """A write that is carried out once: it is sent again only where Google asked to wait, for then it was not done,
        and only before the deadline. Raises `Ambiguous(what)` when it may have happened; at other errors it did not.
        """
        backoff = self.settings.backoff(limit=(deadline - self.clock.now()).total_seconds())
        while True:
            outcome = await self._with_fresh_token(
                lambda: self.sender.send_once(self.grant, call, what=what, deadline=deadline)
            )
            waits = is_rate(outcome) and is_passing(outcome)
            pause = backoff.pause(asked_wait([outcome])) if waits else None
            if pause is None:
                break
            await self.settings.sleep(pause)
        await self._tell_refused(outcome)
        return self._written(outcome, call, shape, what=what)

    async def pause(self, seconds: float) -> None:
        """Wait before looking again, where Google needs some time."""
        await self.settings.sleep(seconds)

    async def _patiently(self, call: ApiCall, doubt: _Doubt) -> Outcome:
        backoff = self.settings.backoff()
        while True:
            try:
                outcome = await self._with_fresh_token(lambda: self.sender.send(self.grant, call))
            except BROKEN:
                doubt.any = True
                pause = backoff.pause()
                if pause is None:
                    raise
            else:
                doubt.any |= _leaves_open(outcome)
                pause = backoff.pause(asked_wait([outcome])) if is_passing(outcome) else None
                if pause is None:
                    await self._tell_refused(outcome)
                    return outcome
            await self.settings.sleep(pause)

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
            return await self.sender.send_batch(self.grant, chunk)

        try:
            return await read_batch(calls, send=send, backoff=self.settings.backoff(), sleep=self.settings.sleep)
        except BROKEN as error:
            raise unreachable() from error

    async def _with_fresh_token(self, send: Callable[[], Awaitable[Outcome]]) -> Outcome:
        """A 401 may only mean that the token ran out in between: ask once for another one. Nothing was done then."""
        outcome = await send()
        return await send() if _is_unauthorized(outcome) and await self._renewed() else outcome

    async def _renewed(self) -> bool:
        """Whether there is another token of the same account now. Raises `NotConnected` when the grant is gone."""
        used = self.grant.access_token
        fresh = await self.settings.grants.grant(self.requester, self.scopes, refused=used)
        if fresh.account != self.grant.account or fresh.access_token == used:
            return False
        self.grant = fresh
        return True

    async def _tell_refused(self, outcome: Outcome) -> None:
        if _is_unauthorized(outcome):
            await self.settings.grants.refused(self.requester, self.grant.account)

    def _accepted(self, outcome: Outcome, call: ApiCall) -> Answer:
        if isinstance(outcome, GoogleRefusal):
            told, zone = self.settings.connect_help, self.requester.zone
            raise refused(outcome, call, connect_help=told, scopes=self.scopes, zone=zone)
        return outcome

    def _one_of_many(self, outcome: Outcome, call: ApiCall, shape: type[M]) -> M | ToolError:
        try:
            return self._shaped(self._accepted(outcome, call), shape)
        except ToolError as error:
            return error

    def _written(self, outcome: Outcome, call: ApiCall, shape: type[M], *, what: str) -> M:
        """A 5xx says nothing about whether a write was carried out; neither does an answer that cannot be read. What is
        deleted is answered with nothing.
        """
        if _leaves_open(outcome):
            raise Ambiguous(what)
        answer = self._accepted(outcome, call)
        try:
            return shape.model_validate(answer.data or {})
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
    return isinstance(outcome, GoogleRefusal) and outcome.status == 401


def _unauthorized(outcomes: Sequence[Outcome]) -> list[Outcome]:
    return [outcome for outcome in outcomes if _is_unauthorized(outcome)]


def _leaves_open(outcome: Outcome) -> bool:
    return is_passing(outcome) and not is_rate(outcome)
