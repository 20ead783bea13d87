"""People sign in with Slack in a browser: the whole way, what may not happen on it, and how a session ends."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator
from urllib.parse import parse_qs, urlencode, urlsplit

import aiohttp
import pytest
import pytest_asyncio
from pydantic import SecretStr

from bot.domain.sessions import BrowserSession
from bot.slack.views import ids
from playground.people import DANA, MARA, TEAM_ID, THEO, Person
from playground.slack.openid import CLIENT_ID, CLIENT_SECRET
from tests.acceptance.browser import Browser, Shown, browser
from tests.acceptance.http_side import RUN, Client
from tests.acceptance.slack_side import act, home
from tests.acceptance.world import Json, World, world

pytestmark = pytest.mark.asyncio(loop_scope="module")

START, OUT = "/auth/slack", "/auth/slack/sign-out"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def town_hall(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[World]:
    """A world with a bot where people can sign in."""
    async with world(tmp_path_factory.mktemp("signing-in")) as made:
        secret = SecretStr(CLIENT_SECRET)
        more: Json = {
            "slack_client_id": CLIENT_ID,
            "slack_client_secret": secret,
            "http_application": "Fernhill *Planner*",
            "http_origins": "https://shop.example, http://localhost:3000",
        }
        await made.start_bot(public_url="http://127.0.0.1:0", **more)
        yield made


@pytest_asyncio.fixture(loop_scope="module")
async def hall(town_hall: World) -> World:
    """The same as at the beginning."""
    await town_hall.slack.mend()
    await lie(town_hall)
    return town_hall


@pytest_asyncio.fixture(loop_scope="module")
async def tab() -> AsyncGenerator[Browser]:
    async with browser() as made:
        yield made


async def lie(here: World, **claims: object) -> None:
    """From now on Slack's id_tokens say this."""
    await here.slack.post("/__admin/openid", {"claims": claims})


def page_of(here: World, path: str) -> str:
    assert here.bot is not None
    return f"{here.bot.url}{path}"


async def left(here: World, tab: Browser, *, leads_on: str = "") -> Shown:
    """A browser that is on its way to Slack."""
    page = await tab.get(page_of(here, f"{START}?{urlencode({'next': leads_on})}"))
    assert (page.status, page.buttons()) == (200, ["Sign in with Slack"])
    assert "<p>This lets <strong>Fernhill ∗Planner∗</strong> ask Countersign" in page.text
    away = await tab.submit(page, START, [*page.hidden().items(), ("do", "sign_in")])
    assert away.status == 303
    return away


async def agreed(tab: Browser, away: Shown, person: Person | None) -> str:
    """Where Slack sends the browser back to, after the person said yes, or no."""
    asked = await tab.get(away.leads_to)
    assert asked.status == 200, asked.text
    back = await tab.submit(asked, away.leads_to, [("person", person.user_id if person else "")])
    assert back.status == 302
    return back.leads_to


async def signed_in(here: World, tab: Browser, person: Person, *, leads_on: str = "") -> Shown:
    return await tab.get(await agreed(tab, await left(here, tab, leads_on=leads_on), person))


async def sessions(here: World, person: Person) -> list[BrowserSession]:
    assert here.bot is not None
    now = here.bot.base.clock.now()
    return [*await here.read(lambda work: work.sessions.of(TEAM_ID, person.user_id, now=now))]


def cookies(tab: Browser) -> dict[str, str]:
    return {one.key: one.value for one in tab.http.cookie_jar}


# From the page to a session -------------------------------------------------------------------------------------------


