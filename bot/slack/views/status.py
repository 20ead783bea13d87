"""The one line under the conversation while a run works."""

from __future__ import annotations

from bot.runtime.delivery.views import Place
from bot.slack.views.plain import one_line

STATUS_LIMIT = 100

_HARMLESS = str.maketrans("<>", "‹›")
"""Slack does not say whether it reads this line as mrkdwn, so neither an escape nor a mention may stand in it."""


def status(place: Place, caption: str) -> str:
    """What the run is doing. In a channel only that it works, because a caption may quote something private."""
    if not place.is_dm or not caption:
        return "is working on it…"
    return one_line(f"is working: {caption}", STATUS_LIMIT).translate(_HARMLESS)
