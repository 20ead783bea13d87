"""Somebody outside invites: the event on the guests' calendars, and the mail that Calendar would read it from."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime, parseaddr
from typing import TYPE_CHECKING

from playground.google.discovery import JsonObject
from playground.google.gmail.letters import Letter
from playground.world.hosts import Host

if TYPE_CHECKING:
    from playground.google.calendar.meetings import Meeting
    from playground.google.world import World


def invite(world: World, sender: str, to: Sequence[str], body: JsonObject) -> tuple[Meeting, list[str]]:
    """The meeting, and the ids of the mails that arrived. `body` is an Event resource without its guests."""
    name, email = parseaddr(sender)
    host = Host(email=email.lower(), name=name or email, zone="Europe/London")
    guests = [{"email": host.email, "responseStatus": "accepted"}, *({"email": guest} for guest in to)]
    meeting = world.agenda.insert(host, body | {"attendees": guests})
    mail = _mail(world.clock.now(), sender, to, meeting)
    return meeting, [stored.id for stored in world.post.deliver(Letter(mail.as_bytes()))]


def _mail(now: datetime, sender: str, to: Sequence[str], meeting: Meeting) -> EmailMessage:
    """RFC 6047: the same invitation as text, as text/calendar, and as a file."""
    title = meeting.shared.get("summary", "")
    mail = EmailMessage()
    mail["From"] = sender
    mail["To"] = ", ".join(to)
    mail["Subject"] = f"Invitation: {title}"
    mail["Date"] = format_datetime(now)
    mail["Message-ID"] = f"<calendar-{meeting.id}@google.com>"
    mail.set_content(f"You have been invited to: {title}\n")
    invitation = _calendar(now, to, meeting)
    mail.add_alternative(invitation, subtype="calendar", params={"method": "REQUEST"})
    mail.add_attachment(invitation.encode(), maintype="application", subtype="ics", filename="invite.ics")
    return mail


def _calendar(now: datetime, to: Sequence[str], meeting: Meeting) -> str:
    lines = [
        "BEGIN:VCALENDAR",
        "METHOD:REQUEST",
        "VERSION:2.0",
        "BEGIN:VEVENT",
        f"UID:{meeting.uid}",
        f"DTSTAMP:{_stamp(now)}",
        f"ORGANIZER:mailto:{meeting.organizer.email}",
        *(f"ATTENDEE;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:{guest}" for guest in to),
        *(f"DT{side.upper()}{_when(meeting.shared[side])}" for side in ("start", "end")),
        f"SUMMARY:{meeting.shared.get('summary', '')}",
        "END:VEVENT",
        "END:VCALENDAR",
    ]
    return "\r\n".join(lines) + "\r\n"


def _when(when: JsonObject) -> str:
    if "date" in when:
        return f";VALUE=DATE:{when['date'].replace('-', '')}"
    return f":{_stamp(datetime.fromisoformat(when['dateTime']))}"


def _stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
