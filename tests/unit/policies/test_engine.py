"""The decision: hard stops, rules, levels, and only tightening after them."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from typing import cast

import pytest

from policies import trust
from policies.engine import decide, is_by_rule, needs, tightened
from policies.types import (
    Argument,
    Decision,
    EffectClass,
    Need,
    ProposedAction,
    Role,
    Rule,
    RuleAuthor,
    TrustLevel,
    Verdict,
)
from tests.unit.policies.cases import DANA, EFFECTS, EVIL, action, allowed, event, evidence, mail, reply, rule

ALLOW, ASK, DENY = Decision.ALLOW, Decision.ASK, Decision.DENY
SUPERVISED, DELEGATED, AUTONOMOUS = TrustLevel.SUPERVISED, TrustLevel.DELEGATED, TrustLevel.AUTONOMOUS
LEVELS = tuple(TrustLevel)

TABLE = {
    (EffectClass.READ, SUPERVISED): ALLOW,
    (EffectClass.READ, DELEGATED): ALLOW,
    (EffectClass.READ, AUTONOMOUS): ALLOW,
    (EffectClass.OWN, SUPERVISED): ALLOW,
    (EffectClass.OWN, DELEGATED): ALLOW,
    (EffectClass.OWN, AUTONOMOUS): ALLOW,
    (EffectClass.PRIVATE_WRITE, SUPERVISED): ASK,
    (EffectClass.PRIVATE_WRITE, DELEGATED): ASK,
    (EffectClass.PRIVATE_WRITE, AUTONOMOUS): ALLOW,
    (EffectClass.EXTERNAL, SUPERVISED): ASK,
    (EffectClass.EXTERNAL, DELEGATED): ASK,
    (EffectClass.EXTERNAL, AUTONOMOUS): ALLOW,
    (EffectClass.DESTRUCTIVE, SUPERVISED): ASK,
    (EffectClass.DESTRUCTIVE, DELEGATED): ASK,
    (EffectClass.DESTRUCTIVE, AUTONOMOUS): ALLOW,
}


def test_the_table_is_complete():
    """Every effect class has a default at every level."""
    assert set(TABLE) == set(itertools.product(EffectClass, TrustLevel))


@pytest.mark.parametrize("tool", EFFECTS)
@pytest.mark.parametrize("level", LEVELS)
def test_without_a_rule_the_level_decides(tool: str, level: TrustLevel):
    """With no rule, the effect class and the level alone decide, and the verdict names the level."""
    verdict = decide(action(tool), evidence(level))
    assert verdict.decision is TABLE[EFFECTS[tool], level]
    assert verdict.rule == f"level.{level.value}"
    assert verdict.reason


@pytest.mark.parametrize(
    ("proposed", "level", "said"),
    [
        (mail(to=[EVIL]), SUPERVISED, "Asked because your trust level is supervised."),
        (mail(to=[DANA, EVIL]), DELEGATED, "this goes to another one. /agent allow adds an address"),
        (mail(to=[EVIL], tool="gmail_draft_create"), DELEGATED, "every other change waits for your click"),
        (event(DANA), DELEGATED, "every other change waits for your click"),
        (action("gmail_search"), SUPERVISED, "Nothing outside is changed by this"),
        (action("save_memory"), DELEGATED, "Nothing outside is changed by this"),
        (mail(to=[EVIL]), AUTONOMOUS, "Not asked because your trust level is autonomous."),
    ],
)
def test_the_reason_of_a_level_is_about_this_call(proposed: ProposedAction, level: TrustLevel, said: str):
    """Who is asked learns why this call waits, and what would change it; a look-up is not said to wait for a click."""
    listed = rule(ALLOW, "recipient", DANA, by=RuleAuthor.OWNER)
    assert said in decide(proposed, evidence(level, listed)).reason


def test_a_level_that_lets_a_change_through_does_not_say_that_nothing_changes(monkeypatch: pytest.MonkeyPatch):
    """Nothing outside is changed only where the level asks about all that changes something there."""
    bolder = replace(trust.LEVELS[SUPERVISED], asks=frozenset({EffectClass.EXTERNAL}))
    monkeypatch.setattr(trust, "LEVELS", {**trust.LEVELS, SUPERVISED: bolder})
    assert trust.reason(SUPERVISED, ALLOW, mail=False) == "Not asked because your trust level is supervised."


# Hard stops -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("tool", EFFECTS)
def test_hard_stops_deny_at_every_level(tool: str, level: TrustLevel):
    """An unlisted tool and a tool that was not offered are denied whatever rules allow."""
    everything = rule(ALLOW)
    at = evidence(level, everything)
    assert decide(action(tool, offered=False), at).rule == "agent"
    unlisted = evidence(level, everything, tools=[other for other in EFFECTS if other != tool])
    verdict = decide(action(tool), unlisted)
    assert (verdict.decision, verdict.rule) == (DENY, "constitution")


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("tool", EFFECTS)
def test_the_kill_switch_denies_every_side_effect_and_nothing_else(tool: str, level: TrustLevel):
    """With side effects off, what changes something outside is denied; reading and our own store go on."""
    verdict = decide(action(tool), evidence(level, rule(ALLOW), enabled=False))
    if EFFECTS[tool].is_side_effect():
        assert (verdict.decision, verdict.rule) == (DENY, "kill_switch")
    else:
        assert verdict.decision is ALLOW


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("tool", EFFECTS)
def test_nothing_is_done_for_somebody_who_is_no_member(tool: str, level: TrustLevel):
    """A guest, or somebody who left since asking, gets nothing read and nothing done, whatever rules say."""
    verdict = decide(action(tool), evidence(level, rule(ALLOW), member=False))
    assert (verdict.decision, verdict.rule) == (DENY, "requester")


def test_an_error_inside_denies(caplog: pytest.LogCaptureFixture):
    """Evidence that makes the engine fail denies under the rule `error`, raises nothing, and leaves its traceback."""
    broken = evidence(cast("TrustLevel", "omnipotent"))
    verdict = decide(action("gmail_send"), broken)
    assert (verdict.decision, verdict.rule) == (DENY, "error")
    assert "KeyError" in verdict.reason or "ValueError" in verdict.reason
    assert [(line.message, line.exc_info is not None) for line in caplog.records] == [("policy.failed", True)]


# Rules ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS)
def test_deny_beats_ask_beats_allow(level: TrustLevel):
    """In whatever order the rules stand, the strictest that matches decides; allow is heard from `delegated` upward."""
    candidates = {d: rule(d, id=d.value, tool="gmail_send") for d in Decision}
    for size in (1, 2, 3):
        for chosen in itertools.permutations(candidates, size):
            verdict = decide(mail(to=[EVIL]), evidence(level, *(candidates[d] for d in chosen)))
            if DENY in chosen:
                assert (verdict.decision, verdict.rule) == (DENY, "rule.deny")
            elif ASK in chosen:
                assert (verdict.decision, verdict.rule) == (ASK, "rule.ask")
            elif level.at_least(DELEGATED):
                assert (verdict.decision, verdict.rule) == (ALLOW, "rule.allow")
            else:
                assert (verdict.decision, verdict.rule) == (ASK, "level.supervised")


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("tool", EFFECTS)
def test_a_rule_about_another_tool_changes_nothing(tool: str, level: TrustLevel):
    """A rule speaks of its own tool only."""
    others = [rule(d, tool="slack_read") for d in Decision]
    assert decide(action(tool), evidence(level, *others)) == decide(action(tool), evidence(level))


@pytest.mark.parametrize("tool", EFFECTS)
@pytest.mark.parametrize("by", list(RuleAuthor))
def test_anybody_may_tighten_anything(tool: str, by: RuleAuthor):
    """Deny and ask rules of every author count at every level and for every tool, reading included."""
    for level, decision in itertools.product(LEVELS, (DENY, ASK)):
        verdict = decide(action(tool), evidence(level, rule(decision, tool=tool, by=by)))
        assert verdict.decision is decision
        assert verdict.rule == ("shipped.r1" if by is RuleAuthor.SHIPPED else "rule.r1")


def test_the_reason_is_the_rules_own_or_says_whose_rule_it_is():
    """A rule with a reason gives it; one without is described with its author."""
    told = rule(DENY, "recipient", EVIL, reason="We had a quarrel.")
    assert decide(mail(to=[EVIL]), evidence(SUPERVISED, told)).reason == "We had a quarrel."
    untold = rule(DENY, "recipient", EVIL, by=RuleAuthor.OWNER)
    reason = decide(mail(to=[EVIL]), evidence(SUPERVISED, untold)).reason
    assert reason == f"Your own rule says deny for everything (recipient {EVIL})."
    call, admins = mail(to=[EVIL]), replace(rule(ASK), tool="gmail_send")
    assert decide(call, evidence(SUPERVISED, admins)).reason == "An administrator's rule says ask for gmail_send."
    named = decide(replace(call, deed="send a mail"), evidence(SUPERVISED, admins))
    assert named.reason == "An administrator's rule says ask for “send a mail”."


def test_a_rule_may_be_about_any_link():
    """As about one, however that is written."""
    call = action("gmail_send", Argument(name="link", role=Role.URL, values=("https://evil.example/pay",)))
    assert decide(call, evidence(AUTONOMOUS, rule(DENY, "role:url"))).rule == "rule.r1"
    assert decide(call, evidence(AUTONOMOUS, rule(DENY, "role:url", "https://evil.example/pay"))).rule == "rule.r1"
    assert decide(call, evidence(AUTONOMOUS, rule(DENY, "role:url", "good.example"))).decision is ALLOW
    assert decide(action("gmail_send"), evidence(AUTONOMOUS, rule(DENY, "role:url"))).decision is ALLOW


# The allow-list ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tool", ["gmail_send", "gmail_draft_create"])
@pytest.mark.parametrize("level", LEVELS)
def test_delegated_mail_goes_out_only_when_every_address_is_listed(tool: str, level: TrustLevel):
    """To, Cc and Bcc, each empty, listed, unlisted or mixed: only at least one address, all listed, is allowed."""
    fillings: list[list[str]] = [[], [DANA], [EVIL], ["bob@acme.com", EVIL]]
    listed = (allowed(DANA), allowed("bob@acme.com", id="a2"))
    for to, cc, bcc in itertools.product(fillings, repeat=3):
        everybody = [*to, *cc, *bcc]
        verdict = decide(mail(to=to, cc=cc, bcc=bcc, tool=tool), evidence(level, *listed))
        if everybody and EVIL not in everybody and level.at_least(DELEGATED):
            assert (verdict.decision, verdict.rule) == (ALLOW, f"level.{level.value}.allow_list")
        else:
            assert verdict.decision is (ALLOW if level is AUTONOMOUS else ASK)
            assert verdict.rule == f"level.{level.value}"


@pytest.mark.parametrize(
    "own",
    [
        rule(ALLOW, by=RuleAuthor.OWNER),
        rule(ALLOW, by=RuleAuthor.OWNER, tool="gmail_send"),
        rule(ALLOW, "recipient", by=RuleAuthor.OWNER),
        rule(ALLOW, "recipient", "*", by=RuleAuthor.OWNER),
        rule(ALLOW, "to", DANA, by=RuleAuthor.OWNER),
        rule(ALLOW, "role:destination", DANA, by=RuleAuthor.OWNER),
        rule(ALLOW, "body", "Hello", by=RuleAuthor.OWNER),
        rule(ALLOW, None, DANA, by=RuleAuthor.ADMIN),
    ],
)
def test_an_own_allow_rule_can_only_name_mail_recipients(own: Rule):
    """What an owner allows beyond naming recipients is not heard; a value without an argument is nobody's allow."""
    assert decide(mail(to=[DANA]), evidence(DELEGATED, own)).rule == "level.delegated"


