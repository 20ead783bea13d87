"""Requests for plans that do not come as a message: from `/agent plan` and the command line. Each works as any request
does, in a thread of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bot.domain.limits import Limits, Rate
from bot.domain.plans import Phase, Plan
from bot.domain.runs import OPERATOR
from bot.domain.threads import Message, zone_of
from bot.runtime.core.transaction import Transaction, TransactionFactory
from bot.runtime.lifecycle.opening import BegunRequest, open_request, request_of
from bot.runtime.limits import rate_limit
from bot.runtime.plans import deadlines


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRequest:
    """What a plan is to be made for. Asking twice from one `source` is asking once.

    `channel` is where its thread is opened; empty for the person's direct messages. `typed` are the words of the prompt
    that count as typed by the person, with ids in the place of names that others chose. `by_operator`: somebody else
    wrote the prompt on the command line, so none of them do.
    """

    team: str
    user: str
    prompt: str
    source: str
    typed: str = ""
    channel: str = ""
    repository: str = ""
    deadline_at: datetime | None = None
    by_operator: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRequests:
    """Begins them. `limits` is what planning may use, `rate` how fast one person may ask."""

    transactions: TransactionFactory
    limits: Limits
    rate: Rate | None = None

    async def begin(self, asked: PlanRequest) -> BegunRequest:
        """Begin it. Raises `NotSaved`."""
        async with self.transactions.write_promptly() as tx:
            if known := await tx.work.runs.by_source(asked.source):
                return BegunRequest(run_id=known.id)
            if refusal := await _wrong_deadline(tx, asked) or await rate_limit.held_back(
                tx, asked.team, asked.user, self.rate
            ):
                return BegunRequest(refusal=refusal)
            await open_request(
                tx,
                _request(asked, tx),
                source=asked.source,
                is_dm=not asked.channel,
                limits=self.limits,
                details={"plan": "asked", **({"by": OPERATOR} if asked.by_operator else {})},
                phase=Phase.PROPOSE,
                deadline_at=asked.deadline_at,
            )
            begun = await tx.work.runs.by_source(asked.source)
            if begun is not None:
                await tx.work.plans.begin(Plan(run_id=begun.id, repository=asked.repository, created_at=tx.now))
            return BegunRequest(run_id=begun.id if begun else "")


async def _wrong_deadline(tx: Transaction, asked: PlanRequest) -> str:
    if asked.deadline_at is None:
        return ""
    person = await tx.work.users.find(asked.team, asked.user)
    return deadlines.problem(asked.deadline_at, now=tx.now, zone=zone_of(person))


def _request(asked: PlanRequest, tx: Transaction) -> Message:
    return request_of(
        asked.source,
        team=asked.team,
        user=asked.user,
        channel=asked.channel,
        is_dm=not asked.channel,
        text=asked.prompt,
        typed="" if asked.by_operator else asked.typed,
        now=tx.now,
    )
