"""`countersign agents`, through its command line. What is refused has its table in `test_bad_files`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bot.agents.library import SHIPPED
from bot.agents.reader import read, read_file
from bot.cli import main
from tests.unit.bot.agents.test_bad_files import GOOD
from tests.unit.bot.agents.test_reader import MARKDOWN, SPECIFIED

FORMS = {"yaml": ".yaml", "json": ".json", "proto": ".binpb", "textproto": ".textproto", "protojson": ".protojson"}


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the team's own agents, which AGENTS_DIR names; the current folder is another one."""
    folder = tmp_path / "own"
    folder.mkdir()
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("AGENTS_DIR", str(folder))
    return folder


def agents(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["agents", *map(str, arguments)])


def test_the_shipped_agents_and_ones_own_are_checked(own: Path):
    """Without a name, all there are is checked: what is shipped, and what AGENTS_DIR has."""
    (own / "scout.yaml").write_text(GOOD, encoding="utf-8")
    done = agents("validate")
    assert done.exit_code == 0
    assert done.output.splitlines() == [
        *(f"✓ {SHIPPED / name}.yaml: {name} is valid." for name in ("meeting_brief", "reply_polisher", "week_review")),
        f"✓ {own / 'scout.yaml'}: scout is valid.",
    ]


def test_a_problem_of_any_file_ends_with_status_one(own: Path):
    """A wrong file among right ones is named, and the right ones are not hidden."""
    (own / "scout.yaml").write_text(GOOD, encoding="utf-8")
    (own / "spy.yaml").write_text(GOOD.replace("name: scout", "name: Spy"), encoding="utf-8")
    done = agents("validate")
    assert done.exit_code == 1
    cure = "Write a small letter, then small letters, digits and “_”, at most 63."
    assert done.output.splitlines()[0] == f"{own / 'spy.yaml'}:1: “name” is not a name that can be used. {cure}"
    assert f"✓ {own / 'scout.yaml'}: scout is valid." in done.output


def test_what_the_specifications_example_lacks_is_told():
    """It is valid, names its missing tools and schema, and what its model does not take any more."""
    lacks = (
        "the tool ls, the tool read_file, the tool glob, the tool grep, the schema CodebaseInvestigationReportSchema"
    )
    done = agents("validate", os.path.relpath(SPECIFIED))
    assert done.exit_code == 0
    assert done.output.splitlines() == [
        f"✓ {os.path.relpath(SPECIFIED)}: codebase_investigator is valid.",
        f"  It is not available here: it lacks {lacks}.",
        "  gemini-1.5-pro-latest is retired: gemini-3.8-flash answers in its place.",
        "  gemini-3.8-flash takes no temperature: it is not sent.",
    ]


def test_only_what_was_named_is_told(own: Path):
    """A file or folder that is named is checked among all others, and problems of those are not told."""
    (own / "spy.yaml").write_text("name: Spy", encoding="utf-8")
    Path("agents").mkdir()
    Path("agents/scout.yaml").write_text(GOOD.replace("[gmail_search]", "[week_review]"), encoding="utf-8")
    for named in ("agents", "agents/scout.yaml"):
        done = agents("validate", named)
        assert (done.exit_code, done.output) == (0, "✓ agents/scout.yaml: scout is valid.\n")


def test_a_file_that_is_named_twice_is_read_once(own: Path):
    """A file of AGENTS_DIR that is also named is one file, not two of one name."""
    (own / "scout.yaml").write_text(GOOD, encoding="utf-8")
    done = agents("validate", own, own / "scout.yaml", SHIPPED)
    assert done.exit_code == 0
    assert len(done.output.splitlines()) == 4


def test_a_folder_without_definitions_is_told():
    """An empty folder is probably not the one that was meant: a script notices."""
    Path("agents").mkdir()
    done = agents("validate", "agents", SHIPPED)
    assert (done.exit_code, done.output.splitlines()[-1]) == (
        1,
        "✗ agents: there are no definitions in this folder.",
    )


@pytest.mark.parametrize("command", ["validate", "list"])
def test_a_wrong_agents_dir_is_told(own: Path, command: str):
    """AGENTS_DIR that is no folder is a wrong configuration, with its cure."""
    own.rmdir()
    done = agents(command)
    assert done.exit_code == 2
    assert done.output == f"✗ AGENTS_DIR names {own}, which is no folder: make it, or leave AGENTS_DIR empty.\n"


def test_agents_are_listed_with_their_state(own: Path):
    """Each agent has its name, where it is from, its tools, and what it lacks; wrong files are counted."""
    (own / "scout.yaml").write_text(GOOD.replace("[gmail_search]", "[gmail_search, ls]"), encoding="utf-8")
    (own / "spy.yaml").write_text("name: Spy", encoding="utf-8")
    done = agents("list")
    assert done.exit_code == 0
    lines = done.output.splitlines()
    assert lines[:5] == [
        "meeting_brief  Meeting brief",
        f"  from    {SHIPPED / 'meeting_brief.yaml'}",
        "  inputs  meeting (a text), focus (a text; may be left out)",
        "  tools   calendar_search, gmail_search, gmail_thread_read, search_memory",
        "  state   available",
    ]
    assert lines[-6:] == [
        "scout  Scout",
        f"  from    {own / 'scout.yaml'}",
        "  inputs  topic (a text)",
        "  tools   gmail_search, ls",
        "  state   lacks the tool ls, an entry under “agents” in constitution.md",
        "! 1 file cannot be used. `countersign agents validate` says why.",
    ]


