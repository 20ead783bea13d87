"""Mails that are written: from which address, how they are signed, when they leave."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, cast

import pytest

from bot.tools.arguments import InvalidArguments, validate
from integrations.base import Requester, ToolContext
from integrations.errors import ModelRetry, ToolFailed
from integrations.gmail.tools.draft_create import GmailDraftCreate
from integrations.gmail.tools.send import GmailSend
from playground.google.gmail.letters import Letter
from playground.people import TEAM_ID
from policies.guards.impacts import addresses_of
from tests.integration.google_world import World, data, shown
from tests.integration.mails import BRUNO, HELEN, LOUNGERS, box_of, deliver, mail_from, mail_of

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_an_alias_that_was_confirmed_can_be_chosen(world: World) -> None:
    """The mail leaves from it; one that Gmail does not accept is refused with those that it does."""
    arguments = {**LOUNGERS, "from_address": "orders@fernhill.example"}
    card = await world.preview("gmail_send", arguments)
    assert shown(card)["From"] == "orders@fernhill.example (Fernhill Orders)"
    assert shown(card)["Signature"] == "your name, below the text"  # Gmail keeps none for it
    assert shown(card)["Body"] == f"{LOUNGERS['body']}\nFernhill Orders"
    assert card.impact is not None
    assert card.impact.sender == "orders@fernhill.example"
    result = await world.execute("gmail_send", arguments, card=card)
    assert mail_of(world, data(result)["message_id"])["From"] == "Fernhill Orders <orders@fernhill.example>"
    for wrong in ("mara@lindqvist.example", "dana@fernhill.example", "orders"):
        with pytest.raises(ModelRetry):
            await world.preview("gmail_send", {**LOUNGERS, "from_address": wrong})


async def test_a_draft_in_a_thread_leaves_from_the_alias_that_was_written_to(world: World) -> None:
    """A draft and a reply agree about the sender."""
    mail = mail_from(BRUNO, "Oak", to="orders+vip@fernhill.example")
    mail["Message-Id"] = "<oak@kellerholz.example>"
    now = world.emulator.world.post.now_ms()
    got = box_of(world).add(Letter(mail.as_bytes()), labels={"INBOX"}, arrived_ms=now)
    reply: dict[str, Any] = {"thread_id": got.thread_id, "body": "Yes."}
    draft = {**reply, "to": [BRUNO], "subject": "Re: Oak"}
    for name, arguments in (("gmail_reply", reply), ("gmail_draft_create", draft)):
        card = await world.preview(name, arguments)
        assert shown(card)["From"] == "orders@fernhill.example (Fernhill Orders)"
        assert card.impact is not None
        assert card.impact.sender == ""  # nobody chose it


async def test_a_mail_to_oneself_reaches_nobody(world: World) -> None:
    """Its address need not be named; what it says is judged all the same, as a link could mislead its owner."""
    text = {"subject": "Summary", "body": "All at evil.example/pay"}
    card = await world.preview("gmail_send", {"to": ["MARA@fernhill.example"], **text})
    assert card.impact is not None
    assert card.impact.destinations == []
    assert addresses_of(card.impact) == ["evil.example/pay"]
    both = await world.preview("gmail_send", {"to": ["mara@fernhill.example", HELEN], **text})
    assert both.impact is not None
    assert both.impact.destinations == [HELEN]


@pytest.mark.parametrize(
    ("to", "links"),
    [
        (f"Sign in at https://evil.example/pay?d=812000 <{HELEN}>", ["evil.example/pay?d=812000"]),
        (f"evil.example <{HELEN}>", ["evil.example"]),
        (f"Helen Marsh <{HELEN}>", []),
    ],
)
async def test_a_link_in_a_recipients_name_leaves_with_the_mail(world: World, to: str, links: list[str]) -> None:
    """Everybody who gets it reads the name, so it is judged as the text is."""
    card = await world.preview("gmail_send", {"to": [to], "cc": [BRUNO], "subject": "Hello", "body": "Hello Helen"})
    assert card.impact is not None
    assert addresses_of(card.impact) == links


@pytest.mark.parametrize(
    ("more", "links"),
    [({}, []), ({"cc": [HELEN]}, ["booking.com"]), ({"cc": ["See evil.example <b@k.example>"]}, None)],
)
async def test_names_of_a_conversation_are_known_in_it(
    world: World, more: dict[str, Any], links: list[str] | None
) -> None:
    """Whoever is answered called themself so; somebody new reads it for the first time."""
    mail = mail_from("Booking.com <desk@booking.com>", "Your stay")
    mail["Message-ID"] = "<stay@booking.com>"
    impact = (await world.preview("gmail_reply", {"thread_id": deliver(world, mail), "body": "Thanks.", **more})).impact
    assert impact is not None
    assert addresses_of(impact) == (["booking.com", "evil.example"] if links is None else links)


async def test_the_signature_can_be_left_out(world: World) -> None:
    """With `signature` false the text leaves as it is; the card says which."""
    card = await world.preview("gmail_send", {**LOUNGERS, "signature": False})
    assert (shown(card)["Body"], shown(card)["Signature"]) == (LOUNGERS["body"], "no")


async def test_nobody_hides_behind_the_others(world: World) -> None:
    """Nine recipients with names of 800 letters push the tenth neither off the card nor out of its warning."""
    long = [f"{'Name ' * 160}<person{number}@fernhill.example>" for number in range(9)]
    strangers = [f"a{number}{'x' * 60}@outside.example" for number in range(9)]
    card = await world.preview("gmail_send", {**LOUNGERS, "to": [*long, *strangers, "last@evil.example"]})
    lines = shown(card)["To"].splitlines()
    assert lines[0].startswith("person0@fernhill.example (Name Name ")
    assert lines[-1] == "last@evil.example"
    assert all(len(line) < 100 for line in lines)
    assert card.shows_destinations()
    (outside,) = [warning for warning in card.warnings if warning.startswith("Outside")]
    assert outside.startswith("Outside fernhill.example: a0")
    assert outside.endswith(" more")
    assert len(outside) < 500
    assert card.about.startswith("“Loungers” to person0@fernhill.example (")


async def test_whom_one_writes_to_for_the_first_time_is_marked(world: World) -> None:
    """A new person is marked until the first mail was sent to them. A look that fails is said on the card."""
    card = await world.preview("gmail_send", LOUNGERS)
    assert card.warnings == [
        "Outside fernhill.example. First contact. You have neither written to them nor heard from them"
    ]
    await world.execute("gmail_send", LOUNGERS)
    assert not any("First contact" in warning for warning in (await world.preview("gmail_send", LOUNGERS)).warnings)
    world.fault("error", "messages.list", status=404, error="notFound", times=-1)
    blind = await world.preview("gmail_send", LOUNGERS)
    assert blind.unchecked == ["It was not checked whether you have written before to them."]


async def test_a_mail_that_is_to_leave_later_says_when(world: World) -> None:
    """Caption, card and `not_before` name the same moment, in the person's zone."""
    tool = cast("GmailSend", world.tools["gmail_send"])
    at = (world.clock.now() + timedelta(days=3)).replace(hour=7, minute=0, second=0, microsecond=0)
    args = tool.args.model_validate({**LOUNGERS, "send_at": f"{at:%Y-%m-%dT08:00}"})
    ctx = ToolContext(requester=Requester(team=TEAM_ID, user="U0MARA", zone="Europe/Stockholm"), run_id="r1")
    assert tool.hold == timedelta(seconds=30)
    found = tool.not_before(args, ctx)
    assert found is not None
    assert abs(found - at) <= timedelta(hours=1)  # summer time
    card = await tool.preview(args, ctx)
    assert shown(card)["Leaves"].endswith("at 08:00 (Europe/Stockholm)")
    assert card.title == "Send this mail later?"
    assert card.impact is not None
    assert card.impact.is_later
    assert not (await world.impact("gmail_send", LOUNGERS)).is_later
    assert tool.caption(args).endswith(f"{at.day} {at:%B} at 08:00")


