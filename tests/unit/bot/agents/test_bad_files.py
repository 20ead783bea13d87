"""Every way to write a definition wrongly that we know of: `countersign agents validate` names file, line and cure."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.agents.outputs.output_schema import MAX_BYTES as LARGEST_SCHEMA
from bot.agents.reader import MAX_BYTES as LARGEST_FILE
from bot.cli import main
from integrations.base import MAX_TEXT

GOOD = """\
name: scout
displayName: Scout
description: Finds a mail.
inputConfig:
  inputs:
    topic:
      description: What it is about.
      type: string
      required: true
outputConfig:
  outputName: report
  description: What was found.
  schema: {type: object}
promptConfig:
  query: Find ${topic}.
  systemPrompt: You are a scout.
modelConfig:
  model: gemini-3.8-flash
toolConfig:
  tools: [gmail_search]
runConfig:
  max_time_minutes: 5
  max_turns: 15
"""

BOMB = "&a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]"

NAME, TITLE, SCHEMA, TOOLS, RUN = "name: scout", "Scout\n", "{type: object}", "[gmail_search]", "runConfig:"
PROMPT, LOOP, FENCE = "You are a scout.\n", "flow: {type: loop}\n", "See <untrusted> there.\n"
LONG_PROMPT, FENCED_PROMPT = f"{'x' * (MAX_TEXT + 1)}\n{LOOP}", f"{FENCE}{LOOP}"
FENCED_QUERY = f"{FENCE}  systemPrompt: Scout.\n{LOOP}other:\n"
YAML = "This is not YAML as it is read here: "

CHANGES: dict[str, tuple[str, str, str]] = {
    # the text
    "no YAML": (TITLE, "'Scout\n", f"24: {YAML}while scanning a quoted scalar from"),
    "a key twice": ("toolConfig:", "name: other\ntoolConfig:", f"19: {YAML}the key “name”"),
    "a bomb": (TITLE, f"{BOMB}\n", f"2: {YAML}anchors and aliases (& and *) are not"),
    "a tag": (TITLE, "!!python/name:os.system\n", f"2: {YAML}tags (!) are not read"),
    "a merge": (TITLE, "Scout\n<<: {a: 1}\n", f"3: {YAML}merges (<<) are not read"),
    "a key that is no text": ("displayName", "1", f"2: {YAML}a key must be a text"),
    "control characters": (TITLE, "S\x07\n", f"2: {YAML}the character #x0007 is not"),
    "depth": (SCHEMA, "[" * 65, f"13: {YAML}it is nested deeper than 64"),
    "too large": (TITLE, "x" * LARGEST_FILE, "1: The file is larger than 262,144 bytes. Make it smaller."),
    # keys
    "an unknown key": ("displayName", "displayname", "2: There is no key “displayname”. Did you mean “displayName”?"),
    "an unknown key inside": ("max_turns", "most_cows", "23: There is no key “runConfig.most_cows”. Leave it out, or"),
    "a missing section": ("outputConfig:", "flow:", "1: “outputConfig” is missing. Add it."),
    "a missing key": ("  query: Find ${topic}.\n", "", "14: “promptConfig.query” is missing. Add it."),
    "contradicting aliases": ("toolConfig:", "display_name: Spy\ntoolConfig:", "19: “displayName” and “display_name” "),
    "contradicting limits": ("toolConfig:", "max_steps: 9\ntoolConfig:", "24: “max_steps” and “runConfig.max_turns” c"),
    # values
    "a number as name": (NAME, "name: 7", "1: “name” must be a text. Put it in quotes."),
    "an empty description": ("Finds a mail.", "''", "3: “description” is empty. Write a text."),
    "no name": (NAME, "name: Mail Scout", "1: “name” is not a name that can be used. Write a small letter, then"),
    "a name of two lines": (
        NAME,
        'name: "scout\\n"',
        "1: “name” is not a name that can be used. Write a small letter,",
    ),
    "a foreign letter": (NAME, "name: scöut", "1: “name” is not a name that can be used. Write a small letter, then"),
    "a long name": (NAME, "name: " + "s" * 64, "1: “name” is not a name that can be used. Write a small"),
    "the name of a tool": (NAME, "name: gmail_send", "1: “gmail_send” is the name of a tool. Give the agent"),
    "the ending tool": (NAME, "name: complete_task", "1: “complete_task” is the name of a tool. Give the agent"),
    "the doer of tasks": (NAME, "name: plan_task", "1: “plan_task” is whoever does a task of a plan that names no"),
    "a shipped name": (NAME, "name: week_review", "1: There is an agent “week_review” in "),
    "a list as section": ("promptConfig:\n", "promptConfig: []\nflow:\n", "14: “promptConfig” must be a map of keys."),
    "a fraction of a turn": ("max_turns: 15", "max_turns: 1.5", "23: “runConfig.max_turns” must be a whole number."),
    "no turns": ("max_turns: 15", "max_turns: 0", "23: “runConfig.max_turns” is too small. Write at least 1."),
    "a text as time": ("minutes: 5", "minutes: '5'", "22: “runConfig.max_time_minutes” must be a number. Write it"),
    "an endless time": ("minutes: 5", "minutes: 9999", "22: “runConfig.max_time_minutes” is too large. Write at most"),
    # inputs and placeholders
    "an unknown type": ("type: string", "type: date", "8: “inputConfig.inputs.topic.type” has a value that there is n"),
    "a word for a flag": ("required: true", "required: yes", "9: “inputConfig.inputs.topic.required” must be true or"),
    "an input that is no name": ("    topic:", "    the topic:", "6: “inputConfig.inputs.the topic” is not a name"),
    "an input that is private": ("    topic:", "    _topic:", "6: “inputConfig.inputs._topic” is not a name that can"),
    "an input of a model": ("    topic:", "    model_dump:", "6: “inputConfig.inputs.model_dump” has a name that is"),
    "the environment": ("Find ${topic}.", "Find ${HOME}.", "15: There is no input for “${HOME}”. The inputs are: topi"),
    "a prompt's environment": ("a scout.", "a ${USER}.", "16: There is no input for “${USER}”. The inputs are: topic."),
    "an open placeholder": ("Find ${topic}.", "Find ${topic.", "15: There is no input for “${”. The inputs are: topic"),
    "the same again and again": ("Find ${topic}.", f"Find {'${topic}' * 51}.", "15: It has 51 placeholders, and 50 ar"),
    # the output
    "Zod": (SCHEMA, "'z.object({a: z.string()})'", "13: The schema is Zod source, which only a JavaScript"),
    "no schema": (SCHEMA, "a schema", "13: The schema is neither JSON Schema nor a name. Write the keys"),
    "wrong JSON text": (SCHEMA, "'{\"type\": }'", "13: In line 1 of the schema: This is not JSON: Expecting"),
    "wrong JSON Schema": (SCHEMA, "{type: text}", "13: The schema is not JSON Schema: at type: 'text' is not"),
    "another dialect": (SCHEMA, "{$schema: 'http://json-schema.org/draft-07/schema#'}", "13: The schema is of an"),
    "a reference to http": (SCHEMA, "{$ref: 'http://x.example/s.json'}", "13: The schema refers to “http://x.ex"),
    "a reference to a file": (SCHEMA, "{$ref: other.json}", "13: The schema refers to “other.json”, and nothing"),
    "a reference to nothing": (SCHEMA, "{$ref: '#/$defs/a'}", "13: The schema refers to “#/$defs/a”, which is no"),
    "a reference into a list": (SCHEMA, "{allOf: [{}], $ref: '#/allOf/x'}", "13: The schema refers to “#/allOf/x”, wh"),
    "a reference into a number": (SCHEMA, "{minLength: 3, $ref: '#/minLength/x'}", "13: The schema refers to “#/minL"),
    "a reference to a text": (
        SCHEMA,
        "{title: x, items: {$ref: '#/title'}}",
        "13: The schema refers to “#/title”, whi",
    ),
    "a reference to properties": (
        SCHEMA,
        "{properties: {type: {}}, not: {$ref: '#/properties'}}",
        "13: The schema ref",
    ),
    "an endless reference": (SCHEMA, "{$ref: '#'}", "13: The schema refers to itself without end. Let a “$ref”"),
    "an identifier": (SCHEMA, "{$id: 'http://x.example/'}", "13: A schema's “$id” is not read. Leave it out."),
    "a large schema": (SCHEMA, "{description: " + "x" * LARGEST_SCHEMA + "}", "13: The schema has 65,555 bytes; at mo"),
    "a wrong pattern": (SCHEMA, "{pattern: '('}", "13: The schema is not JSON Schema: at pattern: '(' is not a"),
    "a number beyond JSON": (SCHEMA, "{maximum: 99999999999999999}", "1: It has a number or a character that"),
    "an unknown function": ("promptConfig:", "processOutput: shout\npromptConfig:", "14: There is no function “shout”"),
    # the model and tools
    "another provider": ("  model:", "  provider: openai\n  model:", "18: “modelConfig.provider” must be one of gemin"),
    "a hot model": ("  model:", "  temp: 3\n  model:", "18: “modelConfig.temp” is too large. Write at most 2.0."),
    "a wildcard": (TOOLS, "['*']", "20: “toolConfig.tools.0” is not a name that can be used. List each tool"),
    "a wildcard of a server": (TOOLS, "['mcp_*']", "20: “toolConfig.tools.0” is not a name that can be used"),
    "a tool twice": (TOOLS, "[gmail_search, gmail_search]", "20: The tool “gmail_search” is listed twice. Keep"),
    "itself": (TOOLS, "[scout]", "20: The agent would call itself: scout → scout. Take one of them out"),
    # time and flow
    "no duration": ("runConfig:\n  max_time_minutes: 5", "default_timeout: soon\nrunConfig:", "21: “runConfig.max_tim"),
    "minutes as a duration": ("minutes: 5", "minutes: 5m", "22: “runConfig.max_time_minutes” is no time: write minut"),
    "an unknown flow": (RUN, f"flow_type: parallel\n{RUN}", "21: “flow.type” has a value that there is not. Write"),
    "no steps": (RUN, f"flow: {{type: sequential}}\n{RUN}", "21: A sequential flow has no steps. Add “steps”"),
    "steps in a loop": (RUN, f"flow: {{type: loop, steps: [{{name: a, query: b}}]}}\n{RUN}", "21: A flow of type loop"),
    "too many rounds": (RUN, f"flow: {{type: loop, max_iterations: 21}}\n{RUN}", "21: “flow.max_iterations” is"),
    "a prompt beyond all": (
        PROMPT,
        LONG_PROMPT,
        "16: The steps of a flow cannot be given this text: it has more than 200",
    ),
    "a prompt with a fence": (
        PROMPT,
        FENCED_PROMPT,
        "16: The steps of a flow cannot be given this text: it has the mark",
    ),
    "a query with a fence": (
        "Find ${topic}.\n",
        FENCED_QUERY,
        "15: The steps of a flow cannot be given this text: it has t",
    ),
    "an end without schema": (RUN, f"flow: {{type: loop, until: 7}}\n{RUN}", "21: The schema is neither JSON"),
}

STEPS: dict[str, tuple[str, str]] = {
    "two kinds": ("{name: a, agent: other, query: b}", "23: The step “a” must have an agent or a query, and not both."),
    "no kind": ("{name: a}", "23: The step “a” must have an agent or a query, and not both."),
    "tools of an agent": ("{name: a, agent: other, tools: []}", "23: A step with “agent” has no “tools”. Leave it out"),
    "inputs of a query": ("{name: a, query: b, inputs: {}}", "23: A step with “query” has no “inputs”. Leave it out."),
    "nothing before": ("{name: a, query: '${previous}'}", "23: There is no value for “${previous}” in this step. Use "),
    "itself before": ("{name: a, query: '${steps.a}'}", "23: There is no value for “${steps.a}” in this step. Use an"),
    "another's input": ("{name: a, query: '${HOME}'}", "23: There is no value for “${HOME}” in this step. Use an"),
    "the same again and again": (
        "{name: a, query: '" + "${topic}" * 51 + "'}",
        "23: It has 51 placeholders, and 50 are t",
    ),
    "one name twice": ("{name: a, query: b}, {name: a, query: b}", "23: Two steps are named “a”. Give one of them ano"),
    "an unlisted tool": ("{name: a, query: b, tools: [gmail_send]}", "23: The step uses “gmail_send”, which is not li"),
    "an unlisted agent": ("{name: a, agent: week_review}", "23: The step uses “week_review”, which is not listed. Lis"),
    "a missing input": ("{name: a, agent: meeting_brief}", "23: meeting_brief needs the input “meeting”. Add it to th"),
    "an unknown input": ("{name: a, agent: meeting_brief, inputs: {meeting: x, day: y}}", "23: meeting_brief has no i"),
    "an input of nothing": (
        "{name: a, agent: meeting_brief, inputs: {meeting: null}}",
        "23: meeting_brief needs the inp",
    ),
    "another type": (
        "{name: a, agent: meeting_brief, inputs: {meeting: [x]}}",
        "23: The input “meeting” of meeting_brief",
    ),
    "another's input in a list": (
        "{name: a, agent: other, inputs: {b: ['${HOME}']}}",
        "23: There is no value for “${HOME}”",
    ),
    "what no run is given": (
        r'{name: a, query: "b\a"}',
        "23: The steps of a flow cannot be given this text: it has a con",
    ),
    "what no agent is given": (
        r'{name: a, agent: other, inputs: {b: "\a"}}',
        "23: The steps of a flow cannot be given this",
    ),
    "no time": ("{name: a, query: b, timeout: 0}", "23: “flow.steps.0.timeout” is too small. Write at least 1."),
    "no duration": ("{name: a, query: b, timeout: soon}", "23: “flow.steps.0.timeout” is no time: write minutes"),
    "more than a day": ("{name: a, query: b, timeout: 25h}", "23: “flow.steps.0.timeout” is too large. Write at most"),
    "time beyond any": (f"{{name: a, query: b, timeout: {10**400}}}", "23: “flow.steps.0.timeout” must be a number. W"),
    "no steps to take": ("{name: a, query: b, max_steps: 0}", "23: “flow.steps.0.max_steps” is too small. Write at le"),
    "steps beyond any": ("{name: a, query: b, max_steps: 1001}", "23: “flow.steps.0.max_steps” is too large. Write at"),
}
"""Steps of a flow, which stand in line 23."""

MARKDOWN: dict[str, tuple[str, str]] = {
    "no front matter": ("You are a scout.", "1: There is no front matter. Begin the file with keys between two lines"),
    "works elsewhere": ("---\nname: a\nkind: remote\n---\nx", "3: The kind “remote” is not read. Only agents that wor"),
    "servers": ("---\nname: a\nmcp_servers: {}\n---\nx", "3: There is no key “mcp_servers” in front matter. Leave it"),
    "a wildcard": ("---\nname: a\ndescription: b\ntools: ['*']\n---\nx", "4: “toolConfig.tools.0” is not a name that"),
    "the environment": ("---\nname: a\ndescription: b\n---\nIn ${HOME}.", "5: There is no input for “${HOME}”. The in"),
    "no description": ("---\nname: a\n---\nx", "2: “description” is missing. Add it."),
    "no prompt": ("---\nname: a\ndescription: b\n---\n", "5: “promptConfig.systemPrompt” is empty. Write a text."),
}
JSON: dict[str, tuple[str, str]] = {
    "no JSON": ('{\n  "name": scout\n}', "2: This is not JSON: Expecting value. Correct it there."),
    "a key twice": ('{\n  "name": "a",\n  "name": "b"\n}', "3: The key “name” is given twice. Keep one of them."),
    "depth": ("[" * 100 + "]" * 100, "1: It is nested deeper than 64 levels. Correct it there."),
    "endless depth": ("[" * 100_000, "1: It is nested deeper than 64 levels. Correct it there."),
    "no finite number": ('{\n  "name": 1e999\n}', "1: This is not JSON: there is no number 1e999. Correct it there."),
    "no number": ('{"name": NaN}', "1: This is not JSON: there is no number NaN. Correct it there."),
    "seconds beyond any": (
        f'{{"default_timeout": {10**400}}}',
        "1: “runConfig.max_time_minutes” must be a number. Write",
    ),
    "seconds before any": (
        f'{{"default_timeout": -{10**400}}}',
        "1: “runConfig.max_time_minutes” must be a number. Writ",
    ),
    "a list": ("[]", "1: This is no map of keys. Write “name: …” and the other keys."),
    "an unknown key": ('{\n  "name": "a",\n\t"spam": [1]\n}', "3: There is no key “spam”. Leave it out, or correct it"),
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(name: str, text: str) -> list[str]:
    """What the command says of this file, which it refuses."""
    Path(name).write_text(text, encoding="utf-8")
    done = CliRunner().invoke(main, ["agents", "validate", name])
    assert done.exit_code == 1, done.output
    return done.output.splitlines()


def beginnings(lines: list[str], said: str) -> list[str]:
    """As much of each line as was said."""
    return [line[: len(said)] for line in lines]


def test_the_definition_that_is_changed_below_is_valid():
    """Without its change each definition below would pass, so the change is what is refused."""
    Path("scout.yaml").write_text(GOOD, encoding="utf-8")
    done = CliRunner().invoke(main, ["agents", "validate", "scout.yaml"])
    assert (done.exit_code, done.output) == (0, "✓ scout.yaml: scout is valid.\n")


def test_all_mistakes_of_a_file_are_named():
    """Also those that are no mistake of its form; what follows from another mistake is not."""
    wrong = GOOD.replace(NAME, "name: Spy").replace(TOOLS, "[ls, ls]").replace("${topic}", "${top}")
    wrong = wrong.replace(SCHEMA, "a schema")
    assert [line.split()[0] for line in refused("a.yaml", wrong)] == [f"a.yaml:{line}:" for line in (1, 13, 15, 20)]
    assert len(refused("b.yaml", wrong.replace("required: true", "required: 1"))) == 4


@pytest.mark.parametrize("wrong", CHANGES)
def test_a_definition_with_one_mistake_is_refused(wrong: str):
    """The mistake is named with its file and line, and a cure."""
    old, new, said = CHANGES[wrong]
    assert old in GOOD
    assert f"scout.yaml:{said}" in beginnings(refused("scout.yaml", GOOD.replace(old, new, 1)), f"scout.yaml:{said}")


@pytest.mark.parametrize("wrong", STEPS)
def test_a_flow_with_a_wrong_step_is_refused(wrong: str):
    """The step's mistake is named with its file and line, and a cure."""
    steps, said = STEPS[wrong]
    listed = GOOD.replace("[gmail_search]", "[gmail_search, meeting_brief]")
    lines = refused(
        "scout.yaml", listed.replace("runConfig:", f"flow:\n  type: sequential\n  steps: [{steps}]\nrunConfig:")
    )
    assert f"scout.yaml:{said}" in beginnings(lines, f"scout.yaml:{said}")


