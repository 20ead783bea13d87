"""Grants that are to be given back: due at their time, claimed once, gone at the end."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from bot.domain.connections import Revocation
from bot.store.unit_of_work import UnitOfWork
from tests.builders import DANA, NOW, TEAM

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
