"""The repositories of workspaces and people, and of their rules."""

from __future__ import annotations

from collections.abc import Sequence, Set
from datetime import datetime
from typing import Any, TypeAlias

from sqlalchemy import bindparam, delete, func, insert, or_, select

from bot.domain.threads import User, Workspace
from bot.store.engine.session import Repository, being, given
from bot.store.engine.statements import Prepared
from bot.store.rows import columns_of, rule, rule_columns, without
from bot.store.tables.people import rules, users, workspaces
from policies.guards.words import address
from policies.provenance import GuardMode
from policies.types import Rule, RuleAuthor

_USER = Prepared(select(users).where(given(users.c.team, users.c.user)))
_WORKSPACE = Prepared(select(workspaces).where(given(workspaces.c.team)))
_WITH_ADDRESS = Prepared(
    select(users).where(func.lower(users.c.email) == func.lower(bindparam("address", type_=users.c.email.type)))
)


class Users(Repository):
    """People and workspaces."""

    async def find(self, team: str, user: str) -> User | None:
        return await self._db.first(User, _USER, {"team": team, "user": user})

    async def members_with(self, email: str, teams: Set[str]) -> Sequence[User]:
        """The full members of these workspaces who have this address, written with small or with capital letters from A
        to Z; a database may take more for the same.
        """
        found = await self._db.all(User, _WITH_ADDRESS, {"address": email})
        same = [user for user in found if address(user.email or "") == address(email)]
        return [user for user in same if user.team in teams and user.is_member]

    async def seen(self, user: User) -> User:
        """Store the profile; the trust level stays as it is."""
        return User(**await self._db.put(users, columns_of(user), kept={"level"}))

    async def set_level(self, team: str, user: str, level: str) -> None:
        await self._db.put(users, {"team": team, "user": user, "level": level})

    async def workspace(self, team: str) -> Workspace:
        return await self._db.first(Workspace, _WORKSPACE, {"team": team}) or Workspace(team=team)

    async def installed(self, workspace: Workspace) -> None:
        await self._db.put(workspaces, columns_of(workspace), kept={"cap", "guard"})

    async def set_guard(self, team: str, guard: GuardMode) -> None:
        """What becomes of what the provenance guards say in this workspace."""
        await self._db.put(workspaces, {"team": team, "guard": guard})


_RULE_COLUMNS = [rules.c[name] for name in ("id", "decision", "tool", "argument", "value", "by", "deciders")]
_SAME = ("decision", "tool", "argument", "value", "deciders")
_IS_ADMINS = being(rules.c.by, RuleAuthor.ADMIN)
_OF = Prepared(
    select(*_RULE_COLUMNS).where(given(rules.c.team), or_(given(rules.c.user), _IS_ADMINS)).order_by(rules.c.created_at)
)
_ADD = Prepared(insert(rules))
_REMOVE = Prepared(
    delete(rules)
    .where(given(rules.c.team, rules.c.user, rules.c.value), being(rules.c.by, RuleAuthor.OWNER))
    .returning(rules.c.id)
)
_ADMINS = Prepared(select(rules.c.team, *_RULE_COLUMNS).where(_IS_ADMINS).order_by(rules.c.team, rules.c.created_at))
_HELD = Prepared(select(*_RULE_COLUMNS).where(given(rules.c.team, rules.c.id), _IS_ADMINS).with_for_update())
_TAKE_AWAY = Prepared(delete(rules).where(given(rules.c.team, rules.c.id), _IS_ADMINS).returning(*_RULE_COLUMNS))


def _standing() -> Prepared:
    asked = select(
        bindparam("team", type_=users.c.team.type).label("team"),
        bindparam("user", type_=users.c.user.type).label("user"),
    ).subquery()
    found = (
        asked.outerjoin(users, (users.c.team == asked.c.team) & (users.c.user == asked.c.user))
        .outerjoin(workspaces, workspaces.c.team == asked.c.team)
        .outerjoin(rules, (rules.c.team == asked.c.team) & or_(rules.c.user == asked.c.user, _IS_ADMINS))
    )
    columns = [*users.c, *workspaces.c, *_RULE_COLUMNS]
    return Prepared(select(*columns).select_from(found).order_by(rules.c.created_at))


