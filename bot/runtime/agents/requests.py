"""Requests to agents: a person names one and gives it inputs. It works as any request does, in a thread of its own."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from bot.agents.catalog import AgentCatalog
from bot.agents.definition import Definition
from bot.agents.inputs import InvalidInputs, checked
from bot.domain.limits import Limits, Rate, SpawnLimits
from bot.domain.runs import OPERATOR, AgentTask
from bot.domain.threads import Message, Surface
from bot.runtime.actions.delegate import keep_definition
from bot.runtime.core.transaction import Transaction, TransactionFactory
from bot.runtime.lifecycle.opening import BegunRequest, open_request, request_of
from bot.runtime.limits import rate_limit
from bot.runtime.limits.of_agents import limits_asked_for, limits_of_request
from bot.runtime.texts import about_agents
from bot.tools.agents import AgentTool
from bot.tools.arguments import MAX_BYTES
from integrations.text import check_fit
from policies.characters import shows_something


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentRequest:
    """What an agent is to do for a person. Asking twice from one `source` is asking once.

    `channel` is where its thread is opened; empty for the person's direct messages. `by_operator`: somebody else wrote
    the inputs on the command line, so none of their words count as typed by the person. `limits` win over the
    definition's. Over HTTP there is no channel, nothing of its work is shown in Slack, and `limits` raise nothing.
    """

    team: str
    user: str
    agent: str
    inputs: Mapping[str, object]
    source: str
    channel: str = ""
    by_operator: bool = False
    limits: SpawnLimits = field(default_factory=SpawnLimits)
    surface: Surface = Surface.SLACK


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentRequests:
    """Begins them. `limits` is what any request may use, `rate` how fast one person may ask."""

    transactions: TransactionFactory
    catalog: AgentCatalog
    limits: Limits
    rate: Rate | None = None

    async def begin(self, asked: AgentRequest) -> BegunRequest:
        """Begin it. Raises `NotSaved`; or with words for people `NoSuchAgent`, `AgentUnavailable`, `InvalidInputs`."""
        tool = self.checked(asked)
        async with self.transactions.write_promptly() as tx:
            if known := await tx.work.runs.by_source(asked.source):
                return BegunRequest(run_id=known.id)
            if refusal := await rate_limit.held_back(tx, asked.team, asked.user, self.rate):
                return BegunRequest(refusal=refusal)
            return BegunRequest(run_id=await self.take(tx, asked, tool))

    def checked(self, asked: AgentRequest) -> AgentTool:
        """The agent, which can be asked for this. Raises as `begin` does."""
        tool = AgentTool(self.catalog.find(asked.agent))
        _checked(tool.definition, asked.inputs)
        return tool

    async def take(self, tx: Transaction, asked: AgentRequest, tool: AgentTool) -> str:
        """Begin what was `checked` and let in, in this transaction; the id of its run."""
        inputs = _checked(tool.definition, asked.inputs)
        by = {"by": OPERATOR} if asked.by_operator else {}
        resolve = limits_asked_for if asked.surface is Surface.HTTP else limits_of_request
        await keep_definition(tx, tool)
        await open_request(
            tx,
            _request(asked, tool.definition, inputs, tx),
            source=asked.source,
            is_dm=not asked.channel,
            limits=resolve(tool.definition, self.limits, asked.limits),
            details={"agent": tool.name, "definition": tool.hash, **by},
            task=AgentTask(agent=tool.name, definition=tool.hash, inputs=inputs),
            surface=asked.surface,
        )
        begun = await tx.work.runs.by_source(asked.source)
        assert begun is not None, "it began now, or before"
        return begun.id


def _checked(definition: Definition, given: Mapping[str, object]) -> Mapping[str, object]:
    """The inputs as they are stored; raises `InvalidInputs`."""
    inputs = checked(definition, given)
    wrong = {**dict(_blank(definition, inputs)), **dict(_unfit(inputs))}
    if not wrong and (size := len(json.dumps(inputs, ensure_ascii=False).encode())) > MAX_BYTES:
        longest = max(inputs, key=lambda name: len(json.dumps(inputs[name])))
        wrong[longest] = f"it is too long: the inputs have {size:,} bytes, and {MAX_BYTES:,} are taken"
    if wrong:
        raise InvalidInputs(definition.name, wrong)
    return inputs


def _blank(definition: Definition, inputs: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """What a request cannot do without. A step of a flow may well hand on an empty text."""
    for name, value in inputs.items():
        if definition.inputs[name].required and isinstance(value, str) and not shows_something(value):
            yield name, "must not be empty"


def _unfit(inputs: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    for name, value in inputs.items():
        try:
            json.dumps(value, ensure_ascii=False).encode()
            check_fit(value)
        except UnicodeEncodeError:
            yield name, "has half of a character that takes two; write it whole"
        except ValueError as error:
            yield name, str(error)


def _request(asked: AgentRequest, definition: Definition, inputs: Mapping[str, object], tx: Transaction) -> Message:
    return request_of(
        asked.source,
        team=asked.team,
        user=asked.user,
        channel=asked.channel,
        is_dm=not asked.channel,
        text="\n".join([f"Agent: {definition.title}", *about_agents.said(inputs)]),
        typed="" if asked.by_operator else "\n".join(about_agents.words(inputs)),
        now=tx.now,
    )
