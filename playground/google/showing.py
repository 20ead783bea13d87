"""The whole visible world as JSON, for the page and for tests."""

from __future__ import annotations

from functools import lru_cache

from playground.google.discovery import JsonObject
from playground.google.gmail.letters import Letter
from playground.google.gmail.mailbox import DRAFT, INBOX, SENT, Mailbox, Stored
from playground.google.world import World
from playground.people import PEOPLE, Person
from playground.world.hosts import HOSTS


def shown(world: World) -> JsonObject:
    """Each person's mail and events, and all mail to addresses outside."""
    return {
        "now": world.clock.now().isoformat(),
        "people": {person.handle: _person(world, person) for person in PEOPLE},
        "outside": [
            {"at": gone.at.isoformat(), "envelope_to": list(gone.to), **_letter(gone.letter)}
            for gone in world.post.outside
        ],
        "calendars": {host.email: {"name": host.name, "events": world.agenda.shown(host)} for host in HOSTS},
        "notices": [notice.shown() for notice in world.agenda.notices],
    }


def _person(world: World, person: Person) -> JsonObject:
    mailbox = world.post.mailbox(person)
    drafts = {draft.message_id: draft.id for draft in mailbox.drafts.values()}
    grant = world.sign_in.grants.of(person.handle)
    return {
        "user_id": person.user_id,
        "name": person.name,
        "email": person.email,
        "zone": person.zone,
        "connected": bool(grant and not grant.revoked),
        "scopes": sorted(grant.scopes) if grant else [],
        "inbox": [_row(stored) for stored in _labelled(mailbox, INBOX)],
        "sent": [_row(stored) for stored in _labelled(mailbox, SENT)],
        "drafts": [_row(stored) | {"draft_id": drafts.get(stored.id)} for stored in _labelled(mailbox, DRAFT)],
        "events": world.agenda.shown(person),
    }


def _labelled(mailbox: Mailbox, label: str) -> list[Stored]:
    return [stored for stored in mailbox.newest_first() if label in stored.labels]


def _row(stored: Stored) -> JsonObject:
    return {
        "id": stored.id,
        "threadId": stored.thread_id,
        "arrived": stored.arrived_ms,
        "labels": sorted(stored.labels),
        "snippet": stored.letter.snippet,
        **_letter(stored.letter),
    }


@lru_cache(maxsize=2_000)
def _letter(letter: Letter) -> JsonObject:
    """A mail for the page, cached, since it never changes."""
    return {
        "from": str(letter.sender),
        "to": [str(address) for address in letter.addresses("To")],
        "cc": [str(address) for address in letter.addresses("Cc")],
        "bcc": [str(address) for address in letter.addresses("Bcc")],
        "subject": letter.subject,
        "date": letter.header("Date"),
        "message_id": letter.message_id,
        "text": letter.text.replace("\r\n", "\n"),
        "attachments": [part.get_filename() for part in letter.attachments],
    }