def test_the_allow_list_is_about_mail_alone():
    """An invitation to an allow-listed address is still asked."""
    assert decide(event(DANA), evidence(DELEGATED, allowed(DANA))).decision is ASK


def test_an_administrator_may_allow_more_from_delegated_upward():
    """An administrator's and a shipped rule can let invitations to a domain out, and say so by their id."""
    for by, name in ((RuleAuthor.ADMIN, "rule.r1"), (RuleAuthor.SHIPPED, "shipped.r1")):
        ours = rule(ALLOW, "attendees", "@acme.com", tool="calendar_event_create", by=by)
        assert decide(event(DANA), evidence(DELEGATED, ours)) == Verdict(
            decision=ALLOW,
            rule=name,
            reason=decide(event(DANA), evidence(DELEGATED, ours)).reason,
        )
        assert decide(event(DANA), evidence(SUPERVISED, ours)).decision is ASK
        assert decide(event(DANA, EVIL), evidence(DELEGATED, ours)).decision is ASK
        assert decide(event(), evidence(DELEGATED, ours)).decision is ASK


def test_an_allow_on_one_argument_does_not_open_the_others():
    """A rule that allows To says nothing of Bcc, and one that names the title lets no guest in."""
    to_dana = rule(ALLOW, "to", DANA, tool="gmail_send")
    assert decide(mail(to=[DANA]), evidence(DELEGATED, to_dana)).rule == "rule.r1"
    assert decide(mail(to=[DANA], bcc=[EVIL]), evidence(DELEGATED, to_dana)).decision is ASK
    fair = rule(ALLOW, "title", "Fair", tool="calendar_event_create")
    assert decide(event(), evidence(DELEGATED, fair)).decision is ALLOW
    assert decide(event(EVIL), evidence(DELEGATED, fair)).decision is ASK
    assert decide(event(title="fair"), evidence(DELEGATED, fair)).decision is ASK


