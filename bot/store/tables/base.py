"""The metadata that every table is in, and columns that most tables have."""

from __future__ import annotations

from enum import Enum
from typing import Any

from sqlalchemy import Boolean, Column, MetaData, false

from bot.store.tables.columns import Number, Worded, Words

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_N_label)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def identifier() -> Column[str]:
    """The primary key of most tables."""
    return Column("id", Words, primary_key=True)


def word(name: str, *, nullable: bool = False) -> Column[str]:
    """A text that every row has, such as an id."""
    return Column(name, Words, nullable=nullable)


def member(name: str, kind: type[Enum], *, nullable: bool = False, default: Enum | None = None) -> Column[Any]:
    """A member of an enumeration, such as a state."""
    return Column(name, Worded(kind), nullable=nullable, server_default=default and default.value)


def prose(name: str) -> Column[str]:
    """A text that is empty unless something was written."""
    return Column(name, Words, nullable=False, server_default="")


def count(name: str) -> Column[int]:
    """A number that begins at 0."""
    return Column(name, Number, nullable=False, server_default="0")


def flag(name: str) -> Column[bool]:
    """A truth value that begins as false."""
    return Column(name, Boolean, nullable=False, server_default=false())
