"""Who somebody is: as fresh as can be had, and never in the way of somebody who is known."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from bot.domain.threads import User
from bot.errors import BotError
from bot.runtime.people.profiles import NobodyKnown, ProfileService
from policies.types import TrustLevel
from tests import builders as make
from tests.builders import DANA, TEAM
from tests.stores import Opened


@dataclass(slots=True)
class Directory:
    """Knows one person, or cannot be reached."""

    person: User | None

    async def profile(self, team: str, user: str) -> User:
        if self.person is None:
            raise BotError
        return self.person


async def test_a_person_is_known_as_well_as_can_be(base: Opened) -> None:
    """Not at all, then as the directory says, then as last seen; the level that was chosen stays."""
    directory = Directory(None)
    book = ProfileService(store=base.store, profiles=directory)
    with pytest.raises(NobodyKnown):
        await book.person(TEAM, DANA)
    async with base.store.write() as work:
        await work.users.set_level(TEAM, DANA, TrustLevel.DELEGATED.value)
    directory.person = make.person()
    seen = await book.person(TEAM, DANA)
    assert (seen.name, seen.level) == ("Dana Okafor", TrustLevel.DELEGATED)
    directory.person = None
    assert await book.person(TEAM, DANA) == seen
