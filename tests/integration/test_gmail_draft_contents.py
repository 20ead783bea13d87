"""What leaves with a draft is what its card shows, or the draft stays where it is."""

from __future__ import annotations

import pytest

from integrations.errors import ToolFailed
from tests.integration.gmail_drafts import (
    FORWARDED,
    REPLY,
    USUAL,
    WORDS,
    card_of,
    dated,
    forms,
    labels,
    mail,
    multipart,
    part,
)
from tests.integration.google_world import World, data, shown
from tests.integration.mails import HELEN, own_draft

pytestmark = pytest.mark.asyncio(loop_scope="module")

OTHER = "Body, in the form that most readers see"

PICTURE = part("image/png; name=plan.png", "AAAA", "Content-Transfer-Encoding: base64", "Content-ID: <ii_mhx1>")


@pytest.mark.parametrize(("plain", "html"), [REPLY, FORWARDED], ids=["reply", "forward"])
async def test_a_draft_as_gmail_writes_it_is_shown_once(world: World, plain: str, html: str) -> None:
    """Bold words, links, lists, quotes in quotes, wrapped lines and a signature are the same text in both forms."""
    heads = (
        "Received: from 10640 named unknown by gmailapi.google.com with HTTPREST; Mon, 23 Nov 2026 04:00:00 -0800",
        "References: <one@mail.example>\r\n <two@mail.example>",
        "In-Reply-To: <two@mail.example>",
    )
    card = await card_of(world, forms(plain, html), *heads)
    assert labels(card) == USUAL
    assert [said for said in card.warnings if not said.startswith(("Outside", "First contact"))] == []


async def test_a_draft_with_a_picture_and_a_file_is_shown_once(world: World) -> None:
    """Gmail puts the picture beside both forms, and the file beside all of it; it names each in its own fields."""
    file = part(
        'application/pdf; name="plan.pdf"',
        "AAAA",
        'Content-Disposition: attachment; filename="plan.pdf"',
        "Content-Transfer-Encoding: base64",
        "Content-ID: <f_mhx2>",
        "X-Attachment-Id: f_mhx2",
    )
    related = multipart("related", forms(WORDS, f"<p>{WORDS}</p>"), PICTURE, boundary="b2").removesuffix("\r\n")
    card = await card_of(world, multipart("mixed", related, file, boundary="b3"))
    assert labels(card) == ["To", "Subject", "Attachments", "Body", "From"]


@pytest.mark.parametrize(
    "body", ["Eight of them.\n\n- oak\n-  teak\n\n1. and *so* on", "Größe: 5 < 6 & 7 > 6\n> quoted"]
)
async def test_a_draft_of_our_own_is_shown_once(world: World, body: str) -> None:
    """Both forms are made from one text."""
    letter = {"to": [HELEN], "subject": "Größe", "body": body}
    made = await world.execute("gmail_draft_create", letter, key="draft")
    card = await world.preview("gmail_draft_send", {"draft_id": data(made)["draft_id"]})
    assert labels(card) == USUAL


ANOTHER_FORM = [
    "text/x-amp-html",
    "text/calendar; method=REQUEST",
    "text/watch-html",
    "text/enriched",
    "text/markdown",
    "application/rtf",
    "application/xhtml+xml",
    "image/png",
    "message/rfc822",
    'text/html; name="a.html"',
]


@pytest.mark.parametrize("kind", ANOTHER_FORM)
async def test_a_form_that_no_card_shows_keeps_a_draft(world: World, kind: str) -> None:
    """A program that knows the form shows it in the place of the text on the card."""
    with pytest.raises(ToolFailed, match=f"a text of the kind {kind.partition(';')[0].replace('+', '.')}") as caught:
        await card_of(world, forms(WORDS, f"<p>{WORDS}</p>", part(kind, "<p>Nine of them.")))
    assert "gmail_draft_create" in caught.value.hint


