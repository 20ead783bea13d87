"""The repository of questions and votes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Unpack

from sqlalchemy import ColumnElement, exists, func, insert, select, update

from bot.domain.connections import ACTIVE
from bot.domain.questions import QUESTION_MOVES, Question, QuestionChanges, QuestionKind, QuestionPayload, QuestionState
from bot.domain.states import LostRace, check_move
from bot.store.engine.session import Repository, being, given
from bot.store.rows import columns_of, plain, question
from bot.store.tables.accounts import connections
from bot.store.tables.runs import questions, votes

_OPEN = being(questions.c.state, QuestionState.OPEN)
_FIND = select(questions).where(given(questions.c.id))
_OF_ACTION = select(questions.c.id).where(given(questions.c.action_id)).order_by(questions.c.n)
_OPEN_OF_RUN = select(questions).where(given(questions.c.run_id), _OPEN).order_by(questions.c.n)


class Questions(Repository):
    """Questions to people, and their votes."""

    async def add(self, new: Question) -> None:
        await self._db.execute(insert(questions), columns_of(new))

    async def find(self, question_id: str) -> Question | None:
        return await self._db.first(question, _FIND, {"id": question_id})

    async def ids_of_action(self, action_id: str) -> Sequence[str]:
        """All questions about the action, in the order in which they were asked."""
        return await self._db.values(_OF_ACTION, {"action_id": action_id})

    async def approvals_of_run(self, run_id: str) -> Sequence[str]:
        """The actions of the run that somebody was asked to approve, whatever the answer."""
        asked = (questions.c.run_id == run_id) & (questions.c.kind == QuestionKind.APPROVE)
        return await self._db.values(select(questions.c.action_id).where(asked).distinct())

    async def open_of_run(self, run_id: str) -> Sequence[Question]:
        """In the order in which they were asked."""
        return await self._db.all(question, _OPEN_OF_RUN, {"run_id": run_id})

    async def open_of(self, team: str, user: str, *, limit: int) -> Sequence[Question]:
        """The person's open questions, newest first."""
        wanted = select(questions).where(questions.c.team == team, questions.c.user == user, _OPEN)
        return await self._db.all(question, wanted.order_by(questions.c.n.desc()).limit(limit))

    async def count_open(self, team: str, user: str) -> int:
        """How many questions are open for this person."""
        wanted = select(func.count()).where(questions.c.team == team, questions.c.user == user, _OPEN)
        return await self._db.value(wanted)

    async def move(self, before: Question, to: QuestionState, **changes: Unpack[QuestionChanges]) -> Question:
        check_move("question", QUESTION_MOVES, before.state, to)
        guard = (questions.c.id == before.id) & (questions.c.state == before.state)
        moved = update(questions).where(guard).values(state=to, **plain(**changes)).returning(questions)
        if (after := await self._db.first(question, moved)) is None:
            raise LostRace("question", before.id, before.state, to)
        return after

    async def expired(self, *, now: datetime, limit: int) -> Sequence[Question]:
        """Open questions past their time, the longest overdue first."""
        wanted = select(questions).where(_OPEN, questions.c.expires_at <= now)
        return await self._db.all(question, wanted.order_by(questions.c.expires_at).limit(limit))

    async def of_connected(self, provider: str, *, after: str, limit: int) -> Sequence[Question]:
        """Open `connect` questions of people who have a working account there, by id, after this id."""
        theirs = (connections.c.team == questions.c.team) & (connections.c.user == questions.c.user)
        works = (connections.c.provider == provider) & (connections.c.status == ACTIVE)
        return await self._to_connect(exists().where(theirs & works), after, limit)

    async def without_card(self, *, after: str, limit: int) -> Sequence[Question]:
        """Open `connect` questions without a reminder, because others ask the same, in the same order."""
        return await self._to_connect(questions.c.remind_at.is_(None) & questions.c.reminded_at.is_(None), after, limit)

    async def _to_connect(self, which: ColumnElement[bool], after: str, limit: int) -> Sequence[Question]:
        asked = (questions.c.kind == QuestionKind.CONNECT) & (questions.c.id > after)
        wanted = select(questions).where(_OPEN, asked, which).order_by(questions.c.id).limit(limit)
        return await self._db.all(question, wanted)

    async def to_remind(self, *, now: datetime, limit: int) -> Sequence[Question]:
        """Open questions whose reminder is due, the longest due first."""
        wanted = select(questions).where(_OPEN, questions.c.remind_at <= now)
        return await self._db.all(question, wanted.order_by(questions.c.remind_at).limit(limit))

    async def reminded(self, question: Question, *, at: datetime) -> None:
        """Store that the owner was reminded; raises `LostRace` when they were already, or the question is not open."""
        due = (questions.c.id == question.id) & _OPEN & questions.c.reminded_at.is_(None)
        reminded = update(questions).where(due).values(reminded_at=at, remind_at=None)
        if not await self._db.is_done(reminded.returning(questions.c.id)):
            raise LostRace("question", question.id, question.state, "reminded")

    async def speak_up(self, question: Question, payload: QuestionPayload, *, remind_at: datetime | None) -> None:
        """Change what an open question shows and when it reminds; raises `LostRace` when it is not open."""
        still = (questions.c.id == question.id) & _OPEN
        changed = update(questions).where(still).values(payload=payload.as_json(), remind_at=remind_at)
        if not await self._db.is_done(changed.returning(questions.c.id)):
            raise LostRace("question", question.id, question.state, "shown")

    async def vote(self, asked: Question, *, user: str, choice: str, at: datetime) -> bool:
        """Store a vote on this edition; False when this person voted already."""
        bound = {"question_id": asked.id, "user": user, "edition": asked.edition, "hash": asked.hash}
        return await self._db.insert_new(votes, {**bound, "choice": choice, "at": at})
