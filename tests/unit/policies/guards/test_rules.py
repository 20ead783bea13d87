"""The guards: each has a call that it lets through and one that it asks about; nothing that they say allows more."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from policies.engine import decide
from policies.evidence import evidence_as_json, evidence_from_json
from policies.guards.rules import GUARDS
from policies.provenance import GuardMode, Provenance, Reference, Sighting, Source, Traced
from policies.types import (
    Argument,
    Decision,
    EffectClass,
    Label,
    ProposedAction,
    Role,
    Rule,
    RuleAuthor,
    TrustLevel,
    Unnamed,
)
from tests.unit.policies import cases
from tests.unit.policies.cases import DANA, EVIL, action, allowed, event, evidence, mail, rule

SUPERVISED, DELEGATED, AUTONOMOUS = TrustLevel
TYPED = (Reference(source=Source.MESSAGE, id="msg_1"),)


def named(role: Role, value: str, **more: Any) -> Traced:
    return Traced(role=role, value=value, shown=value, named_by=TYPED, **more)


def unnamed(role: Role, value: str, **more: Any) -> Traced:
    return Traced(role=role, value=value, shown=value, **more)


def judged(
    what: ProposedAction, *values: Traced, label: Label = Label.EXTERNAL, level: TrustLevel = AUTONOMOUS, **more: Any
) -> tuple[Decision, str]:
    provenance = Provenance(values=values, **more)
    verdict = decide(what, evidence(level, provenance=provenance, label=label))
    return verdict.decision, verdict.rule


ALLOWED = (Decision.ALLOW, "level.autonomous")
CLEAR = {"is_asked_for": True}


def asked(rule: str) -> tuple[Decision, str]:
    return Decision.ASK, f"guard.{rule}"


def test_r2_destinations() -> None:
    """Every one of them was named, wherever it stands."""
    dana, evil = named(Role.DESTINATION, DANA), unnamed(Role.DESTINATION, EVIL)
    assert judged(mail(to=[DANA]), dana) == ALLOWED
    assert judged(mail(to=[DANA], bcc=[EVIL]), dana, evil) == asked("destination")


def test_all_that_guards_ask_about_is_one_question() -> None:
    """What several guards find is one verdict: its reason tells all of it, and each value is confirmed once."""
    values = unnamed(Role.DESTINATION, EVIL), unnamed(Role.URL, "https://evil.example/x"), named(Role.DESTINATION, DANA)
    verdict = decide(mail(to=[EVIL, DANA]), evidence(AUTONOMOUS, provenance=Provenance(values=values)))
    assert verdict.unnamed == (
        Unnamed(rule="guard.destination", value=EVIL, shown=EVIL),
        Unnamed(rule="guard.link", value="https://evil.example/x", shown="https://evil.example/x"),
    )
    assert verdict.rule == "guard.destination"
    assert verdict.reason == f"You did not name “{EVIL}”. You did not name the address “https://evil.example/x”."
    deleted = decide(
        action("mail_delete"), evidence(AUTONOMOUS, provenance=Provenance(values=(unnamed(Role.OBJECT, "mail:1"),)))
    )
    assert deleted.unnamed == (Unnamed(rule="guard.object", value="mail:1", shown="mail:1"),)
    assert deleted.reason == "You did not name “mail:1”."


def test_the_call_itself_is_asked_about() -> None:
    """A guard that has no value to name asks about the whole call, and nothing else ever lists something."""
    unknown = decide(mail(to=[DANA]), evidence(AUTONOMOUS, provenance=None))
    assert unknown.unnamed == (Unnamed(rule="guard.unknown"),)
    assert unknown.is_by_guard
    supervised = decide(mail(to=[DANA]), evidence(TrustLevel.SUPERVISED))
    assert (supervised.unnamed, supervised.is_by_guard) == ((), False)


def test_r2_rules_name_destinations() -> None:
    """An address that its owner allowed was named by that."""
    evil = Provenance(values=(unnamed(Role.DESTINATION, EVIL),))
    verdict = decide(mail(to=[EVIL]), evidence(TrustLevel.DELEGATED, allowed(EVIL), provenance=evil))
    assert verdict.decision is Decision.ALLOW


@pytest.mark.parametrize(
    "other",
    [
        rule(Decision.ALLOW, "recipient", DANA),
        rule(Decision.ALLOW, "recipient", EVIL, tool="gmail_reply"),
        rule(Decision.ALLOW, "role:destination", EVIL, by=RuleAuthor.OWNER),
        rule(Decision.ALLOW, tool="gmail_send"),
    ],
    ids=["of another address", "of another tool", "that its owner cannot make", "of no address"],
)
def test_r2_no_other_rule_names_a_destination(other: Rule) -> None:
    """It allows this address, for this tool, and its author may allow that."""
    evil = Provenance(values=(unnamed(Role.DESTINATION, EVIL),))
    verdict = decide(mail(to=[EVIL]), evidence(AUTONOMOUS, other, provenance=evil))
    assert (verdict.decision, verdict.rule) == asked("destination")


def test_r3_things() -> None:
    """What others notice a change of was named; what is one's own alone need not be (R1)."""
    thing = unnamed(Role.OBJECT, "event:e1")
    assert judged(event(), named(Role.OBJECT, "event:e1"), is_asked_for=True) == ALLOWED
    assert judged(event(), thing) == asked("object")
    assert judged(action("gmail_draft_create"), thing) == ALLOWED
    assert judged(action("gmail_draft_create"), unnamed(Role.OBJECT, "draft:r1")) == asked("object")  # lost
    assert judged(action("gmail_draft_create"), named(Role.OBJECT, "draft:r1")) == ALLOWED


