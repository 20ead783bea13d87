"""Opaque ids: a prefix that says what it names, the time so that they sort, and random bits against guessing."""

from __future__ import annotations

import hashlib
import secrets
import time

_ALPHABET = "0123456789abcdefghijklmnopqrstuv"
_CLEAR = "234679ACDEFGHJKMNPQRTUWXY"  # of what looks alike, such as 0 and O, only one or none


_PAIRS = [high + low for high in _ALPHABET for low in _ALPHABET]


def _base32(number: int, pairs: int) -> str:
    return "".join([_PAIRS[(number >> (10 * place)) & 1023] for place in range(pairs - 1, -1, -1)])


def new_id(prefix: str) -> str:
    """A new id such as `run_06f3k…` in base 32 (extended hex): milliseconds, microseconds, and 70 random bits."""
    milliseconds, microseconds = divmod(time.time_ns() // 1_000, 1_000)
    return f"{prefix}_{_base32(milliseconds, 5)}{_base32(microseconds, 1)}{_base32(secrets.randbits(70), 7)}"


def named(prefix: str, name: str) -> str:
    """The id of what has a name already: the same for the same name, so that it is there once."""
    return f"{prefix}_{hashlib.sha256(name.encode()).hexdigest()[:32]}"


def new_nonce() -> str:
    """128 random bits for a button's value."""
    return secrets.token_hex(16)


def card_code(question_id: str) -> str:
    """Four characters by which people tell the cards that wait apart, the same wherever its question is listed. They
    follow from the id, which nobody can guess who has not got the card.
    """
    number = int.from_bytes(hashlib.sha256(f"card:{question_id}".encode()).digest()[:8])
    return "".join(_CLEAR[number // len(_CLEAR) ** place % len(_CLEAR)] for place in range(4))


def effect_key(action_id: str) -> str:
    """The key of an action's effect, the same in every attempt; fits a calendar event id (`[a-v0-9]{5,1024}`)."""
    return hashlib.sha256(f"effect:{action_id}".encode()).hexdigest()[:40]
