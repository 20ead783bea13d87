"""Who wrote something in Slack, and whether they are a full member of the workspace."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from integrations.ports import Clock
from integrations.slack.aging import Aging
from integrations.slack.web import Object, SlackRefused, Web, flag, part, sequence, text

SECONDS_KNOWN = 120
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


class People:
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
        except SlackRefused as refusal:
            if refusal.error in {"user_not_found", "user_not_visible", "users_not_found"}:
                return Person(id=user, name="Somebody", kind="unknown")
            raise
        return _person(part(answer, "user"), user=user, team=await self._our_team())

    async def _our_team(self) -> str:
        self._team = self._team or text(await self._web.call("auth.test"), "team_id")
        return self._team


def _person(user_data: Object, *, user: str, team: str) -> Person:
    profile = part(user_data, "profile")
    candidates = (
        text(profile, "real_name"),
        text(profile, "display_name"),
        text(user_data, "real_name"),
        text(user_data, "name"),
    )
    return Person(id=user, name=next(filter(None, candidates), "Somebody"), kind=_kind(user_data, team))


def _kind(user_data: Object, team: str) -> str:
    if flag(user_data, "is_bot") or text(user_data, "id") == "USLACKBOT":
        return "app"
    if flag(user_data, "deleted"):
        return "deactivated"
    if flag(user_data, "is_restricted") or flag(user_data, "is_ultra_restricted"):
        return "guest"
    # `is_stranger` is false for people of another workspace in a shared channel
    # (the user object's page of Slack's documentation), so the team has the last word.
    teams = {text(user_data, "team_id"), *sequence(part(user_data, "enterprise_user"), "teams")}
    return "another organisation" if flag(user_data, "is_stranger") or team not in teams else ""
