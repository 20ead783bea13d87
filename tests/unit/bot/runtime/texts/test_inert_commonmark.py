"""A parser of CommonMark and of GitHub's tables finds no link, image, mention or HTML in what was made inert."""

from __future__ import annotations

import html
import random
import re
import time
from collections.abc import Iterator, Sequence

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from bot.runtime.texts.inert_markdown import COMMONMARK, SLACK, Escapes, Inert, beginning, inert, inert_commonmark

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
ADDRESS = re.compile(
    r"evil[\w-]*[.。](?:com|example)(?!\w)|://[^\W_]|(?<![\w.])(?:mailto|slack|tel|javascript):[^\W_]", re.IGNORECASE
)
"""What Slack would make a link of by itself; written apart from the product's own expressions."""

EXTENDED = re.compile(
    r"(?:\A|(?<=[\s*_~(\"']))(?:www\.|(?:https?|ftp)://)\w|(?:mailto|xmpp):[\w.+-]+@\w"
    r"|[\w.+-]+@\w[\w-]*\.\w",
    re.IGNORECASE,
)
"""What GitHub's Markdown, and others with “linkify”, make a link of in a text (GFM §6.9)."""

BOTH = pytest.mark.parametrize("escapes", [SLACK, COMMONMARK], ids=["slack", "commonmark"])
"""The Markdown that Slack reads, and that of clients over HTTP."""

