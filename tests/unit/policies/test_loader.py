"""Reading the policy's two files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from policies.engine import decide
from policies.errors import InvalidPolicy
from policies.loader import load, parse, refuse_idle
from policies.types import Addressing, Contract, Decision, Role, RuleAuthor, TrustLevel
from tests.unit.policies.cases import DANA, event, evidence, mail

CONSTITUTION = "---\ntools: [gmail_send, slack_read]\n---\n# Be good\n"
POLICY = """
rules:
  - {id: quarrel, decision: deny, tool: gmail_send, argument: recipient, value: "@evil.example", reason: We quarrelled.}
"""

THE_TOOLS = (
    "gmail_search",
    "gmail_thread_read",
    "gmail_attachment_read",
    "gmail_labels",
    "gmail_draft_create",
    "gmail_draft_update",
    "gmail_draft_send",
    "gmail_reply",
    "gmail_send",
    "find_person",
    "calendar_search",
    "calendar_event_create",
    "calendar_event_update",
    "calendar_event_cancel",
    "calendar_event_answer",
    "calendar_find_time",
    "save_memory",
    "search_memory",
    "slack_channels",
    "slack_read",
    "reminder_set",
    "reminders",
    "reminder_remove",
    "briefing_schedule",
    "briefing_send",
)
THE_AGENTS = ("meeting_brief", "week_review", "reply_polisher")


def test_the_shipped_policy_lists_its_tools():
    """What is shipped can be read, and its constitution lists these tools and agents, and no more."""
    shipped = load()
    assert shipped.tools == THE_TOOLS
    assert shipped.agents == THE_AGENTS
    assert shipped.allowed_tools == {*THE_TOOLS, *THE_AGENTS}
    assert shipped.constitution.startswith("# Constitution")
    assert "---" not in shipped.constitution


def test_the_shipped_rule_asks_before_writing_to_a_group():
    """A group's address is asked even at `autonomous`, as a recipient and as a guest; a person's is not."""
    rules = load().rules
    at = evidence(TrustLevel.AUTONOMOUS, *rules)
    assert decide(mail(to=["all@googlegroups.com"]), at).rule == "shipped.mailing_list"
    assert decide(event("All <all@googlegroups.com>"), at).decision is Decision.ASK
    assert decide(mail(to=[DANA]), at).decision is Decision.ALLOW
    assert decide(event(DANA), at).decision is Decision.ALLOW


def test_rules_of_the_file_are_shipped_rules():
    """A rule is read with every key, and is nobody's own."""
    (rule,) = parse(policy=POLICY, constitution=CONSTITUTION).rules
    assert (rule.id, rule.decision, rule.by) == ("quarrel", Decision.DENY, RuleAuthor.SHIPPED)
    assert (rule.tool, rule.argument, rule.value) == ("gmail_send", "recipient", "@evil.example")
    assert rule.reason == "We quarrelled."


@pytest.mark.parametrize("name", ["policy.yaml", "constitution.md"])
def test_a_folder_may_have_one_of_the_files(tmp_path: Path, name: str):
    """What a folder has counts, and what is shipped stands in the place of the other; an empty one is a mistake."""
    (tmp_path / name).write_text({"policy.yaml": POLICY, "constitution.md": CONSTITUTION}[name])
    shipped, read = load(), load(tmp_path)
    ours = ("quarrel",) if name == "policy.yaml" else tuple(rule.id for rule in shipped.rules)
    assert tuple(rule.id for rule in read.rules) == ours
    assert read.tools == (shipped.tools if name == "policy.yaml" else ("gmail_send", "slack_read"))
    (tmp_path / name).unlink()
    with pytest.raises(InvalidPolicy, match=r"it has neither policy\.yaml nor constitution\.md"):
        load(tmp_path)


def test_the_version_covers_both_files():
    """The version is short, stable, and another one whenever either file changes."""
    first = parse(policy=POLICY, constitution=CONSTITUTION).version
    assert first == parse(policy=POLICY, constitution=CONSTITUTION).version
    assert len(first) == 12
    assert first != parse(policy=POLICY + "# a word\n", constitution=CONSTITUTION).version
    assert first != parse(policy=POLICY, constitution=CONSTITUTION + "More.\n").version


def test_the_version_of_files_that_did_not_change_stays():
    """Whatever waits for a click is not asked again after an upgrade, nor after another agent was listed."""
    assert parse(policy="rules: []\n", constitution=CONSTITUTION).version == "fbf5f82e6034"
    listed = CONSTITUTION.replace("slack_read]\n", "slack_read]\nagents:\n  - week_review\n")
    more = listed.replace("week_review\n", "week_review\n  - meeting_brief\n")
    versions = [parse(policy=POLICY, constitution=text).version for text in (CONSTITUTION, listed, more)]
    assert len({*versions}) == 1
    prose = [f"{listed}agents:\n  - {name}\n" for name in ("one", "two")]
    assert len({parse(policy=POLICY, constitution=text).version for text in prose}) == 2


