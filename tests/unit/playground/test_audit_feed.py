"""The agent's log as the page has it, and the words of what was asked for elsewhere than in a message."""

from __future__ import annotations

import json

from playground.audit_feed import AuditFeed, requests_in


def feed_of(**sources: str) -> AuditFeed:
    feed = AuditFeed(lambda number, entry: None)
    for run, source in sources.items():
        feed.hear(json.dumps({"id": run, "code": "run.queued", "run_id": run, "body": {"source": source}}))
    return feed


def test_words_are_wanted_of_what_no_message_asked_for() -> None:
    """Each run once: what nobody knows words of is not asked about again, and what began meanwhile is."""
    feed = feed_of(run_1="slack:T1:C1:1.2", run_2="http:req_1", run_3="form:V1")
    assert feed.wordless() == {"run_2", "run_3"}
    feed.learn(["run_2"], {"run_2": "Is it dry? " * 100, "run_1": "said in Slack"})
    assert feed.wordless() == {"run_3"}
    feed.learn(["run_3"], {})
    assert feed.wordless() == frozenset()
    assert feed.shown(10)["asked"] == {"run_2": ("Is it dry? " * 100)[:300]}


def test_words_are_wanted_of_what_waits_for_its_moment() -> None:
    """It begins with an entry of its own, and no message asked for its run."""
    feed = feed_of(run_1="slack:T1:C1:1.2")
    feed.hear(json.dumps({"id": "held", "code": "run.held", "run_id": "run_2", "body": {"asked_by": "act_1"}}))
    assert feed.wordless() == {"run_2"}


def test_words_go_with_the_entries_that_are_shown() -> None:
    """Those of older runs are left out."""
    feed = feed_of(run_1="http:req_1", run_2="http:req_2")
    feed.learn(["run_1", "run_2"], {"run_1": "one", "run_2": "two"})
    assert feed.shown(1)["asked"] == {"run_2": "two"}


def test_a_listing_is_read_line_by_line() -> None:
    """What is no run in it, such as a warning on its error output, is passed over."""
    lines = [json.dumps({"id": "run_1", "request": "one", "state": "completed"}), "a warning", "[]", "{}", "1"]
    assert requests_in("\n".join(lines)) == {"run_1": "one"}