STANDING = _standing()
STANDS = "how people stand"
"""Under which the memory has it."""
_STANDS_IN = (users.name, workspaces.name, rules.name)
_OF_USER, _OF_WORKSPACE = len(users.c), len(users.c) + len(workspaces.c)


Standing: TypeAlias = tuple[User | None, Workspace, Sequence[Rule]]


def standing_of(team: str, rows: Sequence[Sequence[Any]]) -> Standing:
    """What the rows of `STANDING` say of somebody in this workspace."""
    (first, *_), names = rows, [column.name for column in _RULE_COLUMNS]
    person = User(**dict(zip(users.c.keys(), first[:_OF_USER], strict=True))) if first[0] else None
    place = dict(zip(workspaces.c.keys(), first[_OF_USER:_OF_WORKSPACE], strict=True))
    found = [rule(**dict(zip(names, row[_OF_WORKSPACE:], strict=True))) for row in rows if row[_OF_WORKSPACE]]
    return person, Workspace(**place) if place["team"] else Workspace(team=team), found


class Rules(Repository):
    """Rules that people added."""

    async def standing(self, team: str, user: str) -> Standing:
        """The person, if they are known, their workspace, and the rules that apply to them."""
        key = f"{len(team)} {team} {user}"
        known = self._db.recall(STANDS, key)
        if known is None:
            rows = (await self._db.execute(STANDING, {"team": team, "user": user})).rows
            known = standing_of(team, rows)
            self._db.learn_answer(STANDS, _STANDS_IN, key, known)
        return known

    async def of(self, team: str, user: str) -> Sequence[Rule]:
        """The rules that apply to this person: the workspace's and their own."""
        return await self._db.all(rule, _OF, {"team": team, "user": user})

    async def hold(self, team: str) -> None:
        """Keep everybody else from writing one of this workspace's rules until the transaction ends."""
        await self._db.lock_names([f"rules of {team}"])

    async def add(self, team: str, user: str, new: Rule, *, at: datetime) -> bool:
        """Store it, unless what it says is there already: in a rule of the workspace, or in one of the person's own."""
        if new.by is RuleAuthor.ADMIN:
            await self.hold(team)
        await self._db.lock_names([f"rules of {team} {user}"])
        if any(all(getattr(new, name) == getattr(old, name) for name in _SAME) for old in await self.of(team, user)):
            return False
        values = rule_columns(new) | {"team": team, "user": user, "created_at": at}
        await self._db.execute(_ADD, values)
        return True

    async def remove(self, team: str, user: str, value: str) -> Sequence[str]:
        """Delete the person's own rules about this value, and return their ids."""
        await self._db.lock_names([f"rules of {team} {user}"])
        return await self._db.values(_REMOVE, {"team": team, "user": user, "value": value})

    async def of_administrators(self) -> Sequence[tuple[str, Rule]]:
        """What administrators wrote for their workspaces, with each one's team."""
        rows = (await self._db.execute(_ADMINS, {})).rows
        names = [column.name for column in _RULE_COLUMNS]
        return [(team, rule(**dict(zip(names, row, strict=True)))) for team, *row in rows]

    async def held(self, team: str, id: str) -> Rule | None:
        """A rule that an administrator wrote, as it stays until the transaction ends; None where there is none."""
        return await self._db.first(rule, _HELD, {"team": team, "id": id})

    async def rewrite(self, team: str, new: Rule) -> bool:
        """Have the rule of this id, which is held, say something else; not what another one of the workspace says."""
        await self.hold(team)
        others = [old for of, old in await self.of_administrators() if of == team and old.id != new.id]
        if any(all(getattr(new, name) == getattr(old, name) for name in _SAME) for old in others):
            return False
        await self._db.change(rules, {"team": team, "id": new.id}, without(rule_columns(new), "id"))
        return True

    async def take_away(self, team: str, id: str) -> Rule | None:
        """Delete a rule that an administrator wrote, and return it; None where there is none."""
        return await self._db.first(rule, _TAKE_AWAY, {"team": team, "id": id})