@pytest.mark.parametrize(
    "content",
    [
        multipart("mixed", part("text/plain", WORDS), part("text/calendar; method=REQUEST", "SUMMARY:Nine of them")),
        multipart("related", part('text/html; name="a.html"', "<p>Nine of them."), part("text/plain", WORDS)),
        multipart(
            "related; start=<b>",
            part("text/plain", WORDS),
            part('text/html; name="a.html"', "Nine of them.", "Content-ID: <b>"),
        ).replace('start=<b>; boundary="', 'start="<b>"; boundary="'),
    ],
    ids=["beside it", "the root", "the root by its id"],
)
async def test_a_text_that_is_only_named_as_a_file_keeps_a_draft(world: World, content: str) -> None:
    """Programs show it below the other text, or in its place."""
    with pytest.raises(ToolFailed, match="a text of the kind text/"):
        await card_of(world, content)


BROKEN = {
    "no end": forms(WORDS, f"<p>{WORDS}</p>").replace("1835--", "1835"),
    "a line that is no field": f"Content-Type: text/plain\r\nPay 900\r\n\r\n{WORDS}",
    "a line before its head": f"From Pay 900\r\nContent-Type: text/plain\r\n\r\n{WORDS}",
    "a field without a name": f": Pay 900\r\nContent-Type: text/plain\r\n\r\n{WORDS}",
    "text behind base64's end": part("text/plain", "RWlnaHQ=TmluZQ==", "Content-Transfer-Encoding: base64"),
}


async def test_a_line_before_its_head_keeps_a_draft(world: World) -> None:
    """Mailboxes in files begin a mail with it (RFC 4155); programs read it as a field, as text, or not at all."""
    raw = b"From Pay 900\r\n" + mail(forms(WORDS, f"<p>{WORDS}</p>"), dated(world))
    with pytest.raises(ToolFailed, match="not built as mails are"):
        await world.preview("gmail_draft_send", {"draft_id": own_draft(world, raw)})


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
async def test_a_draft_that_is_not_built_as_mails_are_stays(world: World, content: str) -> None:
    """Each program makes something else of it."""
    with pytest.raises(ToolFailed, match="not built as mails are"):
        await card_of(world, content)


@pytest.mark.parametrize(
    "head",
    [
        *(
            "Subject: Pay 900",
            "From: ceo@fernhill.example",
            "To: eve@evil.example",
            "Cc: a@x.example\r\nCC: b@x.example",
        ),
        *(
            "Reply-To: a@x.example\r\nreply-to: b@x.example",
            "Bcc: a@x.example\r\nBcc: b@x.example",
            "MIME-Version: 1.0",
        ),
        *("Content-Type: text/plain", "Message-ID: <x@x.example>", "Date: Mon, 23 Nov 2026 12:00:00 +0000"),
    ],
)
async def test_a_field_that_stands_twice_keeps_a_draft(world: World, head: str) -> None:
    """Some programs take the first one, others the last."""
    name = head.partition(":")[0]
    with pytest.raises(ToolFailed, match=f"(?i)the header field {name} more than once"):
        await card_of(world, forms(WORDS, f"<p>{WORDS}</p>"), head)


async def test_a_field_of_a_part_that_stands_twice_keeps_a_draft(world: World) -> None:
    """The same holds inside."""
    doubled = part("text/html", f"<p>{WORDS}</p>", "Content-Type: text/plain")
    with pytest.raises(ToolFailed, match=r"(?i)content-type more than once"):
        await card_of(world, multipart("alternative", part("text/plain", WORDS), doubled))


