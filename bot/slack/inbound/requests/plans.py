"""Plans: `/agent plan` begins one, and the windows in which a person asks for one, has one changed, or goes on with one
whose deadline is over.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pydantic import Json

from bot.domain.threads import User
from bot.runtime.core.clicks import ButtonClick
from bot.runtime.core.ports import RepositoryView
from bot.runtime.plans.deadlines import LONGEST
from bot.runtime.plans.refinement import Refinement, refine_plan
from bot.runtime.plans.requests import PlanRequest, PlanRequests
from bot.runtime.runs.resume import continue_run, suggested_deadline
from bot.runtime.texts import about_plans
from bot.slack.connection.schema import SlackModel, at
from bot.slack.connection.web import SlackWeb
from bot.slack.connection.windows import Answer, SentWindow, instead
from bot.slack.inbound.clicks import SlackClick
from bot.slack.inbound.events import MessageReader
from bot.slack.inbound.people import Members
from bot.slack.inbound.requests.agents import Typed, are_we_in
from bot.slack.inbound.router import Router
from bot.slack.outbound.replies import Replies
from bot.slack.views import command, ids, plan_forms
from bot.store.errors import NotRead, NotSaved

_NAME = re.compile(r"[^/:]+")


class PlanWindowState(SlackModel):
    """What a new plan's window holds: where its thread is opened; empty for direct messages."""

    channel: str


class Pressed(SlackModel):
    """The button that opened a window: what it carries, and on which message it stands."""

    value: str
    channel: str
    ts: str


class _Window(SentWindow):
    form: str = at("view", "id")

    def text(self, name: str) -> str:
        """The text in a field."""
        return self.field(name).value.strip()

    @property
    def deadline(self) -> datetime | None:
        """The moment that was chosen."""
        chosen = self.field(plan_forms.DEADLINE).selected_date_time
        return datetime.fromtimestamp(chosen, UTC) if chosen else None


class PlanWanted(_Window):
    """The window for a new plan, as it was sent."""

    kept: Json[PlanWindowState] = at("view", "private_metadata")


