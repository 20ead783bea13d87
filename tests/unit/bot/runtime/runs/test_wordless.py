"""A model that ends without words: enough where everything is told on cards and in lines, and asked again elsewhere."""

from __future__ import annotations

from bot.domain.questions import Choice
from bot.domain.runs import RunState
from bot.runtime.texts.to_model import RETRY_EMPTY
from policies.types import TrustLevel
from tests.unit.bot.runtime.runtime_harness import Harness
from tests.unit.bot.runtime.scripted import Said

LOOK, SEND = ("gmail_search", {"text": "it"}), ("gmail_send", {"text": "it"})


async def asked(here: Harness, *says: Said, level: TrustLevel = TrustLevel.AUTONOMOUS) -> tuple[RunState, str, int]:
    """How a request ends, what it says, and how often the model was asked."""
    run = await here.asked(*says, level=level)
    return run.state, run.summary, len(here.model.requests)


def said(here: Harness) -> list[str]:
    """What the agent said in the thread, as the next request hears of it."""
    return [row["text"] for row in here.base.rows("SELECT text FROM messages WHERE speaker = 'agent'")]


async def test_what_was_done_needs_no_words(here: Harness) -> None:
    """The request is completed without an answer; the next request in the thread hears what was done."""
    assert await asked(here, [SEND], "") == (RunState.COMPLETED, "", 2)
    assert said(here) == ["Done.\n• Did it"]


async def test_what_was_approved_needs_no_words(here: Harness) -> None:
    """Its card says what came of it."""
    run = await here.asked([SEND], "", level=TrustLevel.SUPERVISED)
    await here.approve(run, serve=True)
    now = await here.run(run.id)
    assert (now.state, now.summary) == (RunState.COMPLETED, "")


async def test_what_was_found_needs_words(here: Harness) -> None:
    """Nobody but the model tells what it read, also beside an effect of the same step."""
    for calls in ([LOOK], [LOOK, SEND]):
        here.model.requests.clear()
        assert await asked(here, calls, "", "Found it.") == (RunState.COMPLETED, "Found it.", 3)
        assert RETRY_EMPTY in str(here.model.requests[-1].contents[-1])


async def test_nothing_done_needs_words(here: Harness) -> None:
    """A question is not answered by silence."""
    assert await asked(here, "", "Yes.") == (RunState.COMPLETED, "Yes.", 2)


async def test_what_was_rejected_needs_words(here: Harness) -> None:
    """What was not done is said."""
    run = await here.asked([SEND], "", "I did not send it.", level=TrustLevel.SUPERVISED)
    await here.click(await here.card_of(run.id), Choice.REJECT)
    await here.serve()
    assert (await here.run(run.id)).summary == "I did not send it."


async def test_what_was_said_meanwhile_needs_words(here: Harness) -> None:
    """Somebody who wrote while it was done is answered."""
    run = await here.asked([SEND], "", "You are welcome.", level=TrustLevel.SUPERVISED)
    await here.approve(run)
    await here.says("thanks, and where is it?")
    await here.serve()
    assert (await here.run(run.id)).summary == "You are welcome."


async def test_a_call_that_cannot_be_read_is_called_as_people_call_it(here: Harness) -> None:
    """Its arguments say nothing of it, and the id of a tool is no word for people."""
    run = await here.asked([("gmail_search", {"nonsense": 1})], "I found nothing.")
    assert (await here.action(run)).caption == "Search the mail"
