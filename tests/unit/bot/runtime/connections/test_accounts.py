"""Connected accounts: sealed with their row, refreshed by one at a time, and adopted from an emulator only."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.domain.connections import REFUSED
from bot.runtime.connections.accounts import ConnectionService, NotLoopback
from bot.runtime.connections.sealed import bound_to
from bot.runtime.core.lock import LeasedLock
from integrations.base import Requester
from integrations.errors import ClientRefused, GrantGone, IntegrationError, Lack, NotConnected, ToolFailed
from integrations.grants import Tokens
from tests.builders import DANA, MARA, NOW, TEAM
from tests.stores import Opened, opened

READ = frozenset({"read"})
DANA_ASKS, MARA_ASKS = Requester(team=TEAM, user=DANA), Requester(team=TEAM, user=MARA)


@dataclass(slots=True)
class Refresher:
    """Gives a new token each time, slowly; or fails."""

    error: IntegrationError | None = None
    asked: list[str] = field(default_factory=list[str])

    async def refresh(self, refresh_token: str) -> Tokens:
        self.asked.append(refresh_token)
        n = len(self.asked)
        await asyncio.sleep(0.01)
        if self.error:
            raise self.error
        return Tokens(access_token=f"new-{n}", refresh_token="again", expires_at=NOW + timedelta(hours=1))


@dataclass(slots=True)
class Accounts:
    """The connections with what they stand on."""

    base: Opened
    refresher: Refresher
    connections: ConnectionService

    async def adopt(self, user: str = DANA, *, until: timedelta | None = None) -> None:
        tokens = Tokens(access_token="old", refresh_token="again", expires_at=None if until is None else NOW + until)
        await self.connections.adopt(TEAM, user, account="1", email="d@x.example", scopes=["read"], tokens=tokens)

    def codes(self) -> list[str]:
        return [row["code"] for row in self.base.rows("SELECT code FROM audit ORDER BY id")]


@pytest.fixture
async def accounts(tmp_path: Path) -> AsyncGenerator[Accounts]:
    async with opened(tmp_path) as base:
        refresher = Refresher()
        yield Accounts(base, refresher, _connections(base, refresher, "http://127.0.0.1:9/token"))


def _connections(base: Opened, refresher: Refresher, token_url: str) -> ConnectionService:
    return ConnectionService(
        store=base.store, keyring=base.keyring, clock=base.clock, refresher=refresher, token_url=token_url
    )


async def test_an_account_is_granted_with_its_token(accounts: Accounts) -> None:
    """A token that lasts is handed out as it is."""
    await accounts.adopt()
    grant = await accounts.connections.grant(DANA_ASKS, READ)
    assert (grant.account, grant.email, grant.access_token, grant.scopes) == ("1", "d@x.example", "old", READ)
    assert accounts.refresher.asked == []
    assert accounts.codes() == ["connection.adopted"]


async def test_security_input_59_secrets_are_sealed_with_their_row(accounts: Accounts) -> None:
    """No token stands in the file, and a ciphertext that is moved to another person's row does not open."""
    await accounts.adopt()
    await accounts.adopt(MARA)
    secrets = {row["user"]: row["secret"] for row in accounts.base.rows("SELECT user, secret FROM connections")}
    assert "old" not in secrets[DANA]
    assert accounts.base.keyring.open(secrets[DANA], bound_to=bound_to(TEAM, DANA, "google"))
    await accounts.base.tamper(f"UPDATE connections SET secret = '{secrets[MARA]}' WHERE user = '{DANA}'")
    with pytest.raises(NotConnected):
        await accounts.connections.grant(DANA_ASKS, READ)


@pytest.mark.parametrize(
    ("token_url", "allowed"),
    [
        ("http://localhost:1/token", True),
        ("http://[::1]:1/token", True),
        ("https://oauth2.googleapis.com/token", False),
        ("https://127.0.0.1.evil.example/token", False),
        ("https://127.0.0.1@evil.example/token", False),
        ("", False),
    ],
)
async def test_accounts_are_adopted_from_an_emulator_only(accounts: Accounts, token_url: str, allowed: bool) -> None:
    """Unless the token URL is a loopback address nothing is stored."""
    accounts.connections = _connections(accounts.base, accounts.refresher, token_url)
    if allowed:
        await accounts.adopt()
    else:
        with pytest.raises(NotLoopback):
            await accounts.adopt()
    assert len(accounts.base.rows("SELECT * FROM connections")) == allowed


