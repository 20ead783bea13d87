"""Makes the model's Markdown inert: nothing in it notifies anybody, is a link or an image, or is invisible.

Every address becomes code, which nobody can follow by a click: a link in an answer could carry away what the model has
read. Labels stay readable, because `[label](address)` is pulled apart. No `<` is left outside code: there it begins
Slack's own forms, HTML, and an autolink of any scheme. The output holds only code that ends in its line, and fences
that the rules below know, so any reader of Markdown sees the same code in it. The transform works piece by piece, so a
stream and the finished text read the same.
Sources: Slack's pages "Formatting message text" (escaping `&`, `<`) and "Markdown block"; CommonMark 0.31 §6.3 and §4.7
(an inline link, a full reference and a definition each need `](`, `][` or `]:` with nothing in between), §6.5
(autolinks), §4.5 (fences), §6.1 (code spans, and that neither backslashes nor entities mean anything in them).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from policies.characters import is_invisible
from policies.guards.addresses import links

MAX_SPACES = 40  # in a row; more is padding that pushes something out of sight
MAX_NEWLINES = 3  # in a row
MAX_WORD = 2_000  # characters of a word with signs of an address that wait for its end
MAX_FENCE = 120  # characters of a line that may begin or end a fence
MAX_LABEL = 63  # characters of a host's label (RFC 1035 §2.3.4): so many of a word without such signs wait

_RUNS = re.compile(r"[A-Za-z0-9]+(?: [A-Za-z0-9]+)*|.", re.DOTALL)
"""Words of ASCII letters and digits mean nothing by themselves, so they are taken together: most of a text is those."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Escapes:
    """What stands for a sign in one kind of Markdown, outside code and in it."""

    in_text: dict[int, str]
    in_code: dict[int, str]


_SLACK = {"&": "&amp;", "<": "&lt;"}
SLACK = Escapes(in_text=str.maketrans(_SLACK), in_code=str.maketrans(_SLACK))
"""Slack undoes them in code, too."""
COMMONMARK = Escapes(in_text={ord("<"): "&lt;"}, in_code={})
"""The text's own `&` may begin an entity, which is never more than text (CommonMark §2.5)."""

_LINE_ENDS = frozenset("\u0085\u2028\u2029\v\f")
_LINK_JOINTS = frozenset("([:")
_ENDS_WORD = re.compile(r"[\s|<>\"]")
_WORD_END = re.compile(r"[\s|`]")
_SIGN = re.compile(r"[.:@/\\&%。۔܁܂꘎ꓸ𐩐․﹒．｡·‧∙⋅•・･᛫⸱@＠﹫：﹕]")
_WEB = re.compile(r"www\.|://", re.IGNORECASE)
"""Begins a link to some readers whatever follows (GFM §6.9), and to markdown-it with “linkify” also where code does."""
_MARK = re.compile(r"\*|(?<!\w)[_~]|[_~](?!\w)")
_FULL_STOPS = frozenset("。！？")
_LEAD = "([{*_~'\"“„‘«\\#>"
_TAIL = ")]}*_~'\"”“’».,;:!?\\"
_STOPS = ".,;!?)"
_FENCE = re.compile(r"(?P<indent> {0,3})(?P<ticks>`{3,})(?P<info>[\w+#.-]{0,40}) *\Z")
_MAY_BE_FENCE = re.compile(r" {0,3}(?:`{1,2}|`{3,}[\w+#.-]{0,40} *)?\Z")


class Inert:
    """The transform for a text that arrives in pieces: `feed` each, then `close`. One object per text."""

    def __init__(self, escapes: Escapes = SLACK) -> None:
        self._cleaning = _Cleaning()
        self._code = _Code(escapes)

    def feed(self, piece: str) -> str:
        """What may be shown by now; a word, a code span or a bracket is held back until its end is known."""
        cleaned = "".join(map(self._cleaning.take, _RUNS.findall(piece)))
        return "".join(map(self._code.take, _RUNS.findall(cleaned)))

    @property
    def pending(self) -> str:
        """What may be shown besides for now: the beginning of a word that is held back and looks like no address."""
        return self._code.pending

    def close(self) -> str:
        """The rest, when nothing more comes."""
        return "".join(map(self._code.take, self._cleaning.rest())) + self._code.rest()


