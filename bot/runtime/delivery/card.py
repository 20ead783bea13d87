"""The read model of a card: a question about an action, with what both are now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.domain.actions import Action
from bot.domain.conditions import Standing, may_be_changed
from bot.domain.confirmations import must_be_read
from bot.domain.deliveries import card_slot, deleted_slot
from bot.domain.questions import ApprovePayload, Choice, ConnectPayload, Question, QuestionKind, QuestionState
from bot.domain.runs import Run
from bot.domain.threads import zone_of
from bot.runtime.actions.asking.tool_questions import options_of
from bot.runtime.actions.previews import connect_preview, preview_of
from bot.runtime.delivery.agents import title_of
from bot.runtime.delivery.deferred import deferred_view
from bot.runtime.delivery.plans import plan_view
from bot.runtime.delivery.views import CardView, HeldView, ReaderLine
from bot.runtime.questions.follow_ups import can_be_asked_again, can_be_edited
from bot.runtime.texts import about_agents, about_plans
from bot.store.unit_of_work import UnitOfWork
from integrations.base import Preview
from policies.engine import is_by_rule

_CHOICES = {
    QuestionKind.APPROVE: (Choice.APPROVE, Choice.REJECT),
    QuestionKind.SETTLE: (Choice.HAPPENED, Choice.DID_NOT, Choice.TRY_AGAIN),
    QuestionKind.CONNECT: (Choice.REJECT,),
    QuestionKind.PLAN: (Choice.CONFIRM, Choice.REJECT),
}


async def card_view(work: UnitOfWork, question_id: str) -> CardView | None:
    """A question's card; None when there is no such question."""
    question = await work.questions.find(question_id)
    if question is None:
        return None
    run = await work.runs.find(question.run_id)
    action = await work.actions.find(question.action_id)
    person = await work.users.find(question.team, question.user)
    older, newer = await _beside(work, question)
    preview = _preview(question, action, asked_again=newer is not None)
    verdict = action.verdict
    unnamed = verdict.unnamed if verdict and question.kind is QuestionKind.APPROVE else ()
    is_long = question.kind is QuestionKind.APPROVE and must_be_read(preview)
    request = await work.runs.request_of(run.id)
    connect = question.payload if isinstance(question.payload, ConnectPayload) else None
    return CardView(
        place=await work.runs.place(run.id),
        question_id=question.id,
        kind=question.kind,
        state=question.state,
        value=question.button_value(),
        tool=action.tool,
        wanted=about_plans.wanted_for(run) or about_agents.wanted_by(await title_of(work, run)),
        preview=preview,
        card_private=preview.private,
        rule=verdict.rule if verdict and is_by_rule(verdict) else "",
        reason=verdict.reason if verdict else "",
        expires_at=request.ends_by(question.expires_at),
        zone=zone_of(person),
        decided_by=question.decided_by,
        decided_at=question.decided_at,
        decision=question.decision,
        outcome=action.state,
        doubt=action.doubt,
        needless=action.is_needless,
        again_at=action.rests_until,
        copied_at=await work.metadata.copied_at() if run.is_of_copy else None,
        detail=action.summary,
        link=action.link,
        choices=_offered(question, preview, plainly=not unnamed and not is_long),
        scheduled=action.is_scheduled,
        editable=_is_editable(question, action, run),
        ask_again=await can_be_asked_again(work, question, action),
        edited=question.edition > 1,
        options=options_of(question),
        said=question.reason,
        missing=connect.missing if connect else frozenset(),
        quiet=connect is not None and connect.quiet,
        elsewhere=connect is not None and connect.elsewhere,
        declined=connect is not None and connect.declined,
        reposted=await _was_deleted(work, question),
        held=await _held(work, question, action),
        older=older.id if older else "",
        newer=await _place_of(work, newer) if newer else None,
        asked_again=newer is not None,
        lapsed=older is not None and older.decision is Choice.APPROVE,
        plan=await plan_view(work, run, question) if question.kind is QuestionKind.PLAN else None,
        unnamed=unnamed,
        is_long=is_long,
        deciders=question.deciders,
        readers=await _readers(work, question, request),
        reader=question.reader or "",
    )


