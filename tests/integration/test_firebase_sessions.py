"""Firebase's session cookies, checked against the emulated keys and accounts."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import cast

import pytest
import pytest_asyncio
from google.auth import jwt

from integrations.google.auth import firebase_accounts, json_answers
from integrations.google.auth.firebase import LONGEST, SKEW_SECONDS, FirebaseSessions
from integrations.google.auth.firebase_accounts import KEPT_SECONDS, REFUSED_SECONDS
from integrations.google.auth.firebase_keys import ANOTHER_KEY_SECONDS, LONGEST_SECONDS, PAUSE_SECONDS
from integrations.identities import IdentityUnavailable, NoIdentity
from playground.google.firebase import COOKIE_SECONDS
from playground.google.oauth.keys import SigningKey
from tests.builders import HandClock
from tests.integration.firebase_world import (
    ACCOUNTS,
    KEYS,
    Product,
    forged,
    parts,
    product,
    signed_with_secret,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def company() -> AsyncGenerator[Product]:
    async with product() as made:
        yield made


@pytest.fixture
def here(company: Product) -> Product:
    """The module's emulator as on the first day."""
    company.emulator.reset()
    company.mend()
    company.emulator.admin.log.clear()
    company.emulator.admin.clock.ahead = 0.0
    return company


@pytest.fixture
def sessions(here: Product) -> FirebaseSessions:
    return here.sessions()


async def refused(sessions: FirebaseSessions, cookie: str) -> str:
    """Why this cookie proves nothing."""
    with pytest.raises(NoIdentity) as refusal:
        await sessions.identity(cookie)
    return refusal.value.why


async def unavailable(sessions: FirebaseSessions, cookie: str) -> str:
    """What could not be had to check it."""
    with pytest.raises(IdentityUnavailable) as failure:
        await sessions.identity(cookie)
    return failure.value.what


# What is good ---------------------------------------------------------------------------------------------------------


async def test_a_session_is_its_account(here: Product, sessions: FirebaseSessions) -> None:
    """The account, its confirmed address, and the claims that the project gave it."""
    cookie = await here.cookie(claims={"slack_user_id": "U0DANA"})
    who = await sessions.identity(cookie)
    assert (who.account, who.email) == ("firebase-dana", "dana@fernhill.example")
    assert who.claims["slack_user_id"] == "U0DANA"


async def test_an_address_that_nobody_confirmed_is_none(here: Product, sessions: FirebaseSessions) -> None:
    """Anybody can make an account with somebody's address."""
    assert (await sessions.identity(await here.cookie(verified=False))).email is None
    assert (await sessions.identity(await here.cookie(session={"email_verified": None}))).email is None


# What is not ----------------------------------------------------------------------------------------------------------


async def test_a_signature_is_needed(here: Product, sessions: FirebaseSessions) -> None:
    """None, one by another algorithm, one by the certificate as a secret, one by another key, one of other claims."""
    cookie = await here.cookie()
    header, claims, signature = parts(cookie)
    none = {**header, "alg": "none"}
    assert await refused(sessions, forged(none, claims)) == "no session cookie"
    assert await refused(sessions, forged(none, claims, signature)) == "signature"
    secret = signed_with_secret({**header, "alg": "HS256"}, claims, await here.certificate())
    assert await refused(sessions, secret) == "signature"
    assert await refused(sessions, forged({**header, "alg": "ES256"}, claims, signature)) == "signature"
    other = SigningKey().signed(claims).rpartition(".")[2]
    assert await refused(sessions, forged(header, claims, other)) == "signature, times or project"
    mara = {**claims, "sub": "firebase-mara"}
    assert await refused(sessions, forged(header, mara, signature)) == "signature, times or project"
    assert await refused(sessions, forged({"alg": "RS256"}, claims, signature)) == "signature"
    assert here.asked(ACCOUNTS) == 0


