"""The HTTP session under google-genai's client, with a timeout for connecting that the client does not have.

aiohttp's per-request timeout, which google-genai sets, has one figure for everything. Here the attempt's own deadline
starts as the one for connecting and is moved when a connection stands (docs.aiohttp.org, "Client Tracing").
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from types import SimpleNamespace
from urllib.request import getproxies

import aiohttp

READ_BUFFER_BYTES = 2**22

_opening: ContextVar[tuple[asyncio.Timeout, float] | None] = ContextVar("opening", default=None)


def open_session() -> aiohttp.ClientSession:
    """A session without a limit of connections; to be made inside the running loop and closed by its owner."""
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0),
        # aiohttp reads proxies and ~/.netrc anew in a thread for each request: only where there is a proxy at all.
        trust_env=bool(getproxies()),
        read_bufsize=READ_BUFFER_BYTES,
        trace_configs=[_tracing()],
    )


@asynccontextmanager
async def first_answer(*, connect: float, first: float) -> AsyncGenerator[None]:
    """Raises TimeoutError when there is no connection in `connect` seconds, or no answer `first` seconds after it."""
    async with asyncio.timeout(connect) as deadline:
        token = _opening.set((deadline, first))
        try:
            yield
        finally:
            _opening.reset(token)


def _tracing() -> aiohttp.TraceConfig:
    tracing = aiohttp.TraceConfig()
    tracing.on_connection_create_end.append(_connected)
    tracing.on_connection_reuseconn.append(_connected)
    return tracing


async def _connected(
    session: aiohttp.ClientSession,
    context: SimpleNamespace,
    params: aiohttp.TraceConnectionCreateEndParams | aiohttp.TraceConnectionReuseconnParams,
) -> None:
    opening = _opening.get()
    if opening is not None:
        deadline, first = opening
        deadline.reschedule(asyncio.get_running_loop().time() + first)
