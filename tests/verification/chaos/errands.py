"""More scenes: accounts, drafts, reminders and briefings, with what people press on what these show them."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Awaitable, Callable, Mapping
from email.message import EmailMessage

import aiohttp

from playground.people import DANA, JONAS, LUIS, MARA, PRIYA, Person
from tests.acceptance.browser import LINK, browser
from tests.acceptance.world import APPROVE, Json, World, text_of
from tests.verification.chaos.play import HELEN, READY, Play, Scene, call, either, far_from_now, pressing, send
from tests.verification.chaos.stage import PATIENCE_SECONDS

CONNECT, SAVE_DRAFT, UNDO, SNOOZE, OPEN = "account_connect", "card_variant_1", "undo", "alarm_hour", "briefing_open"
CONFIRM = "question_confirm"
_LOOK_SECONDS = 0.1


async def connected(play: Play) -> None:
    """A mail of somebody who has no account: he connects one in his browser, and is asked about the mail then."""
    subject, here = play.name("Account"), play.stage.here
    play.stage.change("""DELETE FROM connections WHERE "user" = ?""", LUIS.user_id)
    await here.google.post("/__admin/grants", {"person": LUIS.handle, "do": "forget"})
    await play.say(LUIS, send(subject))
    play.wanted.mails.add(subject)
    play.wanted.connections += 1
    tried: set[str] = set()
    has_one = _more(play, """SELECT team FROM connections WHERE "user" = ?""", LUIS.user_id)
    await _until(has_one, lambda: _go_through(play, tried))
    await play.tend(LUIS, pressing({subject: APPROVE}))


async def _go_through(play: Play, tried: set[str]) -> None:
    """Follow the link in the window, once; where there is none, or where it leads nowhere any more, ask for one."""
    here = play.stage.here
    for view in (await here.slack.state())["views"].get(LUIS.user_id, []):
        for url in set(LINK.findall(str(view))) - tried:
            tried.add(url)
            await _through(url)
            return
        await play.act("close", user=LUIS.user_id, view_id=view["id"], clear=True)
        return
    await _press_newest(play, LUIS, CONNECT)


async def _through(url: str) -> None:
    """All the way, or as far as somebody answers."""
    async with browser() as tab:
        try:
            await tab.through(url, "both", person=LUIS.handle)
        except (aiohttp.ClientError, AssertionError, KeyError):
            return


async def drafted(play: Play) -> None:
    """A draft, approved."""
    subject = play.name("Draft")
    await play.say(MARA, call("gmail_draft_create", to=[HELEN], subject=subject, body=READY[1]))
    play.wanted.drafts.add(subject)
    await play.tend(MARA, pressing({subject: APPROVE}))


async def draft_sent(play: Play) -> None:
    """A draft that its owner wrote in Gmail, sent as it stands."""
    subject = play.name("Kept")
    draft_id = await _written(play.stage.here, JONAS, subject)
    await play.say(JONAS, call("gmail_draft_send", draft_id=draft_id))
    play.wanted.mails.add(subject)
    play.wanted.sent_drafts[draft_id] = subject
    await play.tend(JONAS, pressing({subject: APPROVE}))


async def _written(here: World, person: Person, subject: str) -> str:
    mail = EmailMessage()
    mail["To"], mail["Subject"] = HELEN, subject
    mail.set_content(READY[1])
    raw = base64.urlsafe_b64encode(mail.as_bytes()).decode()
    headers = {"authorization": f"Bearer ya29.playground-{person.handle}"}
    url = f"{here.google.url}/gmail/v1/users/me/drafts"
    async with here.google.http.post(url, json={"message": {"raw": raw}}, headers=headers) as answer:
        assert answer.status == 200, await answer.text()
        return (await answer.json())["id"]


async def approved_otherwise(play: Play) -> None:
    """A mail that is approved as a draft, by what its card offers besides."""
    subject = play.name("Otherwise")
    await play.say(PRIYA, send(subject))
    play.wanted.drafts.add(subject)
    play.wanted.no_mails.add(subject)
    await play.tend(PRIYA, either(subject, SAVE_DRAFT))


async def unplanned(play: Play) -> None:
    """A reminder that is taken back at once."""
    what = play.name("Oil the oak")
    await play.say(JONAS, f"remind me every day at {far_from_now(JONAS)} to {what}")
    play.wanted.planned[what] = 0
    await play.tend(JONAS)
    undone = _more(play, "SELECT id FROM actions WHERE undo = 'undone'")
    await _until(undone, lambda: _press_newest(play, JONAS, UNDO))
    await play.tend(JONAS)


async def snoozed(play: Play) -> None:
    """A reminder whose owner wants to hear of it again in an hour."""
    what = play.name("Water the elm")
    await play.say(LUIS, f"remind me every day at {far_from_now(LUIS)} to {what}")
    play.wanted.alarms.add(what)
    play.wanted.planned[what] = 2
    await play.tend(LUIS)
    play.make_due(what)
    answered = _more(play, "SELECT id FROM audit WHERE code = 'alarm.answered'")
    await _until(answered, lambda: _press_newest(play, LUIS, SNOOZE, what))
    await play.tend(LUIS)


async def briefed(play: Play) -> None:
    """A briefing, and one of its mails that is to be shown."""
    await play.say(DANA, "brief me")
    play.wanted.briefings += 1
    await play.tend(DANA)
    begun = _more(play, "SELECT id FROM runs WHERE source_key LIKE ?", "briefing:%")
    await _until(begun, lambda: _press_newest(play, DANA, OPEN))
    await play.tend(DANA)


async def delegated(play: Play) -> None:
    """Work that is given to two agents of one step, beside a mail that is approved."""
    subject, nothing = play.name("Beside"), list[str]()
    result = {"summary": "Quiet.", "meetings": nothing, "waiting": nothing, "next_week": nothing}
    hand_over = call("complete_task", review=result)
    tasks = [
        call("week_review", first_day=call("gmail_search", query=f"in:inbox {play.number}", limit=2) + hand_over),
        call("week_review", first_day=hand_over),
    ]
    await play.say(JONAS, send(subject) + "".join(tasks))
    play.wanted.mails.add(subject)
    play.wanted.tasks += len(tasks)
    await play.tend(JONAS, pressing({subject: APPROVE}))


async def polished(play: Play) -> None:
    """The steps of a flow, one after another; the last one asks whether its draft is to be saved."""
    subject, text = play.name("Bench"), "Does Thursday suit you?"
    await play.stage.here.google.post(
        "/__admin/mail", {"from": f"Helen <{HELEN}>", "to": [JONAS.email], "subject": subject, "text": text}
    )
    await play.say(JONAS, f"Polish my reply to Helen's mail about {subject}: thursday suits us well")
    play.wanted.drafts.add(f"Re: {subject}")
    play.wanted.tasks += 4
    await play.tend(JONAS, pressing({subject: APPROVE}))


async def plan(play: Play) -> None:
    """A plan of two tasks, which is confirmed: a fact is remembered, and a draft is saved once it is approved."""
    subject, fact = play.name("Trellis"), play.name("The trellis is made of oak")
    await play.stage.here.google.post(
        "/__admin/mail", {"from": f"Helen <{HELEN}>", "to": [MARA.email], "subject": subject, "text": "Is it ready?"}
    )
    await play.say(MARA, f"Plan: remember that {fact}; draft a reply to Helen's mail about {subject}: it is ready")
    play.wanted.memories.add(f"{fact}.")
    play.wanted.drafts.add(f"Re: {subject}")
    play.wanted.tasks += 2
    await play.tend(MARA, pressing({"Is this the plan?": CONFIRM, subject: APPROVE}))


def _more(play: Play, query: str, *values: object) -> Callable[[], bool]:
    """Whether there is one more than now."""
    before = len(play.stage.rows(query, *values))
    return lambda: len(play.stage.rows(query, *values)) > before


async def _until(is_there: Callable[[], bool], do: Callable[[], Awaitable[None]]) -> None:
    """People do it again as long as nothing came of it."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not is_there():
            await do()
            await asyncio.sleep(_LOOK_SECONDS)


async def _press_newest(play: Play, person: Person, action: str, word: str = "") -> None:
    """The first button of this kind on the newest message that has one, and says this."""
    where = play.stage.here.dm_of(person)
    for message in reversed(await play.stage.messages()):
        if message["channel"] == where and word in text_of(message) and (block := _block_with(message, action)):
            body = {"user": person.user_id, "channel": where, "message_ts": message["ts"], "action_id": action}
            play.wanted.clicks += 1
            await play.act("click", **body, block_id=block)
            return


def _block_with(message: Json, action: str) -> str:
    blocks = [block for block in message.get("blocks", []) if block["type"] == "actions"]
    return next((block["block_id"] for block in blocks if any(e["action_id"] == action for e in block["elements"])), "")


_ERRANDS = (connected, drafted, draft_sent, approved_otherwise, unplanned, snoozed, briefed, delegated, polished, plan)
ERRANDS: Mapping[str, Scene] = {scene.__name__: scene for scene in _ERRANDS}
