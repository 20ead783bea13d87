"""Secrets at rest under the newest key: in batches, beside a bot that works, whenever it is ended."""

from __future__ import annotations

import re
from dataclasses import replace

from bot.domain.audit import EVERY_TEAM, AuditCode, AuditEvent
from bot.domain.connections import Connection
from bot.runtime.audit.chain import is_signed
from bot.runtime.audit.sealer import Sealer
from bot.runtime.connections.sealed import bound_to
from bot.runtime.operations.key_rotation import KeyRotation
from bot.secrets import KeyRing, new_key
from bot.store.repositories.secrets import BOUND_TO, sealed_columns
from bot.store.tables.accounts import connections
from bot.store.tables.catalog import metadata
from tests.builders import DANA, MARA, TEAM
from tests.stores import Opened

OLD, NEW = new_key(), new_key()
BEFORE, AFTER = KeyRing([OLD]), KeyRing([NEW, OLD])
PEOPLE = [DANA, MARA, "U3", "U4", "U5"]


async def connect(base: Opened, user: str, keyring: KeyRing = BEFORE, tokens: str = "") -> None:
    secret = keyring.seal(tokens or f"tokens of {user}", bound_to=bound_to(TEAM, user, "google"))
    async with base.store.write() as work:
        await work.connections.save(
            Connection(
                team=TEAM, user=user, provider="google", account=user, email="", scopes=frozenset(), secret=secret
            ),
            at=base.clock.now(),
        )


async def tokens(base: Opened, keyring: KeyRing) -> dict[str, str]:
    async with base.store.read() as work:
        kept = [item for user in PEOPLE for item in await work.connections.of(TEAM, user)]
    return {item.user: keyring.open(item.secret, bound_to=bound_to(TEAM, item.user, "google")) for item in kept}


def resealing(base: Opened, size: int = 2) -> KeyRotation:
    return KeyRotation(store=base.store, keyring=AFTER, current=AFTER.ids[0], size=size)


async def test_every_secret_goes_under_the_newest_key(base: Opened) -> None:
    """Afterwards the newest key alone opens all of them, and the log says how many were resealed."""
    for user in PEOPLE:
        await connect(base, user)
    done = [batch.resealed async for batch in resealing(base).batches()]
    assert done == [2, 2, 1]
    assert await tokens(base, KeyRing([NEW])) == {user: f"tokens of {user}" for user in PEOPLE}
    async with base.store.read() as work:
        assert (await work.secrets.uses()).sealed == {AFTER.ids[0]: 5}
    assert [row["code"] for row in base.rows("SELECT code FROM audit")] == ["secrets.resealed"] * 3
    assert [batch async for batch in resealing(base).batches()] == []


async def test_it_goes_on_where_it_was_ended(base: Opened) -> None:
    """What was committed stays, both keys open everything in between, and the next walk does the rest."""
    for user in PEOPLE:
        await connect(base, user)
    walk = resealing(base).batches()
    await anext(walk)
    await walk.aclose()
    async with base.store.read() as work:
        assert (await work.secrets.uses()).sealed == {AFTER.ids[0]: 2, BEFORE.ids[0]: 3}
    assert len(await tokens(base, AFTER)) == 5
    assert [batch.resealed async for batch in resealing(base).batches()] == [2, 1]


async def test_a_token_that_is_refreshed_meanwhile_is_kept(base: Opened) -> None:
    """A ciphertext that is not the one that was read any more is left alone, and counted."""
    await connect(base, DANA)
    async with base.store.read() as work:
        (read,) = await work.secrets.under_others(AFTER.ids[0], after=None, limit=9)
    await connect(base, DANA, AFTER, tokens="refreshed")
    async with base.store.write() as work:
        assert not await work.secrets.exchange(read, AFTER.seal("stale", bound_to=read.bound_to))
    assert await tokens(base, AFTER) == {DANA: "refreshed"}


