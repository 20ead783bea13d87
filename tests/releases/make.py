"""Makes the filled databases that a release is remembered by: `python -m tests.releases.make 0_2_0`.

Run once by hand when a release is made, and never again for it: what was written then is what people have. The real bot
works between the emulators until every table has rows and something waits of each kind; then it stops, and its database
is written down as SQL, for SQLite and for PostgreSQL.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import SecretStr

from bot.clock import SystemClock
from bot.secrets import key_file
from bot.slack.views import ids
from playground.people import DANA, JONAS, LUIS, MARA, PRIYA, Person
from tests.acceptance.browser import link_for
from tests.acceptance.request import ask
from tests.acceptance.slack_side import call, open_questions, send_mail
from tests.acceptance.world import APPROVE, DATABASE, HURRIED, Json, World, button_ids, world
from tests.postgres import postgres_server
from tests.releases.database import FOLDER, postgresql_script, sqlite_script

OTHER_BRUNO = "Bruno Marchetti <bruno@marchettimarmi.example>"
HELEN = "helen.marsh@marshgardens.example"
HURRIED_BUT_HELD = replace(HURRIED, longest_hold=timedelta.max)


async def _happens(here: World) -> None:
    """Dana, Mara, Priya, Jonas and Luis each leave something that waits."""
    await _works_and_waits(here, DANA)
    await _works_and_waits(here, MARA)
    await _asks_which_one(here, PRIYA)
    await _leaves_in_doubt(here, JONAS)
    await _leaves_google(here, LUIS)
    await _sealed(here)


async def _works_and_waits(here: World, person: Person) -> None:
    """Some finished requests, a rule, a mail for later, and a mail whose card nobody pressed."""
    for order in (
        call("gmail_search", query="in:inbox", limit=3),
        call("save_memory", text="Helen prefers mornings."),
        call("reminder_set", text="Water the oak.", at="2031-03-03T09:00"),
        call("briefing_schedule", at="08:00"),
    ):
        await (await ask(here, person, order)).told_all()
    await here.command(person, f"allow {HELEN}")
    await _approved_for_later(here, person)
    await (await ask(here, person, send_mail(HELEN, "Benches"))).card(APPROVE)


async def _approved_for_later(here: World, person: Person) -> None:
    at = SystemClock().now() + timedelta(days=30)
    request = await ask(
        here, person, call("gmail_send", to=[HELEN], subject="Tea", body="?", send_at=f"{at:%Y-%m-%d}T10:00")
    )
    await here.click(person, await request.card(APPROVE), APPROVE)

    async def held() -> Json | None:
        shown = await here.bot_messages(here.dm_of(person))
        return next((message for message in shown if ids.HELD_NOW in button_ids(message)), None)

    await here.until(held, "the mail that waits")


async def _asks_which_one(here: World, person: Person) -> None:
    """A tool's question: two people are called Bruno."""
    other = {"from": OTHER_BRUNO, "to": [person.email], "subject": "Marble", "text": "Hello"}
    await here.google.post("/__admin/mail", other)
    await ask(here, person, call("find_person", name="Bruno"))

    async def asked() -> bool:
        return bool(await open_questions(here, person))

    await here.until(asked, "the question")


async def _leaves_in_doubt(here: World, person: Person) -> None:
    """A mail of which Google does not say whether it left."""
    request = await ask(here, person, send_mail(HELEN, "Chairs"))
    card = await request.card(APPROVE)
    await here.google.fault("drop_before", path="/drafts/send")
    await here.google.fault("error", path="gmail.users.drafts.get", times=-1, status=500, error="backendError")
    await here.click(person, card, APPROVE)
    await request.card("question_happened")
    await here.mend()


async def _leaves_google(here: World, person: Person) -> None:
    """A grant that could not be given back, an attempt to connect, and a request that needs an account."""
    await here.command(person, "disconnect google")
    await link_for(here, person)
    await (await ask(here, person, call("gmail_search", query="in:inbox"))).card(ids.CONNECT)


async def _sealed(here: World) -> None:
    """Wait until every entry of the log has its place."""

    async def sealed() -> bool:
        async with here.base.store.read() as work:
            return await work.audit.oldest_unsealed() is None

    await here.until(sealed, "the sealing of the log")


@asynccontextmanager
async def _played(url: str | None = None) -> AsyncGenerator[tuple[World, str]]:
    """The world after everything happened, with the bot stopped, and the key of its database."""
    with TemporaryDirectory() as folder:
        async with world(Path(folder)) as here:
            (key,), google = key_file(Path(folder, f"{DATABASE}.key"), make=False), here.google.url
            await here.start_bot(
                timings=HURRIED_BUT_HELD,
                database_url=url or here.settings.database_url,
                encryption_keys=SecretStr(key),
                agent_question_hours=72,
                agent_requests_per_minute=600,
                public_url="http://127.0.0.1:0",
                google_oauth_auth_url=f"{google}/o/oauth2/v2/auth",
                google_oauth_revoke_url="http://127.0.0.1:9/revoke",  # nobody is there: the grant waits
            )
            for person in (MARA, DANA, JONAS, PRIYA, LUIS):
                await here.connect(person)
            await _happens(here)
            await here.stop_bot()
            yield here, key


async def _main(release: str) -> None:
    target = FOLDER / f"v{release}"
    target.mkdir(exist_ok=True)
    async with _played() as (here, key):
        (target / "key").write_text(key + "\n", encoding="ascii")
        (target / "sqlite.sql").write_text(sqlite_script(here.settings.sqlite_path), encoding="utf-8")
    with postgres_server() as server, server.database(migrated=False) as url:
        async with _played(url) as (_, again):
            assert again == key, "both were adopted by this process"
            (target / "postgresql.sql").write_text(postgresql_script(server, url), encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1]))