def test_the_prose_may_have_lines_of_its_own_between_parts():
    """All that stands behind the front matter is for the model."""
    assert parse(policy=POLICY, constitution=f"{CONSTITUTION}---\nMore.\n").constitution == "# Be good\n---\nMore."


def test_a_rule_may_name_any_recipient():
    """An address, a domain, or all of them."""
    for value in ("'*'", DANA, "'@acme.com'"):
        row = f"rules: [{{id: a, decision: ask, tool: '*', argument: recipient, value: {value}, reason: x}}]"
        assert parse(policy=row, constitution=CONSTITUTION).rules[0].value == value.strip("'")


def test_windows_line_ends_are_understood():
    """Front matter is found whatever the line ends."""
    assert parse(policy=POLICY, constitution=CONSTITUTION.replace("\n", "\r\n")).constitution == "# Be good"


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        ("", "the whole file"),
        ("rules", "the whole file"),
        ("rules: {}", "“rules”"),
        ("rules: []\nbudgets: {}", "“budgets”: there is no such key"),
        ("rules: [", "policy.yaml"),
        ("rules: []\nrules: []", "“rules” is given twice"),
        ("rules: [{id: a, id: b}]", "“id” is given twice"),
        ("rules: !!python/object:os.system {}", "tags (!) are not read"),
        ("rules: &all []", "policy.yaml:1 is not a valid policy: anchors and aliases"),
        ("rules:\n  - {id: a, decision: deny, tool: '*', reason: x}\n  - {id: b}", "policy.yaml:3 is not a valid"),
        ("rules: [{id: a, decision: maybe, tool: '*', reason: x}]", "rules.0.decision"),
        ("rules: [{id: a, decision: deny, tool: '*'}]", "rules.0.reason"),
        ("rules: [{id: a, decision: deny, tool: '*', reason: x, regex: y}]", "rules.0.regex”: there is no such key"),
        ("rules: [{id: A b, decision: deny, tool: '*', reason: x}]", "rules.0.id"),
        ("rules: [{id: a, decision: deny, tool: '*', reason: x, argument: to, value: 7}]", "rules.0.value"),
        ("rules: [{id: a, decision: deny, tool: gmail_sned, reason: x}]", "“gmail_sned”, which is not a listed tool"),
        ("rules: [{id: a, decision: deny, tool: '*', reason: x, value: y}]", "a value but names no argument"),
        ("rules: [{id: a, decision: deny, tool: '*', reason: x, argument: 'role:place'}]", "the role “place”"),
        ("rules: [{id: a, decision: deny, tool: '*', reason: x, argument: recipient, value: acme.com}]", "(@acme.com)"),
        (
            "rules: [{id: a, decision: deny, tool: '*', reason: x, argument: recipient, value: '*@a.com'}]",
            "(@acme.com)",
        ),
        (
            "rules: [{id: a, decision: deny, tool: '*', reason: x}, {id: a, decision: ask, tool: '*', reason: x}]",
            "the rule “a” is there twice",
        ),
    ],
)
def test_an_invalid_policy_is_refused_with_its_place(policy: str, said: str):
    """Unknown keys, doubled keys, wrong values and misspelt tools are refused in words that name the place."""
    with pytest.raises(InvalidPolicy) as error:
        parse(policy=policy, constitution=CONSTITUTION)
    assert re.match(r"policy\.yaml(:\d+)? is not a valid policy: ", str(error.value))
    assert said in str(error.value)


CONTRACTS = {
    "gmail_send": Contract(roles={"to": Role.DESTINATION, "body": Role.CONTENT}, addressing=Addressing.STATED),
    "gmail_draft_send": Contract(roles={"draft_id": Role.OBJECT}, addressing=Addressing.LOOKED_UP),
    "slack_read": Contract(roles={"channel": Role.OBJECT}),
    "invite": Contract(roles={"guests": Role.DESTINATION}),
}
LISTED = CONSTITUTION.replace("slack_read", "slack_read, gmail_draft_send, gmail_reply, invite")


