"""The scenes: what people ask and press. Each can be played many times on one stage; its number makes it its own.

People do what people do: they press a button again as long as it stands there and nobody took their press.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta

from bot.clock import SystemClock
from playground.people import DANA, JONAS, LUIS, MARA, PRIYA, Person
from tests.acceptance.world import APPROVE, REJECT, Json, button_ids, text_of
from tests.chaos.stage import PATIENCE_SECONDS, Stage, tail

CONTINUE, HAPPENED, DID_NOT = "run_continue", "question_happened", "question_did_not"
UNDO = "held_undo"
SALES = "C0SALES"
_LOOK_SECONDS = 0.03

Decide = Callable[[Json], str | None]
"""What a person presses on a message, if anything."""


Letter = tuple[str, str]
"""Whom a mail goes to, and what it says."""

HELEN = "helen.marsh@marshgardens.example"
READY: Letter = (HELEN, "Ready.")


@dataclass(slots=True)
class Wanted:
    """What is to be there afterwards, as those know who asked for it. Mails and events are known by their subjects and
    titles; a mail is as in `letters`, or else `READY`.
    """

    requests: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    mails: set[str] = field(default_factory=set[str])
    letters: dict[str, Letter] = field(default_factory=dict[str, Letter])
    no_mails: set[str] = field(default_factory=set[str])
    events: set[str] = field(default_factory=set[str])
    memories: set[str] = field(default_factory=set[str])
    clicks: int = 0


@dataclass(slots=True)
class Play:
    """One performance of a scene."""

    stage: Stage
    number: int
    wanted: Wanted

    def name(self, what: str) -> str:
        """A subject that nobody else uses."""
        return f"{what} {self.number:04d}"

    async def say(self, person: Person, text: str, *, channel: str = "", under: str = "") -> str:
        """A message to the agent; its timestamp."""
        here = self.stage.here
        more = {"thread_ts": under} if under else {}
        where = channel or here.dm_of(person)
        said = await (here.mention(person, where, text, **more) if channel else here.say(person, text, **more))
        self.wanted.requests.add((where, said["ts"]))
        return said["ts"]

    async def tend(self, person: Person, decide: Decide | None = None) -> None:
        """Press what there is to press, until everything is at rest and nobody has anything left to do."""
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                while not await self._done(person, decide or _nothing):
                    await asyncio.sleep(_LOOK_SECONDS)
        except TimeoutError:
            raise AssertionError(await self._story()) from None

    async def _done(self, person: Person, decide: Decide) -> bool:
        resting = self._is_taken() and self.stage.at_rest()  # in this order: what is taken is busy
        pressed = False
        if self.stage.waits():
            for message in await self.stage.messages():
                action = decide(message)
                if action is not None:
                    pressed = True
                    await self._press(person, message, action)
        return resting and not pressed

    async def _press(self, person: Person, message: Json, action: str) -> None:
        self.wanted.clicks += 1
        await self.stage.here.click(person, message, action)

    def _is_taken(self) -> bool:
        """Whether every request is known to the bot: as a run, or as a word to one."""
        places = {(row["channel"], row["ts"]) for row in self.stage.rows("SELECT channel, ts FROM inbox")}
        return self.wanted.requests <= places

    async def until(self, query: str, *values: object) -> None:
        """Wait for a row."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not self.stage.rows(query, *values):
                await asyncio.sleep(_LOOK_SECONDS)

    async def _story(self) -> str:
        rows = self.stage.rows
        said = [text_of(message)[:200] for message in (await self.stage.messages())[-4:]]
        told: list[object] = [
            "no rest",
            *rows("SELECT state, error, source_key FROM runs WHERE state NOT IN ('completed', 'paused')"),
            *rows("SELECT tool, state, attempt, doubt, args FROM actions WHERE state NOT IN ('completed', 'rejected')"),
            *rows("SELECT kind, state, attempts, error FROM outbox WHERE state <> 'delivered'"),
            *rows("SELECT * FROM leases WHERE holder IS NOT NULL"),
            *rows("SELECT code, at FROM audit ORDER BY id DESC LIMIT 12"),
            *said,
            *tail(self.stage.said),
        ]
        return "\n".join(str(line) for line in told)


Scene = Callable[[Play], Awaitable[None]]