def test_allow_rules_add_up():
    """A destination may be covered by any of the rules, and a rule more never allows less."""
    to_dana, guests = rule(ALLOW, "to", DANA, tool="gmail_send"), allowed("bob@acme.com")
    assert decide(mail(to=[DANA], bcc=["bob@acme.com"]), evidence(DELEGATED, to_dana, guests)).rule == "rule.r1"
    other = rule(ALLOW, "title", "Other", tool="calendar_event_create", id="r2")
    ours = rule(ALLOW, "attendees", "@acme.com", tool="calendar_event_create")
    assert decide(event(DANA), evidence(DELEGATED, other, ours)).rule == "rule.r1"


def test_an_allow_that_covers_half_of_an_argument_covers_nothing():
    """All values of a named argument must be covered, whichever rules do it; another argument's rule does not help."""

    def labelled(*labels: str) -> ProposedAction:
        return action("calendar_event_create", Argument(name="labels", role=Role.OBJECT, values=labels))

    def judged(proposed: ProposedAction, *rules: Rule) -> Decision:
        return decide(proposed, evidence(DELEGATED, *rules)).decision

    one, other = rule(ALLOW, "labels", "a", id="r1"), rule(ALLOW, "role:object", "b", id="r2")
    assert judged(labelled("a"), one) is ALLOW
    assert judged(labelled("a", "b"), one) is ASK
    assert judged(labelled("a", "b"), one, rule(ALLOW, "attendees", "@acme.com")) is ASK
    assert judged(labelled("a", "b"), one, other) is ALLOW
    assert judged(labelled("a", "b", "c"), one, other) is ASK


