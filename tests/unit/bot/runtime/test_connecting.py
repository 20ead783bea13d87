"""Connecting an account: links, whose account it is, what is forgotten, and questions that an account answers."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.domain.connects import CONNECT_LIFE
from bot.domain.threads import User
from bot.runtime.connect_questions import ConnectQuestions
from bot.runtime.connecting import Connecting, End, Visit, Whose
from bot.runtime.connections import Connections, Tokens
from bot.runtime.disconnecting import Disconnecting
from integrations.base import Access, Consent, Granted, RefreshedToken
from integrations.errors import ConsentFailed
from tests.builders import DANA, MARA, TEAM
from tests.unit.bot.runtime.house import House, house

ME = User(team=TEAM, user=DANA, name="Dana", email="Dana@Fernhill.example")
MAIL = frozenset({"mail"})


@dataclass(slots=True)
class Provider:
    """Somebody at whom Dana has an account."""

    gives: Granted | ConsentFailed
    revoked: list[str] = field(default_factory=list[str])
    answers: bool = True

    def offered(self, missing: frozenset[str]) -> Sequence[Access]:
        return [Access(id="mail", label="Mail", scopes=MAIL)]

    def described(self, granted: frozenset[str]) -> str:
        return "reading mail" if granted & MAIL else ""

    def lacking(self, granted: frozenset[str], wanted: frozenset[str]) -> frozenset[str]:
        return wanted - granted

    async def consent(self, scopes: frozenset[str], *, state: str, email: str | None) -> Consent:
        del scopes, email
        return Consent(url=f"https://provider.example/?state={state}", verifier="proof")

    async def granted(self, code: str, *, verifier: str) -> Granted:
        assert (code, verifier) == ("code", "proof")
        if isinstance(self.gives, ConsentFailed):
            raise self.gives
        return self.gives

    async def revoke(self, refresh_token: str) -> bool:
        self.revoked.append(refresh_token)
        return self.answers


class NoRefresher:
    """Nothing is renewed here."""

    async def refresh(self, refresh_token: str) -> RefreshedToken:
        raise NotImplementedError(refresh_token)


def account(email: str = "dana@fernhill.example", **values: object) -> Granted:
    token = RefreshedToken(access_token="a", refresh_token="r", expires_at=None)
    made = Granted(account="sub-1", email=email, domain="", scopes=MAIL, token=token)
    return replace(made, **values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Office:
    """The parts, and a way to go through all of it."""

    home: House
    provider: Provider
    connecting: Connecting

    async def visit(self, *, cookie: str | None = None, error: str = "", later: timedelta = timedelta(0)) -> Visit:
        """From a fresh link to the page at the end."""
        url = await self.connecting.link(ME)
        leaving = await self.connecting.leave(url.partition("?t=")[2], "mail")
        assert leaving is not None
        self.home.base.clock.at += later
        state = leaving.url.partition("state=")[2]
        return await self.connecting.came_back(
            state=state, code="code", error=error, cookie=leaving.cookie if cookie is None else cookie
        )

    def connected(self) -> list[str]:
        return [row["email"] for row in self.home.base.rows("SELECT email FROM connections")]


def office(home: House, gives: Granted | ConsentFailed, whose: Whose | None = None) -> Office:
    provider = Provider(gives)
    book = Connections(
        store=home.base.store,
        keyring=home.base.keyring,
        clock=home.base.clock,
        refresher=NoRefresher(),
        token_url="http://127.0.0.1/token",
    )
    disconnecting = Disconnecting(journal=home.journal, connections=book, provider=provider)
    connecting = Connecting(
        journal=home.journal,
        keyring=home.base.keyring,
        provider=provider,
        connections=book,
        questions=ConnectQuestions(journal=home.journal),
        disconnecting=disconnecting,
        whose=whose or Whose(),
        public_url="https://agent.example",
    )
    return Office(home=home, provider=provider, connecting=connecting)


@pytest.fixture
async def home(tmp_path: Path) -> AsyncGenerator[House]:
    async with house(tmp_path) as made:
        yield made


async def test_the_slack_profiles_own_address_is_connected(home: House) -> None:
    """Whatever its capitals are; the tokens are sealed, and nothing that a browser knew is kept as it was."""
    visit = await office(home, account()).visit()
    assert (visit.end, visit.allowed, visit.left_out) == (End.CONNECTED, "reading mail", "")
    (kept,) = home.base.rows("SELECT * FROM connections")
    assert (kept["account"], kept["email"]) == ("sub-1", "dana@fernhill.example")
    (attempt,) = home.base.rows("SELECT * FROM connects")
    assert (attempt["verifier"], attempt["held"]) == (None, None)
    assert home.codes() == ["connect.offered", "connect.began", "connection.connected"]


@pytest.mark.parametrize(
    ("granted", "whose", "end"),
    [
        (account("dana@home.example"), Whose(), End.CONFIRM),
        (account("dana@home.example"), Whose(strict=True), End.WRONG_ACCOUNT),
        (account("d@acme.example", domain="ACME.example"), Whose(domains=frozenset({"acme.example"})), End.CONNECTED),
        (account("d@acme.example"), Whose(domains=frozenset({"acme.example", ""})), End.CONFIRM),
        (
            account("d@acme.example", domain="acme.example.bad"),
            Whose(domains=frozenset({"acme.example"})),
            End.CONFIRM,
        ),
        (account(scopes=frozenset({"openid"})), Whose(), End.NOTHING),
        (ConsentFailed("code"), Whose(), End.FAILED),
        (ConsentFailed("unavailable"), Whose(), End.UNAVAILABLE),
    ],
)
async def test_what_is_kept_without_a_question(home: House, granted: Granted, whose: Whose, end: End) -> None:
    """The profile's address or an allowed organisation, by its signed name and not by the address; nothing else."""
    made = office(home, granted, whose)
    assert (await made.visit()).end is end
    assert bool(made.connected()) is (end is End.CONNECTED)


