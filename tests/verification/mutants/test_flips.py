"""The changes that are made of a function, each of which does what it says."""

from __future__ import annotations

from types import FunctionType, ModuleType

import pytest

from policies.guards import known, readings, things, words
from tests.verification.mutants.flips import Flip, flips
from tests.verification.mutants.policies import function_of

SOURCE = '''
def within(x: int, most: int = 3) -> bool:
    """A docstring, "in" it nothing is changed."""
    return 0 < x and not x > most
'''


def changed() -> dict[str, Flip]:
    return {flip.change: flip for flip in flips(SOURCE, "within.py")}


def test_each_comparison_condition_and_constant_is_changed_once() -> None:
    """Defaults, types and docstrings are not."""
    assert sorted(changed()) == [
        *("0 → 1", "And → Or", "Gt → GtE", "Lt → LtE", "returns None", "without “0 < x”"),
        *("without “not x > most”", "without “not”"),
    ]
    assert {(flip.function, flip.line) for flip in changed().values()} == {("within", 4)}


def test_the_type_of_a_cast_is_not_changed() -> None:
    """It does nothing when it runs."""
    source = 'def more(x: object) -> int:\n    return cast("int", x) + 1\n'
    assert sorted(flip.change for flip in flips(source, "more.py")) == ["1 → 2", "Add → Sub", "returns None"]


@pytest.mark.parametrize(
    ("change", "given", "becomes"),
    [
        ("0 → 1", 1, False),
        ("And → Or", -1, True),
        ("Lt → LtE", 0, True),
        ("Gt → GtE", 3, False),
        ("without “0 < x”", -1, True),
        ("without “not x > most”", 9, True),
        ("without “not”", 1, False),
        ("returns None", 1, None),
    ],
)
def test_the_code_of_a_change_has_it(change: str, given: int, becomes: bool | None) -> None:
    """Put into a function it decides otherwise."""
    function = FunctionType(changed()[change].code, {}, argdefs=(3,))
    assert function(given) is becomes


@pytest.mark.parametrize(
    ("module", "name"),
    [
        (words, "plain"),
        (words, "everyday"),
        (known, "World.called"),
        (things, "Things.has_rivals"),
        (things, "Things.may_be_called"),
        (readings, "Kept.__call__"),
    ],
)
def test_a_function_is_found_in_what_wraps_it(module: ModuleType, name: str) -> None:
    """A change of what wraps it would be none of its own."""
    found = function_of(module, name)
    assert (found.__qualname__, found.__code__.co_filename) == (name, module.__file__)
    assert found.__code__.co_name == name.rpartition(".")[2]
