"""Policy through the surface: who is asked at which level, what rules and switches do, and what is kept of it."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Sequence
from datetime import timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import pytest_asyncio

import policies
from bot.clock import SystemClock
from bot.dispatch.local import LocalDispatcher
from bot.domain.actions import Action, ActionState
from bot.domain.questions import Choice
from bot.domain.runs import RunState
from bot.runtime.core.event_bus import Bus
from bot.runtime.core.transaction import TransactionFactory
from bot.runtime.people.memories import MemoryService
from bot.runtime.questions.decide import Click, decide
from bot.tools.arguments import proposed
from bot.tools.registry import Registry
from bot.wiring.store import connections, opened
from integrations.calendar.toolset import calendar_tools
from integrations.gmail.isolated.html_reader import HtmlReader
from integrations.gmail.toolset import mail_tools
from integrations.google.client import GoogleClient
from integrations.memory.toolset import memory_tools
from playground.people import DANA, JONAS, LUIS, MARA, PRIYA, TEAM_ID, Person
from policies import engine, loader
from policies.evidence import evidence_from_json
from policies.loader import Policy
from policies.types import Decision, Rule, RuleAuthor, TrustLevel
from tests.acceptance.request import Request, ask, error_of
from tests.acceptance.slack_side import call
from tests.acceptance.world import APPROVE, REJECT, World, button_ids, text_of

SHARED = pytest.mark.asyncio(loop_scope="module")

HELEN, OTHER = "helen.marsh@marshgardens.example", "somebody@elsewhere.example"


def mail(*to: str, cc: Sequence[str] = ()) -> str:
    return call("gmail_send", to=list(to), cc=list(cc), subject="Hi", body="Hello")


DRAFT = call("gmail_draft_create", to=[HELEN], subject="Note", body="Hello")
EVENT = call("calendar_event_create", title="Tea", start="2031-03-03T10:00", end="2031-03-03T11:00")
READ = call("gmail_search", query="in:inbox", limit=1)
MEMORY = call("save_memory", text="Likes oak.")


@pytest_asyncio.fixture(loop_scope="module")
async def levels(shared: World) -> AsyncGenerator[World]:
    """Trust levels may be chosen: afterwards everybody is supervised again."""
    yield shared
    for person in (DANA, JONAS, LUIS, MARA, PRIYA):
        await shared.command(person, "trust supervised")


async def asked(request: Request) -> Action:
    """The request's only action, which waits for its owner."""
    await request.card(APPROVE)
    action = await request.action(ActionState.AWAITING)
    return action


async def unasked(request: Request) -> Action:
    """The request's only action, which was done without a card."""
    assert (await request.ended()).state is RunState.COMPLETED
    action = await request.action(ActionState.COMPLETED)
    assert not any(APPROVE in button_ids(message) for message in await request.said())
    assert "action.asked" not in await request.codes()
    return action


async def denied(request: Request, rule: str) -> None:
    """The request's only action was refused under this rule: audited, told to the model, and not done."""
    await request.ended()
    action = await request.action(ActionState.DENIED)
    assert action.verdict is not None
    assert action.verdict.rule == rule
    assert error_of(action)["code"] == "denied_by_policy"
    assert "action.denied" in await request.codes()


# The levels ----------------------------------------------------------------------------------------------------------


@SHARED
@pytest.mark.parametrize("text", [mail(HELEN), DRAFT, EVENT])
async def test_supervised_asks(shared: World, text: str) -> None:
    """At the first level every side effect is asked, under the rule of that level, which the card names."""
    request = await ask(shared, DANA, text)
    action = await asked(request)
    assert action.verdict is not None
    assert (action.verdict.decision, action.verdict.rule) == (Decision.ASK, "level.supervised")
    assert "Asked because your trust level is supervised." in text_of(await request.card(APPROVE))


@SHARED
@pytest.mark.parametrize("level", ["supervised", "delegated", "autonomous"])
async def test_reading_and_remembering_ask_nobody(levels: World, level: str) -> None:
    """What only looks, and what changes our own store only, runs at every level; what was saved can be undone."""
    await levels.command(JONAS, f"trust {level}")
    await unasked(await ask(levels, JONAS, READ))
    request = await ask(levels, JONAS, MEMORY)
    action = await unasked(request)
    assert action.undo
    assert "action.claimed" in await request.codes()
    await levels.until(request.said, "a line with Undo", when=lambda said: any("undo" in button_ids(m) for m in said))


