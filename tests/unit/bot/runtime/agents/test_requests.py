"""Requests to agents: a person has one work, and it is stopped, continued, answered and deleted as any request is."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.agents import canonical
from bot.agents.catalog import AgentCatalog, AgentInfo, AgentUnavailable, NoSuchAgent
from bot.agents.definition import Definition
from bot.agents.inputs import InvalidInputs
from bot.domain.actions import ActionState
from bot.domain.deliveries import Post
from bot.domain.events import TextVoided
from bot.domain.limits import DEFAULT_LIMITS, Limits, Rate, SpawnLimits
from bot.domain.questions import QUESTION_LIFE
from bot.domain.runs import SILENCE, FollowUp, Run, RunState
from bot.llm.model import CallingMode, ModelUnavailable, TurnUsage
from bot.runtime.agents.requests import AgentRequest, AgentRequests
from bot.runtime.audit.sealer import Sealer
from bot.runtime.core.clicks import ButtonClick
from bot.runtime.core.lease import leased
from bot.runtime.delivery.posts import PostService
from bot.runtime.lifecycle.opening import BegunRequest
from bot.runtime.questions import expiry
from bot.runtime.runs import resume, stop
from bot.runtime.runs.incoming import Admission
from bot.runtime.runs.intake import Intake
from bot.runtime.texts import to_people
from policies.types import Label, TrustLevel
from tests import builders as make
from tests.builders import DANA, TEAM
from tests.dispatchers import OneThread
from tests.patience import PATIENCE_SECONDS
from tests.unit.bot.runtime.runs.test_delegating import (
    HAND_OVER,
    LOOK,
    SCOUT,
    SEND,
    WRITE,
    WRITER,
    actions_of,
    child,
    children,
    defined,
    text_of,
)
from tests.unit.bot.runtime.runtime_harness import Harness, harness, runner, until
from tests.unit.bot.runtime.scripted import Said

AGENTS = (defined(SCOUT), defined(WRITER))
SUPERVISED = TrustLevel.SUPERVISED
DM, ROOT_TS = "D1", "1.1"


def catalog(*agents: Definition, lacks: Mapping[str, str] | None = None) -> AgentCatalog:
    """These agents, of which some lack something."""
    missing = lacks or {}
    infos = [
        AgentInfo(definition=one, tools=one.tools, lacks=[missing[one.name]] if one.name in missing else [])
        for one in agents
    ]
    return AgentCatalog(agents={one.definition.name: one for one in infos})


@pytest.fixture
async def here(tmp_path: Path) -> AsyncGenerator[Harness]:
    async with harness(tmp_path, agents=AGENTS) as made:
        yield made


async def ask(
    here: Harness, *, agents: AgentCatalog | None = None, rate: Rate | None = None, **values: Any
) -> BegunRequest:
    """Dana asks an agent for something, from a window."""
    async with here.base.store.write() as work:
        await work.users.seen(make.person())
    requests = AgentRequests(
        transactions=here.transactions, catalog=agents or catalog(*AGENTS), limits=DEFAULT_LIMITS, rate=rate
    )
    given: dict[str, Any] = {"team": TEAM, "user": DANA, "agent": "meeting_brief", "source": "form:T1:V1"}
    given["inputs"] = {"topic": "benches"}
    return await requests.begin(AgentRequest(**given | values))


async def begun(here: Harness, *, channel: str = "", **values: Any) -> Run:
    """The same; the run, whose first message stands in Slack."""
    run = await here.run((await ask(here, channel=channel, **values)).run_id)
    post = Post(run_id=run.id, slot="opening", channel=channel or DM, ts=ROOT_TS)
    posts = PostService(store=here.base.store)
    await posts.save(post)
    await posts.root(run.id, post)
    return run


async def asked(here: Harness, *says: Said, level: TrustLevel = TrustLevel.AUTONOMOUS, **values: Any) -> Run:
    """The same, served until only people can move it."""
    run = await begun(here, **values)
    await here.trusts(level)
    here.model.says = list(says)
    await serve(here, run)
    return await here.run(run.id)


async def serve(here: Harness, run: Run) -> None:
    dispatcher = here.transactions.dispatcher
    assert isinstance(dispatcher, OneThread)
    async with asyncio.timeout(PATIENCE_SECONDS):
        await here.runner.serve(run.thread_id, dispatcher.serving)


async def runs_of(here: Harness, run: Run) -> list[Run]:
    """All requests in the thread of a run, oldest first."""
    async with here.base.store.read() as work:
        found = await work.records.runs(states=[], user=None, limit=20)
    return sorted((one for one in found if one.thread_id == run.thread_id), key=lambda one: one.created_at)


def press(run: Run) -> ButtonClick:
    return ButtonClick(team=TEAM, user=DANA, value=run.id)


async def silence(here: Harness, run: Run) -> None:
    """Nobody answers in time; the log is sealed meanwhile."""
    here.base.clock.advance(QUESTION_LIFE.total_seconds() + 1)
    await expiry.tick(here.transactions)
    await Sealer(store=here.base.store, keyring=here.base.keyring).seal()
    await serve(here, run)


# Beginning ------------------------------------------------------------------------------------------------------


async def test_an_agent_works_for_a_person_and_answers_in_its_thread(here: Harness) -> None:
    """It is a request of its own: no assistant is asked, and what it handed over is the answer."""
    run = await asked(here, LOOK, HAND_OVER)
    text = "## Found\n\ntwo benches"
    assert (run.state, run.output, run.summary) == (RunState.COMPLETED, {"found": "two benches"}, text)
    assert (run.agent, run.inputs, run.parent, run.root) == ("meeting_brief", {"topic": "benches"}, None, None)
    assert await children(here, run) == []
    assert (await here.queries.answer(run.id)).text == text
    assert [row["kind"] for row in here.base.rows("SELECT kind FROM outbox ORDER BY id")] == ["opening", "answer"]


async def test_its_row_and_its_definition_are_there_before_anything_is_done(here: Harness) -> None:
    run = await begun(here)
    assert (run.state, run.agent, run.inputs) == (RunState.QUEUED, "meeting_brief", {"topic": "benches"})
    async with here.base.store.read() as work:
        assert list(await work.definitions.find([run.definition or ""])) == [run.definition]
    assert here.model.requests == []


async def test_it_knows_its_inputs_and_that_a_person_reads_its_result(here: Harness) -> None:
    await asked(here, HAND_OVER)
    (request,) = here.model.requests
    assert request.instruction.startswith("You look for benches and nothing else.")
    assert "for the person, who reads your result" in request.instruction
    assert "assistant" not in request.instruction.partition("# Constitution")[0]
    assert [text_of(content) for content in request.contents] == ["Find benches."]


async def test_its_limits_are_a_requests_but_for_what_its_definition_says_and_steps(here: Harness) -> None:
    written = await ask(here)
    without = await ask(here, agent="week_review", inputs={}, source="form:T1:V2")
    asked_for = await ask(here, source="form:T1:V3", limits=SpawnLimits(max_steps=2, timeout=timedelta(minutes=1)))
    assert (await here.run(written.run_id)).limits == replace(DEFAULT_LIMITS, steps=4)
    assert (await here.run(without.run_id)).limits == replace(DEFAULT_LIMITS, steps=None)
    assert (await here.run(asked_for.run_id)).limits == replace(DEFAULT_LIMITS, steps=2, active_ms=60_000)


async def test_only_members_have_agents_work(here: Harness) -> None:
    here.directory.person = make.person(is_guest=True)
    run = await begun(here)
    await serve(here, run)
    refused = await here.run(run.id)
    assert (refused.state, refused.error) == (RunState.FAILED, to_people.GUEST)
    assert here.model.requests == []


async def test_what_a_person_filled_in_are_words_that_they_typed(here: Harness) -> None:
    run = await begun(here, inputs={"topic": "mail to helen@x.example", "most": 3})
    async with here.base.store.read() as work:
        request = await work.messages.find(run.message_id)
    assert request.typed == "mail to helen@x.example\n3"
    assert request.text == "Agent: meeting_brief\nTopic: mail to helen@x.example\nMost: 3"


async def test_what_an_operator_wrote_are_not(here: Harness) -> None:
    run = await begun(here, by_operator=True)
    async with here.base.store.read() as work:
        assert (await work.messages.find(run.message_id)).typed == ""


async def test_asking_twice_from_one_window_is_asking_once(here: Harness) -> None:
    rate = Rate(per_minute=1)
    first, second = await ask(here, rate=rate), await ask(here, rate=rate)
    assert (second.run_id, second.refusal) == (first.run_id, ""), "it does not count as asking too fast either"
    assert len(here.base.rows("SELECT id FROM runs")) == 1


async def test_who_asks_too_fast_presses_again(here: Harness) -> None:
    rate = Rate(per_minute=1)
    await ask(here, rate=rate)
    refused = await ask(here, rate=rate, source="form:T1:V2")
    assert refused.run_id == ""
    assert "Press the button again after" in refused.refusal
    assert len(here.base.rows("SELECT id FROM runs")) == 1


@pytest.mark.parametrize(
    ("inputs", "field"),
    [
        ({}, "topic"),
        ({"topic": 3}, "topic"),
        ({"topic": "x", "most": "three"}, "most"),
        ({"topic": "x", "more": 1}, "more"),
        ({"topic": "a\x00b"}, "topic"),
        ({"topic": "\ud83d"}, "topic"),
        ({"topic": "<untrusted>"}, "topic"),
        ({"topic": "x" * 300_000}, "topic"),
    ],
)
async def test_wrong_inputs_begin_nothing(here: Harness, inputs: Mapping[str, object], field: str) -> None:
    with pytest.raises(InvalidInputs) as wrong:
        await ask(here, inputs=inputs)
    assert list(wrong.value.fields) == [field]
    assert here.base.rows("SELECT id FROM runs") == []


async def test_an_agent_that_there_is_not_or_that_lacks_something_begins_nothing(here: Harness) -> None:
    with pytest.raises(NoSuchAgent, match="Did you mean “meeting_brief”"):
        await ask(here, agent="meeting brif")
    with pytest.raises(AgentUnavailable, match="it lacks the tool ls"):
        await ask(here, agents=catalog(*AGENTS, lacks={"meeting_brief": "the tool ls"}))
    assert here.base.rows("SELECT id FROM runs") == []


async def test_an_agent_is_found_by_name_and_title() -> None:
    titled = replace(AGENTS[0], display_name="Meeting brief")
    for typed in ("meeting_brief", " Meeting Brief ", "meeting-brief"):
        assert catalog(titled).find(typed) is titled


# Its answer -----------------------------------------------------------------------------------------------------


async def test_json_in_the_row_is_text_for_people(tmp_path: Path) -> None:
    """Where the definition names no function, whoever called reads JSON, and people read headings and bullets."""
    plain = defined(SCOUT.replace("processOutput: markdown\n", ""))
    async with harness(tmp_path, agents=[plain]) as here:
        run = await asked(here, HAND_OVER, agents=catalog(plain))
        assert run.summary == '{"found":"two benches"}'
        assert (await here.queries.answer(run.id)).text == "## Found\n\ntwo benches"
        said = here.base.rows("SELECT text FROM messages WHERE speaker = 'agent'")
        assert [row["text"] for row in said] == ["## Found\n\ntwo benches"]


async def test_at_a_limit_people_read_text_too(tmp_path: Path) -> None:
    """What it hands over at its limit, as far as it goes, stands below the reason."""
    plain = defined(SCOUT.replace("processOutput: markdown\n", "").replace("max_turns: 4", "max_turns: 1"))
    async with harness(tmp_path, agents=[plain]) as here:
        run = await asked(here, LOOK, '{"found": "one bench"}', agents=catalog(plain))
        assert (run.state, run.output) == (RunState.PAUSED, {"found": "one bench"})
        assert run.summary == f'{to_people.STEP_LIMIT}\n\n{{"found":"one bench"}}'
        assert (await here.queries.answer(run.id)).text == f"{to_people.STEP_LIMIT}\n\n## Found\n\none bench"


@pytest.mark.parametrize(
    ("agent", "given", "output"),
    [("meeting_brief", {"topic": "benches"}, {"report": {"found": ""}}), ("week_review", {}, {"text": " "})],
)
async def test_an_empty_result_is_told(
    here: Harness, agent: str, given: Mapping[str, object], output: Mapping[str, object]
) -> None:
    """Markdown leaves out what is empty, and whoever asked is not left without a word."""
    run = await asked(here, [("complete_task", output)], agent=agent, inputs=given)
    assert (run.state, run.summary.strip()) == (RunState.COMPLETED, "")
    told = "The agent is done, and its result is empty."
    assert (await here.queries.answer(run.id)).text == told
    assert [row["text"] for row in here.base.rows("SELECT text FROM messages WHERE speaker = 'agent'")] == [told]


async def test_a_text_that_was_not_handed_over_is_taken_back(here: Harness) -> None:
    heard: list[object] = []
    here.transactions.bus.attend(heard.append)
    run = await asked(here, "two benches", HAND_OVER)
    assert run.state is RunState.COMPLETED
    assert heard.count(TextVoided(run.id)) == 2, "that, and what came with the call"
    assert here.model.requests[1].calling_mode is CallingMode.ANY


async def test_a_text_that_a_reply_overtook_is_taken_back(here: Harness) -> None:
    """The agent is told what was said, and works on."""
    run, heard = await begun(here), list[object]()
    here.transactions.bus.attend(heard.append)
    here.model.says, here.model.hold = ["two benches", HAND_OVER], asyncio.Event()
    serving = asyncio.create_task(serve(here, run))
    await until(lambda: here.model.requests)
    assert (await here.says("and chairs", ts="9.1")).admission is Admission.STEERS
    here.model.hold.set()
    await serving
    assert heard.count(TextVoided(run.id)) == 2
    assert "and chairs" in text_of(here.model.requests[1].contents[-1])
    assert (await here.run(run.id)).state is RunState.COMPLETED


async def test_where_any_text_is_a_result_a_last_word_is_one(here: Harness) -> None:
    run = await asked(here, "Dear Helen", agent="week_review", inputs={})
    assert (run.state, run.output, run.summary) == (RunState.COMPLETED, "Dear Helen", "Dear Helen")


async def test_what_it_had_written_when_it_failed_is_kept(here: Harness) -> None:
    run = await asked(here, "one bench", "one bench")
    assert (run.state, run.partial) == (RunState.FAILED, "one bench")
    view = await here.queries.answer(run.id)
    assert "> one bench" in view.text
    assert "without handing over" in view.error


async def test_an_agent_that_a_person_has_work_gives_work_to_others(here: Harness) -> None:
    run = await asked(here, WRITE, "a text", HAND_OVER)
    writer = await child(here, run)
    assert (writer.root, writer.state, writer.limits) == (run.id, RunState.COMPLETED, Limits(steps=50))
    assert run.state is RunState.COMPLETED


async def test_it_is_private_where_only_its_owner_asked(here: Harness) -> None:
    assert (await asked(here, HAND_OVER)).private
    assert not (await asked(here, HAND_OVER, channel="C1", source="form:T1:V2")).private


async def test_what_it_reads_in_a_channel_makes_it_private_and_external(here: Harness) -> None:
    run = await asked(here, LOOK, HAND_OVER, channel="C1")
    assert (run.private, run.label) == (True, Label.EXTERNAL)
    assert "stub" in [row["kind"] for row in here.base.rows("SELECT kind FROM outbox")]


# People ---------------------------------------------------------------------------------------------------------


async def test_stop_stops_it_and_those_that_work_for_it(here: Harness) -> None:
    run = await asked(here, WRITE, SEND, level=SUPERVISED)
    assert run.state is RunState.AWAITING
    (stopped,) = await stop.stop_person(here.transactions, TEAM, DANA)
    assert stopped.id == run.id
    states = [one.state for one in (await here.run(run.id), await child(here, run))]
    assert states == [RunState.CANCELLED, RunState.CANCELLED]
    await serve(here, run)
    assert here.effect.calls == []


async def test_stop_in_its_thread_stops_it(here: Harness) -> None:
    run = await asked(here, SEND, level=SUPERVISED)
    assert (await here.says("stop", ts="9.1")).admission is Admission.STOPPED
    assert (await here.run(run.id)).state is RunState.CANCELLED


async def test_at_its_limit_it_sums_up_and_continue_grants_as_much_again(here: Harness) -> None:
    looks: list[Said] = [[("gmail_search", {"text": str(n)})] for n in range(4)]
    run = await asked(here, *looks, "I found one bench so far.")
    assert (run.state, run.stop_code) == (RunState.PAUSED, "steps")
    assert "I found one bench so far." in run.summary
    assert (await here.queries.answer(run.id)).offer is FollowUp.CONTINUE
    here.model.says = [HAND_OVER]
    assert (await resume.continue_run(here.transactions, press(run))).accepted
    await serve(here, run)
    now = await here.run(run.id)
    assert (now.state, now.agent, now.output) == (RunState.COMPLETED, "meeting_brief", {"found": "two benches"})
    assert now.ceiling.steps == 8
    assert [tool.name for tool in here.model.requests[-1].tools][-1] == "complete_task"


async def test_silence_pauses_it_and_continue_asks_again(here: Harness) -> None:
    run = await asked(here, SEND, HAND_OVER, level=SUPERVISED)
    await silence(here, run)
    paused = await here.run(run.id)
    assert (paused.state, paused.stop_code) == (RunState.PAUSED, SILENCE)
    assert (await resume.continue_run(here.transactions, press(run))).accepted
    await serve(here, run)
    await here.approve(run)
    await serve(here, run)
    assert (await here.run(run.id)).state is RunState.COMPLETED
    assert len(here.effect.calls) == 1


async def test_what_nobody_answered_is_asked_again(here: Harness) -> None:
    run = await asked(here, SEND, HAND_OVER, level=SUPERVISED)
    card = await here.card_of(run.id)
    await silence(here, run)
    click = ButtonClick(team=TEAM, user=DANA, value=card.button_value())
    assert (await resume.ask_again(here.transactions, click)).accepted
    await serve(here, run)
    assert (await here.run(run.id)).state is RunState.AWAITING
    await here.approve(run)
    await serve(here, run)
    assert (await here.run(run.id)).state is RunState.COMPLETED


async def test_tried_again_it_is_the_same_agent_and_knows_what_was_done(here: Harness) -> None:
    run = await asked(here, SEND, ModelUnavailable("network"))
    assert run.state is RunState.FAILED
    assert (await here.queries.answer(run.id)).offer is FollowUp.TRY_AGAIN
    here.model.says = [HAND_OVER]
    assert (await resume.try_again(here.transactions, press(run))).accepted
    await serve(here, run)
    _, again = await runs_of(here, run)
    assert (again.state, again.retry_of, again.task, again.limits) == (
        RunState.COMPLETED,
        run.id,
        run.task,
        run.limits,
    )
    instruction = here.model.requests[-1].instruction
    assert "[TRIED BEFORE]" in instruction
    assert "Do it: done" in instruction
    assert len(here.effect.calls) == 1


async def test_what_a_failed_run_read_stays_private_when_it_is_tried_again(here: Harness) -> None:
    run = await asked(here, LOOK, ModelUnavailable("network"), channel="C1")
    here.model.says = [HAND_OVER]
    assert (await resume.try_again(here.transactions, press(run))).accepted
    await serve(here, run)
    _, again = await runs_of(here, run)
    assert (again.private, again.label) == (True, Label.EXTERNAL)
    stubs = here.base.rows("SELECT subject FROM outbox WHERE kind = 'stub'")
    assert [row["subject"] for row in stubs] == [run.id, again.id]


async def test_a_reply_steers_it(here: Harness) -> None:
    run = await asked(here, SEND, HAND_OVER, level=SUPERVISED)
    said = await here.says("to Mara instead", ts="9.1")
    assert (said.admission, said.run_id) == (Admission.STEERS, run.id)
    await serve(here, run)
    assert "to Mara instead" in text_of(here.model.requests[1].contents[-1])
    (rejected, _) = await actions_of(here, run)
    assert rejected.state is ActionState.REJECTED
    assert (await here.run(run.id)).state is RunState.COMPLETED


async def test_what_is_said_after_its_end_is_for_the_assistant(here: Harness) -> None:
    run = await asked(here, HAND_OVER)
    assert (await here.says("and the chairs?", ts="9.1")).admission is Admission.STARTED
    here.model.says = ["No chairs."]
    await serve(here, run)
    _, next_one = await runs_of(here, run)
    assert (next_one.task, next_one.summary) == (None, "No chairs.")
    told = [text_of(content) for content in here.model.requests[-1].contents]
    assert told == ["Agent: meeting_brief\nTopic: benches", "## Found\n\ntwo benches", "and the chairs?"]


async def test_words_that_it_took_in_no_more_are_the_assistants_with_usual_limits(here: Harness) -> None:
    """At its limit nothing is taken in: what was said begins a request, which has no limits of the agent's."""
    here.model.usage = TurnUsage(prompt_tokens=DEFAULT_LIMITS.tokens or 0)
    run = await asked(here, SEND, level=SUPERVISED)
    assert (await here.says("to Mara instead", ts="9.1")).admission is Admission.STEERS
    here.model.usage = TurnUsage()
    here.model.says = ["I am out of tokens.", "To Mara it is."]
    await serve(here, run)
    paused, following = await runs_of(here, run)
    assert (paused.id, paused.state, following.task) == (run.id, RunState.PAUSED, None)
    assert (following.summary, following.limits) == ("To Mara it is.", DEFAULT_LIMITS)


