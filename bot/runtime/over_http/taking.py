"""Taking something in, in one transaction, so that what comes of it is followed from its first moment."""

from __future__ import annotations

from dataclasses import dataclass

from bot.domain.runs import Run, RunState
from bot.runtime.core.clicks import in_transaction
from bot.runtime.core.transaction import Transaction, TransactionFactory
from bot.runtime.over_http.following import Following
from bot.runtime.over_http.keys import Key, once
from bot.runtime.over_http.refusals import NotTaken, Refused, Taking


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """The request that goes on: it began, or was said something, or is continued; and its thread."""

    run_id: str
    thread_id: str


async def taken(
    transactions: TransactionFactory, following: Following, team: str, user: str, key: Key | None, taking: Taking
) -> Taken:
    """What came of `taking`, done once for each key, when it is durable. Raises `NotTaken`, `NotSaved`."""

    async def take(tx: Transaction) -> Taken | Refused:
        requests: list[Run] = []
        # registered before what wakes others, so that the thread is served here if it can be, and nothing goes unheard
        tx.work.after_commit(lambda: _follow(transactions, following, requests))
        run_id = await once(tx, key, taking)
        if isinstance(run_id, Refused):
            run_id.record(tx, team=team, user=user)
            return run_id
        run = await tx.work.runs.find(run_id)
        request = await tx.work.runs.find(run.request_run)
        requests.append(request)
        return Taken(run_id=request.id, thread_id=request.thread_id)

    answer = await in_transaction(transactions, take)
    if isinstance(answer, Refused):
        raise NotTaken(answer)
    return answer


def _follow(transactions: TransactionFactory, following: Following, requests: list[Run]) -> None:
    for request in requests:
        is_new = request.state is RunState.QUEUED
        following.expect(request.id, team=request.team, user=request.user, is_new=is_new)
        transactions.dispatcher.wake(request.thread_id, here=True)
