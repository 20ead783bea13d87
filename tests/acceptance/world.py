"""The whole world in one process: the three emulators over real sockets, and the real bot between them."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import aiohttp
from pydantic import SecretStr
from starlette.applications import Starlette

from bot.llm.transport import Retries, Timeouts
from bot.settings import Settings
from bot.store.unit_of_work import UnitOfWork
from bot.wiring.app import Bot, running
from bot.wiring.store import Base, connections, opened
from bot.wiring.timings import Timings
from integrations.grants import Tokens
from playground.adoption import SCOPES
from playground.environment import Addresses
from playground.gemini.app import build as build_gemini
from playground.google.app import build as build_google
from playground.people import APP_TOKEN, BOT_TOKEN, BOT_USER_ID, COLLEAGUES, TEAM_ID, Person
from playground.serve import Served
from playground.slack.emulator import build as build_slack
from playground.slack.settings import Settings as SlackSettings
from policies.loader import Policy
from tests import slack_methods
from tests.patience import PATIENCE_SECONDS

Json = dict[str, Any]
T = TypeVar("T")
DATABASE = "countersign.db"
IDLE_SECONDS = 2.0
"""How long a connection is used again: shorter than the bot keeps one, which would close it under the next request."""
APPROVE, REJECT, CONFIRM = "question_approve", "question_reject", "card_confirm"


async def _no_wait(seconds: float) -> None:
    """Waits that are counted and not waited."""
    del seconds
    await asyncio.sleep(0)


AT_ONCE = timedelta(0)
PATIENT = Timings(leaving=0.2, longest_hold=AT_ONCE, patience_seconds=PATIENCE_SECONDS)
"""The product's patience with others, but not with what still runs when a test is over; nothing is held back. What a
person does is saved, however busy the machine is with other tests.
"""

HURRIED = Timings(
    leaving=0.2,
    longest_hold=AT_ONCE,
    patience_seconds=PATIENCE_SECONDS,
    model_retries=Retries(first_delay=0.01, longest_delay=0.02),
    google_sleep=_no_wait,
    settling_sleep=_no_wait,
)
"""For a bot that is to give up soon; for a model it has the product's patience."""


def hurried_model(seconds: float) -> Timings:
    """For a model that says nothing for so long: it is not waited for any longer."""
    return replace(HURRIED, model_timeouts=Timeouts(first=seconds, idle=seconds, total=10.0))


SOON_AGAIN = SlackSettings(ack_seconds=15.0, trigger_seconds=PATIENCE_SECONDS, retries=20, retry_seconds=0.0)
"""Slack waits three seconds for an answer and for a window; here it waits for a machine that is busy with other tests.
What a bot did not save, or one that stands still did not take, it brings again at once after that.
"""


Opening = Callable[["World"], Awaitable[None]]
"""How a world's bot is started."""


@dataclass(slots=True)
class Emulator:
    """One emulator, over HTTP."""

    url: str
    http: aiohttp.ClientSession

    async def get(self, path: str) -> Json:
        async with self.http.get(f"{self.url}{path}") as answer:
            return await answer.json(content_type=None)

    async def post(self, path: str, body: Mapping[str, object] | None = None) -> Json:
        async with self.http.post(f"{self.url}{path}", json=body or {}) as answer:
            return await answer.json()

    async def state(self) -> Json:
        return await self.get("/__admin/state")

    async def log(self) -> list[Json]:
        return (await self.get("/__admin/log"))["entries"]

    async def no_fault(self) -> bool:
        """Whether every fault that was asked for has happened."""
        return not (await self.get("/__admin/faults"))["faults"]

    async def fault(
        self, kind: str, *, path: str = "", method: str = "", contains: str = "", times: int = 1, **more: object
    ) -> None:
        given = {"path": path, "method": method, "contains": contains}
        match = {name: value for name, value in given.items() if value}
        await self.post("/__admin/faults", {"match": match, "kind": kind, "times": times, **more})

    async def mend(self) -> None:
        """Remove all faults; answers that are held are sent now."""
        await self.http.delete(f"{self.url}/__admin/faults")


