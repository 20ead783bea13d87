"""People connect their own Google accounts: from the request that needs one to its answer, and what may not happen."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import closing
from urllib.parse import parse_qs, urlsplit

import pytest
import pytest_asyncio
from structlog.testing import capture_logs

from bot.domain.actions import ActionState
from bot.domain.runs import RunState
from bot.slack.views import ids
from playground.people import DANA, LUIS, MARA, TEAM_ID, Person
from tests.acceptance.browser import LINK, Browser, browser, link_for
from tests.acceptance.request import Request, ask, error_of
from tests.acceptance.slack_side import act, ephemerals
from tests.acceptance.world import APPROVE, REJECT, World, button_ids, text_of, world

pytestmark = pytest.mark.asyncio(loop_scope="module")

SEARCH = '[[call: gmail_search {"query": "in:inbox", "limit": 3}]]'
MAIL = '[[call: gmail_send {"to": ["helen.marsh@marshgardens.example"], "subject": "Hi", "body": "Hello"}]]'
_AUTH = "https://www.googleapis.com/auth/"
READ, COMPOSE = f"{_AUTH}gmail.readonly", f"{_AUTH}gmail.compose"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def public_world(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[World]:
    """A world with a bot where people can connect accounts."""
    async with world(tmp_path_factory.mktemp("connecting")) as made:
        await made.start_public()
        yield made


@pytest_asyncio.fixture(loop_scope="module")
async def unconnected(public_world: World) -> AsyncGenerator[World]:
    """The same; nobody whom these tests are about has an account to begin with, and everybody has one afterwards."""
    await public_world.forget(LUIS, MARA)
    yield public_world
    for person in (LUIS, MARA, DANA):
        await public_world.connect(person)


@pytest_asyncio.fixture(loop_scope="module")
async def tab() -> AsyncGenerator[Browser]:
    async with browser() as made:
        yield made


async def link_on(here: World, request: Request) -> str:
    """The address that the Connect button of a request's card opens."""
    card = await request.card(ids.CONNECT)
    await here.click(request.person, card, ids.CONNECT)

    async def shown() -> str:
        views = json.dumps((await here.slack.state())["views"].get(request.person.user_id, []))
        found = LINK.findall(views)
        return found[-1] if found else ""

    return await here.until(shown, "the window with the link")


async def connected(here: World, person: Person) -> tuple[str, frozenset[str]] | None:
    """Which account this person has, and its scopes."""
    found = await here.read(lambda work: work.connections.find(TEAM_ID, person.user_id, "google"))
    return (found.email, found.scopes) if found else None


async def not_now(here: World, request: Request) -> None:
    """Its person does not connect an account."""
    await here.click(request.person, await request.card(ids.CONNECT), REJECT)
    await request.ended()


async def scopes_of(here: World, person: Person) -> frozenset[str]:
    """What this person's account may be used for."""
    found = await connected(here, person)
    assert found is not None
    return found[1]


# From the request to its answer ---------------------------------------------------------------------------------------


async def test_a_request_without_an_account_is_answered_once_there_is_one(unconnected: World, tab: Browser) -> None:
    """Asked for mail without an account: a card, the pages, consent, and the same action is done and answered."""
    request = await ask(unconnected, LUIS, SEARCH)
    url = await link_on(unconnected, request)
    page = await tab.get(url)
    assert page.status == 200
    assert "luis@fernhill.example" in page.words
    assert LUIS.name in page.words
    assert page.buttons() == ["Mail, read only", "Mail", "Mail and calendar, read only", "Mail and calendar"]
    left = await tab.choose(page, "mail_read")
    assert left.status == 303
    back = await tab.consent(left, person="luis")
    done = await tab.get(back.leads_to)
    assert "luis@fernhill.example is connected" in done.words
    assert (await request.ended()).state is RunState.COMPLETED
    await request.action(ActionState.COMPLETED)
    assert {"action.needs_account", "action.account_connected", "action.completed"} <= set(await request.codes())
    scopes = await scopes_of(unconnected, LUIS)
    assert READ in scopes
    assert COMPOSE not in scopes
    told = await unconnected.answer_in(unconnected.dm_of(LUIS), "Connected luis@fernhill.example")
    assert ids.DISCONNECT in button_ids(told)


