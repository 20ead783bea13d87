"""Transcripts: whatever happens and wherever somebody lost the connection, they know what happened afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.redaction import Redactor
from bot.runtime.over_http import transcripts
from bot.runtime.over_http.transcripts import (
    Begins,
    Line,
    Lost,
    TextSaid,
    Thought,
    ToolCalled,
    Transcript,
    TranscriptPiece,
)

MOST = 6
"""Lines that are kept here, where it is a thousand in the product."""


@pytest.fixture(autouse=True)
def _few_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcripts, "KEPT", MOST)


@dataclass(slots=True)
class Reader:
    """Counts lines from the number of the first, and keeps of them what a page shows."""

    first: int = 0
    lines: list[Line] = field(default_factory=list[Line])

    @property
    def after(self) -> int:
        """The number of the last line that they have."""
        return self.first + len(self.lines) - 1

    def begins(self, piece: TranscriptPiece) -> None:
        """Their stream begins with this piece, of which they may get only some lines."""
        if piece.first != self.after + 1:
            self.first, self.lines = piece.first, []

    @property
    def said(self) -> str:
        """The text since the last line that begins."""
        text = ""
        for line in self.lines:
            text = "" if isinstance(line, Begins) else text + line.text if isinstance(line, TextSaid) else text
        return text

    @property
    def calls(self) -> list[Line]:
        return [line for line in self.lines if isinstance(line, ToolCalled)]


def happens(transcript: Transcript, what: str, n: int) -> None:
    match what:
        case "begin":
            transcript.begin()
        case "say":
            transcript.hear(TextSaid(f"{n},"))
        case "think":
            transcript.hear(Thought(f"{n}"))
        case _:
            transcript.call(ToolCalled(f"tool{n}", ""))


def read(transcript: Transcript, reader: Reader, *, some: int) -> None:
    """They join behind what they have, and the connection breaks after so many lines."""
    piece = transcript.begun(reader.after if reader.lines else None)
    reader.begins(piece)
    reader.lines += list(piece.lines)[:some]


EVENTS = st.lists(
    st.one_of(st.sampled_from(["begin", "say", "say", "say", "think", "call"]), st.integers(0, MOST * 2)), max_size=40
)


@given(events=EVENTS, heard=st.booleans(), base=st.sampled_from([0, 1_234_567]))
def test_every_rejoining(events: Sequence[str | int], heard: bool, base: int) -> None:
    """For any order of what happens and of reading some lines and losing the connection: at the end the reader knows
    every call once and in order, and the text as it stands; nothing came twice or is missing.
    """
    transcript, reader, whole = Transcript(base=base, heard=heard), Reader(), Reader()
    all_lines: list[Line] = [Begins()]
    for n, event in enumerate(events):
        if isinstance(event, int):
            read(transcript, reader, some=event)
            continue
        before = transcript.count
        happens(transcript, event, n)
        if transcript.count > before:
            all_lines += list(transcript.since(before).lines)
    whole.lines = all_lines
    transcript.finish(Lost())
    for _ in range(2):
        read(transcript, reader, some=1_000)
    assert (reader.said, reader.calls) == (whole.said, whole.calls)
    assert [line for line in reader.lines if isinstance(line, Lost)] == [Lost()]
    assert isinstance(reader.lines[0], Begins)
    assert isinstance(reader.lines[-1], Lost)


@given(events=EVENTS, after=st.integers(-3, 60))
def test_any_number(events: Sequence[str | int], after: int) -> None:
    """Whatever number is asked for: the very next lines where these are kept, else everything from the beginning."""
    transcript = Transcript()
    for n, event in enumerate(each for each in events if isinstance(each, str)):
        happens(transcript, event, n)
    piece = transcript.begun(after)
    if max(0, transcript.count - MOST) <= after <= transcript.count:
        assert (piece.first, piece.last) == (after + 1, transcript.count)
    else:
        assert isinstance(piece.lines[0], Begins)


def test_the_middle_of_what_happened_so_far_is_no_place_to_go_on_from() -> None:
    """Who lost the connection while they were told it begins anew; behind its last line they go on."""
    transcript = Transcript()
    for n in range(MOST):
        transcript.call(ToolCalled(f"tool{n}", ""))
    transcript.hear(TextSaid("So "))
    anew = transcript.begun(None)
    assert list(anew.lines) == [Begins(), *(ToolCalled(f"tool{n}", "") for n in range(MOST)), TextSaid("So ")]
    transcript.hear(TextSaid("it is."))
    for n in range(anew.first, anew.last):
        again = transcript.begun(n)
        assert (again.lines[0], again.lines[-1]) == (Begins(), TextSaid("So it is."))
    assert list(transcript.begun(anew.last).lines) == [TextSaid("it is.")]
    assert transcript.begun(anew.last).first == anew.last + 1
    assert isinstance(transcript.begun(anew.last + 1_000_000).lines[0], Begins)


def test_a_step_that_begins_within_what_is_kept_is_not_the_beginning() -> None:
    """The calls before it were forgotten as lines, and are told all the same."""
    transcript = Transcript()
    transcript.call(ToolCalled("first", ""))
    transcript.hear(TextSaid("void"))
    transcript.begin()
    for n in range(MOST - 1):
        transcript.hear(TextSaid(f"{n}"))
    assert list(transcript.begun(None).lines) == [Begins(), ToolCalled("first", ""), TextSaid("01234")]


def test_half_a_step_is_not_told() -> None:
    """Who heard of the request while a step was under way tells of it from the next one on, or when it is redone."""
    transcript = Transcript(heard=False)
    transcript.hear(TextSaid("half"))
    transcript.call(ToolCalled("tool", ""))
    transcript.begin()
    transcript.hear(TextSaid("whole"))
    assert list(transcript.begun(None).lines) == [Begins(), ToolCalled("tool", ""), TextSaid("whole")]


@pytest.mark.parametrize("what", [TextSaid, Thought])
def test_half_of_a_secret_is_not_told(what: type[TextSaid] | type[Thought], monkeypatch: pytest.MonkeyPatch) -> None:
    """It waits for the rest, for something else, or for the end; and is void with its step."""
    monkeypatch.setattr(transcripts, "KEPT", 1_000)
    transcript = Transcript(told_until=Redactor().told_until)
    transcript.hear(what("It is xoxb-12"))
    transcript.hear(what("34 so"))
    transcript.hear(what(" xoxb-"))
    transcript.begin()
    transcript.hear(what("sk-"))
    transcript.call(ToolCalled("tool", ""))
    transcript.hear(what("gh"))
    transcript.hear(TextSaid("ya29") if what is Thought else Thought("ya29"))
    transcript.finish(Lost())
    told = [line.text if isinstance(line, TextSaid | Thought) else line for line in transcript.since(1).lines]
    assert told == ["It is ", "xoxb-1234 so", " ", Begins(), "sk-", ToolCalled("tool", ""), "gh", "ya29", Lost()]


def test_what_is_held_back_takes_linear_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred thousand characters without a space, which begin as a token does, are looked at a few times each; what
    follows is told soon, and what follows another step at once.
    """
    monkeypatch.setattr(transcripts, "KEPT", 100_000)
    monkeypatch.setattr(transcripts, "MOST_AT_ONCE", 100_000)
    looked_at: list[int] = []

    def told_until(text: str) -> int:
        looked_at.append(len(text))
        return Redactor().told_until(text)

    transcript = Transcript(told_until=told_until)
    for _ in range(4_000):
        transcript.hear(TextSaid("eyJ" + "a" * 22))
    assert sum(looked_at) < 400_000
    assert transcript.count == 1
    for _ in range(5_000):
        transcript.hear(TextSaid("It goes on as ever. It is"))
    told = "".join(line.text for line in transcript.since(1).lines if isinstance(line, TextSaid))
    assert len(told) > 200_000
    transcript.begin()
    transcript.hear(TextSaid("eyJ" * 1_000))
    transcript.begin()
    transcript.hear(TextSaid("ok"))
    assert list(transcript.since(transcript.count - 1).lines) == [TextSaid("ok")]
    transcript.hear(TextSaid("eyJ" * 1_000))
    transcript.call(ToolCalled("tool", ""))
    transcript.hear(TextSaid("ok"))
    assert list(transcript.since(transcript.count - 1).lines) == [TextSaid("ok")]


def test_what_is_void() -> None:
    """A line that begins follows only where something was said since the one before."""
    transcript = Transcript()
    transcript.begin()
    transcript.hear(Thought("hm"))
    transcript.begin()
    transcript.begin()
    assert list(transcript.begun(None).lines) == [Begins(), Thought("hm"), Begins()]


async def test_waiting_for_more() -> None:
    """Until there is a line behind the last, or nothing comes any more."""
    transcript = Transcript()
    waiting = [asyncio.create_task(transcript.more(1)) for _ in range(2)]
    await asyncio.sleep(0)
    assert not any(task.done() for task in waiting)
    transcript.hear(TextSaid("it"))
    await asyncio.gather(*waiting)
    await transcript.more(1)
    last = asyncio.create_task(transcript.more(2))
    await asyncio.sleep(0)
    transcript.leave()
    await last
    assert transcript.end is None
