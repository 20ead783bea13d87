"""The addresses that a person may write from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from playground.people import MAIL_DOMAIN, Person


@dataclass(frozen=True, slots=True, kw_only=True)
class SendAs:
    """One address of `users.settings.sendAs`. Gmail uses only an accepted one, and else falls back to the default."""

    email: str
    name: str
    primary: bool = False
    accepted: bool = True
    signature: str = ""
    reply_to: str = ""

    @property
    def usable(self) -> bool:
        return self.primary or self.accepted


_ALIASES: Mapping[str, tuple[SendAs, ...]] = {
    "dana": (SendAs(email=f"sales@{MAIL_DOMAIN}", name="Fernhill Sales"),),
    "mara": (
        SendAs(email=f"orders@{MAIL_DOMAIN}", name="Fernhill Orders"),
        SendAs(email="mara@lindqvist.example", name="Mara", accepted=False),
    ),
    "priya": (SendAs(email=f"accounts@{MAIL_DOMAIN}", name="Fernhill Accounts"),),
}


def send_as_of(person: Person) -> tuple[SendAs, ...]:
    """The person's own address first, then the aliases."""
    signature = f"<div>{person.name}<br>{person.title}, Fernhill Garden Furniture</div>"
    own = SendAs(email=person.email, name=person.name, primary=True, signature=signature)
    return (own, *_ALIASES.get(person.handle, ()))
