"""The repository of event ids that Slack delivered."""

from __future__ import annotations

from datetime import datetime

from bot.store.engine.session import Session
from bot.store.tables.conversations import inbox


class Inbox:
    """Events that Slack delivered already."""

    def __init__(self, session: Session) -> None:
        self._db = session

    async def admit(self, event_id: str, *, team: str, channel: str, ts: str, at: datetime) -> bool:
        """Whether both the event id and (team, channel, ts) are new; an empty `ts` is not compared."""
        values = {"event_id": event_id, "team": team, "channel": channel, "ts": ts or None, "at": at}
        return await self._db.insert_new(inbox, values)
