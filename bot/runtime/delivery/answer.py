"""The read models of what a run says: its answer, a line about one action, a pause that is over, a refusal."""

from __future__ import annotations

from dataclasses import replace

from bot.domain.actions import Action
from bot.domain.deliveries import Place, RefusalReason, RefusalSubject
from bot.domain.threads import zone_of
from bot.runtime.actions.previews import preview_of
from bot.runtime.delivery.views import ActionLine, AnswerView, NoticeView, RefusalView, ResumedView
from bot.runtime.limits import rate_limit
from bot.runtime.plans.paused_requests import is_offered
from bot.runtime.questions.follow_ups import asked_again_by_continue, declined_card, follow_up_of
from bot.runtime.texts import about_agents, about_limits, to_people
from bot.store.unit_of_work import UnitOfWork
from policies.types import Decision


async def answer_view(work: UnitOfWork, run_id: str) -> AnswerView:
    """A run's final answer, or its honest substitute. That of a plan tells of its tasks itself, and its card of what
    was proposed.
    """
    run = await work.runs.find(run_id)
    actions = [one for one in await work.actions.of_work(run_id) if not (run.is_plan and one.run_id == run_id)]
    actions = [one for one in actions if not about_agents.adds_nothing(run, one)]
    place = await work.runs.place(run_id)
    is_account = run.is_plan and run.is_led_by_code  # what it says of its tasks is its answer, however they ended
    said = about_agents.answer(run) or (run.error if is_account else "")
    return AnswerView(
        place=place,
        text=said + (about_limits.interrupted(run.partial) if run.partial else ""),
        error=run.error,
        actions=[
            replace(
                action_line(action), on_card=_is_on_card(action, place) or await _asked_to_connect(work, action, place)
            )
            for action in actions
            if action.child is None or (action.run_id == run_id and not run.is_flow)  # the one above tells of it
        ],
        offer=await follow_up_of(work, run),
        asks_again=await asked_again_by_continue(work, run),
        plannable=await is_offered(work, run),
    )


async def resumed_view(work: UnitOfWork, message_id: str) -> ResumedView:
    """What was said at a pause that is over."""
    said = await work.messages.find(message_id)
    assert said.run_id is not None, "a run said it"
    place = await work.runs.place(said.run_id)
    return ResumedView(place=place, channel=said.channel, ts=said.ts, text=said.text)


async def notice_view(work: UnitOfWork, action_id: str) -> NoticeView:
    """A line about one action."""
    action = await work.actions.find(action_id)
    return NoticeView(place=await work.runs.place(action.run_id), action=action_line(action))


async def refusal_view(work: UnitOfWork, subject: str) -> RefusalView:
    """Why a message started no run, told where it was said."""
    refusal = RefusalSubject.parse(subject)
    message = await work.messages.find(refusal.message_id)
    person = await work.users.find(message.team, message.author)
    text = _refused(refusal, zone_of(person))
    return RefusalView(channel=message.channel, root_ts=message.root_ts, request_ts=message.ts, text=text)


def _refused(refusal: RefusalSubject, zone: str) -> str:
    match refusal.why:
        case RefusalReason.TAKEN_BACK:
            return to_people.taken_back(*refusal.figures)
        case RefusalReason.WAITS:
            return rate_limit.waiting_words(refusal.figures, zone)
        case RefusalReason.TOO_FAST:
            return rate_limit.words_of(refusal.figures, zone)
        case RefusalReason.DROPPED:
            return about_limits.dropped(*refusal.figures)
        case why:
            return to_people.REFUSALS[why]


def action_line(action: Action) -> ActionLine:
    """What an answer or a notice says of one action."""
    return ActionLine(
        action_id=action.id,
        caption=action.caption,
        changes=action.is_side_effect,
        state=action.state,
        detail=action.summary,
        doubt=action.doubt,
        undo=action.undo,
        link=action.link,
        scheduled=action.is_scheduled,
        waits=action.is_waiting,
        by_agent=action.child is not None,
        needless=action.is_needless,
        beyond_limit=action.is_beyond_limit,
    )


async def _asked_to_connect(work: UnitOfWork, action: Action, place: Place) -> bool:
    """Whether it was not done for want of an account, and a card of its own says so there."""
    asked = await declined_card(work, action)
    return asked is not None and (place.is_dm or place.private or not asked.private)


def _is_on_card(action: Action, place: Place) -> bool:
    """Whether it was asked about where its run's answer stands; a private card of a public run stands elsewhere."""
    asked = action.verdict is not None and action.verdict.decision is Decision.ASK
    return asked and (place.is_dm or place.private or not preview_of(action).private)
