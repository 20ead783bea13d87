"""What people are asked, in SQL."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.questions import QUESTION_MOVES, Question, QuestionState
from bot.domain.states import LostRace, check_move
from bot.store.rows import columns_of, every, first, plain, question, the
from bot.store.tables import questions, votes

_OPEN = questions.c.state == QuestionState.OPEN.value


class Questions:
    """Implements `ports.Questions`."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._db = connection

    async def add(self, new: Question) -> None:
        await self._db.execute(insert(questions).values(columns_of(new)))

    async def find(self, question_id: str) -> Question | None:
        row = first(await self._db.execute(select(questions).where(questions.c.id == question_id)))
        return question(row) if row else None

    async def ids_of_action(self, action_id: str) -> Sequence[str]:
        wanted = select(questions.c.id).where(questions.c.action_id == action_id).order_by(questions.c.id)
        return list((await self._db.execute(wanted)).scalars())

    async def open_of_run(self, run_id: str) -> Sequence[Question]:
        wanted = select(questions).where(questions.c.run_id == run_id, _OPEN).order_by(questions.c.id)
        return [question(row) for row in every(await self._db.execute(wanted))]

    async def open_of(self, team: str, user: str, *, limit: int) -> Sequence[Question]:
        wanted = select(questions).where(questions.c.team == team, questions.c.user == user, _OPEN)
        found = await self._db.execute(wanted.order_by(questions.c.created_at.desc()).limit(limit))
        return [question(row) for row in every(found)]

    async def move(self, before: Question, to: QuestionState, **changes: object) -> Question:
        check_move("question", QUESTION_MOVES, before.state, to)
        guard = (questions.c.id == before.id) & (questions.c.state == before.state.value)
        moved = await self._db.execute(update(questions).where(guard).values(state=to.value, **plain(**changes)))
        if moved.rowcount != 1:
            raise LostRace("question", before.id, before.state, to)
        row = the(await self._db.execute(select(questions).where(questions.c.id == before.id)))
        return question(row)

    async def vote(self, asked: Question, *, user: str, choice: str, at: datetime) -> bool:
        same = select(votes.c.user).where(votes.c.question_id == asked.id, votes.c.user == user)
        if (await self._db.execute(same)).first():
            return False
        values = {"question_id": asked.id, "user": user, "edition": asked.edition, "hash": asked.hash}
        await self._db.execute(insert(votes).values(**values, choice=choice, at=at))
        return True
