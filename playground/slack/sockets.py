"""Socket Mode: the WebSocket side of the emulator, as many connections as an app may have."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
from typing import TYPE_CHECKING, Any

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from playground import people
from playground.slack.envelopes import Ack, Delivery

if TYPE_CHECKING:
    from playground.admin import Admin

CONNECTIONS = 10
DEBUG_INFO = {"host": "applink-playground", "build_number": 1, "approximate_connection_time": 18060}
LOST = Ack(acked=False, reason="timeout")


class Socket:
    """One connection of the app, with the envelopes that wait for their acknowledgement."""

    def __init__(self, websocket: WebSocket) -> None:
        self.websocket = websocket
        self.leaving = False
        self.waiting: dict[str, tuple[Delivery, asyncio.Future[Ack]]] = {}

    async def send(self, message: dict[str, Any]) -> None:
        await self.websocket.send_text(json.dumps(message))

    def close_waiting(self) -> None:
        for _, answer in self.waiting.values():
            if not answer.done():
                answer.set_result(LOST)
        self.waiting.clear()


class Sockets:
    """Issues tickets, accepts connections, and sends each envelope to one of them."""

    def __init__(self, admin: Admin) -> None:
        self._admin = admin
        self._tickets: set[str] = set()
        self._connected: list[Socket] = []
        self._arrival = asyncio.Event()
        self._turn = 0

    def ticket(self) -> str:
        """A fresh ticket for the URL that `apps.connections.open` answers."""
        ticket = secrets.token_urlsafe(16)
        self._tickets.add(ticket)
        return ticket

    def ready(self) -> list[Socket]:
        return [socket for socket in self._connected if not socket.leaving]

    async def arrived(self) -> None:
        """Waits until a connection can receive envelopes."""
        while not self.ready():
            self._arrival.clear()
            await self._arrival.wait()

    async def endpoint(self, websocket: WebSocket) -> None:
        ticket = websocket.query_params.get("ticket", "")
        if ticket not in self._tickets:
            return await websocket.close(4001)
        self._tickets.discard(ticket)  # valid for one connection
        await websocket.accept()
        socket = Socket(websocket)
        self._connected.append(socket)
        self._changed()
        try:
            await self._talk(socket)
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            self._connected.remove(socket)
            socket.close_waiting()
            self._changed()

    async def deliver(self, delivery: Delivery, *, attempt: int, reason: str, seconds: float) -> Ack:
        """Sends the envelope to one connection and waits for its acknowledgement; a lost connection loses it."""
        ready = self.ready()
        if not ready:
            return Ack(acked=False, reason="no_socket")
        self._turn += 1
        socket = ready[self._turn % len(ready)]
        envelope = self._envelope(delivery, attempt, reason)
        answer: asyncio.Future[Ack] = asyncio.get_running_loop().create_future()
        socket.waiting[envelope["envelope_id"]] = (delivery, answer)
        note = f"attempt {attempt}: {reason}" if attempt else ""
        self._admin.log.add(direction="out", method="WS", path=f"/link/{delivery.name}", request=envelope, note=note)
        try:
            await socket.send(envelope)
            return await asyncio.wait_for(answer, seconds)
        except (TimeoutError, WebSocketDisconnect, RuntimeError):
            return LOST
        finally:
            socket.waiting.pop(envelope["envelope_id"], None)

    async def disconnect(self, reason: str = "refresh_requested") -> int:
        """Tells every connection to reconnect (`refresh_requested`, `warning`), or closes it (`abrupt`)."""
        leaving = self.ready()
        for socket in leaving:
            socket.leaving = True
            with contextlib.suppress(RuntimeError, WebSocketDisconnect):
                if reason == "abrupt":
                    await socket.websocket.close(1012)
                else:
                    await socket.send({"type": "disconnect", "reason": reason, "debug_info": DEBUG_INFO})
        self._changed()
        return len(leaving)

    async def _talk(self, socket: Socket) -> None:
        await socket.send(
            {
                "type": "hello",
                "num_connections": len(self._connected),
                "debug_info": DEBUG_INFO,
                "connection_info": {"app_id": people.APP_ID},
            }
        )
        if len(self._connected) > CONNECTIONS:
            socket.leaving = True
            await socket.send({"type": "disconnect", "reason": "too_many_websockets", "debug_info": DEBUG_INFO})
        self._arrival.set()
        while socket.websocket.client_state is WebSocketState.CONNECTED:
            self._acknowledge(socket, await socket.websocket.receive_text())

    def _acknowledge(self, socket: Socket, text: str) -> None:
        try:
            message: Any = json.loads(text)
            envelope_id = str(message["envelope_id"])
        except (ValueError, KeyError, TypeError):
            self._admin.log.add(direction="in", method="WS", path="/link/", request=text[:200], note="not an ack")
            return
        delivery, answer = socket.waiting.get(envelope_id, (None, None))
        note = "" if delivery else "late or unknown: ignored"
        if delivery and self._admin.faults.take(delivery.name, kinds=frozenset({"lose_ack"})):
            note, answer = "fault: lose_ack", None
        path = f"/link/{delivery.name if delivery else ''}"
        self._admin.log.add(direction="in", method="WS", path=path, request=message, note=note)
        if answer and not answer.done():
            answer.set_result(Ack(acked=True, payload=message.get("payload")))

    def _changed(self) -> None:
        self._admin.changes.publish("sockets", connected=len(self.ready()))

    @staticmethod
    def _envelope(delivery: Delivery, attempt: int, reason: str) -> dict[str, Any]:
        envelope: dict[str, Any] = {
            "envelope_id": f"{secrets.token_hex(4)}-{secrets.token_hex(6)}",
            "type": delivery.kind.value,
            "payload": delivery.payload,
            "accepts_response_payload": delivery.accepts_response,
        }
        if delivery.kind == "events_api":
            envelope |= {"retry_attempt": attempt, "retry_reason": reason}
        return envelope
