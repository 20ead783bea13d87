"""Delivers mail between the people of the playground and to the outside."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime

from playground.changes import Changes
from playground.clock import Clock
from playground.google.errors import invalid
from playground.google.gmail.letters import Address, Letter, with_header, without_header
from playground.google.gmail.mailbox import INBOX, SENT, UNREAD, Mailbox, Stored
from playground.google.gmail.send_as import SendAs, send_as_of
from playground.people import PEOPLE, Person


@dataclass(frozen=True, slots=True, kw_only=True)
class Departed:
    """A mail that left for addresses outside the playground. `to` is the envelope: Bcc included."""

    at: datetime
    sender: str
    to: tuple[str, ...]
    letter: Letter


class PostOffice:
    """Everybody's mailbox, and the mails that went outside."""

    def __init__(self, clock: Clock, changes: Changes) -> None:
        self.clock = clock
        self.changes = changes
        self._minted = 0
        self.outside: list[Departed] = []
        self.mailboxes: Mapping[str, Mailbox] = {person.handle: Mailbox(person) for person in PEOPLE}
        self._owners = {
            alias.email.lower(): self.mailboxes[person.handle] for person in PEOPLE for alias in send_as_of(person)
        }

    def mailbox(self, person: Person) -> Mailbox:
        return self.mailboxes[person.handle]

    def now_ms(self) -> int:
        return int(self.clock.seconds() * 1000)

    def send(self, person: Person, letter: Letter, *, thread_id: str | None = None, home: str | None = None) -> Stored:
        """Files the mail as sent, and delivers it to every address of To, Cc and Bcc. Raises 400 without any."""
        letter = self._completed(person, letter)
        recipients = _unique(letter.addresses("To", "Cc", "Bcc"))
        if not recipients:
            raise invalid("Recipient address required")
        if bad := [address.email for address in recipients if not _is_address(address.email)]:
            raise invalid(f"Invalid To header: {bad[0]}")
        mailbox = self.mailbox(person)
        to_self = {INBOX, UNREAD} if any(self._owner(address) is mailbox for address in recipients) else set[str]()
        sent = mailbox.add(letter, labels={SENT} | to_self, arrived_ms=self.now_ms(), thread_id=thread_id, home=home)
        self.changes.publish("mail_sent", **_told(person, sent))
        self._hand_out(letter, [address for address in recipients if self._owner(address) is not mailbox])
        return sent

    def deliver(self, letter: Letter, *, arrived_ms: int | None = None) -> list[Stored]:
        """Brings a mail from outside to the people it is addressed to."""
        recipients = _unique(letter.addresses("To", "Cc", "Bcc"))
        return self._hand_out(letter, recipients, arrived_ms=arrived_ms, outside=False)

    def file(self, letter: Letter, *, arrived_ms: int) -> list[tuple[Mailbox, Stored]]:
        """Files a mail of the past: in its sender's Sent and in the recipients' inboxes."""
        sender = self._owner(letter.sender)
        filed: list[tuple[Mailbox, Stored]] = []
        if sender:
            filed.append((sender, sender.add(letter, labels={SENT}, arrived_ms=arrived_ms)))
        for stored in self.deliver(letter, arrived_ms=arrived_ms):
            mailbox = next(box for box in self.mailboxes.values() if box.messages.get(stored.id) is stored)
            filed.append((mailbox, stored))
        return filed

    def _hand_out(
        self, letter: Letter, recipients: list[Address], *, arrived_ms: int | None = None, outside: bool = True
    ) -> list[Stored]:
        copy = Letter(without_header(letter.raw, "Bcc")) if letter.header("Bcc") else letter
        arrived = self.now_ms() if arrived_ms is None else arrived_ms
        delivered: list[Stored] = []
        for mailbox in {id(owner): owner for owner in map(self._owner, recipients) if owner}.values():
            stored = mailbox.add(copy, labels={INBOX, UNREAD}, arrived_ms=arrived)
            self.changes.publish("mail_delivered", **_told(mailbox.person, stored))
            delivered.append(stored)
        strangers = tuple(address.email for address in recipients if self._owner(address) is None)
        if strangers and outside:
            self._depart(letter, strangers)
        return delivered

    def _depart(self, letter: Letter, to: tuple[str, ...]) -> None:
        self.outside.append(Departed(at=self.clock.now(), sender=letter.sender.email, to=to, letter=letter))
        self.changes.publish("mail_left", sender=letter.sender.email, to=list(to), subject=letter.subject)

    def _completed(self, person: Person, letter: Letter) -> Letter:
        """Adds what Gmail adds: a From that the sender may use, a Date, a Message-ID."""
        raw = letter.raw
        own = {alias.email.lower(): alias for alias in send_as_of(person) if alias.usable}
        if letter.sender.email.lower() not in own:
            raw = with_header(without_header(raw, "From"), "From", _from_line(own[person.email]))
        if not letter.header("Date"):
            raw = with_header(raw, "Date", format_datetime(self.clock.now().astimezone(UTC)))
        if not letter.message_id:
            raw = with_header(without_header(raw, "Message-ID"), "Message-ID", self._mint(person))
        return Letter(raw)

    def _owner(self, address: Address) -> Mailbox | None:
        return self._owners.get(address.email.lower())

    def _mint(self, person: Person) -> str:
        self._minted += 1
        digest = hashlib.sha256(f"{person.email}/{self._minted}".encode()).hexdigest()
        return f"<CA+{digest[:40]}@mail.gmail.com>"


def _told(person: Person, stored: Stored) -> dict[str, str]:
    return {
        "person": person.handle,
        "id": stored.id,
        "thread_id": stored.thread_id,
        "sender": stored.letter.sender.email,
        "subject": stored.letter.subject,
    }


def _unique(addresses: list[Address]) -> list[Address]:
    return list({address.email.lower(): address for address in addresses}.values())


def _is_address(text: str) -> bool:
    name, at, domain = text.rpartition("@")
    return bool(name and at and domain) and not any(character.isspace() for character in text)


def _from_line(alias: SendAs) -> str:
    return f'"{alias.name}" <{alias.email}>'
