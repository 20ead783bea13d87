"""One person's mailbox: messages, threads, drafts and labels."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from playground.google.errors import invalid, not_found
from playground.google.gmail.letters import Letter
from playground.people import Person

INBOX, UNREAD, SENT, DRAFT, TRASH, SPAM = "INBOX", "UNREAD", "SENT", "DRAFT", "TRASH", "SPAM"

FIRST_HISTORY_ID = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A mail in one mailbox. `arrived_ms` counts from the epoch."""

    id: str
    thread_id: str
    letter: Letter
    labels: frozenset[str]
    arrived_ms: int
    history_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A draft keeps its id while the message behind it is replaced."""

    id: str
    message_id: str


class Mailbox:
    """The messages of one person. Ids are the same in every world that was seeded alike."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.messages: dict[str, Stored] = {}
        self.drafts: dict[str, Draft] = {}
        self.own_labels: dict[str, str] = {}
        self.history_id = FIRST_HISTORY_ID
        self._minted = 0

    def add(
        self,
        letter: Letter,
        *,
        labels: Iterable[str],
        arrived_ms: int,
        thread_id: str | None = None,
        home: str | None = None,
    ) -> Stored:
        """Stores a mail in its thread.

        It joins a thread (the one given, or any) when it answers one of its mails and has the same subject ("Manage
        threads" of the Gmail guides). A thread that does not exist is a 404, a malformed id a 400. `home` is the thread
        of the draft that this mail replaces: it stays there unless it answers something else.
        """
        if thread_id is not None:
            self.check_thread(thread_id)
        message_id = self._mint()
        stored = Stored(
            id=message_id,
            thread_id=self._thread_for(letter, thread_id) or home or message_id,
            letter=letter,
            labels=frozenset(labels),
            arrived_ms=arrived_ms,
            history_id=self._next_history(),
        )
        self.messages[message_id] = stored
        return stored

    def get(self, message_id: str) -> Stored:
        if not _is_id(message_id):
            raise invalid("Invalid id value")
        if message_id not in self.messages:
            raise not_found()
        return self.messages[message_id]

    def remove(self, message_id: str) -> None:
        self.messages.pop(message_id, None)
        self._next_history()

    def relabel(self, message_id: str, *, add: Iterable[str] = (), remove: Iterable[str] = ()) -> Stored:
        stored = self.get(message_id)
        labels = (stored.labels | frozenset(add)) - frozenset(remove)
        self.messages[message_id] = replace(stored, labels=labels, history_id=self._next_history())
        return self.messages[message_id]

    def new_label(self, name: str) -> str:
        """The id of a new label of the owner's."""
        number = 1
        while f"Label_{number}" in self.own_labels:
            number += 1
        self.own_labels[f"Label_{number}"] = name
        return f"Label_{number}"

    def newest_first(self) -> list[Stored]:
        return sorted(self.messages.values(), key=lambda stored: (stored.arrived_ms, stored.history_id), reverse=True)

    def thread(self, thread_id: str) -> list[Stored]:
        """A thread's messages, oldest first."""
        self.check_thread(thread_id)
        return [stored for stored in reversed(self.newest_first()) if stored.thread_id == thread_id]

    def check_thread(self, thread_id: str) -> None:
        if not _is_id(thread_id):
            raise invalid("Invalid thread_id value")
        if not any(stored.thread_id == thread_id for stored in self.messages.values()):
            raise not_found()

    def new_draft(self, letter: Letter, *, arrived_ms: int, thread_id: str | None) -> Draft:
        stored = self.add(letter, labels={DRAFT}, arrived_ms=arrived_ms, thread_id=thread_id)
        draft = Draft(id=f"r{int(stored.id, 16) % 10**18}", message_id=stored.id)
        self.drafts[draft.id] = draft
        return draft

    def replace_draft(self, draft: Draft, letter: Letter, *, arrived_ms: int, thread_id: str | None) -> Draft:
        """The draft's new version is a new message in the same thread, or in the one that is asked for."""
        old = self.messages[draft.message_id]
        asked, home = self.move(old, thread_id)
        stored = self.add(letter, labels={DRAFT}, arrived_ms=arrived_ms, thread_id=asked, home=home)
        self.remove(old.id)
        self.drafts[draft.id] = Draft(id=draft.id, message_id=stored.id)
        return self.drafts[draft.id]

    def move(self, old: Stored, asked: str | None) -> tuple[str | None, str | None]:
        """The `thread_id` and `home` of the mail that replaces a draft."""
        if asked and asked != old.thread_id:
            return asked, None
        alone = len(self.thread(old.thread_id)) == 1
        return (None, old.thread_id) if alone else (old.thread_id, None)

    def draft(self, draft_id: str) -> Draft:
        if draft_id not in self.drafts:
            raise not_found()
        return self.drafts[draft_id]

    def drop_draft(self, draft: Draft) -> None:
        del self.drafts[draft.id]
        self.remove(draft.message_id)

    def _thread_for(self, letter: Letter, asked: str | None) -> str | None:
        candidates = (stored for stored in self._answered(letter) if asked in {None, stored.thread_id})
        return next((stored.thread_id for stored in candidates if stored.letter.topic == letter.topic), None)

    def _answered(self, letter: Letter) -> Iterator[Stored]:
        references = letter.references
        return (stored for stored in self.newest_first() if stored.letter.message_id in references)

    def _mint(self) -> str:
        self._minted += 1
        digest = hashlib.sha256(f"{self.person.email}/{self._minted}".encode()).hexdigest()
        return f"19{digest[:14]}"

    def _next_history(self) -> int:
        self.history_id += 1
        return self.history_id


def _is_id(text: str) -> bool:
    return 0 < len(text) <= 16 and all(character in "0123456789abcdef" for character in text)
