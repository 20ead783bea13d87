"""People's methods, by their ids: they look up addresses, and change no contact."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from playground.google.discovery import JsonObject
from playground.google.errors import ApiError, invalid, not_found
from playground.google.oauth.id_tokens import claims_about
from playground.google.pages import page
from playground.google.people.contacts import Contact, directory

if TYPE_CHECKING:
    from playground.google.call import Call, Handler
    from playground.google.people.contacts import AddressBook

MOST_FOUND = 30
USUALLY_FOUND = 10
MOST_LISTED = 500

_OTHER_FIELDS = frozenset({"emailAddresses", "metadata", "names", "phoneNumbers"})
_FIELDS = _OTHER_FIELDS | {"organizations", "photos", "nicknames", "urls", "addresses", "biographies", "locales"}


def people_handlers(books: Callable[[], Mapping[str, AddressBook]]) -> Mapping[str, Handler]:
    """The handlers of the People API. `books` is asked at each call, because a reset makes new ones."""
    routes = PeopleRoutes(books)
    return {
        "people.people.get": routes.get,
        "people.people.searchContacts": routes.search_contacts,
        "people.otherContacts.search": routes.search_others,
        "people.people.searchDirectoryPeople": routes.search_directory,
        "people.people.listDirectoryPeople": routes.list_directory,
    }


class PeopleRoutes:
    """Searching address books and the company's directory."""

    def __init__(self, books: Callable[[], Mapping[str, AddressBook]]) -> None:
        self._books = books

    def get(self, call: Call) -> JsonObject:
        """`people/me` only: who the token belongs to."""
        mask = _mask(call, "personFields", _FIELDS)
        if call.needed("resourceName") != "people/me":
            raise not_found()
        claims = claims_about(call.person, call.scopes)
        emails = (call.person.email,) if "email" in claims else ()
        name = str(claims.get("name", ""))
        return Contact(id=call.person.google_sub, name=name, emails=emails, source="PROFILE").shown(mask)

    def search_contacts(self, call: Call) -> JsonObject:
        return self._search(call, "CONTACT", _FIELDS)

    def search_others(self, call: Call) -> JsonObject:
        return self._search(call, "OTHER_CONTACT", _OTHER_FIELDS)

    def search_directory(self, call: Call) -> JsonObject:
        query = call.text("query") or ""
        if not query:
            raise invalid("query is required.")
        return self._listed(call, [contact for contact in _directory(call) if contact.matches(query)])

    def list_directory(self, call: Call) -> JsonObject:
        return self._listed(call, _directory(call))

    def _search(self, call: Call, source: str, allowed: frozenset[str]) -> JsonObject:
        mask = _mask(call, "readMask", allowed)
        size = min(call.number("pageSize", 0) or USUALLY_FOUND, MOST_FOUND)
        found = self._book(call).search(source, call.text("query") or "")[:size]
        return {"results": [{"person": contact.shown(mask)} for contact in found]} if found else {}

    def _listed(self, call: Call, found: list[Contact]) -> JsonObject:
        mask = _mask(call, "readMask", _FIELDS)
        size = min(call.number("pageSize", 0) or 100, MOST_LISTED)
        shown, following = page(found, call.text("pageToken"), size)
        answer: JsonObject = {"people": [contact.shown(mask) for contact in shown]} if shown else {}
        return answer | ({"nextPageToken": following} if following else {})

    def _book(self, call: Call) -> AddressBook:
        return self._books()[call.person.handle]


def _directory(call: Call) -> list[Contact]:
    if not call.many("sources"):
        raise invalid("sources is required.")
    return directory(call.person) if "DIRECTORY_SOURCE_TYPE_DOMAIN_PROFILE" in call.many("sources") else []


def _mask(call: Call, name: str, allowed: frozenset[str]) -> frozenset[str]:
    """The fields to show; 400 without any, or with one that this method cannot show."""
    fields = frozenset(filter(None, (field.strip() for field in (call.text(name) or "").split(","))))
    if not fields:
        raise ApiError(400, "invalidArgument", f"{name} mask is required. Please specify one or more valid paths.")
    if unknown := sorted(fields - allowed):
        raise ApiError(400, "invalidArgument", f'Invalid {name} mask path: "{unknown[0]}".')
    return fields
