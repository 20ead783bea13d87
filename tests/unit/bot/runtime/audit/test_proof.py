"""An export and a public key: whatever was done to the export is named by its sequence, with no secret at hand."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
import rfc8785

from bot.domain.audit import (
    NO_MARK,
    AuditEntry,
    Carried,
    Checkpoint,
    CheckpointKind,
    carried_as_text,
    mark,
)
from bot.runtime.audit.chain import START, ChainPlace, checkpoint_at, digested, link, place_of
from bot.runtime.audit.export import as_json, checkpoint_as_json
from bot.runtime.audit.proof import Proof, ProofReport
from bot.secrets import KeyRing, new_key
from tests.builders import NOW, TEAM

KEYS = KeyRing([new_key()])
Line = dict[str, Any]
Lines = list[Line]

CODES = ("run.queued", "run.started", "action.claimed", "run.completed")
ENTRIES = 12
CHECKPOINTS = (5, 10)


def entry(n: int, after: ChainPlace, *, team: str = TEAM, at: datetime | None = None) -> AuditEntry:
    """The entry of a place, as the store makes it: runs of four entries each."""
    run, step = divmod(n - 1, len(CODES))
    moment = at or NOW + timedelta(seconds=n)
    body = {
        "v": 2,
        "at": moment.isoformat(timespec="microseconds"),
        "team": team,
        "scope": f"run_{run}",
        "number": step + 1,
        "after": mark(after.seq, after.hash) if after.seq else NO_MARK,
        "code": CODES[step],
        "actor": "U1",
        "details": {"tool": "gmail_send", "n": n},
    }
    text = rfc8785.dumps(body)
    key_id, mac = KEYS.mac(text)
    return AuditEntry(
        id=n,
        team=team,
        scope=f"run_{run}",
        number=step + 1,
        code=CODES[step],
        at=f"{moment:%Y-%m-%d %H:%M:%S.%f}",
        body=text.decode(),
        mac=mac,
        key_id=key_id,
    )


def chained(team: str = TEAM, at: datetime | None = None) -> list[AuditEntry]:
    """A chain; each entry was written when the one before it was sealed."""
    log: list[AuditEntry] = []
    for n in range(1, ENTRIES + 1):
        after = place_of(log[-1]) if log else START
        log.append(link(entry(n, after, team=team, at=at), KEYS, after=after))
    return log


LOG = chained()


def signed(log: Sequence[AuditEntry], *seqs: int, keys: KeyRing = KEYS) -> list[Checkpoint]:
    """Checkpoints at these places."""
    return [
        checkpoint_at(keys, log[seq - 1].team, place_of(log[seq - 1]), CheckpointKind.SEALED, NOW + timedelta(hours=1))
        for seq in seqs
    ]


def export(log: Sequence[AuditEntry] = LOG, made: Sequence[Checkpoint] = ()) -> Lines:
    """The export's lines, read."""
    first = map(checkpoint_as_json, made or signed(log, *CHECKPOINTS))
    return [json.loads(line) for line in [*first, *map(as_json, log)]]


def pruned(log: Sequence[AuditEntry] = LOG, *, to: int = CHECKPOINTS[0]) -> Lines:
    """The lines of a log that was pruned to its first checkpoint: a run of four goes on behind it."""
    scope, number = log[to - 1].scope, log[to - 1].number
    carried = carried_as_text({scope: Carried(number)})
    beginning = checkpoint_at(KEYS, TEAM, place_of(log[to - 1]), CheckpointKind.PRUNED, NOW, carried)
    left = [line for line in export(log) if line.get("seq", to + 1) > to]
    return [json.loads(checkpoint_as_json(beginning)), *left]


LOGS = {"whole": export, "pruned": pruned}


def proven(lines: Lines, *, keys: Sequence[str] = KEYS.public_keys, kept: Sequence[Checkpoint] = ()) -> ProofReport:
    """What somebody with the public key finds."""
    proof = Proof(keys)
    for checkpoint in kept:
        proof.read(checkpoint_as_json(checkpoint), "kept")
    for n, line in enumerate(lines, start=1):
        proof.read(json.dumps(line), f"line {n}")
    return proof.end()


