"""Repositories: what one transaction can read and write, noun by noun, in the order of `ports.UnitOfWork`.

One file, longer than most, as the tables are: who writes a transition reads several of them side by side.

What holds for all of them: what returns no None finds a row that must be there, and a missing one is a defect of ours.
`move` is one guarded UPDATE from the state that was read, and raises `LostRace` when somebody else was first; `change`
names columns that are no state. Moments are aware and in UTC. `limit` is the most rows, and what is cut is not said.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from bot.domain.actions import Action, ActionState
from bot.domain.audit import AuditEntry, AuditEvent, Head
from bot.domain.connection_problems import ConnectionProblems as Suffered
from bot.domain.connections import Connection
from bot.domain.deliveries import Delivery, DeliveryKind, Outcome, Post
from bot.domain.oauth_attempts import OAuthAttempt
from bot.domain.questions import Question, QuestionState, Vote
from bot.domain.retention import Found, Key, Outdated
from bot.domain.revocations import Revocation
from bot.domain.runs import Run, RunState
from bot.domain.schedules import Look, Schedule, ScheduleState
from bot.domain.seals import KeyUses, Sealed
from bot.domain.spending import Spent, Today
from bot.domain.statistics import Statistics as Counted
from bot.domain.steps import Sibling, Step
from bot.domain.threads import Message, SeenObject, Thread, User, Workspace
from bot.llm.model import Wire
from bot.llm.wire import NOBODY, Origin
from integrations.ports import Memory
from policies.types import Label, Rule


class Threads(Protocol):
    """Conversations."""

    async def find(self, thread_id: str) -> Thread: ...
    async def at(self, team: str, channel: str, root_ts: str) -> Thread | None:
        """The thread whose first message stands at this place."""
        ...

    async def ensure(self, thread: Thread) -> Thread:
        """The thread at this place, which nobody forgets meanwhile; made if there is none."""
        ...

    async def lock(self, thread_id: str) -> None:
        """Hold the thread's row until the transaction ends: intake and completion both do (docs/states.md §4)."""
        ...

    async def root(self, thread_id: str, root_ts: str) -> None:
        """Its first message stands here now; a thread that has one keeps it."""
        ...

    async def worsen(self, thread_id: str, label: Label) -> None:
        """Lower the thread's label; it never rises again."""
        ...


class Messages(Protocol):
    """What was said."""

    async def add(self, message: Message) -> None: ...
    async def find(self, message_id: str) -> Message: ...
    async def known(self, message_id: str) -> bool:
        """Whether there is such a message."""
        ...

    async def begins(self, thread_id: str) -> Message | None:
        """What the agent said that this thread hangs from, such as a briefing."""
        ...

    async def recent(self, thread_id: str, *, visible_to: str, before: str, limit: int) -> Sequence[Message]:
        """The newest messages that this person may see, oldest first: what people said before this message, and
        whatever the agent said until now. In the order in which they were written down, whatever the clock said.
        """
        ...

    async def change(self, message_id: str, **changes: object) -> None: ...
    async def untaken_at(self, team: str, channel: str, ts: str) -> Message | None:
        """The message at this place, if it was said to a run that did not take it in yet."""
        ...

    async def untaken(self, run_id: str) -> Sequence[Message]:
        """What this run's requester said to it and no model call has taken in, in the order of Slack's timestamps."""
        ...

    async def steer_again(self, run_id: str, *, by: str) -> None:
        """What was said to this run is said to another one, which takes it in anew."""
        ...

    async def said_last(self, thread_id: str, run_id: str) -> Message | None:
        """The newest that the agent said at an end, or a pause, of this run."""
        ...


class Inbox(Protocol):
    """What Slack delivered already."""

    async def admit(self, event_id: str, *, team: str, channel: str, ts: str, at: datetime) -> bool:
        """Whether neither the event id nor (team, channel, ts) was seen before; an empty `ts` has no second key."""
        ...


