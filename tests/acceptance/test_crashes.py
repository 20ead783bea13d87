"""kill -9 at the worst moments: what was asked is answered once, what was approved happens once, and the log verifies.

The emulators run in this process, the bot in one of its own. After each test the emulators' logs are compared with the
database.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from playground.environment import CLIENT_SECRET, SLACK_CLIENT_SECRET
from playground.people import APP_TOKEN, BOT_TOKEN, DANA
from tests.acceptance.browser import browser
from tests.acceptance.mortal import QUICK, BotProcesses, Mortal
from tests.acceptance.world import APPROVE, DATABASE, World, button_ids, text_of

SEND = '[[call: gmail_send {"to": ["helen.marsh@marshgardens.example"], "subject": "Benches", "body": "Ready."}]]'
DM = "D0DANA"


@pytest.fixture
async def mortal(idle_world: World, tmp_path: Path, bot_processes: BotProcesses) -> AsyncGenerator[Mortal]:
    made = Mortal(idle_world, tmp_path, bot_processes)
    try:
        yield made
    finally:
        await made.stop()


async def _sent_once(mortal: Mortal) -> None:
    """The mail is out, the run has answered, and everything agrees."""
    await mortal.here.until(lambda: mortal.here.sent(DANA), "the mail")
    await mortal.audited("run.completed")
    await mortal.settle_accounts()
    assert len(await mortal.here.sent(DANA)) == 1


GEMINI_KEY, SIGNING_SECRET = "canary-of-the-model-1d0b", "c" + "a" * 30 + "e"


async def test_security_input_60_no_secret_is_left_anywhere(mortal: Mortal) -> None:
    """A card outlives the process: approved after a restart, the mail is sent once. After that, and trouble at each
    provider, no secret is in a log, in the database, in what commands print or in what Slack got; nor is anything that
    only the browser of somebody has who signed in to the HTTP API. A secret that the model says is replaced, streamed
    and at the end, and audited.
    """
    mortal.variables = {"GEMINI_API_KEY": GEMINI_KEY, "SLACK_SIGNING_SECRET": SIGNING_SECRET}
    await mortal.start()
    await mortal.here.gemini.fault("http_500", times=1)
    await mortal.here.google.fault("drop_after", path="drafts/send")
    card = await mortal.here.card_for(DANA, SEND)
    await mortal.restart()
    await mortal.here.click(DANA, card, APPROVE)
    signed_in = await _signed_in_and_refused(mortal)
    await _sent_once(mortal)
    assert await mortal.here.gemini.no_fault()
    assert await mortal.here.google.no_fault()
    assert _found(mortal, await _left_behind(mortal), signed_in) == []

    await mortal.here.say(DANA, f"[[model: text=So it is {GEMINI_KEY}, and no other]]")
    await mortal.here.answer_in(DM, "and no other")
    await mortal.audited("secret.withheld")
    received = json.dumps([entry["request"] for entry in await mortal.here.slack.log() if entry["direction"] == "in"])
    assert GEMINI_KEY not in received.replace(f"[[model: text=So it is {GEMINI_KEY}", "")
    assert "So it is [redacted], and no other" in received


async def _signed_in_and_refused(mortal: Mortal) -> list[str]:
    """Dana signs in with Slack, at the second try, and is refused over HTTP: all that only their browser has of it, the
    cookies of the way and of the session, and what each way had in its address.
    """
    said = (mortal.folder / f"bot-{mortal.births}.log").read_text(encoding="utf-8")
    url = next(json.loads(line)["url"] for line in said.splitlines() if line.startswith('{"ready"'))
    await mortal.here.slack.fault("ok_false", path="/api/openid.connect.token", error="internal_error", times=1)
    kept: list[str] = []
    async with browser() as tab:
        for status in (503, 200):
            page = await tab.get(f"{url}/auth/slack")
            away = await tab.submit(page, "/auth/slack", [*page.hidden().items(), ("do", "sign_in")])
            kept += [one.value for one in tab.http.cookie_jar]
            asked = await tab.get(away.leads_to)
            back = await tab.submit(asked, away.leads_to, [("person", DANA.user_id)])
            asks, brings = (parse_qs(urlsplit(one.leads_to).query) for one in (away, back))
            kept += [*asks["state"], *asks["nonce"], *brings["code"]]
            assert (await tab.get(back.leads_to)).status == status
        kept += [one.value for one in tab.http.cookie_jar]
        async with tab.http.get(f"{url}/api/agent/run/run_x") as answer:
            assert answer.status == 404
        async with tab.http.post(f"{url}/api/agent/run", json={"prompt": "x"}) as answer:
            assert answer.status == 403
    assert len(set(kept)) == 9, "two cookies of the way, two ways of three values, and the session"
    return kept


async def _left_behind(mortal: Mortal) -> dict[str, str]:
    """All that a run leaves: logs, the database's files, what commands print, and what Slack got, by its name."""
    log = [entry["request"] for entry in await mortal.here.slack.log() if "openid" not in entry["path"]]
    left = {"Slack": json.dumps(log, ensure_ascii=False)}
    for path in mortal.folder.iterdir():
        if path.suffix != ".key":
            left[path.name] = path.read_bytes().decode("utf-8", "replace")
    [run] = mortal.rows("SELECT id FROM runs")
    for arguments in (["audit", "export"], ["runs", "show", run["id"]], ["runs", "show", run["id"], "--json"]):
        ended = await mortal.bot_processes.command(mortal.folder, *arguments, **mortal.environment())
        assert ended.status == 0
        left[" ".join(arguments)] = ended.said + ended.complained
    return left


