"""The playground's small company: who works there, and the Slack workspace they share.

Fernhill makes garden furniture in a small town; six people, one of them a guest. The emulators of Slack and Google are
seeded from the same list, so a name means the same person in both.
"""

from __future__ import annotations

from dataclasses import dataclass

TEAM_ID = "T0FERNHILL"
TEAM_NAME = "Fernhill"
TEAM_DOMAIN = "fernhill"
MAIL_DOMAIN = "fernhill.example"

APP_ID = "A0CSIGN"
BOT_USER_ID = "U0CSIGN"
BOT_ID = "B0CSIGN"
BOT_NAME = "countersign"

BOT_TOKEN = "xoxb-playground-bot"
APP_TOKEN = f"xapp-1-{APP_ID}-1-playground"
SIGNING_SECRET = "playground-signing-secret"


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A person of the company, as both emulators know them."""

    user_id: str
    handle: str
    name: str
    title: str
    zone: str
    admin: bool = False
    guest: bool = False
    deleted: bool = False

    @property
    def email(self) -> str:
        """The address at the company; the guest's is at their own firm."""
        return f"{self.handle}@{'grantworks.example' if self.guest else MAIL_DOMAIN}"

    @property
    def google_sub(self) -> str:
        """The stable id of the Google account."""
        return f"1000000{sum(map(ord, self.user_id)):04d}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A channel of the workspace."""

    channel_id: str
    name: str
    topic: str
    members: tuple[str, ...]
    private: bool = False


MARA = Person(
    user_id="U0MARA", handle="mara", name="Mara Lindqvist", title="Operations", zone="Europe/Stockholm", admin=True
)
DANA = Person(user_id="U0DANA", handle="dana", name="Dana Okafor", title="Sales", zone="Europe/London")
JONAS = Person(user_id="U0JONAS", handle="jonas", name="Jonas Weber", title="Workshop", zone="Europe/Berlin")
PRIYA = Person(user_id="U0PRIYA", handle="priya", name="Priya Raman", title="Finance", zone="Asia/Kolkata")
LUIS = Person(user_id="U0LUIS", handle="luis", name="Luis Ortega", title="Design", zone="America/New_York")
THEO = Person(user_id="U0THEO", handle="theo", name="Theo Grant", title="Contractor", zone="Europe/London", guest=True)

PEOPLE = (MARA, DANA, JONAS, PRIYA, LUIS, THEO)
COLLEAGUES = tuple(person for person in PEOPLE if not person.guest)

_EVERYONE = tuple(person.user_id for person in PEOPLE)
_STAFF = tuple(person.user_id for person in COLLEAGUES)

ROOMS = (
    Room(channel_id="C0GENERAL", name="general", topic="Everything and everybody", members=(*_STAFF, BOT_USER_ID)),
    Room(
        channel_id="C0SALES",
        name="sales",
        topic="Orders, quotes, customers",
        members=("U0MARA", "U0DANA", "U0PRIYA", BOT_USER_ID),
    ),
    Room(
        channel_id="C0WORKSHOP",
        name="workshop",
        topic="What is on the benches",
        members=("U0JONAS", "U0LUIS", BOT_USER_ID),
    ),
    Room(
        channel_id="C0FINANCE",
        name="finance-private",
        topic="Numbers",
        members=("U0MARA", "U0PRIYA", BOT_USER_ID),
        private=True,
    ),
    Room(
        channel_id="C0SHOW",
        name="garden-show",
        topic="Stand at the spring garden show",
        members=(*_EVERYONE, BOT_USER_ID),
    ),
)


def person_named(name: str) -> Person | None:
    """A person by handle, Slack id or address."""
    return next((person for person in PEOPLE if name in {person.handle, person.user_id, person.email}), None)
