"""A unit of work: one transaction and its repositories, one for each noun.

For all repositories: a method that cannot return None raises when the row is missing, which is a bug of the caller.
`move` is one guarded UPDATE from the state that was read, and raises `LostRace` when another transaction was first;
`change` is for columns other than the state. Moments are aware and in UTC. `limit` is the most rows.
"""

from __future__ import annotations

from collections.abc import Callable

from bot.secrets import KeyRing
from bot.store.engine.session import Session
from bot.store.repositories.actions import Actions
from bot.store.repositories.audit import Audit
from bot.store.repositories.connections import ConnectionProblems, Connections, OAuthAttempts, Revocations
from bot.store.repositories.deliveries import Outbox, Posts
from bot.store.repositories.files import Files
from bot.store.repositories.leases import Leases
from bot.store.repositories.limits import Rates, Spending
from bot.store.repositories.memories import Memories
from bot.store.repositories.metadata import Metadata
from bot.store.repositories.people import Rules, Users
from bot.store.repositories.questions import Questions
from bot.store.repositories.records import Records
from bot.store.repositories.retention import Retention
from bot.store.repositories.runs import Runs
from bot.store.repositories.schedules import Schedules
from bot.store.repositories.secrets import Secrets
from bot.store.repositories.statistics import Statistics
from bot.store.repositories.steps import Steps
from bot.store.repositories.threads import Inbox, Messages, Objects, Threads
from integrations.ports import Clock


class UnitOfWork:
    """One transaction and its repositories. Code inside never commits; leaving the block without an exception does."""

    def __init__(self, session: Session, *, keyring: KeyRing, clock: Clock, server_time: bool) -> None:
        self.threads = Threads(session)
        self.messages = Messages(session)
        self.files = Files(session)
        self.inbox = Inbox(session)
        self.runs = Runs(session)
        self.steps = Steps(session)
        self.actions = Actions(session)
        self.questions = Questions(session)
        self.objects = Objects(session)
        self.users = Users(session)
        self.rules = Rules(session)
        self.memories = Memories(session)
        self.connections = Connections(session)
        self.oauth_attempts = OAuthAttempts(session)
        self.revocations = Revocations(session)
        self.outbox = Outbox(session)
        self.posts = Posts(session)
        self.schedules = Schedules(session)
        self.retention = Retention(session)
        self.audit = Audit(session, keyring=keyring, clock=clock)
        self.leases = Leases(session, server_time=server_time)
        self.metadata = Metadata(session)
        self.secrets = Secrets(session)
        self.connection_problems = ConnectionProblems(session)
        self.statistics = Statistics(session)
        self.records = Records(session)
        self.spending = Spending(session)
        self.rates = Rates(session)
        self._calls: list[Callable[[], None]] = []

    def after_commit(self, call: Callable[[], None]) -> None:
        """Call this once the transaction is durable; publishing and waking wait for that."""
        self._calls.append(call)

    def committed(self) -> None:
        """Make the calls, now that the transaction is durable."""
        for call in self._calls:
            call()