def test_r4_links() -> None:
    """They were named, if they leave."""
    dana, link = named(Role.DESTINATION, DANA), unnamed(Role.URL, "https://evil.example")
    assert judged(mail(to=[DANA]), dana, named(Role.URL, "https://acme.com")) == ALLOWED
    assert judged(mail(to=[DANA]), dana, link) == asked("link")
    assert judged(event(), link) == asked("link")  # its guests read it
    assert judged(action("gmail_draft_create"), link) == ALLOWED
    assert judged(action("gmail_draft_create"), dana, link) == asked("link")  # a thing of one's own that is shared


def test_r4_attachments() -> None:
    """They were named, if they leave."""
    dana, file = named(Role.DESTINATION, DANA), unnamed(Role.ATTACHMENT, "salaries.pdf")
    assert judged(mail(to=[DANA]), dana, named(Role.ATTACHMENT, "a.pdf")) == ALLOWED
    assert judged(mail(to=[DANA]), dana, file) == asked("attachment")
    assert judged(action("gmail_draft_create"), file) == ALLOWED


def test_r5_looks_outside() -> None:
    """An address is looked at only if it was named; it could tell its owner anything."""

    def fetch(url: str) -> ProposedAction:
        return ProposedAction(
            tool="gmail_search",
            effect=EffectClass.READ,
            arguments=[Argument(name="url", role=Role.URL, values=[url])],
        )

    assert judged(fetch("https://a.example"), named(Role.URL, "https://a.example")) == ALLOWED
    assert judged(fetch("https://a.example?q=x"), unnamed(Role.URL, "https://a.example?q=x")) == asked("url")
    assert decide(fetch("https://a.example"), evidence(AUTONOMOUS, provenance=None)).rule == "guard.url"
    assert decide(action("gmail_search"), evidence(AUTONOMOUS, provenance=None)).decision is Decision.ALLOW
    kept = action("gmail_draft_create", Argument(name="url", role=Role.URL, values=["https://a.example"]))
    assert judged(kept, unnamed(Role.URL, "https://a.example")) == ALLOWED  # it looks at nothing


@pytest.mark.parametrize("label", list(Label))
def test_r6_inside_the_workspace(label: Label) -> None:
    """A message to members goes where nobody named, until text from outside was read, or if its owner typed it all."""
    inside = unnamed(Role.DESTINATION, "C1", is_inside=True)
    expected = asked("destination") if label is Label.EXTERNAL else ALLOWED
    assert judged(event(), inside, label=label) == expected
    assert judged(event(), inside, label=label, is_verbatim=True) == ALLOWED
    outside = unnamed(Role.DESTINATION, EVIL)
    assert judged(event(), outside, label=label, is_verbatim=True) == asked("destination")


