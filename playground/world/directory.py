"""The people of the seeded world: handles to addresses, of colleagues and outsiders."""

from __future__ import annotations

from collections.abc import Mapping
from email.utils import formataddr, parseaddr
from zoneinfo import ZoneInfo

from playground.people import PEOPLE
from playground.world.dates import HOME

OUTSIDERS: Mapping[str, str] = {
    "helen": "Helen Marsh <helen.marsh@marshgardens.example>",
    "bruno": "Bruno Keller <bruno@kellerholz.example>",
    "aoife": '"Byrne, Aoife" <aoife.byrne@thistlehall.example>',
    "rene": '"Müller-Lüdenscheidt, René" <rene@gartenhaus-mueller.example>',
    "tomas": "Tomás Herrera <tomas@patioynogal.example>",
    "grace": "Grace Adeyemi <grace.adeyemi@rivertownhotel.example>",
    "olga": "Ольга Петрова <olga@dacha-sad.example>",
    "kenji": "Kenji Watanabe <watanabe@niwa-design.example>",
    "insurer": "Northgate Insurance <renewals@northgate-insurance.example>",
    "carrier": "Hollins Haulage <dispatch@hollinshaulage.example>",
    "show": "Spring Garden Show <exhibitors@springgardenshow.example>",
    "newsletter": "The Timber Trade Weekly <news@timbertradeweekly.example>",
    "bank": "Fern Valley Bank <statements@fernvalleybank.example>",
    "press": "Nora Falk <nora.falk@outdoorliving.example>",
    "stranger": "Account Services <no-reply@secure-docs-portal.example>",
    "tax": "Anand & Rao Chartered Accountants <desk@anandrao.example>",
    "hardware": "Brassworks Ltd <orders@brassworks.example>",
    "schoolyard": "Paula Stein <p.stein@lindenschule.example>",
    "shipping_ses": "Parcelwise <updates@parcelwise.example>",
    "photographer": "Yusuf Demir <yusuf@demirphoto.example>",
    "agency": "Clay & Co. <hello@clayandco.example>",
}


def address(name: str) -> str:
    """`Name <address>` of a handle, or the text itself when it is an address already."""
    person = next((person for person in PEOPLE if person.handle == name), None)
    if person:
        return formataddr((person.name, person.email))
    if name not in OUTSIDERS and "@" not in name:
        raise KeyError(f"nobody is called {name!r}")
    return OUTSIDERS.get(name, name)


def email_of(name: str) -> str:
    return parseaddr(address(name))[1]


def zone_of(name: str) -> ZoneInfo:
    """A colleague's zone; outsiders have the company's."""
    return next((ZoneInfo(person.zone) for person in PEOPLE if person.handle == name), HOME)
