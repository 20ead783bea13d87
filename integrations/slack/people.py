"""People in Slack: who wrote something, whether they are a full member, and the workspace's members as contacts."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from slack_sdk.web.async_client import AsyncWebClient

from integrations.addresses import has_words
from integrations.base import Requester
from integrations.ports import Clock, Contact, NamedPeople
from integrations.slack.web import Aging, Object, SlackReadRefused, Web, flag, objects, part, sequence, text
from policies.types import Label

SECONDS_KNOWN = 120
SECONDS_LISTED = 300
PAGES = 25
AT_ONCE = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A person as users.info shows them. `kind` says in a word why they are no full member."""

    id: str
    name: str
    kind: str = ""

    @property
    def is_member(self) -> bool:
        """A full member: no guest, no bot, nobody of another workspace, not deactivated."""
        return not self.kind

    @property
    def is_bot(self) -> bool:
        """An app, which does not count as a reader."""
        return self.kind == "app"

    @property
    def shown_as(self) -> str:
        """The name, with what one should know about its bearer."""
        return f"{self.name} ({self.kind})" if self.kind else self.name


class SlackPeople:
    """Looks people up, a few at a time, and remembers them for two minutes."""

    def __init__(self, web: Web, clock: Clock) -> None:
        self._web = web
        self._known = Aging(self._ask, seconds=SECONDS_KNOWN, clock=clock)
        self._team = ""

    async def find(self, user: str) -> Person:
        """One person; somebody unknown to Slack is an unknown stranger."""
        return await self._known.get(user)

    async def find_all(self, users: Iterable[str]) -> Mapping[str, Person]:
        """Several people, by id."""
        wanted = sorted({user for user in users if user})
        turn = asyncio.Semaphore(AT_ONCE)

        async def one(user: str) -> Person:
            async with turn:
                return await self.find(user)

        return {person.id: person for person in await asyncio.gather(*map(one, wanted))}

    async def _ask(self, user: str) -> Person:
        try:
            answer = await self._web.call("users.info", user=user)
        except SlackReadRefused as refusal:
            if refusal.error in {"user_not_found", "user_not_visible", "users_not_found"}:
                return Person(id=user, name="Somebody", kind="unknown")
            raise
        return _person(part(answer, "user"), user=user, team=await self._our_team())

    async def _our_team(self) -> str:
        self._team = self._team or text(await self._web.call("auth.test"), "team_id")
        return self._team


def _person(user_data: Object, *, user: str, team: str) -> Person:
    profile = part(user_data, "profile")
    places = [(profile, "real_name"), (profile, "display_name"), (user_data, "real_name"), (user_data, "name")]
    name = next((found for data, key in places if (found := text(data, key))), "Somebody")
    return Person(id=user, name=name, kind=_kind(user_data, team))


def _kind(user_data: Object, team: str) -> str:
    if flag(user_data, "is_bot") or text(user_data, "id") == "USLACKBOT":
        return "app"
    if flag(user_data, "deleted"):
        return "deactivated"
    if _is_guest(user_data):
        return "guest"
    # `is_stranger` is false for people of another workspace in a shared channel
    # (the user object's page of Slack's documentation), so the team has the last word.
    teams = {text(user_data, "team_id"), *sequence(part(user_data, "enterprise_user"), "teams")}
    return "another organisation" if flag(user_data, "is_stranger") or team not in teams else ""


class WebContacts:
    """Implements `Contacts` and `Members` over users.list, which is asked at most every five minutes.

    Guests see only people in their own channels in Slack, so nobody is looked up for a guest here.
    """

    where = "Slack"
    allowed_by = ""

    def __init__(self, *, client: AsyncWebClient, clock: Clock) -> None:
        self._web = Web(client)
        self._people = Aging(self._everybody, seconds=SECONDS_LISTED, clock=clock)

    async def named(self, requester: Requester, name: str) -> NamedPeople:
        """Members and guests of the workspace, without apps and those who left."""
        people = [person for person in await self._seen_by(requester) if _email(person)]
        fitting = [p for p in people if any(has_words(each, _email(p), name) for each in _names(p))]
        return NamedPeople(people=[_contact(person) for person in fitting])

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
    """Guests choose their names themselves, and nobody of the workspace knows them for sure: they are no directory."""
    label = Label.EXTERNAL if _is_guest(person) else Label.DIRECTORY
    return Contact(name=_names(person)[0], email=_email(person), known_from=_where(person), label=label)


def _where(person: Object) -> str:
    title = text(part(person, "profile"), "title")
    kind = "Slack profile of a guest" if _is_guest(person) else "Slack profile"
    return f"{kind}, {title}" if title else kind
