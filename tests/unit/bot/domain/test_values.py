"""What domain values say of themselves, and their ids: they sort by time, and nobody guesses them."""

from __future__ import annotations

import ast
import re
import time
from collections.abc import Iterator
from dataclasses import FrozenInstanceError
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import bot
from bot.domain.actions import ActionState, Approval, call_hashes
from bot.domain.audit import AuditCode
from bot.domain.conditions import covers, may_take_late
from bot.domain.connections import ConnectionChange, ended_after_a_week
from bot.domain.deliveries import Post
from bot.domain.ids import effect_key, new_id, new_nonce
from bot.domain.limits import Usage
from bot.domain.questions import QuestionState, SettlePayload
from bot.domain.runs import RunState
from bot.domain.schedules import Schedule, ScheduleKind, ScheduleState
from bot.domain.seals import Secret
from bot.domain.states import State
from policies.types import EffectClass, Label
from tests import builders as make
from tests.builders import DANA, NOW, TEAM


@pytest.mark.parametrize(
    ("hash_", "seconds", "stands"),
    [("h", 0, True), ("other", 0, False), ("h", 59, True), ("h", 60, False)],
    ids=["exactly this", "something else", "just in time", "too late"],
)
def test_an_approval_stands_for_exactly_this_for_a_while(hash_: str, seconds: int, stands: bool) -> None:
    """An approval covers its own hash until it ends, and nothing else."""
    approval = Approval(hash="h", by=DANA, at=NOW, expires_at=NOW + timedelta(seconds=60))
    assert covers(approval, hash_, NOW + timedelta(seconds=seconds)) is stands
    assert not covers(None, hash_, NOW)


@pytest.mark.parametrize(
    ("state", "told", "taken"),
    [(ActionState.UNKNOWN, 2, True), (ActionState.UNKNOWN, 1, False), (ActionState.COMPLETED, 2, False)],
)
def test_a_late_word_is_about_the_attempt_in_doubt(state: ActionState, told: int, taken: bool) -> None:
    """Neither that of an attempt before it, nor one about an action that nobody is in doubt about."""
    assert may_take_late(state, told=told, attempt=2) is taken


def test_a_button_carries_nothing_of_the_arguments() -> None:
    """Its value is the question's id and its nonce."""
    asked = make.question(id="q_1", nonce="secret", payload=SettlePayload(where="helen"))
    assert asked.button_value() == "q_1.secret"


@pytest.mark.parametrize(
    ("slot", "is_answer"), [("answer", True), ("answer:2", True), ("answers", False), ("said:1.2", False)]
)
def test_a_long_answer_has_parts(slot: str, is_answer: bool) -> None:
    """Its further messages are the answer, too; what was said before a card is not."""
    assert Post(run_id="run_1", slot=slot, channel="C1", ts="1.2").is_answer is is_answer


def test_words_of_a_schedule_that_nobody_labelled_are_not_its_owners() -> None:
    """Who may have written them is not known."""
    schedule = Schedule(
        id="sch_1", team=TEAM, user=DANA, channel="D1", kind=ScheduleKind.REQUEST, title="orders", spec={}, zone="UTC",
        payload={"text": "orders"}, next_fire=NOW, created_at=NOW,
    )  # fmt: skip
    assert schedule.label is Label.MEMBER


def test_usage_adds_up() -> None:
    """Tokens of several calls are added kind by kind."""
    both = Usage(prompt=1, output=2, cached=1) + Usage(prompt=10, output=20)
    assert both == Usage(prompt=11, output=22, cached=1)


def test_a_side_effect_changes_something_outside() -> None:
    """Reading and our own store are no side effects."""
    kinds = {effect for effect in EffectClass if make.action(effect=effect).is_side_effect}
    assert kinds == {EffectClass.PRIVATE_WRITE, EffectClass.EXTERNAL, EffectClass.DESTRUCTIVE}


def test_calls_are_told_apart_by_tool_and_arguments() -> None:
    """The same arguments to another tool are another call."""
    calls = [make.action(tool="a", args_hash="1"), make.action(tool="b", args_hash="1")]
    assert call_hashes(calls) == ("a:1", "b:1")


def test_values_do_not_change() -> None:
    """A domain value is frozen."""
    with pytest.raises(FrozenInstanceError):
        make.run().state = None  # pyright: ignore[reportAttributeAccessIssue] - that is the point


def test_ids_sort_by_the_time_they_were_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """A later microsecond sorts later, for as long as the clock has them: agents of one step are queued in one
    millisecond, and begin in the order of their calls.
    """
    made: list[str] = []
    milliseconds = (0, 1, 31, 32, 1_763_000_000_000, 1_763_000_000_001, 2**48)
    for microseconds in (1_000 * each + later for each in milliseconds for later in (0, 1, 31, 32, 999)):
        monkeypatch.setattr(time, "time_ns", lambda now=microseconds: now * 1_000)
        made.append(new_id("run"))
    assert made == sorted(made)


