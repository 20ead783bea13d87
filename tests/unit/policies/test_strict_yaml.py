"""YAML that means one thing only."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from policies.errors import BadYaml
from policies.strict_yaml import MOST_LEVELS, MOST_VALUES, read, write

PLAIN = """\
name: scout
tools:
  - gmail_search
  - slack_read
limits: {steps: 5, minutes: 1.5}
prompt: |
  Two
  lines
"""

BOMB = """\
a: &a [x, x, x, x, x, x, x, x, x]
b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]
c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]
d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c]
e: [*d, *d, *d, *d, *d, *d, *d, *d, *d]
"""


def test_every_value_knows_its_line():
    """A value is found by its path; one that is missing has the line of what it would stand in."""
    document = read(PLAIN, "agent.yaml")
    assert document.value == {
        "name": "scout",
        "tools": ["gmail_search", "slack_read"],
        "limits": {"steps": 5, "minutes": 1.5},
        "prompt": "Two\nlines\n",
    }
    assert [document.line(path) for path in [(), ("tools",), ("tools", 1), ("limits", "steps"), ("prompt",)]] == [
        *(1, 2, 4, 5, 6)
    ]
    assert document.line(("limits", "money")) == document.line(("limits", "money", "usd")) == 5
    assert read("", "empty.yaml").line(("a",)) == 1


@pytest.mark.parametrize(
    ("written", "value"),
    [
        *(("", None), ("~", None), ("null", None), ("true", True), ("false", False)),
        *(("0", 0), ("-7", -7), ("1.5", 1.5), ("1e3", 1000.0), (".5", 0.5)),
        *(("no", "no"), ("Yes", "Yes"), ("on", "on"), ("TRUE", "TRUE"), ("NULL", "NULL")),
        *(("010", "010"), ("0x1f", "0x1f"), ("12:30", "12:30"), ("2026-11-26", "2026-11-26")),
        *((".inf", ".inf"), (".nan", ".nan"), ("9" * 5000, "9" * 5000)),
    ],
)
def test_scalars_are_those_of_json(written: str, value: object):
    """Null, true, false and decimal numbers; everything else is a text, whatever YAML 1.1 makes of it."""
    assert read(f"value: {written}", "agent.yaml").value == {"value": value}


TEXTS = st.text(st.characters(exclude_categories=("Cs",)))
SCALARS = st.none() | st.booleans() | st.integers(-(10**17), 10**17) | st.floats(allow_nan=False, allow_infinity=False)
LIKE_SCALARS = st.sampled_from(["no", "on", "~", "1e3", "0x1f", "12:30", "010", "2026-11-26", "<<", "=", "- a", "a: b"])


@example({"\x85": "a\u2028b\r\n"})
@example("a\n\x85")
@given(
    st.recursive(
        SCALARS | TEXTS | LIKE_SCALARS, lambda each: st.lists(each) | st.dictionaries(TEXTS | LIKE_SCALARS, each)
    )
)
def test_what_is_written_is_read_back_equal(value: object):
    """Whatever JSON can say is written so that it is read back as the same values of the same types."""
    back = read(write(value), "agent.yaml").value
    assert repr(back) == repr(value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: 1\nb: 2\na: 3", "agent.yaml:3: the key “a” is given twice."),
        ("a:\n  - b: 1\n    b: 2", "agent.yaml:3: the key “b” is given twice."),
        (BOMB, "agent.yaml:1: anchors and aliases (& and *) are not read: write the value again."),
        ("a: *b", "agent.yaml:1: anchors and aliases (& and *) are not read: write the value again."),
        ("a:\n  <<: {b: 1}", "agent.yaml:2: merges (<<) are not read: write the keys again."),
        ("a: !!str 1", "agent.yaml:1: tags (!) are not read: write a plain value."),
        ("a: !own 1", "agent.yaml:1: tags (!) are not read: write a plain value."),
        ("!!python/object/apply:os.system [ls]", "agent.yaml:1: tags (!) are not read: write a plain value."),
        ("a: 1\n2: b", "agent.yaml:2: a key must be a text: put it in quotes."),
        ("true: b", "agent.yaml:1: a key must be a text: put it in quotes."),
        ("{[a]: b}", "agent.yaml:1: a key must be a text: put it in quotes."),
        ("a: 1\nb: \x07", "agent.yaml:2: the character #x0007 is not read."),
        ("\nb: \x07", "agent.yaml:2: the character #x0007 is not read."),
        (
            "a\n---\nb",
            "agent.yaml:2: expected a single document in the stream from line 1: but found another document.",
        ),
        ("- a\n" * (MOST_VALUES + 1), "agent.yaml:10000: it has more than 10,000 keys and values."),
        ("a: 1\nb: 1e999", "agent.yaml:2: the number is too large."),
        ("a: 'x", "agent.yaml:1: while scanning a quoted scalar: found unexpected end of stream."),
        (
            "- a\n" * 9 + "- " + "[" * MOST_LEVELS,
            f"agent.yaml:10: it is nested deeper than {MOST_LEVELS} levels.",
        ),
        ("[" * (MOST_LEVELS + 1), f"agent.yaml:1: it is nested deeper than {MOST_LEVELS} levels."),
    ],
)
def test_what_could_mean_two_things_is_refused(text: str, said: str):
    """What is refused is named with its file and line."""
    with pytest.raises(BadYaml) as error:
        read(text, "agent.yaml")
    assert str(error.value) == said


def test_as_much_is_read_as_is_allowed():
    """The list counts as a value, too."""
    assert read("- a\n" * (MOST_VALUES - 1), "agent.yaml").value == ["a"] * (MOST_VALUES - 1)


def test_what_is_written_is_read_by_people():
    """Lines as lines, letters as they are, keys in their order; what would be another line break is escaped."""
    assert write({"b": "Grüße\nvon Dana", "a": "x\x85y"}) == 'b: |-\n  Grüße\n  von Dana\na: "x\\Ny"\n'
