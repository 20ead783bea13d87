"""Editing a card: its owner fills in a form in Slack; what is wrong stands at its field, else a new card is asked."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.clock import SystemClock
from bot.runtime.texts import about_log
from bot.slack.views.form import DAY_TOO, NOTHING
from integrations.gmail.tools.writing_tool import DRAFT_WITH_TIME
from playground.people import DANA, MARA
from tests.acceptance.slack_side import act, call, final, open_questions, press
from tests.acceptance.world import APPROVE, REJECT, Json, World, button_ids, text_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

HELEN, PRIYA = "helen.marsh@marshgardens.example", "priya@fernhill.example"
EDIT = "card_edit"


async def card_of(here: World, **more: str) -> Json:
    """A mail that waits for its approval."""
    card = await here.card_for(DANA, call("gmail_send", to=[HELEN], subject="Tea", body="Hello", **more))
    return card


async def forms(here: World) -> list[Json]:
    return (await here.slack.state())["views"].get(DANA.user_id, [])


async def opened(here: World, card: Json) -> Json:
    """The form, opened by the button of this card."""
    await here.click(DANA, card, EDIT)
    return (await here.until(lambda: forms(here), "a form"))[-1]


async def submit(here: World, form: Json, **fields: str) -> Json:
    values = {name: {"field": {"value": text}} for name, text in fields.items()}
    return await act(here, "submit", user=DANA.user_id, view_id=form["id"], values=values)


async def submit_moment(here: World, form: Json, day: str, time: str) -> Json:
    values = {
        "send_at": {"field": {"type": "datepicker", "selected_date": day}},
        "send_at:time": {"field": {"type": "timepicker", "selected_time": time}},
    }
    return await act(here, "submit", user=DANA.user_id, view_id=form["id"], values=values)


async def submit_values(here: World, form: Json, values: Json) -> Json:
    return await act(here, "submit", user=DANA.user_id, view_id=form["id"], values=values)


async def form_after(here: World, form: Json) -> Json | None:
    return next((one for one in await forms(here) if one["id"] != form["id"]), None)


async def newer_card(here: World, card: Json) -> Json:
    return await here.message(
        here.dm_of(DANA), lambda m: m["ts"] != card["ts"] and APPROVE in button_ids(m), "a newer card"
    )


async def test_a_mail_is_changed(here: World) -> None:
    """The new card shows the difference, the old one points to it, and what is approved there is what is sent."""
    card = await card_of(here)
    form = await opened(here, card)
    inputs = {block["block_id"] for block in form["blocks"] if block["type"] == "input"}
    assert inputs >= {"to", "cc", "subject", "body", "send_at", "send_at:time", "signature"}
    assert (await submit(here, form, subject="Coffee", to=f"{HELEN}\n{PRIYA}"))["acked"]
    newer = await newer_card(here, card)
    assert "Coffee" in str(newer["blocks"])
    assert "struck out was there before" in str(newer["blocks"])
    pointing = await final(here, card, "Go to it")
    assert f"/p{newer['ts'].replace('.', '')}" in str(pointing["blocks"])
    await here.click(DANA, newer, APPROVE)
    [mail] = await here.until(lambda: here.sent(DANA), "the mail")
    assert "Coffee" in str(mail)
    assert PRIYA in str(mail)


async def test_a_mail_is_sent_later(here: World) -> None:
    """Filling in the moment approves it: there is no second card, and the card says that it waits, with Undo."""
    card = await card_of(here)
    await here.click(DANA, card, "card_variant_0")
    form = (await here.until(lambda: forms(here), "a form"))[-1]
    assert [block["block_id"] for block in form["blocks"] if block["type"] == "input"] == ["send_at", "send_at:time"]
    assert "Times are those of" in str(form["blocks"])
    assert "Empty: at once" not in str(form["blocks"])
    assert [block["element"].get("initial_time") for block in form["blocks"] if "element" in block] == [None, "08:00"]
    assert "missing_value" in str(await submit_moment(here, form, "2020-01-01", ""))
    assert "That time has passed" in str(await submit_moment(here, form, "2020-01-01", "08:00"))
    assert len(await open_questions(here, DANA)) == 1
    when = SystemClock().now() + timedelta(days=2)
    await submit_moment(here, form, f"{when:%Y-%m-%d}", "08:00")
    waiting = await here.message(here.dm_of(DANA), lambda m: "held_undo" in button_ids(m), "what waits")
    assert waiting["ts"] == card["ts"]
    assert "Approved Scheduled for" in text_of(waiting)
    assert "08:00" in str(waiting["blocks"])
    assert await here.sent(DANA) == []
    assert await open_questions(here, DANA) == []
    assert "stands on App Home, under *Scheduled*." in await here.command(DANA, "schedule")
    await here.click(DANA, waiting, "held_now")
    [mail] = await here.until(lambda: here.sent(DANA), "the mail")
    assert "Tea" in str(mail)


async def test_a_mail_is_kept_as_a_draft(here: World) -> None:
    """One press saves a draft instead; nothing is sent, and the model is told so."""
    card = await card_of(here)
    await here.click(DANA, card, "card_variant_1")
    decided = await final(here, card, "Saved a draft")
    assert "Approved" in str(decided["blocks"])
    [draft] = (await here.google.state())["people"]["dana"]["drafts"]
    assert draft["subject"] == "Tea"
    assert await here.sent(DANA) == []
    await here.until(here.gemini.log, "the model asked again", when=lambda log: "it was not sent" in str(log[-1]))


async def test_a_draft_that_leaves_later_is_refused_at_its_field(here: World) -> None:
    """A mail that is to be both a draft and sent later would be neither: the form says so, and the card stays."""
    card = await card_of(here)
    form = await opened(here, card)
    when = SystemClock().now() + timedelta(days=2)
    values = {
        "send_at": {"field": {"type": "datepicker", "selected_date": f"{when:%Y-%m-%d}"}},
        "send_at:time": {"field": {"type": "timepicker", "selected_time": "08:00"}},
        "as_draft": {"field": {"type": "checkboxes", "selected_options": [{"value": "set"}]}},
    }
    answer = await submit_values(here, form, values)
    assert answer["ack_payload"]["errors"] == {"as_draft": DRAFT_WITH_TIME}
    assert len(await open_questions(here, DANA)) == 1
    assert (await form_after(here, form)) is None


async def test_a_long_mail_is_read_before_it_is_a_draft(here: World) -> None:
    """“Save draft” opens a window with all of it, and its press saves the draft; nothing is done before."""
    body = "A line of a long letter.\n" * 70 + "THE-MIDDLE\n" + "A line of a long letter.\n" * 70
    card = await here.card_for(DANA, call("gmail_send", to=[HELEN], subject="Long", body=body))
    await here.click(DANA, card, "card_variant_1")
    form = (await here.until(lambda: forms(here), "a form"))[-1]
    assert "THE-MIDDLE" in str(form["blocks"])
    assert form["submit"]["text"] == "Save draft"
    await submit_values(here, form, {})
    await final(here, card, "Saved a draft")
    async with here.base.store.read() as work:
        entries = await work.audit.page(after=0, limit=1_000)
    said = [about_log.line(entry, "UTC").partition(" – ")[2] for entry in entries]
    assert {"<@U0DANA> pressed Save draft", "The agent is about to save a draft", "The agent saved a draft"} <= set(
        said
    )


async def test_only_the_owner_gets_a_variant(here: World) -> None:
    """Somebody else's press does nothing, and a variant that the card does not offer is none."""
    card = await card_of(here)
    await press(here, MARA, card, "card_variant_1")
    assert len(await open_questions(here, DANA)) == 1
    assert not (await here.google.state())["people"]["dana"]["drafts"]


