"""How the run of an agent ends: a call of one tool, whose one argument is the output.

The call does nothing outside, so it is no tool of the registry. It is checked by the output's schema.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from bot.agents import output_schema
from bot.agents.definition import ENDING_TOOL, Output
from bot.llm.model import ToolDeclaration
from bot.tools.arguments import MAX_BYTES, InvalidArguments, canonical
from integrations.text import check_fit

CAPTION = "Hand over the result"
_CODE_BLOCK = re.compile(r"```(?:json)?\n(.*)\n```", re.S)
"""How models write JSON where nothing holds them to it."""


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
        """The tool as the model sees it."""
        return ToolDeclaration(
            name=ENDING_TOOL,
            description="Hand over your result. This ends your task.",
            schema={
                "type": "object",
                "properties": {self.output.name: {"description": self.output.description.strip(), **self.schema}},
                "required": [self.output.name],
            },
        )

    def read(self, text: str) -> object:
        """The output that a text is; raises `InvalidArguments` where it is none."""
        if self.takes_text:
            return text
        block = _CODE_BLOCK.fullmatch(text.strip())
        try:
            output = json.loads(block[1] if block else text)
        except (ValueError, RecursionError):
            raise InvalidArguments("The text is not JSON.") from None
        return self.checked({self.output.name: output})[1]

    def checked(self, args: Mapping[str, object] | None) -> tuple[str, object]:
        """The call's arguments in canonical form, and the output; raises `InvalidArguments`, which says where they are
        wrong.
        """
        if args is None or set(args) != {self.output.name}:
            raise InvalidArguments(f"The arguments are invalid. Give exactly one: “{self.output.name}”.")
        text = canonical(args)
        if (size := len(text.encode())) > MAX_BYTES:
            raise InvalidArguments(f"The result is {size:,} bytes long; at most {MAX_BYTES:,} are taken.")
        output = args[self.output.name]
        try:
            wrong = output_schema.errors(self.schema, output)
        except RecursionError:
            wrong = ["$: The schema refers to itself without end; no result fits it."]
        if wrong:
            raise InvalidArguments(f"The result does not fit its schema. {'; '.join(wrong)}")
        try:
            check_fit(output)
        except ValueError as error:
            raise InvalidArguments(f"The result {error}.") from None
        return text, output
