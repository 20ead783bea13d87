"""What a model says and thinks in a step, as it is told over HTTP: inert, as in Slack.

Whoever shows it as CommonMark shows no link and no image that the model made. A word that may be half of an address is
held back until its end is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from bot.domain.events import TextStreamed, ThoughtStreamed
from bot.runtime.over_http.transcripts import TextSaid, Thought
from bot.runtime.texts.inert_markdown import COMMONMARK, Inert

T = TypeVar("T", TextSaid, Thought)


class Speech:
    """The texts of one step, piece by piece. Thoughts end where something is said, and others begin on a new line, so
    that no two pieces become one word.
    """

    def __init__(self) -> None:
        self._said, self._thought = Inert(COMMONMARK), Inert(COMMONMARK)
        self._between = ""  # what stands before the next thought

    def take(self, event: TextStreamed | ThoughtStreamed) -> Iterator[TextSaid | Thought]:
        """What may be told by now: at most one line of each kind."""
        if isinstance(event, ThoughtStreamed):
            between, self._between = self._between, ""
            yield from _told(Thought, self._thought.feed(between + event.text))
        else:
            yield from self._end_thought()
            yield from _told(TextSaid, self._said.feed(event.text))

    def rest(self) -> Iterator[TextSaid | Thought]:
        """What was held back, as nothing follows it."""
        yield from self._end_thought()
        yield from _told(TextSaid, self._said.close())

    def _end_thought(self) -> Iterator[Thought]:
        if not self._between:
            yield from _told(Thought, self._thought.close())
            self._thought, self._between = Inert(COMMONMARK), "\n"


def _told(kind: type[T], shown: str) -> Iterator[T]:
    if shown:
        yield kind(shown)
