"""Column types: the same values, in the same order, on SQLite and PostgreSQL."""

from __future__ import annotations

import datetime as dt
import json
import re
from enum import Enum
from typing import Any, Protocol, cast

from sqlalchemy import BigInteger, DateTime, Integer, Text
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator, TypeEngine

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")

Number = BigInteger().with_variant(Integer(), "sqlite")
"""A whole number of 64 bits, which SQLite's INTEGER has by itself. Waiting for people makes milliseconds long."""


class _Convert(Protocol):
    """Converts a value for the driver, or from it. It is called for each value, so it is one function and no chain."""

    def __call__(self, value: Any) -> Any: ...


def storable(text: str) -> str:
    """The text with U+FFFD for what no database takes: half of a surrogate pair, and in PostgreSQL the zero character.

    Texts come from outside; none of them may make a commit impossible.
    """
    return text if text.isascii() and "\0" not in text else _UNSTORABLE.sub("\ufffd", text)


class Words(TypeDecorator[str]):
    """Text of any length, ordered byte by byte whatever the database's language is. Text from outside has no known
    maximum length; SQLite enforces none either.
    """

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Text, and in PostgreSQL without its rules of sorting."""
        return dialect.type_descriptor(Text(collation="C") if dialect.name == "postgresql" else Text())

    def bind_processor(self, dialect: Dialect) -> _Convert:
        """Text in, text that can be stored to the database."""
        return _as_text

    def result_processor(self, dialect: Dialect, coltype: object) -> _Convert | None:
        """Text from the database is what it is."""


class Worded(Words):
    """A member of an enumeration, by its word."""

    cache_ok = True

    def __init__(self, kind: type[Enum]) -> None:
        super().__init__()
        self.kind = kind

    def bind_processor(self, dialect: Dialect) -> _Convert:
        """A member, or its word, in; its word to the database."""
        words = _Words({None: None, **{member.value: member.value for member in self.kind}})
        return cast("_Convert", words.__getitem__)  # a look-up, and no call of ours

    def result_processor(self, dialect: Dialect, coltype: object) -> _Convert:
        """Its word from the database, the member out."""
        members = {member.value: member for member in self.kind}
        return lambda value: None if value is None else members[value]


class Moment(TypeDecorator[dt.datetime]):
    """An aware moment, stored as naive UTC with microseconds; a naive value is refused."""

    impl = DateTime
    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> _Convert:
        """Aware in, naive UTC to the database; SQLite has it as text."""
        return _text_of_moment if dialect.name == "sqlite" else _naive

    def result_processor(self, dialect: Dialect, coltype: object) -> _Convert:
        """Naive UTC from the database, aware out; SQLite has it as text."""
        return _moment_of_text if dialect.name == "sqlite" else _moment


class Json(TypeDecorator[Any]):
    """A JSON value as compact text; None is SQL's NULL."""

    impl = Text
    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> _Convert:
        """Value in, text to the database."""
        return _as_json

    def result_processor(self, dialect: Dialect, coltype: object) -> _Convert:
        """Text from the database, value out."""
        return _of_json


class _Words(dict[str | None, str | None]):
    """The words of an enumeration by its members, which are texts; what is none of them stays as it is."""

    def __missing__(self, key: str | None) -> str | None:
        """What was given."""
        return key


def _as_text(value: str | None) -> str | None:
    """As `storable`, without a call of its own for each text."""
    if value is None or (value.isascii() and "\0" not in value):
        return value
    return _UNSTORABLE.sub("\ufffd", value)


def _naive(value: dt.datetime | None) -> dt.datetime | None:
    if value is None:
        return None
    if value.tzinfo is None:
        raise ValueError("a moment needs its zone")
    return value.astimezone(dt.UTC).replace(tzinfo=None)


def _text_of_moment(value: dt.datetime | None) -> str | None:
    """As SQLAlchemy writes a moment for SQLite."""
    return None if (naive := _naive(value)) is None else naive.isoformat(" ", "microseconds")


def _moment(value: dt.datetime | None) -> dt.datetime | None:
    return None if value is None else value.replace(tzinfo=dt.UTC)


def _moment_of_text(value: str | None) -> dt.datetime | None:
    return None if value is None else dt.datetime.fromisoformat(value).replace(tzinfo=dt.UTC)


def _as_json(value: object) -> str | None:
    return None if value is None else storable(_encode(value))


def _of_json(value: str | None) -> object:
    return None if value is None else json.loads(value)


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
