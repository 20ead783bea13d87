"""What comes in: events, threads and messages."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.domain.threads import Audience, Speaker
from bot.store.store import Store
from bot.store.unit_of_work import UnitOfWork
from policies.types import Label
from tests import builders as make
from tests.builders import DANA, MARA, NOW, TEAM


@pytest.mark.parametrize(
    ("event_id", "ts", "fresh"),
    [("Ev1", "9", False), ("Ev2", "1", False), ("Ev2", "9", True), ("Ev1", "", False), ("Ev2", "", True)],
    ids=["same event", "same place", "new", "same event without a place", "new event without a place"],
)
async def test_an_event_is_known_by_either_key(work: UnitOfWork, event_id: str, ts: str, fresh: bool) -> None:
    """What came with the same event id, or about the same message, is not admitted again."""
    assert await work.inbox.admit("Ev1", team=TEAM, channel="C1", ts="1", at=NOW)
    assert await work.inbox.admit("Ev0", team=TEAM, channel="C1", ts="", at=NOW)
    assert await work.inbox.admit(event_id, team=TEAM, channel="C1", ts=ts, at=NOW) is fresh


async def test_the_same_timestamp_elsewhere_is_another_message(work: UnitOfWork) -> None:
    """Timestamps are unique in one conversation of one workspace only."""
    assert await work.inbox.admit("Ev1", team=TEAM, channel="C1", ts="1", at=NOW)
    assert await work.inbox.admit("Ev2", team=TEAM, channel="C2", ts="1", at=NOW)
    assert await work.inbox.admit("Ev3", team="T2", channel="C1", ts="1", at=NOW)


async def test_a_place_is_one_thread(work: UnitOfWork) -> None:
    """Ensuring a thread twice is one thread; its label only ever gets worse."""
    first = await work.threads.ensure(make.thread())
    again = await work.threads.ensure(make.thread(id="thr_2"))
    assert again == first == await work.threads.find("thr_1")
    assert await work.threads.at(TEAM, "D1", "1.2") is None
    await work.threads.lock("thr_1")
    for label, kept in ((Label.MEMBER, Label.MEMBER), (Label.CONFIG, Label.MEMBER), (Label.OWNER, Label.MEMBER)):
        await work.threads.worsen("thr_1", label)
        assert (await work.threads.find("thr_1")).label is kept


async def test_any_text_can_be_stored(store: Store) -> None:
    """Half of a surrogate pair, or a zero character, in what came from outside makes no commit impossible."""
    text = "a\ud800b\0c😀"
    async with store.write() as work:
        await work.messages.add(make.message(text, id="odd", elements=[{"text": text}]))
        stored = await work.messages.find("odd")
    assert stored.text == "a\ufffdb\ufffdc😀"
    assert stored.elements == [{"text": "a\ufffdb\0c😀"}]


async def test_history_is_what_a_person_may_see(work: UnitOfWork) -> None:
    """The newest messages, oldest first: the channel's and the person's own, nobody else's, none that is empty."""
    whose = [(Audience.CHANNEL, None), (Audience.OWNER, DANA), (Audience.OWNER, MARA), (Audience.CHANNEL, None)]
    for n, (audience, owner) in enumerate(whose):
        await work.messages.add(make.message(f"m{n}", audience=audience, owner=owner))
    await work.messages.add(make.message(""))
    await work.messages.add(make.message("asks", id="request"))
    seen = await work.messages.recent("thr_1", visible_to=DANA, before="request", limit=9)
    assert [message.text for message in seen] == ["m0", "m1", "m3"]
    seen = await work.messages.recent("thr_1", visible_to=MARA, before="request", limit=2)
    assert [message.text for message in seen] == ["m2", "m3"]
    assert await work.messages.find(seen[0].id) == seen[0]


async def test_history_goes_by_what_was_written_down_first(work: UnitOfWork) -> None:
    """What people said before the request and all that the agent said, though the clock went back by an hour."""
    said = [("first", Speaker.PERSON), ("answer", Speaker.AGENT), ("asks", Speaker.PERSON), ("later", Speaker.PERSON)]
    for n, (text, speaker) in enumerate([*said, ("late answer", Speaker.AGENT)]):
        at = NOW - n * timedelta(hours=1)
        await work.messages.add(make.message(text, id=text, speaker=speaker, created_at=at))
    seen = await work.messages.recent("thr_1", visible_to=DANA, before="asks", limit=9)
    assert [message.text for message in seen] == ["first", "answer", "late answer"]
