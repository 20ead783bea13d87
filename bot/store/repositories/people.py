"""The repositories of workspaces and people, and of their rules."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, insert, or_, select

from bot.domain.threads import User, Workspace
from bot.store.engine.session import Repository, given
from bot.store.rows import columns_of, without
from bot.store.tables.people import rules, users, workspaces
from policies.types import Rule, RuleAuthor

_USER = select(users).where(given(users.c.team, users.c.user))
_WORKSPACE = select(workspaces).where(given(workspaces.c.team))


class Users(Repository):
    """People and workspaces."""

    async def find(self, team: str, user: str) -> User | None:
        return await self._db.first(User, _USER, {"team": team, "user": user})

    async def seen(self, user: User) -> User:
        """Store the profile; the trust level stays as it is."""
        return User(**await self._db.put(users, columns_of(user), kept={"level"}))

    async def set_level(self, team: str, user: str, level: str) -> None:
        await self._db.put(users, {"team": team, "user": user, "level": level})

    async def workspace(self, team: str) -> Workspace:
        return await self._db.first(Workspace, _WORKSPACE, {"team": team}) or Workspace(team=team)

    async def installed(self, workspace: Workspace) -> None:
        await self._db.put(workspaces, columns_of(workspace), kept={"cap"})


_RULE_COLUMNS = [rules.c[name] for name in ("id", "decision", "tool", "argument", "value", "by")]
_SAME = ("decision", "tool", "argument", "value")


class Rules(Repository):
    """Rules that people added."""

    async def of(self, team: str, user: str) -> Sequence[Rule]:
        """The rules that apply to this person: the workspace's and their own."""
        counts = or_(rules.c.user == user, rules.c.by == RuleAuthor.ADMIN)
        wanted = select(*_RULE_COLUMNS).where(rules.c.team == team, counts).order_by(rules.c.created_at)
        return await self._db.all(Rule, wanted)

    async def add(self, team: str, user: str, rule: Rule, *, at: datetime) -> bool:
        await self._db.lock_names([f"rules of {team} {user}"])
        if any(all(getattr(rule, name) == getattr(old, name) for name in _SAME) for old in await self.of(team, user)):
            return False
        await self._db.execute(
            insert(rules).values(**without(columns_of(rule), "reason"), team=team, user=user, created_at=at)
        )
        return True

    async def remove(self, team: str, user: str, value: str) -> Sequence[str]:
        """Delete the person's own rules about this value, and return their ids."""
        await self._db.lock_names([f"rules of {team} {user}"])
        own = (rules.c.team == team) & (rules.c.user == user) & (rules.c.by == RuleAuthor.OWNER)
        return await self._db.values(delete(rules).where(own, rules.c.value == value).returning(rules.c.id))
