"""The Google client layer beside a bare aiohttp client, over TLS, against the same server in the same run."""

from __future__ import annotations

import contextlib
import ipaddress
import json
import ssl
import subprocess
import sys
import tracemalloc
from collections.abc import AsyncGenerator, Generator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import aiohttp
import httplib2
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from bot.clock import SystemClock
from integrations.base import Requester
from integrations.google.calls import ApiCall, Resource
from integrations.google.client import GoogleClient
from integrations.google.scopes import MAIL_READ
from integrations.grants import GoogleGrant
from tests.verification.benchmarks.rounds import in_turn

ROOT = Path(__file__).parents[3]
HEADERS_WANTED = 50
PEOPLE = 1_000
_BARE, _OURS = "bare aiohttp, one kept connection", "google-api-python-client through our layer"


class Mail(Resource):
    """As much of a message as a search shows."""

    id: str
    snippet: str


@dataclass(frozen=True, slots=True)
class Everybody:
    """Grants for whoever asks."""

    async def grant(self, requester: Requester, scopes: frozenset[str], *, refused: str | None = None) -> GoogleGrant:
        return GoogleGrant(account=requester.user, email="", access_token=f"token-{requester.user}", scopes=scopes)

    async def refused(self, requester: Requester, account: str) -> None:
        raise AssertionError(f"{account} was refused")


async def bench() -> list[str]:
    """The figures, as lines."""
    with TemporaryDirectory() as name, _server(Path(name)) as url:
        async with aiohttp.ClientSession(connector=_trusting(Path(name))) as http, _client(url) as is_held:
            return [
                *await _per_call(url, http, is_held),
                *await _fifty_headers(url, http),
                *await _connections(url, http, is_held),
                *await _memory(is_held),
            ]


async def _per_call(url: str, http: aiohttp.ClientSession, is_held: GoogleClient) -> list[str]:
    async def bare() -> None:
        await _fetched(http, f"{url}/gmail/v1/users/me/messages/m1?format=metadata&alt=json")

    async def layered() -> None:
        await _read(is_held, "U1")

    floor, layer = await in_turn({_BARE: bare, _OURS: layered}, rounds=15, calls=40)
    added = (layer.median - floor.median) * 1e3
    return ["One call, 0 ms away", floor.told(floor), layer.told(floor), f"  overhead of a call: {added:.2f} ms", ""]


async def _fifty_headers(url: str, http: aiohttp.ClientSession) -> list[str]:
    """Against one batch request of the same size, sent by hand."""
    ids = [f"m{number}" for number in range(HEADERS_WANTED)]
    kind, path = "Content-Type: application/http", "/gmail/v1/users/me/messages"
    parts = [f"--x\r\n{kind}\r\nContent-ID: <{name}>\r\n\r\nGET {path}/{name}\r\n\r\n" for name in ids]
    body = "".join([*parts, "--x--"]).encode()

    async def bare() -> None:
        kind = {"content-type": "multipart/mixed; boundary=x"}
        async with http.post(f"{url}/slow/batch", data=body, headers=kind) as answer:
            assert (await answer.read()).count(b"HTTP/1.1 200") == HEADERS_WANTED

    async with _client(f"{url}/slow") as is_held:

        async def layered() -> None:
            account = await is_held.account(_person("U1"), frozenset({MAIL_READ}))
            read = await account.read_each([_get(name) for name in ids], Mail)
            assert all(isinstance(mail, Mail) for mail in read)

        floor, layer = await in_turn({"one batch by hand": bare, "read_each": layered}, rounds=15)
    title = f"{HEADERS_WANTED} headers, 80 ms away (wanted: × 1.5 at most)"
    return [title, floor.told(floor), layer.told(floor), ""]


async def _connections(url: str, http: aiohttp.ClientSession, is_held: GoogleClient) -> list[str]:
    before = (await _fetched(http, f"{url}/counts"))["connections"]
    for number in range(200):
        await _read(is_held, f"U{number}")
    opened = (await _fetched(http, f"{url}/counts"))["connections"] - before
    return [f"200 calls of 200 people opened {opened} new TLS connections (wanted: 0)", ""]


async def _memory(is_held: GoogleClient) -> list[str]:
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    for number in range(PEOPLE):
        await _read(is_held, f"P{number}")
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return [f"{PEOPLE:,} people who called once hold {(after - before) / PEOPLE:,.0f} bytes each"]


async def _read(is_held: GoogleClient, user: str) -> Mail:
    account = await is_held.account(_person(user), frozenset({MAIL_READ}))
    return await account.read(_get("m1"), Mail)


def _get(message_id: str) -> ApiCall:
    params = {"userId": "me", "id": message_id, "format": "metadata"}
    return ApiCall(api="gmail", resource="users.messages", method="get", params=params)


def _person(user: str) -> Requester:
    return Requester(team="T1", user=user)


async def _fetched(http: aiohttp.ClientSession, url: str) -> dict[str, int]:
    async with http.get(url, headers={"authorization": "Bearer token"}) as answer:
        return await answer.json()


@contextlib.asynccontextmanager
async def _client(url: str) -> AsyncGenerator[GoogleClient]:
    async with GoogleClient(grants=Everybody(), clock=SystemClock(), api_root_url=url) as client:
        yield client


# The server and its certificate -----------------------------------------------------------------------------------


@contextlib.contextmanager
def _server(folder: Path) -> Generator[str]:
    """A process of its own, so that its work is not counted as ours."""
    _certify(folder)
    httplib2.CA_CERTS = str(folder / "certificate.pem")  # it reads its environment when it is imported
    files = ["--certificate", str(folder / "certificate.pem"), "--key", str(folder / "key.pem")]
    command = [sys.executable, "-m", "tests.verification.benchmarks.gmail_server", *files]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield json.loads(process.stdout.readline())["url"]
        finally:
            process.kill()


def _certify(folder: Path) -> None:
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "bench")])
    now = SystemClock().now()
    hosts = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName(hosts), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    pem, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    (folder / "key.pem").write_bytes(key.private_bytes(pem, form, plain))
    (folder / "certificate.pem").write_bytes(certificate.public_bytes(pem))


def _trusting(folder: Path) -> aiohttp.TCPConnector:
    return aiohttp.TCPConnector(ssl=ssl.create_default_context(cafile=str(folder / "certificate.pem")))