@pytest.mark.parametrize(
    ("tool", "argument", "which"),
    [
        ("'*'", "addressees", "no tool has"),
        ("gmail_send", "attendees", "gmail_send does not have"),
        ("gmail_send", "role:url", "gmail_send does not have"),
        ("slack_read", "recipient", "slack_read does not have"),
        ("slack_read", "role:destination", "slack_read does not have"),
        ("gmail_draft_send", "to", "gmail_draft_send does not have"),
        ("invite", "recipient", "invite does not have"),
    ],
)
def test_a_rule_that_nothing_could_match_is_refused(tool: str, argument: str, which: str):
    """A misspelt argument, or one of another tool, would make a rule that is only believed to hold."""
    rule = f"rules: [{{id: a, decision: deny, tool: {tool}, argument: '{argument}', reason: x}}]"
    said = f"^policy.yaml is not a valid policy: rule “a” names the argument “{argument}”, which {which}"
    with pytest.raises(InvalidPolicy, match=said):
        refuse_idle(parse(policy=rule, constitution=LISTED), CONTRACTS)


def test_a_rule_that_allows_a_text_is_none_that_people_rely_on():
    """It is kept: where no argument spells the text, somebody is asked."""
    rule = "rules: [{id: a, decision: allow, tool: '*', argument: 'role:content', value: x, reason: x}]"
    refuse_idle(parse(policy=rule, constitution=LISTED), CONTRACTS)


@pytest.mark.parametrize("decision", ["deny", "ask"])
@pytest.mark.parametrize("tool", ["'*'", "gmail_send"])
def test_a_rule_about_texts_is_refused(decision: str, tool: str):
    """A draft has a text that no argument spells, so such a rule is only believed to hold."""
    rule = f"rules: [{{id: a, decision: {decision}, tool: {tool}, argument: 'role:content', value: x, reason: x}}]"
    said = "^policy.yaml is not a valid policy: rule “a” is about “role:content”: no rule hears of every text"
    with pytest.raises(InvalidPolicy, match=said):
        refuse_idle(parse(policy=rule, constitution=LISTED), CONTRACTS)


@pytest.mark.parametrize(
    ("tool", "argument"),
    [
        ("'*'", ""),
        ("'*'", "recipient"),
        ("'*'", "channel"),
        ("'*'", "role:command"),
        ("gmail_send", "role:destination"),
        ("gmail_send", "recipient"),
        ("gmail_send", "body"),
        ("slack_read", "role:object"),
        ("gmail_draft_send", "recipient"),
        ("gmail_draft_send", "role:destination"),
        ("invite", "role:destination"),
        ("gmail_reply", "addressees"),
    ],
)
def test_a_rule_that_something_may_match_is_taken(tool: str, argument: str):
    """Arguments and roles that a tool has, the recipients of a mail, and what tools that are not here may have."""
    named = f", argument: '{argument}'" if argument else ""
    rule = f"rules: [{{id: a, decision: deny, tool: {tool}, reason: x{named}}}]"
    refuse_idle(parse(policy=rule, constitution=LISTED), CONTRACTS)


@pytest.mark.parametrize(
    ("constitution", "said"),
    [
        ("# No front matter", "front matter"),
        ("\n---\ntools: [a]\n---\n", "front matter"),
        ("---\ntools: [a]\n", "front matter"),
        ("---\ntools: []\n---\n", "“tools”"),
        ("---\ntools: ['*']\n---\n", "“tools.0”"),
        ("---\ntools: [a, 7]\n---\n", "“tools.1”"),
        ("---\ntools: [a, a]\n---\n", "the tool “a” is there twice"),
        ("---\ntools: [a]\nlaw: none\n---\n", "“law”: there is no such key"),
        ("---\ntools: a: b\n---\n", "constitution.md:2 is not"),
    ],
)
def test_an_invalid_constitution_is_refused(constitution: str, said: str):
    """The front matter holds a list of tools and nothing else."""
    with pytest.raises(InvalidPolicy) as error:
        parse(policy="rules: []", constitution=constitution)
    assert re.match(r"constitution\.md(:\d+)? is not a valid policy: ", str(error.value))
    assert said in str(error.value)


def test_a_missing_or_unreadable_file_is_said(tmp_path: Path):
    """A folder without the files, or with one that is no text, is refused by its name."""
    with pytest.raises(InvalidPolicy, match=r"it has neither policy\.yaml nor constitution\.md"):
        load(tmp_path)
    (tmp_path / "policy.yaml").write_text(POLICY, encoding="utf-8")
    assert load(tmp_path).constitution == load().constitution  # the shipped one counts in the place of its own
    (tmp_path / "constitution.md").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(InvalidPolicy, match=r"constitution\.md is not a valid policy: it cannot be read"):
        load(tmp_path)
    (tmp_path / "constitution.md").write_text(CONSTITUTION, encoding="utf-8")
    assert load(tmp_path).version == parse(policy=POLICY, constitution=CONSTITUTION).version