class Runs(Protocol):
    """Requests."""

    async def add(self, new: Run) -> bool:
        """Store a queued run; False when its source key is there already."""
        ...

    async def find(self, run_id: str) -> Run: ...
    async def live(self, thread_id: str) -> Sequence[Run]:
        """The runs of a thread that still work or wait, in the order in which they were asked."""
        ...

    async def live_of(self, team: str, user: str) -> Sequence[Run]:
        """Those of a person, the last one asked first."""
        ...

    async def paused_of(self, team: str, user: str) -> Sequence[Run]:
        """What stopped at a limit or by silence and can be continued, the last one asked first."""
        ...

    async def recent_of(self, team: str, user: str, *, limit: int) -> Sequence[Run]:
        """Those that a person asked for last, in whatever state, the newest first."""
        ...

    async def unfinished_threads(self) -> Sequence[str]:
        """The threads with something to do that needs no person, and no moment: what a start-up scan wakes."""
        ...

    async def unserved_threads(self, *, now: datetime, among: Sequence[str] | None = None) -> Sequence[str]:
        """Those of them, or of these, whose lease nobody holds."""
        ...

    async def held_threads(self, *, now: datetime) -> Sequence[str]:
        """The threads of runs that were held back until now and have not begun."""
        ...

    async def by_source(self, source_key: str) -> Run | None:
        """The run that this began: a message, a firing, a press (`requests.source` and its like make the keys)."""
        ...

    async def by_requests(self, message_ids: Sequence[str]) -> Mapping[str, str]:
        """The run that each of these messages began, by message id; where it was tried again, the last one."""
        ...

    async def of_request(self, message_id: str) -> Sequence[Run]:
        """Every run that this message began: more than one where it was tried again, or has held something back."""
        ...

    async def newest_order(self, team: str, user: str) -> str:
        """The order key of the request that this person made last; empty when none is known."""
        ...

    async def has_begun_later(self, thread_id: str, order_key: str) -> bool:
        """Whether a run of the thread has begun whose request was said after this."""
        ...

    async def latest_of_thread(self, thread_id: str, user: str) -> Run | None:
        """The run that the person asked for last in this thread, in whatever state."""
        ...

    async def move(self, before: Run, to: RunState, **changes: object) -> Run:
        """One guarded UPDATE from `before.state`; raises `LostRace` when the run moved on."""
        ...

    async def change(self, run_id: str, **changes: object) -> None:
        """Change columns that are no state."""
        ...


class Steps(Protocol):
    """Model calls, and the contents that they were made from."""

    async def add(self, new: Step) -> None: ...
    async def lock(self, step_id: str) -> Step:
        """Lock the step's row by updating it; every transition of an action comes first through here."""
        ...

    async def open_of(self, run_id: str) -> Step | None:
        """The step that is not closed; a run has one at the most."""
        ...

    async def of_run(self, run_id: str) -> Sequence[Step]: ...
    async def set_open(self, step_id: str, open_: int, *, closed_at: datetime | None) -> None:
        """How many actions of the step are not settled, and when it was closed."""
        ...

    async def contents(self, run_id: str) -> Sequence[tuple[Wire, Origin]]:
        """The run's contents in order, each with the transport and model that made it."""
        ...

    async def append(self, run_id: str, wires: Sequence[Wire], *, made_by: Origin = NOBODY) -> None:
        """Add contents to the end of what the model is told; what was told before never changes."""
        ...


class Actions(Protocol):
    """Tool calls."""

    async def add(self, new: Sequence[Action]) -> None: ...
    async def find(self, action_id: str) -> Action: ...
    async def of_step(self, step_id: str) -> Sequence[Action]: ...
    async def of_run(self, run_id: str) -> Sequence[Action]:
        """In the order in which the model called."""
        ...

    async def calls(self, run_id: str, *, limit: int) -> Sequence[str]:
        """The run's newest calls as `tool:hash`, oldest first."""
        ...

    async def answered(self, run_id: str, *, limit: int) -> Sequence[str]:
        """The run's newest calls, each with all that came of it, oldest first: equal only if both are."""
        ...

    async def siblings(self, step_id: str) -> Sequence[Sibling]:
        """The actions of a step as `domain.steps.after` wants them."""
        ...

    async def in_state(self, thread_id: str, states: Sequence[ActionState]) -> Sequence[Action]:
        """The thread's actions in one of these states, in any order."""
        ...

    async def move(self, before: Action, to: ActionState, **changes: object) -> Action:
        """One guarded UPDATE from `before.state`, attempt and edition; raises `LostRace`."""
        ...

    async def note(self, action_id: str, attempt: int, value: Mapping[str, object]) -> None:
        """Keep what an attempt notes (`Call.note`), in the place of what was noted before; raises `LostRace` when the
        attempt is over.
        """
        ...

    async def prolong(self, action_id: str, attempt: int, *, until: datetime) -> None:
        """Another deadline of this attempt, while it is made."""
        ...

    async def known(self, action_id: str) -> Action | None:
        """The action that somebody names; None when there is none."""
        ...

    async def that_left(self, team: str, user: str, undo: str) -> Action | None:
        """The person's action that left this to be undone; None when there is none any more."""
        ...

    async def change(self, action_id: str, **changes: object) -> None:
        """Change columns that are no state."""
        ...


