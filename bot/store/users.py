"""People and workspaces, in SQL."""

from __future__ import annotations

from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.threads import User, Workspace
from bot.store.rows import columns_of, first, merged
from bot.store.tables import users, workspaces
from policies.types import TrustLevel


class Users:
    """Implements `ports.Users`."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._db = connection

    async def find(self, team: str, user: str) -> User | None:
        wanted = select(users).where(users.c.team == team, users.c.user == user)
        row = first(await self._db.execute(wanted))
        return User(**merged(row, level=TrustLevel(row["level"]))) if row else None

    async def seen(self, user: User) -> User:
        known = await self.find(user.team, user.user)
        profile = columns_of(user)
        if known is None:
            await self._db.execute(insert(users).values(profile))
            return user
        del profile["level"]
        here = (users.c.team == user.team) & (users.c.user == user.user)
        await self._db.execute(update(users).where(here).values(profile))
        return User(**merged(profile, level=known.level))

    async def set_level(self, team: str, user: str, level: str) -> None:
        if await self.find(team, user) is None:
            await self._db.execute(insert(users).values(team=team, user=user, level=level))
            return
        here = (users.c.team == team) & (users.c.user == user)
        await self._db.execute(update(users).where(here).values(level=level))

    async def workspace(self, team: str) -> Workspace:
        row = first(await self._db.execute(select(workspaces).where(workspaces.c.team == team)))
        return Workspace(**merged(row, cap=TrustLevel(row["cap"]))) if row else Workspace(team=team)

    async def installed(self, workspace: Workspace) -> None:
        known = (await self._db.execute(select(workspaces.c.team).where(workspaces.c.team == workspace.team))).first()
        values = columns_of(workspace)
        if known is None:
            await self._db.execute(insert(workspaces).values(values))
            return
        del values["cap"]
        await self._db.execute(update(workspaces).where(workspaces.c.team == workspace.team).values(values))