async def test_a_person_signs_in_and_out(hall: World, tab: Browser) -> None:
    """A button, Slack's page, a page that names them and leads on; a second button ends it."""
    done = await signed_in(hall, tab, DANA, leads_on="/app?x=1&y=2#z")
    assert (done.status, done.buttons()) == (200, ["Sign out"])
    assert f"You are signed in as {DANA.name}" in done.words
    assert re.search(r'<a href="/app\?x=1&amp;y=2#z">Continue</a>', done.text)
    assert 'class="ends"' in done.text, "the way on stands out, the way out does not"
    (one,) = await sessions(hall, DANA)
    token = cookies(tab)["countersign"]
    assert token not in str(one)
    assert (one.expires_at - one.created_at).total_seconds() == 12 * 3_600
    assert "person.signed_in" in await hall.audit_codes()
    again = await tab.get(page_of(hall, START))
    assert again.buttons() == ["Sign out"]
    out = await tab.submit(again, OUT, [("do", "sign_out")])
    assert "not signed in any more" in out.words
    assert f'<a href="{START}">Sign in again</a>' in out.text
    assert (await tab.get(page_of(hall, OUT))).buttons() == ["Sign in with Slack"]
    assert await sessions(hall, DANA) == []
    assert "countersign" not in cookies(tab)
    assert "person.signed_out" in await hall.audit_codes()


async def test_the_cookies_are_as_they_must_be(hall: World, tab: Browser) -> None:
    """Read by no script; the session goes along from our own pages only, and is kept for twelve hours."""
    away = await left(hall, tab)
    assert re.fullmatch(r"slack-sign-in=[^;]+; HttpOnly; Max-Age=600; Path=/; SameSite=lax", away.headers["set-cookie"])
    back = await agreed(tab, away, DANA)
    async with tab.http.get(back, allow_redirects=False) as answer:
        told = sorted(answer.headers.getall("set-cookie"))
    assert re.fullmatch(r"countersign=[\w-]{43}; HttpOnly; Max-Age=43200; Path=/; SameSite=strict", told[0])
    assert told[1].startswith('slack-sign-in=""')
    asked = parse_qs(urlsplit(away.leads_to).query)
    assert asked["scope"] == ["openid"]
    assert asked["team"] == [TEAM_ID]
    assert asked["state"] != asked["nonce"]


async def test_who_is_signed_in_already_is_led_on(hall: World, tab: Browser) -> None:
    """To where their page wanted them; the page says as whom they are signed in."""
    await signed_in(hall, tab, DANA)
    assert (await tab.get(page_of(hall, OUT))).buttons() == ["Sign out"], "a GET ends nothing"
    assert await sessions(hall, DANA)
    again = await tab.get(page_of(hall, f"{START}?next=/app%3Fx=1"))
    assert f"signed in as {DANA.name} with Slack in this browser." in again.words
    assert '<a href="/app?x=1">Continue</a>' in again.text
    assert again.text.index("Continue") < again.text.index("Sign out")
    elsewhere = await tab.get(page_of(hall, f"{START}?next=//evil.example/"))
    assert (elsewhere.buttons(), "<a " in elsewhere.text) == (["Sign out"], False)


@pytest.mark.parametrize(
    "leads_on",
    [
        "https://evil.example/",
        "//evil.example/",
        "/\\evil.example/",
        "\\/evil.example/",
        "///evil.example",
        "/\t/evil.example",
        "/\n/evil.example",
        "javascript:alert(1)",
        "evil.example",
        " /app",
        "/app\x00",
        "/ä",
        "/" + "x" * 600,
        "",
        "https://shop.example@evil.example/",
        "https://shop.example:443@evil.example/",
        "https://shop.example.evil.example/",
        "https://shop.example:444/",
        "https://shop.example:x/",
        "https://shop.example\\@evil.example/",
        "https://shop.example\t.evil.example/",
        "https://shop.example/\n",
        "https:/shop.example/",
        "https:shop.example/",
        "http://shop.example/",
        "HTTPS://shop.example/",
        "//shop.example/",
        "https://localhost:3000/",
        "https://user@shop.example/",
        "https://ѕhop.example/",
        "javascript://shop.example/%0aalert(1)",
        "https://shop.example/" + "x" * 600,
    ],
)
async def test_it_leads_nowhere_else(hall: World, tab: Browser, leads_on: str) -> None:
    """Only to a path of ours; the form is checked as the address is."""
    page = await tab.get(page_of(hall, f"{START}?{urlencode({'next': leads_on})}"))
    assert page.hidden() == {"next": ""}
    assert ("its address is not in HTTP_ORIGINS. Go back to it yourself" in page.words) is bool(leads_on)
    away = await tab.submit(page, START, [("next", leads_on)])
    done = await tab.get(await agreed(tab, away, MARA))
    assert done.buttons() == ["Sign out"]
    assert "<a " not in done.text
    assert "Go back to the page that you came from" in done.words


