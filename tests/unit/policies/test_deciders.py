"""Several deciders: who counts, who is asked next, and rules that nobody can meet. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from itertools import chain, combinations, permutations, product
from typing import Any

import pytest

from policies import engine, loader
from policies.deciders import (
    Approver,
    Deciders,
    can_agree,
    counts,
    counts_until,
    have_agreed,
    next_reader,
    still_agree,
    turn_minutes,
    turns_over,
)
from policies.errors import InvalidPolicy
from policies.evidence import Evidence, evidence_as_json, evidence_from_json
from policies.types import Decision, EffectClass, ProposedAction, Rule, RuleAuthor, TrustLevel
from tests.unit.policies import cases

A, B, C, D, S, T = "UA", "UB", "UC", "UD", "US", "UT"
MAIL = ProposedAction(tool="gmail_send", effect=EffectClass.EXTERNAL)


def deciders(*seats: tuple[str, str], needed: int = 1, minutes: int = 60) -> Deciders:
    approvers = tuple(Approver(user=user, stand_in=stand_in) for user, stand_in in seats)
    return Deciders(approvers=approvers, needed=needed, turn_minutes=minutes)


def rule(id: str, named: Deciders | None) -> Rule:
    return Rule(id=id, decision=Decision.ASK, tool="*", by=RuleAuthor.ADMIN, reason=f"{id} asks.", deciders=named)


def evidence(rules: Sequence[Rule], **more: Any) -> Evidence:
    return replace(cases.evidence(TrustLevel.SUPERVISED, *rules), **more)


@pytest.mark.parametrize(
    ("named", "said"),
    [
        (deciders(), "names no approvers"),
        (deciders((A, ""), (A, "")), "names an approver twice"),
        (deciders((A, ""), needed=2), "2 have to agree, but it names 1"),
        (deciders((A, ""), needed=0), "0 have to agree"),
        (deciders((A, ""), minutes=0), "at least a minute"),
        (deciders((A, A)), "cannot stand in for themselves"),
        (deciders((A, A), (B, S)), "cannot stand in for themselves"),
        (deciders((A, B), (B, "")), "cannot be an approver, too"),
        (deciders((A, S), (B, S)), "stands in for two approvers"),
        (deciders((A, S), (B, T), needed=2), ""),
        (deciders((A, ""), minutes=1), ""),
    ],
)
def test_a_rule_that_contradicts_itself_is_refused(named: Deciders, said: str) -> None:
    """Where it is read, and again where it would count: it denies, whoever wrote it."""
    assert said in named.fault
    assert bool(named.fault) is bool(said)
    verdict = engine.decide(MAIL, evidence([rule("r1", named)]))
    assert verdict.decision is (Decision.DENY if said else Decision.ASK)


END = datetime(2026, 12, 15, tzinfo=UTC)
BEFORE = END - timedelta(microseconds=1)


def until(end: datetime | None, *seats: tuple[str, str], needed: int = 1) -> Deciders:
    """The same, where everybody who stands in does so until then."""
    named = deciders(*seats, needed=needed)
    ends = [replace(seat, until=end) if seat.stand_in else seat for seat in named.approvers]
    return replace(named, approvers=tuple(ends))


def test_a_stand_in_counts_until_their_end() -> None:
    """Before it they are asked, and agree; from then on the approver has nobody, and all others stay."""
    two = until(END, (A, S), (B, T), needed=2)
    assert two.at(BEFORE) == two
    assert two.at(END) == deciders((A, ""), (B, ""), needed=2)
    assert next_reader([two.at(BEFORE)], {}, {A}) == S
    assert next_reader([two.at(END)], {}, {A}) is None
    assert have_agreed([two.at(BEFORE)], {S, B}, {A})
    assert not have_agreed([two.at(END)], {S, B}, {A})
    assert counts([two], S, BEFORE)
    assert not counts([two], S, END)
    assert counts([two], A, END)
    assert counts([two, deciders((S, ""))], S, END), "they are an approver of another rule"
    assert until(None, (A, S)).at(END) == deciders((A, S)), "a rule of before there were ends has none"


def test_who_sits_in_an_approvers_place_does_so_until_their_end() -> None:
    """The approver is away when the card is made: the end goes with the seat, and with nobody else."""
    named = until(END, (A, S), (B, T))
    sitting = named.present(requester="", absent={A})
    assert sitting.people == {S, B, T}
    assert sitting.at(END).people == {B}
    assert sitting.present(requester=C, absent={D}).at(END).people == {B}
    assert counts_until([sitting], S) == END
    assert named.present(requester="", absent={S}).at(END).people == {A, B}
    assert named.present(requester="", absent={A}, now=END).people == {B}
    assert named.present(requester="", absent={A, S}).people == {B, T}


def test_until_when_somebody_counts() -> None:
    """Who stands in, until their end; the latest counts, and none for who has to agree themselves."""
    later = END + timedelta(days=1)
    one, two = until(END, (A, S)), until(later, (B, S))
    assert counts_until([one], S) == END
    assert counts_until([one, two], S) == later
    assert counts_until([two, one], S) == later
    assert counts_until([one, deciders((B, ""))], S) == END, "another rule says nothing of them"
    assert counts_until([one], A) is None
    assert until(END, (A, S), (B, "")).has_ends
    assert not deciders((A, S)).has_ends
    assert counts_until([one, deciders((S, ""))], S) is None
    assert counts_until([deciders((A, S))], S) is None


def test_ends_are_kept_as_they_were_chosen() -> None:
    """As JSON and back, with their distance from UTC; what has none is what it was before there were ends."""
    named = until(datetime.fromisoformat("2026-12-15T00:00:00+09:00"), (A, S), (B, ""))
    said = named.as_json()
    assert said["approvers"][0]["until"] == "2026-12-15T00:00:00+09:00"
    assert Deciders.from_json(said) == named
    plain = deciders((A, S)).as_json()
    assert plain["approvers"] == ({"user": A, "stand_in": S},)
    assert Deciders.from_json(plain) == deciders((A, S))
    assert asdict(Deciders.from_json(said)) == asdict(named)


def test_policy_knows_who_stands_in_no_more() -> None:
    """What is evaluated after the end has no stand-in; stored evidence says the same, and what has no ends is as it was
    stored before there were any.
    """
    before, after = (
        evidence([rule("r1", until(END, (A, S)))], absent=frozenset({A}), now=now) for now in (BEFORE, END)
    )
    assert engine.decide(MAIL, before).decision is Decision.ASK
    assert engine.decide(MAIL, after).decision is Decision.DENY
    for one in (before, after):
        assert engine.decide(MAIL, evidence_from_json(evidence_as_json(one))) == engine.decide(MAIL, one)
    plain = evidence_as_json(evidence([rule("r1", deciders((A, S)))]))
    assert "until" not in str(plain)
    assert "now" not in plain


def test_who_is_asked_next() -> None:
    """In their order, the stand-in behind the approver, nobody beyond the number, None where too few are left."""
    two = [deciders((A, S), (B, ""), (C, T), needed=2)]
    assert next_reader(two, {}, {}) == A
    assert next_reader(two, {A}, {}) == B
    assert next_reader(two, {A, B}, {}) is None
    assert next_reader(two, {}, {A}) == S
    assert next_reader(two, {S}, {A}) == B
    assert next_reader(two, {S}, {A, B}) == C
    assert next_reader(two, {}, {A, S, B}) is None
    assert next_reader([*two, deciders((D, ""))], {A, B}, {}) == D
    assert next_reader([deciders((D, "")), *two], {}, {A, S, B}) is None
    named = [deciders((A, ""), minutes=9), deciders((B, A), minutes=4), deciders((C, ""), minutes=1)]
    assert turn_minutes(named, A) == 4


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_whoever_may_stand_in_for_another_is_asked_after_them(order: tuple[int, int]) -> None:
    """Whichever rule comes first; where each may stand in for the other, it is the same one in any order."""
    one, other = ((deciders((A, B)), deciders((B, A)))[at] for at in order)
    assert next_reader([one, other], {}, {}) == A
    one, other = ((deciders((B, "")), deciders((A, B)))[at] for at in order)
    assert next_reader([one, other], {}, {}) == A
    assert next_reader([deciders((A, S)), deciders((B, ""))], {}, {A}) == S


@pytest.mark.parametrize(("needed", "all_of_them"), [(1, False), (2, True)])
def test_whether_all_have_to_agree(needed: int, all_of_them: bool) -> None:
    """Then what one of them asks for leaves too few."""
    named = deciders((A, ""), (B, ""), needed=needed)
    assert named.needs_all is all_of_them
    assert named.present(requester=A, absent=()).is_possible is not all_of_them


@pytest.mark.parametrize(
    ("tool", "argument", "value", "deed", "said"),
    [
        ("*", "role:destination", "@acme.example", "send a mail", "to everything that goes to @acme.example"),
        ("*", "role:destination", None, "send a mail", "to everything that goes to anybody"),
        ("*", None, None, "send a mail", "to everything"),
        ("gmail_send", None, None, "send a mail", "before I send a mail"),
        ("gmail_send", "recipient", "@acme.example", "send a mail", "before I send a mail to @acme.example"),
        ("gmail_send", "recipient", None, "send a mail", "before I send a mail to anybody"),
        ("gmail_send", None, None, "", "to gmail_send"),
    ],
)
def test_an_administrators_rule_says_what_it_is_about(
    tool: str, argument: str | None, value: str | None, deed: str, said: str
) -> None:
    """Rows keep no reason: the card says what the rule asks for, by the tool's id only where it has no other name."""
    about = {"tool": tool, "argument": argument, "value": value, "deciders": deciders((A, ""))}
    admins = replace(rule("four_eyes", None), reason="", **about)
    mail = replace(cases.mail(to=["dana@acme.example"]), deed=deed)
    asked = engine.decide(mail, evidence([admins])).reason
    assert asked == f"An administrator's rule says who else has to agree {said}."


