"""What Slack shows of a run beside its messages: the session's status, and the line that says what it is doing.

Statuses (docs.slack.dev/ai/agent-sessions) carry no content of a private run, so they stand in the request's thread.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from bot.domain.runs import RunState
from bot.runtime.queries import Place
from bot.slack.views.status import status
from bot.slack.web import SlackWeb

REFRESH_SECONDS = 90.0
"""Slack takes the line away after two minutes."""


class Statuses:
    """The status of one run; calls Slack only for what changed."""

    def __init__(self, *, web: SlackWeb, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._web = web
        self._monotonic = monotonic
        self._session = ""
        self._line = ""
        self._line_at = 0.0

    async def show(self, place: Place, state: RunState, caption: str) -> None:
        """Bring Slack up to date."""
        await self._show_session(place, _session(state))
        await self._show_line(place, status(place, caption) if _session(state) == "processing" else "")

    def next_refresh(self) -> float | None:
        """The seconds until the line must be said again."""
        return max(0.0, self._line_at + REFRESH_SECONDS - self._monotonic()) if self._line else None

    def outdated(self) -> None:
        """A message of ours took the line away."""
        self._line_at = 0.0

    async def _show_session(self, place: Place, wanted: str) -> None:
        if wanted != self._session:
            self._session = wanted
            await self._web.session_status(place.channel, place.root_ts, wanted, initiator=place.user)

    async def _show_line(self, place: Place, wanted: str) -> None:
        stale = bool(wanted) and self._monotonic() - self._line_at >= REFRESH_SECONDS
        if wanted != self._line or stale:
            self._line, self._line_at = wanted, self._monotonic()
            await self._web.thread_status(place.channel, place.root_ts, wanted)


def _session(state: RunState) -> str:
    if state is RunState.AWAITING:
        return "suspended"
    return "processing" if state.is_live() else "active"
