"""Whatever a file says, it is read, or refused with a line: nothing else is ever raised."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import cast

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.agents.documents import SUFFIXES
from bot.agents.problems import InvalidDefinition, Problem
from bot.agents.reader import read
from policies import strict_yaml
from tests.unit.bot.agents.test_bad_files import GOOD
from tests.unit.bot.agents.test_reader import MARKDOWN

KEYS = st.sampled_from(
    [
        *(
            "name",
            "model",
            "type",
            "schema",
            "inputs",
            "tools",
            "steps",
            "until",
            "agent",
            "query",
            "flow",
            "flow_type",
        ),
        *("max_steps", "default_timeout", "runConfig", "run_config", "display_name", "kind", "$ref", "$id", "provider"),
    ]
)
TEXTS = st.text() | st.sampled_from(["loop", "sequential", "90s", "${topic}", "${previous}", "{", "#/", "string[]"])
NUMBERS = st.integers() | st.floats()
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda each: st.lists(each) | st.dictionaries(KEYS | TEXTS, each),
    max_leaves=8,
)


def refused(text: str, suffix: str) -> Sequence[Problem]:
    """What is wrong with the text, if it is no definition."""
    try:
        read(text, "agent", suffix=suffix)
    except InvalidDefinition as error:
        return error.problems
    return ()


def is_whole(problem: Problem) -> bool:
    return problem.line >= 1 and problem.what.endswith((".", "?")) and problem.cure.endswith((".", "?"))


@settings(max_examples=50)
@given(st.text(), st.sampled_from(SUFFIXES))
def test_any_text(text: str, suffix: str):
    """A text that is no definition at all is refused."""
    assert all(map(is_whole, refused(text, suffix)))


@settings(max_examples=50)
@given(st.data())
def test_any_piece_may_be_missing(data: st.DataObject):
    """A definition, or a Markdown file, from which any piece was cut out and into which any text was put."""
    text, suffix = data.draw(st.sampled_from([(GOOD, ".yaml"), (MARKDOWN, ".md")]))
    begin = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(begin, len(text)))
    assert all(map(is_whole, refused(text[:begin] + data.draw(st.text(max_size=5)) + text[end:], suffix)))


def paths(value: object, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Where every value of a mapping stands."""
    if isinstance(value, dict):
        for key, item in cast("dict[str, object]", value).items():
            yield (*path, key)
            yield from paths(item, (*path, key))


def put(value: object, path: tuple[str, ...], item: object) -> None:
    """Put it there, if there is such a place."""
    if isinstance(value, dict):
        entries, (key, *rest) = cast("dict[str, object]", value), path
        if rest:
            put(entries.get(key), tuple(rest), item)
        else:
            entries[key] = item


PATHS = sorted(paths(strict_yaml.read(GOOD, "scout.yaml").value))


@settings(max_examples=50)
@given(st.lists(st.tuples(st.sampled_from([*PATHS, ("flow",), ("max_steps",), ("modelConfig", "temp")]), VALUES)))
def test_any_value_in_any_place(changes: list[tuple[tuple[str, ...], object]]):
    """A definition in which any value stands in the place of any other."""
    whole = cast("dict[str, object]", strict_yaml.read(GOOD, "scout.yaml").value)
    for path, value in changes:
        put(whole, path, value)
    assert all(map(is_whole, refused(json.dumps(whole), ".json")))
