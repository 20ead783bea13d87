"""A mail that is to be sent: its head, its body, and its bytes."""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from email import base64mime, quoprimime
from email.message import EmailMessage
from email.policy import SMTP, compat32
from functools import partial
from html import escape

from integrations.errors import ModelRetry
from integrations.gmail.mime.addresses import Address
from integrations.gmail.mime.headers import ids_field, people_field, text_field
from integrations.gmail.outgoing.attachments import Attachment
from integrations.gmail.outgoing.signatures import NONE, Signature
from integrations.gmail.text import visible
from integrations.text import without_joiners

_refused = partial(ModelRetry, private=False)

_FIXED = compat32.clone(linesep="\r\n")
"""For parts whose header fields are fixed. The newer policies parse them, which takes longest of all."""

_TYPE, _ENCODING, _FORMS = "Content-Type", "Content-Transfer-Encoding", "multipart/alternative"

RECIPIENTS = 100
SUBJECT_LENGTH = 900


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgoingMail:
    """A mail, complete but for its id. `thread_id` and the two lists of ids are given for a reply. `is_sender_chosen`
    says that it leaves from another address than its owner's mail does otherwise.
    """

    sender: Address
    to: Sequence[Address]
    cc: Sequence[Address] = ()
    bcc: Sequence[Address] = ()
    subject: str
    body: str
    thread_id: str | None = None
    in_reply_to: str = ""
    references: Sequence[str] = ()
    signature: Signature = NONE
    reply_to: Address | None = None
    attachments: Sequence[Attachment] = ()
    is_sender_chosen: bool = False

    @property
    def text(self) -> str:
        """The text as it leaves, with the signature below it."""
        return self.signature.below(self.body)

    @property
    def recipients(self) -> list[Address]:
        """Everybody who gets it."""
        return [*self.to, *self.cc, *self.bcc]

    @property
    def emails(self) -> list[str]:
        """The addresses of everybody who gets it."""
        return [address.email for address in self.recipients]

    def basis(self) -> Mapping[str, object]:
        """What was looked up, beside the arguments, when this mail was made: it must not change silently."""
        return {
            "from": self.sender.email,
            "to": [address.email for address in self.to],
            "cc": [address.email for address in self.cc],
            "subject": self.subject,
            "in_reply_to": self.in_reply_to,
            **self.signature.basis(self.body),
            **({"reply_to": self.reply_to.email} if self.reply_to else {}),
            **({"attachments": [attachment.basis() for attachment in self.attachments]} if self.attachments else {}),
        }

    def raw(self, message_id: str) -> str:
        """The message in base64url, as Gmail's `raw` wants it. Raises `ModelRetry` for what no header can carry."""
        try:
            return urlsafe_b64encode(self._head(message_id) + self._content()).decode("ascii")
        except (ValueError, LookupError):
            raise uncarried() from None

    def _head(self, message_id: str) -> bytes:
        answers = [self.reply_to] if self.reply_to else []
        people = {"From": [self.sender], "Reply-To": answers, "To": self.to, "Cc": self.cc, "Bcc": self.bcc}
        ids = {
            "Message-ID": [message_id],
            **({"In-Reply-To": [self.in_reply_to], "References": self.references} if self.in_reply_to else {}),
        }
        fields = {
            **{name: people_field(addresses) for name, addresses in people.items() if addresses},
            "Subject": text_field("Subject", self.subject),
            **{name: ids_field(each) for name, each in ids.items()},
            "MIME-Version": "1.0",
        }
        return "".join(f"{name}: {value}\r\n" for name, value in fields.items()).encode()

    def _content(self) -> bytes:
        """`email` takes most of the time that a mail takes, so what has no attachment is written without it."""
        if not self.attachments:
            return self._written_texts()
        mixed = EmailMessage(policy=SMTP)
        mixed.make_mixed()
        mixed.attach(self.text_part())
        for attachment in self.attachments:
            mixed.attach(file_part(attachment))
        return mixed.as_bytes()

    def _written_texts(self) -> bytes:
        """The bytes of `text_part`."""
        boundary = self._boundary
        parts = [
            f"--{boundary}\n{_TYPE}: {_kind(subtype)}\n{_ENCODING}: {encoding}\n\n{payload}\n"
            for subtype, (encoding, payload) in self._texts()
        ]
        head = f'{_TYPE}: {_FORMS};\n boundary="{boundary}"\n\n'
        return f"{head}{''.join(parts)}--{boundary}--\n".replace("\r\n", "\n").replace("\n", "\r\n").encode()

    def _texts(self) -> Iterator[tuple[str, tuple[str, str]]]:
        """Both forms of the text: the kind, and the encoding with what is encoded so."""
        yield "plain", _encoded(self.text)
        yield "html", _encoded(self.signature.below_html(_as_html(self.body), self.body))

    @property
    def _boundary(self) -> str:
        """What parts the forms: neither encoding can write it (RFC 2045 §6.7, on “=_”)."""
        return f"=_{hashlib.sha256(self.body.encode()).hexdigest()[:32]}"

    def text_part(self) -> EmailMessage:
        """The text in both forms."""
        part = EmailMessage(policy=_FIXED)
        part[_TYPE] = _FORMS
        part.set_boundary(self._boundary)
        for subtype, (encoding, payload) in self._texts():
            text = EmailMessage(policy=_FIXED)
            text[_TYPE], text[_ENCODING] = _kind(subtype), encoding
            text.set_payload(payload)
            part.attach(text)
        return part


