"""Attempts to connect an account: each step is made once, in time, by whoever comes first."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from bot.domain.connections import OAUTH_ATTEMPT_LIFE, OAuthAttempt
from bot.store.unit_of_work import UnitOfWork
from tests.builders import DANA, MARA, NOW, TEAM

LATER = NOW + OAUTH_ATTEMPT_LIFE


def attempt(**values: object) -> OAuthAttempt:
    made = OAuthAttempt(
        id="con_1",
        team=TEAM,
        user=DANA,
        provider="google",
        token_hash="t",
        choices=("mail", "calendar"),
        missing=frozenset({"a"}),
        created_at=NOW,
        expires_at=LATER,
    )
    return replace(made, **values)


async def test_an_attempt_is_kept_as_it_was_made(work: UnitOfWork) -> None:
    """What was stored is found by its token, and looking at its page is written down once."""
    await work.oauth_attempts.add(attempt())
    assert await work.oauth_attempts.by_token("t") == attempt()
    await work.oauth_attempts.opened("con_1", at=NOW)
    await work.oauth_attempts.opened("con_1", at=LATER)
    assert await work.oauth_attempts.find("con_1") == attempt(opened_at=NOW)
    assert await work.oauth_attempts.by_token("u") is None


async def test_the_browser_comes_back_once(work: UnitOfWork) -> None:
    """The state that was given last is consumed by the first who brings it; then nothing begins anew."""
    await work.oauth_attempts.add(attempt())
    for state in ("s1", "s2"):
        assert await work.oauth_attempts.begin(
            attempt(), state_hash=state, cookie_hash="c", verifier="v", scopes=frozenset({"a", "b"})
        )
    assert await work.oauth_attempts.take("s1", now=NOW) is None
    taken = await work.oauth_attempts.take("s2", now=NOW)
    assert taken is not None
    assert (taken.consumed_at, taken.scopes, taken.verifier) == (NOW, {"a", "b"}, "v")
    assert await work.oauth_attempts.take("s2", now=NOW) is None
    assert await work.oauth_attempts.by_state("s2") == taken
    assert not await work.oauth_attempts.begin(
        taken, state_hash="s3", cookie_hash="c", verifier="v", scopes=frozenset({"a"})
    )


async def test_what_comes_too_late_is_not_consumed(work: UnitOfWork) -> None:
    """At the moment of its end an attempt is over."""
    await work.oauth_attempts.add(attempt(state_hash="s"))
    assert await work.oauth_attempts.take("s", now=LATER) is None
    assert await work.oauth_attempts.take("s", now=LATER - timedelta(seconds=1)) is not None


async def test_what_is_held_is_taken_once(work: UnitOfWork) -> None:
    """What waits for a confirmation is given to the first who confirms, in time; at the end no secret is left."""
    await work.oauth_attempts.add(attempt(consumed_at=NOW))
    await work.oauth_attempts.hold(attempt(), confirm_hash="y", held="sealed")
    assert await work.oauth_attempts.take_held("y", now=LATER) is None
    taken = await work.oauth_attempts.take_held("y", now=NOW)
    assert taken is not None
    assert (taken.held, taken.ended_at) == ("sealed", NOW)
    assert await work.oauth_attempts.take_held("y", now=NOW) is None
    await work.oauth_attempts.end(taken, at=NOW)
    ended = await work.oauth_attempts.by_confirmation("y")
    assert ended is not None
    assert (ended.held, ended.verifier) == (None, None)


async def test_attempts_are_forgotten(work: UnitOfWork) -> None:
    """What belongs to somebody who left, or to a workspace that did, goes at once."""
    await work.oauth_attempts.add(attempt())
    await work.oauth_attempts.add(
        attempt(id="con_2", token_hash="t2", user=MARA, expires_at=LATER + timedelta(hours=1))
    )
    await work.oauth_attempts.forget_all(TEAM, DANA)
    assert await work.oauth_attempts.find("con_1") is None
    assert await work.oauth_attempts.find("con_2") is not None
    await work.oauth_attempts.forget_all(TEAM)
    assert await work.oauth_attempts.find("con_2") is None


async def test_what_is_over_is_told(work: UnitOfWork) -> None:
    """Whoever ends or holds an attempt that was taken away meanwhile hears it, and what was held is handed back."""
    await work.oauth_attempts.add(attempt(consumed_at=NOW))
    assert await work.oauth_attempts.hold(attempt(), confirm_hash="y", held="sealed")
    await work.oauth_attempts.add(attempt(id="con_2", token_hash="u"))
    taken = await work.oauth_attempts.forget_all(TEAM, DANA)
    assert [(connect.id, connect.held) for connect in taken] == [("con_1", "sealed")]
    assert await work.oauth_attempts.forget_all(TEAM) == []
    assert not await work.oauth_attempts.end(attempt(), at=NOW)
    assert not await work.oauth_attempts.hold(attempt(), confirm_hash="y", held="sealed")


async def test_what_nobody_confirmed_is_let_go_of_once(work: UnitOfWork) -> None:
    """After its time, and by whoever comes first."""
    await work.oauth_attempts.add(attempt(held="sealed", confirm_hash="y"))
    await work.oauth_attempts.add(attempt(id="con_2", token_hash="u"))
    assert await work.oauth_attempts.unconfirmed(before=LATER, limit=9) == []
    after = LATER + timedelta(seconds=1)
    (found,) = await work.oauth_attempts.unconfirmed(before=after, limit=9)
    assert not await work.oauth_attempts.let_go(replace(found, held="other"), at=after)
    assert await work.oauth_attempts.let_go(found, at=after)
    assert not await work.oauth_attempts.let_go(found, at=after)
    ended = await work.oauth_attempts.find("con_1")
    assert ended is not None
    assert (ended.held, ended.ended_at) == (None, after)
