"""What Slack shows of a run beside its messages: the session's status, and the line that says what it is doing.

Statuses (docs.slack.dev/ai/agent-sessions) carry no content of a private run, so they stand in the request's thread.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from bot.domain.deliveries import Place
from bot.domain.runs import RunState
from bot.slack.connection.errors import SlackBusy
from bot.slack.connection.web import SlackWeb
from bot.slack.views.notices import status

REFRESH_SECONDS = 90.0  # Slack takes the line away after two minutes


class Statuses:
    """The status of one run; calls Slack only for what changed. After a 429 it waits as long as Slack asked for."""

    def __init__(self, *, web: SlackWeb, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._web = web
        self._monotonic = monotonic
        self._session: str = ""
        self._line: str | None = None  # a process that died may have left one
        self._line_at = 0.0
        self._waits_until: float | None = None

    @property
    def waits(self) -> bool:
        """Whether something waits to be shown until Slack takes it."""
        return self._waits_until is not None

    async def show(self, place: Place, state: RunState, caption: str) -> None:
        """Bring Slack up to date. Raises `SlackRefused` or `SlackUnclear`, and does not try that again."""
        too_soon = self._waits_until is not None and self._monotonic() < self._waits_until
        if too_soon or not place.root_ts:
            return
        self._waits_until = None
        try:
            await self._show_session(place, _session(state))
            await self._show_line(place, status(place, caption) if _session(state) == "processing" else "")
        except SlackBusy as busy:
            self._waits_until = self._monotonic() + busy.seconds

    def next_refresh(self) -> float | None:
        """The seconds until there is something to do again."""
        until = self._waits_until or (self._line_at + REFRESH_SECONDS if self._line else None)
        return max(0.0, until - self._monotonic()) if until is not None else None

    def outdated(self) -> None:
        """A message of ours took the line away."""
        self._line_at = 0.0

    async def _show_session(self, place: Place, wanted: str) -> None:
        if wanted == self._session:
            return
        before, self._session = self._session, wanted
        try:
            await self._web.session_status(place.channel, place.root_ts, wanted, initiator=place.user)
        except SlackBusy:
            self._session = before
            raise

    async def _show_line(self, place: Place, wanted: str) -> None:
        stale = bool(wanted) and self._monotonic() - self._line_at >= REFRESH_SECONDS
        if wanted == self._line and not stale:
            return
        before, self._line, self._line_at = self._line, wanted, self._monotonic()
        try:
            await self._web.thread_status(place.channel, place.root_ts, wanted)
        except SlackBusy:
            self._line = before
            raise


def _session(state: RunState) -> str:
    if state is RunState.AWAITING:
        return "suspended"
    return "processing" if state.is_live() else "active"