def test_r7_destruction() -> None:
    """The thing was called by its whole name, and a word for it was used."""
    delete = action("mail_delete")
    exact, vague = named(Role.OBJECT, "mail:m1", is_exact=True), named(Role.OBJECT, "mail:m1")
    assert judged(delete, exact, is_asked_for=True) == ALLOWED
    assert judged(delete, exact, named(Role.DESTINATION, DANA), is_asked_for=True) == ALLOWED
    assert judged(delete, vague, is_asked_for=True) == asked("destructive")
    assert judged(delete, exact) == asked("destructive")


def test_r7_changes() -> None:
    """To name a thing is not to ask for it to be changed; what nobody else sees, or was made just now, need not be."""
    review = named(Role.OBJECT, "event:e1")
    made = Traced(role=Role.OBJECT, value="event:e1", named_by=(Reference(source=Source.MADE, id="act_1"),))
    assert judged(event(), review) == asked("wish")
    assert judged(event(), made, review) == asked("wish")
    assert judged(event(), review, is_asked_for=True) == ALLOWED
    assert judged(event(), named(Role.OBJECT, "event:e1", is_alone=True)) == ALLOWED
    assert judged(event(), made) == ALLOWED
    assert judged(action("gmail_draft_create"), review) == ALLOWED  # one's own


def test_r7_whoever_takes_part_in_a_thing() -> None:
    """To name the thing is not to ask for something to be sent to them; their own name, or a rule, is enough."""
    with_it = (Reference(source=Source.THING, id="event:e1"),)
    dana = Traced(role=Role.DESTINATION, value=DANA, named_by=with_it)
    assert judged(mail(to=[DANA]), dana) == asked("wish")
    assert judged(action("gmail_draft_create"), dana) == asked("wish")
    assert judged(mail(to=[DANA]), dana, is_asked_for=True) == ALLOWED
    assert judged(mail(to=[DANA]), replace(dana, named_by=(*with_it, *TYPED))) == ALLOWED
    listed = evidence(TrustLevel.DELEGATED, allowed(DANA), provenance=Provenance(values=(dana,)))
    assert decide(mail(to=[DANA]), listed).decision is Decision.ALLOW


def test_r7_occurrences() -> None:
    """Of a thing that repeats, no more than was asked for is changed, also if it was named and asked for; what nobody
    else sees may be, unless it is destroyed.
    """
    series = named(Role.OBJECT, "event:e1", is_exact=True, is_beyond=True)
    for what, rule_of in ((event(), "wish"), (action("mail_delete"), "destructive")):
        assert judged(what, series, is_asked_for=True) == asked(rule_of)
        assert judged(what, replace(series, is_beyond=False), is_asked_for=True) == ALLOWED
    alone = replace(series, is_alone=True)
    assert judged(event(), alone, is_asked_for=True) == ALLOWED
    assert judged(action("mail_delete"), alone, is_asked_for=True) == asked("destructive")
    verdict = decide(event(), evidence(AUTONOMOUS, provenance=Provenance(values=(series,), is_asked_for=True)))
    assert verdict.reason == "You did not ask for more than one occurrence of “event:e1”."


def test_r7_the_end_of_a_series() -> None:
    """Its last occurrences are taken away only if that was asked for, whatever else was, or if nobody else sees it."""
    series = named(Role.OBJECT, "event:e1", is_exact=True, has_new_rhythm=True)
    assert judged(event(), series, is_asked_for=True) == asked("wish")
    assert judged(event(), replace(series, has_new_rhythm=False), is_asked_for=True) == ALLOWED
    assert judged(event(), replace(series, is_alone=True), is_asked_for=True) == ALLOWED
    verdict = decide(event(), evidence(AUTONOMOUS, provenance=Provenance(values=(series,), is_asked_for=True)))
    assert verdict.reason == "You did not ask for “event:e1” to repeat otherwise."


def test_what_a_rule_allows_need_not_be_named_to_be_changed() -> None:
    """It may be changed, also all that repeats of it; to be destroyed it has to be named all the same."""
    may = rule(Decision.ALLOW, "role:object", "event:e1")
    thing = unnamed(Role.OBJECT, "event:e1", is_exact=True, is_beyond=True)
    known = evidence(AUTONOMOUS, may, provenance=Provenance(values=(thing,), is_asked_for=False))
    assert decide(event(), known).decision is Decision.ALLOW
    destroyed = replace(known, provenance=Provenance(values=(thing,), is_asked_for=True))
    assert decide(action("mail_delete"), destroyed).rule == "guard.destructive"


