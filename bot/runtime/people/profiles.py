"""Profiles from Slack, kept in rows. A failing look-up never stops a person who is known."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

import structlog

from bot.domain.threads import User
from bot.errors import BotError
from bot.runtime.core.ports import NoSuchPerson
from bot.store.store import Store

log = structlog.get_logger()

SILENT_SECONDS = 5.0
"""For so long nobody asks again about a person that the directory said nothing about in time: each of many requests
would wait for it anew.
"""

MOST_SILENT = 10_000


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


class _NotAsked(BotError):
    """The directory said nothing a moment ago."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileService:
    """Profiles, as fresh as can be had within `patience_seconds`, where whoever asks cannot wait for ever."""

    store: Store
    profiles: Profiles
    patience_seconds: float | None = None
    monotonic: Callable[[], float] = time.monotonic
    _silent_until: OrderedDict[tuple[str, str], float] = field(default_factory=OrderedDict[tuple[str, str], float])

    async def person(self, team: str, user: str) -> User:
        """The person as the directory has them now, else as last seen.

        Raises `NobodyKnown`, which is `NotLookedUp` where the directory did not say so itself, `NotRead`, `NotSaved`.
        """
        known = await self._seen(team, user)
        try:
            profile = await self._told(team, user)
        except (BotError, TimeoutError) as error:
            if not isinstance(error, _NotAsked):
                log.warning("profile.unavailable", team=team, user=user, reason=type(error).__name__)
            if known is None:
                missing = NobodyKnown if isinstance(error, NoSuchPerson) else NotLookedUp
                raise missing(f"nobody is known by the id {user}") from error
            return known
        if known is not None and replace(profile, level=known.level) == known:
            return known
        async with self.store.write() as work:
            return await work.users.seen(profile)

    async def _told(self, team: str, user: str) -> User:
        """What the directory says. Raises `BotError`, and `TimeoutError` where it says nothing in time."""
        who = team, user
        if self.monotonic() < self._silent_until.get(who, float("-inf")):
            raise _NotAsked
        try:
            async with asyncio.timeout(self.patience_seconds):
                return await self.profiles.profile(team, user)
        except TimeoutError:
            self._silent_until[who] = self.monotonic() + SILENT_SECONDS
            self._silent_until.move_to_end(who)
            if len(self._silent_until) > MOST_SILENT:
                self._silent_until.popitem(last=False)
            raise

    async def _seen(self, team: str, user: str) -> User | None:
        async with self.store.read() as work:
            return await work.users.find(team, user)
