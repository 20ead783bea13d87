"""Sessions of the HTTP API, and the way from Slack to one."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta

import pytest

from bot.domain.events import HomeChanged
from bot.domain.sessions import MOST_SESSIONS, SESSION_LIFE, SIGN_IN_LIFE
from bot.domain.threads import User
from bot.errors import BotError
from bot.runtime.core.ports import Caller, NoSuchPerson, NotAllowed, NotSignedIn, SignInUnavailable
from bot.runtime.operations.database_copy import DatabaseCopy
from bot.runtime.people.callers import Callers
from bot.runtime.people.people import People
from bot.runtime.people.profiles import ProfileService
from bot.runtime.people.sessions import SessionAuthenticator, SessionService
from bot.runtime.people.sign_in import MOST_INSIDE, Arrival, SignIn, SignInOutcome
from bot.runtime.runs.stop import person_changed
from integrations.identities import IdentityUnavailable, NoIdentity
from tests.builders import DANA, MARA, TEAM
from tests.unit.bot.runtime.runtime_harness import Harness

DANAS = Caller(team=TEAM, user=DANA)
PERSON = User(team=TEAM, user=DANA, name="Dana", email="dana@acme.com")


@pytest.fixture
def sessions(here: Harness) -> SessionService:
    return SessionService(transactions=here.transactions)


def door(sessions: SessionService, *teams: str) -> SessionAuthenticator:
    return SessionAuthenticator(cookie="countersign", teams=frozenset(teams or {TEAM}), sessions=sessions)


async def begun(sessions: SessionService, state: str = "state", caller: Caller = DANAS) -> str:
    token = await sessions.begin(caller, state=state, browser="Firefox on Linux")
    assert token is not None
    return token


# A session ------------------------------------------------------------------------------------------------------------


async def test_a_session_is_its_person(here: Harness, sessions: SessionService) -> None:
    """By its token, of which the database has a hash only; App Home and the log are told."""
    async with here.transactions.bus.subscribe() as heard:
        token = await begun(sessions)
        assert heard.get_nowait() == HomeChanged(TEAM, DANA)
    assert await door(sessions).caller({"countersign": token}) == DANAS
    assert await door(sessions).caller({}) is None
    assert token not in str(here.base.rows("SELECT * FROM sessions"))
    assert here.codes() == ["person.signed_in"]


async def test_what_is_no_token_is_nobody(sessions: SessionService) -> None:
    """Of another length, with other characters, or one that nobody was given."""
    token = await begun(sessions)
    for other in ("", "x" * 43, token[:-1], f"{token}x", "ä" * 43, "\ud800" * 43, "x" * 100_000):
        with pytest.raises(NotSignedIn):
            await door(sessions).caller({"countersign": other})


async def test_a_session_ends_after_twelve_hours(here: Harness, sessions: SessionService) -> None:
    """To the second, used or not."""
    token = await begun(sessions)
    here.base.clock.advance(SESSION_LIFE.total_seconds() - 1)
    assert await door(sessions).caller({"countersign": token}) == DANAS
    here.base.clock.advance(1)
    with pytest.raises(NotSignedIn):
        await door(sessions).caller({"countersign": token})


async def test_a_session_of_another_workspace_is_nobody(sessions: SessionService) -> None:
    """The agent is not installed there any more."""
    token = await begun(sessions)
    with pytest.raises(NotSignedIn):
        await door(sessions, "T9").caller({"countersign": token})


async def test_a_person_ends_their_own_only(here: Harness, sessions: SessionService) -> None:
    """From App Home by its id, or by its token; the second time there is none."""
    token, other = await begun(sessions), await begun(sessions, "other")
    ids = {row["id"] for row in here.base.rows("SELECT id FROM sessions")}
    for session_id in ids:
        assert not await sessions.end(TEAM, MARA, session_id)
        assert not await sessions.end("T9", DANA, session_id)
    await sessions.sign_out(token)
    with pytest.raises(NotSignedIn):
        await door(sessions).caller({"countersign": token})
    assert await door(sessions).caller({"countersign": other}) == DANAS
    assert sorted([await sessions.end(TEAM, DANA, session_id) for session_id in ids]) == [False, True]
    await sessions.sign_out(token)
    assert here.codes() == ["person.signed_in"] * 2 + ["person.signed_out"] * 2


async def test_one_person_has_twenty_at_most(here: Harness, sessions: SessionService) -> None:
    """One more ends the oldest; others' are their own."""
    oldest, maras = await begun(sessions, "oldest"), await begun(sessions, "m", Caller(team=TEAM, user=MARA))
    for n in range(MOST_SESSIONS):
        here.base.clock.advance(1)
        await begun(sessions, f"state {n}")
    with pytest.raises(NotSignedIn):
        await door(sessions).caller({"countersign": oldest})
    assert await door(sessions).caller({"countersign": maras}) is not None


