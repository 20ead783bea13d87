"""Reminders, briefings and schedules: their buttons, and `/agent schedule`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from bot.domain.schedules import Schedule
from bot.domain.threads import User
from bot.runtime.schedules.briefings import BriefingService
from bot.runtime.schedules.reminders import Reminders
from bot.runtime.schedules.service import Schedules
from bot.runtime.texts.about_schedules import planned
from bot.slack import ids
from bot.slack.errands import Errands
from bot.slack.front import Front
from bot.slack.payload import Payload
from bot.slack.pressed import pressed
from bot.slack.views import reminder, schedule
from bot.slack.web import SlackWeb
from bot.slack.whispers import Whispers

Deed = Callable[[str, str, str], Awaitable[bool]]


class ScheduleListener:
    """Commits what a button or a command says, then answers. Raises `NotSaved`; the app's error handler answers."""

    def __init__(
        self,
        *,
        schedules: Schedules,
        alarms: Reminders,
        desk: BriefingService,
        web: SlackWeb,
        errands: Errands,
        whispers: Whispers,
    ) -> None:
        self._schedules = schedules
        self._alarms = alarms
        self._desk = desk
        self._web = web
        self._errands = errands
        self._whispers = whispers
        self._deeds: dict[str, tuple[Deed, str]] = {
            ids.SCHEDULE_PAUSE: (schedules.pause, schedule.PAUSED),
            ids.SCHEDULE_RESUME: (schedules.resume, schedule.RESUMED),
            ids.SCHEDULE_REMOVE: (schedules.remove, schedule.REMOVED),
        }

    def register(self, front: Front) -> None:
        """Every button of these views; the command comes through the one listener of `/agent`."""
        for action_id in ids.ALARM_ACTIONS:
            front.action(action_id, self.answered)
        for action_id in ids.BRIEFING_ACTIONS:
            front.action(action_id, self.asked)
        for action_id in self._deeds:
            front.action(action_id, self.changed)

    async def answered(self, body: Payload) -> None:
        """Done, or again later."""
        press = pressed(body)
        answer = await self._alarms.press(press.as_press(), ids.ALARM_ACTIONS[press.action])
        self._whispers.tell(press, answer.told)
        if answer.accepted and press.ts:
            shown = reminder.answered(answer.text, answer.until, answer.zone)
            self._errands.run("alarm", self._web.update(press.channel, press.ts, shown))

    async def asked(self, body: Payload) -> None:
        """A button on an item of a briefing."""
        press = pressed(body)
        outcome = await self._desk.press(press.as_press(), ids.BRIEFING_ACTIONS[press.action])
        self._whispers.tell(press, outcome.text)

    async def changed(self, body: Payload) -> None:
        """Pause, Resume, Remove, from App Home; what is shown there is published anew."""
        press = pressed(body)
        deed, _ = self._deeds[press.action]
        if not await deed(press.team, press.user, press.value):
            self._whispers.tell(press, schedule.NOT_CHANGED)

    async def command(self, typed: str, person: User) -> str:
        """`/agent schedule …`: the list, or what became of one of them."""
        known = await self._schedules.of(person.team, person.user)
        word, _, rest = typed.strip().partition(" ")
        action = {"pause": ids.SCHEDULE_PAUSE, "resume": ids.SCHEDULE_RESUME, "remove": ids.SCHEDULE_REMOVE}.get(
            word.lower()
        )
        if action is None:
            page = rest.strip() if word.lower() == "page" else ""
            return schedule.listed([planned(each) for each in known], page=int(page) if page.isdecimal() else 1)
        found = _numbered(known, rest)
        if found is None:
            return schedule.which(word.lower(), [planned(each) for each in known])
        deed, done = self._deeds[action]
        changed = await deed(person.team, person.user, found.id)
        return schedule.done(planned(found), done if changed else schedule.NOT_CHANGED)


def _numbered(known: Sequence[Schedule], typed: str) -> Schedule | None:
    number = typed.strip().lstrip("#")
    return next((each for each in known if number.isdecimal() and each.number == int(number)), None)