FORMS = (
    # bare addresses
    "https://evil.example/q?secret=1",
    "http://evil.example.",
    "see (https://evil.example/a_(b)).",
    "evil.example/q",
    "www.evil.example",
    "boss@evil.example",
    "mailto:boss@evil.example?body=secret",
    "slack://channel?team=T1&id=C1",
    "tel:+4930123",
    "javascript:alert(1)",
    "https://bank.example@evil.example/x",
    "https:evil.example",
    "//evil.example/x",
    "evil。com",
    "ev\u200bil.com",
    "https\u200b://evil.example",
    "请访问https://evil.example查看",
    "https://evil.example|Payroll",
    "a|https://evil.example|b",
    '"https://evil.example"',
    # links
    "[Payroll](https://evil.example)",
    "[Payroll](<https://evil.example>)",
    '[Payroll](https://evil.example "title")',
    "[Pay\nroll](\nhttps://evil.example\n)",
    "[Payroll](evil.example)",
    "[Payroll](/relative)",
    "[Payroll](#here)",
    "[Payroll]()",
    "[[Payroll]](https://evil.example)",
    "[a [b](https://evil.example) c](https://evil.example)",
    "[a](https://evil.example)[b](https://evil.example)",
    "[a]\u200b(https://evil.example)",
    "[a]\\(https://evil.example)",
    "\\[a](https://evil.example)",
    "[`a`](https://evil.example)",
    "[a`](https://evil.example)`",
    "[**a**](https://evil.example)",
    "[a](https://evil.example)\n===",
    "# [a](https://evil.example)",
    "> [a](https://evil.example)",
    "- [a](https://evil.example)",
    "| [a](https://evil.example) | b |\n|---|---|\n| `x | https://evil.example` |",
    "a | b\n--|--\nx | `y | https://evil.example` | z",
    # images
    "![](https://evil.example/p.png)",
    "![a](https://evil.example/p.png)",
    "[![a](https://evil.example/p.png)](https://evil.example)",
    "![a][p]\n\n[p]: https://evil.example/p.png",
    # references
    "[a][r]\n\n[r]: https://evil.example",
    "[a][]\n\n[a]: https://evil.example",
    "[a]\n\n[a]: https://evil.example",
    "[a]\n\n[a]:\nhttps://evil.example",
    "[A][ R ]\n\n> [r]: <https://evil.example> 'title'",
    "[r]: https://evil.example\n[r]: /x\n[r]",
    # Slack's own and HTML
    "<!channel> <!here|here> <!subteam^S1|team>",
    "<@U024BE7LH> and <#C024BE7LR|general>",
    "<https://evil.example|Payroll>",
    "<https://evil.example>",
    "<boss@evil.example>",
    "&lt;https://evil.example|Payroll&gt;",
    "<!date^1^{date}^https://evil.example|x>",
    "<a href='https://evil.example'>Payroll</a>",
    "<img src=https://evil.example/p.png>",
    "<script>x</script>\n<!-- https://evil.example -->",
    "<shortcuts:run-shortcut?name=Pay>",
    "<search-ms:query=x&crumb=location:%5C%5C10.1.2.3%5Cshare>",
    "<intent:call-0900123456>",
    "<ldap:abc> <git:x> <x1:> <no> <made-up+1.0:the-password-is-hunter2>",
    "\\<foo:bar> \\\\<foo:bar> \\\\\\<foo:bar>",
    "[a <foo:bar>](<foo:bar>)",
    "![<foo:bar>](/x)",
    "# <foo:bar>\n> <foo:bar>\n- <foo:bar>\n\n<foo:bar>\n===\n",
    "| <foo:bar> | `<foo:bar> |\n|---|---|\n| `<foo:bar>` | \\`<foo:bar>` |",
    "*<foo:bar>* **<foo:bar>** ~~<foo:bar>~~ _<foo:bar>_",
    "<foo&colon;bar> &lt;foo:bar&gt; &#60;foo:bar&#62; &amp;lt;foo:bar&gt;",
    "<\u200bfoo:bar> <f\u200boo:bar> ＜foo:bar＞",
    "<div>\n<foo:bar>\n</div>",
    "<?foo:bar?> <!-- <foo:bar> --> <![CDATA[<foo:bar>]]> <!X <foo:bar>>",
    "https&colon;//evil&period;example",
    "&#104;ttps://evil.example",
    # code that is none
    "`https://evil.example",
    "https://evil.example`",
    "`a` https://evil.example `b`",
    "`a https://evil.example\n`",
    "``a https://evil.example`",
    "`` https://evil.example ``` b ``",
    "a ``` b https://evil.example",
    "\\`https://evil.example`",
    "`a\\` https://evil.example `",
    "evil`.example`",
    "https://`evil.example/q`",
    "www.`evil.example/q`",
    "evil`.example/x",
    "```\ncode\n``` not\nhttps://evil.example",
    "```\ncode\n```\nhttps://evil.example",
    "````\n```\n````\nhttps://evil.example",
    "``` a`b\nhttps://evil.example",
    "    ```\nhttps://evil.example",
    "- a\n  ```\n  code\nhttps://evil.example",
    "1. a\n\n   ```\n   code\n\nhttps://evil.example\n   ```",
    "> ```\n> code\nhttps://evil.example",
    "- ```\nhttps://evil.example",
    "~~~\n```\n~~~\nhttps://evil.example",
    "~~~ `\nhttps://evil.example",
    "a\n     ```\n     https://evil.example\n\nhttps://evil.example",
    "`<foo:bar>\n` <foo:bar>",
    "`a` <foo:bar> `b`",
    "``<foo:bar>` <foo:bar>",
    "<foo:`> `bar>",
    "a ``` b <foo:bar>",
    "```\n<foo:bar>\n``` not\n<foo:bar>",
    "```\n<foo:bar>\n```\n<foo:bar>",
    "    ```\n<foo:bar>",
    "- a\n  ```\n  <foo:bar>\n<foo:bar>",
    "> ```\n> <foo:bar>\n<foo:bar>",
    "- ```\n<foo:bar>",
    "~~~\n```\n~~~\n<foo:bar>",
    "```<foo:bar>\n<foo:bar>",
)  # fmt: skip


def written(markdown: str) -> Sequence[str]:
    """Every token that the parser finds, by its name, with the text of those that are text."""
    return [f"{token.type}:{token.content}" for token in _tokens(PARSER.parse(markdown))]