async def test_a_state_begins_one_session(sessions: SessionService) -> None:
    """Also when the first one ended meanwhile."""
    await sessions.sign_out(await begun(sessions))
    assert await sessions.begin(DANAS, state="state", browser="") is None


async def test_whoever_is_no_member_any_more_has_none(here: Harness, sessions: SessionService) -> None:
    """Whatever Slack told of them before; a member's change ends nothing."""
    token = await begun(sessions)
    await person_changed(here.transactions, PERSON)
    assert await door(sessions).caller({"countersign": token}) == DANAS
    async with here.base.store.write() as work:
        await work.users.seen(replace(PERSON, is_deleted=True))
    await person_changed(here.transactions, replace(PERSON, is_deleted=True))
    with pytest.raises(NotSignedIn):
        await door(sessions).caller({"countersign": token})


async def test_a_restored_copy_has_none(here: Harness, sessions: SessionService) -> None:
    """One may have been ended after the copy was made."""
    token = await begun(sessions)
    copy = DatabaseCopy(store=here.base.store, beside=here.base.path.with_name("instance"))
    async with here.base.store.write() as work:
        await work.metadata.set("instance", "another")
    await copy.original_is_gone(here.transactions)
    with pytest.raises(NotSignedIn):
        await door(sessions).caller({"countersign": token})


async def test_a_database_that_cannot_be_read_is_nobody(here: Harness, sessions: SessionService) -> None:
    """Come again, which is another answer than to sign in."""
    token = await begun(sessions)
    await here.base.tamper("ALTER TABLE sessions RENAME TO gone")
    with pytest.raises(SignInUnavailable):
        await door(sessions).caller({"countersign": token})


# The way to one -------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Slack:
    """Sends everybody back, and says that they are Dana, or raises this."""

    says: Caller | Exception = DANAS
    nonces: dict[str, str] = field(default_factory=dict[str, str])
    asked: list[str] = field(default_factory=list[str])

    def url(self, *, state: str, nonce: str) -> str:
        self.nonces[state] = nonce
        return state

    async def caller(self, code: str, *, nonce: str) -> Caller:
        assert nonce in self.nonces.values()
        self.asked.append(code)
        if isinstance(self.says, Exception):
            raise self.says
        return self.says


LUIS = "U3LUIS"


@dataclass(slots=True)
class Directory:
    """Knows Dana, a member; cannot be asked about Luis."""

    async def profile(self, team: str, user: str) -> User:
        if user == LUIS:
            raise BotError
        if (team, user) != (TEAM, DANA):
            raise NoSuchPerson
        return PERSON


def way(here: Harness, slack: Slack) -> SignIn:
    profiles = ProfileService(store=here.base.store, profiles=Directory())
    people = People(transactions=here.transactions)
    return SignIn(
        provider=slack,
        callers=Callers(authenticators=[], profiles=profiles, people=people),
        sessions=SessionService(transactions=here.transactions),
        keyring=here.base.keyring,
        clock=here.base.clock,
    )


async def back(flow: SignIn, state: str, cookie: str, **query: str) -> Arrival:
    given: Mapping[str, str] = {"code": "code", "error": ""} | query
    return await flow.came_back(state=state, code=given["code"], error=given["error"], cookie=cookie, browser="Firefox")


async def test_who_comes_back_in_time_has_a_session(here: Harness) -> None:
    """And goes on to where they wanted."""
    flow = way(here, Slack())
    away = flow.leave("/app")
    here.base.clock.advance(SIGN_IN_LIFE.total_seconds() - 1)
    came = await back(flow, away.url, away.cookie)
    assert (came.outcome, came.person, came.next) == (SignInOutcome.SIGNED_IN, PERSON, "/app")
    assert await door(flow.sessions).caller({"countersign": came.token}) == DANAS


async def test_ten_minutes_are_over(here: Harness) -> None:
    """Slack is not even asked."""
    slack = Slack()
    flow = way(here, slack)
    away = flow.leave("")
    here.base.clock.advance(SIGN_IN_LIFE.total_seconds())
    assert (await back(flow, away.url, away.cookie)).outcome is SignInOutcome.STALE
    assert slack.asked == []


