"""Agents over HTTP: a person begins one by name, with its inputs (agent-execution, "Trigger Endpoint Activation")."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.agents.catalog import AgentUnavailable, NoSuchAgent
from bot.agents.inputs import InvalidInputs
from bot.domain import ids
from bot.domain.limits import Rate, SpawnLimits
from bot.domain.threads import Surface
from bot.runtime.agents.requests import AgentRequest, AgentRequests
from bot.runtime.core.transaction import Transaction, TransactionFactory
from bot.runtime.limits import rate_limit
from bot.runtime.over_http.admission import Refused, Taken, Took, Turned
from bot.runtime.over_http.following import Following
from bot.runtime.over_http.keys import Key
from bot.runtime.over_http.taking import taken
from bot.tools.agents import AgentTool

LONGEST_NAME = 200  # characters of what somebody else called an input


@dataclass(frozen=True, slots=True, kw_only=True)
class Triggers:
    """Begins agents; once for each key. `rate` is how fast one person may ask."""

    transactions: TransactionFactory
    following: Following
    requests: AgentRequests
    rate: Rate | None = None

    async def begin(
        self,
        agent: str,
        inputs: Mapping[str, object] | Refused,
        *,
        team: str,
        user: str,
        limits: SpawnLimits | Refused,
        key: Key | None = None,
    ) -> Taken:
        """Begin it. Inputs and limits that nobody could read are refused here, too: what was begun under the same key
        before is the answer, however agents have changed since. Raises `NotTaken`, `MaybeTaken`, `NotSaved`.
        """
        asked = AgentRequest(
            team=team,
            user=user,
            agent=agent,
            inputs={} if isinstance(inputs, Refused) else inputs,
            source=f"http:{ids.new_id('req')}",
            limits=SpawnLimits() if isinstance(limits, Refused) else limits,
            surface=Surface.HTTP,
        )
        checked = self._checked(asked, limits, inputs)

        async def take(tx: Transaction) -> Took | Refused:
            if isinstance(checked, Refused):
                return checked
            refused = await rate_limit.exceeded(tx, team, user, self.rate) if self.rate else None
            if refused is not None and self.rate is not None:
                words = await rate_limit.in_words(tx.work, team, user, self.rate, refused)
                return Refused(Turned.TOO_FAST, words, refused.again_at)
            return Took(run_id=await self.requests.take(tx, asked, checked), begun=True)

        return await taken(self.transactions, self.following, team, user, key, take)

    async def turn_away(self, refused: Refused, *, team: str, user: str) -> Taken:
        """Begin nothing, and have that in the log. Raises `NotTaken`, `NotSaved`."""

        async def take(tx: Transaction) -> Took | Refused:
            return refused

        return await taken(self.transactions, self.following, team, user, None, take)

    def _checked(self, asked: AgentRequest, *read: object) -> AgentTool | Refused:
        """The agent, or why it is not begun: first that there is none, then what of it could not be read."""
        unread = next((one for one in read if isinstance(one, Refused)), None)
        try:
            checked = self.requests.checked(asked)
        except NoSuchAgent as error:
            return Refused(Turned.NOT_FOUND, str(NoSuchAgent(_short(asked.agent), error.near)))
        except AgentUnavailable as error:
            return Refused(Turned.UNAVAILABLE_AGENT, str(error))
        except InvalidInputs as error:
            return unread or _bad(error)
        return unread or checked


def _bad(error: InvalidInputs) -> Refused:
    """One input that is wrong, by a name that is not longer than people read: a body may have 90,000 strange ones."""
    name, why = next(iter(error.fields.items()))
    shown = _short(name)
    return Refused(Turned.BAD_INPUTS, f"{shown}: it {why}.", field=shown)


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
