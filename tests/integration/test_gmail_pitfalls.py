"""Pitfalls of mail that show only at the whole, and mails that are no proper ones, against the Google emulator."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any, cast

import pytest
import pytest_asyncio

from integrations.base import Result
from integrations.errors import ModelRetry, ToolError
from playground.google.gmail.letters import Letter
from playground.people import MARA
from tests.integration.google_world import World, google_world

HELEN = "helen.marsh@marshgardens.example"
OAK = "Invoice 2291 and the late oak"

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def company() -> AsyncGenerator[World]:
    async with google_world() as made:
        yield made


@pytest.fixture
def world(company: World) -> World:
    return company.begin()


def data(result: Result) -> dict[str, Any]:
    return cast("dict[str, Any]", result.data)


async def oak_thread(world: World) -> str:
    found = await world.execute("gmail_search", {"query": 'subject:"Invoice 2291"'})
    return str(data(found)["threads"][0]["thread_id"])


async def test_google_pitfall_22_snippets_are_no_html(world: World) -> None:
    """Gmail escapes the beginning of a mail for HTML; rows, threads and cards show it as it was written."""
    await world.admin("mail", {"to": [MARA.email], "subject": "Quotes", "text": 'It\'s "fine" & <cheap>'})
    [row] = data(await world.execute("gmail_search", {"query": "subject:Quotes"}))["threads"]
    assert row["snippet"] == 'It\'s "fine" & <cheap>'
    card = await world.preview("gmail_reply", {"thread_id": row["thread_id"], "body": "Good."})
    answered = next(line.value for line in card.fields if line.label == "In reply to")
    assert answered.endswith('It\'s "fine" & <cheap>')


async def test_google_pitfall_26_an_estimate_is_never_told_as_a_count(world: World) -> None:
    """Gmail's `resultSizeEstimate` reaches neither the model nor people; with more pages the summary says so."""
    result = await world.execute("gmail_search", {"query": "in:anywhere", "limit": 3})
    assert set(data(result)) == {"threads", "next_page"}
    assert result.summary == "3 threads or more"
    assert "201" not in f"{result.data}{result.summary}"


async def test_google_pitfall_40_an_empty_page_may_have_a_next_one(world: World) -> None:
    """A page that lost its rows still tells how to go on."""
    world.fault("error", "threads.get", status=404, error="notFound", times=2)
    page = data(await world.execute("gmail_search", {"query": "in:inbox", "limit": 3}))
    assert (len(page["threads"]), bool(page["next_page"])) == (1, True)


async def test_google_pitfall_21_an_id_of_the_web_page_is_asked_back(world: World) -> None:
    """Ids from Gmail's address line are others: a malformed one, and one that is not there, name gmail_search."""
    for wrong in ("FMfcgzQcpnQkXGKDVbcKzWwhTdTlNfSR", "19aaaaaaaaaaaaaa"):
        for name, more in (("gmail_thread_read", {}), ("gmail_reply", {"body": "x"})):
            with pytest.raises(ModelRetry) as caught:
                await (world.preview if more else world.execute)(name, {"thread_id": wrong, **more})
            assert "gmail_search" in caught.value.hint
    saved = await world.execute(
        "gmail_draft_create",
        {"to": [HELEN], "subject": f"Re: {OAK}", "body": "x", "thread_id": await oak_thread(world)},
    )
    [draft] = await world.box("mara", "drafts", OAK)
    assert (draft["draft_id"], draft["threadId"]) == (data(saved)["draft_id"], await oak_thread(world))


MALFORMED = {
    "no head": b"\r\njust a text",
    "no end": b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nhello",
    "no boundary": b"Content-Type: multipart/mixed\r\n\r\n--b\r\n\r\nhello",
    "empty boundary": b'Content-Type: multipart/mixed; boundary=""\r\n\r\n--\r\n\r\nhello',
    "unknown charset": b"Content-Type: text/plain; charset=klingon\r\n\r\nhello \xff",
    "unknown encoding": b"Content-Transfer-Encoding: x-uuencode\r\n\r\nhello",
    "broken base64": b"Content-Transfer-Encoding: base64\r\n\r\naGVsbG8*&^=",
    "broken words": b"Subject: =?utf-8?b?////?= =?bogus?x?y?=\r\nFrom: =?utf-8?q?=ff=fe?= <a@b>\r\n\r\nhello",
    "raw bytes": b"Subject: \xff\xfe\x80\r\nFrom: \xe4 <x@y.example>\r\n\r\nhello",
    "nul": b"Subject: a\0b\r\n\r\nhel\0lo",
    "deep": b"".join(b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(60))
    + b"\r\nhi",
    "long line": b"Subject: " + b"x" * 50_000 + b"\r\n\r\n" + b"y" * 200_000,
    "many heads": b"".join(b"To: a%d@x.example\r\n" % n for n in range(2_000)) + b"\r\nhello",
    "bad type": b"Content-Type: ;;;/\r\n\r\nhello",
    "name in name": b'Content-Disposition: attachment; filename="=?utf-8?q?..=2F..=2Fetc?="\r\n\r\nhello',
    "no body": b"Subject: empty\r\n",
}


@pytest.mark.parametrize("name", list(MALFORMED))
async def test_a_malformed_mail_is_read_as_far_as_it_goes(world: World, name: str) -> None:
    """Whatever somebody sends: it is found, read and listed within the budget, or clearly refused; nothing crashes."""
    mara = next(b for b in world.emulator.world.post.mailboxes.values() if b.person.handle == "mara")
    stored = mara.add(Letter(MALFORMED[name]), labels={"INBOX"}, arrived_ms=world.emulator.world.post.now_ms())
    found = data(await world.execute("gmail_search", {"query": "in:inbox", "limit": 1}))["threads"]
    assert [row["thread_id"] for row in found] == [stored.thread_id]
    [message] = data(await world.execute("gmail_thread_read", {"thread_id": stored.thread_id}))["messages"]
    assert message["body"].startswith('<untrusted source="mail">')
    assert len(str(message)) < 8_000
    with pytest.raises(ToolError):  # none of them says who wrote it, or has a Message-ID
        await world.preview("gmail_reply", {"thread_id": stored.thread_id, "body": "x"})