@SHARED
async def test_delegated_sends_unasked_to_allowed_addresses_only(levels: World) -> None:
    """From delegated upward mail leaves without a card when every address in To, Cc and Bcc is on the list."""
    assert "delegated" in await levels.command(PRIYA, "trust delegated")
    await asked(await ask(levels, PRIYA, mail(HELEN)))
    assert HELEN in await levels.command(PRIYA, f"allow <mailto:{HELEN}|{HELEN}>")
    before = len(await levels.sent(PRIYA))

    action = await unasked(await ask(levels, PRIYA, mail(HELEN.upper())))
    assert action.verdict is not None
    assert action.verdict.rule == "level.delegated.allow_list"
    assert len(await levels.sent(PRIYA)) == before + 1
    await asked(await ask(levels, PRIYA, mail(HELEN, cc=[OTHER])))
    await asked(await ask(levels, PRIYA, mail(HELEN, OTHER)))
    await asked(await ask(levels, PRIYA, EVENT))
    assert len(await levels.sent(PRIYA)) == before + 1


@SHARED
async def test_the_allow_list_counts_for_replies(levels: World) -> None:
    """A reply's recipients stand in the mailbox: it leaves unasked only when all of them are on the list."""
    await levels.command(DANA, "trust delegated")
    search = await ask(levels, DANA, call("gmail_search", query="from:helen.marsh", limit=1))
    (found,) = (await search.ended(), await search.actions())[1]
    thread = json.loads(json.dumps(found.response))["output"]["threads"][0]["thread_id"]
    reply = call("gmail_reply", thread_id=thread, body="Fine.")
    await asked(await ask(levels, DANA, reply))
    await levels.command(DANA, f"allow {HELEN}")
    await unasked(await ask(levels, DANA, reply))


@SHARED
async def test_an_allow_list_does_not_count_when_supervised(levels: World) -> None:
    """An address on the list is asked about all the same at the first level."""
    await levels.command(LUIS, f"allow {HELEN}")
    await asked(await ask(levels, LUIS, mail(HELEN)))


async def meeting(here: World, person: Person, title: str, *, days: int) -> tuple[str, str]:
    """An event with a guest that the person made in Google Calendar, so many days from now; its id and weekday."""
    begins = SystemClock().now().replace(hour=10, minute=0, second=0, microsecond=0) + timedelta(days=days)
    body = {
        "summary": title,
        "start": {"dateTime": begins.isoformat()},
        "end": {"dateTime": (begins + timedelta(hours=1)).isoformat()},
        "attendees": [{"email": DANA.email}],
    }
    url = f"{here.google.url}/calendar/v3/calendars/primary/events"
    headers = {"authorization": f"Bearer ya29.playground-{person.handle}"}
    async with here.google.http.post(url, json=body, headers=headers) as answer:
        return str((await answer.json())["id"]), f"{begins.astimezone(ZoneInfo(person.zone)):%A}"


async def asked_by_guard(request: Request) -> str:
    """The guard that asks about the request's only action: its card has no plain yes."""
    card = await request.card(REJECT)
    assert APPROVE not in button_ids(card)
    action = await request.action(ActionState.AWAITING)
    assert action.verdict is not None
    return action.verdict.rule


async def cancelling(here: World, words: str, event_id: str) -> Request:
    """What the model does stands in code, and is no part of what is asked for."""
    return await ask(here, LUIS, f"{words}\n`{call('calendar_event_cancel', event_id=event_id)}`")


@SHARED
async def test_two_events_of_one_name_are_asked_about(levels: World) -> None:
    """Also the one that nobody looked at counts: what a model was deceived into is not the one that was meant. The only
    one of its name is cancelled at once, and so is the one whose day its owner said.
    """
    await levels.act_alone(LUIS)
    first, _ = await meeting(levels, LUIS, "Marble sync", days=2)
    await unasked(await cancelling(levels, "Cancel the Marble sync", first))

    (soon, day), (later, _) = [await meeting(levels, LUIS, "Granite sync", days=days) for days in (2, 3)]
    either = await cancelling(levels, "Cancel the Granite sync", soon)
    assert await asked_by_guard(either) == "guard.object"
    wrong = await cancelling(levels, f"Cancel the Granite sync on {day}", later)
    assert await asked_by_guard(wrong) == "guard.object"
    await unasked(await cancelling(levels, f"Cancel the Granite sync on {day}", soon))


