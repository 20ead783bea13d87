"""What workers commit about one action: judging, claiming, the outcome, and what becomes of an attempt in doubt."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bot.domain import conditions as when
from bot.domain.actions import ActionState as S
from bot.domain.conditions import Standing
from bot.domain.questions import QuestionKind, QuestionState
from policies.types import Decision
from tests.verification.explorer import guards
from tests.verification.explorer.moves import Event, asked, claimed, closed, delegated, held_back, moved, unknown
from tests.verification.explorer.values import LATER, MOST_ATTEMPTS, NOW, THEN, Act, Job, Kind, Told


def events(run: Standing, act: Act) -> Iterator[Event]:
    """What a worker can do next about this action."""
    match act.state:
        case S.PLANNED:
            yield from judging(run, act)
        case S.APPROVED:
            yield from claiming(run, act)
        case S.EXECUTING if act.job is None or not act.job.held:
            yield from doubting(run, act)
        case S.UNKNOWN if act.kind.can_reconcile and run.step_open and when.is_unfinished(run):
            yield from _reconciled(closed(act, QuestionState.WITHDRAWN), "reconciled later", cost=1)
        case _:
            pass
    for job in (act.job, act.old):
        if job is not None:
            yield from working(act, job)


def covered(act: Act) -> bool:
    """Whether a vote stands for it, of all who have to agree."""
    agreed = act.circle is None or guards.still_agree(act.circle.judged.deciders, act.agreed)
    return when.covers(act.approval, act.hash, NOW) and agreed


def judging(run: Standing, act: Act) -> Iterator[Event]:
    """planned → a claim, a question, a refusal."""
    if not when.may_act(run):
        return
    if act.kind is Kind.ANSWER:
        yield Event("asked", _ask(run, act, QuestionKind.ANSWER))
        yield Event("nothing to ask", claimed(run, act, S.APPROVED, S.EXECUTING))
    elif not when.lets_through(act.verdict):
        yield Event("denied", moved(act, S.DENIED))
    elif not act.linked:
        yield Event("asked to connect", _ask(run, act, QuestionKind.CONNECT))
    elif when.may_begin(act.verdict, edition=act.edition, covered=covered(act)):
        yield Event("claimed", _begins(act)(run, act, S.APPROVED, S.EXECUTING))
    else:
        yield Event("asked to approve", _ask(run, act, QuestionKind.APPROVE))
    if act.is_effect:
        yield Event("preview failed", moved(act, S.FAILED), cost=1)


def _begins(act: Act) -> Callable[..., Act]:
    """What stands in place of an attempt: being held back, or given to an agent."""
    return held_back if act.later else delegated if act.kind is Kind.AGENT else claimed


def _ask(run: Standing, act: Act, kind: QuestionKind) -> Act:
    if not when.may_ask(run):
        return moved(act, S.REJECTED)
    return asked(moved(act, S.AWAITING, vote=act.vote if kind is QuestionKind.CONNECT else None), kind)


def claiming(run: Standing, act: Act) -> Iterator[Event]:
    """approved → executing, judged again."""
    if not when.may_act(run):
        return
    if not act.linked:
        yield Event("connection gone", asked(moved(act, S.AWAITING), QuestionKind.CONNECT))
    elif act.circle is None and not when.lets_through(act.verdict):  # else those who may agree are looked up again
        yield Event("denied", moved(act, S.DENIED))
    elif when.may_begin(act.verdict, edition=act.edition, covered=covered(act)):
        yield Event("claimed", _begins(act)(run, act, S.EXECUTING))
    else:
        yield Event("judged again", moved(act, S.PLANNED))


def doubting(run: Standing, act: Act) -> Iterator[Event]:
    """An attempt that no living worker has in hand: repeated, reconciled, or its owner is asked."""
    if when.is_repeatable(act.kind.effect):
        yield from _repeating(run, act)
    elif not when.may_inquire(THEN, act.now):
        return
    elif act.kind.can_reconcile:
        yield from _reconciled(act, "reconciled")
        yield Event("could not be reconciled", unknown(act), cost=1)
    else:
        yield Event("asked what happened", unknown(act))


def _repeating(run: Standing, act: Act) -> Iterator[Event]:
    own = act.kind is Kind.OWN
    if when.may_repeat(
        run, act.verdict, edition=act.edition, covered=covered(act), attempt=act.attempt, most=MOST_ATTEMPTS
    ):
        yield Event("repeated", claimed(run, act._replace(doubt=own), S.EXECUTING))
    elif not own:
        yield Event("gave no answer", moved(act, S.FAILED, job=None))
    elif when.may_inquire(THEN, act.now):
        yield Event("asked what happened", unknown(act))


def _reconciled(act: Act, name: str, cost: int = 0) -> Iterator[Event]:
    """The provider knows: done, or not so far. Whether that is for good is known where nothing was sent."""
    if act.really_did:
        yield Event(name, moved(act, S.COMPLETED, doubt=False, job=None), cost=cost)
        return
    if act.state is S.EXECUTING:  # whoever is asked already is not asked again
        yield Event(f"{name}, not done so far", _not_done(act, final=False), cost=cost if act.way else 1)
    if act.way is None:
        yield Event(name, _not_done(act, final=True), cost=cost)


def _not_done(act: Act, *, final: bool) -> Act:
    certain = when.nothing_on_its_way(final)
    if when.attempts_left(act.attempt, MOST_ATTEMPTS):
        return moved(act, S.APPROVED, doubt=not certain)
    return moved(act, S.FAILED, doubt=False) if certain else unknown(act)


def working(act: Act, job: Job) -> Iterator[Event]:
    """What the worker of this attempt does with what it was told."""
    if job.told is Told.NOT_SENT:
        if job.held and not when.may_send(THEN, act.now):
            yield Event("too late to send", without(act, job), commit=False)
        return
    if job.told is Told.DONE and when.may_take_late(act.state, told=job.attempt, attempt=act.attempt):
        late = closed(act, QuestionState.WITHDRAWN)
        yield Event("told late", moved(late, S.COMPLETED, doubt=False, job=None, old=None))
    elif act.state is S.EXECUTING and _may_commit(act, job):
        yield Event(f"recorded: {job.told.value}", recorded(without(act, job), job.told))


def _may_commit(act: Act, job: Job) -> bool:
    return guards.lease_is_held(job.held) and guards.row_is_as_read(job.attempt, act.attempt)


def recorded(act: Act, told: Told) -> Act:
    """The outcome of an attempt, as it was told."""
    match told:
        case Told.DONE:
            return moved(act, S.COMPLETED, doubt=False)
        case Told.CHANGED if not when.is_certain(act.doubt):
            return unknown(act)
        case Told.CHANGED if when.attempts_left(act.attempt, MOST_ATTEMPTS):
            return moved(act, S.PLANNED, basis=1)
        case Told.REFUSED if not when.is_certain(act.doubt):
            return unknown(act)
        case Told.REFUSED:
            return asked(moved(act, S.AWAITING, linked=False), QuestionKind.CONNECT)
        case _:
            return moved(act, S.FAILED)


def without(act: Act, job: Job) -> Act:
    """The worker has it in hand no more."""
    return act._replace(job=None) if act.job is job else act._replace(old=None)


def tidy(act: Act) -> Act:
    """Forget what nothing depends on any more: this joins worlds that differ in nothing that can still matter."""
    job = act.job if act.job is None or act.job.held or _matters(act, act.job) else None
    old = act.old if act.old is not None and _matters(act, act.old) else None
    if job is None and old is None:
        if act.state.is_settled():
            return Act(Kind.READ, Decision.ALLOW, S.COMPLETED, decided=act.decided or act.state is S.REJECTED)
        act = act._replace(due=act.due and act.state is S.EXECUTING)
    votes = act.really_voted & {act.hash}
    circle = act.circle and act.circle.about(act.alone)
    over = act.vote_over and act.vote is not None
    agreed = act.agreed if act.vote is not None else frozenset[str]()
    return act._replace(job=job, old=old, really_voted=votes, vote_over=over, circle=circle, agreed=agreed)


def _matters(act: Act, job: Job) -> bool:
    if job.told is Told.NOT_SENT:
        return may_still_send(act, job)
    counts = job.told is Told.DONE or guards.lease_is_held(False)
    return counts and (
        not act.state.is_settled() or when.may_take_late(act.state, told=job.attempt, attempt=act.attempt)
    )


def may_still_send(act: Act, job: Job) -> bool:
    """Whether this attempt can still put something on the wire."""
    return job.told is Told.NOT_SENT and when.may_send(THEN, LATER if act.due or job.late else NOW)
