"""What is seen of the real runtime after each commit, read past it, in the values of the explored world."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

import psycopg
from psycopg.rows import dict_row

from bot.domain.actions import ActionState
from bot.domain.conditions import Standing
from bot.domain.ids import effect_key
from bot.domain.questions import QuestionKind, QuestionState
from bot.domain.runs import HELD_SOURCE, RunState
from policies.deciders import Approver, Deciders
from policies.types import Decision
from tests.builders import DANA
from tests.stores import Opened
from tests.verification.explorer import checks
from tests.verification.explorer.circles import OWNER, RULES, TOOL, Circle, Round, judged
from tests.verification.explorer.live.outside import KINDS
from tests.verification.explorer.values import Act, Ask, Course, Violation

Row = Mapping[str, Any]
Bound = tuple[str, int, str]
"""What a vote is on: a question, an edition, and a hash."""

_RUNS = (
    "SELECT id, state, cancel_requested, hard_stop, stopping, request_deleted, summary, error, completed_at, "
    "duration_ms, source_key, message_id FROM runs ORDER BY id"
)
_STEPS = "SELECT id, run_id, open FROM steps WHERE closed_at IS NULL"
_ACTIONS = (
    "SELECT id, run_id, step_id, tool, state, edition, attempt, doubt, args, undo FROM actions ORDER BY step_id, seq"
)
_QUESTIONS = (
    "SELECT id, action_id, run_id, kind, state, edition, hash, nonce, deciders, turns, reader, turn_over_at "
    "FROM questions ORDER BY id"
)
_VOTES = "SELECT question_id, \"user\", edition, hash FROM votes WHERE choice = 'approve'"
_RULES = "SELECT id FROM rules"
_UNTAKEN = "SELECT steers FROM messages WHERE steers IS NOT NULL AND taken_at IS NULL"
_SAID = "SELECT subject, max(id) AS newest FROM outbox WHERE kind = 'answer' GROUP BY subject"


class Seen(NamedTuple):
    """A run with the actions of its open step."""

    run: Course
    acts: tuple[Act, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """Everything at one moment. `said` has the newest row that tells of a run's end."""

    runs: Mapping[str, Row] = field(default_factory=dict[str, Row])
    acts: Mapping[str, Act] = field(default_factory=dict[str, Act])
    actions: Mapping[str, Row] = field(default_factory=dict[str, Row])
    questions: Mapping[str, Row] = field(default_factory=dict[str, Row])
    worlds: Mapping[str, Seen] = field(default_factory=dict[str, Seen])
    said: Mapping[str, int] = field(default_factory=dict[str, int])

    def open_questions(self) -> list[Row]:
        """What people are asked now."""
        return [row for row in self.questions.values() if row["state"] == QuestionState.OPEN.value]

    def state(self, run_id: str) -> RunState:
        """Where a run stands."""
        return RunState(self.runs[run_id]["state"])

    def holding(self) -> list[str]:
        """The runs that wait for the moment of what they hold back."""
        return [run_id for run_id in self.runs if self.holds(run_id) and self.state(run_id) is RunState.QUEUED]

    def holds(self, run_id: str) -> bool:
        """Whether it was held back for one action."""
        return _holds(self.runs[run_id])

    def resting(self) -> list[str]:
        """The runs that a word of their owner would take up again."""
        return [run_id for run_id in self.runs if self.state(run_id) is RunState.PAUSED]


class Eyes:
    """Reads the rows over a connection of its own."""

    def __init__(self, base: Opened) -> None:
        self._sqlite: sqlite3.Connection | None = None
        self._postgresql: psycopg.Connection | None = None
        if base.is_postgresql:
            self._postgresql = psycopg.connect(base.url, autocommit=True)
        else:
            self._sqlite = sqlite3.connect(base.path)
            self._sqlite.row_factory = sqlite3.Row

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for connection in (self._sqlite, self._postgresql):
            if connection is not None:
                connection.close()

    def rows(self, query: str) -> Sequence[Row]:
        """The rows as they are now."""
        if self._postgresql is not None:
            with self._postgresql.cursor(row_factory=dict_row) as cursor:
                return cursor.execute(query.encode()).fetchall()
        assert self._sqlite is not None
        return [dict(row) for row in self._sqlite.execute(query)]

    def look(self) -> Sight:
        """All of it."""
        actions = {row["id"]: row for row in self.rows(_ACTIONS)}
        questions = {row["id"]: row for row in self.rows(_QUESTIONS)}
        asked: defaultdict[str, list[Row]] = defaultdict(list)
        for question in questions.values():
            asked[question["action_id"]].append(question)
        rules, yes = self._rules(), self._yes()
        acts = {action_id: _act(row, asked[action_id], rules, yes) for action_id, row in actions.items()}
        runs = {row["id"]: row for row in self.rows(_RUNS)}
        steps = {row["run_id"]: row for row in self.rows(_STEPS)}
        untaken = {row["steers"] for row in self.rows(_UNTAKEN)}
        worlds = {run_id: _world(row, steps.get(run_id), untaken, actions, acts) for run_id, row in runs.items()}
        said = {row["subject"]: row["newest"] for row in self.rows(_SAID)}
        return Sight(runs=runs, acts=acts, actions=actions, questions=questions, worlds=worlds, said=said)

    def _rules(self) -> int | None:
        """Which rules about who has to agree are in force, if any."""
        return next((rules_of(row["id"]) for row in self.rows(_RULES)), None)

    def _yes(self) -> Mapping[Bound, frozenset[str]]:
        """Who said yes to what."""
        found: defaultdict[Bound, frozenset[str]] = defaultdict(frozenset)
        for row in self.rows(_VOTES):
            found[row["question_id"], row["edition"], row["hash"]] |= {OWNER if row["user"] == DANA else row["user"]}
        return found


