"""How a secret can be written: its forms, and what a text says once all that can break a word is taken out of it."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Iterator, Sequence
from urllib.parse import quote

SHORTEST_CHARACTERS = 8
"""What is shorter is no secret, or stands in ordinary words."""

_WIDTHLESS = "\xad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb"
_BREAKS = re.compile(
    rf"[\s{_WIDTHLESS}\U000e0000-\U000e01ef]"
    r"|\\(?:[nrt]|u(?:00a[0d]|20[0-6][0-9a-f]|3000|feff))|%(?:0[9AaDd]|20)"  # in JSON, and in an address
    r"|⏎|⟨(?:U\+[0-9A-F]{4,6}|[0-9]{1,9} (?:spaces|blank lines))⟩"  # as `bot.slack.views.plain` shows them
)
HALF_A_BREAK = re.compile(r"(?:\\(?:u[0-9a-f]{0,3})?|%[0-9A-Fa-f]?|⟨[^⟩\s]*[^⟩]{0,12})$")
"""The end of a text that is still arriving: with more of it, it may be one of those."""
LONGEST_BREAK = 24
_PERCENT = re.compile("%([0-9A-Fa-f]{2})")
_ODD = re.compile(f"{_BREAKS.pattern}|{_PERCENT.pattern}")


def in_json(secret: str) -> str:
    """As it stands in JSON; so do log lines."""
    return json.dumps(secret)[1:-1]


def forms(secret: str) -> Iterator[str]:
    """As it is, as in JSON, in a URL, in HTML, in hex, and inside of something that is base64."""
    yield from (secret, in_json(secret), quote(secret, safe=""), html.escape(secret), html.escape(secret, quote=False))
    encoded = secret.encode("utf-8", "surrogatepass")
    yield from (encoded.hex(), encoded.hex().upper())
    for before in range(3):  # three bytes are four characters, so it is written in three ways
        raw = bytes(before) + encoded
        whole = base64.b64encode(raw[: len(raw) // 3 * 3]).decode()[-(-before * 8 // 6) :]
        if len(whole) >= SHORTEST_CHARACTERS:
            yield from (whole, whole.replace("+", "-").replace("/", "_"))


def bare(text: str) -> str:
    """The text without blanks, line ends and characters without width, and with what percent signs stand for."""
    return _ODD.sub(_decoded, text) if "%" in text else _BREAKS.sub("", text)


def _decoded(odd: re.Match[str]) -> str:
    return chr(int(odd[1], 16)) if odd[1] else ""


class Bare:
    """The same, and where each of its characters stood."""

    def __init__(self, text: str) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        made: list[str] = []
        at = 0
        for odd in _ODD.finditer(text):
            made += [text[at : odd.start()], _decoded(odd)]
            self._add(range(at, odd.start()))
            if odd[1]:
                self.starts.append(odd.start())
                self.ends.append(odd.end())
            at = odd.end()
        self._add(range(at, len(text)))
        self.text = "".join([*made, text[at:]])

    def _add(self, places: range) -> None:
        self.starts += places
        self.ends += range(places.start + 1, places.stop + 1)

    def spans(self, secrets: Sequence[str]) -> Sequence[tuple[int, int]]:
        """From where to where any of them stands in the text as it was written; those that overlap are one."""
        found = sorted((at, at + len(one)) for one in secrets for at in _places(self.text, one))
        joined: list[tuple[int, int]] = []
        for since, until in found:
            if joined and since < joined[-1][1]:
                joined[-1] = (joined[-1][0], max(until, joined[-1][1]))
            else:
                joined.append((since, until))
        return [(self.starts[since], self.ends[until - 1]) for since, until in joined]


def _places(text: str, part: str) -> Iterator[int]:
    at = text.find(part)
    while at != -1:
        yield at
        at = text.find(part, at + 1)
