"""Middleware between the server and an emulator: logs every exchange, and carries out the faults."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import parse_qsl

from playground.faults import HTTP_KINDS
from playground.wire_log import BODY_BYTES, readable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from playground.faults import Fault, Faults
    from playground.wire_log import WireLog

ABORT = "playground.abort"
"""The ASGI extension of `playground.serve` that closes the connection without an answer."""


class Wiretap:
    """ASGI middleware. Requests below a quiet prefix are neither logged nor disturbed."""

    def __init__(self, app: ASGIApp, *, log: WireLog, faults: Faults, quiet: tuple[str, ...]) -> None:
        self._app = app
        self._log = log
        self._faults = faults
        self._quiet = quiet

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith(self._quiet):
            return await self._app(scope, receive, send)
        body = await _read(receive)
        path, method = cast("str", scope["path"]), cast("str", scope["method"])
        target = f"{path}?{scope['query_string'].decode()}" if scope["query_string"] else path
        fault = self._faults.take(target, kinds=HTTP_KINDS, method=method, body=body.decode(errors="replace"))

        def note(exchange: _Exchange) -> None:
            self._log.add(
                direction="in",
                method=method,
                path=target,
                request=_asked(body, scope),
                status=exchange.status,
                response=readable(bytes(exchange.seen), exchange.content_type),
                note=f"fault: {fault.kind}" if fault else exchange.note,
            )

        await _Exchange(body, receive, send, fault, scope, note, self._faults.hold).run(self._app)


class _Exchange:
    """One request, its fault, and the part of the answer that passed."""

    def __init__(
        self,
        body: bytes,
        receive: Receive,
        send: Send,
        fault: Fault | None,
        scope: Scope,
        note: Callable[[_Exchange], None],
        hold: Callable[[float], Awaitable[None]],
    ) -> None:
        self._body: bytes | None = body
        self._receive = receive
        self._send = send
        self._fault = fault
        self._scope = scope
        self._note: Callable[[_Exchange], None] | None = note
        self._hold = hold
        self._kept: list[Message] = []
        self._pieces = 0
        self.status: int | None = None
        self.content_type = ""
        self.seen = bytearray()
        self.note = ""

    async def run(self, app: ASGIApp) -> None:
        try:
            await self._happen(app)
        finally:
            self._noted()

    def _noted(self) -> None:
        """Writes the log entry, once: a held answer is in the log while it is held."""
        if self._note:
            self._note(self)
            self._note = None

    async def _happen(self, app: ASGIApp) -> None:
        match self._fault:
            case None:
                await self._through(app)
            case fault if fault.kind == "delay":
                await asyncio.sleep(fault.seconds)
                await self._through(app)
            case fault if fault.kind == "hold":
                await app(self._scope, self.receive, self._keep)
                self._noted()
                await self._hold(fault.seconds)
                for message in self._kept:
                    await self._send(message)
            case fault if fault.kind in {"status", "status_after"}:
                if fault.kind == "status_after":
                    await app(self._scope, self.receive, self._discard)
                await asyncio.sleep(fault.seconds)
                await self._answer(fault)
            case fault if fault.kind in {"drop_before", "drop_after"}:
                if fault.kind == "drop_after":
                    await app(self._scope, self.receive, self._keep)
                await self._abort()
            case fault if fault.kind == "pause":
                await app(self._scope, self.receive, self._pause)
            case fault:
                await app(self._scope, self.receive, self._cut)

    async def receive(self) -> Message:
        """The body, which was read already, then what follows (a disconnect)."""
        if self._body is None:
            return await self._receive()
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}

    async def _through(self, app: ASGIApp) -> None:
        await app(self._scope, self.receive, self._pass)

    async def _pass(self, message: Message) -> None:
        """Passes a piece on; the last one is in the log before the client has it, so that later entries come later."""
        self._see(message)
        if message["type"] == "http.response.body" and not message.get("more_body"):
            self._noted()
        await self._send(message)

    async def _keep(self, message: Message) -> None:
        self._see(message)
        self._kept.append(message)

    async def _discard(self, message: Message) -> None:
        """The answer is thrown away."""

    async def _pause(self, message: Message) -> None:
        """Lets `after` pieces through, waits, and lets the rest follow; the log has it from when it waits."""
        if message["type"] == "http.response.body" and self._fault:
            if self._pieces == self._fault.after:
                self._noted()
                await self._hold(self._fault.seconds)
            self._pieces += 1
        await self._pass(message)

    async def _cut(self, message: Message) -> None:
        """Lets `after` pieces through, or half of a single one, and closes the connection."""
        self._see(message)
        if message["type"] == "http.response.body" and self._fault:
            self._pieces += 1
            only = self._pieces == 1 and not message.get("more_body")
            if only:
                half = message["body"][: len(message["body"]) // 2]
                await self._send({"type": "http.response.body", "body": half, "more_body": True})
            if only or self._pieces > self._fault.after:
                return await self._abort()
        await self._send(message)

    async def _answer(self, fault: Fault) -> None:
        text = fault.body if isinstance(fault.body, str) else json.dumps(fault.body or {"ok": False})
        headers = {"content-type": "application/json", "content-length": str(len(text.encode())), **fault.headers}
        raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        await self._pass({"type": "http.response.start", "status": fault.status, "headers": raw})
        await self._pass({"type": "http.response.body", "body": text.encode()})

    async def _abort(self) -> None:
        """Closes the connection; the request ends once the server has noticed."""
        abort = self._scope.get("extensions", {}).get(ABORT)
        if abort is None:
            raise RuntimeError("this server cannot drop connections: run the app with playground.serve")
        abort()
        while (await self._receive())["type"] != "http.disconnect":
            pass

    def _see(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.content_type = _header(message["headers"], b"content-type")
        elif message["type"] == "http.response.body" and len(self.seen) < BODY_BYTES:
            self.seen += message.get("body", b"")
        self.note = self._scope.get("state", {}).get("note", "")


def _asked(body: bytes, scope: Scope) -> Any:
    """The arguments: the body, or the query when there is none."""
    if not body and scope["query_string"]:
        return dict(parse_qsl(scope["query_string"].decode(), keep_blank_values=True))
    return readable(body, _header(scope["headers"], b"content-type"))


def _header(headers: list[tuple[bytes, bytes]], name: bytes) -> str:
    return next((value.decode("latin-1") for key, value in headers if key.lower() == name), "")


async def _read(receive: Receive) -> bytes:
    chunks: list[bytes] = []
    while True:
        message: dict[str, Any] = dict(await receive())
        if message["type"] == "http.disconnect":
            break
        chunks.append(message.get("body", b""))
        if not message.get("more_body"):
            break
    return b"".join(chunks)
