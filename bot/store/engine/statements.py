"""Statements that are built once, with parameters for the values.

Building a statement and finding it among the compiled ones takes longer than the database takes to answer it.
Statements that a request needs many times are constants of their module; rare ones may be built when they are needed.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Any

from sqlalchemy import Column, ColumnElement, and_, bindparam, literal_column


def given(*columns: Column[Any]) -> ColumnElement[bool]:
    """These columns have the values that are passed under their names."""
    return and_(*(column == bindparam(column.name) for column in columns))


def among(column: Column[Any], words: Iterable[Enum]) -> ColumnElement[bool]:
    """The column has one of these words, written out: partial indexes are known by that, a parameter could be any."""
    return column.in_([literal_column(f"'{word.value}'") for word in words])


def being(column: Column[Any], word: Enum) -> ColumnElement[bool]:
    """The column has this word, written out as in `among`."""
    return column == literal_column(f"'{word.value}'")
