"""The form in which the owner of a card changes it: a modal with one field for each argument (docs/cards.md).

Days and times are chosen without a zone, as the arguments are written without one: Slack's own picker of moments
would show them in the reader's zone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import cast

from bot.runtime.core.clicks import Press
from bot.slack import ids
from bot.slack.payload import Payload, items_at, mapping_at, text_at
from bot.slack.views import blocks as kit
from bot.slack.views.blocks import Block, Element
from bot.slack.views.plain import cut, one_line
from bot.tools.forms import TEXT_LIMIT, Filled, Form, FormField, Input

NOTHING = "(nothing)"
HINT_LIMIT = 2_000
DAY_TOO = "Choose the day too, or clear the time."
TIME_TOO = "Choose the time too, or clear the day."
OPTION_LIMIT = 75
ERROR_LIMIT = 150
TITLE_LIMIT = 24
_FIELD = "field"
_TIME = ":time"  # of the block that holds a moment's second half
_SET = "set"
_APPROVES = "This approves it as the card shows it, but for what you fill in here."


def form_view(form: Form, press: Press, *, variant: int | None = None, title: str = "") -> Block:
    """The modal; `press` is that of the card's button, and comes back with what was filled in.

    For a `variant` of the card, called `title`, filling it in approves it.
    """
    kept = {"value": press.value, "channel": press.channel, "ts": press.message_ts, "variant": variant}
    told = _APPROVES if variant is not None else "Nothing is done by this: you are asked again, with the difference."
    return {
        "type": "modal",
        "callback_id": ids.EDIT_FORM,
        "private_metadata": json.dumps(kept),
        "title": kit.plain_text(cut(title or "Change it", TITLE_LIMIT)),
        "submit": kit.plain_text(cut(title or "Show the new card", TITLE_LIMIT)),
        "close": kit.plain_text("Cancel"),
        "blocks": [
            *([kit.section(one_line(form.about, kit.PIECE_LIMIT))] if form.about else []),
            *(block for field in form.fields for block in _blocks(field)),
            *(kit.section(text) for text in form.left_out),
            kit.context(kit.small(told)),
        ],
    }


def told(text: str) -> Block:
    """In the form's place, why nothing was changed."""
    return {
        "type": "modal",
        "title": kit.plain_text("Not changed"),
        "close": kit.plain_text("Close"),
        "blocks": [kit.section(cut(text, kit.PIECE_LIMIT))],
    }


def _blocks(field: FormField) -> Sequence[Block]:
    text = "" if isinstance(field.value, bool) else field.value
    if field.input is Input.MOMENT:
        day, _, time = text.partition("T")
        return [
            _input(field, f"{field.label}: day", _given(type="datepicker", initial_date=day)),
            _input(field, f"{field.label}: time", _given(type="timepicker", initial_time=time[:5]), suffix=_TIME),
        ]
    return [_input(field, field.label, _element(field, text))]


def _element(field: FormField, text: str) -> Element:
    match field.input:
        case Input.DAY:
            return _given(type="datepicker", initial_date=text)
        case Input.FLAG:
            yes = _option(field.yes, _SET)
            return _given(type="checkboxes", options=[yes], initial_options=[yes] if field.value else [])
        case Input.CHOICE:
            return _menu(field, text)
        case _:
            several = field.input in {Input.TEXT, Input.LIST}
            return _given(type="plain_text_input", multiline=several, max_length=TEXT_LIMIT, initial_value=text)


def _menu(field: FormField, text: str) -> Element:
    nothing = {"": "–"} if field.optional and not field.value else {}
    options = [_option(name, choice or NOTHING) for choice, name in {**nothing, **field.choices}.items()]
    chosen = next((option for option in options if option["value"] == (text or NOTHING)), None)
    return _given(type="static_select", options=options, initial_option=chosen)


def _option(label: str, value: str) -> Element:
    return {"text": kit.plain_text(cut(label, OPTION_LIMIT)), "value": value}


def _input(field: FormField, label: str, element: Element, *, suffix: str = "") -> Block:
    return _given(
        type="input",
        block_id=f"{field.name}{suffix}",
        label=kit.plain_text(label),
        optional=field.optional or field.input is Input.FLAG,
        element=element | {"action_id": _FIELD},
        hint=_hint(field, last=not (field.input is Input.MOMENT and not suffix)),
    )


def _hint(field: FormField, *, last: bool) -> Element | None:
    """Below the field, and below the last of several that belong together."""
    said = [*(["One per line."] if field.input is Input.LIST else []), *([field.hint] if field.hint else [])]
    return kit.plain_text(cut(" ".join(said), HINT_LIMIT)) if said and last else None


def _given(**parts: object) -> Element:
    """Only what is there: Slack refuses empty initial values."""
    return {name: part for name, part in parts.items() if part}


# What comes back --------------------------------------------------------------------------------------------------


def press_of(body: Payload, *, team: str) -> Press:
    """Whose card it was, as the form was opened with."""
    kept = cast("Payload", json.loads(text_at(body, "view", "private_metadata") or "{}"))
    return Press(
        team=team,
        user=text_at(body, "user", "id"),
        value=text_at(kept, "value"),
        channel=text_at(kept, "channel"),
        message_ts=text_at(kept, "ts"),
    )


def variant_of(body: Payload) -> int | None:
    """The variant of the card that the form is for."""
    kept = json.loads(text_at(body, "view", "private_metadata") or "{}").get("variant")
    return kept if isinstance(kept, int) else None


def filled(body: Payload) -> Mapping[str, Filled]:
    """What stands in each field; not in that of a moment of which a half is missing."""
    values = mapping_at(body, "view", "state", "values")
    given: dict[str, Filled] = {
        name: _value(mapping_at(values, name, _FIELD)) for name in values if not name.endswith(_TIME)
    }
    for block in (name for name in values if name.endswith(_TIME)):
        name = block.removesuffix(_TIME)
        day, time = given.pop(name, ""), text_at(values, block, _FIELD, "selected_time")
        if bool(day) is bool(time):
            given[name] = f"{day}T{time}" if day else ""
    return given


def halves(body: Payload) -> Mapping[str, str]:
    """What is missing of a moment of which only the day or only the time was chosen, by the block where it belongs."""
    values = mapping_at(body, "view", "state", "values")
    missing: dict[str, str] = {}
    for block in (name for name in values if name.endswith(_TIME)):
        name = block.removesuffix(_TIME)
        day = text_at(values, name, _FIELD, "selected_date")
        time = text_at(values, block, _FIELD, "selected_time")
        if bool(day) is not bool(time):
            missing |= {name: DAY_TOO} if time else {block: TIME_TOO}
    return missing


def _value(element: Payload) -> Filled:
    match text_at(element, "type"):
        case "checkboxes":
            return bool(items_at(element, "selected_options"))
        case "datepicker":
            return text_at(element, "selected_date")
        case "static_select":
            chosen = text_at(element, "selected_option", "value")
            return "" if chosen == NOTHING else chosen
        case _:
            return text_at(element, "value")


def errors_of(body: Payload, errors: Mapping[str, str], otherwise: str) -> Mapping[str, str]:
    """What is wrong, by block; what no block of this form shows stands at its first one, and so does `otherwise`."""
    blocks = list(mapping_at(body, "view", "state", "values"))
    at = {name: one_line(text, ERROR_LIMIT) for name, text in errors.items() if name in blocks}
    hidden = "; ".join(f"{name}: {text}" for name, text in errors.items() if name not in blocks)
    if not at and blocks and (hidden or otherwise):
        at[blocks[0]] = one_line(hidden or otherwise, ERROR_LIMIT)
    return at