def test_a_file_that_all_have_asks_for_no_wish() -> None:
    """It is named by those who have it, and not only by what they take part in."""
    theirs = Traced(role=Role.ATTACHMENT, value="a.pdf", named_by=(Reference(source=Source.THING, id="a.pdf"),))
    assert judged(mail(to=[DANA]), named(Role.DESTINATION, DANA), theirs) == ALLOWED


def test_what_is_destroyed_is_asked_about_once() -> None:
    """By the rule for that, and by none for changes beside it."""
    exact = named(Role.OBJECT, "mail:m1", is_exact=True)
    verdict = decide(action("mail_delete"), evidence(AUTONOMOUS, provenance=Provenance(values=(exact,))))
    assert verdict.unnamed == (Unnamed(rule="guard.destructive"),)


def test_the_card_says_what_was_named_and_not_asked_for() -> None:
    """Each thing is confirmed by itself; whoever takes part in one, all at once."""
    review = replace(named(Role.OBJECT, "event:e1"), shown="Supplier review")
    verdict = decide(event(), evidence(AUTONOMOUS, provenance=Provenance(values=(review,))))
    assert verdict.reason == "You named “Supplier review”, and did not ask for it to be changed."
    assert verdict.unnamed == (Unnamed(rule="guard.wish", value="event:e1", shown="Supplier review"),)
    dana = Traced(role=Role.DESTINATION, value=DANA, named_by=(Reference(source=Source.THING, id="event:e1"),))
    verdict = decide(mail(to=[DANA]), evidence(AUTONOMOUS, provenance=Provenance(values=(dana,))))
    assert verdict.reason == "You named what they take part in, and did not ask for anything to be sent to them."
    assert verdict.unnamed == (Unnamed(rule="guard.wish"),)


def test_evidence_of_before_says_nothing_of_a_wish() -> None:
    """What an earlier release stored about a change is asked about, and never let through."""
    stored = evidence_as_json(
        evidence(AUTONOMOUS, provenance=Provenance(values=(named(Role.OBJECT, "event:e1", is_exact=True),)))
    )
    before: Any = json.loads(json.dumps(stored))
    for value in before["provenance"]["values"]:
        del value["is_alone"]
    assert decide(event(), evidence_from_json(before)).rule == "guard.wish"


def test_r10_what_is_not_known() -> None:
    """A call of which nobody can say what it would do is asked about."""
    for tool in ("gmail_send", "gmail_draft_create", "mail_delete"):
        verdict = decide(action(tool), evidence(AUTONOMOUS, provenance=None))
        assert (verdict.decision, verdict.rule) == asked("unknown")


def test_guards_only_tighten() -> None:
    """Where a person is asked in any case, or policy says no, they change nothing."""
    evil = unnamed(Role.DESTINATION, EVIL)
    assert judged(mail(to=[EVIL]), evil, level=TrustLevel.SUPERVISED) == (Decision.ASK, "level.supervised")
    off = decide(mail(to=[EVIL]), evidence(AUTONOMOUS, enabled=False, provenance=Provenance(values=(evil,))))
    assert off.rule == "kill_switch"


def test_the_reason_says_what_was_not_named_and_where_it_stood() -> None:
    """In a sentence each; of many values three are shown."""
    seen = Sighting(action="act_1", caption="Search mail", title="Invoice 12", author="Theo")
    values = [unnamed(Role.DESTINATION, f"{n}@evil.example", seen_in=(seen,)) for n in range(5)]
    verdict = decide(mail(to=[EVIL]), evidence(AUTONOMOUS, provenance=Provenance(values=tuple(values))))
    assert verdict.reason == (
        "You did not name “0@evil.example”, “1@evil.example”, “2@evil.example” and 2 more. "
        "“0@evil.example” stands in “Invoice 12” by Theo, which “Search mail” found."
    )
    three = [unnamed(Role.DESTINATION, f"{n}@evil.example", seen_in=(Sighting(action="act_1"),)) for n in range(3)]
    verdict = decide(mail(to=[EVIL]), evidence(AUTONOMOUS, provenance=Provenance(values=tuple(three))))
    assert verdict.reason == (
        "You did not name “0@evil.example”, “1@evil.example”, “2@evil.example”. "
        "“0@evil.example” stands in what “” found."
    )


