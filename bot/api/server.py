"""The HTTP server: uvicorn inside this process's event loop, on the port that was asked for or a free one; its gate."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncGenerator, Generator, Sequence, Set
from dataclasses import dataclass

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from bot.api.browsers import not_now
from bot.api.connections import BACKLOG, ClientConnection
from bot.api.cross_origin import Preflights, SharedAnswers
from bot.api.proxies import ForwardedRequests
from bot.api.refusals import busy, is_api, unrouted
from bot.api.requests import CheckedRequests
from bot.errors import Misconfigured
from bot.urls import Network, at_port


class CannotListen(Misconfigured):
    """The address cannot be had."""

    def __init__(self, host: str, port: int, error: OSError) -> None:
        super().__init__(
            f"HTTP_HOST and HTTP_PORT name {host} port {port}, where this process cannot listen "
            f"({error.strerror or error}). Stop what listens there, or choose another HTTP_PORT; 0 takes a free one."
        )


DATE_SECONDS = 1.0
"""The step in which the `date` of an answer goes on."""

GRACE_SECONDS = 1
"""How long a request that is under way may go on when the server stops."""


@dataclass(slots=True)
class Gate:
    """What is shut while the process starts and while it stops: requests are then told to come again.

    Slack delivers an event again that got a 503 (docs.slack.dev/apis/events-api, "Error handling"), and a balancer asks
    another replica; a click shows its person that it did not arrive. Behind it is `app`, which may come later.
    """

    app: ASGIApp | None = None
    is_open: bool = False

    @contextlib.contextmanager
    def opened(self) -> Generator[None]:
        """Let requests in until the block ends; those that are inside then may finish."""
        self.is_open = True
        try:
            yield
        finally:
            self.is_open = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the request in, or answer 503."""
        await (self.app if self.app and self.is_open else _shut(scope["path"]))(scope, receive, send)


_OF_PEOPLE = ("/auth/slack", "/oauth/google")
"""Where the pages are that people see; at the other paths programs ask."""


def _shut(path: str) -> Response:
    if is_api(path):
        words = "This process begins or ends, or cannot reach Slack yet, so this request did nothing. Send it again."
        return busy(words).response()
    if path.startswith(_OF_PEOPLE):
        return not_now(["This server is not ready at the moment. Load this page again in a minute."])
    return PlainTextResponse("not now: deliver it again", 503, headers={"retry-after": "10"})


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningServer:
    """Where it is served, and the task that does it."""

    url: str
    task: asyncio.Task[None]


class _Embedded(uvicorn.Server):
    """A server that leaves the signals to the process it lives in, and does nothing while nobody asks."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._left = asyncio.Event()

    def leave(self) -> None:
        """Have it end."""
        self.should_exit = True
        self._left.set()

    async def main_loop(self) -> None:
        """Write the date of the answers anew each second, until it is to end. uvicorn looks ten times as often."""
        while not await self.on_tick(0):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(DATE_SECONDS):
                    await self._left.wait()

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        """Take no signal."""
        yield


def application(routes: Sequence[BaseRoute]) -> Starlette:
    """These routes. A path that none of them has is not found, also where another one with or without a slash at its
    end is: a redirect would name our address as we see it, which may be http behind a proxy with TLS.
    """
    app = Starlette(routes=list(routes), exception_handlers={HTTPException: _unrouted})
    app.router.redirect_slashes = False
    return app


def _unrouted(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException), "nothing else is handled here"
    if is_api(request.url.path):
        return unrouted(error.status_code, error.headers)
    return PlainTextResponse(error.detail, error.status_code, headers=error.headers)


@contextlib.asynccontextmanager
async def serve(
    routes: Sequence[BaseRoute],
    *,
    host: str,
    port: int,
    hosts: Set[str] = frozenset(),
    signed: Set[str] = frozenset(),
    origins: Set[str] = frozenset(),
    proxies: Sequence[Network] = (),
    protocol: type[ClientConnection] = ClientConnection,
) -> AsyncGenerator[RunningServer]:
    """Serve until the block ends. Port 0 takes a free one.

    `hosts` are the names under which people come, `signed` the paths whose requests prove by a signature that they are
    meant for us, `origins` where other pages stand that may use the API, `proxies` where proxies are that may say where
    a request comes from.
    """
    app = Preflights(app=application(routes), origins=origins)
    checked = SharedAnswers(app=CheckedRequests(app=app, hosts=hosts, signed=signed), origins=origins)
    with _listen(host, port) as listener:
        config = uvicorn.Config(
            ForwardedRequests(app=checked, trusted=proxies),
            proxy_headers=False,
            http=protocol,
            ws="none",
            backlog=BACKLOG,
            log_config=None,
            access_log=False,
            lifespan="off",
            timeout_keep_alive=5,
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
        server = _Embedded(config)
        task = asyncio.create_task(server.serve(sockets=[listener]), name="http")
        try:
            yield RunningServer(url=at_port(host, listener.getsockname()[1]), task=task)
        finally:
            server.leave()
            await task


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket. asyncio switches Nagle's delay off only where the socket names TCP."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, socket.IPPROTO_TCP)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError as error:
        raise CannotListen(host, port, error) from error
    listener.listen(BACKLOG)
    return listener
