"""An action that waits for its time, with its Undo; afterwards what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from bot.domain.actions import ActionState
from bot.domain.runs import RunState
from bot.runtime.delivery.lists import HeldLine
from bot.runtime.delivery.views import HeldView
from bot.runtime.texts import about_times
from bot.slack.views import blocks as kit
from bot.slack.views import ids
from bot.slack.views.blocks import Block, Element, Outgoing
from bot.slack.views.fields import destination
from bot.slack.views.plain import cut, one_line, plain
from integrations.base import Field

FIELDS = 8
FIELD_LIMIT = 300  # characters of one
LISTED = 10
ABOUT_LIMIT = 240  # characters of one in the window of its Cancel, which takes 300

_TRIED = frozenset({RunState.COMPLETED, RunState.FAILED, RunState.PAUSED})
_UNDER_WAY = {"Send": "Sending", "Reply": "Replying", "Save": "Saving"}


def deferred(view: HeldView) -> Outgoing:
    """The message as it stands now."""
    lead, ends = _told(view)
    caption = one_line(_caption(view), 500)
    said = [*([kit.words(f"{lead} ")] if lead else []), *([kit.words(caption, bold=True)] if caption else [])]
    blocks: list[Block] = [kit.paragraph(*said, *ends)]
    if view.state is RunState.QUEUED:
        shown = [field for field in view.preview.fields if not field.aside][:FIELDS]
        blocks += [kit.rich(*map(_field, shown))] if shown else []
        blocks += [*buttons(view), *_why(view)]
    return Outgoing(text=kit.fallback(f"{lead} {caption}".strip()), blocks=blocks)


def buttons(view: HeldView) -> Sequence[Block]:
    """What can be done while it waits."""
    run_id, user = view.place.run_id, view.place.user
    undo = kit.button("Undo", ids.HELD_UNDO, run_id, only_for=user)
    now = kit.button("Send now", ids.HELD_NOW, run_id, only_for=user)
    offered = [undo, now] if view.can_be_sent_now else [undo]
    return [kit.buttons(f"held:{run_id}", offered)] if view.state is RunState.QUEUED else []


def outcome(view: HeldView) -> Sequence[Element]:
    """The same on the card where it was approved, which shows what it is."""
    detail = one_line(view.detail, 1_000)
    match view.state:
        case RunState.QUEUED:
            return [kit.words("Scheduled for "), kit.moment(view.at, view.zone), kit.words(", unless you undo it.")]
        case RunState.CANCELLED if view.action is ActionState.CANCELLED:
            return [kit.words("Undone. Nothing was sent."), *_doubt(view)]
        case RunState.CANCELLED:
            return [kit.words("Stopped."), *_doubt(view)]
        case RunState.AWAITING:
            return [kit.words("It is time, and I need your decision on the card below.")]
        case RunState.COMPLETED | RunState.FAILED | RunState.PAUSED if view.action is ActionState.COMPLETED:
            return [kit.words(f"✓ Done. {detail}".strip()), *_at(view), *kit.beside(view.link, "Open")]
        case RunState.COMPLETED | RunState.FAILED | RunState.PAUSED:
            return [kit.words(f"✗ Not done. {detail or view.action.caption}".strip()), *_doubt(view)]
        case RunState.EXECUTING if view.again_at:
            return kit.tried_again(view.again_at, view.zone)
        case _:
            return [kit.words("It is time, working on it…")]


def _at(view: HeldView) -> Sequence[Element]:
    """When it was done: the card above names the time that was planned, and “Send now” does not wait for it."""
    early = [kit.words(", by “Send now”")] if view.early else []
    return [kit.words(" · "), kit.moment(view.ended_at, view.zone), *early] if view.ended_at else []


def _told(view: HeldView) -> tuple[str, Sequence[Element]]:
    """What is said before the caption, and after it."""
    match view.state:
        case RunState.QUEUED if _is_soon(view):
            seconds = max(0, round(view.wait.total_seconds()))
            return "", [kit.words(f" in {seconds} seconds ("), kit.second(view.at, view.zone), kit.words(").")]
        case RunState.QUEUED:
            return "Scheduled:", [*_when(view), kit.words(" unless you undo it.")]
        case RunState.CANCELLED:
            lead = "Undone, nothing was sent:" if view.action is ActionState.CANCELLED else "Stopped:"
            by = [kit.words(" · "), kit.person(view.stopped_by)] if view.stopped_by else []
            return lead, [*by, *_doubt(view)]
        case RunState.AWAITING:
            return "It is time, and I need your decision on the card below:", []
        case RunState.COMPLETED | RunState.FAILED | RunState.PAUSED if view.action is ActionState.COMPLETED:
            lead = f"✓ Done. {one_line(view.detail, 1_000)}" if view.detail else "✓ Done:"
            return lead, kit.beside(view.link, "Open")
        case RunState.COMPLETED | RunState.FAILED | RunState.PAUSED:
            detail = one_line(f"{view.action.caption}. {view.detail}".strip(), 1_000)
            return "✗ Not done:", [kit.words(f": {detail}"), *_doubt(view)]
        case RunState.EXECUTING if view.again_at:
            return "It is time:", [kit.words(". "), *kit.tried_again(view.again_at, view.zone)]
        case _:
            return "It is time, working on it:", []


def _when(view: HeldView) -> Sequence[Element]:
    """Its time, unless the caption names it."""
    if _names_moment(view.caption, view.at, view.zone):
        return []
    return [kit.words(". It happens "), kit.moment(view.at, view.zone)]


def _is_soon(view: HeldView) -> bool:
    """Whether it waits only so that it can be undone: no time was asked for."""
    return (
        view.state is RunState.QUEUED
        and not view.can_be_sent_now
        and not _names_moment(view.caption, view.at, view.zone)
    )


def _caption(view: HeldView) -> str:
    """What it is, unless what came of it names it."""
    if view.state in _TRIED and view.action is ActionState.COMPLETED and view.detail:
        return ""
    return _doing(view.caption) if _is_soon(view) else view.caption


def _doing(caption: str) -> str:
    """What is about to be done: “Sending …” for “Send …”."""
    verb, _, rest = caption.partition(" ")
    return f"{_UNDER_WAY[verb]} {rest}" if verb in _UNDER_WAY else caption


def _why(view: HeldView) -> Sequence[Block]:
    """Why it was not asked about."""
    said = kit.why("Why you were not asked", view.reason, view.rule)
    return [kit.context(*said)] if said else []


def _doubt(view: HeldView) -> Sequence[Element]:
    return [kit.words(" An attempt may have happened: please look.")] if view.doubt else []


def _field(field: Field) -> Element:
    """A text of several lines stays one, below its label."""
    label = f"{one_line(field.label, 60)}: "
    if field.destination:
        return kit.line(kit.words(label, bold=True), *destination(field.value), kit.words("\n"))
    if field.long:
        value = cut(plain(field.value).strip(), FIELD_LIMIT)
        return kit.line(kit.words(f"{label}\n", bold=True), kit.words(f"{value}\n"))
    value = one_line(plain(field.value), FIELD_LIMIT)
    return kit.line(kit.words(label, bold=True), kit.words(value), kit.words("\n"))


def listed(lines: Sequence[HeldLine], zone: str) -> Sequence[Block]:
    """What waits, each with its Cancel, for App Home."""
    if not lines:
        return []
    shown = [block for row in rows(lines[:LISTED], zone) for block in row]
    return [kit.header("Scheduled"), *shown, *kit.way_on(ids.HELD_LIST, len(lines) - LISTED)]


def rows(lines: Sequence[HeldLine], zone: str) -> Sequence[Sequence[Block]]:
    """The same for a window of all of them."""
    return [[kit.section(held_line(line, zone)) | {"accessory": _cancel(line, zone)}] for line in lines]


def _cancel(line: HeldLine, zone: str) -> Element:
    about = f"{one_line(held_line(line, zone), ABOUT_LIMIT)}. It is not done then."
    asks = kit.confirm("Cancel this?", about, yes="Cancel it", no="Keep it")
    return kit.button("Cancel", ids.HELD_UNDO, line.run_id) | {"confirm": asks}


def held_line(line: HeldLine, zone: str) -> str:
    """One thing that waits, in words."""
    caption = one_line(line.caption, 200)
    return caption if _names_moment(caption, line.at, zone) else f"{caption} – {about_times.moment(line.at, zone)}"


def _names_moment(caption: str, at: datetime, zone: str) -> bool:
    """Whether the caption says the time already, so that it is not said twice."""
    return f" on {about_times.moment(at, zone)}" in caption
