"""Commands over many rows show how far they are on a terminal, and nothing of it anywhere else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.integration.shell import Shell, written
from tests.integration.test_keys import connected
from tests.releases.database import key_of, loaded

OLD_DATABASE = "v0_1_0"


def on_a_terminal(shell: Shell, *arguments: str, out: int | None = None) -> str:
    """All that a command shows on its terminal."""
    with shell.terminal(*arguments, out=out) as terminal:
        shown = b"".join(iter(terminal.shown, b"")).decode()
    assert terminal.process.returncode == 0, shown
    return shown


def _log(shell: Shell) -> Shell:
    asyncio.run(written(shell, "run.queued", "run.completed"))
    return shell


def _backup(shell: Shell) -> Shell:
    done = _log(shell).run("backup", str(shell.path.with_name("kept.db")))
    assert done.exit_code == 0
    return shell


def _key(shell: Shell) -> Shell:
    asyncio.run(connected(shell))
    assert shell.run("keys", "new", "--add").exit_code == 0
    return shell


def _old(shell: Shell) -> Shell:
    """A shell beside the database of an earlier release."""
    with loaded(OLD_DATABASE, shell.path.parent, None) as url:
        configured = {"DATABASE_URL": url, "ENCRYPTION_KEYS": key_of(OLD_DATABASE)}
        return Shell(path=shell.path, environment=shell.environment | configured)


COPYING = ["Copying pages of the database", "Checking every page of the copy", "Verifying the log: 1 of 2"]
UPGRADING = ["Copying pages", "Upgrading the database to schema"]
CASES = [
    pytest.param(_log, ["audit", "verify"], ["Verifying the log: 2 of 2"], id="verify"),
    pytest.param(_log, ["audit", "export"], ["Exporting the log: 1"], id="export", marks=pytest.mark.deep),
    pytest.param(_log, ["backup", "kept.db"], COPYING, id="backup", marks=pytest.mark.deep),
    pytest.param(_backup, ["restore", "kept.db"], COPYING, id="restore", marks=pytest.mark.deep),
    pytest.param(_key, ["keys", "rotate"], ["Encrypting again: 1 of 1"], id="rotate", marks=pytest.mark.deep),
    pytest.param(
        _old, ["migrate"], ["Copying pages", "Upgrading the database to schema"], id="migrate", marks=pytest.mark.deep
    ),
]


@pytest.mark.parametrize(("prepared", "arguments", "told"), CASES)
def test_a_terminal_shows_how_far_it_is(
    shell: Shell,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    prepared: Callable[[Shell], Shell],
    arguments: Sequence[str],
    told: Sequence[str],
) -> None:
    """One line that is written over again and again, and at the end with blanks; the output has nothing of it."""
    monkeypatch.chdir(tmp_path)
    shell = prepared(shell)
    with (tmp_path / "out").open("w+") as out:
        shown = on_a_terminal(shell, *arguments, out=out.fileno())
        out.seek(0)
        printed = out.read()
    places = [shown.index(words) for words in told]
    assert places == sorted(places)
    *_, last, end = shown.split("\r")
    assert (last.strip(), end, "\n" in shown) == ("", "", False)
    assert not any(words in printed for words in told)


@pytest.mark.parametrize(("prepared", "arguments", "told"), CASES)
def test_a_pipe_gets_none(
    shell: Shell,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    prepared: Callable[[Shell], Shell],
    arguments: Sequence[str],
    told: Sequence[str],
) -> None:
    """Where standard error is no terminal, nothing is written there."""
    monkeypatch.chdir(tmp_path)
    done = prepared(shell).run(*arguments)
    assert (done.exit_code, done.stderr) == (0, "")
    assert not any(words in done.stdout for words in told)


def test_entries_on_a_terminal_are_not_mixed_with_it(shell: Shell) -> None:
    """Who looks at the export itself sees how far it is."""
    shown = on_a_terminal(_log(shell), "audit", "export")
    assert [line[:6] for line in shown.split("\r\n")] == ['{"id":', '{"id":', ""]
