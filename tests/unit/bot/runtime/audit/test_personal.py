"""What the log keeps of people in private lies under their key: destroyed, nobody opens it, and everything verifies."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.domain.actions import ActionState, Approval, evidence_hash
from bot.domain.audit import AuditCode, AuditEntry, AuditEvent
from bot.domain.connections import Connection, Revocation
from bot.runtime.actions.results import record_result
from bot.runtime.audit.personal import Opener, erase
from bot.runtime.audit.sealer import Sealer
from bot.runtime.audit.verify import verified
from bot.runtime.connections.accounts import fact
from bot.runtime.connections.revocation import owed_fact
from bot.runtime.lifecycle.actions import move_action
from bot.runtime.lifecycle.progress import step_locked
from bot.runtime.operations.key_rotation import KeyRotation
from bot.runtime.people.people import People
from bot.secrets import KeyRing, new_key
from bot.store.engine.database import Database, database_for
from bot.store.store import Store
from integrations.base import Result
from policies.types import Label
from tests.builders import DANA, NOW, TEAM
from tests.stores import Opened, opened
from tests.unit.bot.runtime.runtime_harness import Harness

HELEN, LUIS = "helen@marsh.example", "luis@fernhill.example"
PRIVATE = {"account": "1081", "destinations": [HELEN]}


async def record(base: Opened, *, owner: str = DANA, run_id: str = "run_1", store: Store | None = None) -> None:
    """An entry with something personal, sealed."""
    async with (store or base.store).write() as work:
        await work.audit.record(
            AuditEvent(team=TEAM, code=AuditCode.RUN_QUEUED, actor=owner, run_id=run_id, owner=owner, personal=PRIVATE)
        )
    await Sealer(store=base.store, keyring=base.keyring).seal()


@asynccontextmanager
async def _database(url: str) -> AsyncGenerator[Database]:
    """The same one, as another process has it."""
    database = database_for(url)
    try:
        yield database
    finally:
        await database.dispose()


async def entries(base: Opened) -> list[AuditEntry]:
    async with base.store.read() as work:
        return list(await work.audit.page(after=0, limit=99))


def body_of(entry: AuditEntry) -> dict[str, Any]:
    return json.loads(entry.body)


async def test_what_is_personal_is_nowhere_in_the_log(base: Opened) -> None:
    """Its bytes have a ciphertext, which opens with the person's key; everything else can be read."""
    await record(base)
    (entry,) = await entries(base)
    assert HELEN not in entry.body
    assert "1081" not in entry.body
    assert (body_of(entry)["v"], body_of(entry)["owner"]) == (3, DANA)
    assert await Opener(store=base.store).open(entry) == PRIVATE


ACCOUNT, LISTED = "108100001", "lover@private.example"


async def test_no_address_and_no_account_is_in_the_log(here: Harness) -> None:
    """Of lists and accounts the log has what was done, and opens to whom or with what as long as the key is there. What
    a rule is about has its test in `test_decider_rules`.
    """
    store, people = here.base.store, People(transactions=here.transactions)
    await people.allow(TEAM, DANA, LISTED)
    await people.disallow(TEAM, DANA, LISTED)
    codes = [code for code in AuditCode if code.startswith("connection.")]
    async with here.transactions.write_promptly() as tx:
        for code in codes:
            tx.record(_about_an_account(code))
    async with store.read() as work:
        written = list(await work.audit.page(after=0, limit=99))
    assert [one.code for one in written] == ["person.allowed", "person.disallowed", *codes]
    assert [one.code for one in written if ACCOUNT in one.body or "private.example" in one.body] == []
    opener = Opener(store=store)
    told = [await opener.open(one) for one in written]
    assert told == [{"address": LISTED}] * 2 + [{"account": ACCOUNT}] * len(codes)
    assert await erase(store, TEAM, DANA)
    opener = Opener(store=store)
    assert [await opener.open(one) for one in written] == [None] * len(written)


def _about_an_account(code: AuditCode) -> AuditEvent:
    """What is recorded with this code about a connection, or about what is given back."""
    whose: dict[str, Any] = {"team": TEAM, "user": DANA, "provider": "google", "account": ACCOUNT, "secret": ""}
    if code in {AuditCode.CONNECTION_REVOKED, AuditCode.CONNECTION_NOT_REVOKED}:
        return owed_fact(Revocation(id="rev_1", not_before=NOW, created_at=NOW, **whose), code)
    return fact(Connection(email=LISTED, scopes=frozenset(), **whose), code)


async def test_half_a_character_is_opened_as_one_that_every_program_can_write(base: Opened) -> None:
    """A provider's id may have one."""
    odd = {"ids": {"message": "\ud800"}}
    async with base.store.write() as work:
        code = AuditCode.RUN_QUEUED
        await work.audit.record(AuditEvent(team=TEAM, code=code, actor=DANA, run_id="r", owner=DANA, personal=odd))
    (entry,) = await entries(base)
    assert await Opener(store=base.store).open(entry) == {"ids": {"message": "\N{REPLACEMENT CHARACTER}"}}