def test_ids_are_unique_and_named() -> None:
    """Ids made at once differ, begin with their prefix, and have one length."""
    made = {new_id("act") for _ in range(5_000)}
    assert len(made) == 5_000
    assert all(re.fullmatch(r"act_[0-9a-v]{26}", one) for one in made)


def test_nonces_differ() -> None:
    """A nonce has 128 bits of chance."""
    assert len({new_nonce() for _ in range(1_000)}) == 1_000
    assert re.fullmatch(r"[0-9a-f]{32}", new_nonce())


def test_an_effect_has_one_key_that_a_calendar_takes() -> None:
    """The key depends on the action only, differs between actions, and is a valid calendar event id."""
    keys = {effect_key(new_id("act")) for _ in range(1_000)}
    assert len(keys) == 1_000
    assert all(re.fullmatch(r"[a-v0-9]{5,1024}", key) for key in keys)
    assert effect_key("act_1") == effect_key("act_1")


# The audit log -----------------------------------------------------------------------------------------------------


ENDS_OF_RUNS = [state for state in RunState if state.is_final() or state is RunState.PAUSED]
MOVES: list[tuple[str, State]] = [
    *(("run", state) for state in ENDS_OF_RUNS),
    *(("question", state) for state in QuestionState if state is not QuestionState.OPEN),
    *(("schedule", state) for state in ScheduleState),
]


@pytest.mark.parametrize(("noun", "state"), MOVES)
def test_each_end_has_its_code(noun: str, state: State) -> None:
    """A run that ends or pauses, a question that is closed, a schedule that is switched: none fails for want of one."""
    assert AuditCode.of(noun, state).value == f"{noun}.{state.value}"


def test_each_code_is_recorded() -> None:
    """The source names each member, but for those that are made of a state."""
    named = {name for file in Path(*bot.__path__).rglob("*.py") for name in _named(ast.parse(file.read_text("utf-8")))}
    by_state = {AuditCode.of(*move) for move in MOVES}
    assert {code for code in AuditCode if code.name not in named} <= by_state


def _named(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "AuditCode":
            yield node.attr


# Connections -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("secret", Secret)
@pytest.mark.parametrize("other", ["provider", "team", "user", "row_id"])
def test_a_secret_opens_in_no_other_row(secret: Secret, other: str) -> None:
    """Neither at another provider, in another workspace, for another person nor in another attempt. Tokens have one row
    for each person, and so has their key, at no provider.
    """
    row = {"provider": "google", "team": TEAM, "user": DANA, "row_id": "row_1"}
    is_same = secret.of(**row) == secret.of(**{**row, other: "other"})
    apart = {Secret.TOKENS: {"row_id"}, Secret.PERSON_KEY: {"provider", "row_id"}}
    assert is_same is (other in apart.get(secret, set()))


BEGIN = datetime(2026, 11, 1, 9, tzinfo=UTC)


def story(*told: tuple[str, float], who: str = "U1") -> list[ConnectionChange]:
    """Changes of one person's connection, each so many days after the beginning."""
    return [
        ConnectionChange(whose=("T1", who), code=AuditCode(f"connection.{code}"), at=BEGIN + timedelta(days=days))
        for code, days in told
    ]


def test_one_that_ended_at_seven_days_is_the_pattern() -> None:
    """Connected, refreshed until the last day, refused at seven days."""
    assert ended_after_a_week(story(("connected", 0), ("refreshed", 6.9), ("refused", 7.01))) == 1
    twice = story(("connected", 0), ("refused", 7.2), ("connected", 8), ("refused", 16))
    assert ended_after_a_week(twice) == 2


@pytest.mark.parametrize(
    "told",
    [
        [("connected", 0), ("refused", 2)],  # the person took it back
        [("connected", 0), ("refused", 180)],  # unused for half a year
        [("connected", 0), ("refreshed", 7.5), ("refused", 7.6)],  # it lived on, so there is no such end
        [("refused", 7)],  # nobody knows since when
        [("connected", 0), ("refreshed", 9)],
        [],
    ],
)
def test_other_ends_are_not(told: list[tuple[str, float]]) -> None:
    """An end for another reason is no sign of it."""
    assert ended_after_a_week(story(*told)) == 0


def test_one_that_lives_on_speaks_against_it() -> None:
    """A connection that works after more than a week shows that the app is not in testing."""
    ended = story(("connected", 0), ("refused", 7.01))
    lives = story(("connected", 0), ("refreshed", 8), who="U2")
    assert ended_after_a_week([*ended, *lives]) == 0
