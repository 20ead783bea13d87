"""Each condition taken out in turn: what the search then finds, or which other condition covers it.

A condition that nothing misses would be a line that nobody can test; so each stands here, and a new one fails the test
until it does.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from types import ModuleType
from typing import NamedTuple

from bot.domain import conditions
from bot.domain.actions import ActionState
from bot.domain.questions import QuestionKind
from tests.verification.explorer import guards
from tests.verification.explorer.runs import STARTS, Bounds
from tests.verification.explorer.values import Act, Ask, Kind

READ, OWN, KEYED, ALLOWED, BARE, ANSWER, CONNECT = STARTS
APPROVED = KEYED._replace(state=ActionState.APPROVED, vote="1.0.first", really_voted=frozenset({"1.0.first"}))
"""Approved for its moment, which the approval outlives."""
TRIED = APPROVED._replace(really_did=("1.0.first",), doubt=True, tries=1)
"""It happened, nobody heard of it, and its owner said "try again". (Its attempts count from here.)"""
LEFT = APPROVED._replace(state=ActionState.UNKNOWN, ask=Ask(QuestionKind.SETTLE, 1, "1.0.first"), attempt=1, doubt=True)
"""It did not happen, and its owner is asked."""
HELD = (ALLOWED, APPROVED, ALLOWED._replace(kind=Kind.BARE), APPROVED._replace(kind=Kind.BARE))
"""What waits in runs of its own: unasked, or with its approval carried."""
LATER = (KEYED._replace(later=True), ALLOWED._replace(later=True))
"""What is held back when it would be claimed."""
OTHERWISE = tuple(
    start._replace(edition=2, vote="2.0.first", really_voted=frozenset({"2.0.first"}), decided=True)
    for start in (KEYED, ALLOWED, BARE, LATER[0])
)
"""What was just approved with other arguments, at once or for later: it is judged anew, and the vote is on these."""


class Out(NamedTuple):
    """What is taken out, where the search looks (of which calls, for how many steps, how much disturbed), and what it
    finds: the beginning of the violation; "" where others cover the condition, which `because` names.
    """

    finds: str
    starts: tuple[Act, ...] = (KEYED,)
    disturbances: int = 1
    steps: int = 1
    because: str = ""
    held: bool = False
    calls: int = 2

    @property
    def bounds(self) -> Bounds:
        """Where the search looks."""
        return Bounds(self.starts, self.steps, self.held, self.calls)


OUT: Mapping[str, Out] = {
    "thread_is_free": Out("a run began while another of its thread was at work"),
    "nothing_untaken": Out("what its requester wrote was lost", steps=0),
    "keeps_going": Out("a run stopped at a limit says that it is done"),
    "is_unfinished": Out("A run never goes from completed to cancelled"),
    "follows_its_step": Out("a paused run went on without its owner", (LEFT,), 2),
    "is_paused": Out("A run never goes from completed to planning"),
    "request_stands": Out("", because="a deletion cancels a paused run, and what is live is cancelled by its stop"),
    "is_executing": Out("a run is paused in the middle of an attempt", (LEFT,), 2),
    "no_stop_asked": Out("an attempt began after its run was stopped", disturbances=2),
    "no_hard_stop": Out("an attempt began after its run was stopped", (KEYED, READ)),
    "lets_through": Out("an effect began against the policy"),
    "is_allowed": Out("an effect began whose hash nobody approved"),
    "never_edited": Out("an effect began whose hash nobody approved", disturbances=2),
    "same_hash": Out("an effect began whose hash nobody approved"),
    "within_life": Out("an effect began on an approval whose life was over"),
    "may_ask": Out("a question waits beside a reply"),
    "is_open": Out("A question never goes from decided to decided"),
    "is_current": Out("", disturbances=2, because="is_open: an edit replaces the question about the earlier edition"),
    "in_time": Out("a question was decided after it had expired"),
    "is_asked_to_approve": Out("an effect began whose hash nobody approved", (BARE,), 2),
    "is_superseded": Out("A action never goes from unknown to rejected", (BARE,), disturbances=2),
    "is_answered_by_reply": Out("an action is said to be done that was not"),
    "same_account": Out("", (BARE,), 2, because="same_hash: a vote names the account"),
    "can_move_again": Out("", because="step_is_open: a run with an open step is one of these"),
    "step_is_open": Out("an action was asked again whose step was closed"),
    "was_left": Out("an action is planned and its question is"),
    "may_send": Out("after its step was closed an effect could still be sent"),
    "may_inquire": Out("after its step was closed an effect could still be sent"),
    "is_repeatable": Out("an effect began whose hash nobody approved"),
    "attempts_left": Out("an action was attempted again and again"),
    "is_certain": Out("an effect happened twice|what was to be held back was done at once", (TRIED,)),
    "nothing_on_its_way": Out("an action is said to be [a-z]+ that may still be done"),
    "same_attempt": Out("", disturbances=2, because="the world: whichever attempt was done, it is done"),
    "may_take_late": Out("A action never goes from", disturbances=2),
    "moment_has_come": Out("it began before its moment", HELD, held=True),
    "hears": Out("what its requester wrote waits for a moment that is not its own", HELD, held=True),
    "may_be_changed": Out("what was held back was changed", HELD, 2, held=True),
    "may_be_undone": Out("something was done that is said to be undone", HELD, 2, held=True),
    "lease_is_held": Out("a turn was taken that was made from an older history", (READ,)),
    "row_is_as_read": Out(
        "", disturbances=2, because="lease_is_held: only a worker that lost its lease reads old rows"
    ),
}
"""The conditions that name one fact, and the store's guards."""

