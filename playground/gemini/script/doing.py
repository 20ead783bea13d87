"""How the scripted model works on a request: a generator yields calls and is sent their outcomes.

Nothing is kept between requests: `play` runs the generator again over the steps that the request contains, and the
first calls without an outcome are the answer. So the answer depends on the request's contents alone.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from playground.gemini.answers import Call
from playground.gemini.script.phrases import failed
from playground.gemini.script.reading import Outcome

Calls = tuple[Call, ...]
Outcomes = tuple[Outcome, ...]
Doing = Generator[Calls, Outcomes, str]
"""Yields the calls of one step, is sent their outcomes in order, returns the final answer."""

EFFECTS = frozenset(
    {
        *("gmail_send", "gmail_reply", "gmail_draft_create", "gmail_draft_update", "gmail_draft_send", "gmail_labels"),
        *("calendar_event_create", "calendar_event_update"),
    }
    | {"calendar_event_cancel", "calendar_event_answer"}
)


class Stuck(Exception):
    """The task cannot go on; the text is for the person."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class Unfinished(str):
    """A final text that says why something could not be done, or asks for what is missing."""

    __slots__ = ()


class Told(str):
    """A final text about what the person is shown anyway, on a card or in a line of its own."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Next:
    """The next calls, or the final text."""

    calls: Calls = ()
    text: str = ""

    @property
    def is_unfinished(self) -> bool:
        """Whether something could not be done."""
        return isinstance(self.text, Unfinished)

    @property
    def is_told(self) -> bool:
        """Whether the text can be left out, since it is told elsewhere."""
        return isinstance(self.text, Told)


def one(name: str, /, **args: object) -> Generator[Calls, Outcomes, Outcome]:
    """One call as a step of its own; its outcome."""
    outcomes = yield (Call(name, {key: value for key, value in args.items() if value is not None}),)
    return outcomes[0]


def need(name: str, /, **args: object) -> Generator[Calls, Outcomes, Outcome]:
    """One call that must succeed for the task to go on."""
    outcome = yield from one(name, **args)
    if outcome.error is not None:
        raise Stuck(failed(outcome))
    return outcome


def saying(text: str) -> Doing:
    """An answer without any call."""
    yield from ()
    return text


def play(doing: Doing, steps: Sequence[Outcomes]) -> Next:
    """What follows after these steps."""
    try:
        calls = next(doing)
        for outcomes in steps:
            calls = doing.send(outcomes)
    except StopIteration as end:
        return Next(text=end.value)
    except Stuck as stuck:
        return Next(text=Unfinished(stuck.text))
    return Next(calls=calls)


def together(doings: Sequence[Doing], *, briefly: bool = False) -> Doing:
    """Several tasks at once: first all reads, then every effect in one step; `briefly` without what is told anyway."""
    texts = [""] * len(doings)
    pending: dict[int, Calls] = {}

    def advance(index: int, outcomes: Outcomes | None) -> None:
        pending.pop(index, None)
        try:
            pending[index] = next(doings[index]) if outcomes is None else doings[index].send(outcomes)
        except StopIteration as end:
            texts[index] = end.value
        except Stuck as stuck:
            texts[index] = Unfinished(stuck.text)

    for index in range(len(doings)):
        advance(index, None)
    while pending:
        looking = [index for index, calls in pending.items() if not any(call.name in EFFECTS for call in calls)]
        chosen = {index: pending[index] for index in sorted(looking or pending)}
        outcomes = yield tuple(call for calls in chosen.values() for call in calls)
        for index, calls in chosen.items():
            advance(index, outcomes[: len(calls)])
            outcomes = outcomes[len(calls) :]
    said = [text for text in texts if text and not (briefly and isinstance(text, Told))]
    whole = "\n\n".join(said or texts)
    if any(isinstance(text, Unfinished) for text in texts):
        return Unfinished(whole)
    return Told(whole) if all(isinstance(text, Told) for text in texts) else whole
