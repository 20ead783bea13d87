"""Connected accounts, attempts to connect one, and grants to give back: each step is made once, in time."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from bot.domain.connections import OAUTH_ATTEMPT_LIFE, REFUSED, OAuthAttempt, Revocation
from bot.store.unit_of_work import UnitOfWork
from tests import builders as make
from tests.builders import DANA, MARA, NOW, TEAM

LATER = NOW + OAUTH_ATTEMPT_LIFE


async def test_a_connection_is_one_per_person_and_provider(work: UnitOfWork) -> None:
    """Saving replaces the account; marking changes its status only; each person has their own."""
    account = make.connection(account="1", scopes=frozenset({"b", "a"}))
    await work.connections.save(replace(account, account="0"), at=NOW)
    await work.connections.save(account, at=NOW)
    assert await work.connections.of(TEAM, DANA) == [replace(account, version=2)]
    assert await work.connections.mark(replace(account, version=2), REFUSED)
    marked = replace(account, status=REFUSED, version=3)
    assert await work.connections.find(TEAM, DANA, "google") == marked
    assert await work.connections.find(TEAM, MARA, "google") is None
    assert await work.connections.remove(TEAM, MARA, "google") is None
    assert await work.connections.remove(TEAM, DANA, "google") == marked
    assert await work.connections.of(TEAM, DANA) == []


async def test_a_connection_that_changed_meanwhile_is_not_written_over(work: UnitOfWork) -> None:
    """A new secret, or a status, is for the version that was read; a later or a removed one stays as it is."""
    account = make.connection(account="1")
    await work.connections.save(account, at=NOW)
    assert await work.connections.renewed(account, "s2", at=NOW)
    assert not await work.connections.renewed(account, "s3", at=NOW)
    assert not await work.connections.mark(account, REFUSED)
    now = replace(account, secret="s2", version=2)
    assert await work.connections.of_account("google", "1") == [now] == await work.connections.of_workspace(TEAM)
    await work.connections.remove(TEAM, DANA, "google")
    assert not await work.connections.renewed(now, "s3", at=NOW)
    assert await work.connections.of_account("google", "1") == []
    await work.connections.save(replace(account, account="2", email="e@x"), at=NOW)
    assert not await work.connections.renewed(account, "s3", at=NOW)  # the same version, of another account
    assert not await work.connections.mark(account, REFUSED)


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
    """The attempts of a person who left, or of a workspace that did, are deleted at once."""
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
    """Ending or holding an attempt that was deleted meanwhile says so; the deletion hands back what was held."""
    await work.oauth_attempts.add(attempt(consumed_at=NOW))
    assert await work.oauth_attempts.hold(attempt(), confirm_hash="y", held="sealed")
    await work.oauth_attempts.add(attempt(id="con_2", token_hash="u"))
    taken = await work.oauth_attempts.forget_all(TEAM, DANA)
    assert {connect.id: connect.held for connect in taken} == {"con_1": "sealed", "con_2": None}
    assert await work.oauth_attempts.forget_all(TEAM) == []
    assert not await work.oauth_attempts.end(attempt(), at=NOW)
    assert not await work.oauth_attempts.hold(attempt(), confirm_hash="y", held="sealed")


async def test_what_nobody_confirmed_is_let_go_of_once(work: UnitOfWork) -> None:
    """It is let go of after its time, by the first caller only."""
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


SOON, FAR = NOW + timedelta(minutes=1), NOW + timedelta(hours=6)


def owed(**values: object) -> Revocation:
    made = Revocation(
        id="rev_1",
        team=TEAM,
        user=DANA,
        provider="google",
        account="sub",
        secret="sealed",
        not_before=NOW,
        created_at=NOW,
    )
    return replace(made, **values)


async def test_what_is_due_is_claimed_once(work: UnitOfWork) -> None:
    """The claim counts the attempt and puts the next one off; who comes second hears it."""
    await work.revocations.add(owed())
    await work.revocations.add(owed(id="rev_2", not_before=SOON))
    assert await work.revocations.due(now=NOW, horizon=FAR, limit=9) == [owed()]
    assert await work.revocations.claim(owed(), not_before=SOON)
    assert not await work.revocations.claim(owed(), not_before=SOON)
    assert await work.revocations.due(now=NOW, horizon=FAR, limit=9) == []
    found = await work.revocations.due(now=SOON, horizon=FAR, limit=9)
    assert [(item.id, item.attempts) for item in found] == [("rev_1", 1), ("rev_2", 0)]


async def test_a_clock_that_went_back_delays_nothing(work: UnitOfWork) -> None:
    """What is due later than any pause was put there before the clock was set back."""
    await work.revocations.add(owed(not_before=FAR + timedelta(days=300)))
    assert len(await work.revocations.due(now=NOW, horizon=FAR, limit=9)) == 1


async def test_it_is_gone_at_its_end(work: UnitOfWork) -> None:
    """Once by itself, or with all of an account that is connected again."""
    for n in ("1", "2", "3"):
        await work.revocations.add(owed(id=f"rev_{n}", account="other" if n == "3" else "sub"))
    assert await work.revocations.end(owed())
    assert not await work.revocations.end(owed())
    await work.revocations.forget("google", "sub")
    (left,) = await work.revocations.due(now=NOW, horizon=FAR, limit=9)
    assert left.id == "rev_3"
