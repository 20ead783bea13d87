"""The OAuth scopes that the tools ask for, each the narrowest that its methods accept.

Source: the `scopes` of each method in Google's discovery documents for gmail v1 and calendar v3.
"""

_AUTH = "https://www.googleapis.com/auth/"

MAIL_READ = f"{_AUTH}gmail.readonly"
MAIL_COMPOSE = f"{_AUTH}gmail.compose"
MAIL_MODIFY = f"{_AUTH}gmail.modify"
EVENTS = f"{_AUTH}calendar.events"
BUSY = f"{_AUTH}calendar.freebusy"
CALENDARS = f"{_AUTH}calendar.calendarlist.readonly"

# Any one of these lets a call see whether other people are busy (freebusy.query).
FREE_BUSY = frozenset(
    f"{_AUTH}{name}" for name in ("calendar", "calendar.readonly", "calendar.freebusy", "calendar.events.freebusy")
)

# Any one of these lets a call list the calendars that a person has (calendarList.list).
CALENDAR_LISTS = frozenset(
    f"{_AUTH}{name}"
    for name in ("calendar", "calendar.readonly", "calendar.calendarlist", "calendar.calendarlist.readonly")
)

EMAIL = f"{_AUTH}userinfo.email"
EVENTS_READ = f"{_AUTH}calendar.events.readonly"
CONTACTS = f"{_AUTH}contacts.readonly"
OTHER_CONTACTS = f"{_AUTH}contacts.other.readonly"
DIRECTORY = f"{_AUTH}directory.readonly"

# What a wider scope lets a call do as well.
_INCLUDES = {
    "https://mail.google.com/": frozenset({MAIL_MODIFY, MAIL_READ, MAIL_COMPOSE}),
    MAIL_MODIFY: frozenset({MAIL_READ, MAIL_COMPOSE}),
    EVENTS: frozenset({EVENTS_READ}),
    f"{_AUTH}calendar": frozenset({EVENTS, EVENTS_READ, BUSY, CALENDARS}),
    f"{_AUTH}calendar.readonly": frozenset({EVENTS_READ, BUSY, CALENDARS}),
}


def lacking(granted: frozenset[str], wanted: frozenset[str]) -> frozenset[str]:
    """The scopes that are wanted and neither granted nor included in one that is."""
    return wanted - granted.union(*(_INCLUDES.get(scope, frozenset()) for scope in granted))
