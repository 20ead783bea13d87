"""The policy and the agents of this installation: what is shipped, and what POLICIES_DIR and AGENTS_DIR have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import structlog

from bot.agents import library
from bot.agents.definition import Definition, Single
from bot.agents.library import SHIPPED, Library
from bot.errors import Misconfigured
from bot.settings import Settings
from bot.wiring.tools import known_arguments
from policies import loader
from policies.loader import Policy

log = structlog.get_logger()


def policy_of(settings: Settings) -> Policy:
    """The policy in force. Raises `InvalidPolicy`."""
    return loader.load(Path(settings.policies_dir) if settings.policies_dir else None)


def library_of(settings: Settings, asked: Iterable[Path] = ()) -> Library:
    """All definitions, and these files, which keep the names that they were asked by. Raises `Misconfigured` where
    AGENTS_DIR is no folder.
    """
    files = [*library.files_of(SHIPPED), *_own(settings), *asked]
    return library.load({path.resolve(): path for path in files}.values(), known_arguments().keys())


def agents_of(settings: Settings) -> Sequence[Definition]:
    """Those that can work here. Raises `Misconfigured` where one cannot be read: nobody is to miss it unawares."""
    found = library_of(settings)
    if found.problems:
        listed = "\n".join(f"  {problem}" for problem in found.problems)
        raise Misconfigured(f"AGENTS_DIR has definitions that cannot be used. Correct or remove them:\n{listed}")
    for entry in found.entries.values():
        if not entry.is_available:
            log.info("agent.unavailable", agent=entry.definition.name, lacks=", ".join(entry.lacks))
    available = [entry.definition for entry in found.entries.values() if entry.is_available]
    return [definition for definition in available if isinstance(definition.flow, Single)]


def _own(settings: Settings) -> Sequence[Path]:
    if settings.agents_dir is None:
        return ()
    folder = Path(settings.agents_dir)
    if not folder.is_dir():
        raise Misconfigured(f"AGENTS_DIR names {folder}, which is no folder: make it, or leave AGENTS_DIR empty.")
    return library.files_of(folder)
