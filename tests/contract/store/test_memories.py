"""Memories: ranked, per person, whatever the query holds."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.domain.threads import SeenObject
from bot.store.repositories.memories import match_any
from bot.store.unit_of_work import UnitOfWork
from integrations.ports import Memory
from policies.types import Label
from tests.builders import DANA, MARA, NOW, TEAM
from tests.stores import Opened

LATER = NOW + timedelta(hours=1)


async def _remember(work: UnitOfWork, *texts: str, user: str = DANA, team: str = TEAM) -> None:
    for n, said in enumerate(texts):
        memory = Memory(id=f"mem_{team}{user}{n}", text=said, created_at=NOW + timedelta(minutes=n), label=Label.OWNER)
        await work.memories.save(memory, team=team, user=user, key=f"{team}{user}{n}")


async def _found(work: UnitOfWork, query: str, *, limit: int = 5) -> list[str]:
    return [memory.text for memory in await work.memories.search(TEAM, DANA, query, limit=limit)]


async def test_memories_are_ranked(work: UnitOfWork) -> None:
    """The memory with more of the words, and the rarer ones, comes first; accents do not matter; no match is none."""
    await _remember(
        work,
        "Helen prefers oak benches and long letters about all sorts of wood",
        "Helen prefers tea",
        "The café in Malmö is closed on Mondays",
    )
    assert await _found(work, "oak benches for Helen") == [
        "Helen prefers oak benches and long letters about all sorts of wood",
        "Helen prefers tea",
    ]
    assert await _found(work, "Helen", limit=1) == ["Helen prefers tea"]
    assert await _found(work, "cafe malmo") == ["The café in Malmö is closed on Mondays"]
    assert await _found(work, "monday") == ["The café in Malmö is closed on Mondays"]
    assert await _found(work, "zebra") == []


def test_a_message_of_forty_thousand_characters_looks_for_few_words() -> None:
    """Each word is looked for once, whatever its case; of very many only the longest: no message takes minutes."""
    assert match_any("oak Oak OAK " * 3_000) == '"oak"*'
    looked_for = match_any(" ".join(f"w{n}" for n in range(8_000))).split(" OR ")
    assert len(looked_for) == 64
    assert all(len(word) == len('"w1000"*') for word in looked_for)


async def test_memories_belong_to_one_person_of_one_workspace(work: UnitOfWork) -> None:
    """Many better matches of others, even with ids that read alike, are neither found nor crowd out one's own."""
    await _remember(work, *["oak oak oak"] * 9, user=MARA)
    await _remember(work, *["oak oak oak"] * 9, team="T2")
    await _remember(work, *["oak oak oak"] * 9, team=f"{TEAM}x{DANA}", user="")
    await _remember(work, "Helen likes oak")
    assert await _found(work, "oak", limit=2) == ["Helen likes oak"]
    assert await _found(work, "", limit=9) == ["Helen likes oak"]


@pytest.mark.parametrize(
    "query",
    [
        '"',
        "'",
        "oak AND",
        "NEAR(oak",
        "oak*",
        "text:oak",
        "-oak",
        "oak)",
        "^oak",
        "_",
        "oak\x00",
        "oak ; DROP",
        "½ oak",
    ],
)
async def test_no_word_of_a_query_is_an_operator(work: UnitOfWork, query: str) -> None:
    """Whatever a query holds it is words: it never fails, and finds what has one of them."""
    await _remember(work, "Helen likes oak")
    assert await _found(work, query) == (["Helen likes oak"] if "oak" in query or query in {'"', "'"} else [])


async def test_without_words_the_newest_come_first(work: UnitOfWork) -> None:
    """An empty query, or one of signs only, lists the newest."""
    await _remember(work, "one", "two", "three")
    assert await _found(work, "", limit=2) == ["three", "two"]
    assert await _found(work, "?!", limit=1) == ["three"]


async def test_a_memory_is_saved_once_and_forgotten_by_its_owner(work: UnitOfWork) -> None:
    """The same key is one memory; only its owner forgets it, there and once, and then it is not found any more."""
    await _remember(work, "oak")
    again = Memory(id="mem_new", text="other", created_at=LATER, label=Label.OWNER)
    kept = await work.memories.save(again, team=TEAM, user=DANA, key=f"{TEAM}{DANA}0")
    assert kept.text == "oak"
    assert not await work.memories.forget(TEAM, MARA, kept.id, at=NOW)
    assert not await work.memories.forget("T2", DANA, kept.id, at=NOW)
    assert await work.memories.forget(TEAM, DANA, kept.id, at=NOW)
    assert not await work.memories.forget(TEAM, DANA, kept.id, at=NOW)
    assert await _found(work, "oak") == []
    assert await _found(work, "") == []


async def test_what_is_forgotten_is_erased(base: Opened) -> None:
    """Its words stand in no table any more, neither in the index nor in what a follow-up would be told; others stay."""
    shown = SeenObject(run_id="run_1", owner=DANA, kind="memory", object_id=f"mem_{TEAM}{DANA}0", title="The safe")
    async with base.store.write() as work:
        await _remember(work, "The safe is behind zanzibar", "The yard opens at seven")
        await work.objects.add("thr_1", [shown, replace(shown, object_id=f"mem_{TEAM}{DANA}1", title="Yard")], at=NOW)
    async with base.store.write() as work:
        assert await work.memories.forget(TEAM, DANA, shown.object_id, at=NOW)
    assert [row["text"] for row in base.rows("SELECT text FROM memories ORDER BY n")] == ["", "The yard opens at seven"]
    (indexed,) = base.rows("SELECT * FROM memories_index")
    assert "yard" in str(indexed).lower()
    async with base.store.read() as work:
        assert [seen.title for seen in await work.objects.of_owner("thr_1", DANA, limit=9)] == ["Yard"]
