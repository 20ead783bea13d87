"""The repository of what was asked over HTTP under a key."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import bindparam, delete

from bot.domain.threads import KeyedRequest
from bot.store.engine.session import Repository, given, with_id
from bot.store.engine.statements import Prepared
from bot.store.tables.conversations import http_requests

_FIND = with_id(http_requests)
_OUTDATED = Prepared(delete(http_requests).where(given(http_requests.c.id), http_requests.c.at <= bindparam("until")))
_DROP = Prepared(delete(http_requests).where(given(http_requests.c.id)))


class HttpRequests(Repository):
    """Requests by the id of their key."""

    async def begin(self, request_id: str, *, body: str, at: datetime, until: datetime) -> KeyedRequest | None:
        """Take a key, or say what it stands for; one from `until` or before stands for nothing any more.

        Waits for a transaction that takes the same one. Its row is then there to be read, or was given back.
        """
        known = {"id": request_id}
        await self._db.execute(_OUTDATED, {**known, "until": until})
        while not await self._db.insert_new(
            http_requests, {**known, "body": body, "run_id": None, "message_id": "", "at": at}
        ):
            if found := await self._db.first(KeyedRequest, _FIND, known):
                return found
        return None

    async def stands_for(self, request_id: str, run_id: str, message_id: str) -> None:
        """Say which run the key stands for, and which message, where it is one."""
        await self._db.change(http_requests, {"id": request_id}, {"run_id": run_id, "message_id": message_id})

    async def give_back(self, request_id: str) -> None:
        """Nothing was taken under this key."""
        await self._db.execute(_DROP, {"id": request_id})
