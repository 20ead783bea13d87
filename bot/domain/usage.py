"""What a run used of the model."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens as the model counted them. `output` is candidates and thoughts together; `cached` is part of `prompt`."""

    prompt: int = 0
    output: int = 0
    cached: int = 0

    def __add__(self, other: Usage) -> Usage:
        """Both together."""
        return Usage(
            prompt=self.prompt + other.prompt, output=self.output + other.output, cached=self.cached + other.cached
        )
