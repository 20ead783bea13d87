"""A tool's question as a card: every answer in full, a button or a menu for each, and what was answered."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from bot.domain.questions import Choice, QuestionKind, QuestionState
from bot.runtime.delivery.views import CardView
from bot.slack.views import ids
from bot.slack.views.tool_question import tool_question
from integrations.base import Option, Preview
from tests.contract.test_blocks import accepted
from tests.unit.bot.slack.cases import NOW, card_view

HELENS = (
    Option(value="park@x.example", label="Helen Park", detail="Design"),
    Option(value="ito@y.example", label="Helen Ito"),
)


def asked(*options: Option, **changes: Any) -> CardView:
    preview = Preview(title="Which Helen do you mean?", fields=[])
    view = replace(card_view(), kind=QuestionKind.ANSWER, preview=preview, choices=(), options=options or HELENS)
    return replace(view, **changes)


def elements(view: CardView) -> list[dict[str, Any]]:
    """What can be pressed."""
    blocks = cast("list[dict[str, Any]]", list(tool_question(view).blocks))
    return [element for block in blocks if block["type"] == "actions" for element in block["elements"]]


def test_a_button_for_each_answer() -> None:
    """Each button carries the card's opaque value and nothing of the answer; the last one is “None of these”."""
    view = asked()
    made = elements(view)
    assert [element["text"]["text"] for element in made] == ["Helen Park", "Helen Ito", "None of these"]
    assert {element["value"] for element in made} == {view.value}
    assert len({element["action_id"] for element in made}) == 3
    assert ids.option_of(made[1]["action_id"], view.value) == (view.value, 1)
    assert "Design" in str(tool_question(view).blocks)
    accepted(tool_question(view))


def test_two_answers_of_one_name_can_be_told_apart() -> None:
    """The buttons carry their addresses, and where these are too long for that the numbers of the list."""
    for more, told in (("", "Helen Park, 1@x.example"), ("x" * 75, "2. Helen Park, xxxx")):
        twice = [Option(value=f"{n}@x.example", label="Helen Park", detail=f"{more}{n}@x.example") for n in range(2)]
        assert elements(asked(*twice))[1]["text"]["text"].startswith(told)


def test_many_answers_are_a_menu() -> None:
    """More than five are a menu, whose choice names its place."""
    view = asked(*(Option(value=f"v{n}", label=f"Helen {n} " * 30, detail="x" * 300) for n in range(25)))
    menu, none = elements(view)
    assert (menu["type"], len(menu["options"]), none["text"]["text"]) == ("static_select", 25, "None of these")
    assert ids.option_of(menu["action_id"], menu["options"][24]["value"]) == (view.value, 24)
    assert all(len(option["value"]) <= 150 for option in menu["options"])
    accepted(tool_question(view))


def test_a_long_question() -> None:
    """What is too long for a title stands below one."""
    accepted(tool_question(asked(preview=Preview(title="Which one? " * 150, fields=[]))))


def test_what_was_answered() -> None:
    """The final card says who answered what; nothing is left to press, unless it expired and can be asked again."""
    done = asked(state=QuestionState.DECIDED, decision=Choice.ANSWER, said="Helen Ito", decided_by="U1", decided_at=NOW)
    assert "Answered “Helen Ito”" in str(tool_question(done).blocks)
    assert "none of these" in str(tool_question(replace(done, decision=Choice.NONE)).blocks)
    gone = asked(state=QuestionState.WITHDRAWN)
    expired = asked(state=QuestionState.EXPIRED, ask_again=True)
    assert [elements(view) for view in (done, gone)] == [[], []]
    assert [element["action_id"] for element in elements(expired)] == [ids.ASK_AGAIN]
    for view in (done, gone, expired):
        accepted(tool_question(view))
