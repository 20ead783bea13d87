"""A draft that exists, sent as it stands, against the Google emulator."""

from __future__ import annotations

from typing import Any

import pytest

from integrations.base import Done, NotDone, Unknown
from integrations.errors import Ambiguous, BasisChanged, Missing, ModelRetry, ToolFailed
from playground.google.gmail import setting_routes
from playground.google.gmail.send_as import SendAs
from playground.people import MARA, Person
from policies.guards.impacts import addresses_of
from policies.provenance import Touched
from tests.integration.google_world import World, data, shown
from tests.integration.mails import HELEN, box_of, deliver, mail_from, own_draft

SEND = "/drafts/send"

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def draft_of(world: World, **more: object) -> str:
    letter = {"to": [HELEN], "subject": "Loungers", "body": "Eight of them.", **more}
    return str(data(await world.execute("gmail_draft_create", letter, key="draft"))["draft_id"])


async def test_a_draft_leaves_as_it_stands_and_is_none_afterwards(world: World) -> None:
    """The card shows all of it and everybody who gets it; what leaves is the draft itself, and none stays behind."""
    draft_id = await draft_of(world, cc=["dana@fernhill.example"])
    card = await world.preview("gmail_draft_send", {"draft_id": draft_id})
    assert (shown(card)["To"], shown(card)["Cc"], shown(card)["Subject"]) == (
        HELEN,
        "dana@fernhill.example",
        "Loungers",
    )
    assert shown(card)["Body"].startswith("Eight of them.\n\n-- \nMara Lindqvist")
    assert card.recipients == [HELEN, "dana@fernhill.example"]
    assert any(warning.startswith("Outside fernhill.example") for warning in card.warnings)
    [before] = await world.box("mara", "drafts", "Loungers")
    result = await world.execute("gmail_draft_send", {"draft_id": draft_id}, card=card)
    assert (data(result)["sent"], data(result)["to"]) == (True, [HELEN, "dana@fernhill.example"])
    [sent] = await world.box("mara", "sent", "Loungers")
    assert sent["text"] == before["text"]
    assert await world.box("mara", "drafts", "Loungers") == []


@pytest.mark.parametrize(("tool", "more"), [("gmail_draft_send", {}), ("gmail_draft_update", {"body": "Nine."})])
async def test_other_drafts_about_the_same_are_looked_up(world: World, tool: str, more: dict[str, str]) -> None:
    """Before one is sent or written over unasked: those whose subjects have all of its words, in one round trip where
    there are none.
    """
    draft_id = await draft_of(world, subject="Re: Loungers")
    own_draft(world, mail_from(MARA.email, "Benches").as_bytes())
    before = world.requests("/drafts")
    assert (await world.impact(tool, {"draft_id": draft_id, **more})).beside == []
    alone = world.requests("/drafts") - before
    other = own_draft(world, mail_from(MARA.email, "Loungers for the show").as_bytes())
    assert (await world.impact(tool, {"draft_id": draft_id, **more})).beside == [
        Touched(kind="draft", id=other, title="Loungers for the show")
    ]
    assert world.requests("/drafts") - before - alone == alone  # what was found comes in a batch
    assert (await world.impact(tool, {"draft_id": await draft_of(world, subject=""), **more})).beside == []


async def test_drafts_that_were_not_all_looked_at_are_not_passed_over(world: World) -> None:
    """More than are looked at, or a failure."""
    draft_id = await draft_of(world)
    for _ in range(20):
        own_draft(world, mail_from(MARA.email, "Loungers").as_bytes())
    with pytest.raises(ToolFailed, match="Not all drafts"):
        await world.impact("gmail_draft_send", {"draft_id": draft_id})


async def test_the_last_word_of_a_long_subject_may_be_cut(world: World) -> None:
    """What is cut is no word of another subject."""
    draft_id = await draft_of(world, subject=f"Loungers {'x' * 150}")
    other = own_draft(world, mail_from(MARA.email, "Loungers").as_bytes())
    found = await world.impact("gmail_draft_send", {"draft_id": draft_id})
    assert [one.id for one in found.beside] == [other]


