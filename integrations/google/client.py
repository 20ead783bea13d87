"""Google's APIs for many people: one client for the process, one `GoogleAccount` per tool call.

Reads and idempotent writes are repeated by us, patiently; a write that must not double goes once and is `Ambiguous`
afterwards if nobody can tell. The library is blocking, so every request runs in a thread with a connection of its own.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from types import TracebackType
from typing import Self

from integrations.base import Requester
from integrations.errors import BasisChanged
from integrations.google.account import AccountSettings, GoogleAccount, Sleep
from integrations.google.http import is_loopback
from integrations.google.sender import Sender
from integrations.grants import GoogleGrant, GoogleGrants
from integrations.ports import Clock

TIMEOUT_SECONDS = 20.0
CONNECT_HELP = "No working Google account is connected. Connect yours from Slack: /agent connect google."


class GoogleClient:
    """The way to Google for every tool. Inert until `async with`.

    `connect_help` is what people read when no working account is connected. `api_root_url` replaces Google's address.
    """

    def __init__(
        self,
        *,
        grants: GoogleGrants,
        clock: Clock,
        connect_help: str = CONNECT_HELP,
        api_root_url: str | None = None,
        timeout_seconds: float = TIMEOUT_SECONDS,
        sleep: Sleep = asyncio.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._settings = AccountSettings(grants=grants, connect_help=connect_help, sleep=sleep, jitter=jitter)
        proxied = api_root_url is None or not is_loopback(api_root_url)
        self._sender = Sender(clock=clock, api_root_url=api_root_url, proxied=proxied, timeout_seconds=timeout_seconds)

    async def __aenter__(self) -> Self:
        await self._sender.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._sender.close()

    @property
    def clock(self) -> Clock:
        """The injected time."""
        return self._sender.clock

    async def account(
        self, requester: Requester, scopes: frozenset[str], *, approved: str | None = None
    ) -> GoogleAccount:
        """The requester's Google account, for one tool call.

        `approved` is the account that an action was approved for. Raises `NotConnected`, or `BasisChanged` when another
        account is connected by now.
        """
        grant = await self._settings.grants.grant(requester, scopes)
        if approved is not None and grant.account != approved:
            raise BasisChanged(what="the connected Google account")
        return self.granted(requester, scopes, grant)

    def granted(self, requester: Requester, scopes: frozenset[str], grant: GoogleGrant) -> GoogleAccount:
        """The same with a grant of these scopes that was just given."""
        return GoogleAccount(
            sender=self._sender, settings=self._settings, requester=requester, scopes=scopes, grant=grant
        )
