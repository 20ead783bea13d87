"""A Gmail that costs nearly nothing: canned answers over TLS, as slow as a far server where that is wanted.

`python -m tests.verification.benchmarks.gmail_server --certificate FILE --key FILE` prints its address as a line of
JSON and serves until stdin ends. `GET /counts` tells how many connections it has accepted; paths that begin with
`/slow/` wait as long as `--latency` says.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import ssl
import sys

from aiohttp import web

_HEADERS = [{"name": name, "value": f"{name} of a mail, a line long"} for name in ("From", "To", "Subject", "Date")]
_PART = re.compile(rb"Content-ID: <(?P<id>[^>]+)>")


def message(message_id: str) -> dict[str, object]:
    """What `messages.get` answers with `format=metadata`."""
    return {
        "id": message_id,
        "threadId": message_id,
        "labelIds": ["INBOX", "UNREAD"],
        "snippet": "Good morning, the chairs are ready and the invoice is attached, as we said on the telephone.",
        "internalDate": "1795284925000",
        "payload": {"mimeType": "text/plain", "headers": _HEADERS},
    }


class Server:
    """The handlers, and what they count."""

    def __init__(self, latency: float) -> None:
        self._latency = latency
        self._connections = 0

    def app(self) -> web.Application:
        app = web.Application(client_max_size=10 << 20)
        app.router.add_get("/counts", self._counts)
        app.router.add_get("/{slow:(?:slow/)?}gmail/v1/users/me/messages/{id}", self._get)
        app.router.add_post("/{slow:(?:slow/)?}batch", self._batch)
        app.router.add_post("/{slow:(?:slow/)?}batch/gmail/v1", self._batch)
        return app

    def connected(self) -> None:
        """One more connection was accepted."""
        self._connections += 1

    async def _counts(self, _: web.Request) -> web.Response:
        return web.json_response({"connections": self._connections})

    async def _wait(self, request: web.Request) -> None:
        if request.match_info["slow"]:
            await asyncio.sleep(self._latency)

    async def _get(self, request: web.Request) -> web.Response:
        await self._wait(request)
        return web.json_response(message(request.match_info["id"]))

    async def _batch(self, request: web.Request) -> web.Response:
        ids = [found["id"].decode() for found in _PART.finditer(await request.read())]
        await self._wait(request)
        body = json.dumps(message("m1"))
        parts = [
            f"--b\r\nContent-Type: application/http\r\nContent-ID: <response-{name}>\r\n\r\n"
            f"HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=UTF-8\r\nContent-Length: {len(body)}\r\n\r\n"
            f"{body}\r\n"
            for name in ids
        ]
        return web.Response(text="".join([*parts, "--b--"]), headers={"content-type": "multipart/mixed; boundary=b"})


async def _serve(options: argparse.Namespace) -> None:
    server = Server(options.latency / 1000)
    runner = web.AppRunner(server.app(), access_log=None)
    await runner.setup()
    assert runner.server is not None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(options.certificate, options.key)

    def protocol() -> asyncio.BaseProtocol:
        server.connected()
        return runner.server()  # pyright: ignore[reportOptionalCall]  # set up above

    listening = await asyncio.get_running_loop().create_server(protocol, "127.0.0.1", 0, ssl=context)
    port = listening.sockets[0].getsockname()[1]
    print(json.dumps({"url": f"https://localhost:{port}"}), flush=True)  # noqa: T201  # the parent reads it
    await asyncio.to_thread(sys.stdin.read)


def main() -> None:
    """Serve."""
    options = argparse.ArgumentParser(prog="python -m tests.verification.benchmarks.gmail_server")
    options.add_argument("--certificate", required=True)
    options.add_argument("--key", required=True)
    options.add_argument("--latency", type=float, default=80.0, help="milliseconds, on paths that begin with /slow/")
    asyncio.run(_serve(options.parse_args()))


if __name__ == "__main__":
    main()
