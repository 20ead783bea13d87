"""The schema of what an agent returns: JSON Schema 2020-12, inline, as JSON text, or in `schemas/` beside the file.

Nothing is fetched: a `$ref` leads to a place in the same schema.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any, cast

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, ValidationError
from referencing import Registry, Resource
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from bot.agents import documents
from bot.agents.definition import Schema
from bot.agents.problems import DefinitionFault, InvalidDefinition
from policies.strict_yaml import MOST_LEVELS

MAX_BYTES = 64 * 1024
DIALECT = "https://json-schema.org/draft/2020-12/schema"

_SCHEMA_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,99}", re.ASCII)
_ZOD = re.compile(r"\bz\s*\.\s*\w+\s*\(")
_COSTLY = frozenset(
    {"$ref", "$dynamicRef", "pattern", "patternProperties", "uniqueItems", "unevaluatedItems", "unevaluatedProperties"}
)
"""Their cost is more than the length of the schema times that of the value."""
_MOST_ERRORS = 5
_LONGEST_MESSAGE, _HALF = 400, 190  # characters


def read(written: object, folder: Path | None) -> Schema:
    """The schema that was written, or a name that no file of `folder` has. Raises `DefinitionFault`."""
    match written:
        case dict():
            return _checked(cast("dict[str, object]", written))
        case str() if written.lstrip().startswith("{"):
            return _checked(_parsed(written, "the schema"))
        case str() if _ZOD.search(written):
            raise DefinitionFault(
                "The schema is Zod source, which only a JavaScript program can read.",
                "Write it as JSON Schema; z.toJSONSchema(…) of Zod 4 makes it.",
            )
        case str() if _SCHEMA_NAME.fullmatch(written):
            return _named(written, folder)
        case _:
            raise DefinitionFault(
                "The schema is neither JSON Schema nor a name.",
                "Write the keys of a JSON Schema, its JSON text, or the name of a file in schemas/ without “.json”.",
            )


def errors(schema: Mapping[str, object], value: object) -> Sequence[str]:
    """What is wrong with a value, each with its path; none where it satisfies the schema."""
    found = cast("Iterator[ValidationError]", cast("Any", _validator(schema)).iter_errors(value))
    return [f"{error.json_path}: {_short(error.message)}" for error, _ in zip(found, range(_MOST_ERRORS), strict=False)]


def is_plain(schema: Mapping[str, object]) -> bool:
    """Whether to check a value surely costs at most as much as the schema and the value are long, multiplied."""
    return _COSTLY.isdisjoint(key for key, _ in _entries(schema))


def _short(message: str) -> str:
    """It repeats the value, which may be long; what is wrong with it stands at the end."""
    return message if len(message) <= _LONGEST_MESSAGE else f"{message[:_HALF]} … {message[-_HALF:]}"


def _named(name: str, folder: Path | None) -> Schema:
    path = None if folder is None else folder / f"{name}.json"
    if path is None or not path.is_file():
        return name
    if (size := path.stat().st_size) > MAX_BYTES:
        raise _too_large(f"schemas/{path.name}", size)
    try:
        return _checked(_parsed(path.read_text(encoding="utf-8"), f"schemas/{path.name}"))
    except (OSError, UnicodeDecodeError) as error:
        raise DefinitionFault(f"schemas/{path.name} cannot be read.", "Write it as a text in UTF-8.") from error


def _parsed(text: str, what: str) -> dict[str, object]:
    if (size := len(text.encode(errors="replace"))) > MAX_BYTES:
        raise _too_large(what, size)
    try:
        schema = documents.parse(text, what, ".json").value
    except InvalidDefinition as error:
        (problem,) = error.problems
        raise DefinitionFault(f"In line {problem.line} of {what}: {problem.what}", problem.cure) from error
    if not isinstance(schema, dict):
        raise DefinitionFault(f"There is no JSON object in {what}.", "Write a schema, as in {“type”: “object”}.")
    return cast("dict[str, object]", schema)


def _checked(schema: dict[str, object]) -> dict[str, object]:
    """The schema, if values can be checked with it."""
    if _is_deeper(schema, MOST_LEVELS):
        raise DefinitionFault(f"The schema is nested deeper than {MOST_LEVELS} levels.", "Make it flatter.")
    if (size := len(json.dumps(schema).encode())) > MAX_BYTES:
        raise _too_large("the schema", size)
    if schema.get("$schema", DIALECT) != DIALECT:
        raise DefinitionFault("The schema is of another dialect.", f"Write it for {DIALECT}, and leave “$schema” out.")
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        where = error.json_path.removeprefix("$").lstrip(".") or "the schema"
        raise DefinitionFault(
            f"The schema is not JSON Schema: at {where}: {error.message}.", "Correct it there."
        ) from error
    _check_ends(_Parts(schema))
    return schema


def _is_deeper(value: object, levels: int) -> bool:
    """Whether something stands in more objects and lists than so many."""
    match value:
        case dict():
            inside: Iterable[object] = cast("dict[str, object]", value).values()
        case list():
            inside = cast("list[object]", value)
        case _:
            return False
    return levels < 0 or any(_is_deeper(each, levels - 1) for each in inside)


def _too_large(what: str, size: int) -> DefinitionFault:
    return DefinitionFault(
        f"{what[0].upper()}{what[1:]} has {size:,} bytes; at most {MAX_BYTES:,} are read.", "Make it smaller."
    )


class _Parts:
    """The schemas of which a schema is made, at any depth, and those to which only a reference leads. What stands in
    `const`, `enum`, `default` or `examples`, or has a key by chance, is data. Raises `DefinitionFault` for a reference
    that leads out of the schema, or to what is no schema.
    """

    def __init__(self, schema: dict[str, object]) -> None:
        self._resolver = Registry[Any]().resolver_with_root(_resource(schema))
        self._found: dict[int, object] = {}
        waiting = [*self._added(schema)]
        while waiting:
            target = self.at(reference := waiting.pop())
            if id(target) not in self._found:
                _check_target(reference, target)
                waiting += self._added(target)

    def __iter__(self) -> Iterator[dict[str, object]]:
        return (cast("dict[str, object]", each) for each in self._found.values() if isinstance(each, dict))

    def at(self, reference: str) -> object:
        """What a reference leads to."""
        try:
            return self._resolver.lookup(reference).contents
        except (Unresolvable, ValueError, TypeError) as error:  # the latter: a step into a list or a text, by no number
            what = f"The schema refers to “{reference}”, which is not there."
            raise DefinitionFault(what, "Add it, or correct “$ref”.") from error

    def _added(self, schema: object) -> Sequence[str]:
        """The references of a schema and of those of which it is made, which count as found from now on."""
        new = [each for each in _schemas_in(schema) if id(each) not in self._found]
        self._found.update((id(each), each) for each in new)
        return [reference for each in new for reference in _references(each)]


def _check_target(reference: str, found: object) -> None:
    """What stands where JSON Schema knows of no schema may be one all the same."""
    try:
        Draft202012Validator.check_schema(cast("Any", found))
    except SchemaError as error:
        raise DefinitionFault(f"The schema refers to “{reference}”, which is no schema.", "Correct “$ref”.") from error


def _references(schema: object) -> Iterator[str]:
    """The references of one schema itself; none leads out of it."""
    if not isinstance(schema, dict):
        return
    if "$id" in schema:
        raise DefinitionFault("A schema's “$id” is not read.", "Leave it out.")
    for key in ("$ref", "$dynamicRef"):
        value = cast("dict[str, object]", schema).get(key)
        if not isinstance(value, str):
            continue
        if not value.startswith("#"):
            raise DefinitionFault(f"The schema refers to “{value}”, and nothing is fetched.", "Copy it into “$defs”.")
        yield value


def _schemas_in(schema: object) -> Iterator[object]:
    """A schema and, at any depth, those of which it is made."""
    yield schema
    for each in _resource(schema).subresources():
        yield from _schemas_in(each.contents)


def _resource(schema: object) -> Resource[Any]:
    return Resource(contents=cast("Any", schema), specification=DRAFT202012)


def _check_ends(parts: _Parts) -> None:
    """No part leads back to itself at the same place of a value, where a check would never end."""
    sorter = TopologicalSorter({id(part): map(id, _at_same_place(part, parts.at)) for part in parts})
    try:
        sorter.prepare()
    except CycleError as error:
        raise DefinitionFault(
            "The schema refers to itself without end.", "Let a “$ref” to itself stand below a key."
        ) from error


def _at_same_place(node: dict[str, object], lookup: Callable[[str], object]) -> Iterator[object]:
    """The parts that are asked about the same value as this one."""
    for key, value in node.items():
        match key, value:
            case (("$ref" | "$dynamicRef"), str()):
                yield lookup(value)
            case (("allOf" | "anyOf" | "oneOf"), list()):
                yield from cast("list[object]", value)
            case "dependentSchemas", dict():
                yield from cast("dict[str, object]", value).values()
            case (("not" | "if" | "then" | "else"), _):
                yield value
            case _:
                continue


def _entries(value: object) -> Iterator[tuple[str, object]]:
    """Every key with its value, at any depth."""
    match value:
        case dict():
            for key, item in cast("dict[str, object]", value).items():
                yield key, item
                yield from _entries(item)
        case list():
            for item in cast("list[object]", value):
                yield from _entries(item)
        case _:
            return


def _validator(schema: Mapping[str, object]) -> Draft202012Validator:
    return Draft202012Validator(schema, registry=Registry())
