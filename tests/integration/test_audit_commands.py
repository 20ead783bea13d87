"""An export on the command line, and whoever checks it: with a public key, and without database and keys."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from pathlib import Path

import pytest

from bot.domain.actions import evidence_hash
from bot.domain.audit import AuditCode, AuditEvent
from bot.runtime.audit.checkpoints import Checkpoints
from bot.runtime.audit.formats import COLUMNS
from bot.runtime.audit.pruner import Pruner
from bot.runtime.audit.sealer import Sealer
from bot.secrets import new_key
from bot.wiring.store import opened
from tests.builders import DANA, TEAM
from tests.integration.shell import Shell, record, written
from tests.patience import PATIENCE_SECONDS

CODES = ("run.queued", "run.started", "run.completed")


async def _filled(shell: Shell) -> None:
    await written(shell, *CODES)
    async with opened(shell.settings(), owner=True) as base:
        await Checkpoints(store=base.store, keyring=base.keyring, clock=base.clock, entries=3).keep_up(3)


@pytest.fixture
def filled(shell: Shell) -> Shell:
    """A log of three entries with a checkpoint."""
    asyncio.run(_filled(shell))
    return shell


def exported(shell: Shell, folder: Path, *more: str) -> str:
    """The name of a file with what `audit export` prints."""
    file = folder / "export.jsonl"
    file.write_text(shell.run("audit", "export", *more).stdout, encoding="utf-8")
    return str(file)


def public_key(shell: Shell) -> str:
    (key,) = shell.run("audit", "key").stdout.splitlines()
    return key


def test_an_export_in_words_is_for_reading(filled: Shell, tmp_path: Path) -> None:
    """Each entry has its code and its sentence; the proof refuses such lines, and other formats have none."""
    file, key = exported(filled, tmp_path, "--in-words"), public_key(filled)
    lines = [json.loads(line) for line in Path(file).read_text(encoding="utf-8").splitlines()]
    assert [one["said"] for one in lines if one.get("code") == "run.completed"] == ["The agent gave its answer"]
    assert filled.run("audit", "verify", "--file", file, "--public-key", key).exit_code == 1
    assert filled.run("audit", "export", "--in-words", "--format", "csv").exit_code == 2


def test_an_export_is_checked_with_a_public_key(filled: Shell, tmp_path: Path) -> None:
    """Whoever checks it has no database and no keys; a change ends with 1, and the sequence where it is."""
    file, key = exported(filled, tmp_path), public_key(filled)
    filled.path.unlink()
    elsewhere = {"ENCRYPTION_KEYS": new_key(), "DATABASE_URL": "sqlite+aiosqlite:////nowhere/at/all.db"}
    done = filled.run("audit", "verify", "--file", file, "--public-key", key, **elsewhere)
    assert (done.exit_code, done.stdout) == (
        0,
        (
            "The export verifies: 3 entries of 1 workspace, as they were when they were signed.\n"
            "No digest is made of a line's id, MAC and hash: nothing proves these, but the hash at a checkpoint.\n"
        ),
    )
    text = Path(file).read_text(encoding="utf-8")
    Path(file).write_text(text.replace("run.started", "run.stopped"), encoding="utf-8")
    done = filled.run("audit", "verify", "--file", file, "--public-key", key, **elsewhere)
    assert done.exit_code == 1
    assert f"{TEAM}, sequence 2: its bytes are not those that its digest is of" in done.stdout


def test_another_public_key_proves_nothing(filled: Shell, tmp_path: Path) -> None:
    """The checkpoints are somebody else's then."""
    other = filled.run("audit", "key", ENCRYPTION_KEYS=new_key()).stdout.strip()
    done = filled.run("audit", "verify", "--file", exported(filled, tmp_path), "--public-key", other)
    assert (done.exit_code, "is signed with another key" in done.stdout) == (1, True)