def rules_of(rule: str) -> int:
    """The rules that one of this id belongs to."""
    return int(rule.partition("_")[0].removeprefix("r"))


def _holds(run: Row) -> bool:
    return str(run["source_key"]).startswith(HELD_SOURCE)


def _world(run: Row, step: Row | None, untaken: set[str], actions: Mapping[str, Row], acts: Mapping[str, Act]) -> Seen:
    course = Course(
        state=RunState(run["state"]),
        open=None if step is None else step["open"],
        cancel=bool(run["cancel_requested"]),
        hard=run["hard_stop"] is not None,
        stopping=run["stopping"] is not None,
        deleted=bool(run["request_deleted"]),
        untaken=run["id"] in untaken,
        held=_holds(run),
    )
    if step is None:
        return Seen(course, ())
    mine = tuple(acts[action_id] for action_id, row in actions.items() if row["step_id"] == step["id"])
    return Seen(course, mine)


def _act(action: Row, questions: Sequence[Row], rules: int | None, yes: Mapping[Bound, frozenset[str]]) -> Act:
    kind = KINDS[action["tool"]]
    still = [row for row in questions if row["state"] == QuestionState.OPEN.value]
    if len(still) > 1:
        raise Violation("a second question was opened about one action")
    scheduled = str(action["undo"] or "").startswith(("held:", "was_held:"))
    circle = Circle(rules) if rules is not None and action["tool"] == TOOL else None
    bare = Act(kind, Decision.ASK, edition=action["edition"], later=scheduled, circle=circle)
    return bare._replace(
        state=ActionState(action["state"]),
        ask=_ask(bare, still[0], yes) if still else None,
        decided=any(row["state"] == QuestionState.DECIDED.value for row in questions),
        attempt=action["attempt"],
        doubt=bool(action["doubt"]),
    )


def _ask(act: Act, question: Row, yes: Mapping[Bound, frozenset[str]]) -> Ask:
    kind, edition = QuestionKind(question["kind"]), question["edition"]
    if act.circle is None or kind is not QuestionKind.APPROVE:
        return Ask(kind, edition, act.alone)
    deciders = tuple(_deciders(each) for each in _json(question["deciders"]))
    made_of = (rules for rules in range(len(RULES)) if judged(rules, frozenset[str]()).deciders == deciders)
    now = Round(
        rules=next(made_of),
        deciders=deciders,
        agreed=yes.get((question["id"], edition, question["hash"]), frozenset()),
        shown=tuple(turn["user"] for turn in _json(question["turns"])),
        reader=question["reader"],
        timed=question["turn_over_at"] is not None,
    )
    return Ask(kind, edition, act.hash, now)


def _deciders(stored: Row) -> Deciders:
    seats = tuple(Approver(**seat) for seat in stored["approvers"])
    return Deciders(approvers=seats, needed=stored["needed"], turn_minutes=stored["turn_minutes"])


def _json(stored: Any) -> Any:
    """As SQLite has it, or PostgreSQL's driver."""
    return (json.loads(stored) if isinstance(stored, str) else stored) or ()


def check(sight: Sight, did: Mapping[str, Sequence[str]], tries: Mapping[str, int]) -> None:
    """The explorer's properties, of every run and every action. `did` by effect key, `tries` by action."""
    for run_id, world in sight.worlds.items():
        checks.check_run(world.run, _since_held(sight, run_id, world.acts))
    for action_id, act in sight.acts.items():
        done = tuple(did.get(effect_key(action_id), ()))
        checks.check_act(act._replace(really_did=done, tries=tries.get(action_id, 0)))
    for run_id in sight.runs:
        _check_records(sight, run_id)


def _since_held(sight: Sight, run_id: str, acts: tuple[Act, ...]) -> tuple[Act, ...]:
    """Editions are counted from the one that was held back: its owner may have changed it before."""
    held = sight.actions.get(sight.runs[run_id]["source_key"].removeprefix(HELD_SOURCE))
    return tuple(act._replace(edition=1 + act.edition - held["edition"]) for act in acts) if held else acts


def _check_records(sight: Sight, run_id: str) -> None:
    """An end is told, and its row says when and what."""
    run, state = sight.runs[run_id], sight.state(run_id)
    ended = state.is_final() or state is RunState.PAUSED
    if not ended:
        return
    if run_id not in sight.said:
        raise Violation(f"a run is {state.value} and nobody is told")
    if not (run["summary"] or run["error"]) or run["duration_ms"] is None:
        raise Violation(f"a run is {state.value} without a word or without its time")
    if state.is_final() and run["completed_at"] is None:
        raise Violation(f"a run is {state.value} without its end")


def standing(world: Seen) -> Standing:
    """As the conditions see it."""
    return world.run.standing
