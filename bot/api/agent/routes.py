"""The agent over HTTP: its routes joined, with what bounds them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence, Set
from dataclasses import dataclass

from starlette.routing import BaseRoute

from bot.agents.catalog import AgentCatalog
from bot.api.agent.access import AddressRate, Callers, HttpAccess, Slots
from bot.api.agent.openapi import openapi_routes
from bot.api.agent.runs import AgentRoutes
from bot.api.agent.triggers import TriggerRoute
from bot.api.connections import most_connections
from bot.domain.limits import Limits, Rate
from bot.runtime.agents.requests import AgentRequests
from bot.runtime.core.transaction import TransactionFactory
from bot.runtime.over_http.following import Following
from bot.runtime.over_http.going_on import GoingOn
from bot.runtime.over_http.prompts import Prompts
from bot.runtime.over_http.triggers import Triggers


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """What the routes stand on. `origin` is our own address, `origins` are those of others whose pages may use them.
    `cookies` say who is signed in, by the names of the ways.
    """

    transactions: TransactionFactory
    following: Following
    callers: Callers
    catalog: AgentCatalog
    limits: Limits
    rate: Rate | None
    per_address: int
    origin: str
    origins: Set[str]
    cookies: Mapping[str, str]
    link: Callable[[str, str], Awaitable[str]]
    redact: Callable[[str], str]
    version: str
    wait_seconds: float
    heartbeat: float

    def routes(self) -> Sequence[BaseRoute]:
        """All of them."""
        transactions, following, rate = self.transactions, self.following, self.rate
        agents = AgentRoutes(
            access=HttpAccess(
                callers=self.callers,
                own=self.origin,
                origins=frozenset({self.origin, *self.origins}),
                cookies=self.cookies,
                rate=AddressRate(per_minute=self.per_address),
            ),
            slots=Slots(most=most_connections() * 3 // 4),
            store=transactions.store,
            prompts=Prompts(transactions=transactions, following=following, limits=self.limits, rate=rate),
            going_on=GoingOn(transactions=transactions, following=following, rate=rate),
            following=following,
            link=self.link,
            redact=self.redact,
            priorities=transactions.priorities,
            now=lambda: transactions.clock.now().timestamp(),
            wait_seconds=self.wait_seconds,
            heartbeat=self.heartbeat,
        )
        requests = AgentRequests(transactions=transactions, catalog=self.catalog, limits=self.limits, rate=rate)
        triggers = Triggers(transactions=transactions, following=following, requests=requests, rate=rate)
        trigger = TriggerRoute(agents=agents, catalog=self.catalog, triggers=triggers)
        document = openapi_routes(
            title="Countersign",
            version=self.version,
            cookies=self.cookies,
            own=self.origin,
            origins=agents.access.origins,
        )
        return [*agents.routes(), *trigger.routes(), *document]