async def test_what_comes_back_late_is_not_taken(home: House) -> None:
    """After ten minutes an attempt is over, and that is noted."""
    visit = await office(home, account()).visit(later=CONNECT_LIFE)
    assert visit.end is End.STALE
    assert home.codes()[-1] == "connect.refused"


@pytest.mark.parametrize(("cookie", "error", "end"), [("", "", End.OTHER_BROWSER), (None, "access_denied", End.DENIED)])
async def test_what_comes_back_wrong_is_over(home: House, cookie: str | None, error: str, end: End) -> None:
    """Another browser, or a refusal: nothing is asked of the provider, and nothing is kept."""
    made = office(home, account())
    assert (await made.visit(cookie=cookie, error=error)).end is end
    assert made.connected() == []


async def test_a_confirmation_comes_too_late(home: House) -> None:
    """What was held is not kept after the attempt's time, and what is unknown is told the same."""
    made = office(home, account("dana@home.example"))
    visit = await made.visit()
    home.base.clock.at += CONNECT_LIFE
    late = await made.connecting.confirmed(visit.confirm, cookie="c", yes=True)
    unknown = await made.connecting.confirmed("guessed", cookie="c", yes=True)
    assert (late.end, unknown.end, made.connected()) == (End.STALE, End.STALE, [])


async def test_whoever_left_meanwhile_is_connected_with_nothing(home: House) -> None:
    """An attempt of somebody who is deactivated before it is over ends without an account."""
    made = office(home, account())
    url = await made.connecting.link(ME)
    leaving = await made.connecting.leave(url.partition("?t=")[2], "mail")
    assert leaving is not None
    async with home.base.store.write() as work:
        await work.users.seen(replace(ME, is_deleted=True))
    state = leaving.url.partition("state=")[2]
    visit = await made.connecting.came_back(state=state, code="code", error="", cookie=leaving.cookie)
    assert (visit.end, made.connected()) == (End.GONE, [])


async def test_disconnecting_ends_attempts_that_are_under_way(home: House) -> None:
    """Who disconnects while a browser is at the provider's is not connected again by what comes back."""
    made = office(home, account())
    url = await made.connecting.link(ME)
    leaving = await made.connecting.leave(url.partition("?t=")[2], "mail")
    assert leaving is not None
    assert await made.connecting.disconnecting.forget(TEAM, DANA) is None
    state = leaving.url.partition("state=")[2]
    visit = await made.connecting.came_back(state=state, code="code", error="", cookie=leaving.cookie)
    assert (visit.end, made.connected()) == (End.STALE, [])


async def test_a_grant_is_given_back_when_nobody_lives_by_it(home: House) -> None:
    """Disconnecting revokes, unless somebody else connected the same account; a provider that is away is noted."""
    made = office(home, account())
    await made.visit()
    book = made.connecting.connections
    await book.adopt(
        TEAM, MARA, account="sub-1", email="d", scopes=["mail"], tokens=Tokens(access_token="b", refresh_token="s")
    )
    ways_out = made.connecting.disconnecting
    gone = await ways_out.forget(TEAM, DANA)
    assert gone is not None
    await ways_out.revoke(gone)
    assert made.provider.revoked == []
    made.provider.answers = False
    for last in await ways_out.forget_workspace(TEAM):
        await ways_out.revoke(last)
    assert made.provider.revoked == ["s"]
    assert home.codes()[-1] == "connection.not_revoked"
    assert made.connected() == []


async def test_another_account_takes_the_place_of_the_first(home: House) -> None:
    """The first one's grant is given back; the same account again keeps its own."""
    made = office(home, account())
    await made.visit()
    await made.visit()
    assert made.provider.revoked == []
    made.provider.gives = account(account="sub-2")
    await made.visit()
    assert made.provider.revoked == ["r"]
    assert len(made.connected()) == 1
