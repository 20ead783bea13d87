"""The workspace's members as contacts, if their profile has an address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from slack_sdk.web.async_client import AsyncWebClient

from integrations.addresses import has_words
from integrations.base import Requester
from integrations.ports import Clock, Contact, Known
from integrations.slack.aging import Aging
from integrations.slack.web import Object, Web, flag, objects, part, text
from policies.types import Label

PAGES = 25
SECONDS_KNOWN = 300


class WebContacts:
    """Implements `Contacts` and `Members` over users.list, which is asked at most every five minutes.

    Guests see only people in their own channels in Slack, so nobody is looked up for a guest here.
    """

    def __init__(self, *, client: AsyncWebClient, clock: Clock) -> None:
        self._web = Web(client)
        self._people = Aging(self._everybody, seconds=SECONDS_KNOWN, clock=clock)

    async def named(self, requester: Requester, name: str) -> Known:
        """Members and guests of the workspace, without apps and those who left."""
        people = [person for person in await self._seen_by(requester) if _email(person)]
        fitting = [p for p in people if any(has_words(each, _email(p), name) for each in _names(p))]
        return Known(people=[_contact(person) for person in fitting])

    async def mentioned(self, requester: Requester, user: str) -> Contact | None:
        """The one with this id, if their profile has an address."""
        people = await self._seen_by(requester)
        return next((_contact(p) for p in people if text(p, "id") == user and _email(p)), None)

    async def zones(self, requester: Requester, emails: Sequence[str]) -> Mapping[str, str]:
        """The zones that Slack names for those of these addresses who are members. Implements `Zones`."""
        wanted = {email.casefold(): email for email in emails}
        people = await self._seen_by(requester)
        found = {wanted.get(_email(person).casefold(), ""): text(person, "tz") for person in people}
        return {email: zone for email, zone in found.items() if email and zone}

    async def _seen_by(self, requester: Requester) -> Sequence[Object]:
        people = await self._people.get(requester.team)
        is_member = any(text(person, "id") == requester.user and not _is_guest(person) for person in people)
        return people if is_member else []

    async def _everybody(self, team: str) -> Sequence[Object]:
        """docs.slack.dev/reference/methods/users.list."""
        members, _ = await self._web.listing("users.list", "members", pages=PAGES)
        return [person for person in objects(members) if _counts(person, team)]


def _counts(person: Object, team: str) -> bool:
    """Somebody who is there. People of other workspaces name themselves: their profiles are no directory of ours."""
    gone = flag(person, "deleted") or flag(person, "is_bot") or text(person, "id") == "USLACKBOT"
    return not gone and not flag(person, "is_stranger") and text(person, "team_id") in {"", team}


def _is_guest(person: Object) -> bool:
    return flag(person, "is_restricted") or flag(person, "is_ultra_restricted")


def _names(person: Object) -> list[str]:
    profile = part(person, "profile")
    every = [text(profile, "real_name"), text(profile, "display_name"), text(person, "name")]
    return [name for name in every if name] or ["Somebody"]


def _email(person: Object) -> str:
    return text(part(person, "profile"), "email")


def _contact(person: Object) -> Contact:
    return Contact(name=_names(person)[0], email=_email(person), known_from=_where(person), label=Label.DIRECTORY)


def _where(person: Object) -> str:
    title = text(part(person, "profile"), "title")
    kind = "Slack profile of a guest" if _is_guest(person) else "Slack profile"
    return f"{kind}, {title}" if title else kind
