"""Failed deliveries: the person to tell that something could not be delivered, and the id to quote."""

from __future__ import annotations

from bot.domain.deliveries import CardReminder, Connected, DeliveryKind, Loss, certainly_before
from bot.domain.schedules import ReminderFiring
from bot.runtime.delivery.views import LossView
from bot.store.unit_of_work import UnitOfWork


async def loss_of(work: UnitOfWork, subject: str) -> LossView:
    """The person to tell; reads no more of the lost content than that."""
    loss = Loss.parse(subject)
    kind, about = loss.kind, loss.subject
    if kind is DeliveryKind.ALARM:
        return await _lost_alarm(work, about)
    if kind is DeliveryKind.CONNECTED:
        return await _lost_connected(work, about)
    run_id = await _run_of(work, kind, about)
    run = await work.runs.find(run_id) if run_id else None
    said_in = about.rpartition(":")[2] if kind is DeliveryKind.REFUSAL else about  # whatever the refusal says
    message = await work.messages.find(run.message_id if run else said_in)
    user, reference = (run.user, run.id) if run else (message.owner or message.author, message.id)
    since = message.ts if message.is_in_slack else certainly_before(message.created_at)
    return LossView(team=message.team, user=user, kind=kind, reference=reference, request_ts=since)


async def _run_of(work: UnitOfWork, kind: DeliveryKind, subject: str) -> str | None:
    """The run that a delivery is about; None for a message that started none."""
    match kind:
        case (
            DeliveryKind.ANSWER
            | DeliveryKind.STUB
            | DeliveryKind.OPENING
            | DeliveryKind.HELD
            | DeliveryKind.LOG
            | DeliveryKind.AGENTS
        ):
            return subject
        case DeliveryKind.RESUMED:
            return (await work.messages.find(subject)).run_id
        case DeliveryKind.NOTICE:
            return (await work.actions.find(subject)).run_id
        case DeliveryKind.CARD | DeliveryKind.REMINDER:
            question = await work.questions.find(CardReminder.parse(subject).question_id)
            return question.run_id if question else None
        case _:
            return None


async def _lost_alarm(work: UnitOfWork, subject: str) -> LossView:
    """It belongs to no run: told to the schedule's owner, with the schedule's id."""
    reminder = ReminderFiring.of(subject)
    schedule = await work.schedules.find(reminder.schedule_id) if reminder else None
    assert schedule is not None, "schedules outlive their deliveries"
    since = certainly_before(schedule.last_fired or schedule.created_at)
    return LossView(
        team=schedule.team, user=schedule.user, kind=DeliveryKind.ALARM, reference=schedule.id, request_ts=since
    )


async def _lost_connected(work: UnitOfWork, subject: str) -> LossView:
    """It belongs to no run: told to the person that it was for, with the attempt's id."""
    told = Connected.parse(subject)
    connect = await work.oauth_attempts.find(told.attempt_id)
    team, since = (connect.team, certainly_before(connect.created_at)) if connect else ("", "")
    return LossView(
        team=team, user=told.reader, kind=DeliveryKind.CONNECTED, reference=told.attempt_id, request_ts=since
    )
