"""The functions that `processOutput` may name: each makes a text of what an agent returned."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import cast

from bot.agents.definition import DEFAULT_PROCESS, Definition, Schema


def processed(definition: Definition, output: object) -> str:
    """The output as a text for whoever called the agent."""
    return PROCESSORS[definition.process_output or DEFAULT_PROCESS](output, definition.output.schema)


def as_json(output: object) -> str:
    """Compact JSON; a text stays as it is."""
    return output if isinstance(output, str) else json.dumps(output, ensure_ascii=False, separators=(",", ":"))


def as_markdown(output: object, schema: Schema | None = None) -> str:
    """Headings for keys, bullets for lists; nothing for what is empty. A `title` in the schema is the heading."""
    return output if isinstance(output, str) else "\n".join(_markdown(output, schema, level=2)).strip()


def in_order(output: object, schema: object) -> object:
    """The same value with its keys in the order of the schema's properties, and the others behind them."""
    match output:
        case dict():
            value, parts = cast("dict[str, object]", output), _properties(schema)
            names = [*(name for name in parts if name in value), *(name for name in value if name not in parts)]
            return {name: in_order(value[name], parts.get(name)) for name in names}
        case list():
            return [in_order(item, _items(schema)) for item in cast("list[object]", output)]
        case _:
            return output


def _markdown(value: object, schema: object, *, level: int) -> Iterator[str]:
    match value:
        case dict():
            for key, item in cast("dict[str, object]", in_order(cast("object", value), schema)).items():
                if not _is_empty(item):
                    part = _properties(schema).get(key)
                    yield f"\n{'#' * min(level, 6)} {_title(key, part)}\n"
                    yield from _markdown(item, part, level=level + 1)
        case list():
            yield from (f"- {_on_one_line(item, _items(schema))}" for item in cast("list[object]", value))
        case _:
            yield as_json(value)


def _on_one_line(value: object, schema: object) -> str:
    """An entry of a list; of a map each key with its value."""
    text = as_json(value)
    if isinstance(value, dict):
        parts = cast("dict[str, object]", in_order(cast("object", value), schema)).items()
        text = "; ".join(f"{_title(key, _properties(schema).get(key)).lower()}: {as_json(part)}" for key, part in parts)
    return " ".join(text.split())


def _is_empty(value: object) -> bool:
    """Whether there is nothing to say of it: no text, an empty list, or a map of nothing else."""
    if isinstance(value, dict):
        return all(map(_is_empty, cast("dict[str, object]", value).values()))
    return value is None or (isinstance(value, str | list) and not value)


def _title(key: str, schema: object) -> str:
    title = cast("Mapping[str, object]", schema).get("title") if isinstance(schema, Mapping) else None
    return title if isinstance(title, str) and title else key.replace("_", " ").capitalize()


def _properties(schema: object) -> Mapping[str, object]:
    found = cast("Mapping[str, object]", schema).get("properties") if isinstance(schema, Mapping) else None
    return cast("Mapping[str, object]", found) if isinstance(found, Mapping) else {}


def _items(schema: object) -> object:
    return cast("Mapping[str, object]", schema).get("items") if isinstance(schema, Mapping) else None


PROCESSORS: Mapping[str, Callable[[object, Schema], str]] = {
    DEFAULT_PROCESS: lambda output, _: as_json(output),
    "markdown": as_markdown,
}
