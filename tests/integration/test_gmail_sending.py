"""A mail leaves once, whatever breaks on its way."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import aiohttp
import pytest

from integrations.base import Done, NotDone, Unknown
from integrations.errors import Ambiguous, BasisChanged, Busy, ModelRetry, ToolFailed
from integrations.gmail.outgoing.delivery import DRAFT_MAY_STAY, DRAFT_STAYS
from playground.google.gmail import setting_routes
from playground.google.gmail.send_as import SendAs
from playground.people import MARA, Person
from tests.integration.google_world import World, data
from tests.integration.mails import HELEN, MAIL, OAK, SIGNED, SUBJECT, oak_thread

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def interrupted(world: World, mail: Mapping[str, Any] = MAIL, *, fault: str = "drop_before") -> None:
    """An attempt after which nobody can tell; by default the request to send did not arrive."""
    world.fault(fault, "/drafts/send", status=503)
    with pytest.raises(Ambiguous):
        await world.execute("gmail_reply" if "thread_id" in mail else "gmail_send", mail)


async def in_gmail(world: World, method: str, path: str, body: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """What Mara, or a request that comes late, does to her drafts."""
    head = {"Authorization": "Bearer ya29.playground-mara"}
    url = f"{world.url}/gmail/v1/users/me/drafts/{path}".removesuffix("/")
    async with aiohttp.ClientSession(headers=head) as http, http.request(method, url, json=body) as answer:
        assert answer.ok
        return await answer.json() if answer.status == 200 else {}


async def test_a_card_shows_what_leaves(world: World) -> None:
    """Sender, everybody, subject, the exact text; outsiders are marked."""
    card = await world.preview("gmail_send", {**MAIL, "bcc": ["priya@fernhill.example", "DANA@fernhill.example"]})
    shown = {line.label: line.value for line in card.fields}
    assert shown == {
        "From": "mara@fernhill.example (Mara Lindqvist)",
        "To": "helen.marsh@marshgardens.example (Helen Marsh)\ndana@fernhill.example",
        "Bcc": "priya@fernhill.example",
        "Subject": SUBJECT,
        "Body": f"{MAIL['body']}{SIGNED}",
        "Signature": "yes, below the text",
    }
    assert [line.label for line in card.fields][:3] == ["To", "Bcc", "Subject"]
    assert card.warnings == [
        "Outside fernhill.example: helen.marsh@marshgardens.example",
        "First contact. You have neither written to them nor heard from them: helen.marsh@marshgardens.example",
    ]
    assert (card.private, card.account) == (True, MARA.google_sub)
    assert card.recipients == [HELEN, "dana@fernhill.example", "priya@fernhill.example"]  # which limits count


@pytest.mark.parametrize("name", ["gmail_send", "gmail_reply"])
async def test_what_was_looked_up_ahead_is_not_looked_up_again(world: World, name: str) -> None:
    """It is the mail that was shown, and it leaves as such."""
    arguments = MAIL if name == "gmail_send" else {"thread_id": await oak_thread(world), "body": "Yes."}
    card = await world.preview(name, arguments)
    ahead = await world.look_ahead(name, arguments)
    looked = world.requests("")
    await world.execute(name, arguments, card=card, ahead=ahead)
    assert world.requests("") == looked + 2  # the draft is saved, and sent


async def test_a_signature_that_changed_since_is_seen_ahead(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was looked up ahead is compared with what was approved, as what is looked up by the attempt."""
    card = await world.preview("gmail_send", MAIL)
    changed = [replace(alias, signature="<div>Another one</div>") for alias in setting_routes.send_as_of(MARA)]

    def now(person: Person) -> list[SendAs]:
        return changed if person == MARA else []

    monkeypatch.setattr(setting_routes, "send_as_of", now)
    ahead = await world.look_ahead("gmail_send", MAIL)
    with pytest.raises(BasisChanged):
        await world.execute("gmail_send", MAIL, card=card, ahead=ahead)
    assert world.requests("/drafts") == 0


async def test_a_mail_is_sent_once_and_arrives(world: World) -> None:
    """Draft, note, send: one mail in Sent, one at the colleague, nothing left in Drafts."""
    card = await world.preview("gmail_send", MAIL)
    result = await world.execute("gmail_send", MAIL, card=card)
    [sent] = await world.box("mara", "sent", SUBJECT)
    assert data(result) == {
        "sent": True,
        "message_id": sent["id"],
        "thread_id": sent["threadId"],
        "to": [HELEN, "dana@fernhill.example"],
    }
    assert sent["message_id"] == world.notes["k1"]["message_id_header"]
    assert (len(await world.box("dana", "inbox", SUBJECT)), await world.box("mara", "drafts", SUBJECT)) == (1, [])
    assert isinstance(await world.reconcile("gmail_send", MAIL), Done)