def test_checkpoints_that_were_kept_show_what_an_export_lacks(filled: Shell, tmp_path: Path) -> None:
    """The newest entries went with their checkpoint: a line that was kept elsewhere misses them."""
    kept = tmp_path / "kept.jsonl"
    kept.write_text(filled.run("audit", "checkpoints").stdout, encoding="utf-8")
    file = Path(exported(filled, tmp_path))
    entries = [line for line in file.read_text(encoding="utf-8").splitlines() if "checkpoint" not in json.loads(line)]
    file.write_text("\n".join(entries[:1]), encoding="utf-8")
    arguments = ["audit", "verify", "--file", str(file), "--public-key", public_key(filled)]
    assert "it has no entry that a checkpoint covers" in filled.run(*arguments).stdout
    done = filled.run(*arguments, "--checkpoints", str(kept))
    assert (done.exit_code, f"{TEAM}, sequence 2: it is missing, and all up to 3" in done.stdout) == (1, True)


def test_a_checkpoint_is_pasted_from_a_channel(filled: Shell, tmp_path: Path) -> None:
    """As the message stands there, with who said it and when; a text without one is no check, nor is half a line."""
    (line,) = filled.run("audit", "checkpoints").stdout.splitlines()
    message = f"Countersign APP  3:00 PM\nAudit log of {TEAM}: checkpoint at entry 3.\n  `{line}`\n"
    file = Path(exported(filled, tmp_path))
    arguments = ["audit", "verify", "--file", str(file), "--public-key", public_key(filled), "--checkpoints", "-"]
    assert filled.run(*arguments, stdin=message).exit_code == 0
    entries = [line for line in file.read_text(encoding="utf-8").splitlines() if "checkpoint" not in json.loads(line)]
    file.write_text("\n".join(entries[:2]), encoding="utf-8")
    done = filled.run(*arguments, stdin=message)
    assert (done.exit_code, f"{TEAM}, sequence 3: it is missing, and all up to 3" in done.stdout) == (1, True)
    done = filled.run(*arguments, stdin="Audit log: checkpoint at entry 3.")
    assert (done.exit_code, "--checkpoints was given no checkpoint." in done.stderr) == (2, True)
    done = filled.run(*arguments, stdin=message[:-20])
    assert (done.exit_code, "--checkpoints, line 3: it is no entry and no checkpoint" in done.stdout) == (1, True)


def test_the_public_keys_of_older_keys_are_printed_too(filled: Shell) -> None:
    """Newest first, as the keys stand."""
    first, second = new_key(), new_key()
    both = filled.run("audit", "key", ENCRYPTION_KEYS=f"{second},{first}").stdout.splitlines()
    assert both == [filled.run("audit", "key", ENCRYPTION_KEYS=key).stdout.strip() for key in (second, first)]


@pytest.mark.parametrize(
    "arguments",
    [
        ["--file", "EXPORT"],
        ["--public-key", "k"],
        ["--checkpoints", "EXPORT"],
        ["--file", "EXPORT", "--public-key", "k", "--kept", f"{TEAM}:1:0123456789abcdef"],
    ],
)
def test_options_that_do_not_go_together_are_refused(filled: Shell, tmp_path: Path, arguments: list[str]) -> None:
    """A check that was not meant is none."""
    file = exported(filled, tmp_path)
    done = filled.run("audit", "verify", *(file if word == "EXPORT" else word for word in arguments))
    assert (done.exit_code, "verifies" in done.stdout) == (2, False)


def test_a_part_of_the_log_has_no_checkpoints(filled: Shell) -> None:
    """They would say that something is missing."""
    lines = [json.loads(line) for line in filled.run("audit", "export", "--after", "1").stdout.splitlines()]
    assert [line.get("seq") for line in lines] == [2, 3]


def test_a_log_that_was_pruned_says_where_it_begins(filled: Shell, tmp_path: Path) -> None:
    """Beside what is printed, so that lines stay lines; what verifies says it, too."""
    asyncio.run(_pruned(filled))
    begins = f"The log of {TEAM} begins at 4: what was before was pruned on "
    done = filled.run("audit", "verify")
    assert (done.exit_code, begins in done.stdout) == (0, True)
    for command in (["audit", "heads"], ["audit", "export"], ["audit", "export", "--format", "csv"]):
        done = filled.run(*command)
        assert (begins in done.stderr, begins in done.stdout) == (True, False)
    file, key = exported(filled, tmp_path), public_key(filled)
    kinds = [json.loads(line).get("checkpoint", {}).get("kind") for line in Path(file).read_text().splitlines()]
    assert kinds == ["pruned", "sealed", "sealed", None]
    done = filled.run("audit", "verify", "--file", file, "--public-key", key)
    assert (done.exit_code, begins in done.stdout) == (0, True)
    assert begins in filled.run("audit", "explain", "act_1").stderr
    assert begins in filled.run("backup", str(tmp_path / "copy.db")).stdout