async def test_what_does_not_open_is_left_and_counted(base: Opened) -> None:
    """A secret of a key that is gone, or one that was moved to another row, stops nothing and stays as it is."""
    await connect(base, DANA, KeyRing([new_key()]))
    await connect(base, MARA)
    async with base.store.write() as work:
        (stolen,) = await work.connections.of(TEAM, MARA)
        await work.connections.save(replace(stolen, user="U3"), at=base.clock.now())
    (batch,) = [batch async for batch in resealing(base, size=9).batches()]
    assert (batch.resealed, batch.changed, batch.shut) == (1, 0, 2)


async def test_it_is_known_what_needs_which_key(base: Opened) -> None:
    """Secrets by the key they lie under, and the log's entries by the keys that signed them."""
    await connect(base, DANA)
    assert [batch.resealed async for batch in resealing(base).batches()] == [1]
    async with base.store.read() as work:
        uses = await work.secrets.uses()
    assert uses.signed == {base.keyring.ids[0]: 1}
    assert uses.used() == {AFTER.ids[0], base.keyring.ids[0]}


async def test_what_a_bot_goes_on_with_is_no_older_entry(base: Opened) -> None:
    """Secrets and signed heads, by their keys; whatever else of the log they signed is left out."""
    await connect(base, DANA)
    async with base.store.write() as work:
        await work.audit.record(AuditEvent(team=TEAM, code=AuditCode.RUN_QUEUED, actor=DANA))
    await Sealer(store=base.store, keyring=AFTER).seal()
    async with base.store.read() as work:
        needed, uses = await work.secrets.goes_on_with(), await work.secrets.uses()
    assert (needed.sealed, needed.signed) == ({BEFORE.ids[0]: 1}, {AFTER.ids[0]: 2})
    assert uses.signed == {AFTER.ids[0]: 3, base.keyring.ids[0]: 1}
    assert needed.missing(AFTER.ids) == []
    assert uses.missing(AFTER.ids) == [base.keyring.ids[0]]


async def test_a_head_is_signed_anew_as_it_is_and_only_if_it_was_ours(base: Opened) -> None:
    """The heads go under the newest key and say what they said; one that somebody changed does not become a right one
    by it.
    """
    for team in (TEAM, "T2"):
        async with base.store.write() as work:
            await work.audit.record(AuditEvent(team=team, code=AuditCode.RUN_QUEUED, actor=DANA))
    await Sealer(store=base.store, keyring=BEFORE).seal()
    await base.tamper("UPDATE audit_heads SET seq = 9 WHERE team = 'T2'")
    places = "SELECT team, seq, hash FROM audit_heads ORDER BY team"
    before = base.rows(places)
    await resealing(base).sign_heads()
    assert base.rows(places) == before
    async with base.store.read() as work:
        heads = await work.audit.heads()
    signed = {head.team: head.key_id for head in heads if is_signed(AFTER, head)}
    assert signed == {EVERY_TEAM: AFTER.ids[0], TEAM: AFTER.ids[0]}


def test_the_schema_says_what_a_secret_is_bound_to() -> None:
    """A connection's secret is bound to workspace, person and provider, in the schema as in the code that seals it."""
    assert connections.c.secret in sealed_columns()
    pattern = str(connections.c.secret.info[BOUND_TO])
    assert pattern.format(team="T1", user="U1", provider="google") == bound_to("T1", "U1", "google")


def test_an_attempt_to_connect_is_sealed_too() -> None:
    """What is kept of an attempt between two pages goes under the newest key like everything else."""
    assert {"connects.verifier", "connects.held"} <= {str(column) for column in sealed_columns()}


def test_no_sealed_column_is_forgotten() -> None:
    """A column whose name says that it holds a secret says in the schema what that is bound to."""
    columns = [column for table in metadata.sorted_tables for column in table.columns]
    secret = [str(column) for column in columns if re.search(r"secret|sealed|verifier|cipher", column.name)]
    assert set(secret) <= {str(column) for column in sealed_columns()}
    assert "connections.secret" in secret
