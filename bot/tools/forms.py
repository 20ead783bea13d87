"""Forms: a tool's arguments as fields that a person can fill in, and back again.

What a field is for comes from its argument's role and type, and from a `Shape` in its annotation. Ids and commands are
not for people, and a value that a surface cannot show whole is left as it is: the form says so for both.
"""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import Enum, StrEnum
from typing import Any, Literal, Union, cast, get_args, get_origin

from pydantic.fields import FieldInfo

from bot.tools import entry_fields, recurrence_fields
from bot.tools.arguments import fields_of, role_of
from integrations.base import AnyTool, Preview, Shape, Wording
from policies.types import Role

TEXT_LIMIT = 3_000
"""Characters that one field takes; Slack's text inputs hold no more."""

MAX_FIELDS = 40

_NOTHING_SEEN = Preview(title="", fields=())
_NOT_FOR_PEOPLE = {Role.OBJECT, Role.ATTACHMENT, Role.COMMAND}


class FieldInput(StrEnum):
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
    """One field. `optional` ones may be left empty, and `hint` says what that means; `choices` are what a choice
    offers, by their names.
    """

    name: str
    label: str
    input: FieldInput
    value: Filled
    optional: bool
    choices: Mapping[str, str] = field(default_factory=dict[str, str])
    hint: str = ""
    yes: str = "Yes"

    @property
    def argument(self) -> str:
        """The argument that it is a field of; how an event repeats, and a list of objects, take several fields."""
        return self.name.partition(".")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The fields, and why others are missing, as sentences. `about` is what it changes, in a line."""

    title: str
    fields: Sequence[FormField]
    left_out: Sequence[str] = field(default_factory=tuple[str, ...])
    about: str = ""


def form_of(tool: AnyTool, args: Mapping[str, object], seen: Preview | None = None) -> Form:
    """The form for these arguments; what was `seen` of the world fills the fields of those that are left out."""
    fields: list[FormField] = []
    left_out: list[str] = []
    seen = seen or _NOTHING_SEEN
    for name, info in fields_of(tool).items():
        if role_of(info) in _NOT_FOR_PEOPLE or name in seen.pointless:
            continue
        given = args.get(name)
        for made in _fields(name, info, seen.present.get(name) if given is None else given, _zone(tool, args, seen)):
            if isinstance(made.value, str) and len(made.value) > TEXT_LIMIT:
                left_out.append(_too_long(made))
            elif len(fields) < MAX_FIELDS:
                fields.append(made)
    title = f"Edit this {tool.thing}" if tool.thing else "Edit"
    return Form(title=title, fields=fields, left_out=left_out, about=seen.about)


def _too_long(made: FormField) -> str:
    size = len(cast("str", made.value))
    return (
        f"{made.label} has {size:,} characters, and a form takes {TEXT_LIMIT:,}, so it is not shown here and stays as "
        "it is. Reply in words to have it changed."
    )


def read(
    tool: AnyTool, args: Mapping[str, object], given: Mapping[str, Filled], seen: Preview | None = None
) -> dict[str, object]:
    """The arguments that were changed in the form, as the tool takes them; what the form did not show is left out.

    Times and their zone mean something together only: where one of them was changed, all count as they were shown.
    """
    infos, present = fields_of(tool), (seen or _NOTHING_SEEN).present
    there = [shown for shown in form_of(tool, args, seen).fields if shown.name in given]
    changed = [shown for shown in there if _tidy(given[shown.name]) != _tidy(shown.value)]
    if any(_is_of_time(infos[shown.argument]) for shown in changed):
        changed += [shown for shown in there if shown not in changed and _goes_along(shown, infos, given, present)]
    rules = {shown.argument for shown in changed if Shape.RECURRENCE in infos[shown.argument].metadata}
    lists = {shown.argument for shown in changed if Shape.ENTRIES in infos[shown.argument].metadata}
    return (
        {
            shown.name: _argument(shown, given[shown.name], infos[shown.name], was=present.get(shown.name))
            for shown in changed
            if shown.argument not in rules | lists
        }
        | {name: _rule(name, args.get(name) or present.get(name), there, given) for name in rules}
        | {name: list(_read_entries(name, infos[name], args.get(name), given).values()) for name in lists}
    )


def wrong_entries(tool: AnyTool, args: Mapping[str, object], given: Mapping[str, Filled]) -> Mapping[str, str]:
    """What is wrong in the lists of objects, by field: only the form knows which field an entry was filled in at."""
    wrong: dict[str, str] = {}
    for name, info in fields_of(tool).items():
        if Shape.ENTRIES in info.metadata and f"{name}.{entry_fields.NEW}" in given:
            filled = _read_entries(name, info, args.get(name), given)
            found = {place.partition("+")[0]: entry_fields.problem(info, entry) for place, entry in filled.items()}
            wrong |= {place: text for place, text in found.items() if text}
            if all_of_them := entry_fields.problem_of_all(info, len(filled)):
                wrong.setdefault(f"{name}.{entry_fields.NEW}", all_of_them)
    return wrong


def _read_entries(
    name: str, info: FieldInfo, value: object, given: Mapping[str, Filled]
) -> Mapping[str, entry_fields.Entry]:
    """The entries as they are filled in, by field; of several in one field by that and their place in it. One that the
    form did not show is left as it is.
    """
    filled: dict[str, entry_fields.Entry] = {}
    for place, entry in enumerate(entry_fields.entries_of(value)):
        field_name = f"{name}.{place}"
        kept = entry_fields.changed(info, entry, str(given[field_name])) if field_name in given else entry
        if kept is not None:
            filled[field_name] = kept
    more = f"{name}.{entry_fields.NEW}"
    new = entry_fields.added(info, str(given.get(more, "")))
    return filled | {f"{more}+{place}": entry for place, entry in enumerate(new)}


def _is_of_time(info: FieldInfo) -> bool:
    return Shape.LOCAL_TIME in info.metadata or Shape.ZONE in info.metadata


def _goes_along(
    shown: FormField, infos: Mapping[str, FieldInfo], given: Mapping[str, Filled], present: Mapping[str, str]
) -> bool:
    """Whether an untouched field was only shown, and has to be said now that another time changes."""
    return shown.name in present and _is_of_time(infos[shown.argument]) and bool(_tidy(given[shown.name]))


def _tidy(value: Filled) -> Filled:
    return value if isinstance(value, bool) else value.replace("\r\n", "\n").strip()


def _argument(shown: FormField, value: Filled, info: FieldInfo, *, was: str | None) -> object:
    """An emptied field is nothing; one that showed what there is now empties that, where it is a text."""
    if isinstance(value, bool):
        return value or (None if _allows_none(info.annotation) else False)
    text = _tidy(value)
    assert isinstance(text, str)
    if shown.input is FieldInput.LIST:
        return [line.strip().rstrip(",;") for line in text.split("\n") if line.strip()]
    if not text and _allows_none(info.annotation):
        return "" if was and shown.input in {FieldInput.LINE, FieldInput.TEXT} and not _is_of_time(info) else None
    if shown.input is FieldInput.NUMBER:
        return int(text) if text.lstrip("-").isascii() and text.lstrip("-").isdecimal() else text
    return text


def _rule(name: str, was: object, there: Sequence[FormField], given: Mapping[str, Filled]) -> str | None:
    """The whole rule that its fields say. Where it is emptied, so is the end that was shown with it."""
    shown = {field.name: str(field.value) for field in there}
    rest, until, count = (str(given.get(part, "")) for part in (name, f"{name}.until", f"{name}.count"))
    if rest == recurrence_fields.OTHER:
        rest, *_ = recurrence_fields.split(str(was), "UTC")
    if not rest and (until, count) == (shown.get(f"{name}.until", ""), shown.get(f"{name}.count", "")):
        return None
    return recurrence_fields.joined(rest, until.strip(), count.strip())


def _zone(tool: AnyTool, args: Mapping[str, object], seen: Preview) -> str:
    """The zone of the call's local times, as far as it is known."""
    name = next((name for name, info in fields_of(tool).items() if Shape.ZONE in info.metadata), "")
    return str(args.get(name) or seen.present.get(name) or "UTC")


