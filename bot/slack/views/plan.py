"""A plan as a card: proposed, with its buttons; once it is confirmed, with how each task stands, and what came of it
until the answer tells that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.domain.plans import PlanTask, TaskStatus
from bot.domain.questions import Choice, QuestionState
from bot.runtime.delivery.views import CardView, PlanView
from bot.runtime.texts import about_limits, about_plans
from bot.slack.views import blocks as kit
from bot.slack.views import card as cards
from bot.slack.views import differences, fields, ids
from bot.slack.views.blocks import Block, Element, Outgoing
from bot.slack.views.plain import markdown_line, one_line, plain
from integrations.base import Field

TITLE_LIMIT, CHANGE_LIMIT = 120, 300
CAME_OF_LIMIT = 5_000  # characters of what came of all tasks together
LEAST_CAME_OF, MOST_CAME_OF = 80, 400  # and of one
GOALS_LIMIT = 9_000  # characters of all goals together on a card that asks
LEAST_OF_GOAL, MOST_OF_GOAL = 150, 1_500  # and of one
MOST_SHOWN, MOST_CHANGES, WARNING_LIMIT = 40, 5, 500
MOST_ASKED = 30  # tasks on a card that asks, those that were taken out among them
_MARKS = {
    TaskStatus.PENDING: "○",
    TaskStatus.EXECUTING: "▸",
    TaskStatus.COMPLETED: "✓",
    TaskStatus.FAILED: "✗",
    TaskStatus.OBSOLETE: "–",
}
_HINT = "Reply in this thread to have it changed. Confirming approves nothing: what needs your yes gets its own card."
_CHANGED = "Changed as you said. What is struck out was there before, bold lines are new."
LOG_TITLE = "Log of the plan"
LOG_COMMENT = "Everything that was done for this plan, in order."
_STOP = kit.confirm(
    "Stop the plan?", "What is being done at this moment ends first. The rest is not begun.", yes="Stop it", no="Go on"
)


def card(view: CardView, newer: str = "") -> Outgoing:
    """The card as it stands now; `newer` is the address of the one that took its place."""
    if view.plan is not None and view.state is QuestionState.OPEN:
        asked = kit.fallback(f"{view.preview.title} Your decision is needed.")
        return Outgoing(text=asked, blocks=_open(view, view.plan))
    if view.plan is not None and view.decision is Choice.CONFIRM:
        return Outgoing(text=kit.fallback(f"Plan: {_so_far(view.plan)}"), blocks=_confirmed(view, view.plan))
    titles = [replace(field, value=_title(field)) for field in _tasks(view) if field.value]
    return cards.card(replace(view, preview=replace(view.preview, title="Plan", fields=titles)), newer)


# While it is asked about --------------------------------------------------------------------------------------


def _open(view: CardView, plan: PlanView) -> Sequence[Block]:
    until = _until(view, plan)
    shown = _tasks(view)[:MOST_ASKED]
    return [
        kit.header(view.preview.title),
        *_remark(view),
        *_done_before(plan),
        *(kit.rich(*_asked(field, _room(view))) for field in shown),
        *kit.and_more(len(_tasks(view)) - len(shown)),
        *fields.blocks([field for field in view.preview.fields if field.aside], fields.LONG_LIMIT),
        *([kit.context(*until)] if until else []),
        kit.buttons(f"card:{view.question_id}", _buttons(view)),
        kit.context(
            kit.small(_HINT),
            kit.moment_token("Expires", view.expires_at, view.zone),
            kit.card_code(view.question_id),
        ),
    ]


def _buttons(view: CardView) -> Sequence[Element]:
    offered = [
        ("Confirm", ids.choice_action(Choice.CONFIRM), "primary"),
        *([("Refine", ids.REFINE, None), ("Edit", ids.EDIT, None)] if view.editable else []),
        ("Cancel", ids.choice_action(Choice.REJECT), "danger"),
        *([("Show everything", ids.SHOW_ALL, None)] if _is_folded(view) else []),
    ]
    owner = view.place.user
    return [kit.button(label, action, view.value, style=style, only_for=owner) for label, action, style in offered]


def _remark(view: CardView) -> Sequence[Block]:
    """Why it is asked anew, how a difference is shown, and what could not be done."""
    differs = any(field.before is not None for field in view.preview.fields)
    said = cards.changed(view) or (_CHANGED if differs else "")
    warnings = [kit.line(kit.words(f"⚠ {one_line(text, WARNING_LIMIT)}", bold=True)) for text in view.preview.warnings]
    lines = [*([kit.line(kit.words(said))] if said else []), *warnings]
    return [kit.rich(*lines)] if lines else []


def _done_before(plan: PlanView) -> Sequence[Block]:
    """What stays done of a plan that is tried again: its tasks are not among these."""
    if not plan.done_before:
        return []
    titles = [one_line(title, TITLE_LIMIT) for title in plan.done_before]
    return [kit.context(kit.small(about_plans.done_before(titles)))]


def _tasks(view: CardView) -> Sequence[Field]:
    return [field for field in view.preview.fields if not field.aside]


def _room(view: CardView) -> int:
    """Characters of one goal: a long plan shows less of each."""
    return max(LEAST_OF_GOAL, min(MOST_OF_GOAL, GOALS_LIMIT // max(1, len(_tasks(view)))))


def _asked(field: Field, room: int) -> Sequence[Element]:
    if field.before is None or not field.before or not field.value:
        return [kit.line(*_whole(field, room))]
    found = differences.shortened(_differences(field), 2 * room)
    return [kit.line(kit.words(f"{field.label}, changed:\n", bold=True), *differences.marked(found))]


def _whole(field: Field, room: int) -> Sequence[Element]:
    """A task that stands as it is, is new, or was taken out."""
    gone = not field.value
    head, _, goal = plain(field.value or field.before or "").partition("\n")
    label = "Taken out" if gone else f"{field.label}, new" if field.before is not None else field.label
    title = kit.words(f"{label}: {one_line(head, TITLE_LIMIT + 1)}", bold=True, strike=gone)
    text, more = ("", None) if gone else fields.folded(goal, room)
    return [title, *([kit.words(f"\n{text}")] if text else []), *([more] if more else [])]


def _differences(field: Field) -> Sequence[differences.Hunk]:
    return differences.pieces(plain(field.before or ""), plain(field.value))


def _title(field: Field) -> str:
    return one_line(field.value.partition("\n")[0], TITLE_LIMIT)


def _is_folded(view: CardView) -> bool:
    """Whether it leaves something out."""
    tasks, room = _tasks(view), _room(view)
    return len(tasks) > MOST_ASKED or any(_is_cut(field, room) for field in tasks)


def _is_cut(field: Field, room: int) -> bool:
    if field.before and field.value:
        return differences.left_out(differences.shortened(_differences(field), 2 * room)) > 0
    return len(plain(field.value).partition("\n")[2]) > room


# Once it is confirmed -----------------------------------------------------------------------------------------


def _confirmed(view: CardView, plan: PlanView) -> Sequence[Block]:
    shown = plan.tasks[:MOST_SHOWN]
    changes = [kit.small(f"Changed: {one_line(why, CHANGE_LIMIT)}") for why in plan.changes[-MOST_CHANGES:]]
    return [
        kit.header("Plan"),
        *_done_before(plan),
        kit.rich(*_lines(shown, plan)),
        *kit.and_more(len(plan.tasks) - len(shown)),
        *([kit.context(*changes)] if changes else []),
        kit.rich(kit.line(*cards.decided(view, "Confirmed"))),
        kit.context(*_used(view, plan)),
        *_stop(view, plan),
    ]


def _lines(tasks: Sequence[PlanTask], plan: PlanView) -> Sequence[Element]:
    """A line for each task. What changed since its owner confirmed the plan shows its goal, too."""
    changed = [task for task in tasks if task.id in plan.unconfirmed and task.status is not TaskStatus.OBSOLETE]
    room = max(LEAST_OF_GOAL, min(MOST_OF_GOAL, GOALS_LIMIT // max(1, len(changed))))
    lines: list[Element] = []
    for task in tasks:
        goal = _goal(task, room) if task in changed else ()
        lines.append(kit.line(*_task(task, plan), *goal))
    return lines


def _goal(task: PlanTask, room: int) -> Sequence[Element]:
    text, more = fields.folded(plain(task.goal), room)
    by = f"By the agent {task.agent}. " if task.agent else ""
    return [kit.words(f"\n{by}{text}"), *([more] if more else [])]


def _task(task: PlanTask, plan: PlanView) -> Sequence[Element]:
    head = kit.words(f"{_MARKS[task.status]} {task.id}. {one_line(task.title, TITLE_LIMIT)}", bold=True)
    did = str(plan.actions.get(task.id, ""))
    told = [f"in the place of task {task.replaces}"] if task.replaces else []
    told += [did] if did else []
    told += [said] if not plan.told and (said := markdown_line(task.summary, _came_of_limit(plan))) else []
    return [head, *([kit.words(f" – {' · '.join(told)}")] if told else [])]


def _came_of_limit(plan: PlanView) -> int:
    """Characters of what came of one task: a long plan shows less of each."""
    return max(LEAST_CAME_OF, min(MOST_CAME_OF, CAME_OF_LIMIT // max(1, len(plan.tasks))))


def _used(view: CardView, plan: PlanView) -> Sequence[Element]:
    money = [kit.small(about_limits.spent(plan.cost_micros))] if plan.cost_micros else []
    return [kit.small(_so_far(plan)), *money, *_until(view, plan)]


def _stop(view: CardView, plan: PlanView) -> Sequence[Block]:
    if plan.stopping or plan.state.is_final():
        return []
    stop = kit.button("Stop", ids.STOP_RUN, view.place.run_id, style="danger", only_for=view.place.user)
    return [kit.buttons(f"stop:{view.question_id}", [stop | {"confirm": _STOP}])]


def _until(view: CardView, plan: PlanView) -> Sequence[Element]:
    if plan.deadline_at is None:
        return []
    return [kit.small(about_plans.until(plan.deadline_at, view.zone))]


def _so_far(plan: PlanView) -> str:
    return about_plans.so_far(plan.tasks, plan.state)
