"""The formats of the export: tables for people (CSV), events for a SIEM (OCSF), and which entries are wanted.

OCSF is the Open Cybersecurity Schema Framework, 1.9.0: class API Activity (6003) with the profile Record Integrity.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from math import isfinite
from typing import Any, TypeAlias, cast

from bot import canonical_json
from bot.domain.audit import AuditEntry
from bot.runtime.audit.bodies import body_of, details_of
from policies.characters import INVISIBLE

COLUMNS = (
    *("at", "team", "code", "actor", "run_id", "number", "tool", "action", "attempt", "verdict", "rule"),
    *("outcome", "step", "level", "run_label", "label", "model", "approved_by", "latency_ms", "objects"),
    *("args_sha256", "evidence_sha256", "seq", "hash", "digest", "details", "personal"),
)
_TAKEN = (
    *("tool", "action", "attempt", "verdict", "rule", "step", "level", "run_label", "label", "model"),
    *("approved_by", "latency_ms", "args_sha256", "evidence_sha256"),
)
"""What of the details has a column of its own; states and objects have one, too, in another form."""

_FORMULA = re.compile(rf'(?:\A|[;,\t\r\n])[\s"\ufe0e\ufe0f{INVISIBLE}]*(?=[=+\-@＝＋－＠﹦﹢﹣﹫])')
"""What stands before a character that begins a formula, also in full width or small, where a spreadsheet may begin a
cell: at the beginning, or after what parts cells in some of them, behind blanks, quotes and what is invisible (OWASP,
"CSV Injection").
"""

_VERSION = "1.9.0"
_CLASS, _CATEGORY = 6003, 6
_READ, _UPDATE, _OTHER = 2, 3, 99
_ACTIVITIES = {
    "action.read": _READ,
    "action.claimed": _UPDATE,
    "action.repeated": _UPDATE,
    "action.completed": _UPDATE,
    "action.reconciled": _UPDATE,
    "action.settled": _UPDATE,
}
_FAILED = frozenset(
    {
        *("failed", "denied", "refused", "expired", "rejected", "declined", "invalid", "cancelled", "dead", "unusable"),
        *("not", "no", "too", "wrong", "gone", "away", "unknown", "doom", "hard", "safety"),
    }
)
"""Words of a code, or an outcome, that say that something did not come of it. A click is only told of where it counts
for nothing.
"""
_UNKNOWN, _SUCCESS, _FAILURE = 0, 1, 2
_INFORMATIONAL = 1
_SHA_256, _HEX, _JCS = 3, 1, 2
_EMAIL, _HASH, _RESOURCE, _ANOTHER = (5, "Email Address"), (8, "Hash"), (10, "Resource UID"), (99, "Other")
"""Types of observables (OCSF 1.9.0, Observable)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which entries are wanted; nothing of it means all. `person` acted, or it is their request."""

    person: str = ""
    tool: str = ""
    since: datetime | None = None
    until: datetime | None = None

    @property
    def is_all(self) -> bool:
        """Whether every entry is wanted."""
        return not (self.person or self.tool or self.since or self.until)

    def wants(self, entry: AuditEntry, owner: str = "") -> bool:
        """Whether this entry is among them; `owner` is the person whose request it belongs to."""
        body = body_of(entry.body)
        if self.person and self.person not in (body.get("actor"), body.get("owner"), owner):
            return False
        if self.tool and details_of(body).get("tool") != self.tool:
            return False
        at = str(body.get("at", ""))
        return not (self.since and at < _told(self.since)) and not (self.until and at >= _told(self.until))

    def __str__(self) -> str:
        """What it is, in a word without spaces; empty for all."""
        since, until = (_told(moment) if moment else "" for moment in (self.since, self.until))
        return "" if self.is_all else ":".join([self.person, self.tool, since, until])


EVERYTHING = Filter()
"""No filter."""


def csv_head() -> str:
    """The first line of a table."""
    return _csv(COLUMNS)


Personal: TypeAlias = Mapping[str, object] | None
"""What is personal in an entry, where it was opened."""


def as_csv(entry: AuditEntry, personal: Personal = None) -> str:
    """The line of an entry. No cell is a formula, however a spreadsheet parts the line: before what would begin one
    stands an apostrophe.
    """
    body = body_of(entry.body)
    details = dict(details_of(body))
    known = {
        "at": body.get("at"),
        "team": entry.team,
        "code": entry.code,
        "actor": body.get("actor"),
        "run_id": _run_of(entry),
        "number": entry.number,
        **{name: details.pop(name, None) for name in _TAKEN},
        "outcome": _texts(details.get("states"))[-1:],
        "objects": _texts(details.get("objects")),
        "seq": entry.seq,
        "hash": entry.hash,
        "digest": entry.digest,
    }
    cells = {name: _inert(cell) for name, cell in known.items()}
    cells |= {name: _json(about) for name, about in (("details", details), ("personal", dict(personal or {})))}
    return _csv([cells[name] for name in COLUMNS])


def _csv(cells: Sequence[str]) -> str:
    line = io.StringIO()
    csv.writer(line, quoting=csv.QUOTE_ALL, lineterminator="").writerow(cells)
    return line.getvalue()


def _inert(cell: object) -> str:
    """The cell as text that no spreadsheet calculates."""
    text = "" if cell is None else " ".join(_texts(cast("object", cell))) if isinstance(cell, list) else str(cell)
    text = _FORMULA.sub(r"\g<0>'", text)
    return f"'{text}" if text[:1] in {"\t", "\r", "\n"} else text


def _json(about: Mapping[str, object]) -> str:
    """As JSON in which every text is inert by itself; its numbers stay numbers."""
    return json.dumps(_inert_within(about), ensure_ascii=False) if about else ""


def _inert_within(value: object) -> object:
    match value:
        case str():
            return _inert(value)
        case dict():
            named = cast("dict[str, object]", value)
            return {_inert(name): _inert_within(one) for name, one in named.items()}
        case list():
            return [_inert_within(one) for one in cast("list[object]", value)]
        case _:
            return value


@dataclass(slots=True, kw_only=True)
class Ocsf:
    """Writes entries as events. Those of a workspace are a chain of their own in the export: each names the one before
    it and its fingerprint. It shows what was changed by mistake; what is signed are the checkpoints of the log.
    """

    product_version: str
    filtered: str = ""
    _before: dict[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]], init=False)

    def event(self, entry: AuditEntry, personal: Personal = None) -> str:
        """The line of an entry."""
        body = body_of(entry.body)
        event = self._event(entry, body)
        if personal:
            event["unmapped"]["personal"] = dict(personal)
        if observables := [*_observables(details_of(body)), *_reached(personal or {})]:
            event["observables"] = observables
        attestation: dict[str, Any] = {
            "uid": f"{entry.team}:{entry.id}",
            "chain_uid": f"{entry.team}:{self.filtered}" if self.filtered else entry.team,
        }
        if before := self._before.get(entry.team):
            attestation["prev_event"] = before
        event["attestation_list"] = [attestation]
        event = cast("dict[str, Any]", _countable(event))
        attestation = event["attestation_list"][0]
        fingerprint = {
            "algorithm": "SHA-256",
            "algorithm_id": _SHA_256,
            "encoding": "Hex",
            "encoding_id": _HEX,
            "serialization": "JCS",
            "serialization_id": _JCS,
            "value": sha256(canonical_json.dumps(event)).hexdigest(),
        }
        attestation["fingerprint"] = fingerprint
        self._before[entry.team] = {
            "uid": event["metadata"]["uid"],
            "type_uid": event["type_uid"],
            "fingerprint": fingerprint,
        }
        return json.dumps(event, ensure_ascii=False)

    def _event(self, entry: AuditEntry, body: Mapping[str, object]) -> dict[str, Any]:
        details = details_of(body)
        actor, at = str(body.get("actor", "")), str(body.get("at", ""))
        activity = _ACTIVITIES.get(entry.code, _OTHER)
        event: dict[str, Any] = {
            "activity_id": activity,
            "category_uid": _CATEGORY,
            "class_uid": _CLASS,
            "type_uid": _CLASS * 100 + activity,
            "severity_id": _INFORMATIONAL,
            "time": _milliseconds(at),
            "message": entry.code,
            "status_id": _status(entry.code, _texts(details.get("states"))[-1:]),
            "actor": {"user": {"uid": actor}, "app_name": "countersign"},
            "api": {"operation": str(details.get("tool") or entry.code), "service": {"name": "countersign"}},
            "src_endpoint": {"name": "slack", "uid": entry.team},
            "metadata": {
                "version": _VERSION,
                "profiles": ["record_integrity"],
                "product": {"name": "Countersign", "vendor_name": "Countersign", "version": self.product_version},
                "uid": f"{entry.team}:{entry.scope}:{entry.number}",
                "event_code": entry.code,
                "log_name": "audit",
                "original_time": at,
                "tenant_uid": entry.team,
            },
            "unmapped": {"details": details, "digest": entry.digest or "", "hash": entry.hash or ""},
        }
        if activity == _OTHER:
            event["activity_name"] = entry.code
        if run := _run_of(entry):
            event["metadata"]["correlation_uid"] = run
        if entry.seq is not None:
            event["metadata"]["sequence"] = entry.seq
        if action := details.get("action"):
            event["api"]["request"] = {"uid": str(action)}
        if states := _texts(details.get("states")):
            event["status_detail"] = states[-1]
        if isinstance(details.get("objects"), list):
            event["resources"] = [_resource(one) for one in _texts(details["objects"])]
        return event


def _resource(named: str) -> dict[str, str]:
    """A thing as details name it, `kind:id`."""
    kind, _, _ = named.partition(":")
    return {"uid": named, "type": kind}


def _observables(details: Mapping[str, object]) -> Iterator[dict[str, object]]:
    """What a SIEM looks for in other events: ids of things, and hashes."""
    for one in _texts(details.get("objects")):
        yield _observable("resources.uid", _RESOURCE, one)
    for name in ("args_sha256", "evidence_sha256", "approval_sha256"):
        if value := details.get(name):
            yield _observable(f"unmapped.details.{name}", _HASH, str(value))


def _reached(personal: Mapping[str, object]) -> Iterator[dict[str, object]]:
    """Those that it reached, and what others call it by, where that was opened."""
    for one in _texts(personal.get("destinations")):
        yield _observable("unmapped.personal.destinations", _EMAIL if "@" in one else _ANOTHER, one)
    ids = personal.get("ids")
    for name, one in cast("dict[str, object]", ids).items() if isinstance(ids, dict) else ():
        yield _observable(f"unmapped.personal.ids.{name}", _ANOTHER, str(one))


def _observable(name: str, kind: tuple[int, str], value: str) -> dict[str, object]:
    return {"name": name, "type_id": kind[0], "type": kind[1], "value": value}


def _countable(value: object) -> object:
    """The same with a text for each number that has no canonical form (RFC 8785): somebody wrote it into an entry."""
    match value:
        case dict():
            return {name: _countable(one) for name, one in cast("dict[str, object]", value).items()}
        case list():
            return [_countable(one) for one in cast("list[object]", value)]
        case int() if abs(value) > canonical_json.LARGEST:
            return str(value)
        case float() if not isfinite(value):
            return str(value)
        case _:
            return value


def _texts(value: object) -> list[str]:
    return [str(one) for one in cast("list[object]", value)] if isinstance(value, list) else []


def _status(code: str, outcome: Sequence[str]) -> int:
    """Whether it went well, as far as the code and the outcome of an action say."""
    noun, _, what = code.partition(".")
    said = {*what.split("_"), *outcome}
    if code == "action.unknown" or "unknown" in outcome:
        return _UNKNOWN
    return _FAILURE if noun == "click" or not _FAILED.isdisjoint(said) else _SUCCESS


def _milliseconds(at: str) -> int:
    """The moment as OCSF counts it; 0 for what is none."""
    try:
        return int(datetime.fromisoformat(at).timestamp() * 1000)
    except ValueError:
        return 0


def _told(moment: datetime) -> str:
    """As the bytes of an entry write it, so that texts are in the order of moments."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def _run_of(entry: AuditEntry) -> str | None:
    return None if entry.scope.startswith("workspace:") else entry.scope