@pytest.mark.parametrize("fault", ["drop_after", "status_after"])
async def test_a_send_without_a_clear_answer_is_settled_as_done(world: World, fault: str) -> None:
    """The connection drops, or a 503 comes, after the mail left: one POST, Ambiguous, and reconcile finds it sent."""
    await interrupted(world, fault=fault)
    assert world.requests("/drafts/send") == 1
    settled = await world.reconcile("gmail_send", MAIL)
    assert isinstance(settled, Done)
    assert data(settled.result)["to"] == [HELEN, "dana@fernhill.example"]
    assert len(await world.box("mara", "sent", SUBJECT)) == 1


async def test_a_send_that_never_arrived_is_done_with_the_same_draft(world: World) -> None:
    """The connection drops before: reconcile says not done, the next attempt sends the noted draft and no second."""
    await interrupted(world)
    assert world.requests("/drafts/send") == 1
    assert await world.reconcile("gmail_send", MAIL) == NotDone(DRAFT_STAYS)
    [draft] = await world.box("mara", "drafts", SUBJECT)
    assert world.notes["k1"]["draft_id"] == draft["draft_id"]
    await world.execute("gmail_send", MAIL, attempt=2)
    assert len(await world.box("mara", "sent", SUBJECT)) == 1
    assert await world.box("mara", "drafts", SUBJECT) == []


async def test_a_crash_before_the_note_sends_nothing_and_leaves_no_second_draft(world: World) -> None:
    """The answer to drafts.create is lost, so nothing is noted: not done, and the next attempt uses that draft."""
    await world.interrupt("drop_after", "/drafts", "gmail_send", MAIL, method="POST")
    assert world.notes == {}
    assert len(await world.box("mara", "drafts", SUBJECT)) == 1
    assert await world.reconcile("gmail_send", MAIL) == NotDone(DRAFT_MAY_STAY, final=True)
    await world.execute("gmail_send", MAIL, attempt=2)
    assert len(await world.box("mara", "sent", SUBJECT)) == 1
    assert await world.box("mara", "drafts", SUBJECT) == []


async def test_what_was_held_back_since_finds_the_earlier_draft(world: World) -> None:
    """An attempt that was held back leaves as a first one, with the note of the one before: there is one draft."""
    await interrupted(world)
    [draft] = await world.box("mara", "drafts", SUBJECT)
    await world.execute("gmail_send", MAIL, attempt=1)
    assert world.notes["k1"]["draft_id"] == draft["draft_id"]
    assert len(await world.box("mara", "sent", SUBJECT)) == 1
    assert await world.box("mara", "drafts", SUBJECT) == []


async def test_a_mail_that_was_refused_leaves_no_draft(world: World) -> None:
    """After a certain refusal of the send nothing of the mail is left in Drafts, and the next try finds its way."""
    world.fault("error", "drafts.send", status=403, error="forbidden")
    with pytest.raises(ToolFailed) as caught:
        await world.execute("gmail_send", MAIL)
    assert DRAFT_STAYS not in caught.value.message
    assert await world.box("mara", "drafts", SUBJECT) == []
    assert await world.reconcile("gmail_send", MAIL) == NotDone(DRAFT_MAY_STAY, final=True)
    await world.execute("gmail_send", MAIL, attempt=2)
    assert len(await world.box("mara", "sent", SUBJECT)) == 1


async def test_a_draft_that_cannot_be_taken_back_is_told(world: World) -> None:
    """When the refused mail's draft cannot be removed either, the error says that it stays, and where."""
    world.fault("error", "drafts.send", status=403, error="forbidden")
    world.fault("error", "drafts.delete", status=429, error="rateLimitExceeded", times=-1)
    with pytest.raises(ToolFailed) as caught:
        await world.execute("gmail_send", MAIL)
    assert caught.value.message.endswith(DRAFT_STAYS)
    assert len(await world.box("mara", "drafts", SUBJECT)) == 1


@pytest.mark.parametrize("method", ["drafts.create", "drafts.send"])
async def test_one_refusal_for_the_rate_fails_no_mail(world: World, method: str) -> None:
    """Google answers one request with 429: it is made again within the attempt, and the mail leaves once."""
    world.fault("error", method, status=429, error="rateLimitExceeded")
    await world.execute("gmail_send", MAIL)
    assert len(await world.box("mara", "sent", SUBJECT)) == 1
    assert await world.box("mara", "drafts", SUBJECT) == []


