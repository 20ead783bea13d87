"""Pitfalls of mail that show only at the whole, and mails that are no proper ones, against the Google emulator."""

from __future__ import annotations

import pytest

from integrations.errors import ModelRetry, ToolError, ToolFailed
from playground.google.gmail import setting_routes
from playground.google.gmail.corpus import file_corpus
from playground.google.gmail.letters import Letter
from playground.google.gmail.send_as import SendAs
from playground.people import DANA, LUIS, MARA, Person
from tests.integration.google_world import World, data, shown
from tests.integration.mails import HELEN, OAK, box_of, deliver, oak_thread

NEITHER = "First contact. You have neither written to them nor heard from them"
WROTE = "First contact. They wrote to you, but you never wrote to them"

pytestmark = pytest.mark.asyncio(loop_scope="module")


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
    wrong_ids = {"FMfcgzQcpnQkXGKDVbcKzWwhTdTlNfSR": "invalid_argument", "19aaaaaaaaaaaaaa": "thread_not_found"}
    for wrong, code in wrong_ids.items():
        for name, more in (("gmail_thread_read", {}), ("gmail_reply", {"body": "x"})):
            with pytest.raises(ModelRetry) as caught:
                await (world.preview if more else world.execute)(name, {"thread_id": wrong, **more})
            assert (caught.value.code, "gmail_search" in caught.value.hint) == (code, True)
    saved = await world.execute(
        "gmail_draft_create",
        {"to": [HELEN], "subject": f"Re: {OAK}", "body": "x", "thread_id": await oak_thread(world)},
    )
    [draft] = await world.box("mara", "drafts", OAK)
    assert (draft["draft_id"], draft["threadId"]) == (data(saved)["draft_id"], await oak_thread(world))


async def test_google_pitfall_19_a_follow_up_takes_no_blind_copy_along(world: World) -> None:
    """One's own copy names the people in Bcc; an answer to everyone that follows it does not reach them."""
    first = {"to": [HELEN], "cc": [DANA.email], "bcc": [LUIS.email], "subject": "Veiled", "body": "x"}
    thread_id = data(await world.execute("gmail_send", first, key="first"))["thread_id"]
    answer = {"thread_id": thread_id, "body": "And this.", "reply_all": True}
    card = await world.preview("gmail_reply", answer)
    assert (card.recipients, "Bcc" in shown(card)) == ([HELEN, DANA.email], False)
    await world.execute("gmail_reply", answer, key="second", card=card)
    box = box_of(world)
    sent = [box.messages[mail["id"]].letter.raw for mail in await world.box("mara", "sent", "Veiled")]
    assert sorted(b"Bcc:" in raw for raw in sent) == [False, True]


@pytest.mark.parametrize(
    ("wrote", "asked", "said"),
    [
        ("john.smith@evil.example", "smith@evil.example", NEITHER),
        ("smith@evil.example", "smith@evil.example", WROTE),
        ("a@evil.example", "{a@evil.example", NEITHER),
        ("{a@evil.example", "{a@evil.example", WROTE),
    ],
)
async def test_a_first_contact_goes_by_the_whole_address(world: World, wrote: str, asked: str, said: str) -> None:
    """Gmail's search finds words; an address that shares some with a known one is new all the same. An attacker who
    writes first, and names the address in every field, is no acquaintance: only what the person sent makes one.
    """
    deliver(world, f"From: {wrote}\r\nTo: {MARA.email}\r\nCc: {wrote}\r\nSubject: x\r\n\r\nx")
    mail = {"to": [asked], "subject": "x", "body": "x"}
    card = await world.preview("gmail_send", mail)
    warned = [warning for warning in card.warnings if "First contact" in warning]
    assert (warned, list(card.unchecked)) == ([f"Outside fernhill.example. {said}"], [])
    await world.execute("gmail_send", mail, key=f"{wrote}{asked}")
    known = await world.preview("gmail_send", mail)
    assert not [warning for warning in known.warnings if "First contact" in warning]


