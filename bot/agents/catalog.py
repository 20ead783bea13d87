"""The agents of this installation: which may be used here, and what keeps the others from it."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.agents.definition import Definition
from bot.errors import BotError


class NoSuchAgent(BotError):
    """There is no agent of this name; `near` is one that was perhaps meant."""

    def __init__(self, name: str, near: str = "") -> None:
        self.near = near
        meant = f" Did you mean “{near}”?" if near else ""
        super().__init__(f"There is no agent “{name}”.{meant}")


class AgentUnavailable(BotError):
    """An agent cannot be used here, with the reasons."""

    def __init__(self, name: str, lacks: Sequence[str]) -> None:
        super().__init__(f"The agent “{name}” cannot be used here: it lacks {', '.join(lacks)}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentInfo:
    """An agent, the tools that it has here, and what it lacks; it may be used where that is nothing."""

    definition: Definition
    tools: Sequence[str]
    lacks: Sequence[str] = ()

    @property
    def is_available(self) -> bool:
        """Whether people may have it work."""
        return not self.lacks


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentCatalog:
    """All agents by name. One with an unreadable file is not among them."""

    agents: Mapping[str, AgentInfo]

    @property
    def available(self) -> Sequence[AgentInfo]:
        """Those that people may have work, by title."""
        usable = (one for one in self.agents.values() if one.is_available)
        return sorted(usable, key=lambda one: one.definition.title.casefold())

    def find(self, typed: str) -> Definition:
        """The agent that a person means, by its name or title. Raises `NoSuchAgent` and `AgentUnavailable`."""
        wanted = typed.strip().casefold()
        by_title = {one.definition.title.casefold(): one for one in self.agents.values()}
        found = self.agents.get(wanted.replace("-", "_").replace(" ", "_")) or by_title.get(wanted)
        if found is None:
            raise NoSuchAgent(typed.strip(), self._near(wanted))
        if not found.is_available:
            raise AgentUnavailable(found.definition.name, found.lacks)
        return found.definition

    def _near(self, wanted: str) -> str:
        names = [one.definition.name for one in self.available]
        return next(iter(difflib.get_close_matches(wanted, names, n=1, cutoff=0.6)), "")