def test_nobody_counts_twice() -> None:
    """An approver and their stand-in are one yes: for every set of people the number is that of approvers."""
    two = deciders((A, S), (B, T), (C, ""), needed=2)
    people = sorted(two.people)
    for agreed in chain.from_iterable(combinations(people, n) for n in range(len(people) + 1)):
        seats = sum(any(one in agreed for one in seat) for seat in ({A, S}, {B, T}, {C}))
        over = set(people) - set(agreed)
        assert have_agreed([two], agreed, over) is (seats >= 2)
        assert still_agree([two], agreed) is (seats >= 2)
        assert can_agree([two], agreed, over) is (seats >= 2)


def test_a_stand_in_counts_once_the_approvers_turn_is_over() -> None:
    """Not before, whatever they said yes to in another rule; then the yes that they gave counts."""
    both = [deciders((S, "")), deciders((A, S))]
    for rules in (both, both[::-1]):
        assert not have_agreed(rules, {S}, ())
        assert have_agreed(rules, {S}, {A})
        assert [next_reader(rules, agreed, over) for agreed, over in (((), ()), ({S}, ()), ((), {A}))] == [A, A, S]
    assert turns_over(both, [S], {S}) == {A}
    assert turns_over(both, [A, S], {A, S}) == frozenset()
    assert turns_over(both, [A, S], {S}) == {A}


