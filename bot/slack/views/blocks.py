"""Block Kit, as small as this program needs it. Limits: Slack's reference "Blocks", and slack_sdk's models.

Text from outside only ever goes into `plain_text` and rich text `text` elements, which Slack does not parse.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast
from urllib.parse import urlsplit

from bot.domain import ids
from bot.runtime.texts import about_times
from bot.slack.views.ids import LIST, list_value
from bot.slack.views.plain import cut, escaped, one_line, plain

_MENTION = re.compile(r"<@([UW][A-Z0-9]+)>", re.ASCII)
_MADE_ID = re.compile(r"rule_[0-9a-z]{26}", re.ASCII)
Block = dict[str, object]
Element = dict[str, object]

HEADER_LIMIT = 150
BUTTON_LIMIT = 75
OPTION_LIMIT = 75
HINT_LIMIT = 2_000
CONTEXT_LIMIT = 2_000
PIECE_LIMIT = 2_800  # characters of one rich text element or plain_text section; Slack's section holds 3,000
RICH_LIMIT = 3 * PIECE_LIMIT  # characters of rich text in a block; Slack names no limit, a message has about 12,000
GOES_ON = "… the text goes on here, without a break …"
URL_LIMIT = 3_000
FALLBACK_LIMIT = 3_000  # characters of a message's top-level text; chat.update takes 4,000
VALUE = "value"  # the action id of the element in a field


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """A message to send: blocks, and the text that notifications and old clients show (mrkdwn, escaped already)."""

    text: str
    blocks: Sequence[Block]


def sentence(text: str) -> Outgoing:
    """A message of one paragraph in plain text."""
    return Outgoing(text=fallback(text), blocks=[paragraph(words(text))])


def fallback(text: str) -> str:
    """A message's top-level text: Slack reads it as mrkdwn, so it is escaped, and bounded after escaping."""
    return escaped(cut(plain(text).strip(), FALLBACK_LIMIT // 5)) or " "


def header(text: str) -> Block:
    """A title in plain text."""
    return {"type": "header", "text": plain_text(one_line(text, HEADER_LIMIT) or "…")}


def plain_text(text: str) -> Element:
    """A text object that nothing is parsed in, not even `:emoji:`."""
    return {"type": "plain_text", "text": text, "emoji": False}


def section(text: str) -> Block:
    """A paragraph in plain text; the caller bounds it."""
    return {"type": "section", "text": plain_text(text)}


def marked(text: str) -> Block:
    """A paragraph with Slack's own marks, of a text in which what came from people is escaped."""
    return {"type": "section", "text": {"type": "mrkdwn", "text": text, "verbatim": True}}


def context(*elements: Element) -> Block:
    """Small print."""
    return {"type": "context", "elements": list(elements)}


def rich(*elements: Element) -> Block:
    """A block of rich text."""
    return {"type": "rich_text", "elements": list(elements)}


def paragraph(*elements: Element) -> Block:
    """A block of one paragraph of rich text."""
    return rich(line(*elements))


def bullets(lines: Iterable[str], *, title: str = "") -> Block:
    """A list in plain text, under its title."""
    return bullet_list((line(words(text)) for text in lines), title=title)


def bullet_list(lines: Iterable[Element], *, title: str = "") -> Block:
    """The same of paragraphs of rich text."""
    above = [line(words(title, bold=True))] if title else []
    return rich(*above, {"type": "rich_text_list", "style": "bullet", "elements": list(lines)})


def said(text: str) -> Element:
    """A paragraph in plain text, in which people who are mentioned (`<@U0DANA>`) stand by their names."""
    pieces = _MENTION.split(text)  # every second piece is an id
    return line(*(person(one) if at % 2 else words(one) for at, one in enumerate(pieces) if one))


def line(*elements: Element) -> Element:
    """A paragraph of rich text."""
    return {"type": "rich_text_section", "elements": list(elements)}


def quote(text: str) -> Element:
    """Somebody else's words, with a bar along them."""
    return quoted([words(text)])


def quoted(elements: Iterable[Element]) -> Element:
    """The same of several pieces."""
    return {"type": "rich_text_quote", "elements": list(elements)}


def quotes(elements: Iterable[Element]) -> Sequence[Element]:
    """The same of a text of any length: several where one would be too long, and between them that it goes on."""
    first, *others = map(quoted, grouped([*elements] or [words("")]))
    return [first, *(part for one in others for part in (line(words(GOES_ON, bold=True)), one))]


def grouped(elements: Iterable[Element]) -> Sequence[Sequence[Element]]:
    """In the fewest groups of so many characters as one block of rich text has at most."""
    groups: list[list[Element]] = [[]]
    for element in elements:
        if groups[-1] and length([*groups[-1], element]) > RICH_LIMIT:
            groups.append([])
        groups[-1].append(element)
    return groups


def length(elements: Iterable[Element]) -> int:
    """The characters of elements of rich text, with those of the elements in them."""
    return sum(
        len(str(one.get("text", ""))) + length(cast("Sequence[Element]", one.get("elements", ()))) for one in elements
    )


def code(text: str) -> Element:
    """Lines as they are, to be copied."""
    return {"type": "rich_text_preformatted", "elements": [words(text)]}


def words(text: str, *, bold: bool = False, strike: bool = False) -> Element:
    """Literal text; Slack refuses an empty one."""
    style = {name: True for name, wanted in (("bold", bold), ("strike", strike)) if wanted}
    element: Element = {"type": "text", "text": text or " "}
    return element | ({"style": style} if style else {})


def person(user: str) -> Element:
    """A person's name. In rich text it notifies only people who can see the message."""
    return {"type": "user", "user_id": user}


def room(channel: str) -> Element:
    """A channel's name."""
    return {"type": "channel", "channel_id": channel}


def conversation(channel: str) -> Element:
    """The same for any conversation: direct messages have no name."""
    return words("a direct message") if channel.startswith("D") else room(channel)


def link(url: str, label: str) -> Sequence[Element]:
    """A link that says its host; nothing for what is no http(s) address, or names a user."""
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return []
    is_safe = host and parts.scheme in {"http", "https"} and "@" not in parts.netloc and len(url) <= URL_LIMIT
    return [{"type": "link", "url": url, "text": f"{label} ({host})"}] if is_safe else []


def beside(url: str | None, label: str) -> Sequence[Element]:
    """A link behind other words; nothing without an address."""
    shown = link(url or "", label)
    return [words(" "), *shown] if shown else []


def why(lead: str, reason: str, rule: str) -> Sequence[Element]:
    """Why policy decided so, in small print: a level's reason is a sentence of its own. A rule's comes with the name
    that somebody gave it in `policy.yaml`; one that was made in Slack has an id alone, which says nothing to people.
    """
    said = [small(f"{lead}: {one_line(reason, 500)}" if rule else one_line(reason, 500))] if reason else []
    name = one_line(rule.removeprefix("rule."), 80)
    return [*said, *([small(f"Rule {name}")] if name and not _MADE_ID.fullmatch(name) else [])]


def moment(at: datetime, zone: str) -> Element:
    """A point in time in the reader's own zone; the fallback in the owner's."""
    return {
        "type": "date",
        "timestamp": int(at.timestamp()),
        "format": "{date_short_pretty} at {time}",
        "fallback": about_times.short(at, zone),
    }


def second(at: datetime, zone: str) -> Element:
    """A point in time so near that seconds count, with its day left out."""
    fallback = about_times.to_the_second(at, zone)
    return {"type": "date", "timestamp": int(at.timestamp()), "format": "{time_secs}", "fallback": fallback}


def tried_again(at: datetime, zone: str) -> Sequence[Element]:
    """That a busy provider did not do it yet, and when it is tried again."""
    said = "Not done yet: Google takes no more of this at the moment. I try again at "
    return [words(said), second(at, zone), words(".")]


def moment_token(prefix: str, at: datetime, zone: str) -> Element:
    """The same for small print, where dates need mrkdwn. The prefix is ours, never text from outside."""
    token = f"<!date^{int(at.timestamp())}^{{date_short_pretty}} at {{time}}|{about_times.short(at, zone)}>"
    return {"type": "mrkdwn", "text": f"{prefix} {token}"}


def small(text: str) -> Element:
    """Small print in plain text."""
    return plain_text(cut(text, CONTEXT_LIMIT) or " ")


def card_code(question_id: str) -> Element:
    """By what people tell one card from another, and know which of those listed on App Home it is."""
    return small(f"Card {ids.card_code(question_id)}")


def and_more(count: int, then: str = "") -> Sequence[Block]:
    """How many things of a list are not shown, and what becomes of these; nothing when all are."""
    return [context(small(f"… and {count} more{then}"))] if count > 0 else []


def way_on(name: str, left: int) -> Sequence[Block]:
    """Below the beginning of a list on App Home: how many more there are, and the button for the window with all of
    them; nothing when all are shown.
    """
    show = button("Show all", LIST, list_value(name, 0))
    return [*and_more(left), buttons(f"home:all:{name}", [show])] if left > 0 else []


def button(label: str, action_id: str, value: str, *, style: str | None = None, only_for: str | None = None) -> Element:
    """A button. `only_for` hides it from everybody else; who clicked is checked again on the server."""
    element: Element = {
        "type": "button",
        "action_id": action_id,
        "text": plain_text(cut(label, BUTTON_LIMIT)),
        "value": value,
    }
    extra: Element = {"style": style} if style else {}
    return element | extra | ({"visible_to_user_ids": [only_for]} if only_for else {})


def confirm(title: str, text: str, *, yes: str, no: str) -> Element:
    """What a button asks back before it counts, where nothing brings back what it takes away
    (docs.slack.dev/reference/block-kit/composition-objects/confirmation-dialog-object).
    """
    return {
        "title": plain_text(title),
        "text": plain_text(text),
        "confirm": plain_text(yes),
        "deny": plain_text(no),
        "style": "danger",
    }


def buttons(block_id: str, elements: Iterable[Element]) -> Block:
    """A row of buttons."""
    return {"type": "actions", "block_id": block_id, "elements": list(elements)}


def modal(title: str, blocks: Sequence[Block], *, close: str = "Close", **more: object) -> Block:
    """A modal; `more` is what else its view object holds."""
    named = {"type": "modal", "title": plain_text(title), "close": plain_text(close), "blocks": blocks}
    return named | more


def window(title: str, blocks: Sequence[Block], *, submit: str, callback: str, kept: str) -> Block:
    """A modal that is filled in and sent; `kept` comes back with what was filled in."""
    more = {"submit": plain_text(submit), "callback_id": callback, "private_metadata": kept}
    return modal(title, blocks, close="Cancel", **more)


def field(
    name: str, label: str, element: Element, *, optional: bool | None = None, hint: str = "", action: str = VALUE
) -> Block:
    """Where people fill something in. It comes back as `name` and `action`, also from a window that was opened before
    an upgrade: neither changes. Without `optional` it has to be filled in
    (docs.slack.dev/reference/block-kit/blocks/input-block).
    """
    block: Block = {"type": "input", "block_id": name, "label": plain_text(label)}
    block |= {} if optional is None else {"optional": optional}
    block["element"] = element | {"action_id": action}
    return block | ({"hint": plain_text(cut(hint, HINT_LIMIT))} if hint else {})


def menu(options: Iterable[Element], initial: Element | None = None) -> Element:
    """A menu of which one is chosen, and what is chosen already."""
    element: Element = {"type": "static_select", "options": list(options)}
    return element | ({"initial_option": initial} if initial else {})


def option(label: str, value: str, description: str = "") -> Element:
    """One of a menu, or a box to tick."""
    made: Element = {"text": plain_text(cut(label, OPTION_LIMIT)), "value": value}
    return made | ({"description": plain_text(cut(description, OPTION_LIMIT))} if description else {})


def markdown(text: str) -> Block:
    """Markdown that was made inert before."""
    return {"type": "markdown", "text": text}


def pieces(text: str, limit: int = PIECE_LIMIT) -> Sequence[str]:
    """The text in pieces of at most `limit` characters, cut at a paragraph, a line or a word where there is one."""
    found: list[str] = []
    while len(text) > limit:
        end = _cut_at(text, limit)
        found.append(text[:end])
        text = text[end:]
    return [*found, text] if text else found


def _cut_at(text: str, limit: int) -> int:
    for mark in ("\n\n", "\n", " "):
        place = text.rfind(mark, limit // 2, limit)
        if place > 0:
            return place + len(mark)
    return limit
