"""Who a person is in mails: the addresses that are theirs, and those that they may send from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from integrations.errors import ModelRetry
from integrations.gmail.client import Mailbox
from integrations.gmail.isolated.html_reader import HtmlReader, HtmlUnreadable
from integrations.gmail.mime.addresses import Address, deliverable, parse_recipient, read_addresses
from integrations.gmail.outgoing.signatures import LENGTH, NONE, Signature, signature_of
from integrations.gmail.wire import SendAs


@dataclass(frozen=True, slots=True)
class SenderIdentity:
    """The addresses that are the person, and those that they may send from."""

    senders: Sequence[SendAs]
    account: str
    name: str = ""
    signatures: Mapping[str, str | None] = field(default_factory=dict[str, str | None])
    """What the HTML of each signature says; None for one that cannot be read."""

    def is_me(self, address: Address) -> bool:
        """Whether an address is the account's, a confirmed alias, or a variant of either.

        An alias that nobody has confirmed is only what somebody typed: it may be another person's.
        """
        aliases = {Address(email=sender.send_as_email).key for sender in self.senders if sender.is_verified()}
        return address.key in aliases | {Address(email=self.account).key}

    def sender(self, addressed: Sequence[Address] = (), *, wanted: str | None = None) -> Address:
        """The verified address to send from: the wanted one, the one that was written to (a variant of it counts), the
        default, the account's.

        Raises `ModelRetry` when the wanted one is not verified: Gmail would silently use the default instead.
        """
        verified = [sender for sender in self.senders if sender.is_verified()]
        if wanted is not None:
            email = parse_recipient(wanted).email.lower()
            fitting = [sender for sender in verified if sender.send_as_email.lower() == email]
            if not fitting:
                raise self._not_mine(email)
        else:
            written_to = {address.email.lower() for address in addressed}
            variants = {address.key for address in addressed}
            fitting = [
                *(sender for sender in verified if sender.send_as_email.lower() in written_to),
                *(sender for sender in verified if Address(email=sender.send_as_email).key in variants),
                *(sender for sender in verified if sender.is_default),
                *(sender for sender in verified if sender.is_primary),
            ]
        if not fitting:
            return Address(email=self.account, name=self.name)
        return Address(email=fitting[0].send_as_email, name=fitting[0].display_name or self.name)

    def is_choice(self, sender: Address) -> bool:
        """Whether somebody must have chosen this address: it is neither the account's nor the default."""
        return sender.email.lower() not in {self.account.lower(), self.sender().email.lower()}

    def _not_mine(self, email: str) -> ModelRetry:
        known = ", ".join(sender.send_as_email for sender in self.senders if sender.is_verified()) or self.account
        why = "is not confirmed in Gmail yet" if self._settings_of(email) else "is none of this account's addresses"
        return ModelRetry("not_your_address", f"{email} {why}.", hint=f"Send from one of: {known}.")

    def reply_to(self, sender: Address) -> Address | None:
        """Where the settings send the answers to mails from this address, when that is elsewhere.

        Raises `ModelRetry` for what mail cannot carry.
        """
        told = read_addresses([each.reply_to_address for each in self._settings_of(sender.email)])
        elsewhere = [address for address in told if address.email.lower() != sender.email.lower()]
        return deliverable(elsewhere[0]) if elsewhere else None

    def signature(self, sender: Address, *, wanted: bool = True) -> Signature:
        """What Gmail's settings put below mails from this address, else the name that they are sent under."""
        if not wanted:
            return NONE
        html = next((each.signature for each in self._settings_of(sender.email)), "")
        return signature_of(html, self.signatures.get(html, ""), name=sender.name)

    def _settings_of(self, email: str) -> list[SendAs]:
        return [sender for sender in self.senders if sender.send_as_email.lower() == email.lower()]


async def identity_of(mailbox: Mailbox, name: str) -> SenderIdentity:
    """The addresses of this mailbox; `name` is used where none of them has one. Signatures are not read."""
    return SenderIdentity(await mailbox.senders(), mailbox.email, name)


async def with_signatures(identity: SenderIdentity, html: HtmlReader) -> SenderIdentity:
    """The identity with its signatures read."""
    pages = {sender.signature for sender in identity.senders if 0 < len(sender.signature) <= LENGTH}
    return replace(identity, signatures={page: await _text(page, html) for page in sorted(pages)})


async def _text(page: str, html: HtmlReader) -> str | None:
    try:
        return await html.kept_text(page)
    except HtmlUnreadable:
        return None