class _Cleaning:
    """Takes away what is invisible and what is padding, and pulls the parts of links apart."""

    def __init__(self) -> None:
        self._bracket_held = False
        self._spaces = 0
        self._newlines = 0

    def take(self, char: str) -> str:
        char = "\n" if char in _LINE_ENDS else char
        if is_invisible(char) or self._is_padding(char):
            return ""
        before = self._release(char)
        if char == "]":
            self._bracket_held = True
            return before
        return before + char

    def rest(self) -> str:
        held, self._bracket_held = self._bracket_held, False
        return "]" if held else ""

    def _release(self, char: str) -> str:
        if not self._bracket_held:
            return ""
        self._bracket_held = False
        return "] " if char in _LINK_JOINTS else "]"

    def _is_padding(self, char: str) -> bool:
        self._spaces = self._spaces + 1 if char.isspace() and char != "\n" else 0
        self._newlines = self._newlines + 1 if char == "\n" else self._newlines if char.isspace() else 0
        return self._spaces > MAX_SPACES or (char == "\n" and self._newlines > MAX_NEWLINES)


class _Code:
    """Writes code so that it is code for every reader, and addresses as code. Words count as one character.

    A span is one backtick on each side, in one line and in one cell of a table. A fence is three backticks, by
    themselves on a line that is indented by three spaces at most, and it ends before a line that is indented less.
    """

    def __init__(self, escapes: Escapes) -> None:
        self._escapes = escapes
        self._line: str | None = ""  # its beginning, while it may be a fence
        self._fence: tuple[int, int] | None = None  # its indent and its backticks, as the model wrote them
        self._ticks = 0  # in a row
        self._span: str | None = None  # what stands in code, which has not ended
        self._word = ""
        self._last = "\n"  # the last character that was written

    @property
    def pending(self) -> str:
        is_harmless = self._span is None and not self._ticks and not _SIGN.search(self._word.rstrip(_STOPS))
        return self._word if is_harmless else ""

    def take(self, char: str) -> str:
        if self._line is None:
            return self._in_line(char)
        if char != "\n" and len(self._line) + len(char) <= MAX_FENCE and _MAY_BE_FENCE.match(self._line + char):
            self._line += char
            return ""
        line, self._line = self._line, None
        fence = _FENCE.match(line)
        if fence and char == "\n" and (shown := self._fence_line(fence)):
            self._line = ""
            return self._written(f"{shown}\n")
        return self._begin_line(line, char)

    def rest(self) -> str:
        line, self._line = self._line, None
        shown = ""
        if line and (fence := _FENCE.match(line)):
            shown = self._fence_line(fence)
        if line and not shown:
            shown = self._begin_line(line, "")
            return shown + self._end_line()
        return self._written(shown) + self._end_line()

    def _fence_line(self, fence: re.Match[str]) -> str:
        """The line as it is written; "" where it neither begins nor ends one."""
        ticks, indent = len(fence["ticks"]), fence["indent"]
        if self._fence is None:
            self._fence = len(indent), ticks
            return f"{indent}```{fence['info']}"
        if fence["info"] or ticks < self._fence[1] or len(indent) < self._fence[0]:
            return ""
        self._fence = None
        return f"{indent}```"

    def _begin_line(self, line: str, char: str) -> str:
        before = ""
        if self._fence and (line + char).strip() and len(line) - len(line.lstrip(" ")) < self._fence[0]:
            before = self._written(" " * self._fence[0] + "```\n")
            self._fence = None
        return before + "".join(map(self._in_line, line + char))

    def _in_line(self, char: str) -> str:
        if char == "`":
            self._ticks += 1
            return ""
        run, self._ticks = self._ticks, 0
        if self._fence:
            self._line = "" if char == "\n" else None
            return self._written_in_code("`" * min(run, 2) + char)
        shown = self._turn() if run else ""
        if char == "\n":
            self._line = ""
            return shown + self._end_line() + self._written("\n")
        if self._span is not None:
            self._span += char
            return shown
        return shown + self._of_words(char)

    def _turn(self) -> str:
        """Code begins or ends here."""
        if self._span is None:
            word, self._word = self._word, ""
            self._span = ""
            return self._shown(word)
        span, self._span = self._span, None
        return self._as_code(span)

    def _end_line(self) -> str:
        """Code that does not end in its line is none: its mark becomes an apostrophe."""
        if self._fence:
            run, self._ticks = self._ticks, 0
            return self._written("`" * min(run, 2))
        shown = self._turn() if self._ticks else ""
        self._ticks = 0
        span, self._span = self._span, None
        shown += "" if span is None else "".join(map(self._of_word, f"'{span}"))
        word, self._word = self._word, ""
        return shown + self._shown(word)

    def _of_words(self, run: str) -> str:
        """Of several words the first may end one that is held back, and the last may go on."""
        first, _, others = run.partition(" ") if len(run) > 1 else (run, "", "")
        shown = self._of_word(first)
        if not others:
            return shown
        word, self._word = self._word, ""
        last = others.rpartition(" ")[2]
        return shown + self._shown(word) + self._written(f" {others.removesuffix(last)}") + self._of_word(last)

    def _of_word(self, char: str) -> str:
        if len(char) > 1 and len(self._word) + len(char) > MAX_LABEL:
            return "".join(map(self._of_word, char))
        if char == "~" and self._word.endswith("~~"):
            return ""  # three would begin a fence
        if _ENDS_WORD.match(char):
            word, self._word = self._word, ""
            if char == "<" and (len(word) - len(word.rstrip("\\"))) % 2:
                word = word[:-1]  # it escapes the sign, which is written as an entity here: both at once show neither
            return self._shown(word) + self._written(char)
        if self._word[-1:] in _FULL_STOPS and not char.isascii():
            word, self._word = self._word, char
            return self._shown(word)
        self._word += char
        if len(self._word) <= MAX_LABEL:
            return ""
        return self._of_long_word()

    def _of_long_word(self) -> str:
        """What of it cannot be part of an address any more."""
        if not _SIGN.search(self._word):
            word, self._word = self._word[:-MAX_LABEL], self._word[-MAX_LABEL:]
            return self._written(word)
        if len(self._word) < MAX_WORD:
            return ""
        word, self._word = self._word, ""
        return self._shown(word) + self._written(" ")

    def _shown(self, word: str) -> str:
        if not _SIGN.search(word) or not (_WEB.search(word) or links.found(word)):
            return self._written(word)
        lead = len(word) - len(word.lstrip(_LEAD))
        end = max(lead, len(word.rstrip(_TAIL)))
        if word[end : end + 1] == ")" and "(" in word[lead:end]:
            end += 1
        return self._written(word[:lead]) + self._as_code(word[lead:end]) + self._written(word[end:])

    def _as_code(self, text: str) -> str:
        """In each cell of a table by itself: a table is divided before its code is read (GFM §4.10)."""
        return "".join(self._cells(text))

    def _cells(self, text: str) -> Iterator[str]:
        for place, cell in enumerate(text.split("|")):
            if place:
                yield self._written("|")
            if cell.strip():
                apart = " " if self._last in "`\\" else ""
                yield self._written_in_code(f"{apart}`{cell.strip()}`")

    def _written(self, text: str) -> str:
        return self._apart(text) + text.translate(self._escapes.in_text)

    def _written_in_code(self, text: str) -> str:
        return self._apart(text) + text.translate(self._escapes.in_code)

    def _apart(self, text: str) -> str:
        """What stands before a text that is written next: two backticks from two places are no mark."""
        apart = " " if text[:1] == "`" and self._last == "`" else ""
        self._last = text[-1:] or self._last
        return apart


def in_markdown(text: str) -> str:
    """A plain text as Markdown that shows its stars and underscores: a person typed them."""
    return _MARK.sub(r"\\\g<0>", text)


def literal(text: str) -> str:
    """Inert Markdown for Slack with its escapes undone, for texts there that are no Markdown and are escaped anew."""
    for char, escape in reversed(_SLACK.items()):
        text = text.replace(escape, char)
    return text


def beginning(shown: str, limit: int) -> str:
    """At most so many characters of an inert text, with none of its code cut open, and no word cut to an address."""
    if len(shown) <= limit:
        return shown
    kept = shown[:limit]
    word = _WORD_END.split(kept)[-1]
    kept = kept[: limit - len(word)] if links.found(word) else kept
    line = kept.rpartition("\n")[2]
    return kept[: kept.rfind("`")] if line.count("`") % 2 else kept


def inert(text: str, escapes: Escapes = SLACK) -> str:
    """The whole text at once."""
    transform = Inert(escapes)
    return transform.feed(text) + transform.close()


def inert_commonmark(text: str) -> str:
    """The same for whoever reads CommonMark, as those do who ask over HTTP."""
    return inert(text, COMMONMARK)