class Questions(Protocol):
    """What people are asked, and their votes."""

    async def add(self, new: Question) -> None: ...
    async def find(self, question_id: str) -> Question | None: ...
    async def open_of_run(self, run_id: str) -> Sequence[Question]:
        """In the order in which they were asked."""
        ...

    async def ids_of_action(self, action_id: str) -> Sequence[str]:
        """Every question about the action, in the order in which they were asked."""
        ...

    async def approvals_of_run(self, run_id: str) -> Sequence[str]:
        """The actions of the run that somebody was asked to approve, whatever came of it."""
        ...

    async def open_of(self, team: str, user: str, *, limit: int) -> Sequence[Question]:
        """What waits for this person, the newest first."""
        ...

    async def count_open(self, team: str, user: str) -> int:
        """How many questions wait for this person."""
        ...

    async def move(self, before: Question, to: QuestionState, **changes: object) -> Question: ...
    async def expired(self, *, now: datetime, limit: int) -> Sequence[Question]:
        """Open ones whose time is over, the longest over first."""
        ...

    async def of_connected(self, provider: str, *, after: str, limit: int) -> Sequence[Question]:
        """Open `connect` questions of people who have a working account there, by id, from the one after that."""
        ...

    async def without_card(self, *, after: str, limit: int) -> Sequence[Question]:
        """Open `connect` questions that nobody is reminded of, since others ask; in the same order."""
        ...

    async def to_remind(self, *, now: datetime, limit: int) -> Sequence[Question]:
        """Open ones whose owner is to be reminded by now, the longest due first."""
        ...

    async def speak_up(self, question: Question, payload: Mapping[str, object], *, remind_at: datetime | None) -> None:
        """Change what is shown of an open question, and remind of it then; raises `LostRace` when it is over."""
        ...

    async def reminded(self, question: Question, *, at: datetime) -> None:
        """Write down that its owner is reminded, once; raises `LostRace` when he was, or it is not open any more."""
        ...

    async def vote(self, asked: Question, *, user: str, choice: str, at: datetime) -> bool:
        """Record one vote on this edition; False when this person voted already."""
        ...


class Objects(Protocol):
    """The ledger of what results showed."""

    async def add(self, thread_id: str, seen: Sequence[SeenObject], *, at: datetime) -> None: ...
    async def of_owner(self, thread_id: str, owner: str, *, limit: int) -> Sequence[SeenObject]: ...


class Users(Protocol):
    """People and workspaces."""

    async def find(self, team: str, user: str) -> User | None: ...
    async def seen(self, user: User) -> User:
        """Store the profile as last seen; the trust level is left as it was."""
        ...

    async def set_level(self, team: str, user: str, level: str) -> None: ...
    async def workspace(self, team: str) -> Workspace: ...
    async def installed(self, workspace: Workspace) -> None: ...


class Rules(Protocol):
    """Rules that people added."""

    async def of(self, team: str, user: str) -> Sequence[Rule]:
        """What counts for this person: the workspace's rules and his own."""
        ...

    async def add(self, team: str, user: str, rule: Rule, *, at: datetime) -> bool: ...
    async def remove(self, team: str, user: str, value: str) -> Sequence[str]:
        """Take away the person's own rules about this value; their ids."""
        ...


class StoredMemories(Protocol):
    """Memories of a person, searchable."""

    async def save(self, memory: Memory, *, team: str, user: str, key: str) -> Memory: ...
    async def search(self, team: str, user: str, query: str, *, limit: int) -> Sequence[Memory]: ...
    async def forget(self, team: str, user: str, memory_id: str, *, at: datetime) -> bool: ...


