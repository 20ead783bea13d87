"""Comments of style sheets and pages: what stands between two marks, and is shown to nobody."""

from __future__ import annotations


def without_comments(text: str, opening: str, closing: str) -> str:
    """The text outside of them; one that is never closed goes to the end. Takes time in proportion to the text."""
    kept, end = list[str](), 0
    while (start := text.find(opening, end)) >= 0:
        kept.append(text[end:start])
        close = text.find(closing, start + len(opening))
        if close < 0:
            return "".join(kept)
        end = close + len(closing)
    return "".join([*kept, text[end:]])