async def _pruned(shell: Shell) -> None:
    async with opened(shell.settings(), owner=True) as base:
        await Pruner(store=base.store, keyring=base.keyring, clock=base.clock).prune(base.clock.now())
        await Sealer(store=base.store, keyring=base.keyring).seal()
        await Checkpoints(store=base.store, keyring=base.keyring, clock=base.clock, entries=1).keep_up(1)


def test_a_backup_has_its_checkpoints_checked(filled: Shell, tmp_path: Path) -> None:
    """They are verified with the log of the copy, and those that are gone are missed."""
    done = filled.run("backup", str(tmp_path / "copy.db"))
    assert (done.exit_code, "The log verifies: 3 entries" in done.stdout) == (0, True)
    filled.tamper("UPDATE audit_checkpoints SET seq = 2")
    done = filled.run("backup", str(tmp_path / "second.db"))
    assert f"workspace {TEAM}: the checkpoint at 2 was changed, or its key is missing" in done.output
    filled.tamper("DROP TABLE audit_checkpoints")
    done = filled.run("backup", str(tmp_path / "third.db"))
    assert f"1 checkpoint was signed, and 0 are there, none of {TEAM}" in done.output


@pytest.mark.parametrize("column", ["team", "scope", "code", "body", "mac", "hash"])
def test_bytes_in_a_column_end_nothing(filled: Shell, column: str) -> None:
    """SQLite stores anything anywhere: the log does not verify, which says where, and goes on being exported."""
    change = f"UPDATE audit SET {column} = CAST({column} AS BLOB) WHERE id = 2"
    filled.tamper(f"DROP TRIGGER audit_insert_only; {change}")
    done = filled.run("audit", "verify")
    assert (done.exit_code, "Traceback" in done.output) == (1, False)
    assert "entry 2" in done.stdout
    for form in ("jsonl", "csv", "ocsf"):
        done = filled.run("audit", "export", "--format", form)
        assert done.exit_code == 0
        assert "run.completed" in done.stdout
    done = filled.run("audit", "export", "--in-words", "--person", DANA)
    assert done.exit_code == 0
    assert "no action act_0" in filled.fails("audit", "explain", "act_0")


@pytest.mark.parametrize(
    "column", ["team", "scope", "code", "body", "mac", "key_id", "at", "prev_hash", "digest", "seq"]
)
@pytest.mark.parametrize("value", ["NULL", "CAST(x'ff41' AS TEXT)", "9e999", "'[1]'"])
def test_nonsense_in_a_column_ends_nothing(filled: Shell, column: str, value: str) -> None:
    """Also text that is no UTF-8, and nothing where somebody took the rule away that there is something."""
    filled.tamper(f"DROP TRIGGER audit_insert_only; {NO_RULES}")
    filled.tamper(f"UPDATE audit SET {column} = {value} WHERE id = 2")
    done = filled.run("audit", "verify")
    assert (done.exit_code, "entry 2" in done.stdout) == (1, True), done.stdout
    for more in (("--format", "jsonl"), ("--format", "csv", "--open"), ("--format", "ocsf", "--open"), ("--in-words",)):
        done = filled.run("audit", "export", *more, "--person", DANA)
        assert (done.exit_code, "run.completed" in done.stdout) == (0, True)
    assert "no action act_0" in filled.fails("audit", "explain", "act_0")


NO_RULES = """PRAGMA writable_schema = 1;
UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', '') WHERE type = 'table';"""


