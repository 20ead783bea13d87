"""What an entry of the log says in a sentence."""

from __future__ import annotations

import pytest

from bot.agents.definition import ENDING_TOOL, PLAN_TASK
from bot.domain.audit import AuditCode
from bot.runtime.texts.about_entries import SENTENCES, sentence
from bot.tools.names import TOOLS
from bot.wiring.tools import known_contracts


def test_every_code_has_its_sentence() -> None:
    """A new code cannot be forgotten: people would read its bare words."""
    assert set(SENTENCES) == set(AuditCode)


def test_every_tool_has_its_words() -> None:
    """A new tool cannot be forgotten: people would read its name. One that was renamed keeps no words under the old."""
    assert set(TOOLS) == {*known_contracts(), PLAN_TASK, ENDING_TOOL}
    assert all(todo and did for todo, did in TOOLS.values())


@pytest.mark.parametrize("code", list(AuditCode))
@pytest.mark.parametrize("details", [{}, {"tool": 7, "run": 7, "states": 7, "level": [], "limit": {}}])
def test_an_entry_that_lacks_its_values_has_a_sentence_too(code: AuditCode, details: dict[str, object]) -> None:
    """Whatever stands in it."""
    said = sentence(code.value, "", details)
    assert said[0].isupper()
    assert not {"{", "}"} & set(said)
    assert code.value not in said


AGREE, NOTED = "others have to agree before", "(the guard would have asked)"
ASKED = {"tool": "gmail_send", "states": ["planned", "executing"], "verdict": "allow"}


@pytest.mark.parametrize(
    ("code", "details", "said"),
    [
        ("run.undone", {}, "<@U0DANA> took it back: it is not done"),
        ("person.trust_level", {"level": "autonomous"}, "<@U0DANA> set their trust level to autonomous"),
        ("person.disallowed", {"address": "a@x.example"}, "<@U0DANA> took a@x.example off the list"),
        ("workspace.guard", {"guard": "shadow", "before": "off"}, "<@U0DANA> set the guard to shadow"),
        ("person.erased", {"person": "U0MARA"}, "What the log said of <@U0MARA> in private was erased"),
        ("question.decided", {"decision": "approve"}, "<@U0DANA> pressed Approve"),
        ("question.decided", {"decision": "reject", "kind": "plan"}, "<@U0DANA> pressed Cancel"),
        ("question.decided", {"decision": "approve", "variant": "Save draft"}, "<@U0DANA> pressed Save draft"),
        ("action.edited", {"tool": "gmail_send", "as_draft": True}, "<@U0DANA> edited the card to save a draft"),
        ("action.completed", {"tool": "gmail_reply", "objects": ["draft:d1"]}, "The agent saved a draft"),
        ("action.completed", {"tool": "gmail_reply", "objects": ["message:m1"]}, "The agent sent a reply"),
        ("action.completed", {"tool": "stock_order", "as_draft": True}, "The agent ran stock_order"),
        ("action.edited", {"tool": "gmail_send", "approved": True}, "<@U0DANA> chose on the card to send a mail"),
        ("action.asked", {"tool": "gmail_send"}, "It has to ask before it may send a mail"),
        ("action.asked", {"tool": "find_person", "question": "answer"}, "It asks a question, to look up an address"),
        ("action.completed", {"tool": "stock_order"}, "The agent ran stock_order"),
        (
            "action.claimed",
            ASKED | {"rule": "rule.ours"},
            "The agent is about to send a mail, without asking: a rule (rule.ours)",
        ),
        (
            "action.claimed",
            ASKED | {"rule": "rule.allow_list"},
            "The agent is about to send a mail, without asking: every address is on the list",
        ),
        (
            "action.claimed",
            ASKED | {"rule": "level.autonomous"},
            "The agent is about to send a mail, without asking: the level autonomous allows it",
        ),
        (
            "action.claimed",
            ASKED | {"rule": "rule.allow_list", "would_ask": "guard.destination"},
            f"The agent is about to send a mail, without asking: every address is on the list {NOTED}",
        ),
        (
            "action.claimed",
            ASKED | {"rule": "rule.ours", "would_ask": "guard.destination"},
            f"The agent is about to send a mail, without asking: a rule (rule.ours) {NOTED}",
        ),
        (
            "action.scheduled",
            {"tool": "gmail_send", "would_ask": "guard.destination"},
            f"It is scheduled to send a mail {NOTED}",
        ),
        ("workspace.rule_removed", {"tool": "*"}, f"<@U0DANA> took away the rule that {AGREE} anything goes out"),
        ("action.delegated", {"tool": "plan_task"}, "A task of the plan begins"),
        ("action.delegated", {"tool": "mail_clerk"}, "It gives work to the agent “mail clerk”"),
        ("workspace.rule_added", {"tool": "*"}, f"<@U0DANA> made a rule: {AGREE} anything goes out"),
        ("workspace.rule_added", {"tool": "stock"}, f"<@U0DANA> made a rule: {AGREE} it may run stock"),
        ("schedule.added", {"kind": "briefing"}, "A briefing is planned for <@U0DANA>"),
        ("schedule.ended", {"kind": "reminder"}, "<@U0DANA> removed a reminder"),
        ("schedule.fired", {"kind": "request"}, "A request for later is due"),
        ("schedule.paused", {}, "<@U0DANA> paused something"),
        ("action.denied", {"tool": "gmail_send", "rule": "shipped.x"}, "It is not allowed to send a mail"),
        (
            "action.denied",
            {"tool": "gmail_send", "rule": "limit.deadline"},
            "The deadline is over, so it is too late to send a mail",
        ),
        ("run.queued", {"agent": "mail_clerk", "source": "agent:1"}, "<@U0DANA> asked for something"),
        ("run.queued", {"agent": "mail_clerk", "source": "child:act_1"}, "That work waits for its turn"),
        ("run.moved", {"run": ["queued", "planning"]}, "The model is asked what comes next"),
        ("run.limit", {"limit": "model_calls"}, "A limit was reached (model calls)"),
        ("run.hard_stop", {"limit": "deadline"}, "The deadline is over: nothing more begins"),
        ("no.such_code", {}, "No such code"),
    ],
)
def test_a_sentence_says_the_values_of_its_entry(code: str, details: dict[str, object], said: str) -> None:
    """Who did it, and to what."""
    assert sentence(code, "U0DANA", details) == said


@pytest.mark.parametrize(
    ("actor", "who"), [("agent", "The agent"), ("", "The agent"), ("slack", "Slack"), ("operator", "The operator")]
)
def test_what_is_no_person_is_not_mentioned(actor: str, who: str) -> None:
    """Only ids of Slack are."""
    assert sentence("run.stop_asked", actor, {}) == f"{who} asked to stop"
