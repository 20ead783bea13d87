"""A stage: one run on the emulator, and everything that was sent of it."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from bot.domain.deliveries import DeliveryKind
from bot.domain.events import Event
from bot.runtime.delivery.views import Place
from bot.slack.publisher import Publisher
from tests.unit.bot.slack.cases import MARA, SALES, answer_view, card_view, place
from tests.unit.bot.slack.fakes import delivery
from tests.unit.bot.slack.world import Behind, Slack

SECRET = "canary-7f3a"


@dataclass(kw_only=True)
class Stage:
    """One run on the emulator: asked in #sales or in Mara's DM."""

    slack: Slack
    behind: Behind
    publisher: Publisher

    async def asked(self, *, in_dm: bool = False, **changes: Any) -> Place:
        channel = await self.slack.dm(MARA) if in_dm else SALES
        ts = await self.slack.say(MARA, channel, "please")
        return self.behind.queries.put(place(channel=channel, root_ts=ts, request_ts=ts, is_dm=in_dm, **changes))

    def now(self, asked: Place, **changes: Any) -> Place:
        return self.behind.queries.put(replace(asked, **changes))

    def tell(self, *events: Event) -> None:
        for event in events:
            self.behind.bus.publish(event)

    async def answer(self, text: str = "Done, Mara.", *, attempts: int = 1, **changes: Any) -> None:
        self.behind.queries.answers["run_1"] = answer_view(text=text, **changes)
        await self.publisher.deliver(delivery(DeliveryKind.ANSWER, "run_1", attempts=attempts))

    async def stub(self, *, attempts: int = 1) -> None:
        await self.publisher.deliver(delivery(DeliveryKind.STUB, "run_1", attempts=attempts))

    async def card(self, *, attempts: int = 1, **changes: Any) -> None:
        asked = self.behind.queries.places["run_1"]
        self.behind.queries.cards["qst_1"] = card_view(**{"place": asked, **changes})
        await self.publisher.deliver(delivery(DeliveryKind.CARD, "qst_1", attempts=attempts))

    def texts(self, channel: str) -> list[str]:
        return [json.dumps(message.get("blocks") or message["text"]) for message in self.slack.is_held(channel)]

    def to_channel(self) -> str:
        """Everything that was ever sent to #sales, whatever became of it."""
        return json.dumps([entry["request"] for entry in self.slack.entries() if SALES in json.dumps(entry["request"])])
