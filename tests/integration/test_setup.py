"""`countersign setup` against the emulators: by flags alone, a second time, and by a person at a terminal."""

from __future__ import annotations

import asyncio
import os
import pty
import re
import stat
import sys
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import pytest
from click.testing import CliRunner
from dotenv import dotenv_values

from bot.cli import main
from bot.settings import Settings
from playground.data_directory import MARK
from playground.google.firebase import CERTIFICATES, PROJECT
from playground.google.oauth.clients import CLIENT_ID, CLIENT_SECRET
from playground.people import APP_TOKEN, BOT_TOKEN
from playground.slack import openid
from tests.acceptance.world import World, world
from tests.patience import PATIENCE_SECONDS

ROOT = Path(__file__).parents[2]
SIGNING_SECRET = "0123456789abcdef0123456789abcdef"


@dataclass(frozen=True, slots=True, kw_only=True)
class Install:
    """A folder in which somebody installs, and where everybody is."""

    folder: Path
    places: dict[str, str]

    @property
    def written(self) -> dict[str, str | None]:
        return dotenv_values(self.folder / ".env")

    def environment(self, **more: str) -> dict[str, str]:
        return {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **self.places, **more}

    async def run(self, *arguments: str, stdin: str = "", **more: str) -> tuple[int, str]:
        """The status, and all that was said; there is no terminal."""
        clean = {name.upper(): None for name in Settings.model_fields}
        done = await asyncio.to_thread(
            CliRunner().invoke, main, ["setup", *arguments], input=stdin, env={**clean, **self.places, **more}
        )
        assert isinstance(done.exception, SystemExit | None), done.output
        return done.exit_code, done.output

    def secret(self, name: str, text: str) -> str:
        """A file with a secret."""
        path = self.folder / name
        path.write_text(f"{text}\n", encoding="utf-8")
        path.chmod(0o600)
        return str(path)

    def enough(self, *, without: str = "--nothing") -> list[str]:
        """The flags that suffice, but for this one."""
        secrets = {"--slack-bot-token": BOT_TOKEN, "--slack-app-token": APP_TOKEN, "--gemini-api-key": "playground"}
        files = {f"{flag}-file": self.secret(flag.lstrip("-"), text) for flag, text in secrets.items()}
        left_out = f"{without.removesuffix('-file')}-file"
        return [word for flag, path in files.items() if flag != left_out for word in (flag, path)]


@pytest.fixture
async def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Install]:
    """An empty folder, and the emulators."""
    (tmp_path / "world").mkdir()
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    async with world(tmp_path / "world") as made:
        yield Install(folder=tmp_path / "here", places=_places(made))


def _places(here: World) -> dict[str, str]:
    return {
        "SLACK_API_URL": f"{here.slack.url}/api/",
        "GOOGLE_GEMINI_BASE_URL": here.gemini.url,
        "GOOGLE_OAUTH_TOKEN_URL": f"{here.google.url}/token",
        "GOOGLE_OAUTH_AUTH_URL": f"{here.google.url}/o/oauth2/v2/auth",
        "FIREBASE_CERTS_URL": f"{here.google.url}{CERTIFICATES}",
        "FIREBASE_API_URL": here.google.url,
    }


# By flags alone ------------------------------------------------------------------------------------------------------


async def test_flags_are_enough(install: Install) -> None:
    """Without a terminal all is checked, a key is made, the file is for its owner only, and the doctor is content."""
    status, said = await install.run(
        *install.enough(),
        *("--google-client-id", CLIENT_ID, "--google-client-secret-file", install.secret("g", CLIENT_SECRET)),
    )
    assert status == 0, said
    assert "manifest_yaml=" not in said  # there is an app already: its tokens were given
    for good in ("✓ Slack accepts it", "✓ Slack opens a connection", "✓ Gemini answers", "✓ Google knows the client"):
        assert good in said
    assert "   http://localhost:8080/oauth/google/callback\n" in said
    assert "   https://www.googleapis.com/auth/gmail.modify\n" in said
    assert "✓ Ready: countersign run" in said
    written = install.written
    key = written.pop("ENCRYPTION_KEYS")
    assert key is not None
    assert len(key) == 44
    assert written == {
        "SLACK_BOT_TOKEN": BOT_TOKEN,
        "SLACK_APP_TOKEN": APP_TOKEN,
        "GEMINI_API_KEY": "playground",
        "GOOGLE_CLIENT_ID": CLIENT_ID,
        "GOOGLE_CLIENT_SECRET": CLIENT_SECRET,
        "PUBLIC_URL": "http://localhost:8080",
        "DATABASE_URL": "sqlite+aiosqlite:///countersign.db",
    }
    assert stat.S_IMODE((install.folder / ".env").stat().st_mode) == 0o600
    for secret in (BOT_TOKEN, APP_TOKEN, CLIENT_SECRET, key):
        assert secret not in said


