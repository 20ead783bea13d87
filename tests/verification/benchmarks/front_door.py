"""The whole bot through Slack: what a question and an approved mail cost, how soon something is seen, how it starts."""

from __future__ import annotations

import asyncio
import contextlib
import statistics
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from playground.people import DANA
from tests.acceptance.slack_side import call, send_mail
from tests.acceptance.world import APPROVE, Json, text_of
from tests.postgres import postgres_server
from tests.verification.benchmarks.bots import Stage, moment, settled, stage
from tests.verification.benchmarks.figures import Measured, Outcome

_ROUNDS = 4
_QUESTIONS = _MAILS = 6  # of each round
_LOOKUPS = 3
_MODEL_SECONDS = 0.8
_UNDISTURBED_SECONDS = 0.1
"""For so long nobody asks the emulators what they hold: they live in this process, and would answer the bot later."""
_BIRTHS = 4
_REPLICAS = (1, 3)
_REST_SECONDS = 3.0
_IDLE_SECONDS = 15.0
_LOOKUP = call("gmail_search", query="in:inbox", limit=3)
_HELEN = "helen.marsh@marshgardens.example"


@dataclass(slots=True)
class Door:
    """What was measured of one database. Processor's seconds are those of all bots together, one figure a round."""

    births: list[float] = field(default_factory=list[float])
    idle_share: float = 0.0
    rss_mib: float = 0.0
    question_cpu: list[float] = field(default_factory=list[float])
    mail_cpu: list[float] = field(default_factory=list[float])
    first_texts: list[float] = field(default_factory=list[float])
    answers: list[float] = field(default_factory=list[float])
    clicks: list[float] = field(default_factory=list[float])
    clicks_in_a_new_process: list[float] = field(default_factory=list[float])


async def bench(folder: Path) -> Outcome:
    """On SQLite, and on PostgreSQL with one replica and with three, in turn: rounds of what is compared."""
    doors = {"SQLite": Door(), **{_postgresql(count): Door() for count in _REPLICAS}}
    await _started(folder / "alone", doors["SQLite"])
    with postgres_server(durable=True) as server:
        async with contextlib.AsyncExitStack() as stack:
            stages = {"SQLite": await stack.enter_async_context(_open(folder / "sqlite", 1))}
            for count in _REPLICAS:
                url = stack.enter_context(server.database())
                place = folder / f"postgresql-{count}"
                stages[_postgresql(count)] = await stack.enter_async_context(_open(place, count, postgresql=url))
            for _ in range(_ROUNDS):
                for name, here in stages.items():
                    await _costs(here, doors[name])
    rounds = {name: asdict(door) for name, door in doors.items()}
    return Outcome(measured=_measured(doors), lines=[_told(name, door) for name, door in doors.items()], rounds=rounds)


def _postgresql(count: int) -> str:
    return f"PostgreSQL × {count}"


def _measured(doors: Mapping[str, Door]) -> list[Measured]:
    door = doors["SQLite"]
    return [
        _middle("question_cpu", door.question_cpu, 1e3),
        _middle("mail_cpu", door.mail_cpu, 1e3),
        _middle("first_text", door.first_texts, 1e3),
        _middle("answered", door.answers, 1.0),
        _middle("click_warm", door.clicks, 1e3),
        _middle("click_new", door.clicks_in_a_new_process, 1e3),
        *(_beside(f"postgresql_{count}", doors[_postgresql(count)].mail_cpu, door.mail_cpu) for count in _REPLICAS),
        _middle("birth", door.births, 1.0),
        Measured(key="idle", value=door.idle_share * 100),
        Measured(key="memory", value=door.rss_mib),
    ]


def _beside(key: str, ours: Sequence[float], theirs: Sequence[float]) -> Measured:
    return _middle(key, [one / other for one, other in zip(ours, theirs, strict=True)], 1.0)


def _middle(key: str, seconds: Sequence[float], factor: float) -> Measured:
    spread = (min(seconds) * factor, max(seconds) * factor)
    return Measured(key=key, value=statistics.median(seconds) * factor, spread=spread)


def _told(name: str, door: Door) -> str:
    processor = statistics.median(door.question_cpu), statistics.median(door.mail_cpu)
    seconds = statistics.median(door.first_texts), statistics.median(door.clicks)
    return (
        f"  {name:<16} processor: question {processor[0] * 1e3:4.0f} ms, mail {processor[1] * 1e3:4.0f} ms; "
        f"first text {seconds[0] * 1e3:4.0f} ms, click to effect {seconds[1] * 1e3:4.0f} ms"
    )


async def _started(folder: Path, door: Door) -> None:
    """How a bot on SQLite starts and rests, and what it does with a model that takes long."""
    await asyncio.to_thread(folder.mkdir)
    async with stage(folder) as here:
        async with here.bot() as _:
            await _warm(here)
        for _ in range(_BIRTHS):
            async with here.bot() as (_, seconds, _):
                door.births.append(seconds)
        async with here.bot() as (bot, _, _):
            await asyncio.sleep(_REST_SECONDS)
            before = bot.cpu_seconds()
            await asyncio.sleep(_IDLE_SECONDS)
            door.idle_share, door.rss_mib = (bot.cpu_seconds() - before) / _IDLE_SECONDS, bot.rss_mib()
            await _warm(here)
            for _ in range(_LOOKUPS):
                await _answered(here, door)
        for number in range(_BIRTHS):
            door.clicks_in_a_new_process.append(await _click_in_a_new_process(here, number))