async def test_the_key_itself_is_sealed(tmp_path: Path) -> None:
    """It lies under the newest of our keys, is listed among what needs that, and is sealed anew with the next."""
    first, newer = new_key(), new_key()
    async with opened(tmp_path, key=first) as base:
        await record(base)
        await _sealed_anew(base, first, newer)


async def _sealed_anew(base: Opened, first: str, newer: str) -> None:
    async with base.store.read() as work:
        assert (await work.secrets.uses()).sealed == {base.keyring.ids[0]: 1}
    both = KeyRing([newer, first])
    store = Store(base.database, keyring=both, clock=base.clock)
    async for batch in KeyRotation(store=store, keyring=both, current=both.ids[0]).batches():
        assert batch.resealed == 1
    only = Store(base.database, keyring=KeyRing([newer]), clock=base.clock)
    (entry, _) = await entries(base)
    assert await Opener(store=only).open(entry) == PRIVATE
    assert await Opener(store=Store(base.database, keyring=KeyRing([first]), clock=base.clock)).open(entry) is None


async def test_a_person_has_one_key(base: Opened) -> None:
    """Whoever writes first makes it; others have others."""
    await record(base)
    await record(base)
    await record(base, owner="U2", run_id="run_2")
    rows = base.rows('SELECT team, "user" FROM person_keys ORDER BY "user"')
    assert [row["user"] for row in rows] == sorted([DANA, "U2"])
    opener = Opener(store=base.store)
    assert [await opener.open(entry) for entry in await entries(base)] == [PRIVATE] * 3


async def test_an_erased_person_is_erased_and_the_log_verifies(base: Opened) -> None:
    """Their key is destroyed: what lay under it stays a ciphertext. That it was done stands in the log."""
    await record(base)
    await record(base, owner="U2", run_id="run_2")
    assert await erase(base.store, TEAM, DANA) is True
    assert await erase(base.store, TEAM, DANA) is False
    await Sealer(store=base.store, keyring=base.keyring).seal()
    mine, other, erased = await entries(base)
    opener = Opener(store=base.store)
    assert (await opener.open(mine), await opener.open(other)) == (None, PRIVATE)
    assert (erased.code, body_of(erased)["details"]) == ("person.erased", {"person": DANA})
    report = await verified(base.store, base.keyring)
    assert (report.problems, report.entries, report.unsealed) == ([], 3, 0)


async def test_what_comes_after_an_erasure_lies_under_another_key(base: Opened) -> None:
    """It opens; what was erased does not."""
    await record(base)
    await erase(base.store, TEAM, DANA)
    await record(base)
    before, _, after = await entries(base)
    opener = Opener(store=base.store)
    assert (await opener.open(before), await opener.open(after)) == (None, PRIVATE)


async def test_a_destroyed_key_is_not_in_the_file_any_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also with a SQLite that leaves what was deleted where it stood, unless it is told otherwise."""
    connect = sqlite3.connect

    def of_another_build(*given: Any, **more: Any) -> sqlite3.Connection:
        made = connect(*given, **more)
        made.execute("PRAGMA secure_delete=OFF")
        return made

    monkeypatch.setattr(sqlite3, "connect", of_another_build)
    async with opened(tmp_path) as base:
        await record(base)
        key = base.rows("SELECT key FROM person_keys")[0]["key"].encode()
        await base.tamper("PRAGMA wal_checkpoint(TRUNCATE)")
        assert key in base.path.read_bytes()
        await erase(base.store, TEAM, DANA)
        await base.tamper("PRAGMA wal_checkpoint(TRUNCATE)")
        assert key not in base.path.read_bytes()


async def test_a_key_that_is_gone_without_an_erasure_is_named(base: Opened) -> None:
    """Somebody with the database destroyed it: the log says of nobody that they were erased since."""
    await record(base)
    await erase(base.store, TEAM, DANA)
    await record(base)
    await record(base, owner="U2", run_id="run_2")
    assert (await verified(base.store, base.keyring)).problems == []
    await base.tamper("DELETE FROM person_keys")
    gone = "is gone, and no entry says that they were erased: what is personal in their entries cannot be read"
    told = [f"workspace {TEAM}: the key of {user} {gone}" for user in sorted([DANA, "U2"])]
    assert (await verified(base.store, base.keyring)).problems == told


@pytest.mark.parametrize(
    "junk", ["(SELECT key FROM person_keys WHERE \"user\" = 'U2')", "''", "'v1:nonsense'", "x'00'"]
)
async def test_a_key_that_was_changed_is_named(base: Opened, junk: str) -> None:
    """Somebody with the database put another person's in its place, or anything: nobody can open the entries."""
    await record(base)
    await record(base, owner="U2", run_id="run_2")
    await base.tamper(f"UPDATE person_keys SET key = {junk} WHERE \"user\" = '{DANA}'")
    (told,) = (await verified(base.store, base.keyring)).problems
    assert told.startswith(f"workspace {TEAM}: the key of {DANA} does not open, as it was changed")