async def test_what_is_missing_is_named_with_its_flag(install: Install) -> None:
    """Without a terminal nobody is asked: each missing flag is named, status 2, and nothing is written."""
    status, said = await install.run()
    assert status == 2
    for flag in ("--slack-bot-token-file", "--slack-app-token-file", "--gemini-api-key-file"):
        assert f"✗ {flag} is missing (or " in said
    status, said = await install.run("--slack", "http", SLACK_BOT_TOKEN=BOT_TOKEN, GEMINI_API_KEY="k")
    assert status == 2
    for flag in ("--slack-signing-secret-file", "--public-url"):
        assert f"✗ {flag} is missing (or " in said
    assert not (install.folder / ".env").exists()


async def test_a_second_time_keeps_what_was_there(install: Install) -> None:
    """The answers of the file are its defaults, unknown lines stay, the key stays, and one flag changes one line."""
    path = install.folder / ".env"
    path.write_text("# mine\nAGENT_MAX_LOOP_STEPS=3\n", encoding="utf-8")
    assert (await install.run(*install.enough()))[0] == 0
    before = path.read_text(encoding="utf-8")
    assert before.startswith("# mine\nAGENT_MAX_LOOP_STEPS=3\n")
    assert (await install.run())[0] == 0
    assert path.read_text(encoding="utf-8") == before
    status, _ = await install.run("--gemini-api-key-file", "-", stdin="another-key\n")
    assert status == 0
    assert path.read_text(encoding="utf-8") == before.replace("=playground", "=another-key")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--slack-bot-token", "xoxp-1"], "✗ --slack-bot-token is wrong: it must start with xoxb-"),
        (["--slack-bot-token", "xoxb-of-somebody-else"], "✗ Slack does not accept --slack-bot-token (invalid_auth)"),
        (["--slack-app-token", "xapp-of-somebody-else"], "✗ Slack does not accept --slack-app-token"),
        (
            ["--slack", "http", "--public-url", "http://agent.example.com"],
            "✗ --public-url is wrong: it must begin with https://",
        ),
        (["--slack", "http", "--public-url", "https://a.example.com", "--slack-signing-secret", "x"], "hexadecimal"),
        (["--google-client-id", "nobody", "--google-client-secret", "x"], "Google does not know --google-client-id"),
        (
            ["--google-client-id", CLIENT_ID, "--google-client-secret", "wrong"],
            "Google does not know --google-client-id",
        ),
        (
            [
                *("--google-client-id", CLIENT_ID, "--google-client-secret", CLIENT_SECRET),
                *("--public-url", "https://agent.example.com"),
            ],
            "has no redirect URI https://agent.example.com/oauth/google/callback",
        ),
        (["--database", "postgresql://nobody@127.0.0.1:9/none"], "✗ --database names postgresql://nobody@127"),
        (["--database", "mysql://x/y"], "✗ --database is wrong: it must be sqlite+aiosqlite:///"),
        (
            ["--gemini-api-key", "a", "--gemini-api-key-file", "b"],
            "Give --gemini-api-key or",
        ),
        (["--slack-bot-token-file", "nowhere"], "--slack-bot-token-file names nowhere, which cannot be read"),
    ],
)
async def test_a_wrong_answer_is_named(install: Install, arguments: list[str], why: str) -> None:
    """Whether it can be seen or only its receiver can tell: the variable and the cure, status 2, nothing written."""
    more = {"SLACK_SIGNING_SECRET": SIGNING_SECRET} if "http" in arguments else {}
    status, said = await install.run(*install.enough(without=arguments[0]), *arguments, **more)
    assert (status, why in said) == (2, True), said
    assert not (install.folder / ".env").exists()


