"""Who is taken off something, in English and German: the people that a verb for it is done to, which stand right behind
it, alone or in a list. “Drop Luis a line”, “remove Luis’ notes” and “remove the link Luis added” take nobody off.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from policies.characters import as_read
from policies.guards import words
from policies.guards.verbs import AWAY

_MENTION = re.compile(r"<@([A-Z0-9]+)(?:\|[^<>]*)?>")
_PLACE = "\ue000"  # for private use: no text means anything by it
_TO_OBJECT = frozenset(
    {
        *(verb.split()[0] for verb in AWAY if not verb.startswith("…")),
        *("off", "out", "please", "bitte", "mal", "doch", "also", "auch", "kannst", "könntest", "würdest", "du", "ich"),
        *("wir", "möchte", "will", "müssen", "muss", "sollten", "guest", "guests", "gast", "mr", "mrs", "ms", "dr"),
        *("herr", "herrn", "frau", "colleague", "kollegen", "kollegin", "both", "beide"),
    }
)
"""What may stand before those that a verb of removing is done to."""

_ROOMS = frozenset({"room", "raum", "guest", "gast", "resource"})
_AND = frozenset({"and", "und", "&"})
_BEHIND = frozenset(
    {
        *("", ".", "!", "?", ";", ",", ")", "and", "und", "from", "off", "out", "with", "by", "aus", "vom", "von"),
        *("raus", "heraus", "runter", "durch", "gegen", "please", "bitte", "too", "as", "again", "now", "then", "mit"),
        *("entfernen", "ausladen", "streichen", "rausnehmen", "herausnehmen", "rauswerfen", "ersetzen", "because"),
        *("since", "auch", "wieder", "both", "-", "–", "—"),
    }
)
"""What may stand behind them: all else may be what is theirs, or done by them."""

_REPLACING = frozenset({"replace", "swap", "ersetze", "tausche", "ersetzen"})
_BY_OTHERS = frozenset({"with", "by", "for", "durch", "gegen", "mit"})

_ARTICLES = frozenset({"the", "a", "an", "my", "our", "der", "die", "das", "den"})


def is_taken_off(phrase: str, spelled: Collection[str], names: Collection[str], wholes: Sequence[list[str]]) -> bool:
    """Whether the person with an address that is `spelled` so, or one of these names, is among those whom a verb is
    done to here.
    """
    seen, addresses = words.apart(_MENTION.sub(r"\1", as_read(phrase)), _PLACE)
    written = [one[0] for one in words.tokens_in(seen)]
    said, left = [words.plain(each) for each in written], iter(addresses)
    at = _object_at(said)
    for begin, end in _objects(written, said, at, wholes):
        mails = [next(left) for place in range(begin, end) if said[place] == _PLACE]
        is_whole = any(said[begin : begin + len(each)] == each for each in wholes)
        is_called = any(said[place] in names and written[place][:1].isupper() for place in range(begin, end))
        if is_whole or is_called or any(mail in spelled for mail in mails):
            return True
    return False


def _object_at(said: Sequence[str]) -> int:
    """Where that begins which a verb is done to: “the room” may stand before a name."""
    at = next((place for place, word in enumerate(said) if word not in _TO_OBJECT), len(said))
    return (
        at + 2 if said[at : at + 1] and said[at] in _ARTICLES and not _ROOMS.isdisjoint(said[at + 1 : at + 2]) else at
    )


def _objects(
    written: Sequence[str], said: Sequence[str], at: int, wholes: Sequence[list[str]]
) -> Sequence[tuple[int, int]]:
    """Where each of those begins and ends who stand there in a list; none where what follows is done by the last one,
    or is theirs.
    """
    found, joins = list[tuple[int, int]](), list[str]()
    while (end := _name_end(written, said, at, wholes)) > at:
        found.append((at, end))
        at = end
        after = end + 1 if _word(said, end) in _AND | {","} else end
        after = after + 1 if _word(said, after) in _AND and after > end else after
        if after == end or _name_end(written, said, after, wholes) == after:
            break
        joins.append(_word(said, end))
        at = after
    behind = _word(said, at)
    if not _REPLACING.isdisjoint(said[:1]):
        return found if behind in _BY_OTHERS else []
    if behind in _BEHIND or not found:
        return found
    return found[:-1] if joins[-1:] == [","] else []


def _name_end(written: Sequence[str], said: Sequence[str], at: int, wholes: Sequence[list[str]]) -> int:
    """Where a name or an address ends that begins here; the same place where there is none."""
    end = at + max((len(each) for each in wholes if list(said[at : at + len(each)]) == each), default=0)
    while end < len(said) and (written[end][:1].isupper() or (said[end] == "-" and written[end - 1][:1].isupper())):
        end += 1
    around = 1 if _word(said, end) in {"(", "<"} else 0
    if _word(said, end + around) == _PLACE:
        end += around + 1
        end += 1 if around and _word(said, end) in {")", ">"} else 0
    return end


def _word(said: Sequence[str], at: int) -> str:
    return said[at] if 0 <= at < len(said) else ""
