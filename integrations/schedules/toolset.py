"""What the model sees of schedules: set a reminder or a daily briefing, list what is planned, remove it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Annotated

from pydantic import Field

from integrations.base import Call, Content, ObjectId, Result, Tool, ToolArgs, Tools
from integrations.errors import ModelRetry
from integrations.fences import untrusted
from integrations.ports import Clock, ScheduleInfo, Schedules
from integrations.schedules.times import ONCE, Weekday, once, repeating, words, zone_of
from integrations.text import prose
from policies.characters import quoted
from policies.types import EffectClass, Label, Role

TEXT_CHARACTERS = 1_000
SHOWN_CHARACTERS = 80
WORKING_DAYS: Sequence[Weekday] = ("mon", "tue", "wed", "thu", "fri")

Days = Annotated[list[Weekday], Role.NONE, Field(max_length=7)]


class RemindArgs(ToolArgs):
    """Arguments of `reminder_set`."""

    text: Annotated[Content, Field(min_length=1, max_length=TEXT_CHARACTERS)]
    at: Annotated[str, Role.NONE, Field(max_length=40)]
    weekdays: Days = Field(default_factory=list[Weekday])
    day_of_month: Annotated[int | None, Role.NONE, Field(ge=1, le=31)] = None
    unless_answered: Annotated[ObjectId | None, Field(max_length=200)] = None


class ListArgs(ToolArgs):
    """Arguments of `reminders`."""


class RemoveArgs(ToolArgs):
    """Arguments of `reminder_remove`."""

    reminder_id: Annotated[ObjectId, Field(max_length=80)]


class BriefArgs(ToolArgs):
    """Arguments of `briefing_schedule`."""

    at: Annotated[str, Role.NONE, Field(max_length=40, description="Such as 08:00.")]
    weekdays: Annotated[
        list[Weekday], Role.NONE, Field(min_length=1, max_length=7, description="Every weekday if left out.")
    ] = Field(default_factory=lambda: list(WORKING_DAYS))


class ReminderSet(Tool[RemindArgs]):
    """Keeps a reminder; the same call twice is one."""

    name = "reminder_set"
    effect = EffectClass.OWN
    args = RemindArgs

    def __init__(self, schedules: Schedules, clock: Clock) -> None:
        self._schedules = schedules
        self._clock = clock
        self.description = prose(__name__, "reminder_set.md")

    def caption(self, args: RemindArgs) -> str:
        """Names what to be reminded of."""
        return f"Reminder {quoted(args.text, SHOWN_CHARACTERS)}"

    async def execute(self, args: RemindArgs, call: Call) -> Result:
        """Keep it in the person's zone."""
        text = " ".join(args.text.split())
        if not text:
            raise ModelRetry("empty_reminder", "There is nothing to remind of: the text is empty.", private=False)
        planned = await self._schedules.remind(
            call.requester,
            text,
            self._spec(args, call),
            key=call.key,
            label=call.label,
            unless_answered=args.unless_answered,
        )
        unless = ", unless somebody answers that mail before" if args.unless_answered else ""
        return _kept(planned, f"set for {_time(planned)}{unless}")

    def _spec(self, args: RemindArgs, call: Call) -> Mapping[str, object]:
        if args.weekdays or args.day_of_month is not None:
            return _repeating(args, call)
        return once(args.at, call.requester.zone, now=self._clock.now())


def _repeating(args: RemindArgs, call: Call) -> Mapping[str, object]:
    if args.unless_answered is not None:
        message = "A reminder that depends on an answer comes once."
        raise ModelRetry("repeats_and_waits", message, hint=f"Leave out the repetition. {ONCE}", private=False)
    return repeating(args.at, args.weekdays, args.day_of_month)


