"""Gathers what is known when an impact is traced: from rows, and of acquaintances from who knows them.

What was read is taken apart without a session; in a thread of its own where it is more than little, for others wait
meanwhile. Where it is more than `MOST_CHARACTERS`, it is not told who named what, and the call is asked about.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import compress
from typing import TypeVar, cast
from zoneinfo import ZoneInfo

import structlog

from bot.domain.actions import Action, ActionState
from bot.domain.runs import Run
from bot.domain.threads import Message, SeenObject
from bot.runtime.lifecycle.runs import request_of
from bot.runtime.policy import trusted_words, unasked
from bot.runtime.policy.sightings import sightings_in
from bot.store.store import Store
from bot.store.unit_of_work import UnitOfWork
from bot.tools.registry import Registry
from integrations.base import Requester
from integrations.ports import Acquaintances, Contact
from policies.guards import words
from policies.guards.known import MOST_CHARACTERS, Acquaintance, KnownWorld, Said, World, are_said
from policies.guards.things import Things
from policies.guards.tracing import trace
from policies.provenance import DRAFT, Impact, Provenance, Touched
from policies.types import EffectClass, Label, Role

log = structlog.get_logger()

Found = TypeVar("Found")

_NOT_DONE = frozenset(
    {ActionState.FAILED, ActionState.DENIED, ActionState.REJECTED, ActionState.EXPIRED, ActionState.CANCELLED}
)

AT_ONCE = 8_000
"""Characters that are taken apart in ten milliseconds at most, so that nobody waits for a thread."""

MOST_MESSAGES = 200
MOST_OBJECTS = 500
MOST_NAMES = 8
"""Names that are looked up for one call. A person who would be found by another one is asked about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rows:
    """What was read in one session for a call: none of it is taken apart yet. `members` are the messages of other full
    members, `writing` is what earlier requests did (`_writing_of`).
    """

    messages: Sequence[Message]
    members: Sequence[Message]
    answers: Sequence[Said]
    objects: Sequence[SeenObject]
    request: Run
    actions: Sequence[Action]
    writing: Sequence[Action]
    shared: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tracer:
    """Traces the impacts of calls, outside any transaction."""

    store: Store
    registry: Registry
    acquaintances: Acquaintances | None = None

    async def traced(
        self, action: Action, run: Run, impact: Impact, requester: Requester, *, allowed: Callable[[str], bool]
    ) -> Provenance | None:
        """Who named each value; None where that cannot be told, as so much was said. Nobody is looked up for an address
        that rules allow. Raises `NotRead`.
        """
        tool = self.registry[action.tool]
        async with self.store.read() as work:
            rows = await self._rows(work, action, run, impact)
        is_little = _is_little(rows, impact)
        known = await _apart(lambda: self._known(rows, action, run, impact), is_little=is_little)
        if known is None:
            log.warning("provenance.too_much", action=action.id, thread=run.thread_id)
            return None
        there = await _apart(lambda: Things(World(known, impact), impact.today), is_little=is_little)

        async def found_in(known: KnownWorld, impact: Impact) -> Provenance:
            return await _apart(
                lambda: trace(impact, known, effect=tool.effect, verbs=tool.verbs, there=there), is_little=is_little
            )

        found = await found_in(known, replace(impact, met=frozenset()))
        sought = _strangers(found, impact, allowed)
        async with self.store.read() as work:
            strangers = await unasked.among(work, requester, sought)
        impact = replace(impact, met=impact.met - strangers)
        if impact.among is not None and not impact.met.isdisjoint(sought):
            found = await found_in(known, impact)
            sought = _strangers(found, impact, allowed)
        if self.acquaintances is None or not sought:
            return found
        await _apart(lambda: there.world.names, is_little=is_little)
        people = await self._sought(self.acquaintances, sought, there.world, impact, requester, strangers)
        return await found_in(replace(known, acquaintances=people), impact) if people else found

    async def _sought(
        self,
        acquaintances: Acquaintances,
        addresses: Sequence[str],
        world: World,
        impact: Impact,
        requester: Requester,
        strangers: Collection[str],
    ) -> Sequence[Acquaintance]:
        """All people that the owner's words can mean, by the names under which these addresses may be known: those that
        the call gives them, and those that a person who was found by one of them goes by as well. `strangers` only the
        agent wrote to: no mail makes them known, but a directory does.
        """
        given = [name for address in addresses for name in (_local(address), impact.called.get(address, ""))]
        names = [*words.names_in(world.names, *given)][:MOST_NAMES]
        people = await self._called(names, acquaintances, requester)
        sought = {words.address(address) for address in addresses}
        found = [one for each in people.values() for one in each if words.address(one.email) in sought]
        theirs = words.names_in(world.names, *(name for one in found for name in _names(one)))
        more = [name for name in theirs if name not in names]
        people |= await self._called(more[: MOST_NAMES - len(names)], acquaintances, requester)
        unknown = {words.address(address) for address in strangers}
        return [
            *(
                _acquaintance(one, name, unknown)
                for name, each in people.items()
                for one in each
                if [*words.names_in([name], *_names(one))]
            ),
            *await self._mentioned(world, acquaintances, requester),
        ]

    async def _called(
        self, names: Sequence[str], acquaintances: Acquaintances, requester: Requester
    ) -> dict[str, Sequence[Contact]]:
        """By name all who are called so, without the names that somebody else may have who was not looked at."""
        found = await asyncio.gather(*(acquaintances.called(requester, name) for name in names))
        return {name: people for name, people in zip(names, found, strict=True) if people is not None}

    async def _mentioned(
        self, world: World, acquaintances: Acquaintances, requester: Requester
    ) -> Sequence[Acquaintance]:
        users = list(dict.fromkeys(user for each, _ in world.said for user in words.mentioned_in(each.text)))[
            :MOST_NAMES
        ]
        found = await asyncio.gather(*(acquaintances.mentioned(requester, user) for user in users))
        return [
            Acquaintance(address=one.email, names=(user,), is_listed=True)
            for user, one in zip(users, found, strict=True)
            if one
        ]

    async def _rows(self, work: UnitOfWork, action: Action, run: Run, impact: Impact) -> _Rows:
        messages = await work.messages.typed(run.thread_id, limit=MOST_MESSAGES)
        objects = await work.objects.of_owner(run.thread_id, run.user, limit=MOST_OBJECTS)
        request = await request_of(work, run)
        actions = await work.actions.of_work(request.id)
        return _Rows(
            messages=messages,
            members=await trusted_words.of_members(work, run.user, messages),
            answers=await trusted_words.answers(work, actions, self.registry),
            objects=objects,
            request=request,
            actions=actions,
            writing=await _writing_of(work, action, impact, objects),
            shared=await _shared(work, run, impact),
        )

    def _known(self, rows: _Rows, action: Action, run: Run, impact: Impact) -> KnownWorld | None:
        """What the rows tell; None where it is more than is looked at."""
        said = [
            *trusted_words.typed_by(run.user, rows.messages),
            *rows.answers,
            *trusted_words.filled_in(action, self.registry[action.tool]),
        ]
        members = [
            *trusted_words.typed_by_members(rows.members),
            *trusted_words.read_of_members(rows.actions, self.registry),
        ]
        texts = (*(one.text for one in (*said, *members)), *(one.title for one in (*rows.objects, *impact.beside)))
        if sum(map(len, texts)) > MOST_CHARACTERS:
            return None
        things, seen = seen_before(rows.objects, said, impact)
        used = {*used_before(action, rows.actions)}
        return KnownWorld(
            said=said,
            members=members,
            things=things,
            seen=seen,
            earlier=frozenset(one.id for one in rows.messages if _is_earlier(one, rows.request)),
            made=_made(impact.objects, [*rows.actions, *rows.writing], self.registry),
            shared=rows.shared,
            days=days_of(rows.messages, impact.zone),
            used=dict.fromkeys(used, "") | {one.object_id: one.title for one in seen if one.object_id in used},
            sightings=sightings_in(rows.actions, rows.objects),
        )


