"""Reminders, briefings and schedules: their buttons, and `/agent schedule`."""

from __future__ import annotations

from dataclasses import dataclass

from bot.domain.threads import User
from bot.runtime.schedules.briefings import BriefingService
from bot.runtime.schedules.reminders import ReminderClicks
from bot.runtime.schedules.service import ScheduleService
from bot.runtime.texts.about_schedules import planned
from bot.slack.inbound.clicks import SlackClick
from bot.slack.inbound.lists import number_of, page_of
from bot.slack.outbound.replies import Replies
from bot.slack.views import ids, schedule

_CHANGES = {
    "pause": (ScheduleService.pause, schedule.PAUSED),
    "resume": (ScheduleService.resume, schedule.RESUMED),
    "remove": (ScheduleService.remove, schedule.REMOVED),
}
"""What each word does, and what its person is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleListener:
    """Commits what a button or a command says, then answers. Its methods raise `NotSaved`."""

    schedules: ScheduleService
    reminders: ReminderClicks
    briefings: BriefingService
    replies: Replies

    async def answer_reminder(self, click: SlackClick) -> None:
        """Done, or again later."""
        answer = await self.reminders.click(click.on_button(), ids.ALARM_ACTIONS[click.action])
        self.replies.tell(click.recipient, answer.told)
        if answer.accepted and click.ts:
            shown = schedule.answered(answer.text, answer.until, answer.zone)
            self.replies.change(click.channel, click.ts, shown)

    async def ask_about_item(self, click: SlackClick) -> None:
        """Begin a request about an item of a briefing."""
        outcome = await self.briefings.click(click.on_button(), ids.BRIEFING_ACTIONS[click.action])
        self.replies.tell(click.recipient, outcome.text)

    async def change(self, click: SlackClick) -> None:
        """Pause, resume or remove one, from App Home, which is published anew."""
        change, _ = _CHANGES[ids.SCHEDULE_ACTIONS[click.action]]
        if not await change(self.schedules, click.team, click.user, click.value):
            self.replies.tell(click.recipient, schedule.NOT_CHANGED)

    async def command(self, typed: str, person: User, *, is_held: bool) -> str:
        """`/agent schedule …`: the list, or what became of one of them. `is_held`: something waits for its moment."""
        known = await self.schedules.of(person.team, person.user)
        word, _, rest = typed.strip().lower().partition(" ")
        if word not in _CHANGES:
            return schedule.listed([planned(each) for each in known], page=page_of(typed) or 1, is_held=is_held)
        number = number_of(rest)
        found = next((each for each in known if each.number == number), None)
        if found is None:
            return schedule.which(word, [planned(each) for each in known])
        change, done = _CHANGES[word]
        changed = await change(self.schedules, person.team, person.user, found.id)
        left = await self.schedules.of(person.team, person.user)
        now = next((each for each in left if each.id == found.id), found)
        return schedule.done(planned(now), done if changed else schedule.NOT_CHANGED)
