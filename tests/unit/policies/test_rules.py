"""How rules match values, in both directions."""

from __future__ import annotations

import pytest

from policies.engine import decide
from policies.errors import InvalidRecipient
from policies.rules import recipient_rule
from policies.types import Decision, RuleAuthor, TrustLevel
from tests.unit.policies.cases import DANA, allowed, event, evidence, mail, rule

DELEGATED, AUTONOMOUS = TrustLevel.DELEGATED, TrustLevel.AUTONOMOUS


@pytest.mark.parametrize(
    ("listed", "address"),
    [
        ("dana@acme.com", "dana@acme.com"),
        ("dana@acme.com", "Dana@ACME.com"),
        ("Dana@Acme.com", "dana@acme.com"),
        ("dana+x@acme.com", "dana+x@acme.com"),
        ("dána@acme.com", "dána@acme.com"),
        ("@acme.com", "dana@acme.com"),
        ("@acme.com", "anybody+tag@ACME.COM"),
        ("@Acme.com", "dana@acme.com"),
    ],
)
def test_an_allow_matches_the_address_it_names(listed: str, address: str):
    """Allow matches the same address, or any address of exactly that domain, in any ASCII case."""
    assert decide(mail(to=[address]), evidence(DELEGATED, allowed(listed))).decision is Decision.ALLOW


@pytest.mark.parametrize(
    ("listed", "address"),
    [
        ("dana@acme.com", "dana@acme.com.evil.com"),
        ("dana@acme.com", "xdana@acme.com"),
        ("dana@acme.com", "dana+x@acme.com"),
        ("dana@acme.com", "dana@acme.co"),
        ("dana@acme.com", "dаna@acme.com"),  # a Cyrillic а
        ("boss@acme.com", "boſs@acme.com"),  # casefold makes ſ an s
        ("kim@acme.com", "\u212aim@acme.com"),  # lower makes the Kelvin sign a k
        ("dana@acme.com", "ｄana@acme.com"),  # NFKC makes it a d
        ("dana@acme.com", "dana@acme.com\u200b"),
        ("dana@acme.com", "dana@acme.com "),
        ("dana@acme.com", "dana@acme.com."),
        ("dana@acme.com", "dana@acme.com, x@evil.example"),
        ("dana@acme.com", '"dana@acme.com" <x@evil.example>'),
        ("dana@acme.com", "Dana <dana@acme.com>"),
        ("dána@acme.com", "DÁNA@acme.com"),
        ("@acme.com", "dana@mail.acme.com"),
        ("@acme.com", "dana@evilacme.com"),
        ("@acme.com", "dana@acme.com.evil.com"),
        ("@acme.com", "x@evil.example, dana@acme.com"),
        ("@acme.com", "x@evil.example@acme.com"),
        ("@acme.com", "x\u200b@acme.com"),
        ("@acme.com", "@acme.com"),
        ("@acme.com", "acme.com"),
        ("@acme.com", "x@evil.example\r\nBcc: y@acme.com"),
    ],
)
def test_an_allow_takes_its_value_literally(listed: str, address: str):
    """Whatever merely resembles a listed address is asked."""
    assert decide(mail(to=[address]), evidence(DELEGATED, allowed(listed))).decision is Decision.ASK


@pytest.mark.parametrize(
    ("named", "address"),
    [
        ("x@evil.com", "X@Evil.com"),
        ("x@evil.com", "ｘ@evil.com"),
        ("x@evil.com", "Nice Name <x@evil.com>"),
        ("x@evil.com", "dana@acme.com, x@evil.com"),
        ("x@evil.com", " x@evil.com. "),
        ("@evil.com", "anybody@evil.com"),
        ("@evil.com", "Somebody <anybody@EVIL.com>"),
        ("@evil.com", "anybody@mail.evil.com"),
        ("@bücher.example", "x@xn--bcher-kva.example"),
        ("@xn--bcher-kva.example", "X <x@mail.BÜCHER.example>"),
        ("x@bücher.example", "x@xn--bcher-kva.example"),
        ("@evil.com", "x@evil。com"),
        ("*", "whoever@acme.com"),
        (None, "whoever@acme.com"),
    ],
)
@pytest.mark.parametrize("decision", [Decision.DENY, Decision.ASK])
def test_a_restriction_finds_its_address_in_disguise(named: str | None, address: str, decision: Decision):
    """Deny and ask look inside display names and lists, fold width and case, and take subdomains along."""
    restriction = rule(decision, "recipient", named)
    assert decide(mail(cc=[address]), evidence(AUTONOMOUS, restriction)).decision is decision


