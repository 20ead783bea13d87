"""The links of a call that count, and what rules hear of it, also where its arguments say that by an id."""

from __future__ import annotations

from dataclasses import replace

import pytest

from policies import engine
from policies.guards.impacts import addresses_of, heard_of
from policies.provenance import Attached, Impact, Touched
from policies.types import Decision, Role, TrustLevel
from tests.unit.policies.cases import DANA, EVIL, NOTHING_UNNAMED, event, evidence, mail, reply, rule

IMPACT = Impact(
    destinations=[DANA, EVIL],
    among=Touched(kind="mail_thread", id="t1", title="Larch prices"),
    sender="boss@acme.com",
    texts=["Pay at https://Evil.example/pay"],
    attachments=[Attached(name="payroll.pdf")],
    objects=[Touched(kind="draft", id="r1", title="Termination")],
)
PLACES = ["c_team@group.calendar.google.com", "Fernhill team"]


def test_each_value_is_heard_with_its_role() -> None:
    """Once each, and nothing of what is not said."""
    assert heard_of(IMPACT, [*PLACES, DANA]) == [
        *((Role.DESTINATION, value) for value in (DANA, EVIL, *PLACES)),
        *((Role.OBJECT, value) for value in ("r1", "Termination", "t1", "Larch prices", "boss@acme.com")),
        (Role.ATTACHMENT, "payroll.pdf"),
        (Role.URL, "evil.example/pay"),
    ]
    assert heard_of(Impact()) == []


@pytest.mark.parametrize("decision", [Decision.DENY, Decision.ASK])
@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("role:destination", "fernhill  TEAM"),
        ("role:destination", "c_team@group.calendar.google.com"),
        ("recipient", EVIL),
        ("role:object", "Larch prices"),
        ("role:object", "boss@acme.com"),
        ("role:attachment", "Payroll.pdf"),
        ("role:attachment", "*"),
        ("role:url", "https://evil.example/pay"),
        ("role:url", "evil.example/pay"),
    ],
)
def test_rules_that_restrict_hear_of_it(argument: str, value: str, decision: Decision) -> None:
    """By every name that it has, at every level."""
    known = replace(
        evidence(TrustLevel.AUTONOMOUS, rule(decision, argument, value), recipients=[DANA], provenance=NOTHING_UNNAMED),
        heard=heard_of(IMPACT, PLACES),
    )
    assert engine.decide(reply(), known).decision is decision
    assert engine.decide(reply(), replace(known, heard=())).decision is Decision.ALLOW


@pytest.mark.parametrize(
    ("argument", "value"),
    [("role:destination", "Team"), ("role:url", "https://good.example"), ("attendees", "Fernhill team")],
)
def test_what_is_not_there_is_not_heard(argument: str, value: str) -> None:
    """Neither a part of a name nor another argument's."""
    known = replace(
        evidence(TrustLevel.AUTONOMOUS, rule(Decision.DENY, argument, value), provenance=NOTHING_UNNAMED),
        heard=heard_of(IMPACT, PLACES),
    )
    assert engine.decide(event(DANA), known).decision is Decision.ALLOW


def test_nothing_is_allowed_by_it() -> None:
    """An allow needs the values of the call itself, and is not lost by what else is heard."""
    allow = rule(Decision.ALLOW, "role:object", "Larch prices")
    known = replace(evidence(TrustLevel.DELEGATED, allow), heard=heard_of(IMPACT, PLACES))
    assert engine.before_guards(mail(to=[DANA]), known).decision is Decision.ASK
    listed = rule(Decision.ALLOW, "recipient", DANA)
    known = replace(evidence(TrustLevel.DELEGATED, listed), heard=heard_of(IMPACT, PLACES))
    assert engine.before_guards(mail(to=[DANA]), known).decision is Decision.ALLOW


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Yours\nMara\nhttps://acme.com/team?a=1&b=2", []),
        ("Yours\nMara\nhttps://acme.com/team?a=1&b=3", ["acme.com/team?a=1&b=3"]),
        ("https://acme.com.evil.example/team?a=1&b=2", ["acme.com.evil.example/team?a=1&b=2"]),
    ],
)
def test_a_link_that_its_owner_set_up_is_asked_about_only_if_it_is_another(text: str, asked: list[str]) -> None:
    """The signature of the settings may stand in a text already: its links are exactly these."""
    signature = '<div>Mara<br><a href="https://acme.com/team?a=1&amp;b=2">Team</a></div>'
    assert list(addresses_of(Impact(destinations=[DANA], texts=[text], set_up=[signature]))) == asked