@SHARED
async def test_what_cannot_be_told_apart_is_asked_about(levels: World) -> None:
    """Where Google does not show the other events, the call is not passed."""
    await levels.act_alone(LUIS)
    event_id, _ = await meeting(levels, LUIS, "Basalt sync", days=2)
    await levels.google.fault("error", path="calendar.events.list", times=-1, status=403, error="forbidden")
    request = await cancelling(levels, "Cancel the Basalt sync", event_id)
    assert await asked_by_guard(request) == "guard.unknown"


@SHARED
async def test_autonomous_acts_at_once_and_is_warned_of(levels: World) -> None:
    """Choosing the last level says plainly that a deceived model can then act unasked; then nothing is asked."""
    said = await levels.act_alone(MARA)
    assert "deceived model can then act unasked" in said
    before = len(await levels.sent(MARA))
    await unasked(await ask(levels, MARA, mail(OTHER)))
    await unasked(await ask(levels, MARA, EVENT))
    assert len(await levels.sent(MARA)) == before + 1


@SHARED
async def test_a_shipped_rule_asks_at_every_level(levels: World) -> None:
    """Ask beats allow: mail to a mailing list is asked even at the last level, under the rule's own id."""
    await levels.act_alone(MARA)
    action = await asked(await ask(levels, MARA, mail("friends@googlegroups.com")))
    assert action.verdict is not None
    assert action.verdict.rule == "shipped.mailing_list"


@SHARED
async def test_an_unknown_level_or_address_changes_nothing(levels: World) -> None:
    """What cannot be understood is refused with what to type instead."""
    assert "Choose one of" in await levels.command(LUIS, "trust everything")
    assert "is not a mail address" in await levels.command(LUIS, "allow everybody")
    assert "`supervised`" in await levels.command(LUIS, "trust")


# Switches and changes ------------------------------------------------------------------------------------------------


async def test_the_kill_switch_denies_every_side_effect(idle_world: World) -> None:
    """With side effects off nothing is asked and nothing done, at any level; reading goes on, and status says so."""
    world = idle_world
    await world.start_bot(agent_side_effects_enabled=False)
    await world.act_alone(DANA)
    request = await ask(world, DANA, mail(HELEN))
    await request.answer("not allowed")
    await denied(request, "kill_switch")
    await unasked(await ask(world, DANA, READ))
    await unasked(await ask(world, DANA, MEMORY))
    assert "switched off" in await world.command(DANA, "status")
    assert await world.sent(DANA) == []


async def test_no_level_above_the_cap_counts(idle_world: World) -> None:
    """`AGENT_TRUST_CAP=delegated`: `autonomous` cannot be chosen, and who chose it before is asked again."""
    world = idle_world
    await world.start_bot()
    await world.act_alone(DANA)
    assert "`autonomous`" in await world.command(DANA, "trust")
    await world.stop_bot()
    await world.start_bot(agent_trust_cap=TrustLevel.DELEGATED)
    assert "allows at most “delegated”" in await world.command(DANA, "trust autonomous")
    assert "`delegated`" in await world.command(DANA, "trust")
    await asked(await ask(world, DANA, mail(HELEN)))


@SHARED
async def test_the_kill_switch_beats_an_approval(here: World) -> None:
    """Switched off between card and click: the click counts as a vote, the claim is denied, and the card says so."""
    request = await ask(here, DANA, mail(HELEN))
    card = await request.card(APPROVE)
    await here.stop_bot()
    await here.start_bot(agent_side_effects_enabled=False)
    await here.click(DANA, card, APPROVE)
    await request.answer("not allowed")
    await denied(request, "kill_switch")
    codes = [code for code in await request.codes() if code.startswith("action.")]
    assert codes == ["action.asked", "action.approved", "action.denied"]
    assert await here.sent(DANA) == []
    await request.says("✗ Not done.")


async def voted(world: World, person: Person) -> None:
    """The owner's vote is saved while nobody can act on it: as when the bot dies right after the commit."""
    async with opened(world.settings, owner=True) as base:
        dispatcher = LocalDispatcher(base.store)
        transactions = TransactionFactory(store=base.store, clock=base.clock, bus=Bus(), dispatcher=dispatcher)
        async with base.store.read() as work:
            (question,) = await work.questions.open_of(TEAM_ID, person.user_id, limit=5)
        click = Click(team=TEAM_ID, user=person.user_id, value=question.button_value(), choice=Choice.APPROVE)
        assert (await decide(transactions, click)).accepted


