"""What Slack delivered already, in SQL."""

from __future__ import annotations

from datetime import datetime

from bot.store.session import Session
from bot.store.tables import inbox


class Inbox:
    """Implements `repositories.Inbox`."""

    def __init__(self, session: Session) -> None:
        self._db = session

    async def admit(self, event_id: str, *, team: str, channel: str, ts: str, at: datetime) -> bool:
        values = {"event_id": event_id, "team": team, "channel": channel, "ts": ts or None, "at": at}
        return await self._db.insert_new(inbox, values)