@dataclass(slots=True)
class World:
    """Emulators, settings for the bot, and the people who talk to it."""

    slack: Emulator
    google: Emulator
    gemini: Emulator
    settings: Settings
    first_settings: Settings
    _stack: contextlib.AsyncExitStack = field(default_factory=contextlib.AsyncExitStack)
    bot: Bot | None = None
    seeded: frozenset[str] = frozenset()

    # The bot --------------------------------------------------------------------------------------------------

    @property
    def addresses(self) -> Addresses:
        """Where a bot of another process finds the emulators."""
        return Addresses(slack=self.slack.url, google=self.google.url, gemini=self.gemini.url)

    async def start_bot(
        self, *, timings: Timings | None = None, policy: Policy | None = None, **overrides: object
    ) -> Bot:
        self.settings = self.settings.model_copy(update=overrides)
        self.bot = await self._stack.enter_async_context(
            running(self.settings, timings=timings or PATIENT, policy=policy)
        )
        return self.bot

    async def start_public(self) -> None:
        """Start a bot where people can connect accounts."""
        await self.start_bot(
            public_url="http://127.0.0.1:0",
            google_oauth_auth_url=f"{self.google.url}/o/oauth2/v2/auth",
            google_oauth_revoke_url=f"{self.google.url}/revoke",
            google_oauth_certs_url=f"{self.google.url}/oauth2/v1/certs",
        )

    async def stop_bot(self) -> None:
        self.bot = None
        await self._stack.aclose()
        self._stack = contextlib.AsyncExitStack()

    async def begin_again(self, folder: Path) -> None:
        """The emulators as seeded, and a bot that is not started, with a fresh database in this folder."""
        await self.stop_bot()
        slack_methods.remember(await self.slack.log())
        for emulator in (self.slack, self.google, self.gemini):
            await emulator.post("/__admin/reset")
        self.settings = self.first_settings.model_copy(update={"database_url": _database_in(folder)})
        await _adopt(self.settings, folder)
        await self.look_around()

    async def look_around(self) -> None:
        """Remember what was sent before anything happens here."""
        people = (await self.google.state())["people"].values()
        self.seeded = frozenset(each["id"] for person in people for each in (*person["sent"], *person["events"]))

    async def mend(self) -> None:
        """No fault waits any more."""
        for emulator in (self.slack, self.google, self.gemini):
            await emulator.mend()

    # Google ---------------------------------------------------------------------------------------------------

    async def connect(self, person: Person, *, scopes: Sequence[str] = SCOPES) -> None:
        """Connect this person's account as at the beginning."""
        await self.google.post("/__admin/grants", {"person": person.handle, "do": "restore", "scopes": None})
        await connect(self.base, person, scopes)

    async def disconnect(self, person: Person) -> None:
        """Nobody ever connected an account for this person."""
        await self.tamper("DELETE FROM connections WHERE user = ?", person)

    async def forget(self, *people: Person) -> None:
        """The same, and Google knows of no grant of theirs."""
        for person in people:
            await self.disconnect(person)
            await self.google.post("/__admin/grants", {"person": person.handle, "do": "forget"})

    async def tamper(self, statement: str, person: Person) -> None:
        """Change the bot's database behind its back, for one person."""

        def change() -> None:
            connection = sqlite3.connect(self.settings.sqlite_path, timeout=PATIENCE_SECONDS)
            with contextlib.closing(connection) as database, database:
                database.execute(statement, (person.user_id,))

        await asyncio.to_thread(change)

    async def drafts(self, person: Person) -> list[Json]:
        """The drafts that this person has now."""
        return (await self.google.state())["people"][person.handle]["drafts"]

    async def event(self, person: Person, title: str) -> Json:
        """The first event with this title in the person's calendar."""
        events = (await self.google.state())["people"][person.handle]["events"]
        return next(event for event in events if event.get("summary") == title)

    async def change_event(self, person: Person, event: Json, change: Mapping[str, object]) -> None:
        """The person changes an event in Google Calendar."""
        url = f"{self.google.url}/calendar/v3/calendars/primary/events/{event['id']}"
        headers = {"authorization": f"Bearer ya29.playground-{person.handle}"}
        async with self.google.http.patch(url, json=change, headers=headers) as answer:
            assert answer.status == 200, await answer.text()

    @property
    def base(self) -> Base:
        assert self.bot is not None
        return self.bot.base

    async def read(self, look: Callable[[UnitOfWork], Awaitable[T]]) -> T:
        """What stands in the bot's rows."""
        async with self.base.store.read() as work:
            return await look(work)

    # People ---------------------------------------------------------------------------------------------------

    def dm_of(self, person: Person) -> str:
        return f"D0{person.user_id.removeprefix('U0')}"

    async def say(self, person: Person, text: str, *, channel: str | None = None, **more: object) -> Json:
        where = channel or self.dm_of(person)
        return await self.slack.post("/__act/message", {"user": person.user_id, "channel": where, "text": text, **more})

    async def mention(self, person: Person, channel: str, text: str, **more: object) -> Json:
        return await self.say(person, f"<@{BOT_USER_ID}> {text}", channel=channel, **more)

    async def click(self, person: Person, message: Json, action_id: str) -> Json:
        body = {
            "user": person.user_id,
            "channel": message["channel"],
            "message_ts": message["ts"],
            "action_id": action_id,
        }
        return await self.slack.post("/__act/click", body)

    async def command(self, person: Person, text: str) -> str:
        body = {"user": person.user_id, "channel": self.dm_of(person), "command": "/agent", "text": text}
        return json.dumps(await self.slack.post("/__act/command", body), ensure_ascii=False)

    async def windows(self, person: Person) -> list[Json]:
        """The modals that are open before this person, the last one on top."""
        return (await self.slack.state())["views"].get(person.user_id, [])

    async def act_alone(self, person: Person) -> str:
        """The person chooses `autonomous` and says yes to the warning; what the window said before that."""
        await self.command(person, "trust autonomous")
        [window] = await self.until(lambda: self.windows(person), "the window that asks for a yes")
        top = {"user": person.user_id, "view_id": window["id"]}
        await self.slack.post("/__act/submit", top)
        await self.slack.post("/__act/close", top)
        return text_of(window)

    # What is to be seen ---------------------------------------------------------------------------------------

    async def messages(self, channel: str) -> list[Json]:
        found = (await self.slack.state())["messages"].get(channel, [])
        return [{**message, "channel": channel} for message in found]

    async def cards(self, channel: str) -> list[Json]:
        """Messages with a way to yes, oldest first."""
        return [message for message in await self.messages(channel) if {APPROVE, CONFIRM} & button_ids(message)]

    async def bot_messages(self, channel: str) -> list[Json]:
        return [m for m in await self.messages(channel) if m.get("user") == BOT_USER_ID or m.get("bot_id")]

    async def sent(self, person: Person) -> list[Json]:
        """What this person sent since the world began."""
        mails = (await self.google.state())["people"][person.handle]["sent"]
        return [mail for mail in mails if mail["id"] not in self.seeded]

    async def audit_codes(self) -> list[str]:
        async with self.base.store.read() as work:
            return [entry.code for entry in await work.audit.page(after=0, limit=10_000)]

    async def audited(self, code: str) -> None:
        """Wait for an entry with this code."""
        await self.until(self.audit_codes, f"the audit entry {code}", when=lambda codes: code in codes)

    async def until(
        self, what: Callable[[], Awaitable[T]], why: str = "it", *, when: Callable[[T], object] = bool
    ) -> Any:
        """Wait until `what` is true, or is as `when` wants it, and give it back."""
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                while not when(found := await what()):
                    await asyncio.sleep(0.05)
                return found
        except TimeoutError:
            raise AssertionError(f"{why} did not happen in {PATIENCE_SECONDS} s: {await self._told()}") from None

    async def _told(self) -> str:
        said = (await self.slack.state())["messages"]
        return json.dumps({channel: [text_of(m)[:300] for m in ms[-4:]] for channel, ms in said.items() if ms})[-3000:]

    async def message(self, channel: str, fits: Callable[[Json], object], why: str) -> Json:
        """The newest message of the bot in this channel that fits, once there is one."""

        async def fitting() -> list[Json]:
            return [message for message in await self.bot_messages(channel) if fits(message)]

        return (await self.until(fitting, why))[-1]

    async def card_in(self, channel: str, *, count: int = 1) -> list[Json]:
        return await self.until(
            lambda: self.cards(channel), f"{count} card(s) in {channel}", when=lambda cards: len(cards) >= count
        )

    async def card_for(self, person: Person, text: str) -> Json:
        """Say this to the bot; the only card in the person's direct messages that it made since."""
        said, dm = await self.say(person, text), self.dm_of(person)

        async def made() -> list[Json]:
            return [card for card in await self.cards(dm) if card["ts"] > said["ts"]]

        (card,) = await self.until(made, f"a card in {dm}")
        return card

    async def answer_in(self, channel: str, words: str) -> Json:
        return await self.message(
            channel, lambda m: words.lower() in text_of(m).lower(), f"an answer with “{words}” in {channel}"
        )