async def test_a_mail_that_google_is_too_busy_for_leaves_with_the_same_draft(world: World) -> None:
    """While Google answers 429 the draft stays, and is said; the next attempt sends it, once."""
    world.fault("error", "drafts.send", status=429, error="rateLimitExceeded", times=-1)
    with pytest.raises(Busy) as caught:
        await world.execute("gmail_send", MAIL)
    assert (caught.value.left, len(await world.box("mara", "drafts", SUBJECT))) == (DRAFT_STAYS, 1)
    world.emulator.admin.faults.clear()
    await world.execute("gmail_send", MAIL, attempt=2)
    assert len(await world.box("mara", "sent", SUBJECT)) == 1
    assert await world.box("mara", "drafts", SUBJECT) == []


async def test_a_draft_that_its_owner_changed_is_put_right_before_it_leaves(world: World) -> None:
    """What was approved is what leaves, also when the waiting draft was edited in Gmail meanwhile."""
    await interrupted(world)
    edited = urlsafe_b64encode(b"To: evil@x.example\r\nSubject: Other\r\n\r\nother").decode()
    await in_gmail(world, "PUT", str(world.notes["k1"]["draft_id"]), {"message": {"raw": edited}})
    await world.execute("gmail_send", MAIL, attempt=2)
    assert await world.box("mara", "sent", "Other") == []
    [sent] = await world.box("mara", "sent", SUBJECT)
    assert sent["text"].strip() == MAIL["body"] + SIGNED


async def test_a_draft_that_vanished_is_asked_about(world: World) -> None:
    """Neither draft nor sent mail: nobody can tell, so the owner is asked; it is sent only when they say "again"."""
    await interrupted(world)
    world.notes["k1"] = {**world.notes["k1"], "draft_id": "r404"}
    settled = await world.reconcile("gmail_send", MAIL)
    assert isinstance(settled, Unknown)
    assert (settled.where, settled.link) == ("Gmail, under Sent", "https://mail.google.com/mail/u/0/#sent")
    with pytest.raises(Ambiguous):
        await world.execute("gmail_send", MAIL, attempt=2)
    assert await world.box("mara", "sent", SUBJECT) == []
    await world.execute("gmail_send", MAIL, attempt=2, doubt=True)
    assert len(await world.box("mara", "sent", SUBJECT)) == 1


LATE = [
    pytest.param({"bcc": [HELEN], "to": []}, id="bcc"),
    pytest.param({"cc": ["omar@fernhill.example"]}, id="to and cc"),
]


async def arrive_late(world: World) -> None:
    """The request of the first attempt is carried out after all, with its draft; search does not know the mail yet."""
    await in_gmail(world, "POST", "send", {"id": world.notes["k1"]["draft_id"]})
    world.fault("status", "/users/me/messages", method="GET", status=200, body={"resultSizeEstimate": 0})


@pytest.mark.parametrize("people", LATE)
async def test_a_send_that_arrived_late_is_found_in_its_thread(world: World, people: dict[str, Any]) -> None:
    """The first request is carried out between two attempts, and search lags: there is no second mail."""
    await interrupted(world, MAIL | people)
    assert await world.reconcile("gmail_send", MAIL | people) == NotDone(DRAFT_STAYS)
    await arrive_late(world)
    result = await world.execute("gmail_send", MAIL | people, attempt=2)
    [sent] = await world.box("mara", "sent", SUBJECT)
    assert data(result)["message_id"] == sent["id"]


async def test_a_send_that_arrived_late_and_cannot_be_found_is_asked_about(world: World) -> None:
    """Neither search nor the thread knows the mail: unknown, never a second mail; also when Google does not answer."""
    await interrupted(world)
    await arrive_late(world)
    world.notes["k1"] = {**world.notes["k1"], "thread_id": None, "text": None}
    with pytest.raises(Ambiguous):
        await world.execute("gmail_send", MAIL, attempt=2)
    world.fault("error", "/users/me/messages", status=403, error="forbidden", times=-1)
    with pytest.raises(Ambiguous):
        await world.execute("gmail_send", MAIL, attempt=2)
    world.emulator.admin.faults.clear()
    assert len(await world.box("mara", "sent", SUBJECT)) == 1
    assert isinstance(await world.reconcile("gmail_send", MAIL), Done)