@pytest.mark.parametrize(
    ("session", "why"),
    [
        ({"iss": "https://securetoken.google.com/playground-project"}, "issuer"),  # an ID token
        ({"iss": "https://session.firebase.google.com/another"}, "issuer"),
        ({"iss": None}, "claims"),
        ({"aud": "another-project"}, "signature, times or project"),
        ({"aud": None}, "signature, times or project"),
        ({"sub": ""}, "claims"),
        ({"sub": "x" * 129}, "claims"),
        ({"sub": None}, "claims"),
        ({"sub": 7}, "claims"),
        ({"auth_time": None}, "claims"),
        ({"auth_time": "now"}, "claims"),
        ({"exp": None}, "signature, times or project"),
        ({"iat": None}, "signature, times or project"),
        ({"exp": "later"}, "signature, times or project"),
        ({"email_verified": "true"}, "claims"),
    ],
)
async def test_every_claim_is_needed(here: Product, sessions: FirebaseSessions, session: object, why: str) -> None:
    """Signed by Google all the same: an ID token, another project's cookie, and what says nothing of somebody."""
    assert await refused(sessions, await here.cookie(session=session)) == why
    assert here.asked(ACCOUNTS) == 0


async def test_clocks_may_differ_by_a_minute(here: Product, sessions: FirebaseSessions) -> None:
    """Both ways, of each of the three times; more than that is no session, or none any more."""
    now, near, far = here.now(), SKEW_SECONDS - 10, SKEW_SECONDS + 10
    for good in ({"exp": now - near}, {"iat": now + near}, {"auth_time": now + near}):
        await sessions.identity(await here.cookie(session=good))
    for bad in ({"exp": now - far}, {"iat": now + far}):
        assert await refused(sessions, await here.cookie(session=bad)) == "signature, times or project"
    later = {"auth_time": now + far}
    assert await refused(sessions, await here.cookie(session=later)) == "signed in later than now"


