"""Whether words name something: addresses whole, names of people and things word by word.

Nothing here knows where the words come from; `policies.guards.tracing` gives only those of the owner.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from string import ascii_lowercase, ascii_uppercase

from policies.characters import is_invisible

SIGNS = "+#%°€$£"
"""Behind a letter or a digit they are a part of the word, where a thing is called by its whole name: “C++”, “Q4+”."""
_SHOWS_NO_WORD = "\ufe0e\ufe0f"  # how the emoji before them is drawn
_I_WITH_ITS_DOT = "i\u0307"  # “İ” in small letters
_APART = re.compile(r"[\s@<>()\[\],;:\"\\]")
"""What stands in no local part of an address."""
_DOMAIN = re.compile(r"[^\s@<>()\[\]{},;:\"'`|\\/?#]+")
_MENTION = re.compile(r"<([@#])([A-Z0-9]+)(?:\|[^<>]*)?>")
_HEADING = re.compile(r"# (\w+)")
_SENTENCES = re.compile(r"(?<=[.!?;])\s+|\n")
_BEGINS = "'`{|"
_ENDS = ".!?…"
_SMALL = str.maketrans(ascii_uppercase, ascii_lowercase)
_FILLERS = frozenset(
    {
        *("a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with", "about", "re"),
        *("my", "our", "your", "der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "und", "oder", "mit"),
        *("von", "vom", "zu", "zum", "zur", "im", "am", "für", "über", "mein", "meine", "unser", "unsere"),
        *("fw", "fwd", "aw", "wg"),
    }
)
"""Words of a title that people leave out."""


@functools.cache
def everyday() -> Mapping[str, frozenset[str]]:
    """Words of requests about anything, by language (two letters); and under `nobody` and `sent` those that requests
    have where people are named, and that are no names: of groups, and of what people send.
    """
    found, part = dict[str, frozenset[str]](), ""
    for line in files("policies.guards").joinpath("everyday.txt").read_text(encoding="utf-8").splitlines():
        if heading := _HEADING.fullmatch(line):
            part = heading[1]
        elif part:
            found[part] = found.get(part, frozenset()).union(plain(line).split())
    return found


def plain(text: str) -> str:
    """The text as words are compared: in one width and case, without characters that nobody sees."""
    return folded(seen(text))


def folded(text: str) -> str:
    """The text in one case."""
    small = text.casefold()
    return small if small.isascii() else unicodedata.normalize("NFC", small).replace(_I_WITH_ITS_DOT, "i")


def seen(text: str) -> str:
    """The text in one width, without characters that nobody sees."""
    if text.isascii():
        return text
    plain_text = unicodedata.normalize("NFKC", text)
    unseen = [each for each in set(plain_text) if unicodedata.category(each) == "Cf"]
    return plain_text.translate(dict.fromkeys(map(ord, unseen))) if unseen else plain_text


def address(text: str) -> str:
    """An address as addresses are compared: the letters A to Z in one case, and nothing else.

    Whatever more is folded makes a stranger's address one that was named: ß becomes ss, the Kelvin sign a k, and where
    a character goes that nobody sees, only the mail server knows.
    """
    return text.lower() if text.isascii() else text.translate(_SMALL)


def words_of(text: str) -> list[str]:
    """The words of a text: letters with their marks, such as the vowel signs of Hindi, and digits."""
    said = plain(text).replace("_", " ")
    return _patterns(_marks_in(said)).word.findall(said)


def signs_of(text: str) -> list[str]:
    """The `SIGNS` behind each of the words of a text, as `words_of` has them; “” where there are none."""
    said = plain(text).replace("_", " ")
    return [found[2] for found in _patterns(_marks_in(said)).signed.finditer(said)]


def tokens_in(text: str) -> Iterator[re.Match[str]]:
    """The words of a text as they are written, and each sign between them."""
    return _patterns(_marks_in(text)).token.finditer(text)


@dataclass(frozen=True, slots=True)
class _Patterns:
    """What finds words, words with the signs behind them, and words and signs."""

    word: re.Pattern[str]
    signed: re.Pattern[str]
    token: re.Pattern[str]


@functools.lru_cache(maxsize=64)
def _patterns(marks: str) -> _Patterns:
    """For texts with these marks: `re` counts none of them as a part of a word."""
    word, token = rf"\w[\w{marks}]*", rf"[^\W_](?:[^\W_]|[{marks}])*" if marks else r"[^\W_]+"
    return _Patterns(
        word=re.compile(word), signed=re.compile(rf"({word})([{SIGNS}]*)"), token=re.compile(rf"{token}|[^\s\w]")
    )


def _marks_in(text: str) -> str:
    """The marks in a text that stand on a letter and can be seen (Unicode, general category M)."""
    if text.isascii():
        return ""
    marks = (each for each in set(text) if unicodedata.category(each).startswith("M"))
    return "".join(sorted(each for each in marks if each not in _SHOWS_NO_WORD and not is_invisible(each)))


def addresses_in(text: str) -> frozenset[str]:
    """The mail addresses that stand in a text, each whole, in the width that people type. What may stand in one
    (RFC 5322 §3.2.3) begins none: “o'brien@acme.com” is not brien's.
    """
    plain_text = seen(text)
    found = [plain_text[begin:end] for begin, end in _addresses(plain_text)]
    return frozenset(address(each.lstrip(_BEGINS).rstrip(_ENDS)) for each in found)


def _addresses(text: str) -> Iterator[tuple[int, int]]:
    """Where they begin and end. Each @ is looked at once, and what stands before it up to the one before: looked for
    from each character anew, a text without blanks took a minute.
    """
    since = 0
    while (at := text.find("@", since)) != -1:
        begin = max((apart.end() for apart in _APART.finditer(text, since, at)), default=since)
        domain = _DOMAIN.match(text, at + 1) if begin < at else None
        if domain is not None:
            yield begin, domain.end()
        since = domain.end() if domain is not None else at + 1


class Told:
    """Words in their order, and where each of them stands."""

    def __init__(self, said: list[str]) -> None:
        self.words = said

    @cached_property
    def places(self) -> Mapping[str, Sequence[int]]:
        """Where each word stands, from the first one on."""
        found = dict[str, list[int]]()
        for place, word in enumerate(self.words):
            found.setdefault(word, []).append(place)
        return found

    def rarest(self, wanted: Iterable[str]) -> str:
        """The one of these words, which are all there, that stands in the fewest places."""
        return min(wanted, key=lambda word: len(self.places[word]))

    def begins(self, wanted: list[str]) -> Iterator[int]:
        """Where these words stand one after the other, which are all there: looked for where the rarest one stands."""
        if wanted:
            before, size = wanted.index(self.rarest(wanted)), len(wanted)
            for place in self.places[wanted[before]]:
                if self.words[max(0, place - before) : place - before + size] == wanted:
                    yield place - before


def mentioned_in(text: str) -> frozenset[str]:
    """The ids of people and conversations that a text mentions, as Slack writes mentions."""
    return frozenset(match[2] for match in _MENTION.finditer(text))


def holds(words: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether the wanted words stand in these, one after the other."""
    return place_of(words, wanted) is not None


