"""Where content may be shown: in the thread, or in its owner's direct messages when it is private."""

from __future__ import annotations

import contextlib

from bot.runtime.delivery.views import Place
from bot.slack.connection.errors import SlackRefused
from bot.slack.connection.web import SlackWeb
from bot.slack.outbound import slots
from bot.slack.outbound.messages import Destination, Messages
from bot.slack.views import notices


class Destinations:
    """Finds the place for a run's text, stream and cards. A private run has one root message in the DM."""

    def __init__(self, *, web: SlackWeb, messages: Messages) -> None:
        self._web = web
        self._messages = messages
        self._direct: dict[tuple[str, str], str] = {}

    async def content(self, place: Place, *, private: bool = False) -> Destination:
        """Where the run's content goes; `private` adds that this piece is, even if the run is not."""
        if place.elsewhere or (private and not place.is_dm):
            return await self._below_root(place)
        return self.thread(place)

    def thread(self, place: Place) -> Destination:
        """Where the request was made."""
        return Destination(place.channel, place.root_ts or None)

    async def direct(self, team: str, user: str) -> Destination:
        """A person's DM, at its top level."""
        if (team, user) not in self._direct:
            self._direct[team, user] = await self._web.direct(user)
        return Destination(self._direct[team, user])

    async def _below_root(self, place: Place) -> Destination:
        to, link = await self.direct(place.team, place.user), ""
        with contextlib.suppress(SlackRefused):  # the request may be deleted by now
            link = await self._web.permalink(place.channel, place.request_ts)
        root = await self._messages.once(
            place.run_id, slots.ROOT, to, notices.root(place, link), since=place.request_ts
        )
        return Destination(root.channel, root.ts)
