"""What tools may ask for, and the values in which they are answered. `bot.wiring.app` joins them to who knows."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Protocol

from integrations.base import Json, Requester
from integrations.errors import ToolFailed
from policies.types import Label


class Clock(Protocol):
    """The time, injected."""

    def now(self) -> datetime:
        """The current moment, aware, in UTC."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """A Slack conversation that a person may see. `topic_by` is the id of who wrote its topic; "" where Slack does not
    say.
    """

    id: str
    name: str
    topic: str = ""
    topic_by: str = ""
    is_private: bool = False
    is_member: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackMessage:
    """One message of Slack, with its author's name and whether they are a full member of the workspace.

    `text` has no address that its author did not write: neither in the names of people and groups nor in those of
    `files`, which stand apart.
    """

    channel: str
    ts: str
    author: str
    text: str
    files: Sequence[str] = ()
    by_member: bool = True
    thread_ts: str | None = None
    reply_count: int = 0


class SlackReader(Protocol):
    """Slack as one person may see it: public channels, and those they are a member of (checked at every call)."""

    async def channels(self, requester: Requester) -> Sequence[Channel]:
        """The channels they may see. Raises `ToolFailed` when Slack refuses."""
        ...

    async def are_members(self, users: Collection[str]) -> bool:
        """Whether all of them are full members of the workspace by now; what cannot be told counts as no."""
        ...

    async def messages(
        self, requester: Requester, channel: str, *, thread_ts: str | None, limit: int
    ) -> Sequence[SlackMessage]:
        """The newest messages, oldest first. Raises `ModelRetry` for a channel that is unknown or hidden from them."""
        ...

    async def seen_by_all(self, channel: str, *, readers_of: str | None) -> bool:
        """Whether every reader of `readers_of` could also read `channel`; a DM of the requester is None."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackFile:
    """A file that somebody shared in Slack, as it is now. `size` is in bytes."""

    id: str
    name: str
    mime_type: str
    size: int


class FileTooLarge(ToolFailed):
    """A file has more bytes than may be read."""

    def __init__(self, name: str, limit: int) -> None:
        super().__init__("file_too_large", f"“{name}” is larger than {limit:,} bytes.")


class SlackFiles(Protocol):
    """Slack's files as one person may see them: their own, and those in conversations that they can read."""

    async def file(self, requester: Requester, file_id: str) -> SlackFile:
        """What it is. Raises `ModelRetry` for a file that is unknown or hidden from them."""
        ...

    async def content(self, requester: Requester, file_id: str, *, limit: int) -> bytes:
        """What is in it; as `file`. Raises `FileTooLarge` beyond the limit, `ToolFailed` when it cannot be fetched."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """Somebody who can be written to. `known_from` says in words where the address stands, `is_written_to` that the
    person has written to them before.
    """

    name: str
    email: str
    known_from: str
    label: Label
    is_written_to: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedPeople:
    """People that a place knows by name. `unseen` says in a sentence what of it was not looked at; empty: nothing.
    `is_closed` says that its owner has not allowed us to look there.
    """

    people: Sequence[Contact] = ()
    unseen: str = ""
    is_closed: bool = False


class Contacts(Protocol):
    """One of the places where a person's contacts stand."""

    @property
    def where(self) -> str:
        """What its owner calls it, as in “your mails”."""
        ...

    @property
    def allowed_by(self) -> str:
        """What has to follow `/agent connect google` for us to look there."""
        ...

    async def named(self, requester: Requester, name: str) -> NamedPeople:
        """People with the words of `name` in their name or address. Raises `ToolError` when it cannot be looked at."""
        ...


class Members(Protocol):
    """The members of the workspace."""

    async def mentioned(self, requester: Requester, user: str) -> Contact | None:
        """One of them by id; None where there is none, or their profile shows no address. Raises `ToolError`."""
        ...


class Acquaintances(Protocol):
    """The people a person knows: those they wrote to, and those who stand in a directory of theirs."""

    async def called(self, requester: Requester, name: str) -> Sequence[Contact] | None:
        """Everybody with this word in their name or address; None where not everybody could be looked at."""
        ...

    async def mentioned(self, requester: Requester, user: str) -> Contact | None:
        """Who a mention is; None where nobody is known to be, or this could not be looked at."""
        ...


class Zones(Protocol):
    """Where people are."""

    async def zones(self, requester: Requester, emails: Sequence[str]) -> Mapping[str, str]:
        """The known IANA zones, by address. Raises `ToolError` when it cannot be looked at."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One remembered fact."""

    id: str
    text: str
    created_at: datetime
    label: Label


