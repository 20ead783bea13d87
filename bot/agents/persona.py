"""The shipped assistant: its persona and reliability rules, as a text beside this file."""

from __future__ import annotations

from importlib.resources import files


def assistant() -> str:
    """The assistant's persona."""
    return files("bot.agents").joinpath("assistant.md").read_text(encoding="utf-8").strip()
