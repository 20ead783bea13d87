"""What the store itself guards, in SQL (`bot/store`): the explorer's stand-ins, so that they can be taken out too."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from bot.domain.conditions import Standing, no_hard_stop, no_stop_asked, request_stands
from policies import deciders as counted
from policies.deciders import Deciders
from tests.verification.explorer.values import Act


def lease_is_held(held: bool) -> bool:
    """A commit under a lease that was taken over is refused (`leases.hold`)."""
    return held


def row_is_as_read(read: int, attempt: int) -> bool:
    """An action only moves from the attempt that was read (`actions.move`)."""
    return read == attempt


def is_waited_for(above: Standing, given: Act | None) -> bool:
    """What silence left of a child is asked again only while its parent can still go on with it
    (`bot.runtime.questions.follow_ups`).
    """
    is_open = above.step_open and given is not None and not given.state.is_settled()
    return is_open and request_stands(above) and no_stop_asked(above) and no_hard_stop(above)


def may_be_left_behind() -> bool:
    """A child that silence paused ends when its parent goes on without it (`bot.runtime.lifecycle.progress`)."""
    return False


def is_member(away: Collection[str], user: str) -> bool:
    """Whoever is no full member is asked nothing, and decides nothing (`bot.runtime.policy.service.may_decide`)."""
    return user not in away


def still_agree(deciders: Sequence[Deciders], agreed: Collection[str]) -> bool:
    """Those agreed who have to, of those who may decide now (`bot.runtime.actions.claim`)."""
    return counted.still_agree(deciders, agreed)


def votes_once(votes: Collection[str], user: str) -> bool:
    """There is one vote of a person on a question (`questions.vote`)."""
    return user not in votes