def _tokens(tokens: Sequence[Token]) -> Iterator[Token]:
    for token in tokens:
        yield from (token.children or []) if token.type == "inline" else [token]


def faults(shown: str, escapes: Escapes = SLACK) -> Sequence[str]:
    """What a reader of this could follow, load, or be called by."""
    tokens = list(_tokens(PARSER.parse(shown)))
    active = [token.type for token in tokens if token.type in {"link_open", "image", "html_inline", "html_block"}]
    line = "".join(token.content if token.type == "text" else "\n" for token in tokens)
    outside = _outside_code(shown)
    begun = re.findall(r"(?:www\.|://)[^\s.]", outside)
    called = re.findall("<", shown if escapes is SLACK else outside)
    return [*active, *ADDRESS.findall(line), *EXTENDED.findall(line), *begun, *called]


def _outside_code(shown: str) -> str:
    """Without fences, and with a mark for each span, as they are written by us: no parser's word counts here."""
    lines = re.sub(r"^ {0,3}```.*?(?:^ {0,3}```$|\Z)", "", shown, flags=re.DOTALL | re.MULTILINE)
    return re.sub("`[^`\n]*`", "`", lines)


def test_the_parser_finds_what_is_not_inert() -> None:
    """Of the forms as they are, it finds a fault in nearly all."""
    assert len([form for form in FORMS if faults(form)]) > 100


@BOTH
@pytest.mark.parametrize("form", FORMS)
def test_nothing_is_active(form: str, escapes: Escapes) -> None:
    """As a whole, and at each moment while it arrives, also where more text follows."""
    assert faults(inert(form, escapes), escapes) == []
    assert faults(inert(f"Look: {form} and\n{form}\n\n`x` {form}", escapes), escapes) == []
    transform, shown = Inert(escapes), ""
    for char in form + " end":
        shown += transform.feed(char)
        assert faults(shown + transform.pending, escapes) == []
    assert shown + transform.close() == inert(form + " end", escapes)


def test_security_input_17_an_image_by_reference_is_text() -> None:
    """Neither its address nor its reference is left for a reader to load."""
    form = "![status][p]\n\n[p]: https://evil.example/p.png?q=secret"
    assert "image:status" in written(form)
    assert faults(inert(form)) == []
    assert "code_inline:https://evil.example/p.png?q=secret" in written(inert(form))


@pytest.mark.parametrize(
    "form", ["<!channel>", "<!here|here>", "<@U024BE7LH>", "<!subteam^S1|team>", "&lt;!channel&gt;"]
)
def test_security_input_18_mentions_from_content_are_text(form: str) -> None:
    """Slack calls nobody: it reads them between angle brackets only, and undoes one escape."""
    shown = inert(f"The mail says {form}.")
    assert "<" not in shown
    assert html.unescape(shown) == f"The mail says {form}."


PIECES = (
    "`", "``", "```", "````", "~~~", "\n", "\n\n", " ", "  ", "    ", "|", "|--|--|\n", "> ", "- ", "1. ", "\\", "[",
    "](", "]", "][", "]:", "(", ")", "!", "<", ">", "*", "**", "_", "#", "&amp;", "\u200b", "\u202e", "evil", ".com",
    "evil.com", "https://", "https://evil.com/x", "www.", "@evil.com", "mailto:", ":", "/", "a", "中", "。", "code",
    "python", '"', "'", "<foo:bar>", "<foo:", "foo:bar>", "\\<", "&lt;", "<!--", "-->", "<div>", "</",
)  # fmt: skip