RULES = [deciders((S, "")), deciders((A, S)), deciders((B, ""), (S, "")), deciders((A, S), (B, T), needed=2)]


@pytest.mark.parametrize("rules", list(combinations(RULES, 2)) + list(combinations(RULES, 3)))
def test_in_every_order_of_the_rules_each_is_met_by_itself(rules: Sequence[Deciders]) -> None:
    """Whoever says yes or nothing in their turn: in every order the same comes of it, and nobody counts for an approver
    who was not asked.
    """
    people = sorted({person for each in rules for person in each.people})
    for said in product((True, False), repeat=len(people)):
        willing = {person for person, yes in zip(people, said, strict=True) if yes}
        ends = {_end(order, willing) for order in permutations(rules)}
        assert len(ends) == 1, (willing, ends)


def _end(rules: Sequence[Deciders], willing: set[str]) -> bool:
    """Whether it is decided, where each is asked in turn; each rule is then looked at by itself."""
    asked = list[str]()
    while reader := next_reader(rules, willing & {*asked}, turns_over(rules, asked, willing & {*asked})):
        assert reader not in asked
        asked.append(reader)
    yes, silent = willing & {*asked}, {*asked} - willing
    lasting = {*asked[-1:]} - willing  # nobody can be asked behind them, so their turn ends with the question
    decided = have_agreed(rules, yes, turns_over(rules, asked, yes) - lasting)
    for each in rules:
        met = [seat.user in yes or (seat.stand_in in yes and seat.user in silent) for seat in each.approvers]
        assert not decided or sum(met) >= each.needed
    return decided


def test_the_requester_is_none_of_them() -> None:
    """Neither they, nor who stands in for them, nor they for somebody else; another stands where one is absent."""
    named = deciders((A, S), (B, T), (C, D), needed=2)
    assert named.present(requester=A, absent=()).people == {B, T, C, D}
    assert named.present(requester=T, absent={B}).people == {A, S, C, D}
    assert [seat.user for seat in named.present(requester=D, absent={A, B}).approvers] == [S, T, C]
    assert named.present(requester="", absent={A}).approvers[0] == Approver(user=S)


@pytest.mark.parametrize(
    ("requester", "absent", "said"),
    [
        ("UX", (), ""),
        (A, (), "nobody but the person who asked"),
        ("UX", (A,), "only 0 of them may decide at the moment"),
    ],
)
def test_what_nobody_may_decide_is_denied(requester: str, absent: tuple[str, ...], said: str) -> None:
    """Never approved instead; the reason can be read."""
    verdict = engine.decide(
        MAIL, evidence([rule("r1", deciders((A, "")))], requester=requester, absent=frozenset(absent))
    )
    assert (verdict.decision, verdict.rule) == (Decision.DENY if said else Decision.ASK, "rule.r1")
    assert said in verdict.reason


