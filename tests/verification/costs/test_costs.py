"""What each step of a request costs, and a whole approved mail: exact, on both databases.

Whoever changes a figure changes it here and says why; `pytest -n0 tests/verification/costs --inline-snapshot=fix`
writes the new ones. What happens by the clock is not counted: ticks, renewals, and the looks of the relay. On
PostgreSQL nor are the looks at a thread, and those for jobs, of which a request needs none.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio
from inline_snapshot import snapshot

from playground.people import DANA, MARA
from tests.acceptance.slack_side import HELEN, MAIL_HELEN, SALES, call, send_mail
from tests.acceptance.world import APPROVE
from tests.depth import first
from tests.postgres import PostgresServer
from tests.verification.costs.cost import Cost
from tests.verification.costs.scene import Scene, scene

pytestmark = pytest.mark.asyncio(loop_scope="module")
SEARCH = call("gmail_search", query="in:inbox", limit=3)


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=first(1, ["sqlite", "postgresql"]))
async def stage(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[tuple[str, Scene]]:
    """A bot over either database that has worked for everybody before, so that its caches are filled."""
    folder, database = tmp_path_factory.mktemp("costs"), request.param
    if database == "sqlite":
        async with scene(folder, alone=MARA) as made:
            await _practise(made)
            yield database, made
        return
    postgres: PostgresServer = request.getfixturevalue("postgres")
    with postgres.database() as url:
        async with scene(folder, alone=MARA, postgresql=url) as made:
            await _practise(made)
            yield database, made


async def _practise(here: Scene) -> None:
    await here.end()
    await _approved_mail(here)
    await _allowed_mail(here)


async def _question(here: Scene) -> list[Cost]:
    """Until the model is asked, the step that reads, and from then on."""
    await here.here.say(DANA, SEARCH)
    beginning = await here.model_asked()
    await here.answer()
    read = await here.model_asked()
    await here.answer()
    return [beginning, read, await here.end()]


async def _approved_mail(here: Scene) -> list[Cost]:
    """Until the model is asked, until the card stands, from the click until the model is asked, and from then on."""
    await here.here.mention(DANA, SALES, MAIL_HELEN)
    beginning = await here.model_asked()
    await here.answer()
    card, asked = await here.card_for(DANA)
    await here.here.click(DANA, card, APPROVE)
    approved = await here.model_asked()
    await here.answer()
    return [beginning, asked, approved, await here.end()]


async def _allowed_mail(here: Scene) -> Cost:
    await here.here.say(MARA, send_mail(HELEN))
    await here.model_asked()
    await here.answer()
    done = await here.model_asked()
    await here.answer()
    await here.end()
    return done


async def test_a_question_that_needs_one_look(stage: tuple[str, Scene]) -> None:
    """Its beginning until the model is asked, the step that reads, and the final text."""
    database, here = stage
    beginning, read, final = await _question(here)
    assert (
        beginning.text()
        == snapshot(
            {
                "sqlite": """\
listener    14 statements, 0 reading, 1 writing
live view    1 statements, 1 reading, 0 writing
model       19 statements, 4 reading, 1 writing
sealer       3 statements, 0 reading, 1 writing
thread       4 statements, 0 reading, 1 writing
in all      41 statements, 5 reading, 4 writing
model 0, Google 0
Slack 2: agents.sessions.setStatus 1, assistant.threads.setStatus 1
bytes 4176: audit 2032, audit_heads 300, contents 137, inbox 55, messages 406, runs 1157, threads 89
the instruction is written 1 times\
""",
                "postgresql": """\
listener    16 statements, 0 reading, 1 writing
model       20 statements, 4 reading, 1 writing
sealer       5 statements, 0 reading, 1 writing
thread       7 statements, 0 reading, 1 writing
in all      48 statements, 4 reading, 4 writing
model 0, Google 0
Slack 2: agents.sessions.setStatus 1, assistant.threads.setStatus 1
bytes 4176: audit 2032, audit_heads 300, contents 137, inbox 55, messages 406, runs 1157, threads 89
the instruction is written 1 times\
""",
            }
        )[database]
    )
    assert (
        read.text()
        == snapshot(
            {
                "sqlite": """\
