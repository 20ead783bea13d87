"""Whose words count when it is traced who named what: rows become what was said (docs/security.md)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import cast

from bot.domain.actions import Action, ActionState
from bot.domain.questions import AnswerPayload, Choice
from bot.domain.threads import Message, Speaker
from bot.store.unit_of_work import UnitOfWork
from bot.tools.arguments import InvalidArguments, validate
from bot.tools.registry import Registry
from integrations.base import AnyTool
from policies.guards.known import Said
from policies.guards.own_words import added, typed_words
from policies.provenance import Reference, Source
from policies.types import Label

_ID = re.compile(r"(?:^|_)ids?\Z")


def typed_by(user: str, messages: Sequence[Message]) -> Iterable[Said]:
    """What the owner typed. Quotes, code, forwarded messages and files are no part of it."""
    mine = (message for message in messages if message.author == user)
    return (_typed(one, Source.MESSAGE) for one in mine)


def _typed(message: Message, source: Source) -> Said:
    """`typed` has neither the quotes nor the code that Slack knows as such, but those that are only characters."""
    return Said(reference=Reference(source=source, id=message.id), text=typed_words(message.typed))


async def of_members(work: UnitOfWork, user: str, messages: Sequence[Message]) -> Sequence[Message]:
    """The messages of other full members in the thread."""
    others = await labelled(work, [one for one in messages if one.author != user])
    return [one for one in others if one.label.worst(Label.MEMBER) is Label.MEMBER]


def typed_by_members(messages: Sequence[Message]) -> Iterable[Said]:
    """What they typed, of messages that are theirs."""
    return (_typed(message, Source.MEMBER) for message in messages)


async def labelled(work: UnitOfWork, messages: Sequence[Message]) -> Sequence[Message]:
    """The messages, external where their author is not known as a full member.

    Intake knows nobody's profile: a guest's first message was taken in before anybody could tell. What an application
    says was said before has no author, and a label of its own.
    """
    people = {(one.team, one.author) for one in messages if one.speaker is Speaker.PERSON and one.author}
    found = [await work.users.find(team, user) for team, user in sorted(people)]
    others = people - {(person.team, person.user) for person in found if person and person.is_member}
    return [
        replace(message, label=Label.EXTERNAL) if (message.team, message.author) in others else message
        for message in messages
    ]


def read_of_members(actions: Sequence[Action], registry: Registry) -> Iterable[Said]:
    """What members wrote and nobody else, as tools read it for this request that say which texts are people's own."""
    for one in actions:
        if one.state is ActionState.COMPLETED and one.label is Label.MEMBER and one.tool in registry:
            for text in registry[one.tool].words_of_people((one.response or {}).get("output")):
                yield Said(reference=Reference(source=Source.MEMBER, id=one.id), text=text)


async def answers(work: UnitOfWork, actions: Sequence[Action], registry: Registry) -> Sequence[Said]:
    """What the owner chose when a tool asked them: the value of the option that they pressed, and nothing else of the
    result, which may hold what the model asked for.
    """
    asked = [one for one in actions if one.tool in registry and registry[one.tool].asks]
    return [
        Said(reference=Reference(source=Source.ANSWER, id=one.id), text=value)
        for one in asked
        if one.state is ActionState.COMPLETED and one.label is Label.OWNER
        for value in await _chosen(work, one)
    ]


async def _chosen(work: UnitOfWork, action: Action) -> Sequence[str]:
    """The option whose result the action has, of the questions about it that were answered."""
    found = [await work.questions.find(each) for each in await work.questions.ids_of_action(action.id)]
    output = (action.response or {}).get("output")
    return [
        option.value
        for one in found
        if one is not None and one.decision is Choice.ANSWER and isinstance(one.payload, AnswerPayload)
        for option in one.payload.options
        if option.result.data == output
    ]


def filled_in(action: Action, tool: AnyTool) -> Iterable[Said]:
    """What the owner added in the window of this call: what stood neither there nor in the model's call. Nothing counts
    where the call cannot be read.
    """
    if action.edition == 1:
        return
    try:
        called: dict[str, object] = json.loads(action.args_proposed)
        proposed, now = json.loads(validate(tool, called).canonical), json.loads(action.args)
    except (ValueError, InvalidArguments):
        return
    before = [*texts_in(called), *texts_in(proposed), *texts_in((action.preview or {}).get("present"))]
    for text in texts_in(now):
        if said := added(text, before):
            yield Said(reference=Reference(source=Source.FORM, id=action.id), text=said)


def text_of(response: Mapping[str, object] | None) -> str:
    """All texts of a result as one."""
    return " ".join(texts_in(response))


def texts_in(value: object) -> Iterable[str]:
    """Every text in a JSON value, the names of its parts not included."""
    return (text for _, text in _named_texts(value))


def ids_in(value: object) -> Iterable[str]:
    """Every text in a JSON value that stands under the name of an id, such as `event_id` or `ids`. Others may choose
    the id of a thing of theirs, which can be any word.
    """
    return (text for name, text in _named_texts(value) if _ID.search(name))


def _named_texts(value: object, name: str = "") -> Iterable[tuple[str, str]]:
    """Every text in a JSON value, with the name under which it stands, or its list does."""
    match value:
        case str():
            yield name, value
        case dict():
            for each, inner in cast("dict[str, object]", value).items():
                yield from _named_texts(inner, each)
        case list():
            for each in cast("list[object]", value):
                yield from _named_texts(each, name)
        case _:
            pass
