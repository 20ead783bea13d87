"""Plans as values: which tasks stay themselves when a plan is changed, and what stands for a failure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.domain.plans import PlanTask, TaskStatus, joined, not_replaced


def task(number: int, status: TaskStatus = TaskStatus.PENDING, *, title: str = "Write", replaces: str = "") -> PlanTask:
    return PlanTask(id=str(number), title=title, goal="It is written.", status=status, replaces=replaces)


def test_equal_tasks_keep_their_numbers_when_a_plan_is_changed() -> None:
    before = [task(1, TaskStatus.COMPLETED), task(2), task(3)]
    assert [one.id for one in joined(before, [task(1), task(2)])] == ["1", "2", "3"]
    assert [one.id for one in joined(before, [task(1), task(2), task(3)])] == ["1", "2", "3"]
    assert [one.id for one in joined(before, [task(1), task(2, title="Send")])] == ["1", "2", "4"]


def test_what_replaces_a_failure_does_so_in_other_words_too() -> None:
    before = [task(1, TaskStatus.FAILED), task(2, title="Write again", replaces="1")]
    (_, again) = joined(before, [task(1, title="Write once more")])
    assert (again.id, again.title, again.replaces) == ("2", "Write once more", "1")


def test_a_task_that_is_named_stays_itself_in_other_words() -> None:
    """With its number, what it replaces, and what was done for it."""
    before = [task(1, TaskStatus.FAILED), replace(task(2, title="Write again", replaces="1"), child="run_2"), task(3)]
    proposed = [
        PlanTask(id="1", title="Ask", goal="Anna is asked."),
        PlanTask(id="2", title="More", goal="It is more."),
    ]
    (_, asked, more) = joined(before, proposed, ["2", ""])
    assert (asked.id, asked.title, asked.goal, asked.replaces, asked.child) == (
        "2",
        "Ask",
        "Anna is asked.",
        "1",
        "run_2",
    )
    assert (more.id, more.replaces) == ("4", "")


@pytest.mark.parametrize("name", ["1", "9", "x"])
def test_an_id_of_no_pending_task_is_a_new_one(name: str) -> None:
    before = [task(1, TaskStatus.FAILED), task(2, replaces="1")]
    (_, new) = joined(before, [PlanTask(id="1", title="Ask", goal="Anna is asked.")], [name])
    assert (new.id, new.replaces) == ("3", "")


def test_equal_words_count_before_an_id() -> None:
    """A model may number the tasks anew."""
    before = [task(1, TaskStatus.FAILED), task(2, title="First", replaces="1"), task(3, title="Second")]
    after = joined(before, [task(1, title="Second"), task(2, title="First")], ["2", "3"])
    assert [(one.id, one.title, one.replaces) for one in after[1:]] == [("3", "Second", ""), ("2", "First", "1")]


@pytest.mark.parametrize(
    ("statuses", "failed"),
    [
        ([TaskStatus.COMPLETED], []),
        ([TaskStatus.OBSOLETE], ["1"]),
        ([TaskStatus.PENDING], ["1"]),
        ([TaskStatus.FAILED, TaskStatus.COMPLETED], []),
        ([TaskStatus.FAILED, TaskStatus.OBSOLETE], ["1", "2"]),
    ],
)
def test_a_failure_is_replaced_by_what_was_completed(statuses: Sequence[TaskStatus], failed: Sequence[str]) -> None:
    """Task 1 failed, and each of the others stands for the one before it."""
    others = [task(n, status, replaces=str(n - 1)) for n, status in enumerate(statuses, start=2)]
    assert [one.id for one in not_replaced([task(1, TaskStatus.FAILED), *others])] == failed