@pytest.mark.parametrize(
    "leads_on",
    ["https://shop.example", "https://shop.example/cart?x=1#y", "https://shop.example?a@b", "http://localhost:3000/"],
)
async def test_it_leads_back_to_a_listed_page(hall: World, tab: Browser, leads_on: str) -> None:
    """One whose pages may use the API (HTTP_ORIGINS): by a link that says so, also for who is signed in already."""
    done = await signed_in(hall, tab, DANA, leads_on=leads_on)
    link = f'<a href="{leads_on}">Continue</a>'
    assert (link in done.text, "Go back to" in done.words) == (True, False)
    again = await tab.get(page_of(hall, f"{START}?{urlencode({'next': leads_on})}"))
    assert link in again.text


@pytest.mark.parametrize(
    ("leads_on", "again"),
    [
        ("/app?x=1", f"{START}?next=%2Fapp%3Fx%3D1"),
        ("https://shop.example/cart", f"{START}?next=https%3A%2F%2Fshop.example%2Fcart"),
        ("", START),
    ],
)
async def test_who_signs_in_again_is_led_to_the_same_place(
    hall: World, tab: Browser, leads_on: str, again: str
) -> None:
    """Also from the page that somebody sees who was signed in already; a form of another address is not followed."""
    await signed_in(hall, tab, DANA, leads_on=leads_on)
    for wanted, link in (("https://evil.example/", START), (leads_on, again)):
        page = await tab.get(page_of(hall, f"{START}?{urlencode({'next': leads_on})}"))
        hidden = page.hidden() if wanted == leads_on else {"next": wanted}
        out = await tab.submit(page, OUT, [*hidden.items(), ("do", "sign_out")])
        assert f'<a href="{link}">Sign in again</a>' in out.text
        first = await tab.get(page_of(hall, link))
        assert first.hidden() == {"next": leads_on if link == again else ""}
        await signed_in(hall, tab, DANA, leads_on=leads_on)


# What may not happen on the way ---------------------------------------------------------------------------------------


async def test_what_somebody_began_is_nothing_to_another_browser(hall: World, tab: Browser) -> None:
    """Somebody sends a link that would sign others in as them: without their cookie, or beside another one, it counts
    for nothing, and what the other one began can be finished.
    """
    link = await agreed(tab, await left(hall, tab), DANA)
    async with browser() as victim:
        refused = await victim.get(link)
        assert refused.status == 403
        assert "set-cookie" not in refused.headers or "countersign=" not in refused.headers["set-cookie"]
        away = await left(hall, victim)
        assert (await victim.get(link)).status == 403
        assert "countersign" not in cookies(victim)
        assert "Mara" in (await victim.get(await agreed(victim, away, MARA))).words


async def test_a_way_back_counts_once(hall: World, tab: Browser) -> None:
    """Also for whoever kept the cookie, at the same moment, and with another code."""
    before = len(await sessions(hall, DANA))
    away = await left(hall, tab)
    kept = cookies(tab)["slack-sign-in"]
    back = await agreed(tab, away, DANA)
    other = await agreed(tab, away, DANA)
    async with aiohttp.ClientSession(headers={"cookie": f"slack-sign-in={kept}"}) as http:
        answers = await asyncio.gather(*(http.get(back, allow_redirects=False) for _ in range(5)))
        told = sorted(answer.status for answer in answers)
        assert told[0] == 200
        assert {*told[1:]} <= {400, 410}  # Slack refuses the code, or we know the state
        for link in (back, other):
            assert (await http.get(link, allow_redirects=False)).status == 410
    assert len(await sessions(hall, DANA)) == before + 1


