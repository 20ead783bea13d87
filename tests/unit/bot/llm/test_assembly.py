"""One streamed answer, put together part by part."""

from __future__ import annotations

import pytest

from bot.llm.assembly import EMPTY, Assembly
from bot.llm.model import FinishKind, TextDelta, ThoughtDelta, Turn
from bot.llm.wire import Part, parts

CALL: Part = {"functionCall": {"id": "c1", "name": "gmail_search", "args": {"query": "x"}}}


def assembled(*given: Part, finish: str = "STOP") -> Turn:
    assembly = Assembly()
    for part in given:
        assembly.add(part)
    assembly.finish_reason = finish
    return assembly.turn()


def kept(turn: Turn) -> list[Part]:
    assert turn.content is not None
    return parts(turn.content)


def test_adjacent_plain_texts_are_one_part() -> None:
    """Deltas of one kind are merged, thoughts apart from text."""
    turn = assembled({"text": "hm", "thought": True}, {"text": "m", "thought": True}, {"text": "a"}, {"text": "b"})
    assert kept(turn) == [{"text": "hmm", "thought": True}, {"text": "ab"}]
    assert (turn.text, turn.finish) == ("ab", FinishKind.STOP)


def test_parts_with_signatures_are_never_merged() -> None:
    """A signed part stays as it came, an empty one too."""
    given: list[Part] = [{"text": "a"}, {"text": "b", "thoughtSignature": "AA=="}, {"text": "c"}]
    trailer: Part = {"text": "", "thoughtSignature": "BB=="}
    assert kept(assembled(*given, trailer)) == [*given, trailer]


def test_empty_parts_are_dropped() -> None:
    """An empty text without a signature is no part of the history."""
    assert kept(assembled({"text": "a"}, {"text": ""}, {})) == [{"text": "a"}]


def test_deltas_are_told_apart() -> None:
    """Text and thoughts are shown apart, and nothing is shown for the rest."""
    assembly = Assembly()
    given: list[Part] = [{"text": "t"}, {"text": "h", "thought": True}, CALL, {"text": ""}]
    shown = [assembly.add(part) for part in given]
    assert shown == [TextDelta("t"), ThoughtDelta("h"), None, None]


def test_half_a_character_is_shown_as_it_is_kept() -> None:
    """A model may say half of a pair of surrogates, which nobody can be sent and no database takes."""
    assembly = Assembly()
    shown = [assembly.add({"text": "a\ud800b", "thought": thought}) for thought in (True, False)]
    assert shown == [ThoughtDelta("a\ufffdb"), TextDelta("a\ufffdb")]
    assembly.finish_reason = "STOP"
    turn = assembly.turn()
    assert [part["text"] for part in kept(turn)] == ["a\ufffdb"] * 2
    assert turn.text == "a\ufffdb"


def test_calls_are_executable_after_stop() -> None:
    """A response that ended with STOP and has calls is a step with calls."""
    turn = assembled(CALL)
    assert (turn.finish, turn.refused) == (FinishKind.CALLS, ())
    assert [(call.id, call.given_id, call.name, call.args) for call in turn.calls] == [
        ("c1", True, "gmail_search", {"query": "x"})
    ]


@pytest.mark.parametrize("finish", ["SAFETY", "MAX_TOKENS", "OTHER", "MALFORMED_FUNCTION_CALL", "NOT_KNOWN_YET"])
def test_calls_of_any_other_end_are_refused(finish: str) -> None:
    """A call in a response that did not end with STOP is never executed and never enters the history."""
    turn = assembled({"text": "a"}, CALL, finish=finish)
    assert (turn.calls, len(turn.refused), turn.content) == ((), 1, None)


@pytest.mark.parametrize("given", [(), ({"text": " \n"},), ({"text": "only a thought", "thought": True},)])
def test_an_answer_without_text_and_calls_is_empty(given: tuple[Part, ...]) -> None:
    """A model that says nothing is asked again, in bounds, unless nothing is left to say."""
    turn = assembled(*given)
    assert (turn.finish, turn.finish_detail, turn.content) == (FinishKind.EMPTY, EMPTY, None)
    assert not turn.finish.is_usable()


def test_absent_and_repeated_ids_are_minted() -> None:
    """Every call of a turn has an id of its own; one that the model gave twice counts once."""
    bare: Part = {"functionCall": {"name": "a"}}
    turn = assembled(CALL, bare, bare, CALL)
    assert len({call.id for call in turn.calls}) == 4
    assert [call.given_id for call in turn.calls] == [True, False, False, False]
    assert turn.calls[1].args == {}


def test_arguments_that_are_no_object() -> None:
    """Arguments that are no object are None, and their text is kept as a record."""
    turn = assembled({"functionCall": {"name": "a", "args": ["x", float("inf"), "\ud800"]}})
    assert (turn.calls[0].args, turn.calls[0].raw) == (None, '["x", Infinity, "\\ud800"]')
