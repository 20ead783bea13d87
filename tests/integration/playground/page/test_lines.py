"""What the API tab says of the lines of a stream."""

from __future__ import annotations

import pytest

from tests.integration.playground.page.javascript import computed

STEP, THOUGHT = {"type": "status"}, {"type": "thought_delta", "delta": "I look."}
RESULT = {"type": "result"}
NOTES = "({ notesOf }, request) => notesOf(request)"
STRUCK = "Lines that are struck out do not count: they were said before"


def notes(*lines: object, later: str = "") -> list[str]:
    return computed("world/lines.js", NOTES, {"lines": lines, "first": 1, "later": later})


def test_why_lines_are_struck_out_is_said_where_some_are() -> None:
    """Thoughts of a step count until another one begins; a call is never struck out."""
    assert notes(STEP, THOUGHT, RESULT) == []
    assert notes(STEP, {"type": "tool_call", "toolName": "t", "preview": "p"}, STEP, RESULT) == []
    [said] = notes(STEP, THOUGHT, STEP, RESULT)
    assert said.startswith(STRUCK)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("agent/run/run_1/continue", "These lines end where it was paused."),
        ("agent/run/run_1/retry", "These lines are of the request that failed."),
        ("agent/run/run_1", "These lines end where the stream ended."),
    ],
)
def test_a_result_that_is_newer_than_the_lines_says_so(path: str, said: str) -> None:
    """What came after the stream has no lines, so what they say is older than the result below them."""
    [note] = notes(STEP, RESULT, later=path)
    assert note.startswith(said)
    assert "The result below was asked for afterwards." in note or "the result below is" in note


@pytest.mark.parametrize(("ok", "said"), [(True, "the answer"), (False, "how it ended")])
def test_a_result_without_an_answer_is_not_called_one(*, ok: bool, said: str) -> None:
    """A request that failed, was stopped or is paused ends with a `result` as well."""
    assert computed("world/lines.js", "({ wordsOf }, line) => wordsOf(line)", RESULT | {"result": {"ok": ok}}) == said


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("agent/run/stream", "Waiting for the next line"),
        ("agent/run/run_1/stream?after=3", "Waiting for the next line"),
        ("agent/run", "Waiting for the answer"),
        ("agent/run/run_1/continue", "It goes on where it was paused. The answer comes at the end."),
        ("agent/run/run_1/retry", "It is tried again. The answer comes at the end."),
    ],
)
def test_what_a_request_waits_for_is_said(path: str, said: str) -> None:
    assert computed("world/lines.js", "({ waitsFor }, request) => waitsFor(request)", {"path": path}) == said
