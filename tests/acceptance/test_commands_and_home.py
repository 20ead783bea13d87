"""`/agent`, App Home, the session's status, Stop in its four forms, and Undo of a memory."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from dataclasses import replace
from functools import partial

import pytest

from playground.people import DANA, JONAS, MARA, TEAM_ID, THEO
from tests.acceptance.slack_side import (
    HELEN,
    MAIL_HELEN,
    SALES,
    act,
    at_rest,
    call,
    clicked_until_it_counts,
    command,
    final,
    home,
    press,
    reply_in,
    runs_of,
    statuses,
    views,
    whispered,
)
from tests.acceptance.world import APPROVE, PATIENT, World, button_ids, text_of

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_commands_answer_and_take_effect(here: World) -> None:
    """Each word does what it says; what cannot be understood is answered with what to type, and changes nothing."""
    assert "/agent allow" in await command(here, DANA, "help") == await command(here, DANA, "")
    assert "do not know “dan&lt;!channel&gt;ce”" in await command(here, DANA, "dan<!channel>ce")
    status = await command(here, DANA, "status")
    assert "`supervised`" in status
    assert DANA.email in status
    assert "`supervised`" in await command(here, DANA, "trust")
    assert "Nothing was changed" in await command(here, DANA, "trust everybody")
    assert "now `delegated`" in await command(here, DANA, "TRUST Delegated")
    assert "deceive" in await here.act_alone(DANA)
    assert "now `delegated`" in await command(here, DANA, "trust delegated")
    assert "Tell me one address" in await command(here, DANA, "allow")
    for bad in ("nobody", "a@@b.example", "two@example.com three@example.com", "<@U0MARA>", "x" * 3_000):
        assert "Nothing was changed" in await command(here, DANA, f"allow {bad}")
    assert HELEN in await command(here, DANA, f"allow {HELEN}")
    assert "Nothing of yours is running" in await command(here, DANA, "stop")
    codes = await here.audit_codes()
    assert codes.count("person.trust_level") == 3
    assert codes.count("person.allowed") == 1
    await here.say(DANA, MAIL_HELEN)
    await here.until(lambda: here.sent(DANA), "the mail to somebody allowed, without a card")
    await here.say(DANA, "email somebody.else@example.com that Thursday works")
    await here.card_in(here.dm_of(DANA))


async def test_who_never_wrote_is_known_from_a_command_and_from_app_home(here: World) -> None:
    """An administrator sees what administrators see, with the times of where they are."""
    assert await here.read(lambda work: work.users.find(TEAM_ID, MARA.user_id)) is None
    audit = await command(here, MARA, "audit")
    assert "The newest entries of this workspace" in audit
    assert MARA.zone in audit
    assert await here.read(lambda work: work.users.find(TEAM_ID, JONAS.user_id)) is None
    await act(here, "open_home", user=JONAS.user_id, tab="home")
    await here.until(lambda: home(here, JONAS), "his App Home")
    known = await here.read(lambda work: work.users.find(TEAM_ID, JONAS.user_id))
    assert known is not None
    assert known.zone == JONAS.zone


async def test_a_guest_has_no_commands(here: World) -> None:
    """Guests are told that they cannot use the agent, and nothing is changed."""
    answer = await act(here, "command", user=THEO.user_id, channel="C0SHOW", command="/agent", text="trust autonomous")
    assert "Guests" in answer["message"]["text"]
    known = await here.read(lambda work: work.users.find(TEAM_ID, THEO.user_id))
    assert known is None or known.level == "supervised"
    assert "person.turned_away" in await here.audit_codes()


async def test_what_was_not_saved_says_so(here: World) -> None:
    """While the database takes no writes, a click and a command say “not saved”; pressed again later they count."""
    card = await here.card_for(DANA, MAIL_HELEN)
    await at_rest(here, DANA, runs=1)
    await here.stop_bot()
    await here.start_bot(timings=replace(PATIENT, patience_seconds=0.6))
    blocker = await asyncio.to_thread(lambda: sqlite3.connect(here.settings.sqlite_path, check_same_thread=False))
    blocker.isolation_level = None
    try:
        await here.until(lambda: _locked(blocker), "the database for ourselves")
        click, answer = await asyncio.gather(press(here, DANA, card, APPROVE), command(here, DANA, "trust delegated"))
    finally:
        blocker.close()
    assert click["acked"]
    assert "Not saved, send it again." in answer
    await whispered(here, DANA, "Not saved, press again.")
    assert await here.sent(DANA) == []
    sent_again = partial(command, here, DANA, "trust delegated")
    await here.until(sent_again, "a command that counts", when=lambda said: "now `delegated`" in said)
    await clicked_until_it_counts(here, DANA, card)
    await here.until(lambda: here.sent(DANA), "the mail")


async def _locked(blocker: sqlite3.Connection) -> bool:
    try:
        blocker.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError:
        return False
    return True


async def shown_home(here: World, words: str, *, without: str = "\0") -> str:
    """Dana's tab once it says this (and not that)."""

    async def there() -> str:
        text = json.dumps(await home(here, DANA), ensure_ascii=False)
        return text if words in text and without not in text else ""

    return await here.until(there, f"“{words}” on the tab")


