"""App Home: published when somebody opens it, and again when something on it changed."""

from __future__ import annotations

import asyncio
from collections import OrderedDict

import structlog

from bot.domain.events import Event, HomeChanged, RunMoved
from bot.runtime.core.event_bus import Bus, BusFollower
from bot.runtime.delivery.queries import Queries
from bot.slack.connection.errors import SlackError
from bot.slack.connection.web import SlackWeb
from bot.slack.inbound.events import HomeOpened
from bot.slack.inbound.people import Members
from bot.slack.inbound.router import Router
from bot.slack.outbound.background_tasks import BackgroundTasks
from bot.slack.views import command
from bot.slack.views.home import home, turned_away

log = structlog.get_logger()

_ENTRIES_SHOWN = 5
PAUSE_SECONDS = 1.0  # changes that come together are published once
MOST_PEOPLE = 1_000  # who opened the tab last; others see it fresh when they open it


class HomeListener(BusFollower):
    """Publishes the tab; between `async with` and its end it also follows the bus. Best effort."""

    def __init__(
        self,
        *,
        queries: Queries,
        members: Members,
        web: SlackWeb,
        bus: Bus,
        background: BackgroundTasks,
        pause: float = PAUSE_SECONDS,
    ) -> None:
        super().__init__(bus=bus, name="slack-home")
        self._queries = queries
        self._members = members
        self._web = web
        self._background = background
        self._pause = pause
        self._watching: OrderedDict[tuple[str, str], None] = OrderedDict()

    def register(self, router: Router) -> None:
        """The tab was opened."""
        router.event("app_home_opened", HomeOpened.parse, self.opened)

    async def opened(self, event: HomeOpened) -> None:
        """Show the tab to the person who opened it; the Messages tab needs nothing."""
        if event.tab != "home":
            return
        team, user = event.team, event.user
        self._watching[team, user] = None
        self._watching.move_to_end((team, user))
        if len(self._watching) > MOST_PEOPLE:
            self._watching.popitem(last=False)
        self._background.run("home", self._publish(team, user))

    async def _follow(self, queue: asyncio.Queue[Event]) -> None:
        while True:
            events = [await queue.get()]
            await asyncio.sleep(self._pause)
            while not queue.empty():
                events.append(queue.get_nowait())
            try:
                await self._publish_all(events)
            except SlackError as error:
                log.warning("slack.home_not_published", error=type(error).__name__)
            except Exception:  # the task's outer edge: the next change tries again
                log.exception("slack.home_broke")

    async def _publish_all(self, events: list[Event]) -> None:
        runs = {event.run_id for event in events if isinstance(event, RunMoved)} if self._watching else set[str]()
        places = [await self._queries.place(run_id) for run_id in runs]
        people = {(place.team, place.user) for place in places}
        people |= {(event.team, event.user) for event in events if isinstance(event, HomeChanged)}
        for team, user in people & self._watching.keys():
            await self._publish(team, user)

    async def _publish(self, team: str, user: str) -> None:
        person = await self._members.known(team, user)
        if person is not None and not person.is_member:
            await self._web.publish_home(user, turned_away(command.GUESTS))
            return
        view = await self._queries.home(team, user)
        links = {line.question_id: await self._web.permalink(*line.card) for line in view.questions if line.card}
        sessions = await self._queries.sessions(team, user)
        _, entries = await self._queries.audit(team, user, limit=_ENTRIES_SHOWN)
        is_admin = person is not None and person.is_admin
        await self._web.publish_home(user, home(view, links, sessions, entries, is_admin=is_admin))