async def _apart(play: Callable[[], Found], *, is_little: bool) -> Found:
    """What it comes to: at once, or in a thread of its own."""
    return play() if is_little else await asyncio.to_thread(play)


def _is_little(rows: _Rows, impact: Impact) -> bool:
    """Whether all that may be taken apart is so little that nobody has to wait for it."""
    texts = itertools.chain(
        impact.texts,
        (one.typed for one in rows.messages),
        (one.title for one in (*rows.objects, *impact.beside)),
        (text for one in rows.actions for text in trusted_words.texts_in(one.response)),
    )
    return not any(read > AT_ONCE for read in itertools.accumulate(len(text) + 1 for text in texts))


def _strangers(found: Provenance, impact: Impact, allowed: Callable[[str], bool]) -> Sequence[str]:
    """The destinations that nobody named or allowed, those who are removed and were not named, and the authors of
    things that nobody called by their titles: with their name a shorter one does.
    """
    vague = {value.value for value in found.unnamed(Role.OBJECT)}
    things = [one for one in impact.objects if f"{one.kind}:{one.id}" in vague and one.author]
    reached = [value.value for value in found.unnamed(Role.DESTINATION) if not allowed(value.value)]
    gone = [address for address in impact.removed if f"guest:{address}" in vague]
    return list(dict.fromkeys([*reached, *gone, *(one.author for one in things)]))


