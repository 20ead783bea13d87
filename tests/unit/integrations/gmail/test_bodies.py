"""The text of a message: which part, which charset, what is hidden."""

from __future__ import annotations

from base64 import urlsafe_b64encode

import pytest

from integrations.gmail.bodies import attachments, body_text, decode_base64url, decode_text, text_parts
from integrations.gmail.cleaning import visible
from integrations.gmail.pages import text_of_html
from integrations.gmail.wire import Header, Message, Part, PartBody


def leaf(data: str | bytes, kind: str = "text/plain", content_type: str = "", **more: object) -> Part:
    raw = data.encode() if isinstance(data, str) else data
    encoded = urlsafe_b64encode(raw).decode().rstrip("=")
    headers = [Header(name="Content-Type", value=content_type or kind)]
    return Part(mime_type=kind, headers=headers, body=PartBody(data=encoded, size=len(raw))).model_copy(update=more)


def multi(kind: str, *parts: Part) -> Message:
    return Message(id="m1", payload=Part(mime_type=f"multipart/{kind}", parts=parts))


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ("YQ", b"a"),
        ("YWI", b"ab"),
        ("YWJj", b"abc"),
        ("", b""),
        ("YW\nJj", b"abc"),
        ("Y", b""),
        ("-_8", b"\xfb\xff"),
        ("+/8=", b"\xfb\xff"),
    ],
)
def test_google_pitfall_01_base64url_needs_no_padding(data: str, told: bytes) -> None:
    """Gmail's data comes without padding, to the last byte; garbage gives what could be read."""
    assert decode_base64url(data) == told


@pytest.mark.parametrize(
    ("raw", "charset", "text"),
    [
        ("Grüße".encode(), "us-ascii", "Grüße"),
        ("Grüße".encode(), "iso-8859-1", "Grüße"),
        ("Grüße".encode("cp1252"), "utf-8", "Grüße"),
        ("“quoted”".encode("cp1252"), "iso-8859-1", "“quoted”"),
        ("日本".encode("iso-2022-jp"), "iso-2022-jp", "日本"),
        ("日本".encode("shift_jis"), "shift_jis", "日本"),
        ("Zażółć".encode("iso-8859-2"), "iso-8859-2", "Zażółć"),
        (b"plain", "x-unknown", "plain"),
        (b"plain", "", "plain"),
        (rb"a\udfffb", "unicode_escape", r"a\udfffb"),
        (rb"a\udfffb", "raw-unicode-escape", r"a\udfffb"),
    ],
)
def test_google_pitfall_02_charsets_that_lie_are_repaired(raw: bytes, charset: str, text: str) -> None:
    """UTF-8 that says it is Latin-1, Windows text that says it is UTF-8, and honest ones all come out right."""
    assert decode_text(raw, charset) == text


def test_plain_text_is_preferred() -> None:
    """Of an alternative the plain part is read."""
    assert body_text(multi("alternative", leaf("Hello"), leaf("<b>Hello</b>", "text/html"))) == "Hello"


@pytest.mark.parametrize("plain", ["", "Please view this mail in a browser.", "Your client does not support HTML mail"])
def test_google_pitfall_04_a_placeholder_gives_way_to_the_html(plain: str) -> None:
    """Plain text that only stands in for the HTML is passed over."""
    html = "<p>" + "The oak arrives on Thursday. " * 10 + "</p>"
    assert body_text(multi("alternative", leaf(plain), leaf(html, "text/html"))).startswith("The oak arrives")


def nested(kind: str, *parts: Part) -> Part:
    return Part(mime_type=f"multipart/{kind}", parts=parts)


HTML = "<p>Dear all, the board meets on Thursday at nine. Please bring the forms.</p>"


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ([leaf(HTML, "text/html"), leaf("_____\nBoard mailing list")], "forms.|_____|Board mailing list"),
        (
            [leaf("Hello Mara."), leaf("%PDF", "application/pdf"), leaf("<p>The price is 900.</p>", "text/html")],
            "Hello Mara.|The price is 900.",
        ),
        ([leaf("One."), leaf("Two."), leaf("Three.")], "One.|Two.|Three."),
        ([nested("alternative", leaf("Plain."), leaf("<p>Rich.</p>", "text/html")), leaf("Footer.")], "Plain.|Footer."),
        (
            [nested("alternative", leaf(""), nested("related", leaf(HTML, "text/html"), leaf("x", "image/png")))],
            "forms.",
        ),
        ([leaf("The board meets on Thursday."), leaf("<b>The board</b> meets on Thursday.", "text/html")], "Thursday."),
    ],
)
def test_google_pitfall_04_every_part_of_a_mail_is_read(parts: list[Part], text: str) -> None:
    """Only of an alternative one form is read: a list's plain footer, or a file between two texts, hides nothing."""
    read = body_text(multi("mixed", *parts))
    places = [read.find(each) for each in text.split("|")]
    assert -1 not in places
    assert places == sorted(places)
    assert read.count("Thursday") <= 1
    assert "Rich." not in read


