"""The repository of people's keys: each is sealed with ours, and destroyed when its person is erased."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from sqlalchemy import delete, select
from sqlalchemy.dialects import postgresql, sqlite

from bot.domain.seals import Secret
from bot.secrets import CannotOpen, KeyRing, new_key
from bot.store.engine.session import DatabaseSession, Repository, given
from bot.store.engine.statements import Prepared
from bot.store.tables.people import person_keys

Person = tuple[str, str]
"""A workspace and a person in it."""

_KNOWN = "keys of people"
_ONE = select(person_keys.c.key).where(given(person_keys.c.team, person_keys.c.user))
_FIND = Prepared(_ONE)
_HOLD = Prepared(_ONE.with_for_update(read=True, key_share=True))
_ALL = Prepared(select(person_keys.c.team, person_keys.c.user, person_keys.c.key))
_ADD = Prepared(
    {
        "sqlite": sqlite.insert(person_keys).on_conflict_do_nothing(),
        "postgresql": postgresql.insert(person_keys).on_conflict_do_nothing(),
    }
)
_DESTROY = Prepared(delete(person_keys).where(given(person_keys.c.team, person_keys.c.user)))


class PersonKeys(Repository):
    """Keys of people."""

    def __init__(self, session: DatabaseSession, *, keyring: KeyRing) -> None:
        super().__init__(session)
        self._keyring = keyring

    async def find(self, person: Person) -> KeyRing | None:
        """The person's key; None where there is none, or none any more. Raises `CannotOpen`."""
        return await self._found(_FIND, person)

    async def ids(self) -> Mapping[Person, str]:
        """The id of each person's key; "" for one that does not open, whatever stands in its place."""
        rows = cast("list[tuple[str, str, object]]", (await self._db.execute(_ALL, {})).rows)
        return {(team, user): self._id((team, user), sealed) for team, user, sealed in rows}

    def _id(self, person: Person, sealed: object) -> str:
        try:
            return self._opened(person, str(sealed)).ids[0]
        except CannotOpen:
            return ""

    async def _found(self, statement: Prepared, person: Person) -> KeyRing | None:
        team, user = person
        sealed = await self._db.value(statement, {"team": team, "user": user})
        return None if sealed is None else self._opened(person, sealed)

    def _opened(self, person: Person, sealed: str) -> KeyRing:
        return KeyRing([self._keyring.open(sealed, bound_to=_bound_to(person))])

    async def of(self, person: Person) -> KeyRing:
        """The person's key, made where there is none. It is not destroyed before what is written under it is committed.
        Raises `CannotOpen`.
        """
        name = " ".join(person)
        known = self._db.recall(_KNOWN, name)
        if known is None:
            known = await self._found(_HOLD, person)
            if known is None:
                await self._add(person)
                known = await self._found(_HOLD, person)
            assert known is not None, "it was added, or another transaction did"
            self._db.learn(_KNOWN, name, known)
        return known

    async def _add(self, person: Person) -> None:
        team, user = person
        sealed = self._keyring.seal(new_key(), bound_to=_bound_to(person))
        await self._db.execute(_ADD, {"team": team, "user": user, "key": sealed})

    async def destroy(self, person: Person) -> bool:
        """Destroy the person's key: nothing opens what lies under it. False where there is none."""
        team, user = person
        self._db.learn(_KNOWN, " ".join(person), None)
        return (await self._db.execute(_DESTROY, {"team": team, "user": user})).changed > 0


def _bound_to(person: Person) -> str:
    team, user = person
    return Secret.PERSON_KEY.of(team=team, user=user)
