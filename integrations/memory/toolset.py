"""What the model sees of memory: save one fact, search what was saved. Memories belong to one person."""

from __future__ import annotations

from functools import reduce
from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field

from integrations.base import Call, Content, ObjectRef, Result, Tool, ToolArgs, Tools
from integrations.errors import ModelRetry
from integrations.fences import untrusted
from integrations.ports import Memories, Memory
from integrations.text import one_line
from policies.types import EffectClass, Label, Role

TEXT_CHARACTERS = 2_000
SHOWN_CHARACTERS = 1_000
CAPTION_CHARACTERS = 60
MOST_FOUND = 25


class SaveArgs(ToolArgs):
    """Arguments of `save_memory`."""

    text: Annotated[Content, Field(description="One fact in one or two sentences that make sense years later.")]


class SearchArgs(ToolArgs):
    """Arguments of `search_memory`."""

    query: Annotated[str, Role.NONE] = ""
    limit: Annotated[int, Role.NONE, Field(ge=1, le=MOST_FOUND)] = 5


class SaveMemory(Tool[SaveArgs]):
    """Remembers one fact; the same call twice is one memory."""

    name = "save_memory"
    effect = EffectClass.OWN
    description = (
        "Remember one fact for later conversations, only if the person asks you to, or states a lasting preference."
    )
    args = SaveArgs

    def __init__(self, memories: Memories) -> None:
        self._memories = memories

    def caption(self, args: SaveArgs) -> str:
        """Names the fact."""
        return f"Remember “{one_line(args.text, CAPTION_CHARACTERS)}”"

    async def execute(self, args: SaveArgs, call: Call) -> Result:
        """Save under the call's key, with the label of what the run has read so far."""
        text = args.text.strip()
        if not text:
            raise ModelRetry("empty_memory", "There is nothing to remember: the text is empty.", private=False)
        if len(text) > TEXT_CHARACTERS:
            raise ModelRetry(
                "memory_too_long",
                f"A memory has at most {TEXT_CHARACTERS} characters; this has {len(text)}.",
                hint="Save the one fact that matters, in a sentence or two.",
                private=False,
            )
        memory = await self._memories.save(call.requester, text, key=call.key, label=call.label)
        return Result(
            data={"memory_id": memory.id, "saved": True},
            summary="kept for later conversations",
            label=Label.CONFIG,
            objects=[_shown(memory)],
            undo=f"memory:{memory.id}",
        )


class SearchMemory(Tool[SearchArgs]):
    """Finds what was saved for this person."""

    name = "search_memory"
    effect = EffectClass.READ
    description = (
        "Search what you were asked to remember; without a query the newest. saved_on says from when it is: it can "
        "be outdated."
    )
    args = SearchArgs

    def __init__(self, memories: Memories) -> None:
        self._memories = memories

    def caption(self, args: SearchArgs) -> str:
        """Names the query."""
        query = one_line(args.query, CAPTION_CHARACTERS)
        return f"Search memory for “{query}”" if query else "Look at the newest memories"

    async def execute(self, args: SearchArgs, call: Call) -> Result:
        """Search; the result is as trustworthy as the least trusted memory in it."""
        found = await self._memories.search(call.requester, args.query.strip(), limit=args.limit + 1)
        shown = found[: args.limit]
        data: dict[str, object] = {"memories": [_entry(memory, call.requester.zone) for memory in shown]}
        if len(found) > args.limit:
            data["cut"] = f"There are more than {args.limit}. Narrow the query, or raise limit (at most {MOST_FOUND})."
        return Result(
            data=data,
            summary="Found nothing in memory" if not shown else f"Found {_count(len(shown))} in memory",
            label=reduce(Label.worst, (memory.label for memory in shown), Label.OWNER),
            objects=[_shown(memory) for memory in shown],
        )


def memory_tools(memories: Memories) -> Tools:
    """`save_memory` and `search_memory`."""
    return [SaveMemory(memories), SearchMemory(memories)]


def _entry(memory: Memory, zone: str) -> dict[str, object]:
    text = memory.text
    if len(text) > SHOWN_CHARACTERS:
        text = f"{text[:SHOWN_CHARACTERS]} … [{len(text) - SHOWN_CHARACTERS} more characters cut]"
    if memory.label in {Label.MEMBER, Label.EXTERNAL}:
        text = untrusted(text, source="memory")
    try:
        saved_on = memory.created_at.astimezone(ZoneInfo(zone))
    except (ZoneInfoNotFoundError, ValueError):
        saved_on = memory.created_at
    return {"id": memory.id, "text": text, "saved_on": saved_on.date().isoformat()}


def _shown(memory: Memory) -> ObjectRef:
    return ObjectRef(kind="memory", id=memory.id, title=one_line(memory.text, CAPTION_CHARACTERS))


def _count(number: int) -> str:
    return "one fact" if number == 1 else f"{number} facts"
