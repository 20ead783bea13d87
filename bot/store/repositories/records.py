"""The repository behind the operator's commands: everything about a run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlalchemy import or_, select

from bot.domain.audit import AuditEntry
from bot.domain.deliveries import DeliveryOutcome
from bot.domain.questions import Question, Vote
from bot.domain.runs import FINAL, Run, RunState
from bot.domain.threads import Message
from bot.store.engine.session import Repository, with_id
from bot.store.repositories.audit import ENTRY
from bot.store.repositories.threads import message_of
from bot.store.rows import question, run
from bot.store.tables.audit_log import audit
from bot.store.tables.conversations import messages
from bot.store.tables.deliveries import outbox
from bot.store.tables.runs import actions, questions, runs, votes

_DELIVERY = [outbox.c[n] for n in ("kind", "subject", "state", "attempts", "error", "created_at", "ended_at")]
_RUN = with_id(runs)


class Records(Repository):
    """Everything about a run. Results may be long, and slow to find."""

    async def runs(self, *, states: Sequence[RunState], user: str | None, limit: int) -> Sequence[Run]:
        """The newest runs; no states mean all states."""
        wanted = select(runs).order_by(runs.c.id.desc()).limit(limit)
        if states:
            wanted = wanted.where(runs.c.state.in_(states))
        if user is not None:
            wanted = wanted.where(runs.c.user == user)
        return await self._db.all(run, wanted)

    async def run(self, run_id: str) -> Run | None:
        return await self._db.first(run, _RUN, {"id": run_id})

    async def messages(self, asked: Run) -> Sequence[Message]:
        """Its request, if it is still there, and the messages that steered it; oldest first."""
        whose = or_(messages.c.id == asked.message_id, messages.c.steers == asked.id)
        return await self._db.all(message_of, select(messages).where(whose).order_by(messages.c.n))

    async def questions(self, run_id: str) -> Sequence[Question]:
        return await self._db.all(
            question, select(questions).where(questions.c.run_id == run_id).order_by(questions.c.n)
        )

    async def votes(self, question_ids: Sequence[str]) -> Sequence[Vote]:
        columns = [votes.c[name] for name in ("question_id", "user", "edition", "hash", "choice", "at")]
        wanted = select(*columns).where(votes.c.question_id.in_(question_ids)).order_by(votes.c.at)
        return await self._db.all(Vote, wanted)

    async def deliveries(self, subjects: Sequence[str]) -> Sequence[DeliveryOutcome]:
        wanted = select(*_DELIVERY).where(outbox.c.subject.in_(subjects)).order_by(outbox.c.id)
        return await self._db.all(DeliveryOutcome, wanted)

    async def owners(self, run_ids: Iterable[str]) -> dict[str, str]:
        """Whose each of these runs is; nothing of those that are not there."""
        wanted = select(runs.c.id, runs.c.user).where(runs.c.id.in_(sorted(run_ids)))
        return {row[0]: row[1] for row in (await self._db.execute(wanted)).rows}

    async def entries(self, run_id: str) -> Sequence[AuditEntry]:
        wanted = select(*ENTRY).where(audit.c.scope == run_id).order_by(audit.c.number)
        return list(map(AuditEntry._make, (await self._db.execute(wanted)).rows))

    async def entries_about(self, action_id: str) -> Sequence[AuditEntry]:
        """All that the log says of an action, in order; every entry is looked through, as the action may be gone."""
        wanted = select(*ENTRY).where(audit.c.body.contains(f'"action":"{action_id}"', autoescape=True))
        return list(map(AuditEntry._make, (await self._db.execute(wanted.order_by(audit.c.id))).rows))

    async def entries_of(self, team: str, user: str, *, limit: int) -> Sequence[AuditEntry]:
        """The newest entries about a person's requests, and about what they did to no request; newest first."""
        theirs = select(runs.c.id).where(runs.c.team == team, runs.c.user == user)
        theirs = theirs.order_by(runs.c.id.desc()).limit(limit)
        about_requests = select(*ENTRY).where(audit.c.scope.in_(theirs)).order_by(audit.c.id.desc()).limit(limit)
        by_them = audit.c.body.contains(f'"actor":"{user}"', autoescape=True)
        besides = select(*ENTRY).where(audit.c.scope == f"workspace:{team}", by_them)
        besides = besides.order_by(audit.c.number.desc()).limit(limit)
        found = [*(await self._db.execute(about_requests)).rows, *(await self._db.execute(besides)).rows]
        return sorted(map(AuditEntry._make, found), key=lambda entry: -entry.id)[:limit]

    async def entries_of_team(self, team: str, *, limit: int) -> Sequence[AuditEntry]:
        """The newest entries of a workspace, newest first."""
        wanted = select(*ENTRY).where(audit.c.team == team).order_by(audit.c.id.desc()).limit(limit)
        return list(map(AuditEntry._make, (await self._db.execute(wanted)).rows))

    async def attempted(self, *, after: str, limit: int) -> Sequence[tuple[str, int]]:
        """Every action that was ever claimed, with its newest attempt, by id after this id."""
        wanted = select(actions.c.id, actions.c.attempt).where(actions.c.attempt > 0, actions.c.id > after)
        found = await self._db.execute(wanted.order_by(actions.c.id).limit(limit))
        return [(id_, attempt) for id_, attempt in found.rows]

    async def ended(self, *, after: str, limit: int) -> Sequence[tuple[str, str]]:
        """Every final run with its state, by id after this id."""
        wanted = select(runs.c.id, runs.c.state).where(runs.c.state.in_(FINAL), runs.c.id > after)
        found = await self._db.execute(wanted.order_by(runs.c.id).limit(limit))
        return [(id_, state) for id_, state in found.rows]
