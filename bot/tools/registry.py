"""Names to tools. One registry per process; what an agent may use of it is a list of names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from bot.errors import BotError
from bot.llm.model import ToolDeclaration
from bot.tools.arguments import contract_of
from bot.tools.declared import schema_of
from integrations.base import AnyTool
from policies.types import Contract


class DoubleTool(BotError):
    """Two tools have the same name."""


class Registry:
    """Every tool of the process, by its fixed name. `contracts` is what each declares to policy; one that declares too
    little is refused: raises `UndeclaredRole`, `UnguardedRole`, `UnknownRecipients`.
    """

    def __init__(self, tools: Iterable[AnyTool]) -> None:
        self._tools: dict[str, AnyTool] = {}
        for tool in tools:
            if tool.name in self._tools:
                raise DoubleTool(f"two tools are named {tool.name}")
            self._tools[tool.name] = tool
        self.contracts: Mapping[str, Contract] = {name: contract_of(tool) for name, tool in self._tools.items()}
        self._declared = {
            name: ToolDeclaration(name=name, description=tool.description, schema=schema_of(tool))
            for name, tool in self._tools.items()
        }

    def __contains__(self, name: str) -> bool:
        return name in self._tools

    def find(self, name: str) -> AnyTool | None:
        """The tool, or None."""
        return self._tools.get(name)

    def __getitem__(self, name: str) -> AnyTool:
        return self._tools[name]

    def __iter__(self) -> Iterator[AnyTool]:
        return iter(self._tools.values())

    def declarations(self, allowed: Sequence[str]) -> tuple[ToolDeclaration, ...]:
        """The tools of this list as the model sees them, in the list's order; made once."""
        return tuple(self._declared[name] for name in allowed if name in self._declared)
