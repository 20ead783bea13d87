"""Delivers payloads to the app: events repeatedly until acknowledged, clicks and commands once."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

from playground.slack.envelopes import Ack, Delivery
from playground.slack.sockets import Sockets
from playground.slack.webhooks import Webhooks

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from playground.admin import Admin
    from playground.faults import Fault
    from playground.slack.settings import Settings

KINDS = frozenset({"duplicate_event", "reorder_events", "delay_event", "disconnect"})
REORDER_SECONDS = 2.0
"""How long a reordered event waits for the next one to overtake it."""


class Deliveries:
    """Through the request URL when one is set, through Socket Mode otherwise."""

    def __init__(self, admin: Admin, settings: Callable[[], Settings]) -> None:
        self._admin = admin
        self._settings = settings
        self.sockets = Sockets(admin)
        self.webhooks = Webhooks(admin)
        self._tasks: set[asyncio.Task[None]] = set()
        self._overtaken = asyncio.Event()

    def event(self, delivery: Delivery) -> None:
        """Delivers in the background, with retries."""
        fault = self._fault(delivery)
        if fault and fault.kind == "duplicate_event":
            self.spawn(self._until_acknowledged(delivery, None), delivery.name)
        self.spawn(self._until_acknowledged(delivery, fault), delivery.name)

    async def ask(self, delivery: Delivery) -> Ack:
        """Delivers a click, submission or command: one attempt, as Slack does, since a person is waiting."""
        fault = self._fault(delivery)
        if fault and fault.kind == "disconnect":
            await self.sockets.disconnect("abrupt")
        if fault and fault.kind == "delay_event":
            await self._admin.faults.hold(fault.seconds)
        return await self._attempt(delivery, 0, "")

    def _fault(self, delivery: Delivery) -> Fault | None:
        body = json.dumps(delivery.payload, ensure_ascii=False)
        return self._admin.faults.take(delivery.name, kinds=KINDS, body=body)

    def spawn(self, work: Coroutine[None, None, None], name: str) -> None:
        task = asyncio.create_task(work, name=f"delivery:{name}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def forget(self) -> None:
        """Drops everything that is being delivered."""
        for task in tuple(self._tasks):
            task.cancel()

    async def _until_acknowledged(self, delivery: Delivery, fault: Fault | None) -> None:
        await self._disturb(fault)
        attempt, reason = 0, ""
        if not self.webhooks.url and not self.sockets.ready():
            attempt, reason = 1, "timeout"
        retries_left = self._settings().retries
        while True:
            ack = await self._attempt(delivery, attempt, reason, wait=True)
            if ack.acked or ack.no_retry:
                return
            if not retries_left:
                break
            retries_left -= 1
            attempt, reason = attempt + 1, ack.reason
            await asyncio.sleep(self._settings().pause(attempt))
        self._admin.log.add(
            direction="out", method="GAVE UP", path=delivery.name, request=delivery.payload, note="never acknowledged"
        )

    async def _attempt(self, delivery: Delivery, attempt: int, reason: str, *, wait: bool = False) -> Ack:
        seconds = self._settings().ack_seconds
        self._overtaken.set()
        if self.webhooks.url:
            return await self.webhooks.deliver(delivery, attempt=attempt, reason=reason, seconds=seconds)
        if wait:
            await self.sockets.arrived()
        return await self.sockets.deliver(delivery, attempt=attempt, reason=reason, seconds=seconds)

    async def _disturb(self, fault: Fault | None) -> None:
        match fault.kind if fault else "":
            case "delay_event":
                await self._admin.faults.hold(fault.seconds if fault else 0)
            case "reorder_events":
                self._overtaken.clear()
                try:
                    await asyncio.wait_for(self._overtaken.wait(), (fault and fault.seconds) or REORDER_SECONDS)
                except TimeoutError:
                    return
                await asyncio.sleep(0.05)  # lets the overtaking event be on the wire first
            case "disconnect":
                await self.sockets.disconnect("abrupt")
            case _:
                return