@pytest.mark.parametrize(
    "change", ["at = 'soon'", "kind = 'sold'", "seq = 'x'", "hash = CAST(x'ff' AS TEXT)", "hash = NULL"]
)
def test_nonsense_in_a_checkpoint_ends_nothing(filled: Shell, tmp_path: Path, change: str) -> None:
    """Every command goes on, and both verifications name it."""
    asyncio.run(_pruned(filled))
    filled.tamper(NO_RULES)
    filled.tamper(f"UPDATE audit_checkpoints SET {change} WHERE kind = 'pruned'")
    file, key = exported(filled, tmp_path), public_key(filled)
    for command in ("checkpoints", "heads"):
        assert filled.run("audit", command).exit_code == 0
    done = filled.run("audit", "verify")
    assert (done.exit_code, "was changed, or its key is missing" in done.stdout) == (1, True)
    assert filled.run("audit", "verify", "--file", file, "--public-key", key).exit_code == 1
    assert "no action act_0" in filled.fails("audit", "explain", "act_0")


def test_bytes_in_a_checkpoint_or_a_key_end_nothing(filled: Shell, tmp_path: Path) -> None:
    """Whoever checks the export finds the checkpoint changed; what lies under the key stays closed."""
    asyncio.run(_with_action(filled, "x"))
    filled.tamper("UPDATE audit_checkpoints SET signature = x'00'; UPDATE person_keys SET key = x'00'")
    file, key = exported(filled, tmp_path, "--open"), public_key(filled)
    assert filled.run("audit", "checkpoints").exit_code == 0
    done = filled.run("audit", "verify", "--file", file, "--public-key", key)
    assert (done.exit_code, "the checkpoint here was changed" in done.stdout) == (1, True)
    assert filled.run("audit", "explain", "act_1").exit_code == 0
    assert filled.run("audit", "verify").exit_code == 1


def test_a_kept_place_of_five_thousand_digits_is_none(filled: Shell) -> None:
    """It is no line of `audit heads`, and is told as that."""
    told = filled.fails("audit", "verify", "--kept", f"T1:{'1' * 5_000}:0123456789abcdef", status=2)
    assert "is not a line of" in told


@pytest.mark.parametrize("content", [b"{", b"[]", b"\xff", b"[" * 100_000])
def test_evidence_that_is_none_is_refused(filled: Shell, tmp_path: Path, content: bytes) -> None:
    """What the file holds is no JSON object."""
    file = tmp_path / "evidence.json"
    file.write_bytes(content)
    told = filled.fails("audit", "explain", "act_1", "--evidence", str(file), status=2)
    assert "evidence.json holds no JSON object" in told


def test_an_export_begins_after_an_id(filled: Shell) -> None:
    """One that no entry can have is refused."""
    assert len(filled.run("audit", "export", "--after", "2").stdout.splitlines()) == 1
    assert "--after" in filled.fails("audit", "export", "--after", "99999999999999999999", status=2)
    assert "--after" in filled.fails("audit", "export", "--after", "-1", status=2)


def test_a_part_of_the_log_is_exported(filled: Shell) -> None:
    """By person, tool and time, and without checkpoints, as it cannot be verified by itself."""

    def codes(*options: str) -> list[str]:
        return [json.loads(line).get("code") for line in filled.run("audit", "export", *options).stdout.splitlines()]

    assert codes("--person", DANA) == list(CODES)
    assert codes("--person", "U0NOBODY") == []
    assert codes("--tool", "gmail_send") == []
    assert codes("--since", "2000-01-01", "--until", "2000-01-02T10:00") == []
    assert codes("--since", "2000-01-01") == list(CODES)


def test_a_table_is_exported(filled: Shell) -> None:
    """A head and a row for each entry."""
    head, *rows = csv.DictReader(
        io.StringIO(filled.run("audit", "export", "--format", "csv").stdout), fieldnames=COLUMNS
    )
    assert head == {name: name for name in COLUMNS}
    assert [row["code"] for row in rows] == list(CODES)


