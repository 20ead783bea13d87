"""A database of an earlier release, upgraded: the bot starts on it, and what waited there is clicked and ends well."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.domain.actions import Action, ActionState
from bot.domain.deliveries import HELD, card_slot
from bot.domain.questions import Choice, QuestionKind
from bot.domain.runs import Run, RunState
from bot.runtime.audit.verify import verified
from bot.slack.views import ids
from playground.people import DANA, JONAS, LUIS, MARA, PRIYA, Person
from tests.acceptance.slack_side import forged_click, open_questions, runs_of, start_over_http
from tests.acceptance.world import World
from tests.postgres import PostgresServer
from tests.releases.database import RELEASES, key_of, loaded


@pytest.fixture(params=["sqlite", "postgresql"])
def server(request: pytest.FixtureRequest) -> PostgresServer | None:
    return None if request.param == "sqlite" else request.getfixturevalue("postgres")


@pytest.mark.parametrize("release", RELEASES)
async def test_what_waited_is_clicked(
    release: str, server: PostgresServer | None, idle_world: World, tmp_path: Path
) -> None:
    """Cards, questions of every kind and mails for later come to the end that their people choose, each once."""
    here = idle_world
    key = SecretStr(key_of(release))
    with loaded(release, tmp_path, server) as url:
        here.settings = here.settings.model_copy(update={"database_url": url, "encryption_keys": key})
        await start_over_http(here)
        await _all_decided(here)
        await here.stop_bot()


async def _all_decided(here: World) -> None:
    approved = await _decided(here, DANA, QuestionKind.APPROVE, ids.choice_action(Choice.APPROVE))
    rejected = await _decided(here, MARA, QuestionKind.APPROVE, ids.choice_action(Choice.REJECT))
    answered = await _decided(here, PRIYA, QuestionKind.ANSWER, ids.option_action(0))
    settled = await _decided(here, JONAS, QuestionKind.SETTLE, ids.choice_action(Choice.DID_NOT))
    refused = await _decided(here, LUIS, QuestionKind.CONNECT, ids.choice_action(Choice.REJECT))
    assert approved.state is answered.state is ActionState.COMPLETED
    assert rejected.state is refused.state is ActionState.REJECTED
    assert (settled.state, settled.doubt) == (ActionState.FAILED, False)
    sent, undone = await _pressed(here, DANA, ids.HELD_NOW), await _pressed(here, MARA, ids.HELD_UNDO)
    assert (sent.state, undone.state) == (RunState.COMPLETED, RunState.CANCELLED)
    assert len(await here.sent(DANA)) == 2
    assert [len(await here.sent(person)) for person in (MARA, PRIYA, JONAS, LUIS)] == [0, 0, 0, 0]
    assert (await verified(here.base.store, here.base.keyring)).problems == []


async def _decided(here: World, person: Person, kind: QuestionKind, action_id: str) -> Action:
    """What the open question of this kind was about, once it is answered and its run has ended."""
    (asked,) = [question for question in await open_questions(here, person) if question.kind is kind]
    post = await here.read(lambda work: work.posts.find(asked.run_id, card_slot(asked.id)))
    assert post is not None
    where = {"channel": post.channel, "ts": post.ts}
    assert await forged_click(here, where, action_id, user=person.user_id, value=asked.button_value()) == 200
    await _ended(here, asked.run_id)
    return await here.read(lambda work: work.actions.find(asked.action_id))


async def _pressed(here: World, person: Person, action_id: str) -> Run:
    """The person's mail for later, once this button was pressed and its run has ended."""
    (waiting,) = [run for run in await runs_of(here, person) if run.holds is not None]
    post = await here.read(lambda work: work.posts.find(waiting.id, HELD))
    assert post is not None
    where = {"channel": post.channel, "ts": post.ts}
    assert await forged_click(here, where, action_id, user=person.user_id, value=waiting.id) == 200
    return await _ended(here, waiting.id)


async def _ended(here: World, run_id: str) -> Run:
    async def over() -> Run | None:
        run = await here.read(lambda work: work.runs.find(run_id))
        return run if run.state.is_final() else None

    return await here.until(over, f"the end of {run_id}")
