"""Recipients that the person writes to for the first time: their mailbox has no mail to or from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from integrations.errors import ToolError
from integrations.gmail.client import Mailbox
from integrations.gmail.mime.addresses import Address

MOST = 20
"""More recipients than these are not looked up: one look costs up to thirty units of Gmail's quota."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstContacts:
    """Recipients that are new, and those that could not be looked up."""

    new: Sequence[str] = ()
    unknown: Sequence[str] = ()

    def warnings(self) -> list[str]:
        """What a card says of those who are new."""
        if not self.new:
            return []
        return [f"First contact, you have neither written to them nor heard from them: {', '.join(self.new)}"]

    def unchecked(self) -> list[str]:
        """What could not be looked at."""
        if not self.unknown:
            return []
        return [f"whether you have written before to {', '.join(self.unknown[:5])}{_more(self.unknown)}"]


async def first_contacts_among(mailbox: Mailbox, addresses: Sequence[Address]) -> FirstContacts:
    """Takes two round trips. After a failure the card says what is not known."""
    emails = list(dict.fromkeys(address.email.lower() for address in addresses))
    asked, beyond = emails[:MOST], emails[MOST:]
    try:
        met = await mailbox.have_met(asked)
    except ToolError:
        return FirstContacts(unknown=emails)
    found = list(zip(asked, met, strict=True))
    return FirstContacts(
        new=[email for email, known in found if known is False],
        unknown=[*(email for email, known in found if known is None), *beyond],
    )


def _more(emails: Sequence[str]) -> str:
    return f" and {len(emails) - 5} more" if len(emails) > 5 else ""
