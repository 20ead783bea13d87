"""The emulated models, and what each accepts (ai.google.dev/gemini-api/docs/models, November 2026)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from playground.gemini.errors import unknown_model

VERSIONS = frozenset({"v1", "v1beta", "v1beta1"})
_THREE_LEVELS = frozenset({"LOW", "MEDIUM", "HIGH"})


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownModel:
    """One model. `alias_of` is set for the `-latest` names, which only v1beta has.

    What it takes for thinking is from ai.google.dev/gemini-api/docs/thinking; the older models have budgets only.
    """

    name: str
    levels: frozenset[str] = _THREE_LEVELS
    budgets: range = range(1, 32_769)
    can_answer_without_thinking: bool = False
    answers_json_beside_functions: bool = True
    input_tokens: int = 1_048_576
    output_tokens: int = 65_536
    alias_of: str = ""
    methods: tuple[str, ...] = field(default=("generateContent", "countTokens"))

    @property
    def version(self) -> str:
        """The `modelVersion` of an answer."""
        return self.alias_of or self.name

    def described(self) -> dict[str, Any]:
        """The resource that models.get returns."""
        return {
            "name": f"models/{self.name}",
            "version": self.version.removeprefix("gemini-"),
            "displayName": f"{self.name} (scripted, playground)",
            "description": "The playground's scripted stand-in.",
            "inputTokenLimit": self.input_tokens,
            "outputTokenLimit": self.output_tokens,
            "supportedGenerationMethods": list(self.methods),
            "thinking": True,
        }


MODELS = (
    KnownModel(name="gemini-3.8-flash"),
    KnownModel(name="gemini-3.5-flash", levels=_THREE_LEVELS | {"MINIMAL"}),
    KnownModel(name="gemini-3.5-flash-lite", levels=_THREE_LEVELS | {"MINIMAL"}),
    KnownModel(
        name="gemini-2.5-flash-lite",
        levels=frozenset(),
        budgets=range(512, 24_577),
        can_answer_without_thinking=True,
        answers_json_beside_functions=False,
    ),
    KnownModel(name="gemini-4-hydrogen"),
    KnownModel(name="gemini-4-argon"),
    KnownModel(name="gemini-4-carbon"),
    KnownModel(name="gemini-flash-latest", alias_of="gemini-3.8-flash"),
    KnownModel(name="gemini-pro-latest", alias_of="gemini-4-hydrogen"),
)


def available(version: str) -> list[KnownModel]:
    """The models of one API version."""
    return [model for model in MODELS if version in VERSIONS and (version != "v1" or not model.alias_of)]


def find(name: str, version: str) -> KnownModel:
    """The model of that name; 404 as Google words it."""
    for model in available(version):
        if model.name == name:
            return model
    raise unknown_model(name, version)
