"""Address books and the directory as the real client meets them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.playground.google.client import Google, refusal

AUTH = "https://www.googleapis.com/auth/"
SCOPES = [f"{AUTH}{name}" for name in ("contacts.readonly", "contacts.other.readonly", "directory.readonly")]
PROFILES = ["DIRECTORY_SOURCE_TYPE_DOMAIN_PROFILE"]


@pytest.fixture(autouse=True)
def granted(google: Google) -> None:
    for who in ("dana", "mara", "theo"):
        google.admin("grants", {"person": who, "scopes": SCOPES})


def warmed(google: Google, who: str = "dana") -> Any:
    people = google.people(who).people()
    people.searchContacts(query="", readMask="names").execute()
    return people


def found(people: Any, query: str) -> list[str]:
    answer = people.searchContacts(query=query, readMask="names,emailAddresses").execute()
    return [result["person"]["names"][0]["displayName"] for result in answer.get("results", [])]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("hel", ["Helen Marsh", "Helen Brandt"]),
        ("helen m", ["Helen Marsh"]),
        ("marsh", ["Helen Marsh"]),
        ("elen", []),
        ("rene", ["René Müller-Lüdenscheidt"]),
        ("ольга", ["Ольга Петрова"]),
        ("keller", ["Helen Brandt"]),
        ("nora", []),
    ],
)
def test_prefixes_find_contacts(google: Google, query: str, names: list[str]) -> None:
    """A query is the beginning of words of name, address or firm, accents aside; other contacts are elsewhere."""
    assert found(warmed(google), query) == names


def test_a_cold_search_finds_nothing(google: Google) -> None:
    """Without the warm-up that the guide asks for, the first search comes back empty."""
    assert found(google.people().people(), "helen") == []


def test_other_contacts_have_few_fields(google: Google) -> None:
    """otherContacts finds whom Gmail noted, and refuses fields that it cannot show."""
    others = google.people().otherContacts()
    others.search(query="", readMask="names").execute()
    person = others.search(query="gatehouse", readMask="names,emailAddresses").execute()["results"][0]["person"]
    assert person["emailAddresses"][0]["value"] == "gatehouse@marshgardens.example"
    assert "names" not in person
    assert refusal(others.search(query="x", readMask="organizations").execute)[0] == 400


def test_the_directory(google: Google) -> None:
    """Colleagues are found by the beginning of their name; somebody without a company has no directory."""
    search = google.people().people().searchDirectoryPeople
    answer = search(query="jonas", readMask="emailAddresses", sources=PROFILES).execute()
    assert [person["emailAddresses"][0]["value"] for person in answer["people"]] == ["jonas@fernhill.example"]
    assert search(query="zz", readMask="names", sources=PROFILES).execute() == {}
    stranger = google.people("theo").people().searchDirectoryPeople(query="j", readMask="names", sources=PROFILES)
    assert refusal(stranger.execute)[1]["error"]["status"] == "FAILED_PRECONDITION"


def test_errors_have_the_newer_shape_only(google: Google) -> None:
    """People's errors have a status and details, and no list of errors."""
    google.admin("grants", {"person": "dana", "scopes": ["openid"]})
    search = google.people().people().searchContacts(query="x", readMask="names")
    status, body = refusal(search.execute)
    assert (status, body["error"]["status"]) == (403, "PERMISSION_DENIED")
    assert body["error"]["details"][0]["reason"] == "ACCESS_TOKEN_SCOPE_INSUFFICIENT"
    assert "errors" not in body["error"]


def test_a_missing_mask(google: Google) -> None:
    """readMask is needed."""
    search = google.people().people().searchContacts(query="x")
    assert refusal(search.execute)[0] == 400
