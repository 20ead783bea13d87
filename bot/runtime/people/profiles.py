"""Profiles from Slack, kept in rows. A failing look-up never stops a person who is known."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import Protocol

import structlog

from bot.domain.threads import User
from bot.errors import BotError
from bot.runtime.core.ports import NoSuchPerson
from bot.store.store import Store

log = structlog.get_logger()


class Profiles(Protocol):
    """Where profiles come from. Raises `NoSuchPerson` where there is no such one, else `BotError` when they cannot be
    had.
    """

    async def profile(self, team: str, user: str) -> User:
        """The person as they are known now."""
        ...


class NobodyKnown(BotError):
    """Neither the directory nor a row says who this is: nothing may be done for them."""


class NotLookedUp(NobodyKnown):
    """The directory could not be asked, and no row says who this is: later it may be known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileService:
    """Profiles, as fresh as can be had within `patience_seconds`, where whoever asks cannot wait for ever."""

    store: Store
    profiles: Profiles
    patience_seconds: float | None = None

    async def person(self, team: str, user: str) -> User:
        """The person as the directory has them now, else as last seen.

        Raises `NobodyKnown`, which is `NotLookedUp` where the directory did not say so itself, `NotRead`, `NotSaved`.
        """
        known = await self._seen(team, user)
        try:
            async with asyncio.timeout(self.patience_seconds):
                profile = await self.profiles.profile(team, user)
        except (BotError, TimeoutError) as error:
            log.warning("profile.unavailable", team=team, user=user, reason=type(error).__name__)
            if known is None:
                missing = NobodyKnown if isinstance(error, NoSuchPerson) else NotLookedUp
                raise missing(f"nobody is known by the id {user}") from error
            return known
        if known is not None and replace(profile, level=known.level) == known:
            return known
        async with self.store.write() as work:
            return await work.users.seen(profile)

    async def _seen(self, team: str, user: str) -> User | None:
        async with self.store.read() as work:
            return await work.users.find(team, user)
