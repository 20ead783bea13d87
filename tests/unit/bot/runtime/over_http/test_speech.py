from __future__ import annotations

from collections.abc import Sequence

import pytest

from bot.domain.events import TextStreamed, ThoughtStreamed
from bot.runtime.over_http.speech import Speech
from bot.runtime.over_http.transcripts import TextSaid, Thought
from bot.runtime.texts.inert_markdown import inert_commonmark

HOSTILE = "See [here](https://evil.example/?q=1), ![x](https://evil.example/p.png) & <https://evil.example|click>."


def told(*events: TextStreamed | ThoughtStreamed) -> list[TextSaid | Thought]:
    speech = Speech()
    return [*[line for event in events for line in speech.take(event)], *speech.rest()]


def texts(lines: Sequence[TextSaid | Thought], kind: type[TextSaid | Thought]) -> str:
    return "".join(line.text for line in lines if isinstance(line, kind))


def say(text: str) -> TextStreamed:
    return TextStreamed("run_1", text)


def think(text: str) -> ThoughtStreamed:
    return ThoughtStreamed("run_1", text)


@pytest.mark.parametrize("size", [1, 2, 7, 1_000])
def test_however_it_is_cut_nothing_can_be_followed(size: int) -> None:
    pieces = [HOSTILE[at : at + size] for at in range(0, len(HOSTILE), size)]
    shown = "See [here] (`https://evil.example/?q=1`), ![x] (`https://evil.example/p.png`) & &lt;`https://evil.example`|click>."
    assert texts(told(*map(say, pieces)), TextSaid) == shown == inert_commonmark(HOSTILE)
    assert texts(told(*map(think, pieces)), Thought) == shown


def test_what_is_no_address_reads_as_it_is_said() -> None:
    assert told(say("a < b & c, "), say("and so on.")) == [
        TextSaid("a &lt; b & c, "),
        TextSaid("and so "),
        TextSaid("on."),
    ]


def test_thoughts_are_whole_before_the_words() -> None:
    assert told(think("I wonder"), say("It is "), say("Friday.")) == [
        *(Thought("I "), Thought("wonder")),
        *(TextSaid("It is "), TextSaid("Friday.")),
    ]


def test_two_pieces_never_become_one_address() -> None:
    """Not by thoughts between words, and not by words between thoughts."""
    said = told(say("pay at evil.exa"), think("Hm."), say("mple/now "))
    assert texts(said, TextSaid) == "pay at `evil.example/now` "
    thought = told(think("evil.c"), say("Well, "), think("om/pay "))
    assert texts(thought, Thought) == "evil.c\nom/pay "