def test_a_terminal_obeys_no_definition(own: Path):
    """Characters that a terminal obeys, and line breaks, are replaced in all that is told of a file."""
    sly = GOOD.replace("displayName: Scout", 'displayName: "Sc\\x1b[31mout\\ntwo"')
    (own / "scout.yaml").write_text(sly, encoding="utf-8")
    assert "scout  Sc\N{REPLACEMENT CHARACTER}[31mout two\n" in agents("list").output
    (own / "scout.yaml").write_text('{"a\\u001b\\nb": 1}', encoding="utf-8")
    (line, *_) = [line for line in agents("validate").output.splitlines() if "no key" in line]
    assert line.endswith("There is no key “a\N{REPLACEMENT CHARACTER} b”. Leave it out, or correct it.")
    done = agents("convert", own / "scout.yaml", "--to", "json")
    assert line in done.stderr.splitlines()


@pytest.mark.parametrize("form", FORMS)
def test_a_definition_is_converted_there_and_back(form: str):
    """Each form holds the whole example of the specification, and is read again."""
    there = Path(f"there{FORMS[form]}")
    assert agents("convert", SPECIFIED, "--to", form, "-o", there).output == ""
    done = agents("convert", there, "--to", "yaml")
    assert done.exit_code == 0
    assert read(done.output, "back.yaml").definition == read_file(SPECIFIED).definition


def test_a_file_that_cannot_be_written_is_told():
    """With its name, and what to do."""
    done = agents("convert", SPECIFIED, "--to", "json", "-o", "nowhere/there.json")
    assert (done.exit_code, done.stdout) == (1, "")
    assert (
        done.stderr
        == "✗ nowhere/there.json cannot be written (No such file or directory). Name another file with -o.\n"
    )


def test_a_schema_in_a_message_with_a_key_twice_is_refused():
    """As in any other form: which of the two counts is not guessed."""
    assert agents("convert", SPECIFIED, "--to", "protojson", "-o", "there.protojson").exit_code == 0
    message = json.loads(Path("there.protojson").read_text(encoding="utf-8"))
    message["outputConfig"]["schema"] = '{"type": "object", "type": "string"}'
    Path("there.protojson").write_text(json.dumps(message), encoding="utf-8")
    done = agents("convert", "there.protojson", "--to", "json")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "The key “type” is given twice." in done.stderr


def test_a_schema_by_name_is_written_inline():
    """What is converted stands by itself."""
    done = agents("convert", SHIPPED / "meeting_brief.yaml", "--to", "json")
    schema = json.loads((SHIPPED / "schemas" / "meeting_brief.json").read_text(encoding="utf-8"))
    assert json.loads(done.output)["outputConfig"]["schema"] == schema


def test_gemini_clis_markdown_is_converted():
    """A file of Gemini CLI becomes a definition with all its keys."""
    Path("reviewer.md").write_text(MARKDOWN, encoding="utf-8")
    done = agents("convert", "reviewer.md", "--to", "yaml")
    assert read(done.output, "reviewer.yaml").definition == read(MARKDOWN, "reviewer.md").definition


def test_what_protobuf_cannot_hold_is_refused_by_name():
    """Nothing is written then."""
    done = agents("convert", SHIPPED / "reply_polisher.yaml", "--to", "protojson", "-o", "out.protojson")
    assert done.exit_code == 1
    assert done.output.startswith(
        f"✗ {SHIPPED / 'reply_polisher.yaml'}: “processOutput” has no field in gemini.agent.v1."
    )
    assert not Path("out.protojson").exists()


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.yaml", b"name: Spy", "a.yaml:1: “name” is not a name that can be used."),
        ("a.binpb", b"\xff", "✗ a.binpb: This is no gemini.agent.v1.AgentDefinition"),
        ("a.textproto", b'name: "a"', "a.textproto:1: “description” is missing. Add it."),
        ("a.protojson", b'{"name": "a", "flow": {}}', "✗ a.protojson: This is no gemini.agent.v1.AgentDefinition"),
        ("a.pb", b"x" * 300_000, "a.pb:1: The file is larger than 262,144 bytes."),
    ],
)
def test_a_file_that_cannot_be_read_is_not_converted(name: str, data: bytes, said: str):
    """What is wrong is told on standard error, with status 1."""
    Path(name).write_bytes(data)
    done = agents("convert", name, "--to", "json")
    assert (done.exit_code, done.stdout) == (1, "")
    assert said in done.stderr
