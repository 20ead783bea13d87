"""A message as Slack sent it, with its files, and what became of it: admitted, or refused and why."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.domain.files import MAX_FILES, FileState, MessageFile
from bot.domain.ids import new_id
from bot.domain.runs import SLACK_MESSAGE, AttachedContext

_LONGEST = 120  # characters of a name
_MESSAGE = 8_000  # and of a message that is attached
_ID = re.compile(r"F[A-Z0-9]{2,}")
_NO_END = str.maketrans("[]“”", '()""')


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedFile:
    """A file of Slack's, under the name that its maker chose. By its id tools take it along, with a mail for one.

    `is_own` says that the person who sends it put it there, and did not forward it with another message.
    """

    name: str
    id: str = ""
    is_own: bool = False

    def __str__(self) -> str:
        """On one line, and the name inside its quotes, so that it reads as nothing that its sender says."""
        known = f", id {self.id}" if _ID.fullmatch(self.id) else ""
        return f"[file attached: “{self.shown}”{known}]"

    @property
    def shown(self) -> str:
        """Its name, harmless where it is quoted."""
        return _harmless(self.name)


def _harmless(name: str) -> str:
    """A name that somebody chose, on one line, which ends no quotes and no brackets."""
    seen = "".join(char if char.isprintable() else " " for char in name)
    line = " ".join(seen.translate(_NO_END).split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedMessage:
    """A message of Slack that somebody attached to theirs: its author's words, never typed by who attached it."""

    channel: str
    ts: str
    author: str
    place: str = ""
    text: str
    link: str = ""

    def __str__(self) -> str:
        """What stands in its place among the words of who attached it."""
        return f"[message attached, of “{_harmless(self.author) or 'somebody'}”]"

    def attached(self) -> AttachedContext:
        """It as what a run begins with."""
        cut = len(self.text) > _MESSAGE
        meta = {"author": self.author, "channel": self.place or self.channel, "link": self.link}
        return AttachedContext(
            type=SLACK_MESSAGE,
            id=f"{self.channel}:{self.ts}",
            title=f"Message of {_harmless(self.author) or 'somebody'}",
            snippet=f"{self.text[:_MESSAGE]}… (cut)" if cut else self.text,
            meta={name: value for name, value in meta.items() if value},
        )


def with_shared(text: str, messages: Sequence[SharedMessage], files: Sequence[SharedFile]) -> str:
    """What somebody said, and a line for each thing that goes along with it."""
    return "\n".join([text.strip(), *map(str, messages), *map(str, files)]).strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """A message as the surface read it. `typed` is the author's own typed words; `text` is what a person would read."""

    event_id: str
    team: str
    channel: str
    ts: str
    thread_ts: str | None
    user: str
    text: str
    typed: str
    elements: Sequence[Mapping[str, object]] = ()
    is_dm: bool
    mentions_agent: bool
    files: Sequence[SharedFile] = ()
    external: bool = False
    messages: Sequence[SharedMessage] = ()

    def files_of(self, message_id: str) -> list[MessageFile]:
        """Its files, to be read by the run that takes it in."""
        return [
            MessageFile(
                id=new_id("file"),
                message_id=message_id,
                seq=seq,
                slack_id=file.id,
                name=file.shown,
                state=FileState.WAITING if seq < MAX_FILES else FileState.TOO_MANY,
                is_own=file.is_own,
            )
            for seq, file in enumerate(self.files)
        ]

    @property
    def attached(self) -> Sequence[AttachedContext]:
        """What a run begins with, besides what was said."""
        return [message.attached() for message in self.messages]


class Admission(StrEnum):
    """What became of a message."""

    STARTED = "started"
    DUPLICATE = "duplicate"
    IGNORED = "ignored"
    STOPPED = "stopped"
    STEERS = "steers"  # a run of the same person goes on with it
    NOTED = "noted"  # a step of a flow hears it once its card is approved
    REJECTED = "rejected"  # what waited for approval
    ANSWERED = "answered"  # a question of a run
    POINTED = "pointed"  # at the buttons
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Admitted:
    """The outcome, the run that it is about, and what its author alone is told at once, beside what is delivered."""

    admission: Admission
    run_id: str | None = None
    aside: str = ""
