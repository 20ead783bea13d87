"""The storm: three replicas on one PostgreSQL, hundreds of approvals, everything going wrong at once.

Replicas are killed and frozen at random moments, each card's button is pressed twice at once, Slack delivers events
twice and out of order, Slack, Google and Gemini refuse, drop and delay. Afterwards everything must agree.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import shutil
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from bot.settings import Settings
from playground.people import COLLEAGUES, Person
from playground.slack.settings import Settings as SlackSettings
from tests import proxies
from tests.acceptance.mortal import BotProcesses
from tests.acceptance.world import APPROVE, Json, World
from tests.folders import in_memory
from tests.postgres import PostgresServer, postgres_server
from tests.replicas import Replicas, replicas
from tests.verification.chaos.consistency import Consistency, Counts
from tests.verification.chaos.play import DID_NOT, HAPPENED, Wanted, send
from tests.verification.chaos.report import Told
from tests.verification.chaos.rest import NotAtRest, left_to_do
from tests.verification.chaos.stage import practised

REPLICAS = 3
PACE: Mapping[str, float] = {"lease_seconds": 6.0, "duty_seconds": 5.0, "sweep_seconds": 1.0, "tool_seconds": 8.0}
"""Fields of `Timings`, and how long a tool may take. Shorter leases run out by themselves on a busy machine."""

AT_ONCE = 12
"""Requests under way."""

_FAILED = 0.05
"""So many mails may certainly fail, and be said to have: where the storm hits one thing too often."""

_CALM_SECONDS = 90.0
"""After the last disturbance everything comes to rest."""

SLACK = SlackSettings(ack_seconds=1.5, retries=60, retry_seconds=0.5)
"""Slack's minutes between deliveries are shortened to half seconds, and it tries for as long as the storm is near."""

_SLACK_FAULTS: Sequence[Mapping[str, Any]] = (
    {"kind": "drop_after", "match": {"path": "chat.postMessage"}},
    {"kind": "drop_before", "match": {"path": "chat.postMessage"}},
    {"kind": "status_after", "status": 500, "match": {"path": "chat.postMessage"}},
    {"kind": "hold", "seconds": 1.5, "match": {"path": "chat.postMessage"}},
    {"kind": "rate_limit", "seconds": 1, "match": {"path": "chat.postMessage"}},
    {"kind": "rate_limit", "seconds": 1, "match": {"path": "chat.update"}},
    {"kind": "drop_after", "match": {"path": "chat.update"}},
    {"kind": "status_after", "status": 500, "match": {"path": "chat.update"}},
    {"kind": "duplicate_event", "match": {"path": "event/message.im"}},
    {"kind": "reorder_events", "match": {"path": "event/message.im"}},
    {"kind": "delay_event", "seconds": 2, "match": {"path": "event/message.im"}},
    {"kind": "lose_ack", "match": {"path": "event/message.im"}},
    {"kind": "lose_ack", "match": {"path": "interactive/block_actions"}},
    {"kind": "disconnect", "reason": "refresh_requested", "match": {}},
)
_GOOGLE_FAULTS: Sequence[Mapping[str, Any]] = (
    {"kind": "drop_after", "match": {"path": "/drafts/send"}},
    {"kind": "status_after", "status": 500, "match": {"path": "/drafts/send"}},
    {"kind": "hold", "seconds": 3, "match": {"path": "/drafts/send"}},
    {"kind": "drop_before", "match": {"path": "/drafts/send"}},
    {"kind": "drop_after", "match": {"path": "*users/me/drafts?*"}},
    {"kind": "hold", "seconds": 1, "match": {"path": "*users/me/drafts?*"}},
    {
        "kind": "error",
        "status": 429,
        "error": "rateLimitExceeded",
        "match": {"path": "gmail.users.settings.sendAs.list"},
    },
)
_GEMINI_FAULTS: Sequence[Mapping[str, Any]] = (
    {"kind": "overloaded", "match": {}},
    {"kind": "rate_limit", "seconds": 1, "match": {}},
    {"kind": "no_finish", "match": {}},
    {"kind": "hang_midstream", "seconds": 1, "match": {}},
    {"kind": "drop_after", "match": {}},
)
FAULTS = {"slack": _SLACK_FAULTS, "google": _GOOGLE_FAULTS, "gemini": _GEMINI_FAULTS}


