"""What the doctor says of a Google project, from the errors that it sees."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import aiohttp
import pytest

from bot.domain.actions import ActionState
from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.connections import Connection
from bot.domain.runs import RunState
from bot.domain.threads import User
from bot.runtime.connections.sealed import bound_to
from bot.secrets import new_key
from bot.store.engine.database import database_for
from bot.store.store import Store
from bot.wiring.store import opened
from integrations.google.scopes import MAIL_READ
from playground.google.app import build
from playground.google.firebase import CERTIFICATES, LOOKUP
from playground.google.oauth.clients import CLIENT_ID, CLIENT_SECRET
from playground.google.oauth.service_account import EMAIL, PROJECT
from playground.people import MARA
from playground.serve import Served
from tests.builders import DANA, TEAM, HandClock, action, run, step, thread
from tests.integration.shell import Shell

KEY_FILE = "robot.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ward:
    """A shell, the emulated Google, and what a doctor there says."""

    shell: Shell
    google: str
    folder: Path

    async def told(self, **more: str) -> list[str]:
        """The doctor's lines but for those about Slack, Gemini and the HTTP API, which are not configured here."""
        places = {"GOOGLE_OAUTH_TOKEN_URL": f"{self.google}/token"}
        places["GOOGLE_OAUTH_AUTH_URL"] = f"{self.google}/o/oauth2/v2/auth"
        done = await asyncio.to_thread(self.shell.run, "doctor", **{**places, **more})
        assert done.exception is None or isinstance(done.exception, SystemExit), done.output
        assert done.exit_code == 1
        missing = ("✗ SLACK_", "✗ GEMINI_", "✓ Database", "✓ Work", "✓ Log", "! Log", "✓ HTTP API", "! HTTP API")
        return [line for line in done.stdout.splitlines() if not line.startswith(missing) and "to fix" not in line]

    async def admin(self, path: str, **body: object) -> None:
        async with aiohttp.ClientSession() as http, http.post(f"{self.google}/__admin/{path}", json=body) as answer:
            assert answer.status == 200, await answer.text()

    async def key_file(self) -> str:
        path = self.folder / KEY_FILE
        async with aiohttp.ClientSession() as http, http.get(f"{self.google}/__admin/service_account") as answer:
            path.write_text(await answer.text(), encoding="utf-8")
        path.chmod(0o600)
        return str(path)


def client(**more: str) -> dict[str, str]:
    """An OAuth client as it should be."""
    right = {
        "GOOGLE_CLIENT_ID": CLIENT_ID,
        "GOOGLE_CLIENT_SECRET": CLIENT_SECRET,
        "PUBLIC_URL": "http://localhost:8080",
    }
    return right | more


@pytest.fixture
async def ward(shell: Shell, tmp_path: Path) -> AsyncGenerator[Ward]:
    """A database that was used before, and Google's emulator."""
    async with opened(shell.settings(), owner=True) as base, base.store.write() as work:
        await work.users.seen(User(team=TEAM, user=DANA, name="Mara", email=MARA.email))
    async with Served(build()) as url:
        yield Ward(shell=shell, google=url, folder=tmp_path)


# The OAuth client ----------------------------------------------------------------------------------------------------


async def test_a_right_client_is_nothing_to_tell(ward: Ward) -> None:
    """A known client with its secret and a registered redirect URI; the question changes nothing at Google."""
    assert await ward.told(**client()) == []


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"GOOGLE_CLIENT_ID": "nobody"}, "(invalid_client). Copy both again from the client's page: https://console."),
        ({"GOOGLE_CLIENT_SECRET": "wrong"}, "Google does not know GOOGLE_CLIENT_ID with GOOGLE_CLIENT_SECRET"),
        ({"PUBLIC_URL": ""}, "PUBLIC_URL is missing: with GOOGLE_CLIENT_ID people connect accounts there."),
        (
            {"PUBLIC_URL": "https://agent.example.com"},
            "no redirect URI https://agent.example.com/oauth/google/callback (redirect_uri_mismatch). Add exactly",
        ),
        ({"PUBLIC_URL": "https://localhost:8080"}, "redirect URI https://localhost:8080/oauth/google/callback"),
    ],
)
async def test_a_wrong_client_is_told_with_the_next_step(ward: Ward, wrong: dict[str, str], words: str) -> None:
    """Client, secret, a missing address, another address, and https where http was registered: a line each."""
    (line,) = await ward.told(**client(**wrong))
    assert line.startswith("✗ ")
    assert words in line


