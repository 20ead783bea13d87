"""A unit of work: one transaction and its repositories, one for each noun.

For all repositories: a method that cannot return None raises when the row is missing, which is a bug of the caller.
`move` is one guarded UPDATE from the state that was read, and raises `LostRace` when another transaction was first;
`change` is for columns other than the state. Moments are aware and in UTC. `limit` is the most rows.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import cached_property
from typing import Generic, TypeVar

from bot.secrets import KeyRing
from bot.store.engine.session import DatabaseSession, Repository
from bot.store.repositories.actions import Actions
from bot.store.repositories.audit import Audit
from bot.store.repositories.connections import ConnectionProblems, Connections, OAuthAttempts, Revocations
from bot.store.repositories.definitions import Definitions
from bot.store.repositories.deliveries import Outbox, Posts
from bot.store.repositories.due import MayBeDue
from bot.store.repositories.files import Files
from bot.store.repositories.http_requests import HttpRequests
from bot.store.repositories.leases import Leases
from bot.store.repositories.limits import Rates, Spending
from bot.store.repositories.memories import Memories
from bot.store.repositories.metadata import Metadata
from bot.store.repositories.people import Rules, Users
from bot.store.repositories.person_keys import PersonKeys
from bot.store.repositories.plans import Plans
from bot.store.repositories.questions import Questions
from bot.store.repositories.records import Records
from bot.store.repositories.retention import Retention
from bot.store.repositories.runs import Runs
from bot.store.repositories.schedules import Schedules
from bot.store.repositories.secrets import Secrets
from bot.store.repositories.sessions import Sessions
from bot.store.repositories.statistics import Statistics
from bot.store.repositories.steps import Steps
from bot.store.repositories.threads import Inbox, Messages, Objects, Threads
from bot.store.repositories.unasked import Unasked
from integrations.ports import Clock

R = TypeVar("R", bound=Repository)


class _Of(Generic[R]):
    """A repository that is made when it is first asked for: most transactions need a few of them."""

    def __init__(self, make: Callable[[DatabaseSession], R]) -> None:
        self._make = make
        self._name = ""

    def __set_name__(self, _: type, name: str) -> None:
        self._name = name

    def __get__(self, work: UnitOfWork, _: type) -> R:
        made = work.__dict__[self._name] = self._make(work.session)
        return made


class UnitOfWork:
    """One transaction and its repositories. Code inside never commits; leaving the block without an exception does."""

    threads = _Of(Threads)
    messages = _Of(Messages)
    files = _Of(Files)
    inbox = _Of(Inbox)
    http_requests = _Of(HttpRequests)
    runs = _Of(Runs)
    definitions = _Of(Definitions)
    plans = _Of(Plans)
    steps = _Of(Steps)
    actions = _Of(Actions)
    questions = _Of(Questions)
    objects = _Of(Objects)
    users = _Of(Users)
    rules = _Of(Rules)
    sessions = _Of(Sessions)
    memories = _Of(Memories)
    unasked = _Of(Unasked)
    connections = _Of(Connections)
    oauth_attempts = _Of(OAuthAttempts)
    revocations = _Of(Revocations)
    outbox = _Of(Outbox)
    posts = _Of(Posts)
    schedules = _Of(Schedules)
    due = _Of(MayBeDue)
    retention = _Of(Retention)
    metadata = _Of(Metadata)
    secrets = _Of(Secrets)
    connection_problems = _Of(ConnectionProblems)
    statistics = _Of(Statistics)
    records = _Of(Records)
    spending = _Of(Spending)
    rates = _Of(Rates)

    def __init__(self, session: DatabaseSession, *, keyring: KeyRing, clock: Clock, server_time: bool) -> None:
        self.session = session
        self._keyring = keyring
        self._clock = clock
        self._server_time = server_time
        self._calls: list[Callable[[], None]] = []

    @property
    def now(self) -> datetime:
        """The moment, as this process's clock has it."""
        return self._clock.now()

    @cached_property
    def audit(self) -> Audit:
        """The log."""
        return Audit(self.session, keyring=self._keyring, clock=self._clock, person_keys=self.person_keys)

    @cached_property
    def person_keys(self) -> PersonKeys:
        """The keys of people, for what the log keeps of them in private."""
        return PersonKeys(self.session, keyring=self._keyring)

    @cached_property
    def leases(self) -> Leases:
        """Who does what."""
        return Leases(self.session, server_time=self._server_time)

    @property
    def delivers(self) -> bool:
        """Whether something was put into the outbox; asked after every commit, of which most have none."""
        outbox: Outbox | None = vars(self).get("outbox")
        return outbox is not None and outbox.added

    async def flush(self) -> None:
        """Write what is still to be written, before the commit. Raises `LostRace`."""
        await self.session.flush()

    def after_commit(self, call: Callable[[], None]) -> None:
        """Call this once the transaction is durable; publishing and waking wait for that."""
        self._calls.append(call)

    def committed(self) -> None:
        """Make the calls, now that the transaction is durable. Then let go of them: they hold this unit of work."""
        try:
            for call in self._calls:
                call()
        finally:
            self._calls.clear()