def test_google_pitfall_05_attached_messages_and_files_stay_apart() -> None:
    """The text of an attached message or file is not the message's own; both are listed."""
    inner = Part(mime_type="multipart/mixed", parts=[leaf("inner secret"), leaf("x", filename="inner.txt")])
    attached = Part(mime_type="message/rfc822", filename="note.eml", parts=[inner])
    named = leaf("col1,col2", "text/plain", filename="data.csv")
    message = multi("mixed", leaf("outer"), attached, named)
    assert body_text(message) == "outer"
    assert [part.filename for part in attachments(message)] == ["note.eml", "data.csv"]
    assert [decode_base64url(part.body.data) for part in text_parts(message)] == [b"outer"]


def test_flowed_lines_are_joined_but_not_the_signature() -> None:
    """format=flowed joins soft line ends, with DelSp=yes without their space, and keeps the signature's separator."""
    message = Message(id="m", payload=leaf("one \r\ntwo\r\n-- \r\nMe", content_type="text/plain; format=flowed"))
    assert body_text(message) == "one two\n-- \nMe"
    broken = leaf("https://pay.example/inv \r\noice now", content_type="text/plain; format=flowed; delsp=yes")
    assert body_text(Message(id="m", payload=broken)) == "https://pay.example/invoice now"


@pytest.mark.parametrize(
    "hidden",
    [
        '<div style="display:none">SECRET</div>',
        '<div style="DISPLAY : none !important">SECRET</div>',
        '<span style="font-size:0px">SECRET</span>',
        '<span style="font-size:0">SECRET</span>',
        '<span style="visibility: hidden"><b>SECRET</b></span>',
        '<div style="max-height:0;overflow:hidden">SECRET</div>',
        '<p style="opacity:0">SECRET</p>',
        '<p style="color:#ffffff">SECRET</p>',
        '<font color="white">SECRET</font>',
        '<td style="position:absolute;left:-9999px">SECRET</td>',
        "<p hidden>SECRET</p>",
        "<!-- SECRET -->",
        "<script>SECRET</script><style>SECRET{}</style><title>SECRET</title>",
        '<style>.x { display: none }</style><p class="a x">SECRET</p>',
        '<style><!-- #x { display: none } --></style><p id="x">SECRET</p>',
        '<p class="x">SECRET</p><style>/* later */ .x { display: none }</style>',
        '<style>@media screen { .x { display: none } }</style><p class="x">SECRET</p>',
        "<style>#a .x { display: none } .x { display: block }</style><div id=a><p class=x>SECRET</p></div>",
        '<style>.w{color:#fff}</style><p class="w">SECRET <b style="color:inherit">SECRET</b></p>',
        '<p style="color:#fefefe">SECRET</p>',
        '<p style="color:rgba(0,0,0,0.01)">SECRET</p>',
        '<p style="font-size:0.1px">SECRET</p>',
        '<p style="font:0/0 a">SECRET</p>',
        '<p style="opacity:0.01">SECRET</p>',
        '<p style="position:absolute;left:-999px">SECRET</p>',
        '<p style="transform:scale(0)">SECRET</p>',
        '<p style="line-height:0;overflow:hidden;height:0.1px">SECRET</p>',
        '<p style="position:absolute;clip:rect(0 0 0 0)">SECRET</p>',
        '<img style="display:none" alt="SECRET">',
        '<img width="1" height="1" alt="SECRET"><img style="height:0px" alt="SECRET">',
        "<style>[data-x] { display: none }</style><p DATA-X>SECRET</p>",
        "<style>p[class='a b'][lang|=en] { display: none }</style><p class='a b' lang='en-GB'>SECRET</p>",
        "<style>[title~=x], [title^='y'], [title$=z] { display: none }</style><p title='w x'>SECRET</p>",
        "<style>[title*='ydl']:not(.shown) { display: none }</style><p title=idydle>SECRET</p>",
        "<style>hr + p { display: none }</style><hr><p>SECRET</p>",
        "<style>hr ~ .x > b { display: none }</style><div><hr><i></i><p class=x><b>SECRET</b></p></div>",
        "<style>div :nth-child(2n+1) { display: none }</style><div><p>SECRET</p></div>",
        "<style>i:first-child { display: none }</style><div><i>SECRET</i></div>",
        "<style>.a > .b i { display: none }</style><p class=a><b class=b><u class=b><i>SECRET</i></u></b></p>",
    ],
)
def test_what_a_reader_cannot_see_is_not_read(hidden: str) -> None:
    """Hidden elements, white on white, comments and scripts give no text; what stands around them does."""
    assert text_of_html(f"<html><body><p>before</p>{hidden}<p>after</p></body></html>").split() == ["before", "after"]


