"""Connecting an account: links, whose account it is, what is forgotten, and questions that an account answers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import pytest

from bot.domain.connections import OAUTH_ATTEMPT_LIFE
from bot.domain.deliveries import LinkEnd, LinkOutcome
from bot.domain.threads import User
from bot.runtime.connections.accounts import ConnectionService
from bot.runtime.connections.consent_pages import AuthRedirect, CallbackOutcome, CallbackPage, ConsentPage
from bot.runtime.connections.oauth_flow import AccountMatchPolicy, OAuthFlow
from bot.runtime.connections.revocation import GRACE, MOST_ATTEMPTS, Revoking
from bot.runtime.questions.connect import ConnectQuestions
from integrations.grants import Access, Consent, ConsentFailed, Granted, Tokens
from tests.builders import DANA, MARA, TEAM
from tests.patience import PATIENCE_SECONDS
from tests.unit.bot.runtime.runtime_harness import Harness

ME = User(team=TEAM, user=DANA, name="Dana", email="Dana@Fernhill.example")
MAIL = frozenset({"mail"})


@dataclass(slots=True, kw_only=True)
class Provider:
    """A provider where Dana has an account."""

    gives: Granted | ConsentFailed
    revoked: list[str] = field(default_factory=list[str])
    answers: bool = True
    added: list[bool] = field(default_factory=list[bool])

    def offered(self, missing: frozenset[str]) -> Sequence[Access]:
        return [Access(id="mail", label="Mail", scopes=MAIL)]

    def described(self, granted: frozenset[str]) -> str:
        return "reading mail" if granted & MAIL else ""

    def lacking(self, granted: frozenset[str], wanted: frozenset[str]) -> frozenset[str]:
        return wanted - granted

    def staying(self, before: frozenset[str], chosen: frozenset[str]) -> frozenset[str]:
        return before - chosen

    async def consent(self, scopes: frozenset[str], *, state: str, email: str | None, adds: bool) -> Consent:
        del scopes, email
        self.added.append(adds)
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

    async def refresh(self, refresh_token: str) -> Tokens:
        raise NotImplementedError(refresh_token)


def account(email: str = "dana@fernhill.example", **values: object) -> Granted:
    token = Tokens(access_token="a", refresh_token="r", expires_at=None)
    made = Granted(account="sub-1", email=email, domain="", scopes=MAIL, token=token)
    return replace(made, **values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Connector:
    """The parts, and a way to go through all of it."""

    home: Harness
    provider: Provider
    connecting: OAuthFlow
    revoking: Revoking

    async def leave(self, *, cookie: str = "") -> AuthRedirect:
        """A fresh link, and away with it, in a browser that has this cookie already."""
        url = (await self.connecting.link(ME)).url
        leaving = await self.connecting.leave(url.partition("?t=")[2], "mail", cookie=cookie)
        assert isinstance(leaving, AuthRedirect)
        return leaving

    async def back(self, leaving: AuthRedirect, error: str = "") -> CallbackPage:
        """In the same browser, with a code."""
        state = leaving.url.partition("state=")[2]
        return await self.connecting.came_back(state=state, code="code", error=error, cookie=leaving.cookie)

    async def given_back(self, later: timedelta = timedelta(0)) -> list[str]:
        """What the provider was told to end, after this time."""
        self.home.base.clock.at += later
        await self.connecting.revoking.tick()
        return self.provider.revoked

    async def visit(
        self, *, cookie: str | None = None, error: str = "", later: timedelta = timedelta(0)
    ) -> CallbackPage:
        """From a fresh link to the page at the end."""
        leaving = await self.leave()
        self.home.base.clock.at += later
        return await self.back(leaving if cookie is None else replace(leaving, cookie=cookie), error)

    def windows(self) -> list[str]:
        """What the windows with links are told that came of these."""
        told = self.home.base.rows("SELECT subject FROM outbox WHERE kind = 'link' ORDER BY id")
        return [row["subject"].partition(":")[2] for row in told]

    def connected(self) -> list[str]:
        return [row["email"] for row in self.home.base.rows("SELECT email FROM connections")]


def connector(
    here: Harness,
    gives: Granted | ConsentFailed,
    whose: AccountMatchPolicy | None = None,
    *,
    provider: Provider | None = None,
) -> Connector:
    provider = provider or Provider(gives=gives)
    book = ConnectionService(
        store=here.base.store,
        keyring=here.base.keyring,
        clock=here.base.clock,
        refresher=NoRefresher(),
        token_url="http://127.0.0.1/token",
    )
    revoking = Revoking(transactions=here.transactions, connections=book, provider=provider)
    connecting = OAuthFlow(
        transactions=here.transactions,
        keyring=here.base.keyring,
        provider=provider,
        connections=book,
        questions=ConnectQuestions(transactions=here.transactions),
        revoking=revoking,
        match_policy=whose or AccountMatchPolicy(),
        public_url="https://agent.example",
    )
    return Connector(home=here, provider=provider, connecting=connecting, revoking=revoking)


async def test_the_slack_profiles_own_address_is_connected(here: Harness) -> None:
    """Whatever its capitals are; the tokens are sealed, and nothing that a browser knew is kept as it was."""
    visit = await connector(here, account()).visit()
    assert (visit.end, visit.allowed, visit.left_out) == (CallbackOutcome.CONNECTED, "reading mail", "")
    (kept,) = here.base.rows("SELECT * FROM connections")
    assert (kept["account"], kept["email"]) == ("sub-1", "dana@fernhill.example")
    (attempt,) = here.base.rows("SELECT * FROM connects")
    assert (attempt["verifier"], attempt["held"]) == (None, None)
    assert here.codes() == ["connect.offered", "connect.began", "connection.connected"]


@pytest.mark.parametrize(
    ("granted", "whose", "end"),
    [
        (account("dana@home.example"), AccountMatchPolicy(), CallbackOutcome.CONFIRM),
        (account("dana@home.example"), AccountMatchPolicy(strict=True), CallbackOutcome.WRONG_ACCOUNT),
        (
            account("d@acme.example", domain="ACME.example"),
            AccountMatchPolicy(domains=frozenset({"acme.example"})),
            CallbackOutcome.CONNECTED,
        ),
        (
            account("d@acme.example"),
            AccountMatchPolicy(domains=frozenset({"acme.example", ""})),
            CallbackOutcome.CONFIRM,
        ),
        (
            account("d@acme.example", domain="acme.example.bad"),
            AccountMatchPolicy(domains=frozenset({"acme.example"})),
            CallbackOutcome.CONFIRM,
        ),
        (account(scopes=frozenset({"openid"})), AccountMatchPolicy(), CallbackOutcome.NOTHING),
        (ConsentFailed("code"), AccountMatchPolicy(), CallbackOutcome.FAILED),
        (ConsentFailed("unavailable"), AccountMatchPolicy(), CallbackOutcome.UNAVAILABLE),
    ],
)
async def test_what_is_kept_without_a_question(
    here: Harness, granted: Granted, whose: AccountMatchPolicy, end: CallbackOutcome
) -> None:
    """The profile's address or an allowed organisation, by its signed name and not by the address; nothing else."""
    made = connector(here, granted, whose)
    assert (await made.visit()).end is end
    assert bool(made.connected()) is (end is CallbackOutcome.CONNECTED)
    over = "connected" if end is CallbackOutcome.CONNECTED else "refused"
    assert made.windows() == ([] if end is CallbackOutcome.CONFIRM else [over])


