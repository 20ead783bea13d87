"""A plan as a card: proposed, with its buttons; once it is confirmed, with what came of each task."""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.plans import PlanTask, TaskStatus
from bot.domain.questions import Choice, QuestionState
from bot.runtime.delivery.views import CardView, PlanView
from bot.slack.views import blocks as kit
from bot.slack.views import card as cards
from bot.slack.views import fields, ids
from bot.slack.views.blocks import Block, Element, Outgoing
from bot.slack.views.plain import one_line

TITLE_LIMIT, CAME_OF_LIMIT, CHANGE_LIMIT = 120, 300, 300
MOST_SHOWN, MOST_CHANGES = 40, 5
_CENT_MICROS = 10_000
_MARKS = {
    TaskStatus.PENDING: "○",
    TaskStatus.EXECUTING: "▸",
    TaskStatus.COMPLETED: "✓",
    TaskStatus.FAILED: "✗",
    TaskStatus.OBSOLETE: "–",
}
_HINT = "Reply in this thread to have it changed. Whatever it does later is decided as always: a plan approves nothing."


def card(view: CardView, newer: str = "") -> Outgoing:
    """The card as it stands now; `newer` is the address of the one that took its place."""
    if view.plan is not None and view.state is QuestionState.OPEN:
        asked = kit.fallback(f"{view.preview.title} Your decision is needed.")
        return Outgoing(text=asked, blocks=_open(view, view.plan))
    if view.plan is not None and view.decision is Choice.CONFIRM:
        return Outgoing(text=kit.fallback(f"Plan: {_so_far(view.plan)}"), blocks=_confirmed(view, view.plan))
    return cards.card(view, newer)


def _open(view: CardView, plan: PlanView) -> Sequence[Block]:
    owner = view.place.user
    buttons = [
        kit.button("Confirm", ids.choice_action(Choice.CONFIRM), view.value, style="primary", only_for=owner),
        kit.button("Cancel", ids.choice_action(Choice.REJECT), view.value, style="danger", only_for=owner),
        *([kit.button("Show everything", ids.SHOW_ALL, view.value, only_for=owner)] if cards.is_folded(view) else []),
    ]
    until = _until(view, plan)
    return [
        kit.header(view.preview.title),
        *fields.blocks(view.preview.fields, fields.LONG_LIMIT),
        kit.buttons(f"card:{view.question_id}", buttons),
        kit.context(kit.small(_HINT), *until, kit.moment_token("Expires", view.expires_at, view.zone)),
    ]


def _confirmed(view: CardView, plan: PlanView) -> Sequence[Block]:
    shown = plan.tasks[:MOST_SHOWN]
    changes = [kit.small(f"Changed: {one_line(why, CHANGE_LIMIT)}") for why in plan.changes[-MOST_CHANGES:]]
    return [
        kit.header("Plan"),
        kit.rich(*(kit.line(*_task(task)) for task in shown)),
        *kit.and_more(len(plan.tasks) - len(shown)),
        *([kit.context(*changes)] if changes else []),
        kit.rich(kit.line(*cards.decided(view, "Confirmed"))),
        kit.context(*_used(view, plan)),
    ]


def _task(task: PlanTask) -> Sequence[Element]:
    head = kit.words(f"{_MARKS[task.status]} {task.id}. {one_line(task.title, TITLE_LIMIT)}", bold=True)
    said = one_line(task.summary, CAME_OF_LIMIT)
    return [head, *([kit.words(f" – {said}")] if said else [])]


def _used(view: CardView, plan: PlanView) -> Sequence[Element]:
    spent = "less than US$ 0.01" if plan.cost_micros < _CENT_MICROS else f"US$ {plan.cost_micros / 1_000_000:.2f}"
    money = [kit.small(spent)] if plan.cost_micros else []
    return [kit.small(_so_far(plan)), *money, *_until(view, plan)]


def _until(view: CardView, plan: PlanView) -> Sequence[Element]:
    return [kit.moment_token("To be done by", plan.deadline_at, view.zone)] if plan.deadline_at else []


def _so_far(plan: PlanView) -> str:
    done = sum(task.status is TaskStatus.COMPLETED for task in plan.tasks)
    return f"{done} of {len(plan.tasks)} tasks done"