async def test_all_that_can_be_seen_to_be_wrong_is_told_at_once(install: Install) -> None:
    """Before anybody is asked: each by the flag that was typed, or by where else it stands."""
    wrong = ("--slack-bot-token", "xoxp-1", "--public-url", "http://agent.example.com", "--database", "mysql://x/y")
    status, said = await install.run(*install.enough(without="--slack-bot-token"), *wrong, HTTP_PORT="many")
    assert status == 2
    blamed = re.findall("✗ (.+) is wrong: ", said)
    assert sorted(blamed) == ["--database", "--public-url", "--slack-bot-token", "HTTP_PORT in the environment"]


async def test_a_wrong_answer_is_blamed_on_where_it_stands(install: Install) -> None:
    """The environment, or the file of an earlier time: there it is to be changed."""
    less = install.enough(without="--slack-bot-token")
    status, said = await install.run(*less, SLACK_BOT_TOKEN="xoxp-1")
    assert (status, "✗ SLACK_BOT_TOKEN in the environment is wrong: it must start" in said) == (2, True), said
    (install.folder / ".env").write_text("SLACK_BOT_TOKEN=xoxp-1\n", encoding="utf-8")
    status, said = await install.run(*less)
    assert (status, "✗ SLACK_BOT_TOKEN in .env is wrong: it must start" in said) == (2, True), said


async def test_the_playgrounds_database_is_not_taken(install: Install) -> None:
    """A DATABASE_URL that still leads into the demo is refused, and neither it nor its key gets into the file."""
    (install.folder / MARK).touch()
    (install.folder / "countersign.db.key").write_text("the demo's")
    status, said = await install.run(*install.enough(), DATABASE_URL="sqlite+aiosqlite:///countersign.db")
    assert status == 2
    assert "a playground's, which its next start deletes" in said
    assert "stays there" not in said
    assert not (install.folder / ".env").exists()


async def test_somebody_who_is_away_is_told(install: Install) -> None:
    """A Slack that cannot be reached is no wrong token; without checks the answers are taken as they are."""
    away = {"SLACK_API_URL": "http://127.0.0.1:9/api/"}
    status, said = await install.run(*install.enough(), **away)
    assert status == 2
    assert re.search("Slack could not be reached .* Or skip the checks with --no-checks", said)
    status, said = await install.run(*install.enough(), "--no-checks", **away)
    assert status == 0, said
    assert install.written["SLACK_BOT_TOKEN"] == BOT_TOKEN


async def test_over_http_there_is_no_app_token(install: Install) -> None:
    """The link has the public address in it, and an app token of before is taken out, or it would win."""
    assert (await install.run(*install.enough()))[0] == 0
    status, said = await install.run(
        *("--slack", "http", "--public-url", "https://agent.example.com"),
        *("--slack-signing-secret-file", "-"),
        stdin=SIGNING_SECRET,
    )
    assert status == 0, said
    assert "agent.example.com%2Fslack%2Fevents" in said
    assert install.written["SLACK_APP_TOKEN"] == ""
    assert install.written["SLACK_SIGNING_SECRET"] == SIGNING_SECRET


# Over HTTP -----------------------------------------------------------------------------------------------------------

SLACK_CLIENT = ["--slack-client-id", openid.CLIENT_ID, "--slack-client-secret", openid.CLIENT_SECRET]
AT = ["--public-url", "https://agent.example.com"]


async def _key_file(install: Install) -> str:
    """A service account's key, as Google's console gives it."""
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"{install.places['FIREBASE_API_URL']}/__admin/service_account") as answer,
    ):
        return install.secret("firebase.json", await answer.text())


