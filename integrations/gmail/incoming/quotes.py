"""Trimming the history that a reply quotes, without losing answers written between the quoted lines.

Only what stands elsewhere in the thread goes, line for line, in the earlier messages' texts that the caller gives. A
clause that is quoted for the first time, or a line that somebody changed, keeps the whole quote.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_WROTE = r"wrote|schrieb|a écrit|escribió|ha scritto|schreef|skrev|escreveu|napisał|kirjoitti|написал|さんは書きました"
_ATTRIBUTION = re.compile(rf"^(?!>).{{0,200}}\b({_WROTE})\b.{{0,80}}:\s*$|^(?!>).{{0,120}}<[^<>@\s]+@[^<>\s]+>\s*:\s*$")
_OPENING = re.compile(r"^(On|Am|Le|El|Il|Op|Den|På|Em|Dnia|W dniu|В)\b", re.IGNORECASE)
_ORIGINAL = re.compile(r"^\s*-{2,}\s*(Original Message|Ursprüngliche Nachricht|Message d'origine)\s*-{2,}\s*$", re.I)
_RULE = re.compile(r"^\s*_{10,}\s*$")
_HEADER = re.compile(r"^\s*\*?(From|Von|De|Från|Da|Van)\*?:\*?\s", re.I)
_NEXT_HEADER = re.compile(
    r"^\s*\*?(Sent|Date|To|Cc|Subject|Gesendet|Datum|An|Betreff|Skickat|Till|Ämne"
    r"|Envoyé|Objet|À)\*?:",  # codespell:ignore objet
    re.IGNORECASE,
)
_FORWARDED = re.compile(r"^\s*-{3,}\s*Forwarded message\s*-{3,}|^\s*Begin forwarded message:", re.I)
_SIGNATURE = re.compile(r"^--\s*$")
_FURNITURE = (_ORIGINAL, _RULE)
_LINK = re.compile(r"https?://[^\s<>()]+")
_WORD = re.compile(r"[^\W_]+|[€$£¥%+=]")
LINES = 2_000
KNOWN = 500_000


def trim_quotes(text: str, earlier: Sequence[str]) -> tuple[str, bool]:
    """The text without the quoted history at its end, and whether something was removed.

    `earlier` are the texts of the thread's earlier messages; with none, nothing is history and nothing goes.
    """
    lines = text.split("\n")
    if not earlier or any(_FORWARDED.match(line) for line in lines):
        return text, False
    start = _header_block(lines, earlier)
    if start is None:
        start = _marked_block(lines, earlier)
    if start is None or not any(line.strip() for line in lines[:start]):
        return text, False
    return "\n".join(lines[:start]).rstrip(), True


def may_quote(text: str) -> bool:
    """Whether anything in it looks like history; otherwise `trim_quotes` leaves it as it is, whatever was earlier."""
    lines = text.split("\n")
    return any(line.startswith(">") or _begins_history(lines, place) for place, line in enumerate(lines))


def _marked_block(lines: Sequence[str], earlier: Sequence[str]) -> int | None:
    """Where the last block of ">" lines begins, if only a signature follows it and it was not answered inline."""
    quoted = [place for place, line in enumerate(lines) if line.startswith(">")]
    if not quoted:
        return None
    start, end = quoted[0], quoted[-1] + 1
    below = [line for line in lines[end:] if line.strip()]
    if below and not _SIGNATURE.match(below[0]):
        return None
    if any(line.strip() and not line.startswith(">") for line in lines[start:end]):
        return None  # somebody answered between the lines
    if not _is_covered([line.lstrip("> ") for line in lines[start:end]], earlier):
        return None
    return _attribution_before(lines, start)


def _attribution_before(lines: Sequence[str], start: int) -> int:
    """Back over "On Monday Dana wrote:", which mail programs break over up to three lines."""
    end = start
    while end > 0 and not lines[end - 1].strip():
        end -= 1
    for height in (3, 2, 1):
        above = [line.strip() for line in lines[end - height : end]] if height <= end else []
        broken = height > 1 and not (above and all(above) and _OPENING.match(above[0]))
        if above and not broken and _ATTRIBUTION.match(" ".join(above)):
            return end - height
    return start


def _header_block(lines: Sequence[str], earlier: Sequence[str]) -> int | None:
    """Where Outlook's unmarked history begins, if every line below it stands in an earlier message."""
    for place in range(len(lines)):
        if _begins_history(lines, place):
            above = place - 1 if place and _RULE.match(lines[place - 1]) else place
            return above if _is_covered(lines[place:], earlier) else None
    return None


def _begins_history(lines: Sequence[str], place: int) -> bool:
    return bool(_ORIGINAL.match(lines[place])) or _starts_headers(lines, place)


def _starts_headers(lines: Sequence[str], place: int) -> bool:
    following = lines[place + 1 : place + 6]
    return bool(_HEADER.match(lines[place])) and sum(bool(_NEXT_HEADER.match(line)) for line in following) >= 2


def _is_covered(lines: Sequence[str], earlier: Sequence[str]) -> bool:
    """Whether each line stands, by its words and links, in an earlier message; heads and attributions are no news."""
    written = "\n".join(earlier)[-KNOWN:]
    known = _words(written)
    said = [line for line in _without_heads(lines) if _words(line).strip() or _LINK.search(line)]
    if len(said) > LINES:
        return False  # too much to look up line by line; the budget cuts it instead
    found = (_words(line) in known and all(link in written for link in _LINK.findall(line)) for line in said)
    return bool(said) and all(found)


def _without_heads(lines: Sequence[str]) -> Iterator[str]:
    in_head = False
    for place, line in enumerate(lines):
        in_head = _starts_headers(lines, place) or (in_head and bool(_NEXT_HEADER.match(line)))
        if not in_head and not _ATTRIBUTION.match(line) and not any(mark.match(line) for mark in _FURNITURE):
            yield line


def _words(text: str) -> str:
    """The words alone, between spaces: programs mark, wrap and link the same text in different ways."""
    words = _WORD.findall(_LINK.sub(" ", text).lower())
    return f" {' '.join(words)} " if words else " "
