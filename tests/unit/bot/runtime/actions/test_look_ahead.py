"""What an approved effect finds out first: looked up while its attempt is claimed, and only if it is fresh counted."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from bot.domain.actions import Action, ActionState
from bot.runtime.actions.claim import Claims
from integrations.base import Requester, ToolArgs, ToolContext
from integrations.errors import Ambiguous, BasisChanged, ToolFailed
from integrations.grants import GoogleGrant
from policies.types import TrustLevel
from tests.builders import DANA
from tests.unit.bot.runtime.runtime_harness import Harness

SEND = ("gmail_send", {"text": "it"})
GRANT = GoogleGrant(account="a1", email="d", access_token="t", scopes=frozenset())


class Grants:
    """Everybody's account is the one that was approved."""

    async def grant(self, requester: Requester, scopes: frozenset[str], *, refused: str | None = None) -> GoogleGrant:
        return GRANT

    async def refused(self, requester: Requester, account: str) -> None:
        raise NotImplementedError(account)


async def found() -> object:
    return "found"


@dataclass(slots=True)
class Ahead:
    """An approved effect that looks ahead: what comes of its looks, and with what it was asked to."""

    here: Harness
    look: Callable[[], Awaitable[object]] = found
    asked: list[object] = field(default_factory=list[object])

    def fresh(self, seconds: float) -> None:
        """What is found counts for so long."""
        self.here.runner = replace(self.here.runner, executor=replace(self.here.runner.executor, fresh_seconds=seconds))

    async def approved(self) -> Action:
        run = await self.here.asked([SEND], level=TrustLevel.SUPERVISED)
        await self.here.approve(run)
        return await self.here.action(run)

    async def served(self) -> object:
        """What the only attempt was given."""
        action = await self.approved()
        await self.here.serve()
        assert (await self.here.action(action)).state is ActionState.COMPLETED
        (call,) = self.here.effect.calls
        return call.ahead


@pytest.fixture
def ahead(here: Harness, monkeypatch: pytest.MonkeyPatch) -> Ahead:
    made = Ahead(here)

    async def look_ahead(args: ToolArgs, ctx: ToolContext, access: object) -> object:
        made.asked += [args.model_dump(), ctx.requester.user, access, here.base.rows("SELECT state FROM actions")]
        return await made.look()

    monkeypatch.setattr(type(here.effect), "provider", "google")
    monkeypatch.setattr(type(here.effect), "looks_ahead", True)
    monkeypatch.setattr(here.effect, "look_ahead", look_ahead)
    here.runner = replace(here.runner, executor=replace(here.runner.executor, grants=Grants()))
    return made


async def test_it_begins_before_the_claim(ahead: Ahead, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the account that was approved, once; the attempt is given what was found."""
    claim = Claims.claim

    async def claimed(claims: Claims, *args: Any, **options: Any) -> object:
        ahead.asked.append("claimed")
        return await claim(claims, *args, **options)

    monkeypatch.setattr(Claims, "claim", claimed)
    assert await ahead.served() == "found"
    assert ahead.asked[-5:] == [{"text": "it"}, DANA, GRANT, [{"state": "approved"}], "claimed"]


async def test_what_an_attempt_left_behind_is_looked_for_by_the_next(ahead: Ahead) -> None:
    """Only the first attempt looks ahead."""
    action = await ahead.approved()
    await ahead.here.base.tamper("UPDATE actions SET attempt = 1")
    await ahead.here.serve()
    assert (await ahead.here.action(action)).attempt == 2
    assert (ahead.asked, [call.ahead for call in ahead.here.effect.calls]) == ([], [None])


@pytest.mark.parametrize(
    "error", [ToolFailed("away", "away"), Ambiguous("it"), BasisChanged(what="it"), TimeoutError(), KeyError()]
)
async def test_one_that_fails_is_made_again_by_the_attempt(ahead: Ahead, error: Exception) -> None:
    """Whatever it was: the attempt finds out by itself, and says what is wrong."""

    async def fails() -> object:
        raise error

    ahead.look = fails
    assert await ahead.served() is None


async def test_one_that_takes_long_is_given_up(ahead: Ahead) -> None:
    """It holds up nothing for longer than it would count."""
    ahead.fresh(0.05)
    ahead.look = asyncio.Event().wait
    assert await ahead.served() is None


async def test_what_is_not_fresh_any_more_does_not_count(ahead: Ahead) -> None:
    """Where the claim took long, what was found before it may have changed."""
    ahead.fresh(-1.0)
    assert await ahead.served() is None


async def test_one_without_an_attempt_is_ended(ahead: Ahead) -> None:
    """The request is stopped just before the claim: nothing is done, and nothing goes on."""
    ended: list[str] = []

    async def stopped() -> object:
        async with ahead.here.base.store.write() as work:
            await work.runs.change(action.run_id, cancel_requested=True)
        try:
            await asyncio.Event().wait()
        finally:
            ended.append((await ahead.here.action(action)).state)
        return None

    ahead.look = stopped
    action = await ahead.approved()
    await ahead.here.serve()
    assert (ahead.here.effect.calls, (await ahead.here.action(action)).attempt) == ([], 0)
    assert len(ended) == 1