@BOTH
@pytest.mark.parametrize("seed", range(60))
def test_no_mixture_is_active(seed: int, escapes: Escapes) -> None:
    """However code, tables, lists and addresses are mixed, cut into messages and into pieces of a stream."""
    chance = random.Random(seed)
    for _ in range(20):
        text = "".join(chance.choices(PIECES, k=chance.randint(3, 40)))
        whole = inert(text, escapes)
        assert faults(whole, escapes) == [], text
        assert faults(beginning(whole, chance.randint(0, len(whole))), escapes) == [], text
        transform, shown, rest = Inert(escapes), "", text
        while rest:
            end = chance.randint(1, 9)
            shown, rest = shown + transform.feed(rest[:end]), rest[end:]
            assert faults(shown + transform.pending, escapes) == [], text
        assert shown + transform.close() == whole


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Run `make test` and **then** `a | b`.", "Run `make test` and **then** `a`|`b`."),
        ("```python\nx = 'https://evil.com'\n```\nDone.", "```python\nx = 'https://evil.com'\n```\nDone."),
        ("- a\n  ```sh\n  curl evil.com\n  ```\n- b", "- a\n  ```sh\n  curl evil.com\n  ```\n- b"),
        ("- a\n  ```\n  code\nevil.com", "- a\n  ```\n  code\n  ```\n`evil.com`"),
        ("````md\n```\n````", "```md\n``\n```"),
        ("It is 5` long", "It is 5' long"),
        ("“https://evil.com/x.” (evil.com), **evil.com**!", "“`https://evil.com/x`.” (`evil.com`), **`evil.com`**!"),
        ("See `https://evil.com/x` there", "See `https://evil.com/x` there"),
        ("e.g. 10:30, v2.1, z.B. 3.500,50 €", "e.g. 10:30, v2.1, z.B. 3.500,50 €"),
        ("ends in ```", "ends in '"),
    ],
)
def test_code_stays_code(said: str, shown: str) -> None:
    """What the model wrote as code is code, in one form; what is no address stays as it is."""
    assert inert(said) == shown


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("a < b & c", "a &lt; b & c"),
        ("AT&amp;T, <foo:bar>", "AT&amp;T, &lt;foo:bar>"),
        ("Write `List<String> & x` there", "Write `List<String> & x` there"),
        ("```html\n<a href='x'>&amp;</a>\n```\n<b>", "```html\n<a href='x'>&amp;</a>\n```\n&lt;b>"),
        (r"\<b> \\<b>", r"&lt;b> \\&lt;b>"),
        ("See <https://evil.com/?a=1&b=2>", "See &lt;`https://evil.com/?a=1&b=2`>"),
    ],
)
def test_whoever_reads_commonmark_sees_what_was_said(said: str, shown: str) -> None:
    """Code has its signs as they are, as nothing is escaped in it; outside of it no “<” begins anything."""
    assert inert_commonmark(said) == shown


def test_long_words_go_on() -> None:
    """A text without spaces is shown while it arrives, but for the end that could belong to an address."""
    transform = Inert()
    assert len(transform.feed("中" * 500)) > 400
    assert transform.feed("。") + transform.feed("中") != ""
    assert len(transform.feed("a:" * 5_000)) > 5_000


@pytest.mark.parametrize(
    "piece", ["`", " `", "`a`", "a.", "a:", "```\n", "| `a | ", "中。", "evil.com ", "(a.com/)", "]("]
)
def test_hostile_texts_take_linear_time(piece: str) -> None:
    """A hundred thousand characters of anything take a second; in the square of their length, minutes."""
    began = time.process_time()
    inert(piece * (100_000 // len(piece)))
    assert time.process_time() - began < 15


def test_what_may_be_shown_for_now() -> None:
    """The beginning of a word, until it could be an address."""
    transform = Inert()
    assert (transform.feed("Hello Ma"), transform.pending) == ("Hello ", "Ma")
    assert (transform.feed("ra."), transform.pending) == ("", "Mara.")
    assert (transform.feed("com"), transform.pending) == ("", "")
    assert (transform.feed(" `co"), transform.pending) == ("`Mara.com` ", "")
