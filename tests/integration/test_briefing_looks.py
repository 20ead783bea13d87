"""What the briefing looks at, against the Google emulator, through google-api-python-client and a real socket."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
import pytest_asyncio

from integrations.base import Requester
from integrations.calendar.agenda import DayAgenda
from integrations.errors import ToolError
from integrations.gmail.incoming.waiting_mails import WaitingInbox
from integrations.google.client import GoogleClient
from playground.google.gmail.letters import Letter
from playground.people import JONAS, TEAM_ID
from tests.integration.google_world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")

WHO = Requester(team=TEAM_ID, user=JONAS.user_id, name=JONAS.name, email=JONAS.email, zone=JONAS.zone)


@pytest_asyncio.fixture(loop_scope="module")
async def google(world: World) -> AsyncGenerator[GoogleClient]:
    async with GoogleClient(grants=world.grants, clock=world.clock, api_root_url=world.url) as client:
        yield client


def letter(world: World, subject: str, *, sender: str = "Ada <ada@outside.example>", **heads: str) -> None:
    """A mail to Jonas arrives; further heads are named with `_` for `-`."""
    given = {"From": sender, "To": JONAS.email, "Subject": subject}
    given |= {name.replace("_", "-"): value for name, value in heads.items()}
    text = "\r\n".join([*(f"{name}: {value}" for name, value in given.items() if value), "", "Hello?"])
    assert world.emulator.world.post.deliver(Letter(text.encode()))


async def subjects(google: GoogleClient) -> list[str]:
    return [mail.subject for mail in (await WaitingInbox(google).waiting(WHO)).mails]


async def test_a_mail_to_him_waits_and_the_newest_comes_first(world: World, google: GoogleClient) -> None:
    """With its sender, a snippet and a link."""
    letter(world, "First question")
    letter(world, "Second question")
    found = (await WaitingInbox(google).waiting(WHO)).mails
    assert [mail.subject for mail in found][:2] == ["Second question", "First question"]
    assert (found[0].sender, found[0].address, found[0].snippet) == ("Ada", "ada@outside.example", "Hello?")
    assert found[0].link == f"https://mail.google.com/mail/?authuser={JONAS.email}#all/{found[0].thread_id}"


@pytest.mark.parametrize(
    "heads",
    [
        {"List_Id": "<news.outside.example>"},
        {"List_Unsubscribe": "<mailto:off@outside.example>"},
        {"Precedence": "bulk"},
        {"Auto_Submitted": "auto-replied"},
        {"sender": "Shop <no-reply@shop.example>"},
        {"sender": "donotreply@shop.example"},
        {"sender": "orders+noreply@shop.example"},
        {"sender": "MAILER-DAEMON@outside.example"},
        {"To": "all@fernhill.example", "Cc": JONAS.email},
    ],
    ids=str,
)
async def test_what_machines_and_lists_send_does_not_wait(
    world: World, google: GoogleClient, heads: dict[str, str]
) -> None:
    """Nor what was sent to others, with him in copy."""
    letter(world, "Not for you", **heads)
    assert "Not for you" not in await subjects(google)


@pytest.mark.parametrize("heads", [{"Auto_Submitted": "no"}, {"sender": "Norep Lyons <nora@outside.example>"}], ids=str)
async def test_what_only_looks_like_a_machine_waits(world: World, google: GoogleClient, heads: dict[str, str]) -> None:
    """A person's mail that says that it is one."""
    letter(world, "For you", **heads)
    assert "For you" in await subjects(google)


async def test_newsletters_hide_no_mail_that_waits(world: World, google: GoogleClient) -> None:
    """It is found behind a hundred of them; behind more than are looked at that is said."""
    letter(world, "PLEASE ANSWER")
    for n in range(100):
        letter(world, f"News {n}", List_Id="<news.outside.example>")
    found = await WaitingInbox(google).waiting(WHO)
    assert "PLEASE ANSWER" in [mail.subject for mail in found.mails]
    assert found.unseen == ""
    for n in range(100):
        letter(world, f"More {n}", List_Id="<news.outside.example>")
    found = await WaitingInbox(google).waiting(WHO)
    assert found.unseen == "only the newest 200 threads of the last 7 days were looked at."


