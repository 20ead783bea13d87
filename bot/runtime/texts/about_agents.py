"""What is said of agents: to people, on cards and in answers; to the model of an agent, how it ends its work."""

from __future__ import annotations

from bot.domain.runs import Run, RunState

MUST_HAND_OVER = (
    "Your answer was not handed over. When your work is done, call {tool} with your result; until then, call the other "
    "tools."
)
HANDED_OVER = "Handed over."
NOTHING_HANDED_OVER = "The agent answered without handing over a result, also after it was reminded."


def task(tool: str, output: str, description: str) -> str:
    """To an agent: what it works for, and how it ends."""
    return (
        "[YOUR TASK] You do one task for the person, on behalf of their assistant. Only your result is read: it "
        f"reaches the person through the assistant. When it is done, call {tool} with “{output}” ({description}). If "
        "you cannot do all of it, hand over what you have, and say in it what is missing. Ask nothing back."
    )


def outcome(child: Run) -> str:
    """How an agent's work ended, in a few words."""
    return _OUTCOMES.get(child.state, "")


_OUTCOMES = {
    RunState.COMPLETED: "Its result was handed over.",
    RunState.PAUSED: "It stopped at a limit, and handed over what it had.",
    RunState.FAILED: "It failed.",
    RunState.CANCELLED: "It was stopped.",
}
