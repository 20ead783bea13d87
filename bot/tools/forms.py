"""Forms: a tool's arguments as fields that a person can fill in, and back again.

What a field is for comes from its argument's role and type, and from a `Shape` in its annotation. Ids and commands
are not for people, and what a surface cannot show whole is left as it is: both are said, not hidden.
"""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import Enum, StrEnum
from typing import Any, Literal, Union, cast, get_args, get_origin

from pydantic.fields import FieldInfo

from bot.tools.arguments import role_of
from bot.tools.registry import AnyTool
from integrations.base import Shape
from policies.types import Role

TEXT_LIMIT = 3_000
"""Characters that one field takes; Slack's text inputs hold no more."""

MAX_FIELDS = 40

_NOT_FOR_PEOPLE = {Role.OBJECT, Role.ATTACHMENT, Role.COMMAND}


class Input(StrEnum):
    """What a field looks like."""

    LINE = "line"
    TEXT = "text"  # of several lines
    LIST = "list"  # one entry per line
    DAY = "day"
    MOMENT = "moment"  # a local day and time
    FLAG = "flag"
    CHOICE = "choice"
    NUMBER = "number"


Filled = str | bool
"""What stands in a field: text (of a list one entry per line, of a moment as ISO 8601), or whether a flag is set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormField:
    """One field. `optional` ones may be left empty; `choices` are what a choice offers."""

    name: str
    label: str
    input: Input
    value: Filled
    optional: bool
    choices: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The fields, and why others are missing, as sentences."""

    fields: Sequence[FormField]
    left_out: Sequence[str] = field(default_factory=tuple[str, ...])


def form_of(tool: AnyTool, args: Mapping[str, object]) -> Form:
    """The form for these arguments."""
    fields: list[FormField] = []
    left_out: list[str] = []
    for name, info in tool.args.model_fields.items():
        if role_of(info) in _NOT_FOR_PEOPLE:
            continue
        made = _field(name, info, args.get(name))
        if made is None:
            continue
        if isinstance(made.value, str) and len(made.value) > TEXT_LIMIT:
            left_out.append(_too_long(made))
        elif len(fields) < MAX_FIELDS:
            fields.append(made)
    return Form(fields=fields, left_out=left_out)


def _too_long(made: FormField) -> str:
    size = len(cast("str", made.value))
    return (
        f"{made.label} has {size:,} characters, and a form takes {TEXT_LIMIT:,}, so it is not shown here and stays as "
        "it is. Reply in words to have it changed."
    )


def read(tool: AnyTool, args: Mapping[str, object], given: Mapping[str, Filled]) -> dict[str, object]:
    """The arguments that were changed in the form, as the tool takes them; what the form did not show is left out."""
    changed: dict[str, object] = {}
    for shown in form_of(tool, args).fields:
        if shown.name in given and _tidy(given[shown.name]) != _tidy(shown.value):
            changed[shown.name] = _argument(shown, given[shown.name], tool.args.model_fields[shown.name])
    return changed


def _tidy(value: Filled) -> Filled:
    return value if isinstance(value, bool) else value.replace("\r\n", "\n").strip()


def _argument(shown: FormField, value: Filled, info: FieldInfo) -> object:
    if isinstance(value, bool):
        return value
    text = _tidy(value)
    assert isinstance(text, str)
    if shown.input is Input.LIST:
        return [line.strip().rstrip(",;") for line in text.split("\n") if line.strip()]
    if not text and _allows_none(info.annotation):
        return None
    if shown.input is Input.NUMBER:
        return int(text) if text.lstrip("-").isascii() and text.lstrip("-").isdecimal() else text
    return text


def _field(name: str, info: FieldInfo, value: object) -> FormField | None:
    """The field of one argument; None for a type that no field shows."""
    kind, choices = _input(info, value)
    if kind is None:
        return None
    return FormField(
        name=name,
        label=(info.title or name.replace("_", " ").capitalize())[:80],
        input=kind,
        value=_shown(kind, value),
        optional=not info.is_required() or _allows_none(info.annotation),
        choices=choices,
    )


def _shown(kind: Input, value: object) -> Filled:
    if kind is Input.FLAG:
        return value is True
    if kind is Input.LIST:
        return "\n".join(str(item) for item in cast("Sequence[object]", value or ()))
    text = "" if value is None else str(value)
    return f"{datetime.fromisoformat(text):%Y-%m-%dT%H:%M}" if kind is Input.MOMENT and text else text


def _input(info: FieldInfo, value: object) -> tuple[Input | None, Sequence[str]]:
    plain = _without_none(info.annotation)
    if (choices := tuple(_choices(plain))) and all(isinstance(choice, str) for choice in choices):
        return Input.CHOICE, cast("Sequence[str]", choices)
    match plain:
        case type() if plain is bool:
            return Input.FLAG, ()
        case type() if plain is int:
            return Input.NUMBER, ()
        case type() if plain is str:
            return _text(info, value), ()
        case _ if get_origin(plain) in {list, tuple} and _bare(get_args(plain)[0]) is str:
            return Input.LIST, ()
        case _:
            return None, ()


def _text(info: FieldInfo, value: object) -> Input:
    if Shape.LOCAL_TIME in info.metadata:
        return _time(value)
    return Input.TEXT if Shape.LONG_TEXT in info.metadata or "\n" in str(value or "") else Input.LINE


def _time(value: object) -> Input:
    """A picker for what a picker can show; else the words stay words. Nothing yet is a moment to be chosen."""
    text = str(value or "")
    if not text:
        return Input.MOMENT
    try:
        if len(text) == len("2026-11-23"):
            date.fromisoformat(text)
            return Input.DAY
        return Input.MOMENT if datetime.fromisoformat(text).tzinfo is None else Input.LINE
    except ValueError:
        return Input.LINE


def _choices(annotation: Any) -> Iterator[object]:
    if get_origin(annotation) is Literal:
        yield from get_args(annotation)
    elif isinstance(annotation, type) and issubclass(annotation, Enum):
        yield from (member.value for member in annotation)


def _without_none(annotation: Any) -> Any:
    """The annotation without its metadata, and without None where that is the only other thing."""
    plain = _bare(annotation)
    if get_origin(plain) in {Union, types.UnionType}:
        rest = [part for part in get_args(plain) if part is not type(None)]
        return _without_none(rest[0]) if len(rest) == 1 else plain
    return plain


def _bare(annotation: Any) -> Any:
    return get_args(annotation)[0] if hasattr(annotation, "__metadata__") else annotation


def _allows_none(annotation: Any) -> bool:
    return get_origin(_bare(annotation)) in {Union, types.UnionType} and type(None) in get_args(_bare(annotation))
