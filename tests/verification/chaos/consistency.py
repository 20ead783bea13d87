"""The consistency check: what Slack and Google received, compared with the database and what people asked for.

Nothing of the bot's own code is used but `audit verify`: rows are read by SQL, the rest are the emulators' own logs.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Protocol

from bot.runtime.audit.verify import verified
from bot.settings import Settings
from bot.wiring.store import opened
from playground.people import PEOPLE, TEAM_ID
from tests.acceptance.world import Json, World, button_ids, text_of
from tests.verification.chaos.play import READY, Wanted
from tests.verification.chaos.rest import Database, NotAtRest, left_to_do

_PEOPLE = {person.user_id for person in PEOPLE}
_SIGNATURE = "\n-- \n"
_ALARM, _BRIEFING, _CONNECTED = "alarm/", "briefing/", "connected/"
_UNASKED = (_ALARM, _BRIEFING, _CONNECTED)
"""Marks of what is no answer to anything, and stands in no row: counted is what people see."""

_ON_CARDS = (
    "SELECT r.id, r.state, q.id AS question FROM runs r JOIN questions q ON 'held:' || q.action_id = r.source_key "
    "WHERE q.decision = 'approve'"
)
"""Runs that wait for their moment, and the question on whose card they were approved, which tells what came of them."""

_NUMBERED = re.compile(r" \d{4}$")
_BRIEFED = "briefing:"

_ENDED = ("completed", "failed", "cancelled", "paused")
_VOTES = """
SELECT q.id, q.deciders, a.state, count(v."user") AS votes
FROM questions q JOIN actions a ON a.id = q.action_id LEFT JOIN votes v ON v.question_id = q.id
GROUP BY q.id, q.deciders, a.state
"""
_OWNER_AND_APPROVER = 2
_LIMBO = ("planned", "approved", "executing", "awaiting_confirmation")
_ASKED = ("/link/event/message.im", "/link/event/app_mention", "/link/event/message.channels")


class Watched(Database, Protocol):
    """What the check looks at."""

    @property
    def here(self) -> World:
        """The emulators."""
        ...

    @property
    def settings(self) -> Settings:
        """The database and its keys."""
        ...

    async def log(self, name: str) -> list[Json]:
        """An emulator's log."""
        ...


@dataclass(slots=True)
class Counts:
    """What the check found."""

    delivered: int = 0
    acknowledged: int = 0
    requests: int = 0
    runs: Counter[str] = field(default_factory=Counter[str])
    actions: Counter[str] = field(default_factory=Counter[str])
    codes: Counter[str] = field(default_factory=Counter[str])
    cards: int = 0
    votes: int = 0
    clicks: int = 0
    mails_wanted: int = 0
    mails: int = 0
    events: int = 0
    memories: int = 0
    messages: int = 0
    entries: int = 0
    lost: list[str] = field(default_factory=list[str])
    doubled: list[str] = field(default_factory=list[str])
    wrong: list[str] = field(default_factory=list[str])

    def __iadd__(self, other: Counts) -> Counts:
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))
        return self

    @property
    def problems(self) -> Sequence[str]:
        """Everything that must not be."""
        named = {"LOST": self.lost, "DOUBLED": self.doubled, "WRONG": self.wrong}
        return [f"{name}: {problem}" for name, problems in named.items() for problem in problems]

    def say_where(self, place: str) -> None:
        """Add to each problem where its traces are."""
        for problems in (self.lost, self.doubled, self.wrong):
            problems[:] = [f"{problem} [{place}]" for problem in problems]

    def told(self) -> Sequence[str]:
        """The figures, in words."""
        return (
            f"requests: {self.requests}; events delivered: {self.delivered}, acknowledged: {self.acknowledged}",
            f"runs: {_listed(self.runs)}; actions: {_listed(self.actions)}",
            f"approval cards: {self.cards}, votes: {self.votes}, clicks: {self.clicks}",
            f"mails expected: {self.mails_wanted}, sent by Google: {self.mails}; calendar events: {self.events}",
            f"memories: {self.memories}; messages of the bot in Slack: {self.messages}",
            f"audit entries verified: {self.entries}",
        )


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{number} {name}" for name, number in sorted(counts.items())) or "none"


