"""Where content may be shown: in the thread, or, when it is private, in its owner's direct messages."""

from __future__ import annotations

import contextlib

from bot.runtime.delivery.views import Place
from bot.slack import ids
from bot.slack.errors import SlackRefused
from bot.slack.postings import Postings, Spot
from bot.slack.views import stub
from bot.slack.web import SlackWeb


class Rooms:
    """Finds the place for a run's text, stream and cards. A private run has one root message in the DM."""

    def __init__(self, *, web: SlackWeb, postings: Postings) -> None:
        self._web = web
        self._postings = postings
        self._direct: dict[tuple[str, str], str] = {}

    async def content(self, place: Place, *, private: bool = False) -> Spot:
        """Where the run's content goes; `private` adds that this piece is, even if the run is not."""
        if place.elsewhere or (private and not place.is_dm):
            return await self._below_root(place)
        return self.thread(place)

    def thread(self, place: Place) -> Spot:
        """Where the request was made."""
        return Spot(place.channel, place.root_ts or None)

    async def direct(self, team: str, user: str) -> Spot:
        """A person's DM, at its top level."""
        if (team, user) not in self._direct:
            self._direct[team, user] = await self._web.direct(user)
        return Spot(self._direct[team, user])

    async def _below_root(self, place: Place) -> Spot:
        spot, link = await self.direct(place.team, place.user), ""
        with contextlib.suppress(SlackRefused):  # the request may be deleted by now
            link = await self._web.permalink(place.channel, place.request_ts)
        root = await self._postings.once(place.run_id, ids.ROOT, spot, stub.root(place, link), since=place.request_ts)
        return Spot(root.channel, root.ts)
