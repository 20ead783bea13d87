"""The form in which the owner of a card changes it: a modal with one field for each argument (docs/cards.md).

Days and times are chosen without a zone, as the arguments are written without one: Slack's own picker of moments
would show them in the reader's zone.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from bot.slack.views import blocks as kit
from bot.slack.views import ids
from bot.slack.views.blocks import Block, Element
from bot.slack.views.plain import cut, one_line
from bot.tools.forms import TEXT_LIMIT, FieldInput, Form, FormField

NOTHING = "(nothing)"
DAY_TOO = "Choose the day too, or clear the time."
TIME_TOO = "Choose the time too, or clear the day."
TITLE_LIMIT = 24
FIELD = "field"  # the action id of the element in a field; older than `kit.VALUE`, and in windows that are open
TIME = ":time"  # behind the name of a day's block, the name of its time's

_SET = "set"
_ASKS_AGAIN = "Nothing is done by this: you are asked again, with the difference."
_APPROVES = "This approves it as the card shows it, but for what you fill in here."
_APPROVES_BELOW = "This approves what stands below, with what you fill in here."
_APPROVES_THIS = "Approved exactly as it stands here."


@dataclass(frozen=True, slots=True, kw_only=True)
class FormCard:
    """The card that a form is for: the value of its buttons, where it stands, which variant of it is approved, and
    whether the form has all of what it says.
    """

    value: str
    channel: str
    ts: str
    variant: int | None = None
    read: bool = False


def form_view(form: Form, card: FormCard, *, title: str = "", to_read: Sequence[Block] = ()) -> Block:
    """The modal; `card` comes back with what was filled in, which approves a variant of the card, called `title`. What
    is filled in stands above what is `to_read`: below a long text nobody would see what they agree to.
    """
    fields = asked(form, card, is_read=bool(to_read))
    blocks = [*fields, *to_read] if form.fields else [*to_read, *fields]
    return kit.window(
        cut(title or form.title, TITLE_LIMIT),
        blocks,
        submit=cut(title or "Review changes", TITLE_LIMIT),
        callback=ids.EDIT_FORM,
        kept=json.dumps(asdict(card)),
    )


def asked(form: Form, card: FormCard, *, is_read: bool = False) -> Sequence[Block]:
    """What is filled in, and what follows from that; `is_read`: all of what it is about stands in the window."""
    approves = _APPROVES if not is_read else _APPROVES_BELOW if form.fields else _APPROVES_THIS
    told = _ASKS_AGAIN if card.variant is None else approves
    return [
        *([kit.section(one_line(form.about, kit.PIECE_LIMIT))] if form.about and not is_read else []),
        *(block for field in form.fields for block in _blocks(field)),
        *(kit.section(text) for text in form.left_out),
        kit.context(kit.small(told)),
    ]


def not_changed(text: str) -> Block:
    """In the form's place, why nothing was changed."""
    return kit.modal("Not changed", [kit.section(cut(text, kit.PIECE_LIMIT))])


def _blocks(field: FormField) -> Sequence[Block]:
    text = "" if isinstance(field.value, bool) else field.value
    if field.input is FieldInput.MOMENT:
        day, _, time = text.partition("T")
        return [
            _input(field, f"{field.label}: day", _given(type="datepicker", initial_date=day)),
            _input(field, f"{field.label}: time", _given(type="timepicker", initial_time=time[:5]), suffix=TIME),
        ]
    return [_input(field, field.label, _element(field, text))]


def _element(field: FormField, text: str) -> Element:
    match field.input:
        case FieldInput.DAY:
            return _given(type="datepicker", initial_date=text)
        case FieldInput.FLAG:
            yes = kit.option(field.yes, _SET)
            return _given(type="checkboxes", options=[yes], initial_options=[yes] if field.value else [])
        case FieldInput.CHOICE:
            return _menu(field, text)
        case _:
            several = field.input in {FieldInput.TEXT, FieldInput.LIST}
            return _given(type="plain_text_input", multiline=several, max_length=TEXT_LIMIT, initial_value=text)


def _menu(field: FormField, text: str) -> Element:
    nothing = {"": "–"} if field.optional and not field.value else {}
    options = [kit.option(name, choice or NOTHING) for choice, name in {**nothing, **field.choices}.items()]
    chosen = next((option for option in options if option["value"] == (text or NOTHING)), None)
    return kit.menu(options, chosen)


def _input(field: FormField, label: str, element: Element, *, suffix: str = "") -> Block:
    optional = field.optional or field.input is FieldInput.FLAG or None
    hint = _hint(field, last=not (field.input is FieldInput.MOMENT and not suffix))
    return kit.field(f"{field.name}{suffix}", label, element, optional=optional, hint=hint, action=FIELD)


def _hint(field: FormField, *, last: bool) -> str:
    """Below the field, and below the last of several that belong together."""
    said = [*(["One per line."] if field.input is FieldInput.LIST else []), *([field.hint] if field.hint else [])]
    return " ".join(said) if last else ""


def _given(**parts: object) -> Element:
    """Only what is there: Slack refuses empty initial values."""
    return {name: part for name, part in parts.items() if part}