async def test_signing_in_over_http_is_checked_and_written(install: Install) -> None:
    """Both ways, the product's name and the pages elsewhere; the doctor says that the API is on."""
    firebase = ["--firebase-project-id", PROJECT, "--firebase-service-account-file", await _key_file(install)]
    pages = ["--http-application", "Fernhill Desk", "--http-origins", "https://app.example.com"]
    status, said = await install.run(*install.enough(), *AT, *SLACK_CLIENT, *firebase, *pages)
    assert status == 0, said
    assert "   https://agent.example.com/auth/slack/callback\n" in said
    assert "✓ Slack knows the client" in said
    assert "✓ Firebase lets the service account look up accounts" in said
    assert "✓ HTTP API: on at https://agent.example.com, for people who are signed in with Slack or Firebase" in said
    assert (
        install.written.items()
        >= {
            "SLACK_CLIENT_ID": openid.CLIENT_ID,
            "SLACK_CLIENT_SECRET": openid.CLIENT_SECRET,
            "FIREBASE_PROJECT_ID": PROJECT,
            "FIREBASE_SERVICE_ACCOUNT_FILE": firebase[-1],
            "FIREBASE_SESSION_COOKIE": "__session",
            "HTTP_APPLICATION": "Fernhill Desk",
            "HTTP_ORIGINS": "https://app.example.com",
            "PUBLIC_URL": "https://agent.example.com",
        }.items()
    )
    before = install.written
    assert (await install.run())[0] == 0
    assert install.written == before


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (
            [*AT, "--slack-client-id", "1.2", "--slack-client-secret", "x"],
            "does not know --slack-client-id with --slack",
        ),
        ([*AT, "--slack-client-id", "1.2"], "✗ --slack-client-secret-file is missing (or "),
        (SLACK_CLIENT, "✗ --public-url is missing (or "),
        ([*AT, *SLACK_CLIENT, "--http-origins", "app.example.com"], "✗ --http-origins is wrong: write https:// before"),
        ([*AT, "--firebase-project-id", PROJECT], "✗ --firebase-service-account-file is missing (or "),
        (
            [*AT, "--firebase-project-id", PROJECT, "--firebase-service-account-file", "nowhere.json"],
            "✗ --firebase-service-account-file names nowhere.json",
        ),
    ],
)
async def test_a_wrong_way_of_signing_in_is_named(install: Install, arguments: list[str], why: str) -> None:
    """As every other answer: by its flag, status 2, nothing written."""
    status, said = await install.run(*install.enough(), *arguments)
    assert (status, why in said) == (2, True), said
    assert not (install.folder / ".env").exists()


async def test_firebase_may_be_asked_with_the_account_that_google_is(install: Install) -> None:
    """It needs none of its own then, and is checked with that one."""
    whose = {"GOOGLE_SERVICE_ACCOUNT_FILE": await _key_file(install), "GOOGLE_DELEGATED_DOMAINS": "fernhill.example"}
    status, said = await install.run(*install.enough(), *AT, "--firebase-project-id", PROJECT, **whose)
    assert status == 0, said
    assert "✓ Firebase lets the service account look up accounts" in said
    assert "FIREBASE_SERVICE_ACCOUNT_FILE" not in install.written
    whose |= {"FIREBASE_API_URL": "http://127.0.0.1:9"}
    status, said = await install.run(*install.enough(), *AT, "--firebase-project-id", PROJECT, **whose)
    assert (status, "Firebase could not be reached" in said) == (2, True), said


async def test_slack_leads_back_to_https_only(install: Install) -> None:
    """An address with which people could not sign in is none for it."""
    slack = {"SLACK_API_URL": "https://slack.example/api/"}
    local = ["--public-url", "http://127.0.0.1:8080"]
    status, said = await install.run(*install.enough(), *local, *SLACK_CLIENT, "--no-checks", **slack)
    assert (status, "✗ --public-url is wrong: Slack leads browsers back to https" in said) == (2, True), said
    assert not (install.folder / ".env").exists()


async def test_a_firebase_that_is_away_is_told(install: Install) -> None:
    """It is no right answer, as little as a Slack that is away."""
    firebase = ["--firebase-project-id", PROJECT, "--firebase-service-account-file", await _key_file(install)]
    away = {"FIREBASE_API_URL": "http://127.0.0.1:9"}
    status, said = await install.run(*install.enough(), *AT, *firebase, **away)
    assert (status, "Firebase could not be reached" in said) == (2, True), said
    assert not (install.folder / ".env").exists()


