"""A list of objects in a form: a text for each, what is kept beside it, and what is wrong where it was filled in."""

from __future__ import annotations

from typing import Any, cast

from bot.domain.plans import MOST_TASKS
from bot.tools.entry_fields import HOW_MORE, NO_ENTRY
from bot.tools.forms import form_of, read, wrong_entries
from bot.tools.plans import PlanTool
from integrations.base import AnyTool

TOOL = cast("AnyTool", PlanTool())
ARGS: dict[str, Any] = {
    "tasks": [
        {"title": "Find the mail", "goal": "It is found.\nAll of it.", "agent": "mail_clerk"},
        {"title": "Answer", "goal": "Anna has an answer."},
    ]
}
SHOWN = {
    "tasks.0": "Find the mail\nIt is found.\nAll of it.",
    "tasks.1": "Answer\nAnna has an answer.",
    "tasks.new": "",
}


def filled(**changes: str) -> list[dict[str, Any]]:
    """The tasks as the form leaves them; fields have a line where their names have a point."""
    given = SHOWN | {name.replace("_", "."): text for name, text in changes.items()}
    tasks: Any = read(TOOL, ARGS, given).get("tasks", ARGS["tasks"])
    return tasks


def test_each_entry_is_a_text_of_its_own() -> None:
    fields = form_of(TOOL, ARGS).fields
    assert {field.name: field.value for field in fields} == SHOWN
    assert [field.label for field in fields] == ["Task 1 (agent mail_clerk)", "Task 2", "New tasks"]
    assert fields[-1].hint == HOW_MORE


def test_what_is_left_as_it_was_changes_nothing() -> None:
    """Also where Slack sends other line ends."""
    assert read(TOOL, ARGS, {name: text.replace("\n", "\r\n") for name, text in SHOWN.items()}) == {}


def test_the_first_line_is_the_title_and_the_rest_the_goal() -> None:
    assert filled(tasks_1="Write\n\nAnna knows.\nSo does Ben.")[1] == {
        "title": "Write",
        "goal": "Anna knows.\nSo does Ben.",
    }
    assert filled(tasks_1="Write to Anna")[1] == {"title": "Write to Anna", "goal": "Write to Anna"}


def test_what_both_say_stands_there_once() -> None:
    """One line is the title and the goal, and as long as nobody edits it both stay as they are."""
    args = {"tasks": [{"title": "Call Aoife", "goal": "Call Aoife."}]}
    (first, _) = form_of(TOOL, args).fields
    assert first.value == "Call Aoife"
    assert read(TOOL, args, {"tasks.0": "Call Aoife", "tasks.new": ""}) == {}
    assert read(TOOL, args, {"tasks.0": "Call Ben", "tasks.new": ""}) == {
        "tasks": [{"title": "Call Ben", "goal": "Call Ben"}]
    }


def test_what_nobody_edits_is_kept() -> None:
    assert filled(tasks_0="Look\nIt is there.")[0] == {"title": "Look", "goal": "It is there.", "agent": "mail_clerk"}


def test_what_is_for_code_alone_is_kept_and_not_shown() -> None:
    known: dict[str, Any] = {"tasks": [ARGS["tasks"][0] | {"id": "7"}]}
    assert form_of(TOOL, known).fields[0].label == "Task 1 (agent mail_clerk)"
    given = {"tasks.0": "Look\nIt is there.", "tasks.new": ""}
    (entry,) = cast("list[dict[str, Any]]", read(TOOL, known, given)["tasks"])
    assert entry == {"title": "Look", "goal": "It is there.", "agent": "mail_clerk", "id": "7"}


def test_an_emptied_entry_is_taken_out() -> None:
    assert filled(tasks_0=" \n") == [ARGS["tasks"][1]]


def test_new_ones_stand_behind_each_other() -> None:
    added = filled(tasks_new="One\nIts goal.\n\n\nTwo\n \n")[2:]
    assert added == [{"title": "One", "goal": "Its goal."}, {"title": "Two", "goal": "Two"}]


def test_what_is_wrong_stands_at_its_field() -> None:
    """Also behind one that is taken out; of several in one field the first."""
    long = {**SHOWN, "tasks.0": "", "tasks.1": "x" * 121, "tasks.new": f"{'y' * 121}\n\n{'z' * 121}"}
    too_long = "Title: String should have at most 120 characters"
    assert wrong_entries(TOOL, ARGS, long) == {"tasks.1": too_long, "tasks.new": too_long}
    assert wrong_entries(TOOL, ARGS, dict.fromkeys(SHOWN, "")) == {"tasks.new": NO_ENTRY}
    many = "\n\n".join(f"Task {n}" for n in range(MOST_TASKS))
    assert wrong_entries(TOOL, ARGS, {**SHOWN, "tasks.new": many}) == {
        "tasks.new": "At most 20 can be taken, and these are 22."
    }
    assert wrong_entries(TOOL, ARGS, SHOWN) == {}