def checked_subject(subject: str) -> str:
    """A subject that fits into one header line; raises `ModelRetry`."""
    read = without_joiners(subject)
    if len(subject.splitlines()) > 1 or visible(read) != read or "\n" in subject:
        raise _refused("invalid_subject", "The subject must be one line without invisible characters.")
    if len(subject) > SUBJECT_LENGTH:
        raise _refused("invalid_subject", f"The subject is longer than {SUBJECT_LENGTH} characters.")
    return subject.strip()


def checked_mail(mail: OutgoingMail) -> OutgoingMail:
    """A mail that can be sent; raises `ModelRetry` when it has nobody to go to, too many people, or no text."""
    if not mail.recipients:
        raise _refused("no_recipient", "There is nobody to send it to.", hint="Give at least one address in `to`.")
    if len(mail.recipients) > RECIPIENTS:
        raise _refused("too_many_recipients", f"At most {RECIPIENTS} people can be written to at once.")
    if not mail.body.strip():
        raise _refused("empty_body", "The mail has no text.")
    return mail


def message_id_for(key: str, sender: str) -> str:
    """The Message-ID of the mail that an action sends: the same in every attempt, and hard to guess."""
    return f"<cs.{hashlib.sha256(key.encode()).hexdigest()[:40]}@{sender.rpartition('@')[2].lower()}>"


def uncarried() -> ModelRetry:
    """A name or a subject is not one line."""
    return ModelRetry("invalid_header", "The subject or a name has characters that mail cannot carry.")


def _encoded(text: str) -> tuple[str, str]:
    """An encoding, and the text in it. Encoded bodies have lines of 76 characters at most (RFC 2045)."""
    lines = text.encode().splitlines() or [b""]
    if text.isascii():
        return "quoted-printable", quoprimime.body_encode("".join(f"{line.decode()}\n" for line in lines))
    return "base64", base64mime.body_encode(b"".join(line + b"\r\n" for line in lines), eol="\r\n")


def _kind(subtype: str) -> str:
    return f'text/{subtype}; charset="utf-8"'


def file_part(attachment: Attachment) -> EmailMessage:
    """An attached message goes as a file: mail allows no base64 in a message inside a message (RFC 2046 §5.2.1)."""
    kind = attachment.mime_type if attachment.mime_type.count("/") == 1 else "application/octet-stream"
    main, _, sub = kind.partition("/")
    if main in {"message", "multipart"}:
        main, sub = "application", "octet-stream"
    part = EmailMessage(policy=SMTP)
    part.set_content(
        attachment.data,
        maintype=main,
        subtype=sub,
        disposition="attachment",
        filename=attachment.name,
        params=dict(attachment.parameters),
    )
    del part["MIME-Version"]
    return part


def _as_html(text: str) -> str:
    """The same text for readers that show HTML: Gmail wraps the lines of a draft that is plain text only."""
    lines = escape(text, quote=False).splitlines()
    kept = [line.replace("  ", "&nbsp; ") for line in lines]
    return f'<div dir="ltr">{"<br>".join(kept)}</div>\n'
