"""Who people are: profiles from Slack, at most five minutes old."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.domain.threads import User
from bot.errors import BotError
from bot.slack.errors import SlackError, SlackRefused
from bot.slack.payload import Payload, flag_at, mapping_at, text_at, texts_at
from bot.slack.web import SlackWeb

FRESH_SECONDS = 300
MOST_PEOPLE = 10_000
SLACKBOT = "USLACKBOT"


class UnknownPerson(BotError):
    """Slack knows nobody by this id."""


class DirectoryUnavailable(BotError):
    """Slack could not be asked who somebody is."""


class SlackDirectory:
    """Profiles by (team, user). The trust level is not Slack's to know and is left at its default."""

    def __init__(self, *, web: SlackWeb, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._web = web
        self._monotonic = monotonic
        self._known: OrderedDict[tuple[str, str], tuple[float, User]] = OrderedDict()

    async def profile(self, team: str, user: str) -> User:
        """The person, at most five minutes old; raises `UnknownPerson`, `DirectoryUnavailable`."""
        known = self._known.get((team, user))
        if known and self._monotonic() - known[0] < FRESH_SECONDS:
            return known[1]
        return self.told(team, await self._ask(user))

    def told(self, team: str, profile: Payload) -> User:
        """Keep a profile as Slack told it just now."""
        found = _user(team, text_at(profile, "id"), profile)
        self._known[team, found.user] = (self._monotonic(), found)
        self._known.move_to_end((team, found.user))
        if len(self._known) > MOST_PEOPLE:
            self._known.popitem(last=False)
        return found

    def name(self, team: str, user: str) -> str | None:
        """The name of somebody who was looked up before; never asks Slack."""
        known = self._known.get((team, user))
        return known[1].name if known else None

    async def _ask(self, user: str) -> Payload:
        try:
            return await self._web.profile(user)
        except SlackRefused as error:
            if error.code in {"user_not_found", "users_not_found", "user_not_visible"}:
                raise UnknownPerson(f"Slack knows nobody by the id {user}.") from error
            raise DirectoryUnavailable("Slack did not say who this is.") from error
        except SlackError as error:
            raise DirectoryUnavailable("Slack could not be asked who this is.") from error


def _user(team: str, user: str, profile: Payload) -> User:
    """docs.slack.dev/reference/objects/user-object."""
    details = mapping_at(profile, "profile")
    name = text_at(details, "real_name") or text_at(profile, "real_name") or text_at(details, "display_name")
    return User(
        team=team,
        user=user,
        name=name or text_at(profile, "name"),
        email=_email(profile),
        zone=_zone(text_at(profile, "tz")),
        is_admin=flag_at(profile, "is_admin") or flag_at(profile, "is_owner"),
        is_guest=_is_guest(team, profile),
        is_bot=flag_at(profile, "is_bot") or user == SLACKBOT,
        is_deleted=flag_at(profile, "deleted"),
    )


def _email(profile: Payload) -> str | None:
    """The address, once its person confirmed it: whose mailbox is whose is told by it."""
    return (
        (text_at(mapping_at(profile, "profile"), "email") or None) if flag_at(profile, "is_email_confirmed") else None
    )


def _zone(name: str) -> str:
    """The IANA zone; UTC where Slack names none, or one that this machine does not know."""
    try:
        return ZoneInfo(name).key
    except (ZoneInfoNotFoundError, ValueError):
        return "UTC"


def _is_guest(team: str, profile: Payload) -> bool:
    """Guests of the workspace, and people of other workspaces."""
    marked = any(flag_at(profile, name) for name in ("is_restricted", "is_ultra_restricted", "is_stranger"))
    homes = {text_at(profile, "team_id") or team, *texts_at(profile, "enterprise_user", "teams")}
    return marked or team not in homes
