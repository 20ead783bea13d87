"""Gmail's search language: from text to a tree ("Search operators you can use with Gmail")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

FIELDS = frozenset(
    {
        "from",
        "to",
        "cc",
        "bcc",
        "subject",
        "in",
        "is",
        "has",
        "label",
        "category",
        "newer_than",
        "older_than",
        "after",
        "before",
        "newer",
        "older",
        "rfc822msgid",
        "larger",
        "smaller",
        "size",
        "filename",
        "list",
        "deliveredto",
    }
)


@dataclass(frozen=True, slots=True)
class Term:
    """A word or phrase, in a field or (with an empty field) anywhere."""

    field: str
    value: str


@dataclass(frozen=True, slots=True)
class Every:
    """All of the parts; none at all is always true."""

    parts: tuple[Query, ...]


@dataclass(frozen=True, slots=True)
class Some:
    """At least one of the parts."""

    parts: tuple[Query, ...]


@dataclass(frozen=True, slots=True)
class Without:
    """Not the part."""

    part: Query


Query = Term | Every | Some | Without

_TOKENS = re.compile(
    r"""(?P<field>\w+):(?=\S)|(?P<quoted>"[^"]*"?)|(?P<mark>[(){}])|(?P<minus>-)(?=\S)|(?P<word>[^\s(){}"]+)"""
)


def read_query(text: str) -> Query:
    """Parses `q`. Nothing is an error: what it does not understand it searches as words, as Gmail does."""
    return _Reader(list(_tokens(text))).every("")


def terms(query: Query) -> Iterator[Term]:
    """All terms of a query, negated ones included."""
    match query:
        case Term():
            yield query
        case Without(part):
            yield from terms(part)
        case Every(parts) | Some(parts):
            for part in parts:
                yield from terms(part)


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    for found in _TOKENS.finditer(text):
        kind = found.lastgroup or "word"
        value = found.group(kind)
        if kind == "field" and value.lower() not in FIELDS:
            kind = "word"
        yield kind, value


class _Reader:
    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self._tokens = tokens

    def every(self, end: str) -> Query:
        """Parts side by side until `end`; an `OR` binds the two beside it."""
        parts: list[Query] = []
        joined = False
        for part in self._parts(end):
            if part is None:
                joined = bool(parts)
            elif joined:
                parts[-1] = Some((*_options(parts[-1]), part))
                joined = False
            else:
                parts.append(part)
        return parts[0] if len(parts) == 1 else Every(tuple(parts))

    def _parts(self, end: str) -> Iterator[Query | None]:
        """The parts up to `end`; None stands for an OR between two of them."""
        while self._tokens:
            kind, value = self._tokens[0]
            if kind == "mark" and value in ")}":
                self._tokens.pop(0)
                if value == end:
                    return
            elif kind == "word" and value in {"OR", "|"}:
                self._tokens.pop(0)
                yield None
            elif kind == "word" and value == "AND":
                self._tokens.pop(0)
            elif (part := self._part()) is not None:
                yield part

    def _part(self) -> Query | None:
        kind, value = self._tokens.pop(0)
        match kind, value:
            case "minus", _:
                inner = self._part() if self._tokens else None
                return None if inner is None else Without(inner)
            case "mark", "(":
                return self.every(")")
            case "mark", _:
                return Some(_pieces(self.every("}")))
            case "field", _:
                inner = self._part() if self._tokens else None
                return None if inner is None else _within(inner, value.lower())
            case "quoted", _:
                return Term("", value.strip('"'))
            case _:
                return Term("", value)


def _options(query: Query) -> tuple[Query, ...]:
    return query.parts if isinstance(query, Some) else (query,)


def _pieces(query: Query) -> tuple[Query, ...]:
    return query.parts if isinstance(query, Every) else (query,)


def _within(query: Query, field: str) -> Query:
    """`from:(a OR b)` means either of them in the field."""
    match query:
        case Term(inner, value):
            return query if inner else Term(field, value)
        case Without(part):
            return Without(_within(part, field))
        case Every(parts) | Some(parts):
            return replace(query, parts=tuple(_within(part, field) for part in parts))