async def test_what_is_wrong_stands_at_its_field(here: World) -> None:
    """An address that is none keeps the form open with everything in it; the card waits as it was."""
    card = await card_of(here)
    form = await opened(here, card)
    answer = await submit(here, form, to="nobody", subject="Coffee")
    assert "to" in str(answer)
    assert DAY_TOO in str(await submit_moment(here, form, "", "10:00"))
    assert [form["id"] for form in await forms(here)] == [form["id"]]
    assert len(await open_questions(here, DANA)) == 1


async def test_all_that_is_wrong_is_said_at_once(here: World) -> None:
    """Half a moment, an address that is none and one more in another field: each stands at its own field."""
    card = await card_of(here)
    form = await opened(here, card)
    values = {name: {"field": {"value": text}} for name, text in {"to": "nobody", "cc": "somebody"}.items()}
    half = {"send_at": {"field": {"type": "datepicker", "selected_date": ""}}}
    half["send_at:time"] = {"field": {"type": "timepicker", "selected_time": "10:00"}}
    answer = await act(here, "submit", user=DANA.user_id, view_id=form["id"], values={**values, **half})
    assert set(answer["ack_payload"]["errors"]) == {"to", "cc", "send_at"}


async def test_a_card_that_was_decided_meanwhile(here: World) -> None:
    """The form says so in its place, and nothing is changed."""
    card = await card_of(here)
    form = await opened(here, card)
    await here.click(DANA, card, REJECT)
    await submit(here, form, subject="Coffee")
    await here.until(lambda: forms(here), "the word", when=lambda forms: "Not changed" in str(forms))
    assert await open_questions(here, DANA) == []


