"""Whose Google accounts are used: a service account's for its domains, over the emulator's token endpoint."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
import pytest

from bot.clock import SystemClock
from bot.settings import Settings
from bot.wiring.google import OpenAccountFile, ServiceAccountUnusable, firebase_sessions, google_grants, service_account
from integrations.base import Requester
from integrations.errors import NotConnected, ToolFailed
from integrations.google.auth.delegation import SCOPES
from integrations.google.scopes import CALENDARS, CONTACTS, EVENTS, MAIL_READ
from integrations.grants import GoogleGrant, GoogleGrants
from playground.google.app import build
from playground.people import DANA, MARA, TEAM_ID
from playground.serve import Served

REQUESTER = Requester(team=TEAM_ID, user=MARA.user_id, email=MARA.email)
MAIL = frozenset({MAIL_READ})
OTHER = "https://www.googleapis.com/auth/drive"


@dataclass(slots=True)
class Own:
    """Everybody's own accounts."""

    asked: list[str] = field(default_factory=list[str])

    async def grant(self, requester: Requester, scopes: frozenset[str], *, refused: str | None = None) -> GoogleGrant:
        self.asked.append(f"grant {requester.email}")
        return GoogleGrant(account="own", email="", access_token="own", scopes=scopes)

    async def refused(self, requester: Requester, account: str) -> None:
        self.asked.append(f"refused {account}")


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """The emulator, and a key file of its service account."""

    url: str
    file: Path
    own: Own
    http: aiohttp.ClientSession

    async def switch(self, **switches: object) -> None:
        async with self.http.post(f"{self.url}/__admin/oauth", json=switches) as answer:
            assert answer.status == 200, await answer.text()

    async def minted(self) -> int:
        """How many tokens were asked for so far."""
        async with self.http.get(f"{self.url}/__admin/log") as answer:
            return sum(entry["path"] == "/token" for entry in (await answer.json())["entries"])

    def grants(self, **more: object) -> GoogleGrants:
        return google_grants(self.settings(**more), clock=SystemClock(), own=self.own)

    def settings(self, **more: object) -> Settings:
        named = {"google_service_account_file": str(self.file), "google_delegated_domains": "Fernhill.example, b.org"}
        return Settings.model_validate({**named, **more})


@pytest.fixture
async def world(tmp_path: Path) -> AsyncGenerator[World]:
    async with Served(build()) as url, aiohttp.ClientSession() as http:
        async with http.get(f"{url}/__admin/service_account") as answer:
            key = await answer.text()
        (tmp_path / "robot.json").touch(mode=0o600)
        (tmp_path / "robot.json").write_text(key, encoding="utf-8")
        yield World(url=url, file=tmp_path / "robot.json", own=Own(), http=http)


async def test_it_is_off_by_default(world: World) -> None:
    """Without a key file everybody's own account is used."""
    grants = google_grants(Settings(), clock=SystemClock(), own=world.own)
    assert grants is world.own


async def test_a_person_of_the_domain_needs_no_consent(world: World) -> None:
    """The token acts for the address of the Slack profile, is kept for the next call, and is Google's to take."""
    grants = world.grants()
    grant = await grants.grant(REQUESTER, MAIL)
    assert (grant.account, grant.email, grant.scopes) == (f"delegated:{MARA.email}", MARA.email, SCOPES)
    profile = f"{world.url}/gmail/v1/users/me/profile"
    async with world.http.get(profile, headers={"Authorization": f"Bearer {grant.access_token}"}) as answer:
        assert (await answer.json())["emailAddress"] == MARA.email
    asked = await world.minted()
    again = await grants.grant(REQUESTER, frozenset({EVENTS}))
    assert again.access_token == grant.access_token
    assert await world.minted() == asked
    assert world.own.asked == []


async def test_only_the_listed_domains_are_acted_for(world: World) -> None:
    """An address elsewhere, one that only ends like it, and none at all get no token and no card to connect."""
    for email in ("dana@notfernhill.example", "dana@fernhill.example.evil.org", "fernhill.example@evil.org", None):
        with pytest.raises(ToolFailed, match=r"b\.org or fernhill\.example only") as caught:
            await world.grants().grant(Requester(team=TEAM_ID, user="U1", email=email), MAIL)
        assert not isinstance(caught.value, NotConnected)
    assert await world.minted() == 0


async def test_others_connect_their_own_where_they_can(world: World) -> None:
    """With an OAuth client too, people outside the domains use their own accounts."""
    grants = world.grants(google_client_id="c")
    guest = Requester(team=TEAM_ID, user="U1", email="dana@elsewhere.example")
    assert (await grants.grant(guest, MAIL)).account == "own"
    await grants.refused(guest, "own")
    assert world.own.asked == ["grant dana@elsewhere.example", "refused own"]


async def test_a_scope_that_was_not_allowed_names_the_administrators_step(world: World) -> None:
    """The client id, the scopes and the place in the Admin console are in what people are told."""
    await world.switch(delegated=[])
    with pytest.raises(ToolFailed) as caught:
        await world.grants().grant(REQUESTER, MAIL)
    message = caught.value.message
    assert caught.value.code == "delegation_missing"
    for part in ("Admin console", "113000000000000000001", MAIL_READ, "Nothing was done"):
        assert part in message
    assert not isinstance(caught.value, NotConnected)