async def window(here: World, person: Person, said: str) -> None:
    """Wait until the window that this person has open says so; its link is gone with that."""

    async def shown() -> str:
        views = json.dumps((await here.slack.state())["views"].get(person.user_id, []), ensure_ascii=False)
        return views if said in views else ""

    assert not LINK.search(await here.until(shown, said))


async def test_the_window_with_the_link_says_what_came_of_it(unconnected: World, tab: Browser) -> None:
    """That nothing was connected, after a “Deny”; the account's address, after consent. A window that was closed is no
    error: the message says it, and the log of deliveries has none that failed.
    """
    request = await ask(unconnected, LUIS, SEARCH)
    left = await tab.choose(await tab.get(await link_on(unconnected, request)), "mail_read")
    await tab.get((await tab.consent(left, person="luis", deny=True)).leads_to)
    await window(unconnected, LUIS, "Nothing was connected by this link")
    await tab.through(await link_on(unconnected, request), "mail_read", person="luis")
    await window(unconnected, LUIS, "Connected as luis@fernhill.example.")
    await request.ended()
    again = await ask(unconnected, MARA, SEARCH)
    url = await link_on(unconnected, again)
    (view,) = (await unconnected.slack.state())["views"][MARA.user_id]
    await act(unconnected, "close", user=MARA.user_id, view_id=view["id"])
    await tab.through(url, "mail_read", person="mara")
    await again.ended()

    async def ended() -> bool:
        with closing(sqlite3.connect(unconnected.settings.sqlite_path)) as database:
            states = [row[0] for row in database.execute("SELECT state FROM outbox WHERE kind = 'link'")]
        return len(states) >= 3 and set(states) == {"delivered"}

    await unconnected.until(ended, "three windows that are over")


async def test_leaving_for_the_browser_is_taken_in_silence(unconnected: World) -> None:
    """Slack tells of a press of the link's button too: it is acknowledged, and nobody is told that something broke."""
    request = await ask(unconnected, LUIS, SEARCH)
    await link_on(unconnected, request)
    view = (await unconnected.slack.state())["views"][LUIS.user_id][-1]["id"]
    before = await ephemerals(unconnected, LUIS)
    with capture_logs() as logged:
        said = await act(unconnected, "click", user=LUIS.user_id, view_id=view, action_id=ids.OPEN_LINK)
    assert said["acked"], said
    assert {one["event"] for one in logged} & {"slack.unhandled", "slack.listener_broke"} == set()
    await not_now(unconnected, request)
    assert await ephemerals(unconnected, LUIS) == before


async def test_whoever_said_no_is_led_back_to_the_card(unconnected: World, tab: Browser) -> None:
    """Only the card that asked makes a link for what it needs; after Deny the page says so, and its button works."""
    request = await ask(unconnected, LUIS, SEARCH)
    left = await tab.choose(await tab.get(await link_on(unconnected, request)), "mail_read")
    denied = await tab.get((await tab.consent(left, person="luis", deny=True)).leads_to)
    assert "press the button of the card that asked for it once more" in denied.words
    again = await tab.choose(await tab.get(await link_on(unconnected, request)), "mail_read")
    await tab.get((await tab.consent(again, person="luis")).leads_to)
    assert (await request.ended()).state is RunState.COMPLETED


async def test_a_missing_scope_asks_for_that_alone(unconnected: World, tab: Browser) -> None:
    """An account that may only be read: sending asks for more of the same account, then shows its card and sends."""
    await tab.through(await link_for(unconnected, LUIS, "mail read-only"), "mail_read", person="luis")
    request = await ask(unconnected, LUIS, MAIL)
    page = await tab.get(await link_on(unconnected, request))
    assert page.buttons() == ["Mail", "Mail and calendar"]
    back = await tab.consent(await tab.choose(page, "mail"), person="luis")
    await tab.get(back.leads_to)
    await unconnected.click(LUIS, await request.card(APPROVE), APPROVE)
    assert (await request.ended()).state is RunState.COMPLETED
    assert len(await unconnected.sent(LUIS)) == 1


