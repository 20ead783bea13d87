"""How the run of an agent ends: a call of one tool, whose one argument is the output.

The call does nothing outside, so it is no tool of the registry. It is checked by the output's schema.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, field
from typing import cast

from bot.agents.definition import ENDING_TOOL, Output
from bot.agents.outputs.checks import OutputChecks
from bot.agents.processors import in_order
from bot.llm.model import ToolDeclaration, Turn
from bot.tools.arguments import MAX_BYTES, InvalidArguments, canonical
from integrations.text import check_fit

CAPTION = "Hand over the result"
_CODE_BLOCK = re.compile(r"```(?:json)?\n(.*)\n```", re.S)
"""How models write JSON where nothing holds them to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FittingOutput:
    """An output that fits its schema, and the arguments of its call in canonical form."""

    args: str
    output: object


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedOver:
    """What a turn hands over: with its calls, by their place, or what is wrong there; and with its text, if it does."""

    calls: Mapping[int, FittingOutput | InvalidArguments] = field(
        default_factory=dict[int, "FittingOutput | InvalidArguments"]
    )
    text: FittingOutput | None = None

    def call(self, seq: int) -> FittingOutput:
        """The result of this call; raises `InvalidArguments`, which says where it is wrong."""
        match self.calls.get(seq):
            case FittingOutput() as result:
                return result
            case InvalidArguments() as error:
                raise error
            case None:
                raise InvalidArguments("There are too many calls in one step.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Handover:
    """The handover of this output. An output without a schema of its own cannot be handed over."""

    output: Output

    @property
    def schema(self) -> Mapping[str, object]:
        """What the output must satisfy."""
        return cast("Mapping[str, object]", self.output.schema)

    @property
    def takes_text(self) -> bool:
        """Whether any text is an output: then a last word without the call is one, too."""
        return set(self.schema) <= {"type", "description", "title"} and self.schema.get("type") == "string"

    @property
    def declaration(self) -> ToolDeclaration:
        """The tool as the model sees it. The output's schema stands below its name, its `$defs` at the top."""
        name, below = self.output.name, dict(self.schema)
        definitions = {key: _moved(below.pop(key), self.output.name) for key in ("$defs",) if key in below}
        output = {"description": self.output.description.strip(), **cast("dict[str, object]", _moved(below, name))}
        return ToolDeclaration(
            name=ENDING_TOOL,
            description="Hand over your result. This ends your task.",
            schema={"type": "object", "properties": {name: output}, "required": [name], **definitions},
        )

    async def handed_over(self, turn: Turn, checks: OutputChecks, *, most_calls: int) -> HandedOver:
        """What the turn hands over, checked before anything of it is committed; of so many calls at most."""
        calls = {
            seq: await _tried(self._of_call(call.args, checks))
            for seq, call in enumerate(turn.calls[:most_calls])
            if call.name == ENDING_TOOL
        }
        text = await _tried(self._of_text(turn.text.strip(), checks))
        return HandedOver(calls=calls, text=text if isinstance(text, FittingOutput) else None)

    async def result(self, output: object, checks: OutputChecks) -> FittingOutput:
        """This as what is handed over; raises `InvalidArguments`."""
        return await self._of_call({self.output.name: output}, checks)

    async def _of_text(self, text: str, checks: OutputChecks) -> FittingOutput:
        if self.takes_text:
            return FittingOutput(args="", output=text)
        block = _CODE_BLOCK.fullmatch(text)
        try:
            output = json.loads(block[1] if block else text)
        except (ValueError, RecursionError):
            raise InvalidArguments("The text is not JSON.") from None
        return await self.result(output, checks)

    async def _of_call(self, args: Mapping[str, object] | None, checks: OutputChecks) -> FittingOutput:
        if args is None or set(args) != {self.output.name}:
            raise InvalidArguments(f"The arguments are invalid. Give exactly one: “{self.output.name}”.")
        text = canonical(args)
        if (size := len(text.encode())) > MAX_BYTES:
            raise InvalidArguments(f"The result is {size:,} bytes long; at most {MAX_BYTES:,} are taken.")
        output = args[self.output.name]
        if wrong := await checks.errors(self.schema, output):
            raise InvalidArguments(f"The result does not fit its schema. {'; '.join(wrong)}")
        try:
            check_fit(output)
        except ValueError as error:
            raise InvalidArguments(f"The result {error}.") from None
        return FittingOutput(args=text, output=in_order(output, self.schema))


async def _tried(check: Awaitable[FittingOutput]) -> FittingOutput | InvalidArguments:
    try:
        return await check
    except InvalidArguments as error:
        return error


def _moved(value: object, name: str) -> object:
    """A part of a schema, now that the whole stands below this property: references to it lead there."""
    match value:
        case dict():
            items = cast("dict[str, object]", value).items()
            return {
                key: _reference(item, name) if key == "$ref" and isinstance(item, str) else _moved(item, name)
                for key, item in items
            }
        case list():
            return [_moved(item, name) for item in cast("list[object]", value)]
        case _:
            return value


def _reference(written: str, name: str) -> str:
    leads_below = written == "#" or (written.startswith("#/") and not written.startswith("#/$defs/"))
    return f"#/properties/{name}{written[1:]}" if leads_below else written
