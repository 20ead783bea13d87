"""A sheet of plain text for a terminal: aligned, wrapped, without secrets and control characters."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import click

from integrations.text import joiners

_WIDEST, _NARROWEST = 120, 60
_LABEL = 11  # columns of a label
_INSTEAD = "\N{REPLACEMENT CHARACTER}"

_COLORS = {
    "completed": "green",
    "delivered": "green",
    "failed": "red",
    "dead": "red",
    "unknown": "red",
    "denied": "yellow",
    "rejected": "yellow",
    "expired": "yellow",
    "paused": "yellow",
    "awaiting_confirmation": "cyan",
    "open": "cyan",
}


def inert(text: str) -> str:
    """The text without control characters and characters that turn its direction; joiners that an emoji or a script
    needs stay.
    """
    text = text.expandtabs(4)
    needed = joiners(text)
    return "".join(
        character if character == "\n" or character.isprintable() or place in needed else _INSTEAD
        for place, character in enumerate(text)
    )


def on_one_line(text: str) -> str:
    """The same on one line."""
    return inert(text.replace("\n", " "))


def moment(at: datetime | None) -> str:
    """A moment to the second, in UTC."""
    return f"{at:%Y-%m-%d %H:%M:%S}" if at else "–"


def took(span: timedelta | None) -> str:
    """A duration as people say it: `0.35 s`, `2 min 03 s`, `1 h 04 min`."""
    if span is None:
        return "–"
    seconds = span.total_seconds()
    if seconds < 60:
        return f"{seconds:.2f} s"
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {seconds:02} s"


def colored(state: str) -> str:
    """A state in its colour; click removes colours where the output is no terminal."""
    color = _COLORS.get(state)
    return click.style(state, fg=color) if color else state


@dataclass(slots=True, kw_only=True)
class Sheet:
    """Collects lines. Every text from rows goes through `redact` first."""

    redact: Callable[[str], str]
    width: int
    most_lines: int | None = None
    lines: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        self.width = max(_NARROWEST, min(_WIDEST, self.width))

    def clean(self, text: str) -> str:
        """Without secrets and inert."""
        return inert(self.redact(text))

    def heading(self, text: str) -> None:
        """A title with a blank line before it."""
        if self.lines:
            self.lines.append("")
        self.lines.append(click.style(text, bold=True))

    def line(self, text: str = "") -> None:
        """Add one line of our own as it is."""
        self.lines.append(text)

    def entry(self, label: str, text: str, *, indent: int = 2) -> None:
        """A label and its text, wrapped beside it; nothing for an empty text. A cut says how many lines are missing."""
        if not text.strip():
            return
        margin = " " * indent
        beside = " " * (indent + _LABEL)
        wrapped = self._wrapped(self.clean(text), self.width - len(beside))
        first, *more = self._bounded(wrapped)
        self.lines.append(f"{margin}{label:<{_LABEL}}{first}".rstrip())
        self.lines += [f"{beside}{line}".rstrip() for line in more]

    def paragraph(self, text: str) -> None:
        """Wrapped text without a label."""
        wrapped = self._bounded(self._wrapped(self.clean(text), self.width - 2))
        self.lines += [f"  {line}".rstrip() for line in wrapped]

    def table(self, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        """Columns as wide as their widest cell; the last one gets the rest of the width, and is cut to it."""
        cells = [[" ".join(self.clean(cell).split()) for cell in row] for row in rows]
        widths = [max(len(cell) for cell in column) for column in zip(header, *cells, strict=True)]
        for number, row in enumerate([list(header), *cells]):
            fixed = "  ".join(f"{cell:<{width}}" for cell, width in zip(row[:-1], widths[:-1], strict=True))
            last = _cut(row[-1], max(20, self.width - len(fixed) - 2))
            text = f"{fixed}  {last}".rstrip()
            self.lines.append(click.style(text, bold=True) if number == 0 else text)

    def _wrapped(self, text: str, width: int) -> list[str]:
        lines: list[str] = []
        for line in text.strip("\n").split("\n"):
            indent = " " * (len(line) - len(line.lstrip()))
            lines += textwrap.wrap(
                line, width, subsequent_indent=indent, break_on_hyphens=False, replace_whitespace=False
            ) or [""]
        return lines

    def _bounded(self, lines: list[str]) -> list[str]:
        if self.most_lines is None or len(lines) <= self.most_lines:
            return lines
        return [*lines[: self.most_lines], f"… {len(lines) - self.most_lines} more lines (--full shows all)"]

    def text(self) -> str:
        """The whole sheet."""
        return "\n".join(self.lines)


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"