async def test_what_comes_back_late_is_not_taken(here: Harness) -> None:
    """After ten minutes an attempt is over, and that is noted."""
    visit = await connector(here, account()).visit(later=OAUTH_ATTEMPT_LIFE)
    assert visit.end is CallbackOutcome.EXPIRED
    assert here.codes()[-1] == "connect.refused"


@pytest.mark.parametrize(
    ("cookie", "error", "end"),
    [("", "", CallbackOutcome.OTHER_BROWSER), (None, "access_denied", CallbackOutcome.DENIED)],
)
async def test_what_comes_back_wrong_is_over(
    here: Harness, cookie: str | None, error: str, end: CallbackOutcome
) -> None:
    """Another browser, or a refusal: nothing is asked of the provider, and nothing is kept."""
    made = connector(here, account())
    assert (await made.visit(cookie=cookie, error=error)).end is end
    assert (made.connected(), made.windows()) == ([], ["refused"])


async def test_a_link_that_came_back_shows_nothing(here: Harness) -> None:
    """Whoever opens it again within its ten minutes neither reads whose it was nor leaves with it."""
    made = connector(here, account())
    token = (await made.connecting.link(ME)).url.partition("?t=")[2]
    leaving = await made.connecting.leave(token, "mail")
    assert isinstance(leaving, AuthRedirect)
    assert isinstance(await made.connecting.consent_page(token), ConsentPage)
    await made.back(leaving, "access_denied")
    assert await made.connecting.consent_page(token) is CallbackOutcome.USED
    assert await made.connecting.leave(token, "mail") is CallbackOutcome.USED
    assert (await made.back(leaving)).end is CallbackOutcome.USED