action       8 statements, 1 reading, 1 writing
live view    2 statements, 2 reading, 0 writing
model        6 statements, 0 reading, 1 writing
sealer       3 statements, 0 reading, 1 writing
in all      19 statements, 3 reading, 3 writing
model 1, Google 2
Slack 2: assistant.threads.setStatus 2
bytes 12303: actions 4055, audit 4014, audit_heads 300, contents 1654, objects 662, runs 1186,
  spending 50, steps 290, threads 92
the instruction is written 2 times\
""",
                "postgresql": """\
action      15 statements, 1 reading, 1 writing
model       11 statements, 0 reading, 1 writing
sealer       5 statements, 0 reading, 1 writing
in all      31 statements, 1 reading, 3 writing
model 1, Google 2
Slack 2: assistant.threads.setStatus 2
bytes 12303: actions 4055, audit 4014, audit_heads 300, contents 1654, objects 662, runs 1186,
  spending 50, steps 290, threads 92
the instruction is written 2 times\
""",
            }
        )[database]
    )
    assert (
        final.text()
        == snapshot(
            {
                "sqlite": """\
delivery    11 statements, 5 reading, 3 writing
live view    5 statements, 4 reading, 1 writing
model       11 statements, 0 reading, 1 writing
sealer       3 statements, 0 reading, 1 writing
thread       5 statements, 1 reading, 1 writing
in all      35 statements, 10 reading, 7 writing
model 1, Google 0
Slack 6: agents.sessions.setStatus 1, assistant.threads.setStatus 2, chat.startStream 1,
  chat.stopStream 1, chat.update 1
bytes 3824: audit 998, audit_heads 300, contents 571, messages 480, outbox 371, posts 134, runs 920,
  spending 50
the instruction is written 1 times\
""",
                "postgresql": """\
delivery    18 statements, 5 reading, 5 writing
live view    6 statements, 0 reading, 3 writing
model       16 statements, 0 reading, 1 writing
sealer       5 statements, 0 reading, 1 writing
thread       5 statements, 0 reading, 1 writing
in all      50 statements, 5 reading, 11 writing
model 1, Google 0
Slack 7: agents.sessions.setStatus 1, assistant.threads.setStatus 2, chat.appendStream 1,
  chat.startStream 1, chat.stopStream 1, chat.update 1
bytes 3824: audit 998, audit_heads 300, contents 571, messages 480, outbox 371, posts 134, runs 920,
  spending 50
the instruction is written 1 times\
""",
            }
        )[database]
    )


async def test_work_that_is_given_to_an_agent(stage: tuple[str, Scene]) -> None:
    """The step that gives it and the beginning of the agent's run, until its model is asked; and its step with the
    result, until the assistant's is. The agent's run has two commits of its own, its beginning and its step: giving
    and handing over add none. Each is a delivery of the message about agents.
    """
    database, here = stage
    await _question(here)  # whoever writes SQLite's file knows from then on how Dana stands
    nothing: list[str] = []
    result = {"summary": "Quiet.", "meetings": nothing, "waiting": nothing, "next_week": nothing}
    await here.here.say(DANA, call("week_review", first_day=call("complete_task", review=result)))
    await here.model_asked()
    await here.answer()
    given = await here.model_asked()
    await here.answer()
    handed_over = await here.model_asked()
    await here.answer()
    await here.end()
    own = 3  # the step that gives it, the beginning of the agent's run, and that run's step
    assert given.writing("model") + handed_over.writing("model") <= own + 2
    assert (
        given.text()
        == snapshot(
            {
                "sqlite": """\
delivery     9 statements, 2 reading, 3 writing
live view    1 statements, 1 reading, 0 writing
model       24 statements, 2 reading, 2 writing
sealer       3 statements, 0 reading, 1 writing
thread       1 statements, 1 reading, 0 writing
in all      38 statements, 6 reading, 6 writing
model 1, Google 0
Slack 1: chat.postMessage 1
bytes 12388: actions 1795, audit 4210, audit_heads 300, contents 807, definitions 2292, outbox 371,
  posts 67, runs 2351, spending 50, steps 145