@pytest.mark.parametrize(
    "head",
    [
        *(
            "X-Gm-Foo: Pay 900",
            "X-Google-Bar: Pay 900",
            "Content-Foo: Pay 900",
            "User-Agent: Pay 900",
            "Thread-Topic: 900",
        ),
        *("X-Mailer: Pay 900", "Return-Path: <eve@evil.example>", "In-Reply-To: Pay 900", "References: <a@b> Pay 900"),
        *(
            "Delivered-To: eve@evil.example",
            "Received: from Pay 900; Mon, 23 Nov 2026 04:00:00 -0800",
            "Importance: high",
        ),
        *(
            "Resent-To: eve@evil.example",
            "Content-Description: Pay 900",
            "X-Attachment-Id: Pay 900",
            "Keywords: Pay 900",
        ),
        *("Content-Language: Pay 900", "Sender: ceo@fernhill.example", "Comments: Pay 900"),
    ],
)
async def test_a_field_that_gmail_does_not_write_is_shown(world: World, head: str) -> None:
    """Whatever it is called, and also where its name is known and its value says something."""
    card = await card_of(world, forms(WORDS, f"<p>{WORDS}</p>"), head)
    [field] = [field for field in card.fields if field.label not in USUAL]
    assert field.value == head
    assert (field.label, field.destination) == (
        ("Its head also names", True) if "@" in head else ("Also in its head", False)
    )


async def test_an_address_in_a_head_stands_where_nothing_is_folded(world: World) -> None:
    """Other fields before it push it off no card: what a card says of people is never folded."""
    heads = [f"X-Padding-{n}: {'Nothing. ' * 20}" for n in range(30)]
    card = await card_of(world, forms(WORDS, f"<p>{WORDS}</p>"), *heads, "Resent-Bcc: eve@evil.example")
    [named] = [field for field in card.fields if "eve@evil.example" in field.value]
    assert named.destination


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("MIME-Version: 1.0", "MIME-Version: 1.0 (Pay 900)"),
        ("Message-ID: <", "Message-ID: Pay 900 <"),
        ("From: Mara Lindqvist <", "From: Your Boss <"),
        ("From: Mara Lindqvist <mara", "From: Mara Lindqvist <ceo"),
        ("To: Helen Marsh <", "To: Pay 900: Helen Marsh <"),
        ("To: Helen Marsh <", "To: (Pay 900) Helen Marsh <"),
    ],
)
async def test_a_field_that_says_more_than_its_card_is_shown(world: World, old: str, new: str) -> None:
    """A comment, the name of a group, and whom the draft says that it is from."""
    raw = mail(forms(WORDS, f"<p>{WORDS}</p>"), dated(world)).decode()
    assert old in raw
    draft_id = own_draft(world, raw.replace(old, new, 1).encode())
    said = shown(await world.preview("gmail_draft_send", {"draft_id": draft_id}))
    said = said.get("Also in its head") or said["Its head also names"]
    assert new.partition(": ")[2].strip("<") in said


@pytest.mark.parametrize(
    "date", ["Tue, 1 Dec 2020 09:00:00 +0000", "Pay 900", "Mon, 23 Nov 2026 12:00:00 +0000 (Pay 900)"]
)
async def test_a_date_of_another_day_is_shown(world: World, date: str) -> None:
    """Its reader would take it for an older mail."""
    draft_id = own_draft(world, mail(forms(WORDS, f"<p>{WORDS}</p>"), f"Date: {date}"))
    card = await world.preview("gmail_draft_send", {"draft_id": draft_id})
    assert shown(card)["Also in its head"] == f"Date: {date}"


async def test_a_text_in_an_encoding_that_programs_read_differently_is_told(world: World) -> None:
    """UTF-7 says other words to those that know it."""
    content = multipart("alternative", part("text/plain", WORDS), part("text/html; charset=utf-7", f"<p>{WORDS}</p>"))
    assert shown(await card_of(world, content))["Also in its head"] == "Content-Type: text/html; charset=utf-7"


ADDING = [
    'p::after{content:" and nine"}',
    "p:before { CONTENT : 'NOT ' }",
    "p::before{c\\6f ntent:attr(title)}",
    "p::before{content/**/:counter(x)}",
    'p::before{font-family:"/*";content/**/:"not";x:"*/"}',
    "p::before{content:'';content:url(data:image/svg+xml,x)}",
    "p::before{content:var(--x)}",
    "@media (max-width:1px){p{color:red}p::after{content:open-quote}}",
    "p{display:list-item;list-style-type:'not '}",
    "p{display:list-item;list-style:inside ';not'}",
    "@counter-style x{system:cyclic;symbols:'not'}",
    'q{quotes:"do not " "x"}',
    "p{text-overflow:'not'}",
    "@import 'data:text/css,p::after%7Bcontent:%22x%22%7D';",
]
REORDERING = [
    "p{unicode-bidi:bidi-override;direction:rtl}",
    "div{display:flex;flex-direction:row-reverse}",
    "div{display:flex;flex-flow:wrap column-reverse}",
    "p{order:-1}",
    "p{-webkit-order:var(--x)}",
    "p{left:5em;color:red;position:relative}",
    "p{position:absolute;top:-1px}",
    "p{display:block;transform:scaleX(-1)}",
    "p{translate:9px}",
    "div{display:grid}p{grid-row:1}",
]