async def test_several_calls_of_one_request_ask_once(unconnected: World, tab: Browser) -> None:
    """Two calls that need the account make one card, and both go on."""
    request = await ask(unconnected, LUIS, f"{SEARCH} {SEARCH.replace('inbox', 'sent')}")
    url = await link_on(unconnected, request)
    assert sum(ids.CONNECT in button_ids(message) for message in await request.said()) == 1
    await tab.through(url, "mail_read", person="luis")
    assert (await request.ended()).state is RunState.COMPLETED
    assert {action.state for action in await request.actions()} == {ActionState.COMPLETED}


async def test_not_now_is_an_answer(unconnected: World) -> None:
    """Whoever does not want to connect says so on the card; the model is told, for every call that needed it."""
    request = await ask(unconnected, LUIS, f"{SEARCH} {SEARCH.replace('inbox', 'sent')}")
    await not_now(unconnected, request)
    actions = await request.actions()
    assert [action.state for action in actions] == [ActionState.REJECTED] * 2
    assert {error_of(action)["code"] for action in actions} == {"not_connected"}


async def test_security_input_26_credentials_that_google_gave_up_are_asked_for_again(
    unconnected: World, tab: Browser
) -> None:
    """A grant that was revoked between card and click: nothing is sent, the same account again, and the vote counts."""
    await tab.through(await link_for(unconnected, LUIS, "mail"), "mail", person="luis")
    request = await ask(unconnected, LUIS, MAIL)
    card = await request.card(APPROVE)
    before = len(await unconnected.sent(LUIS))
    await unconnected.google.post("/__admin/grants", {"person": "luis", "do": "revoke"})
    await unconnected.click(LUIS, card, APPROVE)
    url = await link_on(unconnected, request)
    assert len(await unconnected.sent(LUIS)) == before
    await tab.through(url, "mail", person="luis")
    assert (await request.ended()).state is RunState.COMPLETED
    assert len(await unconnected.sent(LUIS)) == before + 1


async def test_a_scope_that_google_refuses_is_asked_for_once(unconnected: World, tab: Browser) -> None:
    """Reading was allowed and stored, and Google says no: one card, nothing more until its owner connected again."""
    await tab.through(await link_for(unconnected, LUIS, "mail read-only"), "mail_read", person="luis")
    await unconnected.google.post("/__admin/grants", {"person": "luis", "scopes": [COMPOSE]})
    request = await ask(unconnected, LUIS, SEARCH)
    url = await link_on(unconnected, request)
    await unconnected.google.post("/__admin/grants", {"person": "luis", "do": "forget"})
    await tab.through(url, "mail_read", person="luis")
    assert (await request.ended()).state is RunState.COMPLETED
    (action,) = await request.actions()
    assert (action.state, (await request.codes()).count("action.needs_account")) == (ActionState.COMPLETED, 1)


async def test_security_input_27_another_account_ends_what_was_meant_for_the_first(
    unconnected: World, tab: Browser
) -> None:
    """Reconnecting with another account is done, and what was asked of the first one is not done with it."""
    await tab.through(await link_for(unconnected, LUIS, "mail"), "mail", person="luis")
    request = await ask(unconnected, LUIS, MAIL)
    card = await request.card(APPROVE)
    before = len(await unconnected.sent(LUIS)), len(await unconnected.sent(MARA))
    await unconnected.google.post("/__admin/grants", {"person": "luis", "do": "revoke"})
    await unconnected.click(LUIS, card, APPROVE)
    page = await tab.through(await link_on(unconnected, request), "mail", person="mara")
    await tab.submit(page, "/oauth/google/confirm", [*page.hidden().items(), ("answer", "yes")])
    await request.ended()
    action = await request.action(ActionState.REJECTED)
    assert error_of(action)["code"] == "other_account"
    assert (len(await unconnected.sent(LUIS)), len(await unconnected.sent(MARA))) == before


# The consent ----------------------------------------------------------------------------------------------------------