def first(report: ProofReport) -> tuple[int, str]:
    """The sequence of the only fault, and its words."""
    (fault,) = report.faults
    assert not report.is_whole
    assert f"{TEAM}, sequence {fault.seq}: " in report.text()
    return fault.seq, fault.what


def at(lines: Lines, seq: int) -> Line:
    """The line of an entry."""
    return next(line for line in lines if line.get("seq") == seq)


def anew(lines: Lines, begin: int) -> None:
    """What a forger does who has no key: from here on every sequence, link and digest is made to fit."""
    entries = [line for line in lines if "seq" in line]
    before = at(lines, begin - 1) if begin > 1 else {"hash": "", "digest": ""}
    hash_, digest = before["hash"], before["digest"]
    first = next(n for n, line in enumerate(entries) if line["seq"] >= begin)
    for seq, line in enumerate(entries[first:], start=begin):
        digest = digested(digest, seq, line["stored"].encode())
        line |= {"seq": seq, "prev_hash": hash_, "digest": digest}
        hash_ = line["hash"]


def rewritten(line: Line, **values: object) -> None:
    """Change what was stored, and what the line says of it."""
    body = json.loads(line["stored"]) | values
    line["stored"] = rfc8785.dumps(body).decode()
    said = {"body" if name == "details" else name: value for name, value in values.items()}
    line |= {name: value for name, value in said.items() if name in line}


def edit(lines: Lines) -> None:
    rewritten(at(lines, 7), details={"tool": "gmail_send", "n": 0})


def delete_in_the_middle(lines: Lines) -> None:
    lines.remove(at(lines, 7))


def delete_the_tail(lines: Lines) -> None:
    for seq in (7, 8, 9, 10, 11, 12):
        lines.remove(at(lines, seq))


def insert(lines: Lines) -> None:
    forged = dict(at(lines, 7))
    rewritten(forged, details={"tool": "gmail_send", "n": 99})
    lines.insert(lines.index(at(lines, 7)), forged)


def insert_and_renumber(lines: Lines) -> None:
    insert(lines)
    anew(lines, 7)


def reorder(lines: Lines) -> None:
    one, other = at(lines, 7), at(lines, 8)
    one["seq"], other["seq"] = 8, 7


def clock_back(lines: Lines) -> None:
    rewritten(at(lines, 7), at="2020-01-01T00:00:00.000000+00:00")


def two_of_one_place(lines: Lines) -> None:
    lines.append(dict(at(lines, 7)))


TAMPERINGS: dict[Callable[[Lines], None], str] = {
    edit: "its bytes are not those that its digest is of",
    delete_in_the_middle: "it is missing",
    delete_the_tail: "it is missing, and all up to 10: a checkpoint was signed there at",
    insert: "its bytes are not those that its digest is of",
    reorder: "it does not follow the entry before it",
    clock_back: "its bytes are not those that its digest is of",
    two_of_one_place: "two entries have this place",
}


def test_an_untouched_export_verifies() -> None:
    """Everything up to the newest checkpoint is proven; what came after it is counted apart."""
    report = proven(export())
    assert report.is_whole
    assert report.text() == (
        "The export verifies: 10 entries of 1 workspace, as they were when they were signed.\n"
        "No checkpoint covers 2 more: they fit, and nothing signed says that they are all.\n"
        "No digest is made of a line's id, MAC and hash: nothing proves these, but the hash at a checkpoint."
    )


def test_other_hashes_between_checkpoints_are_told_to_be_unproven() -> None:
    """A hash takes a secret to be made: its copies are held against it, and the report names it as not proven. At a
    checkpoint it is signed.
    """
    lines = export()
    for seq in (3, 5):
        hash_ = at(lines, seq)["hash"]
        new = hash_[:-1] + ("0" if hash_[-1] != "0" else "1")
        at(lines, seq)["hash"] = at(lines, seq + 1)["prev_hash"] = new
        report = proven(lines)
        assert report.is_whole == (seq == 3)
        assert (" MAC and hash: nothing proves these" in report.text()) == (seq == 3)
    assert first(report)[0] == 5


