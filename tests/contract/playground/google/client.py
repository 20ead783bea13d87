"""The real google-api-python-client against the emulator: the one typed door to an untyped library."""

from __future__ import annotations

import asyncio
import base64
import json
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from importlib import import_module
from typing import Any
from urllib.request import Request, urlopen

from playground.google.app import build
from playground.google.discovery import read_document
from playground.serve import Served
from tests.patience import PATIENCE_SECONDS

Json = dict[str, Any]

_discovery: Any = import_module("googleapiclient.discovery")
_httplib2: Any = import_module("httplib2")
_auth_httplib2: Any = import_module("google_auth_httplib2")
_credentials: Any = import_module("google.oauth2.credentials")

HttpError: type[Exception] = import_module("googleapiclient.errors").HttpError
RefreshError: type[Exception] = import_module("google.auth.exceptions").RefreshError


class Google:
    """The emulator at `url`, as clients and the playground's page meet it."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._https: list[Any] = []

    def gmail(self, who: str = "dana", token: str | None = None) -> Any:
        return self._service("gmail.v1", self.http(token or f"ya29.playground-{who}"))

    def calendar(self, who: str = "dana", token: str | None = None) -> Any:
        return self._service("calendar.v3", self.http(token or f"ya29.playground-{who}"))

    def people(self, who: str = "dana", token: str | None = None) -> Any:
        return self._service("people.v1", self.http(token or f"ya29.playground-{who}"))

    def refreshing(self, document: str, who: str, *, refresh_token: str | None = None) -> Any:
        """A service whose credentials refresh themselves at the emulator's token endpoint."""
        credentials = _credentials.Credentials(
            f"ya29.playground-{who}",
            refresh_token=refresh_token or f"1//playground-{who}",
            token_uri=f"{self.url}/token",
            client_id="playground-client",
            client_secret="playground-secret",
        )
        return self._service(document, self._authorized(credentials))

    def http(self, token: str) -> Any:
        """A connection with a fixed token: a 401 comes through instead of starting a refresh."""
        return self._authorized(_credentials.Credentials(token), refresh_status_codes=())

    def admin(self, path: str, body: Json | None = None) -> Json:
        """GETs an admin route, or POSTs `body` to it."""
        data = None if body is None else json.dumps(body).encode()
        request = Request(f"{self.url}/__admin/{path}", data=data, headers={"content-type": "application/json"})
        with urlopen(request, timeout=PATIENCE_SECONDS) as answer:
            return json.loads(answer.read())

    def state(self) -> Json:
        return self.admin("state")

    def fault(self, kind: str, path: str, **more: Any) -> None:
        self.admin("faults", {"kind": kind, "match": {"path": path}, **more})

    def calls(self, part: str) -> list[Json]:
        """The logged requests whose path has this part."""
        return [entry for entry in self.admin("log")["entries"] if part in entry["path"]]

    def close(self) -> None:
        for http in self._https:
            http.close()

    def _authorized(self, credentials: Any, **more: Any) -> Any:
        plain = _httplib2.Http(timeout=PATIENCE_SECONDS)
        self._https.append(plain)
        return _auth_httplib2.AuthorizedHttp(credentials, http=plain, **more)

    def _service(self, document: str, http: Any) -> Any:
        spec = read_document(document)
        spec["rootUrl"] = f"{self.url}/"
        spec.pop("mtlsRootUrl", None)
        return _discovery.build_from_document(spec, http=http)


@contextmanager
def running() -> Generator[str]:
    """The emulator on a thread of its own, so that tests can use the blocking client."""
    ready, url, end = threading.Event(), [""], asyncio.Event()
    loop = asyncio.new_event_loop()

    async def serve() -> None:
        async with Served(build()) as served:
            url[0] = served
            ready.set()
            await end.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),), name="google-emulator")
    thread.start()
    assert ready.wait(PATIENCE_SECONDS)
    try:
        yield url[0]
    finally:
        loop.call_soon_threadsafe(end.set)
        thread.join(PATIENCE_SECONDS)
        loop.close()


def raw_of(mail: str) -> str:
    """A mail as the API takes it, from text with plain line ends."""
    return base64.urlsafe_b64encode(mail.replace("\n", "\r\n").encode()).decode()


def decoded(data: str) -> bytes:
    return base64.urlsafe_b64decode(data + "=" * (-len(data) % 4))


def refused(call: Callable[[], Any]) -> tuple[int, str]:
    """The status and reason of a call that the API refuses."""
    status, body = refusal(call)
    return status, body["error"]["errors"][0]["reason"]


def refusal(call: Callable[[], Any]) -> tuple[int, Json]:
    """The status and body of a call that the API refuses."""
    try:
        answer = call()
    except HttpError as error:
        told: Any = error
        return int(told.resp.status), json.loads(told.content)
    raise AssertionError(f"not refused: {answer}")
