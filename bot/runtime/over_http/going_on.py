"""Going on over HTTP with a request that stopped: what the buttons under an answer in Slack do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime

from bot.domain.audit import AuditCode
from bot.domain.conditions import Standing, may_continue
from bot.domain.limits import Rate
from bot.domain.runs import Run
from bot.runtime.core.clicks import ButtonClick, ClickRejected
from bot.runtime.core.transaction import Transaction, TransactionFactory
from bot.runtime.lifecycle.runs import retry_source
from bot.runtime.over_http.admission import Refused, Taken, Took, Turned
from bot.runtime.over_http.following import Following
from bot.runtime.over_http.keys import Key
from bot.runtime.over_http.taking import taken
from bot.runtime.runs.resume import begin_again, go_on
from bot.runtime.texts import about_plans


@dataclass(frozen=True, slots=True, kw_only=True)
class GoingOn:
    """Continues paused requests, and begins failed ones again; once for each key, and each counts as a request:
    a program presses faster than people do. `rate` is how fast one may ask.
    """

    transactions: TransactionFactory
    following: Following
    rate: Rate | None = None

    async def continued(
        self, run_id: str, *, team: str, user: str, until: datetime | None = None, key: Key | None = None
    ) -> Taken:
        """A paused request goes on, with a new deadline where its own is over; one that it does not need is refused.
        Raises `NotTaken`, `MaybeTaken`, `NotSaved`.
        """

        async def go(tx: Transaction, click: ButtonClick, run: Run) -> Took:
            if may_continue(Standing.of(run)) and run.is_late(tx.now) is (until is None):
                why = about_plans.SEND_DEADLINE if until is None else about_plans.KEEPS_DEADLINE
                raise ClickRejected(AuditCode.RUN_NOT_CONTINUED, why, run)
            await go_on(tx, click, until, rate=self.rate)
            return Took(run_id=run_id)

        return await self._taken(run_id, team, user, key, go)

    async def again(self, run_id: str, *, team: str, user: str, key: Key | None = None) -> Taken:
        """A failed request is run anew. Raises `NotTaken`, `MaybeTaken`, `NotSaved`."""

        async def go(tx: Transaction, click: ButtonClick, _run: Run) -> Took:
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
        go: Callable[[Transaction, ButtonClick, Run], Awaitable[Took]],
    ) -> Taken:
        click = ButtonClick(team=team, user=user, value=run_id)

        async def take(tx: Transaction) -> Took | Refused:
            run = await _theirs(tx, run_id, team, user)
            if run is None:
                return Refused(Turned.NOT_FOUND)
            try:
                return await go(tx, click, run)
            except ClickRejected as rejected:
                if rejected.again_at is not None:
                    return Refused(Turned.TOO_FAST, rejected.text, rejected.again_at)
                rejected.record(tx, click)
                return Refused(Turned.NOT_NOW, rejected.text)

        return await taken(self.transactions, self.following, team, user, key, take)


async def _theirs(tx: Transaction, run_id: str, team: str, user: str) -> Run | None:
    """As it is before its thread is locked."""
    run = await tx.work.records.run(run_id)
    if run is None or run.is_child or (run.team, run.user) != (team, user):
        return None
    return run if (await tx.work.threads.find(run.thread_id)).is_over_http_of(team, user) else None
