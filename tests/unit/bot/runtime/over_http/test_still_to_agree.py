"""Those who have to agree besides its owner, as an outcome over HTTP names them: who is asked, or comes next."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from bot.runtime.audit.sealer import Sealer
from bot.runtime.over_http.admission import Taken
from bot.runtime.questions import expiry
from policies.types import TrustLevel
from tests.builders import DANA, MARA
from tests.unit.bot.runtime.over_http.desk import SEND, Desk
from tests.unit.bot.runtime.questions.test_agreement import ERIN, FINN, TURN, ruled

HOUR = timedelta(hours=1)


async def still_to_agree(at: Desk, taken: Taken) -> Sequence[str]:
    """What the outcome says now."""
    (waiting,) = (await at.outcome(taken)).waiting
    return waiting.still_to_agree


async def says_yes(at: Desk, taken: Taken, user: str) -> None:
    """Somebody presses Approve on its only card."""
    at.here.base.clock.advance(10)
    (question,) = await at.questions(taken.run_id)
    assert (await at.here.click(question, user=user)).accepted
    await served(at, taken)


async def passes(at: Desk, taken: Taken, time: timedelta) -> None:
    """Time passes, and the ticks come."""
    at.here.base.clock.at += time
    await expiry.tick(at.here.transactions)
    await served(at, taken)


async def served(at: Desk, taken: Taken) -> None:
    await Sealer(store=at.here.base.store, keyring=at.here.base.keyring).seal()
    await at.serve(taken)


async def test_who_agreed_is_not_named(at: Desk) -> None:
    """The owner's yes changes nothing, that of somebody who has to agree takes them out, and who would stand in."""
    await ruled(at.here, MARA, ERIN, needed=2, stand_in=FINN)
    taken = await at.asked(SEND)
    assert await still_to_agree(at, taken) == [MARA, ERIN]
    await says_yes(at, taken, DANA)
    assert await still_to_agree(at, taken) == [MARA, ERIN]
    await says_yes(at, taken, MARA)
    assert await still_to_agree(at, taken) == [ERIN]


async def test_where_its_owner_alone_decides_nobody_is_named(at: Desk) -> None:
    assert await still_to_agree(at, await at.asked(SEND, level=TrustLevel.SUPERVISED)) == ()


async def test_a_stand_in_is_named_until_their_time_is_over(at: Desk) -> None:
    """Once the approver's turn ended they are asked; from the end of their time on they are not, before any tick."""
    end = at.now + TURN + HOUR
    await ruled(at.here, MARA, FINN, stand_in=ERIN, until=end)
    taken = await at.asked(SEND)
    assert await still_to_agree(at, taken) == [MARA, FINN]
    await says_yes(at, taken, DANA)
    await passes(at, taken, TURN)
    assert await still_to_agree(at, taken) == [ERIN, FINN]
    at.here.base.clock.at = end
    assert await still_to_agree(at, taken) == [FINN]
    await passes(at, taken, timedelta(seconds=1))
    assert await still_to_agree(at, taken) == [FINN]


async def test_an_approver_whose_stand_in_is_none_by_now_is_named(at: Desk) -> None:
    """Nobody came next when their turn was over: they are asked on."""
    await ruled(at.here, MARA, stand_in=ERIN, until=at.now + TURN / 2)
    taken = await at.asked(SEND)
    await says_yes(at, taken, DANA)
    await passes(at, taken, TURN)
    assert await still_to_agree(at, taken) == [MARA]