@pytest.mark.parametrize("wrong", MARKDOWN)
def test_a_wrong_markdown_file_is_refused(wrong: str):
    """Gemini CLI's files have lines, too."""
    text, said = MARKDOWN[wrong]
    assert f"scout.md:{said}" in beginnings(refused("scout.md", text), f"scout.md:{said}")


@pytest.mark.parametrize("wrong", JSON)
def test_a_wrong_json_file_is_refused(wrong: str):
    """JSON files have lines, too."""
    text, said = JSON[wrong]
    assert f"scout.json:{said}" in beginnings(refused("scout.json", text), f"scout.json:{said}")


def test_a_file_that_is_no_text_is_refused():
    """Bytes that are no UTF-8, and ends of names that mean no form, are refused in a line each."""
    Path("scout.yaml").write_bytes(b"\xff\xfe")
    Path("scout.toml").write_text("name = 'a'", encoding="utf-8")
    done = CliRunner().invoke(main, ["agents", "validate", "scout.yaml", "scout.toml"])
    assert done.output.splitlines() == [
        "scout.toml:1: Files ending in “.toml” are not read. Name it with one of .yaml, .yml, .json, .md.",
        "scout.yaml:1: The file is not a text in UTF-8. Save it as UTF-8.",
    ]


@pytest.mark.parametrize("command", [["validate"], ["convert", "--to", "json"]])
def test_only_a_regular_file_is_read(command: list[str]):
    """A pipe would be waited for without end."""
    Path("device.yaml").symlink_to("/dev/null")
    os.mkfifo("pipe.yaml")
    for name in ("device.yaml", "pipe.yaml"):
        done = CliRunner().invoke(main, ["agents", *command, name])
        assert done.exit_code == 1
        assert f"{name}:1: This is no regular file. Name a file that is one." in done.output


def test_every_mistake_of_a_file_is_named_at_once():
    """A file with several mistakes is refused once, with all of them in the order of their lines."""
    text = GOOD.replace("name: scout", "name: Scout").replace("type: string", "type: date").replace("15\n", "many\n")
    places = [line.partition(": ")[0] for line in refused("scout.yaml", text)]
    assert places == ["scout.yaml:1", "scout.yaml:8", "scout.yaml:23"]