async def test_the_last_page_is_loaded_again(hall: World, tab: Browser) -> None:
    """It says that they are signed in, and does nothing; without the session's cookie it says where to look."""
    before = len(await sessions(hall, DANA))
    back = await agreed(tab, await left(hall, tab), DANA)
    assert (await tab.get(back)).status == 200
    again = await tab.get(back)
    assert (again.status, again.buttons()) == (200, ["Sign out"])
    assert f"signed in as {DANA.name} with Slack in this browser already" in again.words
    async with browser() as elsewhere:  # as a browser loads a page again to which another site led
        unsure = await elsewhere.get(back)
        assert (unsure.status, unsure.buttons()) == (410, [])
        assert "If you signed in with it in this browser, you are signed in" in unsure.words
        assert f'<a href="{START}">' in unsure.text
        assert "countersign" not in cookies(elsewhere)
    assert len(await sessions(hall, DANA)) == before + 1
    assert (await tab.get(page_of(hall, START))).buttons() == ["Sign out"]


async def test_a_used_way_back_leaves_another_attempt_alone(hall: World, tab: Browser) -> None:
    """Whoever loads an old page again while they sign in anew can finish that."""
    back = await agreed(tab, await left(hall, tab), DANA)
    await tab.get(back)
    await tab.submit(await tab.get(page_of(hall, START)), OUT, [("do", "sign_out")])
    away = await left(hall, tab)
    assert (await tab.get(back)).status == 410
    assert "Dana" in (await tab.get(await agreed(tab, away, DANA))).words


async def test_a_form_on_somebody_elses_page_leads_nowhere(hall: World, tab: Browser) -> None:
    """Neither to Slack nor out."""
    await signed_in(hall, tab, DANA)
    page = await tab.get(page_of(hall, START))
    for path in (START, OUT):
        for origin in ("https://evil.example", "null"):
            refused = await tab.submit(page, path, [("next", "/")], origin=origin)
            assert refused.status == 403
            assert ("Not signed out" if path == OUT else "Not signed in") in refused.words
            assert "set-cookie" not in refused.headers
    assert await sessions(hall, DANA)


async def test_whoever_says_no_is_not_signed_in(hall: World, tab: Browser) -> None:
    """And is told so, with the way to try it again."""
    done = await tab.get(await agreed(tab, await left(hall, tab, leads_on="/app?x=1&y=2"), None))
    assert (done.status, "You said no" in done.words) == (200, True)
    assert f'<a href="{START}?next=%2Fapp%3Fx%3D1%26y%3D2">Try again</a>' in done.text
    assert "countersign" not in cookies(tab)


async def test_a_guest_is_not_signed_in(hall: World, tab: Browser) -> None:
    """Which the log has."""
    done = await signed_in(hall, tab, THEO, leads_on="/app")
    assert f'<a href="{START}?next=%2Fapp">Try again</a>' in done.text
    assert (done.status, "full members" in done.words) == (403, True)
    assert "countersign" not in cookies(tab)
    assert "person.turned_away" in await hall.audit_codes()


@pytest.mark.parametrize(
    ("claims", "status"),
    [
        ({"iss": "https://evil.example"}, 400),
        ({"aud": "another-app"}, 400),
        ({"aud": [CLIENT_ID, "another-app"]}, 400),
        ({"nonce": "another"}, 400),
        ({"nonce": None}, 400),
        ({"exp": 1}, 400),
        ({"iat": 99_999_999_999}, 400),
        ({"https://slack.com/user_id": None}, 400),
        ({"https://slack.com/user_id": "u\n"}, 400),
        ({"https://slack.com/team_id": None}, 400),
        ({"https://slack.com/team_id": "T9OTHER"}, 403),
    ],
)
async def test_what_slack_says_is_checked(hall: World, tab: Browser, claims: Json, status: int) -> None:
    """By whom, to whom, for which browser, until when, and of which workspace."""
    await lie(hall, **claims)
    done = await signed_in(hall, tab, DANA)
    assert done.status == status
    assert ("a Slack workspace that I do not work in" in done.words) is (status == 403)
    assert "countersign" not in cookies(tab)


