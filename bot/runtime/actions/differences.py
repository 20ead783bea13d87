"""Differences: what a new card shows beside the one before it (docs/states.md §2). Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from integrations.base import Field, Preview


def compared(new: Preview, old: Preview) -> Preview:
    """The new preview, each field that differs with what stood there before.

    A field that says itself what it changes keeps that.
    """
    return replace(new, fields=[*_changed(new, old), *_gone(new, old)])


def _changed(new: Preview, old: Preview) -> Iterator[Field]:
    before = {field.label: field.value for field in old.fields}
    for field in new.fields:
        was = before.get(field.label, "")
        yield field if field.before is not None or was == field.value else replace(field, before=was)


def _gone(new: Preview, old: Preview) -> Iterator[Field]:
    still = {field.label for field in new.fields}
    for field in old.fields:
        if field.label not in still and field.value:
            yield replace(field, value="", before=field.value)
