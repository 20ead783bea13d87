"""Serves one emulator over a real socket: as a process of its own, or inside a test's event loop."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import logging
import os
import signal
import socket
import sys
import threading
from typing import TYPE_CHECKING, Any, cast

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from playground.wiretap import ABORT

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence
    from types import TracebackType

    from starlette.applications import Starlette
    from starlette.types import Receive, Scope, Send

    from playground.admin import Admin

HOST = "127.0.0.1"
GRACE_SECONDS = 1
KEEP_ALIVE_SECONDS = 75
"""Longer than any client of ours keeps an idle connection, so that no connection closes during a request."""


class DroppingProtocol(H11Protocol):
    """uvicorn's HTTP/1.1, with an extension that lets the app close the connection without an answer."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        inner: Any = self.app

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            extensions = {**scope.get("extensions", {}), ABORT: self.transport.abort}
            await inner({**scope, "extensions": extensions}, receive, send)

        self.app: Any = app


class _Server(uvicorn.Server):
    """Leaves signals to the process, and ends live streams before it waits for connections."""

    def __init__(self, app: Starlette) -> None:
        self._admin = cast("Admin | None", getattr(app.state, "admin", None))
        config = uvicorn.Config(
            app,
            http=DroppingProtocol,
            ws="websockets-sansio",
            lifespan="on",
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=GRACE_SECONDS,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            ws_max_size=16 * 1024 * 1024,
        )
        super().__init__(config)

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._admin:
            self._admin.changes.close()
        await super().shutdown(sockets)


class Served:
    """`async with Served(app) as url:` serves the app on a free loopback port of this event loop."""

    def __init__(self, app: Starlette, *, port: int = 0) -> None:
        self._server = _Server(app)
        self._port = port
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> str:
        listener = listen(self._port)
        url = url_of(listener)
        self._task = asyncio.create_task(self._server.serve([listener]), name="playground-served")
        while not self._server.started:
            if self._task.done():
                listener.close()
                self._task.result()
                raise RuntimeError("the server ended before it listened")
            await asyncio.sleep(0.005)
        return url

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.should_exit = True
        if self._task:
            await self._task


def listen(port: int) -> socket.socket:
    """A listening loopback socket; port 0 takes a free one."""
    # asyncio switches Nagle's delay off only for sockets that name TCP; without it every answer takes 40 ms more.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        listener.listen(128)
    except OSError:
        listener.close()
        raise
    listener.setblocking(False)
    return listener


def url_of(listener: socket.socket) -> str:
    return f"http://{HOST}:{listener.getsockname()[1]}"


def run(name: str, build: Callable[[], Starlette], argv: Sequence[str] | None = None) -> None:
    """Serves `build()` until a signal, or until stdin ends with `--die-with-parent`.

    Prints one line of JSON on stdout when it listens: `{"ready": name, "url": "http://127.0.0.1:PORT"}`.
    """
    parser = argparse.ArgumentParser(prog=f"python -m playground.{name}")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--die-with-parent", action="store_true", help="end when stdin reaches its end")
    options = parser.parse_args(argv)
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s %(message)s")
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(name, build(), options.port, die_with_parent=options.die_with_parent))


async def _serve(name: str, app: Starlette, port: int, *, die_with_parent: bool) -> None:
    end, loop = asyncio.Event(), asyncio.get_running_loop()
    _end_on_signals(end, loop)
    if die_with_parent:
        threading.Thread(target=_wait_for_eof, args=(loop, end), name="parent-watch", daemon=True).start()
    async with Served(app, port=port) as url:
        print(json.dumps({"ready": name, "url": url}), flush=True)
        await end.wait()


def _end_on_signals(end: asyncio.Event, loop: asyncio.AbstractEventLoop) -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(number, end.set)


def _wait_for_eof(loop: asyncio.AbstractEventLoop, end: asyncio.Event) -> None:
    """Reads the parent's pipe until it is closed. `os.read`, because a buffered stdin is locked at interpreter exit."""
    while os.read(0, 4096):
        pass
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(end.set)
