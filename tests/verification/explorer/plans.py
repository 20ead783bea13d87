"""The run of a plan: what it asks its owner, the revision that they confirm, and the tasks that it begins then.

A task is the work of a run of its own, so plans are explored as families (`families.py`): the run of the plan, and that
of one task after the other. A revision is a number, and `Act.basis` of the call that proposes it.
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.domain import conditions as when
from bot.domain.actions import ActionState as S
from bot.domain.plans import MOST_ADDED
from bot.domain.questions import QuestionKind, QuestionState
from bot.domain.runs import RunState
from policies.types import Decision
from tests.verification.explorer import people, runs
from tests.verification.explorer.moves import By, Event, asked, closed, moved
from tests.verification.explorer.runs import Bounds, Happening
from tests.verification.explorer.values import MOST_EDITIONS, Act, Ask, Course, Kind, Plan, Violation, World

PROPOSED = Act(Kind.PLAN, Decision.ALLOW)
"""A call that proposes a plan which is no revision yet."""

MOST_PROPOSALS, MOST_OWN, MOST_PENDING = 2, 2, 2
_HEARD = "takes the message in"
_OF_THE_MODEL = {"final text", "text after the soft stop", "the model fails", _HEARD}


def plan_of(run: Course) -> Plan:
    """The plan of a run that has one."""
    if run.plan is None:
        raise Violation("a run without a plan asks about one")
    return run.plan


def _with(run: Course, **changes: object) -> Course:
    return run._replace(plan=plan_of(run)._replace(**changes))


# The question ---------------------------------------------------------------------------------------------------------


def events(run: Course, act: Act) -> Iterator[tuple[Event, Course]]:
    """What can happen to a call that proposes a plan, and what the same commit makes of its run."""
    if act.state is S.PLANNED and when.may_act(run.standing):
        yield _shown(run, act)
    if act.ask is not None:
        yield from _answers(run, act, act.ask)
        yield Event("nobody answered about the plan", people.expired(act), by=By.TIME, cost=1), run
    if when.may_ask_again(run.standing, act.state, question_open=act.ask is not None):
        again = people.again_asked(act)
        yield Event("the plan is asked about again", again, by=By.PERSON, cost=1, revives=True), run


def _shown(run: Course, act: Act) -> tuple[Event, Course]:
    """It is a revision from now on, unless it is the newest one already; a wish comes first."""
    if not when.may_ask(run.standing):
        return Event("a wish comes before the plan", moved(act, S.REJECTED)), run
    revision = act.basis or plan_of(run).revision + 1
    shown = asked(moved(act, S.AWAITING, basis=revision), QuestionKind.PLAN)
    return Event("the plan is shown", shown), _with(run, revision=revision)


def _answers(run: Course, act: Act, ask: Ask) -> Iterator[tuple[Event, Course]]:
    people.check_in_time()
    facts = {"asked": ask.edition, "edition": act.edition}
    if when.may_decide(QuestionState.OPEN, **facts):
        decided = closed(act, QuestionState.DECIDED)
        yield Event("confirmed", moved(decided, S.COMPLETED), by=By.PERSON), _confirmed(run, act, ask)
        yield Event("dropped", moved(decided, S.REJECTED), by=By.PERSON), run._replace(cancel=True)
    if act.edition < MOST_EDITIONS and when.may_edit(ask.kind, QuestionState.OPEN, **facts, doubt=act.doubt):
        yield Event("changed by hand", people.edited(act)._replace(basis=0), by=By.PERSON, cost=1), run


def _confirmed(run: Course, act: Act, ask: Ask) -> Course:
    """The revision that the card shows, and no other; the first time it is granted what its tasks may use."""
    if ask.hash != act.hash:
        raise Violation("another revision was confirmed than the one on the card")
    stopping = run.stopping and plan_of(run).confirmed > 0
    return _with(run._replace(stopping=stopping), confirmed=act.basis, own=0, added=0, carries_out=True)


def refined(run: Course) -> Course:
    """Its owner said what is to be different, which has an allowance of its own before the first confirmation."""
    is_planning = run.plan is not None and not run.plan.carries_out
    return run._replace(stopping=False) if is_planning and not plan_of(run).confirmed else run


# Without an open step -------------------------------------------------------------------------------------------------


def happenings(run: Course, given: Act) -> Iterator[Happening]:
    """What can happen to the run of a plan without an open step; `given` is the call that is a task."""
    plan = plan_of(run)
    for each in runs.happenings(run, Bounds((), steps=0)):
        if each.name == _HEARD and not plan.carries_out:
            if not (run.stopping and plan.confirmed):  # with tools off nothing is taken in
                yield each._replace(world=World(refined(each.world.run)))
        elif each.name not in _OF_THE_MODEL:
            yield each
    if run.state is RunState.PLANNING:
        yield from _carries_out(run, plan, given) if plan.carries_out else _proposes(run, plan)


def _proposes(run: Course, plan: Plan) -> Iterator[Happening]:
    """The model proposes, or it cannot, or has to stop: then what it proposed before is shown once more."""
    if (plan.proposals < MOST_PROPOSALS or not plan.revision) and not run.stopping:
        proposals = min(plan.proposals + 1, MOST_PROPOSALS)
        yield Happening("proposes", _calls(_with(run, proposals=proposals), PROPOSED))
    if plan.revision and not (run.stopping and plan.confirmed):
        yield Happening("as it was", _again(run))
    elif run.stopping:
        yield Happening("text after the soft stop", runs.pause(run, ()))
    else:
        yield Happening("the model fails", runs.end(run, (), RunState.FAILED), cost=1)


def _again(run: Course) -> World:
    return _calls(run, PROPOSED._replace(basis=plan_of(run).revision))


def _calls(run: Course, act: Act) -> World:
    """How many steps it took before does not matter, and would have no end."""
    return runs.called(run._replace(steps=0), (act,))


def _carries_out(run: Course, plan: Plan, given: Act) -> Iterator[Happening]:
    """Code stands in the model's place. What was said meanwhile goes along with a task, or is a request of its own."""
    if plan.failed and not run.stopping:
        yield from _follows(run, plan)
    elif plan.failed:
        yield Happening("stops before it says what follows", runs.pause(run, ()))
    elif not plan.pending:
        ends = RunState.FAILED if plan.lost else RunState.COMPLETED
        yield Happening("carried out", runs.end(run._replace(untaken=False), (), ends))
    elif not when.stays_confirmed(plan.added):
        yield Happening("asks about the rest", _again(_with(run, carries_out=False)))
    elif run.stopping:
        yield Happening("stops before a task", runs.pause(run, ()))
    else:
        yield Happening("begins a task", _begun(run, plan, given))


