"""The vocabulary of policy, and the words that explain the levels; evidence as JSON."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from types import NoneType
from typing import cast

import pytest

from policies import trust
from policies.engine import decide
from policies.errors import InvalidEvidence, PolicyError, UnknownLevel
from policies.evidence import Evidence, evidence_as_json, evidence_from_json
from policies.provenance import Provenance, Reference, Source, Traced
from policies.types import Argument, Decision, EffectClass, Label, ProposedAction, Role, RuleAuthor, TrustLevel
from tests.unit.policies.cases import DANA, EVIL, allowed, evidence, mail, reply, rule


def test_only_what_changes_the_outside_is_a_side_effect():
    """Reading and our own store are no side effects; the other three classes are."""
    assert [effect.value for effect in EffectClass if effect.is_side_effect()] == [
        "private_write",
        "external",
        "destructive",
    ]


def test_the_worse_label_wins():
    """A text made of two others deserves the lesser trust, whichever comes first."""
    order = list(Label)
    for one, other in itertools.product(Label, repeat=2):
        assert one.worst(other) is order[max(order.index(one), order.index(other))]


def test_a_level_is_what_a_person_types():
    """Case and blanks do not matter; anything else is refused with the choices."""
    assert TrustLevel.parse(" Delegated ") is TrustLevel.DELEGATED
    with pytest.raises(UnknownLevel, match=", ".join(TrustLevel)) as error:
        TrustLevel.parse("omnipotent")
    assert isinstance(error.value, PolicyError)


def test_a_cap_only_lowers():
    """The effective level is the lower of the person's and the workspace's."""
    order = list(TrustLevel)
    for own, cap in itertools.product(TrustLevel, repeat=2):
        assert own.capped(cap) is order[min(order.index(own), order.index(cap))]
        assert own.at_least(cap) is (order.index(own) >= order.index(cap))


def test_decisions_have_an_order():
    """Deny is stricter than ask, ask than allow, and nothing than itself."""
    assert Decision.DENY.stricter_than(Decision.ASK)
    assert Decision.ASK.stricter_than(Decision.ALLOW)
    assert not Decision.ALLOW.stricter_than(Decision.ALLOW)


def test_every_level_is_explained_and_autonomous_warns_plainly():
    """Each level has a caption; choosing `autonomous` says that a deceived model can then act unasked."""
    assert all(trust.LEVELS[level].caption for level in TrustLevel)
    assert [level for level in TrustLevel if trust.LEVELS[level].warning] == [TrustLevel.AUTONOMOUS]
    assert "deceived model can then act unasked" in trust.LEVELS[TrustLevel.AUTONOMOUS].warning


@pytest.mark.parametrize(
    ("cap", "choices", "limit"),
    [
        (TrustLevel.SUPERVISED, "`supervised`", "Your workspace allows at most “supervised”."),
        (TrustLevel.DELEGATED, "`supervised` or `delegated`", "Your workspace allows at most “delegated”."),
        (TrustLevel.AUTONOMOUS, "`supervised`, `delegated` or `autonomous`", ""),
    ],
)
def test_people_are_offered_the_levels_up_to_the_cap_of_their_workspace(
    cap: TrustLevel, choices: str, limit: str
) -> None:
    """And are told what the most is, where that is not the highest level."""
    assert trust.choices("`", cap=cap) == choices
    assert trust.limit(cap) == limit


def test_a_call_asks_only_the_addresses_that_it_looks_at() -> None:
    """A link in a text that it passes on is not looked at."""
    call = ProposedAction(
        tool="web_fetch",
        effect=EffectClass.READ,
        arguments=(
            Argument(name="url", role=Role.URL, values=("https://acme.com/a", "https://acme.com/b")),
            Argument(name="why", role=Role.CONTENT, values=("https://acme.com/c",)),
        ),
    )
    assert call.addresses_asked == ["https://acme.com/a", "https://acme.com/b"]


@pytest.mark.parametrize("recipients", [None, [DANA]])
def test_whom_a_call_reaches(recipients: list[str] | None) -> None:
    """Those whom the mailbox has as its recipients, and those whom the call itself says, but no thing and no link."""
    before = evidence(recipients=recipients, provenance=None)
    assert [*before.reached] == [*before.newly_reached] == (recipients or [])
    luis, thread = "Luis@acme.com", Reference(source=Source.THING, id="mail_thread:1")
    values = (
        Traced(role=Role.DESTINATION, value=EVIL),
        Traced(role=Role.DESTINATION, value=luis, named_by=(thread,)),
        Traced(role=Role.OBJECT, value="mail_thread:1"),
    )
    traced = replace(before, provenance=Provenance(values=values, present=("DANA@acme.com",)))
    assert [*traced.reached] == [*(recipients or []), EVIL, luis]
    assert [*traced.newly_reached] == [EVIL]


def test_evidence_is_stored_as_plain_values() -> None:
    """What every reader of JSON knows, and nothing of ours."""

    def kinds(value: object) -> set[type]:
        match value:
            case dict():
                return {dict}.union(*map(kinds, cast("dict[str, object]", value).values()))
            case list():
                return {list}.union(*map(kinds, cast("list[object]", value)))
            case _:
                return {type(value)}

    sample = evidence(TrustLevel.DELEGATED, allowed(DANA), recipients=[DANA])
    assert kinds(evidence_as_json(sample)) <= {dict, list, str, bool, NoneType}


# Evidence as JSON and back -----------------------------------------------------------------------------------------


SAMPLES = [
    evidence(),
    evidence(TrustLevel.DELEGATED, allowed(DANA), recipients=[DANA]),
    evidence(TrustLevel.DELEGATED, allowed(DANA), recipients=[]),
    replace(evidence(TrustLevel.AUTONOMOUS, rule(Decision.DENY, "recipient", EVIL)), heard=((Role.DESTINATION, EVIL),)),
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
