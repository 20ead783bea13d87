"""Whole threads: a very long one, and one with answers between the quoted lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from playground.world.corpus.odd import SENDER

LONG = 60

QUESTIONS = "Three questions:\r\n1. Oak or larch?\r\n2. How many benches?\r\n3. When can you deliver?\r\n"
ANSWERS = (
    "On Fri, 20 Nov 2026 at 10:00, Corpus wrote:\r\n> 1. Oak or larch?\r\nOak, please.\r\n> 2. How many benches?\r\n"
    "Twelve.\r\n> 3. When can you deliver?\r\nThursday at ten.\r\n"
)


def conversations(to: str) -> Mapping[str, list[bytes]]:
    """The mails of each thread, oldest first, each an answer to the one before it."""
    varnish = "We talk about varnish. " * 40
    long = [f"Message {number} of the long thread. {varnish}\r\n" for number in range(1, LONG + 1)]
    quoted = "".join(f"> {line}\r\n" for line in ANSWERS.splitlines())
    last = f"Thank you.\r\n\r\nOn Fri, 20 Nov 2026 at 10:01, Corpus wrote:\r\n{quoted}And who signs for it?\r\n"
    return {
        "long_thread": list(_thread("long_thread", to, long)),
        "inline_replies": list(_thread("inline_replies", to, (QUESTIONS, ANSWERS, last))),
    }


def _thread(name: str, to: str, bodies: Sequence[str]) -> Iterator[bytes]:
    earlier: list[str] = []
    for number, body in enumerate(bodies):
        own = f"<{name}{number}@odd-mail.example>"
        head = [f"From: {SENDER}", f"To: {to}", f"Message-ID: {own}"]
        head += [f"Subject: {'Re: ' if number else ''}corpus {name}"]
        head += [f"Date: Fri, 20 Nov 2026 {10 + number // 60:02d}:{number % 60:02d}:00 +0000"]
        if earlier:
            head += [f"In-Reply-To: {earlier[-1]}", f"References: {' '.join(earlier[-20:])}"]
        earlier.append(own)
        yield ("\r\n".join(head) + f"\r\n\r\n{body}").encode()
