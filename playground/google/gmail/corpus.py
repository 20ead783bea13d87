"""Files the corpus into a mailbox."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain

from playground.google.gmail.letters import Letter
from playground.google.gmail.mailbox import INBOX, UNREAD, Stored
from playground.google.gmail.post_office import PostOffice
from playground.people import Person
from playground.world.corpus.attachments import attachments
from playground.world.corpus.characters import characters
from playground.world.corpus.conversations import conversations
from playground.world.corpus.headers import headers
from playground.world.corpus.structure import structure


def file_corpus(post: PostOffice, person: Person, only: Collection[str] = ()) -> dict[str, Stored]:
    """The last mail of each name, as filed in the mailbox; `only` names some, default all."""
    mailbox = post.mailbox(person)
    return {
        name: mailbox.add(Letter(raw), labels={INBOX, UNREAD}, arrived_ms=post.now_ms())
        for name, raw in _all(person.email)
        if not only or name in only
    }


def _all(to: str) -> Iterator[tuple[str, bytes]]:
    for mail in chain(characters(), structure(), headers(), attachments()):
        yield mail.name, mail.raw(to)
    for name, mails in conversations(to).items():
        yield from ((name, raw) for raw in mails)