async def test_a_link_that_leads_nowhere_says_why(here: Harness) -> None:
    """Its time is over, it left a second time from another tab, or its owner disconnected since they got it."""
    made = connector(here, account())
    tokens = [(await made.connecting.link(ME)).url.partition("?t=")[2] for _ in range(2)]
    first, second = [await made.connecting.leave(tokens[0], "mail") for _ in range(2)]
    assert isinstance(first, AuthRedirect)
    assert isinstance(second, AuthRedirect)
    assert (await made.back(first)).end is CallbackOutcome.ELSEWHERE
    assert (await made.back(second)).end is CallbackOutcome.CONNECTED
    here.base.clock.at += OAUTH_ATTEMPT_LIFE
    assert await made.connecting.consent_page(tokens[1]) is CallbackOutcome.EXPIRED
    assert await made.connecting.leave(tokens[1], "mail") is CallbackOutcome.EXPIRED
    await made.revoking.disconnect(TEAM, DANA)
    assert [await made.connecting.consent_page(token) for token in tokens] == [CallbackOutcome.STALE] * 2
    assert await made.connecting.leave(tokens[0], "mail") is CallbackOutcome.STALE


async def test_two_links_in_one_browser_both_come_back(here: Harness) -> None:
    """Its cookie is the browser's, not the attempt's: the second one to leave does not send the first one astray."""
    made = connector(here, account())
    first = await made.leave()
    second = await made.leave(cookie=first.cookie)
    ends = [(await made.back(replace(leaving, cookie=second.cookie))).end for leaving in (first, second)]
    assert ends == [CallbackOutcome.CONNECTED, CallbackOutcome.CONNECTED]


async def test_a_cookie_that_is_none_of_ours_is_not_kept(here: Harness) -> None:
    """What a browser brings that nobody here made is replaced by a secret."""
    made = connector(here, account())
    assert len((await made.leave(cookie="guessed")).cookie) == 43


async def test_a_confirmation_comes_too_late(here: Harness) -> None:
    """What was held is not kept after the attempt's time, nor what is unknown, nor what was answered before."""
    made = connector(here, account("dana@home.example"))
    visit = await made.visit()
    here.base.clock.at += OAUTH_ATTEMPT_LIFE
    late = await made.connecting.confirmed(visit.confirm, cookie="c", yes=True)
    unknown = await made.connecting.confirmed("guessed", cookie="c", yes=True)
    assert (late.end, unknown.end, made.connected()) == (CallbackOutcome.EXPIRED, CallbackOutcome.STALE, [])
    second = await made.visit()
    answers = [await made.connecting.confirmed(second.confirm, cookie="c", yes=False) for _ in range(2)]
    assert answers[1].end is CallbackOutcome.USED


