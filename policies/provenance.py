"""What a call would do outside, as trusted code says it, and who named each value of it.

A value is an address that is reached, a thing that is changed, a link or a file that is passed on. `Impact` holds the
values; `policies.guards.tracing` finds who named each of them; the guards judge what came out, `Provenance`. That is
stored with the verdict: it holds the values and references to where they stood, and no text around them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, time
from enum import StrEnum

from policies.types import Label, Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Attached:
    """A file that is passed on, and the addresses of those who have it already. `id` is what Slack calls it, where it
    was shared there.
    """

    name: str
    readers: Sequence[str] = ()
    id: str = ""


DRAFT = "draft"
"""The kind of thing that its owner has not finished: nobody brings back what was written over, or sent too early."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Touched:
    """A thing that is changed, removed or answered, under the name that its owner knows it by.

    `people` are the addresses of those who take part in it; `is_own` says that it is its owner's, so that they chose
    these people and the title. `is_titled` says that they chose the title at least; if not, `author` is the address of
    who did, where that is known. `is_alone` says that nobody but its owner sees it, also once it is changed, `is_many`
    that it is done to more than one occurrence of it, `has_new_rhythm` that a series gets another rhythm or end. `day`
    is when it is, in its owner's zone, where that is known, and `begins` at what time, if it has one. `part_of` is the
    id of what it is a part of, such as the series of an occurrence; `is_next` says that no occurrence of that is to
    come before this one.
    """

    kind: str
    id: str
    title: str
    people: Sequence[str] = ()
    is_own: bool = False
    is_titled: bool = False
    author: str = ""
    is_alone: bool = False
    is_many: bool = False
    has_new_rhythm: bool = False
    day: date | None = None
    begins: time | None = None
    part_of: str = ""
    is_next: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Impact:
    """What a call would do outside.

    `destinations` are the addresses or Slack ids that it reaches or shares with, `inside` those of them that are full
    members or conversations of the workspace. `texts` are what these would read, `links` the addresses behind them
    that a reader does not see. Text that its owner set up themselves, such as their signature, does not count; where it
    stands in the others, `set_up` holds it, and no link of it is anybody else's.
    `called` are names that the call gives destinations: where to look for these people, and no proof of anything.
    `sender` is the address that a mail leaves from, if it is another one than its owner's mail does otherwise.
    `met` are the destinations that the owner wrote to before, `among` is the conversation in which all this happens.
    `removed` are those who take part in a thing and will not any more, each with the name that they have there.
    `calendar` is the destination that is a calendar, as its owner calls it: theirs are its name and its readers.
    `is_alone` says that nobody but its owner sees anything of what is made, such as an event without guests.
    `beside` are things that its owner has besides those that are touched: they may be called as these are. `today` is
    what the owner calls so, and `zone` where they are (IANA), where days are known. `verbs` ask for this
    very call, where its tool does several things. `is_later` says that it is done at a moment to come.
    """

    destinations: Sequence[str] = ()
    called: Mapping[str, str] = field(default_factory=dict[str, str])
    met: frozenset[str] = frozenset()
    among: Touched | None = None
    sender: str = ""
    removed: Mapping[str, str] = field(default_factory=dict[str, str])
    calendar: str = ""
    beside: Sequence[Touched] = ()
    today: date | None = None
    zone: str = ""
    inside: frozenset[str] = frozenset()
    texts: Sequence[str] = ()
    links: Sequence[str] = ()
    set_up: Sequence[str] = ()
    attachments: Sequence[Attached] = ()
    objects: Sequence[Touched] = ()
    is_alone: bool = False
    verbs: Sequence[str] = ()
    is_later: bool = False

    def tells_nothing(self) -> bool:
        """Whether it says neither who nor what it touches, nor that nobody else sees it."""
        passed_on = (*self.destinations, *self.texts, *self.links, *self.attachments)
        return not (self.is_alone or self.objects or any(passed_on))


class Source(StrEnum):
    """What can name a value."""

    MESSAGE = "message"  # what its owner typed in this thread
    ANSWER = "answer"  # an option that they chose
    FORM = "form"  # a window that they filled in
    CONTACT = "contact"  # somebody they wrote to before, called by their name
    MEMBER = "member"  # a message of another full member
    THING = "thing"  # who takes part in a thing that they named
    MADE = "made"  # the agent made it while it worked on this request


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """What named a value: its kind and its id."""

    source: Source
    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """Where else a value stood: in the result of an action, perhaps in a thing that it showed, by an author."""

    action: str
    caption: str = ""
    title: str = ""
    author: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Traced:
    """One value of an impact and who named it. `value` is exact (an address, a link, kind:id), `shown` is for people.

    Nobody named it where `named_by` is empty. `is_exact` says that a thing was called by its whole name, `is_alone`
    that nobody but its owner sees it, `is_beyond` that it is done to more occurrences of it than were asked for,
    `has_new_rhythm` that it gets another rhythm or end, and that was not asked for.
    """

    role: Role
    value: str
    shown: str = ""
    named_by: tuple[Reference, ...] = ()
    seen_in: tuple[Sighting, ...] = ()
    is_inside: bool = False
    is_exact: bool = False
    is_alone: bool = False
    is_beyond: bool = False
    has_new_rhythm: bool = False

    @property
    def is_named(self) -> bool:
        """Whether somebody named it whose words count."""
        return bool(self.named_by)

    @property
    def is_made(self) -> bool:
        """Whether the agent made it for this request."""
        return any(reference.source is Source.MADE for reference in self.named_by)

    @property
    def is_only_taking_part(self) -> bool:
        """Whether it was named only with a thing in which it takes part."""
        return self.is_named and all(reference.source is Source.THING for reference in self.named_by)


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Every value of an impact, traced. `is_verbatim`: its owner typed every text that leaves, word by word.
    `is_asked_for`: they asked with a verb for what the tool does, where they called what it is done to. `present` are
    the addresses of those who take part already in the things that were named and are changed.
    """

    values: tuple[Traced, ...] = ()
    is_verbatim: bool = False
    is_asked_for: bool = False
    present: tuple[str, ...] = ()

    @property
    def depends_on_label(self) -> bool:
        """Whether it counts what its run has read: it reaches somebody inside that nobody named (R6)."""
        return any(value.is_inside and not value.is_named for value in self.values)

    def unnamed(self, role: Role) -> list[Traced]:
        """The values of this role that nobody named."""
        return [value for value in self.values if value.role is role and not value.is_named]


class GuardMode(StrEnum):
    """What becomes of what the guards say, set by the administrators of a workspace."""

    ENFORCE = "enforce"
    SHADOW = "shadow"
    OFF = "off"


WORST_INSIDE = Label.MEMBER
"""The least trusted text after which a message inside the workspace still goes where nobody named (R6)."""