def _nothing(_: Json) -> None:
    """Nobody presses anything."""


def pressing(answers: Mapping[str, str]) -> Decide:
    """Press the button that belongs to the word which the card has; say of a mail in doubt what is true."""

    def decide(message: Json) -> str | None:
        buttons = button_ids(message)
        text = text_of(message)
        wanted = [action for word, action in answers.items() if word in text and action in buttons]
        return wanted[0] if wanted else None

    return decide


def _either(word: str, *actions: str) -> Decide:
    """Press the first of these buttons that a message with this word has."""

    def decide(message: Json) -> str | None:
        buttons = button_ids(message) if word in text_of(message) else set[str]()
        return next((action for action in actions if action in buttons), None)

    return decide


def send(subject: str, **more: str) -> str:
    return _call("gmail_send", to=[HELEN], subject=subject, body=READY[1], **more)


def _call(tool: str, **args: object) -> str:
    return f"[[call: {tool} {json.dumps(args)}]]"


# Scenes -----------------------------------------------------------------------------------------------------------


async def mail(play: Play) -> None:
    """A mail, approved."""
    subject = play.name("Mail")
    await play.say(DANA, send(subject))
    play.wanted.mails.add(subject)
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
    await play.say(JONAS, _call("calendar_event_create", title=title, attendees=["dana@fernhill.example"], **times))
    play.wanted.events.add(title)
    await play.tend(JONAS, pressing({title: APPROVE}))


async def memory(play: Play) -> None:
    """A fact, remembered without a question."""
    fact = play.name("Benches are made of oak")
    await play.say(PRIYA, _call("save_memory", text=fact))
    play.wanted.memories.add(fact)
    await play.tend(PRIYA)


async def mention(play: Play) -> None:
    """Asked in a channel about something private: the answer goes to the owner."""
    await play.say(DANA, _call("gmail_search", query=f"in:inbox {play.number}", limit=2), channel=SALES)
    await play.tend(DANA)


async def superseded(play: Play) -> None:
    """A card that is answered in words."""
    subject = play.name("Never")
    root = await play.say(MARA, send(subject))
    play.wanted.no_mails.add(subject)
    asked = "SELECT q.id FROM questions q JOIN actions a ON a.id = q.action_id WHERE q.state = 'open' AND a.args LIKE ?"
    await play.until(asked, f"%{subject}%")
    await play.say(MARA, "[[model: text=Then I leave it.]]", under=root)
    await play.tend(MARA)


async def expiry(play: Play) -> None:
    """A card that nobody answers."""
    subject = play.name("Late")
    await play.say(LUIS, send(subject))
    play.wanted.no_mails.add(subject)
    await play.tend(LUIS)


async def going_on(play: Play) -> None:
    """A run at its limit that is continued once."""
    await play.say(JONAS, f"[[model: never_stop]] {play.number}")
    taken: set[str] = set()

    def decide(message: Json) -> str | None:
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
    await play.stage.here.command(PRIYA, "trust autonomous")
    await play.say(PRIYA, send(subject))
    play.wanted.mails.add(subject)
    await play.tend(PRIYA, pressing({subject: APPROVE}))


async def taken_back(play: Play) -> None:
    """A mail for another day that was approved, and is undone."""
    subject, days = play.name("Undone"), SystemClock().now() + timedelta(days=20)
    later = {"send_at": f"{days:%Y-%m-%d}T10:00"}
    await play.say(LUIS, send(subject, **later))
    play.wanted.no_mails.add(subject)
    await play.tend(LUIS, _either(subject, UNDO, APPROVE))


SCENES: Mapping[str, Scene] = {
    "mail": mail,
    "siblings": siblings,
    "meeting": meeting,
    "memory": memory,
    "mention": mention,
    "superseded": superseded,
    "expiry": expiry,
    "going_on": going_on,
    "redelivered": redelivered,
    "renewed": renewed,
    "held": held,
    "taken_back": taken_back,
}
MORE: Mapping[str, Mapping[str, str]] = {
    "expiry": {"AGENT_QUESTION_HOURS": "0.0004"},
    "going_on": {"AGENT_MAX_LOOP_STEPS": "1"},
}
"""Variables of the bot's environment that a scene needs."""