def _fields(name: str, info: FieldInfo, value: object, zone: str) -> Sequence[FormField]:
    """The fields of one argument; none for a type that no field shows."""
    if Shape.RECURRENCE in info.metadata:
        return _recurrence(name, info, str(value or ""), zone)
    if Shape.ENTRIES in info.metadata:
        return _entries(name, info, value)
    kind, choices = _input(info, value)
    if kind is None:
        return ()
    said = _wording(info)
    return [
        FormField(
            name=name,
            label=(said.label or info.title or name.replace("_", " ").capitalize())[:80],
            input=kind,
            value=_shown(kind, value),
            optional=not info.is_required() or _allows_none(info.annotation),
            choices={choice: said.choices.get(choice, choice) for choice in choices},
            hint=said.hint,
            yes=said.yes,
        )
    ]


def _recurrence(name: str, info: FieldInfo, rule: str, zone: str) -> Sequence[FormField]:
    said = _wording(info)
    rest, until, count = recurrence_fields.split(rule, zone)
    choices = {"": said.choices.get("", "–"), **recurrence_fields.CHOICES}
    if rest not in choices:
        rest, choices[recurrence_fields.OTHER] = recurrence_fields.OTHER, "As the card says"
    chosen = FormField(
        name=name, label=said.label, input=FieldInput.CHOICE, value=rest, optional=True, choices=choices, hint=said.hint
    )
    last_day = FormField(name=f"{name}.until", label="Repeats until", input=FieldInput.DAY, value=until, optional=True)
    times = FormField(
        name=f"{name}.count",
        label="Repeats how many times",
        input=FieldInput.NUMBER,
        value=count,
        optional=True,
        hint="Instead of a last day. Without either there is no end.",
    )
    return [chosen, last_day, times]