@pytest.mark.parametrize(
    ("author", "by"),
    [(EVIL, "this address"), (EVIL.upper(), EVIL.upper()), ("m@evil.example", "m@evil.example")],
    ids=["theirs", "nearly", "other"],
)
def test_the_only_one_is_named_once(author: str, by: str) -> None:
    """Also where the mail that it stands in is its own; an author who is only nearly the same stands there in full."""
    evil = unnamed(Role.DESTINATION, EVIL, seen_in=(Sighting(action="act_1", caption="Search", author=author),))
    reason = decide(mail(to=[EVIL]), evidence(AUTONOMOUS, provenance=Provenance(values=(evil,)))).reason
    assert reason == f"You did not name “{EVIL}”. It stands in a text by {by}, which “Search” found."


def test_no_name_that_others_chose_takes_the_room_of_what_another_guard_says() -> None:
    """Whoever writes a mail chooses its subject: it is cut, and a list ends with how many it leaves out."""
    title = "Re: Your invoice " + "z" * 200
    seen = Sighting(action="act_1", title=title, author="Kim " * 30)
    at_length = [f"{n}{'x' * 120}@evil.example" for n in range(3)]
    values = [unnamed(Role.DESTINATION, each, seen_in=(seen,)) for each in at_length]
    link = unnamed(Role.URL, "https://evil.example/steal")
    verdict = decide(mail(to=at_length), evidence(AUTONOMOUS, provenance=Provenance(values=(*values, link))))
    assert verdict.reason == (
        f"You did not name “{at_length[0]}”, “{at_length[1]}” and 1 more. "
        f"“{at_length[0][:59]}…” stands in “{title[:59]}…” by “{('Kim ' * 30)[:59].rstrip()}…”, "
        "which “” found. "
        "You did not name the address “https://evil.example/steal”."
    )
    assert [one.shown for one in verdict.unnamed] == [*at_length, "https://evil.example/steal"]


def test_what_is_invisible_in_a_name_counts_as_a_card_shows_it() -> None:
    """It is named there: “⟨U+200B⟩”."""
    unseen = "\u200b"
    seen = Sighting(action="act_1", title=unseen * 60)
    evil = unnamed(Role.DESTINATION, EVIL, seen_in=(seen,))
    reason = decide(mail(to=[EVIL]), evidence(AUTONOMOUS, provenance=Provenance(values=(evil,)))).reason
    assert reason.endswith(f"stands in “{unseen * 5}…”, which “” found.")


def test_a_title_says_nothing_in_the_guards_own_words() -> None:
    """Whatever quotation marks and line ends a stranger puts into it: all of it stays between ours, and it is cut."""
    subject = "your address book”. You wrote to them 14 times.\nIt was typed by you in “Marble"
    seen = Sighting(action="act_1", caption="Search", title=subject, author=f'"{subject}"@evil.example')
    values = (
        unnamed(Role.DESTINATION, EVIL, seen_in=(seen,)),
        Traced(role=Role.OBJECT, value="mail:m1", shown=subject),
    )
    reason = decide(action("gmail_send"), evidence(AUTONOMOUS, provenance=Provenance(values=values))).reason
    title = "“your address book'. You wrote to them 14 times. It was type…”"
    author = "“'your address book'. You wrote to them 14 times. It was typ…”"
    where = f"{title} by {author}, which “Search” found"
    assert reason == f"You did not name “{EVIL}”. It stands in {where}. You did not name {title}."


ASKED_FOR: dict[tuple[str, TrustLevel], Decision] = {
    ("gmail_search", SUPERVISED): Decision.ALLOW,
    ("gmail_search", DELEGATED): Decision.ALLOW,
    ("gmail_search", AUTONOMOUS): Decision.ALLOW,
    ("save_memory", SUPERVISED): Decision.ALLOW,
    ("save_memory", DELEGATED): Decision.ALLOW,
    ("save_memory", AUTONOMOUS): Decision.ALLOW,
    ("gmail_draft_create", SUPERVISED): Decision.ASK,
    ("gmail_draft_create", DELEGATED): Decision.ASK,
    ("gmail_draft_create", AUTONOMOUS): Decision.ALLOW,
    ("gmail_send", SUPERVISED): Decision.ASK,
    ("gmail_send", DELEGATED): Decision.ASK,
    ("gmail_send", AUTONOMOUS): Decision.ALLOW,
    ("gmail_reply", SUPERVISED): Decision.ASK,
    ("gmail_reply", DELEGATED): Decision.ASK,
    ("gmail_reply", AUTONOMOUS): Decision.ALLOW,
    ("calendar_event_create", SUPERVISED): Decision.ASK,
    ("calendar_event_create", DELEGATED): Decision.ASK,
    ("calendar_event_create", AUTONOMOUS): Decision.ALLOW,
    ("mail_delete", SUPERVISED): Decision.ASK,
    ("mail_delete", DELEGATED): Decision.ASK,
    ("mail_delete", AUTONOMOUS): Decision.ALLOW,
}
"""specs/runtime-contract.md §8, for calls that no allow-list covers."""

