"""Taking something in, in one transaction, so that what comes of it is followed from its first moment."""

from __future__ import annotations

from bot.domain.runs import Run
from bot.runtime.core.clicks import in_transaction
from bot.runtime.core.transaction import Transaction, TransactionFactory
from bot.runtime.over_http.admission import NotTaken, Refused, Taken, Taking
from bot.runtime.over_http.following import Following
from bot.runtime.over_http.keys import Key, once


async def taken(
    transactions: TransactionFactory, following: Following, team: str, user: str, key: Key | None, taking: Taking
) -> Taken:
    """What came of `taking`, done once for each key, when it is durable. Raises `NotTaken`, `NotSaved`."""

    async def take(tx: Transaction) -> Taken | Refused:
        requests: list[tuple[Run, bool]] = []
        # registered before what wakes others, so that the thread is served here if it can be, and nothing goes unheard
        tx.work.after_commit(lambda: _follow(transactions, following, requests))
        took = await once(tx, key, taking)
        if isinstance(took, Refused):
            took.record(tx, team=team, user=user)
            return took
        run = await tx.work.runs.find(took.run_id)
        request = await tx.work.runs.find(run.request_run)
        requests.append((request, took.begun))
        return Taken(run_id=request.id, thread_id=request.thread_id, message_id=took.message_id)

    answer = await in_transaction(transactions, take)
    if isinstance(answer, Refused):
        raise NotTaken(answer)
    return answer


def _follow(transactions: TransactionFactory, following: Following, requests: list[tuple[Run, bool]]) -> None:
    for request, is_new in requests:
        following.expect(request.id, team=request.team, user=request.user, is_new=is_new)
        transactions.dispatcher.wake(request.thread_id, here=True)
