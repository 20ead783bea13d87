"""A question as a card: open, with its buttons, or in its final form.

Made by trusted code from the preview alone; who gets it is shown in full and first, and what is too long is folded
behind a button that shows everything. The buttons carry an opaque id and nothing of the arguments.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.actions import ActionState
from bot.domain.questions import Choice, QuestionKind, QuestionState
from bot.runtime.queries import CardView
from bot.slack import ids
from bot.slack.views import blocks as kit
from bot.slack.views.blocks import Block, Element, Outgoing
from bot.slack.views.plain import one_line, plain
from integrations.base import Field

LONG_LIMIT = 2_800  # characters of a long field that a card shows
SHORT_LIMIT = 6_000  # characters of any other field: a list of recipients is shown in full
FINAL_LIMIT = 600  # characters of a long field in the final form
MAX_FIELDS = 20
MAX_REMARKS = 10  # warnings, and again so many things that were not checked
REMARK_LIMIT = 500  # characters of one

_LABELS = {
    Choice.APPROVE: "Approve",
    Choice.REJECT: "Reject",
    Choice.HAPPENED: "It happened",
    Choice.DID_NOT: "It did not",
    Choice.TRY_AGAIN: "Try again",
}
_CUT_OFF = (
    "Interrupted in the middle. I wait, a minute at most, until nothing of it can still arrive, then I look whether "
    "it happened. It is not done twice."
)
_STYLES = {Choice.APPROVE: "primary", Choice.REJECT: "danger"}


def card(view: CardView) -> Outgoing:
    """The card as it stands now."""
    shown = _open(view) if view.state is QuestionState.OPEN else _final(view)
    return Outgoing(text=kit.fallback(_summary(view)), blocks=shown)


def is_folded(view: CardView) -> bool:
    """Whether an open card leaves something out."""
    fields, remarks = view.preview.fields, (view.preview.warnings, view.preview.unchecked)
    crowded = len(fields) > MAX_FIELDS or any(len(texts) > MAX_REMARKS for texts in remarks)
    return crowded or any(map(_is_cut, fields)) or any(len(text) > REMARK_LIMIT for texts in remarks for text in texts)


def _is_cut(field: Field) -> bool:
    if field.before is not None:
        return max(len(plain(field.before)), len(plain(field.value))) > LONG_LIMIT // 2
    return len(plain(field.value)) > _limit(field, LONG_LIMIT)


def _open(view: CardView) -> Sequence[Block]:
    return [
        kit.header(view.preview.title),
        *_fields(view.preview.fields, LONG_LIMIT),
        *_remarks(view),
        kit.context(*_small_print(view)),
        *([_show_all(view)] if is_folded(view) else []),
        kit.buttons(f"card:{view.question_id}", [*(_choice(view, choice) for choice in view.choices), *_edit(view)]),
    ]


def _final(view: CardView) -> Sequence[Block]:
    return [
        kit.header(view.preview.title),
        *([] if view.state is QuestionState.REPLACED else _fields(view.preview.fields, FINAL_LIMIT)),
        kit.rich(kit.line(*_verdict(view)), *([kit.line(*_outcome(view))] if _outcome(view) else [])),
        *([_ask_again(view)] if view.ask_again else []),
    ]


def _choice(view: CardView, choice: Choice) -> Element:
    label = view.preview.approve_label if choice is Choice.APPROVE else _LABELS[choice]
    return kit.button(
        one_line(label) or _LABELS[choice],
        ids.choice_action(choice),
        view.value,
        style=_STYLES.get(choice),
        only_for=view.place.user,
    )


def _edit(view: CardView) -> Sequence[Element]:
    return [kit.button("Edit", ids.EDIT, view.value, only_for=view.place.user)] if view.editable else []


def _ask_again(view: CardView) -> Block:
    button = kit.button("Ask again", ids.ASK_AGAIN, view.value, only_for=view.place.user)
    return kit.buttons(f"again:{view.question_id}", [button])


def _show_all(view: CardView) -> Block:
    button = kit.button("Show everything", ids.SHOW_ALL, view.value, only_for=view.place.user)
    return kit.buttons(f"all:{view.question_id}", [button])


def _fields(fields: Sequence[Field], long_limit: int) -> Sequence[Block]:
    shown = [kit.rich(*_field(field, _limit(field, long_limit))) for field in fields[:MAX_FIELDS]]
    missing = len(fields) - MAX_FIELDS
    return [*shown, kit.context(kit.small(f"… {missing} more fields"))] if missing > 0 else shown


def _limit(field: Field, long_limit: int) -> int:
    return long_limit if field.long or field.before is not None else SHORT_LIMIT


def _field(field: Field, limit: int) -> Sequence[Element]:
    label = kit.words(f"{one_line(field.label, 60)}: ", bold=True)
    if field.before is not None:
        return [kit.line(label, *_change(field, limit))]
    text, more = _folded(plain(field.value), limit)
    if field.long:
        return [kit.line(label), kit.quote(text), *([kit.line(more)] if more else [])]
    return [kit.line(label, *(kit.words(piece) for piece in kit.pieces(text)), *([more] if more else []))]


def _change(field: Field, limit: int) -> Sequence[Element]:
    before, more_before = _folded(plain(field.before or ""), limit // 2)
    after, more_after = _folded(plain(field.value), limit // 2)
    return [
        kit.words(before or "(nothing)", strike=bool(before)),
        *([more_before] if more_before else []),
        kit.words("  →  "),
        kit.words(after or "(nothing)"),
        *([more_after] if more_after else []),
    ]


def _folded(text: str, limit: int) -> tuple[str, Element | None]:
    if len(text) <= limit:
        return text, None
    return text[:limit], kit.words(f" … {len(text) - limit:,} more characters", bold=True)


def _remarks(view: CardView) -> Sequence[Block]:
    warnings = [kit.line(kit.words(f"⚠ {text}", bold=True)) for text in _first(view.preview.warnings)]
    edited = [kit.line(kit.words("You changed this: what is struck out was there before."))] if view.edited else []
    unchecked = [kit.line(kit.words(f"Not checked: {text}")) for text in _first(view.preview.unchecked)]
    said = [*edited, *warnings, *unchecked]
    return [kit.rich(*said)] if said else []


def _first(texts: Sequence[str]) -> Sequence[str]:
    shown = [one_line(text, REMARK_LIMIT) for text in texts[:MAX_REMARKS]]
    missing = len(texts) - MAX_REMARKS
    return [*shown, f"… and {missing} more"] if missing > 0 else shown


def _small_print(view: CardView) -> Sequence[Element]:
    """Why it is asked, until when, and last, for whoever keeps the rules, by which of them."""
    reason, rule = one_line(view.reason, 500), one_line(view.rule, 80)
    return [
        *([kit.small(f"Why you are asked: {reason}")] if reason else []),
        kit.moment_token("Expires", view.expires_at, view.zone),
        *([kit.small(f"Rule {rule}")] if rule else []),
    ]


def _verdict(view: CardView) -> Sequence[Element]:
    """Who decided what, and when."""
    if view.state is QuestionState.EXPIRED:
        return [kit.words(_expired(view), bold=True)]
    if view.state is QuestionState.REPLACED:
        return [kit.words("Changed: see the newer card.", bold=True)]
    if view.state is QuestionState.WITHDRAWN:
        return [kit.words("Withdrawn: no answer is needed any more.", bold=True)]
    verb = {Choice.APPROVE: "Approved", Choice.REJECT: "Rejected"}.get(view.decision or Choice.APPROVE)
    said = f"Answered “{_LABELS[view.decision]}”" if view.decision and not verb else str(verb)
    by = [kit.words(" by "), kit.person(view.decided_by)] if view.decided_by else []
    at = [kit.words(" · "), kit.moment(view.decided_at, view.zone)] if view.decided_at else []
    return [kit.words(said, bold=True), *by, *at]


def _expired(view: CardView) -> str:
    """Of an action that was asked about again the newer card tells what came of it."""
    if _was_asked_again(view):
        return "Expired, and asked again: see the newer card."
    return "Expired: nobody answered in time." + (" Nothing was done." if view.outcome is ActionState.EXPIRED else "")


def _was_asked_again(view: CardView) -> bool:
    asked = view.state is QuestionState.EXPIRED and view.kind is QuestionKind.APPROVE
    return asked and view.outcome is not ActionState.EXPIRED


def _outcome(view: CardView) -> Sequence[Element]:
    """What came of it, and whether an earlier attempt may have happened all the same."""
    if view.state is QuestionState.REPLACED or _was_asked_again(view):
        return []  # the newer card tells
    said = _came_of(view)
    doubtful = view.doubt and view.outcome not in {ActionState.UNKNOWN, ActionState.EXECUTING}
    return [*said, kit.words(" An earlier attempt may have happened: please look.")] if doubtful else said


def _came_of(view: CardView) -> Sequence[Element]:
    detail = one_line(view.detail, 1_000)
    opened = [kit.words(" "), *kit.link(view.link, "Open")] if view.link else []
    match view.outcome:
        case ActionState.COMPLETED if view.scheduled:
            return [kit.words(f"{detail} The message below has its Undo.")]
        case ActionState.COMPLETED:
            return [kit.words(f"✓ Done. {detail}".strip()), *opened]
        case ActionState.FAILED | ActionState.DENIED:
            return [kit.words(f"✗ Not done. {detail}".strip())]
        case ActionState.REJECTED:
            return [kit.words(f"Nothing was done. {detail}".strip())]
        case ActionState.UNKNOWN:
            return [kit.words(f"? It may have happened. {detail}".strip()), *opened]
        case ActionState.EXECUTING if view.doubt:
            return [kit.words(_CUT_OFF)]
        case ActionState.EXECUTING | ActionState.APPROVED | ActionState.PLANNED:
            return [kit.words("Working on it…")]
        case ActionState.CANCELLED if view.decision is Choice.APPROVE:
            return [kit.words(f"Stopped before it was done. {detail}".strip())]
        case _:
            return []


def _summary(view: CardView) -> str:
    if view.state is QuestionState.OPEN:
        return f"{one_line(view.preview.title, 300)} Your decision is needed."
    done = " ".join(str(element.get("text", "")).strip() for element in [*_verdict(view)[:1], *_outcome(view)[:1]])
    return f"{one_line(view.preview.title, 300)} {done}"