class Connections(Protocol):
    """Accounts."""

    async def find(self, team: str, user: str, provider: str) -> Connection | None: ...
    async def of(self, team: str, user: str) -> Sequence[Connection]: ...
    async def of_workspace(self, team: str) -> Sequence[Connection]: ...
    async def of_account(self, provider: str, account: str) -> Sequence[Connection]:
        """Everybody who connected this account, in whatever workspace."""
        ...

    async def save(self, connection: Connection, *, at: datetime) -> None:
        """Connect this account, in the place of another one of this person."""
        ...

    async def renewed(self, before: Connection, secret: str, *, at: datetime) -> bool:
        """Keep another secret of the same connection; False when it changed since it was read."""
        ...

    async def mark(self, before: Connection, status: str) -> bool:
        """Change its status; False when it changed since it was read."""
        ...

    async def lock(self, team: str, user: str, provider: str) -> None:
        """Let nobody else ask this person about it before this transaction ends."""
        ...

    async def remove(self, team: str, user: str, provider: str) -> Connection | None:
        """Take it away; what it was, None where there was none."""
        ...


class Connects(Protocol):
    """Attempts to connect an account."""

    async def add(self, new: OAuthAttempt) -> None: ...
    async def find(self, connect_id: str) -> OAuthAttempt | None: ...
    async def by_token(self, token_hash: str) -> OAuthAttempt | None: ...
    async def by_state(self, state_hash: str) -> OAuthAttempt | None: ...
    async def by_confirmation(self, confirm_hash: str) -> OAuthAttempt | None: ...
    async def opened(self, connect_id: str, *, at: datetime) -> None:
        """Write down when its page was first looked at; nothing else changes by looking."""
        ...

    async def begin(
        self, connect: OAuthAttempt, *, state_hash: str, cookie_hash: str, verifier: str, scopes: frozenset[str]
    ) -> bool:
        """The browser leaves for the provider; False when it came back already."""
        ...

    async def take(self, state_hash: str, *, now: datetime) -> OAuthAttempt | None:
        """Consume it: the browser came back, in time and for the first time; None otherwise."""
        ...

    async def hold(self, connect: OAuthAttempt, *, confirm_hash: str, held: str) -> bool:
        """Keep what was granted until it is confirmed; False when it is over already."""
        ...

    async def take_held(self, confirm_hash: str, *, now: datetime) -> OAuthAttempt | None:
        """End it, with what was held; None when it is over already."""
        ...

    async def end(self, connect: OAuthAttempt, *, at: datetime) -> bool:
        """It is over; nothing secret is kept of it. False when it was taken away meanwhile."""
        ...

    async def unconfirmed(self, *, before: datetime, limit: int) -> Sequence[OAuthAttempt]:
        """What is still held of attempts that expired before this."""
        ...

    async def let_go(self, connect: OAuthAttempt, *, at: datetime) -> bool:
        """End it, if that is still held; False when somebody was first."""
        ...

    async def forget_all(self, team: str, user: str | None = None) -> Sequence[OAuthAttempt]:
        """Take away every attempt of this person, or of everybody in the workspace; those that held something."""
        ...


class Revocations(Protocol):
    """Grants that are to be given back."""

    async def add(self, new: Revocation) -> None: ...
    async def due(self, *, now: datetime, horizon: datetime, limit: int) -> Sequence[Revocation]:
        """Whose time has come; what is due after the horizon was put there before the clock went back."""
        ...

    async def claim(self, revocation: Revocation, *, not_before: datetime) -> bool:
        """Count an attempt, the next one from then on; False when somebody was first."""
        ...

    async def end(self, revocation: Revocation) -> bool:
        """Take it away, with its secret; False when it is gone already."""
        ...

    async def forget(self, provider: str, account: str) -> None:
        """This account is connected again: nothing of it is to be given back."""
        ...


class Outbox(Protocol):
    """What must reach people."""

    @property
    def added(self) -> bool:
        """Whether this transaction put something into it."""
        ...

    async def add(self, lane: str, kind: DeliveryKind, subject: str, *, team: str, at: datetime) -> None: ...
    async def heads(self, *, now: datetime, limit: int) -> Sequence[Delivery]:
        """The first undelivered row of each lane that is due."""
        ...

    async def claim(self, delivery: Delivery) -> Delivery | None:
        """Count one more attempt, before it is made; None when somebody else was first."""
        ...

    async def delivered(self, delivery: Delivery, *, at: datetime) -> None:
        """Mark a claimed delivery, with the later rows about the same subject that it showed too."""
        ...

    async def retry(self, delivery: Delivery, *, not_before: datetime, error: str) -> None:
        """Leave a claimed delivery for later, with why it did not arrive."""
        ...

    async def doubt_all(self) -> None:
        """Whatever waits may have been shown already, by somebody of whom nothing is known here."""
        ...

    async def bury(self, delivery: Delivery, *, at: datetime, error: str) -> None:
        """Give a claimed delivery up, with the later rows about the same subject that it was to show too."""
        ...


