"""Tries: what an earlier try of a request did, where it is tried again and the model may want the same once more.

The model is told what was done (`bot.runtime.runs.history`); this does not count on that it heeds it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.domain.actions import UNDONE, Action, ActionState
from bot.domain.runs import Run
from bot.runtime.lifecycle.runs import request_of
from bot.store.unit_of_work import UnitOfWork
from integrations.text import listed
from policies.characters import quoted
from policies.evidence import evidence_from_json
from policies.types import Decision, Verdict

RULE = "request.tried_again"


async def done_before(work: UnitOfWork, run: Run, action: Action, reached: Sequence[str] | None) -> Sequence[Action]:
    """What earlier tries of its request did, or may have done, with the same tool and for somebody whom it reaches,
    too. Who is reached is not compared where one of both names nobody.
    """
    request = await request_of(work, run)
    if request.retry_of is None or not action.is_side_effect:
        return ()
    ours = _folded(reached)
    known = [one for tried in await work.runs.tries_before(request) for one in await work.actions.of_work(tried.id)]
    alike = [one for one in known if one.tool == action.tool and _may_stand(one)]
    return [one for one in alike if not ours or not (theirs := _reached(one)) or not ours.isdisjoint(theirs)]


def warning(done: Sequence[Action]) -> str:
    """To people, of what would do the like."""
    did = "may have done" if all(one.doubt or one.state is ActionState.UNKNOWN for one in done) else "did"
    named = listed([quoted(one.caption) for one in done[:3]])
    return f"This request is tried again, and an earlier try {did} this already: {named}."


def asked_because(done: Sequence[Action]) -> Verdict:
    """The verdict on what nobody would be asked about otherwise."""
    return Verdict(decision=Decision.ASK, rule=RULE, reason=warning(done))


def _may_stand(action: Action) -> bool:
    is_done = action.state is ActionState.COMPLETED and action.undo != UNDONE
    return is_done or action.doubt or action.state is ActionState.UNKNOWN


def _reached(action: Action) -> frozenset[str]:
    return _folded(evidence_from_json(action.evidence).reached if action.evidence else ())


def _folded(addresses: Iterable[str] | None) -> frozenset[str]:
    return frozenset(address.casefold() for address in addresses or ())
