"""What the world does to one action: time, the provider's answers, policy, and the connection."""

from __future__ import annotations

from collections.abc import Iterator

from bot.domain.actions import ActionState as S
from policies.types import Decision
from tests.verification.explorer import agreement
from tests.verification.explorer.moves import By, Event, did
from tests.verification.explorer.values import Act, Job, Kind, Told
from tests.verification.explorer.workers import may_still_send

_OTHER = {
    Decision.ALLOW: (Decision.ASK, Decision.DENY),
    Decision.ASK: (Decision.ALLOW, Decision.DENY),
    Decision.DENY: (),
}
_JUDGED = {S.PLANNED, S.AWAITING, S.APPROVED, S.EXECUTING}


def events(act: Act) -> Iterator[Event]:
    """What can happen to it without us. None of this is a row."""
    for name in ("job", "old"):
        job: Job | None = getattr(act, name)
        if job is not None and may_still_send(act, job):
            yield from _sent(act, name, job)
    if act.way is not None:
        yield _quiet("arrives late", did(act, act.way)._replace(way=None), cost=0)
    yield from _time(act)
    if act.state is S.PLANNED and act.vote is not None and act.kind is Kind.KEYED and act.basis == 0:
        yield _quiet("the look finds another world", act._replace(basis=1))
    if act.circle is not None and act.state in _JUDGED:
        yield from agreement.of_the_world(act, act.circle)
    elif act.is_effect:
        yield from _policy(act)
    if act.state is S.APPROVED and act.kind.can_reconcile and act.linked:
        yield _quiet("disconnected", act._replace(linked=False))


def _quiet(name: str, act: Act, by: By = By.WORLD, cost: int = 1) -> Event:
    return Event(name, act, by=by, cost=cost, commit=False)


def _time(act: Act) -> Iterator[Event]:
    if act.state is S.EXECUTING and not act.due:
        in_hand = act.job is not None and act.job.held and act.job.told is not Told.NOT_SENT
        if not in_hand:
            yield _quiet("the deadline passes", act._replace(due=True), By.TIME, 0)
    if act.vote is not None and not act.vote_over and act.state in {S.PLANNED, S.APPROVED, S.EXECUTING}:
        yield _quiet("the approval's life ends", act._replace(vote_over=True), By.TIME, 1)


def _policy(act: Act) -> Iterator[Event]:
    if act.state in _JUDGED:
        for verdict in _OTHER[act.verdict]:
            yield _quiet(f"policy now says {verdict.value}", act._replace(verdict=verdict))


def _sent(act: Act, name: str, job: Job) -> Iterator[Event]:
    """The request goes out: it arrives or not, and the answer is heard or not. What is not heard leaves doubt."""
    after = did(act, job.hash)
    yield _quiet("done", _told(after, name, job, Told.DONE), By.WORKER, 0)
    yield _quiet("done, and the answer lost", after._replace(**{name: None}))
    if not job.held:
        return
    yield _quiet("not done, and no answer", act._replace(**{name: None}))
    if act.kind.can_reconcile:
        yield _quiet("not done so far, and no answer", act._replace(**{name: None}, way=job.hash))
    yield _quiet("failed", _told(act, name, job, Told.FAILED))
    if act.kind is Kind.KEYED and act.basis == 0:
        yield _quiet("refused: the world changed", _told(act, name, job, Told.CHANGED))
    if act.is_effect and act.linked:
        yield _quiet("refused: the credentials", _told(act, name, job, Told.REFUSED))


def _told(act: Act, name: str, job: Job, told: Told) -> Act:
    return act._replace(**{name: job._replace(told=told)})
