"""A list of objects as texts: one for each entry, and one more for new ones.

The first line of an entry is the first value of its object, what follows is the second; where nothing follows, one line
says both. Its other values nobody edits: they stay, and are named beside it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast, get_args

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

NEW = "new"
"""The part of the name of the field for new entries."""

HOW_MORE = "One after another, with an empty line between them. The first line says what it is, the rest says more."
NO_ENTRY = "At least one is needed."

_BETWEEN = re.compile(r"\n[ \t]*\n\s*")

Entry = Mapping[str, object]


def entries_of(value: object) -> Sequence[Entry]:
    """The entries of an argument."""
    return cast("Sequence[Entry]", value or ())


def text_of(info: FieldInfo, entry: Entry) -> str:
    """An entry as a person edits it: one line where both say the same, but for the full stop."""
    first, rest, _ = _parts(info, entry)
    return first if rest.removesuffix(".").casefold() == first.casefold() else f"{first}\n{rest}".strip()


def beside(info: FieldInfo, entry: Entry) -> str:
    """What it keeps, in words, in brackets; empty where that is nothing. What its representation leaves out is for code
    alone.
    """
    fields = _model(info).model_fields
    kept = [f"{name} {value}" for name, value in _parts(info, entry)[2].items() if value and fields[name].repr]
    return f" ({', '.join(kept)})" if kept else ""


def changed(info: FieldInfo, entry: Entry, text: str) -> Entry | None:
    """The entry as it is from now on; None where nothing stands there any more."""
    text = text.replace("\r\n", "\n").strip()
    if text == text_of(info, entry):
        return entry
    return {**entry, **_read(info, text)} if text else None


def added(info: FieldInfo, text: str) -> Sequence[Entry]:
    """The entries in a text that has several."""
    parts = _BETWEEN.split(text.replace("\r\n", "\n").strip())
    return [_read(info, part.strip()) for part in parts if part.strip()]


def problem(info: FieldInfo, entry: Entry) -> str:
    """What is wrong with an entry, in words; empty where nothing is."""
    try:
        _model(info).model_validate(entry)
    except ValidationError as error:
        first = error.errors()[0]
        return f"{'.'.join(map(str, first['loc'])).capitalize()}: {first['msg']}"
    return ""


def problem_of_all(info: FieldInfo, count: int) -> str:
    """What is wrong with so many entries; empty where nothing is."""
    if not count:
        return NO_ENTRY
    most = next((item.max_length for item in info.metadata if hasattr(item, "max_length")), None)
    return f"At most {most} can be taken, and these are {count}." if most is not None and count > most else ""


def _read(info: FieldInfo, text: str) -> dict[str, object]:
    first, _, rest = text.partition("\n")
    one, other, *_ = _model(info).model_fields
    return {one: first.strip(), other: rest.strip() or first.strip()}


def _parts(info: FieldInfo, entry: Entry) -> tuple[str, str, dict[str, object]]:
    """The first value on one line, the second, and the others by their names."""
    one, other, *more = _model(info).model_fields
    first = " ".join(str(entry.get(one, "")).split())
    return first, str(entry.get(other, "")).strip(), {name: entry.get(name) for name in more}


def _model(info: FieldInfo) -> type[BaseModel]:
    model: Any = get_args(info.annotation)[0]
    return model
