"""Whom a person knows: whoever only wrote to them is nobody, and where not everything was seen nobody is certain."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from integrations.base import Requester
from integrations.errors import Lack, NotConnected, ToolError, ToolFailed
from integrations.people.acquaintances import KnownPeople
from integrations.ports import Contact, NamedPeople
from policies.types import Label

WHO = Requester(team="T1", user="U1")
FAILED = ToolFailed("unavailable", "It is away.")


def contact(email: str, label: Label = Label.EXTERNAL, *, is_written_to: bool = False) -> Contact:
    return Contact(name="Dana", email=email, known_from="a test", label=label, is_written_to=is_written_to)


@dataclass(frozen=True, slots=True)
class Place:
    known: NamedPeople | ToolError
    where: str = "Slack"
    allowed_by: str = ""

    async def named(self, requester: Requester, name: str) -> NamedPeople:
        if isinstance(self.known, ToolError):
            raise self.known
        return self.known

    async def mentioned(self, requester: Requester, user: str) -> Contact | None:
        if isinstance(self.known, ToolError):
            raise self.known
        return next(iter(self.known.people), None)


def people(*places: NamedPeople | ToolError) -> KnownPeople:
    return KnownPeople(places=[Place(known) for known in places], members=Place(places[0]))


async def test_whoever_only_wrote_to_them_is_nobody() -> None:
    """They chose their name themselves. Whom the person wrote to, and who stands in a directory, is known."""
    found = NamedPeople(
        people=[contact("x@evil.example"), contact("d@acme.com", is_written_to=True), contact("m@a.com", Label.MEMBER)]
    )
    known = await people(found).called(WHO, "dana")
    assert known is not None
    assert [each.email for each in known] == ["d@acme.com", "m@a.com"]


@pytest.mark.parametrize("other", [FAILED, NamedPeople(unseen="Older mails were not looked at.")])
async def test_where_not_everything_was_seen_nobody_is_certain(other: NamedPeople | ToolError) -> None:
    """Another one of that name may stand there."""
    assert await people(NamedPeople(people=[contact("m@a.com", Label.MEMBER)]), other).called(WHO, "dana") is None


async def test_an_account_that_is_not_connected_has_nobody() -> None:
    """It hides nobody either."""
    missing = NotConnected(Lack.ACCOUNT, "Connect it.")
    assert await people(NamedPeople(), missing).called(WHO, "dana") == []


async def test_a_mention_is_one_person() -> None:
    """Nobody where this could not be looked at."""
    known = people(NamedPeople(people=[contact("m@a.com", Label.MEMBER)]))
    assert (await known.mentioned(WHO, "U2")) == contact("m@a.com", Label.MEMBER)
    assert await people(FAILED).mentioned(WHO, "U2") is None
