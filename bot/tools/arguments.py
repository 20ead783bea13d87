"""Arguments: from what the model said to a validated model, its canonical bytes, their hash, and what policy sees.

How a tool describes what it takes is known to this module alone: everything else asks it.
Canonical JSON is RFC 8785. Arguments that it refuses (numbers beyond 2^53, lone surrogates) are invalid arguments.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, cast, get_args

import rfc8785
from pydantic import ValidationError
from pydantic.fields import FieldInfo

from bot import canonical_json
from bot.errors import BotError, Misconfigured
from bot.tools.names import deed
from integrations.base import AnyTool, ToolArgs
from policies.types import Addressing, Argument, Contract, ProposedAction, Role

MAX_BYTES = 256 * 1024


class InvalidArguments(BotError):
    """Arguments that cannot be used; the message tells the model why, `fields` a person, by argument."""

    def __init__(self, message: str, fields: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.fields: Mapping[str, str] = fields or {}


class UndeclaredRole(Misconfigured):
    """An argument of a tool has no role, or several: policy could not tell what it is."""

    def __init__(self, tool: str, argument: str) -> None:
        super().__init__(
            f"The tool {tool} does not say what its argument “{argument}” is. Give it one role; Role.NONE says that "
            "policy has nothing to look at."
        )


class UnguardedRole(Misconfigured):
    """An argument is a command, and no guard knows who wrote it."""

    def __init__(self, tool: str, argument: str) -> None:
        super().__init__(
            f"The argument “{argument}” of the tool {tool} has the role “{Role.COMMAND}”, and no guard asks yet who "
            "wrote a command. Leave the tool out."
        )


class UnknownRecipients(Misconfigured):
    """A tool is said to write mail to whom its arguments name, and they name nobody."""

    def __init__(self, tool: str) -> None:
        super().__init__(
            f"The tool {tool} is said to state its recipients, but has no argument of the role “{Role.DESTINATION}”."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Valid:
    """Validated arguments and their canonical form."""

    args: ToolArgs
    canonical: str
    hash: str


def canonical(value: object) -> str:
    """RFC 8785 text; raises `InvalidArguments` for what it refuses."""
    try:
        return canonical_json.dumps(value).decode()
    except (rfc8785.CanonicalizationError, UnicodeError, RecursionError) as error:
        raise InvalidArguments(f"The arguments have no canonical JSON form: {error}") from None


def sha256(text: str) -> str:
    """Hex digest of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def validate(tool: AnyTool, args: Mapping[str, object] | None) -> Valid:
    """The arguments as the tool's model; raises `InvalidArguments` whose message says what to correct."""
    if args is None:
        raise InvalidArguments("The arguments must be a JSON object.")
    text = canonical(args)
    size = len(text.encode())
    if size > MAX_BYTES:
        raise InvalidArguments(f"The arguments are {size:,} bytes long; at most {MAX_BYTES:,} are taken.")
    try:
        model = stored(tool, text)
    except ValidationError as error:
        raise InvalidArguments(_mendable(error), _by_field(error)) from None
    if wrong := tool.contradictions(model):
        raise InvalidArguments(f"The arguments are invalid. {_listed(wrong.items())}", wrong)
    return parsed(model)


def stored(tool: AnyTool, text: str) -> ToolArgs:
    """The arguments in this JSON, as an action's row keeps them once they were validated."""
    return tool.args.model_validate_json(text)


def parsed(model: ToolArgs) -> Valid:
    """Validated arguments with their canonical form, every default filled in."""
    text = canonical(model.model_dump(mode="json"))
    return Valid(args=model, canonical=text, hash=sha256(text))


def hash_of_invalid(args: Mapping[str, object] | None, raw: str) -> str:
    """The hash of arguments that cannot be used, whatever the order of their names; of the text where JSON has none."""
    try:
        return sha256(raw if args is None else canonical(args))
    except InvalidArguments:
        return sha256(raw)


def _mendable(error: ValidationError) -> str:
    problems = [(".".join(map(str, item["loc"])) or "arguments", item["msg"]) for item in error.errors()[:5]]
    return f"The arguments are invalid. {_listed(problems)}"


def _listed(problems: Iterable[tuple[str, str]]) -> str:
    return "; ".join(f"{name}: {text}" for name, text in problems)


def _by_field(error: ValidationError) -> Mapping[str, str]:
    """The first problem of each argument."""
    return {
        str(item["loc"][0]): item["msg"].removeprefix("Value error, ")
        for item in reversed(error.errors())
        if item["loc"]
    }


def proposed(tool: AnyTool, args: ToolArgs, *, offered: bool) -> ProposedAction:
    """The call as policy sees it: what its tool declares, and every argument with its role and values."""
    arguments = tuple(
        Argument(name=name, role=role, values=tuple(_texts(getattr(args, name))))
        for name, role in roles_of(tool).items()
    )
    return ProposedAction(
        tool=tool.name,
        effect=tool.effect,
        arguments=arguments,
        addressing=tool.addressing,
        offered=offered,
        deed=deed(tool.name),
    )


def contract_of(tool: AnyTool) -> Contract:
    """What the tool declares to policy. Raises `UndeclaredRole`, `UnguardedRole`, `UnknownRecipients`."""
    roles = roles_of(tool)
    for name, role in roles.items():
        if role is Role.COMMAND:
            raise UnguardedRole(tool.name, name)
    if tool.addressing is Addressing.STATED and Role.DESTINATION not in roles.values():
        raise UnknownRecipients(tool.name)
    return Contract(roles=roles, addressing=tool.addressing)


def roles_of(tool: AnyTool) -> Mapping[str, Role]:
    """Every argument of the tool with its role. Raises `UndeclaredRole`."""
    return {name: _declared(tool, name, field) for name, field in fields_of(tool).items()}


def _declared(tool: AnyTool, name: str, field: FieldInfo) -> Role:
    role = role_of(field)
    if role is None:
        raise UndeclaredRole(tool.name, name)
    return role


def fields_of(tool: AnyTool) -> Mapping[str, FieldInfo]:
    """Every argument of the tool, in order: its type, whether it is required, and what its annotation says of it."""
    return tool.args.model_fields


def schema_of(tool: AnyTool) -> Mapping[str, Any]:
    """The JSON schema of the tool's arguments, whole."""
    return _schema(tool.args)


@cache
def _schema(args: type[ToolArgs]) -> Mapping[str, Any]:
    """Pydantic takes milliseconds for each, and a start asks twice: what tools declare, then the tools themselves."""
    return args.model_json_schema()


def role_of(field: FieldInfo) -> Role | None:
    """The role that the field's annotation carries, at any depth; None where that is none, or several."""
    found = {item for item in (*field.metadata, *_nested(field.annotation)) if isinstance(item, Role)}
    return found.pop() if len(found) == 1 else None


def _nested(annotation: object) -> Iterator[object]:
    for part in get_args(annotation):
        yield part
        yield from _nested(part)


def _texts(value: object) -> Iterator[str]:
    match value:
        case None:
            return
        case list() | tuple():
            for item in cast("list[object]", value):
                yield from _texts(item)
        case _:
            yield str(value)