CHANGES = {"gmail_draft_create", "gmail_send", "gmail_reply", "calendar_event_create", "mail_delete"}


@pytest.mark.parametrize("mode", [GuardMode.SHADOW, GuardMode.OFF])
def test_shadow_and_off_are_the_levels_exactly(mode: GuardMode) -> None:
    """specs/runtime-contract.md §8: every verdict is that of rules and level; shadow keeps what would have asked."""
    known = Provenance(
        values=(
            unnamed(Role.DESTINATION, EVIL),
            unnamed(Role.OBJECT, "event:e1"),
            unnamed(Role.URL, "https://e.example"),
        )
    )
    assert set(ASKED_FOR) == {(tool, level) for tool in cases.EFFECTS for level in TrustLevel}
    for (tool, level), decision in ASKED_FOR.items():
        verdict = decide(action(tool), evidence(level, guard=mode, provenance=known))
        assert (verdict.decision, verdict.rule) == (decision, f"level.{level}")
        strict = decide(action(tool), evidence(level, provenance=known))
        shadowed = strict.rule if strict.rule.startswith("guard.") and mode is GuardMode.SHADOW else ""
        assert verdict.would_ask == shadowed


@pytest.mark.parametrize("mode", GuardMode)
@pytest.mark.parametrize("level", TrustLevel)
def test_the_kill_switch_holds_in_every_mode_of_the_guard(mode: GuardMode, level: TrustLevel) -> None:
    """specs/runtime-contract.md §8: AGENT_SIDE_EFFECTS_ENABLED=false denies every side effect, and nothing else."""
    for tool in cases.EFFECTS:
        verdict = decide(action(tool), evidence(level, allowed(DANA), enabled=False, guard=mode))
        assert (verdict.rule == "kill_switch", verdict.decision is Decision.DENY) == (tool in CHANGES, tool in CHANGES)


@pytest.mark.parametrize("mode", GuardMode)
def test_the_allow_list_counts_in_every_mode_of_the_guard(mode: GuardMode) -> None:
    """specs/runtime-contract.md §8: at `delegated` mail to those on it goes unasked, and no other change."""
    calls = [mail(to=[DANA]), mail(to=[DANA, EVIL]), event(DANA), mail(to=[DANA], cc=[DANA])]
    found = [decide(one, evidence(DELEGATED, allowed(DANA), guard=mode)).rule for one in calls]
    on_list, by_level = "level.delegated.allow_list", "level.delegated"
    assert found == [on_list, by_level, by_level, on_list]
    assert decide(mail(to=[DANA]), evidence(SUPERVISED, allowed(DANA), guard=mode)).decision is Decision.ASK


def test_stored_evidence_gives_the_same_verdict_again() -> None:
    """With every value and reference of it."""
    seen: Sequence[Sighting] = (Sighting(action="act_1", caption="Search", title="Invoice", author="Theo"),)
    values = (
        named(Role.OBJECT, "mail:m1", is_exact=True),
        unnamed(Role.DESTINATION, "C1", is_inside=True, seen_in=tuple(seen)),
    )
    before = evidence(
        AUTONOMOUS,
        provenance=Provenance(values=values, is_verbatim=True, is_asked_for=True),
        label=Label.MEMBER,
        guard=GuardMode.SHADOW,
    )
    after = evidence_from_json(evidence_as_json(before))
    assert after == before
    assert decide(mail(to=[EVIL]), after) == decide(mail(to=[EVIL]), before)


def test_every_guard_is_joined() -> None:
    """Those that stand in the module are those that are asked."""
    assert [guard.__name__ for guard in GUARDS] == [
        *("known", "destinations", "things", "destruction", "changes", "occurrences", "links"),
        *("attachments", "fetches"),
    ]