async def test_a_google_that_is_away_is_no_wrong_setting(ward: Ward) -> None:
    """It is told, and does not count as something to mend."""
    (line,) = await ward.told(**client(), GOOGLE_OAUTH_TOKEN_URL="http://127.0.0.1:9/token")
    assert line.startswith("! Google could not be reached.")


# What the rows tell --------------------------------------------------------------------------------------------------


async def test_an_api_that_is_not_enabled_is_told_with_googles_own_link(ward: Ward) -> None:
    """The link with the project's number in it, which Google's error carried, until the same tool works again."""
    link = "https://console.developers.google.com/apis/api/gmail.googleapis.com/overview?project=1"
    error = {"error": {"code": "api_disabled", "message": f"The Gmail API is not enabled. Enable it: {link}"}}
    await _acted(ward.shell, ActionState.FAILED, error, minutes=10)
    (line,) = await ward.told()
    assert line.startswith("✗ The Gmail API is not enabled.")
    assert link in line
    await _acted(ward.shell, ActionState.COMPLETED, {"output": {}}, minutes=5)
    assert await ward.told() == []


async def test_connections_that_end_after_a_week_are_told(ward: Ward) -> None:
    """The publishing status “Testing” is named, and where it is changed."""
    await _lived(ward.shell, timedelta(days=7, minutes=5))
    (line,) = await ward.told()
    assert line.startswith("! A connection ended seven days after connecting")
    assert "“Testing”" in line
    assert "https://console.cloud.google.com/auth/audience" in line


async def test_a_missing_key_is_told(ward: Ward) -> None:
    """Secrets that no configured key opens are counted, with the id of the key that is to be put back."""
    async with opened(ward.shell.settings(), owner=True) as base:
        secret = base.keyring.seal("tokens", bound_to=bound_to(TEAM, DANA, "google"))
        kept = Connection(
            team=TEAM, user=DANA, provider="google", account="1", email="", scopes=frozenset(), secret=secret
        )
        async with base.store.write() as work:
            await work.connections.save(kept, at=base.clock.now())
    (line,) = await ward.told(ENCRYPTION_KEYS=new_key())
    assert line.startswith(f"✗ ENCRYPTION_KEYS lacks the key {base.keyring.ids[0]}, and without it 1 secret cannot")


# The service account -------------------------------------------------------------------------------------------------


async def test_a_service_account_that_works_is_nothing_to_tell(ward: Ward) -> None:
    """Its key is taken, and it may act for somebody of the domain."""
    file = await ward.key_file()
    assert await ward.told(GOOGLE_SERVICE_ACCOUNT_FILE=file, GOOGLE_DELEGATED_DOMAINS="fernhill.example") == []


async def test_scopes_that_were_not_allowed_are_told(ward: Ward) -> None:
    """The client id and the scopes that the administrator has to enter."""
    await ward.admin("oauth", delegated=[MAIL_READ])
    file = await ward.key_file()
    (line,) = await ward.told(GOOGLE_SERVICE_ACCOUNT_FILE=file, GOOGLE_DELEGATED_DOMAINS="fernhill.example")
    assert line.startswith(f"✗ The service account {EMAIL} was not allowed this")
    assert "113000000000000000001" in line
    assert "gmail.compose" in line


