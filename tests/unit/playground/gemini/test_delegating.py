"""Work for an agent, as the scripted model gives it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.playground.gemini.conversation import TOOLS, Conversation


def play(text: str, output: Any = "", **errors: Any) -> tuple[Conversation, str]:
    made = Conversation(text=text, tools=(*TOOLS, "mail_clerk"), results={"mail_clerk": output}, errors=errors)
    return made, made.run()


@pytest.mark.parametrize(
    "text",
    [
        "Have the mail clerk answer Helen's mail that Thursday works.",
        "Please ask the Mail clerk agent to answer Helen's mail that Thursday works.",
        "Let mail_clerk answer Helen's mail that Thursday works.",
    ],
)
def test_an_agent_that_is_named_is_given_the_rest(text: str) -> None:
    """As it was said; what it hands over is told."""
    made, said = play(text, "Sent.")
    assert made.steps == [[("mail_clerk", {"task": "answer Helen's mail that Thursday works."})]]
    assert said == "The mail clerk reports: Sent."


def test_an_agent_that_failed_is_not_said_to_be_done() -> None:
    stopped = {"code": "cancelled", "message": "The agent was stopped before it was done."}
    _, said = play("Have the mail clerk answer Helen's mail.", mail_clerk=stopped)
    assert "stopped before it was done" in said
    assert "reports" not in said


def test_nobody_else_is_an_agent() -> None:
    """People are still written to, and told things."""
    made, _ = play("Let Helen know that the benches are ready.")
    assert "mail_clerk" not in str(made.steps)


@pytest.mark.parametrize(
    ("text", "agent", "inputs"),
    [
        ("Prepare me for the delivery planning.", "meeting_brief", {"meeting": "delivery planning"}),
        ("Please review my week", "week_review", dict[str, str]()),
        ("Review my last week", "week_review", {"first_day": "last week"}),
    ],
)
def test_a_meeting_and_a_week_are_for_the_shipped_agents(text: str, agent: str, inputs: Any) -> None:
    """What they return is the answer; where they are not there, nobody is asked."""
    result: Any = "## About"
    given = Conversation(text=text, tools=(*TOOLS, agent), results={agent: result})
    assert (given.run(), given.steps) == ("## About", [[(agent, inputs)]])
    assert Conversation(text=text).run().startswith("I do not understand")


def test_an_agent_is_named_without_its_underscores() -> None:
    _, said = play("Have the mail clerk answer Helen's mail.", mail_clerk={"code": "unavailable", "message": "Gone."})
    assert said == "I could not run the mail clerk. Gone."
