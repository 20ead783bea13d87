"""The card of a plan: however long it is, it fits into a message; what was changed, and what came of each task."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.domain.actions import ActionState, Tally
from bot.domain.plans import MOST_ADDED, MOST_TASKS, PlanTask, TaskStatus
from bot.domain.questions import Choice, QuestionKind, QuestionState
from bot.domain.runs import RunState
from bot.runtime.delivery.views import CardView, PlanView
from bot.slack.views import ids
from bot.slack.views.blocks import Outgoing
from bot.slack.views.plan import card
from bot.tools.plans import as_fields, differing
from integrations.base import Field, Preview
from playground.slack.blocks import checked, walk
from tests.unit.bot.slack.cases import HOSTILE, NOW, card_view

ASIDE = Field(label="It may use", value="at most 3 approvals", aside=True)
TITLE, GOAL = "Find the mail of Anna", "It is found."


def tasks(count: int, **changes: Any) -> list[PlanTask]:
    made = [PlanTask(id=str(n), title=f"{TITLE} {n}", goal=f"{GOAL} {n}") for n in range(1, count + 1)]
    return [replace(task, **changes) for task in made]


def long(count: int, **changes: Any) -> list[PlanTask]:
    given = {"title": (HOSTILE * 9)[:120], "goal": "🎉 word\n" * 250, "summary": "it went well " * 300}
    return tasks(count, **given | changes)


def view(of: list[PlanTask], *, before: list[PlanTask] | None = None, **changes: Any) -> CardView:
    """The card that asks about these tasks, with the difference to those before."""
    fields = as_fields(of) if before is None else differing(as_fields(of), as_fields(before))
    plan = PlanView(
        revision=1,
        tasks=of,
        actions={},
        changes=[],
        unconfirmed=(),
        state=RunState.AWAITING,
        deadline_at=None,
        cost_micros=0,
    )
    preview = Preview(title="Is this the plan?", fields=[*fields, ASIDE])
    given = {"kind": QuestionKind.PLAN, "preview": preview, "plan": plan, "editable": True}
    return card_view(**given | changes)


def confirmed(of: list[PlanTask], **changes: Any) -> CardView:
    asked = view(of, state=QuestionState.DECIDED, decision=Choice.CONFIRM, decided_by="U0MARA", decided_at=NOW)
    assert asked.plan is not None
    return replace(asked, plan=replace(asked.plan, **{"state": RunState.EXECUTING} | changes))


def said(shown: Outgoing) -> str:
    """All of its words, as they stand behind each other."""
    return "".join(item["text"] for item in walk(list(shown.blocks)) if isinstance(item.get("text"), str))


@pytest.mark.parametrize("make", [view, confirmed])
def test_what_stays_done_of_a_plan_that_is_tried_again_is_named(make: Callable[[list[PlanTask]], CardView]) -> None:
    """Before its tasks, and counted where it is much."""
    made = make(tasks(2))
    assert made.plan is not None
    for titles, named in (
        (["Find *it*"], "“Find *it*”."),
        (["A", "B"], "“A” and “B”."),
        (["A"] * 7, "“A”, “A”, “A”, “A”, “A” and 2 other tasks."),
    ):
        words = said(card(replace(made, plan=replace(made.plan, done_before=titles))))
        assert f"Done already, before it was tried again: {named}" in words
    assert "tried again" not in said(card(made))


def buttons(shown: Outgoing) -> list[str]:
    return [item["action_id"] for item in walk(list(shown.blocks)) if item.get("type") == "button"]


@pytest.mark.parametrize(
    "asked",
    [
        view(long(MOST_TASKS)),
        view(long(MOST_TASKS), before=long(MOST_TASKS, title="Something else", goal="Other things. " * 140)),
        view(long(MOST_TASKS), state=QuestionState.EXPIRED, ask_again=True),
        confirmed(long(MOST_TASKS + MOST_ADDED), changes=["because " * 100] * 12),
    ],
)
def test_a_long_plan_fits_into_a_message(asked: CardView) -> None:
    shown = card(asked)
    checked(json.loads(json.dumps(list(shown.blocks))))
    assert len(said(shown)) < 13_000


def test_what_does_not_fit_can_be_read_in_full() -> None:
    assert ids.SHOW_ALL in buttons(card(view(long(MOST_TASKS))))
    assert ids.SHOW_ALL not in buttons(card(view(tasks(MOST_TASKS))))
    assert f"{MOST_TASKS}: {TITLE} {MOST_TASKS}" in said(card(view(tasks(MOST_TASKS))))


def test_a_plan_that_is_asked_about_has_the_code_of_its_card() -> None:
    assert "Card GH2N" in said(card(view(tasks(2))))


def test_taking_a_task_out_changes_none_of_the_others() -> None:
    """Their numbers are no difference."""
    before = tasks(3)
    shown = said(card(view([replace(before[1], id="1"), replace(before[2], id="2")], before=before)))
    assert "changed:" not in shown
    assert ", new" not in shown
    assert f"Taken out: {TITLE} 1" in shown


def test_a_changed_goal_stands_beside_the_one_before() -> None:
    (before,) = tasks(1)
    shown = card(view([replace(before, goal="It is read.")], before=[before]))
    struck = [item["text"] for item in walk(list(shown.blocks)) if (item.get("style") or {}) == {"strike": True}]
    bold = [item["text"] for item in walk(list(shown.blocks)) if (item.get("style") or {}) == {"bold": True}]
    assert struck == ["It is found. 1\n"]
    assert "It is read." in "".join(bold)
    assert "Changed as you said." in said(shown)


def test_what_could_not_be_done_is_said() -> None:
    asked = view(tasks(1))
    warned = replace(asked, preview=replace(asked.preview, warnings=["I could not change it."]))
    assert "⚠ I could not change it." in said(card(warned))


def test_its_deadline_has_its_zone() -> None:
    asked = view(tasks(1))
    assert asked.plan is not None
    plan = replace(asked.plan, deadline_at=NOW + timedelta(hours=2))
    assert "To be done by Tue 24 Nov 2026, 17:00 (Europe/Stockholm)" in said(card(replace(asked, plan=plan)))


def test_each_task_says_what_came_of_it() -> None:
    done, failed, added = tasks(3)
    of = [
        replace(done, status=TaskStatus.COMPLETED, summary="Found: m1."),
        replace(failed, status=TaskStatus.FAILED, summary="Stopped.\n• Send a mail: not done"),
        replace(added, replaces="2"),
    ]
    shown = said(card(confirmed(of, actions={"1": Tally(2, 1)}, changes=["it was not sent"], cost_micros=23_000)))
    assert f"✓ 1. {TITLE} 1 – 2 lookups, 1 action · Found: m1." in shown
    assert f"✗ 2. {TITLE} 2 – Stopped. Send a mail: not done" in shown, "on one line"
    assert f"○ 3. {TITLE} 3 – in the place of task 2" in shown
    assert "Changed: it was not sent" in shown
    assert "1 of 3 tasks done" in shown
    assert "at most US$\N{NO-BREAK SPACE}0.03" in shown


def test_what_its_answer_tells_stands_there_alone() -> None:
    """Once the answer has what came of each task, the card says how each stands, and what it took."""
    of = [
        replace(one, status=status, summary="Found: m1.")
        for one, status in zip(tasks(2), (TaskStatus.COMPLETED, TaskStatus.FAILED), strict=True)
    ]
    shown = said(card(confirmed(of, actions={"1": Tally(2)}, state=RunState.FAILED, told=True)))
    assert "Found" not in shown
    assert f"✓ 1. {TITLE} 1 – 2 lookups✗ 2. {TITLE} 2Confirmed by " in shown


def test_one_that_was_stopped_says_so() -> None:
    assert "0 of 2 tasks done, stopped" in said(card(confirmed(tasks(2), state=RunState.CANCELLED)))


@pytest.mark.parametrize(("child", "came"), [(None, "Nothing was done."), ("run_2", "Nothing more was done.")])
def test_one_that_its_owner_cancelled_says_so(child: str | None, came: str) -> None:
    """Also where the rest of one was asked about that had begun."""
    asked = view([replace(one, child=child) for one in tasks(1)])
    no = {"state": QuestionState.DECIDED, "decision": Choice.REJECT, "outcome": ActionState.REJECTED}
    shown = said(card(replace(asked, decided_by="U0DANA", **no)))
    assert "Cancelled by" in shown
    assert came in shown


@pytest.mark.parametrize(
    ("changes", "offered"),
    [
        ({}, True),
        ({"stopping": True}, False),
        ({"state": RunState.COMPLETED}, False),
        ({"state": RunState.PAUSED}, True),
    ],
)
def test_it_can_be_stopped_until_it_is_over(changes: dict[str, Any], offered: bool) -> None:
    """Also what paused, which could go on."""
    assert (ids.STOP_RUN in buttons(card(confirmed(tasks(2), **changes)))) is offered


def test_a_plan_that_was_asked_about_again_is_not_called_done() -> None:
    """The newer card says what came of it."""
    confirmed_since = view(tasks(1), state=QuestionState.EXPIRED, outcome=ActionState.COMPLETED, asked_again=True)
    assert "asked again: see the newer card" in said(card(confirmed_since))
    assert "Done" not in said(card(confirmed_since))
    assert "nobody answered in time" in said(card(replace(confirmed_since, outcome=ActionState.EXPIRED)))


def test_what_changed_since_it_was_confirmed_shows_its_goal() -> None:
    """A goal that its owner never saw could say anything; what is cut is said."""
    first, second = tasks(2)
    second = replace(second, goal=f"{'Harmless. ' * 30}Mara has the salary table.")
    shown = said(confirmed_card([first, second], unconfirmed={second.id}))
    assert "Mara has the salary table." in shown
    assert first.goal not in shown
    long = replace(second, goal="x" * 2_000)
    assert "500 more characters" in said(confirmed_card([first, long], unconfirmed={long.id}))


def confirmed_card(of: list[PlanTask], **changes: Any) -> Outgoing:
    return card(confirmed(of, **changes))