the instruction is written 2 times\
""",
                "postgresql": """\
delivery    16 statements, 2 reading, 5 writing
model       35 statements, 2 reading, 2 writing
sealer       5 statements, 0 reading, 1 writing
in all      56 statements, 4 reading, 8 writing
model 1, Google 0
Slack 1: chat.postMessage 1
bytes 12388: actions 1795, audit 4210, audit_heads 300, contents 807, definitions 2292, outbox 371,
  posts 67, runs 2351, spending 50, steps 145
the instruction is written 2 times\
""",
            }
        )[database]
    )
    assert (
        handed_over.text()
        == snapshot(
            {
                "sqlite": """\
delivery     8 statements, 2 reading, 2 writing
live view    1 statements, 1 reading, 0 writing
model       20 statements, 1 reading, 1 writing
sealer       3 statements, 0 reading, 1 writing
thread       2 statements, 1 reading, 0 writing
in all      34 statements, 5 reading, 4 writing
model 1, Google 0
Slack 1: chat.update 1
bytes 10251: actions 2402, audit 4490, audit_heads 300, contents 784, outbox 371, runs 1564,
  spending 50, steps 290
the instruction is written 2 times\
""",
                "postgresql": """\
delivery    15 statements, 2 reading, 4 writing
model       33 statements, 1 reading, 1 writing
sealer       5 statements, 0 reading, 1 writing
in all      53 statements, 3 reading, 6 writing
model 1, Google 0
Slack 1: chat.update 1
bytes 11736: actions 2402, audit 4490, audit_heads 300, contents 784, outbox 371, runs 3049,
  spending 50, steps 290
the instruction is written 4 times\
""",
            }
        )[database]
    )


async def test_an_effect_that_is_allowed(stage: tuple[str, Scene]) -> None:
    """A step that sends a mail for somebody for whom the agent acts alone."""
    database, here = stage
    assert (await _allowed_mail(here)).text() == snapshot(
        {
            "sqlite": """\
action      22 statements, 6 reading, 3 writing
live view    2 statements, 2 reading, 0 writing
model        9 statements, 1 reading, 1 writing
sealer       3 statements, 0 reading, 1 writing
thread       2 statements, 1 reading, 0 writing
in all      38 statements, 10 reading, 5 writing
model 1, Google 6
Slack 0:
bytes 20917: actions 12186, audit 5786, audit_heads 300, contents 718, objects 168, runs 1184,
  spending 50, steps 435, threads 90
the instruction is written 2 times\
""",
            "postgresql": """\
action      41 statements, 6 reading, 3 writing
model       14 statements, 1 reading, 1 writing
sealer       5 statements, 0 reading, 1 writing
in all      60 statements, 7 reading, 5 writing
model 1, Google 6
Slack 0:
bytes 20917: actions 12186, audit 5786, audit_heads 300, contents 718, objects 168, runs 1184,
  spending 50, steps 435, threads 90
the instruction is written 2 times\
""",
        }
    )[database]


async def test_an_approved_mail(stage: tuple[str, Scene]) -> None:
    """What is asked until the card stands, what the click does, and all from the mention to “Done”."""
    database, here = stage
    beginning, asked, approved, final = await _approved_mail(here)
    assert (
        asked.text()
        == snapshot(
            {
                "sqlite": """\
action      15 statements, 4 reading, 1 writing
delivery    23 statements, 8 reading, 7 writing
live view    2 statements, 2 reading, 0 writing
model        6 statements, 0 reading, 1 writing
sealer       3 statements, 0 reading, 1 writing
thread       5 statements, 1 reading, 1 writing
in all      54 statements, 15 reading, 11 writing
model 1, Google 3
Slack 7: agents.sessions.setStatus 1, assistant.threads.setStatus 1, chat.getPermalink 1,
  chat.postMessage 3, conversations.history 1
bytes 12142: actions 4077, audit 4484, audit_heads 300, contents 427, outbox 724, posts 225,
  questions 363, runs 1202, spending 50, steps 290
the instruction is written 2 times\
""",
                "postgresql": """\