class Memories(Protocol):
    """One person's memories."""

    async def save(self, requester: Requester, text: str, *, key: str, label: Label) -> Memory:
        """Remember; the same key twice is one memory."""
        ...

    async def search(self, requester: Requester, query: str, *, limit: int) -> Sequence[Memory]:
        """The best matches first; an empty query lists the newest."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleInfo:
    """One of a person's schedules. `number` is short and stays the same while it lives; `what` is reminder, briefing or
    request; `when` says its time in words; `next_at` is None while it is paused. `unless_answered`: it comes only where
    nobody answered a mail. `label` is how far its title can be trusted.
    """

    id: str
    number: int
    what: str
    title: str
    when: str
    zone: str
    next_at: datetime | None
    is_paused: bool = False
    unless_answered: bool = False
    label: Label = Label.MEMBER


class Schedules(Protocol):
    """One person's schedules: messages sent to their direct messages at a set time.

    `spec` is `{"at": "2026-11-23T16:00"}` in their local time, or the fields of a cron line by name.
    """

    async def remind(
        self,
        requester: Requester,
        text: str,
        spec: Mapping[str, Json],
        *,
        key: str,
        label: Label,
        unless_answered: str | None = None,
    ) -> ScheduleInfo:
        """Keep a reminder; the same key twice is one. With `unless_answered`, a mail thread, it is said only if nobody
        else has written there since. Raises `ModelRetry` with the reason, or another `ToolError` when the thread cannot
        be looked at.
        """
        ...

    async def brief(self, requester: Requester, spec: Mapping[str, Json], *, key: str) -> ScheduleInfo:
        """Keep a repeating briefing; the same key twice is one. Raises `ModelRetry` with the reason."""
        ...

    async def of(self, requester: Requester) -> Sequence[ScheduleInfo]:
        """What has not ended, by number."""
        ...

    async def remove(self, requester: Requester, schedule_id: str) -> bool:
        """End it; False when they have no such schedule."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """One event of a day. `when` is in words in the person's zone; `conflicts` are the titles of what overlaps it."""

    id: str
    title: str
    when: str
    where: str = ""
    link: str = ""
    people: Sequence[str] = ()
    conflicts: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """The events of a day, in order. `unseen` says in a sentence what was not looked at; empty: nothing."""

    meetings: Sequence[Meeting] = ()
    unseen: str = ""


class Agenda(Protocol):
    """What is on a person's calendar today."""

    async def today(self, requester: Requester) -> Day:
        """Today's events in their zone that they have not declined, in order. Raises `ToolError`."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingMail:
    """A mail thread whose newest message waits for the person's answer. `sender` is a name, or an address."""

    thread_id: str
    subject: str
    sender: str
    address: str
    snippet: str
    sent_at: datetime
    link: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingMailList:
    """The mails that wait. `unseen` says in a sentence what was not looked at; empty: nothing."""

    mails: Sequence[WaitingMail] = ()
    unseen: str = ""


class WaitingMails(Protocol):
    """A person's mail threads, as far as somebody waits for an answer."""

    async def waiting(self, requester: Requester) -> WaitingMailList:
        """Threads of the last days with an unanswered mail sent to them directly, newest first.

        What lists and machines send is left out. Raises `ToolError`.
        """
        ...

    async def others_wrote(self, requester: Requester, thread_id: str, *, since: datetime) -> bool:
        """Whether anybody else has written in the thread since. Raises `ToolError` when it cannot be looked at."""
        ...


class Briefings(Protocol):
    """The daily briefing, sent to the person's direct messages."""

    async def send(self, requester: Requester, *, key: str) -> Sequence[str]:
        """Look, and send it; the same key twice is one. What it holds, and what could not be looked at, in words."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadCommit:
    """The commit that is checked out: its id, the first line of its message, and when it was made, if that is known."""

    commit: str
    subject: str
    at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositorySummary:
    """What there is to say of a repository. All of it is others' text, of `label`; it informs, and orders nothing.

    No branch is a commit that is checked out without one, no head a repository without commits. A folder's path ends
    with a slash. `missing` says in sentences what could not be read, and holds nobody's text.
    """

    label: ClassVar[Label] = Label.EXTERNAL

    branch: str | None = None
    head: HeadCommit | None = None
    paths: Sequence[str] = ()
    readme: str = ""
    agent_md: str = ""
    open_issues: Sequence[str] = ()
    missing: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoryProblem:
    """Why a repository cannot be read, in sentences with the cure."""

    why: str
