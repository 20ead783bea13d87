"""Codes of the log: one for every move that is recorded by its state."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import bot
from bot.domain.audit import AuditCode
from bot.domain.questions import QuestionState
from bot.domain.runs import RunState
from bot.domain.schedules import ScheduleState
from bot.domain.states import State

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
