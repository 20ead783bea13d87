"""What an agent takes: the tool that it becomes, and the check of values."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from bot.agents.definition import Definition, Input, InputType
from bot.errors import BotError
from bot.llm.model import ToolDeclaration

_SCHEMAS: Mapping[InputType, Mapping[str, object]] = {
    InputType.STRING: {"type": "string"},
    InputType.NUMBER: {"type": "number"},
    InputType.INTEGER: {"type": "integer"},
    InputType.BOOLEAN: {"type": "boolean"},
    InputType.STRINGS: {"type": "array", "items": {"type": "string"}},
    InputType.NUMBERS: {"type": "array", "items": {"type": "number"}},
}


class InvalidInputs(BotError):
    """Values cannot be an agent's inputs; `fields` says why, by input."""

    def __init__(self, agent: str, fields: Mapping[str, str]) -> None:
        self.fields = dict(fields)
        why = "; ".join(f"{name} {each}" for name, each in fields.items())
        super().__init__(f"The inputs of {agent} are wrong: {why}.")


def title_of(name: str) -> str:
    """An input's name as people read it."""
    return name.replace("_", " ").strip().capitalize() or name


def schema_of(inputs: Mapping[str, Input]) -> dict[str, object]:
    """The JSON Schema of these inputs as arguments of a tool."""
    return {
        "type": "object",
        "properties": {name: {**_SCHEMAS[one.type], "description": one.description} for name, one in inputs.items()},
        "required": [name for name, one in inputs.items() if one.required],
        "additionalProperties": False,
    }


def declaration(definition: Definition) -> ToolDeclaration:
    """The agent as a tool of another one."""
    return ToolDeclaration(
        name=definition.name, description=definition.description.strip(), schema=schema_of(definition.inputs)
    )


def fits(value: object, one: Input) -> bool:
    """Whether this can be the value of an input."""
    return _FITS[one.type](value)


def called(one: Input) -> str:
    """What the value of an input must be, in words."""
    return _CALLED[one.type]


def checked(definition: Definition, given: Mapping[str, object]) -> Mapping[str, object]:
    """The values in the inputs' order, without those that are None; raises `InvalidInputs`."""
    inputs = definition.inputs
    wrong = {name: "is not an input" for name in given if name not in inputs}
    for name, one in inputs.items():
        if (value := given.get(name)) is None:
            if one.required:
                wrong[name] = "is missing"
        elif not fits(value, one):
            wrong[name] = f"must be {called(one)}"
    if wrong:
        raise InvalidInputs(definition.name, wrong)
    return {name: _plain(given[name], one.type) for name, one in inputs.items() if given.get(name) is not None}


def typed(definition: Definition, given: Mapping[str, str]) -> Mapping[str, object]:
    """The values of what a person typed, an entry of a list on each line; an empty field is none. A text that cannot be
    one stays as it is, for `checked` to say so.
    """
    kinds = {name: one.type for name, one in definition.inputs.items()}
    return {name: _READ[kinds[name]](text) if name in kinds else text for name, text in given.items() if text.strip()}


def _number(text: str) -> object:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text


def _yes_or_no(text: str) -> object:
    return {"true": True, "yes": True, "false": False, "no": False}.get(text.strip().lower(), text)


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


_READ: Mapping[InputType, Callable[[str], object]] = {
    InputType.STRING: str.strip,
    InputType.NUMBER: _number,
    InputType.INTEGER: _number,
    InputType.BOOLEAN: _yes_or_no,
    InputType.STRINGS: _lines,
    InputType.NUMBERS: lambda text: [_number(line) for line in _lines(text)],
}


_LARGEST = 2**53 - 1
"""The largest whole number that JSON keeps everywhere (RFC 8785)."""


def _is_number(value: object) -> bool:
    if isinstance(value, int) and not isinstance(value, bool):
        return abs(value) <= _LARGEST
    return isinstance(value, float) and math.isfinite(value)


def _is_whole(value: object) -> bool:
    return _is_number(value) and cast("float", value) == int(cast("float", value))


def _is_list_of(fits: Callable[[object], bool]) -> Callable[[object], bool]:
    def check(value: object) -> bool:
        return isinstance(value, list | tuple) and all(map(fits, cast("Sequence[object]", value)))

    return check


def _is_text(value: object) -> bool:
    return isinstance(value, str)


_FITS: Mapping[InputType, Callable[[object], bool]] = {
    InputType.STRING: _is_text,
    InputType.NUMBER: _is_number,
    InputType.INTEGER: _is_whole,
    InputType.BOOLEAN: lambda value: isinstance(value, bool),
    InputType.STRINGS: _is_list_of(_is_text),
    InputType.NUMBERS: _is_list_of(_is_number),
}
_CALLED: Mapping[InputType, str] = {
    InputType.STRING: "a text",
    InputType.NUMBER: "a number",
    InputType.INTEGER: "a whole number",
    InputType.BOOLEAN: "true or false",
    InputType.STRINGS: "a list of texts",
    InputType.NUMBERS: "a list of numbers",
}


def _plain(value: object, kind: InputType) -> object:
    """The value as it is stored: JSON writes a whole number as 3.0, too."""
    return int(cast("float", value)) if kind is InputType.INTEGER else value