# At a terminal -------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Terminal:
    """A person's terminal with the command in it."""

    process: int
    handle: int
    said: str = ""
    read: int = 0

    async def answer(self, question: str, typed: str) -> None:
        """Wait for these words, then type."""
        await self.sees(question)
        os.write(self.handle, f"{typed}\n".encode())

    async def sees(self, words: str) -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while (at := self.said.find(words, self.read)) < 0:
                self.said += await asyncio.to_thread(self._more)
        self.read = at + len(words)

    async def status(self) -> int:
        """How the command ended."""
        _, ended = await asyncio.to_thread(os.waitpid, self.process, 0)
        os.close(self.handle)
        return os.waitstatus_to_exitcode(ended)

    def _more(self) -> str:
        try:
            return re.sub(r"\x1b\[[0-9;]*m", "", os.read(self.handle, 65536).decode(errors="replace"))
        except OSError as error:  # the other side is gone
            raise AssertionError(f"It ended after: {self.said[-600:]}") from error


async def test_a_person_is_asked_question_by_question(install: Install) -> None:
    """Secrets are not shown, a wrong answer is told and asked again, and the next time Enter keeps everything."""
    (install.folder / "data").mkdir()
    terminal = _at_a_terminal(install)
    await terminal.answer("How? (socket/http) [socket]: ", "")
    await terminal.answer("Bot User OAuth Token (xoxb-…): ", "xoxb-wrong")
    await terminal.sees("✗ Slack does not accept SLACK_BOT_TOKEN")
    await terminal.answer("Bot User OAuth Token (xoxb-…): ", BOT_TOKEN)
    await terminal.answer("App-Level Token (xapp-…): ", APP_TOKEN)
    await terminal.answer("Gemini API key: ", "playground")
    await terminal.answer("Over HTTP? (no/slack/firebase/both) [no]: ", "")
    await terminal.answer("Google OAuth client ID (- for none) (Enter: none): ", "")
    await terminal.answer("Database: a file for SQLite, or postgresql://", "data/my.db")
    await terminal.sees("✓ Ready: countersign run")
    assert await terminal.status() == 0
    assert BOT_TOKEN not in terminal.said
    assert "xoxb-wrong" not in terminal.said
    before = install.written
    assert before["DATABASE_URL"] == "sqlite+aiosqlite:///data/my.db"

    terminal = _at_a_terminal(install)
    await terminal.answer("How? (socket/http) [socket]: ", "")
    await terminal.answer(f"Bot User OAuth Token (xoxb-…) [xoxb-…{BOT_TOKEN[-4:]}]: ", "")
    await terminal.answer(f"App-Level Token (xapp-…) [xapp-…{APP_TOKEN[-4:]}]: ", "")
    await terminal.answer("Gemini API key […]: ", "")
    await terminal.answer("Over HTTP? (no/slack/firebase/both) [no]: ", "slack")
    await terminal.answer("Address of this server, as people reach it: ", "https://agent.example.com")
    await terminal.sees("   https://agent.example.com/auth/slack/callback")
    await terminal.answer("Client ID of the Slack app: ", "1.2")
    await terminal.answer("Client Secret of the Slack app: ", openid.CLIENT_SECRET)
    await terminal.sees("✗ Slack does not know SLACK_CLIENT_ID")
    await terminal.answer("Client ID of the Slack app [1.2]: ", openid.CLIENT_ID)
    await terminal.answer("]: ", "")  # the secret was right
    await terminal.answer("Name of your product, as people read it in Slack (- for none) (Enter: none): ", "Desk")
    await terminal.answer("Other addresses whose pages may use it", "")
    await terminal.answer("Google OAuth client ID", "")
    await terminal.answer("[sqlite+aiosqlite:///data/my.db]: ", "")
    await terminal.sees("✓ Ready: countersign run")
    assert await terminal.status() == 0
    over_http = {
        "SLACK_CLIENT_ID": openid.CLIENT_ID,
        "SLACK_CLIENT_SECRET": openid.CLIENT_SECRET,
        "HTTP_APPLICATION": "Desk",
    }
    assert install.written == {**before, **over_http, "PUBLIC_URL": "https://agent.example.com"}
    assert openid.CLIENT_SECRET not in terminal.said

    terminal = _at_a_terminal(install)
    for _ in range(4):
        await terminal.answer("]: ", "")
    await terminal.answer("Over HTTP? (no/slack/firebase/both) [slack]: ", "no")
    await terminal.answer("Google OAuth client ID", "")
    await terminal.answer("[sqlite+aiosqlite:///data/my.db]: ", "")
    await terminal.sees("✓ HTTP API: off")
    assert await terminal.status() == 0
    assert install.written == {
        **before,
        **dict.fromkeys(["SLACK_CLIENT_ID", "SLACK_CLIENT_SECRET"], ""),
        "HTTP_APPLICATION": "Desk",
        "PUBLIC_URL": "https://agent.example.com",
    }