async def test_many_calls_make_one_refresh(accounts: Accounts) -> None:
    """However many calls need a fresh token at once, Google is asked once; another person's calls do not wait."""
    await accounts.adopt(until=timedelta(minutes=4))
    await accounts.adopt(MARA, until=timedelta(hours=1))
    grants = await asyncio.gather(*(accounts.connections.grant(DANA_ASKS, READ) for _ in range(5)))
    assert {grant.access_token for grant in grants} == {"new-1"}
    assert accounts.refresher.asked == ["again"]
    assert (await accounts.connections.grant(MARA_ASKS, READ)).access_token == "old"
    assert "connection.refreshed" in accounts.codes()


async def test_a_refused_token_is_not_handed_out_again(accounts: Accounts) -> None:
    """A token that Google answered 401 to is replaced, once for all who were refused with it."""
    await accounts.adopt(until=timedelta(hours=1))
    grants = await asyncio.gather(*(accounts.connections.grant(DANA_ASKS, READ, refused="old") for _ in range(3)))
    assert {grant.access_token for grant in grants} == {"new-1"}


async def test_without_an_account_nothing_is_granted(accounts: Accounts) -> None:
    """No account, a missing scope or a marked account: the call is told that it is not connected."""
    with pytest.raises(NotConnected) as lacking:
        await accounts.connections.grant(DANA_ASKS, READ)
    assert (lacking.value.why, lacking.value.missing, lacking.value.provider) == (Lack.ACCOUNT, READ, "google")
    await accounts.adopt()
    with pytest.raises(NotConnected) as lacking:
        await accounts.connections.grant(DANA_ASKS, READ | {"write"})
    assert (lacking.value.why, lacking.value.missing) == (Lack.SCOPE, {"write"})
    assert "is connected, but does not allow this" in lacking.value.message
    await accounts.connections.refused(DANA_ASKS, "1")
    with pytest.raises(NotConnected) as lacking:
        await accounts.connections.grant(DANA_ASKS, READ)
    assert (lacking.value.why, lacking.value.code) == (Lack.CREDENTIALS, "needs_reconnect")
    assert accounts.base.rows("SELECT status FROM connections") == [{"status": REFUSED}]
    assert accounts.codes() == ["connection.adopted", "connection.refused"]


async def test_a_grant_that_is_gone_marks_the_account(accounts: Accounts) -> None:
    """When Google does not know the refresh token any more, somebody must connect again."""
    await accounts.adopt(until=timedelta(0))
    accounts.refresher.error = GrantGone()
    with pytest.raises(NotConnected):
        await accounts.connections.grant(DANA_ASKS, READ)
    assert accounts.base.rows("SELECT status FROM connections") == [{"status": REFUSED}]


@pytest.mark.parametrize(
    ("error", "told", "code"),
    [
        (IntegrationError(), "nothing was done", "google_unavailable"),
        (ClientRefused(), "countersign doctor", "client_refused"),
    ],
    ids=["Google cannot be reached", "an administrator has to mend the installation"],
)
async def test_a_refresh_that_may_work_later_changes_nothing(
    accounts: Accounts, error: IntegrationError, told: str, code: str
) -> None:
    """The call fails with words, nobody has to connect again, and the account works afterwards."""
    await accounts.adopt(until=timedelta(0))
    accounts.refresher.error = error
    with pytest.raises(ToolFailed, match=told) as failed:
        await accounts.connections.grant(DANA_ASKS, READ)
    assert failed.value.code == code
    accounts.refresher.error = None
    assert (await accounts.connections.grant(DANA_ASKS, READ)).access_token == "new-2"


async def test_two_replicas_make_one_refresh(accounts: Accounts) -> None:
    """The second of two replicas finds the token that the first one got, and asks Google for none."""
    await accounts.adopt(until=timedelta(minutes=4))
    replicas = [
        replace(
            _connections(accounts.base, accounts.refresher, accounts.connections.token_url),
            lock=LeasedLock(store=accounts.base.store, clock=accounts.base.clock, holder=holder),
            _flights=defaultdict(asyncio.Lock),
        )
        for holder in ("one", "two")
    ]
    grants = await asyncio.gather(*(replica.grant(DANA_ASKS, READ) for replica in replicas for _ in range(2)))
    assert {grant.access_token for grant in grants} == {"new-1"}
    assert accounts.refresher.asked == ["again"]


async def test_a_refresh_never_brings_a_disconnected_account_back(accounts: Accounts) -> None:
    """Who disconnects while a token is renewed stays disconnected."""
    await accounts.adopt(until=timedelta(0))
    renewing = asyncio.create_task(accounts.connections.grant(DANA_ASKS, READ))
    while not accounts.refresher.asked:
        await asyncio.sleep(0)
    async with accounts.base.store.write() as work:
        await work.connections.remove(TEAM, DANA, "google")
    with pytest.raises(NotConnected):
        await renewing
    assert accounts.base.rows("SELECT * FROM connections") == []
