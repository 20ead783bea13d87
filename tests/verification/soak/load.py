"""The load: people who mention the agent, write to it, approve, reject, and leave cards unanswered."""

from __future__ import annotations

import asyncio
import itertools
import random
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playground.people import COLLEAGUES, Person
from tests.acceptance.slack_side import GENERAL, SALES, send_mail
from tests.acceptance.world import APPROVE, REJECT, Json, World

_BY_ID = {person.user_id: person for person in COLLEAGUES}
_CARDS = (
    "SELECT q.id, q.user, p.channel, p.ts FROM questions q JOIN posts p ON p.slot = 'card:' || q.id "
    "WHERE q.state = 'open' ORDER BY q.id"
)


@dataclass(slots=True)
class Load:
    """Steady, mixed and the same each time."""

    here: World
    database: Path
    chance: random.Random = field(default_factory=lambda: random.Random(7))
    left: set[str] = field(default_factory=set[str])
    asked: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    refused: int = 0
    _numbers: itertools.count[int] = field(default_factory=itertools.count)

    async def asks(self, per_second: float) -> None:
        """Requests, evenly spread, until cancelled."""
        while True:
            said = await self._one(next(self._numbers))
            if said["ok"]:
                self.asked.append((said["channel"], said["ts"]))
            self.refused += not said["ok"]
            await asyncio.sleep(1 / per_second)

    async def _one(self, n: int) -> Json:
        """One request, as Slack took it. Not everybody is a member of each channel."""
        person = COLLEAGUES[n % len(COLLEAGUES)]
        match n % 4:
            case 0:
                said = await self.here.mention(person, (SALES, GENERAL)[n // 4 % 2], "hello")
                return said if said["ok"] else await self.here.mention(person, GENERAL, "hello")
            case 1:
                return await self.here.say(person, "hello")
            case _:
                return await self.here.say(person, send_mail(f"guest{n}@example.com", f"Benches {n}"))

    async def answers(self) -> None:
        """Presses on cards, until cancelled: a third is approved, a third rejected, the rest left to expire."""
        while True:
            for question_id, user, channel, ts in await asyncio.to_thread(self._cards):
                if question_id not in self.left:
                    await self._answer(question_id, _BY_ID[user], {"channel": channel, "ts": ts})
            await asyncio.sleep(0.5)

    async def _answer(self, question_id: str, person: Person, card: dict[str, Any]) -> None:
        self.left.add(question_id)
        choice = self.chance.choice((APPROVE, REJECT, None))
        if choice is not None:
            await self.here.click(person, card, choice)

    def _cards(self) -> Sequence[tuple[str, str, str, str]]:
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True, timeout=5)) as rows:
            return rows.execute(_CARDS).fetchall()