def _entries(name: str, info: FieldInfo, value: object) -> Sequence[FormField]:
    """A text for each entry; emptied, it is taken out. And one for new ones."""
    said = _wording(info)
    shown = [
        FormField(
            name=f"{name}.{place}",
            label=f"{said.label} {place + 1}{entry_fields.beside(info, entry)}",
            input=FieldInput.TEXT,
            value=entry_fields.text_of(info, entry),
            optional=True,
            hint="" if place else said.hint,
        )
        for place, entry in enumerate(entry_fields.entries_of(value))
    ]
    more = FormField(
        name=f"{name}.{entry_fields.NEW}",
        label=f"New {said.label.lower()}s",
        input=FieldInput.TEXT,
        value="",
        optional=True,
        hint=entry_fields.HOW_MORE,
    )
    return [*shown, more]


def _wording(info: FieldInfo) -> Wording:
    return next((item for item in info.metadata if isinstance(item, Wording)), Wording())


def _shown(kind: FieldInput, value: object) -> Filled:
    if kind is FieldInput.FLAG:
        return value is True
    if kind is FieldInput.LIST:
        return "\n".join(str(item) for item in cast("Sequence[object]", value or ()))
    text = "" if value is None else str(value)
    return f"{datetime.fromisoformat(text):%Y-%m-%dT%H:%M}" if kind is FieldInput.MOMENT and text else text


def _input(info: FieldInfo, value: object) -> tuple[FieldInput | None, Sequence[str]]:
    plain = _without_none(info.annotation)
    if (choices := tuple(_choices(plain))) and all(isinstance(choice, str) for choice in choices):
        return FieldInput.CHOICE, cast("Sequence[str]", choices)
    match plain:
        case type() if plain is bool:
            return FieldInput.FLAG, ()
        case type() if plain is int:
            return FieldInput.NUMBER, ()
        case type() if plain is str:
            return _text(info, value), ()
        case _ if get_origin(plain) in {list, tuple} and _bare(get_args(plain)[0]) is str:
            return FieldInput.LIST, ()
        case _:
            return None, ()


def _text(info: FieldInfo, value: object) -> FieldInput:
    if Shape.LOCAL_TIME in info.metadata:
        return _time(value)
    return FieldInput.TEXT if Shape.LONG_TEXT in info.metadata or "\n" in str(value or "") else FieldInput.LINE


def _time(value: object) -> FieldInput:
    """A picker for what a picker can show; else the words stay words. Nothing yet is a moment to be chosen."""
    text = str(value or "")
    if not text:
        return FieldInput.MOMENT
    try:
        if len(text) == len("2026-11-23"):
            date.fromisoformat(text)
            return FieldInput.DAY
        return FieldInput.MOMENT if datetime.fromisoformat(text).tzinfo is None else FieldInput.LINE
    except ValueError:
        return FieldInput.LINE


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