@contextlib.asynccontextmanager
async def _open(folder: Path, count: int, *, postgresql: str = "") -> AsyncGenerator[Stage]:
    """A world with so many bots that have done everything once."""
    await asyncio.to_thread(folder.mkdir)
    async with contextlib.AsyncExitStack() as stack, stage(folder, postgresql=postgresql) as here:
        for _ in range(count):
            await stack.enter_async_context(here.bot())
        for _ in range(2):
            await _warm(here)
        yield here
        await stack.aclose()


async def _warm(here: Stage) -> None:
    """What is done for the first time is not counted."""
    for number in range(2 * max(1, len(here.bots))):
        await _question(here)
        await _mail(here, f"Warm {number}")


async def _costs(here: Stage, door: Door) -> None:
    """One round: questions, then mails."""
    mails = len(door.clicks)
    door.question_cpu.append(await _cpu_of(here, _QUESTIONS, lambda _: _first_text(here, door)))
    door.mail_cpu.append(await _cpu_of(here, _MAILS, lambda number: _timed_mail(here, door, f"Bench {mails + number}")))


async def _cpu_of(here: Stage, count: int, play: Callable[[int], Awaitable[None]]) -> float:
    await settled(here)
    before = here.cpu_seconds()
    for number in range(count):
        await play(number)
    await settled(here)
    return (here.cpu_seconds() - before) / count


# One request ------------------------------------------------------------------------------------------------------


async def _question(here: Stage) -> None:
    said = await here.here.say(DANA, "hello")
    await here.here.message(here.here.dm_of(DANA), lambda m: _answers(m, said), "the answer")


def _answers(message: Json, said: Json) -> bool:
    return message.get("thread_ts") == said["ts"] and message.get("streaming_state") != "in_progress"


async def _first_text(here: Stage, door: Door) -> None:
    """From the event to the first call that shows a text."""
    mark = await here.mark()
    await _question(here)
    log = await here.slack_log(mark)
    asked = next(entry for entry in log if entry["path"].startswith("/link/event/message"))
    shown = next(entry for entry in log if entry["path"] in {"/api/chat.startStream", "/api/chat.postMessage"})
    door.first_texts.append(moment(shown) - moment(asked))


async def _answered(here: Stage, door: Door) -> None:
    """From the event to the last call that shows the answer, with a tool call before it and a model that takes long."""
    mark = await here.mark()
    await here.here.gemini.fault("delay", path="streamGenerateContent", times=2, seconds=_MODEL_SECONDS)
    said = await here.here.say(DANA, _LOOKUP)
    await here.here.message(here.here.dm_of(DANA), lambda m: _answers(m, said), "the answer")
    await settled(here)
    log = await here.slack_log(mark)
    asked = next(entry for entry in log if entry["path"].startswith("/link/event/message"))
    shown = [entry for entry in log if entry["path"].startswith("/api/chat.")]
    door.answers.append(moment(shown[-1]) - moment(asked))


async def _card(here: Stage, subject: str) -> Json:
    await here.here.say(DANA, send_mail(_HELEN, subject))
    return await here.here.message(here.here.dm_of(DANA), lambda m: _is_card(m, subject), f"the card of {subject}")


def _is_card(message: Json, subject: str) -> bool:
    return subject in text_of(message) and APPROVE in text_of(message)


async def _mail(here: Stage, subject: str) -> None:
    card = await _card(here, subject)
    await here.here.click(DANA, card, APPROVE)
    await _sent(here, subject)


async def _sent(here: Stage, subject: str) -> None:
    """Until the mail left and the answer stands: the card has no button, and nothing streams."""

    async def done() -> bool:
        mails = await here.here.sent(DANA)
        said = await here.here.bot_messages(here.here.dm_of(DANA))
        ends = [message for message in said if subject in text_of(message)]
        return any(mail["subject"] == subject for mail in mails) and not any(APPROVE in text_of(m) for m in ends)

    await here.here.until(done, f"the mail {subject}")


async def _timed_mail(here: Stage, door: Door, subject: str) -> None:
    card = await _card(here, subject)
    door.clicks.append(await _clicked(here, card, subject))


async def _clicked(here: Stage, card: Json, subject: str) -> float:
    """From the click, as Slack sends it, to the first request that changes something at Google."""
    mark = await here.mark()
    before = {entry["n"] for entry in await here.here.google.log()}
    await here.here.click(DANA, card, APPROVE)
    await asyncio.sleep(_UNDISTURBED_SECONDS)
    await _sent(here, subject)
    clicked = next(entry for entry in await here.slack_log(mark) if "block_actions" in entry["path"])
    effect = next(entry for entry in await here.here.google.log() if entry["n"] not in before and _changes(entry))
    return moment(effect) - moment(clicked)


def _changes(entry: Json) -> bool:
    return entry["method"] == "POST" and "/gmail/" in entry["path"]


async def _click_in_a_new_process(here: Stage, number: int) -> float:
    subject = f"New process {number}"
    async with here.bot():
        card = await _card(here, subject)
    async with here.bot():
        return await _clicked(here, card, subject)
