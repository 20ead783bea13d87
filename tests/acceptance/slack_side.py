"""What the tests of the Slack surface do and look at: acts, threads, the emulator's log, the store's rows."""

from __future__ import annotations

import asyncio
import io
import json
import sqlite3
import time
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, cast
from urllib.parse import urlencode

from pydantic import SecretStr

from bot.domain.questions import Question
from bot.domain.runs import Run, RunState
from playground.people import APP_ID, DANA, SIGNING_SECRET, TEAM_ID, Person
from playground.slack.webhooks import signature
from playground.world.references import PREFIX
from tests.acceptance.world import APPROVE, Json, World, button_ids, text_of
from tests.patience import PATIENCE_SECONDS

SALES, SHOW, FINANCE, WORKSHOP, GENERAL = "C0SALES", "C0SHOW", "C0FINANCE", "C0WORKSHOP", "C0GENERAL"
HELEN = "helen.marsh@marshgardens.example"
MAIL_HELEN = f"email {HELEN} that Thursday works"
REFERENCE = PREFIX
"""Every seeded mail, event and memory has a number that begins so."""
WORKING = frozenset({RunState.QUEUED, RunState.PLANNING, RunState.EXECUTING})


def send_mail(to: str, subject: str = "Benches") -> str:
    """An order to the scripted model: call gmail_send with exactly this."""
    return call("gmail_send", to=[to], subject=subject, body="They are ready.")


def call(tool: str, **args: object) -> str:
    """An order to the scripted model: call this tool. Orders in the arguments are for whom it calls."""
    told = json.dumps(args).replace("[[", r"\u005b\u005b").replace("]]", r"\u005d\u005d")
    return f"[[call: {tool} {told}]]"


# Acts -------------------------------------------------------------------------------------------------------------


async def act(here: World, name: str, **what: object) -> Json:
    """Somebody does something in Slack."""
    return await here.slack.post(f"/__act/{name}", what)


async def change(here: World, **settings: object) -> None:
    """Change the emulator's settings."""
    done = await here.slack.post("/__admin/settings", settings)
    assert done["ok"], done


async def press(here: World, person: Person, message: Json, action_id: str, **more: object) -> Json:
    """A click, with what came of it."""
    where = {"channel": message["channel"], "message_ts": message["ts"]}
    return await act(here, "click", user=person.user_id, action_id=action_id, **where, **more)


async def command(here: World, person: Person, text: str) -> str:
    """What `/agent` answers, as the person reads it; "" where it opens a window."""
    answer = await act(here, "command", user=person.user_id, channel=here.dm_of(person), command="/agent", text=text)
    assert answer["ok"], answer
    return answer["message"]["text"] if "message" in answer else ""


async def clicked_until_it_counts(here: World, person: Person, card: Json) -> None:
    """A person presses Approve until it was saved, as they are told to."""

    async def counted() -> bool:
        await here.click(person, card, APPROVE)
        return "question.decided" in await here.audit_codes()

    await here.until(counted, "a press that counts")


# What is to be seen -----------------------------------------------------------------------------------------------


async def replies(here: World, channel: str, root: str) -> list[Json]:
    """What the bot said in this thread, oldest first."""
    return [m for m in await here.bot_messages(channel) if m.get("thread_ts") == root]


async def reply_in(here: World, channel: str, root: str, words: str = "", *, count: int = 1) -> Json:
    """The newest message of the bot in this thread that says this, once there are so many and none still streams."""

    async def found() -> Json | None:
        said = [m for m in await replies(here, channel, root) if words.lower() in text_of(m).lower()]
        finished = all(m.get("streaming_state") != "in_progress" for m in said)
        return said[-1] if len(said) >= count and finished else None

    return await here.until(found, f"{count} message(s) with “{words}” below {root} in {channel}")


async def whispered(here: World, person: Person, words: str) -> Json:
    """A message only this person sees that says this."""

    async def found() -> Json | None:
        said = [one for one in await ephemerals(here, person) if words.lower() in text_of(one["message"]).lower()]
        return said[-1] if said else None

    return await here.until(found, f"“{words}” for {person.name} only")


async def ephemerals(here: World, person: Person) -> list[Json]:
    """What only this person sees."""
    return [one for one in (await here.slack.state())["ephemerals"] if one["user"] == person.user_id]


async def home(here: World, person: Person) -> Json | None:
    """The tab as it was published last."""
    return (await here.slack.state())["homes"].get(person.user_id)


async def views(here: World, person: Person) -> list[Json]:
    """The windows that are open before this person."""
    return await here.windows(person)


async def message_at(here: World, message: Json) -> Json:
    """The same message as it is now."""
    return next(m for m in await here.messages(message["channel"]) if m["ts"] == message["ts"])


async def final(here: World, card: Json, words: str) -> Json:
    """The card once it has no decision to make any more and says this."""

    async def found() -> Json | None:
        now = await message_at(here, card)
        return now if not button_ids(now) and words.lower() in text_of(now).lower() else None

    return await here.until(found, f"the card's final form with “{words}”")


# The wire ---------------------------------------------------------------------------------------------------------


async def calls(here: World, *methods: str) -> list[Json]:
    """The bot's calls of these methods (all without any), oldest first."""
    log = await here.slack.log()
    wanted = {f"/api/{method}" for method in methods}
    return [
        entry
        for entry in log
        if entry["path"].startswith("/api/") and (not wanted or entry["path"].partition("?")[0] in wanted)
    ]


async def statuses(here: World, channel: str, root: str) -> list[str]:
    """The session's statuses in the order in which the bot set them."""
    set_ = [entry["request"] for entry in await calls(here, "agents.sessions.setStatus")]
    return [one["status"] for one in set_ if (one["channel_id"], one["thread_ts"]) == (channel, root)]


