"""Evidence as JSON and back, so that stored evidence gives the same verdict again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from policies.errors import InvalidEvidence
from policies.types import Decision, Evidence, Rule, RuleAuthor, TrustLevel


class _StoredRule(BaseModel):
    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    id: str
    decision: Decision
    tool: str
    argument: str | None
    value: str | None
    by: RuleAuthor
    reason: str = ""


class _StoredEvidence(BaseModel):
    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    is_member: Annotated[bool, Field(strict=True)]
    level: TrustLevel
    side_effects_enabled: Annotated[bool, Field(strict=True)]
    policy_version: str
    allowed_tools: list[str]
    rules: list[_StoredRule]
    recipients: list[str] | None = None


def evidence_as_json(evidence: Evidence) -> dict[str, object]:
    """The evidence as a JSON object of plain values; equal evidence gives equal JSON."""
    stored = _StoredEvidence(
        is_member=evidence.is_member,
        level=evidence.level,
        side_effects_enabled=evidence.side_effects_enabled,
        policy_version=evidence.policy_version,
        allowed_tools=sorted(evidence.allowed_tools),
        rules=[_stored(rule) for rule in evidence.rules],
        recipients=None if evidence.recipients is None else list(evidence.recipients),
    )
    return cast("dict[str, object]", stored.model_dump(mode="json"))


def evidence_from_json(data: Mapping[str, object]) -> Evidence:
    """The evidence in what `evidence_as_json` made; raises `InvalidEvidence` for anything else."""
    try:
        stored = _StoredEvidence.model_validate(dict(data))
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise InvalidEvidence(f"The stored evidence is damaged at “{where}”.") from error
    return Evidence(
        is_member=stored.is_member,
        level=stored.level,
        side_effects_enabled=stored.side_effects_enabled,
        policy_version=stored.policy_version,
        allowed_tools=frozenset(stored.allowed_tools),
        rules=tuple(Rule(**rule.__dict__) for rule in stored.rules),
        recipients=None if stored.recipients is None else tuple(stored.recipients),
    )


def _stored(rule: Rule) -> _StoredRule:
    return _StoredRule(
        id=rule.id,
        decision=rule.decision,
        tool=rule.tool,
        argument=rule.argument,
        value=rule.value,
        by=rule.by,
        reason=rule.reason,
    )
