"""Writes the seeded mails: from the short form of `mail/*.yaml` to RFC 5322."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email import policy
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime, getaddresses
from typing import Any

from playground.world.dates import Days
from playground.world.directory import address, email_of, zone_of
from playground.world.files import pdf, png
from playground.world.references import reference

UNFOLDED = policy.SMTP.clone(max_line_length=998)
"""A policy that keeps long Message-IDs in one piece, since folding them as encoded words would break threads."""


@dataclass(slots=True, kw_only=True)
class Written:
    """One seeded mail, ready to be filed."""

    mail: EmailMessage
    text: str
    sent: datetime
    sender: str
    unread: bool
    labels: tuple[str, ...]
    label: str | None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def raw(self) -> bytes:
        return self.mail.as_bytes(policy=UNFOLDED)


class Writer:
    """Numbers the mails as it writes them: each carries a reference of its own, `FRN-M-0001` and so on."""

    def __init__(self, days: Days) -> None:
        self._days = days
        self._count = 0

    def thread(self, spec: Mapping[str, Any]) -> Iterator[Written]:
        """The mails of one conversation, each an answer to the one before it."""
        earlier: list[Written] = []
        for entry in spec["mails"]:
            earlier.append(self._mail(spec["subject"], entry, earlier))
            yield earlier[-1]

    def _mail(self, subject: str, entry: Mapping[str, Any], earlier: list[Written]) -> Written:
        self._count += 1
        sent = self._days.moment(entry["when"], zone_of(entry["from"]))
        mail = EmailMessage(policy=UNFOLDED)
        mail["From"] = _addresses([entry["from"]])
        mail["To"] = _addresses(entry["to"])
        if "cc" in entry:
            mail["Cc"] = _addresses(entry["cc"])
        mail["Subject"] = entry.get("subject") or (f"Re: {subject}" if earlier else subject)
        mail["Date"] = format_datetime(sent)
        mail["Message-ID"] = entry.get("message_id") or f"<{self._count:04d}.{sent:%Y%m%d%H%M}@{_domain(entry)}>"
        if earlier:
            mail["In-Reply-To"] = earlier[-1].mail["Message-ID"]
            mail["References"] = " ".join(str(written.mail["Message-ID"]) for written in earlier)
        for name, value in entry.get("headers", {}).items():
            mail[name] = value
        text = self._filled(entry.get("text", "")) + _rows(entry.get("rows"))
        self._write_body(mail, entry, text, earlier)
        return Written(
            mail=mail,
            text=text,
            sent=sent,
            sender=entry["from"],
            unread=entry.get("unread", False),
            labels=tuple(entry.get("labels", ())),
            label=entry.get("label"),
        )

    def _write_body(self, mail: EmailMessage, entry: Mapping[str, Any], text: str, earlier: list[Written]) -> None:
        body = text + (_quoted(earlier[-1]) if earlier and entry.get("quote", True) else "")
        markup = self._filled(entry.get("html", ""))
        if text:
            mail.set_content(body, charset=entry.get("charset", "utf-8"))
        if markup and text:
            mail.add_alternative(markup, subtype="html")
        elif markup:
            mail.set_content(markup, subtype="html")
        for attachment in entry.get("attachments", ()):
            if attachment["type"] == "message/rfc822":
                mail.add_attachment(_carried(attachment["text"]), filename=attachment["name"])
                continue
            kind, _, subtype = attachment["type"].partition("/")
            mail.add_attachment(_content(attachment), maintype=kind, subtype=subtype, filename=attachment["name"])

    def _filled(self, text: str) -> str:
        return self._days.filled(text).replace("{ref}", reference("M", self._count))


def _addresses(names: list[str]) -> tuple[Address, ...]:
    pairs = getaddresses([address(name) for name in names])
    return tuple(Address(display_name=name, addr_spec=email) for name, email in pairs)


def _domain(entry: Mapping[str, Any]) -> str:
    return f"mail.{email_of(entry['from']).rpartition('@')[2]}"


def _quoted(written: Written) -> str:
    when = f"{written.sent:%a, %d %b %Y at %H:%M}"
    lines = "\n".join(f"> {line}".rstrip() for line in written.text.strip().splitlines())
    return f"\nOn {when}, {address(written.sender)} wrote:\n{lines}\n"


def _rows(spec: Mapping[str, Any] | None) -> str:
    """The end of a long mail: numbered lines."""
    return "".join(f"{spec['row'].format(n=number)}\n" for number in range(1, spec["count"] + 1)) if spec else ""


def _carried(text: str) -> EmailMessage:
    inner = EmailMessage(policy=UNFOLDED)
    inner["From"] = "Gatehouse <gatehouse@marshgardens.example>"
    inner["To"] = "Visitors <visitors@marshgardens.example>"
    inner["Subject"] = "Gatehouse rules"
    inner.set_content(text)
    return inner


def _content(attachment: Mapping[str, Any]) -> bytes:
    """A real file: a PDF with its text, a small picture, or the text itself."""
    text: str = attachment.get("text", "")
    if attachment["type"] == "application/pdf":
        return pdf([attachment["name"], *text.splitlines()])
    return png() if attachment["type"].startswith("image/") else text.encode()
