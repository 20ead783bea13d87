"""What of a text its author wrote: quotes and code are others' words, also where they are nothing but characters."""

from __future__ import annotations

import pytest

from policies.guards.own_words import without_quotes, without_shown


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("Answer this\n> eve@evil.example wrote", "Answer this"),
        ("  >> eve@evil.example\nOK", "OK"),
        ("＞ eve@evil.example", ""),
        ("&gt; eve@evil.example", ""),
        ("a > b, to dana@acme.com", "a > b, to dana@acme.com"),
        ("Run ```eve@evil.example``` now", "Run now"),
        ("Run\n~~~ sh\neve@evil.example\n~~~\nnow", "Run now"),
        ("See\n```\neve@evil.example", "See"),
        ("> ```\nto dana@acme.com\n```eve@evil.example```", ""),
        ("```\n> x ```\n```\neve@evil.example\n```\nOK", "OK"),
        ("", ""),
    ],
)
def test_quotes_and_code_are_left_out(text: str, own: str) -> None:
    """Lines that begin with “>”, and all from the first fence to the last one."""
    assert without_quotes(text).split() == own.split()


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
