"""The repository of questions and votes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Unpack

from sqlalchemy import ColumnElement, Integer, Select, bindparam, exists, func, insert, or_, select, update

from bot.domain.connections import ACTIVE
from bot.domain.questions import (
    QUESTION_MOVES,
    Choice,
    Question,
    QuestionChanges,
    QuestionKind,
    QuestionPayload,
    QuestionState,
    ReaderTurn,
    Vote,
)
from bot.domain.states import LostRace, check_move
from bot.store.engine.session import Repository, being, given, with_id
from bot.store.engine.statements import Prepared
from bot.store.rows import plain, question, question_columns, turns_as_json
from bot.store.tables.accounts import connections
from bot.store.tables.people import users
from bot.store.tables.runs import questions, runs, votes

_OPEN = being(questions.c.state, QuestionState.OPEN)
_LIMIT = bindparam("limit", type_=Integer)
_ADD = Prepared(insert(questions))
_FIND = with_id(questions)
_OF_ACTION = Prepared(select(questions.c.id).where(given(questions.c.action_id)).order_by(questions.c.n))
_PLANS_OF_RUN = Prepared(
    select(questions.c.id)
    .where(given(questions.c.run_id), being(questions.c.kind, QuestionKind.PLAN))
    .order_by(questions.c.n)
)
_APPROVALS_OF_RUN = Prepared(
    select(questions.c.action_id)
    .where(given(questions.c.run_id), being(questions.c.kind, QuestionKind.APPROVE))
    .distinct()
)
_OF_REQUEST = select(runs.c.id).where(or_(runs.c.id == bindparam("root"), runs.c.root == bindparam("root")))
_DECLINED = Prepared(
    select(questions).where(
        questions.c.run_id.in_(_OF_REQUEST),
        being(questions.c.kind, QuestionKind.CONNECT),
        being(questions.c.decision, Choice.REJECT),
    )
)
_OPEN_OF_RUN = Prepared(select(questions).where(given(questions.c.run_id), _OPEN).order_by(questions.c.n))
_OWNS = given(questions.c.user) & questions.c.reader.is_(None)
_WAITS_FOR = given(questions.c.team) & _OPEN & or_(_OWNS, questions.c.reader == bindparam("user"))
_OPEN_OF = Prepared(select(questions).where(_WAITS_FOR).order_by(questions.c.n.desc()).limit(_LIMIT))
_COUNT_OPEN = Prepared(select(func.count()).where(_WAITS_FOR))
_READER = (users.c.team == questions.c.team) & (users.c.user == questions.c.reader)
_IS_GONE = or_(users.c.user.is_(None), users.c.is_guest, users.c.is_bot, users.c.is_deleted)
_VOTES = Prepared(select(votes).where(given(votes.c.question_id)).order_by(votes.c.at))
_TAKE_BACK = Prepared(
    update(votes)
    .where(given(votes.c.question_id, votes.c.user))
    .values(choice=bindparam("instead"), at=bindparam("moment"))
    .returning(votes.c.user)
)


def _open_until_now(moment: ColumnElement[datetime | None]) -> Select[*tuple[Any, ...]]:
    return select(questions).where(_OPEN, moment <= bindparam("now")).order_by(moment)


EXPIRED = _open_until_now(questions.c.expires_at)
"""Open questions past their time, the longest overdue first."""

TURNS_OVER = _open_until_now(questions.c.turn_over_at)
"""Open questions whose reader was waited for long enough, the longest overdue first."""

TO_REMIND = _open_until_now(questions.c.remind_at)
"""Open questions whose reminder is due, the longest due first."""

READERS_GONE = (
    select(questions)
    .select_from(questions.outerjoin(users, _READER))
    .where(questions.c.reader.is_not(None), _OPEN, _IS_GONE)
    .order_by(questions.c.team, questions.c.reader)
)
"""Open questions that wait for somebody beside their owner who is no full member any more, by whom."""

_EXPIRED, _TURNS_OVER, _TO_REMIND, _READERS_GONE = (
    Prepared(look.limit(_LIMIT)) for look in (EXPIRED, TURNS_OVER, TO_REMIND, READERS_GONE)
)


def _to_connect(which: ColumnElement[bool]) -> Select[*tuple[Any, ...]]:
    asked = being(questions.c.kind, QuestionKind.CONNECT) & (questions.c.id > bindparam("after"))
    return select(questions).where(_OPEN, asked, which).order_by(questions.c.id).limit(_LIMIT)


def _has_account() -> ColumnElement[bool]:
    theirs = (connections.c.team == questions.c.team) & (connections.c.user == questions.c.user)
    return exists().where(theirs, given(connections.c.provider), connections.c.status == ACTIVE)


_OF_CONNECTED = Prepared(_to_connect(_has_account()))
_WITHOUT_CARD = Prepared(_to_connect(questions.c.remind_at.is_(None) & questions.c.reminded_at.is_(None)))
_IS_OPEN = given(questions.c.id) & _OPEN
_REMINDED = Prepared(
    update(questions)
    .where(_IS_OPEN, questions.c.remind_at == bindparam("due"))
    .values(reminded_at=bindparam("at"), remind_at=None)
    .returning(questions.c.id)
)
_SPEAK_UP = Prepared(
    update(questions)
    .where(_IS_OPEN)
    .values(payload=bindparam("shown"), remind_at=bindparam("next"))
    .returning(questions.c.id)
)


class Questions(Repository):
    """Questions to people, and their votes."""

    async def add(self, new: Question) -> None:
        await self._db.execute(_ADD, question_columns(new))

    async def find(self, question_id: str) -> Question | None:
        return await self._db.first(question, _FIND, {"id": question_id})

    async def ids_of_action(self, action_id: str) -> Sequence[str]:
        """All questions about the action, in the order in which they were asked."""
        return await self._db.values(_OF_ACTION, {"action_id": action_id})

    async def plans_of_run(self, run_id: str) -> Sequence[str]:
        """All questions about its plan, whose revisions are actions of their own, in the order they were asked in."""
        return await self._db.values(_PLANS_OF_RUN, {"run_id": run_id})

    async def approvals_of_run(self, run_id: str) -> Sequence[str]:
        """The actions of the run that somebody was asked to approve, whatever the answer."""
        return await self._db.values(_APPROVALS_OF_RUN, {"run_id": run_id})

    async def declined(self, root: str) -> Sequence[Question]:
        """Where its owner said “Not now” to connecting an account, in this request or in a run that works for it."""
        return await self._db.all(question, _DECLINED, {"root": root})

    async def open_of_run(self, run_id: str) -> Sequence[Question]:
        """In the order in which they were asked."""
        return await self._db.all(question, _OPEN_OF_RUN, {"run_id": run_id})

    async def open_of(self, team: str, user: str, *, limit: int) -> Sequence[Question]:
        """The open questions that wait for this person, newest first: also others' to which they have to agree."""
        return await self._db.all(question, _OPEN_OF, {"team": team, "user": user, "limit": limit})

    async def count_open(self, team: str, user: str) -> int:
        """How many questions wait for this person."""
        return await self._db.value(_COUNT_OPEN, {"team": team, "user": user})

    async def move(self, before: Question, to: QuestionState, **changes: Unpack[QuestionChanges]) -> Question:
        check_move("question", QUESTION_MOVES, before.state, to)
        guard = {"id": before.id, "state": before.state}
        if (after := await self._db.changed(question, questions, guard, {"state": to, **plain(**changes)})) is None:
            raise LostRace("question", before.id, before.state, to)
        return after

    async def expired(self, *, now: datetime, limit: int) -> Sequence[Question]:
        """See `EXPIRED`."""
        return await self._db.all(question, _EXPIRED, {"now": now, "limit": limit})

    async def of_connected(self, provider: str, *, after: str, limit: int) -> Sequence[Question]:
        """Open `connect` questions of people who have a working account there, by id, after this id."""
        asked = {"provider": provider, "after": after, "limit": limit}
        return await self._db.all(question, _OF_CONNECTED, asked)

    async def without_card(self, *, after: str, limit: int) -> Sequence[Question]:
        """Open `connect` questions without a reminder, because others ask the same, in the same order."""
        return await self._db.all(question, _WITHOUT_CARD, {"after": after, "limit": limit})

    async def to_remind(self, *, now: datetime, limit: int) -> Sequence[Question]:
        """See `TO_REMIND`."""
        return await self._db.all(question, _TO_REMIND, {"now": now, "limit": limit})

    async def reminded(self, question: Question, *, at: datetime) -> None:
        """Store that the person it waits for was reminded. Raises `LostRace` when they were already, when it waits for
        somebody else by now, or when it is not open.
        """
        if not await self._db.is_done(_REMINDED, {"id": question.id, "due": question.remind_at, "at": at}):
            raise LostRace("question", question.id, question.state, "reminded")

    async def speak_up(self, question: Question, payload: QuestionPayload, *, remind_at: datetime | None) -> None:
        """Change what an open question shows and when it reminds; raises `LostRace` when it is not open."""
        if not await self._db.is_done(_SPEAK_UP, {"id": question.id, "shown": payload.as_json(), "next": remind_at}):
            raise LostRace("question", question.id, question.state, "shown")

    async def turns_over(self, *, now: datetime, limit: int) -> Sequence[Question]:
        """See `TURNS_OVER`."""
        return await self._db.all(question, _TURNS_OVER, {"now": now, "limit": limit})

    async def readers_gone(self, *, limit: int) -> Sequence[Question]:
        """See `READERS_GONE`."""
        return await self._db.all(question, _READERS_GONE, {"limit": limit})

    async def pass_on(
        self, before: Question, turns: Sequence[ReaderTurn], *, over_at: datetime | None, remind_at: datetime
    ) -> Question:
        """Have it wait for the last of these readers, who is to be reminded at this moment; nobody else is any more.
        Raises `LostRace` when it is not open.
        """
        guard = {"id": before.id, "state": QuestionState.OPEN}
        changes = {
            "reader": turns[-1].user,
            "turns": turns_as_json(turns),
            "turn_over_at": over_at,
            "remind_at": remind_at,
            "reminded_at": None,
        }
        if (after := await self._db.changed(question, questions, guard, changes)) is None:
            raise LostRace("question", before.id, before.state, "passed on")
        return after

    async def wait_on(self, before: Question) -> None:
        """Have its reader waited for as long as it is open. Raises `LostRace` when it is not open."""
        guard = {"id": before.id, "state": QuestionState.OPEN}
        if await self._db.changed(question, questions, guard, {"turn_over_at": None}) is None:
            raise LostRace("question", before.id, before.state, "waited on")

    async def votes(self, question_id: str) -> Sequence[Vote]:
        """In the order in which they came."""
        return await self._db.all(Vote, _VOTES, {"question_id": question_id})

    async def take_back(self, asked: Question, *, user: str, choice: str, at: datetime) -> None:
        """This person said something else before, while others were still asked."""
        await self._db.execute(_TAKE_BACK, {"question_id": asked.id, "user": user, "instead": choice, "moment": at})

    async def vote(self, asked: Question, *, user: str, choice: str, at: datetime) -> bool:
        """Store a vote on this edition; False when this person voted already."""
        bound = {"question_id": asked.id, "user": user, "edition": asked.edition, "hash": asked.hash}
        return await self._db.insert_new(votes, {**bound, "choice": choice, "at": at})
