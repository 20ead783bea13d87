"""`countersign keys` on real files: a key is made, secrets go under it, and what still needs the old one is said."""

from __future__ import annotations

import asyncio
import logging
import subprocess
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.domain.connections import Connection
from bot.errors import BadSettings
from bot.log import configure
from bot.redaction import REDACTED, Redactor
from bot.runtime.audit.sealer import Sealer
from bot.runtime.audit.verify import verified
from bot.runtime.connections.sealed import bound_to
from bot.runtime.operations.key_rotation import BATCH
from bot.secrets import KeyRing, add_to_key_file, key_file, new_key
from bot.wiring.store import opened, require_keys
from tests.builders import TEAM
from tests.integration.shell import Shell, record


async def connected(shell: Shell, *, people: int = 1) -> None:
    """A database with accounts and an entry in the log."""
    async with opened(shell.settings(), owner=True) as base:
        await record(base, "run.queued")
        async with base.store.write() as work:
            for number in range(people):
                user = f"U{number:04}"
                secret = base.keyring.seal("tokens", bound_to=bound_to(TEAM, user, "google"))
                account = Connection(
                    team=TEAM, user=user, provider="google", account=user, email="", scopes=frozenset(), secret=secret
                )
                await work.connections.save(account, at=base.clock.now())


def key_path(shell: Shell) -> Path:
    return shell.path.with_name("countersign.db.key")


def ids(shell: Shell) -> tuple[str, ...]:
    return KeyRing(key_file(key_path(shell), make=False)).ids


