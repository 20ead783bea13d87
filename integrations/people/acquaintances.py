"""The people a person knows: those they wrote to, and those who stand in a directory of theirs."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from integrations.base import Requester
from integrations.errors import NotConnected, ToolError
from integrations.ports import Contact, Contacts, Members, NamedPeople
from policies.types import Label


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPeople:
    """Implements `Acquaintances` over the places where contacts stand. Somebody who only wrote to the person is none:
    they chose their name themselves.
    """

    places: Sequence[Contacts]
    members: Members

    async def called(self, requester: Requester, name: str) -> Sequence[Contact] | None:
        """Everybody with this word in their name or address; None where not everybody could be looked at."""
        try:
            found = await asyncio.gather(*(_looked(place, requester, name) for place in self.places))
        except ToolError:
            return None
        if any(known.unseen for known in found):
            return None
        return [person for known in found for person in known.people if _is_known(person)]

    async def mentioned(self, requester: Requester, user: str) -> Contact | None:
        """Who a mention is; None where nobody is known to be, or this could not be looked at."""
        try:
            return await self.members.mentioned(requester, user)
        except ToolError:
            return None


async def _looked(place: Contacts, requester: Requester, name: str) -> NamedPeople:
    try:
        return await place.named(requester, name)
    except NotConnected:
        return NamedPeople()


def _is_known(person: Contact) -> bool:
    return person.is_written_to or person.label is not Label.EXTERNAL