@pytest.mark.parametrize("log", LOGS)
@pytest.mark.parametrize("tamper", TAMPERINGS, ids=lambda tamper: tamper.__name__)
def test_each_tampering_is_named_by_its_sequence(tamper: Callable[[Lines], None], log: str) -> None:
    """Edit, delete in the middle or at the end, insert, reorder, turn the clock back, double: the first is at 7. So it
    is in a log that was pruned.
    """
    lines = LOGS[log]()
    tamper(lines)
    seq, what = first(proven(lines))
    assert seq == 7
    assert what.startswith(TAMPERINGS[tamper])


@pytest.mark.parametrize("log", LOGS)
@pytest.mark.parametrize("tamper", [edit, clock_back, insert_and_renumber], ids=lambda tamper: tamper.__name__)
def test_whoever_makes_the_digests_anew_meets_the_next_checkpoint(tamper: Callable[[Lines], None], log: str) -> None:
    """Without the key a chain can be made to fit itself again, but not what was signed."""
    lines = LOGS[log]()
    tamper(lines)
    if tamper is not insert_and_renumber:
        anew(lines, 7)
    seq, what = first(proven(lines))
    if tamper is insert_and_renumber:  # the run has an entry too many
        assert (seq, what) == (8, "number 3 of run_1 follows 3: an entry before it is missing")
        return
    assert seq == 10
    assert what.endswith("something from 6 on was changed")


def late(lines: Lines, *, behind: int) -> Lines:
    """The lines with the checkpoints behind this entry."""
    made, entries = [line for line in lines if "checkpoint" in line], [line for line in lines if "seq" in line]
    place = entries.index(at(lines, behind)) + 1
    return [*entries[:place], *made, *entries[place:]]


@pytest.mark.parametrize("behind", [7, 10, 12])
def test_a_checkpoint_counts_wherever_it_stands(behind: int) -> None:
    """An export that is followed has it behind its entry. Nobody makes it mean less by moving it."""
    lines = export()
    assert proven(late(lines, behind=behind)).text() == proven(lines).text()
    edit(lines)
    anew(lines, 7)
    assert first(proven(late(lines, behind=behind))) == first(proven(lines))


def test_a_fault_further_on_hides_none_before_it() -> None:
    """Not one that only a checkpoint shows which comes late."""
    lines, other = export(), signed(LOG, 12)[0]
    edit(lines)
    anew(lines, 7)
    false = replace(other, digest="0" * 64)
    assert first(proven(late(lines, behind=12), kept=[false]))[0] == 10


def test_an_entry_that_was_deleted_before_it_was_sealed_is_named() -> None:
    """Its run counts its entries: where the next one stands, the number shows that one is missing."""
    log: list[AuditEntry] = []
    for n in (1, 2, 4):
        after = place_of(log[-1]) if log else START
        log.append(link(entry(n, after), KEYS, after=after))
    assert first(proven(export(log, signed(log, 3)))) == (
        3,
        "number 4 of run_0 follows 2: an entry before it is missing",
    )


def test_what_a_line_says_is_what_was_stored() -> None:
    """Each readable field is held against the stored bytes, also those that no digest is made of."""
    for name in ("team", "code", "actor", "number", "at", "body", "run_id"):
        lines = export()
        line = at(lines, 7)
        line[name] = {} if name == "body" else f"{line[name]}0"
        assert first(proven(lines)) == (7, "what the line says is not what was stored"), name


def test_true_is_no_number() -> None:
    """Nor is 1.0 the number 1, wherever it stands. A body whose fields come in another order says the same."""
    for seq, value in ((1, True), (1, 1.0), (2, 2.0), (5, True)):
        lines = export()
        at(lines, seq)["number"] = value
        assert first(proven(lines)) == (seq, "what the line says is not what was stored"), value
    for body in ({"n": True}, {"n": 1.0}, {"n": [1]}):
        lines = export()
        at(lines, 1)["body"] |= body
        assert first(proven(lines)) == (1, "what the line says is not what was stored"), body
    lines = export(LOG, signed(LOG, *CHECKPOINTS))
    at(lines, 1)["body"] = dict(reversed(at(lines, 1)["body"].items()))
    assert proven(lines).is_whole
    for odd in (True, 1.0, "1"):
        lines = export()
        at(lines, 1)["seq"] = odd
        assert (proven(lines).is_whole, proven(lines).unreadable) == (False, ["line 3"]), odd