async def test_slack_away_is_nobody(hall: World, tab: Browser) -> None:
    """Come again; what is no code is not asked about."""
    link = await agreed(tab, await left(hall, tab), DANA)
    await hall.slack.fault("ok_false", path="/api/openid.connect.token", error="internal_error", times=-1)
    assert (await tab.get(link)).status == 503
    await hall.slack.mend()
    await left(hall, tab)
    state = parse_qs(urlsplit(link).query)["state"][0]
    assert (await tab.get(page_of(hall, f"{START}/callback?code=x&state={state}"))).status == 403
    assert (await tab.get(page_of(hall, f"{START}/callback"))).status == 403
    async with aiohttp.ClientSession(headers={"cookie": f"slack-sign-in={'x' * 5_000}"}) as http:
        assert (await http.get(page_of(hall, f"{START}/callback?code=x&state=y"))).status == 403


# How a session ends ---------------------------------------------------------------------------------------------------


async def test_app_home_lists_it_and_ends_it(hall: World, tab: Browser) -> None:
    """Each browser with a button of its own, the newest first; the next request of that browser is nobody's."""
    await act(hall, "open_home", user=DANA.user_id, tab="home")
    await signed_in(hall, tab, DANA)
    newest = (await sessions(hall, DANA))[0]

    async def shown() -> Json | None:
        view = await home(hall, DANA)
        return view if newest.id in str(view) else None

    view = await hall.until(shown, "the session on App Home")
    await act(hall, "click", user=DANA.user_id, view_id=view["id"], action_id=ids.SIGN_OUT)

    async def gone() -> bool:
        return newest not in await sessions(hall, DANA)

    await hall.until(gone, "the end of the session")
    assert (await tab.get(page_of(hall, START))).buttons() == ["Sign in with Slack"]


async def test_a_session_asks_the_agent(hall: World, tab: Browser) -> None:
    """The cookie is enough, from our own pages only; once it is over, so is asking."""
    await signed_in(hall, tab, DANA)
    assert hall.bot is not None
    token = cookies(tab)["countersign"]
    asks = Asking(url=hall.bot.url, http=hall.slack.http, cookie=token)
    answer = await asks.run("Hello")
    assert (answer.status, answer.body["ok"]) == (200, True), answer.body
    refused = await asks.send("POST", RUN, headers={"origin": "https://evil.example"}, json={"prompt": "Hello"})
    assert refused.status == 403
    twice = f"countersign={token}; countersign={'x' * 43}"
    assert (await asks.send("POST", RUN, headers={"cookie": twice}, json={"prompt": "Hello"})).status == 401
    await tab.submit(await tab.get(page_of(hall, START)), OUT, [("do", "sign_out")])
    assert (await asks.run("Hello")).status == 401


class Asking(Client):
    """A page of ours whose person is signed in with Slack."""

    @property
    def headers(self) -> dict[str, str]:
        return {"origin": self.url, "cookie": f"countersign={self.cookie}"}


async def test_one_address_comes_back_so_often(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Each way back has Slack asked, so that they are counted."""
    async with world(tmp_path_factory.mktemp("often")) as other, browser() as tab:
        secret, own = SecretStr(CLIENT_SECRET), "http://127.0.0.1:0"
        more = {"slack_client_id": CLIENT_ID, "slack_client_secret": secret, "http_requests_per_minute": 5}
        await other.start_bot(timings=None, policy=None, public_url=own, **more)
        answers = [(await tab.get(page_of(other, f"{START}/callback?code=x&state=y"))).status for _ in range(6)]
        assert answers == [403] * 5 + [429]


async def test_without_a_client_there_are_no_pages(hall: World, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Nothing is served that could not work."""
    async with world(tmp_path_factory.mktemp("without")) as other, browser() as tab:
        await other.start_bot(public_url="http://127.0.0.1:0")
        assert (await tab.get(page_of(other, START))).status == 404