@pytest.mark.parametrize(
    ("style", "said"),
    [*((style, "adds words") for style in ADDING), *((style, "in another order") for style in REORDERING)],
)
async def test_words_that_a_style_paints_keep_a_draft(world: World, style: str, said: str) -> None:
    """A card cannot show them where they stand."""
    with pytest.raises(ToolFailed, match=said):
        await card_of(world, forms(WORDS, f"<style>{style}</style><div><p title=nine>{WORDS}</p></div>"))


@pytest.mark.parametrize(
    ("html", "said"),
    [
        (f"<p style=\"display:list-item;list-style:'not '\">{WORDS}</p>", "adds words"),
        (f"<link rel=stylesheet href=\"data:text/css,p::after{{content:'x'}}\"><p>{WORDS}</p>", "adds words"),
        (f"<p>{WORDS}</p><iframe srcdoc='<p>Nine of them.'></iframe>", "another page"),
        (f"<div><template shadowrootmode=open>Nine of them.</template><p>{WORDS}</p></div>", "another page"),
        (f"<style>p::first-line {{ font-size: 0 }}</style><p>{WORDS}</p>", "apart"),
        (f"<p style='position:relative;left:9em'>{WORDS}</p>", "in another order"),
        (f"<p><bdo dir=rtl>{WORDS}</bdo></p>", "in another order"),
    ],
)
async def test_words_that_an_element_paints_keep_a_draft(world: World, html: str, said: str) -> None:
    """The same without a style sheet."""
    with pytest.raises(ToolFailed, match=said):
        await card_of(world, forms(WORDS, html))


@pytest.mark.parametrize(
    "style",
    [
        "q:before,q:after{content:'';content:none}blockquote{quotes:none}",
        'a::after{content:"" !important}',
        "ol{list-style:lower-alpha inside}ul{list-style-type:disc}p.content:hover{color:red}",
        'p{font-family:"Open Sans",sans-serif;order:0}td{background:url("https://x.example/a.png")}',
        "div{position:relative}p{left:0}p{position:absolute;top:0;left:0 !important}img{transform:none}",
        "p{border:0;text-overflow:ellipsis;flex-direction:row;unicode-bidi:embed}.order:first-child{color:red}",
    ],
)
async def test_a_usual_style_sheet_adds_nothing(world: World, style: str) -> None:
    """Resets, marks of lists, fonts and pictures paint no words."""
    card = await card_of(world, forms(WORDS, f"<style>{style}</style><p>{WORDS}</p>"))
    assert set(labels(card)) <= {*USUAL, "Addresses in its HTML that the text does not show"}


@pytest.mark.parametrize(
    "struck",
    [
        *(
            "<s>do not</s>",
            "<del>do not</del>",
            "<strike>do <b>not</b></strike>",
            '<b style="text-decoration:line-through">do not</b>',
        ),
        '<u style="text-decoration-line:underline line-through"><i>do not</i></u>',
        "<style>.x{text-decoration:line-through}</style><span class=x>do not</span>",
    ],
)
async def test_struck_words_are_shown_as_struck(world: World, struck: str) -> None:
    """Whoever reads “do not” with a line through it reads the opposite."""
    card = await card_of(world, forms("We do not agree.", f"<p>We {struck} agree.</p>"))
    assert shown(card)[OTHER] == "We ~do not~ agree."
    plain = await card_of(world, forms("We ~do not~ agree.", f"<p>We {struck} agree.</p>"))
    assert labels(plain) == USUAL