async def test_app_home_shows_what_matters_and_follows_it(here: World) -> None:
    """Empty at first; then trust level, accounts, what waits with a link to its card, and the last runs."""
    await act(here, "open_home", user=DANA.user_id, tab="home")
    empty = await shown_home(here, "You have not asked for anything yet.")
    assert "Trust level: supervised" in empty
    assert DANA.email in empty
    assert "Nothing waits for you." in empty
    card = await here.card_for(DANA, MAIL_HELEN)
    waiting = await shown_home(here, "Go to the card")
    assert f"archives/{card['channel']}/p{card['ts'].replace('.', '')}" in waiting
    assert "stop_mine" in waiting
    view = await home(here, DANA)
    assert view
    await act(here, "click", user=DANA.user_id, view_id=view["id"], action_id="show_all")
    await here.until(lambda: views(here, DANA), "the modal", when=lambda shown: HELEN in str(shown))
    await here.click(DANA, card, APPROVE)
    await command(here, DANA, "trust delegated")
    after = await shown_home(here, "Nothing waits for you.", without="Trust level: supervised")
    after = await shown_home(here, "works – Sent ", without="stop_mine")
    assert "Trust level: delegated" in after
    await act(here, "open_home", user=JONAS.user_id, tab="home")
    other = json.dumps(await here.until(lambda: home(here, JONAS), "the tab of Jonas"))
    assert DANA.email not in other
    assert HELEN not in other


async def test_app_home_of_a_guest_offers_nothing(here: World) -> None:
    """The agent does not work for guests: their tab says so, and has no button that would only be refused."""
    await act(here, "open_home", user=THEO.user_id, tab="home")
    shown = await here.until(lambda: home(here, THEO), "the tab of Theo")
    assert [block["text"]["text"] for block in shown["blocks"]] == [
        "Guests and people from other workspaces cannot use me."
    ]


async def test_the_session_tells_where_the_run_stands(here: World) -> None:
    """Processing while it works, suspended while a card waits, active at the end."""
    root = (await here.say(DANA, MAIL_HELEN))["ts"]
    dm = here.dm_of(DANA)
    (card,) = await here.card_in(dm)
    await here.until(
        lambda: statuses(here, dm, root), "the suspended session", when=lambda told: told[-1:] == ["suspended"]
    )
    await here.click(DANA, card, APPROVE)
    await here.until(
        lambda: statuses(here, dm, root), "the end of the session", when=lambda told: told[-1:] == ["active"]
    )
    seen = await statuses(here, dm, root)
    assert seen[0] == "processing"
    assert [status for status in seen if status != "processing"] == ["suspended", "active"]


