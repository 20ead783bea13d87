"""What a person is told in direct messages because it is time: a card still waits, or something he wanted to hear."""

from __future__ import annotations

from bot.runtime import time_words
from bot.runtime.timely import AlarmView, ReminderView
from bot.slack.views import blocks as kit
from bot.slack.views.blocks import Outgoing
from bot.slack.views.plain import one_line

_TEXT_LIMIT = 2_000


def reminder(view: ReminderView, link: str) -> Outgoing:
    """The line, with the way to the card; `link` is its address from Slack, or empty."""
    title = one_line(view.title, 300) or "a card of mine"
    lead = f"Still waiting for your decision, {time_words.left(view.left)} left: "
    ends = [kit.words("If nobody answers, it expires on "), kit.moment(view.expires_at, view.zone), kit.words(". ")]
    line = kit.line(kit.words(lead), kit.words(title, bold=True))
    return Outgoing(
        text=kit.fallback(f"{lead}{title}"),
        blocks=[kit.rich(line), kit.rich(kit.line(*ends, *kit.link(link, "Go to the card")))],
    )


def alarm(view: AlarmView) -> Outgoing:
    """His own words, and since when they were due when they come late."""
    text = one_line(view.text, _TEXT_LIMIT)
    late = [kit.context(kit.small(time_words.late(view.due, view.zone)))] if view.due else []
    line = kit.line(kit.words("You asked me to remind you: "), kit.words(text, bold=True))
    return Outgoing(text=kit.fallback(f"You asked me to remind you: {text}"), blocks=[kit.rich(line), *late])