class Posts(Protocol):
    """Our messages in Slack."""

    async def save(self, post: Post, *, instead_of: str | None = None) -> Post:
        """Write down what stands in a slot, with what is known of it now. Where another message stands there than
        this one, or the one that it is to replace, that stays; the one that stands.
        """
        ...

    async def find(self, run_id: str, slot: str) -> Post | None: ...
    async def of_run(self, run_id: str) -> Sequence[Post]: ...
    async def run_at(self, team: str, channel: str, ts: str) -> str | None:
        """The run that this message of ours belongs to."""
        ...


class Schedules(Protocol):
    """What is to happen at a time."""

    async def add(self, new: Schedule) -> None: ...
    async def lock(self, team: str, user: str) -> None:
        """Keep out everybody else who adds to the person's, until the transaction ends."""
        ...

    async def find(self, schedule_id: str) -> Schedule | None: ...
    async def of(self, team: str, user: str) -> Sequence[Schedule]:
        """The person's schedules that have not ended, oldest first."""
        ...

    async def due(self, *, now: datetime, limit: int, look: Look = Look.NOTHING) -> Sequence[Schedule]:
        """Active ones whose time has come and that look at this before, the longest due first."""
        ...

    async def fired(self, before: Schedule, *, at: datetime, next_fire: datetime | None) -> None:
        """Move `next_fire` on, or end it where there is none; raises `LostRace` unless it stands as in `before`."""
        ...

    async def end(self, schedule_id: str) -> None:
        """It fires no more, whatever its state was."""
        ...

    async def move(self, before: Schedule, to: ScheduleState, *, next_fire: datetime | None = None) -> None:
        """One guarded UPDATE from `before.state`; raises `LostRace`."""
        ...


class Retention(Protocol):
    """What has been kept long enough."""

    async def paused(self, *, before: datetime, after_id: str, limit: int) -> Sequence[Run]:
        """Paused runs that were asked for before this, by id."""
        ...

    async def find(self, what: Outdated, *, before: datetime, limit: int) -> Sequence[Found]:
        """Rows of this kind whose end was before this; none of a run that is not final, or of what is undelivered."""
        ...

    async def forget(self, what: Outdated, keys: Sequence[Key]) -> None: ...


class Audit(Protocol):
    """The log. Entries are made here and chained by the sealer."""

    @property
    def added(self) -> bool:
        """Whether this transaction wrote entries."""
        ...

    async def record(self, *facts: AuditEvent) -> None:
        """Write entries, in order, each bound to the newest place of its workspace's chain."""
        ...

    async def lock_chains(self) -> None:
        """Be the only one who seals until the transaction ends: the heads are read and written as a whole."""
        ...

    async def unsealed(self, *, limit: int, after: int = 0) -> Sequence[AuditEntry]:
        """Entries that have no place yet, after this id, in id order."""
        ...

    async def newest(self, team: str) -> int:
        """The highest sequence of the workspace's sealed entries; 0 where there is none."""
        ...

    async def heads(self) -> Sequence[Head]:
        """The signed heads of all chains, as they are stored: whether they are ours is the reader's to check."""
        ...

    async def seal(self, entries: Sequence[AuditEntry]) -> None:
        """Give entries their places; what is sealed already stays as it is."""
        ...

    async def sign(self, head: Head) -> None:
        """Store this as the head of its chain."""
        ...

    async def page(self, *, after: int, limit: int) -> Sequence[AuditEntry]:
        """Entries after this id, in id order: on PostgreSQL one with a lower id may still be committed later."""
        ...

    async def chained(self, *, after: tuple[str, int], limit: int) -> Sequence[AuditEntry]:
        """Sealed entries after this workspace's sequence, workspace by workspace in the order of the chain."""
        ...

    async def oldest_unsealed(self) -> datetime | None: ...


