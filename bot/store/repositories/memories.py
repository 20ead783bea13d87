"""Memories, in SQL, ranked by how many of the words they have, and how rare those are among a person's memories.

SQLite ranks with its full-text index (FTS5, `bm25`). On PostgreSQL the words are a `tsvector` of our own making: its
parsers know no prefixes and fold no accents without an extension, and a query of theirs can have operators. A trigger
takes what is forgotten out of the index.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any
from unicodedata import combining, normalize

from sqlalchemy import Integer, bindparam, delete, select, text, update

from bot.store.engine.session import Repository, given
from bot.store.engine.statements import Prepared
from bot.store.tables.conversations import objects
from bot.store.tables.people import memories
from integrations.ports import Memory

_NUMBERED = select(*(memories.c[name] for name in ("n", "id", "text", "label", "created_at")))
_BY_KEY = Prepared(_NUMBERED.where(given(memories.c.key)))
_OWNED = _NUMBERED.where(given(memories.c.team, memories.c.user), memories.c.forgotten_at.is_(None))
_NEWEST = Prepared(_OWNED.order_by(memories.c.n.desc()).limit(bindparam("limit", type_=Integer)))
_AMONG = Prepared(_OWNED.where(memories.c.n.in_(bindparam("numbers"))))
_RANKED_BY_SQLITE = Prepared(
    text(
        "SELECT rowid FROM memories_index WHERE memories_index MATCH :query "
        "ORDER BY bm25(memories_index, 0.0, 1.0), rowid DESC LIMIT :most"
    )
)
_RANKED_BY_POSTGRESQL = Prepared(
    text(
        """WITH
      mine AS (SELECT n, words FROM memories_index JOIN memories USING (n) WHERE team = :team AND "user" = :user),
      asked AS (SELECT CAST(word AS tsquery) AS word FROM unnest(CAST(:words AS text[])) AS word),
      known AS (SELECT word, count(*) AS times FROM asked JOIN mine ON words @@ word GROUP BY word)
    SELECT n FROM mine JOIN known ON words @@ word GROUP BY n
    ORDER BY sum(ts_rank(words, word, :by_length) * ln(1 + (SELECT count(*) FROM mine) / CAST(times AS float))) DESC,
      n DESC LIMIT :most"""
    )
)
_BY_LENGTH = 2  # the normalization of `ts_rank` that divides by the length
_INDEX = text("INSERT INTO memories_index (n, words) VALUES (:n, CAST(:words AS tsvector))")
_MOST_WORDS = 64
"""Of a query: each is looked for in all memories, and a message may have 40,000 characters."""

_LONGEST_WORD, _LAST_PLACE = 250, 16_383  # of a tsvector: 2,046 bytes in a word, and places up to this one


def _numbered(n: int, **row: Any) -> tuple[int, Memory]:
    return n, Memory(**row)


def match_any(query: str) -> str:
    """An FTS5 query that any word of this text matches; quoted, so that no word is an operator."""
    return " OR ".join(f'"{word}"*' for word in _telling(re.findall(r"\w+", query.casefold())))


def _telling(words: Iterable[str]) -> list[str]:
    """Each word once; of too many the longest, which are the rarest as a rule."""
    return sorted(dict.fromkeys(words), key=len, reverse=True)[:_MOST_WORDS]


def folded_words(said: str) -> list[str]:
    """The words of a text without case and accents, as FTS5's `unicode61 remove_diacritics 2` finds them."""
    letters = [letter for letter in normalize("NFKD", said.casefold()) if not combining(letter)]
    return [word[:_LONGEST_WORD] for word in re.findall(r"[^\W_]+", "".join(letters))]


def _tsvector(said: str) -> str:
    places = enumerate(folded_words(said), start=1)
    return " ".join(f"'{word}':{min(place, _LAST_PLACE)}" for place, word in places)


class Memories(Repository):
    """People's memories, with full-text search."""

    async def save(self, memory: Memory, *, team: str, user: str, key: str) -> Memory:
        values = {"id": memory.id, "text": memory.text, "label": memory.label.value, "created_at": memory.created_at}
        fresh = await self._db.insert_new(memories, {**values, "team": team, "user": user, "key": key})
        number, stored = await self._db.the(_numbered, _BY_KEY, {"key": key})
        if fresh and self._db.is_shared:
            await self._db.execute(_INDEX, {"n": number, "words": _tsvector(memory.text)})
        return stored

    async def search(self, team: str, user: str, query: str, *, limit: int) -> Sequence[Memory]:
        whose = {"team": team, "user": user}
        if not match_any(query):
            return [memory for _, memory in await self._db.all(_numbered, _NEWEST, whose | {"limit": limit})]
        if not (order := await self._ranked(team, user, query, limit)):
            return []
        found = dict(await self._db.all(_numbered, _AMONG, whose | {"numbers": order}))
        return [found[n] for n in order if n in found]

    async def _ranked(self, team: str, user: str, query: str, limit: int) -> Sequence[int]:
        """The numbers of the best matches."""
        if self._db.is_shared:
            words = [f"'{word}':*" for word in _telling(folded_words(query))]
            asked = {"team": team, "user": user, "words": words, "by_length": _BY_LENGTH, "most": limit}
            return await self._db.values(_RANKED_BY_POSTGRESQL, asked)
        matching = f"owner:{_owner(team, user)} AND text:({match_any(query)})"
        asked = {"query": matching, "most": limit}
        return await self._db.values(_RANKED_BY_SQLITE, asked)

    async def forget(self, team: str, user: str, memory_id: str, *, at: datetime) -> bool:
        mine = (memories.c.team == team) & (memories.c.user == user) & (memories.c.id == memory_id)
        gone = update(memories).where(mine, memories.c.forgotten_at.is_(None)).values(forgotten_at=at, text="")
        if not await self._db.is_done(gone.returning(memories.c.n)):
            return False
        shown = (objects.c.kind == "memory") & (objects.c.object_id == memory_id) & (objects.c.owner == user)
        await self._db.execute(delete(objects).where(shown))
        return True


def _owner(team: str, user: str) -> str:
    """The owner as one token of the index (triggers of the first migration write the same)."""
    return f'"{team}x{user}"'
