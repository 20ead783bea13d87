"""How rules match values, in both directions."""

from __future__ import annotations

import pytest

from policies.engine import decide
from policies.errors import InvalidRecipient
from policies.rules import counts, named, recipient_rule
from policies.types import Decision, Role, RuleAuthor, TrustLevel
from tests.unit.policies.cases import DANA, allowed, event, evidence, mail, rule

DELEGATED, AUTONOMOUS = TrustLevel.DELEGATED, TrustLevel.AUTONOMOUS
LONGEST = f"x@{'a.' * 124}comm"  # 254 characters


@pytest.mark.parametrize(
    ("listed", "address", "decision"),
    [
        ("dana@acme.com", "dana@acme.com", Decision.ALLOW),
        ("dana@acme.com", "Dana@ACME.com", Decision.ALLOW),
        ("Dana@Acme.com", "dana@acme.com", Decision.ALLOW),
        ("dana+x@acme.com", "dana+x@acme.com", Decision.ALLOW),
        ("dána@acme.com", "dána@acme.com", Decision.ALLOW),
        ("@acme.com", "dana@acme.com", Decision.ALLOW),
        ("@acme.com", "anybody+tag@ACME.COM", Decision.ALLOW),
        ("@Acme.com", "dana@acme.com", Decision.ALLOW),
        ("dana@acme.com", "dana@acme.com.evil.com", Decision.ASK),
        ("dana@acme.com", "xdana@acme.com", Decision.ASK),
        ("dana@acme.com", "dana+x@acme.com", Decision.ASK),
        ("dana@acme.com", "dana@acme.co", Decision.ASK),
        ("dana@acme.com", "dаna@acme.com", Decision.ASK),  # a Cyrillic а
        ("boss@acme.com", "boſs@acme.com", Decision.ASK),  # casefold makes ſ an s
        ("kim@acme.com", "\u212aim@acme.com", Decision.ASK),  # lower makes the Kelvin sign a k
        ("dana@acme.com", "ｄana@acme.com", Decision.ASK),  # NFKC makes it a d
        ("dana@acme.com", "dana@acme.com\u200b", Decision.ASK),
        ("dana@acme.com", "dana@acme.com ", Decision.ASK),
        ("dana@acme.com", "dana@acme.com.", Decision.ASK),
        ("dana@acme.com", "dana@acme.com, x@evil.example", Decision.ASK),
        ("dana@acme.com", '"dana@acme.com" <x@evil.example>', Decision.ASK),
        ("dana@acme.com", "Dana <dana@acme.com>", Decision.ASK),
        ("dána@acme.com", "DÁNA@acme.com", Decision.ASK),
        ("@acme.com", "dana@mail.acme.com", Decision.ASK),
        ("@acme.com", "dana@evilacme.com", Decision.ASK),
        ("@acme.com", "dana@acme.com.evil.com", Decision.ASK),
        ("@acme.com", "x@evil.example, dana@acme.com", Decision.ASK),
        ("@acme.com", "x@evil.example@acme.com", Decision.ASK),
        ("@acme.com", "x\u200b@acme.com", Decision.ASK),
        ("@acme.com", "@acme.com", Decision.ASK),
        ("@acme.com", "acme.com", Decision.ASK),
        ("@acme.com", "x@evil.example\r\nBcc: y@acme.com", Decision.ASK),
    ],
)
def test_an_allow_takes_its_value_literally(listed: str, address: str, decision: Decision):
    """Allow matches the same address, or any address of exactly that domain, in any ASCII case; whatever merely
    resembles it is asked.
    """
    assert decide(mail(to=[address]), evidence(DELEGATED, allowed(listed))).decision is decision


@pytest.mark.parametrize(
    ("named", "address"),
    [
        ("x@evil.com", "X@Evil.com"),
        ("x@evil.com", "ｘ@evil.com"),
        ("x@evil.com", "Nice Name <x@evil.com>"),
        ("x@evil.com", "dana@acme.com, x@evil.com"),
        ("x@evil.com", " x@evil.com. "),
        ("x@evil.com", "x+invoices@evil.com"),
        ("x@gmail.com", "X <x+1@googlemail.com>"),
        ("@evil.com", "anybody@evil.com"),
        ("@evil.com", "Somebody <anybody@EVIL.com>"),
        ("@evil.com", "anybody@mail.evil.com"),
        ("@evil.com", "x@acme.com@evil.com"),
        ("@bücher.example", "x@xn--bcher-kva.example"),
        ("@xn--bcher-kva.example", "X <x@mail.BÜCHER.example>"),
        ("@bücher.example", "x@acme.com@xn--bcher-kva.example"),
        ("@xn--bcher-kva.example", "x@acme.com@bücher.example"),
        ("x@bücher.example", "x@xn--bcher-kva.example"),
        ("@evil.com", "x@evil。com"),
        ("*", "whoever@acme.com"),
        (None, "whoever@acme.com"),
    ],
)
@pytest.mark.parametrize("decision", [Decision.DENY, Decision.ASK])
def test_a_restriction_finds_its_address_in_disguise(named: str | None, address: str, decision: Decision):
    """Deny and ask look inside display names and lists, fold width, case and tags, and take subdomains along."""
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
    ("decision", "level", "expected"),
    [
        (Decision.ALLOW, DELEGATED, True),
        (Decision.ALLOW, AUTONOMOUS, True),
        (Decision.ALLOW, TrustLevel.SUPERVISED, False),
        (Decision.ASK, AUTONOMOUS, False),
        (Decision.DENY, AUTONOMOUS, False),
    ],
)
def test_only_what_allows_lets_anything_through(decision: Decision, level: TrustLevel, expected: bool):
    """A rule that asks about somebody, or denies them, is no word for them; nor is any below `delegated`."""
    assert counts(rule(decision, "recipient", DANA), level) is expected


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
        (f"{'x' * 64}@acme.com", f"{'x' * 64}@acme.com"),
        (LONGEST, LONGEST),
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
        *("jörg@acme.com", "d\u0430na@acme.com", f"{'x' * 65}@acme.com", f"x{LONGEST}"),
    ],
)
def test_what_is_no_address_is_refused(typed: str):
    """Everything else is refused with words that say what to type."""
    with pytest.raises(InvalidRecipient, match=r"dana@acme\.com"):
        recipient_rule(typed, id="a1")


def test_a_value_that_was_found_is_a_recipient_only_where_a_mail_goes_there() -> None:
    """Its role alone is its name elsewhere."""
    assert named(DANA, Role.DESTINATION, mail()).names == {"role:destination", "recipient"}
    assert named("https://acme.com", Role.URL, mail()).names == {"role:url"}
    assert named(DANA, Role.DESTINATION, event()).names == {"role:destination"}
