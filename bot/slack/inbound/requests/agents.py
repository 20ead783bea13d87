"""Agents: `/agent agents` lists them, `/agent run` opens a window in which a person has one work."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from pydantic import Json

from bot.agents.catalog import AgentCatalog, AgentUnavailable, NoSuchAgent
from bot.agents.definition import Definition
from bot.agents.inputs import InvalidInputs, typed
from bot.runtime.agents.requests import AgentRequest, AgentRequests
from bot.slack.connection.errors import SlackError
from bot.slack.connection.schema import SlackModel, at
from bot.slack.connection.web import SlackWeb
from bot.slack.connection.windows import Answer, SentWindow, instead, wrong
from bot.slack.inbound.lists import page_of
from bot.slack.inbound.people import Members
from bot.slack.inbound.router import Router
from bot.slack.outbound.replies import Replies
from bot.slack.views import agents, command, ids
from bot.slack.views.blocks import Block
from bot.store.errors import NotRead, NotSaved

LOOK_SECONDS = 1.0
"""How long Slack is asked whether we are in a channel, while it waits for the answer to a command."""


class AgentWindowState(SlackModel):
    """What a window holds: where its thread will be opened (empty: in direct messages), and which agent works."""

    channel: str
    agent: str = ""


class AgentForm(SentWindow):
    """A window that was sent (docs.slack.dev/reference/interaction-payloads/view-interactions-payload)."""

    form: str = at("view", "id")
    kept: Json[AgentWindowState] = at("view", "private_metadata")

    def filled(self) -> Mapping[str, str]:
        """What stands in each field."""
        found = {name: self.field(name).filled for name in self.values}
        return {name: value for name, value in found.items() if isinstance(value, str)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """Where a command was typed, and what opens a window for who typed it."""

    channel: str
    trigger: str
    response_url: str


async def are_we_in(channel: str, web: SlackWeb) -> bool:
    """Whether a thread is opened there for all to see. Direct messages are the person's own."""
    if not channel or channel.startswith("D"):
        return False
    with suppress(SlackError, TimeoutError):
        async with asyncio.timeout(LOOK_SECONDS):
            return await web.works_in(channel)
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentListener:
    """Shows agents and begins their work."""

    requests: AgentRequests
    members: Members
    web: SlackWeb
    replies: Replies

    @property
    def catalog(self) -> AgentCatalog:
        """The agents that there are."""
        return self.requests.catalog

    def register(self, router: Router) -> None:
        """The two windows."""
        router.form(ids.AGENT_CHOICE, AgentForm.parse, self.chosen)
        router.form(ids.AGENT_FORM, AgentForm.parse, self.sent)

    # Commands -------------------------------------------------------------------------------------------------

    async def command(self, word: str, rest: str, place: Typed) -> str:
        """`/agent agents` and `/agent run`."""
        return self._listed(rest) if word == "agents" else await self._run(rest, place)

    def _listed(self, rest: str) -> str:
        """`/agent agents [page N]`."""
        return agents.listed(list(self.catalog.agents.values()), page=page_of(rest) or 1)

    async def _run(self, rest: str, place: Typed) -> str:
        """`/agent run [NAME]`: opens the window without a word, or says why not."""
        try:
            definition = self.catalog.find(rest) if rest else None
        except (NoSuchAgent, AgentUnavailable) as error:
            return agents.refused(str(error))
        if definition is None and not self.catalog.available:
            return agents.NOTHING_USABLE if self.catalog.agents else agents.NOTHING
        channel = place.channel if await are_we_in(place.channel, self.web) else ""
        window = self._choice(channel) if definition is None else _form(definition, channel)
        self.replies.open(place.trigger, window, response_url=place.response_url, otherwise=agents.NOT_OPENED)
        return ""

    def _choice(self, channel: str) -> Block:
        return agents.choice(self.catalog.available, kept=AgentWindowState(channel=channel).model_dump_json())

    # Windows --------------------------------------------------------------------------------------------------

    async def chosen(self, sent: AgentForm) -> Answer:
        """The form of the agent that was chosen, in the window's place."""
        try:
            definition = self.catalog.find(sent.filled().get(agents.CHOICE, ""))
        except (NoSuchAgent, AgentUnavailable) as error:
            return instead(agents.not_run(agents.refused(str(error))))
        return instead(_form(definition, sent.kept.channel))

    async def sent(self, sent: AgentForm) -> Answer:
        """What Slack does with the form: close it, show errors at their fields, or say why nothing began."""
        try:
            person = await self.members.find(sent.team, sent.user)
            if isinstance(person, str):
                return instead(agents.not_run(person))
            if sent.kept.channel and not await are_we_in(sent.kept.channel, self.web):
                return _wrong(sent, {"": agents.NOT_THERE_NOW})
            begun = await self.requests.begin(self._request(sent))
        except (NoSuchAgent, AgentUnavailable) as error:
            return instead(agents.not_run(agents.refused(str(error))))
        except InvalidInputs as error:
            return _wrong(sent, {name: f"This {why}." for name, why in error.fields.items()})
        except (NotSaved, NotRead):
            return _wrong(sent, {"": command.NOT_SAVED})
        return _wrong(sent, {"": begun.refusal}) if begun.refusal else {}

    def _request(self, sent: AgentForm) -> AgentRequest:
        return AgentRequest(
            team=sent.team,
            user=sent.user,
            agent=sent.kept.agent,
            inputs=typed(self.catalog.find(sent.kept.agent), sent.filled()),
            source=f"form:{sent.team}:{sent.form}",
            channel=sent.kept.channel,
        )


def _form(definition: Definition, channel: str) -> Block:
    kept = AgentWindowState(channel=channel, agent=definition.name).model_dump_json()
    return agents.form(definition, kept=kept, in_channel=bool(channel))


def _wrong(sent: AgentForm, errors: Mapping[str, str]) -> Answer:
    """What is wrong, by field; what belongs to no field of this window stands at its first, or in its place."""
    elsewhere = " ".join(f"{name}: {text}" if name else text for name, text in sent.strays(errors).items())
    if not sent.values:
        return instead(agents.not_run(command.said(elsewhere)))
    return wrong(sent.at_fields(errors, elsewhere))