def place_of(words: Sequence[str], wanted: Sequence[str]) -> int | None:
    """Where the wanted words stand in these, one after the other; None where they do not, or there are none."""
    first, size = list(wanted[:1]), len(wanted)
    return next(
        (at for at, word in enumerate(words) if [word] == first and list(words[at : at + size]) == list(wanted)), None
    )


def calls(words: Sequence[str], title: Sequence[str]) -> bool:
    """Whether these words call a thing by the words of its title: all of them in their order, or in any order those
    that say something. A title that says nothing calls nothing.
    """
    telling = {word for word in title if word not in _FILLERS}
    return bool(telling) and (holds(words, title) or (len(telling) > 1 and telling.issubset(words)))


def is_filler(word: str) -> bool:
    """Whether people leave it out of a title."""
    return word in _FILLERS


def without_fillers(said: frozenset[str]) -> frozenset[str]:
    """Those of these words that people do not leave out of a title."""
    return said - _FILLERS


def is_everyday(word: str) -> bool:
    """Whether it is a word of requests about anything, in any of the languages that we have such words of."""
    return word in _everyday_words()


def without_everyday(said: frozenset[str]) -> frozenset[str]:
    """Those of these words that are not."""
    return said - _everyday_words()


def is_sent(word: str) -> bool:
    """Whether it says what people send to each other, such as an invoice."""
    return word in everyday()["sent"]


def is_nobody(word: str) -> bool:
    """Whether it is no name, though it stands where people are named: a word of any request in English or German, or
    one for a group or a thing.
    """
    return word in _words_of_nobody()


@functools.cache
def _words_of_nobody() -> frozenset[str]:
    return _FILLERS.union(*(everyday()[part] for part in ("en", "de", "nobody", "sent")))


@functools.cache
def _everyday_words() -> frozenset[str]:
    return _FILLERS.union(*(found for part, found in everyday().items() if len(part) == 2))


def without_addresses(text: str) -> str:
    """The text without the mail addresses in it, in the width that people type."""
    plain_text = seen(text)
    return "".join(_pieces(plain_text, lambda _: " … "))


def _pieces(text: str, instead: Callable[[str], str]) -> Iterator[str]:
    """The text in pieces, with something else instead of each address."""
    until = 0
    for begin, end in _addresses(text):
        yield text[until:begin]
        yield instead(text[begin:end])
        until = end
    yield text[until:]


def sentences(text: str) -> Sequence[str]:
    """The sentences of a text, as far as its marks tell them."""
    return _SENTENCES.split(text)


def apart(text: str, place: str) -> tuple[str, Sequence[str]]:
    """The text with this mark at the place of each mail address, and the addresses in their order, as `addresses_in`
    has them. What ends a sentence stays.
    """
    found = list[str]()

    def taken(written: str) -> str:
        whole = written.rstrip(_ENDS)
        found.append(address(whole.lstrip(_BEGINS)))
        return f" {place} {written[len(whole) :]}"

    return "".join(_pieces(seen(text).replace(place, " "), taken)), found


def names_in(words: Sequence[str], *names: str) -> Iterator[str]:
    """The words of a person's names that stand in these words, each once."""
    said = set(words)
    return (word for word in name_words(*names) if word in said)


def name_words(*names: str) -> Sequence[str]:
    """The words of a person's names, each once; one letter is none."""
    return list(dict.fromkeys(word for name in names for word in words_of(name) if len(word) > 1))


def quotes(text: str, quoted: str) -> bool:
    """Whether a text holds another one, whatever the space between its words."""
    return bool(quoted.strip()) and flat(quoted) in flat(text)


def flat(text: str) -> str:
    """The text as it is compared, with one blank between its words."""
    return " ".join(plain(text).split())