def test_events_are_exported(filled: Shell) -> None:
    """One a line, each naming the one before it."""
    lines = filled.run("audit", "export", "--format", "ocsf").stdout.splitlines()
    events = [json.loads(line) for line in lines]
    assert [event["metadata"]["sequence"] for event in events] == [1, 2, 3]
    assert events[1]["attestation_list"][0]["prev_event"]["uid"] == events[0]["metadata"]["uid"]


async def test_events_follow_once_they_are_sealed(shell: Shell) -> None:
    """A SIEM gets each once."""
    await written(shell, "run.queued")
    async with (
        opened(shell.settings(), owner=True) as base,
        shell.process("audit", "export", "--follow", "--format", "ocsf") as process,
    ):
        assert process.stdout is not None
        first = json.loads(await asyncio.wait_for(process.stdout.readline(), PATIENCE_SECONDS))
        await record(base, "run.started")
        await Sealer(store=base.store, keyring=base.keyring).seal()
        second = json.loads(await asyncio.wait_for(process.stdout.readline(), PATIENCE_SECONDS))
    assert [event["metadata"]["sequence"] for event in (first, second)] == [1, 2]


# What is personal ---------------------------------------------------------------------------------------------------


async def _with_personal(shell: Shell) -> None:
    async with opened(shell.settings(), owner=True) as base:
        async with base.store.write() as work:
            about = {"destinations": ["helen@marsh.example"]}
            await work.audit.record(
                AuditEvent(team=TEAM, code=AuditCode.RUN_QUEUED, actor=DANA, run_id="run_1", owner=DANA, personal=about)
            )
        await Sealer(store=base.store, keyring=base.keyring).seal()


def test_what_is_personal_is_exported_only_when_that_is_said(shell: Shell) -> None:
    """And not at all once its person was erased, which the log says; it verifies as before."""
    asyncio.run(_with_personal(shell))
    assert "helen@marsh.example" not in shell.run("audit", "export").stdout
    (line,) = shell.run("audit", "export", "--open").stdout.splitlines()
    assert json.loads(line)["personal"] == {"destinations": ["helen@marsh.example"]}
    for form in ("csv", "ocsf"):
        assert "helen@marsh.example" in shell.run("audit", "export", "--open", "--format", form).stdout
        assert "helen@marsh.example" not in shell.run("audit", "export", "--format", form).stdout
    assert shell.run("audit", "erase", TEAM, DANA).stdout == "Erased; the log says so.\n"
    assert shell.run("audit", "erase", TEAM, DANA).exit_code == 1
    assert "helen@marsh.example" not in shell.run("audit", "export", "--open").stdout
    assert shell.run("audit", "verify").exit_code == 0


# An action ----------------------------------------------------------------------------------------------------------


def test_an_action_that_nobody_knows_is_not_explained(filled: Shell) -> None:
    """One line, and no traceback."""
    assert "There is no action act_0" in filled.fails("audit", "explain", "act_0")


def test_an_action_is_explained_from_the_log_alone(shell: Shell, tmp_path: Path) -> None:
    """Its step was forgotten: what the log says of it is printed, and evidence of a backup is held against its hash."""
    evidence = {"level": "supervised"}
    asyncio.run(_with_action(shell, evidence_hash(evidence)))
    done = shell.run("audit", "explain", "act_1")
    assert (done.exit_code, "Its step was forgotten" in done.stdout) == (0, True)
    file = tmp_path / "evidence.json"
    file.write_text(json.dumps(evidence), encoding="utf-8")
    assert shell.run("audit", "explain", "act_1", "--evidence", str(file)).exit_code == 0
    file.write_text('{"level": "autonomous"}', encoding="utf-8")
    done = shell.run("audit", "explain", "act_1", "--evidence", str(file))
    assert (done.exit_code, "✗ The evidence is not what the log names" in done.stdout) == (1, True)


async def _with_action(shell: Shell, hash_: str) -> None:
    async with opened(shell.settings(), owner=True) as base, base.store.write() as work:
        details = {"action": "act_1", "evidence_sha256": hash_}
        await work.audit.record(
            AuditEvent(
                team=TEAM,
                code=AuditCode.ACTION_ASKED,
                actor=DANA,
                run_id="run_1",
                details=details,
                owner=DANA,
                personal={"account": "a1"},
            )
        )
