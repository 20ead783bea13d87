"""Shows text from outside as plain text, with invisible characters marked instead of removed.

A card must neither look like something else nor hide anything of what will be done.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from integrations.text import in_one_line, joiners
from policies.characters import is_invisible, quoted

_PADDING = re.compile(r"[^\S\n]{13,}")
_BLANK_LINES = re.compile(r"\n(?:[^\S\n]*\n){4,}")
PAGE_LIMIT = 2_700  # characters of the entries of a page
_FILE_ID = re.compile(r"(\[file attached: “[^”\n]*”), id [A-Z0-9]+\]")
_ESCAPED_PERSON = re.compile(r"&lt;@([UW][A-Z0-9]+)&gt;")


def plain(text: str) -> str:
    """The text with invisible characters as `⟨U+202E⟩`, but for joiners that an emoji or a script needs, and long runs
    of blanks counted.
    """
    text = text.replace("\r\n", "\n")
    needed = joiners(text)
    marked = "".join(char if place in needed else _marked(char) for place, char in enumerate(text))
    marked = _PADDING.sub(lambda run: f" ⟨{len(run[0])} spaces⟩ ", marked)
    return _BLANK_LINES.sub(lambda run: f"\n⟨{run[0].count(chr(10)) - 1} blank lines⟩\n", marked)


def one_line(text: str, limit: int = 0) -> str:
    """The same in one line, cut with an ellipsis when a limit is given."""
    read = text[: limit * 8] if limit else text  # of a long text nothing more can show
    line = " ⏎ ".join(part.strip() for part in plain(read).splitlines() if part.strip())
    return cut(line if len(read) == len(text) else f"{line} …", limit) if limit else line


def request_line(text: str, limit: int) -> str:
    """What somebody asked for, in one line: its lines one beside the other, and of its files the names alone."""
    named = _FILE_ID.sub(r"\1]", plain(text[: limit * 8]))
    return one_line(" · ".join(filter(None, map(str.strip, named.splitlines()))), limit)


def markdown_line(markdown: str, limit: int) -> str:
    """What was written as Markdown, in one line without its marks."""
    return one_line(in_one_line(markdown), limit)


def quoted_line(text: str, limit: int) -> str:
    """A text in one line between quotation marks, as a sentence of ours quotes it."""
    return quoted(one_line(text), limit)


def cut(text: str, limit: int) -> str:
    """At most `limit` characters, the last of them an ellipsis when something is missing."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def paged(entries: Iterable[str], number: int, command: str) -> Sequence[str]:
    """The page of a list in a command's answer that is nearest to this number: as many entries as it holds, and the way
    to another one where there are several.
    """
    pages: list[list[str]] = [[]]
    for entry in entries:
        if pages[-1] and sum(map(len, pages[-1])) + len(entry) > PAGE_LIMIT:
            pages.append([])
        pages[-1].append(entry)
    number, most = min(max(number, 1), len(pages)), len(pages)
    more = [f"Page {number} of {most}; `{command} page {number % most + 1}` shows another."] if most > 1 else []
    return [*pages[number - 1], *more]


def escaped(text: str) -> str:
    """For the places that Slack reads as mrkdwn: `&`, `<` and `>` as Slack's page "Formatting message text" asks."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def escaped_but_people(text: str) -> str:
    """The same with people's names left as they are: `<@U0DANA>` of ours is shown as a name."""
    return _ESCAPED_PERSON.sub(r"<@\1>", escaped(text))


def _marked(char: str) -> str:
    return f"⟨U+{ord(char):04X}⟩" if is_invisible(char) else char
