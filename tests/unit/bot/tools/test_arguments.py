"""Arguments: validated, canonical, hashed, and with their roles."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated, Any

import pytest

from bot.tools.arguments import (
    MAX_BYTES,
    InvalidArguments,
    UndeclaredRole,
    UnguardedRole,
    UnknownRecipients,
    canonical,
    contract_of,
    parsed,
    proposed,
    role_of,
    sha256,
    validate,
)
from bot.tools.registry import DoubleTool, Registry
from integrations.base import Content, ToolArgs
from policies.types import Addressing, EffectClass, Role
from tests.unit.bot.tools.tools import Look, Mails, Note, NoteArgs, Nothing


def test_defaults_are_filled_in() -> None:
    """What is hashed, shown and run holds every argument, also those that the model left out."""
    valid = validate(Note(), {"text": "oak"})
    assert json.loads(valid.canonical) == {
        "text": "oak",
        "thread_id": None,
        "to": [],
        "links": None,
        "limit": 10,
        "pinned": False,
    }
    assert valid.hash == sha256(valid.canonical)


@pytest.mark.parametrize(
    "same",
    [
        {"limit": 10, "text": "oak"},
        {"text": "oak", "to": []},
        {"text": "o\u0061k", "thread_id": None},
        {"text": "oak", "limit": 10.0},
    ],
    ids=["order", "default spelt out", "escape", "number form"],
)
def test_what_means_the_same_has_one_hash(same: dict[str, Any]) -> None:
    """The order of keys, defaults and the spelling of numbers make no other call."""
    assert validate(Note(), same).hash == validate(Note(), {"text": "oak"}).hash


@pytest.mark.parametrize("other", [{"text": "Oak"}, {"text": "oak "}, {"text": "oak", "limit": 11}])
def test_what_means_something_else_has_another_hash(other: dict[str, Any]) -> None:
    """One letter, one space or one number makes another call."""
    assert validate(Note(), other).hash != validate(Note(), {"text": "oak"}).hash


def test_canonical_arguments_are_read_back_as_they_were() -> None:
    """What was stored is what runs."""
    valid = validate(Note(), {"text": "Grüße \u2028 \U0001f33f", "to": ["a@b.c"]})
    again = parsed(NoteArgs.model_validate_json(valid.canonical))
    assert again == valid


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (None, "must be a JSON object"),
        ({}, "text: Field required"),
        ({"text": 4}, "text: Input should be a valid string"),
        ({"text": "oak", "colour": "brown"}, "colour: Extra inputs are not permitted"),
        ({"text": "oak", "limit": 26}, "limit: Input should be less than or equal to 25"),
        ({"text": "oak", "to": "a@b.c"}, "to: Input should be a valid array"),
        ({"text": "oak", "to": [1]}, "to.0: Input should be a valid string"),
        ({"text": "oak", "limit": float("nan")}, "no canonical JSON form"),
        ({"text": "oak", "limit": float("inf")}, "no canonical JSON form"),
        ({"text": "oak", "limit": 2**53}, "no canonical JSON form"),
        ({"text": "\ud800"}, "no canonical JSON form"),
        ({"text": "x" * MAX_BYTES}, "bytes long; at most"),
        ({"text": "ü" * (MAX_BYTES // 2)}, "bytes long; at most"),
    ],
)
def test_what_cannot_be_used_is_said(args: dict[str, Any] | None, why: str) -> None:
    """Each refusal names the argument and what is wrong with it, for the model to mend."""
    with pytest.raises(InvalidArguments) as refused:
        validate(Note(), args)
    assert why in str(refused.value)


def test_security_input_41_nesting_without_end_is_refused() -> None:
    """A value nested deeper than anybody writes is invalid, not a crash."""
    deep: Any = "x"
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(InvalidArguments):
        canonical({"text": deep})


def test_at_most_five_problems_are_told() -> None:
    """A call that is wrong in many places is told of some."""
    with pytest.raises(InvalidArguments) as refused:
        validate(Note(), {f"wrong{n}": n for n in range(50)})
    assert str(refused.value).count(";") == 4


def test_roles_are_found_at_any_depth() -> None:
    """Whether the role stands on the field, in a list or in an optional, policy sees it."""
    roles = {name: role_of(field) for name, field in NoteArgs.model_fields.items()}
    assert roles == {
        "text": Role.CONTENT,
        "thread_id": Role.OBJECT,
        "to": Role.DESTINATION,
        "links": Role.URL,
        "limit": Role.NONE,
        "pinned": Role.NONE,
    }


class TwoRoles(ToolArgs):
    """Whom it reaches, or what it says."""

    to: Annotated[Content, Role.DESTINATION]


class NoRole(ToolArgs):
    """One argument says what it is, the other does not."""

    text: Content
    where: str = ""


@pytest.mark.parametrize(("args", "argument"), [(TwoRoles, "to"), (NoRole, "where")])
def test_an_argument_without_one_role_is_refused_at_the_start(args: type[ToolArgs], argument: str) -> None:
    """What policy cannot tell is no “none”: the tool and its argument are named."""
    tool = Note()
    tool.args = args
    with pytest.raises(UndeclaredRole) as refused:
        Registry([tool])
    said = f"The tool note does not say what its argument “{argument}” is. Give it one role; "
    assert str(refused.value) == f"{said}Role.NONE says that policy has nothing to look at."


class Shell(ToolArgs):
    line: Annotated[list[str] | None, Role.COMMAND] = None


def test_a_command_is_refused_until_a_guard_knows_who_wrote_it() -> None:
    """The tool and its argument are named."""
    tool = Note()
    tool.args = Shell
    with pytest.raises(UnguardedRole, match="The argument “line” of the tool note has the role “command”"):
        Registry([tool])


def test_a_mail_goes_to_somebody_whom_an_argument_names() -> None:
    """A tool that says so has such an argument; the recipients of another are looked up."""
    assert contract_of(Mails()).addressing is Addressing.STATED
    tool = Mails()
    tool.args = Nothing
    with pytest.raises(UnknownRecipients, match="The tool mails is said to state its recipients"):
        Registry([tool])


def test_policy_sees_every_value() -> None:
    """Each argument with its role and its values as text; what is not given has none."""
    args = NoteArgs(text="oak", to=["a@b.c", "d@e.f"], links=["https://x.example"])
    call = proposed(Note(), args, offered=False)
    assert (call.tool, call.effect, call.offered) == ("note", EffectClass.OWN, False)
    assert call.addressing is Addressing.NONE
    assert proposed(Mails(), args, offered=True).addressing is Addressing.STATED
    assert call.deed == ""
    reply = Mails()
    reply.name = "gmail_reply"
    assert proposed(reply, args, offered=True).deed == "send a reply"
    assert {argument.name: argument.values for argument in call.arguments} == {
        "text": ("oak",),
        "thread_id": (),
        "to": ("a@b.c", "d@e.f"),
        "links": ("https://x.example",),
        "limit": ("10",),
        "pinned": ("False",),
    }


def test_what_a_tool_takes_is_known_to_one_module_alone() -> None:
    """Everything else asks it, so that a tool which describes its arguments in another way changes one place."""
    bot = Path(__file__).parents[4] / "bot"
    reaching = {path.name for path in bot.rglob("*.py") if re.search(r"(tool|\])\.args\b", path.read_text())}
    assert reaching == {"arguments.py"}


# The registry ------------------------------------------------------------------------------------------------------


def test_a_tool_is_found_by_its_name() -> None:
    """What is registered is there by name; what is not is not."""
    note, look = Note(), Look()
    registry = Registry([note, look])
    assert registry["look"] is look
    assert "note" in registry
    assert "other" not in registry
    assert list(registry) == [note, look]


def test_two_tools_with_one_name_are_a_defect() -> None:
    """A name means one tool."""
    with pytest.raises(DoubleTool, match="note"):
        Registry([Note(), Note()])


def test_only_listed_tools_are_declared() -> None:
    """The model sees what the list names and the process has, in the list's order, with the arguments' schema."""
    registry = Registry([Note(), Look()])
    declared = registry.declarations(["look", "nowhere", "note"])
    assert [tool.name for tool in declared] == ["look", "note"]
    schema = declared[1].schema
    assert schema["required"] == ["text"]
    assert registry.declarations([]) == ()
