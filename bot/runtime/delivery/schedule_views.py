"""The read side of what time brings: reminders of open questions, alarms, and how a scheduled request begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.briefings import briefing_in
from bot.domain.conditions import in_time, is_open
from bot.domain.deliveries import CardReminder, card_slot, certainly_before, reader_slot
from bot.domain.runs import SLACK_MESSAGE, AttachedContext
from bot.domain.schedules import ReminderFiring, schedule_of
from bot.domain.threads import zone_of
from bot.runtime.actions.previews import named
from bot.runtime.delivery.agents import title_of
from bot.runtime.delivery.views import (
    AboutMessage,
    BriefingView,
    Clear,
    OpeningView,
    ReminderView,
    ScheduledReminderView,
    as_it_is,
)
from bot.runtime.schedules.service import LATE
from bot.runtime.texts import about_agents, about_plans, about_schedules
from bot.store.store import Store
from integrations.ports import Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleViews:
    """Answers what the surface asks about time. `clear` takes secrets out of what is told."""

    store: Store
    clock: Clock
    clear: Clear = as_it_is

    async def reminder(self, subject: str) -> ReminderView | None:
        """The reminder (`CardReminder`); None when nothing is known of the question."""
        now, about = self.clock.now(), CardReminder.parse(subject)
        async with self.store.read() as work:
            question = await work.questions.find(about.question_id)
            if question is None:
                return None
            reader = about.reader
            action = await work.actions.find(question.action_id)
            person = await work.users.find(question.team, reader or question.user)
            slot = reader_slot(question.id, reader) if reader else card_slot(question.id)
            post = await work.posts.find(question.run_id, slot)
            place = await work.runs.place(question.run_id)
            request = await work.runs.request_of(question.run_id)
        ends_at = request.ends_by(question.turn_over_at or question.expires_at)
        waits = is_open(question.state) and question.waits_for == (reader or question.user)
        view = ReminderView(
            place=place,
            question_id=question.id,
            needs_none=not waits or not in_time(ends_at, now),
            title=named(action),
            ends_at=ends_at,
            left=ends_at - now,
            zone=zone_of(person),
            card=(post.channel, post.ts) if post else None,
            reader=reader,
            passes_on=question.turn_over_at is not None,
        )
        return await self.clear(view)

    async def alarm(self, subject: str) -> ScheduledReminderView | None:
        """What is said at this firing (`ReminderFiring.subject`). None when the schedule is forgotten."""
        alarm = ReminderFiring.of(subject)
        async with self.store.read() as work:
            schedule = await work.schedules.find(alarm.schedule_id) if alarm else None
        if alarm is None or schedule is None:
            return None
        fired = schedule.last_fired or self.clock.now()
        view = ScheduledReminderView(
            team=schedule.team,
            user=schedule.user,
            text=schedule.text,
            zone=schedule.zone,
            due=alarm.due if fired - alarm.due > LATE else None,
            since=certainly_before(fired),
            value=subject,
            blind=alarm.blind,
        )
        return await self.clear(view)

    async def briefing(self, message_id: str) -> BriefingView | None:
        """What is posted; None when it is forgotten."""
        async with self.store.read() as work:
            if not await work.messages.known(message_id):
                return None
            message = await work.messages.find(message_id)
        found = briefing_in(message.elements)
        if found is None or message.owner is None:
            return None
        view = BriefingView(
            team=message.team, user=message.owner, briefing=found, since=certainly_before(message.created_at)
        )
        return await self.clear(view)

    async def opening(self, run_id: str) -> OpeningView:
        """How a request begins whose first message is ours."""
        async with self.store.read() as work:
            run = await work.runs.find(run_id)
            message = await work.messages.find(run.message_id)
            schedule = await work.schedules.find(schedule_of(run.source_key) or "")
            place = await work.runs.place(run.id)
            agent = await title_of(work, run)
        if run.task is not None:
            text = "\n".join(about_agents.said(run.task.inputs))
        else:
            text = message.text if schedule or run.is_plan else message.typed
        view = OpeningView(
            place=place,
            text=text,
            since=certainly_before(run.created_at),
            title=about_plans.NAME if run.is_plan else about_schedules.request(schedule.title if schedule else ""),
            about=None if schedule else _about(run.attached),
            agent=agent,
        )
        return await self.clear(view)


def _about(attached: Sequence[AttachedContext]) -> AboutMessage | None:
    """The message that a request is about; those that were forwarded with it follow."""
    for item in attached:
        if item.type == SLACK_MESSAGE:
            channel, _, ts = item.id.partition(":")
            return AboutMessage(author=str(item.meta.get("author", "")), channel=channel, ts=ts)
    return None