def test_who_stands_in_for_the_person_who_asks_is_said_to_be_named() -> None:
    """They cannot agree in the place of who asked, and the rule does name them."""
    verdict = engine.decide(MAIL, evidence([rule("r1", deciders((A, S)))], requester=A))
    assert verdict.decision is Decision.DENY
    assert verdict.reason.endswith("the rule names nobody but the person who asked and who stands in for them.")


def test_every_rule_that_asks_is_met() -> None:
    """All deciders of all rules that match, once each, under the first rule that names any; a deny goes before."""
    first, more = deciders((A, "")), deciders((B, ""))
    asks = [rule("plain", None), rule("r1", first), rule("r2", more), rule("r3", first)]
    verdict = engine.decide(MAIL, evidence(asks, requester="UX"))
    assert (verdict.rule, verdict.deciders) == ("rule.r1", (first, more))
    no = Rule(id="no", decision=Decision.DENY, tool="*", by=RuleAuthor.ADMIN)
    denied = engine.decide(MAIL, evidence([*asks, no]))
    assert (denied.decision, denied.deciders) == (Decision.DENY, ())
    assert engine.named_deciders(MAIL, evidence(asks)) == {A, B}
    elsewhere = replace(rule("r4", deciders((C, ""))), tool="calendar_event_create")
    assert engine.named_deciders(MAIL, evidence([*asks, elsewhere])) == {A, B}


def test_nobody_agrees_to_what_is_denied() -> None:
    """Though the rule names who would have to."""
    no = replace(rule("no", deciders((A, ""))), decision=Decision.DENY)
    denied = engine.decide(MAIL, evidence([no], requester=A))
    assert (denied.decision, denied.reason, denied.deciders) == (Decision.DENY, "no asks.", ())


def test_evidence_keeps_who_may_decide() -> None:
    """Stored and read again it gives the same verdict; without deciders it is as it was before there were any."""
    known = evidence([rule("r1", deciders((A, S)))], requester="UX", absent=frozenset({A}))
    again = evidence_from_json(evidence_as_json(known))
    assert again == known
    assert engine.decide(MAIL, again) == engine.decide(MAIL, known)
    plain = evidence_as_json(evidence([rule("r1", None)]))
    assert {"requester", "absent"}.isdisjoint(plain)
    assert "deciders" not in str(plain)


ROW = "rules:\n  - id: r1\n    decision: {decision}\n    tool: {tool}\n    reason: Because.\n{more}"


def parsed(more: str, decision: str = "ask") -> Any:
    constitution = "---\ntools:\n  - gmail_send\n---\nBe good.\n"
    text = ROW.format(decision=decision, tool="gmail_send", more="".join(f"    {line}\n" for line in more.split("|")))
    return loader.parse(policy=text, constitution=constitution).rules[0].deciders


def test_policy_yaml_names_deciders() -> None:
    """Its keys, and what they are where they are left out."""
    assert parsed("approvers:|  - U1|  - W2") == deciders(("U1", ""), ("W2", ""), minutes=240)
    given = "approvers:|  - U1|  - U2|needed: 2|turn_minutes: 30|stand_ins:|  U1: U3"
    assert parsed(given) == deciders(("U1", "U3"), ("U2", ""), needed=2, minutes=30)


@pytest.mark.parametrize(
    ("more", "decision", "said"),
    [
        ("needed: 2", "ask", "names no approvers"),
        ("approvers:|  - U1", "allow", "must be “ask”"),
        ("approvers:|  - U1|needed: 2", "ask", "2 have to agree, but it names 1"),
        ("approvers:|  - U1|stand_ins:|  U1: U1", "ask", "stand in for themselves"),
        ("approvers:|  - U1|stand_ins:|  U2: U3", "ask", "U2, who is none of its approvers"),
        ("approvers:|  - dana@x.example", "ask", "approvers.0"),
        ("approvers:|  - U1|turns: 3", "ask", "there is no such key"),
        ("approvers:|  - U1|needed: 0", "ask", "needed"),
    ],
)
def test_contradictory_rows_of_policy_yaml_are_refused(more: str, decision: str, said: str) -> None:
    """At the start, with the rule and what is wrong."""
    with pytest.raises(InvalidPolicy, match=r"^policy\.yaml(:\d+)? is not a valid policy: ") as refused:
        parsed(more, decision)
    assert said in str(refused.value)