_CARDS = """
SELECT q.kind, p.channel, p.ts, a.args FROM questions q
  JOIN posts p ON p.slot = 'card:' || q.id
  JOIN actions a ON a.id = q.action_id
 WHERE q.state = 'open'
"""


@dataclass(slots=True, kw_only=True)
class Weather:
    """How bad it gets."""

    seed: int
    runs: int = 700
    kills: int = 25
    freezes: int = 8
    faults: float = 0.5


@dataclass(slots=True, kw_only=True)
class Outcome:
    """What the storm did, and what the check found."""

    counts: Counts = field(default_factory=Counts)
    kills: int = 0
    freezes: int = 0
    faults: int = 0
    happened: int = 0
    take_overs: int = 0
    longest: float = 0.0
    refused: list[str] = field(default_factory=list[str])
    why: Counter[str] = field(default_factory=Counter[str])
    died: list[str] = field(default_factory=list[str])
    gave_up: int = 0
    seconds: float = 0.0

    def told(self) -> Sequence[str]:
        """The figures, in words."""
        failed = f"{len(self.refused)} {dict(self.why)}" if self.refused else "0"
        return (
            f"{REPLICAS} replicas, {self.kills} × SIGKILL, {self.freezes} × SIGSTOP and SIGCONT",
            f"faults: {self.happened}, of {self.faults} that were laid out",
            f"leases taken over: {self.take_overs}, the longest {self.longest:.1f} s after its last renewal",
            *self.counts.told(),
            f"mails that certainly failed, and whose owner was told so: {failed}",
            f"events that Slack gave up: {self.gave_up}; the storm took {self.seconds:.0f} s",
        )