async def test_what_was_allowed_is_used(world: World) -> None:
    """Where only some scopes were allowed, a call that needs no other one works."""
    await world.switch(delegated=[MAIL_READ])
    grants = world.grants()
    assert (await grants.grant(REQUESTER, MAIL)).scopes == MAIL
    with pytest.raises(ToolFailed, match=r"calendar\.events"):
        await grants.grant(REQUESTER, frozenset({EVENTS}))


@pytest.mark.parametrize("base", [SCOPES, MAIL], ids=["all", "mail alone"])
async def test_what_no_call_demands_is_there_where_it_was_allowed(world: World, base: frozenset[str]) -> None:
    """Contacts and the list of calendars come along, each by itself: what is not allowed takes nothing away."""
    await world.switch(delegated=sorted(base | {CONTACTS, CALENDARS}))
    grants = world.grants()
    assert (await grants.grant(REQUESTER, MAIL)).scopes == base | {CONTACTS, CALENDARS}
    asked = await world.minted()
    assert CONTACTS in (await grants.grant(REQUESTER, frozenset())).scopes
    assert await world.minted() == asked


async def test_somebody_whom_google_does_not_know(world: World) -> None:
    """An address of the domain without a Google account is told as that."""
    with pytest.raises(ToolFailed, match="Google knows no account nobody@fernhill"):
        await world.grants().grant(Requester(team=TEAM_ID, user="U1", email="nobody@fernhill.example"), MAIL)


async def test_everybody_has_a_token_of_their_own(world: World) -> None:
    """Also who asks for the same right after somebody else did."""
    grants = world.grants()
    dana = Requester(team=TEAM_ID, user=DANA.user_id, email=DANA.email)
    first, second = await grants.grant(REQUESTER, MAIL), await grants.grant(dana, MAIL)
    assert (first.email, second.email) == (MARA.email, DANA.email)
    assert first.access_token != second.access_token


async def test_a_refused_token_is_not_handed_out_again(world: World) -> None:
    """After a 401 another token is asked for."""
    grants = world.grants()
    first = await grants.grant(REQUESTER, MAIL)
    second = await grants.grant(REQUESTER, MAIL, refused=first.access_token)
    assert second.access_token != first.access_token
    await grants.refused(REQUESTER, second.account)
    third = await grants.grant(REQUESTER, MAIL)
    assert third.access_token != second.access_token


async def test_a_google_that_is_away_is_told(world: World) -> None:
    """An unreachable token endpoint is a matter of later, not of the administrator."""
    grants = world.grants(google_oauth_token_url="http://127.0.0.1:9/token")
    with pytest.raises(ToolFailed, match="Google could not be reached"):
        await grants.grant(REQUESTER, MAIL)


async def test_a_withdrawn_key_sends_to_the_doctor(world: World) -> None:
    """A key that Google does not take is the administrator's to mend."""
    key = json.loads(world.file.read_text(encoding="utf-8"))
    world.file.write_text(json.dumps(key | {"client_email": "other@project.example"}), encoding="utf-8")
    with pytest.raises(ToolFailed, match="countersign doctor"):
        await world.grants().grant(REQUESTER, MAIL)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "No such file"),
        ("{", "it is no JSON"),
        ('{"type": "authorized_user"}', "not the key of a service account"),
        ("private", "its private key cannot be read"),
    ],
)
async def test_a_wrong_key_file_is_named(world: World, tmp_path: Path, content: str | None, why: str) -> None:
    """The start ends with the variable, the file and where to get a right one."""
    path = tmp_path / "key.json"
    if content == "private":
        content = json.dumps(json.loads(world.file.read_text(encoding="utf-8")) | {"private_key": "nonsense"})
    if content is not None:
        path.write_text(content, encoding="utf-8")
    with pytest.raises(ServiceAccountUnusable, match=why) as caught:
        service_account(world.settings(google_service_account_file=str(path)))
    assert str(caught.value).startswith(f"GOOGLE_SERVICE_ACCOUNT_FILE names {path}")


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o666])
async def test_a_key_file_that_others_can_read_is_refused(world: World, mode: int) -> None:
    """With the command that mends it, for Google's accounts and for Firebase's; then it is taken."""
    world.file.chmod(mode)
    settings = world.settings()
    with pytest.raises(OpenAccountFile, match=f"Others can read {world.file}, .* Run: chmod 600 {world.file}"):
        service_account(settings)
    firebase = world.settings(firebase_project_id="fernhill-product", firebase_service_account_file=str(world.file))
    with pytest.raises(OpenAccountFile):
        firebase_sessions(firebase, clock=SystemClock())
    world.file.chmod(0o600)
    assert service_account(settings)


def test_a_key_in_the_place_of_its_file_is_not_repeated() -> None:
    """Whoever pastes the key itself into the variable is told so; the key stands in no message, and so in no log."""
    settings = Settings(google_service_account_file='{"private_key": "-----BEGIN PRIVATE KEY-----"}')
    with pytest.raises(ServiceAccountUnusable, match="the key itself") as caught:
        service_account(settings)
    assert "BEGIN" not in str(caught.value)
