"""The façade over httplib2: exclusive connections for reads, one-shot connections for writes that must not double.

An `httplib2.Http` may never be shared between threads: responses are then delivered to the wrong caller. And httplib2
sends a request again when the peer closes the connection without an answer, whatever the method is
(`Http._conn_request`), so a write that must happen at most once goes through connections that refuse a second request.
"""

from __future__ import annotations

import time
import zlib
from collections import deque
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from http.client import HTTPException
from typing import Any, Protocol, cast
from urllib.parse import urlsplit

import httplib2
from httplib2 import HTTPConnectionWithTimeout, HTTPSConnectionWithTimeout

from integrations.errors import IntegrationError

POOL_SIZE = 32
IDLE_SECONDS = 60.0

Body = str | bytes | None


class AlreadySent(IntegrationError):
    """The library wanted to send a one-shot request a second time."""


# What a broken connection or a mangled answer can raise out of httplib2 and googleapiclient.
BROKEN = (OSError, HTTPException, httplib2.HttpLib2Error, zlib.error, EOFError, ValueError, AlreadySent)


class GoogleHttp(Protocol):
    """What googleapiclient asks of an Http: one method that returns (response, content)."""

    def request(
        self, uri: str, method: str = "GET", body: Body = None, headers: Mapping[str, str] | None = None
    ) -> object:
        """Send and wait for the answer."""
        ...


class Bearer:
    """A transport that signs every request with one person's token; the connection below knows no person."""

    def __init__(self, transport: GoogleHttp, token: str) -> None:
        self._transport = transport
        self._token = token

    def request(
        self, uri: str, method: str = "GET", body: Body = None, headers: Mapping[str, str] | None = None
    ) -> object:
        """Send with the Authorization header."""
        signed = {**(headers or {}), "authorization": f"Bearer {self._token}"}
        return self._transport.request(uri, method=method, body=body, headers=signed)


class OneShot:
    """A transport that puts exactly one request on the wire, then none whatever happens. Redirects are not followed.

    httplib2 makes its connections itself, from a class, and forgets them when they fail. So the class refuses.
    """

    def __init__(self, *, timeout: float, proxied: bool) -> None:
        self.sent = False
        """Whether a request began to leave, so that the other side may have acted on it."""
        self._http = plain_http(timeout=timeout, proxied=proxied)
        self._http.follow_redirects = False

    def request(
        self, uri: str, method: str = "GET", body: Body = None, headers: Mapping[str, str] | None = None
    ) -> object:
        """Send once; raises `AlreadySent` at the second time."""
        base = HTTPSConnectionWithTimeout if uri.startswith("https:") else HTTPConnectionWithTimeout
        kind = type(base.__name__, (base,), {"request": self._guarded(base.request)})
        send = cast("Callable[..., object]", self._http.request)
        return send(uri, method=method, body=body, headers=dict(headers or {}), connection_type=kind)

    def close(self) -> None:
        """Drop the connection."""
        self._http.close()

    def _guarded(self, send: Callable[..., None]) -> Callable[..., None]:
        """The method of a connection that sends a request, which raises `AlreadySent` at the second time."""

        def send_once(*args: Any, **kwargs: Any) -> None:
            if self.sent:
                raise AlreadySent
            self.sent = True
            send(*args, **kwargs)

        return send_once


class HttpPool:
    """Connections for one caller at a time, the last one used first. A worker thread checks one out.

    A connection that saw an exception is closed, never returned: nobody may read the rest of somebody else's answer.
    """

    def __init__(self, *, timeout: float, proxied: bool) -> None:
        self._timeout = timeout
        self._proxied = proxied
        self._idle: deque[tuple[float, httplib2.Http]] = deque(maxlen=POOL_SIZE)

    @contextmanager
    def checked_out(self) -> Generator[GoogleHttp]:
        """An Http that belongs to the caller alone until the block ends."""
        http = self._take()
        try:
            yield http
        except BaseException:  # cancelled, too: what it was in the middle of is not known, so nobody takes it up
            http.close()
            raise
        self._give_back(http)

    def close(self) -> None:
        """Close what is idle."""
        while self._idle:
            self._idle.pop()[1].close()

    def _take(self) -> httplib2.Http:
        while self._idle:
            try:
                since, http = self._idle.pop()
            except IndexError:  # another thread took the last one
                break
            if time.monotonic() - since < IDLE_SECONDS:
                return http
            http.close()
        return plain_http(timeout=self._timeout, proxied=self._proxied)

    def _give_back(self, http: httplib2.Http) -> None:
        if len(self._idle) >= POOL_SIZE:
            http.close()
        else:
            self._idle.append((time.monotonic(), http))


def plain_http(*, timeout: float, proxied: bool) -> httplib2.Http:
    """An Http without a cache. `proxied` obeys the proxy variables of the environment, else goes straight."""
    return httplib2.Http(timeout=timeout) if proxied else httplib2.Http(timeout=timeout, proxy_info=None)


def is_loopback(url: str) -> bool:
    """Whether it is on this machine, where no proxy is used."""
    return urlsplit(url).hostname in {"127.0.0.1", "localhost", "::1"}
