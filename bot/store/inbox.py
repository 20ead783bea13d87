"""What Slack delivered already, in SQL."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import insert, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.tables import inbox


class Inbox:
    """Implements `ports.Inbox`."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._db = connection

    async def admit(self, event_id: str, *, team: str, channel: str, ts: str, at: datetime) -> bool:
        place = (inbox.c.team == team) & (inbox.c.channel == channel) & (inbox.c.ts == ts)
        known = or_(inbox.c.event_id == event_id, place) if ts else inbox.c.event_id == event_id
        if (await self._db.execute(select(inbox.c.event_id).where(known).limit(1))).first():
            return False
        values = {"event_id": event_id, "team": team, "channel": channel, "ts": ts or None, "at": at}
        await self._db.execute(insert(inbox).values(values))
        return True
