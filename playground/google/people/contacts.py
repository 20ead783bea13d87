"""People in an address book, and the searches that find them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from playground.google.discovery import JsonObject
from playground.google.errors import ApiError
from playground.google.matching import plain
from playground.people import COLLEAGUES, MAIL_DOMAIN, Person


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """One entry. `source` is CONTACT, OTHER_CONTACT or DOMAIN_PROFILE, as the People API names them."""

    id: str
    name: str
    emails: tuple[str, ...]
    source: str
    organization: str = ""
    title: str = ""
    phone: str = ""

    @property
    def resource_name(self) -> str:
        folder = "otherContacts" if self.source == "OTHER_CONTACT" else "people"
        return f"{folder}/{self.id}"

    def matches(self, query: str) -> bool:
        """Whether the query begins neighbouring words of the name, address, firm or number."""
        wanted = plain(query).strip()
        texts = [self.name, *self.emails, self.organization, self.phone]
        return any(_begins(plain(text), wanted) for text in texts if text)

    def shown(self, mask: frozenset[str]) -> JsonObject:
        """The Person resource with the fields that the mask names."""
        about = {"metadata": {"primary": True, "source": {"type": self.source, "id": self.id}}}
        fields: JsonObject = {}
        if self.name:
            fields["names"] = [about | _name(self.name)]
        if self.emails:
            fields["emailAddresses"] = [_email(address, about, first=not at) for at, address in enumerate(self.emails)]
        if self.organization:
            fields["organizations"] = [about | {"name": self.organization, "title": self.title}]
        if self.phone:
            fields["phoneNumbers"] = [about | {"value": self.phone}]
        fields["metadata"] = {"sources": [about["metadata"]["source"]], "objectType": "PERSON"}
        kept = {name: value for name, value in fields.items() if name in mask}
        return {"resourceName": self.resource_name, "etag": f"%EgUB{self.id}", **kept}


@dataclass(slots=True, kw_only=True)
class AddressBook:
    """One person's contacts, and those that Gmail saved by itself. A search finds nothing until it is warmed up."""

    contacts: Sequence[Contact] = ()
    others: Sequence[Contact] = ()
    warm: set[str] = field(default_factory=set[str])

    def search(self, source: str, query: str) -> list[Contact]:
        """An empty query only fills the cache ("Search the user's contacts" of the People guides)."""
        if not query.strip():
            self.warm.add(source)
            return []
        book = self.others if source == "OTHER_CONTACT" else self.contacts
        return [contact for contact in book if contact.matches(query)] if source in self.warm else []


def read_book(spec: Mapping[str, Any], owner: Person) -> AddressBook:
    """The book of `contacts.yaml`: `contacts` and `others`, each with name, emails and what else is known."""
    mark = sum(map(ord, owner.handle))
    return AddressBook(
        contacts=[_read(entry, f"c{mark}{at:03d}", "CONTACT") for at, entry in enumerate(spec.get("contacts", ()))],
        others=[_read(entry, f"o{mark}{at:03d}", "OTHER_CONTACT") for at, entry in enumerate(spec.get("others", ()))],
    )


def directory(person: Person) -> list[Contact]:
    """The company's people; 400 for an account outside the company."""
    if person.guest:
        raise ApiError(400, "failedPrecondition", "Must be a G Suite domain user.")
    return [
        Contact(
            id=colleague.google_sub,
            name=colleague.name,
            emails=(colleague.email,),
            source="DOMAIN_PROFILE",
            organization=MAIL_DOMAIN,
            title=colleague.title,
        )
        for colleague in COLLEAGUES
    ]


def _read(entry: Mapping[str, Any], contact_id: str, source: str) -> Contact:
    return Contact(
        id=contact_id,
        name=entry.get("name", ""),
        emails=tuple(entry.get("emails", ())),
        source=source,
        organization=entry.get("organization", ""),
        title=entry.get("title", ""),
        phone=entry.get("phone", ""),
    )


def _begins(text: str, wanted: str) -> bool:
    return any(text.startswith(wanted, found.start()) for found in re.finditer(r"\w+", text))


def _name(name: str) -> JsonObject:
    given, _, family = name.partition(" ")
    shown = {"displayName": name, "givenName": given, "unstructuredName": name}
    return shown | ({"familyName": family, "displayNameLastFirst": f"{family}, {given}"} if family else {})


def _email(address: str, about: JsonObject, *, first: bool) -> JsonObject:
    metadata = {**about["metadata"], "primary": first}
    return {"metadata": metadata, "value": address}