async def test_whoever_left_meanwhile_is_connected_with_nothing(here: Harness) -> None:
    """An attempt of somebody who is deactivated before it is over ends without an account."""
    made = connector(here, account())
    leaving = await made.leave()
    await here.seen(replace(ME, is_deleted=True))
    visit = await made.back(leaving)
    assert (visit.end, made.connected()) == (CallbackOutcome.GONE, [])


async def test_disconnecting_ends_attempts_that_are_under_way(here: Harness) -> None:
    """Who disconnects while a browser is at the provider's is not connected again by what comes back."""
    made = connector(here, account())
    leaving = await made.leave()
    assert await made.revoking.disconnect(TEAM, DANA) is None
    visit = await made.back(leaving)
    assert (visit.end, made.connected()) == (CallbackOutcome.ELSEWHERE, [])


async def test_disconnecting_is_told_in_the_windows_with_links(here: Harness) -> None:
    """Of attempts that are under way, and of those that connected it; nobody is there when the agent was removed."""
    made = connector(here, account())
    await made.leave()
    await made.visit()
    attempts = {row["id"] for row in here.base.rows("SELECT id FROM connects")}
    await made.revoking.disconnect_workspace("T0OTHER")
    await made.revoking.disconnect(TEAM, DANA)
    told = [row["subject"] for row in here.base.rows("SELECT subject FROM outbox WHERE kind = 'link' ORDER BY id")]
    assert {str(LinkEnd(one, LinkOutcome.DISCONNECTED)) for one in attempts} == set(told[1:])
    assert told[0].endswith(":connected")
    await made.leave()
    await made.revoking.disconnect_workspace(TEAM)
    assert len(here.base.rows("SELECT id FROM outbox WHERE kind = 'link'")) == len(told)


async def test_a_grant_is_given_back_when_nobody_lives_by_it(here: Harness) -> None:
    """Disconnecting revokes, unless somebody else connected the same account."""
    made = connector(here, account())
    await made.visit()
    await made.connecting.connections.adopt(
        TEAM, MARA, account="sub-1", email="d", scopes=["mail"], tokens=Tokens(access_token="b", refresh_token="s")
    )
    assert await made.revoking.disconnect(TEAM, DANA) is not None
    assert await made.given_back() == []
    assert here.codes()[-1] == "connection.not_revoked"
    await made.revoking.disconnect_workspace(TEAM)
    assert await made.given_back() == ["s"]
    assert here.codes()[-1] == "connection.revoked"
    assert made.connected() == owed(here) == []


async def test_a_provider_that_is_away_is_told_later(here: Harness) -> None:
    """What could not be given back is tried again, with longer and longer pauses, about a day long; then its key is
    forgotten all the same.
    """
    made = connector(here, account())
    await made.visit()
    await made.revoking.disconnect(TEAM, DANA)
    made.provider.answers = False
    (kept,) = owed(here)
    assert kept["secret"].strip('"') != "r"
    begun = here.base.clock.at
    for attempt in range(1, MOST_ATTEMPTS + 1):
        assert len(await made.given_back()) == attempt
        assert len(await made.given_back()) == attempt, "not before its time"
        here.base.clock.at += timedelta(hours=6)
    assert owed(here) == []
    assert here.codes()[-1] == "connection.not_revoked"
    assert here.base.clock.at - begun > timedelta(days=1)


async def test_a_crash_in_the_middle_of_giving_back_is_made_up_for(here: Harness) -> None:
    """An attempt that was counted and never told its end is made again; one process at a time makes it."""
    made = connector(here, account())
    await made.visit()
    await made.revoking.disconnect(TEAM, DANA)
    async with here.base.store.read() as work:
        (due,) = await work.revocations.due(now=here.base.clock.at, horizon=here.base.clock.at, limit=9)
    async with here.base.store.write() as work:
        assert await work.revocations.claim(due, not_before=here.base.clock.at + timedelta(seconds=5))
        assert not await work.revocations.claim(due, not_before=here.base.clock.at)
    assert await made.given_back() == []
    assert await made.given_back(timedelta(seconds=5)) == ["r"]
    assert owed(here) == []


