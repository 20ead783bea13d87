"""What of a text its author wrote: no lines that they quote, no code, no mail that they pasted, and of a text that was
there before only what they added.

Slack tells quotes and code apart from what was typed; in what came in from a mail program or over HTTP they are only
characters. They are read there as CommonMark 0.31 does (§4.4 and §4.5 code blocks, §5.1 block quotes, §6.1 code spans),
but where it would take knowing more of a text, or a person quoted could choose, as less of the author's words.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from policies.characters import without_invisible
from policies.guards import words
from policies.guards.addresses import links
from policies.guards.readings import Kept

_Part = tuple[int, int]
"""Where a part of a text begins, and where the rest of it goes on."""

_QUOTED = (">", "＞", "﹥", "&gt;")
_LINE = re.compile(r"([^\r\n]*)(?>\r\n?|\n|\Z)")
_BLANK_LINES = re.compile(r"(?>\r\n?|\n)(?>[ \t]*(?>\r\n?|\n))+")
_ITEMS = re.compile(r" *(?:(?:[-+*]|[0-9]{1,9}[.)])(?: +|\Z))*")
"""The marks of lists in lists, and of none."""
_FAR = re.compile(r"\S {5}")  # so far behind such a mark code begins (CommonMark §5.2)
_CODE_INDENT = " " * 4
_NO_PARAGRAPH = re.compile(r"#{1,6}(?: |\Z)|\[|(?:[-*_=] *)*\Z|<|[^>]*>")
"""A heading, a line across, what may define a link, where HTML may begin or end (§4.6), or nothing: an indented line
below it begins code.
"""
_FENCE = re.compile(r"`{3,}|~{3,}")
_BEGINS_FENCE = re.compile(r"(`{3,}(?=[^`]*\Z)|~{3,})")
_TICKS = re.compile("`+")
_MAY_GO_ON = re.compile(r"\\`|<")
"""What makes a mark of code none: it is escaped, or stands in an address or in HTML."""
_BEGINS_MAIL = re.compile(
    r"^[ \t]*(?:"
    r"-{3,}[ \t]*(?:original message|forwarded message|ursprüngliche nachricht|weitergeleitete nachricht)\b.*"
    r"|begin forwarded message:.*|anfang der weitergeleiteten nachricht:.*"
    r"|on\b[^\n]{1,200}(?:\n[^\n]{0,200})?\bwrote:[ \t]*$"
    r"|am\b[^\n]{1,200}(?:\n[^\n]{0,200})?\bschrieb\b[^\n]{0,200}:[ \t]*$"
    r"|(?:from|von):[^\n]*<[^\n<>]*@[^\n<>]*>[^\n]*$"
    r")",
    re.IGNORECASE | re.MULTILINE,
)
_HEAD = re.compile(
    r"[ \t*]*(?:(?P<came>from|von|date|datum|sent|gesendet)|to|an|cc|subject|betreff)\*?:", re.IGNORECASE
)
_TO_THE_END = re.compile(r"^[^\S\n]*(?:>|&gt;){3}.*", re.DOTALL | re.MULTILINE)
_SHOWN = re.compile(r"`.*`|`.*\Z|~.*~|~.*\Z")
_AROUND = ".,;:!?…()[]{}<>\"'`*_~|“”‘’„«»"
_IN_ADDRESSES = frozenset(".:@/\\")


def without_quotes(text: str) -> str:
    """The text without quotes, in lists too, and without code: fences, indented lines, and spans in a paragraph.

    A quote goes on up to a blank line. Left out is all from the first fence to the last one, and of a line with several
    spans, or of a paragraph where one may end in another line, all from the first to the last: which of them belong
    together, the person quoted could choose.
    """
    return without_mail(_without(text, sorted((*_fences(text), *_lines_of_others(text), *_spans(text)))))


typed_words = Kept(without_quotes)
"""The same, of a text that is read again for each call that is judged."""


def without_mail(text: str) -> str:
    """The text up to where a mail begins that its author pasted, in English or German: a line that says who wrote, or
    two head lines below each other, one of which says from whom or when it came. A person who dictates a mail names
    recipients and a subject alone.
    """
    if found := _BEGINS_MAIL.search(text):
        text = text[: found.start()]
    lines = text.splitlines()
    heads = [_HEAD.match(line) for line in lines]
    for place, (one, other) in enumerate(itertools.pairwise(heads)):
        if one and other and (one["came"] or other["came"]):
            return "\n".join(lines[:place])
    return text


def without_shown(text: str) -> str:
    """Text in Slack's marks without what its author only shows or takes back: quotes, code in a line, and what is
    struck through. ">>>" quotes all that follows (docs.slack.dev/messaging/formatting-message-text).

    Of several marks in a line all from the first to the last one is left out, and what lost its second one as the text
    was cut is left out to the end: too few of the author's words count rather than too many of somebody else's.
    """
    text = _TO_THE_END.sub("", text)
    lines = _without(text, list(_fences(text))).splitlines()
    return _SHOWN.sub(" ", without_mail("\n".join(line for line in lines if not _is_quoted(line))))


def _without(text: str, parts: Sequence[_Part]) -> str:
    """The text without parts of it, which come in the order in which they begin."""
    kept, place = list[str](), 0
    for begin, end in parts:
        if end > place:
            begin = max(place, begin)
            kept += [text[place:begin], "\n" if "\n" in text[begin:end] else " "]
            place = end
    return "".join([*kept, text[place:]])


def _fences(text: str) -> Iterator[_Part]:
    """From the first mark of a fence to the last one, wherever they stand; to the end where one has no partner."""
    if marks := list(_FENCE.finditer(text)):
        yield marks[0].start(), len(text) if len(marks) % 2 else marks[-1].end()


def _lines_of_others(text: str) -> Iterator[_Part]:
    """The lines from the first one of fenced code to the last one, those of quotes, and indented code. Where all lines
    are indented, as programs do that ask over HTTP, that much means nothing.
    """
    lines = list(_LINE.finditer(text))
    fenced = _fenced([line[1].expandtabs(4) for line in lines])
    first, behind = (fenced.index(True), len(fenced) - fenced[::-1].index(True)) if True in fenced else (0, 0)
    plains = [_plain(line[1]) for line in lines]
    margin = min((len(plain) - len(plain.lstrip(" ")) for plain in plains if plain.strip()), default=0)
    is_quote = is_paragraph = False
    for place, line in enumerate(lines):
        plain = plains[place][margin:]
        is_blank, begin = not line[1].strip(" \t"), _behind_items(plain)
        begins_quote = not fenced[place] and any(map(_is_quoted, line[1].splitlines()))
        is_quote = not is_blank and (is_quote or begins_quote)
        is_code = _FAR.search(plain, 0, begin) is not None or (not is_paragraph and plain.startswith(_CODE_INDENT))
        if first <= place < behind or is_quote or is_code:
            yield line.span()
        is_paragraph = not (fenced[place] or is_quote or is_code or _NO_PARAGRAPH.match(plain, begin))


def _fenced(lines: Sequence[str]) -> Sequence[bool]:
    """For each line whether it may belong to fenced code. A fence in an item of a list, or with a line that begins
    before it, may end with the list, and one that ends at another column, too: it is never closed here.
    """
    fenced, fence, column = list[bool](), "", 0
    for line in lines:
        indent = len(line) - len(line.lstrip(" "))
        if fence:
            fenced.append(True)
            closes = line[indent:].startswith(fence) and not line[indent:].strip(f"{fence[0]} ")
            if (line.strip(" ") and indent < column) or (closes and indent != column):
                break
            fence = "" if closes else fence
        elif begun := _BEGINS_FENCE.match(line, _behind_items(line)):
            fenced.append(True)
            fence, column = begun[1], begun.start()
            if column > indent:
                break
        else:
            fenced.append(False)
    return [*fenced, *[True] * (len(lines) - len(fenced))]


def _spans(text: str) -> Iterator[_Part]:
    """Code in a line (CommonMark §6.1)."""
    begin = 0
    for end, after in (*(blank.span() for blank in _BLANK_LINES.finditer(text)), (len(text), len(text))):
        lines = [line.span(1) for line in _LINE.finditer(text, begin, end)]
        if not all(_ends_its_spans(text[start:stop]) for start, stop in lines):
            lines = [(begin, end)]
        ticks = [list(_TICKS.finditer(text, start, stop)) for start, stop in lines]
        yield from ((of_one[0].start(), of_one[-1].end()) for of_one in ticks if len(of_one) > 1)
        begin = after


def _ends_its_spans(line: str) -> bool:
    """Whether each span that begins in a line surely ends there."""
    ticks = _TICKS.findall(line)
    return ticks[::2] == ticks[1::2] and not (ticks and _MAY_GO_ON.search(line))


def _is_quoted(line: str) -> bool:
    plain = " ".join(_plain(line).split())
    return plain.startswith(_QUOTED, _behind_items(plain))


def _plain(line: str) -> str:
    """As it is read: tabs go to the next fourth column."""
    return without_invisible(line).expandtabs(4)


def _behind_items(line: str) -> int:
    """Where the first word of a line stands, behind the marks of lists."""
    items = _ITEMS.match(line)
    assert items is not None, "it matches every text"
    return items.end()


def added(text: str, before: Sequence[str]) -> str:
    """The words of a text that stand in none of those `before`; empty where there are none.

    What may be an address is new only if nothing that was there before holds it: a person who corrects the word
    beside a link did not write the link.
    """
    there = words.plain("\n".join(before))
    known = {word.strip(_AROUND) for word in there.split()}
    led_to = {address for each in before for address in _addresses(each)}
    return " ".join(_new(text, there, known, led_to))


def _new(text: str, there: str, known: set[str], led_to: set[str]) -> Iterator[str]:
    for word in text.split():
        core = words.plain(word).strip(_AROUND)
        if not core or core in known:
            continue
        if _IN_ADDRESSES.isdisjoint(core) or (core not in there and led_to.isdisjoint(_addresses(word))):
            yield word


def _addresses(text: str) -> Iterator[str]:
    yield from links.found(text)
    yield from words.addresses_in(text)