class Consistency:
    """The check itself."""

    def __init__(self, stage: Watched, wanted: Wanted, cases: Mapping[int, str] | None = None) -> None:
        self._stage = stage
        self._wanted = wanted
        self._cases = cases or {}
        self._found = Counts()

    async def compare(self, *, strict: bool = True) -> Counts:
        """Every page. Raises with all that is wrong, unless not `strict`; and `NotAtRest`."""
        found = self._found
        if left := left_to_do(self._stage):
            raise NotAtRest(left)
        await self._requests()
        await self._effects()
        self._rows_are_settled()
        self._votes_are_counted()
        await self._messages()
        await self._audit()
        if strict and found.problems:
            raise AssertionError("\n".join([f"{len(found.problems)} problems", *found.problems[:20]]))
        return found

    # Requests -------------------------------------------------------------------------------------------------

    async def _requests(self) -> None:
        """What people said is one run each, or a word to one; and whatever was acknowledged is there."""
        found, rows = self._found, self._stage.rows
        delivered, acknowledged = _events(await self._stage.log("slack"))
        found.delivered, found.acknowledged = len(delivered), len(acknowledged)
        found.requests, found.clicks = len(self._wanted.requests), self._wanted.clicks
        words = {
            (row["channel"], row["ts"]) for row in rows("SELECT channel, ts FROM messages WHERE steers IS NOT NULL")
        }
        runs = Counter(row["source_key"] for row in rows("SELECT source_key FROM runs WHERE root IS NULL"))
        asked = {place: f"slack:{TEAM_ID}:{place[0]}:{place[1]}" for place in self._wanted.requests}
        for place, key in asked.items():
            if not runs[key] and place not in words:
                found.lost.append(f"the request {place}")
            if runs[key] + (place in words) > 1:
                found.doubled.append(f"the request {place}")
        held = {
            f"held:{row['id']}"
            for row in rows("SELECT id FROM actions WHERE undo LIKE 'held:%' OR undo LIKE 'was_held:%'")
        }
        if held != {key for key in runs if key.startswith("held:")}:
            found.wrong.append(f"scheduled is {held}, and not what waits")
        again = self._again(asked)
        found.lost += [f"the run {key}" for key in again - runs.keys()]
        found.doubled += [f"the run {key}" for key in again if runs[key] > 1]
        briefed = {key for key in runs if key.startswith(_BRIEFED)}
        self._times("a press on a briefing", len(briefed), self._wanted.briefings)
        self._tasks()
        for key in runs.keys() - set(asked.values()) - held - again - briefed:
            found.wrong.append(f"a run that nobody asked for: {key}")
        for place in acknowledged & self._wanted.requests:
            if not rows("SELECT 1 AS one FROM inbox WHERE channel = ? AND ts = ?", *place):
                found.lost.append(f"the acknowledged event {place}")
        found.runs.update(row["state"] for row in rows("SELECT state FROM runs"))
        found.actions.update(row["state"] for row in rows("SELECT state FROM actions"))

    def _tasks(self) -> None:
        """Work that was given to an agent is one run, which handed over once, to the action that it was for."""
        given = self._stage.rows("SELECT id, child, state, response FROM actions WHERE child IS NOT NULL")
        children = {row["id"]: row for row in self._stage.rows("SELECT * FROM runs WHERE root IS NOT NULL")}
        self._times("a task of an agent", len(given), self._wanted.tasks)
        if sorted(row["child"] for row in given) != sorted(children):
            self._found.wrong.append(f"{len(given)} tasks were given, and agents have {len(children)} runs")
        for row in given:
            child = children.get(row["child"], {})
            ended = (row["state"], child.get("state"), child.get("parent_action"))
            if (
                ended != ("completed", "completed", row["id"])
                or json.dumps(child["summary"], ensure_ascii=False) not in row["response"]
            ):
                self._found.wrong.append(f"the task {row['id']} ended as {ended}")

    def _again(self, asked: Mapping[tuple[str, str], str]) -> set[str]:
        """The keys of the runs that try again what failed."""
        ids = {row["source_key"]: row["id"] for row in self._stage.rows("SELECT id, source_key FROM runs")}
        return {f"retry:{ids.get(asked[place])}" for place in self._wanted.retried}

    # Effects --------------------------------------------------------------------------------------------------

    async def _effects(self) -> None:
        """What left is what was approved, once; and the rows say the same."""
        people = (await self._stage.here.google.state())["people"].values()
        seeded = self._stage.here.seeded
        mails = [mail for person in people for mail in person["sent"] if mail["id"] not in seeded]
        made = [event for person in people for event in person["events"] if event["id"] not in seeded]
        sent = Counter(map(_known_by, mails))
        events = Counter(str(event.get("summary")) for event in made if event.get("organizer", {}).get("self"))
        memories = Counter(row["text"] for row in self._stage.rows("SELECT text FROM memories"))
        wanted, found = self._wanted, self._found
        found.mails_wanted, found.mails = len(wanted.mails), sent.total()
        found.events, found.memories = events.total(), memories.total()
        found.cards = len(self._stage.rows("SELECT id FROM questions WHERE kind = 'approve'"))
        found.votes = self._votes()
        self._letters(mails)
        told = self._done("gmail_send", "subject") + self._done("gmail_reply", "body")
        told += Counter(wanted.sent_drafts[name] for name in self._done("gmail_draft_send", "draft_id").elements())
        self._once("mail", sent, wanted.mails, told)
        self._once("event", events, wanted.events, self._done("calendar_event_create", "title"))
        self._once("memory", memories, wanted.memories, self._done("save_memory", "text"))
        places = {event["id"]: event.get("location") for person in people for event in person["events"]}
        found.lost += [
            f"the event's new place, {place}" for id_, place in wanted.places.items() if places[id_] != place
        ]
        drafts = [str(draft["subject"]) for person in people for draft in person["drafts"]]
        known = sent.keys() | self._said_to_lie_there()
        kept = Counter(subject for subject in drafts if _NUMBERED.search(subject) and subject not in known)
        saved = self._done("gmail_draft_create", "subject") + self._done("gmail_send", "subject", as_draft=True)
        self._once("draft", kept, wanted.drafts, saved)
        self._plans()
        left = [subject for subject in drafts if subject in sent]
        found.wrong += [f"a draft of a mail that was sent: {subject}{self._case(subject)}" for subject in left]

    def _letters(self, mails: Sequence[Json]) -> None:
        """Each went to whom it was for, and to nobody else, and says what was approved."""
        for mail in mails:
            subject = _known_by(mail)
            whom, text = self._wanted.letters.get(subject, READY)
            others = [*mail["to"], *mail["cc"], *mail["bcc"]]
            if len(others) != 1 or whom not in others[0] or _said_in(mail) != text:
                told = f"to {others}: {mail['text'][:80]!r}"
                self._found.wrong.append(f"mail “{subject}” is another one, {told}{self._case(subject)}")

    def _votes(self) -> int:
        return self._stage.rows("SELECT count(*) AS votes FROM votes")[0]["votes"]

    def _done(self, tool: str, argument: str, *, as_draft: bool = False) -> Counter[str]:
        done = self._stage.rows("SELECT args FROM actions WHERE tool = ? AND state = 'completed' AND attempt > 0", tool)
        all_ = [json.loads(row["args"]) for row in done]
        return Counter(args[argument] for args in all_ if args.get("as_draft", False) is as_draft)

    def _said_to_lie_there(self) -> set[str]:
        """Mails that were not sent, and whose owner was told that a draft of them is left."""
        told = "SELECT args FROM actions WHERE state = 'failed' AND summary LIKE '%A draft of it %'"
        return {json.loads(row["args"]).get("subject", "") for row in self._stage.rows(told)}

    def _plans(self) -> None:
        """Each is kept as often as it is to come, and each account was connected once."""
        active = [row["title"] for row in self._stage.rows("SELECT title FROM schedules WHERE state = 'active'")]
        for name, times in self._wanted.planned.items():
            self._times(f"what is planned, “{name}”{self._case(name)}", sum(name in title for title in active), times)
        connected = self._stage.rows("SELECT id FROM audit WHERE code = 'connection.connected'")
        self._times("a connected account", len(connected), self._wanted.connections)

    def _times(self, what: str, there: int, wanted: int) -> None:
        problems = self._found.lost if there < wanted else self._found.doubled
        problems += [f"{what}: {there} of {wanted}"] * (there != wanted)

    def _once(self, kind: str, there: Counter[str], wanted: Iterable[str], told: Counter[str]) -> None:
        found, asked = self._found, set(wanted)
        found.lost += [f"{kind} “{name}”{self._told(name)}{self._case(name)}" for name in sorted(asked - there.keys())]
        found.doubled += [f"{kind} “{name}” × {n}{self._case(name)}" for name, n in there.items() if n > 1]
        found.wrong += [f"{kind} “{name}” that nobody approved{self._case(name)}" for name in there.keys() - asked]
        for name in there.keys() | told.keys():
            if told[name] != min(there[name], 1):
                found.wrong.append(
                    f"{kind} “{name}”: {there[name]} happened, the rows say {told[name]}{self._case(name)}"
                )

    def _told(self, name: str) -> str:
        """What the rows say became of it: told as failed it is lost here, but nobody believes that it happened."""
        query = "SELECT state, summary FROM actions WHERE args LIKE ? AND state <> 'completed'"
        return "".join(f", {row['state']}: {row['summary']}" for row in self._stage.rows(query, f"%{name}%"))

    def _case(self, name: str) -> str:
        number = name.rpartition(" ")[2]
        point = self._cases.get(int(number)) if number.isdigit() else None
        return f" (killed at {point})" if point else ""

    # Rows -----------------------------------------------------------------------------------------------------

    def _votes_are_counted(self) -> None:
        """One vote decides, or else the owner's and the approver's."""
        for row in self._stage.rows(_VOTES):
            if row["deciders"] is None and row["votes"] > 1:
                self._found.doubled.append(f"the votes on {row['id']}")
            if row["deciders"] is not None and row["votes"] < _OWNER_AND_APPROVER and row["state"] == "completed":
                self._found.wrong.append(f"{row['id']} was done without everybody who has to agree")

    def _rows_are_settled(self) -> None:
        """No run is unfinished, no action in between, nothing undelivered, every step counted."""
        rows, wrong = self._stage.rows, self._found.wrong
        for run in rows("SELECT r.id, r.state, m.text FROM runs r LEFT JOIN messages m ON m.id = r.message_id"):
            if run["state"] not in _ENDED:
                wrong.append(f"run {run['id']} is {run['state']}: {run['text'][:160]}")
        for action in rows("SELECT id, state, args, run_id FROM actions"):
            if action["state"] in _LIMBO:
                wrong.append(f"action {action['id']} is {action['state']}: {action['args'][:120]}")
        for row in rows("SELECT id, kind, state, error FROM outbox WHERE state <> 'delivered'"):
            wrong.append(f"delivery {row['id']} ({row['kind']}) is {row['state']}: {row['error']}")
        for row in rows("SELECT id, open FROM steps WHERE closed_at IS NOT NULL AND open <> 0"):
            wrong.append(f"step {row['id']} is closed with {row['open']} open")
        for row in rows("SELECT run_id, id, status FROM plan_tasks WHERE status IN ('pending', 'executing')"):
            wrong.append(f"task {row['id']} of plan {row['run_id']} is {row['status']}")
        for row in rows(
            "SELECT id FROM runs WHERE completed_at IS NULL AND state IN ('completed', 'failed', 'cancelled')"
        ):
            wrong.append(f"run {row['id']} ended at no time")

    # Slack ----------------------------------------------------------------------------------------------------

    async def _messages(self) -> None:
        """Each run is answered once, each question has one card, and whatever stands in Slack stands in a row."""
        state = await self._stage.here.slack.state()
        said = {
            (channel, message["ts"]): message
            for channel, messages in state["messages"].items()
            for message in messages
            if message.get("bot_id") or message.get("user") not in _PEOPLE
        }
        said = {place: m for place, m in said.items() if m.get("bot_id") == state["bot"]["bot_id"]} if said else {}
        posts = {(row["channel"], row["ts"]): row for row in self._stage.rows("SELECT * FROM posts")}
        self._found.messages = len(said)
        self._alarms(said.values())
        self._strays(said, posts)
        self._answers(said, posts)
        self._cards(said, posts)
        self._logs(said, posts)

    def _logs(self, said: Mapping[tuple[str, str], Json], posts: Mapping[tuple[str, str], Json]) -> None:
        """Each plan that was carried out has its log as a file; a second one would stand in no row."""
        there = {post["run_id"] for place, post in posts.items() if post["slot"].startswith("log:") and place in said}
        over = """SELECT id FROM runs JOIN plans ON plans.run_id = runs.id
            WHERE confirmed IS NOT NULL AND state IN ('completed', 'failed', 'cancelled')"""
        self._found.lost += [f"the log of {row['id']}" for row in self._stage.rows(over) if row["id"] not in there]

    def _alarms(self, said: Iterable[Json]) -> None:
        """What was planned was said once, when its time came, and so was each briefing, and each account."""
        unasked = [(_mark_of(message), text_of(message)) for message in said]
        told = [text for mark, text in unasked if mark.startswith(_ALARM)]
        for name in self._wanted.alarms:
            self._times(f"the reminder “{name}”{self._case(name)}", sum(name in text for text in told), 1)
        marks = [mark for mark, _ in unasked]
        self._times("a briefing", sum(mark.startswith(_BRIEFING) for mark in marks), self._wanted.briefings)
        self._times(
            "the word on an account", sum(mark.startswith(_CONNECTED) for mark in marks), self._wanted.connections
        )

    def _strays(self, said: Mapping[tuple[str, str], Json], posts: Mapping[tuple[str, str], Json]) -> None:
        for place, message in said.items():
            if message.get("streaming_state") == "in_progress":
                self._found.wrong.append(f"half a message stands: {text_of(message)[:120]}")
            if place not in posts and not _mark_of(message).startswith(_UNASKED):
                self._found.doubled.append(f"a message that stands in no row: {text_of(message)[:160]}")
        kept = {
            place for place, post in posts.items() if post["slot"].startswith("said")
        }  # what came after has its mark
        marked = [message for place, message in said.items() if message.get("metadata") and place not in kept]
        marks = Counter(str(message["metadata"]["event_payload"]) for message in marked)
        self._found.doubled += [f"the post {mark} × {number}" for mark, number in marks.items() if number > 1]

    def _answers(self, said: Mapping[tuple[str, str], Json], posts: Mapping[tuple[str, str], Json]) -> None:
        answers: dict[str, list[str]] = {}
        for place, post in posts.items():
            if place in said and post["slot"].startswith(("answer", "held")):
                answers.setdefault(post["run_id"], []).append(text_of(said[place]))
        waited = "SELECT r.id, a.caption FROM runs r JOIN actions a ON a.run_id = r.id WHERE r.source_key LIKE 'held:%'"
        deeds = {row["id"]: row["caption"].partition(" ")[2] for row in self._stage.rows(waited)}  # after its verb
        on_cards = {row["id"] for row in self._stage.rows(_ON_CARDS)}
        for run in self._stage.rows("SELECT id, state, summary, error FROM runs WHERE root IS NULL"):
            if run["id"] in on_cards or (run["state"] == "completed" and not run["summary"]):
                continue  # its cards tell what it did
            last = deeds.get(run["id"]) or ((run["summary"] or run["error"] or "").strip().splitlines() or [""])[-1]
            short = json.dumps(last, ensure_ascii=False)[1:-1].replace("`", "")[:60]
            told = [text for text in answers.get(run["id"], []) if short in text.replace("`", "")]  # addresses are code
            if not told:
                self._found.lost.append(f"the answer of {run['id']}: {short}")
            if len(told) > 1:
                self._found.doubled.append(f"the answer of {run['id']}: {short}")

    def _cards(self, said: Mapping[tuple[str, str], Json], posts: Mapping[tuple[str, str], Json]) -> None:
        cards: dict[str, list[Json]] = {}
        for place, post in posts.items():
            if post["slot"].startswith("card:") and place in said:
                cards.setdefault(post["slot"].removeprefix("card:"), []).append(said[place])
        over = {row["question"] for row in self._stage.rows(_ON_CARDS) if row["state"] in _ENDED}
        for question in self._stage.rows("SELECT id, state FROM questions"):
            here = cards.get(question["id"], [])
            if question["id"] in over and any("held_undo" in button_ids(card) for card in here):
                self._found.lost.append(f"what came of {question['id']}, which was for later")
            if not here:
                self._found.lost.append(f"the card of {question['id']}")
            elif len(here) > 1:
                self._found.doubled.append(f"the card of {question['id']}")
            elif "question_approve" in button_ids(here[0]) and question["state"] != "open":
                self._found.wrong.append(f"the card of {question['id']}, which is {question['state']}, has its buttons")

    # The log --------------------------------------------------------------------------------------------------

    async def _audit(self) -> None:
        """`audit verify`, and a claim in the log for every effect."""
        async with opened(self._stage.settings, owner=False) as base:
            report = await verified(base.store, base.keyring)
        self._found.entries = report.entries
        self._found.codes.update(row["code"] for row in self._stage.rows("SELECT code FROM audit"))
        self._found.wrong += [f"audit: {problem}" for problem in report.problems]
        if report.unsealed:
            self._found.wrong.append(f"audit: {report.unsealed} entries are not sealed")