class SubmittedWindow(_Window):
    """A window that a button opened, as it was sent."""

    pressed: Json[Pressed] = at("view", "private_metadata")

    def button(self) -> dict[str, Any]:
        """The button, as the runtime knows it."""
        on = self.pressed
        return {"team": self.team, "user": self.user, "value": on.value, "channel": on.channel, "message_ts": on.ts}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanListener:
    """Begins plans, has them changed, and goes on with them."""

    requests: PlanRequests
    reader: MessageReader
    members: Members
    web: SlackWeb
    replies: Replies
    repositories: RepositoryView

    def register(self, router: Router) -> None:
        """The windows; their buttons stand in the button table."""
        router.form(ids.PLAN_FORM, PlanWanted.parse, self.wanted)
        router.form(ids.REFINE_FORM, SubmittedWindow.parse, self.refined)
        router.form(ids.DEADLINE_FORM, SubmittedWindow.parse, self.continued)

    # Beginning ------------------------------------------------------------------------------------------------

    async def command(self, text: str, person: User, place: Typed) -> str:
        """`/agent plan [TEXT]`: begins it, or opens the window. Raises `NotSaved`."""
        channel = place.channel if await are_we_in(place.channel, self.web) else ""
        if not text:
            kept = PlanWindowState(channel=channel).model_dump_json()
            names = await self.repositories.names()
            window = plan_forms.request(kept=kept, in_channel=bool(channel), repositories=names)
            self.replies.open(place.trigger, window, response_url=place.response_url, otherwise=plan_forms.NOT_OPENED)
            return ""
        source = f"command:{person.team}:{place.trigger}"
        asked = PlanRequest(
            team=person.team,
            user=person.user,
            prompt=self.reader.readable(text, person.team),
            typed=self.reader.typed(text),
            source=source,
            channel=channel,
        )
        begun = await self.requests.begin(asked)
        return command.said(begun.refusal) or (plan_forms.BEGUN_HERE if channel else plan_forms.BEGUN_DIRECT)

    async def wanted(self, sent: PlanWanted) -> Answer:
        """What Slack does with the window: close it, show errors at their fields, or say why nothing began."""
        if faults := await self._faults(sent):
            return sent.wrong(faults)
        try:
            person = await self.members.find(sent.team, sent.user)
            if isinstance(person, str):
                return _instead(person)
            if sent.kept.channel and not await are_we_in(sent.kept.channel, self.web):
                return sent.wrong({plan_forms.WHAT: plan_forms.NOT_THERE_NOW})
            begun = await self.requests.begin(_request(sent))
        except (NotSaved, NotRead):
            return sent.wrong({plan_forms.WHAT: command.NOT_SAVED})
        return sent.wrong({plan_forms.WHAT: begun.refusal}) if begun.refusal else {}

    async def _faults(self, sent: PlanWanted) -> Mapping[str, str]:
        faults: dict[str, str] = {}
        if not sent.text(plan_forms.WHAT):
            faults[plan_forms.WHAT] = plan_forms.EMPTY
        now = self.requests.transactions.clock.now()
        if sent.deadline is not None and sent.deadline <= now:
            faults[plan_forms.DEADLINE] = plan_forms.OVER
        elif sent.deadline is not None and sent.deadline - now > LONGEST:
            faults[plan_forms.DEADLINE] = about_plans.TOO_FAR
        if wrong := await self._wrong_repository(sent.text(plan_forms.REPOSITORY)):
            faults[plan_forms.REPOSITORY] = wrong
        return faults

    async def _wrong_repository(self, named: str) -> str:
        """What is wrong with its name; of a path or an address that is told once it was read."""
        names = await self.repositories.names() if named else ()
        if not named or named in names or (names and not _NAME.fullmatch(named)):
            return ""
        return plan_forms.no_such_repository(names) if names else plan_forms.NO_REPOSITORIES

    # Changing -------------------------------------------------------------------------------------------------

    async def refine(self, click: SlackClick) -> None:
        """Show the window. What became of the plan is said once it is sent."""
        self.replies.open(click.trigger, plan_forms.refinement(kept=_kept(click)))

    async def refined(self, sent: SubmittedWindow) -> Answer:
        """What Slack does with the window: close it, show what is wrong, or say what became of the plan meanwhile."""
        words = sent.text(plan_forms.WORDS)
        if not words:
            return sent.wrong({plan_forms.WORDS: plan_forms.NO_WORDS})
        try:
            outcome = await refine_plan(self.requests.transactions, Refinement(**sent.button(), words=words))
        except (NotSaved, NotRead):
            return sent.wrong({plan_forms.WORDS: command.NOT_SAVED})
        return {} if outcome.accepted else _instead(outcome.text, words)

    # Going on -------------------------------------------------------------------------------------------------

    async def go_on(self, click: SlackClick) -> None:
        """Continue what paused; where its deadline is over, show the window for a new one. Raises `NotSaved`."""
        transactions = self.requests.transactions
        suggested = await suggested_deadline(transactions, click.on_button())
        if suggested is not None:
            self.replies.open(click.trigger, plan_forms.deadline(suggested, kept=_kept(click)))
            return
        outcome = await continue_run(transactions, click.on_button())
        self.replies.tell(click.recipient, outcome.text)

    async def continued(self, sent: SubmittedWindow) -> Answer:
        """What Slack does with the window: close it, or say at its field why the plan does not go on."""
        if sent.deadline is None:
            return sent.wrong({plan_forms.DEADLINE: plan_forms.NO_DEADLINE})
        try:
            outcome = await continue_run(self.requests.transactions, ButtonClick(**sent.button()), sent.deadline)
        except (NotSaved, NotRead):
            return sent.wrong({plan_forms.DEADLINE: command.NOT_SAVED})
        return {} if outcome.accepted else sent.wrong({plan_forms.DEADLINE: outcome.text})


def _kept(click: SlackClick) -> str:
    return Pressed(value=click.value, channel=click.channel, ts=click.ts).model_dump_json()


def _request(sent: PlanWanted) -> PlanRequest:
    return PlanRequest(
        team=sent.team,
        user=sent.user,
        prompt=sent.text(plan_forms.WHAT),
        typed=sent.text(plan_forms.WHAT),
        source=f"form:{sent.team}:{sent.form}",
        channel=sent.kept.channel,
        repository=sent.text(plan_forms.REPOSITORY),
        deadline_at=sent.deadline,
    )


def _instead(text: str, words: str = "") -> Answer:
    return instead(plan_forms.not_done(command.said(text), words))
