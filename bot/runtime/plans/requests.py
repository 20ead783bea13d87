"""Requests for plans that do not come as a message: from `/agent plan` and the command line. Each works as any request
does, in a thread of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bot.domain import ids
from bot.domain.limits import Limits, Rate
from bot.domain.plans import Phase, Plan
from bot.domain.runs import OPERATOR
from bot.domain.threads import Audience, Message, Speaker, zone_of
from bot.runtime.core.transaction import Transaction, TransactionFactory
from bot.runtime.lifecycle.opening import open_request
from bot.runtime.limits import rate_limit
from bot.runtime.plans import deadlines
from policies.types import Label


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRequest:
    """What a plan is to be made for. Asking twice from one `source` is asking once.

    `channel` is where its thread is opened; empty for the person's direct messages. `by_operator`: somebody else wrote
    the prompt on the command line, so none of its words count as typed by the person.
    """

    team: str
    user: str
    prompt: str
    source: str
    channel: str = ""
    repository: str = ""
    deadline_at: datetime | None = None
    by_operator: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BegunPlan:
    """The run that began, now or before; or why none did."""

    run_id: str = ""
    refusal: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRequests:
    """Begins them. `limits` is what planning may use, `rate` how fast one person may ask."""

    transactions: TransactionFactory
    limits: Limits
    rate: Rate | None = None

    async def begin(self, asked: PlanRequest) -> BegunPlan:
        """Begin it. Raises `NotSaved`."""
        async with self.transactions.write_promptly() as tx:
            if known := await tx.work.runs.by_source(asked.source):
                return BegunPlan(run_id=known.id)
            if refusal := await _wrong_deadline(tx, asked) or await rate_limit.held_back(
                tx, asked.team, asked.user, self.rate
            ):
                return BegunPlan(refusal=refusal)
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
            return BegunPlan(run_id=begun.id if begun else "")


async def _wrong_deadline(tx: Transaction, asked: PlanRequest) -> str:
    if asked.deadline_at is None:
        return ""
    person = await tx.work.users.find(asked.team, asked.user)
    return deadlines.problem(asked.deadline_at, now=tx.now, zone=zone_of(person))


def _request(asked: PlanRequest, tx: Transaction) -> Message:
    thread_id, in_channel = ids.named("thr", asked.source), bool(asked.channel)
    return Message(
        id=ids.named("msg", asked.source),
        thread_id=thread_id,
        team=asked.team,
        speaker=Speaker.PERSON,
        author=asked.user,
        text=asked.prompt,
        typed="" if asked.by_operator else asked.prompt,
        channel=asked.channel,
        root_ts=thread_id,
        audience=Audience.CHANNEL if in_channel else Audience.OWNER,
        owner=None if in_channel else asked.user,
        label=Label.MEMBER,
        created_at=tx.now,
    )