async def test_the_way_to_google_is_as_it_must_be(unconnected: World, tab: Browser) -> None:
    """Proof key, state, offline access, consent each time, nothing that was granted before, and who it probably is."""
    left = await tab.choose(await tab.get(await link_for(unconnected, LUIS)), "calendar_read")
    asked = {name: values[0] for name, values in parse_qs(urlsplit(left.leads_to).query).items()}
    assert asked["code_challenge_method"] == "S256"
    assert (asked["access_type"], asked["prompt"]) == ("offline", "consent")
    assert "include_granted_scopes" not in asked
    assert asked["login_hint"] == "luis@fernhill.example"
    assert "gmail" not in asked["scope"]
    assert len(asked["state"]) >= 43
    cookie = left.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert asked["state"] not in cookie


async def test_a_refusal_at_google_is_told(unconnected: World, tab: Browser) -> None:
    """“Deny” connects nothing, says so, and the link of the request's card still works the next time."""
    request = await ask(unconnected, LUIS, SEARCH)
    left = await tab.choose(await tab.get(await link_on(unconnected, request)), "mail")
    back = await tab.consent(left, person="luis", deny=True)
    page = await tab.get(back.leads_to)
    assert "You said no" in page.words
    assert await connected(unconnected, LUIS) is None
    await tab.through(await link_on(unconnected, request), "mail", person="luis")
    assert (await request.ended()).state is RunState.COMPLETED


async def test_an_unticked_scope_is_not_had(unconnected: World, tab: Browser) -> None:
    """What was left out on Google's page is said, is not stored, and is asked for when it is needed."""
    page = await tab.through(await link_for(unconnected, LUIS, "mail"), "mail", person="luis", untick=[COMPOSE])
    assert "You left out: writing drafts and sending mail" in page.words
    scopes = await scopes_of(unconnected, LUIS)
    assert COMPOSE not in scopes
    request = await ask(unconnected, LUIS, MAIL)
    await not_now(unconnected, request)


async def test_nothing_ticked_connects_nothing(unconnected: World, tab: Browser) -> None:
    """An account that may be used for nothing is not kept."""
    page = await tab.through(await link_for(unconnected, LUIS, "mail"), "mail", person="luis", untick=[READ, COMPOSE])
    assert "left out everything" in page.words
    assert await connected(unconnected, LUIS) is None


async def test_a_second_consent_adds_to_the_first(unconnected: World, tab: Browser) -> None:
    """Calendar after mail: one account that may be used for both. The command says which one is connected."""
    await tab.through(await link_for(unconnected, LUIS, "mail read-only"), "mail_read", person="luis")
    said = await unconnected.command(LUIS, "connect google")
    assert "connected for " in said
    assert "|Change what I may use>" in said
    await tab.through(await link_for(unconnected, LUIS, "calendar"), "calendar", person="luis")
    scopes = await scopes_of(unconnected, LUIS)
    assert {READ, f"{_AUTH}calendar.events"} <= scopes


async def test_contacts_can_be_allowed_beside_the_rest(unconnected: World, tab: Browser) -> None:
    """A choice of its own, which no card asks for; what was allowed before stays."""
    await tab.through(await link_for(unconnected, LUIS, "mail read-only"), "mail_read", person="luis")
    await tab.through(await link_for(unconnected, LUIS, "contacts"), "contacts", person="luis")
    scopes = await scopes_of(unconnected, LUIS)
    assert scopes >= {READ, f"{_AUTH}contacts.readonly", f"{_AUTH}contacts.other.readonly"}
    assert COMPOSE not in scopes


async def test_read_only_is_read_only(unconnected: World, tab: Browser) -> None:
    """Whoever allowed sending once, and then chooses to be read only, is asked before anything is sent; what he chose
    for the calendar stays.
    """
    await tab.through(await link_for(unconnected, LUIS), "both", person="luis")
    page = await tab.get(await link_for(unconnected, LUIS, "mail read-only"))
    assert "So far you allowed me: reading mail, writing drafts and sending mail" in page.words
    assert "it stays as it is" in page.words
    back = await tab.consent(await tab.choose(page, "mail_read"), person="luis")
    done = await tab.get(back.leads_to)
    assert "sending mail" not in done.words
    scopes = await scopes_of(unconnected, LUIS)
    assert scopes == {READ, *(f"{_AUTH}calendar.{part}" for part in ("events", "freebusy", "calendarlist.readonly"))}
    before = await unconnected.sent(LUIS)
    request = await ask(unconnected, LUIS, MAIL)
    await not_now(unconnected, request)
    assert await unconnected.sent(LUIS) == before