async def test_links_of_the_signature_are_its_owners(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The text of a draft holds it already; whoever wrote the draft, other links in it are theirs."""

    def send_as_of(person: Person) -> tuple[SendAs, ...]:
        signature = '<div>Mara<br><a href="https://fernhill.example/team">Our team: fernhill.example/team</a></div>'
        return (SendAs(email=person.email, name=person.name, primary=True, signature=signature),)

    monkeypatch.setattr(setting_routes, "send_as_of", send_as_of)
    draft_id = await draft_of(world, body="See evil.example/pay")
    card = await world.preview("gmail_draft_send", {"draft_id": draft_id})
    assert "fernhill.example/team" in shown(card)["Body"]
    assert card.impact is not None
    assert addresses_of(card.impact) == ["evil.example/pay"]


async def test_an_unfinished_draft_is_what_is_sent_or_written_over(world: World) -> None:
    """Both say which draft it is, by the subject that it has now, so that one whom nobody called is asked about."""
    draft_id = await draft_of(world, subject="Termination of our contract")
    for tool, more in (("gmail_draft_send", {}), ("gmail_draft_update", {"subject": "Hello", "body": "Pay me."})):
        impact = (await world.preview(tool, {"draft_id": draft_id, **more})).impact
        assert impact is not None
        assert impact.objects == [Touched(kind="draft", id=draft_id, title="Termination of our contract")]


async def test_a_draft_that_was_saved_meanwhile_is_shown_again(world: World) -> None:
    """What was approved is one version; another one is not sent."""
    draft_id = await draft_of(world)
    card = await world.preview("gmail_draft_send", {"draft_id": draft_id})
    await world.execute("gmail_draft_update", {"draft_id": draft_id, "body": "Nine."}, key="faster")
    with pytest.raises(BasisChanged):
        await world.execute("gmail_draft_send", {"draft_id": draft_id}, card=card)
    assert await world.box("mara", "sent", "Loungers") == []


async def test_a_draft_with_a_doubtful_recipient_stays(world: World) -> None:
    """Nothing leaves while a recipient is uncertain; the error says what to do."""
    heads = f"From: {MARA.email}\r\nTo: a@x.example <b@y.example> c@z.example\r\nMessage-ID: <own@fernhill.example>"
    draft_id = own_draft(world, f"{heads}\r\n\r\nHi".encode())
    with pytest.raises(ToolFailed, match="cannot be a recipient") as caught:
        await world.preview("gmail_draft_send", {"draft_id": draft_id})
    assert "gmail_draft_update" in caught.value.hint
    with pytest.raises(Missing):
        await world.preview("gmail_draft_send", {"draft_id": "r1"})


ALL = """
<p>Eight of them, at <a href="https://evil.example/pay">our shop</a>.</p>
<p style="display:none">Ignore the invoice.</p><!-- for programs --><img src="https://track.example/1.gif">
<p style="color:#fff">white words</p>
"""


async def test_what_leaves_with_a_draft_is_what_its_card_shows(world: World) -> None:
    """HTML with other words than the plain text, hidden text, a link elsewhere, a beacon, a receipt, a second Reply-To
    and an odd header field leave only where they were seen.
    """
    mail = mail_from(MARA.email, "Both", "Eight of them, at our shop. Zero\u200bwidth.", to=HELEN)
    mail["Disposition-Notification-To"] = "spy@evil.example"
    mail["Reply-To"] = "mara@fernhill.example, thief@evil.example"
    mail["Precedence"] = "bulk"
    mail.add_alternative(ALL, subtype="html")
    card = await world.preview("gmail_draft_send", {"draft_id": own_draft(world, mail.as_bytes())})
    said = shown(card)
    assert said["Body"] == "Eight of them, at our shop. Zerowidth."
    assert said["Body, in the form that most readers see"] == "Eight of them, at our shop (https://evil.example/pay)."
    assert said["Hidden in its HTML"].splitlines() == ["Ignore the invoice.", "white words", "for programs"]
    assert said["Addresses in its HTML that the text does not show"] == "https://track.example/1.gif"
    assert said["Receipt goes to"] == "spy@evil.example"
    assert said["Answers go to"].splitlines() == ["mara@fernhill.example", "thief@evil.example"]
    assert said["Also in its head"] == "Precedence: bulk"
    for part in ("different things", "hides 44 characters", "1 address", "a receipt", "1 character without width"):
        assert any(part in warning for warning in card.warnings), part


async def test_words_in_attributes_and_characters_without_width_are_told(world: World) -> None:
    """What the pointer shows, what is read aloud in place of a speck, and what nobody sees within the HTML's words."""
    mail = mail_from(MARA.email, "Hints", "Eight loungers, see the picture.", to=HELEN)
    html = (
        '<p title="Pay 900 to Dora">Eight\u200b\u200b loungers, <img alt="see the picture" src="cid:p">'
        '<img alt="or call Dora" width="1" src="cid:q"></p>'
    )
    mail.add_alternative(html, subtype="html")
    card = await world.preview("gmail_draft_send", {"draft_id": own_draft(world, mail.as_bytes())})
    assert shown(card)["Hidden in its HTML"].splitlines() == ["Pay 900 to Dora", "or call Dora"]
    for part in ("hides 28 characters", "the HTML: 2 characters without width"):
        assert any(part in warning for warning in card.warnings), (part, card.warnings)


async def test_a_form_that_leaves_something_out_is_another_one(world: World) -> None:
    """A text that is part of the other form says something else without the rest."""
    mail = mail_from(MARA.email, "Less", "Please do not pay the invoice.", to=HELEN)
    mail.add_alternative("<p>pay the invoice.</p>", subtype="html")
    card = await world.preview("gmail_draft_send", {"draft_id": own_draft(world, mail.as_bytes())})
    assert shown(card)["Body, in the form that most readers see"] == "pay the invoice."


@pytest.mark.parametrize("subtype", ["html", "plain"])
async def test_a_draft_of_one_form_has_nothing_beside_it(world: World, subtype: str) -> None:
    """Gmail's own drafts have two forms of the same words, and a card that shows them once."""
    mail = mail_from(MARA.email, "Same", "Eight *of them*.\n\nMara", to=HELEN)
    if subtype == "html":
        mail.add_alternative('<div dir="ltr">Eight <b>of them</b>.<br><br>Mara</div>', subtype="html")
    card = await world.preview("gmail_draft_send", {"draft_id": own_draft(world, mail.as_bytes())})
    assert [field.label for field in card.fields] == ["To", "Subject", "Body", "From"]
    assert not [warning for warning in card.warnings if "Its" in warning]


@pytest.mark.parametrize(
    ("plain", "html"),
    [
        ("$100 (1.5 million)", "€100 (15 million)"),
        ("Balance -500", "Balance 500"),
        ("1:30 on 1/2", "13:0 on 12"),
        ("It is \N{THUMBS UP SIGN}.", "It is \N{THUMBS DOWN SIGN}."),
        ("10 % off", "10 off"),
        ("2*3", "23"),
    ],
)
async def test_a_sign_is_part_of_what_a_form_says(world: World, plain: str, html: str) -> None:
    """Forms that differ in a sign of money, a minus, a point or a picture say different things."""
    mail = mail_from(MARA.email, "Signs", plain, to=HELEN)
    mail.add_alternative(f"<p>{html}</p>", subtype="html")
    card = await world.preview("gmail_draft_send", {"draft_id": own_draft(world, mail.as_bytes())})
    assert shown(card)["Body, in the form that most readers see"] == html


@pytest.mark.parametrize(
    ("href", "told"),
    [
        (r"https:\\evil.example/x", "https://evil.example/x"),
        ("https:/evil.example/x", "https://evil.example/x"),
        ("https:evil.example/x", "https://evil.example/x"),
        (r"/\evil.example/x", "//evil.example/x"),
        ("ht\ttps://evil.example/x", "https://evil.example/x"),
        ("whatsapp:send?text=x", "whatsapp:send?text=x"),
        ("https://evil.example/x", "https://evil.example/x"),
        (f"https://bank.example:{'a' * 400}@evil.example/", "(its host is evil.example)"),
    ],
)
async def test_where_a_link_leads_is_shown_however_it_is_spelled(world: World, href: str, told: str) -> None:
    """Browsers mend slashes and leave tabs out. An address inside another one that is shown is not shown itself."""
    text = "https://bank.example/?ref=https://evil.example/x"
    mail = mail_from(MARA.email, "Link", text, to=HELEN)
    mail.add_alternative(f'<p><a href="{href}">{text}</a></p>', subtype="html")
    card = await world.preview("gmail_draft_send", {"draft_id": own_draft(world, mail.as_bytes())})
    assert told in "\n".join(value for label, value in shown(card).items() if label != "Body")


@pytest.mark.parametrize(
    ("plain", "html"),
    [
        ("- one\n- two", "<ul><li>one</li><li>two</li></ul>"),
        ("He said “yes”, didn’t he?", "He said &quot;yes&quot;, didn't he?"),
        ("*Now*, _please_.", "<b>Now</b>, <i>please</i>."),
    ],
)
async def test_how_a_text_is_set_says_nothing(world: World, plain: str, html: str) -> None:
    """Bullets, quotation marks and stars of a plain text are how its other form looks."""
    mail = mail_from(MARA.email, "Set", plain, to=HELEN)
    mail.add_alternative(html, subtype="html")
    card = await world.preview("gmail_draft_send", {"draft_id": own_draft(world, mail.as_bytes())})
    assert [field.label for field in card.fields] == ["To", "Subject", "Body", "From"]


async def test_a_draft_that_is_too_long_to_be_looked_through_stays(world: World) -> None:
    """What stands behind the part that is read leaves unseen, so nothing leaves."""
    mail = mail_from(MARA.email, "Long", "Short.", to=HELEN)
    mail.add_alternative(f"<p>Short.</p>{'<!-- -->' * 40_000}<p>Not so short.</p>", subtype="html")
    with pytest.raises(ToolFailed, match="takes too long"):
        await world.preview("gmail_draft_send", {"draft_id": own_draft(world, mail.as_bytes())})


async def test_an_answer_says_what_it_answers_and_that_it_is_late(world: World) -> None:
    """The draft of a reply names the mail before it; a newer one in the thread is a warning."""
    tie = f"To: {MARA.email}\r\nSubject: Plan\r\nMessage-ID:"
    thread_id = deliver(world, f"From: ann@law.example\r\n{tie} <p1@law.example>\r\n\r\nOne")
    answer: dict[str, Any] = {"to": ["ann@law.example"], "subject": "Re: Plan", "body": "x", "thread_id": thread_id}
    draft_id = str(data(await world.execute("gmail_draft_create", answer, key="draft"))["draft_id"])
    card = await world.preview("gmail_draft_send", {"draft_id": draft_id})
    assert shown(card)["In reply to"].startswith("ann@law.example")
    assert not any("another one came" in warning for warning in card.warnings)
    deliver(world, f"From: bob@law.example\r\n{tie} <p2@law.example>\r\nIn-Reply-To: <p1@law.example>\r\n\r\nTwo")
    late = await world.preview("gmail_draft_send", {"draft_id": draft_id})
    assert any("another one came" in warning for warning in late.warnings)


async def test_a_lost_answer_is_settled_by_looking(world: World) -> None:
    """Sent, but the connection drops: one POST; the mail is found, and a next attempt sends no second one."""
    arguments = {"draft_id": await draft_of(world)}
    await world.interrupt("drop_after", SEND, "gmail_draft_send", arguments)
    settled = await world.reconcile("gmail_draft_send", arguments)
    assert isinstance(settled, Done)
    assert data(settled.result)["to"] == [HELEN]
    again = await world.execute("gmail_draft_send", arguments, attempt=2)
    assert data(again)["sent"] is True
    assert (len(await world.box("mara", "sent", "Loungers")), world.requests(SEND)) == (1, 1)


async def test_a_draft_that_is_still_there_was_not_sent(world: World) -> None:
    """The connection drops before: not done; the next attempt sends it, once."""
    arguments = {"draft_id": await draft_of(world)}
    await world.interrupt("drop_before", SEND, "gmail_draft_send", arguments)
    assert isinstance(await world.reconcile("gmail_draft_send", arguments), NotDone)
    await world.execute("gmail_draft_send", arguments, attempt=2)
    assert len(await world.box("mara", "sent", "Loungers")) == 1


async def test_a_draft_that_is_gone_without_a_trace_is_not_known(world: World) -> None:
    """After a doubtful attempt it may have been sent or deleted: said so; before any, certainly nothing was sent."""
    arguments = {"draft_id": await draft_of(world)}
    box = box_of(world)
    await world.interrupt("drop_before", SEND, "gmail_draft_send", arguments, key="doubtful")
    box.drop_draft(box.draft(arguments["draft_id"]))
    with pytest.raises(Ambiguous):
        await world.execute("gmail_draft_send", arguments, key="doubtful", attempt=2)
    assert isinstance(await world.reconcile("gmail_draft_send", arguments, key="doubtful"), Unknown)
    for key, attempt in (("doubtful", 3), ("first", 1)):
        with pytest.raises(ToolFailed) as caught:
            await world.execute("gmail_draft_send", arguments, key=key, attempt=attempt, doubt=attempt > 1)
        assert caught.value.code == "draft_gone"


async def test_a_refusal_leaves_the_draft_where_it_was(world: World) -> None:
    """It is the person's own: where Google refuses to send it, it is not taken back."""
    arguments = {"draft_id": await draft_of(world)}
    world.fault("error", SEND, status=400, error="invalidArgument")
    with pytest.raises(ModelRetry):
        await world.execute("gmail_draft_send", arguments)
    assert len(await world.box("mara", "drafts", "Loungers")) == 1
