"""find_person: the mail address that belongs to a name."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from integrations.base import Call, Contact, Contacts, Inquiry, Option, Requester, Result, Tool, ToolArgs, ToolContext
from integrations.errors import ModelRetry, NotConnected, ToolError, ToolFailed
from integrations.names import is_same, is_whole, words_of
from integrations.prose import prose
from policies.types import EffectClass, Label, Role

MOST_OPTIONS = 8
NAME_LENGTH = 80


class PersonArgs(ToolArgs):
    """Arguments of `find_person`."""

    name: Annotated[str, Role.NONE, Field(min_length=1, max_length=100, description="As the user said it.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """Who it can be, each address once, and where nobody could look."""

    people: Sequence[Contact] = ()
    missed: Sequence[str] = ()


class FindPerson(Tool[PersonArgs]):
    """One address is the answer; several are asked about; none is said. It never guesses."""

    name = "find_person"
    effect = EffectClass.READ
    asks = True
    args = PersonArgs

    def __init__(self, places: Sequence[Contacts]) -> None:
        self._places = places
        self.description = prose(__name__, "find_person.md")

    def caption(self, args: PersonArgs) -> str:
        """Names whom."""
        return f"Find the address of {' '.join(args.name.split())[:NAME_LENGTH]}"

    async def inquire(self, args: PersonArgs, ctx: ToolContext) -> Inquiry | None:
        """Which of several is meant."""
        found = await self._found(args, ctx.requester)
        if len(found.people) < 2:
            return None
        more = len(found.people) - MOST_OPTIONS
        hint = (
            f" {more} more are not shown: say the full name or the address if it is somebody else." if more > 0 else ""
        )
        return Inquiry(
            text=f"Which {' '.join(args.name.split())[:NAME_LENGTH]} do you mean?{hint}",
            options=[_option(person) for person in found.people[:MOST_OPTIONS]],
        )

    def answered(self, args: PersonArgs, option: Option) -> Result:
        """The one that the owner chose: his choice is as good as his word, of the address. A name is its bearer's."""
        name = " ".join(args.name.split())[:NAME_LENGTH]
        person = Contact(name=name, email=option.value, known_from="the user's choice", label=Label.OWNER)
        return _result(person, [])

    async def execute(self, args: PersonArgs, call: Call) -> Result:
        """The only one; raises `ModelRetry` when there is nobody, or several again."""
        found = await self._found(args, call.requester)
        if not found.people:
            raise _nobody(args.name, found.missed)
        if len(found.people) > 1:
            known = "; ".join(f"{person.name} <{person.email}>" for person in found.people[:MOST_OPTIONS])
            message = f"Several people are called that: {known}."
            raise ModelRetry("several_people", message, hint="Ask the user which one is meant; never choose.")
        return _result(found.people[0], found.missed)

    async def _found(self, args: PersonArgs, requester: Requester) -> _Found:
        if "@" in args.name:
            raise ModelRetry("is_an_address", "That is an address already: use it as it is.", private=False)
        if not words_of(args.name):
            raise ModelRetry("no_name", "That is no name.", hint="Give the name as the user said it.", private=False)
        looks = [_looked(place, requester, args.name) for place in self._places]
        answers = await asyncio.gather(*looks)
        people = [person for answer in answers if not isinstance(answer, ToolError) for person in answer]
        errors = [answer for answer in answers if isinstance(answer, ToolError)]
        if errors and len(errors) == len(answers):
            raise errors[0]
        return _Found(people=_fitting(_each_once(people), args.name), missed=[error.message for error in errors])


async def _looked(place: Contacts, requester: Requester, name: str) -> Sequence[Contact] | ToolError:
    """What a place knows; a place that nobody connected has nothing, one that fails is told."""
    try:
        return await place.named(requester, name)
    except NotConnected:
        return []
    except ToolError as error:
        return error


def _each_once(people: Sequence[Contact]) -> list[Contact]:
    """Each address once: the first place that knows it speaks for it, the most trusted one comes first."""
    first: dict[str, Contact] = {}
    for person in people:
        first.setdefault(person.email.lower(), person)
    return list(first.values())


def _fitting(people: Sequence[Contact], name: str) -> list[Contact]:
    """Those of exactly this name, else those that have its words, else those whose words begin with it."""
    same = [person for person in people if is_same(person.name, name)]
    whole = [person for person in people if is_whole(person.name, name)]
    return same or whole or list(people)


def _option(person: Contact) -> Option:
    label = person.name[:NAME_LENGTH] or person.email
    return Option(value=person.email, label=label, detail=f"{person.email} · {person.known_from}")


def _result(person: Contact, missed: Sequence[str]) -> Result:
    data: dict[str, object] = {"name": person.name, "email": person.email, "known_from": person.known_from}
    return Result(
        data=data | ({"not_looked_at": list(missed)} if missed else {}),
        summary=f"{person.name[:NAME_LENGTH]} is {person.email} ({person.known_from})",
        label=person.label,
    )


def _nobody(name: str, missed: Sequence[str]) -> ToolFailed:
    message = f"Nobody called “{' '.join(name.split())[:NAME_LENGTH]}” is in Slack, in the mails or in the contacts."
    unseen = f" Not looked at: {' '.join(missed)}" if missed else ""
    return ToolFailed("person_not_found", message + unseen, hint="Ask the user for the address; never guess one.")