def button_ids(message: Json) -> set[str]:
    return {
        element.get("action_id", "")
        for block in message.get("blocks", [])
        if block["type"] == "actions"
        for element in block["elements"]
    }


def text_of(message: Json) -> str:
    """Everything that a message says, blocks included."""
    return message.get("text", "") + "\n" + json.dumps(message.get("blocks", []), ensure_ascii=False)


@contextlib.asynccontextmanager
async def world(folder: Path, *, slack_settings: SlackSettings | None = None) -> AsyncGenerator[World]:
    """Emulators and a bot that is not started yet; the colleagues' accounts are adopted."""
    async with contextlib.AsyncExitStack() as stack:
        plain = {"accept-encoding": "identity"}  # packing what goes over loopback takes longer than sending it
        fresh = aiohttp.TCPConnector(keepalive_timeout=IDLE_SECONDS)
        http = await stack.enter_async_context(aiohttp.ClientSession(headers=plain, connector=fresh))
        slack_app = build_slack(slack_settings or SOON_AGAIN)
        urls = await stack.enter_async_context(_served(slack_app, build_google(), build_gemini(0.0)))
        slack_url, google_url, gemini_url = urls
        settings = Settings(
            slack_bot_token=SecretStr(BOT_TOKEN),
            slack_app_token=SecretStr(APP_TOKEN),
            slack_api_url=f"{slack_url}/api/",
            gemini_api_key=SecretStr("playground-key"),
            google_gemini_base_url=gemini_url,
            google_api_root_url=google_url,
            google_oauth_token_url=f"{google_url}/token",
            google_client_id="playground-client",
            google_client_secret=SecretStr("playground-secret"),
            database_url=_database_in(folder),
            http_port=0,
            agent_requests_per_minute=0,  # tests are faster than people
        )
        await _adopt(settings, folder)
        made = World(*(Emulator(url, http) for url in urls), settings=settings, first_settings=settings)
        await made.look_around()
        try:
            yield made
        finally:
            await made.stop_bot()
            slack_methods.remember(await made.slack.log())