@pytest.mark.parametrize("way", ["typed in the thread", "typed on top of the DM", "button", "home"])
async def test_stop_cancels_and_says_what_was_done(here: World, way: str) -> None:
    """However its owner says it, Stop withdraws what waits, and the answer names what was done and what was not."""
    dm = here.dm_of(DANA)
    two = "".join(call("gmail_send", to=[f"{n}@example.com"], subject=n, body=n) for n in ("one", "two"))
    root = (await here.say(DANA, two))["ts"]
    cards = await here.card_in(dm, count=2)
    one, other = sorted(cards, key=lambda card: "one@example.com" not in text_of(card))
    await here.click(DANA, one, APPROVE)
    await final(here, one, "✓ Done.")
    match way:
        case "typed in the thread":
            await here.say(MARA, "stop", channel=here.dm_of(MARA))
            await here.say(DANA, "Stop!", thread_ts=root)
        case "typed on top of the DM":
            await here.say(DANA, "stop")
        case "button":
            await act(here, "stop_session", user=DANA.user_id, channel=dm, thread_ts=root, force=True)
        case _:
            await act(here, "open_home", user=DANA.user_id, tab="home")
            await shown_home(here, "stop_mine")
            view = await home(here, DANA)
            assert view
            await act(here, "click", user=DANA.user_id, view_id=view["id"], action_id="stop_mine")
    await final(here, other, "Withdrawn")
    said = text_of(await reply_in(here, dm, root, "Stopped"))
    assert "one@example.com" in said
    assert "not done" in said
    (run,) = await at_rest(here, DANA, runs=1)
    assert run.state == "cancelled"
    assert len(await here.sent(DANA)) == 1
    assert "run.stop_asked" in await here.audit_codes()


async def test_nobody_stops_what_is_not_theirs(here: World) -> None:
    """Stop by a stranger, with Slack's button or in words, changes nothing; the one who pressed is told."""
    root = (await here.mention(DANA, SALES, MAIL_HELEN))["ts"]
    await here.card_in(here.dm_of(DANA))
    await act(here, "stop_session", user=MARA.user_id, channel=SALES, thread_ts=root, force=True)
    await whispered(here, MARA, "Only the person who asked")
    assert "run.stop_refused" in await here.audit_codes()
    await here.say(MARA, "stop", channel=SALES, thread_ts=root)
    await here.mention(MARA, SALES, "stop", thread_ts=root)
    await reply_in(here, SALES, root, "nothing to stop")
    assert "Nothing of yours" in await command(here, MARA, "stop")
    (run,) = await runs_of(here, DANA)
    assert run.state == "awaiting_confirmation"
    (card,) = await here.cards(here.dm_of(DANA))
    await here.click(DANA, card, APPROVE)
    await here.until(lambda: here.sent(DANA), "the mail")


async def test_stop_while_the_model_is_asked(here: World) -> None:
    """A run that waits for the model is stopped at once, and says that nothing was changed."""
    await here.gemini.fault("hold", path="streamGenerateContent", seconds=30)
    root = (await here.say(DANA, "hello"))["ts"]
    await here.until(here.gemini.no_fault, "a call of the model")
    await here.say(DANA, "stop", thread_ts=root)
    said = await reply_in(here, here.dm_of(DANA), root, "Stopped")
    assert "Nothing was changed" in text_of(said)


async def test_a_saved_memory_can_be_undone(here: World) -> None:
    """Every save shows an Undo; pressed, the memory is gone and says so; pressed in a copy, it is gone already."""
    await here.say(DANA, "remember that the yard opens at seven")
    saved = await here.answer_in(here.dm_of(DANA), "kept for later conversations")
    assert "undo" in button_ids(saved)
    await at_rest(here, DANA, runs=1)
    await press(here, DANA, saved, "undo")
    await here.answer_in(here.dm_of(DANA), "Forgotten")
    assert not any("undo" in button_ids(message) for message in await here.bot_messages(here.dm_of(DANA)))
    asked = (await here.say(DANA, "what do you remember about the yard?"))["ts"]
    await reply_in(here, here.dm_of(DANA), asked, "I remember nothing")
    assert "memory.forgotten" in await here.audit_codes()
