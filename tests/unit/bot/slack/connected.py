"""The emulator with the real bot on it: every listener over a store, joined as the product joins them."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import SecretStr
from slack_bolt.async_app import AsyncApp

from bot.agents.catalog import AgentCatalog
from bot.agents.library import Library
from bot.domain.deliveries import DeliveryKind, card_slot
from bot.domain.runs import RunState
from bot.settings import Settings
from bot.slack.connection.directory import SlackDirectory
from bot.slack.connection.secret_filter import SecretFilter
from bot.slack.connection.socket import SocketMode, SocketTimings
from bot.slack.connection.web import app_of, installation
from bot.slack.outbound.publisher import Publisher
from bot.slack.views import blocks as kit
from bot.slack.views.blocks import Outgoing
from bot.wiring.accounts import accounts
from bot.wiring.core import Core, core_of
from bot.wiring.jobs import timekeeping
from bot.wiring.limits import chat_limits, request_rate
from bot.wiring.slack import Slack as SlackParts
from bot.wiring.slack import listeners, publisher_of
from bot.wiring.store import Base
from bot.wiring.timings import Timings
from bot.wiring.tools import catalog_of, library_of, registry_of, repositories_of
from playground import people
from policies import loader
from policies.loader import Policy
from tests.stores import Opened
from tests.unit.bot.slack.cases import MARA
from tests.unit.bot.slack.emulated import Slack, slack_running
from tests.unit.bot.slack.rows import Rows

SAVES_NOTHING = """
CREATE TRIGGER full_{table} BEFORE INSERT ON {table} BEGIN SELECT RAISE(ABORT, 'the disk is full'); END;
"""


@dataclass(kw_only=True)
class World:
    """Everything together, connected."""

    slack: Slack
    base: Opened
    rows: Rows
    core: Core
    app: AsyncApp
    publisher: Publisher
    catalog: AgentCatalog
    socket: SocketMode | None = None

    async def card(self, **changes: Any) -> tuple[str, str]:
        """An open card of Mara's in her DM; where it stands."""
        dm = await self.slack.dm(MARA)
        await self.rows.asked(dm, "1700000000.000100", is_dm=True, state=RunState.AWAITING)
        await self.rows.question(**changes)
        await self.publisher.deliver(self.rows.delivery(DeliveryKind.CARD, "qst_1"))
        post = await self.rows.posts.find("run_1", card_slot("qst_1"))
        assert post is not None
        return dm, post.ts

    async def click(self, action_id: str, value: str, *, user: str = MARA, channel: str = "") -> dict[str, Any]:
        """Somebody clicks on a button of ours, which stands in their DM unless a channel is named."""
        channel = channel or await self.slack.dm(user)
        shown = Outgoing(text="x", blocks=[kit.buttons("row", [kit.button("x", action_id, value)])])
        ts = await self.slack.web.post(channel, shown, thread_ts=None, mark=f"{user}{action_id}{value}")
        return await self.slack.act("click", user=user, channel=channel, message_ts=ts, action_id=action_id)

    async def click_at_home(self, action_id: str, value: str, *, user: str = MARA) -> None:
        """The same on somebody's App Home."""
        row = kit.buttons("row", [kit.button("x", action_id, value)])
        await self.slack.web.publish_home(user, {"type": "home", "blocks": [row]})
        view_id = self.slack.state["homes"][user]["id"]
        await self.slack.act("click", user=user, view_id=view_id, action_id=action_id)

    async def command(self, text: str, *, user: str = MARA) -> str:
        """What `/agent` answers."""
        channel = await self.slack.dm(user)
        return str(await self.slack.act("command", user=user, channel=channel, command="/agent", text=text))

    async def told(self) -> dict[str, Any]:
        """The only ephemeral message, once it is there."""
        await self.slack.until(lambda: self.slack.calls("chat.postEphemeral"))
        [sent] = self.slack.calls("chat.postEphemeral")
        return sent

    def codes(self) -> Sequence[str]:
        """What the audit log says, in order."""
        return [row["code"] for row in self.base.rows("SELECT code FROM audit ORDER BY id")]

    @contextlib.asynccontextmanager
    async def full(self, table: str) -> AsyncGenerator[None]:
        """Nothing can be saved in this table until the block ends."""
        await self.base.tamper(SAVES_NOTHING.format(table=table))
        try:
            yield
        finally:
            await self.base.tamper(f"DROP TRIGGER full_{table}")


@cache
def _policy() -> Policy:
    return loader.load()


@cache
def _library() -> Library:
    """The shipped agents: reading them takes a third of what an app of a test takes."""
    return library_of(Settings())


@contextlib.asynccontextmanager
async def app_running(opened: Opened, *, socket: bool = True) -> AsyncGenerator[World]:
    """The emulator with the app on it, connected by Socket Mode unless told not to."""
    async with slack_running() as slack, contextlib.AsyncExitStack() as stack:
        settings = Settings(
            slack_signing_secret=SecretStr(people.SIGNING_SECRET),
            google_client_id="client",
            google_client_secret=SecretStr("secret"),
            public_url="https://countersign.example",
        )
        nothing: Any = None  # no test here asks Google anything
        clock: Any = opened.clock
        base = Base(settings=settings, shared=False, clock=clock, keyring=opened.keyring, store=opened.store)
        core = core_of(base, Timings(), _policy())
        times = timekeeping(core.transactions, nothing, limits=chat_limits(settings), rate=request_rate(settings))
        workspace = await installation(slack.web)
        parts = SlackParts(
            client=slack.client,
            web=slack.web,
            secrets=SecretFilter(),
            workspace=workspace,
            app_id=await app_of(slack.web, workspace),
            directory=SlackDirectory(web=slack.web),
        )
        registry = registry_of(
            google=nothing,
            html=nothing,
            client=slack.client,
            members=nothing,
            memories=nothing,
            schedules=nothing,
            briefings=nothing,
            clock=clock,
        )
        own = accounts(base, core.transactions, lock=core.lock(), url="")
        publisher = publisher_of(core, parts, is_held=lambda: True)
        catalog = catalog_of(_library(), core.policy_service.policy)
        app, _ = await listeners(core, stack, parts, times, own, registry, catalog, repositories_of(settings))
        world = World(
            slack=slack, base=opened, rows=Rows(opened), core=core, app=app, publisher=publisher, catalog=catalog
        )
        if socket:
            world.socket = await stack.enter_async_context(
                SocketMode(
                    app=app,
                    client=slack.client,
                    app_token=people.APP_TOKEN,
                    timings=SocketTimings(look=0.1),
                )
            )
            await world.socket.wait_ready()
        yield world