@pytest.mark.parametrize("kept", ["first", "last"])
async def test_another_key_than_that_of_the_entries_is_named(tmp_path: Path, kept: str) -> None:
    """It was deleted, and a process that started since made another. Whichever of them is there opens only a part."""
    async with opened(tmp_path, compares=False) as base, _database(base.url) as later:
        await record(base)
        (first,) = base.rows("SELECT key FROM person_keys")
        await base.tamper("DELETE FROM person_keys")
        await record(base, store=Store(later, keyring=base.keyring, clock=base.clock))
        if kept == "first":
            await base.tamper(f"UPDATE person_keys SET key = '{first['key']}'")
        (told,) = (await verified(base.store, base.keyring)).problems
    assert told.startswith(f"workspace {TEAM}: the key of {DANA} does not open all their entries")


@pytest.mark.parametrize(
    ("was", "forged"), [(f'"owner":"{DANA}"', '"owner":7'), ('"personal":"', '"personal":7,"x":"')]
)
async def test_a_forged_owner_or_ciphertext_stops_no_verification(base: Opened, was: str, forged: str) -> None:
    """Whatever stands there, the entry is named, and the keys of the others are looked at."""
    await record(base)
    await record(base, owner="U2", run_id="run_2")
    change = f"UPDATE audit SET body = replace(body, '{was}', '{forged}') WHERE id = 1;"
    await base.tamper(f"DROP TRIGGER audit_insert_only; {change} DELETE FROM person_keys")
    problems = (await verified(base.store, base.keyring)).problems
    assert problems[0].startswith("entry 1 (run.queued): ")
    assert f"workspace {TEAM}: the key of U2 is gone" in str(problems)


async def test_a_ciphertext_opens_in_its_own_entry_only(base: Opened) -> None:
    """Moved to another entry of the same person it does not, and one that was changed does not either."""
    await record(base)
    await record(base)
    first, second = await entries(base)
    moved = body_of(second) | {"personal": body_of(first)["personal"]}
    opener = Opener(store=base.store)
    assert await opener.open(second._replace(body=json.dumps(moved))) is None
    assert await opener.open(second._replace(body=json.dumps(moved | {"personal": "v1:nonsense"}))) is None
    assert await opener.open(second._replace(body=json.dumps(moved | {"personal": 7}))) is None


async def test_an_action_says_what_it_rests_on(here: Harness) -> None:
    """Step, level, who approved it, and the hash of the evidence for all to read; account and recipients in private."""
    action = await here.standing(here.effect, ActionState.PLANNED)
    evidence = {
        "level": "delegated",
        "recipients": [HELEN],
        "policy_version": "p",
        "label": "external",
        "provenance": {
            "values": [_traced("destination", HELEN), _traced("destination", LUIS), _traced("link", "https")]
        },
    }
    approval = Approval(hash="h", by=DANA, at=NOW, expires_at=NOW)
    async with here.transactions.write() as tx, step_locked(tx, action.step_id):
        await move_action(
            tx,
            action,
            ActionState.APPROVED,
            code=AuditCode.ACTION_APPROVED,
            account="1081",
            evidence=evidence,
            approval=approval,
        )
    entry = next(one for one in await entries(here.base) if one.code == "action.approved")
    told = body_of(entry)
    assert told["owner"] == action.user
    assert (
        told["details"]
        | {
            "step": action.step_id,
            "level": "delegated",
            "evidence_sha256": evidence_hash(evidence),
            "approved_by": DANA,
            "approval_sha256": "h",
            "run_label": "external",
        }
        == told["details"]
    )
    assert HELEN not in entry.body
    assert LUIS not in entry.body
    assert await Opener(store=here.base.store).open(entry) == {"account": "1081", "destinations": [HELEN, LUIS]}


def _traced(role: str, value: str) -> dict[str, str]:
    return {"role": role, "value": value}


async def test_what_others_call_it_by_is_for_its_owner(here: Harness) -> None:
    """The Message-ID of a mail names the domain of its account: it lies under the owner's key, with the outcome."""
    action = await here.standing(here.effect, ActionState.EXECUTING)
    ids = {"mail": "18c", "message_id": "<cs.1@fernhill.example>"}
    result = Result(data={}, summary="Sent", label=Label.CONFIG, ids=ids)
    async with here.transactions.write() as tx, step_locked(tx, action.step_id):
        await record_result(tx, action, result)
    entry = next(one for one in await entries(here.base) if one.code == "action.completed")
    assert "fernhill" not in entry.body
    assert body_of(entry)["details"]["states"][-1] == "completed"
    opened_ = await Opener(store=here.base.store).open(entry)
    assert opened_ is not None
    assert opened_["ids"] == ids


def test_the_hash_of_evidence_is_that_of_what_it_says() -> None:
    """The order of names says nothing."""
    assert evidence_hash({"a": 1, "b": [2]}) == evidence_hash({"b": [2], "a": 1})
    assert evidence_hash({"a": 1}) != evidence_hash({"a": 2})
