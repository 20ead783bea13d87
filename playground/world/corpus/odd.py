"""One mail of the corpus: its name, what is odd about it, and its bytes."""

from __future__ import annotations

from dataclasses import dataclass

SENDER = "Corpus <corpus@odd-mail.example>"
MIXED = 'Content-Type: multipart/mixed; boundary="b1"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Odd:
    """An odd mail. Its header lines replace the usual ones of the same name; `without` leaves usual ones out."""

    name: str
    headers: tuple[str, ...] = ()
    body: bytes = b""
    without: tuple[str, ...] = ()

    def raw(self, to: str) -> bytes:
        """The mail, addressed to `to` (also where a header says `{to}`)."""
        usual = {
            "From": SENDER,
            "To": to,
            "Subject": f"corpus {self.name}",
            "Date": "Fri, 20 Nov 2026 10:00:00 +0000",
            "Message-ID": f"<{self.name}@odd-mail.example>",
            "MIME-Version": "1.0",
        }
        own = {line.partition(":")[0] for line in self.headers}
        kept = [f"{field}: {value}" for field, value in usual.items() if field not in {*own, *self.without}]
        lines = [*kept, *(line.replace("{to}", to) for line in self.headers)]
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + self.body


def odd(name: str, body: str | bytes, *headers: str, without: tuple[str, ...] = ()) -> Odd:
    data = body.encode() if isinstance(body, str) else body
    return Odd(name=name, headers=headers, body=data, without=without)


def typed(name: str, body: str | bytes, kind: str, encoding: str = "8bit") -> Odd:
    """A mail of one part with this Content-Type."""
    return odd(name, body, f"Content-Type: {kind}", f"Content-Transfer-Encoding: {encoding}")