async def test_an_alias_at_a_mail_service_brings_nobody_inside(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who may send from an address at gmail.com does not know everybody there."""

    def send_as_of(person: Person) -> tuple[SendAs, ...]:
        own = SendAs(email=person.email, name=person.name, primary=True)
        return (own, SendAs(email="mara@gmail.com", name="Mara"))

    monkeypatch.setattr(setting_routes, "send_as_of", send_as_of)
    mail = {"to": ["eve@gmail.com"], "subject": "x", "body": "x", "from_address": "mara@gmail.com"}
    card = await world.preview("gmail_send", mail)
    assert shown(card)["From"].startswith("mara@gmail.com")
    assert card.warnings[0].startswith("Outside fernhill.example. ")


async def test_a_first_contact_among_many_mails_that_look_alike_is_not_guessed(world: World) -> None:
    """Only some mails were looked at, and another may be from this address: that is said."""
    for n in range(7):
        mail = {"to": ["john.smith@evil.example"], "subject": f"x{n}", "body": "x"}
        await world.execute("gmail_send", mail, key=f"like{n}")
    card = await world.preview("gmail_send", {"to": ["smith@evil.example"], "subject": "x", "body": "x"})
    assert card.unchecked == ["It was not checked whether you have written before to them."]


async def test_google_pitfall_08_a_bare_message_id_ties_the_answer_to_its_mail(world: World) -> None:
    """The answer goes to the newest author, in the thread, with the id as it was written."""
    first = f"From: ann@law.example\r\nTo: {MARA.email}\r\nSubject: Skip\r\nMessage-ID: <skip@law.example>\r\n\r\nOne"
    tied = "Message-ID: 12345@b.example\r\nIn-Reply-To: <skip@law.example>\r\nReferences: <skip@law.example>"
    second = f"From: bob@b.example\r\nTo: {MARA.email}\r\nSubject: Re: Skip\r\n{tied}\r\n\r\nTwo"
    [_, thread_id] = [deliver(world, raw) for raw in (first, second)]
    await world.execute("gmail_reply", {"thread_id": thread_id, "body": "Three"})
    [sent] = await world.box("mara", "sent", "Re: Skip")
    assert sent["threadId"] == thread_id
    raw = box_of(world).messages[sent["id"]].letter.raw
    assert b"In-Reply-To: 12345@b.example\r\n" in raw
    assert b"To: bob@b.example\r\n" in raw


async def test_a_draft_behind_many_others_can_be_changed(world: World) -> None:
    """Its id is looked for beyond the first page of drafts; where it is not found that is said."""
    thread_id = await oak_thread(world)
    answer = {"thread_id": thread_id, "to": [HELEN], "subject": f"Re: {OAK}", "body": "x"}
    saved = data(await world.execute("gmail_draft_create", answer))
    box, later = box_of(world), world.emulator.world.post.now_ms() + 1_000
    other = Letter(f"From: {MARA.email}\r\nSubject: other\r\n\r\nx".encode())
    for n in range(500):
        box.new_draft(other, arrived_ms=later + n, thread_id=None)
    read = data(await world.execute("gmail_thread_read", {"thread_id": thread_id}))["messages"]
    assert read[-1]["draft_id"] == saved["draft_id"]
    for n in range(1_500):
        box.new_draft(other, arrived_ms=later + 500 + n, thread_id=None)
    read = data(await world.execute("gmail_thread_read", {"thread_id": thread_id}))["messages"]
    assert (read[-1]["draft_id"], read[-1]["draft_note"].split(":")[0]) == (
        None,
        "Its draft_id was not found among the newest drafts",
    )


async def test_links_lead_into_the_mailbox_that_they_mean(world: World) -> None:
    """A browser may be signed in to several accounts: each link names the one by its address."""
    mail = {"to": [HELEN], "subject": "x", "body": "x"}
    thread = {"thread_id": await oak_thread(world)}
    results = [
        await world.execute("gmail_send", mail, key="send"),
        await world.execute("gmail_draft_create", mail, key="draft"),
        await world.execute("gmail_thread_read", thread),
    ]
    start = f"https://mail.google.com/mail/?authuser={MARA.email}#"
    places = [result.link.removeprefix(start).split("/")[0] for result in results if result.link]
    assert places == ["all", "drafts", "all"]


async def test_google_pitfall_15_answers_go_where_the_settings_send_them(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The Reply-To that Gmail's settings hold for an address is in what leaves from it, and on the card."""

    def send_as_of(person: Person) -> tuple[SendAs, ...]:
        return (SendAs(email=person.email, name=person.name, primary=True, reply_to="Desk <desk@fernhill.example>"),)

    monkeypatch.setattr(setting_routes, "send_as_of", send_as_of)
    answer = {"thread_id": await oak_thread(world), "body": "x"}
    for name, more in (("gmail_send", {"to": [HELEN], "subject": "y", "body": "x"}), ("gmail_reply", answer)):
        card = await world.preview(name, more)
        assert shown(card)["Answers go to"] == "desk@fernhill.example (Desk)"
        sent = data(await world.execute(name, more, key=name, card=card))
        raw = box_of(world).messages[sent["message_id"]].letter.raw
        assert b"Reply-To: Desk <desk@fernhill.example>\r\n" in raw


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
    stored = box_of(world).add(Letter(MALFORMED[name]), labels={"INBOX"}, arrived_ms=world.emulator.world.post.now_ms())
    found = data(await world.execute("gmail_search", {"query": "in:inbox", "limit": 1}))["threads"]
    assert [row["thread_id"] for row in found] == [stored.thread_id]
    [message] = data(await world.execute("gmail_thread_read", {"thread_id": stored.thread_id}))["messages"]
    assert message["body"].startswith('<untrusted source="mail">')
    assert len(str(message)) < 8_000
    with pytest.raises(ToolError):  # none of them says who wrote it, or has a Message-ID
        await world.preview("gmail_reply", {"thread_id": stored.thread_id, "body": "x"})


# A corpus of odd mails


async def corpus(world: World, *only: str) -> dict[str, str]:
    """The threads of these odd mails in Mara's mailbox, by name; of all where none is named."""
    filed = file_corpus(world.emulator.world.post, MARA, only)
    return {name: str(stored.thread_id) for name, stored in filed.items()}


async def test_every_odd_mail_can_be_read(world: World) -> None:
    """Each ends in fenced text within the budget, and its attachments in text or a clear refusal; nothing crashes."""
    for name, thread_id in (await corpus(world)).items():
        read = data(await world.execute("gmail_thread_read", {"thread_id": thread_id}))
        bodies = [str(message["body"]) for message in read["messages"]]
        assert all(body.count("</untrusted>") == 1 for body in bodies), name
        assert sum(map(len, bodies)) < 20_000, name
        for attached in [a for message in read["messages"] for a in message["attachments"]][:3]:
            assert set(attached) == {"id", "name", "type", "size"}, name
            assert "/" not in attached["name"] or name == "attachment_path", name
            try:
                arguments = {"thread_id": thread_id, "attachment": attached["id"]}
                assert len(data(await world.execute("gmail_attachment_read", arguments))["text"]) < 14_000, name
            except ToolFailed as refusal:
                assert refusal.code in {"no_text", "pdf_unreadable", "attachment_too_large"}, name  # noqa: PT017 - or it is read


async def test_security_input_02_what_a_mail_hides_is_not_read(world: World) -> None:
    """None of the ways to hide text from a person brings it to the model."""
    threads = await corpus(world, "hidden_html", "bidi_and_zero_width")
    read = [data(await world.execute("gmail_thread_read", {"thread_id": t}))["messages"] for t in threads.values()]
    text = str(read)
    assert "HIDDEN" not in text
    assert not {"\u200b", "\u202e", "\u2066"} & set(text)


async def test_answers_between_the_quoted_lines_are_read(world: World) -> None:
    """History goes, what somebody wrote into it stays."""
    threads = await corpus(world, "inline_replies")
    read = data(await world.execute("gmail_thread_read", {"thread_id": threads["inline_replies"]}))["messages"]
    whole = data(
        await world.execute("gmail_thread_read", {"thread_id": threads["inline_replies"], "include_quoted": True})
    )["messages"]
    for cut, full in zip(read, whole, strict=True):
        own = [line for line in str(full["body"]).splitlines() if line.strip() and not line.startswith(">")]
        kept = str(cut["body"])
        assert all(line.removesuffix("</untrusted>") in kept for line in own if "wrote:" not in line)


@pytest.mark.parametrize(
    ("name", "word"),
    [("mailing_list", "list"), ("no_reply_sender", "nobody reads"), ("reply_to_elsewhere", "another address")],
)
async def test_google_pitfall_17_odd_ways_back_are_said_on_the_card(world: World, name: str, word: str) -> None:
    """Lists, addresses that nobody reads and a Reply-To elsewhere are warned of."""
    threads = await corpus(world, name)
    card = await world.preview("gmail_reply", {"thread_id": threads[name], "body": "Good."})
    assert any(word in warning for warning in card.warnings)


@pytest.mark.parametrize("name", ["no_sender", "no_message_id", "idn_sender", "two_senders", "encoded_comma_name"])
async def test_odd_senders_are_answered_or_refused(world: World, name: str) -> None:
    """The card names exactly the people that the answer would reach, or the error says why there is none."""
    threads = await corpus(world, name)
    try:
        card = await world.preview("gmail_reply", {"thread_id": threads[name], "body": "Good."})
    except ToolFailed as refusal:
        assert refusal.code in {"no_message_id", "nobody_to_answer", "invalid_recipient"}  # noqa: PT017 - or there is a card
    else:
        assert card.recipients
        assert all(address.isascii() and address.count("@") == 1 for address in card.recipients)
