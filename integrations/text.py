"""Texts: counts in words, one line of a text, long descriptions, and hidden characters.

Some hidden characters have their use: joiners inside emoji and in scripts that need them, direction marks beside
right-to-left letters, one variation selector after a character, the flags of regions (Unicode, UTS #51 and chapters 9,
12 and 23). The rest is told, since it can change what a text says, or say something to programs alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from importlib.resources import files
from typing import cast

from integrations.fences import broken, holds_fence
from policies.characters import without_invisible

_EMOJI = "\u2190-\u2bff\U0001f000-\U0001faff"
_RIGHT_TO_LEFT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
_JOINED = "\u0600-\u0dff\u1000-\u109f\u1780-\u18ff"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_IN_USE = re.compile(
    f"(?<=[{_EMOJI}\ufe0f])\u200d(?=[{_EMOJI}])"
    f"|(?<=[{_JOINED}])[\u200c\u200d]"
    f"|(?<=[{_RIGHT_TO_LEFT}])[\u200e\u200f]|[\u200e\u200f](?=[{_RIGHT_TO_LEFT}])"
    "|(?<=\U0001f3f4)[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f"
    f"|(?<=[^{_SELECTORS}])[{_SELECTORS}]"
)
_JOINS = re.compile(f"(?<=[{_EMOJI}\ufe0f])\u200d(?=[{_EMOJI}])|(?<=[{_JOINED}])[\u200c\u200d](?=[{_JOINED}])")
_TURNING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_TAGS = re.compile("[\U000e0000-\U000e007f]")
_WIDTHLESS = re.compile(
    f"[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb{_SELECTORS}]"
)
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]")
_LIST_MARK = re.compile(r"^\s*(?:[-*+•]|\d+[.)]|#{1,6})\s+")
_MARK = re.compile(r"\\([*_`~])|[*`]")
_SAID = 80
_REMARK = 400


def joiners(text: str) -> frozenset[int]:
    """Where joiners stand that an emoji or a script needs: they show nothing, and what they join looks otherwise."""
    return frozenset(found.start() for found in _JOINS.finditer(text)) if not text.isascii() else frozenset()


def without_joiners(text: str) -> str:
    """The text without these."""
    return text if text.isascii() else _JOINS.sub("", text)


def counted(number: int, noun: str, several: str = "") -> str:
    """ "1 mail", "2,000 mails"; `several` is the plural where it is not made with an s."""
    return f"{number:,} {noun if number == 1 else several or f'{noun}s'}"


def listed(names: Sequence[str]) -> str:
    """ "a, b and c"."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def prose(module: str, name: str) -> str:
    """The text of the file `name` beside a module, its lines joined to paragraphs as a model reads them."""
    text = files(module.rpartition(".")[0]).joinpath(name).read_text(encoding="utf-8")
    paragraphs = text.strip().split("\n\n")
    return "\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def has_passed(now: datetime) -> str:
    """That a moment somebody named is over; `now` is on that person's clock."""
    return f"That time has passed. It is now {now:%a} {now.day} {now:%b}, {now:%H:%M}."


def in_one_line(markdown: str) -> str:
    """Markdown on one line: what stood below each other is told apart, and marks are gone. A sign that was escaped is
    none.
    """
    lines = [_MARK.sub(lambda mark: mark[1] or "", _LIST_MARK.sub("", line)) for line in markdown.splitlines()]
    found = [" ".join(line.split()) for line in lines if line.strip()]
    return "".join(f"{line} " if line.endswith((":", ".", "!", "?")) else f"{line} · " for line in found).rstrip(" ·")


def one_line(text: str, characters: int) -> str:
    """The text on one line of at most so many characters; what is cut ends in "…"."""
    line = " ".join(text.split())
    return line if len(line) <= characters else f"{line[: characters - 1].rstrip()}…"


def itemized(said: str, items: Sequence[str], characters: int = _REMARK) -> str:
    """ "said: one, two and 3 more": as many whole items as so many characters hold, and how many are missing."""
    line = f"{said}: {items[0]}"
    for place, item in enumerate(items[1:], start=1):
        if len(line) + len(item) > characters:
            return f"{line} and {len(items) - place} more"
        line = f"{line}, {item}"
    return line


def clean(text: str, length: int) -> str:
    """Text of others on one line of at most `length` characters, without invisible ones."""
    return one_line(without_invisible(text), length)


def visible(text: str) -> str:
    """Text of others uncut and in its lines, without invisible characters."""
    return without_invisible(text).strip()


def hidden_warnings(arguments: Mapping[str, object]) -> list[str]:
    """What a card says of what is hidden in these arguments, a sentence for each that hides something."""
    found = ((name, "".join(_texts(value))) for name, value in arguments.items())
    return [
        f"Nobody sees all of the {name.replace('_', ' ')}: {said}." for name, text in found if (said := _said(text))
    ]


def check_fit(value: object) -> None:
    """Raises `ValueError` for NUL and the other control characters, but not for tabs and line ends, and for fences."""
    for text in _texts(value):
        if found := _CONTROL.search(text):
            raise ValueError(f"has a control character (U+{ord(found[0]):04X}); leave it out")
        if holds_fence(text):
            raise ValueError("has the mark “untrusted” of what others wrote; leave the mark out")


def made_fit(text: str) -> str:
    """The text as `check_fit` takes it: U+FFFD for each control character, and every fence broken."""
    return _CONTROL.sub("\ufffd", broken(text))


def _said(text: str) -> str:
    odd = _IN_USE.sub("", text)
    tags = "".join(_TAGS.findall(odd))
    hidden = "".join(chr(ord(tag) - 0xE0000) for tag in tags if 0xE0020 <= ord(tag) < 0xE007F)[:_SAID]
    said = [
        _counted(len(_TURNING.findall(odd)), "that turn the writing direction", "that turns the writing direction"),
        _counted(len(_WIDTHLESS.findall(odd)), "without width", "without width"),
        _counted(len(tags), "that only programs read", "that only programs read")
        + (f" (“{hidden}”)" if hidden else ""),
    ]
    return ", ".join(filter(None, said))


def _counted(count: int, several: str, one: str) -> str:
    return "" if not count else f"1 character {one}" if count == 1 else f"{count} characters {several}"


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for each in cast("Sequence[object]", value):
            yield from _texts(each)
    elif isinstance(value, Mapping):
        for each in cast("Mapping[str, object]", value).values():
            yield from _texts(each)
