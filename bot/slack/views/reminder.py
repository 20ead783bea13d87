"""What a person is told in direct messages when it is time: a card still waits, or a reminder that they asked for."""

from __future__ import annotations

from datetime import datetime

from bot.domain.schedules import ReminderChoice
from bot.runtime.delivery.views import ReminderView, ScheduledReminderView
from bot.runtime.texts import about_times
from bot.slack.views import blocks as kit
from bot.slack.views import ids
from bot.slack.views.blocks import Outgoing
from bot.slack.views.plain import one_line

_TEXT_LIMIT = 2_000


def reminder(view: ReminderView, link: str) -> Outgoing:
    """The line, with the way to the card; `link` is its address from Slack, or empty."""
    title = one_line(view.title, 300) or "a card of mine"
    lead = f"Still waiting for your decision, {about_times.left(view.left)} left: "
    ends = [kit.words("If nobody answers, it expires on "), kit.moment(view.expires_at, view.zone), kit.words(". ")]
    line = kit.line(kit.words(lead), kit.words(title, bold=True))
    return Outgoing(
        text=kit.fallback(f"{lead}{title}"),
        blocks=[kit.rich(line), kit.rich(kit.line(*ends, *kit.link(link, "Go to the card")))],
    )


_CHOICES = {
    ReminderChoice.DONE: "Done",
    ReminderChoice.HOUR: "Snooze 1 hour",
    ReminderChoice.MORNING: "Tomorrow morning",
}
_BLIND = "I could not check whether somebody has answered meanwhile, so I remind you anyway."


def alarm(view: ScheduledReminderView) -> Outgoing:
    """The person's own words, when they were due if they come late, and what can be answered."""
    late = [kit.context(kit.small(about_times.late(view.due, view.zone)))] if view.due else []
    blind = [kit.context(kit.small(_BLIND))] if view.blind else []
    actions = {choice: action for action, choice in ids.ALARM_ACTIONS.items()}
    buttons = [kit.button(label, actions[choice], view.value, only_for=view.user) for choice, label in _CHOICES.items()]
    row = [kit.buttons("alarm", buttons)] if view.value else []
    return _said(view.text, *late, *blind, *row)


def answered(text: str, until: datetime | None, zone: str) -> Outgoing:
    """The message after its owner answered: done, or when it comes again."""
    said = [kit.words("Done.")] if until is None else [kit.words("It comes again on "), kit.moment(until, zone)]
    return _said(text, kit.rich(kit.line(*said)))


def _said(text: str, *more: kit.Block) -> Outgoing:
    shown = one_line(text, _TEXT_LIMIT)
    line = kit.line(kit.words("You asked me to remind you: "), kit.words(shown, bold=True))
    return Outgoing(text=kit.fallback(f"You asked me to remind you: {shown}"), blocks=[kit.rich(line), *more])
