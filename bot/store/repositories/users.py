"""The repository of people and workspaces."""

from __future__ import annotations

from sqlalchemy import select

from bot.domain.threads import User, Workspace
from bot.store.engine.session import Session, given
from bot.store.rows import columns_of, first, merged, the
from bot.store.tables.people import users, workspaces
from policies.types import TrustLevel

_FIND = select(users).where(given(users.c.team, users.c.user))
_WORKSPACE = select(workspaces).where(given(workspaces.c.team))


class Users:
    """People and workspaces."""

    def __init__(self, session: Session) -> None:
        self._db = session

    async def find(self, team: str, user: str) -> User | None:
        row = first(await self._db.execute(_FIND, {"team": team, "user": user}))
        return User(**merged(row, level=TrustLevel(row["level"]))) if row else None

    async def seen(self, user: User) -> User:
        """Store the profile; the trust level stays as it is."""
        row = the(await self._db.put(users, columns_of(user), kept={"level"}))
        return User(**merged(row, level=TrustLevel(row["level"])))

    async def set_level(self, team: str, user: str, level: str) -> None:
        await self._db.put(users, {"team": team, "user": user, "level": level})

    async def workspace(self, team: str) -> Workspace:
        row = first(await self._db.execute(_WORKSPACE, {"team": team}))
        return Workspace(**merged(row, cap=TrustLevel(row["cap"]))) if row else Workspace(team=team)

    async def installed(self, workspace: Workspace) -> None:
        await self._db.put(workspaces, columns_of(workspace), kept={"cap"})
