"""Who may ask what: origins, addresses, places to wait."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

import pytest
from starlette.requests import Request

from bot.api.agent.access import MOST_ADDRESSES, PER_PERSON, AddressRate, HttpAccess, Slots
from bot.api.refusals import HttpRefusal
from bot.domain.threads import User
from bot.runtime.core.ports import NotAllowed, NotSignedIn, SignInUnavailable

OURS = "https://countersign.example"
LISTED = "https://shop.example"
DANA, MARA = (User(team="T1", user=name) for name in ("U1", "U2"))


class OneCaller:
    """Knows whoever has the cookie; `Callers` is the other one."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.cookies: Mapping[str, str] = {}

    async def person(self, cookies: Mapping[str, str]) -> User:
        self.cookies = cookies
        if self.error is not None:
            raise self.error
        return DANA


def access(caller: OneCaller | None = None, *, per_minute: int = 0) -> HttpAccess:
    return HttpAccess(
        callers=caller or OneCaller(),
        own=OURS,
        origins=frozenset({OURS, LISTED}),
        cookies={"session": "__Host-countersign", "firebase": "__session"},
        rate=AddressRate(per_minute=per_minute),
    )


def request(method: str = "POST", **headers: str) -> Request:
    raw = [(name.replace("_", "-").encode(), value.encode("latin-1")) for name, value in headers.items()]
    return Request({"type": "http", "method": method, "path": "/", "headers": raw, "client": ("192.0.2.1", 5)})


@pytest.mark.parametrize("origin", [OURS, LISTED])
async def test_our_own_pages_and_listed_ones_may_write(origin: str) -> None:
    assert await access().person(request(origin=origin, sec_fetch_site="cross-site")) == DANA


async def test_a_page_of_ours_may_write_without_origin() -> None:
    """A browser that sends none says that it is the same one."""
    assert await access().person(request(sec_fetch_site="same-origin")) == DANA


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "null"},
        {"origin": ""},
        {"origin": "https://evil.example"},
        {"origin": f"{OURS}.evil.example"},
        {"origin": f"{OURS}:8443"},
        {"origin": OURS.replace("https", "http")},
        {"origin": OURS.upper()},
        {"origin": "https://evil.example", "sec_fetch_site": "same-origin"},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
        {"sec_fetch_site": "none"},
        {"referer": OURS},
    ],
)
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "BREW"])
async def test_no_other_page_writes(headers: dict[str, str], method: str) -> None:
    """Before it is even asked who sends it."""
    caller = OneCaller()
    with pytest.raises(HttpRefusal) as refused:
        await access(caller).person(request(method, cookie="a=b", **headers))
    assert (refused.value.status, refused.value.code) == (HTTPStatus.FORBIDDEN, "wrong_origin")
    assert (
        refused.value.message
        == f"Requests that change something must come from {OURS} or {LISTED}: send that as Origin."
    )
    assert caller.cookies == {}


async def test_looking_needs_no_origin() -> None:
    assert await access().person(request("GET")) == DANA


async def test_a_cookie_of_two_values_is_none() -> None:
    """Another host of the domain can have set one of them."""
    caller = OneCaller()
    await access(caller).person(request("GET", cookie="a=1; b=2; a=3"))
    assert caller.cookies == {"b": "2"}


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (NotSignedIn(), HTTPStatus.UNAUTHORIZED),
        (NotAllowed("Guests are not served."), HTTPStatus.FORBIDDEN),
        (SignInUnavailable(), HTTPStatus.SERVICE_UNAVAILABLE),
    ],
)
async def test_who_is_nobody_here_is_refused(error: Exception, status: HTTPStatus) -> None:
    """Nobody is let in because it cannot be found out who they are."""
    with pytest.raises(HttpRefusal) as refused:
        await access(OneCaller(error)).person(request("GET"))
    assert refused.value.status is status
    assert (refused.value.retry_after is not None) == (status is HTTPStatus.SERVICE_UNAVAILABLE)