def _follows(run: Course, plan: Plan) -> Iterator[Happening]:
    """One call of the model: what is left is done all the same, or is changed."""
    asked = _with(run, failed=False)
    yield Happening("a task failed, and the rest is done", World(asked))
    if plan.own < MOST_OWN:
        changed = {"revision": plan.revision + 1, "own": plan.own + 1}
        instead = {"pending": min(plan.pending + 1, MOST_PENDING), "added": plan.added + 1, "lost": False}
        yield Happening("a task failed, and is done in another way", World(_with(asked, **changed, **instead)))
        if plan.pending:
            dropped = _with(asked, **changed, pending=plan.pending - 1)
            yield Happening("a task failed, and the next one is dropped", World(dropped))


def _begun(run: Course, plan: Plan, given: Act) -> World:
    if plan.failed:
        raise Violation("a task begins, and nobody said what follows from the failure of the one before")
    if plan.revision != plan.confirmed + plan.own or plan.added > MOST_ADDED:
        raise Violation("a revision is carried out that nobody confirmed")
    return _calls(run._replace(untaken=False), given)


# With a task ----------------------------------------------------------------------------------------------------------


def is_led_by_code(run: Course) -> bool:
    """Whether what is said to it is for its task."""
    return run.plan is not None and run.plan.carries_out


def changes_itself(run: Course) -> Iterator[tuple[str, Course]]:
    """A round, or a failure, changes what is pending: a revision that nobody is asked about while it is small."""
    plan = run.plan
    if plan is None or not plan.carries_out or plan.own >= MOST_OWN or not run.state.holds_thread():
        return
    if run.cancel or run.hard:
        return
    pending = min(plan.pending + 1, MOST_PENDING)
    changes = {"revision": plan.revision + 1, "own": plan.own + 1}
    for name, added in (("a task is added", 1), ("too much is added", MOST_ADDED + 1)):
        yield name, _with(run, **changes, pending=pending, added=plan.added + added)
    if plan.pending > 1:  # one of them is under way
        yield "the next task is changed", _with(run, **changes, added=plan.added + 1)
        yield "the next task is dropped", _with(run, **changes, pending=plan.pending - 1)


def task_ended(run: Course, child: Course) -> Course:
    """What comes of the plan. Where the whole plan has to stop, the task is pending again."""
    whole_plan_stops = child.state is RunState.PAUSED and (run.hard or run.stopping)
    if run.plan is None or whole_plan_stops:
        return run
    failed = child.state is not RunState.COMPLETED
    return _with(run, pending=run.plan.pending - 1, failed=failed, lost=run.plan.lost or failed)


def check(run: Course, acts: tuple[Act, ...], *, at_work: bool) -> None:
    """What must hold of a plan in each world; `at_work`: the run of a task lives."""
    plan = run.plan
    if plan is None:
        return
    executing = at_work or any(act.kind is Kind.AGENT for act in acts)
    if executing and not (plan.carries_out and plan.confirmed):
        raise Violation("a task is carried out of a plan that nobody confirmed")
    if plan.pending < 0 or (run.state is RunState.COMPLETED and (plan.lost or plan.failed)):
        raise Violation("a plan is carried out of which a task failed, or was done twice")
    rests = run.state is RunState.PAUSED and not run.hard and run.open is None
    uses_up = run.stopping and plan.confirmed  # Continue grants the whole plan more, and it is changed then
    if rests and plan.revision and not plan.carries_out and not uses_up:
        raise Violation("a plan that was proposed rests, and nobody can confirm it")