class Leases(Protocol):
    """Who does the work."""

    async def holder(self, name: str) -> str | None:
        """Who took it last and did not give it back, living or not."""
        ...

    async def moment(self, now: datetime) -> datetime:
        """The moment by the clock that leases go by; `now` is ours."""
        ...

    async def take(self, name: str, holder: str, *, now: datetime, seconds: float) -> int | None:
        """The new epoch, or None while somebody else holds it."""
        ...

    async def renew(self, name: str, holder: str, epoch: int, *, now: datetime, seconds: float) -> bool:
        """Hold it for so long from now on; False when it was taken over."""
        ...

    async def hold(self, name: str, holder: str, epoch: int) -> None:
        """Fence this transaction: raises `LostRace` when the lease was taken over, and keeps others from taking it
        before the transaction ends.
        """
        ...

    async def release(self, name: str, holder: str, epoch: int) -> None:
        """Give it back; nothing happens when it was taken over."""
        ...

    async def void_all(self) -> None:
        """End every lease and raise the epochs: on SQLite the file's lock proves that nobody else lives."""
        ...


class Marks(Protocol):
    """Single facts about this database, such as that it is a restored copy."""

    async def find(self, name: str) -> str | None: ...
    async def set(self, name: str, value: str) -> None: ...
    async def move(self, name: str, value: str) -> bool:
        """Set it; False where it has that value, also when another transaction just gave it that."""
        ...

    async def drop(self, name: str) -> None: ...
    async def schema(self) -> str:
        """The revision of the schema; empty where none was written down."""
        ...

    async def place(self) -> str | None:
        """Where the server keeps these tables: a dump that is restored, here or elsewhere, has another place. None
        where the database is a file.
        """
        ...


class Seals(Protocol):
    """Secrets at rest, wherever the schema has them."""

    async def uses(self) -> KeyUses: ...
    async def goes_on_with(self) -> KeyUses:
        """The same of what a bot goes on with, which are the secrets and the signed heads of the log: cheap, however
        long the log is.
        """
        ...

    async def under_others(self, key_id: str, *, after: Sealed | None, limit: int) -> Sequence[Sealed]:
        """The next ones that are sealed with another key than this one, in an order that stays."""
        ...

    async def exchange(self, old: Sealed, text: str) -> bool:
        """Put this ciphertext in its place; False when it is another one, or gone, by now."""
        ...


class Troubles(Protocol):
    """What went wrong with connected accounts."""

    async def since(self, moment: datetime) -> Suffered: ...
    async def somebody_of(self, domains: Collection[str]) -> str | None:
        """The address of somebody whose mail domain, in small letters, is one of these."""
        ...


class Figures(Protocol):
    """How much waits."""

    async def now(self) -> Counted:
        """The counts of this moment; cheap, however much the store holds."""
        ...


class Records(Protocol):
    """Everything about a run, for the operator's commands: what is read may be long, and slow to find."""

    async def runs(self, *, states: Sequence[RunState], user: str | None, limit: int) -> Sequence[Run]:
        """The newest runs; no states are all states."""
        ...

    async def run(self, run_id: str) -> Run | None: ...
    async def messages(self, asked: Run) -> Sequence[Message]:
        """Its request, unless that is gone, and what its requester said to it while it worked; oldest first."""
        ...

    async def questions(self, run_id: str) -> Sequence[Question]: ...
    async def votes(self, question_ids: Sequence[str]) -> Sequence[Vote]: ...
    async def deliveries(self, subjects: Sequence[str]) -> Sequence[Outcome]: ...
    async def entries(self, run_id: str) -> Sequence[AuditEntry]: ...
    async def attempted(self, *, after: str, limit: int) -> Sequence[tuple[str, int]]:
        """Every action that was ever claimed, with its newest attempt, after this id and in the order of ids."""
        ...

    async def ended(self, *, after: str, limit: int) -> Sequence[tuple[str, str]]:
        """Every run that is final, with its state, after this id and in the order of ids."""
        ...


class Spending(Protocol):
    """What people's runs used of the model, by day."""

    async def add(self, team: str, user: str, day: str, spent: Spent) -> None:
        """Count this for the person."""
        ...

    async def of_day(self, team: str, user: str, day: str) -> Today: ...


class Rates(Protocol):
    """One moment per name: when the next of its requests is in time (`bot.domain.rates`)."""

    async def held(self, name: str) -> datetime | None:
        """The moment; nobody else reads this name to change it before the transaction ends."""
        ...

    async def set(self, name: str, next_at: datetime) -> None: ...
