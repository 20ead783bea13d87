"""What is said of agents: to people, on cards and in answers; to the model of an agent, how it ends its work."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import cast

from bot.agents.inputs import title_of
from bot.agents.processors import as_json, as_markdown
from bot.domain.actions import Action
from bot.domain.runs import Run, RunState

MUST_HAND_OVER = (
    "Your answer was not handed over. When your work is done, call {tool} with your result; until then, call the other "
    "tools."
)
NO_QUERY = "Do your task."
"""What an agent is asked whose inputs leave nothing of its query: Gemini refuses an empty text."""

HANDED_OVER = "Handed over."
NOT_TAKEN = "Not taken: what was called beside it was not done."
NOT_ALL_DONE = (
    "Your result was not taken, because another call of the same answer was not done, and you could not know that when "
    "you wrote it. See what came of that call, then call {tool} again."
)
EMPTY = "The agent is done, and its result is empty."
NOTHING_HANDED_OVER = "The agent answered without handing over a result, also after it was reminded."

NO_AGENT = "This button ends the work of an agent, and this is a request, so nothing was stopped."
OVER = "This agent is not at work any more, so there was nothing to stop."
STOPS = "This agent is being stopped already: what it is doing at this moment ends first."


def task(tool: str, output: str, description: str) -> str:
    """To an agent that was given work: what it works for, and how it ends."""
    return (
        "[YOUR TASK] You do one task for the person, on behalf of their assistant. Only your result is read: it "
        f"reaches the person through the assistant. {_how_it_ends(tool, output, description)} Ask nothing back."
    )


def request(tool: str, output: str, description: str) -> str:
    """The same to an agent whose work a person asked for."""
    return (
        "[YOUR TASK] You do one task for the person, who reads your result. "
        f"{_how_it_ends(tool, output, description)} Ask nothing back; the person may say something meanwhile."
    )


def _how_it_ends(tool: str, output: str, description: str) -> str:
    return (
        f"When it is done, call {tool} with “{output}” ({description}). If you cannot do all of it, hand over what you "
        "have, and say in it what is missing."
    )


def said(inputs: Mapping[str, object]) -> Sequence[str]:
    """The inputs that a person gave, a line for each; a text of several lines stays as it is."""
    return [f"{title_of(name)}: {value if isinstance(value, str) else _plain(value)}" for name, value in inputs.items()]


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(str(item) for item in cast("Sequence[object]", value))
    return json.dumps(value)


def words(inputs: Mapping[str, object]) -> Sequence[str]:
    """What was typed of them; yes and no were chosen."""
    lists = [cast("Sequence[object]", one if isinstance(one, list | tuple) else [one]) for one in inputs.values()]
    return [str(item) for one in lists for item in one if not isinstance(item, bool)]


def answer(run: Run) -> str:
    """What people read of how a run ended. Where no function made a text of what an agent handed over, it stands in the
    row as JSON. An agent's work never ends without a word.
    """
    output, text = run.output, run.summary
    if output is not None and not isinstance(output, str | bool | int | float):  # JSON has no other form for these
        text = text.replace(as_json(output), as_markdown(output))
    is_empty = run.task is not None and run.state is RunState.COMPLETED and not text.strip()
    return EMPTY if is_empty else text


def wanted_by(title: str) -> str:
    """To people, on a card: the agent that wants it; nothing where none does."""
    return f"Wanted by the agent “{title}”." if title else ""


# Flows --------------------------------------------------------------------------------------------------------


def next_round(query: str, result: str) -> str:
    """To the agent of a loop: its task, and what the round before handed over."""
    return f"{query.strip()}\n\n[THE ROUND BEFORE] Its result is not good enough yet. Go on from it:\n{result}"


def handed_on(text: str, most: int) -> str:
    """To the agent of a step: a text of an earlier one, of which it gets so many characters."""
    left_out = len(text) - most
    return text if left_out <= 0 else f"{text[:most]}\n(Cut here: {left_out:,} more characters were left out.)"


def not_satisfied(result: str, rounds: int) -> str:
    """The result of a loop whose rounds are used up."""
    return f"{result}\n\n(After {rounds} rounds this is not yet what was asked for.)"


def step_failed(step: str, why: str) -> str:
    """To people: why a flow ends before its end."""
    return f"The step “{step}” was not done. {why}"


def step_was_stopped(step: str) -> str:
    """To people and the model above: why a flow ends before its end, where a person pressed Stop."""
    return f"The step “{step}” was stopped by the person who asked for it."


def does_not_fit(problem: str) -> str:
    """To people: a step cannot be given what its flow says."""
    why = problem if problem.endswith(".") else f"{problem}."
    return f"It cannot be given what the flow has for it. {why} Ask again with other inputs, or have it changed."


def step_stopped(step: str, told: str) -> str:
    """To people: why a flow is paused, and what its step handed over."""
    return f"The step “{step}” stopped before it was done. {told}"


def is_missing(agent: str) -> str:
    """To people: a step needs an agent that is not there any more."""
    return f"It needs the agent {agent}, which this installation does not have any more."


_ONLY_STOPPED = ("Stopped.", "Stopped by you.")
"""How the work of an agent ended that handed over nothing: by whomever it was stopped, and by its owner."""


def adds_nothing(run: Run, action: Action) -> bool:
    """Whether an agent was stopped with the whole request and left nothing: that it was stopped says all of it."""
    return run.state is RunState.CANCELLED and action.child is not None and action.summary in _ONLY_STOPPED


def outcome(child: Run) -> str:
    """How an agent's work ended, in a few words, to its owner."""
    if child.state is not RunState.CANCELLED:
        return _OUTCOMES.get(child.state, "")
    by_somebody, by_owner = _ONLY_STOPPED
    stopped = by_owner if child.stopped_by == child.user else by_somebody
    return f"{stopped} What it had handed over by then is kept." if child.partial else stopped


_OUTCOMES = {
    RunState.COMPLETED: "Its result was handed over.",
    RunState.PAUSED: "It stopped at a limit, and handed over what it had.",
    RunState.FAILED: "It failed.",
}