async def test_a_signature_is_checked_once_a_minute(here: Product, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not again for each request of a page, but for every other cookie, and for one that is over since."""
    checked: list[str] = []

    def decode(cookie: str, **more: object) -> Mapping[str, object]:
        checked.append(cookie)
        return verify(cookie, **more)

    verify = cast("Callable[..., Mapping[str, object]]", jwt.decode)
    monkeypatch.setattr(jwt, "decode", decode)
    now = here.now()
    clock = HandClock(datetime.fromtimestamp(now, UTC))
    sessions = replace(here.sessions(), clock=clock)
    one, other = await here.cookie(), await here.cookie(session={"exp": now + 30})
    for _ in range(20):
        await sessions.identity(one)
        await sessions.identity(other)
    assert checked == [one, other]
    clock.advance(30)
    await sessions.identity(one)
    await sessions.identity(other)
    assert checked == [one, other, other]
    clock.advance(30)
    await sessions.identity(one)
    assert checked == [one, other, other, one]


async def test_what_was_signed_with_a_key_that_is_gone_counts_no_more(here: Product) -> None:
    """Though its signature was found to be right a moment ago."""
    sessions, cookie = here.sessions(), await here.cookie()
    await sessions.identity(cookie)
    here.watch.seconds += LONGEST_SECONDS
    another = SigningKey().certificate(datetime.fromtimestamp(here.now(), UTC))
    here.fault("status", KEYS, status=200, body={parts(cookie)[0]["kid"]: another})
    assert await refused(sessions, cookie) == "signature, times or project"


async def test_what_is_no_cookie_costs_nothing(here: Product, sessions: FirebaseSessions) -> None:
    """Of 100 kB, longer than browsers keep though signed, with other characters, with other JSON in it: refused before
    anything is fetched.
    """
    deep = base64.urlsafe_b64encode(b"[" * 2_900).decode().rstrip("=")
    assert len(deep) < LONGEST
    cookie = await here.cookie()
    nothing = ["", ".", "a.b", "a.b.c.d", "ä.b.c", "a.b.\ud800", "x" * 100_000, f"{cookie}\n", f"{deep}.YQ.YQ"]
    nothing += [
        await here.cookie(session={"more": "x" * LONGEST}),
        "W10.W10.YQ",
        "MQ.MQ.YQ",
        "a.b.c",
        f"{'a' * 100_000}.b.c",
    ]
    for shown in nothing:
        assert await refused(sessions, shown) == "no session cookie"
    assert here.asked(KEYS) == here.asked(ACCOUNTS) == 0


async def test_a_key_has_to_be_named_by_its_id(here: Product, sessions: FirebaseSessions) -> None:
    """Not by something that is no text."""
    header, claims, signature = parts(await here.cookie())
    nothing: tuple[object, ...] = ("", list[str](), dict[str, str](), None, 1)
    for key in nothing:
        assert await refused(sessions, forged({**header, "kid": key}, claims, signature)) == "signature"


# The keys -------------------------------------------------------------------------------------------------------------


async def test_keys_are_fetched_once_for_all(here: Product, sessions: FirebaseSessions) -> None:
    """Fifty at once fetch them once; they are kept as long as Google says, and then fetched again."""
    cookie = await here.cookie()
    here.fault("delay", KEYS, seconds=0.05)
    await asyncio.gather(*(sessions.identity(cookie) for _ in range(50)))
    assert here.asked(KEYS) == 1
    here.watch.seconds += 21_599
    await sessions.identity(await here.cookie())
    assert here.asked(KEYS) == 1
    here.watch.seconds += 2
    await sessions.identity(await here.cookie())
    assert here.asked(KEYS) == 2


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ({"cache-control": "max-age=99999999"}, LONGEST_SECONDS),
        ({"cache-control": "public, max-age=300", "age": "100"}, 200),
        ({"cache-control": "no-store"}, 60),
        ({"cache-control": "max-age=1"}, 60),
    ],
)
async def test_keys_are_kept_within_bounds(here: Product, header: dict[str, str], seconds: float) -> None:
    """Never longer than a day, never shorter than a minute, and less by what a cache had them before."""
    cookie, sessions = await here.cookie(), here.sessions()
    key = parts(cookie)[0]["kid"]
    body = {key: await here.certificate()}
    here.emulator.admin.log.clear()
    here.fault("status", KEYS, status=200, body=body, headers=header)
    await sessions.keys.certificate(key)
    here.watch.seconds += seconds - 1
    await sessions.keys.certificate(key)
    assert here.asked(KEYS) == 1
    here.watch.seconds += 2
    await sessions.keys.certificate(key)
    assert here.asked(KEYS) == 2


async def test_a_new_key_is_found_and_forged_ones_cost_one_fetch(here: Product, sessions: FirebaseSessions) -> None:
    """A key that Google began to sign with is fetched; a thousand that it never had fetch nothing for a minute."""
    await sessions.identity(await here.cookie())
    header, claims, signature = parts(await here.cookie())
    here.watch.seconds += ANOTHER_KEY_SECONDS
    for n in range(100):
        assert await refused(sessions, forged({**header, "kid": f"k{n}"}, claims, signature)) == "unknown key"
    assert here.asked(KEYS) == 2
    await sessions.identity(await here.cookie())
    cookie = await here.cookie(rotate=True)
    assert await refused(sessions, cookie) == "unknown key"
    here.watch.seconds += ANOTHER_KEY_SECONDS
    await sessions.identity(cookie)
    assert here.asked(KEYS) == 3


async def test_without_keys_nobody_is_anybody(here: Product, sessions: FirebaseSessions) -> None:
    """Old ones count no longer than Google said; Google is asked again after a pause, not by each request."""
    cookie = await here.cookie()
    await sessions.identity(cookie)
    here.watch.seconds += 21_601
    here.fault("status", KEYS, status=503)
    for _ in range(10):
        assert await unavailable(sessions, cookie) == "certificates"
    assert here.asked(KEYS) == 2
    here.mend()
    here.watch.seconds += PAUSE_SECONDS
    await sessions.identity(cookie)


@pytest.mark.parametrize("body", [[], {}, {"k": 1}, "no", {"error": {"code": 500}}])
async def test_what_is_no_certificates_is_none(here: Product, sessions: FirebaseSessions, body: object) -> None:
    """A page that somebody answered in Google's place."""
    cookie = await here.cookie()
    here.fault("status", KEYS, status=200, body=body)
    assert await unavailable(sessions, cookie) == "certificates"


# The account ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("do", "why"), [("disable", "disabled"), ("delete", "deleted")])
async def test_an_account_that_was_ended_is_none(here: Product, sessions: FirebaseSessions, do: str, why: str) -> None:
    """Its cookie is good for days, and counts no more."""
    cookie = await here.cookie()
    await here.cookie(do=do)
    assert await refused(sessions, cookie) == why


async def test_what_was_signed_in_before_is_revoked(here: Product, sessions: FirebaseSessions) -> None:
    """By when the person signed in, not by when the cookie was made; who signs in again is in again."""
    now = here.now()
    old = await here.cookie(session={"auth_time": now - 100, "iat": now})
    at_once = await here.cookie(session={"auth_time": now})
    here.emulator.world.firebase.accounts["dana"].valid_since = now
    assert await refused(sessions, old) == "revoked"
    await sessions.identity(at_once)
    assert await refused(sessions, old) == "revoked"


async def test_a_good_answer_counts_for_a_minute(here: Product, sessions: FirebaseSessions) -> None:
    """One look for all requests of it; who was disabled meanwhile is out after it."""
    cookie = await here.cookie()
    for _ in range(20):
        await sessions.identity(cookie)
    assert here.asked(ACCOUNTS) == 1
    await here.cookie(do="disable")
    here.watch.seconds += KEPT_SECONDS - 1
    await sessions.identity(cookie)
    here.watch.seconds += 1
    assert await refused(sessions, cookie) == "disabled"


async def test_no_becomes_yes_only_by_another_look(here: Product, sessions: FirebaseSessions) -> None:
    """A cookie that is refused again and again costs a look each few seconds."""
    cookie = await here.cookie()
    await here.cookie(do="disable")
    for _ in range(20):
        assert await refused(sessions, cookie) == "disabled"
    assert here.asked(ACCOUNTS) == 1
    await here.cookie(do="enable")
    assert await refused(sessions, cookie) == "disabled"
    here.watch.seconds += REFUSED_SECONDS
    await sessions.identity(cookie)
    assert here.asked(ACCOUNTS) == 2


async def test_an_account_is_looked_at_once_at_a_time(here: Product, sessions: FirebaseSessions) -> None:
    """Fifty requests of one person are one look, and what goes wrong with it is told to all of them."""
    cookie = await here.cookie()
    here.fault("delay", ACCOUNTS, seconds=2.5)
    await asyncio.gather(*(sessions.identity(cookie) for _ in range(50)))
    assert (here.asked(ACCOUNTS), here.asked("/token")) == (1, 1)
    here.watch.seconds += KEPT_SECONDS
    here.mend()
    here.fault("status", ACCOUNTS, status=503, seconds=2.5)
    await asyncio.gather(*(unavailable(sessions, cookie) for _ in range(50)))
    assert here.asked(ACCOUNTS) == 2


async def test_without_a_look_nobody_is_anybody_after_a_minute(here: Product, sessions: FirebaseSessions) -> None:
    """What was good stays so for its minute, and no longer."""
    cookie = await here.cookie()
    await sessions.identity(cookie)
    here.fault("status", ACCOUNTS, status=503)
    here.watch.seconds += KEPT_SECONDS - 1
    await sessions.identity(cookie)
    here.watch.seconds += 1
    assert await unavailable(sessions, cookie) == "account"
    here.mend()
    await sessions.identity(cookie)


async def test_who_may_not_look_is_told_apart(here: Product, sessions: FirebaseSessions) -> None:
    """So that the doctor can say what to do."""
    cookie = await here.cookie()
    here.fault("status", ACCOUNTS, status=403, body={"error": {"status": "PERMISSION_DENIED"}})
    assert await unavailable(sessions, cookie) == "permission"


async def test_a_token_that_is_not_accepted_any_more_is_renewed(here: Product, sessions: FirebaseSessions) -> None:
    """Once; and one that ends soon is renewed before."""
    cookie = await here.cookie()
    await sessions.identity(cookie)
    here.watch.seconds += KEPT_SECONDS
    here.emulator.admin.faults.add({"kind": "status", "match": {"path": ACCOUNTS}, "status": 401, "body": {}})
    await sessions.identity(cookie)
    assert here.asked("/token") == 2
    here.watch.seconds += KEPT_SECONDS
    here.emulator.admin.clock.advance(3_599 - 299)
    await sessions.identity(await here.cookie(session={"exp": here.now() + COOKIE_SECONDS, "iat": here.now() - 4_000}))
    assert here.asked("/token") == 3


@pytest.mark.parametrize(
    "body",
    [
        {"users": [{"localId": "firebase-mara"}]},
        {"users": 1},
        {"users": [{"localId": "firebase-dana", "validSince": "x"}]},
    ],
)
async def test_what_is_no_account_is_none(here: Product, sessions: FirebaseSessions, body: object) -> None:
    """Somebody else's, and what cannot be read."""
    cookie = await here.cookie()
    here.fault("status", ACCOUNTS, status=200, body=body)
    assert await unavailable(sessions, cookie) == "account"


async def test_no_token_is_no_look(here: Product) -> None:
    """A service account that Google does not know: nobody is signed in."""
    cookie = await here.cookie()
    here.fault("status", "/token", status=400, body={"error": "invalid_grant", "error_description": "Invalid JWT"})
    assert await unavailable(here.sessions(), cookie) == "permission"


async def test_what_is_kept_is_bounded(here: Product, monkeypatch: pytest.MonkeyPatch) -> None:
    """The account that was looked at longest ago is forgotten first."""
    monkeypatch.setattr(firebase_accounts, "MOST_KEPT", 2)
    sessions = here.sessions()
    for person in ("dana", "mara", "jonas"):
        await sessions.identity(await here.cookie(person))
    assert here.asked(ACCOUNTS) == 3
    await sessions.identity(await here.cookie("jonas"))
    assert here.asked(ACCOUNTS) == 3
    await sessions.identity(await here.cookie("dana"))
    assert here.asked(ACCOUNTS) == 4


async def test_another_project_is_asked_about_its_own_accounts(here: Product) -> None:
    """The emulator has one project; of another one it knows nothing."""
    sessions = here.sessions(project="another-project")
    issuer = "https://session.firebase.google.com/another-project"
    cookie = await here.cookie(session={"iss": issuer, "aud": "another-project"})
    assert await unavailable(sessions, cookie) == "account"
    assert await refused(replace(sessions, project="playground-project"), cookie) == "signature, times or project"


# The wire -------------------------------------------------------------------------------------------------------------


async def test_an_answer_is_bounded_in_time_and_bytes(here: Product) -> None:
    """One that never comes, one that comes bit by bit, one that is too long, a redirect."""
    here.fault("hold", KEYS, seconds=60)
    with pytest.raises(json_answers.NoAnswer):
        await json_answers.ask(f"{here.url}{KEYS}", seconds=0.1)
    here.mend()
    here.fault("status", KEYS, status=200, body={"k": "x" * json_answers.MOST_BYTES})
    with pytest.raises(json_answers.NoAnswer, match="too long"):
        await json_answers.ask(f"{here.url}{KEYS}")
    here.mend()
    here.fault("status", KEYS, status=302, body={}, headers={"location": f"{here.url}/oauth2/v1/certs"})
    assert (await json_answers.ask(f"{here.url}{KEYS}")).status == 302
    assert here.asked("/oauth2/v1/certs") == 0


async def test_depth_is_no_crash(here: Product) -> None:
    """JSON that is too deep to be read is no answer."""
    here.fault("status", KEYS, status=200, body="[" * 100_000)
    with pytest.raises(json_answers.NoAnswer):
        await json_answers.ask(f"{here.url}{KEYS}")
