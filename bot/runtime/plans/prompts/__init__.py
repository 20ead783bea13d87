"""What the model is told in each phase of a plan, as texts beside this file (docs/adr/0013-prompts-of-rounds.md)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from bot.agents.placeholders import fill


@cache
def _template(name: str) -> str:
    return files(__name__).joinpath(f"{name}.md").read_text(encoding="utf-8").strip()


def text(name: str, values: Mapping[str, object] | None = None) -> str:
    """The text of this name with its values."""
    return fill(_template(name), values or {})
