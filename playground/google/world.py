"""The emulated world of Google: everybody's grants, mailboxes and calendars, and mail to the outside."""

from __future__ import annotations

from playground.changes import Changes
from playground.clock import Clock
from playground.google.calendar.agenda import Agenda
from playground.google.firebase import Firebase
from playground.google.gmail.post_office import PostOffice
from playground.google.oauth.sign_in import SignIn
from playground.google.people.contacts import AddressBook
from playground.google.quota import Quota
from playground.people import PEOPLE


class World:
    """Empty until it is seeded; a reset makes a new one."""

    def __init__(self, clock: Clock, changes: Changes) -> None:
        self.clock = clock
        self.changes = changes
        self.sign_in = SignIn(clock)
        self.firebase = Firebase(clock)
        self.quota = Quota()
        self.post = PostOffice(clock, changes)
        self.agenda = Agenda(clock, changes)
        self.books = {person.handle: AddressBook() for person in PEOPLE}

    def tell(self, changes: Changes) -> None:
        """Publishes changes from now on; those of the seeding are not published."""
        self.changes = self.post.changes = self.agenda.changes = changes
