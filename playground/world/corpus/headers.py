"""Malformed header fields, and kinds of mail that must not be answered like a person's (RFC 5322)."""

from __future__ import annotations

from collections.abc import Iterator

from playground.world.corpus.odd import Odd, odd

REFERENCES = "\r\n ".join(f"<ref{number}.{'x' * 60}@odd-mail.example>" for number in range(40))
LIST = (
    "Reply-To: woodturners@lists.odd-mail.example",
    "List-Id: Woodturners <woodturners.lists.odd-mail.example>",
    "List-Post: <mailto:woodturners@lists.odd-mail.example>",
    "Precedence: bulk",
    "List-Unsubscribe: <mailto:leave@lists.odd-mail.example>, <https://lists.odd-mail.example/leave>",
    "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
)
BOUNCE = (
    "From: Mail Delivery Subsystem <mailer-daemon@odd-mail.example>",
    "Return-Path: <>",
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b1"',
)
STATUS = (
    "--b1\r\nContent-Type: text/plain\r\n\r\nAddress not found\r\n"
    "--b1\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; odd-mail.example\r\n\r\n"
    "Final-Recipient: rfc822; gone@odd-mail.example\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n--b1--\r\n"
)
GROUPS = "Cc: undisclosed-recipients:;, friends: x@odd-mail.example, y@odd-mail.example;"
USUAL = ("From", "Subject", "Date", "Message-ID", "MIME-Version")


def headers() -> Iterator[Odd]:
    yield odd("no_headers_but_to", "nothing else\r\n", without=USUAL)
    yield odd("bad_date", "when?\r\n", "Date: last Tuesday, after tea")
    yield odd("future_date", "from the future\r\n", "Date: Wed, 01 Jan 2098 00:00:00 +0000")
    yield odd("two_to_fields", "twice\r\n", "To: {to}", "To: second@odd-mail.example", *_copies())
    yield odd("two_senders", "both of us\r\n", "From: a@odd-mail.example, b@odd-mail.example")
    yield odd("no_sender", "anonymous\r\n", "From: ")
    yield odd("group_addresses", "hi\r\n", GROUPS, "Bcc: {to}")
    yield odd("unquoted_comma_name", "who?\r\n", "From: Doe, Jane <jane.doe@odd-mail.example>")
    yield odd("encoded_comma_name", "hallo\r\n", "From: =?utf-8?q?M=C3=BCller=2C_Ren=C3=A9?= <rene@odd-mail.example>")
    yield odd("eight_bit_subject", "8 bit header\r\n", "Subject: Grüße ohne Kodierung")
    yield odd("broken_encoded_word", "?\r\n", "Subject: =?utf-8?b?4pyT4!!?= =?x-none?q?abc?= =?utf-8?q?unfinished")
    yield odd("split_encoded_word", "half a tree each\r\n", "Subject: =?utf-8?b?8J+M?=\r\n =?utf-8?b?sSBncmVlbg==?=")
    yield odd("emoji_subject", "tree and chair\r\n", "Subject: =?utf-8?b?8J+MsyDwn6qR?=")
    yield odd("long_message_id", "SES\r\n", f"Message-ID: <{'0100018f' * 9}-000000@eu-west-1.amazonses.com>")
    yield odd("lower_case_message_id", "case\r\n", "Message-Id: <case@odd-mail.example>", without=("Message-ID",))
    yield odd("no_message_id", "nothing to refer to\r\n", without=("Message-ID",))
    yield odd("forty_references", "long history\r\n", f"References: {REFERENCES}")
    yield odd("huge_header", "a header of sixty thousand\r\n", f"X-Huge: {'y' * 60_000}")
    yield odd("idn_sender", "ein Brot\r\n", "From: Bäcker <info@bäckerei.example>")
    yield odd("reply_to_elsewhere", "answer there, please\r\n", "Reply-To: Desk <desk@other-place.example>")
    yield odd("mailing_list", "Which finish for larch?\r\n", *LIST)
    yield odd("no_reply_sender", "sent by a machine\r\n", "From: <no-reply@odd-mail.example>", "Auto-Submitted: yes")
    yield odd("bounce", STATUS, *BOUNCE)


def _copies() -> tuple[str, ...]:
    return ("Cc: third@odd-mail.example", "Cc: fourth@odd-mail.example")
