"""People's profiles from Slack, at most five minutes old."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import ValidationError

from bot.domain.threads import User
from bot.errors import BotError
from bot.runtime.core.ports import NoSuchPerson
from bot.slack.connection.errors import SlackError, SlackRefused
from bot.slack.connection.schema import Flag, SlackModel, Text, Texts, at, text_at
from bot.slack.connection.web import SlackWeb

FRESH_SECONDS = 300
MOST_PEOPLE = 10_000
SLACKBOT = "USLACKBOT"


class UnknownPerson(BotError):
    """Slack did not say who this is: it knows nobody by the id, or could not be asked."""


class NobodyInSlack(UnknownPerson, NoSuchPerson):
    """Slack was asked, and knows nobody by this id (docs.slack.dev/reference/methods/users.info, "Errors")."""


_NOBODY = frozenset({"user_not_found", "user_not_visible"})


class Profile(SlackModel):
    """A person as Slack tells of them (docs.slack.dev/reference/objects/user-object)."""

    id: str
    team_id: Text = ""
    name: Text = ""
    real_name: Text = ""
    tz: Text = ""
    full_name: Text = text_at("profile", "real_name")
    display_name: Text = text_at("profile", "display_name")
    email: Text = text_at("profile", "email")
    teams: Texts = at("enterprise_user", "teams", default=())
    is_email_confirmed: Flag = False
    is_admin: Flag = False
    is_owner: Flag = False
    is_bot: Flag = False
    is_restricted: Flag = False
    is_ultra_restricted: Flag = False
    is_stranger: Flag = False
    deleted: Flag = False


class SlackDirectory:
    """Profiles by (team, user). The trust level is not Slack's to know and is left at its default."""

    def __init__(self, *, web: SlackWeb, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._web = web
        self._monotonic = monotonic
        self._known: OrderedDict[tuple[str, str], tuple[float, User]] = OrderedDict()

    async def profile(self, team: str, user: str) -> User:
        """The person, at most five minutes old; raises `UnknownPerson`."""
        known = self._known.get((team, user))
        if known and self._monotonic() - known[0] < FRESH_SECONDS:
            return known[1]
        return self.remember(team, await self._ask(user))

    async def with_address(self, team: str, email: str) -> User | None:
        """The person who has this address, if somebody has; raises `UnknownPerson` where Slack cannot be asked."""
        try:
            found = await self._web.profile_of(email)
            return self.remember(team, Profile.model_validate(found)) if found else None
        except SlackError as error:
            raise UnknownPerson from error
        except ValidationError:
            return None

    def remember(self, team: str, profile: Profile) -> User:
        """Keep a profile as Slack told it just now."""
        found = _user(team, profile)
        self._known[team, found.user] = (self._monotonic(), found)
        self._known.move_to_end((team, found.user))
        if len(self._known) > MOST_PEOPLE:
            self._known.popitem(last=False)
        return found

    def name(self, team: str, user: str) -> str | None:
        """The name of somebody who was looked up before; never asks Slack."""
        known = self._known.get((team, user))
        return known[1].name if known else None

    async def _ask(self, user: str) -> Profile:
        try:
            return Profile.model_validate(await self._web.profile(user))
        except SlackError as error:
            is_nobody = isinstance(error, SlackRefused) and error.code in _NOBODY
            raise (NobodyInSlack if is_nobody else UnknownPerson) from error
        except ValidationError:
            raise UnknownPerson from None


def _user(team: str, profile: Profile) -> User:
    return User(
        team=team,
        user=profile.id,
        name=profile.full_name or profile.real_name or profile.display_name or profile.name,
        email=(profile.email or None) if profile.is_email_confirmed else None,  # it says whose mailbox this is
        zone=_zone(profile.tz),
        is_admin=profile.is_admin or profile.is_owner,
        is_guest=_is_guest(team, profile),
        is_bot=profile.is_bot or profile.id == SLACKBOT,
        is_deleted=profile.deleted,
    )


def _zone(name: str) -> str:
    """The IANA zone; UTC where Slack names none, or one that this machine does not know."""
    try:
        return ZoneInfo(name).key
    except (ZoneInfoNotFoundError, ValueError):
        return "UTC"


def _is_guest(team: str, profile: Profile) -> bool:
    """Guests of the workspace, and people of other workspaces."""
    marked = profile.is_restricted or profile.is_ultra_restricted or profile.is_stranger
    homes = {profile.team_id or team, *profile.teams}
    return marked or team not in homes