@pytest.mark.parametrize(
    ("plain", "html"),
    [
        ("We can now here.", "We can nowhere."),
        ("Tell us.", "Tell US."),
        ("   1. one\n   2. two", "<ol start=500><li>one<li>two</ol>"),
        ("> I agree.\n\nMara", "I agree.<br><br>Mara"),
    ],
)
async def test_a_space_a_capital_a_number_and_a_quote_are_part_of_a_text(world: World, plain: str, html: str) -> None:
    """Forms that differ in one say different things."""
    assert OTHER in shown(await card_of(world, forms(plain, html)))


async def test_words_between_the_parts_are_shown(world: World) -> None:
    """A program that knows no parts shows what stands before and behind them; mail programs say there what it is."""
    content = forms(WORDS, f"<p>{WORDS}</p>")
    spoken = content.replace("\r\n\r\n--", "\r\n\r\nPay 900.\r\n--", 1)
    assert shown(await card_of(world, f"{spoken}And 50."))["Around its parts"].splitlines() == ["Pay 900.", "And 50."]
    usual = content.replace("\r\n\r\n--", "\r\n\r\nThis is a multi-part message in MIME format.\r\n--", 1)
    assert labels(await card_of(world, usual)) == USUAL


async def test_characters_that_nobody_sees_in_the_head_are_told(world: World) -> None:
    """They leave with the subject and the names, which a card shows without them."""
    raw = mail(forms(WORDS, f"<p>{WORDS}</p>"), dated(world)).decode()
    raw = raw.replace("Subject: ", "Subject: =?utf-8?q?=E2=80=8B?= ").replace(
        "To: Helen", "To: =?utf-8?q?=E2=80=AE?= Helen"
    )
    warnings = (await world.preview("gmail_draft_send", {"draft_id": own_draft(world, raw.encode())})).warnings
    for said in ("the subject: 1 character without width", "the names: 1 character that turns"):
        assert any(said in warning for warning in warnings), said


@pytest.mark.parametrize(
    ("kind", "disposition", "told"),
    [
        ('application/pdf; name="plan.exe"', 'attachment; filename="plan.pdf"', True),
        ("application/pdf", "attachment; filename=\"plan.pdf\"; filename*=utf-8''plan.exe", True),
        ("application/pdf; name*0=plan.; name*1=exe", 'attachment; filename="plan.pdf"', True),
        ('application/pdf; name="=?utf-8?q?plan=2Epdf?="', "attachment; filename*=utf-8''plan.pdf", False),
    ],
)
async def test_a_file_of_two_names_shows_both(world: World, kind: str, disposition: str, told: bool) -> None:
    """Programs do not agree on which name counts."""
    file = part(kind, "AAAA", f"Content-Disposition: {disposition}", "Content-Transfer-Encoding: base64")
    said = shown(await card_of(world, multipart("mixed", part("text/plain", WORDS), file)))
    assert ("plan.exe" in said.get("Also in its head", "") or "name*1=exe" in said.get("Also in its head", "")) == told


async def test_parts_in_parts_without_end_keep_a_draft(world: World) -> None:
    """Nobody writes such a mail, and it would take a program down that goes through it."""
    content = part("text/plain", WORDS)
    for n in range(100):
        content = multipart("mixed", content, boundary=f"b{n}b")
    with pytest.raises(ToolFailed, match="takes too long"):
        await card_of(world, content)


async def test_a_long_name_pushes_no_file_off_a_card(world: World) -> None:
    """Neither does a long type: a field that is too long is folded."""
    names = [*(f"{n}{'a' * 3_000}.pdf" for n in range(5)), "salaries.csv"]
    files = [
        part(f"application/{'x' * 3_000}", "AAAA", f'Content-Disposition: attachment; filename="{name}"')
        for name in names
    ]
    said = shown(await card_of(world, multipart("mixed", part("text/plain", WORDS), *files)))["Attachments"]
    assert len(said) < 2_000
    assert "salaries.csv" in said.splitlines()[-1]
