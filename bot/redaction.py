"""The filter that keeps secrets out of logs, Slack and answers: those that it was told of, and shapes of tokens."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import cast

from bot.secret_forms import HALF_A_BREAK, LONGEST_BREAK, SHORTEST_CHARACTERS, Bare, bare, forms

_KEY_BEGINS, _KEY_ENDS = "-----BEGIN ", re.compile("-----END [A-Z ]+-----")
_KEY_BEGIN = r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY[A-Z ]{0,40}-----"
_KEY_TEXT = r"(?:[^-]++|-(?!----BEGIN ))*"
"""What follows there, until the next one begins: so many that have no end are looked for once each."""
_SHAPES = re.compile(
    r"xox[abcdeprs]-[\w%+/=-]+|xapp-[\w-]+|AIza[\w-]{20,}|ya29\.[\w.-]+|\b1//[\w-]{12,}|GOCSPX-[\w-]+"
    r"|gh[oprsu]_\w+|github_pat_\w+|\bsk-[\w-]{20,}"
    rf"|{_KEY_BEGIN}(?:{_KEY_TEXT}?{_KEY_ENDS.pattern}|(?=(?:[^-]|-(?!----BEGIN ))*?[\w+/=]{{24}}){_KEY_TEXT}+)"
    r"|(?<![\w-])(?=[\w-]++\.[\w-]{10,}+\.)[\w-]*?eyJ[\w-]{10,}+\.[\w-]{10,}+\.[\w-]*+"
)
"""Each takes time in the length of the text alone, since nobody knows what a text holds. So a JWT is looked for once in
each word that has two dots behind it, and not from each `eyJ` anew to the word's end; it takes the word's beginning
along. A private key without an end is one where base64 follows, and not in a sentence about keys.
"""
_KEY_MAY_BEGIN = re.compile(rf"{_KEY_BEGIN}|-----BEGIN [A-Z ]*-{{0,4}}$")
_ENDS_SHORT = re.compile(r"(?:AIza|\b1//|\bsk-)[\w-]*$")
_ENDS_DOTTED = re.compile(r"(?:eyJ[\w.-]*|xox[abcdeprs]?-?|xapp-?|ya29\.?|GOCSPX-?)$")
"""The end of a text that is still arriving: what a shape above finds only once there is more of it."""
_SHORT, _DOTTED = re.compile(r"[\w-]*"), re.compile(r"[\w.-]*")
REDACTED = "[redacted]"
_STARTS = (
    *(f"xox{kind}-" for kind in "abcdeprs"),
    *(f"gh{kind}_" for kind in "oprsu"),
    *("xapp-", "AIza", "ya29.", "1//", "GOCSPX-", "github_pat_", "eyJ", _KEY_BEGINS),
)
_STARTS_A_WORD = "sk-"
"""How each of these shapes begins."""
_FIRST = frozenset(start[0] for start in (*_STARTS, _STARTS_A_WORD))
_LONGEST_START = max(map(len, _STARTS))
_STARTED = re.compile("|".join([*map(re.escape, _STARTS), rf"\b{_STARTS_A_WORD}"]))
_NO_SPACE = "".join(map(chr, range(33, 127)))
_ODD_IN_JSON = re.compile("[\ud800-\udfff\x85\u2028\u2029]")
_CUT = re.compile(r"\s*…")
_BEGINNING_CHARACTERS = 4
"""How much of a secret at the end of a text that is still arriving may be one that begins."""


class Redactor:
    """Replaces secrets in text: the ones it was told of, in every form in which they are sent, also where blanks, line
    ends or characters without width break them, or where “…” cuts one off; and whatever has the shape of a token.
    """

    def __init__(self, known: Sequence[str] = ()) -> None:
        long = [secret for secret in known if len(secret) >= SHORTEST_CHARACTERS]
        read = {form: bare(form) for secret in long for form in forms(secret)}
        self._bare = sorted({one for one in read.values() if len(one) >= SHORTEST_CHARACTERS})
        self._short = sorted((form for form, one in read.items() if len(one) < SHORTEST_CHARACTERS), key=len)[::-1]
        self._begun = _Begun(self._bare)

    def __call__(self, text: str) -> str:
        """The text without secrets."""
        for since, until in reversed(self._spans(text)):
            text = f"{text[:since]}{REDACTED}{text[until:]}"
        for secret in self._short:
            text = text.replace(secret, REDACTED)
        if "…" in text:
            text = self._without_cut_ones(text)
        return _SHAPES.sub(REDACTED, text)

    def _spans(self, text: str) -> Sequence[tuple[int, int]]:
        read = bare(text)
        found = [secret for secret in self._bare if secret in read]
        return Bare(text).spans(found) if found else ()

    def _without_cut_ones(self, text: str) -> str:
        """The text without the beginnings of secrets that a text was cut in, which an ellipsis says."""
        told, at = "", 0
        for mark in _CUT.finditer(text):
            before = text[at : mark.start()]
            until = self._begun.place(before, least=SHORTEST_CHARACTERS)
            told += before if until == len(before) else f"{before[:until]}{REDACTED}"
            told, at = told + mark[0], mark.end()
        return told + text[at:]

    def told_until(self, text: str) -> int:
        """How much of a text that goes on can be told by now. From there on stands what may be the beginning of a
        secret, which has the shape of none by itself.
        """
        until = min(self._begun.place(text), _shape_begun(text))
        while cut := [since for since, end in self._whole(text, until) if since < until < end]:
            until = min(cut)
        return until

    def _whole(self, text: str, until: int) -> Sequence[tuple[int, int]]:
        """Where secrets stand, and tokens; not looked for where nothing of the text is held back."""
        if until == len(text):
            return ()
        return [*self._spans(text), *(token.span() for token in _SHAPES.finditer(text))]

    def so_far(self, text: str) -> str:
        """The same of a text that is still arriving: an end that may become a secret is left out."""
        shown = self(text)
        until = min(self._begun.place(shown, least=_BEGINNING_CHARACTERS), _open_key(shown)[0])
        return _without_half_a_shape(shown[:until])


class _Begun:
    """Finds out whether the end of a text is how a secret of ours begins, also one that is broken; its forms are bare.

    It is asked about every piece of an answer, so it reads the end alone, and looks at a place only where four
    characters open a secret.
    """

    def __init__(self, forms: Sequence[str]) -> None:
        self._forms = forms
        self._openings = frozenset(form[:n] for form in forms for n in range(1, _BEGINNING_CHARACTERS + 1))
        self._longest = max(map(len, forms), default=0)

    def place(self, text: str, *, least: int = 1) -> int:
        """Where it begins, with so many characters at least; else the end of the text."""
        end = HALF_A_BREAK.search(text, max(0, len(text) - LONGEST_BREAK))
        until = end.start() if end else len(text)
        since = self._end_of(text, until)
        read = bare(text[since:until])
        places = range(max(0, len(read) - self._longest), len(read) - least + 1)
        opened = (at for at in places if read[at : at + _BEGINNING_CHARACTERS] in self._openings)
        begins = next((at for at in opened if self._begins(read[at:])), None)
        return len(text) if begins is None else since + Bare(text[since:until]).starts[begins]

    def _end_of(self, text: str, until: int) -> int:
        """From where on it has as many characters as the longest secret, besides what may break one."""
        window = 4 * self._longest + 1
        while window < until and len(bare(text[until - window : until])) < self._longest:
            window *= 2
        return max(0, until - window)

    def _begins(self, beginning: str) -> bool:
        return any(form.startswith(beginning) for form in self._forms)


def _without_half_a_shape(text: str) -> str:
    """The text without an end that may become a token. Only its last word is looked at, so that what begins many times
    in one word is looked for once.
    """
    backwards, until = text[::-1], len(text)
    for ends, word, before in ((_ENDS_SHORT, _SHORT, len("1//")), (_ENDS_DOTTED, _DOTTED, 0)):
        found = word.match(backwards)
        since = len(text) - (found.end() if found else 0) - before
        if half := ends.search(text, max(0, since)):
            until = min(until, half.start())
    return text[:until]


def _shape_begun(text: str) -> int:
    """Where something stands that is the beginning of a token, or may be; else the end of the text."""
    key, ended = _open_key(text)
    if key < len(text):
        return key
    word = max(len(text.rstrip(_NO_SPACE)), ended)
    if started := _STARTED.search(text, word):
        return started.start()
    places = range(max(word, len(text) - _LONGEST_START), len(text))
    return next((at for at in places if text[at] in _FIRST and _may_be_shape(text, at)), len(text))


def _open_key(text: str) -> tuple[int, int]:
    """Where a private key stands that has no end, or may; else the end of the text. And where the last one ends."""
    place = text.rfind(_KEY_BEGINS)
    begin = _KEY_MAY_BEGIN.match(text, place) if place != -1 else None
    if begin is None:
        return len(text), 0
    end = _KEY_ENDS.search(text, begin.end())
    return (len(text), end.end()) if end else (place, 0)


def _may_be_shape(text: str, place: int) -> bool:
    """Whether the end of the text, from this place on, is how a token begins."""
    end = text[place:]
    in_a_word = place > 0 and (text[place - 1].isalnum() or text[place - 1] == "_")
    return any(one.startswith(end) for one in _STARTS) or (not in_a_word and _STARTS_A_WORD.startswith(end))


def as_json(value: object, redact: Callable[[str], str], *, indent: int | None = None) -> str:
    """JSON without secrets that every program can read, on one line unless it is to be indented: a number that is none
    is null, and half of a character U+FFFD.
    """

    def plain(value: object) -> str:
        return value.isoformat() if isinstance(value, datetime) else str(value)

    read = json.loads(json.dumps(value, default=plain), parse_constant=lambda _: None)
    return readable_json(json.dumps(redacted(read, redact), ensure_ascii=False, indent=indent))


def readable_json(text: str) -> str:
    """The JSON text with U+FFFD for each half of a character, and escaped what ends a line for Python and httpx."""
    return _ODD_IN_JSON.sub(lambda odd: "\ufffd" if odd[0] > "\u2029" else f"\\u{ord(odd[0]):04x}", text)


def redacted(value: object, redact: Callable[[str], str]) -> object:
    """The same JSON value with every text redacted, also names, since they can come from outside."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        return {redact(name): redacted(item, redact) for name, item in cast("dict[str, object]", value).items()}
    if isinstance(value, list):
        return [redacted(item, redact) for item in cast("list[object]", value)]
    return value
