"""Going on over HTTP with a request that stopped: what the buttons under an answer in Slack do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime

from bot.domain.limits import Rate
from bot.runtime.core.clicks import ButtonClick, ClickRejected
from bot.runtime.core.transaction import Transaction, TransactionFactory
from bot.runtime.lifecycle.runs import retry_source
from bot.runtime.over_http.admission import Refused, Taken, Took, Turned
from bot.runtime.over_http.following import Following
from bot.runtime.over_http.keys import Key
from bot.runtime.over_http.taking import taken
from bot.runtime.runs.resume import begin_again, go_on


@dataclass(frozen=True, slots=True, kw_only=True)
class GoingOn:
    """Continues paused requests, and begins failed ones again; once for each key. `rate` is how fast one may ask."""

    transactions: TransactionFactory
    following: Following
    rate: Rate | None = None

    async def continued(
        self, run_id: str, *, team: str, user: str, until: datetime | None = None, key: Key | None = None
    ) -> Taken:
        """A paused request goes on, with a new deadline where its own is over. Raises `NotTaken`, `MaybeTaken`,
        `NotSaved`.
        """

        async def go(tx: Transaction, click: ButtonClick) -> Took:
            await go_on(tx, click, until)
            return Took(run_id=run_id)

        return await self._taken(run_id, team, user, key, go)

    async def again(self, run_id: str, *, team: str, user: str, key: Key | None = None) -> Taken:
        """A failed request is run anew. Raises `NotTaken`, `MaybeTaken`, `NotSaved`."""

        async def go(tx: Transaction, click: ButtonClick) -> Took:
            await begin_again(tx, click, self.rate)
            begun = await tx.work.runs.by_source(retry_source(run_id))
            assert begun is not None, "it began just now"
            return Took(run_id=begun.id, begun=True)

        return await self._taken(run_id, team, user, key, go)

    async def _taken(
        self,
        run_id: str,
        team: str,
        user: str,
        key: Key | None,
        go: Callable[[Transaction, ButtonClick], Awaitable[Took]],
    ) -> Taken:
        click = ButtonClick(team=team, user=user, value=run_id)

        async def take(tx: Transaction) -> Took | Refused:
            if not await _is_theirs(tx, run_id, team, user):
                return Refused(Turned.NOT_FOUND)
            try:
                return await go(tx, click)
            except ClickRejected as rejected:
                rejected.record(tx, click)
                return Refused(Turned.NOT_NOW, rejected.text)

        return await taken(self.transactions, self.following, team, user, key, take)


async def _is_theirs(tx: Transaction, run_id: str, team: str, user: str) -> bool:
    run = await tx.work.records.run(run_id)
    if run is None or run.is_child or (run.team, run.user) != (team, user):
        return False
    return (await tx.work.threads.find(run.thread_id)).is_over_http_of(team, user)