def _known_by(mail: Json) -> str:
    """The subject, which a reply has from another mail."""
    return _said_in(mail) if mail["subject"].startswith("Re:") else mail["subject"]


def _said_in(mail: Json) -> str:
    """Without the signature, and what was said before."""
    return mail["text"].partition(_SIGNATURE)[0].partition("\n\n")[0].strip()


def _mark_of(message: Json) -> str:
    """What the bot knows its message by, where nobody asked for it."""
    metadata: Json = message.get("metadata") or {}
    payload: Json = metadata.get("event_payload", {})
    return next((value for value in map(str, payload.values()) if value.startswith(_UNASKED)), "")


def _events(log: Sequence[Json]) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """The places of people's messages that Slack delivered, and of those that were acknowledged."""
    sent: dict[str, tuple[str, str]] = {}
    taken: set[tuple[str, str]] = set()
    for entry in log:
        if entry["method"] != "WS":
            continue
        if entry["direction"] == "out" and entry["path"].startswith(_ASKED):
            event = entry["request"]["payload"]["event"]
            if event.get("user") in _PEOPLE:
                sent[entry["request"]["envelope_id"]] = (event["channel"], event["ts"])
        elif entry["direction"] == "in" and not entry.get("note"):
            place = sent.get(entry["request"].get("envelope_id", ""))
            taken |= {place} if place else set()
    return set(sent.values()), taken