async def payloads_to_channels(here: World) -> list[str]:
    """Everything that the bot sent to where more people than one can read it."""
    sent = [entry["request"] for entry in await calls(here)]
    return [json.dumps(one, ensure_ascii=False) for one in sent if _where(one).startswith(("C", "G"))]


async def payloads_to(here: World, channel: str) -> str:
    """Everything that the bot sent to this conversation, as one text."""
    sent = [entry["request"] for entry in await calls(here)]
    return "\n".join(json.dumps(one, ensure_ascii=False) for one in sent if _where(one) == channel)


def _where(request: Any) -> str:
    asked = cast("Json", request) if isinstance(request, dict) else {}
    return str(asked.get("channel") or asked.get("channel_id") or "")


async def delivered(here: World) -> None:
    """Wait until Slack got an acknowledgement for everything that it sent the bot."""

    async def all_acknowledged() -> bool:
        log = [entry for entry in await here.slack.log() if entry["method"] == "WS"]
        sent = [entry["request"]["envelope_id"] for entry in log if entry["direction"] == "out"]
        got = {entry["request"]["envelope_id"] for entry in log if entry["direction"] == "in"}
        return bool(sent) and sent[-1] in got and set(sent[-3:]) <= got

    await here.until(all_acknowledged, "the acknowledgement of everything")


# Rows -------------------------------------------------------------------------------------------------------------


async def runs_of(here: World, person: Person | str) -> Sequence[Run]:
    """The person's runs, oldest first."""
    user = person if isinstance(person, str) else person.user_id
    async with here.base.store.read() as work:
        return [*reversed(await work.runs.recent_of(TEAM_ID, user, limit=50))]


async def at_rest(here: World, person: Person, *, runs: int) -> Sequence[Run]:
    """The person's runs, once there are so many and none works."""

    async def rested() -> Sequence[Run]:
        found = await runs_of(here, person)
        return found if len(found) >= runs and not any(run.state in WORKING for run in found) else ()

    found = await here.until(rested, f"{runs} run(s) of {person.name} at rest")
    assert len(found) == runs
    return found


async def open_questions(here: World, person: Person) -> Sequence[Question]:
    """What waits for this person, oldest first."""
    async with here.base.store.read() as work:
        return [*reversed(await work.questions.open_of(TEAM_ID, person.user_id, limit=50))]


async def make_old(here: World, question: Question) -> None:
    """Let the question's time be over."""
    over = (question.created_at - timedelta(minutes=1)).strftime("%Y-%m-%d %H:%M:%S.%f")
    await _execute(here, "UPDATE questions SET expires_at = ? WHERE id = ?", over, question.id)


async def dead_letters(here: World) -> list[str]:
    """The kinds of deliveries that were given up."""
    return [row[0] for row in await _execute(here, "SELECT kind FROM outbox WHERE state = 'dead' ORDER BY id")]


async def _execute(here: World, statement: str, *values: str) -> list[Any]:
    def run() -> list[Any]:
        connection = sqlite3.connect(here.settings.sqlite_path, timeout=PATIENCE_SECONDS)
        try:
            with connection:
                return connection.execute(statement, values).fetchall()
        finally:
            connection.close()

    return await asyncio.to_thread(run)


# Slack over HTTP --------------------------------------------------------------------------------------------------


async def start_over_http(here: World) -> None:
    """Start the bot without Socket Mode, and have Slack call it."""
    await here.start_bot(slack_app_token=None, slack_signing_secret=SecretStr(SIGNING_SECRET))
    done = await here.slack.post("/__admin/http_delivery", {"url": events_url(here)})
    assert done["verified"]


def events_url(here: World) -> str:
    """Where the bot takes Slack's requests."""
    assert here.bot
    return f"{here.bot.url}/slack/events"


async def signed(here: World, body: str, *, kind: str = "application/json", at: int | None = None) -> tuple[int, str]:
    """Post this to the bot as Slack would; the status and the text of its answer."""
    when = str(at or int(time.time()))
    headers = {
        "content-type": kind,
        "x-slack-request-timestamp": when,
        "x-slack-signature": signature(SIGNING_SECRET, when, body),
    }
    async with here.slack.http.post(events_url(here), data=io.BytesIO(body.encode()), headers=headers) as answer:
        return answer.status, await answer.text()


async def forged_click(here: World, card: Json, action_id: str, **parts: str) -> int:
    """A click that Slack's client would not send any more, or never: signed all the same. The answer's status."""
    user, team = parts.get("user", DANA.user_id), parts.get("team", TEAM_ID)
    value = parts.get("value") or value_of(card, action_id)
    where = {"channel_id": parts.get("channel", card["channel"]), "message_ts": parts.get("ts", card["ts"])}
    payload: Json = {
        "type": "block_actions",
        "api_app_id": APP_ID,
        "team": {"id": team, "domain": "x"},
        "user": {"id": user, "team_id": team},
        "container": {"type": "message", **where},
        "channel": {"id": where["channel_id"]},
        "trigger_id": "1.2.3",
        "actions": [{"type": "button", "action_id": action_id, "block_id": "b", "value": value}],
    }
    body = urlencode({"payload": json.dumps(payload)})
    status, _ = await signed(here, body, kind="application/x-www-form-urlencoded")
    return status


def value_of(card: Json, action_id: str) -> str:
    """What this button of the card carries."""
    elements = [e for block in card["blocks"] if block["type"] == "actions" for e in block["elements"]]
    return next(element["value"] for element in elements if element["action_id"] == action_id)
