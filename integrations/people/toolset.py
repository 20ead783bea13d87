"""What the model sees of people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from integrations.base import Tool, ToolArgs
from integrations.people.find_person import FindPerson
from integrations.ports import Contacts, Members


class PeopleToolset:
    """Implements `Toolset` over the places where contacts stand, the most trusted one first, and over mentions."""

    def __init__(self, places: Sequence[Contacts], members: Members | None = None) -> None:
        self._tools = (cast("Tool[ToolArgs]", FindPerson(places, members)),)

    def tools(self) -> Sequence[Tool[ToolArgs]]:
        """The one tool."""
        return self._tools