@pytest.mark.parametrize(
    "shown",
    [
        '<td bgcolor="#003300"><font color="white">SHOWN</font></td>',
        '<div style="background-color:#222"><p style="color:#fff">SHOWN</p></div>',
        '<p style="font-size:0.9em">SHOWN</p>',
        '<p style="line-height:0">SHOWN</p>',
        '<p style="opacity:0.8">SHOWN</p>',
        "<style>@media (max-width:600px) { .x { display:none } }</style><p class='x'>SHOWN</p>",
        "<style>.c .pre { display:none }</style><div class='c'>SHOWN<p class='pre'>hidden</p></div>",
        "<style>.m .foot { display:none }</style><p class='foot'>SHOWN</p>",
        "<style>table.main td.hide { display:none }</style><table class='main'><tr><td>SHOWN</td></tr></table>",
        "<style>.x.y { display:none }</style><p class='x'>SHOWN</p>",
        "<style>.c > .z { display:none }</style><div class='c'><i><b class='z'>SHOWN</b></i></div>",
        "<style>.x { display:none } p.x { display:block }</style><p class='x'>SHOWN</p>",
        '<style>.x { display:none }</style><p class="x" style="display:block">SHOWN</p>',
        "<!--[if mso]><style>p { display:none }</style><![endif]--><p>SHOWN</p>",
        '<td style="font-size:0"><span style="font-size:14px">SHOWN</span></td>',
        '<div style="color:#fff"><table bgcolor="#000"><tr><td>SHOWN</td></tr></table></div>',
        '<div style="visibility:hidden"><p style="visibility:visible">SHOWN</p></div>',
        '<style>.dark{background:#123}</style><p class="dark" style="color:#fff">SHOWN</p>',
        '<style>@media print{.d{background:#123}}</style><p class="d" style="color:#fff">SHOWN</p>',
        '<p style="margin-left:-20px;height:0">SHOWN</p>',
        "<style>[owa] .x { display: none }</style><p class=x>SHOWN</p>",
        "<style>u + .body .x { display: none }</style><div class=body><p class=x>SHOWN</p></div>",
        "<style>p:not(.x) { display: none }</style><p class=x>SHOWN</p>",
        "<style>p:nth-child(-n+2) { display: none }</style><div><hr><hr><p>SHOWN</p></div>",
        "<style>p:first-child, hr + b, [title=y] { display: none }</style><div><hr><p title=x>SHOWN</p></div>",
        "<style>p:hover, p::before, p:nth-child(x), p:not(:first-child) { display: none }</style><p>SHOWN</p>",
    ],
)
def test_what_a_reader_can_see_is_read(shown: str) -> None:
    """White text on a dark ground, small text, and rules for other screens hide nothing."""
    assert "SHOWN" in text_of_html(shown)


def test_html_keeps_its_lines_links_and_quotes() -> None:
    """Blocks become lines, links keep their address, cited blocks are marked as quotes."""
    html = (
        '<p>Dear&nbsp;Mara,</p><ul><li>one</li><li>two</li></ul><p>See <a href="https://x.example/a">the plan</a>.</p>'
        '<blockquote class="gmail_quote">old<br>text</blockquote>'
    )
    assert text_of_html(html) == ("Dear Mara,\n- one\n- two\n\nSee the plan (https://x.example/a).\n> old\n> text")


@pytest.mark.parametrize("html", ["<p>&#99999999;&bogus;</p>", "<![CDATA[x", "<a href=", "</p></p>x", "a < b & c > d"])
def test_malformed_html_ends_in_text(html: str) -> None:
    """Broken markup gives some text and no error."""
    assert isinstance(text_of_html(html), str)


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "piece",
    [
        "<",
        "<a",
        "</a",
        "<!--",
        "<![CDATA[ >",
        "<div>",
        "a<b>",
        "<a b='",
        "<style>.a{",
        "&#",
        "<style>a{color:red}/*",
        "<!--<style>",
    ],
)
def test_hostile_html_takes_no_time(piece: str) -> None:
    """400,000 characters of markup that is opened and never closed are read in a moment."""
    assert isinstance(text_of_html(piece * (400_000 // len(piece))), str)


@pytest.mark.timeout(20)
def test_hostile_style_sheets_take_no_time() -> None:
    """Many rules for many elements, deep inside each other, are looked at as far as an honest mail needs."""
    rules = "".join(f"div a b .x{n} i, i{{color:red}}" for n in range(2_000))
    page = f"<style>{rules}</style>" + "<div>" * 300 + "".join(f"<i class=x{n}>text</i>" for n in range(9_000))
    assert "text" in text_of_html(page)


def test_conditional_comments_hide_nothing_that_is_shown() -> None:
    """What Outlook alone would see is left out, what everybody else sees is read."""
    html = "<!--[if mso]><p>outlook</p><![endif]--><!--[if !mso]><!--><p>others</p><!--<![endif]-->"
    assert text_of_html(html) == "others"


def test_invisible_characters_are_removed() -> None:
    """Zero-width, bidirectional and tag characters disappear; every kind of line end is one."""
    assert visible("a\ud800\u200bb\u202ec\U000e0041d\r\ne\u2028f\x00") == "abcd\ne\nf"
