"""What a model answers where a plan asks it for JSON: its judgement of a round, or changes to the plan. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, field_validator

from bot.domain.plans import ChangeKind, PlanChange
from integrations.text import check_fit

_CODE_BLOCK = re.compile(r"```(?:json)?\n(.*)\n```", re.S)
_Short = Annotated[str, StringConstraints(strip_whitespace=True, max_length=120)]
_Long = Annotated[str, StringConstraints(strip_whitespace=True, max_length=2_000)]
MOST_CHANGES = 20
"""Of one answer."""


class UnreadableReflection(ValueError):
    """It is not what was asked for; the message tells the model why."""


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class Modification(_Answer):
    """One change to the plan."""

    kind: ChangeKind
    id: _Short = ""
    title: _Short = ""
    goal: _Long = ""
    agent: _Short = ""
    replaces: _Short = ""
    why: Annotated[_Long, Field(min_length=1)]

    @field_validator("*")
    @classmethod
    def _fit(cls, value: object) -> object:
        """What becomes of it is an argument of a call, with the same characters."""
        check_fit(value)
        return value


_Modifications = Annotated[list[Modification], Field(max_length=MOST_CHANGES)]


class Replanning(_Answer):
    """What is to be different, now that a task failed."""

    modifications: _Modifications = Field(default_factory=list[Modification])

    @property
    def changes(self) -> Sequence[PlanChange]:
        """The same for the plan."""
        return [PlanChange(**one.model_dump()) for one in self.modifications]


class Reflection(Replanning):
    """The judgement of one round."""

    is_task_complete: bool
    persistent_error: bool = False
    summary: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4_000)]


Answer = TypeVar("Answer", bound=Replanning)


def read(kind: type[Answer], text: str) -> Answer:
    """The answer in a text, in a block of code or not. Raises `UnreadableReflection`."""
    stripped = text.strip()
    block = _CODE_BLOCK.fullmatch(stripped)
    try:
        return kind.model_validate_json(block[1] if block else stripped)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise UnreadableReflection(f"{where}: {first['msg']}" if where else first["msg"]) from None


def schema_of(kind: type[Replanning]) -> Mapping[str, object]:
    """What it must satisfy, without references, for the response schema of a model."""
    schema: dict[str, Any] = kind.model_json_schema()
    definitions: Mapping[str, object] = schema.pop("$defs", {})
    text = json.dumps(schema)
    for _ in definitions:  # one may name another
        for name, definition in definitions.items():
            text = text.replace(json.dumps({"$ref": f"#/$defs/{name}"}), json.dumps(definition))
            text = text.replace(f'"$ref": "#/$defs/{name}"', json.dumps(definition)[1:-1])
    return json.loads(text)