async def test_another_browser_costs_nothing(here: Harness) -> None:
    """Without the cookie, with another one, with one that we did not make: Slack is not asked."""
    slack = Slack()
    flow = way(here, slack)
    mine, other = flow.leave(""), flow.leave("")
    forged = here.base.keyring.seal('["s", "n", "", 9999999999]', bound_to="v1|something else")
    for cookie in ("", other.cookie, mine.cookie[:-2], forged, "v1:x:y:z", "\ud800", "x" * 5_000):
        came = await back(flow, mine.url, cookie)
        assert came.outcome is SignInOutcome.OTHER_BROWSER
        assert came.over is (cookie != other.cookie)
    assert (await back(flow, "\ud800", mine.cookie)).outcome is SignInOutcome.OTHER_BROWSER
    assert slack.asked == []
    assert (await back(flow, mine.url, mine.cookie)).outcome is SignInOutcome.SIGNED_IN


async def test_a_way_back_that_was_used_is_told_apart(here: Harness) -> None:
    """With its cookie or without, and beside another attempt, whose cookie stays: Slack is not asked again."""
    slack = Slack()
    flow = way(here, slack)
    mine, other = flow.leave(""), flow.leave("")
    assert (await back(flow, mine.url, mine.cookie)).outcome is SignInOutcome.SIGNED_IN
    here.base.clock.advance(SIGN_IN_LIFE.total_seconds())
    for cookie in (mine.cookie, "", other.cookie):
        came = await back(flow, mine.url, cookie)
        assert (came.outcome, came.token, came.person) == (SignInOutcome.USED, "", None)
        assert came.over is (cookie != other.cookie)
    assert len(slack.asked) == 1


@pytest.mark.parametrize(
    ("query", "outcome"),
    [
        ({"error": "access_denied"}, SignInOutcome.DENIED),
        ({"error": "invalid_scope"}, SignInOutcome.FAILED),
        ({"code": ""}, SignInOutcome.FAILED),
    ],
)
async def test_what_brings_no_code_is_no_session(here: Harness, query: dict[str, str], outcome: SignInOutcome) -> None:
    """A person's no is told apart from a fault."""
    flow = way(here, Slack())
    away = flow.leave("")
    assert (await back(flow, away.url, away.cookie, **query)).outcome is outcome


@pytest.mark.parametrize(
    ("says", "outcome"),
    [
        (NoIdentity("nonce"), SignInOutcome.FAILED),
        (IdentityUnavailable("Slack"), SignInOutcome.UNAVAILABLE),
        (TimeoutError(), SignInOutcome.UNAVAILABLE),
        (NotAllowed("no"), SignInOutcome.NOT_ALLOWED),
        (Caller(team=TEAM, user=MARA), SignInOutcome.NOT_ALLOWED),
        (Caller(team=TEAM, user=LUIS), SignInOutcome.UNAVAILABLE),
    ],
)
async def test_who_is_nobody_has_no_session(here: Harness, says: Caller | Exception, outcome: SignInOutcome) -> None:
    """Slack does not say who it is, cannot be asked, or names somebody who may not."""
    flow = way(here, Slack(says))
    away = flow.leave("")
    assert (await back(flow, away.url, away.cookie)).outcome is outcome
    assert here.base.rows("SELECT id FROM sessions") == []


@dataclass(slots=True)
class SlowSlack(Slack):
    """Says nothing until it is `mended`."""

    mended: asyncio.Event = field(default_factory=asyncio.Event)

    async def caller(self, code: str, *, nonce: str) -> Caller:
        self.asked.append(code)
        await self.mended.wait()
        return DANAS


async def test_a_slow_slack_does_not_fill_our_connections(here: Harness) -> None:
    """Anybody can come back with a code: one more than may wait is told so at once, and can come again."""
    slack = SlowSlack()
    flow = way(here, slack)
    coming = {
        asyncio.create_task(back(flow, away.url, away.cookie)): away
        for away in [flow.leave("") for _ in range(MOST_INSIDE + 1)]
    }
    (refused,), others = await asyncio.wait(coming, timeout=30, return_when=asyncio.FIRST_COMPLETED)
    assert (refused.result().outcome, refused.result().over) == (SignInOutcome.UNAVAILABLE, False)
    slack.mended.set()
    assert {one.outcome for one in await asyncio.gather(*others)} == {SignInOutcome.SIGNED_IN}
    mine = coming[refused]
    assert (await back(flow, mine.url, mine.cookie)).outcome is SignInOutcome.SIGNED_IN


def test_a_session_is_forgotten_some_time() -> None:
    """Later than its state could be shown again."""
    assert timedelta() < SIGN_IN_LIFE < SESSION_LIFE
