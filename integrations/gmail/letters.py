"""A mail that is to be sent: what stands in its head and body, and its bytes."""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from html import escape

from integrations.errors import ModelRetry
from integrations.gmail.addresses import Address
from integrations.gmail.cleaning import visible

# Long Message-IDs in References would become encoded words at the usual 78 characters, and threading would be lost.
MAIL_POLICY = SMTP.clone(max_line_length=998)
RECIPIENTS = 100
SUBJECT_LENGTH = 900


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """What will be sent, complete but for its id. `thread_id` and the two lists of ids are given for a reply."""

    sender: Address
    to: Sequence[Address]
    cc: Sequence[Address] = ()
    bcc: Sequence[Address] = ()
    subject: str
    body: str
    thread_id: str | None = None
    in_reply_to: str = ""
    references: Sequence[str] = ()

    @property
    def recipients(self) -> list[Address]:
        """Everybody who gets it."""
        return [*self.to, *self.cc, *self.bcc]

    def outsiders(self) -> list[Address]:
        """The recipients whose domain is not the sender's."""
        return [address for address in self.recipients if address.domain != self.sender.domain]

    def basis(self) -> Mapping[str, object]:
        """What was looked up, beside the arguments, when this letter was made: it must not change silently."""
        return {
            "from": self.sender.email,
            "to": [address.email for address in self.to],
            "cc": [address.email for address in self.cc],
            "subject": self.subject,
            "in_reply_to": self.in_reply_to,
        }

    def raw(self, message_id: str) -> str:
        """The message in base64url, as Gmail's `raw` wants it. Raises `ModelRetry` for what no header can carry."""
        try:
            return urlsafe_b64encode(self._mime(message_id).as_bytes()).decode("ascii")
        except (ValueError, LookupError):
            raise ModelRetry("invalid_header", "The subject or a name has characters that mail cannot carry.") from None

    def _mime(self, message_id: str) -> EmailMessage:
        mime = EmailMessage(policy=MAIL_POLICY)
        mime["From"] = self.sender.as_header()
        for name, addresses in (("To", self.to), ("Cc", self.cc), ("Bcc", self.bcc)):
            if addresses:
                mime[name] = [address.as_header() for address in addresses]
        mime["Subject"] = self.subject
        mime["Message-ID"] = message_id
        if self.in_reply_to:
            mime["In-Reply-To"] = self.in_reply_to
            mime["References"] = " ".join(self.references)
        mime["MIME-Version"] = "1.0"
        mime.make_alternative()
        mime.attach(_text_part(self.body, "plain"))
        mime.attach(_text_part(_as_html(self.body), "html"))
        return mime


def checked_subject(subject: str) -> str:
    """A subject that fits into one header line; raises `ModelRetry`."""
    if len(subject.splitlines()) > 1 or visible(subject) != subject or "\n" in subject:
        raise ModelRetry("invalid_subject", "The subject must be one line without invisible characters.", private=False)
    if len(subject) > SUBJECT_LENGTH:
        raise ModelRetry("invalid_subject", f"The subject is longer than {SUBJECT_LENGTH} characters.", private=False)
    return subject.strip()


def checked_letter(letter: Letter) -> Letter:
    """A letter that can be sent; raises `ModelRetry` when it has nobody to go to, too many people, or no text."""
    if not letter.recipients:
        raise ModelRetry(
            "no_recipient", "There is nobody to send it to.", hint="Give at least one address in `to`.", private=False
        )
    if len(letter.recipients) > RECIPIENTS:
        raise ModelRetry(
            "too_many_recipients", f"At most {RECIPIENTS} people can be written to at once.", private=False
        )
    if not letter.body.strip():
        raise ModelRetry("empty_body", "The mail has no text.", private=False)
    return letter


def message_id_for(key: str, sender: str) -> str:
    """The Message-ID of the mail that an action sends: the same in every attempt, and hard to guess."""
    return f"<cs.{hashlib.sha256(key.encode()).hexdigest()[:40]}@{sender.rpartition('@')[2].lower()}>"


def _text_part(text: str, subtype: str) -> EmailMessage:
    """Under the ordinary policy: encoded bodies have lines of 76 characters (RFC 2045)."""
    part = EmailMessage(policy=SMTP)
    part.set_content(text, subtype=subtype, charset="utf-8", cte="quoted-printable" if text.isascii() else "base64")
    del part["MIME-Version"]
    return part


def _as_html(text: str) -> str:
    """The same text for readers that show HTML: Gmail wraps the lines of a draft that is plain text only."""
    lines = escape(text, quote=False).splitlines()
    kept = [line.replace("  ", "&nbsp; ") for line in lines]
    return f'<div dir="ltr">{"<br>".join(kept)}</div>\n'
