"""What a scene is played with: what is wanted in the end, what people say and press. Its number makes a play its own.

People do what people do: they press a button again if it still stands there after a moment.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from zoneinfo import ZoneInfo

from bot.clock import SystemClock
from playground.people import COLLEAGUES, Person
from tests.acceptance.slack_side import call
from tests.acceptance.world import Json, button_ids, text_of
from tests.verification.chaos.stage import PATIENCE_SECONDS, Stage, tail

HAPPENED, DID_NOT, ONCE_MORE = "question_happened", "question_did_not", "question_try_again"
_LOOK_SECONDS = 0.1
_AGAIN_SECONDS = 0.7
"""Longer than a press takes to be answered: two at once are for the storm."""

Decide = Callable[[Json], Awaitable[str | None]]
"""What a person presses on a message, if anything."""


Letter = tuple[str, str]
"""Whom a mail goes to, and what it says."""

HELEN = "helen.marsh@marshgardens.example"
READY: Letter = (HELEN, "Ready.")


@dataclass(slots=True)
class Wanted:
    """What is to be there afterwards, as those know who asked for it. Mails and events are known by their subjects and
    titles, a reply by its text; a mail is as in `letters`, or else `READY`. `places` are where events are moved to,
    `sent_drafts` the subjects of drafts that are sent, `planned` how often something is planned in the end, `tasks` how
    often work is given to an agent.
    """

    requests: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    mails: set[str] = field(default_factory=set[str])
    letters: dict[str, Letter] = field(default_factory=dict[str, Letter])
    no_mails: set[str] = field(default_factory=set[str])
    events: set[str] = field(default_factory=set[str])
    memories: set[str] = field(default_factory=set[str])
    drafts: set[str] = field(default_factory=set[str])
    sent_drafts: dict[str, str] = field(default_factory=dict[str, str])
    places: dict[str, str] = field(default_factory=dict[str, str])
    alarms: set[str] = field(default_factory=set[str])
    planned: dict[str, int] = field(default_factory=dict[str, int])
    briefings: int = 0
    connections: int = 0
    tasks: int = 0
    retried: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    clicks: int = 0


@dataclass(slots=True)
class Play:
    """One performance of a scene."""

    stage: Stage
    number: int
    wanted: Wanted
    _pressed: dict[tuple[str, str, str], float] = field(default_factory=dict[tuple[str, str, str], float])

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

    async def mail(self, person: Person, what: str, *, leaves: bool = True) -> tuple[str, str]:
        """The person asks for a mail, which is to leave in the end or not: its subject, and the request's timestamp."""
        subject = self.name(what)
        root = await self.say(person, send(subject))
        (self.wanted.mails if leaves else self.wanted.no_mails).add(subject)
        return subject, root

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
                action = await decide(message)
                if action is not None:
                    pressed = True
                    await self.press(self._reader(message) or person, message, action)
        return resting and not pressed

    def _reader(self, message: Json) -> Person | None:
        """Whose direct message it is; nobody else sees it."""
        dm_of = self.stage.here.dm_of
        return next((person for person in COLLEAGUES if dm_of(person) == message["channel"]), None)

    async def act(self, name: str, **what: object) -> Json:
        """Somebody does something else in Slack."""
        return await self.stage.here.slack.post(f"/__act/{name}", what)

    async def press(self, person: Person, message: Json, action: str) -> None:
        """A button of this message, unless it was pressed a moment ago."""
        button, now = (message["channel"], message["ts"], action), time.monotonic()
        if now - self._pressed.get(button, 0.0) < _AGAIN_SECONDS:
            return
        self._pressed[button] = now
        self.wanted.clicks += 1
        await self.stage.here.click(person, message, action)

    def make_due(self, what: str) -> None:
        """The time has come for what was planned under this name."""
        self.stage.change("UPDATE schedules SET next_fire = ? WHERE title LIKE ?", _a_moment_ago(), f"%{what}%")

    def expire(self, subject: str) -> None:
        """The time is over in which the question about this can be answered."""
        about = "SELECT id FROM actions WHERE args LIKE ?"
        over = f"UPDATE questions SET expires_at = ? WHERE state = 'open' AND action_id IN ({about})"
        self.stage.change(over, _a_moment_ago(), f"%{subject}%")

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


def far_from_now(person: Person) -> str:
    """A time of day, where this person is, that does not come while a scene is played."""
    return f"{SystemClock().now().astimezone(ZoneInfo(person.zone)) + timedelta(hours=12):%H}:00"


def _a_moment_ago() -> str:
    """A time, as both databases write it."""
    return f"{SystemClock().now() - timedelta(seconds=1):%Y-%m-%d %H:%M:%S.%f}"


async def _nothing(_: Json) -> None:
    """Nobody presses anything."""


def pressing(answers: Mapping[str, str]) -> Decide:
    """Press the button that belongs to the word which the card has; say of a mail in doubt what is true."""

    async def decide(message: Json) -> str | None:
        buttons = button_ids(message)
        text = text_of(message)
        wanted = [action for word, action in answers.items() if word in text and action in buttons]
        return wanted[0] if wanted else None

    return decide


def either(word: str, *actions: str) -> Decide:
    """Press the first of these buttons that a message with this word has."""

    async def decide(message: Json) -> str | None:
        buttons = button_ids(message) if word in text_of(message) else set[str]()
        return next((action for action in actions if action in buttons), None)

    return decide


def send(subject: str, **more: str) -> str:
    return call("gmail_send", to=[HELEN], subject=subject, body=READY[1], **more)
