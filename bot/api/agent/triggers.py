"""The trigger: a person has an agent of their workspace work (agent-execution, "Trigger Endpoint Activation")."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from http import HTTPStatus
from typing import cast

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bot.agents.catalog import AgentCatalog
from bot.agents.definition import InputType
from bot.api.agent.bodies import json_value
from bot.api.agent.parameters import numbers
from bot.api.agent.runs import AgentRoutes, answered, goes_on_without, key_of, unless_left
from bot.api.refusals import HEADERS, HttpRefusal
from bot.domain.limits import SpawnLimits
from bot.domain.threads import User
from bot.redaction import as_json
from bot.runtime.agents.record import AgentRun, AgentRunStatus, agent_run
from bot.runtime.over_http.admission import Refused, Taken, Turned
from bot.runtime.over_http.triggers import Triggers
from bot.runtime.texts.inert_markdown import inert_commonmark

PATH = "/api/projects/{project}/agents/{agent}/trigger"
_INPUTS = "The body must be an object with the agent’s inputs; a text is taken where it has one input, a text."

LONGEST = timedelta(days=1)
MOST_STEPS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TriggerRoute:
    """The route. A project is a workspace; it lets in and waits as the agent's `routes` do."""

    agents: AgentRoutes
    catalog: AgentCatalog
    triggers: Triggers

    def routes(self) -> Sequence[Route]:
        """One."""
        return [Route(PATH, answered(self.trigger), methods=["POST"])]

    async def trigger(self, request: Request) -> Response:
        """Begin it, and wait for its record."""
        person = await self.agents.access.person(request)
        value, body = await json_value(request)
        agent, key = request.path_params["agent"], key_of(request, person, body)
        if request.path_params["project"] != person.team:
            await self._turn_away(Refused(Turned.NOT_FOUND), person)
        limits, inputs = _limits(request), self._inputs(agent, value)
        with self.agents.slots.held(person):
            taken = await self.agents.taken(
                self.triggers.begin(agent, inputs, team=person.team, user=person.user, limits=limits, key=key)
            )
            with goes_on_without(taken):
                record = await unless_left(request, self._record(person, taken))
                await self.agents.access.still(request, person, taken.run_id)
                status = HTTPStatus.ACCEPTED if record.status is AgentRunStatus.RUNNING else HTTPStatus.OK
                text = as_json(record.as_json(), self.agents.redact)
                return Response(text, status, media_type="application/json", headers=HEADERS)

    def _inputs(self, agent: str, value: object) -> Mapping[str, object] | Refused:
        """An object with the inputs; or a text, where the agent takes exactly one."""
        if isinstance(value, dict):
            return cast("dict[str, object]", value)
        known = self.catalog.agents.get(agent)
        if known is None:
            return {}  # which is refused for another reason
        takes = list(known.definition.inputs.items())
        if not isinstance(value, str) or len(takes) != 1 or takes[0][1].type is not InputType.STRING:
            return Refused(Turned.BAD_INPUTS, _INPUTS)
        return {takes[0][0]: value}

    async def _turn_away(self, refused: Refused, person: User) -> None:
        await self.agents.taken(self.triggers.turn_away(refused, team=person.team, user=person.user))

    async def _record(self, person: User, taken: Taken) -> AgentRun:
        """As it is when it rests, or after the longest time that is waited."""
        followed = await self.agents.following.join(taken.run_id, team=person.team, user=person.user)
        try:
            async with asyncio.timeout(self.agents.wait_seconds):
                await self.agents.following.outcome(followed)
        except TimeoutError:
            pass
        async with self.agents.store.read() as work:
            return _told(agent_run(await work.runs.find(taken.run_id)))


def _told(record: AgentRun) -> AgentRun:
    """Its texts are Markdown, in which nothing is a link or an image."""
    summary, error = inert_commonmark(record.summary), inert_commonmark(record.error_message)
    return replace(record, summary=summary, error_message=error)


def _limits(request: Request) -> SpawnLimits | Refused:
    try:
        given = numbers(request, {"timeout": (1, int(LONGEST.total_seconds())), "maxSteps": (1, MOST_STEPS)})
    except HttpRefusal as refusal:
        return Refused(Turned.BAD_REQUEST, refusal.message, field=refusal.field)
    timeout = timedelta(seconds=given["timeout"]) if "timeout" in given else None
    return SpawnLimits(timeout=timeout, max_steps=given.get("maxSteps"))