async def test_whoever_is_not_signed_in_reads_how() -> None:
    """With the names of the cookies: a request may have brought another one."""
    with pytest.raises(HttpRefusal) as refused:
        await access(OneCaller(NotSignedIn())).person(request("GET", cookie="countersign=x"))
    assert refused.value.message == (
        "Sign in first. A request needs the cookie __Host-countersign, which people get at /auth/slack, or the cookie "
        "__session of a session with Firebase, and there is none here that counts."
    )


async def test_whoever_follows_is_never_told_to_send_it_again() -> None:
    """What was asked for goes on: sent again it would be done twice. Another person there reads nothing."""
    with pytest.raises(HttpRefusal) as unknown:
        await access(OneCaller(SignInUnavailable())).still(request("GET"), DANA, "run_1")
    assert (unknown.value.code, "the run goes on" in unknown.value.message) == ("unavailable", True)
    assert "again" not in unknown.value.message.replace("Ask for it again", "")
    with pytest.raises(HttpRefusal) as other:
        await access().still(request("GET"), MARA, "run_1")
    assert other.value.code == "not_signed_in"
    assert [one.value.run_id for one in (unknown, other)] == ["run_1"] * 2
    await access().still(request("GET"), DANA, "run_1")


def test_a_person_waits_for_five_answers_at_most() -> None:
    """The next one is told so; others wait for theirs, and whoever leaves makes room."""
    slots = Slots(most=100)
    held = [slots.held(DANA) for _ in range(PER_PERSON)]
    for one in held:
        one.__enter__()
    with pytest.raises(HttpRefusal) as refused, slots.held(DANA):
        pass
    assert (refused.value.status, refused.value.retry_after) == (HTTPStatus.TOO_MANY_REQUESTS, 5)
    with slots.held(MARA):
        pass
    held[0].__exit__(None, None, None)
    with slots.held(DANA):
        pass


def test_all_together_wait_for_a_bounded_number() -> None:
    """Some connections are left for everybody else."""
    slots = Slots(most=1)
    with slots.held(MARA):
        with pytest.raises(HttpRefusal) as refused, slots.held(DANA):
            pass
        assert refused.value.status is HTTPStatus.SERVICE_UNAVAILABLE
    with slots.held(DANA):
        pass


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


def test_an_address_has_its_rate() -> None:
    """As many as it may at once, then one at a time; another address has its own."""
    clock = Clock()
    rate = AddressRate(per_minute=6, monotonic=clock)
    for _ in range(6):
        rate.count("192.0.2.1")
    with pytest.raises(HttpRefusal) as refused:
        rate.count("192.0.2.1")
    assert (refused.value.status, refused.value.retry_after) == (HTTPStatus.TOO_MANY_REQUESTS, 10)
    assert refused.value.close
    rate.count("192.0.2.2")
    clock.now += 10
    rate.count("192.0.2.1")


def test_a_network_of_ipv6_has_one_rate() -> None:
    """Whoever has it can send each request from another address of it."""
    rate = AddressRate(per_minute=1)
    rate.count("2001:db8:1:2::1")
    rate.count("2001:db8:1:3::1")
    with pytest.raises(HttpRefusal):
        rate.count("2001:db8:1:2:3:4:5:6")


def test_the_addresses_that_are_remembered_are_bounded() -> None:
    """The one that was heard last is among them."""
    rate = AddressRate(per_minute=1)
    for n in range(MOST_ADDRESSES + 10):
        rate.count(f"address {n}")
    with pytest.raises(HttpRefusal):
        rate.count(f"address {MOST_ADDRESSES + 9}")


async def test_requests_are_counted_before_anything_is_looked_up() -> None:
    caller = OneCaller(NotSignedIn())
    here = access(caller, per_minute=1)
    with pytest.raises(HttpRefusal, match="Sign in"):
        await here.person(request("GET", cookie="a=1"))
    with pytest.raises(HttpRefusal, match="Too many"):
        await here.person(request("GET", cookie="a=2"))
    assert caller.cookies == {"a": "1"}
