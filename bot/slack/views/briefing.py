"""The daily briefing: the day's meetings with what overlaps, the mails that wait, and a button for each."""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.briefings import Briefing, Item, ItemKind, ItemVerb
from bot.slack.views import blocks as kit
from bot.slack.views import ids
from bot.slack.views.blocks import Block, Outgoing
from bot.slack.views.plain import one_line

LABELS = {ItemVerb.ANSWER: "Answer", ItemVerb.OPEN: "Show it here", ItemVerb.PREPARE: "Prepare"}
REPLY = "Reply in this thread, or press a button, and I go on with it."

_TITLE, _DETAIL, _SNIPPET = 150, 300, 200


def briefing(found: Briefing, *, owner: str) -> Outgoing:
    """The whole message. It also says what could not be looked at, and that a day is empty."""
    first = len(found.meetings or ())
    blocks = [
        kit.header(f"Your briefing, {found.day}"),
        *_part("Meetings today", found.meetings, found.more_meetings, "Nothing is on your calendar.", owner),
        *_part("Mails that wait for you", found.mails, found.more_mails, "No mail waits for you.", owner, first),
        *(kit.context(kit.small(f"⚠ {one_line(remark, 1_000)}")) for remark in found.remarks),
        *([kit.context(kit.small(REPLY))] if found.items else []),
    ]
    return Outgoing(text=kit.fallback(f"Your briefing, {found.day}: {'; '.join(found.counts())}"), blocks=blocks)


def _part(
    title: str, items: Sequence[Item] | None, more: int, nothing: str, owner: str, first: int = 0
) -> Sequence[Block]:
    """The meetings, or the mails, numbered from `first`; nothing where they could not be read, as a remark says."""
    if items is None:
        return []
    head = kit.paragraph(kit.words(title, bold=True))
    if not items:
        return [head, kit.section(nothing)]
    shown = [block for n, item in enumerate(items, start=first) for block in _item(item, n, owner)]
    return [head, *shown, *kit.and_more(more)]


def _item(item: Item, number: int, owner: str) -> Sequence[Block]:
    actions = {verb: action for action, verb in ids.BRIEFING_ACTIONS.items()}
    buttons = [kit.button(LABELS[verb], actions[verb], str(number), only_for=owner) for verb in item.verbs]
    title = one_line(item.title, _TITLE) or "(no title)"
    details = " · ".join(part for part in (item.when, item.people, item.where) if part)
    lines = [
        kit.line(
            kit.words(title, bold=True), *kit.beside(item.link, "Open"), kit.words(f"\n{one_line(details, _DETAIL)}")
        ),
        *(kit.line(kit.words(f"⚠ {one_line(note, _DETAIL)}")) for note in item.notes[:3]),
        *([kit.quote(one_line(item.snippet, _SNIPPET))] if item.kind is ItemKind.MAIL and item.snippet else []),
    ]
    return [kit.rich(*lines), kit.buttons(f"briefing:{number}", buttons)]
