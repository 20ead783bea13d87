"""Every emulated method, called by the real client and held against the documents that Google ships."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import jsonschema
import pytest

from playground.google.app import Emulator
from playground.google.calendar.routes import calendar_handlers
from playground.google.discovery import DOCUMENTS, Method, load_api, read_document
from playground.google.gmail.routes import gmail_handlers
from playground.google.people.routes import people_handlers
from tests.contract.playground.google.client import Google, raw_of

MAIL = raw_of("To: helen.marsh@marshgardens.example\nSubject: Hello\n\nHello Helen.\n")
DAY = {"start": {"date": "2030-05-01"}, "end": {"date": "2030-05-02"}, "summary": "May day"}
SPAN = {"timeMin": "2030-05-01T00:00:00Z", "timeMax": "2030-05-03T00:00:00Z"}


class World:
    """Things to call methods on, made when they are asked for."""

    def __init__(self, google: Google) -> None:
        self.mail = google.gmail().users()
        self.calendar = google.calendar()
        self.events = self.calendar.events()
        self.contacts = google.people()

    def message(self, query: str = "from:helen") -> str:
        return self.mail.messages().list(userId="me", q=query).execute()["messages"][0]["id"]

    def thread(self) -> str:
        return self.mail.threads().list(userId="me", q="from:helen").execute()["threads"][0]["id"]

    def draft(self) -> str:
        return self.mail.drafts().create(userId="me", body={"message": {"raw": MAIL}}).execute()["id"]

    def label(self) -> str:
        return self.mail.labels().create(userId="me", body={"name": "Oak"}).execute()["id"]

    def attachment(self) -> tuple[str, str]:
        message = self.message("from:grace has:attachment")
        parts = self.mail.messages().get(userId="me", id=message).execute()["payload"]["parts"]
        return message, parts[1]["body"]["attachmentId"]

    def event(self) -> str:
        return self.events.insert(calendarId="primary", body=DAY).execute()["id"]

    def series(self) -> str:
        body = DAY | {"recurrence": ["RRULE:FREQ=DAILY;COUNT=3"]}
        return self.events.insert(calendarId="primary", body=body).execute()["id"]

    def found_contacts(self) -> Any:
        contacts = self.contacts.people()
        contacts.searchContacts(query="", readMask="names").execute()
        return contacts.searchContacts(query="hel", readMask="names,emailAddresses,organizations,phoneNumbers,metadata")

    def found_others(self) -> Any:
        others = self.contacts.otherContacts()
        others.search(query="", readMask="names").execute()
        return others.search(query="nora", readMask="names,emailAddresses")

    def attachment_get(self) -> Any:
        message, attachment = self.attachment()
        return self.mail.messages().attachments().get(userId="me", messageId=message, id=attachment)


CALLS: dict[str, Callable[[World], Any]] = {
    "gmail.users.getProfile": lambda w: w.mail.getProfile(userId="me"),
    "gmail.users.labels.list": lambda w: w.mail.labels().list(userId="me"),
    "gmail.users.labels.get": lambda w: w.mail.labels().get(userId="me", id="INBOX"),
    "gmail.users.labels.create": lambda w: w.mail.labels().create(userId="me", body={"name": "Oak"}),
    "gmail.users.labels.patch": lambda w: w.mail.labels().patch(userId="me", id=w.label(), body={"name": "Ash"}),
    "gmail.users.labels.delete": lambda w: w.mail.labels().delete(userId="me", id=w.label()),
    "gmail.users.settings.sendAs.list": lambda w: w.mail.settings().sendAs().list(userId="me"),
    "gmail.users.settings.sendAs.get": lambda w: (
        w.mail.settings().sendAs().get(userId="me", sendAsEmail="sales@fernhill.example")
    ),
    "gmail.users.messages.list": lambda w: w.mail.messages().list(userId="me", maxResults=3),
    "gmail.users.messages.get": lambda w: w.mail.messages().get(userId="me", id=w.message()),
    "gmail.users.messages.send": lambda w: w.mail.messages().send(userId="me", body={"raw": MAIL}),
    "gmail.users.messages.modify": lambda w: w.mail.messages().modify(
        userId="me", id=w.message(), body={"removeLabelIds": ["UNREAD"]}
    ),
    "gmail.users.messages.batchModify": lambda w: w.mail.messages().batchModify(
        userId="me", body={"ids": [w.message()], "addLabelIds": ["STARRED"]}
    ),
    "gmail.users.messages.trash": lambda w: w.mail.messages().trash(userId="me", id=w.message()),
    "gmail.users.messages.untrash": lambda w: w.mail.messages().untrash(userId="me", id=w.message()),
    "gmail.users.messages.attachments.get": lambda w: w.attachment_get(),
    "gmail.users.threads.list": lambda w: w.mail.threads().list(userId="me"),
    "gmail.users.threads.get": lambda w: w.mail.threads().get(userId="me", id=w.thread()),
    "gmail.users.threads.modify": lambda w: w.mail.threads().modify(
        userId="me", id=w.thread(), body={"removeLabelIds": ["INBOX"]}
    ),
    "gmail.users.threads.trash": lambda w: w.mail.threads().trash(userId="me", id=w.thread()),
    "gmail.users.threads.untrash": lambda w: w.mail.threads().untrash(userId="me", id=w.thread()),
    "gmail.users.drafts.list": lambda w: (w.draft(), w.mail.drafts().list(userId="me"))[1],
    "gmail.users.drafts.get": lambda w: w.mail.drafts().get(userId="me", id=w.draft()),
    "gmail.users.drafts.create": lambda w: w.mail.drafts().create(userId="me", body={"message": {"raw": MAIL}}),
    "gmail.users.drafts.update": lambda w: w.mail.drafts().update(
        userId="me", id=w.draft(), body={"message": {"raw": MAIL}}
    ),
    "gmail.users.drafts.delete": lambda w: w.mail.drafts().delete(userId="me", id=w.draft()),
    "gmail.users.drafts.send": lambda w: w.mail.drafts().send(userId="me", body={"id": w.draft()}),
    "calendar.events.list": lambda w: w.events.list(calendarId="primary", singleEvents=True, orderBy="startTime"),
    "calendar.events.instances": lambda w: w.events.instances(calendarId="primary", eventId=w.series()),
    "calendar.events.get": lambda w: w.events.get(calendarId="primary", eventId=w.event()),
    "calendar.events.insert": lambda w: w.events.insert(calendarId="primary", body=DAY),
    "calendar.events.patch": lambda w: w.events.patch(
        calendarId="primary", eventId=w.event(), body={"location": "Yard"}
    ),
    "calendar.events.update": lambda w: w.events.update(calendarId="primary", eventId=w.event(), body=DAY),
    "calendar.events.delete": lambda w: w.events.delete(calendarId="primary", eventId=w.event()),
    "calendar.freebusy.query": lambda w: w.calendar.freebusy().query(
        body=SPAN | {"items": [{"id": "primary"}, {"id": "nobody@fernhill.example"}]}
    ),
    "calendar.calendarList.list": lambda w: w.calendar.calendarList().list(),
    "calendar.calendarList.get": lambda w: w.calendar.calendarList().get(calendarId="primary"),
    "calendar.calendars.get": lambda w: w.calendar.calendars().get(calendarId="primary"),
    "calendar.settings.get": lambda w: w.calendar.settings().get(setting="timezone"),
    "calendar.settings.list": lambda w: w.calendar.settings().list(),
    "people.people.get": lambda w: w.contacts.people().get(resourceName="people/me", personFields="names"),
    "people.people.searchContacts": lambda w: w.found_contacts(),
    "people.otherContacts.search": lambda w: w.found_others(),
    "people.people.searchDirectoryPeople": lambda w: w.contacts.people().searchDirectoryPeople(
        query="jo", readMask="names,emailAddresses", sources=["DIRECTORY_SOURCE_TYPE_DOMAIN_PROFILE"]
    ),
    "people.people.listDirectoryPeople": lambda w: w.contacts.people().listDirectoryPeople(
        readMask="names,emailAddresses", sources=["DIRECTORY_SOURCE_TYPE_DOMAIN_PROFILE"]
    ),
}

BEYOND_DEFAULT = [
    "https://mail.google.com/",
    *(
        f"https://www.googleapis.com/auth/{name}"
        for name in ("calendar", "contacts.readonly", "contacts.other.readonly", "directory.readonly")
    ),
]


@pytest.fixture
def granted(google: Google) -> Google:
    google.admin("grants", {"person": "dana", "scopes": BEYOND_DEFAULT})
    return google


def methods() -> dict[str, Method]:
    return {method.id: method for document in DOCUMENTS for method in load_api(document).methods}


def json_schema(document: str, response: str) -> dict[str, Any]:
    """The response's schema in JSON Schema's own words, with unknown fields forbidden."""
    definitions = {name: strict(schema) for name, schema in read_document(document)["schemas"].items()}
    return {"$ref": f"#/definitions/{response}", "definitions": definitions}


def strict(schema: Any) -> Any:
    if isinstance(schema, list):
        return [strict(item) for item in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    node = cast("dict[str, Any]", schema)
    if "$ref" in node:
        return {"$ref": f"#/definitions/{node['$ref']}"}
    kept = {name: strict(node[name]) for name in ("type", "items", "enum") if name in node}
    if kept.get("type") == "any":
        return {}
    if "properties" in node:
        kept["properties"] = {name: strict(value) for name, value in node["properties"].items()}
    if node.get("type") == "object":
        kept["additionalProperties"] = strict(node.get("additionalProperties", False))
    return kept


def test_no_method_is_forgotten() -> None:
    """Every emulated method is known to the documents, and has a call in this file."""
    world = Emulator().world
    emulated = {
        *gmail_handlers(lambda: world.post),
        *calendar_handlers(lambda: world.agenda),
        *people_handlers(lambda: world.books),
    }
    assert emulated == CALLS.keys()
    assert emulated <= methods().keys()


@pytest.mark.parametrize("method_id", CALLS)
def test_a_method_answers_as_its_document_says(granted: Google, method_id: str) -> None:
    """The real client reaches the method, and its answer has exactly the shape that the document gives."""
    answer = CALLS[method_id](World(granted)).execute()
    method = methods()[method_id]
    if method.response is None:
        assert not answer
    else:
        document = next(name for name in DOCUMENTS if name.startswith(method.api))
        jsonschema.validate(answer, json_schema(document, method.response))


@pytest.mark.parametrize("document", DOCUMENTS)
def test_what_is_not_emulated_says_so(granted: Google, document: str) -> None:
    """A method that exists but is not emulated answers 501, so that no test passes by accident."""
    requests = {
        "gmail.v1": lambda: granted.gmail().users().settings().getPop(userId="me"),
        "calendar.v3": lambda: granted.calendar().colors().get(),
        "people.v1": lambda: granted.people().otherContacts().list(readMask="names"),
    }
    request = requests[document]()
    with pytest.raises(Exception, match="does not emulate"):
        request.execute()
