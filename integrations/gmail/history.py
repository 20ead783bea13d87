"""Those whom a person has written to or heard from, by his own mailbox."""

from __future__ import annotations

from collections.abc import Sequence

from integrations.base import Contact, Requester
from integrations.gmail.addresses import Address, read_addresses
from integrations.gmail.client import Mailbox
from integrations.gmail.wire import Message, Thread
from integrations.google.client import GoogleClient
from integrations.google.scopes import MAIL_READ
from integrations.names import has_words, words_of
from policies.types import Label

THREADS = 20


class MailHistory:
    """Implements `Contacts`: the newest threads that a search for the name finds; two round trips."""

    def __init__(self, google: GoogleClient) -> None:
        self._google = google

    async def named(self, requester: Requester, name: str) -> Sequence[Contact]:
        """Everybody of that name, those he has written to himself first."""
        words = words_of(name)
        if not words:
            return []
        mailbox = Mailbox(await self._google.account(requester, frozenset({MAIL_READ})))
        query = " ".join(f"{{from:{word} to:{word} cc:{word}}}" for word in words[:5])
        page = await mailbox.find_threads(f"{query} -in:spam", limit=THREADS, page=None)
        rows = await mailbox.rows([stub.id for stub in page.threads])
        messages = [message for row in rows if isinstance(row, Thread) for message in row.messages]
        return _contacts(messages, name)


def _contacts(messages: Sequence[Message], name: str) -> list[Contact]:
    written_to, heard_from = dict[str, Address](), dict[str, Address]()
    for message in messages:
        if "SENT" in message.label_ids:
            for address in _people(message, "To", "Cc"):
                _keep(written_to, address)
        elif "DRAFT" not in message.label_ids:
            for address in _people(message, "From", "To", "Cc"):
                _keep(heard_from, address)
    everybody = {**written_to, **{key: address for key, address in heard_from.items() if key not in written_to}}
    return [
        Contact(
            name=_best_name(address, heard_from.get(key)),
            email=address.email,
            known_from="mail that you sent" if key in written_to else "mail that you got",
            label=Label.EXTERNAL,
        )
        for key, address in everybody.items()
        if any(has_words(each.name, each.email, name) for each in (address, heard_from.get(key)) if each)
    ]


def _people(message: Message, *names: str) -> list[Address]:
    return read_addresses([value for name in names for value in message.payload.all_headers(name)])


def _keep(known: dict[str, Address], address: Address) -> None:
    """Each mailbox once, with a name where any mail gives one."""
    kept = known.get(address.key)
    if kept is None or (address.name and not kept.name):
        known[address.key] = address


def _best_name(address: Address, also: Address | None) -> str:
    return address.name or (also.name if also else "") or address.email
