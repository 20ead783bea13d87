"""From a product's cookie to a person of Slack, as the bot is configured, over real sockets."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio

from bot.runtime.core.event_bus import Bus
from bot.runtime.core.ports import NotAllowed, NotSignedIn, SignInUnavailable
from bot.runtime.core.transaction import TransactionFactory
from bot.runtime.people.callers import Callers
from bot.runtime.people.profiles import ProfileService
from bot.settings import Settings
from bot.slack.connection.directory import SlackDirectory
from bot.wiring.accounts import callers
from bot.wiring.google import NoFirebaseAccount, ServiceAccountUnusable, firebase_sessions
from bot.wiring.store import opened
from playground.google.firebase import SIGN_IN
from playground.google.oauth.service_account import PROJECT
from playground.people import DANA, TEAM_ID, THEO
from tests.dispatchers import Nobody
from tests.integration.firebase_world import ACCOUNTS, KEYS, Product, product
from tests.unit.bot.slack.emulated import Slack, slack_running

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shop() -> AsyncGenerator[Product]:
    async with product() as made:
        yield made


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def slack() -> AsyncGenerator[Slack]:
    async with slack_running() as made:
        yield made


def configured(shop: Product, folder: Path, **more: object) -> Settings:
    """Firebase as an administrator sets it up, at the emulator."""
    key = folder / "robot.json"
    key.touch(mode=0o600)
    key.write_text(shop.key_file, encoding="utf-8")
    given: dict[str, object] = {
        "firebase_project_id": PROJECT,
        "firebase_service_account_file": str(key),
        "firebase_certs_url": f"{shop.url}{KEYS}",
        "firebase_api_url": shop.url,
        "google_oauth_token_url": f"{shop.url}/token",
        "database_url": f"sqlite+aiosqlite:///{folder / 'countersign.db'}",
    }
    return Settings.model_validate(given | more)


@asynccontextmanager
async def desk(shop: Product, slack: Slack, settings: Settings) -> AsyncGenerator[Callers]:
    """Who may call, with Slack's directory."""
    shop.emulator.reset()
    shop.mend()
    directory = SlackDirectory(web=slack.web)
    async with opened(settings, owner=True) as base:
        transactions = TransactionFactory(store=base.store, clock=base.clock, bus=Bus(), dispatcher=Nobody())
        await ProfileService(store=base.store, profiles=directory).person(TEAM_ID, DANA.user_id)
        made = callers(base, transactions, team=TEAM_ID, directory=directory)
        assert made is not None
        yield made


async def test_a_session_of_the_product_is_a_person(shop: Product, slack: Slack, tmp_path: Path) -> None:
    """By the claims of the project or by the address; a guest and an account of nobody's are refused, kindly."""
    async with desk(shop, slack, configured(shop, tmp_path)) as made:
        claims = {"slack_team_id": TEAM_ID, "slack_user_id": DANA.user_id}
        person = await made.person({"__session": await shop.cookie("mara", claims=claims)})
        assert (person.user, person.name) == (DANA.user_id, DANA.name)
        person = await made.person({"__session": await shop.cookie("dana")})
        assert person.user == DANA.user_id
        guest = {"slack_team_id": TEAM_ID, "slack_user_id": THEO.user_id}
        with pytest.raises(NotAllowed, match="full members"):
            await made.person({"__session": await shop.cookie("theo", claims=guest)})
        with pytest.raises(NotAllowed, match="slack_team_id"):
            await made.person({"__session": await shop.cookie("jonas", verified=False)})


async def test_the_cookie_has_the_name_that_is_configured(shop: Product, slack: Slack, tmp_path: Path) -> None:
    """Another one is none of ours."""
    async with desk(shop, slack, configured(shop, tmp_path, firebase_session_cookie="fb")) as made:
        cookie = await shop.cookie("dana")
        assert (await made.person({"fb": cookie})).user == DANA.user_id
        with pytest.raises(NotSignedIn):
            await made.person({"__session": cookie})


async def test_what_cannot_be_checked_is_not_believed(shop: Product, slack: Slack, tmp_path: Path) -> None:
    """No keys, no look: come again; a cookie of no worth: sign in."""
    for path in (KEYS, ACCOUNTS):
        async with desk(shop, slack, configured(shop, tmp_path)) as made:
            cookie = await shop.cookie("dana")
            shop.fault("status", path, status=503)
            with pytest.raises(SignInUnavailable):
                await made.person({"__session": cookie})
    async with desk(shop, slack, configured(shop, tmp_path)) as made:
        with pytest.raises(NotSignedIn):
            await made.person({"__session": "x" * 100_000})


async def test_the_products_own_page_signs_people_in(shop: Product, slack: Slack, tmp_path: Path) -> None:
    """The playground's product gives its cookie, and it is good."""
    async with desk(shop, slack, configured(shop, tmp_path)) as made:
        async with shop.http.get(f"{shop.url}{SIGN_IN}") as page:
            assert "Dana Okafor" in await page.text()
        async with shop.http.post(f"{shop.url}{SIGN_IN}", data={"person": "dana"}) as page:
            cookie = page.cookies["__session"]
        assert cookie["httponly"]
        assert (await made.person({"__session": cookie.value})).user == DANA.user_id
        shop.http.cookie_jar.clear()


async def test_without_a_service_account_it_does_not_start(shop: Product, slack: Slack, tmp_path: Path) -> None:
    """Nobody could see who was disabled: that is said with its cure, and so is a file that is no key."""
    clock = shop.sessions().clock
    without = configured(shop, tmp_path, firebase_service_account_file=None)
    with pytest.raises(NoFirebaseAccount, match="Firebase Authentication Viewer"):
        firebase_sessions(without, clock=clock)
    other = configured(shop, tmp_path, firebase_service_account_file=str(tmp_path / "none.json"))
    with pytest.raises(ServiceAccountUnusable, match="FIREBASE_SERVICE_ACCOUNT_FILE names"):
        firebase_sessions(other, clock=clock)
    key = str(tmp_path / "robot.json")
    shared = configured(shop, tmp_path, firebase_service_account_file=None, google_service_account_file=key)
    assert firebase_sessions(shared, clock=clock) is not None
    assert firebase_sessions(Settings(), clock=clock) is None
