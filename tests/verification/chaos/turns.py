"""More scenes: what people do besides answering a card: stop, try again, edit, ask again, delete, settle, plan."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from playground.people import DANA, JONAS, LUIS, MARA, PRIYA
from tests.acceptance.world import APPROVE, Json, World, button_ids, text_of
from tests.verification.chaos.errands import ERRANDS
from tests.verification.chaos.play import (
    HAPPENED,
    HELEN,
    ONCE_MORE,
    Play,
    Scene,
    call,
    either,
    far_from_now,
    pressing,
    send,
)

EDIT, TRY_AGAIN, ASK_AGAIN = "card_edit", "run_try_again", "question_ask_again"
_CARD = "SELECT q.id FROM questions q JOIN actions a ON a.id = q.action_id WHERE q.state = 'open' AND a.args LIKE ?"
_FIRED = """
SELECT n FROM (SELECT count(*) AS n FROM schedules WHERE last_fired IS NOT NULL) AS fired WHERE n >= ?
"""
_LOOK_SECONDS = 0.1


async def stopped(play: Play) -> None:
    """A request whose owner says stop while its card waits."""
    subject, root = await play.mail(MARA, "Stopped", leaves=False)
    await play.until(_CARD, f"%{subject}%")
    await play.stage.here.say(MARA, "stop", thread_ts=root)
    await play.tend(MARA)


async def deleted(play: Play) -> None:
    """A request that is deleted while its card waits."""
    subject, root = await play.mail(LUIS, "Deleted", leaves=False)
    await play.until(_CARD, f"%{subject}%")
    await play.act("delete", user=LUIS.user_id, channel=play.stage.here.dm_of(LUIS), ts=root)
    await play.tend(LUIS)


async def tried_again(play: Play) -> None:
    """A request for which there is no model, and then there is one."""
    subject, here = play.name("Again"), play.stage.here
    await here.gemini.fault("daily_quota", times=-1)
    root = await play.say(PRIYA, send(subject))
    play.wanted.mails.add(subject)
    play.wanted.retried.add((here.dm_of(PRIYA), root))
    await play.until("SELECT id FROM runs WHERE state = 'failed' AND source_key LIKE ?", f"%{root}")
    await here.mend()
    pressed = pressing({subject: APPROVE})

    async def decide(message: Json) -> str | None:
        under = message.get("thread_ts") == root
        return TRY_AGAIN if under and TRY_AGAIN in button_ids(message) else await pressed(message)

    await play.tend(PRIYA, decide)


async def edited(play: Play) -> None:
    """A card whose owner writes something else into it."""
    old, new = play.name("Before"), play.name("After")
    await play.say(DANA, send(old))
    play.wanted.no_mails.add(old)
    play.wanted.mails.add(new)
    play.wanted.letters[new] = (HELEN, "Changed.")
    await play.until(_CARD, f"%{old}%")
    async with asyncio.timeout(60):
        while not play.stage.rows(_CARD, f"%{new}%"):
            await _fill_in(play, old, new)
            await asyncio.sleep(_LOOK_SECONDS)
    await play.tend(DANA, pressing({new: APPROVE}))


async def _fill_in(play: Play, old: str, new: str) -> None:
    """Press Edit as long as there is no form of this card, else fill it in; away with that of a card before it, which
    stands there yet if nobody was alive to close it.
    """
    views = (await play.stage.here.slack.state())["views"].get(DANA.user_id, [])
    if views and old not in str(views[-1]):
        await play.act("close", user=DANA.user_id, view_id=views[-1]["id"], clear=True)
        return
    if views:
        values = {name: {"field": {"value": text}} for name, text in (("subject", new), ("body", "Changed."))}
        await play.act("submit", user=DANA.user_id, view_id=views[-1]["id"], values=values)
        return
    for message in await play.stage.messages():
        if EDIT in button_ids(message) and old in text_of(message):
            await play.press(DANA, message, EDIT)


async def asked_again(play: Play) -> None:
    """A card that nobody answers, is asked again, and approved."""
    subject, _ = await play.mail(JONAS, "Awake")
    await play.until(_CARD, f"%{subject}%")
    play.expire(subject)
    await play.tend(JONAS, either(subject, APPROVE, ASK_AGAIN))


async def settled(play: Play) -> None:
    """A mail of which Google does not say whether it left: its owner looks, and says that it did; if it did not, the
    owner tries again. Google speaks again when it is tried a second time.
    """
    subject, here = play.name("Doubt"), play.stage.here
    pressed = either(subject, HAPPENED, APPROVE)

    async def decide(message: Json) -> str | None:
        action = await pressed(message)
        return action if action != HAPPENED or await _has_left(here, subject) else ONCE_MORE

    await play.say(MARA, send(subject))
    play.wanted.mails.add(subject)
    await play.until(_CARD, f"%{subject}%")
    await here.google.fault("drop_after", path="/drafts/send")
    await here.google.fault("error", path="gmail.users.drafts.get", times=-1, status=500, error="backendError")
    speaking = asyncio.create_task(_speaks_again(play, subject))
    try:
        await play.tend(MARA, decide)
    finally:
        speaking.cancel()
        await here.mend()


async def _speaks_again(play: Play, subject: str) -> None:
    await play.until("SELECT id FROM actions WHERE attempt > 1 AND args LIKE ?", f"%{subject}%")
    await play.stage.here.mend()


async def _has_left(here: World, subject: str) -> bool:
    people = (await here.google.state())["people"].values()
    return any(mail["subject"] == subject for person in people for mail in person["sent"])


async def reminded(play: Play) -> None:
    """Something that is planned for each day, and its time comes."""
    what = play.name("Water the oak")
    await play.say(PRIYA, f"remind me every day at {far_from_now(PRIYA)} to {what}")
    play.wanted.alarms.add(what)
    play.wanted.planned[what] = 1
    await play.tend(PRIYA)
    play.make_due(what)
    await play.until(_FIRED, play.number)
    await play.tend(PRIYA)


async def replied(play: Play) -> None:
    """An answer to a mail, in its thread, approved."""
    text, here = play.name("Reply"), play.stage.here
    inbox = (await here.google.state())["people"][DANA.handle]["inbox"]
    mail = next(mail for mail in inbox if HELEN in mail["from"])
    await play.say(DANA, call("gmail_reply", thread_id=mail["threadId"], body=text))
    play.wanted.mails.add(text)
    play.wanted.letters[text] = (HELEN, text)
    await play.tend(DANA, pressing({text: APPROVE}))


async def moved(play: Play) -> None:
    """An event of the calendar is somewhere else, approved."""
    room, here = play.name("Room"), play.stage.here
    event = await here.event(DANA, "Delivery planning: Marsh Gardens")
    await play.say(DANA, call("calendar_event_update", event_id=event["id"], location=room))
    play.wanted.places[event["id"]] = room
    await play.tend(DANA, pressing({room: APPROVE}))


_TURNS = (stopped, deleted, tried_again, edited, asked_again, settled, reminded, replied, moved)
TURNS: Mapping[str, Scene] = {**{scene.__name__: scene for scene in _TURNS}, **ERRANDS}
