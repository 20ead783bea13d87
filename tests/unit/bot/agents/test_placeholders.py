"""Placeholders in prompts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.agents.placeholders import fill, unknown


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("Find ${topic}.", "Find rose beds."),
        ("${topic}${topic}", "rose bedsrose beds"),
        ("Find $${topic}.", "Find ${topic}."),
        ("Find $$${topic}.", "Find $${topic}."),
        ("It costs $5 or $$5, {topic} or $topic.", "It costs $5 or $$5, {topic} or $topic."),
        ("${count} of ${ready} in ${all}", '3 of true in ["a","ü"]'.replace(",", ", ")),
        ("<${absent}${empty}>", "<>"),
        ("${quoted}", "${topic} and $${topic}"),
    ],
)
def test_values_are_inserted_once(template: str, text: str):
    """`${name}` becomes its value, `$${` a literal `${`, and a placeholder inside of a value stays as it is."""
    values = {
        "topic": "rose beds",
        "count": 3,
        "ready": True,
        "all": ["a", "ü"],
        "empty": "",
        "quoted": "${topic} and $${topic}",
    }
    assert fill(template, values) == text


@given(st.text(), st.text())
def test_a_value_is_inserted_as_it_is(before: str, value: str):
    """Whatever a value is, the text around it and the value itself are not changed."""
    around = before.replace("$", "")
    assert fill(f"{around}${{it}}{around}", {"it": value}) == f"{around}{value}{around}"


@pytest.mark.parametrize(
    ("template", "found"),
    [
        ("Find ${topic}.", []),
        ("$${HOME}", []),
        ("$$$${HOME}", []),
        ("${HOME} and ${topic} and ${ topic}", ["${HOME}", "${ topic}"]),
        ("${", ["${"]),
        ("${}", ["${}"]),
        ("${topic", ["${"]),
        ("${a\n}", ["${"]),
        ("${topic:-x}", ["${topic:-x}"]),
        ("${${topic}}", ["${"]),
    ],
)
def test_placeholders_without_a_value_are_found(template: str, found: list[str]):
    """Every placeholder that is no known name is found as it is written; one that is not closed is `${`."""
    assert list(unknown(template, {"topic"})) == found