class BriefingSchedule(Tool[BriefArgs]):
    """Keeps a briefing that comes again and again; the same call twice is one."""

    name = "briefing_schedule"
    effect = EffectClass.OWN
    description = (
        "Send a daily briefing (meetings, mails that wait for an answer) in direct messages at a local time. For "
        "one at once use briefing_send."
    )
    args = BriefArgs

    def __init__(self, schedules: Schedules) -> None:
        self._schedules = schedules

    def caption(self, args: BriefArgs) -> str:
        """Says what comes."""
        return "Daily briefing"

    async def execute(self, args: BriefArgs, call: Call) -> Result:
        """Keep it in the person's zone; one that is there already is told, not doubled."""
        planned = await self._schedules.brief(call.requester, repeating(args.at, args.weekdays, None), key=call.key)
        return _kept(planned, f"set for {_time(planned)}")


class Reminders(Tool[ListArgs]):
    """Lists what is planned for the person."""

    name = "reminders"
    effect = EffectClass.READ
    description = "List reminders, briefings and other schedules. The person can change them with /agent schedule."
    args = ListArgs

    def __init__(self, schedules: Schedules) -> None:
        self._schedules = schedules

    def caption(self, args: ListArgs) -> str:
        """Says what is looked at."""
        return "Look at your reminders and schedules"

    async def execute(self, args: ListArgs, call: Call) -> Result:
        """All of them: there are at most fifty."""
        planned = await self._schedules.of(call.requester)
        return Result(
            data={"reminders": [_row(one) for one in planned]},
            summary="Nothing is planned" if not planned else f"{len(planned)} planned",
            label=reduce(Label.worst, (one.label for one in planned), Label.OWNER),
        )


class ReminderRemove(Tool[RemoveArgs]):
    """Ends a schedule of the person's."""

    name = "reminder_remove"
    effect = EffectClass.OWN
    description = "Remove one of `reminders`: one that was named clearly; if two could be meant, ask."
    args = RemoveArgs

    def __init__(self, schedules: Schedules) -> None:
        self._schedules = schedules

    def caption(self, args: RemoveArgs) -> str:
        """Says what is removed."""
        return "Remove a reminder"

    async def execute(self, args: RemoveArgs, call: Call) -> Result:
        """End it; a second attempt finds it ended, which is as good."""
        planned = {one.id: one for one in await self._schedules.of(call.requester)}
        known = planned.get(args.reminder_id)
        if known is None and call.attempt == 1:
            message = "There is no such reminder: it was removed, or its time is over."
            raise ModelRetry("no_such_reminder", message, hint="Take an id from `reminders`.", private=False)
        await self._schedules.remove(call.requester, args.reminder_id)
        what = f"{quoted(known.title, SHOWN_CHARACTERS)}, {known.when}" if known else "done"
        return Result(data={"removed": True}, summary=what, label=Label.CONFIG)


def schedule_tools(schedules: Schedules, clock: Clock) -> Tools:
    """Every tool about schedules."""
    return [
        ReminderSet(schedules, clock),
        Reminders(schedules),
        ReminderRemove(schedules),
        BriefingSchedule(schedules),
    ]


def _kept(planned: ScheduleInfo, summary: str) -> Result:
    return Result(
        data={"reminder_id": planned.id, **_timed(planned)},
        summary=summary,
        label=Label.CONFIG,
        undo=f"schedule:{planned.id}",
    )


def _row(planned: ScheduleInfo) -> dict[str, object]:
    state = {"paused": True} if planned.is_paused else {}
    foreign = planned.label in {Label.MEMBER, Label.EXTERNAL}
    title = untrusted(planned.title, source="reminder") if foreign else planned.title
    return {"id": planned.id, "what": planned.what, "title": title, **_timed(planned), **state}


def _timed(planned: ScheduleInfo) -> dict[str, object]:
    upcoming = {"next": words(planned.next_at, zone_of(planned.zone))} if planned.next_at else {}
    return {"when": planned.when, **upcoming, "zone": planned.zone}


def _time(planned: ScheduleInfo) -> str:
    """When it comes; of a repeating one the rule, which has the time, and its first day."""
    first = words(planned.next_at, zone_of(planned.zone)) if planned.next_at else ""
    if not planned.when.startswith("every"):
        return f"{first} ({planned.zone})"
    return f"{planned.when}, first on {first.rpartition(', ')[0]}"