def _is_earlier(message: Message, request: Run) -> bool:
    """Whether it came before this request."""
    return message.created_at < request.created_at and message.id != request.message_id


def days_of(messages: Sequence[Message], zone: str) -> Mapping[str, date]:
    """The days on which they were written, in this zone (IANA); none where it is not known."""
    return {one.id: one.created_at.astimezone(ZoneInfo(zone)).date() for one in messages} if zone else {}


def used_before(action: Action, actions: Sequence[Action]) -> Iterable[str]:
    """The ids in the arguments of the calls of the same tool before this one in its request, but for those that changed
    nothing.
    """
    before = itertools.takewhile(lambda one: one.id != action.id, actions)
    done = (one for one in before if one.tool == action.tool and one.state not in _NOT_DONE)
    return (each for one in done for each in trusted_words.ids_in(json.loads(one.args)))


async def _writing_of(
    work: UnitOfWork, action: Action, impact: Impact, objects: Sequence[SeenObject]
) -> Sequence[Action]:
    """What earlier requests of its owner in this thread did, where a draft of theirs is written over: what the agent
    wrote there is no text of the owner's. To be sent, it has to be named all the same.
    """
    if action.effect is not EffectClass.PRIVATE_WRITE:
        return ()
    drafts = {one.id for one in impact.objects if one.kind == DRAFT}
    runs = dict.fromkeys(one.run_id for one in objects if one.kind == DRAFT and one.object_id in drafts)
    return [each for run_id in runs for each in await work.actions.of_run(run_id)]


async def _shared(work: UnitOfWork, run: Run, impact: Impact) -> Mapping[str, str]:
    """The files on their way that the owner put into this thread."""
    ids = [one.id for one in impact.attachments if one.id]
    return await work.files.shared_by(run.user, run.thread_id, ids) if ids else {}


def _names(contact: Contact) -> Sequence[str]:
    """All that somebody goes by."""
    return contact.name, _local(contact.email)


def _acquaintance(contact: Contact, name: str, strangers: Collection[str]) -> Acquaintance:
    """Somebody found by a name. Who stands in a directory is known, whoever wrote to them; of everybody else an address
    such as “recruiting@” is no name.
    """
    is_listed = contact.label is not Label.EXTERNAL
    is_called = "@" not in contact.name and bool([*words.names_in([name], contact.name)])
    is_named = is_listed or (is_called and words.address(contact.email) not in strangers)
    return Acquaintance(address=contact.email, names=(name,), is_named=is_named, is_listed=is_listed)


def _local(address: str) -> str:
    return address.partition("@")[0]


def _made(things: Sequence[Touched], actions: Sequence[Action], registry: Registry) -> Mapping[str, str]:
    """What the tools of these actions say that they made: an update makes nothing, whatever id its result has. What is
    a part of a thing that was made was made with it.
    """
    done = [one for one in actions if one.state is ActionState.COMPLETED and one.tool in registry]
    made = {what: one.id for one in done if (what := _made_by(one, registry[one.tool].makes))}
    found = ((thing.id, made.get((thing.kind, thing.id)) or made.get((thing.kind, thing.part_of))) for thing in things)
    return {thing_id: by for thing_id, by in found if by}


def _made_by(action: Action, kind: str) -> tuple[str, str] | None:
    """The kind and the id of what an action made whose tool makes this kind of thing, or none."""
    output = (action.response or {}).get("output")
    made = cast("dict[str, object]", output).get(f"{kind}_id") if kind and isinstance(output, dict) else None
    return (kind, made) if made and isinstance(made, str) else None


def seen_before(
    objects: Sequence[SeenObject], said: Sequence[Said], impact: Impact
) -> tuple[Sequence[Touched], Sequence[SeenObject]]:
    """The things that what was said may call or that the call is about; and all that was seen, each as it was seen
    last.
    """
    latest = [*{(one.kind, one.object_id): one for one in objects}.values()]
    called = are_said(said, latest)
    if about := {one.id for one in (*impact.objects, *impact.beside)}:
        called = [is_said or one.object_id in about for one, is_said in zip(latest, called, strict=True)]
    things = {(one.kind, one.id): one for one in (*map(_thing, compress(latest, called)), *impact.objects)}
    return [*things.values()], latest


def _thing(seen: SeenObject) -> Touched:
    return Touched(kind=seen.kind, id=seen.object_id, title=seen.title, people=tuple(seen.people), is_own=seen.is_own)