def test_a_number_that_is_stored_as_true_is_none() -> None:
    """Also where no checkpoint covers the entry, so that anybody could have written it."""
    line = at(export(), 1)
    stored = line["stored"].replace('"number":1', '"number":true')
    proof = Proof(KEYS.public_keys)
    digest = digested("", 1, stored.encode())
    proof.read(json.dumps({**line, "number": True, "stored": stored, "digest": digest}), "line 1")
    assert proof.end().unreadable == ["line 1"]


def test_a_tail_that_is_gone_with_its_checkpoint_is_missed_where_that_was_kept() -> None:
    """Whoever has the database can take the newest checkpoint away, too. One that was kept elsewhere shows it."""
    lines = [line for line in export() if line.get("seq", 0) <= 6 and line.get("checkpoint", {}).get("seq", 0) <= 6]
    assert proven(lines).is_whole
    seq, what = first(proven(lines, kept=signed(LOG, 10)))
    assert (seq, what.partition(":")[0]) == (7, "it is missing, and all up to 10")


def test_a_checkpoint_of_somebody_else_proves_nothing() -> None:
    """Neither one under a key of their own, nor one whose place was changed; and without any nothing is proven."""
    other = KeyRing([new_key()])
    seq, what = first(proven(export(made=signed(LOG, 5, keys=other))))
    assert (seq, what) == (5, f"the checkpoint here is signed with another key ({other.public_keys[0]})")
    lines = export()
    lines[0]["checkpoint"]["seq"] = 6
    assert first(proven(lines)) == (6, "the checkpoint here was changed")
    alone = proven([json.loads(as_json(one)) for one in LOG])
    assert (alone.is_whole, alone.faults) == (False, [])
    assert alone.text() == "The export proves nothing: it has no entry that a checkpoint covers."


def test_two_checkpoints_of_one_place_must_agree() -> None:
    """Whoever has the key and writes the log anew is found by what was kept of the old one."""
    other = chained(at=NOW + timedelta(days=1))
    seq, what = first(proven(export(other), kept=signed(LOG, 5)))
    assert (seq, what) == (5, "two checkpoints were signed here, and they differ")


def test_an_older_key_counts_where_it_is_given() -> None:
    """After a change of keys both public keys are given."""
    newer = KeyRing([new_key()])
    made = [*signed(LOG, 5), *signed(LOG, 10, keys=newer)]
    assert proven(export(made=made), keys=[*newer.public_keys, *KEYS.public_keys]).is_whole
    assert first(proven(export(made=made), keys=newer.public_keys))[0] == 5


@pytest.mark.parametrize(
    "before",
    ['"actor":"UEVIL",', '"body":{"tool":"none"},', '"approved_by":"UBOSS",', '"checkpoint":{},'],
    ids=["actor twice", "body twice", "a field of no export", "a checkpoint"],
)
@pytest.mark.parametrize("apart", [(",", ":"), (", ", ": ")], ids=["as exported", "written again"])
def test_a_line_says_one_thing_to_every_reader(before: str, apart: tuple[str, str]) -> None:
    """A field that stands there twice, or that no export has, is not taken for proven by some and not by others."""
    texts = [json.dumps(line, separators=apart) for line in export()]
    assert whole(texts)
    changed = next(n for n, text in enumerate(texts) if json.loads(text).get("seq") == 7)
    texts[changed] = "{" + before + texts[changed].removeprefix("{")
    assert not whole(texts)


def test_a_field_within_the_body_stands_there_once() -> None:
    """As one of the line itself."""
    texts = [json.dumps(line, separators=(",", ":")) for line in export()]
    again = [text.replace('"body":{', '"body":{"tool":"none",') for text in texts]
    assert again != texts
    assert not whole(again)


def whole(texts: Sequence[str]) -> bool:
    proof = Proof(KEYS.public_keys)
    for n, text in enumerate(texts, start=1):
        proof.read(text, f"line {n}")
    return proof.end().is_whole