def _database_in(folder: Path) -> str:
    return f"sqlite+aiosqlite:///{folder}/{DATABASE}"


@contextlib.asynccontextmanager
async def _served(*apps: Starlette) -> AsyncGenerator[list[str]]:
    """Served side by side: the end of each waits for its server's next tick."""
    servers = [Served(app) for app in apps]
    try:
        yield await asyncio.gather(*(server.__aenter__() for server in servers))
    finally:
        await asyncio.gather(*(server.__aexit__(None, None, None) for server in servers))


@cache
def _adopted() -> dict[str, bytes]:
    """The files of a fresh database with the colleagues' accounts, made once for all worlds of this process."""
    return {}


async def _adopt(settings: Settings, folder: Path) -> None:
    if not _adopted():
        await _adopt_all(settings)
        _keep(folder)
    _lay_out(folder)


def _keep(folder: Path) -> None:
    _adopted().update({path.name: path.read_bytes() for path in folder.glob(f"{DATABASE}*")})


def _lay_out(folder: Path) -> None:
    for name, content in _adopted().items():
        (folder / name).touch(mode=0o600)
        (folder / name).write_bytes(content)


async def _adopt_all(settings: Settings) -> None:
    async with opened(settings, owner=True) as base:
        for person in COLLEAGUES:
            await connect(base, person)


async def connect(base: Base, person: Person, scopes: Sequence[str] = SCOPES) -> None:
    """Keep this person's tokens of the emulator, as if the account had been connected."""
    tokens = Tokens(access_token=f"ya29.playground-{person.handle}", refresh_token=f"1//playground-{person.handle}")
    await connections(base).adopt(
        TEAM_ID, person.user_id, account=person.google_sub, email=person.email, scopes=scopes, tokens=tokens
    )
