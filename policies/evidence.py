"""What policy knows when it decides, and its form as JSON: stored evidence gives the same verdict again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, ValidationError

from policies.deciders import Deciders
from policies.errors import InvalidEvidence
from policies.provenance import GuardMode, Provenance
from policies.types import Decision, Label, Role, Rule, RuleAuthor, TrustLevel


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What policy knows about an action and its world; gathered before it decides and stored with the verdict.

    `is_member` says that the person it is for is a full, active member of the workspace. `level` is already capped by
    the workspace. `allowed_tools` is the constitution's list. `rules` are the shipped ones and those of the workspace
    and the owner. `recipients` are the addresses that the call would reach, as trusted code looked them up
    (`Need.RECIPIENTS`); None if it did not. `heard` are the values that it found besides, with the role of each: rules
    that deny or ask hear of them, and none allows a call by them. `provenance` says who named what the call would
    touch; None if that was not traced. `label` is the least trusted text that its run has read, `guard` what the
    workspace does with what the guards say. Where a rule names people who have to agree, `requester` is the person it
    is for, and `absent` are those of them who are no full, active members; `now` is the moment at which it is judged
    who still stands in, None where no rule says until when somebody does, or it does not matter.
    """

    is_member: bool
    level: TrustLevel
    side_effects_enabled: bool
    policy_version: str
    allowed_tools: frozenset[str]
    rules: Sequence[Rule] = ()
    recipients: Sequence[str] | None = None
    provenance: Provenance | None = None
    label: Label = Label.EXTERNAL
    guard: GuardMode = GuardMode.ENFORCE
    requester: str = ""
    absent: frozenset[str] = frozenset()
    heard: Sequence[tuple[Role, str]] = ()
    now: datetime | None = None

    @property
    def reached(self) -> Sequence[str]:
        """The addresses that the call would reach, as far as they were looked up."""
        traced = (self.provenance or Provenance()).values
        return [*(self.recipients or ()), *(value.value for value in traced if value.role is Role.DESTINATION)]

    @property
    def newly_reached(self) -> Sequence[str]:
        """Those of them who do not take part already in what it is about, as far as its owner named that."""
        found = self.provenance or Provenance()
        taking_part = (value.value for value in found.values if value.is_only_taking_part)
        present = {address.casefold() for address in (*found.present, *taking_part)}
        return [address for address in self.reached if address.casefold() not in present]


_LEFT_OUT_IF_EMPTY = frozenset({"requester", "absent", "heard", "now"})
"""What evidence did not have at first."""

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
    deciders: Deciders | None = None


class _StoredEvidence(BaseModel):
    model_config = _STRICTLY

    is_member: Annotated[bool, Field(strict=True)]
    level: TrustLevel
    side_effects_enabled: Annotated[bool, Field(strict=True)]
    policy_version: str
    allowed_tools: Annotated[frozenset[str], PlainSerializer(sorted)]
    rules: tuple[_StoredRule, ...]
    recipients: tuple[str, ...] | None = None
    provenance: Provenance | None = None
    label: Label = Label.EXTERNAL
    guard: GuardMode = GuardMode.ENFORCE
    requester: str = ""
    absent: Annotated[frozenset[str], PlainSerializer(sorted)] = frozenset()
    heard: tuple[tuple[Role, str], ...] = ()
    now: datetime | None = None


def evidence_as_json(evidence: Evidence) -> dict[str, object]:
    """The evidence as a JSON object of plain values; equal evidence gives equal JSON."""
    stored = _StoredEvidence.model_validate(evidence).model_dump(mode="json")
    for rule in stored["rules"]:
        if rule["deciders"] is None:  # as it was before rules could name any
            del rule["deciders"]
            continue
        for seat in rule["deciders"]["approvers"]:
            if seat["until"] is None:  # as it was before anybody stood in until a moment
                del seat["until"]
    return {name: value for name, value in stored.items() if value or name not in _LEFT_OUT_IF_EMPTY}


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
