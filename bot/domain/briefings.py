"""The daily briefing: what somebody's day holds and who waits for them, as code found it, and as it is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, cast

from bot.domain.runs import AttachedContext

MEETINGS_SHOWN = 6
MAILS_SHOWN = 5
_SNIPPET = 300
KIND = "briefing"


class ItemKind(StrEnum):
    """What an item is; the names are those of attached context."""

    MEETING = "calendar_event"
    MAIL = "email"


class ItemVerb(StrEnum):
    """What a button on an item asks for."""

    ANSWER = "answer"
    OPEN = "open"
    PREPARE = "prepare"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A meeting, or a mail that waits. `when` is in words, `notes` are conflicts; `people` and `where` may be empty."""

    kind: ItemKind
    id: str
    title: str
    when: str
    people: str = ""
    where: str = ""
    snippet: str = ""
    link: str = ""
    notes: Sequence[str] = ()

    @property
    def verbs(self) -> Sequence[ItemVerb]:
        """What can be asked of it."""
        return (ItemVerb.PREPARE,) if self.kind is ItemKind.MEETING else (ItemVerb.ANSWER, ItemVerb.OPEN)

    def attached(self) -> AttachedContext:
        """The item as what a run begins with."""
        meta = {"when": self.when, "people": self.people, "where": self.where, "conflicts": list(self.notes)}
        return AttachedContext(
            type=self.kind.value,
            id=self.id,
            title=self.title,
            snippet=self.snippet[:_SNIPPET],
            meta={name: value for name, value in meta.items() if value},
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Briefing:
    """One day. `meetings` or `mails` is None when they could not be looked at; `remarks` say why."""

    day: str
    meetings: Sequence[Item] | None
    mails: Sequence[Item] | None
    more_meetings: int = 0
    more_mails: int = 0
    remarks: Sequence[str] = ()

    @property
    def items(self) -> Sequence[Item]:
        """Everything that has a button, in the order in which it is shown."""
        return (*(self.meetings or ()), *(self.mails or ()))

    def counts(self) -> Sequence[str]:
        """What it holds in words, without anybody's own words."""
        meetings = _count(self.meetings, self.more_meetings, "meeting today", "meetings today")
        mails = _count(self.mails, self.more_mails, "mail waits for an answer", "mails wait for an answer")
        return [*meetings, *mails, *self.remarks]

    def attached(self, briefing_id: str) -> Sequence[AttachedContext]:
        """The briefing with its items, as what a reply to it begins with."""
        whole = AttachedContext(type=KIND, id=briefing_id, title=self.day, snippet="; ".join(self.counts())[:_SNIPPET])
        return (whole, *(item.attached() for item in self.items))

    def as_elements(self) -> Sequence[Mapping[str, object]]:
        """As it is kept with its message."""
        return [{"type": KIND, **asdict(self)}]


def briefing_in(elements: Sequence[Mapping[str, object]]) -> Briefing | None:
    """The briefing that a message holds; None where it holds none."""
    if not elements or elements[0].get("type") != KIND:
        return None
    kept = cast("dict[str, Any]", {name: value for name, value in elements[0].items() if name != "type"})
    for name in ("meetings", "mails"):
        rows = cast("list[dict[str, Any]] | None", kept[name])
        kept[name] = None if rows is None else [Item(**row | {"kind": ItemKind(row["kind"])}) for row in rows]
    return Briefing(**kept)


def _count(items: Sequence[Item] | None, more: int, one: str, many: str) -> Sequence[str]:
    if items is None:
        return []
    number = len(items) + more
    return [f"1 {one}" if number == 1 else f"{number or 'no'} {many}"]
