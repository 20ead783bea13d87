"""Reads YAML that means one thing only: maps with text keys, lists, texts, numbers, true, false and null.

A key given twice, anchors with their aliases (which make bombs), tags (which make objects), merges and keys that are no
text are refused. Scalars are those of YAML 1.2's core schema in decimal, so `no`, `010`, `12:30` and `2026-11-26` stay
texts (https://yaml.org/spec/1.2.2/#103-core-schema). Every value knows its line.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import yaml
from yaml.reader import ReaderError

from policies.errors import BadYaml

KeyPath = tuple[str | int, ...]
"""Where a value stands: keys, and places in lists."""

MOST_LEVELS = 64
MOST_VALUES = 10_000
"""PyYAML is slow: this many values take a second."""

WIDTH = 120

_CORE = "tag:yaml.org,2002:"
_MERGE = "<<"
_BREAKS = re.compile("[\r\x85\u2028\u2029]")
"""Line breaks that are read as "\\n" where they are not escaped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What a text says, and on which line each value begins, counted from 1. `name` is what errors call it."""

    name: str
    value: object
    lines: Mapping[KeyPath, int]

    def line(self, path: KeyPath) -> int:
        """The line of the value there, or of what it would stand in."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)


_SIGNED = "-+0123456789"
_SCALARS: Sequence[tuple[str, str, Sequence[str], Callable[[str], object]]] = (
    ("null", r"~|null|", ["~", "n", ""], lambda _: None),
    ("bool", r"true|false", ["t", "f"], lambda text: text == "true"),
    ("int", r"[-+]?(0|[1-9]\d{0,17})", [*_SIGNED], int),
    ("float", r"[-+]?(\.\d{1,30}|(0|[1-9]\d{0,30})(\.\d{0,30})?)([eE][-+]?\d{1,3})?", [*_SIGNED, "."], float),
)
"""Kinds of scalars that are no texts: how each is written, its first characters, and the value that it means."""

_VALUES = {_CORE + kind: value for kind, _, _, value in _SCALARS}


_RESOLVERS = {
    first: [
        (_CORE + kind, re.compile(f"(?:{pattern})\\Z", re.ASCII))
        for kind, pattern, firsts, _ in _SCALARS
        if first in firsts
    ]
    for _, _, all_firsts, _ in _SCALARS
    for first in all_firsts
}
"""The kinds of scalars in PyYAML's form: by their first character."""

_THEIRS = yaml.SafeDumper.yaml_implicit_resolvers
_BOTH: Mapping[str, object] = {
    first: [*_THEIRS.get(first, ()), *_RESOLVERS.get(first, ())] for first in {*_THEIRS, *_RESOLVERS}
}
"""The kinds of scalars of YAML 1.1 and of the core schema."""


class _Composer(yaml.SafeLoader):
    """Composes plain nodes of bounded depth."""

    yaml_implicit_resolvers = _RESOLVERS
    _level = _values = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event = cast("Any", self).peek_event()
        if event.anchor is not None:
            raise _Refused("anchors and aliases (& and *) are not read: write the value again", event.start_mark)
        if getattr(event, "tag", None) is not None:
            raise _Refused("tags (!) are not read: write a plain value", event.start_mark)
        if self._level == MOST_LEVELS:
            raise _Refused(f"it is nested deeper than {MOST_LEVELS} levels", event.start_mark)
        self._values += 1
        if self._values > MOST_VALUES:
            raise _Refused(f"it has more than {MOST_VALUES:,} keys and values", event.start_mark)
        self._level += 1
        node = super().compose_node(parent, index)
        self._level -= 1
        if isinstance(node, yaml.MappingNode):
            _check_keys(node)
        return node


class _Dumper(yaml.SafeDumper):
    """Puts into quotes what YAML 1.1 or the core schema reads as no text, and writes no anchors."""

    yaml_implicit_resolvers = _BOTH

    def ignore_aliases(self, data: object) -> bool:
        return True

    def represent_str(self, data: str) -> yaml.ScalarNode:
        style = '"' if _BREAKS.search(data) else "|" if "\n" in data else None
        return cast("Any", self).represent_scalar(f"{_CORE}str", data, style=style)


_Dumper.add_representer(str, _Dumper.represent_str)


class _Refused(yaml.MarkedYAMLError):
    def __init__(self, why: str, mark: yaml.Mark) -> None:
        super().__init__(problem=why, problem_mark=mark)


def read(text: str, name: str) -> Document:
    """The document of this text; raises `BadYaml` with the line."""
    try:
        node = cast("yaml.Node | None", cast("Any", yaml).compose(text, Loader=_Composer))
        value = None if node is None else _value(node)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise BadYaml(name, 1 if mark is None else mark.line + 1, _why(error)) from error
    except ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise BadYaml(name, line, f"the character #x{ord(text[error.position]):04x} is not read") from error
    return Document(name=name, value=value, lines={} if node is None else dict(_places(node, ())))


def write(value: object) -> str:
    """The value as YAML that `read` reads back equal. Texts of several lines are blocks."""
    return cast("Any", yaml).dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=WIDTH)


def _why(error: yaml.MarkedYAMLError) -> str:
    """What PyYAML says, with the line where it began where that is another one."""
    began, found = error.context_mark, error.problem_mark
    since = f" from line {began.line + 1}" if began and found and began.line != found.line else ""
    return ": ".join(part for part in (f"{error.context}{since}" if error.context else "", error.problem) if part)


def _value(node: yaml.Node) -> object:
    match node:
        case yaml.MappingNode():
            return {key.value: _value(value) for key, value in node.value}
        case yaml.SequenceNode():
            return [_value(item) for item in node.value]
        case _:
            value = _VALUES.get(node.tag, str)(node.value)
            if isinstance(value, float) and not math.isfinite(value):
                raise _Refused("the number is too large", node.start_mark)
            return value


def _check_keys(node: yaml.MappingNode) -> None:
    seen: set[str] = set()
    for key, _ in node.value:
        if key.tag != f"{_CORE}str":
            raise _Refused("a key must be a text: put it in quotes", key.start_mark)
        if key.value in seen:
            raise _Refused(f"the key “{key.value}” is given twice", key.start_mark)
        if key.value == _MERGE and key.style is None:
            raise _Refused("merges (<<) are not read: write the keys again", key.start_mark)
        seen.add(key.value)


def _places(node: yaml.Node, path: KeyPath) -> Iterator[tuple[KeyPath, int]]:
    """The line of every value; that of a key's value is the key's, where a reader looks for it."""
    if not path or isinstance(path[-1], int):
        yield path, node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield (*path, key.value), key.start_mark.line + 1
            yield from _places(value, (*path, key.value))
    elif isinstance(node, yaml.SequenceNode):
        for place, value in enumerate(node.value):
            yield from _places(value, (*path, place))
