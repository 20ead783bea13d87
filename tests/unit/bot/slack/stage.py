"""A stage: one request of Mara's on the emulator, its rows in a store, and a publisher between them."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Any

from bot.domain.deliveries import DeliveryKind, Place
from bot.domain.events import Event, RunMoved, TextStreamed
from bot.domain.runs import RunState
from bot.redaction import Redactor
from bot.runtime.core.event_bus import Bus
from bot.runtime.core.lock import DistributedLock, IsHeld
from bot.slack.connection.secret_filter import SecretFilter
from bot.slack.connection.web import SlackWeb
from bot.slack.outbound.publisher import Publisher
from bot.slack.outbound.streams import StreamTimings
from playground import people
from tests.patience import PATIENCE_SECONDS
from tests.unit.bot.slack.cases import MARA, SALES
from tests.unit.bot.slack.emulated import Slack
from tests.unit.bot.slack.rows import Rows

SECRET = "canary-7f3a"
TOKEN = "a-token-of-the-installation"
HURRIED = StreamTimings(append=0.05, update=0.05)


@dataclass(slots=True)
class Stopwatch:
    """A steady clock that goes by hand."""

    seconds: float = 1_000.0

    def __call__(self) -> float:
        return self.seconds


class TooSlow:
    """An exclusion whose time is over whenever one is alone."""

    @contextlib.asynccontextmanager
    async def acquire(self, about: str) -> AsyncGenerator[IsHeld]:
        del about
        yield lambda: False


@dataclass(kw_only=True)
class Stage:
    """One request on the emulator: asked in #sales or in Mara's DM."""

    slack: Slack
    rows: Rows
    publisher: Publisher
    bus: Bus
    steady: Stopwatch = field(default_factory=Stopwatch)

    async def asked(self, *, in_dm: bool = False, run_id: str = "run_1", **changes: Any) -> Place:
        channel = await self.slack.dm(MARA) if in_dm else SALES
        ts = await self.slack.say(MARA, channel, "please")
        return await self.rows.asked(channel, ts, is_dm=in_dm, run_id=run_id, **changes)

    async def streaming(self, text: str) -> Place:
        """A request of Mara's in her DM, and the first words of its answer on the screen."""
        asked = await self.asked(in_dm=True)
        self.tell(RunMoved("run_1", RunState.PLANNING), TextStreamed("run_1", text))
        await self.slack.until(lambda: self.slack.ours(asked.channel))
        return asked

    def tell(self, *events: Event) -> None:
        for event in events:
            self.bus.publish(event)

    async def deliver(self, kind: DeliveryKind, subject: str, *, attempts: int = 1) -> None:
        await self.publisher.deliver(self.rows.delivery(kind, subject, attempts=attempts))

    async def answer(self, text: str = "Done, Mara.", *, attempts: int = 1) -> None:
        await self.rows.now(summary=text)
        await self.deliver(DeliveryKind.ANSWER, "run_1", attempts=attempts)

    async def stub(self, *, attempts: int = 1) -> None:
        await self.deliver(DeliveryKind.STUB, "run_1", attempts=attempts)

    async def card(self, question_id: str = "qst_1", *, attempts: int = 1, **changes: Any) -> None:
        await self.rows.question(question_id, **changes)
        await self.deliver(DeliveryKind.CARD, question_id, attempts=attempts)

    def texts(self, channel: str) -> list[str]:
        return [json.dumps(message.get("blocks") or message["text"]) for message in self.slack.ours(channel)]

    async def direct(self) -> list[str]:
        """What stands in Mara's DM."""
        return self.texts(await self.slack.dm(MARA))

    def to_channel(self) -> str:
        """Everything that was ever sent to #sales, whatever became of it."""
        return json.dumps([entry["request"] for entry in self.slack.entries() if SALES in json.dumps(entry["request"])])

    async def at_rest(self) -> None:
        """Wait until no run is written about any more; a run that rests costs no task."""
        while writing := [task for task in asyncio.all_tasks() if task.get_name().startswith("slack-update")]:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await asyncio.wait(writing)


@contextlib.asynccontextmanager
async def staged(
    slack: Slack,
    rows: Rows,
    *,
    bus: Bus | None = None,
    is_held: IsHeld = lambda: True,
    lock: DistributedLock | None = None,
    timings: StreamTimings = HURRIED,
    application: str = "an application",
) -> AsyncGenerator[Stage]:
    """A publisher between the emulator and the rows, on a bus of its own unless one is given."""
    steady, bus = Stopwatch(), bus or Bus()
    async with Publisher(
        web=SlackWeb(slack.client, secrets=SecretFilter(Redactor([TOKEN])), monotonic=steady),
        queries=rows.queries,
        timely=rows.timely,
        posts=rows.posts,
        bus=bus,
        agent=people.BOT_USER_ID,
        application=application,
        redact=Redactor([SECRET]),
        lock=lock,
        is_held=is_held,
        timings=timings,
        monotonic=steady,
    ) as publisher:
        yield Stage(slack=slack, rows=rows, publisher=publisher, bus=bus, steady=steady)
