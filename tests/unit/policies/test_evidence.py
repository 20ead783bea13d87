"""Evidence as JSON and back."""

from __future__ import annotations

import json

import pytest

from policies.engine import decide
from policies.errors import InvalidEvidence
from policies.evidence import evidence_as_json, evidence_from_json
from policies.types import Decision, Evidence, RuleAuthor, TrustLevel
from tests.unit.policies.cases import DANA, EVIL, allowed, evidence, mail, reply, rule

SAMPLES = [
    evidence(),
    evidence(TrustLevel.DELEGATED, allowed(DANA), recipients=[DANA]),
    evidence(TrustLevel.DELEGATED, allowed(DANA), recipients=[]),
    evidence(
        TrustLevel.AUTONOMOUS, rule(Decision.ASK, "to", EVIL, by=RuleAuthor.SHIPPED, reason="Because."), enabled=False
    ),
]


@pytest.mark.parametrize("sample", SAMPLES)
def test_a_verdict_can_be_computed_again_from_stored_evidence(sample: Evidence):
    """Evidence survives JSON text, and the same action gets the same verdict from it."""
    stored = json.dumps(evidence_as_json(sample))
    restored = evidence_from_json(json.loads(stored))
    assert json.dumps(evidence_as_json(restored)) == stored
    assert restored.rules == tuple(sample.rules)
    assert restored.allowed_tools == sample.allowed_tools
    assert (restored.recipients is None) == (sample.recipients is None)
    for proposed in (mail(to=[DANA]), mail(to=[EVIL]), reply()):
        assert decide(proposed, restored) == decide(proposed, sample)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"level": "omnipotent"}, "level"),
        ({"side_effects_enabled": "false"}, "side_effects_enabled"),
        ({"rules": [{"id": "r"}]}, "rules.0.decision"),
        ({"more": 1}, "more"),
    ],
)
def test_damaged_evidence_is_refused(change: dict[str, object], place: str):
    """What was not written by `evidence_as_json` is refused with its place, never guessed."""
    with pytest.raises(InvalidEvidence, match=f"“{place}”"):
        evidence_from_json(evidence_as_json(evidence()) | change)