@SHARED
async def test_a_vote_is_acted_on_after_a_crash(here: World) -> None:
    """A vote that was saved before the bot died is acted on at its next start, once."""
    request = await ask(here, DANA, mail(HELEN))
    await request.card(APPROVE)
    await here.stop_bot()
    await voted(here, DANA)
    await here.start_bot()
    assert (await request.ended()).state is RunState.COMPLETED
    assert len(await here.sent(DANA)) == 1


@SHARED
async def test_a_rule_made_between_vote_and_claim_denies(here: World) -> None:
    """Policy judges again in the claim: an administrator's rule that came after the vote is stricter, and counts."""
    request = await ask(here, DANA, mail(HELEN))
    await request.card(APPROVE)
    await here.stop_bot()
    await voted(here, DANA)
    rule = Rule(id="no_mail", decision=Decision.DENY, tool="gmail_send", argument=None, value=None, by=RuleAuthor.ADMIN)
    async with opened(here.settings, owner=True) as base, base.store.write() as work:
        await work.rules.add(TEAM_ID, MARA.user_id, rule, at=SystemClock().now())
    await here.start_bot()
    await denied(request, "rule.no_mail")
    assert await here.sent(DANA) == []


HELENS_RULE = f"""
  - id: helen
    decision: ask
    tool: gmail_send
    argument: to
    value: {HELEN}
    reason: She is new.
"""


def amended(*, rules: str = "", without: str = "") -> Policy:
    """The shipped policy with another rule, or with one tool less."""
    folder = Path(policies.__file__).parent
    constitution = (folder / "constitution.md").read_text(encoding="utf-8")
    return loader.parse(
        policy=(folder / "policy.yaml").read_text(encoding="utf-8") + rules,
        constitution=constitution.replace(f"  - {without}\n", ""),
    )


@SHARED
async def test_another_policy_needs_another_vote(here: World) -> None:
    """A vote is bound to the policy that was in force: under another one the owner is asked again, with a new card."""
    request = await ask(here, DANA, mail(HELEN))
    first = await request.card(APPROVE)
    await here.stop_bot()
    await here.start_bot(policy=amended(rules=HELENS_RULE))
    await here.click(DANA, first, APPROVE)
    second = await request.card(APPROVE, besides=first)
    assert "shipped.helen" in text_of(second)
    assert "You approved this before, and it was not done" in text_of(second)
    replaced = "Not done, and asked again: see the newer card."
    older = await here.message(request.channel, lambda m: m["ts"] == first["ts"] and replaced in text_of(m), replaced)
    assert "Go to it" in text_of(older)
    assert await here.sent(DANA) == []
    await here.click(DANA, second, APPROVE)
    assert (await request.ended()).state is RunState.COMPLETED
    assert len(await here.sent(DANA)) == 1


async def test_a_tool_that_the_constitution_does_not_list_is_law(idle_world: World) -> None:
    """A registered tool that is not listed is not declared to the model, and denied when called; the run goes on."""
    world = idle_world
    await world.start_bot(policy=amended(without="gmail_search"))
    request = await ask(world, DANA, READ)
    assert (await request.ended()).state is RunState.COMPLETED
    await denied(request, "constitution")
    (declarations,) = (await request.to_model())[0]["request"]["tools"]
    names = [declaration["name"] for declaration in declarations["functionDeclarations"]]
    assert "gmail_send" in names
    assert "gmail_search" not in names
    assert await request.to_google() == []


# What is kept --------------------------------------------------------------------------------------------------------


@SHARED
async def test_every_verdict_can_be_computed_again(levels: World) -> None:
    """From the stored arguments and the stored evidence alone comes the stored verdict, whatever it was."""
    await levels.command(DANA, "trust delegated")
    requests = [await ask(levels, DANA, text) for text in (READ, MEMORY, mail(HELEN), mail(OTHER), DRAFT, EVENT)]
    for request in requests:
        await levels.until(lambda request=request: _judged(request), "a verdict")
    base = levels.base
    google = GoogleClient(grants=connections(base), clock=base.clock)
    registry = Registry(
        [
            *mail_tools(google, html=HtmlReader()),
            *calendar_tools(google),
            *memory_tools(MemoryService(store=base.store, clock=base.clock)),
        ]
    )
    for request in requests:
        (action,) = await request.actions()
        tool = registry[action.tool]
        assert action.evidence is not None
        again = proposed(tool, tool.args.model_validate_json(action.args), offered=True)
        assert engine.decide(again, evidence_from_json(action.evidence)) == action.verdict


async def _judged(request: Request) -> bool:
    run = await request.run()
    return run is not None and any(action.verdict for action in await request.actions())