async def test_no_key_of_the_file_is_logged(shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither the one that the first start makes, nor one added later, however base64 writes them."""
    configure(Redactor(shell.settings().secrets()), json=True)
    async with opened(shell.settings(), owner=True):
        pass
    add_to_key_file(key_path(shell))
    keys = key_path(shell).read_text(encoding="ascii").split()
    assert len(keys) == 2
    async with opened(shell.settings(), owner=False):
        for key in keys:
            for written in (key, key.rstrip("="), key.replace("-", "+").replace("_", "/")):
                logging.getLogger("library").warning("refused: %s", written)
    said = capsys.readouterr().err
    assert said.count(REDACTED) == 6
    assert not [key for key in keys if key[:20] in said or key[:20].replace("-", "+").replace("_", "/") in said]


def test_a_new_key_is_printed_alone(shell: Shell) -> None:
    """The output is the key and nothing else, so that it can be piped; what to do with it is told beside."""
    done = shell.run("keys", "new")
    assert len(KeyRing([done.stdout]).ids) == 1
    assert shell.run("keys", "new").stdout != done.stdout
    assert "several replicas that go on working: put it last everywhere and restart" in done.stderr


def test_a_key_is_added_and_everything_goes_under_it(shell: Shell) -> None:
    """New key, rotate, list: the old key opens nothing any more and is kept for the log; a second time changes none."""
    asyncio.run(connected(shell))
    (old,) = ids(shell)
    assert shell.run("keys", "new", "--add").exit_code == 0
    new, kept = ids(shell)
    assert kept == old
    done = shell.run("keys", "rotate")
    assert (done.exit_code, done.stderr) == (0, "")
    assert f"✓ 1 secret encrypted with the newest key, {new}." in done.stdout
    assert f"! {old} decrypts nothing any more; the log has 1 signature of it. Keep it, last in" in done.stdout
    assert shell.run("keys", "list").stdout.splitlines() == [
        f"{new}  newest   1 secret, 1 signature",
        f"{old}  older    0 secrets, 1 signature",
    ]
    again = shell.run("keys", "rotate")
    assert (again.exit_code, again.stdout) == (0, done.stdout)


def test_a_key_that_nothing_needs_may_go(shell: Shell) -> None:
    """Where neither a secret nor the log needs a key, it is said that it may be taken out."""
    asyncio.run(connected(shell))
    current = key_file(key_path(shell), make=False)[0]
    done = shell.run("keys", "rotate", ENCRYPTION_KEYS=f"{current},{(unused := new_key())}")
    assert f"✓ {KeyRing([unused]).ids[0]} is not needed any more." in done.stdout
    assert "remove it from ENCRYPTION_KEYS." in done.stdout


def test_a_missing_key_is_told(shell: Shell) -> None:
    """Status 1, and the id of the key that is needed and not there; no secret is lost by it."""
    asyncio.run(connected(shell))
    (old,) = ids(shell)
    other = new_key()
    done = shell.run("keys", "list", ENCRYPTION_KEYS=other)
    assert done.exit_code == 1
    assert f"{old}  MISSING  1 secret, 1 signature" in done.stdout
    done = shell.run("keys", "rotate", ENCRYPTION_KEYS=other)
    assert done.exit_code == 1
    assert f"✗ 1 secret still encrypted with {old}: it must stay." in done.stdout
    assert "✗ 1 cannot be decrypted with any key here" in done.stderr
    assert shell.run("keys", "rotate").exit_code == 0


async def test_a_key_that_was_retired_keeps_nobody_from_starting(shell: Shell) -> None:
    """Once everything went under the newest key, the log goes on without the older one, also that of a workspace where
    nothing happened since; with both keys all of it verifies.
    """
    await connected(shell)
    async with opened(shell.settings(), owner=True) as base:
        await Sealer(store=base.store, keyring=base.keyring).seal()
    await asyncio.to_thread(shell.run, "keys", "new", "--add")
    new, old = key_file(key_path(shell), make=False)
    alone = shell.settings().model_copy(update={"encryption_keys": SecretStr(new)})
    async with opened(alone, owner=True) as base:
        with pytest.raises(BadSettings, match="1 secret cannot be opened and 2 heads of the log cannot be checked"):
            await require_keys(base)
    assert (await asyncio.to_thread(shell.run, "keys", "rotate")).exit_code == 0
    async with opened(alone, owner=True) as base:
        await require_keys(base)
        assert await Sealer(store=base.store, keyring=base.keyring).seal() == 1
        assert (await verified(base.store, KeyRing([new, old]))).problems == []


def test_configured_keys_are_left_to_the_configuration(shell: Shell) -> None:
    """With ENCRYPTION_KEYS there is no file to add to, and it says where the key belongs."""
    told = shell.fails("keys", "new", "--add", ENCRYPTION_KEYS=new_key(), status=2)
    assert "put the new one there yourself: `countersign keys new` prints one" in told


def test_postgresql_needs_a_key_before_anything(shell: Shell) -> None:
    """Every command that would use a shared database refuses without a key, and says how one is made."""
    for command in (["keys", "list"], ["keys", "rotate"], ["migrate"]):
        told = shell.fails(*command, DATABASE_URL="postgresql://nobody@127.0.0.1:9/none", status=2)
        assert "ENCRYPTION_KEYS is missing: with PostgreSQL every replica needs the same keys." in told


def _killed_while_it_rotates(shell: Shell) -> None:
    with shell.terminal("keys", "rotate", out=subprocess.DEVNULL) as terminal:
        assert b"Encrypting again" in terminal.shown()
        terminal.process.kill()


async def test_killed_in_the_middle_it_goes_on(shell: Shell) -> None:
    """After kill -9 nothing is lost, everything still opens, and the next one does what is left."""
    await connected(shell, people=BATCH * 6)
    await asyncio.to_thread(shell.run, "keys", "new", "--add")
    await asyncio.to_thread(_killed_while_it_rotates, shell)
    new, old = ids(shell)
    async with opened(shell.settings(), owner=False) as base, base.store.read() as work:
        between = (await work.secrets.uses()).sealed
    assert between[new] >= BATCH
    assert sum(between.values()) == BATCH * 6
    assert between.get(old, 0) > 0, "it was through before it was killed"
    done = await asyncio.to_thread(shell.run, "keys", "rotate")
    assert done.exit_code == 0
    assert f"✓ {BATCH * 6} secrets encrypted with the newest key" in done.stdout
