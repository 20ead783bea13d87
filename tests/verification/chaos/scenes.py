"""The scenes: what people ask and press. Each can be played many times on one stage.

People do what people do: they press a button again as long as it stands there and nobody took their press.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import asdict
from datetime import timedelta

from bot.clock import SystemClock
from playground.people import DANA, JONAS, LUIS, MARA, PRIYA, TEAM_ID, Person
from policies.deciders import Approver, Deciders
from tests.acceptance.world import APPROVE, REJECT, Json, button_ids
from tests.verification.chaos.play import Play, Scene, call, either, pressing, send
from tests.verification.chaos.turns import TURNS

_FOUR_EYES = "rule_four_eyes"
_CREATED = "2026-01-01 00:00:00.000000"
_RULE = """
INSERT INTO rules (id, team, "user", decision, tool, "by", deciders, created_at)
VALUES (?, ?, ?, 'ask', 'gmail_send', 'admin', ?, ?)
"""
CONTINUE, UNDO = "run_continue", "held_undo"
SALES = "C0SALES"


async def mail(play: Play) -> None:
    """A mail, approved."""
    subject, _ = await play.mail(DANA, "Mail")
    await play.tend(DANA, pressing({subject: APPROVE}))


async def siblings(play: Play) -> None:
    """Two mails of one step: one approved, one rejected."""
    good, bad = play.name("Good"), play.name("Bad")
    await play.say(MARA, send(good) + send(bad))
    play.wanted.mails.add(good)
    play.wanted.no_mails.add(bad)
    await play.tend(MARA, pressing({good: APPROVE, bad: REJECT}))


async def meeting(play: Play) -> None:
    """An event with a guest, approved."""
    title = play.name("Tea")
    times = {"start": "2031-03-03T10:00", "end": "2031-03-03T11:00"}
    await play.say(JONAS, call("calendar_event_create", title=title, attendees=["dana@fernhill.example"], **times))
    play.wanted.events.add(title)
    await play.tend(JONAS, pressing({title: APPROVE}))


async def memory(play: Play) -> None:
    """A fact, remembered without a question."""
    fact = play.name("Benches are made of oak")
    await play.say(PRIYA, call("save_memory", text=fact))
    play.wanted.memories.add(fact)
    await play.tend(PRIYA)


async def mention(play: Play) -> None:
    """Asked in a channel about something private: the answer goes to the owner."""
    await play.say(DANA, call("gmail_search", query=f"in:inbox {play.number}", limit=2), channel=SALES)
    await play.tend(DANA)


async def superseded(play: Play) -> None:
    """A card that is answered in words."""
    subject, root = await play.mail(MARA, "Never", leaves=False)
    asked = "SELECT q.id FROM questions q JOIN actions a ON a.id = q.action_id WHERE q.state = 'open' AND a.args LIKE ?"
    await play.until(asked, f"%{subject}%")
    await play.say(MARA, "[[model: text=Then I leave it.]]", under=root)
    await play.tend(MARA)


async def expiry(play: Play) -> None:
    """A card that nobody answers."""
    await play.mail(LUIS, "Late", leaves=False)
    await play.tend(LUIS)


async def going_on(play: Play) -> None:
    """A run at its limit that is continued once."""
    await play.say(JONAS, f"[[model: never_stop]] {play.number}")
    taken: set[str] = set()

    async def decide(message: Json) -> str | None:
        runs = play.stage.rows("SELECT id FROM audit WHERE code = 'run.continued'")
        wanted = CONTINUE in button_ids(message) and len(runs) < play.number
        taken.add(message["ts"])
        return CONTINUE if wanted else None

    await play.tend(JONAS, decide)


async def redelivered(play: Play) -> None:
    """An event whose acknowledgement is lost, so that it comes twice."""
    subject = play.name("Twice")
    await play.stage.here.slack.fault("lose_ack", path="event/message.im")
    await play.say(DANA, send(subject))
    play.wanted.mails.add(subject)
    await play.tend(DANA, pressing({subject: APPROVE}))


async def renewed(play: Play) -> None:
    """A mail with a token that is no longer good, so that a new one is fetched first."""
    subject = play.name("Token")
    await play.stage.here.google.post("/__admin/grants", {"person": DANA.handle, "do": "expire"})
    await play.say(DANA, send(subject))
    play.wanted.mails.add(subject)
    await play.tend(DANA, pressing({subject: APPROVE}))


async def held(play: Play) -> None:
    """A mail that nobody is asked about, which waits a moment and goes."""
    subject = play.name("Held")
    await _act_alone(play, PRIYA)
    await play.say(PRIYA, send(subject))
    play.wanted.mails.add(subject)
    await play.tend(PRIYA, pressing({subject: APPROVE}))


async def _act_alone(play: Play, person: Person) -> None:
    """Say yes in the window of `/agent trust autonomous`, until it is saved: the bot may be killed meanwhile."""
    async with asyncio.timeout(60):
        while not play.stage.rows("SELECT 1 FROM users WHERE \"user\" = ? AND level = 'autonomous'", person.user_id):
            for window in await play.stage.here.windows(person):
                await play.act("submit", user=person.user_id, view_id=window["id"])
                await play.act("close", user=person.user_id, view_id=window["id"])
            await play.stage.here.command(person, "trust autonomous")
            await asyncio.sleep(0.2)


async def taken_back(play: Play) -> None:
    """A mail for another day that was approved, and is undone."""
    subject, days = play.name("Undone"), SystemClock().now() + timedelta(days=20)
    later = {"send_at": f"{days:%Y-%m-%d}T10:00"}
    await play.say(LUIS, send(subject, **later))
    play.wanted.no_mails.add(subject)
    await play.tend(LUIS, either(subject, UNDO, APPROVE))


async def agreed(play: Play) -> None:
    """A mail to which somebody else has to agree after its owner did."""
    subject = play.name("Agreed")
    if not play.stage.rows("SELECT 1 FROM rules WHERE id = ?", _FOUR_EYES):
        deciders = Deciders(approvers=(Approver(user=MARA.user_id),))
        play.stage.change(_RULE, _FOUR_EYES, TEAM_ID, LUIS.user_id, json.dumps(asdict(deciders)), _CREATED)
    await play.say(DANA, send(subject))
    play.wanted.mails.add(subject)
    await play.tend(DANA, pressing({subject: APPROVE}))


_COMMON = (
    mail,
    siblings,
    meeting,
    memory,
    mention,
    superseded,
    expiry,
    going_on,
    redelivered,
    renewed,
    held,
    taken_back,
    agreed,
)
COMMON: Mapping[str, Scene] = {scene.__name__: scene for scene in _COMMON}
SCENES: Mapping[str, Scene] = {**COMMON, **TURNS}
MORE: Mapping[str, Mapping[str, str]] = {
    "expiry": {"AGENT_QUESTION_HOURS": "0.0004"},
    "going_on": {"AGENT_MAX_LOOP_STEPS": "1"},
    "agreed": {},
}
"""The scenes with a stage of their own, and the variables of the bot's environment that they need."""

UNASKED = frozenset({"held"})
"""Scenes that leave a person behind who is asked about nothing any more."""