async def test_a_wrong_google_client_is_asked_for_again(install: Install) -> None:
    """Google does not say whether the ID or the secret is wrong: both are asked for, Enter keeps what was typed, and
    without an ID there is no client.
    """
    id_again, secret_again = "Google OAuth client ID (- for none) [nobody]: ", "Its client secret […]: "
    terminal = _at_a_terminal(install, *install.enough())
    await terminal.answer("How? (socket/http) [socket]: ", "")
    await terminal.answer("Over HTTP?", "")
    await terminal.answer("Google OAuth client ID (- for none) (Enter: none): ", "nobody")
    await terminal.answer("Address of this server, as people reach it [http://localhost:8080]: ", "")
    await terminal.answer("Its client secret: ", "wrong")
    await terminal.sees("✗ Google does not know GOOGLE_CLIENT_ID with GOOGLE_CLIENT_SECRET")
    await terminal.answer(id_again, "")
    await terminal.answer(secret_again, CLIENT_SECRET)
    await terminal.sees("✗ Google does not know GOOGLE_CLIENT_ID")
    await terminal.answer(id_again, CLIENT_ID)
    await terminal.answer("Its client secret [", "")
    await terminal.answer("Database: ", "")
    await terminal.sees("✓ Ready: countersign run")
    assert await terminal.status() == 0
    assert install.written["GOOGLE_CLIENT_ID"] == CLIENT_ID
    assert install.written["GOOGLE_CLIENT_SECRET"] == CLIENT_SECRET
    (install.folder / ".env").unlink()
    terminal = _at_a_terminal(install, *install.enough(), "--public-url", "http://localhost:8080")
    await terminal.answer("How? (socket/http) [socket]: ", "")
    await terminal.answer("Over HTTP?", "")
    await terminal.answer("Google OAuth client ID (- for none) (Enter: none): ", "nobody")
    await terminal.answer("Its client secret: ", "wrong")
    await terminal.answer(id_again, "-")
    await terminal.answer("Database: ", "")
    await terminal.sees("✓ Ready: countersign run")
    assert await terminal.status() == 0
    assert not install.written.get("GOOGLE_CLIENT_ID")
    assert not install.written.get("GOOGLE_CLIENT_SECRET")


@pytest.mark.deep
async def test_going_away_writes_nothing(install: Install) -> None:
    """Ctrl-C at a question ends it at once, with a sentence."""
    terminal = _at_a_terminal(install)
    await terminal.answer("How? (socket/http) [socket]: ", "")
    await terminal.answer("Bot User OAuth Token (xoxb-…): ", BOT_TOKEN)
    await terminal.sees("App-Level Token (xapp-…): ")
    os.write(terminal.handle, b"\x03")
    await terminal.sees("✗ Ended before the last question. Nothing was written")
    assert await terminal.status() == 130
    assert os.listdir(install.folder) == []


def _at_a_terminal(install: Install, *flags: str) -> Terminal:
    """The command in a process of its own, a terminal of its own as its input and output."""
    process, handle = pty.fork()
    if process == 0:
        os.chdir(install.folder)
        os.execve(sys.executable, [sys.executable, "-m", "bot.cli", "setup", *flags], install.environment(TERM="xterm"))
    return Terminal(process, handle)
