"""Who somebody is: the profile as Slack tells it, kept in rows. A failing look-up never blocks a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import structlog

from bot.domain.threads import User
from bot.errors import BotError
from bot.runtime.ports import Store

log = structlog.get_logger()


class Profiles(Protocol):
    """Where profiles come from. Raises `BotError` when they cannot be had."""

    async def profile(self, team: str, user: str) -> User:
        """The person as he is known now."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileBook:
    """Profiles, as fresh as can be had."""

    store: Store
    profiles: Profiles

    async def person(self, team: str, user: str) -> User:
        """The person as the directory knows him now, else as last seen, else by his id alone."""
        try:
            profile = await self.profiles.profile(team, user)
        except BotError as error:
            log.warning("profile.unavailable", team=team, user=user, reason=type(error).__name__)
            async with self.store.read() as work:
                return await work.users.find(team, user) or User(team=team, user=user)
        async with self.store.write() as work:
            return await work.users.seen(profile)
