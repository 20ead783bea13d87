"""A restored backup: what its original did after the copy was made is looked for, never denied and never done again."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.clock import SystemClock
from playground.people import DANA, MARA, Person
from tests.acceptance.mortal import QUICK, BotProcesses, Mortal
from tests.acceptance.slack_side import call
from tests.acceptance.world import APPROVE, Json, World, button_ids, text_of

NEVER = "not done"
SINCE = "It may have been done after the copy was made"


def mail(subject: str, **more: str) -> str:
    return call("gmail_send", to=["helen.marsh@marshgardens.example"], subject=subject, body="Ready.", **more)


@pytest.fixture
async def mortal(idle_world: World, tmp_path: Path, bot_processes: BotProcesses) -> AsyncGenerator[Mortal]:
    made = Mortal(idle_world, tmp_path, bot_processes)
    try:
        yield made
    finally:
        await made.stop()


async def command(mortal: Mortal, *arguments: str) -> str:
    """What a command says that ends well."""
    ended = await mortal.bot_processes.command(mortal.folder, *arguments, **mortal.environment())
    assert ended.status == 0, ended
    return ended.said


async def put_back(mortal: Mortal) -> None:
    """Kill the bot, put the copy in the place of its database, and start again."""
    await mortal.stop()
    await command(mortal, "restore", "copy.db", "--original-is-gone")
    await mortal.start()
    await mortal.audited("database.restored")
    await mortal.at_rest()


async def told(mortal: Mortal, person: Person) -> str:
    """All that the person's direct messages say."""
    return "\n".join(text_of(message) for message in await mortal.here.bot_messages(mortal.here.dm_of(person)))


async def card_now(mortal: Mortal, person: Person, card: Json) -> Json:
    return await mortal.here.message(mortal.here.dm_of(person), lambda m: m["ts"] == card["ts"], "the card")


async def approved(mortal: Mortal, person: Person, card: Json) -> None:
    await mortal.here.click(person, card, APPROVE)
    await mortal.here.until(lambda: mortal.here.sent(person), "the mail")
    await mortal.at_rest()


async def test_a_mail_that_was_sent_after_the_copy_is_found(mortal: Mortal) -> None:
    """Its card was open in the copy, and says that it was sent. One that nobody approved says what is not known."""
    await mortal.start()
    sent = await mortal.here.card_for(DANA, mail("Benches"))
    waiting = await mortal.here.card_for(MARA, mail("Chairs"))
    await command(mortal, "backup", "copy.db")
    await approved(mortal, DANA, sent)
    await put_back(mortal)
    assert "✓ Done." in text_of(await card_now(mortal, DANA, sent))
    assert SINCE in text_of(await card_now(mortal, MARA, waiting))
    for person in (DANA, MARA):
        said = (await told(mortal, person)).casefold()
        assert NEVER not in said
        assert "an older copy of my memory was put back" in said
    assert [mail["subject"] for mail in await mortal.here.sent(DANA)] == ["Benches"]
    assert await mortal.here.sent(MARA) == []
    assert not (await mortal.verified()).problems


async def test_an_event_that_was_created_after_the_copy_is_found(mortal: Mortal) -> None:
    """Events have ids of ours, so Google tells for certain: one was created, and of the other nothing is in doubt."""
    await mortal.start()
    day = f"{SystemClock().now() + timedelta(days=30):%Y-%m-%d}"
    event = call("calendar_event_create", title="Cake", start=f"{day}T15:00", end=f"{day}T15:30")
    created, waiting = await mortal.here.card_for(DANA, event), await mortal.here.card_for(MARA, event)
    await command(mortal, "backup", "copy.db")
    await mortal.here.click(DANA, created, APPROVE)
    await mortal.audited("action.completed")
    await mortal.at_rest()
    await put_back(mortal)
    assert "✓ Done." in text_of(await card_now(mortal, DANA, created))
    withdrawn = text_of(await card_now(mortal, MARA, waiting))
    assert "Withdrawn" in withdrawn
    assert SINCE not in withdrawn
    people = (await mortal.here.google.state())["people"]
    titles = {who: [event.get("summary") for event in people[who.handle]["events"]] for who in (DANA, MARA)}
    assert (titles[DANA].count("Cake"), titles[MARA].count("Cake")) == (1, 0)
    assert not (await mortal.verified()).problems


async def test_what_was_being_sent_when_the_copy_was_made(mortal: Mortal) -> None:
    """The copy has the claim, and no note of the draft, which came a moment later: the mail is found without it."""
    mortal.timings = {**QUICK, "tool_seconds": 15.0}  # each of its attempts has to come to its end
    await mortal.start(halt="claimed")
    card = await mortal.here.card_for(DANA, mail("Benches"))
    await mortal.here.click(DANA, card, APPROVE)
    await mortal.audited("action.claimed")
    await command(mortal, "backup", "copy.db")
    await mortal.restart()
    await mortal.here.until(lambda: mortal.here.sent(DANA), "the mail")
    await mortal.at_rest()
    await put_back(mortal)
    assert "✓ Done." in text_of(await card_now(mortal, DANA, card))
    assert len(await mortal.here.sent(DANA)) == 1
    assert not (await mortal.verified()).problems


async def test_what_was_held_back_in_the_copy(mortal: Mortal) -> None:
    """Its moment came after the copy was made, and it left: it is found, and nothing says that it was undone."""
    await mortal.start()
    in_a_month = SystemClock().now() + timedelta(days=30)
    card = await mortal.here.card_for(DANA, mail("Benches", send_at=f"{in_a_month:%Y-%m-%d}T10:00"))
    await mortal.here.click(DANA, card, APPROVE)
    held = await mortal.here.message(mortal.here.dm_of(DANA), lambda m: "held_now" in button_ids(m), "the held mail")
    await command(mortal, "backup", "copy.db")
    await mortal.here.click(DANA, held, "held_now")
    await mortal.here.until(lambda: mortal.here.sent(DANA), "the mail")
    await mortal.at_rest()
    await put_back(mortal)
    said = await told(mortal, DANA)
    assert "Nothing was sent" not in said
    assert ": Done." in said
    assert len(await mortal.here.sent(DANA)) == 1
    assert not (await mortal.verified()).problems