async def test_only_the_owner_gets_the_form(here: World) -> None:
    """Somebody else's press opens nothing."""
    card = await card_of(here)
    await press(here, MARA, card, EDIT)
    assert not (await here.slack.state())["views"]


async def test_a_long_text_is_left_as_it_is(here: World) -> None:
    """What a form cannot hold is said there, and stays."""
    card = await here.card_for(DANA, call("gmail_send", to=[HELEN], subject="Tea", body="word " * 700))
    form = await opened(here, card)
    assert "body" not in {block["block_id"] for block in form["blocks"]}
    assert "stays as it is" in str(form["blocks"])


async def test_how_an_event_repeats_is_chosen_in_fields(here: World) -> None:
    """A rule beyond the choices stays as the card says it while its end changes; another choice is another rule."""
    times = {"start": "2031-03-03T10:00", "end": "2031-03-03T11:00"}
    rule = "RRULE:FREQ=MONTHLY;BYDAY=1MO;COUNT=9"
    card = await here.card_for(DANA, call("calendar_event_create", title="Tea", recurrence=rule, **times))
    form = await opened(here, card)
    fields = {block["block_id"]: block["element"] for block in form["blocks"] if block["type"] == "input"}
    assert fields["recurrence"]["initial_option"]["text"]["text"] == "As the card says"
    assert fields["recurrence.count"]["initial_value"] == "9"

    until = {"recurrence.until": {"field": {"type": "datepicker", "selected_date": "2031-12-31"}}}
    answer = await submit_values(here, form, until)
    assert "COUNT and UNTIL" in answer["ack_payload"]["errors"]["recurrence"]
    none = {"recurrence.count": {"field": {"type": "plain_text_input", "value": ""}}}
    await submit_values(here, form, until | none)
    newer = await newer_card(here, card)
    assert "every month on the first Monday, until Wed 31 Dec 2031" in str(newer["blocks"])

    await here.click(DANA, newer, EDIT)
    form = await here.until(lambda: form_after(here, form), "another form")
    once = {"field": {"type": "static_select", "selected_option": {"value": NOTHING}}}
    await submit_values(here, form, {"recurrence": once})
    last = await newer_card(here, newer)
    assert "Create this event?" in str(last["blocks"])