@dataclass(slots=True, kw_only=True)
class Storm:
    """People, weather, and an eye on the leases, all at the same time."""

    three: Replicas
    weather: Weather
    dice: random.Random
    wanted: Wanted = field(default_factory=Wanted)
    outcome: Outcome = field(default_factory=Outcome)
    asked: int = 0
    calm: bool = False
    _logs: dict[str, list[Json]] = field(default_factory=dict[str, list[Json]])
    _pressed: dict[tuple[str, str], float] = field(default_factory=dict[tuple[str, str], float])

    # What the check asks for ----------------------------------------------------------------------------------

    @property
    def here(self) -> World:
        """The emulators."""
        return self.three.here

    @property
    def settings(self) -> Settings:
        """The database and its keys."""
        return self.three.here.settings

    def rows(self, query: str, /, *values: object) -> list[Json]:
        """The database."""
        return self.three.rows(query, *values)

    async def log(self, name: str) -> list[Json]:
        """Everything that an emulator noted, from the beginning."""
        kept = self._logs.setdefault(name, [])
        after = kept[-1]["n"] if kept else 0
        kept += (await getattr(self.here, name).get(f"/__admin/log?after={after}"))["entries"]
        return kept

    # The course -----------------------------------------------------------------------------------------------

    async def rage(self) -> Outcome:
        """From the first request until everything is at rest, then the check."""
        began = time.monotonic()
        async with asyncio.TaskGroup() as tasks:
            about = [
                tasks.create_task(self._people(), name="people"),
                tasks.create_task(self._eye(), name="leases"),
                tasks.create_task(self._listen(), name="logs"),
            ]
            bad = [tasks.create_task(self._strike(), name="kills"), tasks.create_task(self._disturb(), name="faults")]
            await self._ask_all()
            await bad[0]
            bad[1].cancel()
            self.outcome.happened = self.outcome.faults - await self._waiting_faults()
            await self.here.mend()
            await self._rest()
            for task in about:
                task.cancel()
        self._told_failures()
        self.outcome.take_overs = self.taken_over()
        self.outcome.seconds = time.monotonic() - began
        self.outcome.gave_up = sum(entry["method"] == "GAVE UP" for entry in await self.log("slack"))
        try:
            self.outcome.counts = await Consistency(self, self.wanted).compare(strict=False)
        except NotAtRest as error:
            self.outcome.died.append(str(error))
        else:
            self.outcome.died += self._too_few()
        return self.outcome

    def _too_few(self) -> Sequence[str]:
        """Where it raged less than it was asked to, which proves less."""
        done, asked = self.outcome, self.weather
        doubtful, counts = round(asked.runs * _FAILED), done.counts
        least = {
            "requests": (counts.requests, asked.runs),
            "kills": (done.kills, asked.kills),
            "freezes": (done.freezes, asked.freezes),
            "faults that happened": (done.happened, asked.runs * asked.faults * 0.8),
            "presses": (counts.clicks, 2 * (asked.runs - doubtful)),
            "leases taken over": (done.take_overs, asked.kills // 2),
        }
        short = [f"{name}: {n}, and not {wanted:.0f}" for name, (n, wanted) in least.items() if n < wanted]
        many = f"{len(done.refused)} mails failed, more than {doubtful}: {dict(done.why)}"
        return short + [many] * (len(done.refused) > doubtful)

    async def _waiting_faults(self) -> int:
        """Those that hit nobody yet."""
        laid_out = [(await getattr(self.here, name).get("/__admin/faults"))["faults"] for name in FAULTS]
        return sum(map(len, laid_out))

    async def _ask_all(self) -> None:
        """As many requests as were wanted, some of them under way at any time."""
        while self.asked < self.weather.runs:
            ended = self.rows("SELECT count(*) AS n FROM runs WHERE completed_at IS NOT NULL")[0]["n"]
            for _ in range(min(AT_ONCE - (self.asked - ended), self.weather.runs - self.asked)):
                await self._ask(self.dice.choice(COLLEAGUES))
            await asyncio.sleep(0.2)

    async def _ask(self, person: Person) -> None:
        self.asked += 1
        subject = f"Storm {self.asked:04d}"
        said = await self.here.say(person, send(subject))
        self.wanted.requests.add((self.here.dm_of(person), said["ts"]))
        self.wanted.mails.add(subject)

    async def _rest(self) -> None:
        """Until nothing is to be done, or nobody waits any more; then a moment longer."""
        end = time.monotonic() + _CALM_SECONDS
        while time.monotonic() < end and (left_to_do(self) or not self._all_are_known()):
            await asyncio.sleep(0.2)
        await asyncio.sleep(1.0)

    def _all_are_known(self) -> bool:
        return self.rows("SELECT count(*) AS n FROM runs")[0]["n"] >= self.asked

    # People ---------------------------------------------------------------------------------------------------

    async def _people(self) -> None:
        """They look every second, and press what is there, twice at once. Where a card stands is read in the rows: all
        of Slack, read every second, costs more than what the bots do.
        """
        owners = {self.here.dm_of(person): person for person in COLLEAGUES}
        while True:
            cards = [card for card in self.rows(_CARDS) if card["channel"] in owners]
            await asyncio.gather(*(self._look(owners[card["channel"]], card) for card in cards))
            await asyncio.sleep(1.0)

    async def _look(self, person: Person, card: Json) -> None:
        place = (card["channel"], card["ts"])
        if time.monotonic() - self._pressed.get(place, 0.0) < 2.5:
            return
        self._pressed[place] = time.monotonic()
        action = APPROVE if card["kind"] == "approve" else await self._truth(card)
        self.wanted.clicks += 2
        await asyncio.gather(*(self.here.click(person, card, action) for _ in range(2)))

    async def _truth(self, card: Json) -> str:
        """What the person sees in Gmail."""
        people = (await self.here.google.state())["people"].values()
        sent = [mail["subject"] for person in people for mail in person["sent"] if mail["id"] not in self.here.seeded]
        return HAPPENED if any(f'"{subject}"' in str(card["args"]) for subject in sent) else DID_NOT

    def _told_failures(self) -> None:
        """Mails that did not leave because something certainly failed, which the card says, are not lost."""
        failed = self.rows(
            "SELECT args, attempt, summary FROM actions WHERE tool = 'gmail_send' AND state = 'failed' AND NOT doubt"
        )
        failed += self.rows(
            "SELECT m.text AS args, 0 AS attempt, r.error AS summary FROM runs r JOIN messages m ON m.id = r.message_id"
            " WHERE r.state = 'failed'"
        )
        told = {subject for row in failed for subject in self.wanted.mails if f'"{subject}"' in row["args"]}
        self.outcome.refused = sorted(told)
        self.outcome.why = Counter(f"{row['summary']} (attempt {row['attempt']})" for row in failed)
        self.wanted.mails -= told

    # Weather --------------------------------------------------------------------------------------------------

    async def _strike(self) -> None:
        """Kills and freezes, spread over the time that the requests take."""
        strokes = ["kill"] * self.weather.kills + ["freeze"] * self.weather.freezes
        self.dice.shuffle(strokes)
        for number, stroke in enumerate(strokes, start=1):
            while self.asked < self.weather.runs * number / (len(strokes) + 1):
                await asyncio.sleep(0.02)
            await asyncio.sleep(self.dice.random() * 0.5)
            n = self.dice.randrange(REPLICAS)
            await (self._kill(n) if stroke == "kill" else self._freeze(n))

    async def _kill(self, n: int) -> None:
        try:
            await self.three.kill(n)
            self.outcome.kills += 1
        except ProcessLookupError:
            self.outcome.died.append(f"replica {n} had ended by itself; see {self.three.said[n]}")
        await asyncio.sleep(self.dice.choice((0.0, 0.0, 1.0, 4.0)))
        await self.three.start(n)

    async def _freeze(self, n: int) -> None:
        """Longer than a lease, so that another takes over what it holds, and it wakes up in the middle of that."""
        self.three.freeze(n)
        self.outcome.freezes += 1
        await asyncio.sleep(PACE["lease_seconds"] + 0.5 + self.dice.random() * 2)
        self.three.thaw(n)

    async def _disturb(self) -> None:
        """One fault for every other request, wherever it hits."""
        while True:
            while self.outcome.faults >= self.asked * self.weather.faults:
                await asyncio.sleep(0.05)
            name = self.dice.choice(("slack", "slack", "google", "google", "gemini"))
            fault = self.dice.choice(FAULTS[name])
            self.outcome.faults += 1
            await getattr(self.here, name).post("/__admin/faults", fault)

    async def _listen(self) -> None:
        """An emulator keeps its newest entries only."""
        while True:
            for name in ("slack", "google"):
                await self.log(name)
            await asyncio.sleep(1.0)

    async def _eye(self) -> None:
        """How long after its last renewal a lease goes to somebody else."""
        seen: dict[str, tuple[Json, float]] = {}
        while True:
            now, held = time.monotonic(), dict[str, tuple[Json, float]]()
            for row in self.rows("SELECT name, holder, epoch, expires_at FROM leases WHERE holder IS NOT NULL"):
                before, since = seen.get(row["name"], (row, now))
                if before["holder"] != row["holder"]:
                    self.outcome.longest = max(self.outcome.longest, now - since)
                held[row["name"]] = (row, since if before == row else now)
            seen = held
            await asyncio.sleep(0.2)

    def taken_over(self) -> int:
        """How often a replica said that it took over what was never given back."""
        said = (file.read_text(errors="replace") for file in self.three.folder.glob("replica-*.log"))
        return sum(text.count('"event": "lease.taken_over"') for text in said)


async def storm(folder: Path, postgres: PostgresServer, bot_processes: BotProcesses, weather: Weather) -> Outcome:
    """Let it rage."""
    dice = random.Random(weather.seed)
    async with replicas(folder, postgres, bot_processes, count=REPLICAS, timings=PACE, slack_settings=SLACK) as three:
        return await Storm(three=three, weather=weather, dice=dice).rage()


def main() -> int:
    """As the arguments say; its end is told as one line of JSON. The logs are kept if anything was wrong."""
    asked = argparse.ArgumentParser(prog="python -m tests.verification.chaos.storm")
    asked.add_argument("--seed", type=int, required=True)
    asked.add_argument("--runs", type=int, default=700)
    asked.add_argument("--kills", type=int, default=25)
    asked.add_argument("--freezes", type=int, default=8)
    options = asked.parse_args()
    proxies.forget()
    folder = Path(mkdtemp(prefix="storm", dir=in_memory()))
    with postgres_server() as postgres, practised(postgres) as bot_processes:
        outcome = asyncio.run(storm(folder, postgres, bot_processes, Weather(**vars(options))))
    where = ""
    if outcome.counts.problems or outcome.died:
        where = f", logs in {folder}"
    else:
        shutil.rmtree(folder, ignore_errors=True)
    lines = [f"seed {options.seed} (again with --seed {options.seed}){where}", *outcome.told()]
    sys.stdout.write(Told(lines=lines, counts=outcome.counts, unfinished=outcome.died).as_line())
    return 0


if __name__ == "__main__":
    sys.exit(main())
