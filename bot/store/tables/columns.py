"""Column types: the same values, in the same order, on SQLite and PostgreSQL."""

from __future__ import annotations

import datetime as dt
import json
import re
from enum import Enum
from typing import Any

from sqlalchemy import BigInteger, DateTime, Integer, Text
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator, TypeEngine

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")

Number = BigInteger().with_variant(Integer(), "sqlite")
"""A whole number of 64 bits, which SQLite's INTEGER has by itself. Waiting for people makes milliseconds long."""


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

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Text in, text that can be stored to the database."""
        return None if value is None else storable(value)


class Worded(Words):
    """A member of an enumeration, by its word."""

    cache_ok = True

    def __init__(self, kind: type[Enum]) -> None:
        super().__init__()
        self.kind = kind

    def process_bind_param(self, value: Enum | str | None, dialect: Dialect) -> str | None:
        """A member, or its word, in; its word to the database."""
        return value.value if isinstance(value, Enum) else value

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        """Its word from the database, the member out."""
        return None if value is None else self.kind(value)


class Moment(TypeDecorator[dt.datetime]):
    """An aware moment, stored as naive UTC with microseconds; a naive value is refused."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: dt.datetime | None, dialect: Dialect) -> dt.datetime | None:
        """Aware in, naive UTC to the database."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment needs its zone")
        return value.astimezone(dt.UTC).replace(tzinfo=None)

    def process_result_value(self, value: dt.datetime | None, dialect: Dialect) -> dt.datetime | None:
        """Naive UTC from the database, aware out."""
        return None if value is None else value.replace(tzinfo=dt.UTC)


class Json(TypeDecorator[Any]):
    """A JSON value as compact text; None is SQL's NULL."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: object, dialect: Dialect) -> str | None:
        """Value in, text to the database."""
        return None if value is None else storable(json.dumps(value, ensure_ascii=False, separators=(",", ":")))

    def process_result_value(self, value: str | None, dialect: Dialect) -> object:
        """Text from the database, value out."""
        return None if value is None else json.loads(value)