@pytest.mark.parametrize(
    ("named", "address"),
    [
        ("x@evil.com", "max@evil.com"),
        ("x@evil.com", "x@evil.com.au"),
        ("@evil.com", "x@notevil.com"),
        ("@evil.com", "evil.com"),
        ("@evil.com", "dana@acme.com"),
        ("@evil.com", f"dana@{'x' * 64}.com"),
    ],
)
def test_a_restriction_leaves_others_alone(named: str, address: str):
    """Deny does not reach addresses that only contain the named one."""
    restriction = rule(Decision.DENY, "recipient", named)
    assert decide(mail(to=[address]), evidence(AUTONOMOUS, restriction)).decision is Decision.ALLOW


def test_a_restriction_on_an_argument_needs_a_value_there():
    """`*` means any value, so an empty argument is not restricted."""
    restriction = rule(Decision.DENY, "bcc", "*")
    assert decide(mail(to=[DANA]), evidence(AUTONOMOUS, restriction)).decision is Decision.ALLOW
    assert decide(mail(to=[DANA], bcc=[DANA]), evidence(AUTONOMOUS, restriction)).decision is Decision.DENY


def test_arguments_are_named_by_parameter_or_by_role():
    """`attendees` and `role:destination` reach a guest; `role:content` reaches the title; `to` reaches neither."""
    for argument, expected in {
        "attendees": Decision.DENY,
        "role:destination": Decision.DENY,
        "role:content": Decision.ALLOW,
        "to": Decision.ALLOW,
        "recipient": Decision.ALLOW,
    }.items():
        verdict = decide(event(DANA), evidence(AUTONOMOUS, rule(Decision.DENY, argument, DANA)))
        assert verdict.decision is expected, argument
    titled = rule(Decision.ASK, "role:content", "FAIR")
    assert decide(event(DANA, title=" Fair\t"), evidence(AUTONOMOUS, titled)).decision is Decision.ASK


@pytest.mark.parametrize("argument", ["attendees", "role:destination"])
@pytest.mark.parametrize("value", ["*", None])
def test_an_administrator_may_allow_any_value(argument: str, value: str | None):
    """Without a value, or with `*`, an allow covers whatever the argument holds."""
    any_guest = rule(Decision.ALLOW, argument, value, tool="calendar_event_create")
    assert decide(event("whoever@where.example"), evidence(DELEGATED, any_guest)).decision is Decision.ALLOW


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("dana@acme.com", "dana@acme.com"),
        ("  Dana@Acme.com ", "dana@acme.com"),
        ("@Acme.com", "@acme.com"),
        ("dana.o'hara+oak@mail.acme.co.uk", "dana.o'hara+oak@mail.acme.co.uk"),
        ("joerg@bänke.example", "joerg@bänke.example"),
        ("<mailto:dana@acme.com|dana@acme.com>", "dana@acme.com"),
        ("<mailto:dana@acme.com>", "dana@acme.com"),
    ],
)
def test_what_people_type_becomes_an_allow_list_entry(typed: str, value: str):
    """A typed address or domain becomes an own allow rule that then lets mail there out."""
    entry = recipient_rule(typed, id="a1")
    assert (entry.value, entry.by, entry.decision) == (value, RuleAuthor.OWNER, Decision.ALLOW)
    to = value if not value.startswith("@") else f"dana{value}"
    assert decide(mail(to=[to]), evidence(DELEGATED, entry)).rule == "level.delegated.allow_list"


@pytest.mark.parametrize(
    "typed",
    [
        *("", "dana", "@", "*", "*@acme.com", "a@b@c", "a@b, c@d", "Dana <dana@acme.com>"),
        *("dana@acme.com\u200b", "<@U1>"),
        *("“dana@acme.com”", "‘dana@acme.com’", "«dana@acme.com»", "dana@acme.com’"),
        *("@com", "a@x", "a@x.", "a@.com", ".a@x.com", "a..b@x.com", "a@-x.com", "a@x_.com", "a@x.c"),
        "<mailto:dana@acme.com|dana@acme.com> <mailto:eve@evil.com|eve@evil.com>",
        "<mailto:eve@evil.com|dana@acme.com>",
        *("jörg@acme.com", "d\u0430na@acme.com", f"{'x' * 65}@acme.com", f"x@{'a.' * 130}com"),
    ],
)
def test_what_is_no_address_is_refused(typed: str):
    """Everything else is refused with words that say what to type."""
    with pytest.raises(InvalidRecipient, match=r"dana@acme\.com"):
        recipient_rule(typed, id="a1")
