"""People that a person has written to or heard from, found in their own mailbox."""

from __future__ import annotations

from collections.abc import Sequence

from integrations.addresses import has_words, words_of
from integrations.base import Requester
from integrations.gmail.client import Mailbox
from integrations.gmail.heads import people
from integrations.gmail.mime.addresses import Address
from integrations.gmail.wire import GmailMessage
from integrations.google.client import GoogleClient
from integrations.ports import Contact, NamedPeople
from policies.types import Label

THREADS = 20
UNSEEN = "Older mails of that name were not looked at."


class MailContacts:
    """Implements `Contacts`: the newest threads that a search for the name finds, and what is not from those found.

    Two round trips, or four where more than twenty threads have the name.
    """

    where = "your mails"
    allowed_by = "mail"

    def __init__(self, google: GoogleClient) -> None:
        self._google = google

    async def named(self, requester: Requester, name: str) -> NamedPeople:
        """Everybody of that name, first those that the person has written to."""
        words = words_of(name)
        if not words:
            return NamedPeople()
        mailbox = await Mailbox.to_read(self._google, requester)
        query = " ".join(f"{{from:{word} to:{word} cc:{word}}}" for word in words[:5]) + " -in:spam"
        newest, refused, cut = await _looked(mailbox, query)
        found = _contacts(newest, name)
        if not cut or len(found) != 1:
            return NamedPeople(people=found, unseen=refused or cut)
        [only] = found  # the person writes with them often, so others of the name may stand further back
        others, others_refused, cut = await _looked(
            mailbox, f'{query} -{{from:"{only.email}" to:"{only.email}" cc:"{only.email}"}}'
        )
        found = _contacts([*newest, *others], name)
        return NamedPeople(people=found, unseen=refused or others_refused or cut)


async def _looked(mailbox: Mailbox, query: str) -> tuple[list[GmailMessage], str, str]:
    """The heads in the newest threads; in words what could not be read, and that there are more."""
    page = await mailbox.find_threads(query, limit=THREADS, page=None)
    rows = await mailbox.rows([stub.id for stub in page.threads])
    heads = [message for thread in rows.threads for message in thread.messages]
    return heads, rows.failures("mail thread"), "" if page.next_page_token is None else UNSEEN


def _contacts(messages: Sequence[GmailMessage], name: str) -> list[Contact]:
    written_to, heard_from = dict[str, Address](), dict[str, Address]()
    for message in messages:
        if "SENT" in message.label_ids:
            for address in people(message, "To", "Cc"):
                _keep(written_to, address)
        elif "DRAFT" not in message.label_ids:
            for address in people(message, "From", "To", "Cc"):
                _keep(heard_from, address)
    everybody = {**written_to, **{key: address for key, address in heard_from.items() if key not in written_to}}
    return [
        Contact(
            name=_best_name(address, heard_from.get(key)),
            email=address.email,
            known_from="mail that you sent" if key in written_to else "mail that you got",
            label=Label.EXTERNAL,
            is_written_to=key in written_to,
        )
        for key, address in everybody.items()
        if any(has_words(each.name, each.email, name) for each in (address, heard_from.get(key)) if each)
    ]


def _keep(known: dict[str, Address], address: Address) -> None:
    """Each mailbox once, with a name where any mail gives one."""
    kept = known.get(address.key)
    if kept is None or (address.name and not kept.name):
        known[address.key] = address


def _best_name(address: Address, also: Address | None) -> str:
    return address.name or (also.name if also else "") or address.email