# Replies: recipients that the arguments do not show -----------------------------------------------------------------


def test_a_reply_is_allowed_only_when_its_recipients_were_looked_up():
    """Who a reply goes to stands in the mailbox: without that evidence it is asked, with it the allow-list counts."""
    listed = allowed(DANA)
    assert decide(reply(), evidence(DELEGATED, listed)).decision is ASK
    assert decide(reply(cc=[DANA]), evidence(DELEGATED, listed)).decision is ASK
    assert decide(reply(), evidence(DELEGATED, listed, recipients=[])).decision is ASK
    assert decide(reply(), evidence(DELEGATED, listed, recipients=[DANA])).rule == "level.delegated.allow_list"
    assert decide(reply(), evidence(DELEGATED, listed, recipients=[DANA, EVIL])).decision is ASK
    assert decide(reply(cc=[EVIL]), evidence(DELEGATED, listed, recipients=[DANA])).decision is ASK


@pytest.mark.parametrize("argument", ["recipient", "role:destination"])
@pytest.mark.parametrize("decision", [DENY, ASK])
def test_a_rule_on_recipients_holds_for_a_reply_whose_recipients_are_unknown(argument: str, decision: Decision):
    """What cannot be ruled out counts as matching, at every level; once looked up, the addresses decide."""
    quarrel = rule(decision, argument, "@evil.example")
    for level in LEVELS:
        assert decide(reply(), evidence(level, quarrel)).decision is decision
        assert decide(reply(), evidence(level, quarrel, recipients=[EVIL])).decision is decision
    assert decide(reply(), evidence(AUTONOMOUS, quarrel, recipients=[DANA])).decision is ALLOW
    elsewhere = rule(decision, argument, "@evil.example", tool="gmail_send")
    assert decide(reply(), evidence(AUTONOMOUS, elsewhere)).decision is ALLOW
    about_the_thread = rule(decision, "thread_id", "t2")
    assert decide(reply(), evidence(AUTONOMOUS, about_the_thread)).decision is ALLOW


def test_looked_up_recipients_are_destinations_of_any_tool_and_recipients_of_mail_only():
    """For a tool that is no mail, looked-up addresses are matched by role and never by the allow-list."""
    at = evidence(DELEGATED, allowed(DANA), recipients=[DANA])
    assert decide(event(), at).decision is ASK
    denied = evidence(AUTONOMOUS, rule(DENY, "role:destination", EVIL), recipients=[EVIL])
    assert decide(event(), denied).decision is DENY


# Tightening, needs, properties --------------------------------------------------------------------------------------


def verdict_of(decision: Decision, name: str = "guard") -> Verdict:
    return Verdict(decision=decision, rule=name, reason="because")