# What may not happen --------------------------------------------------------------------------------------------------


async def test_looking_at_a_link_does_nothing(unconnected: World, tab: Browser) -> None:
    """HEAD and GET, by whomever and however often, use nothing up."""
    url = await link_for(unconnected, LUIS)
    assert await tab.head(url) == 200
    async with browser() as previewer:
        assert (await previewer.get(url)).status == 200
        assert "set-cookie" not in (await previewer.get(url)).headers
    assert "is connected" in (await tab.through(url, "mail", person="luis")).words


async def test_a_link_is_good_once(unconnected: World, tab: Browser) -> None:
    """After the browser came back the link leads nowhere, and what came back is not taken a second time."""
    url = await link_for(unconnected, LUIS)
    left = await tab.choose(await tab.get(url), "mail")
    back = await tab.consent(left, person="luis", deny=True)
    await tab.get(back.leads_to)
    again = await tab.get(back.leads_to)
    assert (again.status, "not good any more" in again.text, "It was used before." in again.text) == (410, True, True)
    for address, why in ((url, "It was used before."), (url + "x", "I do not know it any more.")):
        page = await tab.get(address)
        assert (page.status, why in page.text) == (410, True)


async def test_two_callbacks_at_once_connect_once(unconnected: World, tab: Browser) -> None:
    """The same way back, taken twice at the same moment: one connects, the other is told that it was used."""
    left = await tab.choose(await tab.get(await link_for(unconnected, LUIS)), "mail")
    back = await tab.consent(left, person="luis")
    pages = await asyncio.gather(*(tab.get(back.leads_to) for _ in range(2)))
    assert sorted(page.status for page in pages) == [200, 410]


async def test_another_browser_cannot_come_back(unconnected: World, tab: Browser) -> None:
    """Without the cookie of the browser that left nothing is connected, and the attempt is over."""
    left = await tab.choose(await tab.get(await link_for(unconnected, LUIS)), "mail")
    async with browser() as other:
        back = await other.consent(left, person="luis")
        page = await other.get(back.leads_to)
    assert (page.status, "another browser" in page.words) == (403, True)
    assert (await tab.get(back.leads_to)).status == 410
    assert await connected(unconnected, LUIS) is None
    assert "connect.refused" in await unconnected.audit_codes()


async def test_a_link_that_is_passed_on_asks_whose_it_is(unconnected: World, tab: Browser) -> None:
    """Luis sends his link to Mara, who signs in as herself: she is told whose Slack account it is, and can say no."""
    page = await tab.through(await link_for(unconnected, LUIS), "mail", person="mara")
    assert LUIS.name in page.words
    assert "mara@fernhill.example" in page.words
    assert await connected(unconnected, LUIS) is None
    no = await tab.submit(page, "/oauth/google/confirm", [*page.hidden().items(), ("answer", "no")])
    assert "Nothing was connected" in no.words
    yes = await tab.submit(page, "/oauth/google/confirm", [*page.hidden().items(), ("answer", "yes")])
    assert yes.status == 410
    assert await connected(unconnected, LUIS) is None


async def test_a_confirmation_counts_in_its_own_browser_only(unconnected: World, tab: Browser) -> None:
    """The page's secret without the browser's cookie connects nothing."""
    page = await tab.through(await link_for(unconnected, LUIS), "mail", person="mara")
    async with browser() as other:
        fields = [*page.hidden().items(), ("answer", "yes")]
        answer = await other.submit(page, "/oauth/google/confirm", fields)
    assert answer.status == 403
    assert await connected(unconnected, LUIS) is None


async def test_a_confirmed_account_is_connected_and_shared_ones_are_told(unconnected: World, tab: Browser) -> None:
    """Whoever says that both are his gets it connected; whoever connected the same account before is told."""
    await tab.through(await link_for(unconnected, MARA), "mail", person="mara")
    page = await tab.through(await link_for(unconnected, LUIS), "mail", person="mara")
    yes = await tab.submit(page, "/oauth/google/confirm", [*page.hidden().items(), ("answer", "yes")])
    assert "mara@fernhill.example is connected" in yes.words
    told = await unconnected.answer_in(unconnected.dm_of(LUIS), "connected to other Slack accounts too")
    assert "Connected mara@fernhill.example" in text_of(told)
    await unconnected.answer_in(unconnected.dm_of(MARA), "connected to another Slack account too")


