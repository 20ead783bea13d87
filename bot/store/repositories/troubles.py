"""The repository of connection problems."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import cast

from sqlalchemy import func, select

from bot.domain.actions import ActionState
from bot.domain.audit import AuditCode
from bot.domain.connections import ConnectionChange, DisabledApi
from bot.store.engine.session import Session
from bot.store.tables.audit_log import audit
from bot.store.tables.people import users
from bot.store.tables.runs import actions

_CHANGES = (
    AuditCode.CONNECTION_ADOPTED,
    AuditCode.CONNECTION_CONNECTED,
    AuditCode.CONNECTION_REFRESHED,
    AuditCode.CONNECTION_REFUSED,
)
_DISABLED = "api_disabled"
_MOST = 1_000


class Troubles:
    """Problems with connected accounts."""

    def __init__(self, session: Session) -> None:
        self._db = session

    async def somebody_of(self, domains: Collection[str]) -> str | None:
        """The address of a person whose mail domain, in lower case, is one of these."""
        wanted = select(users.c.email).where(users.c.email.is_not(None), users.c.is_deleted.is_(False))
        for email in (await self._db.execute(wanted.order_by(users.c.user))).scalars():
            if str(email).rpartition("@")[2].lower() in domains:
                return str(email)
        return None

    async def changes(self, since: datetime) -> Sequence[ConnectionChange]:
        """What became of connections since then, in order."""
        wanted = select(audit.c.team, audit.c.code, audit.c.at, audit.c.body)
        wanted = wanted.where(audit.c.code.in_(_CHANGES), audit.c.at >= since).order_by(audit.c.id)
        found = await self._db.execute(wanted)
        return [
            ConnectionChange(whose=(team, str(json.loads(body)["actor"])), code=AuditCode(code), at=at)
            for team, code, at, body in found
        ]

    async def disabled(self, since: datetime) -> Sequence[DisabledApi]:
        """The tools that failed since then because a Google API is not enabled, and have not worked again."""
        worked = await self._last_worked(since)
        wanted = select(actions.c.tool, actions.c.response, actions.c.ended_at)
        wanted = wanted.where(actions.c.state == ActionState.FAILED.value, actions.c.ended_at >= since)
        newest: dict[str, DisabledApi] = {}
        for tool, response, at in await self._db.execute(wanted.order_by(actions.c.ended_at.desc()).limit(_MOST)):
            error = cast("dict[str, dict[str, object]]", response or {}).get("error", {})
            if error.get("code") == _DISABLED and (tool not in worked or worked[tool] < at):
                newest.setdefault(tool, DisabledApi(tool=tool, message=str(error.get("message", "")), at=at))
        return list(newest.values())

    async def _last_worked(self, since: datetime) -> dict[str, datetime]:
        wanted = select(actions.c.tool, func.max(actions.c.ended_at)).group_by(actions.c.tool)
        wanted = wanted.where(actions.c.state == ActionState.COMPLETED.value, actions.c.ended_at >= since)
        return {str(tool): at for tool, at in await self._db.execute(wanted)}
