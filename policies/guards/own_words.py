"""What of a text its author wrote: no lines that they quote, no code, no mail that they pasted, and of a text that was
there before only what they added.

Slack tells quotes and code apart from what was typed; in what came in from a mail program or over HTTP they are only
characters (CommonMark §4.5 fenced code blocks, §5.1 block quotes; RFC 3676 §4.5).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from policies.guards import words
from policies.guards.addresses import links
from policies.guards.readings import Kept

_QUOTED = (">", "＞", "﹥", "&gt;")
_FENCE = "(?:```|~~~)"
_CODE = re.compile(rf"{_FENCE}.*{_FENCE}", re.DOTALL)
_FENCES = re.compile(_FENCE)
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
    """The text without lines that begin with ">", and without everything from its first fence of code to its last one,
    or to its end where one of them has no partner: which of several belong together, the person quoted could choose.
    """
    fences = list(_FENCES.finditer(text))
    text = text[: fences[0].start()] if len(fences) % 2 else _CODE.sub("\n", text)
    return without_mail("\n".join(line for line in text.splitlines() if not line.lstrip().startswith(_QUOTED)))


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
    return _SHOWN.sub(" ", without_quotes(_TO_THE_END.sub("", text)))


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
