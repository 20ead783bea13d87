"""Previews: as they were stored with an action, beside the one before, and while an account is missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

from bot.domain.actions import Action
from bot.domain.questions import ConnectPayload, Question
from bot.runtime.texts import to_people
from integrations.base import Field, Preview, Variant


def preview_of(action: Action) -> Preview:
    """The stored preview; a caption stands in where there is none."""
    if action.preview is None:
        return Preview(title=action.caption, fields=[])
    stored = dict(action.preview)
    fields = cast("list[dict[str, Any]]", stored.pop("fields"))
    variants = cast("list[dict[str, Any]]", stored.pop("variants", []))
    return Preview(
        **cast("dict[str, Any]", stored),
        fields=[Field(**item) for item in fields],
        variants=[Variant(**item) for item in variants],
    )


def variant_of(action: Action, place: int) -> Variant | None:
    """The variant that the action's card offers at this place, counted from 0; None where it offers none.

    It is a yes as well, so a card that cannot be approved has none, nor one that a plain yes does not do for.
    """
    preview = preview_of(action)
    plainly = action.verdict is None or not action.verdict.is_by_guard
    offered = preview.variants if plainly and preview.shows_destinations() else ()
    return offered[place] if place < len(offered) else None


def named(action: Action) -> str:
    """The caption, and which mail or event it is about where the caption does not say it itself."""
    preview = preview_of(action)
    said, about = action.caption or preview.title, preview.about
    title, _, _ = about.partition("”")
    return said if not about or title in said else f"{said}: {about}"


def connect_preview(question: Question, action: Action) -> Preview:
    """What the card of a `connect` question says."""
    payload = question.payload_as(ConnectPayload)
    title, yes, why = to_people.CONNECT_CARDS[payload.why]
    fields = [Field(label="I need it to", value=action.caption), Field(label="Why now", value=why)]
    return Preview(title=title, fields=fields, private=payload.private, approve_label=yes)


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
