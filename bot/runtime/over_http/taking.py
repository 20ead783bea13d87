"""Taking something in, in one transaction, so that what comes of it is followed from its first moment."""

from __future__ import annotations

from dataclasses import replace

from bot.domain.runs import Run
from bot.runtime.core.clicks import in_transaction
from bot.runtime.core.transaction import Transaction, TransactionFactory
from bot.runtime.over_http.admission import MaybeTaken, NotTaken, Refused, Taken, Taking, Took
from bot.runtime.over_http.following import Following
from bot.runtime.over_http.keys import Key, once
from bot.store.errors import MaybeSaved, NotRead
from bot.store.store import Store


async def taken(
    transactions: TransactionFactory, following: Following, team: str, user: str, key: Key | None, taking: Taking
) -> Taken:
    """What came of `taking`, done once for each key, when it is durable. Raises `NotTaken`, `MaybeTaken`, `NotSaved`.

    Where the database does not say whether it was saved, it is looked for: the person who asked must not ask twice.
    """
    requests: list[tuple[Run, Took]] = []

    async def take(tx: Transaction) -> Taken | Refused:
        requests.clear()  # of a race that was lost
        # registered before what wakes others, so that the thread is served here if it can be, and nothing goes unheard
        tx.work.after_commit(lambda: _follow(transactions, following, requests))
        took = await once(tx, key, taking)
        if isinstance(took, Refused):
            took.record(tx, team=team, user=user)
            return took
        run = await tx.work.runs.find(took.run_id)
        request = await tx.work.runs.find(run.request_run)
        requests.append((request, took))
        return _taken(request, took)

    try:
        answer = await in_transaction(transactions, take)
    except MaybeSaved:
        if not requests:  # nothing was to be taken
            raise
        ((request, took),) = requests
        if not await _is_there(transactions, took):
            raise MaybeTaken(_taken(request, took)) from None
        _follow(transactions, following, requests)
        return _taken(request, took)
    if isinstance(answer, Refused):
        raise NotTaken(answer)
    return answer


def _taken(request: Run, took: Took) -> Taken:
    return Taken(run_id=request.id, thread_id=request.thread_id, message_id=took.message_id)


async def _is_there(transactions: TransactionFactory, took: Took) -> bool:
    """Whether its message can be seen, or the run that it begins. Going on with a run leaves nothing to look for."""
    try:
        async with transactions.read_promptly() as work:
            if took.message_id:
                return await work.messages.known(took.message_id)
            return took.begun and await work.records.run(took.run_id) is not None
    except NotRead:
        return False


def _follow(transactions: TransactionFactory, following: Following, requests: list[tuple[Run, Took]]) -> None:
    for request, took in requests:
        following.expect(request.id, team=request.team, user=request.user, is_new=took.begun)
        transactions.dispatcher.wake(request.thread_id, here=True)


async def handed_on(store: Store, taken: Taken) -> Taken | None:
    """The request that a prompt became which was said to another one, and came too late for that. Raises `NotRead`."""
    if not taken.message_id:
        return None
    async with store.read() as work:
        if asked := (await work.runs.by_requests([taken.message_id])).get(taken.message_id):
            return None if asked == taken.run_id else replace(taken, run_id=asked, message_id="")
        said = await work.messages.find(taken.message_id) if await work.messages.known(taken.message_id) else None
        run = await work.records.run(said.steers) if said and said.steers else None
    return None if run is None or run.request_run == taken.run_id else replace(taken, run_id=run.request_run)
