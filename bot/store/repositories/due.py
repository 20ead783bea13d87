"""What it may be time for, in one short statement: a replica that has nothing to do asks no more than this.

Its parts are the looks of the jobs themselves, each of which takes the first row that its index has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Integer, Select, func, literal_column, select

from bot.domain.schedules import LookUp
from bot.store.engine.session import Repository
from bot.store.engine.statements import Prepared
from bot.store.repositories.connections import HELD_GRANTS, TO_GIVE_BACK
from bot.store.repositories.leases import RELAY, SEALER, over
from bot.store.repositories.questions import EXPIRED, READERS_GONE, TO_REMIND, TURNS_OVER
from bot.store.repositories.runs import HELD_UNTIL_NOW, PAST_DEADLINE
from bot.store.repositories.schedules import to_fire

_Look: TypeAlias = Select[*tuple[Any, ...]]


class Due(StrEnum):
    """Who has something to do."""

    QUESTIONS = "questions"
    SCHEDULES = "schedules"
    REMINDERS = "reminders"
    BRIEFINGS = "briefings"
    REVOCATIONS = "revocations"
    RELAY_LEASE = "relay_lease"
    SEALER_LEASE = "sealer_lease"

    @classmethod
    def lease(cls, name: str) -> Due:
        """Who asks for this lease."""
        return cls(f"{name}_lease")


_LOOKS: Mapping[Due, Sequence[_Look]] = {
    Due.QUESTIONS: (EXPIRED, TURNS_OVER, READERS_GONE, TO_REMIND),
    Due.SCHEDULES: (to_fire(LookUp.NOTHING), HELD_UNTIL_NOW, PAST_DEADLINE),
    Due.REMINDERS: (to_fire(LookUp.MAIL),),
    Due.BRIEFINGS: (to_fire(LookUp.DAY),),
    Due.REVOCATIONS: (HELD_GRANTS, TO_GIVE_BACK),
    Due.RELAY_LEASE: (over(RELAY),),
    Due.SEALER_LEASE: (over(SEALER),),
}
_YES: ColumnElement[int] = literal_column("1", Integer)
_NO: ColumnElement[int] = literal_column("0", Integer)


def _any(looks: Sequence[_Look]) -> ColumnElement[int]:
    """1 where one of these finds a row; those behind it are not looked at then."""
    first = [look.with_only_columns(_YES, maintain_column_froms=True).limit(_YES).scalar_subquery() for look in looks]
    return func.coalesce(*first, _NO)


_DUE = Prepared(select(*(_any(looks).label(due.name) for due, looks in _LOOKS.items())))


class MayBeDue(Repository):
    """What has its moment, at which something is to happen."""

    async def at(self, now: datetime) -> Set[Due]:
        """Who has something to do then; of what is to be given back, and of leases, who may have."""
        (found,) = (await self._db.execute(_DUE, {"now": now})).rows
        return {due for due, is_due in zip(_LOOKS, found, strict=True) if is_due}
