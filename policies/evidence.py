"""Evidence as JSON and back, so that stored evidence gives the same verdict again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, ValidationError

from policies.errors import InvalidEvidence
from policies.types import Decision, Evidence, Rule, RuleAuthor, TrustLevel

_STRICTLY = ConfigDict(extra="forbid", hide_input_in_errors=True, from_attributes=True)


class _StoredRule(BaseModel):
    model_config = _STRICTLY

    id: str
    decision: Decision
    tool: str
    argument: str | None
    value: str | None
    by: RuleAuthor
    reason: str = ""


class _StoredEvidence(BaseModel):
    model_config = _STRICTLY

    is_member: Annotated[bool, Field(strict=True)]
    level: TrustLevel
    side_effects_enabled: Annotated[bool, Field(strict=True)]
    policy_version: str
    allowed_tools: Annotated[frozenset[str], PlainSerializer(sorted)]
    rules: tuple[_StoredRule, ...]
    recipients: tuple[str, ...] | None = None


def evidence_as_json(evidence: Evidence) -> dict[str, object]:
    """The evidence as a JSON object of plain values; equal evidence gives equal JSON."""
    return _StoredEvidence.model_validate(evidence).model_dump(mode="json")


def evidence_from_json(data: Mapping[str, object]) -> Evidence:
    """The evidence in what `evidence_as_json` made; raises `InvalidEvidence` for anything else."""
    try:
        stored = _StoredEvidence.model_validate(dict(data))
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise InvalidEvidence(f"The stored evidence is damaged at “{where}”.") from error
    rules = tuple(Rule(**rule.__dict__) for rule in stored.rules)
    columns: dict[str, Any] = stored.__dict__ | {"rules": rules}
    return Evidence(**columns)