OF_HELD: Mapping[str, Out] = {
    "thread_is_free": Out("a run began while another of its thread was at work", HELD, held=True),
    "is_unfinished": Out("A run never goes from completed to cancelled", HELD, held=True),
    "follows_its_step": Out("a paused run went on without its owner", HELD, 2, held=True),
    "lets_through": Out("an effect began against the policy", HELD, held=True),
    "same_hash": Out("an effect began whose hash nobody approved", HELD, held=True),
    "within_life": Out("an effect began on an approval whose life was over", HELD, held=True),
    "is_allowed": Out("an effect began", HELD, held=True),
    "in_time": Out("a question was decided after it had expired", HELD, held=True),
    "may_send": Out("after its step was closed an effect could still be sent", HELD, held=True),
    "may_inquire": Out("after its step was closed an effect could still be sent", HELD, held=True),
    "attempts_left": Out("an action was attempted again and again", HELD, held=True),
    "may_take_late": Out("A action never goes from", HELD, 2, held=True),
}
"""Conditions that are there for every run, once more for what was held back."""

OF_LATER: Mapping[str, Out] = {
    "lets_through": Out("an effect began against the policy", LATER),
    "is_allowed": Out("an effect began whose hash nobody approved", LATER),
    "within_life": Out("an effect began on an approval whose life was over", LATER),
    "never_edited": Out("an effect began whose hash nobody approved", LATER, 2),
}
"""The same for what is to be held back: it is held back only where it might begin."""

OF_OTHERWISE: Mapping[str, Out] = {
    "lets_through": Out("an effect began against the policy", OTHERWISE),
    "same_hash": Out("an effect began whose hash nobody approved", OTHERWISE),
    "within_life": Out("an effect began on an approval whose life was over", OTHERWISE),
    "never_edited": Out("an effect began (on an approval whose life was over|whose hash nobody approved)", OTHERWISE),
    "may_ask": Out("a question waits beside a reply", OTHERWISE[:1], 2),
    "no_hard_stop": Out("after its run was stopped", OTHERWISE),
}
"""The same for what was edited with an approval."""

TOGETHER: Mapping[tuple[str, str], Out] = {
    ("same_account", "same_hash"): Out("an effect began whose hash nobody approved", (BARE,), 2),
    ("is_asked_to_approve", "is_certain"): Out("A action never goes from unknown to planned", (BARE,)),
}
"""Two of which one covers the other where the search looks: each alone is not missed there, both together are."""

JOINED = {
    *("may_complete", "may_continue", "may_act", "covers", "may_begin"),
    *("may_decide", "may_edit", "may_ask_again", "may_repeat", "may_vote"),
}
"""The conditions that only join others."""


def named(module: ModuleType) -> set[str]:
    """The predicates of a module."""
    found = inspect.getmembers(module, inspect.isfunction)
    return {name for name, function in found if function.__module__ == module.__name__}


@contextmanager
def taken_out(*names: str) -> Generator[None]:
    """These conditions always hold, until the block ends."""
    real: list[tuple[ModuleType, str, Callable[..., bool]]] = []
    for name in names:
        module = conditions if name in named(conditions) else guards
        real.append((module, name, getattr(module, name)))
        setattr(module, name, _always)
    try:
        yield
    finally:
        for module, name, function in real:
            setattr(module, name, function)


def _always(*facts: object, **more: object) -> bool:
    return True
