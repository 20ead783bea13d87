"""The texts that a definition may be: YAML, JSON, and Gemini CLI's Markdown (front matter above the system prompt)."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from pathlib import PurePath
from typing import NoReturn, cast

from bot.agents.problems import InvalidDefinition, Problem
from policies import strict_yaml
from policies.errors import BadYaml
from policies.strict_yaml import MOST_LEVELS, Document, KeyPath

BODY = "the text below the front matter"
"""The key that a Markdown document has for what stands below its front matter."""

SUFFIXES = (".yaml", ".yml", ".json", ".md")

_FENCE = re.compile(r"---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
_CURE = "Correct it there."


def parse(text: str, name: str, suffix: str = "") -> Document:
    """What the text says, by the suffix of its name; raises `InvalidDefinition`."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    match suffix or PurePath(name).suffix.lower():
        case ".yaml" | ".yml":
            return _yaml(text, name)
        case ".json":
            return _json(text, name)
        case ".md":
            return _markdown(text, name)
        case other:
            _refuse(name, 1, f"Files ending in “{other}” are not read.", f"Name it with one of {', '.join(SUFFIXES)}.")


def _yaml(text: str, name: str) -> Document:
    try:
        return strict_yaml.read(text, name)
    except BadYaml as error:
        _refuse(name, error.line, f"This is not YAML as it is read here: {error.why}.", _CURE)


def _markdown(text: str, name: str) -> Document:
    found = _FENCE.match(text)
    if found is None:
        _refuse(name, 1, "There is no front matter.", "Begin the file with keys between two lines of “---”.")
    front = _yaml(f"\n{found[1]}", name)
    if not isinstance(front.value, dict):
        _refuse(name, 2, "The front matter has no keys.", "Write “name” and “description” there.")
    keys = cast("dict[str, object]", front.value)
    line = text.count("\n", 0, found.end()) + 1
    return Document(name=name, value={**keys, BODY: text[found.end() :].strip()}, lines={**front.lines, (BODY,): line})


def _json(text: str, name: str) -> Document:
    try:
        value = cast("object", json.loads(text, parse_float=_finite, parse_constant=_finite))
    except RecursionError:
        _refuse(name, 1, f"It is nested deeper than {MOST_LEVELS} levels.", _CURE)
    except ValueError as error:
        _refuse(name, getattr(error, "lineno", 1), f"This is not JSON: {getattr(error, 'msg', error)}.", _CURE)
    return Document(name=name, value=value, lines=_Places(text, name).lines())


def _finite(written: str) -> float:
    if not math.isfinite(value := float(written)):
        raise ValueError(f"there is no number {written}")
    return value


class _Places:
    """The lines of the values in a text that is JSON. Refuses keys that are given twice."""

    def __init__(self, text: str, name: str) -> None:
        self._text, self._name = text, name
        self._tokens = _TOKEN.finditer(text)
        self._lines: dict[KeyPath, int] = {}
        self._line, self._counted = 1, 0

    def lines(self) -> Mapping[KeyPath, int]:
        """The line of every value, by its path."""
        self._value(self._next(), ())
        return self._lines

    def _next(self) -> str:
        token = next(self._tokens)
        self._line += self._text.count("\n", self._counted, token.start())
        self._counted = token.start()
        return token[0]

    def _value(self, token: str, path: KeyPath) -> None:
        if len(path) > MOST_LEVELS:
            _refuse(self._name, self._line, f"It is nested deeper than {MOST_LEVELS} levels.", _CURE)
        self._lines.setdefault(path, self._line)
        if token == "{":
            self._members(path)
        elif token == "[":
            self._items(path)

    def _members(self, path: KeyPath) -> None:
        while (token := self._next()) != "}":
            if token == ",":
                continue
            member = (*path, cast("str", json.loads(token)))
            if member in self._lines:
                _refuse(self._name, self._line, f"The key “{member[-1]}” is given twice.", "Keep one of them.")
            self._lines[member] = self._line
            self._next()  # the colon
            self._value(self._next(), member)

    def _items(self, path: KeyPath) -> None:
        place = 0
        while (token := self._next()) != "]":
            if token != ",":
                self._value(token, (*path, place))
                place += 1


def _refuse(file: str, line: int, what: str, cure: str) -> NoReturn:
    raise InvalidDefinition([Problem(file=file, line=line, what=what, cure=cure)])
