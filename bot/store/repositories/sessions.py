"""The repository of sessions. One ends by one guarded UPDATE: the second caller finds none."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, and_, bindparam, select, update

from bot.domain.sessions import BrowserSession
from bot.store.engine.session import Repository, given
from bot.store.engine.statements import Prepared
from bot.store.rows import columns_of
from bot.store.tables.people import sessions

_NOW = bindparam("now", type_=sessions.c.expires_at.type)
_IS_LIVE = and_(sessions.c.ended_at.is_(None), sessions.c.expires_at > _NOW)
_BY_TOKEN = Prepared(select(sessions).where(given(sessions.c.token_hash), _IS_LIVE))
_BY_STATE = Prepared(select(sessions).where(given(sessions.c.state_hash)))
_OF = Prepared(
    select(sessions).where(given(sessions.c.team, sessions.c.user), _IS_LIVE).order_by(sessions.c.created_at.desc())
)


class Sessions(Repository):
    """Who is signed in."""

    async def begin(self, new: BrowserSession) -> bool:
        """Store it; False when the state that it came with, or its token, has made one already."""
        return await self._db.insert_new(sessions, columns_of(new))

    async def by_token(self, token_hash: str, *, now: datetime) -> BrowserSession | None:
        """The session, while it lives."""
        return await self._db.first(BrowserSession, _BY_TOKEN, {"token_hash": token_hash, "now": now})

    async def by_state(self, state_hash: str) -> BrowserSession | None:
        """The session that this state has made, whether it lives or not, as long as it is kept."""
        return await self._db.first(BrowserSession, _BY_STATE, {"state_hash": state_hash})

    async def of(self, team: str, user: str, *, now: datetime) -> Sequence[BrowserSession]:
        """Those of a person that live, the newest first."""
        return await self._db.all(BrowserSession, _OF, {"team": team, "user": user, "now": now})

    async def end(self, session_id: str, *, team: str, user: str, at: datetime) -> bool:
        """End one of this person's; False when there is none of them that lives."""
        theirs = and_(sessions.c.id == session_id, sessions.c.team == team, sessions.c.user == user)
        return bool(await self._end(theirs, at))

    async def end_by_token(self, token_hash: str, *, at: datetime) -> BrowserSession | None:
        """End the one of this token and return it; None when there is none that lives."""
        ended = await self._end(sessions.c.token_hash == token_hash, at)
        return ended[0] if ended else None

    async def end_all(self, team: str | None, user: str | None = None, *, at: datetime) -> Sequence[BrowserSession]:
        """End those of a person, of a workspace, or (None) all there are."""
        whose = [sessions.c.team == team] if team else []
        return await self._end(and_(True, *whose, *([sessions.c.user == user] if user else [])), at)

    async def _end(self, which: ColumnElement[bool], at: datetime) -> Sequence[BrowserSession]:
        lives = and_(which, sessions.c.ended_at.is_(None), sessions.c.expires_at > at)
        return await self._db.all(
            BrowserSession, update(sessions).where(lives).values(ended_at=at).returning(*sessions.c)
        )
