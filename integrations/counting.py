"""Counts in words, as people say them."""

from __future__ import annotations


def counted(number: int, noun: str, several: str = "") -> str:
    """ "1 mail", "2,000 mails"; `several` is the plural where it is not made with an s."""
    return f"{number:,} {noun if number == 1 else several or f'{noun}s'}"