async def test_a_thread_that_could_not_be_read_is_said(world: World, google: GoogleClient) -> None:
    """The others are shown; in the one somebody may wait."""
    letter(world, "Readable")
    letter(world, "Refused")
    box = next(box for box in world.emulator.world.post.mailboxes.values() if box.person.handle == JONAS.handle)
    [refused] = [stored for stored in box.messages.values() if stored.letter.subject == "Refused"]
    world.fault("error", f"/threads/{refused.thread_id}", status=404, error="notFound", times=-1)
    found = await WaitingInbox(google).waiting(WHO)
    assert [mail.subject for mail in found.mails][:1] == ["Readable"]
    assert found.unseen.startswith("1 thread could not be read: ")


async def test_a_contact_form_in_his_name_waits_for_its_visitor(world: World, google: GoogleClient) -> None:
    """What programs write under his address is somebody's when its Reply-To is; else it is a note to himself."""
    letter(world, "Scan", sender=JONAS.email)
    letter(world, "Form", sender=JONAS.email, Reply_To="Ada <ada@outside.example>")
    found = (await WaitingInbox(google).waiting(WHO)).mails
    assert [(mail.subject, mail.address) for mail in found[:1]] == [("Form", "ada@outside.example")]
    assert "Scan" not in [mail.subject for mail in found]


async def test_what_he_answered_does_not_wait(world: World, google: GoogleClient) -> None:
    """Until somebody writes again; and that is what a reminder asks about."""
    letter(world, "Question", Message_ID="<q1@outside.example>")
    [waiting] = [mail for mail in (await WaitingInbox(google).waiting(WHO)).mails if mail.subject == "Question"]
    before = world.clock.now()
    await world.execute("gmail_reply", {"thread_id": waiting.thread_id, "body": "Yes."}, who=JONAS)
    assert "Question" not in await subjects(google)
    inbox = WaitingInbox(google)
    assert not await inbox.others_wrote(WHO, waiting.thread_id, since=before)
    letter(world, "Re: Question", In_Reply_To="<q1@outside.example>", References="<q1@outside.example>")
    assert "Re: Question" in await subjects(google)
    assert await inbox.others_wrote(WHO, waiting.thread_id, since=before)


async def test_a_note_of_absence_is_no_answer(world: World, google: GoogleClient) -> None:
    """Nobody has answered when only a machine has."""
    letter(world, "Question", Message_ID="<q1@outside.example>")
    [waiting] = [mail for mail in (await WaitingInbox(google).waiting(WHO)).mails if mail.subject == "Question"]
    since = world.clock.now() - timedelta(hours=1)
    assert await WaitingInbox(google).others_wrote(WHO, waiting.thread_id, since=since)
    letter(
        world, "Away: Question", Auto_Submitted="auto-replied", Message_ID="<a@outside.example>",
        In_Reply_To="<q1@outside.example>", References="<q1@outside.example>",
    )  # fmt: skip
    later = world.clock.now() - timedelta(milliseconds=1)
    assert not await WaitingInbox(google).others_wrote(WHO, waiting.thread_id, since=later)


async def test_a_thread_that_is_gone_cannot_be_looked_at(google: GoogleClient) -> None:
    """That is an error, and no silence."""
    with pytest.raises(ToolError):
        await WaitingInbox(google).others_wrote(WHO, "00000000deadbeef", since=google.clock.now())


async def test_the_day_with_what_overlaps(world: World, google: GoogleClient) -> None:
    """In order, by his own clock; what overlaps names the other, and what is declined or free is in nobody's way."""
    day = world.clock.now().astimezone(ZoneInfo(JONAS.zone)).date().isoformat()
    for title, start, end in (("Oak", "20:00", "21:00"), ("Elm", "20:30", "21:30"), ("Ash", "21:30", "22:00")):
        given = {"title": title, "start": f"{day}T{start}", "end": f"{day}T{end}", "attendees": ["ada@outside.example"]}
        await world.execute("calendar_event_create", given, key=title, who=JONAS)
    found = {meeting.title: meeting for meeting in (await DayAgenda(google).today(WHO)).meetings}
    assert found["Oak"].when == "20:00–21:00"
    assert found["Oak"].conflicts == ["Elm"]
    assert found["Elm"].conflicts == ["Oak"]
    assert found["Ash"].conflicts == []
    assert found["Oak"].people == ["ada@outside.example"]
    assert [title for title in found if title in {"Oak", "Elm", "Ash"}] == ["Oak", "Elm", "Ash"]
