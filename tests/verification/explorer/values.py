"""The explored world as small values: one run of one thread, its open step, and what the outside really did.

What begins with "really" is known to nobody in the world: it is what the properties are held against.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import Enum
from typing import NamedTuple

from bot.domain.actions import ActionState, Approval
from bot.domain.conditions import Standing
from bot.domain.questions import QuestionKind
from bot.domain.runs import RunState
from policies.types import Decision, EffectClass
from tests.verification.explorer.circles import Circle, Round

NOW = datetime.fromisoformat("2026-11-23T10:00:00+00:00")
THEN = NOW + timedelta(hours=1)  # every deadline, life and expiry
LATER = THEN + timedelta(hours=1)

MOST_ATTEMPTS = 2  # what the runtime allows is more; the second is where the rules about a second one apply
MOST_EDITIONS = 2


class Violation(Exception):
    """A property does not hold."""


class Kind(Enum):
    """What an action is: what can be known of its outcome, and what it needs."""

    READ = "a read"
    OWN = "an own write with a key"
    KEYED = "an effect that the provider knows by its key"
    BARE = "an effect that nobody can look up"
    ANSWER = "a question to the person"
    CONNECT = "an effect whose account is not connected yet"
    AGENT = "work for an agent, which a run of its own does"
    PLAN = "a plan that is proposed"

    @property
    def effect(self) -> EffectClass:
        """As policy sees it."""
        return _EFFECTS.get(self, EffectClass.EXTERNAL)

    @property
    def is_keyed(self) -> bool:
        """Whether doing the same again under the same key changes nothing."""
        return self is not Kind.BARE

    @property
    def can_reconcile(self) -> bool:
        """Whether the provider can be asked what came of it."""
        return self in {Kind.KEYED, Kind.CONNECT}


_EFFECTS = {
    Kind.READ: EffectClass.READ,
    Kind.ANSWER: EffectClass.READ,
    Kind.AGENT: EffectClass.READ,
    Kind.PLAN: EffectClass.READ,
    Kind.OWN: EffectClass.OWN,
}


class Told(Enum):
    """How far an attempt is in its worker's hands."""

    NOT_SENT = "not sent"
    DONE = "done"
    FAILED = "failed"
    CHANGED = "the world changed"
    REFUSED = "the credentials were refused"


class Job(NamedTuple):
    """An attempt as its worker has it in memory. Not `held`: the worker was frozen, and another has its lease now.

    `late` says that its deadline was over when the next attempt began.
    """

    attempt: int
    hash: str
    told: Told = Told.NOT_SENT
    held: bool = True
    late: bool = False


class Ask(NamedTuple):
    """An open question."""

    kind: QuestionKind
    edition: int
    hash: str
    round: Round = Round()


class Act(NamedTuple):
    """An action, its open question, its attempts in memory, and what it really did."""

    kind: Kind
    verdict: Decision  # what policy says of it at present
    state: ActionState = ActionState.PLANNED
    edition: int = 1
    basis: int = 0
    linked: bool = True
    account: str | None = "first"
    vote: str | None = None  # the approved hash
    vote_over: bool = False
    ask: Ask | None = None
    decided: bool = False
    attempt: int = 0
    doubt: bool = False
    due: bool = False  # the present attempt's deadline is over
    job: Job | None = None
    old: Job | None = None  # an earlier attempt in the hands of a frozen worker
    way: str | None = None  # what was sent, and given up by its worker: the provider may still act on it
    really_voted: frozenset[str] = frozenset()
    really_did: tuple[str, ...] = ()
    tries: int = 0  # how often its owner said "try again"
    later: bool = False  # it names a moment, or could still be undone: instead of a claim it completes as scheduled
    child: RunState | None = None  # the state of the run that does the work of it
    circle: Circle | None = None  # others have to agree to it, as rules say
    agreed: frozenset[str] = frozenset()  # those of them who said yes to the approved hash

    @property
    def alone(self) -> str:
        """What an approval of its owner alone must name: arguments, what the preview was made from, and the account."""
        return f"{self.edition}.{self.basis}.{self.account}"

    @property
    def hash(self) -> str:
        """What an approval must name: the same, and who has to agree besides."""
        return self.alone if self.circle is None else f"{self.alone} {self.circle.bound}"

    @property
    def approval(self) -> Approval | None:
        """Its vote as the domain knows it."""
        if self.vote is None:
            return None
        return Approval(hash=self.vote, by="owner", at=NOW, expires_at=NOW if self.vote_over else THEN)

    @property
    def now(self) -> datetime:
        """The time as its present attempt's deadline has it."""
        return LATER if self.due else NOW

    @property
    def is_effect(self) -> bool:
        """Whether it changes something that people would notice."""
        return self.kind.effect.is_side_effect()


class Plan(NamedTuple):
    """A plan by the numbers of its revisions: its newest one, and the one that its owner confirmed, 0 where there is
    none. `own` are those that it made itself since then, by so many tasks `added`; `pending` tasks have not ended.
    `failed`: a task did, and the model was not asked yet what follows; `lost`: nothing takes the place of one.
    """

    revision: int = 0
    confirmed: int = 0
    own: int = 0
    added: int = 0
    pending: int = 2
    failed: bool = False
    lost: bool = False
    proposals: int = 0
    carries_out: bool = False


class Course(NamedTuple):
    """The run: its columns, and `open` of its open step (None where no step is open)."""

    state: RunState = RunState.QUEUED
    steps: int = 0
    open: int | None = None
    cancel: bool = False
    hard: bool = False
    stopping: bool = False
    deleted: bool = False
    untaken: bool = False
    held: bool = False  # held back for its one action; code stands in for the model
    waits: bool = False  # its moment has not come
    undone: bool = False  # its owner was told that it is taken back
    other: bool = False  # another root run of the thread is at work; of interest while this one is queued
    child: bool = False  # it does the work of another run's action
    over: bool = False  # a child that stopped at a limit: it handed over what it had
    asking: int | None = None  # the steps taken when a frozen worker asked the model, while its turn can still come in
    plan: Plan | None = None

    @property
    def standing(self) -> Standing:
        """The run as the conditions see it."""
        return Standing(
            state=self.state,
            cancel_requested=self.cancel,
            hard_stop=self.hard,
            stopping=self.stopping,
            request_deleted=self.deleted,
            untaken=self.untaken,
            step_open=self.open is not None,
            held=self.held,
            child=self.child,
        )


class World(NamedTuple):
    """All of it. `acts` is the open step's, or of a final run what may still be told late."""

    run: Course
    acts: tuple[Act, ...] = ()


def unsettled(acts: Sequence[Act]) -> int:
    """What `steps.open` is to say."""
    return sum(not act.state.is_settled() for act in acts)
