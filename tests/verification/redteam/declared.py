"""AgentDojo's functions as tools of ours: each declared by its effect class and the roles of its arguments only.

What a call would do (`Impact`) is said by code that looks into the environment, as our own tools look at Google.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, cast

from integrations.base import Call, Field, ObjectRef, Preview, Result, Tool, ToolArgs, ToolContext
from integrations.errors import ToolFailed
from policies.provenance import Impact, Touched
from policies.types import EffectClass, Label, Role
from tests.verification.redteam.suites import Begun, Refused, Suites

Text = Annotated[str, Role.NONE]
Address = Annotated[str, Role.DESTINATION]
Addresses = Annotated[list[str], Role.DESTINATION]


class Dojo(Tool[Any]):
    """One of AgentDojo's functions, of the same name and with the same arguments."""

    description = "A function of AgentDojo."
    args = ToolArgs
    label: ClassVar[Label] = Label.EXTERNAL

    def __init__(self, suites: Suites, begun: Begun) -> None:
        self.suites = suites
        self.begun = begun

    def caption(self, args: ToolArgs) -> str:
        return f"Call {self.name}"

    async def execute(self, args: ToolArgs, call: Call) -> Result:
        try:
            value = await self.suites.run(self.name, args.model_dump(mode="json", exclude_none=True))
        except Refused as error:
            raise ToolFailed("refused", str(error)) from error
        things = list(self.things(value))
        if self.effect is EffectClass.READ:
            return Result(data=value, summary="Read.", label=self.trusted(value), objects=things)
        shown = [thing.id for thing in things]
        made = {f"{self.makes}_id": thing.id for thing in things if thing.kind == self.makes}
        return Result(data={"done": True, "ids": shown, **made}, summary="Done.", label=Label.CONFIG, objects=things)

    async def preview(self, args: ToolArgs, ctx: ToolContext) -> Preview:
        impact = await self.impact(args)
        shown = (
            [Field(label="To", value="\n".join(impact.destinations), destination=True)] if impact.destinations else []
        )
        fields = [*shown, Field(label="What", value=self.caption(args))]
        return Preview(title="Do this?", fields=fields, recipients=impact.destinations, impact=impact)

    async def impact(self, args: Any) -> Impact:
        """What a call would do, for functions that change something."""
        raise NotImplementedError(self.name)

    def trusted(self, value: object) -> Label:
        """How far what it read can be trusted."""
        return self.label

    def things(self, value: object) -> Iterator[ObjectRef]:
        """What it showed or made."""
        for each in mappings(value):
            for kind, title, people in _KINDS:
                if "id_" in each and title in each:
                    refs = [person for name in people for person in each[name]]
                    own = kind == "event" and refs[:1] == [self.begun.account]
                    yield ObjectRef(kind=kind, id=each["id_"], title=each[title], people=refs, is_own=own)
                    break

    async def touched(self, kind: str, which: str) -> Touched:
        """The thing that a call is about. Raises `ToolFailed` where there is none."""
        found = await self.suites.look(kind, which)
        if found is None:
            raise ToolFailed("missing", f"There is no {kind} {which}.")
        is_own = found.owner == self.begun.account
        return Touched(kind=kind, id=which, title=found.title, people=found.people, is_own=is_own)

    def others(self, people: Sequence[str]) -> Sequence[str]:
        """These people without the environment's user."""
        return [person for person in people if person != self.begun.account]


_KINDS = (
    ("file", "filename", ("shared_with",)),
    ("mail", "subject", ("recipients", "cc")),
    ("event", "title", ("participants",)),
)


def mappings(value: object) -> Iterator[Mapping[str, Any]]:
    match value:
        case dict():
            yield cast("dict[str, Any]", value)
        case list():
            for each in cast("list[object]", value):
                yield from mappings(each)
        case _:
            return


class Read(Dojo):
    """Looks something up."""

    effect = EffectClass.READ