async def test_a_sent_mail_that_cannot_be_read_is_not_sent_again(world: World) -> None:
    """Search names it, and Google does not show it: also where its owner said "again" it is not known to be missing."""
    await interrupted(world, fault="drop_after")
    world.notes["k1"] = {**world.notes["k1"], "thread_id": None, "text": None}
    world.fault("error", "messages.get", status=403, error="forbidden", times=-1)
    with pytest.raises(Ambiguous):
        await world.execute("gmail_send", MAIL, attempt=2, doubt=True)
    world.emulator.admin.faults.clear()
    assert len(await world.box("mara", "sent", SUBJECT)) == 1


async def test_a_refusal_after_a_send_that_arrived_late_is_no_failure(world: World) -> None:
    """The second request is refused, but the draft is gone by then: the mail is looked for, not called unsent."""
    await interrupted(world)
    world.fault("status_after", "/drafts/send", status=429)
    result = await world.execute("gmail_send", MAIL, attempt=2)
    [sent] = await world.box("mara", "sent", SUBJECT)
    assert data(result)["message_id"] == sent["id"]


async def test_a_mail_of_ones_own_in_the_thread_is_not_taken_for_the_reply(world: World) -> None:
    """What was sent to the same people before the answered mail is another one: it is not known what happened."""
    thread_id = await oak_thread(world)
    await world.execute("gmail_reply", {"thread_id": thread_id, "body": "Fine."}, key="k0")
    await world.admin(
        "mail",
        {
            "from": "Bruno Keller <bruno@kellerholz.example>",
            "to": [MARA.email],
            "subject": f"Re: {OAK}",
            "text": "And when?",
            "in_reply_to": str(world.notes["k0"]["message_id_header"]),
            "message_id": "<when@kellerholz.example>",
        },
    )
    arguments = {"thread_id": thread_id, "body": "On Thursday."}
    await interrupted(world, arguments)
    world.notes["k1"] = {**world.notes["k1"], "draft_id": "r404"}
    assert isinstance(await world.reconcile("gmail_reply", arguments), Unknown)
    await world.execute("gmail_reply", arguments, attempt=2, doubt=True)
    assert isinstance(await world.reconcile("gmail_reply", arguments), Done)


async def test_a_mail_to_somebody_else_in_the_thread_is_not_taken_for_the_reply(world: World) -> None:
    """Somebody forwards the conversation by hand while the reply is in doubt: it is not known what happened."""
    thread_id = await oak_thread(world)
    arguments = {"thread_id": thread_id, "body": "On Thursday."}
    await interrupted(world, arguments)
    draft = await in_gmail(world, "GET", str(world.notes["k1"]["draft_id"]))
    await in_gmail(world, "DELETE", str(world.notes["k1"]["draft_id"]))
    answered = world.notes["k1"]["answered"]
    head = f"To: {HELEN}\r\nSubject: Re: {OAK}\r\nIn-Reply-To: {answered}\r\nReferences: {answered}"
    raw = urlsafe_b64encode(f"{head}\r\n\r\nOn Thursday.".encode()).decode()
    other = await in_gmail(world, "POST", "", {"message": {"raw": raw, "threadId": draft["message"]["threadId"]}})
    await in_gmail(world, "POST", "send", {"id": other["id"]})
    assert isinstance(await world.reconcile("gmail_reply", arguments), Unknown)


async def test_an_attempt_that_finds_its_mail_sent_sends_nothing(world: World) -> None:
    """An owner who says "try again" of a mail that did leave gets that mail, not a second one."""
    first = await world.execute("gmail_send", MAIL)
    again = await world.execute("gmail_send", MAIL, attempt=2)
    assert data(again) == data(first)
    assert len(await world.box("mara", "sent", SUBJECT)) == 1


async def test_reconcile_without_google_knows_nothing(world: World) -> None:
    """When Google cannot be asked what happened, that is said."""
    await world.execute("gmail_send", MAIL)
    world.fault("status", "/gmail/", status=500, times=-1)
    assert isinstance(await world.reconcile("gmail_send", MAIL), Unknown)


async def test_a_mail_that_cannot_be_sent_leaves_nothing_behind(world: World) -> None:
    """Injection, bad addresses and empty mails are refused before a draft exists."""
    wrong: list[dict[str, Any]] = [
        {"subject": "a\r\nBcc: evil@x.example"},
        {"to": ["a@x.example\nBcc: evil@x.example"]},
        {"to": []},
        {"to": ["josé@x.example"]},
        {"body": "  "},
        {"to": [f"a{n}@x.example" for n in range(300)]},
    ]
    for change in wrong:
        with pytest.raises(ModelRetry):
            await world.preview("gmail_send", MAIL | change)
        with pytest.raises(ModelRetry):
            await world.execute("gmail_send", MAIL | change)
    assert world.requests("/drafts") == 0
