"""Slack's own Stop button (docs.slack.dev/reference/events/agent_session_stopped)."""

from __future__ import annotations

from bot.runtime.runs.stop import Halt, Stops
from bot.slack.errands import Errands
from bot.slack.front import Front
from bot.slack.identity import Identity
from bot.slack.payload import Payload, mapping_at, text_at
from bot.slack.web import SlackWeb

SAID = {Halt.NOT_YOURS: "Only the person who asked can stop this.", Halt.NOTHING: "Nothing is running here any more."}


class SessionListener:
    """Stops the person's own runs of the thread; Slack leaves it to the app to end the session's status."""

    def __init__(self, *, stops: Stops, identity: Identity, web: SlackWeb, errands: Errands) -> None:
        self._stops = stops
        self._identity = identity
        self._web = web
        self._errands = errands

    def register(self, front: Front) -> None:
        """The one event."""
        front.event("agent_session_stopped", self.stopped)

    async def stopped(self, body: Payload) -> None:
        """Stop, then tell Slack. Raises `NotSaved`, so that Slack sends it again."""
        event = mapping_at(body, "event")
        channel, root, user = text_at(event, "channel"), text_at(event, "thread_ts"), text_at(event, "user")
        halt = await self._stops.stop_thread(self._identity.team(body), user, channel, root)
        if said := SAID.get(halt):
            self._errands.run("not-stopped", self._web.whisper(channel, user, said, thread_ts=root))
        if halt is not Halt.NOT_YOURS:
            self._errands.run("session-active", self._web.session_status(channel, root, "active"))
