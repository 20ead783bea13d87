"""HTML as a reader would see it: what is painted is read, and nothing else."""

from __future__ import annotations

import pytest

from integrations.gmail.html.page import text_of_html

PAGES = {"quirks": "<html><body>", "standard": "<!doctype html>"}

HIDDEN = [
    '<div style="display:none">SECRET</div>',
    '<div style="DISPLAY : none !important">SECRET</div>',
    '<span style="font-size:0px">SECRET</span>',
    '<span style="font-size:0">SECRET</span>',
    '<span style="visibility: hidden"><b>SECRET</b></span>',
    '<div style="max-height:0;overflow:hidden">SECRET</div>',
    '<p style="opacity:0">SECRET</p>',
    '<p style="color:#ffffff">SECRET</p>',
    '<font color="white">SECRET</font>',
    '<table><tr><td style="position:absolute;left:-9999px">SECRET</table>',
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
    # in the colour of the ground
    '<div style="background:#123456"><p style="color:#123456">SECRET</p></div>',
    '<div style="background-color:navy"><p style="color:#000083">SECRET</p></div>',
    '<div style="color:white"><p><b>SECRET</b></p></div>',
    '<div style="background:black;color:white"><p style="background:white">SECRET</p></div>',
    '<table bgcolor="#222222"><tr><td><font color="#222222">SECRET</font></table>',
    '<p style="color:rgba(0,0,0,.5);opacity:.09">SECRET</p>',
    '<p style="-webkit-text-fill-color:transparent">SECRET</p>',
    '<a href="https://x.example" style="color:#fff">SECRET</a>',
    # colours in every form
    '<p style="color:hsl(0,0%,100%)">SECRET</p>',
    '<p style="color:hsl(120deg 50% 99%)">SECRET</p>',
    '<p style="color:hwb(0 100% 0%)">SECRET</p>',
    '<p style="color:rgb(100%,100%,100%)">SECRET</p>',
    '<p style="color:rgb(255 255 255 / 100%)">SECRET</p>',
    '<p style="color:#fff8">SECRET</p>',
    '<p style="color:red;color:#fff;color:nonsense">SECRET</p>',
    # no opacity
    '<p style="opacity:1%">SECRET</p>',
    '<p style="opacity:0e0">SECRET</p>',
    '<div style="opacity:.2"><div style="opacity:.2">SECRET</div></div>',
    '<p style="filter:opacity(1%)">SECRET</p>',
    # no size
    '<p style="font-size:1px">SECRET</p>',
    '<div style="font-size:10%"><p style="font-size:1em">SECRET</p></div>',
    '<div style="font-size:.3em"><p style="font-size:.3em">SECRET</p></div>',
    '<p style="font:normal 1px/1 serif">SECRET</p>',
    '<p style="font-size:calc(0px)">SECRET</p>',
    '<p style="zoom:0.01">SECRET</p>',
    '<div style="overflow:hidden;width:0%">SECRET</div>',
    # off the page
    '<p style="position:absolute;left:99999px">SECRET</p>',
    '<p style="position:fixed;top:-100em">SECRET</p>',
    '<p style="position:relative;inset:-500px auto auto -500px">SECRET</p>',
    '<p style="text-indent:-1000%">SECRET</p>',
    '<p style="text-indent:9999px">SECRET</p>',
    '<p style="margin:0 0 0 -9999px">SECRET</p>',
    '<p style="margin:0 -9999px 0">SECRET</p>',
    '<p style="transform:translateX(-200vw)">SECRET</p>',
    '<p style="translate:-9999px">SECRET</p>',
    # to nothing
    '<p style="scale:0">SECRET</p>',
    '<p style="transform:scale3d(0,0,0)">SECRET</p>',
    '<p style="transform:matrix(0,0,0,0,0,0)">SECRET</p>',
    '<p style="transform:rotateY(90deg)">SECRET</p>',
    '<p style="clip-path:inset(100%)">SECRET</p>',
    '<p style="clip-path:circle(0px)">SECRET</p>',
    '<p style="clip-path:polygon(0 0, 0 0, 0 0)">SECRET</p>',
    '<p style="content-visibility:hidden">SECRET</p>',
    # by ways around
    '<p style="--c:#fff;color:var(--c)">SECRET</p>',
    '<div style="--hide:none"><p style="display:var(--hide)">SECRET</p></div>',
    '<p style="display:var(--nothing,none)">SECRET</p>',
    '<p style="d\\69splay:none">SECRET</p>',
    '<p style="display:n\\6f ne">SECRET</p>',
    '<p style="display:/**/none/**/">SECRET</p>',
    "<p style=\"a:';';display:none\">SECRET</p>",
    "<style>@supports (display:grid) { .x { display: none } }</style><p class=x>SECRET</p>",
    "<style>@layer a { .x { display: none } }</style><p class=x>SECRET</p>",
    "<style>@media (min-width:1px) { .x { display: none } }</style><p class=x>SECRET</p>",
    "<style>@media not print { @media screen { .x { display: none } } }</style><p class=x>SECRET</p>",
    "<style>@import 'y'; .x { display: none }</style><p class=x>SECRET</p>",
    "<style>.\\78 { display: none }</style><p class=x>SECRET</p>",
    "<style>.a { color: red; .x { display: none } }</style><div class=a><p class=x>SECRET</p></div>",
    "<style>.a { &.x { display: none } }</style><p class='a x'>SECRET</p>",
    "<style>b:not(:is(.y, .z)) { display: none }</style><b>SECRET</b>",
    "<style>.x, .x::before { display: none }</style><p class=x>SECRET</p>",
    "<style>.x { content: '}'; display: none }</style><p class=x>SECRET</p>",
    "<style>.x { a: '/*'; display: none; b: '*/' }</style><p class=x>SECRET</p>",
    "<style>.x { display: none !important }</style><p class=x style='display:block'>SECRET</p>",
    "<style media=screen>.x { display: none }</style><p class=x>SECRET</p>",
]


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("hidden", HIDDEN)
def test_what_is_not_painted_is_not_read(page: str, hidden: str) -> None:
    """A text that is kept from being painted, in whatever way, is not read; what stands around it is."""
    assert text_of_html(f"{PAGES[page]}<p>before</p>{hidden}<p>after</p>").split() == ["before", "after"]


