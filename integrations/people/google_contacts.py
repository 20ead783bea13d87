"""Google's contacts, where the person granted them (People API: searchContacts, otherContacts, the directory)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence

from integrations.addresses import has_words
from integrations.base import Requester
from integrations.google.account import GoogleAccount
from integrations.google.calls import ApiCall, Resource
from integrations.google.client import GoogleClient
from integrations.google.scopes import CONTACTS, DIRECTORY, OTHER_CONTACTS
from integrations.ports import Contact, NamedPeople
from policies.types import Label

MASK = "names,emailAddresses"
MOST = 10


class _Name(Resource):
    display_name: str = ""


class _Email(Resource):
    value: str = ""


class _Person(Resource):
    names: Sequence[_Name] = ()
    email_addresses: Sequence[_Email] = ()


class _Hit(Resource):
    person: _Person = _Person()


class _Hits(Resource):
    results: Sequence[_Hit] = ()
    people: Sequence[_Person] = ()


class GoogleContacts:
    """Implements `Contacts`. What was not granted is not asked, and nobody is asked to grant it for this."""

    where = "your contacts"
    allowed_by = "contacts"

    def __init__(self, google: GoogleClient) -> None:
        self._google = google

    async def named(self, requester: Requester, name: str) -> NamedPeople:
        """The person's own contacts, those that Gmail remembers, and the company's directory."""
        account = await self._google.account(requester, frozenset())
        granted = account.grant.scopes
        looks = [look(account, name) for scope, look in _LOOKS.items() if scope in granted]
        found = [contact for each in await asyncio.gather(*looks) for contact in each]
        fitting = [contact for contact in found if has_words(contact.name, contact.email, name)]
        return NamedPeople(people=fitting, is_closed=CONTACTS not in granted)


async def _own(account: GoogleAccount, name: str) -> list[Contact]:
    return await _known(account, "people", "searchContacts", name, "your contacts")


async def _others(account: GoogleAccount, name: str) -> list[Contact]:
    return await _known(account, "otherContacts", "search", name, "whom Gmail remembers")


async def _known(account: GoogleAccount, resource: str, method: str, name: str, known_from: str) -> list[Contact]:
    """The first search only fills Google's cache (people.searchContacts: "send a warmup request")."""
    await account.read(_search(resource, method, ""), _Hits)
    hits = await account.read(_search(resource, method, name), _Hits)
    return list(_contacts([hit.person for hit in hits.results], known_from, Label.EXTERNAL))


async def _directory(account: GoogleAccount, name: str) -> list[Contact]:
    sources: Mapping[str, object] = {"sources": ["DIRECTORY_SOURCE_TYPE_DOMAIN_PROFILE"]}
    hits = await account.read(_search("people", "searchDirectoryPeople", name, sources), _Hits)
    return list(_contacts(hits.people, "the company’s directory", Label.DIRECTORY))


_LOOKS = {CONTACTS: _own, OTHER_CONTACTS: _others, DIRECTORY: _directory}


def _search(resource: str, method: str, query: str, more: Mapping[str, object] | None = None) -> ApiCall:
    params = {"query": query, "readMask": MASK, "pageSize": MOST, **(more or {})}
    return ApiCall(api="people", resource=resource, method=method, params=params, noun="contact")


def _contacts(people: Sequence[_Person], known_from: str, label: Label) -> Iterator[Contact]:
    for person in people:
        name = next((each.display_name for each in person.names if each.display_name), "")
        for email in person.email_addresses:
            if email.value.count("@") == 1:
                yield Contact(name=name or email.value, email=email.value, known_from=known_from, label=label)
