"""Where a scene plays: the emulators, the agent's process, its audit log, and the scene's memory."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Protocol, Self, TypeVar

from playground.agent_process import AgentProcess
from playground.audit_feed import AuditFeed
from playground.environment import Addresses
from playground.people import Person
from playground.stage.cards import Posted
from playground.stage.emulator import Emulator
from playground.stage.google import GoogleStage
from playground.stage.slack import SlackStage, room_called

PATIENCE_SECONDS = 30.0
LOOK_SECONDS = 0.1

Found = TypeVar("Found")
Say = Callable[[str, str], None]
Check = Callable[[], Awaitable[str | None]]


class Unmet(Exception):
    """An expectation was not met; the message says what was there instead."""


class Playing(Protocol):
    """The running playground that a scene acts in."""

    @property
    def addresses(self) -> Addresses: ...
    @property
    def agent(self) -> AgentProcess: ...
    @property
    def audit(self) -> AuditFeed: ...
    async def verify_audit(self) -> tuple[bool, str]: ...


class Stage:
    """Opened by `async with`. Remembers who spoke last and where, the cards seen, and what must hold to the end.

    In `lasting` a later expectation of the same thing replaces an earlier one.
    """

    def __init__(self, playing: Playing, *, patience: float) -> None:
        self.playing = playing
        self.slack = SlackStage(Emulator(playing.addresses.slack))
        self.google = GoogleStage(Emulator(playing.addresses.google))
        self.model = Emulator(playing.addresses.gemini) if playing.addresses.gemini else None
        self.speaker: Person | None = None
        self.channel = ""
        self.asked = ""
        self.cards: dict[str, Posted] = {}
        self.lasting: dict[str, Check] = {}
        self.sent_before: set[str] = set()
        self._patience = patience
        self._opened = AsyncExitStack()

    async def __aenter__(self) -> Self:
        for emulator in (self.slack.emulator, self.google.emulator, self.model):
            if emulator:
                await self._opened.enter_async_context(emulator)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._opened.aclose()

    def who(self, given: Person | None) -> Person:
        """The person that a step names, else the one who spoke last."""
        person = given or self.speaker
        if person is None:
            raise Unmet("nobody has spoken yet: name a person")
        return person

    async def where(self, place: str, person: Person) -> str:
        """The channel of `dm` or `#name`."""
        return await self.slack.dm(person) if place == "dm" else room_called(place)

    def card(self, name: str | None) -> Posted:
        """The card that an earlier step called `name`, else the last one seen."""
        if name is None and self.cards:
            return list(self.cards.values())[-1]
        if name is None or name not in self.cards:
            raise Unmet(f"no card was seen that is called {name or 'anything'}")
        return self.cards[name]

    async def until(self, look: Callable[[], Awaitable[Found | None]], unmet: Callable[[], Awaitable[str]]) -> Found:
        """What `look` finds, repeatedly. Raises `Unmet` with `unmet()` when the time is over."""
        try:
            async with asyncio.timeout(self._patience):
                while (found := await look()) is None:  # noqa: ASYNC110 - the awaited state changes in other processes
                    await asyncio.sleep(LOOK_SECONDS)
                return found
        except TimeoutError:
            raise Unmet(await unmet()) from None
