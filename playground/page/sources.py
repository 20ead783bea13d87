"""Joins the processes of the playground into the one state that the page shows."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

from playground.page.cards import Cards
from playground.page.hub import Hub
from playground.page.mirror import GATHER_SECONDS, Mirror
from playground.page.shapes import by_key, google_shape, slack_shape, supervisor_shape
from playground.page.upstream import JsonObject, Upstream
from playground.page.wire import Wire

Shape = Callable[[JsonObject], JsonObject]

EMULATORS = ("slack", "google", "gemini")
SHAPES: Mapping[str, Shape] = {"slack": slack_shape, "google": google_shape, "supervisor": supervisor_shape}
NOT_STATE = frozenset({"log"})
"""Events about the wire only."""


class Sources:
    """Mirrors the emulators and the supervisor into a hub; inert until `run`."""

    def __init__(self, *, upstreams: Mapping[str, Upstream], hub: Hub, wire: Wire) -> None:
        self._upstreams = upstreams
        self._hub = hub
        self._wire = wire
        self._up: JsonObject = dict.fromkeys(upstreams, False)
        self._reads: JsonObject = {}
        self._faults: JsonObject = {}
        self._cards = Cards()
        self._wire_grew = asyncio.Event()

    async def run(self) -> None:
        """Follow every process until cancelled."""
        self._hub.publish("up", dict(self._up))
        self._hub.publish("reads", {})
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._publish_wire(), name="page.wire")
            for name in self._upstreams:
                tasks.create_task(self._mirror(name).run(), name=f"page.mirror.{name}")

    def read(self, user: str, channel: str, ts: str) -> None:
        """Store how far a person has read a channel, so that all windows show the same unread dots."""
        seen = self._reads.get(user, {})
        if ts > seen.get(channel, ""):
            self._reads = {**self._reads, user: {**seen, channel: ts}}
            self._hub.publish("reads", self._reads)

    def _mirror(self, name: str) -> Mirror:
        return Mirror(
            upstream=self._upstreams[name],
            events="/__admin/events" if name in EMULATORS else "/events",
            concerns=lambda event: self._concerns(name, event),
            refresh=lambda: self._refresh(name),
            up=lambda is_up: self._note_up(name, is_up),
        )

    def _concerns(self, name: str, event: JsonObject) -> bool:
        if event.get("kind") == "reset":
            self._wire.forget(name)
            self._cards.forget()
        if event.get("kind") == "log":
            self._wire.add(name, event.get("entry", {}))
            self._wire_grew.set()
        return event.get("kind") not in NOT_STATE

    async def _refresh(self, name: str) -> None:
        upstream = self._upstreams[name]
        if name in EMULATORS and not self._up[name]:
            await self._read_log(name)
        state = SHAPES.get(name, dict)(await upstream.get("/__admin/state" if name in EMULATORS else "/state"))
        self._hub.publish(name, state)
        if name in EMULATORS:
            self._faults = {**self._faults, name: by_key((await upstream.get("/__admin/faults")).get("faults"), "id")}
            self._hub.publish("faults", self._faults)
        if name == "slack":
            self._hub.publish("cards", self._cards.look(state["messages"]))

    async def _read_log(self, name: str) -> None:
        self._wire.forget(name)
        for entry in (await self._upstreams[name].get("/__admin/log", after="0")).get("entries", []):
            self._wire.add(name, entry)
        self._wire_grew.set()

    async def _publish_wire(self) -> None:
        """Publish once for every burst, since a busy agent writes hundreds of entries a second."""
        while True:
            await self._wire_grew.wait()
            await asyncio.sleep(GATHER_SECONDS)
            self._wire_grew.clear()
            self._hub.publish("wire", self._wire.lines())

    def _note_up(self, name: str, is_up: bool) -> None:
        if self._up[name] != is_up:
            self._up = {**self._up, name: is_up}
            self._hub.publish("up", dict(self._up))
