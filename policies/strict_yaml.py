"""Reads YAML that means one thing only: maps with text keys, lists, texts, numbers, true, false and null.

A key given twice, anchors with their aliases (which make bombs), tags (which make objects), merges and keys that are no
text are refused. Scalars are those of YAML 1.2's core schema in decimal, so `no`, `010`, `12:30` and `2026-11-26` stay
texts (https://yaml.org/spec/1.2.2/#103-core-schema). Every value knows its line.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import yaml
from yaml.reader import ReaderError

from policies.errors import BadYaml

Path = tuple[str | int, ...]
"""Where a value stands: keys, and places in lists."""

MOST_LEVELS = 64

_CORE = "tag:yaml.org,2002:"
_MERGE = "<<"


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What a text says, and on which line each value begins, counted from 1. `name` is what errors call it."""

    name: str
    value: object
    lines: Mapping[Path, int]

    def line(self, path: Path) -> int:
        """The line of the value there, or of what it would stand in."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)


_SIGNED = "-+0123456789"
_SCALARS: Sequence[tuple[str, str, Sequence[str], Callable[[str], object]]] = (
    ("null", r"~|null|", ["~", "n", ""], lambda _: None),
    ("bool", r"true|false", ["t", "f"], lambda text: text == "true"),
    ("int", r"[-+]?(0|[1-9]\d{0,17})", [*_SIGNED], int),
    ("float", r"[-+]?(\.\d{1,18}|(0|[1-9]\d{0,17})(\.\d{0,18})?)([eE][-+]?\d{1,2})?", [*_SIGNED, "."], float),
)
"""Kinds of scalars that are no texts: how each is written, its first characters, and the value that it means."""

_VALUES = {_CORE + kind: value for kind, _, _, value in _SCALARS}


def _resolvers() -> dict[str, list[tuple[str, re.Pattern[str]]]]:
    """The kinds of scalars in PyYAML's form: by their first character."""
    found: defaultdict[str, list[tuple[str, re.Pattern[str]]]] = defaultdict(list)
    for kind, pattern, firsts, _ in _SCALARS:
        for first in firsts:
            found[first].append((_CORE + kind, re.compile(f"(?:{pattern})\\Z", re.ASCII)))
    return dict(found)


class _Composer(yaml.SafeLoader):
    """Composes plain nodes of bounded depth."""

    yaml_implicit_resolvers = _resolvers()
    _level = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event = cast("Any", self).peek_event()
        if event.anchor is not None:
            raise _Refused("anchors and aliases (& and *) are not read: write the value again", event.start_mark)
        if getattr(event, "tag", None) is not None:
            raise _Refused("tags (!) are not read: write a plain value", event.start_mark)
        if self._level == MOST_LEVELS:
            raise _Refused(f"it is nested deeper than {MOST_LEVELS} levels", event.start_mark)
        self._level += 1
        node = super().compose_node(parent, index)
        self._level -= 1
        if isinstance(node, yaml.MappingNode):
            _check_keys(node)
        return node


class _Refused(yaml.MarkedYAMLError):
    def __init__(self, why: str, mark: yaml.Mark) -> None:
        super().__init__(problem=why, problem_mark=mark)


def read(text: str, name: str) -> Document:
    """The document of this text; raises `BadYaml` with the line."""
    try:
        node = cast("yaml.Node | None", cast("Any", yaml).compose(text, Loader=_Composer))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        why = ": ".join(part for part in (error.context, error.problem) if part)
        raise BadYaml(name, 1 if mark is None else mark.line + 1, why) from error
    except ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise BadYaml(name, line, f"the character #x{ord(text[error.position]):04x} is not read") from error
    if node is None:
        return Document(name=name, value=None, lines={})
    return Document(name=name, value=_value(node), lines=dict(_places(node, ())))


def _value(node: yaml.Node) -> object:
    match node:
        case yaml.MappingNode():
            return {key.value: _value(value) for key, value in node.value}
        case yaml.SequenceNode():
            return [_value(item) for item in node.value]
        case _:
            return _VALUES.get(node.tag, str)(node.value)


def _check_keys(node: yaml.MappingNode) -> None:
    seen: set[str] = set()
    for key, _ in node.value:
        if not isinstance(key, yaml.ScalarNode) or key.tag != f"{_CORE}str":
            raise _Refused("a key must be a text: put it in quotes", key.start_mark)
        if key.value in seen:
            raise _Refused(f"the key “{key.value}” is given twice", key.start_mark)
        if key.value == _MERGE:
            raise _Refused("merges (<<) are not read: write the keys again", key.start_mark)
        seen.add(key.value)


def _places(node: yaml.Node, path: Path) -> Iterator[tuple[Path, int]]:
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
