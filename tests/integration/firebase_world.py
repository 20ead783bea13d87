"""Firebase's accounts in the Google emulator over a real socket, cookies of its people, and the time that is kept."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp

from integrations.google.auth.firebase import FirebaseSessions
from integrations.google.auth.firebase_accounts import FirebaseAccounts
from integrations.google.auth.firebase_keys import SigningKeys
from integrations.google.auth.service_account import read_service_account
from playground.google.app import Emulator
from playground.google.firebase import CERTIFICATES, LOOKUP
from playground.google.oauth.service_account import PROJECT
from playground.serve import Served
from tests.integration.google_world import EmulatorClock

KEYS, ACCOUNTS = CERTIFICATES, LOOKUP


@dataclass(slots=True)
class Watch:
    """Seconds that only a test lets pass."""

    seconds: float = 1_000.0

    def __call__(self) -> float:
        return self.seconds


@dataclass(slots=True)
class Product:
    """A product whose people sign in with Firebase."""

    emulator: Emulator
    url: str
    http: aiohttp.ClientSession
    key_file: str
    watch: Watch = field(default_factory=Watch)

    def sessions(self, *, project: str = PROJECT) -> FirebaseSessions:
        """A checker that keeps nothing yet."""
        clock = EmulatorClock(self.emulator)
        return FirebaseSessions(
            project=project,
            keys=SigningKeys(url=f"{self.url}{KEYS}", monotonic=self.watch),
            accounts=FirebaseAccounts(
                project=project,
                account=read_service_account(self.key_file, token_url=f"{self.url}/token"),
                clock=clock,
                api_url=self.url,
                monotonic=self.watch,
            ),
            clock=clock,
        )

    async def cookie(self, person: str = "dana", **wish: object) -> str:
        """A cookie of this person's; what is wished besides is done first. `session` changes its claims."""
        body = {"person": person, **wish}
        async with self.http.post(f"{self.url}/__admin/firebase", json=body) as answer:
            assert answer.status == 200, await answer.text()
            return (await answer.json())["cookie"]

    async def certificate(self) -> str:
        async with self.http.get(f"{self.url}{KEYS}") as answer:
            return next(iter((await answer.json()).values()))

    def fault(self, kind: str, path: str, **more: object) -> None:
        self.emulator.admin.faults.add({"kind": kind, "match": {"path": path}, "times": -1, **more})

    def mend(self) -> None:
        self.emulator.admin.faults.clear()

    def asked(self, path: str) -> int:
        """How often a path was asked for."""
        return sum(path == entry["path"] for entry in self.emulator.admin.log.after(0))

    def now(self) -> int:
        return int(self.emulator.admin.clock.seconds())


@asynccontextmanager
async def product() -> AsyncGenerator[Product]:
    """One emulated Google, served."""
    emulator = Emulator()
    async with Served(emulator.app()) as url, aiohttp.ClientSession() as http:
        async with http.get(f"{url}/__admin/service_account") as answer:
            key_file = await answer.text()
        yield Product(emulator=emulator, url=url, http=http, key_file=key_file)


def parts(cookie: str) -> tuple[dict[str, Any], dict[str, Any], str]:
    """The header, the claims and the signature of a cookie."""
    header, claims, signature = cookie.split(".")
    return _read(header), _read(claims), signature


def forged(header: Mapping[str, object], claims: Mapping[str, object], signature: str = "") -> str:
    """These parts as a cookie."""
    return f"{_written(header)}.{_written(claims)}.{signature}"


def signed_with_secret(header: Mapping[str, object], claims: Mapping[str, object], secret: str) -> str:
    """The same, signed with HS256 by something that everybody knows."""
    told = forged(header, claims).rpartition(".")[0]
    digest = hmac.new(secret.encode(), told.encode(), hashlib.sha256).digest()
    return f"{told}.{base64.urlsafe_b64encode(digest).decode().rstrip('=')}"


def _read(text: str) -> dict[str, Any]:
    return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


def _written(value: Mapping[str, object]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")