def test_what_nothing_proves_is_said() -> None:
    """Lines that have no place in the chain, and what was opened: whoever made the export can have written them."""
    lines = export()
    lines[-1]["personal"] = {"destinations": ["somebody.else@fernhill.example"]}
    invented = at(lines, 7) | {"seq": None, "sealed": False, "code": "action.approved", "actor": "UBOSS"}
    told = proven([*lines, invented]).text()
    assert "Nothing proves 1 more line without a place in the chain" in told
    assert "What is personal was opened in 1 line: nothing proves what stands there." in told


def test_a_place_that_the_chain_does_not_have_is_named() -> None:
    """An entry names the newest place of when it was written: no other chain fits it."""
    lines = export()
    rewritten(at(lines, 7), after="3:0123456789abcdef")
    anew(lines, 7)
    assert first(proven(lines)) == (7, "it was written after 3:0123456789abcdef, a place that the chain does not have")


def test_what_came_before_digests_is_not_proven() -> None:
    """A chain of before there were checkpoints begins to be proven behind them, and what was before is counted."""
    old = [one._replace(digest=None) for one in LOG[:4]]
    end = place_of(old[-1])
    begun = checkpoint_at(KEYS, TEAM, end, CheckpointKind.BEGUN, NOW)
    log = list(old)
    for n in range(5, ENTRIES + 1):
        after = place_of(log[-1])
        log.append(link(entry(n, after), KEYS, after=after))
    report = proven(export(log, [begun, *signed(log, 10)]))
    assert (report.is_whole, report.entries, report.unproven) == (True, 12, 6)
    seq, _ = first(proven(export(log, signed(log, 10))))
    assert seq == 1


@pytest.mark.parametrize("log", LOGS)
def test_lines_come_in_any_order(log: str) -> None:
    """The place of an entry is its sequence; on PostgreSQL ids are not in the order of the chain."""
    lines = LOGS[log]()
    entries = [line for line in lines if "seq" in line]
    made = [line for line in lines if "seq" not in line]
    assert proven([*made, *reversed(entries)]).is_whole


# A log that was pruned ----------------------------------------------------------------------------------------------


def test_a_pruned_export_verifies_from_where_it_begins() -> None:
    """It says so; a run that goes on there has the number that was carried over."""
    report = proven(pruned())
    assert report.text() == (
        "The export verifies: 5 entries of 1 workspace, as they were when they were signed.\n"
        "No checkpoint covers 2 more: they fit, and nothing signed says that they are all.\n"
        "No digest is made of a line's id, MAC and hash: nothing proves these, but the hash at a checkpoint.\n"
        "The log of T1 begins at 6: what was before was pruned on 2026-11-21."
    )


def test_one_entry_more_than_was_pruned_is_missed() -> None:
    """The first that is left follows the place that was signed."""
    lines = pruned()
    lines.remove(at(lines, 6))
    assert first(proven(lines)) == (6, "it is missing")


def test_only_a_signed_place_is_a_beginning() -> None:
    """Not one that was moved, nor one of somebody else, nor one with other numbers; and no other kind of checkpoint."""
    for change in ({"seq": 6}, {"carried": "{}"}, {"digest": "0" * 64}):
        lines = pruned()
        lines[0]["checkpoint"] |= change
        assert first(proven(lines))[1] == "the checkpoint here was changed"
    lines = pruned()
    lines[0]["checkpoint"]["kind"] = "sealed"
    assert first(proven(lines)) == (1, "it is missing")
    assert first(proven(pruned()[1:])) == (1, "it is missing")
    other = KeyRing([new_key()]).public_keys
    assert first(proven(pruned(), keys=other))[1].startswith("the checkpoint here is signed with another key")


def test_an_entry_that_was_pruned_does_not_come_back() -> None:
    """Nobody can tell whether it is the one that went."""
    lines = [*pruned(), at(export(), 5)]
    assert first(proven(lines)) == (5, "the log was pruned up to 5")


def test_a_beginning_at_the_end_must_fit_what_was_followed() -> None:
    """An export of a log that was pruned meanwhile ends with where it begins: the place is one of its own."""
    assert proven([*export(), pruned()[0]]).is_whole
    other = pruned(chained(at=NOW + timedelta(days=1)))[0]
    seq, what = first(proven([*export(), other]))
    assert (seq, what) == (5, "the log was pruned up to here, and this is not what was signed")


