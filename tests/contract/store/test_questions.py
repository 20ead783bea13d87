"""Questions and votes: the first decision wins."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.domain.connections import REFUSED
from bot.domain.questions import Choice, QuestionKind, QuestionState, SettlePayload
from bot.domain.states import IllegalMove, LostRace
from bot.store.unit_of_work import UnitOfWork
from tests import builders as make
from tests.builders import DANA, MARA, NOW, TEAM


async def test_the_first_decision_of_a_question_wins(work: UnitOfWork) -> None:
    """A question leaves `open` once; a second decision on what was read before is a lost race."""
    asked = make.question(kind=QuestionKind.SETTLE, payload=SettlePayload(where="Gmail"))
    await work.questions.add(asked)
    assert await work.questions.find(asked.id) == asked
    decided = await work.questions.move(
        asked, QuestionState.DECIDED, decision=Choice.REJECT, decided_by=DANA, decided_at=NOW, reason="no"
    )
    assert decided == replace(
        asked,
        state=QuestionState.DECIDED,
        decision=Choice.REJECT,
        decided_by=DANA,
        decided_at=NOW,
        reason="no",
    )
    with pytest.raises(LostRace):
        await work.questions.move(asked, QuestionState.EXPIRED)
    with pytest.raises(IllegalMove):
        await work.questions.move(decided, QuestionState.OPEN)
    assert await work.questions.find("nobody's") is None


async def test_questions_are_listed_by_action_run_and_person(work: UnitOfWork) -> None:
    """Open questions of a run and of a person (newest first, so many), and every question of an action."""
    for id_, state in (("q1", QuestionState.EXPIRED), ("q2", QuestionState.OPEN), ("q3", QuestionState.OPEN)):
        await work.questions.add(make.question(id=id_, state=state, action_id="a" if id_ != "q3" else "b"))
    await work.questions.add(make.question(id="q4", user=MARA, run_id="run_2", action_id="c"))
    assert await work.questions.ids_of_action("a") == ["q1", "q2"]
    assert [q.id for q in await work.questions.open_of_run("run_1")] == ["q2", "q3"]
    assert [q.id for q in await work.questions.open_of(TEAM, DANA, limit=5)] == ["q3", "q2"]
    assert [q.id for q in await work.questions.open_of(TEAM, DANA, limit=1)] == ["q3"]


async def test_questions_to_connect_are_paged_apart_from_those_that_wait(work: UnitOfWork) -> None:
    """Only what a working account may answer, and what has no card: in pages, by id."""
    asked = {"kind": QuestionKind.CONNECT, "remind_at": NOW}
    await work.connections.save(make.connection(), at=NOW)
    await work.connections.save(make.connection(user="U_REFUSED", status=REFUSED), at=NOW)
    for id_ in ("q3", "q2", "q1"):
        await work.questions.add(make.question(id=id_, **asked))
    await work.questions.add(make.question(id="q4", user=MARA, **asked))
    await work.questions.add(make.question(id="q5", user="U_REFUSED", **asked))
    await work.questions.add(make.question(id="q6", team="T_OTHER", **asked))
    await work.questions.add(make.question(id="q7", state=QuestionState.EXPIRED, **asked))
    await work.questions.add(make.question(id="q8", remind_at=NOW))
    await work.questions.add(make.question(id="q9", user=MARA, **{**asked, "remind_at": None}))
    await work.questions.reminded(make.question(id="q4", user=MARA, **asked), at=NOW)
    found = await work.questions.of_connected("google", after="", limit=2)
    assert [q.id for q in found] == ["q1", "q2"]
    assert [q.id for q in await work.questions.of_connected("google", after="q2", limit=2)] == ["q3"]
    assert await work.questions.of_connected("github", after="", limit=2) == []
    assert [q.id for q in await work.questions.without_card(after="", limit=2)] == ["q9"]
    assert await work.questions.without_card(after="q9", limit=2) == []


async def test_one_person_has_one_vote(work: UnitOfWork) -> None:
    """A second vote of the same person is refused; another person's counts."""
    asked = make.question()
    await work.questions.add(asked)
    assert await work.questions.vote(asked, user=DANA, choice="approve", at=NOW)
    assert not await work.questions.vote(asked, user=DANA, choice="reject", at=NOW)
    assert await work.questions.vote(asked, user=MARA, choice="reject", at=NOW)
