"""The functions that `processOutput` may name: each makes a text of what an agent returned."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import cast

from bot.agents.definition import DEFAULT_PROCESS, Definition


def processed(definition: Definition, output: object) -> str:
    """The output as a text for whoever called the agent."""
    return PROCESSORS[definition.process_output or DEFAULT_PROCESS](output)


def as_json(output: object) -> str:
    """Compact JSON; a text stays as it is."""
    return output if isinstance(output, str) else json.dumps(output, ensure_ascii=False, separators=(",", ":"))


def as_markdown(output: object) -> str:
    """Headings for keys, bullets for lists."""
    return output if isinstance(output, str) else "\n".join(_markdown(output, level=2)).strip()


def _markdown(value: object, *, level: int) -> Iterator[str]:
    match value:
        case dict():
            for key, item in cast("dict[str, object]", value).items():
                yield f"\n{'#' * min(level, 6)} {key.replace('_', ' ').capitalize()}\n"
                yield from _markdown(item, level=level + 1)
        case list():
            yield from (f"- {_on_one_line(item)}" for item in cast("list[object]", value))
        case _:
            yield as_json(value)


def _on_one_line(value: object) -> str:
    """An entry of a list; of a map each key with its value."""
    text = as_json(value)
    if isinstance(value, dict):
        parts = cast("dict[str, object]", value).items()
        text = "; ".join(f"{key.replace('_', ' ')}: {as_json(part)}" for key, part in parts)
    return " ".join(text.split())


PROCESSORS: Mapping[str, Callable[[object], str]] = {DEFAULT_PROCESS: as_json, "markdown": as_markdown}
