"""Replies: what a person's typed words mean while a run of theirs is under way (docs/states.md §7.3). Pure.

Only whole messages count: “no, send it to Priya instead” is neither a yes nor a no.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from integrations.base import Option
from policies.guards import words
from policies.guards.addresses import links


class Reply(StrEnum):
    """What a message of the requester is to their run."""

    STOP = "stop"
    YES = "yes"  # decides nothing: only a button does
    NO = "no"  # rejects what waits for approval
    WORDS = "words"


_STOP = ("stop",)
_YES = (
    "yes", "yeah", "yep", "yup", "y", "sure", "ok", "okay", "k", "fine", "good", "great", "perfect", "agreed", "lgtm",
    "looks good", "sounds good", "go", "go ahead", "go for it", "do it", "do that", "send", "send it", "ship it",
    "save it", "create it", "add it", "book it", "schedule it", "move it", "accept it", "invite them", "post it",
    "answer it", "archive it",
    "approve", "approve it", "approved", "confirm", "confirmed", "please do", "correct", "right", "exactly",
    ":+1:", ":thumbsup:", ":white_check_mark:", ":ok_hand:",
)  # fmt: skip
_NO = (
    "no", "nope", "nah", "n", "don't", "dont", "do not", "no thanks", "no thank you", "don't do it", "don't do that",
    "don't send it", "dont send it", "do not send it", "do not do it", "rather not", "reject", "reject it", "rejected",
    "cancel", "cancel it", "cancel the plan",
    ":-1:", ":thumbsdown:",
)  # fmt: skip
_COURTESY = ("please", "pls", "thanks", "thank you", "thx")
_QUOTES = str.maketrans({"’": "'", "`": "'"})


def _either(words: Sequence[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


def _only(words: Sequence[str]) -> re.Pattern[str]:
    """A message of nothing but these, with courtesies behind them."""
    some, kind = _either(words), _either(_COURTESY)
    gap = r"[\s,.;!…-]+"
    return re.compile(rf"(?:(?:{some})(?:{gap}|$))+(?:(?:{kind})(?:{gap}|$))*")


_MEANINGS = ((Reply.STOP, _only(_STOP)), (Reply.YES, _only(_YES)), (Reply.NO, _only(_NO)))


def meaning(typed: str) -> Reply:
    """What these words are."""
    said = _plain(typed)
    return next((reply for reply, pattern in _MEANINGS if pattern.fullmatch(said)), Reply.WORDS)


def named(options: Sequence[Option], typed: str) -> int | None:
    """The place of the one option that these words name: by its value, its label, or its number, counted from 1.

    People choose their names. So words that hold an address or a link name nothing but the option that has it as its
    value, and the label of a person names nobody where it reads as a number, as yes or as no.
    """
    said = _plain(typed)
    if not said:
        return None
    found = [n for n, option in enumerate(options) if _exact(option.value) == _exact(typed)]
    if not found and not _holds_address(typed):
        found = [n for n, option in enumerate(options) if _plain(option.label) == said and _is_named(option)]
    if not found and (number := _number(typed)):
        found = [n for n in range(len(options)) if str(n + 1) == number]
    return found[0] if len(found) == 1 else None


def _is_named(option: Option) -> bool:
    """Whether its label names it."""
    reads_as_answer = _number(option.label) or meaning(option.label) is not Reply.WORDS
    return not ("@" in option.value and reads_as_answer)


def _holds_address(text: str) -> bool:
    """Whether it has an address of a person or a page in it, in any width and with whatever nobody sees in between."""
    return "@" in words.plain(text) or bool(links.found(text))


def _number(text: str) -> str:
    """The digits of a text that is a number and nothing else, as in “#2” and “2.”; else empty."""
    number = text.strip().removeprefix("#").rstrip(".)")
    return words.plain(number) if number.isdecimal() else ""


def _exact(text: str) -> str:
    """As addresses are compared: no letter becomes another one but A to Z."""
    return words.address(text.strip())


def _plain(text: str) -> str:
    return " ".join(text.translate(_QUOTES).casefold().split())