SHOWN = [
    '<table><tr><td bgcolor="#003300"><font color="white">SHOWN</font></table>',
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
    '<table><tr><td style="font-size:0"><span style="font-size:14px">SHOWN</span></table>',
    '<div style="color:#fff"><table bgcolor="#000"><tr><td>SHOWN</td></tr></table></div>',
    '<div style="visibility:hidden"><p style="visibility:visible">SHOWN</p></div>',
    '<style>.dark{background:#123}</style><p class="dark" style="color:#fff">SHOWN</p>',
    '<p style="margin-left:-20px;height:0">SHOWN</p>',
    "<style>[owa] .x { display: none }</style><p class=x>SHOWN</p>",
    "<style>u + .body .x { display: none }</style><div class=body><p class=x>SHOWN</p></div>",
    "<style>p:not(.x) { display: none }</style><p class=x>SHOWN</p>",
    "<style>p:nth-child(-n+2) { display: none }</style><div><hr><hr><p>SHOWN</p></div>",
    "<style>p:first-child, hr + b, [title=y] { display: none }</style><div><hr><p title=x>SHOWN</p></div>",
    "<style>p:hover, p::before, p:nth-child(x), p:not(:first-child) { display: none }</style><div><p>SHOWN</p></div>",
    '<div style="background:black"><p style="color:white">SHOWN</p></div>',
    '<div style="background:#222 url(x.png)"><p style="color:white">SHOWN</p></div>',
    '<div style="background:linear-gradient(red,blue);color:#fff">SHOWN</div>',
    '<div style="color:white"><a href="https://x.example">SHOWN</a></div>',
    '<div style="color:white"><p style="color:initial">SHOWN</p></div>',
    '<p style="color:#fff;color:black">SHOWN</p>',
    '<p style="color:#ddd">SHOWN</p>',
    '<p style="display:none;display:block">SHOWN</p>',
    '<p style="left:-9999px">SHOWN</p>',
    '<p style="position:relative;left:-10px;margin:-20px;text-indent:-20px">SHOWN</p>',
    '<p style="display:inline-block;transform:scale(1.2) rotate(3deg)">SHOWN</p>',
    '<p style="clip-path:inset(5px)">SHOWN</p>',
    '<p style="filter:opacity(80%);font:bold 12px/1.5 Arial,sans-serif">SHOWN</p>',
    '<div style="font-size:1px"><p style="font-size:1rem">SHOWN</p></div>',
    '<p style="color:var(--nothing)">SHOWN</p>',
    "<style>@supports not (display:grid) { p { display: none } }</style><p>SHOWN</p>",
    "<style>@media print { p { display: none } }</style><p>SHOWN</p>",
    "<style>@media (prefers-color-scheme: dark) { p { color: #fff } }</style><p>SHOWN</p>",
    "<style>@font-face { font-family: x; display: none } @keyframes k { from { opacity: 0 } }</style><p>SHOWN</p>",
    "<style>p { color: #fff } p { color: inherit }</style><p>SHOWN</p>",
    "<style media=print>p { display: none }</style><p>SHOWN</p>",
    "<style>@media (min-width:1.2.3px) { p { display: none } }</style><p style='color:hsl(1e999,0%,0%)'>SHOWN</p>",
    "<style>a; p { display: none }</style><p>SHOWN</p>",
]


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("shown", SHOWN)
def test_what_is_painted_is_read(page: str, shown: str) -> None:
    """Other grounds, later declarations, rules for other screens, small texts and small moves hide nothing."""
    assert "SHOWN" in text_of_html(f"{PAGES[page]}{shown}")


def test_a_hidden_link_is_not_written_out() -> None:
    """A text that is not painted takes its link with it."""
    assert text_of_html('<a href="https://x.example" style="display:none">x</a>y') == "y"


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


def test_conditional_comments_hide_nothing_that_is_shown() -> None:
    """What Outlook alone would see is left out, what everybody else sees is read."""
    html = "<!--[if mso]><p>outlook</p><![endif]--><!--[if !mso]><!--><p>others</p><!--<![endif]-->"
    assert text_of_html(html) == "others"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>We <s>do <b>not</b> </s>agree", "We ~do not~ agree"),
        ("<del><p>one</p><p>two</p></del>", "~one~\n\n~two~"),
        ('<s style="text-decoration:none">not</s>', "not"),
        ("<pre><s>a\nb</s></pre>", "~a~\n~b~"),
        ("<ol start=5><li>a<li value=9>b<ul><li>c</ul><li>d</ol>e", "5. a\n9. b\n- c\n10. d\ne"),
        ("<ul><li><p>a</p></li><li></li></ul>b", "- a\n-\nb"),
    ],
)
def test_a_line_through_words_and_the_number_of_an_item_are_read(html: str, text: str) -> None:
    """Both are painted, and change what a text says."""
    assert text_of_html(html) == text