@pytest.mark.parametrize(("before", "found"), list(itertools.product(Decision, [None, *Decision])))
def test_a_guard_can_only_tighten(before: Decision, found: Decision | None):
    """After the level's default a guard may make the verdict stricter and never milder."""

    def guard(_: ProposedAction, __: object) -> Verdict | None:
        return verdict_of(found) if found else None

    after = tightened(verdict_of(before, "before"), mail(to=[DANA]), evidence(), [guard])
    order = list(Decision)
    expected = max(before, found or before, key=order.index)
    assert after.decision is expected
    assert after.rule == ("guard" if expected is not before else "before")


@pytest.mark.parametrize(
    ("rule_id", "expected"), [("rule.r1", True), ("shipped.x", True), ("level.delegated", False), ("guard.link", False)]
)
def test_a_verdict_says_whether_a_rule_made_it(rule_id: str, expected: bool):
    """Of people or shipped: not the level, not a guard."""
    assert is_by_rule(Verdict(decision=ALLOW, rule=rule_id, reason="")) is expected


def test_needs_names_what_the_decision_is_made_of():
    """Nothing for what is stopped anyway, no level for reading, a look-up only where recipients are hidden."""
    assert needs(action("gmail_send", offered=False)) == frozenset()
    assert needs(action("gmail_search")) == {Need.RULES}
    assert needs(action("save_memory")) == {Need.RULES}
    of_effects = {Need.LEVEL, Need.RULES, Need.IMPACT, Need.TYPED, Need.CONTACTS, Need.OBJECTS, Need.LABEL}
    assert needs(event(DANA)) == of_effects
    assert needs(mail(to=[DANA])) == of_effects
    assert needs(reply()) == of_effects | {Need.RECIPIENTS}


def random_rule(dice: random.Random, number: int) -> Rule:
    return rule(
        dice.choice(list(Decision)),
        dice.choice([None, "to", "cc", "recipient", "role:destination", "role:content", "body", "attendees"]),
        dice.choice([None, "*", DANA, EVIL, "@acme.com", "@evil.example", "Hello"]),
        tool=dice.choice(["*", "gmail_send", "gmail_reply", "calendar_event_create", "gmail_search"]),
        by=dice.choice(list(RuleAuthor)),
        id=f"r{number}",
    )


def random_action(dice: random.Random) -> ProposedAction:
    def people() -> list[str]:
        return dice.sample([DANA, EVIL, "bob@acme.com"], dice.randint(0, 2))

    return dice.choice(
        [
            mail(to=people(), cc=people(), bcc=people()),
            reply(cc=people()),
            event(*people()),
            action("gmail_search"),
            action("save_memory"),
            action("mail_delete"),
        ]
    )


@pytest.mark.parametrize("seed", range(8))
def test_properties_that_hold_whatever_the_rules(seed: int):
    """Rules' order does not matter, a restriction more never loosens, an allow more never tightens, and levels rise."""
    dice = random.Random(seed)
    for _ in range(250):
        proposed = random_action(dice)
        rules = [random_rule(dice, number) for number in range(dice.randint(0, 4))]
        known = dice.choice([None, [DANA], [EVIL], [DANA, EVIL]])
        by_level = [decide(proposed, evidence(level, *rules, recipients=known)).decision for level in LEVELS]
        assert by_level == sorted(by_level, key=list(Decision).index, reverse=True)

        level = dice.choice(LEVELS)
        verdict = decide(proposed, evidence(level, *rules, recipients=known))
        shuffled = dice.sample(rules, len(rules))
        assert decide(proposed, evidence(level, *shuffled, recipients=known)).decision is verdict.decision

        more = random_rule(dice, 99)
        after = decide(proposed, evidence(level, *rules, more, recipients=known)).decision
        if more.decision is ALLOW:
            assert not after.stricter_than(verdict.decision)
        else:
            assert not verdict.decision.stricter_than(after)

        off = decide(proposed, evidence(level, *rules, enabled=False, recipients=known))
        assert off.decision is DENY or not proposed.effect.is_side_effect()


@pytest.mark.parametrize("seed", range(8))
def test_nobody_unlisted_gets_mail_unasked_by_an_owners_own_rules(seed: int):
    """Whatever an owner writes into rules, below `autonomous` a mail goes out only to addresses that they listed."""
    dice = random.Random(1000 + seed)
    for _ in range(250):
        own = [random_rule(dice, number) for number in range(4)]
        own = [rule(r.decision, r.argument, r.value, tool=r.tool, by=RuleAuthor.OWNER, id=r.id) for r in own]
        verdict = decide(mail(to=[DANA], bcc=[EVIL]), evidence(DELEGATED, *own))
        if verdict.decision is ALLOW:
            assert any(r.decision is ALLOW and r.value in {EVIL, "@evil.example"} for r in own)
            assert any(r.decision is ALLOW and r.value in {DANA, "@acme.com"} for r in own)