async def test_connecting_again_keeps_what_was_to_be_given_back(here: Harness) -> None:
    """A provider ends all of an account at once, so an account that is connected again is left alone."""
    made = connector(here, account())
    await made.visit()
    await made.revoking.disconnect(TEAM, DANA)
    await made.visit()
    assert await made.given_back(timedelta(days=1)) == []
    assert owed(here) == []


async def test_another_account_takes_the_place_of_the_first(here: Harness) -> None:
    """The first one's grant is given back; the same account again keeps its own."""
    made = connector(here, account())
    await made.visit()
    await made.visit()
    assert await made.given_back() == []
    made.provider.gives = account(account="sub-2")
    await made.visit()
    assert await made.given_back() == ["r"]
    assert len(made.connected()) == 1


# What is granted and not kept -----------------------------------------------------------------------------------------


async def test_what_is_declined_is_given_back(here: Harness) -> None:
    """A person who says no to a link of somebody else leaves nothing behind, here or there."""
    made = connector(here, account("dana@home.example"))
    leaving = await made.leave()
    visit = await made.back(leaving)
    end = await made.connecting.confirmed(visit.confirm, cookie=leaving.cookie, yes=False)
    assert end.end is CallbackOutcome.DECLINED
    assert (await made.given_back(), held(here), owed(here)) == (["r"], [None], [])


async def test_a_confirmation_in_another_browser_ends_the_grant(here: Harness) -> None:
    """The page's secret without its cookie connects nothing, and what was granted is given back."""
    made = connector(here, account("dana@home.example"))
    visit = await made.visit()
    assert (await made.connecting.confirmed(visit.confirm, cookie="x", yes=True)).end is CallbackOutcome.OTHER_BROWSER
    assert (await made.given_back(), held(here)) == (["r"], [None])


async def test_what_nobody_confirms_is_given_back(here: Harness) -> None:
    """Who closes the page that asks has the grant ended, a minute after its time: until then they may still say yes."""
    made = connector(here, account("dana@home.example"))
    await made.visit()
    assert await made.given_back(OAUTH_ATTEMPT_LIFE) == []
    assert await made.given_back(GRACE + timedelta(seconds=1)) == ["r"]
    assert (held(here), owed(here), made.connected()) == ([None], [], [])
    assert here.codes()[-2:] == ["connect.refused", "connection.revoked"]


async def test_disconnecting_gives_back_what_waits_for_a_confirmation(here: Harness) -> None:
    """The attempt is gone, and with it what it held."""
    made = connector(here, account("dana@home.example"))
    visit = await made.visit()
    assert await made.revoking.disconnect(TEAM, DANA) is None
    assert (await made.given_back(), held(here)) == (["r"], [])
    assert (await made.connecting.confirmed(visit.confirm, cookie="c", yes=True)).end is CallbackOutcome.STALE


@pytest.mark.parametrize(
    ("granted", "whose"),
    [
        (account("dana@home.example"), AccountMatchPolicy(strict=True)),
        (account(scopes=frozenset({"openid"})), AccountMatchPolicy()),
        (ConsentFailed("identity", unkept=account()), AccountMatchPolicy()),
    ],
    ids=["another address where that is refused", "nothing that could be used", "not said credibly to whom"],
)
async def test_what_cannot_be_kept_is_given_back(
    here: Harness, granted: Granted | ConsentFailed, whose: AccountMatchPolicy
) -> None:
    """Whatever was granted and is not kept is given back to the provider."""
    made = connector(here, granted, whose)
    await made.visit()
    assert (await made.given_back(), made.connected()) == (["r"], [])