@pytest.mark.parametrize("mode", [0o640, 0o604])
async def test_a_key_file_that_others_can_read_is_told(ward: Ward, mode: int) -> None:
    """Anyone who has it can act for everybody, whether they are of its group or not."""
    file = await ward.key_file()
    await asyncio.to_thread(os.chmod, file, mode)
    (line,) = await ward.told(GOOGLE_SERVICE_ACCOUNT_FILE=file, GOOGLE_DELEGATED_DOMAINS="fernhill.example")
    told = f"✗ Others can read {file}, which acts for all that its service account may. Run: chmod 600 {file}"
    assert line == told
    places = {"FIREBASE_PROJECT_ID": PROJECT, "FIREBASE_SERVICE_ACCOUNT_FILE": file}
    assert told in await ward.told(**places)


async def test_a_missing_key_file_is_told(ward: Ward) -> None:
    """The variable, the file and why."""
    (line,) = await ward.told(GOOGLE_SERVICE_ACCOUNT_FILE="nowhere.json", GOOGLE_DELEGATED_DOMAINS="a.org")
    assert line.startswith("✗ GOOGLE_SERVICE_ACCOUNT_FILE names nowhere.json, which cannot be used: No such file")


async def _acted(shell: Shell, state: ActionState, response: Mapping[str, object], *, minutes: int) -> None:
    """An action of a run that ended some minutes ago."""
    async with opened(shell.settings(), owner=True) as base, base.store.write() as work:
        ended = base.clock.now() - timedelta(minutes=minutes)
        asked, taken = run(state=RunState.COMPLETED), step()
        await work.threads.ensure(thread())
        await work.runs.add(asked)
        await work.steps.add(replace(taken, run_id=asked.id))
        tried = action(run_id=asked.id, step_id=taken.id, tool="gmail_search", state=state, ended_at=ended)
        await work.actions.add([replace(tried, response=response)])


async def _lived(shell: Shell, life: timedelta) -> None:
    """A connection that was found dead an hour ago, at this age."""
    async with opened(shell.settings(), owner=True) as base:
        clock = HandClock(base.clock.now() - timedelta(hours=1) - life)
        database = database_for(shell.settings().database_url)
        store = Store(database, keyring=base.keyring, clock=clock)
        for code in ("connection.connected", "connection.refused"):
            async with store.write() as work:
                await work.audit.record(AuditEvent(team=TEAM, code=AuditCode(code), actor=DANA))
            clock.advance(life.total_seconds())
        await database.dispose()


# Firebase -----------------------------------------------------------------------------------------------------------


async def test_firebase_is_tried(ward: Ward) -> None:
    """What works is nothing to tell; what is missing, not allowed or away is a line each with its cure."""
    places = {"FIREBASE_CERTS_URL": f"{ward.google}{CERTIFICATES}", "FIREBASE_API_URL": ward.google}
    whole = {**places, "FIREBASE_PROJECT_ID": PROJECT, "FIREBASE_SERVICE_ACCOUNT_FILE": await ward.key_file()}
    assert await ward.told(**whole) == []
    (line,) = await ward.told(**{**whole, "FIREBASE_SERVICE_ACCOUNT_FILE": ""})
    assert line.startswith("✗ FIREBASE_SERVICE_ACCOUNT_FILE is missing")
    (line,) = await ward.told(**{**whole, "FIREBASE_SERVICE_ACCOUNT_FILE": "nothing.json"})
    assert line.startswith("✗ FIREBASE_SERVICE_ACCOUNT_FILE names nothing.json")
    (line,) = await ward.told(**{**whole, "FIREBASE_API_URL": "http://127.0.0.1:9"})
    assert line.startswith("! Firebase could not be reached")
    await ward.admin("faults", kind="status", match={"path": LOOKUP}, status=403, body={}, times=1)
    (line,) = await ward.told(**whole)
    assert line.startswith("✗ Firebase does not let the service account look up accounts of playground-project")