def _found(mortal: Mortal, left: Mapping[str, str], more: Sequence[str]) -> list[tuple[str, str]]:
    """Which secret stands where."""
    account = [f"1//playground-{DANA.handle}", f"ya29.playground-{DANA.handle}"]
    keys = (mortal.folder / f"{DATABASE}.key").read_text(encoding="ascii").split()
    secrets = [BOT_TOKEN, APP_TOKEN, CLIENT_SECRET, SLACK_CLIENT_SECRET, GEMINI_KEY, SIGNING_SECRET, *account, *keys]
    secrets += more
    return [(name, secret) for name, text in left.items() for secret in secrets if secret.rstrip("=") in text]


async def test_killed_between_arrival_and_acknowledgement(mortal: Mortal) -> None:
    """An event that was not saved was not acknowledged: it comes again and is answered once."""
    await mortal.start()
    with closing(sqlite3.connect(mortal.folder / DATABASE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        await mortal.here.say(DANA, "[[model: text=I am here.]]")
        await mortal.here.until(
            mortal.here.slack.log, "the event", when=lambda log: any(e["path"] == "/link/event/message.im" for e in log)
        )
        await mortal.kill()
    await mortal.start()
    await mortal.audited("run.completed")
    await mortal.settle_accounts()


async def test_killed_after_the_commit_with_the_acknowledgement_lost(mortal: Mortal) -> None:
    """An event that was saved and comes again, because its acknowledgement was lost, is answered once."""
    await mortal.start()
    await mortal.here.slack.fault("lose_ack", path="event/message.im")
    await mortal.here.say(DANA, "[[model: text=I am here.]]")
    await mortal.audited("run.queued")
    await mortal.restart()
    await mortal.audited("run.completed")
    await mortal.settle_accounts()


async def test_killed_between_claim_and_effect(mortal: Mortal) -> None:
    """A claim whose effect never began is found not done, and the mail is sent once."""
    await mortal.start(halt="claimed")
    await mortal.here.click(DANA, await mortal.here.card_for(DANA, SEND), APPROVE)
    await mortal.audited("action.claimed")
    await mortal.kill()
    assert await mortal.here.sent(DANA) == []
    await mortal.start()
    await _sent_once(mortal)
    await mortal.audited("action.claimed", times=2)


@pytest.mark.parametrize(
    ("request_path", "code"), [("/drafts", "action.not_done"), ("/drafts/send", "action.reconciled")]
)
async def test_killed_in_the_middle_of_the_effect(mortal: Mortal, request_path: str, code: str) -> None:
    """Google did what it was asked and the answer never arrived: the mail is found or goes on, and is out once."""
    await mortal.start()
    card = await mortal.here.card_for(DANA, SEND)
    await mortal.here.google.fault("hold", path=f"*users/me{request_path}?*", seconds=3)
    await mortal.here.click(DANA, card, APPROVE)
    await mortal.here.until(
        mortal.here.google.log, "the effect", when=lambda log: any(f"users/me{request_path}?" in e["path"] for e in log)
    )
    await mortal.restart()
    await _sent_once(mortal)
    await mortal.audited(code)


async def test_killed_right_after_the_click(mortal: Mortal) -> None:
    """What was acknowledged is done, however soon afterwards the process ends."""
    await mortal.start()
    done = await mortal.here.click(DANA, await mortal.here.card_for(DANA, SEND), APPROVE)
    assert done["acked"]
    await mortal.restart()
    await _sent_once(mortal)


async def test_killed_while_streaming(mortal: Mortal) -> None:
    """Half an answer is replaced by the whole one."""
    await mortal.start()
    await mortal.here.gemini.fault("hang_midstream", after=20, seconds=5)
    await mortal.here.say(DANA, "[[model: long=2000]]")
    await mortal.row("SELECT ts FROM posts WHERE streaming")
    assert [m for m in await mortal.here.messages(DM) if m.get("streaming_state") == "in_progress"]
    await mortal.restart()
    await mortal.audited("run.completed")
    await mortal.settle_accounts()
    assert len(await mortal.here.bot_messages(DM)) == 1


async def test_killed_while_the_card_is_posted(mortal: Mortal) -> None:
    """Slack took the card and its answer never arrived: the card is found again, not posted twice."""
    await mortal.start()
    await mortal.here.slack.fault("hold", path="chat.postMessage", seconds=3)
    card = await mortal.here.card_for(DANA, SEND)
    await mortal.restart()
    await mortal.here.click(DANA, card, APPROVE)
    await _sent_once(mortal)
    assert len([m for m in await mortal.here.bot_messages(DM) if "Send this mail" in str(m)]) == 1


async def test_killed_again_and_again(mortal: Mortal) -> None:
    """With the process killed at whatever moment comes, each of several requests is done and answered once."""
    await mortal.start()
    for subject in ("One", "Two", "Three"):
        await mortal.here.say(DANA, SEND.replace("Benches", subject))
    clicked: set[str] = set()
    for life in range(5):
        for card in await mortal.here.cards(DM):
            if (await mortal.here.click(DANA, card, APPROVE)).get("acked"):
                clicked.add(card["ts"])
        await mortal.kill()
        await mortal.start(ready=life % 2 == 0)
    for card in await mortal.here.card_in(DM, count=3 - len(clicked)):
        await mortal.here.click(DANA, card, APPROVE)
    await mortal.audited("run.completed", times=3)
    await mortal.settle_accounts()
    assert len(await mortal.here.sent(DANA)) == 3


async def test_an_attempt_that_is_held_back_afterwards_and_undone(mortal: Mortal) -> None:
    """Approved, claimed and cut off; the vote is over by then, and the level autonomous now, so that it is held back
    and undone: nothing was sent, and the log verifies.
    """
    mortal.timings = {**QUICK, "hold_seconds": 60.0}
    await mortal.start(halt="claimed")
    await mortal.here.click(DANA, await mortal.here.card_for(DANA, SEND), APPROVE)
    await mortal.audited("action.claimed")
    await mortal.kill()
    await mortal.here.tamper("UPDATE users SET level = 'autonomous' WHERE user = ?", DANA)
    await mortal.here.tamper(
        "UPDATE workspaces SET guard = 'off' WHERE team = (SELECT team FROM users WHERE user = ?)", DANA
    )
    await mortal.here.tamper("UPDATE actions SET approval = replace(approval, '\"20', '\"19') WHERE user = ?", DANA)
    await mortal.start()
    held = await mortal.here.message(DM, lambda m: "held_undo" in button_ids(m), "the message with Undo")
    await mortal.here.click(DANA, held, "held_undo")
    await mortal.here.message(DM, lambda m: "Undone. Nothing was sent." in text_of(m), "the end of it")
    await mortal.at_rest()
    assert not (await mortal.verified()).problems
    assert await mortal.here.sent(DANA) == []
