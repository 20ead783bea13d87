"""What of a text its author wrote: quotes and code are others' words, also where they are nothing but characters."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import pytest
from markdown_it import MarkdownIt

from policies.guards.own_words import without_quotes, without_shown


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("Answer this\n> eve@evil.example wrote", "Answer this"),
        ("  >> eve@evil.example\n\nOK", "OK"),
        ("> eve@evil.example\ngoes on\n\nOK", "OK"),
        ("- > eve@evil.example\n  goes on\n\nOK", "OK"),
        ("1. - * > eve@evil.example", ""),
        ("- a\n    - 2) >eve@evil.example", "- a"),
        ("\u200b> eve@evil.example", ""),
        ("> a\u2028\u2028eve@evil.example", ""),
        ("＞ eve@evil.example", ""),
        ("&gt; eve@evil.example", ""),
        ("a > b, to dana@acme.com", "a > b, to dana@acme.com"),
        ("Run ```eve@evil.example``` now", "Run now"),
        ("Run\n~~~ sh\neve@evil.example\n~~~\nnow", "Run now"),
        ("See\n```\neve@evil.example", "See"),
        ("> ```\nto dana@acme.com\n```eve@evil.example```", ""),
        ("```\n> x\n~~~\neve@evil.example\n~~~\n```\nOK", "OK"),
        ("```\n> x ```\n```\nto dana@acme.com\n```\neve@evil.example", ""),
        ("```\nx ```\neve@evil.example", ""),
        ("``````\neve@evil.example", ""),
        ("- a\n  ```\n  b\n```\neve@evil.example", "- a"),
        ("- a\n  ```\n  b\nc\n  ```\neve@evil.example", "- a"),
        ("```\na\n    ```\neve@evil.example", ""),
        ("- ```\n  eve@evil.example\n  ```\n  dana@acme.com", ""),
        ("See `eve@evil.example`, to dana@acme.com", "See , to dana@acme.com"),
        ("See `` `eve@evil.example` `` now", "See now"),
        ("See `a` eve@evil.example `b` now", "See now"),
        ("See `a\neve@evil.example` now", "See now"),
        ("`See` `a\nto eve@evil.example` now", "now"),
        ("See \\`a` eve@evil.example\n`now", "See \\ now"),
        ("See \\`a` eve@evil.example\n`now`", "See \\"),
        ("See <a:`> `b` eve@evil.example\n`now` `", "See <a:"),
        ("Send `a` to Dana\nand `b` to Luis", "Send to Dana and to Luis"),
        ("I don`t\n\nyou don`t", "I don`t you don`t"),
        ("See\n\n    eve@evil.example\n\n\teve@evil.example\n\nOK", "See OK"),
        ("See\n\n    eve@evil.example", "See"),
        ("\n    Write to dana@acme.com.\n\n    Thanks\n", "Write to dana@acme.com. Thanks"),
        ("\n    Write to dana@acme.com.\n\n        eve@evil.example", "Write to dana@acme.com."),
        ("# See\n    eve@evil.example", "# See"),
        ("[a]: /x\n    eve@evil.example", "[a]: /x"),
        ("<!-- x -->\n    eve@evil.example", "<!-- x -->"),
        ("<!-- x\n a -->\n    eve@evil.example", "<!-- x a -->"),
        ("<pre></pre>\n    eve@evil.example", "<pre></pre>"),
        ("-     eve@evil.example", ""),
        ("x\n*      a\n      eve@evil.example", "x"),
        ("-\n      eve@evil.example", "-"),
        ("Send it to\n    dana@acme.com", "Send it to dana@acme.com"),
        ("- a\n    - to dana@acme.com", "- a - to dana@acme.com"),
        ("", ""),
    ],
)
def test_quotes_and_code_are_left_out(text: str, own: str) -> None:
    """As CommonMark reads them, and all from the first fence to the last one."""
    assert without_quotes(text).split() == own.split()


PIECES = (
    *("\n", "\n", "\n\n", " ", "  ", "    ", "\t", "> ", ">", "- ", "* ", "1. ", "12) ", "# ", "---\n", "===\n"),
    *("`", "`", "``", "```", "```\n", "\n```\n", "\n  ```\n", "~~~\n", "````\n", "\\", "\\`", "***", "[a](b)"),
)


def of_others(text: str) -> Iterator[str]:
    """What a parser of CommonMark finds in quotes and in code."""
    depth = 0
    for token in MarkdownIt("commonmark").parse(text):
        depth += (token.type == "blockquote_open") - (token.type == "blockquote_close")
        for part in (token, *(token.children or ())):
            if part.type in {"fence", "code_block", "code_inline"} or (depth and part.type == "text"):
                yield f"{part.content} {part.info}"


@pytest.mark.parametrize("seed", range(40))
def test_nothing_that_commonmark_reads_as_quote_or_code_is_typed(seed: int) -> None:
    """However quotes, lists, fences and spans are mixed; each word stands in a text once."""
    chance = random.Random(seed)
    for _ in range(40):
        words = iter(f"w{number}w" for number in range(100))
        pieces = chance.choices([*PIECES, *[""] * 20], k=chance.randint(3, 30))
        text = "x\n\n" + "".join(piece or f" {next(words)} " for piece in pieces)
        others = " ".join(of_others(text))
        assert [word for word in without_quotes(text).split() if word[0] == "w" and word in others] == [], text


@pytest.mark.parametrize("piece", ["`", "` ", "```\n", "- ", "1. > ", "> \n", "\t", "    \n", "* *", "\\`\n", "\n \t"])
def test_hostile_texts_are_read_in_linear_time(piece: str) -> None:
    """A hundred thousand characters of anything take far less than a second."""
    began = time.process_time()
    without_quotes(piece * (100_000 // len(piece)))
    assert time.process_time() - began < 15


@pytest.mark.parametrize(
    "mail",
    [
        "From: Accounts <eve@evil.example>\nDear customer",
        "  von: Konto <eve@evil.example>",
        "From: Accounts\nTo: mara@acme.com\nSubject: Pay eve@evil.example",
        "*Von:* Konto\n*Gesendet:* Freitag\n*An:* mara@acme.com",
        "From: Accounts\nSubject: Pay",
        "Subject: Pay\nDate: Friday\neve@evil.example",
        "-----Original Message-----\neve@evil.example",
        "---------- Forwarded message ---------\neve@evil.example",
        "-----Ursprüngliche Nachricht-----\neve@evil.example",
        "On Fri, 27 Nov 2026 at 10:00, Eve <eve@evil.example> wrote:\nPay",
        "On Fri, 27 Nov 2026 at 10:00, Eve <eve@evil.example>\nwrote:\nPay",
        "Am Fr., 27. Nov. 2026 um 10:00 Uhr schrieb Eve <eve@evil.example>:\nPay",
    ],
)
def test_a_mail_that_is_pasted_is_cut_off(mail: str) -> None:
    """From its first line on, whatever stands below it, and where nothing does."""
    assert without_quotes(f"What does this want?\n\n{mail}\nRegards").split() == ["What", "does", "this", "want?"]
    assert without_quotes(f"What does this want?\n\n{mail}").split() == ["What", "does", "this", "want?"]


@pytest.mark.parametrize(
    "text",
    [
        "Send this:\nTo: dana@acme.com\nSubject: Lunch\nHi Dana",
        "From: Monday to: Friday I am away",
        "On Friday Dana wrote: move it. Please do",
        "From Dana: nothing yet. Write to dana@acme.com",
        "Date: Friday\nInvite dana@acme.com",
    ],
)
def test_what_only_resembles_a_mail_is_typed(text: str) -> None:
    """A mail that is dictated has recipients and a subject; one line alone begins nothing."""
    assert without_quotes(text).split() == text.split()


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("See `evil.example` now", "See now"),
        ("See `a` evil.example `b` now", "See now"),
        ("See `a\nthen dana.example", "See `a then dana.example"),
        ("OK\nsee `evil.exam", "OK see"),
        ("~evil.example~ dana.example", "dana.example"),
        ("~see evil.exam", ""),
        ("OK\n>>> one\nevil.example", "OK"),
        ("OK\n&gt;&gt;&gt; one\nevil.example", "OK"),
        ("> evil.example\nOK", "OK"),
        ("5 >>> 4, to dana@acme.com", "5 >>> 4, to dana@acme.com"),
    ],
)
def test_what_is_only_shown_in_slack_is_left_out(text: str, own: str) -> None:
    """Code in a line, what is struck through, and all that “>>>” quotes."""
    assert without_shown(text).split() == own.split()
