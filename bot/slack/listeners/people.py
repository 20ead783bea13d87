"""Who somebody is by now: a profile that changed, an account that was deactivated, a member who became a guest."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.domain.threads import User
from bot.runtime.runs.stop import Stops
from bot.slack.directory import SlackDirectory
from bot.slack.front import Front
from bot.slack.payload import Payload, mapping_at, team_of, text_at


class PeopleListener:
    """Keeps what Slack tells of people it knows (docs.slack.dev/reference/events/user_change).

    `left` hears of whoever is no member any more.
    """

    def __init__(
        self, *, directory: SlackDirectory, stops: Stops, left: Callable[[User], Awaitable[None]] | None = None
    ) -> None:
        self._directory = directory
        self._stops = stops
        self._left = left

    def register(self, front: Front) -> None:
        """The one event; Slack sends it for every change of a profile, a status text included."""
        front.event("user_change", self.changed)

    async def changed(self, body: Payload) -> None:
        """One event. Raises `NotSaved`, so that Slack sends it again."""
        profile = mapping_at(body, "event", "user")
        if text_at(profile, "id"):
            person = self._directory.told(team_of(body), profile)
            if self._left and not person.is_member:  # keys to his account first: there may be much to cancel
                await self._left(person)
            await self._stops.person_changed(person)