action      24 statements, 4 reading, 1 writing
delivery    32 statements, 8 reading, 9 writing
model       11 statements, 0 reading, 1 writing
sealer       5 statements, 0 reading, 1 writing
thread       5 statements, 0 reading, 1 writing
in all      77 statements, 12 reading, 13 writing
model 1, Google 3
Slack 7: agents.sessions.setStatus 1, assistant.threads.setStatus 1, chat.getPermalink 1,
  chat.postMessage 3, conversations.history 1
bytes 12142: actions 4077, audit 4484, audit_heads 300, contents 427, outbox 724, posts 225,
  questions 363, runs 1202, spending 50, steps 290
the instruction is written 2 times\
""",
            }
        )[database]
    )
    assert (
        approved.text()
        == snapshot(
            {
                "sqlite": """\
action      24 statements, 5 reading, 3 writing
delivery    18 statements, 6 reading, 4 writing
listener    16 statements, 0 reading, 1 writing
live view    1 statements, 1 reading, 0 writing
model        4 statements, 1 reading, 0 writing
sealer       3 statements, 0 reading, 1 writing
thread       2 statements, 1 reading, 0 writing
in all      68 statements, 14 reading, 9 writing
model 0, Google 3
Slack 6: agents.sessions.setStatus 1, assistant.threads.setStatus 1, chat.getPermalink 2,
  chat.update 2
bytes 28551: actions 14937, audit 9094, audit_heads 300, contents 264, objects 175, outbox 964,
  questions 379, runs 1791, steps 435, threads 91, votes 121
the instruction is written 3 times\
""",
                "postgresql": """\
action      42 statements, 5 reading, 3 writing
delivery    22 statements, 6 reading, 4 writing
listener    18 statements, 0 reading, 1 writing
model        4 statements, 1 reading, 0 writing
sealer       5 statements, 0 reading, 1 writing
thread       9 statements, 0 reading, 1 writing
in all     100 statements, 12 reading, 10 writing
model 0, Google 3
Slack 6: agents.sessions.setStatus 1, assistant.threads.setStatus 1, chat.getPermalink 2,
  chat.update 2
bytes 28551: actions 14937, audit 9094, audit_heads 300, contents 264, objects 175, outbox 964,
  questions 379, runs 1791, steps 435, threads 91, votes 121
the instruction is written 3 times\
""",
            }
        )[database]
    )
    assert (beginning + asked + approved + final).text() == snapshot(
        {
            "sqlite": """\
action      39 statements, 9 reading, 4 writing
delivery    52 statements, 20 reading, 13 writing
listener    33 statements, 1 reading, 2 writing
live view    5 statements, 5 reading, 0 writing
model       38 statements, 4 reading, 3 writing
sealer      12 statements, 0 reading, 4 writing
thread      16 statements, 3 reading, 3 writing
in all     195 statements, 42 reading, 29 writing
model 2, Google 6
Slack 20: agents.sessions.setStatus 4, assistant.threads.setStatus 4, chat.getPermalink 5,
  chat.postMessage 3, chat.update 3, conversations.history 1
bytes 47548: actions 19014, audit 16612, audit_heads 1200, contents 824, inbox 56, messages 764,
  objects 175, outbox 2059, posts 225, questions 742, runs 4750, spending 100, steps 725, threads
  181, votes 121
the instruction is written 7 times\
""",
            "postgresql": """\
action      66 statements, 9 reading, 4 writing
delivery    72 statements, 20 reading, 17 writing
listener    37 statements, 1 reading, 2 writing
model       51 statements, 4 reading, 3 writing
sealer      20 statements, 0 reading, 4 writing
thread      26 statements, 0 reading, 4 writing
in all     272 statements, 34 reading, 34 writing
model 2, Google 6
Slack 20: agents.sessions.setStatus 4, assistant.threads.setStatus 4, chat.getPermalink 5,
  chat.postMessage 3, chat.update 3, conversations.history 1
bytes 47548: actions 19014, audit 16612, audit_heads 1200, contents 824, inbox 56, messages 764,
  objects 175, outbox 2059, posts 225, questions 742, runs 4750, spending 100, steps 725, threads
  181, votes 121
the instruction is written 7 times\
""",
        }
    )[database]
