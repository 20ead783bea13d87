"""What the model sees of people: `find_person`, the mail address that belongs to a name."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from integrations.addresses import is_same, is_whole, mentioned, words_of
from integrations.base import Call, Option, Requester, Result, Tool, ToolArgs, ToolContext, ToolQuestion, Tools
from integrations.errors import ModelRetry, NotConnected, ToolError, ToolFailed
from integrations.ports import Contact, Contacts, Members, NamedPeople
from integrations.text import prose
from policies.characters import quoted
from policies.guards import words
from policies.guards.addresses import links
from policies.types import EffectClass, Label, Role

MOST_OPTIONS = 8
NAME_LENGTH = 80


class PersonArgs(ToolArgs):
    """Arguments of `find_person`."""

    name: Annotated[
        str,
        Role.NONE,
        Field(min_length=1, max_length=100, description="As said, or a mention (<@U024BE7LH>)."),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """Who it can be, each address once, and what nobody could look at. `looked` are the places that were looked at, and
    `closed` those where we may not look.
    """

    people: Sequence[Contact] = ()
    missed: Sequence[str] = ()
    looked: Sequence[Contacts] = ()
    closed: Sequence[Contacts] = ()

    @property
    def is_certain(self) -> bool:
        """Whether there is exactly one, and nobody else can be: everything was looked at."""
        return len(self.people) == 1 and not self.missed


class FindPerson(Tool[PersonArgs]):
    """One address is the answer; several are asked about; none is said. It never guesses.

    One is asked about, too, where another one may stand in what could not be looked at.
    """

    name = "find_person"
    effect = EffectClass.READ
    asks = True
    args = PersonArgs

    def __init__(self, places: Sequence[Contacts], members: Members | None = None) -> None:
        self._places = places
        self._members = members
        self.description = prose(__name__, "find_person.md")

    def caption(self, args: PersonArgs) -> str:
        """Names the person."""
        person = "somebody who was mentioned" if mentioned(args.name) else _name(args)
        return f"Find the address of {person}"

    async def inquire(self, args: PersonArgs, ctx: ToolContext) -> ToolQuestion | None:
        """Which of several is meant; or whether it is the only one that was found where not everything was seen."""
        found = await self._found(args, ctx.requester)
        if not found.people or found.is_certain:
            return None
        name = _name(args)
        text = f"Which {name} do you mean?" if len(found.people) > 1 else f"Is this the {name} that you mean?"
        return ToolQuestion(
            text=" ".join([text, *_hints(found)]), options=[_option(person) for person in found.people[:MOST_OPTIONS]]
        )

    def answered(self, args: PersonArgs, option: Option) -> Result:
        """The address counts as the owner's word, because they chose it. A contact's name does not."""
        person = Contact(name=_name(args), email=option.value, known_from="the user's choice", label=Label.OWNER)
        return _result(person)

    async def execute(self, args: PersonArgs, call: Call) -> Result:
        """The only one; raises `ModelRetry` when there is nobody, or it can be several."""
        found = await self._found(args, call.requester)
        if not found.people:
            raise _nobody(args.name, found)
        if not found.is_certain:
            known = "; ".join(f"{person.name} <{person.email}>" for person in found.people[:MOST_OPTIONS])
            said = "Several people are called that" if len(found.people) > 1 else "Others may be called that, too"
            message = " ".join([f"{said}: {known}.", *found.missed])
            raise ModelRetry("several_people", message, hint="Ask the user which one is meant; never choose.")
        return _result(found.people[0])

    async def _found(self, args: PersonArgs, requester: Requester) -> _Found:
        if user := mentioned(args.name):
            return await self._mentioned(user, requester)
        name = args.name.strip().removeprefix("@")
        if "@" in name:
            raise ModelRetry("is_an_address", "That is an address already: use it as it is.", private=False)
        if not words_of(name):
            raise ModelRetry("no_name", "That is no name.", hint="Give the name as the user said it.", private=False)
        looks = [_looked(place, requester, name) for place in self._places]
        answers = await asyncio.gather(*looks)
        errors = [answer for answer in answers if isinstance(answer, ToolError)]
        known = [answer for answer in answers if isinstance(answer, NamedPeople)]
        people = _each_once([person for each in known for person in each.people])
        missed = [error.message for error in errors] + [each.unseen for each in known if each.unseen]
        told = [
            (place, each) for place, each in zip(self._places, answers, strict=True) if isinstance(each, NamedPeople)
        ]
        looked = [place for place, each in told if not each.is_closed]
        if errors and not looked:
            raise errors[0]
        return _Found(
            people=_fitting(people, name),
            missed=missed,
            looked=looked,
            closed=[place for place, each in told if each.is_closed],
        )

    async def _mentioned(self, user: str, requester: Requester) -> _Found:
        """The person that a mention names, and nobody else."""
        person = await self._members.mentioned(requester, user) if self._members else None
        if person is None:
            message = "Slack knows nobody with this mention, or the profile shows no mail address."
            raise ToolFailed("person_not_found", message, hint="Ask the user for the address; never guess one.")
        return _Found(people=[person])


def people_tools(places: Sequence[Contacts], members: Members | None = None) -> Tools:
    """The one tool, over the places where contacts stand, the most trusted one first, and over mentions."""
    return [FindPerson(places, members)]


def _name(args: PersonArgs) -> str:
    """As it is said back."""
    return " ".join(args.name.split()).removeprefix("@")[:NAME_LENGTH]


async def _looked(place: Contacts, requester: Requester, name: str) -> NamedPeople | ToolError:
    """What a place knows; a place that nobody connected is closed to us, one that fails is told."""
    try:
        return await place.named(requester, name)
    except NotConnected:
        return NamedPeople(is_closed=True)
    except ToolError as error:
        return error


def _each_once(people: Sequence[Contact]) -> list[Contact]:
    """Each address once: the first place that knows it speaks for it, the most trusted one comes first."""
    first: dict[str, Contact] = {}
    for person in people:
        first.setdefault(person.email.lower(), person)
    return list(first.values())


def _fitting(people: Sequence[Contact], name: str) -> list[Contact]:
    """Those of exactly this name, else those that have its words, else those whose words begin with it.

    Only where a directory knows one of them: people outside can choose the name that fits best, so they displace
    nobody. The best matches come first.
    """
    same = [person for person in people if is_same(person.name, name)]
    whole = [person for person in people if is_whole(person.name, name)]
    best = same or whole or people
    if any(person.label is not Label.EXTERNAL for person in best):
        return list(best)
    return [*best, *(person for person in people if person not in best)]


def _hints(found: _Found) -> list[str]:
    more = len(found.people) - MOST_OPTIONS
    return [
        *([f"{more} more are not shown: say the full name or the address if it is somebody else."] if more > 0 else []),
        *([f"Not everything could be looked at: {' '.join(found.missed)}"] if found.missed else []),
    ]


def _option(person: Contact) -> Option:
    """A name that reads as an address is not what is chosen: the true address stands in its place."""
    name = person.name[:NAME_LENGTH]
    if not name or "@" in words.plain(name) or links.found(name):
        calls = f"calls themself {quoted(name, NAME_LENGTH)} · " if name else ""
        return Option(value=person.email, label=person.email, detail=f"{calls}{person.known_from}")
    return Option(value=person.email, label=name, detail=f"{person.email} · {person.known_from}")


def _result(person: Contact) -> Result:
    return Result(
        data={"name": person.name, "email": person.email, "known_from": person.known_from},
        summary=f"{person.name[:NAME_LENGTH]} is {person.email} ({person.known_from})",
        label=person.label,
    )


def _nobody(name: str, found: _Found) -> ToolFailed:
    """It says where was looked, and how to let us look elsewhere."""
    places = _either([f"in {at.where}" for at in found.looked])
    called = f"Nobody called “{' '.join(name.split())[:NAME_LENGTH]}” is {places or 'known to me'}."
    unseen = [f"I could not look everywhere: {' '.join(found.missed)}"] if found.missed else []
    message = " ".join([called, *unseen, *_way_in(found.closed)])
    return ToolFailed("person_not_found", message, hint="Ask the user for the address; never guess one.")


def _way_in(closed: Sequence[Contacts]) -> list[str]:
    if not closed:
        return []
    what = f" {closed[0].allowed_by}" if len(closed) == 1 else ""
    return [
        f"I may not look into {_either([at.where for at in closed])}: you allow it with /agent connect google{what}."
    ]


def _either(names: Sequence[str]) -> str:
    """ "in Slack, in your contacts or in your mails"."""
    return " or ".join(part for part in (", ".join(names[:-1]), names[-1] if names else "") if part)
