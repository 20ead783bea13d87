"""A waiting card that somebody deletes in Slack is posted again, once, and says so to the person it waits for."""

from __future__ import annotations

from dataclasses import replace

from bot.domain.deliveries import DeliveryKind, Post, deleted_slot
from bot.domain.questions import QuestionState
from bot.runtime.core.transaction import Transaction
from bot.store.unit_of_work import UnitOfWork


async def deleted_card(work: UnitOfWork, team: str, channel: str, ts: str) -> Post | None:
    """The card that stood at this place, if it waits and was not posted again before."""
    for post in await work.posts.at(team, channel, ts):
        question_id, reader = post.card
        question = await work.questions.find(question_id) if question_id else None
        if question is None or question.state is not QuestionState.OPEN or reader not in {"", question.reader}:
            continue
        if await work.posts.find(post.run_id, deleted_slot(question_id, reader)) is None:
            return post
    return None


async def post_again(tx: Transaction, post: Post) -> None:
    """Note that it was deleted, and deliver it: what cannot be changed any more is posted anew."""
    run, (question_id, reader) = await tx.work.runs.find(post.run_id), post.card
    await tx.work.posts.save(replace(post, slot=deleted_slot(question_id, reader)))
    await tx.deliver(run.thread_id, DeliveryKind.CARD, question_id, team=run.team)