async def test_a_mail_never_leaves_before_its_moment(world: World) -> None:
    """A call that comes too early sends nothing; a moment that is over is asked back when the mail is written."""
    later = {**LOUNGERS, "send_at": f"{world.clock.now() + timedelta(days=2):%Y-%m-%dT%H:%M}"}
    with pytest.raises(ToolFailed) as caught:
        await world.execute("gmail_send", later)
    assert caught.value.code == "too_early"
    assert world.requests("/drafts") == 0
    with pytest.raises(ModelRetry, match="That time has passed"):
        await world.preview("gmail_reply", {"thread_id": "x", "body": "x", "send_at": "2020-01-01T08:00"})


async def test_a_draft_has_no_moment(world: World) -> None:
    """A new call that is both a draft and to leave later is refused. One that was approved before is saved at once."""
    at = f"{world.clock.now() + timedelta(days=2):%Y-%m-%dT%H:%M}"
    both = {**LOUNGERS, "send_at": at, "as_draft": True}
    with pytest.raises(InvalidArguments, match="as_draft: A draft does not leave by itself"):
        validate(world.tools["gmail_send"], both)
    card = await world.preview("gmail_send", both)
    assert card.title == "Save this as a draft?"
    assert "Leaves" not in shown(card)
    result = await world.execute("gmail_send", both, card=card)
    assert "draft_id" in data(result)


async def test_every_writing_tool_takes_the_same_settings() -> None:
    """Drafts and mails have attachments, sender and signature under the same names."""
    for kind in (GmailSend, GmailDraftCreate):
        assert {"attachments", "from_address", "signature"} <= set(kind.args.model_fields)
