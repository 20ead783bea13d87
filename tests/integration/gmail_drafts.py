"""Drafts as programs write them, for the tests of what their cards show."""

from __future__ import annotations

from collections.abc import Sequence
from email.utils import format_datetime
from quopri import encodestring

from integrations.base import Preview
from playground.people import MARA
from tests.integration.google_world import World, shown
from tests.integration.mails import HELEN, own_draft

WORDS = "Eight of them."
USUAL = ["To", "Subject", "Body", "From"]
"""What a card shows of a draft that hides nothing."""


REPLY = (
    """Hi Helen,

*eight of them* are _here_. I paid for the transport, so please send them to
the showroom in Rotterdam, and tell our shop <https://shop.example/loungers>
when they leave:

   1. two for the terrace, which somebody has to carry up three flights of
   stairs
   2. six for the hall

   - “oak”
   - teak

On Mon, Nov 23, 2026 at 1:00 PM Helen Marsh <helen.marsh@marshgardens.example>
wrote:

> Are they here? I asked because nobody answered the telephone last week, and
> somebody has to.
>
> Helen
>
>> When do they come?

[image: plan.png]
--\x20
Mara Lindqvist
Operations
""",
    """<div dir="ltr"><div>Hi Helen,</div><div><br></div><div><b>eight of them</b>&nbsp;are <i>here</i>. I paid for the
transport, so please send them to the showroom in Rotterdam, and tell <a href="https://shop.example/loungers">our
shop</a>&nbsp;when they leave:</div><div><ol><li style="margin-left:15px">two for the terrace, which somebody has to
carry up three flights of stairs</li><li style="margin-left:15px">six for the hall</li></ol><ul><li dir="ltr"><p
dir="ltr">&quot;oak&quot;</p></li><li>teak</li></ul></div></div><br><div
class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">On Mon, Nov 23, 2026 at 1:00 PM Helen Marsh
&lt;<a href="mailto:helen.marsh@marshgardens.example">helen.marsh@marshgardens.example</a>&gt; wrote:<br></div>
<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex"
><div dir="ltr">Are they here? I asked because nobody answered the telephone last week, and somebody has to.<div><br>
</div>
<div>Helen</div></div><blockquote class="gmail_quote">When do they come?</blockquote></blockquote></div><div><img
src="cid:ii_mhx1" alt="plan.png" width="542" height="302"></div><span class="gmail_signature_prefix">-- </span><br><div
dir="ltr" class="gmail_signature"><div dir="ltr"><span style="color:rgb(136,136,136)">Mara Lindqvist</span><br><font
color="#888888">Operations</font></div></div>""",
)
FORWARDED = (
    """---------- Forwarded message ---------
From: *Helen Marsh* <helen.marsh@marshgardens.example>
Date: Mon, Nov 23, 2026 at 1:00 PM
Subject: Loungers
To: <mara@fernhill.example>


Are they here?
""",
    """<div dir="ltr"><br><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">---------- Forwarded message
---------<br>From: <strong class="gmail_sendername" dir="auto">Helen Marsh</strong> <span dir="auto">&lt;<a
href="mailto:helen.marsh@marshgardens.example">helen.marsh@marshgardens.example</a>&gt;</span><br>Date: Mon, Nov 23,
2026 at 1:00 PM<br>Subject: Loungers<br>To:  &lt;<a
href="mailto:mara@fernhill.example">mara@fernhill.example</a>&gt;<br></div><br><br>Are they here?<br></div></div>""",
)
"""A reply and a forwarded mail as Gmail writes them: both forms of the text."""


def part(kind: str, text: str, *more: str) -> str:
    """A part with its head."""
    heads = [f"Content-Type: {kind}", *more]
    if not any(head.lower().startswith("content-transfer-encoding") for head in more) and not text.isascii():
        heads.append("Content-Transfer-Encoding: quoted-printable")
        text = encodestring(text.encode()).decode()
    return "\r\n".join([*heads, "", text.replace("\r\n", "\n").replace("\n", "\r\n")])


def multipart(kind: str, *parts: str, boundary: str = "000000000000d6a0140605401835") -> str:
    """Parts in one."""
    inside = "".join(f"--{boundary}\r\n{each}\r\n\r\n" for each in parts)
    return f'Content-Type: multipart/{kind}; boundary="{boundary}"\r\n\r\n{inside}--{boundary}--\r\n'


def forms(plain: str, html: str, *more: str) -> str:
    """A text in both forms, as Gmail writes it, and others."""
    both = (part('text/plain; charset="UTF-8"', plain), part('text/html; charset="UTF-8"', html))
    return multipart("alternative", *both, *more)


def mail(content: str, *heads: str) -> bytes:
    """A mail of Mara's to Helen with the heads that Gmail gives it."""
    usual = [
        "MIME-Version: 1.0",
        "Message-ID: <CAO-mL=zc3sOnnqPiWXTxUSJxxC=eF6B6V+mmFaQa=Oo2ZcZ9cw@mail.gmail.com>",
        "Subject: Loungers",
        f"From: {MARA.name} <{MARA.email}>",
        f"To: Helen Marsh <{HELEN}>",
    ]
    return "\r\n".join([*heads, *usual, content]).encode()


def dated(world: World) -> str:
    """The date of now, as a head."""
    return f"Date: {format_datetime(world.clock.now())}"


async def card_of(world: World, content: str, *heads: str) -> Preview:
    """The card that sends this draft."""
    return await world.preview("gmail_draft_send", {"draft_id": own_draft(world, mail(content, dated(world), *heads))})


def labels(card: Preview) -> Sequence[str]:
    """What stands on it."""
    return [*shown(card)]
