"""Other ways to write a definition's keys, turned into the canonical ones.

Beside the canonical keys are read: snake_case and camelCase, the keys of agent-execution documents (`flow_type`,
`max_steps`, `default_timeout`, the model's `provider` and `name`), and those of Gemini CLI's Markdown files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import cast

from bot.agents.documents import BODY
from bot.agents.problems import InvalidDefinition, Problem
from policies.strict_yaml import Document, KeyPath

Spellings = Mapping[KeyPath, KeyPath]
"""Where a value belongs, by where it was written. Keys of a section are found by the section's canonical name."""

SECTIONS = ("inputConfig", "outputConfig", "promptConfig", "modelConfig", "toolConfig", "runConfig", "flow")

OTHERS: Spellings = {
    ("display_name",): ("displayName",),
    ("process_output",): ("processOutput",),
    ("input_config",): ("inputConfig",),
    ("output_config",): ("outputConfig",),
    ("prompt_config",): ("promptConfig",),
    ("model_config",): ("modelConfig",),
    ("tool_config",): ("toolConfig",),
    ("run_config",): ("runConfig",),
    ("outputConfig", "output_name"): ("outputConfig", "outputName"),
    ("promptConfig", "system_prompt"): ("promptConfig", "systemPrompt"),
    ("modelConfig", "name"): ("modelConfig", "model"),
    ("modelConfig", "temperature"): ("modelConfig", "temp"),
    ("modelConfig", "topP"): ("modelConfig", "top_p"),
    ("modelConfig", "thinking_budget"): ("modelConfig", "thinkingBudget"),
    ("runConfig", "maxTimeMinutes"): ("runConfig", "max_time_minutes"),
    ("runConfig", "maxTurns"): ("runConfig", "max_turns"),
    ("flow", "maxIterations"): ("flow", "max_iterations"),
    ("flow_type",): ("flow", "type"),
    ("flowType",): ("flow", "type"),
    ("max_steps",): ("runConfig", "max_turns"),
    ("maxSteps",): ("runConfig", "max_turns"),
    ("default_timeout",): ("runConfig", "max_time_minutes"),
    ("defaultTimeout",): ("runConfig", "max_time_minutes"),
}
MARKDOWN: Spellings = {
    ("name",): ("name",),
    ("description",): ("description",),
    ("display_name",): ("displayName",),
    ("model",): ("modelConfig", "model"),
    ("temperature",): ("modelConfig", "temp"),
    ("tools",): ("toolConfig", "tools"),
    ("timeout_mins",): ("runConfig", "max_time_minutes"),
    ("max_turns",): ("runConfig", "max_turns"),
    (BODY,): ("promptConfig", "systemPrompt"),
}
MARKDOWN_ADDS: Mapping[str, object] = {
    "inputConfig": {"inputs": {"query": {"description": "The task.", "type": "string", "required": True}}},
    "outputConfig": {"outputName": "result", "description": "What was found or done.", "schema": {"type": "string"}},
    "promptConfig": {"query": "${query}"},
    "toolConfig": {"tools": []},
}
"""What a Markdown file cannot say: it takes one text and returns one, and no tools are given where none are listed."""

_DURATION = re.compile(r"(?:(\d{1,4})h)?(?:(\d{1,5})m)?(?:(\d{1,6})s)?", re.ASCII)
_MOST_SECONDS = 10**9
"""What is more is too much in minutes, too; an integer may be larger than any float."""
_SECONDS = frozenset({("default_timeout",), ("defaultTimeout",)})
_INHERITED = "inherit"


def canonical(document: Document, keys: Mapping[str, object], spellings: Spellings) -> Document:
    """The document with canonical keys, each value with its line; raises `InvalidDefinition` for contradictions."""
    value: dict[str, object] = {}
    origins: dict[KeyPath, KeyPath] = {}
    for origin, target, item in _written(keys, spellings):
        if target in origins and _found(value, target) != item:
            earlier = ".".join(map(str, origins[target]))
            _refuse(document, origin, f"“{earlier}” and “{'.'.join(map(str, origin))}” contradict each other.")
        origins.setdefault(target, origin)
        _put(value, target, item)
    places = {origin: target for target, origin in origins.items()}
    return Document(name=document.name, value=value, lines=dict(_moved(document.lines, places, spellings)))


def markdown(document: Document) -> Document:
    """A Markdown document with canonical keys; raises `InvalidDefinition` for an agent that works elsewhere."""
    keys = dict(cast("dict[str, object]", document.value))
    if (kind := keys.pop("kind", "local")) != "local":
        _refuse(document, ("kind",), f"The kind “{kind}” is not read.", "Only agents that work here are: “local”.")
    if unknown := next((key for key in keys if (key,) not in MARKDOWN), None):
        _refuse(document, (unknown,), f"There is no key “{unknown}” in front matter.", "Leave it out, or write YAML.")
    if keys.get("model") == _INHERITED:
        del keys["model"]
    spelled = canonical(document, keys, MARKDOWN)
    value = cast("dict[str, object]", spelled.value)
    for section, added in MARKDOWN_ADDS.items():
        value[section] = {**cast("dict[str, object]", added), **cast("dict[str, object]", value.get(section, {}))}
    return Document(name=document.name, value=value, lines=spelled.lines)


def _written(keys: Mapping[str, object], spellings: Spellings) -> Iterator[tuple[KeyPath, KeyPath, object]]:
    """Every value with where it was written and where it belongs. A section that is null is none."""
    for key, item in keys.items():
        target = spellings.get((key,), (key,))
        if item is None and target[0] in SECTIONS:
            continue
        if target[0] in SECTIONS and len(target) == 1 and isinstance(item, dict):
            entries = cast("dict[str, object]", item)
            if not entries:
                yield (key,), target, {}
            for name, entry in entries.items():
                yield (key, name), spellings.get((*target, name), (*target, name)), entry
        else:
            yield (key,), target, _minutes(item) if (key,) in _SECONDS else item


def seconds(written: object) -> object:
    """Seconds, also from a duration such as “90s” or “1h30m”; what is neither stays as it is."""
    if isinstance(written, str) and written and (found := _DURATION.fullmatch(written)):
        hours, minutes, rest = (int(part or 0) for part in found.groups())
        return hours * 3600 + minutes * 60 + rest
    return written


def _minutes(written: object) -> object:
    """Minutes from the same."""
    number = seconds(written)
    if isinstance(number, int | float) and not isinstance(number, bool) and abs(number) <= _MOST_SECONDS:
        return number / 60
    return number


def _found(value: Mapping[str, object], path: KeyPath) -> object:
    section = value.get(str(path[0]))
    if len(path) > 1 and isinstance(section, dict):
        return cast("dict[str, object]", section)[str(path[1])]
    return section


def _put(value: dict[str, object], path: KeyPath, item: object) -> None:
    section = value.setdefault(str(path[0]), {})
    if len(path) == 1 and item != {}:
        value[str(path[0])] = item
    elif len(path) > 1 and isinstance(section, dict):
        section[str(path[1])] = item


def _moved(lines: Mapping[KeyPath, int], places: Spellings, spellings: Spellings) -> Iterator[tuple[KeyPath, int]]:
    for path, line in lines.items():
        if (two := path[:2]) in places:
            yield (*places[two], *path[2:]), line
        elif (one := path[:1]) in places:
            yield (*places[one], *path[1:]), line
        else:
            yield spellings.get(path, path), line


def _refuse(document: Document, path: KeyPath, what: str, cure: str = "Keep one of them.") -> None:
    raise InvalidDefinition([Problem(file=document.name, line=document.line(path), what=what, cure=cure)])
