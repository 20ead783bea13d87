"""What a person added to a text that somebody else wrote. Pure, and linear in the length of the texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from policies.guards import links, words

_AROUND = ".,;:!?…()[]{}<>\"'`*_~|“”‘’„«»"
_IN_ADDRESSES = frozenset(".:@/\\")


def added(text: str, before: Sequence[str]) -> str:
    """The words of a text that stand in none of those `before`; empty where there are none.

    What may be an address is new only if nothing that was there before holds it: whoever corrects the word beside a
    link did not write the link.
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