async def test_it_waits_its_turn_in_a_thread(here: Harness) -> None:
    """Where somebody's click woke another run of the thread meanwhile, it stays queued."""
    run = await begun(here)
    async with here.base.store.write() as work:
        await work.runs.add(make.run(thread_id=run.thread_id, message_id=run.message_id, state=RunState.PLANNING))
    here.runner.kits.learn(run.definition or "", json.dumps(canonical.mapping(AGENTS[0])))
    async with leased(here.transactions, run.thread_id, "here") as lease:
        assert lease is not None
        await here.runner.starter.begin(run, lease)
    assert (await here.run(run.id)).state is RunState.QUEUED


async def test_a_deleted_request_leaves_nothing_at_work(here: Harness) -> None:
    """Its first message is ours; whoever takes that away takes the request back."""
    run = await asked(here, SEND, level=SUPERVISED)
    card = await here.card_of(run.id)
    await Intake(transactions=here.transactions, limits=DEFAULT_LIMITS).deleted(TEAM, DM, ROOT_TS, may_ask=False)
    gone = await here.run(run.id)
    assert (gone.state, gone.request_deleted) == (RunState.CANCELLED, True)
    assert not (await here.click(card)).accepted
    assert (await here.queries.answer(run.id)).offer is None


async def test_a_restart_goes_on_though_the_definition_is_gone(here: Harness) -> None:
    """Its run has it by hash."""
    run = await asked(here, SEND, HAND_OVER, level=SUPERVISED)
    await here.approve(run)
    tools = (here.read, here.asking, here.effect, here.blind)
    again = runner(here.transactions, tools=tools, model=here.model, profiles=here.directory, sleep=asyncio.sleep)
    await serve(replace(here, runner=again), run)
    assert (await here.run(run.id)).state is RunState.COMPLETED
