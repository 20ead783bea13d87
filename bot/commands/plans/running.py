"""Plans for a person, beside the bot that does the work: rows are written, and its sweep takes them up."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import datetime

import click

from bot.commands import requester
from bot.commands.plans import table
from bot.commands.sheet import Sheet
from bot.domain.threads import zone_of
from bot.redaction import Redactor, as_json
from bot.runtime.core.clicks import ButtonClick
from bot.runtime.plans.deadlines import parsed
from bot.runtime.plans.record import PlanSession, SessionStatus
from bot.runtime.plans.requests import PlanRequests
from bot.runtime.plans.service import PlanRefused, PlanService
from bot.runtime.runs.resume import continue_run
from bot.runtime.texts import about_plans
from bot.settings import Settings
from bot.wiring.limits import chat_limits
from bot.wiring.store import Base, opened, require_a_bot

_WIDTH = 110  # where there is no terminal


@dataclass(frozen=True, slots=True, kw_only=True)
class Until:
    """A deadline as it was written, by the clocks of this zone or of the person's."""

    deadline: str | None
    zone: str | None

    def moment(self, zone: str) -> datetime | None:
        """The moment, for a person in this zone; None where none was written. Raises `BadDeadline`."""
        return parsed(self.deadline, self.zone or zone) if self.deadline is not None else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Here:
    """The plans of a person, and the zone in which they are told the time."""

    redact: Redactor
    plans: PlanService
    zone: str
    progress: table.PlanChanges

    def tell(self, seen: PlanSession) -> None:
        """Say beside the output how far it is, and what is waited for."""
        for line in self.progress.lines(seen):
            click.echo(line, err=True)

    async def go_on(self, session_id: str, until: datetime | None) -> None:
        """Continue a plan whose deadline is over. Raises `PlanRefused` where that needs a new one, or no other does."""
        found = await self.plans.session(session_id)
        if found.status is not SessionStatus.DEADLINE_EXCEEDED:
            if until is not None:
                raise PlanRefused(about_plans.NOT_OVER.format(status=found.status))
            return
        if until is None:
            raise PlanRefused(about_plans.GIVE_DEADLINE)
        click = ButtonClick(team=self.plans.team, user=self.plans.user, value=session_id)
        outcome = await continue_run(self.plans.requests.transactions, click, until, by_operator=True)
        if not outcome.accepted:
            raise PlanRefused(outcome.text)
        if found.confirmed is None:  # it is asked about again
            await self.plans.proposed(session_id, tell=self.tell)

    async def show(self, session_id: str, *, is_json: bool, with_log: bool = False) -> PlanSession:
        """Print the session as it is now."""
        found = await self.plans.session(session_id)
        if is_json:
            click.echo(as_json(found.as_json(), self.redact, indent=2))
            return found
        sheet = Sheet(redact=self.redact, width=shutil.get_terminal_size((_WIDTH, 40)).columns)
        table.plan(sheet, found, self.zone)
        if with_log:
            table.log(sheet, found.log)
        click.echo(sheet.text())
        return found


@contextlib.asynccontextmanager
async def _here(settings: Settings, person: str, *, works: bool = True) -> AsyncGenerator[_Here]:
    """Raises `BotError` where nobody is named, or no bot works that would have to."""
    team, user = requester.who(person)
    async with opened(settings, owner=False) as base:
        if works:
            await require_a_bot(base)
        await requester.require_workspace(base, team)
        async with base.store.read() as work:
            zone = zone_of(await work.users.find(team, user))
        redact = base.redactor()
        progress = table.PlanChanges(redact=redact, person=person)
        yield _Here(redact=redact, plans=_plans(base, team, user), zone=zone, progress=progress)


def _plans(base: Base, team: str, user: str) -> PlanService:
    requests = PlanRequests(transactions=requester.transactions_of(base), limits=chat_limits(base.settings))
    return PlanService(requests=requests, team=team, user=user, by_operator=True)


async def start(settings: Settings, person: str, prompt: str, repository: str, until: Until, *, is_json: bool) -> None:
    """Have one made, and print it once it is proposed."""
    async with _here(settings, person) as here:
        session_id = await here.plans.begin(prompt, repository, until.moment(here.zone))
        click.echo(f"{session_id} began. It is proposed in Slack, too.", err=True)
        await here.plans.proposed(session_id, tell=here.tell)
        await here.show(session_id, is_json=is_json)


async def refine(settings: Settings, person: str, session_id: str, words: str, *, is_json: bool) -> None:
    """Have it changed, and print what is proposed then."""
    async with _here(settings, person) as here:
        before = await here.plans.session(session_id)
        plan = await here.plans.refine_plan(session_id, words, tell=here.tell)
        if plan.revision == before.revision:
            click.echo("The plan is as it was.", err=True)
        await here.show(session_id, is_json=is_json)


async def confirm(settings: Settings, person: str, session_id: str, revision: int) -> None:
    """Confirm this revision."""
    async with _here(settings, person) as here:
        await here.plans.confirm_plan(session_id, revision)
        click.echo(f"Revision {revision} of {session_id} is confirmed, and carried out now.")


async def execute(settings: Settings, person: str, session_id: str, until: Until, *, is_json: bool) -> int:
    """Have it carried out to its end; the status."""
    async with _here(settings, person) as here:
        await here.go_on(session_id, until.moment(here.zone))
        await here.plans.confirm_shown(session_id)
        async for seen in here.plans.progress(session_id):
            here.tell(seen)
        ended = await here.show(session_id, is_json=is_json, with_log=True)
        return 0 if ended.status is SessionStatus.COMPLETED else 1


async def show(settings: Settings, person: str, session_id: str, *, is_json: bool) -> None:
    """Print it as it is."""
    async with _here(settings, person, works=False) as here:
        await here.show(session_id, is_json=is_json)