async def test_whoever_guesses_writes_nothing(here: Harness) -> None:
    """Anybody may ask for our pages: what is no link, state or confirmation of ours takes no turn of a writer."""
    made = connector(here, account())
    async with here.base.store.write():  # a second writer would wait for this one for ever
        async with asyncio.timeout(PATIENCE_SECONDS):
            assert await made.connecting.consent_page("guessed") is CallbackOutcome.STALE
            came = await made.connecting.came_back(state="guessed", code="c", error="", cookie="c")
            confirmed = await made.connecting.confirmed("guessed", cookie="c", yes=True)
    assert (came.end, confirmed.end) == (CallbackOutcome.ELSEWHERE, CallbackOutcome.STALE)


async def test_what_is_declined_of_a_connected_account_is_left_alone(here: Harness) -> None:
    """Mara says no to Dana's link, with the account that Mara connected before: that connection goes on."""
    made = connector(here, account("mara@fernhill.example"))
    tokens = Tokens(access_token="b", refresh_token="s")
    await made.connecting.connections.adopt(TEAM, MARA, account="sub-1", email="m", scopes=["mail"], tokens=tokens)
    leaving = await made.leave()
    visit = await made.back(leaving)
    await made.connecting.confirmed(visit.confirm, cookie=leaving.cookie, yes=False)
    assert (await made.given_back(), owed(here)) == ([], [])


@dataclass(slots=True, kw_only=True)
class Meanwhile(Provider):
    """Something happens while the code is exchanged."""

    happens: Callable[[], Awaitable[object]] | None = None

    async def granted(self, code: str, *, verifier: str) -> Granted:
        if self.happens:
            await self.happens()
        return await Provider.granted(self, code, verifier=verifier)


@pytest.mark.parametrize("email", ["dana@fernhill.example", "dana@home.example"])
async def test_disconnecting_while_the_code_is_exchanged_keeps_nothing(here: Harness, email: str) -> None:
    """The attempt finds itself gone, whether it would keep the account or ask about it, and gives back what it got."""
    made = connector(here, account(email), provider=Meanwhile(gives=account(email)))
    assert isinstance(made.provider, Meanwhile)
    made.provider.happens = lambda: made.revoking.disconnect_workspace(TEAM)
    assert (await made.visit()).end is CallbackOutcome.STALE
    assert (await made.given_back(), made.connected(), made.windows()) == (["r"], [], ["refused"])


# What is chosen -------------------------------------------------------------------------------------------------------


async def test_only_what_was_chosen_is_used(here: Harness) -> None:
    """What the provider grants besides, because it was granted once before, is not."""
    made = connector(here, account(scopes=MAIL | {"everything"}))
    assert (await made.visit()).end is CallbackOutcome.CONNECTED
    assert scopes(here) == ["mail"]
    assert made.provider.added == [False]


async def test_a_choice_leaves_alone_what_it_is_not_about(here: Harness) -> None:
    """An earlier choice about something else stays, is asked for together with it, and only for the same account."""
    made = connector(here, account(scopes=MAIL | {"calendar", "more"}))
    tokens = Tokens(access_token="b", refresh_token="s")
    await made.connecting.connections.adopt(TEAM, DANA, account="sub-1", email="d", scopes=["calendar"], tokens=tokens)
    await made.visit()
    assert (scopes(here), made.provider.added) == (["calendar", "mail"], [True])
    made.provider.gives = account(account="sub-2", scopes=MAIL | {"calendar"})
    await made.visit()
    assert scopes(here) == ["mail"]


def owed(here: Harness) -> list[dict[str, Any]]:
    """What is still to be given back."""
    return here.base.rows("SELECT * FROM revocations")


def held(here: Harness) -> list[str | None]:
    """What the attempts hold."""
    return [row["held"] for row in here.base.rows("SELECT held FROM connects")]


def scopes(here: Harness) -> list[str]:
    """What may be used of the connected account."""
    (row,) = here.base.rows("SELECT scopes FROM connections")
    return json.loads(row["scopes"])