async def test_a_form_on_somebody_elses_page_leads_nowhere(unconnected: World, tab: Browser) -> None:
    """The choice counts from our own page only, so nobody is led past it."""
    page = await tab.get(await link_for(unconnected, LUIS))
    fields = [*page.hidden().items(), ("want", "mail")]
    for origin in ("https://evil.example", "null"):
        answer = await tab.submit(page, "/oauth/google/start", fields, origin=origin)
        assert (answer.status, "PUBLIC_URL" in answer.words) == (403, True)
        assert "location" not in answer.headers


async def test_what_was_not_offered_cannot_be_chosen(unconnected: World, tab: Browser) -> None:
    """A link for the calendar, read only, gives no mail."""
    page = await tab.get(await link_for(unconnected, LUIS, "calendar read-only"))
    assert page.buttons() == ["Calendar, read only"]
    everything = await tab.get(await link_for(unconnected, LUIS, "read-only"))
    assert everything.buttons() == ["Mail and calendar, read only"]
    assert (await tab.choose(everything, "both")).status == 410
    assert (await tab.choose(page, "mail")).status == 410


async def test_pages_are_plain_and_closed(unconnected: World, tab: Browser) -> None:
    """No script, nothing from elsewhere, in no frame, in no cache, and addresses stay with us."""
    page = await tab.get(await link_for(unconnected, LUIS))
    assert "<script" not in page.text
    policy = page.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'")
    assert "frame-ancestors 'none'" in policy
    assert (page.headers["cache-control"], page.headers["referrer-policy"]) == ("no-store", "same-origin")


# Disconnecting --------------------------------------------------------------------------------------------------------


async def test_disconnecting_forgets_and_gives_back(unconnected: World, tab: Browser) -> None:
    """`/agent disconnect google` forgets the keys here and revokes them at Google; what needs them asks again."""
    await tab.through(await link_for(unconnected, LUIS), "mail", person="luis")
    said = await unconnected.command(LUIS, "disconnect google")
    assert "Disconnected luis@fernhill.example" in said
    assert await connected(unconnected, LUIS) is None
    await unconnected.audited("connection.revoked")
    assert "nothing to disconnect" in await unconnected.command(LUIS, "disconnect google")
    request = await ask(unconnected, LUIS, SEARCH)
    await not_now(unconnected, request)


async def test_words_that_are_no_choice_are_told(unconnected: World) -> None:
    """Another provider, or another choice, changes nothing and says what there is."""
    assert "/agent connect google" in await unconnected.command(LUIS, "connect")
    assert "I do not know that choice" in await unconnected.command(LUIS, "connect google drive")


# Who is gone ----------------------------------------------------------------------------------------------------------


async def test_whoever_is_deactivated_has_no_account(unconnected: World, tab: Browser) -> None:
    """When Slack says that somebody left, the keys are forgotten and given back."""
    await tab.through(await link_for(unconnected, MARA), "mail", person="mara")
    before = (await unconnected.audit_codes()).count("connection.revoked")
    await unconnected.slack.post("/__act/user", {"user": MARA.user_id, "deleted": True})
    await unconnected.until(
        unconnected.audit_codes, "the end of the grant", when=lambda codes: codes.count("connection.revoked") > before
    )
    assert await connected(unconnected, MARA) is None
    await unconnected.slack.post("/__act/user", {"user": MARA.user_id, "deleted": False})


async def test_removing_the_app_forgets_every_account(unconnected: World, tab: Browser) -> None:
    """When the app is removed from the workspace nobody's account stays here. (Last: its token is dead now.)"""
    await tab.through(await link_for(unconnected, LUIS), "mail", person="luis")
    await unconnected.slack.post("/__act/uninstall", {})

    async def none_left() -> bool:
        async with unconnected.base.store.read() as work:
            return not await work.connections.of_workspace(TEAM_ID)

    await unconnected.until(none_left, "the end of every connection")