def _preview(question: Question, action: Action, *, asked_again: bool) -> Preview:
    """What the card shows, under the title that it was posted with; under that of what was approved, once it counts."""
    counts = question.decision is Choice.APPROVE and not asked_again
    match question.payload:
        case ConnectPayload():
            return connect_preview(question, action)
        case ApprovePayload(title=title) if title and not counts:
            return replace(preview_of(action), title=title)
        case _:
            return preview_of(action)


async def _readers(work: UnitOfWork, question: Question, request: Run) -> Sequence[ReaderLine]:
    if not question.turns:
        return []
    said = {vote.user: vote.choice for vote in await work.questions.votes(question.id)}
    return [
        ReaderLine(
            user=one.user,
            said=said.get(one.user),
            turn_ends_at=request.ends_by(one.ends_at),
            reposted=one.user == question.reader and await _was_deleted(work, question, one.user),
        )
        for one in question.turns
    ]


async def _was_deleted(work: UnitOfWork, question: Question, reader: str = "") -> bool:
    """Whether somebody deleted its owner's card, or this reader's, while it waited."""
    return await work.posts.find(question.run_id, deleted_slot(question.id, reader)) is not None


def as_read_by(view: CardView, user: str) -> CardView:
    """The card as somebody has it who had to agree: with a yes and a no while it is their turn, if one press does for
    that, and with nothing that only its owner can open or do.
    """
    in_turn = view.state is QuestionState.OPEN and view.reader == user
    plainly = view.preview.shows_destinations() and not view.is_long
    offered = _CHOICES[QuestionKind.APPROVE] if plainly else (Choice.REJECT,)
    return replace(
        view,
        shown_to=user,
        choices=offered if in_turn else (),
        editable=False,
        ask_again=False,
        link=None,
        newer=None,
        reposted=any(one.reposted for one in view.readers if one.user == user),
    )


async def _held(work: UnitOfWork, question: Question, action: Action) -> HeldView | None:
    """What was approved here and waits for its moment, or waited."""
    waits_in = action.undo.subject if action.undo and action.is_scheduled else ""
    view = await deferred_view(work, waits_in) if waits_in else None
    return view if view and view.card == question.id else None


def _offered(question: Question, preview: Preview, *, plainly: bool) -> Sequence[Choice]:
    """What can be said to it with one press: not yes, where its card cannot show everybody it reaches, or where a
    plain yes does not do.
    """
    choices = (Choice.REJECT,) if question.reader else _CHOICES.get(question.kind, ())
    can_be_approved = plainly and preview.shows_destinations()
    return choices if can_be_approved else [each for each in choices if each is not Choice.APPROVE]


async def _beside(work: UnitOfWork, question: Question) -> tuple[Question | None, Question | None]:
    """The questions of its kind about the same action, or about the same plan, that came before and after it."""
    is_plan = question.kind is QuestionKind.PLAN
    same_plan, same_action = work.questions.plans_of_run, work.questions.ids_of_action
    asked = await (same_plan(question.run_id) if is_plan else same_action(question.action_id))
    place = asked.index(question.id)
    return (
        await _first(work, question.kind, asked[:place][::-1]),
        await _first(work, question.kind, asked[place + 1 :]),
    )


async def _first(work: UnitOfWork, kind: QuestionKind, asked: Sequence[str]) -> Question | None:
    for question_id in asked:
        question = await work.questions.find(question_id)
        if question is not None and question.kind is kind:
            return question
    return None


async def _place_of(work: UnitOfWork, question: Question) -> tuple[str, str] | None:
    """Where its card stands, once it does."""
    post = await work.posts.find(question.run_id, card_slot(question.id))
    return (post.channel, post.ts) if post else None


def _is_editable(question: Question, action: Action, run: Run) -> bool:
    can_be_shown = action.is_side_effect or question.kind is QuestionKind.PLAN
    return can_be_shown and may_be_changed(Standing.of(run)) and can_be_edited(question, action)
