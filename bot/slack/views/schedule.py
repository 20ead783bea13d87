"""Reminders as they come, and schedules as `/agent schedule` and App Home list them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from bot.domain.schedules import ReminderChoice
from bot.runtime.delivery.views import ScheduledReminderView
from bot.runtime.texts import about_times
from bot.slack.views import blocks as kit
from bot.slack.views import ids
from bot.slack.views.blocks import Block, Outgoing
from bot.slack.views.plain import escaped, one_line
from integrations.ports import ScheduleInfo
from policies.characters import quoted

PAGE = 20
ON_HOME = 8
TEXT_LIMIT = 2_000
PAUSED = "is paused until you resume it."
RESUMED = "is resumed"
REMOVED = "is removed."
NOT_CHANGED = "Nothing was changed: it is over, or it is paused or active already."
EXAMPLE = "Nothing is planned. Try: “remind me at 4 to call the bank”, or “brief me every weekday at 8”."
ELSEWHERE = "What leaves later stands on App Home, under *Scheduled*."
NO_OTHERS = f"No reminder, briefing or request is planned. {ELSEWHERE}"
HOW = "To change number {0}: `/agent schedule pause {0}`, `/agent schedule resume {0}` or `/agent schedule remove {0}`."


ABOUT_LIMIT = 240  # characters of one in the window of its Remove, which takes 300

_CHOICES = {
    ReminderChoice.DONE: "Done",
    ReminderChoice.HOUR: "Snooze 1 hour",
    ReminderChoice.MORNING: "Tomorrow morning",
}
_CONDITION = ", unless somebody answers that mail before"
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
    said = [kit.words("Done.")] if until is None else [kit.words("It comes again "), kit.moment(until, zone)]
    return _said(text, kit.paragraph(*said))


def _said(text: str, *more: Block) -> Outgoing:
    shown = one_line(text, TEXT_LIMIT)
    lead = "You asked me to remind you: "
    line = kit.paragraph(kit.words(lead), kit.words(shown, bold=True))
    return Outgoing(text=kit.fallback(f"{lead}{shown}"), blocks=[line, *more])


def listed(known: Sequence[ScheduleInfo], *, page: int = 1, is_held: bool = False) -> str:
    """The answer to `/agent schedule`: one page, in mrkdwn. `is_held`: something waits for its moment elsewhere."""
    if not known:
        return NO_OTHERS if is_held else EXAMPLE
    ordered = _in_order(known)
    pages = -(-len(ordered) // PAGE)
    page = min(max(page, 1), pages)
    shown = ordered[(page - 1) * PAGE : page * PAGE]
    lines = [f"*{one.number}*  {escaped(line(one))}" for one in shown]
    more = [f"Page {page} of {pages}; `/agent schedule page {page % pages + 1}` shows another."] if pages > 1 else []
    elsewhere = [ELSEWHERE] if is_held else []
    return "\n".join(["*Planned for you:*", *lines, *more, HOW.format(shown[0].number), *elsewhere])


def _in_order(known: Sequence[ScheduleInfo]) -> Sequence[ScheduleInfo]:
    """As they come; what is paused comes last."""
    return sorted(known, key=lambda one: (one.next_at is None, one.next_at, one.number))


def which(word: str, known: Sequence[ScheduleInfo]) -> str:
    """The answer to a change without a number that is known."""
    if not known:
        return f"{EXAMPLE} Nothing was changed."
    number = _in_order(known)[0].number
    return f"Which one? Type its number, like `/agent schedule {word} {number}`. Nothing was changed.\n{listed(known)}"


def done(one: ScheduleInfo, what: str) -> str:
    """What became of one; of one that was resumed, when it comes."""
    title = escaped(quoted(one_line(one.title, 80), 80))
    if what == NOT_CHANGED:
        stands = "is paused already" if one.is_paused else "is active already" if one.next_at else "is over"
        return f"{title} (number {one.number}) {stands}. Nothing was changed."
    return f"{title} {what}: {_comes(one)}." if what == RESUMED else f"{title} {what}"


def line(one: ScheduleInfo) -> str:
    """One schedule in words."""
    title = one_line(one.title, 80) or one.what
    what = "" if title.lower().endswith(one.what) else f" ({one.what})"
    return f"{title}{what} – {_comes(one)}{_CONDITION if one.unless_answered else ''}"


def _comes(one: ScheduleInfo) -> str:
    repeats = one.when.startswith("every")
    coming = f"{'next ' if repeats else ''}{about_times.with_zone(one.next_at, one.zone)}" if one.next_at else "over"
    if one.is_paused:
        return f"{one.when}, paused"
    return f"{f'{one.when}, ' if repeats else ''}{coming}"


def on_home(known: Sequence[ScheduleInfo]) -> Sequence[Block]:
    """The part of App Home, with buttons."""
    ordered = _in_order(known)
    shown = [block for one in ordered[:ON_HOME] for block in _with_buttons(one)]
    left = len(ordered) - ON_HOME
    more = [kit.context(kit.small(f"… and {left} more: /agent schedule lists them."))] if left > 0 else []
    return [kit.header("Planned for you"), *(shown or [kit.section(EXAMPLE)]), *more]


def _with_buttons(one: ScheduleInfo) -> Sequence[Block]:
    pause = kit.button("Pause", ids.SCHEDULE_PAUSE, one.id)
    resume = kit.button("Resume", ids.SCHEDULE_RESUME, one.id)
    about = f"{one_line(line(one), ABOUT_LIMIT)}. It does not come any more."
    asks = kit.confirm("Remove this?", about, yes="Remove it", no="Keep it")
    remove = kit.button("Remove", ids.SCHEDULE_REMOVE, one.id) | {"confirm": asks}
    return [
        kit.section(f"{one.number}. {line(one)}"),
        kit.buttons(f"schedule:{one.id}", [resume if one.is_paused else pause, remove]),
    ]