def test_workspaces_are_apart() -> None:
    """A fault in one says nothing of the other, and each is told."""
    other = chained("T2")
    made = [*signed(LOG, 10), *signed(other, 10)]
    lines = [json.loads(line) for line in [*map(checkpoint_as_json, made), *map(as_json, [*LOG, *other])]]
    assert proven(lines).teams == 2
    edit(lines)
    assert first(proven(lines))[0] == 7
    lines = [line for line in lines if line.get("team") != "T2"]
    assert [(fault.team, fault.seq) for fault in proven(lines).faults] == [(TEAM, 7), ("T2", 1)]


@pytest.mark.parametrize(
    "line", ["nonsense", "[]", "7", '{"seq":1}', '{"checkpoint":{}}', '{"checkpoint":7}', '{"seq":"1","stored":"{}"}']
)
def test_what_is_no_line_of_an_export_is_told(line: str) -> None:
    """With its number, and the status says so."""
    proof = Proof(KEYS.public_keys)
    proof.read("", "line 1")
    proof.read(line, "line 2")
    report = proof.end()
    assert not report.is_whole
    assert "line 2: it is no entry and no checkpoint" in report.text()


@pytest.mark.parametrize(
    "odd", [{"sealed": False}, {"sealed": 1}, {"id": "3"}, {"id": True}, {"mac": {}}, {"mac": "x"}]
)
def test_what_no_digest_is_of_has_the_form_that_it_has(odd: dict[str, object]) -> None:
    """A line with a place is sealed; its id is a number and its MAC one. Which ones these are, nothing proves."""
    lines = export()
    at(lines, 3).update(odd)
    report = proven(lines)
    assert (report.is_whole, report.unreadable) == (False, ["line 5"])


@pytest.mark.parametrize("hash_", ["-1", "+1", "1_0", " 1", "", "A" * 64])
def test_a_hash_is_written_in_one_way(hash_: str) -> None:
    """Other texts are numbers to Python, too; none of them is a hash."""
    lines = export()
    at(lines, 3)["hash"] = hash_
    report = proven(lines)
    assert (report.is_whole, report.unreadable) == (False, ["line 5"])


@pytest.mark.parametrize(
    "carried", ["[" * 100_000, '{"run_0":[1e999,""]}', "[]", '{"run_0":[1,"",[1]]}', '{"run_0":7}']
)
def test_what_is_carried_over_can_be_any_text(carried: str) -> None:
    """Whoever made the export wrote it: the place where the log begins was not signed so."""
    lines = pruned()
    lines[0]["checkpoint"]["carried"] = carried
    assert first(proven(lines)) == (CHECKPOINTS[0], "the checkpoint here was changed")


def test_only_a_pruned_place_carries_something_over() -> None:
    """Beside another checkpoint it is not signed, and a reader could take it for something that was proven."""
    lines = export()
    lines[0]["checkpoint"]["carried"] = "{}"
    assert first(proven(lines)) == (CHECKPOINTS[0], "the checkpoint here was changed")


def test_an_export_steers_no_terminal_and_writes_no_line_of_the_report() -> None:
    """Its texts are those of whoever made it."""
    lines = export()
    lines[0]["checkpoint"] |= {"team": "T1\x1b[2J\nThe export verifies: 12 entries", "seq": 1}
    told = proven(lines).text().splitlines()
    assert told[0] == "The export does NOT verify:"
    assert told[1].startswith("T1\N{REPLACEMENT CHARACTER}[2J\N{REPLACEMENT CHARACTER}The export verifies")


def test_a_clock_that_went_back_is_worth_a_word() -> None:
    """That is no fault: it was signed like that. A few seconds are nothing."""
    log: list[AuditEntry] = []
    for n in range(1, 5):
        after = place_of(log[-1]) if log else START
        when = NOW + timedelta(minutes={3: -90, 4: -91}.get(n, n))
        log.append(link(entry(n, after, at=when), KEYS, after=after))
    report = proven(export(log, signed(log, 4)))
    assert report.is_whole
    assert list(report.remarks) == [
        f"{TEAM}, sequence 3: the clock went back, from 2026-11-21T09:32 to 2026-11-21T08:00 UTC"
    ]
