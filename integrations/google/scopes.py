"""The OAuth scopes that the tools ask for, each the narrowest that its methods accept.

Source: the `scopes` of each method in Google's discovery documents for gmail v1 and calendar v3.
"""

AUTH = "https://www.googleapis.com/auth/"

MAIL_ALL = "https://mail.google.com/"
MAIL_READ = f"{AUTH}gmail.readonly"
MAIL_COMPOSE = f"{AUTH}gmail.compose"
MAIL_MODIFY = f"{AUTH}gmail.modify"
EVENTS = f"{AUTH}calendar.events"
BUSY = f"{AUTH}calendar.freebusy"
CALENDARS = f"{AUTH}calendar.calendarlist.readonly"

# Any one of these lets a call see whether other people are busy (freebusy.query).
FREE_BUSY = frozenset(
    f"{AUTH}{name}" for name in ("calendar", "calendar.readonly", "calendar.freebusy", "calendar.events.freebusy")
)

# Any one of these lets a call list the calendars that a person has (calendarList.list).
CALENDAR_LISTS = frozenset(
    f"{AUTH}{name}"
    for name in ("calendar", "calendar.readonly", "calendar.calendarlist", "calendar.calendarlist.readonly")
)

EMAIL = f"{AUTH}userinfo.email"
EVENTS_READ = f"{AUTH}calendar.events.readonly"
CONTACTS = f"{AUTH}contacts.readonly"
OTHER_CONTACTS = f"{AUTH}contacts.other.readonly"
DIRECTORY = f"{AUTH}directory.readonly"

# What a wider scope lets a call do as well.
_INCLUDES = {
    MAIL_ALL: frozenset({MAIL_MODIFY, MAIL_READ, MAIL_COMPOSE}),
    MAIL_MODIFY: frozenset({MAIL_READ, MAIL_COMPOSE}),
    EVENTS: frozenset({EVENTS_READ}),
    f"{AUTH}calendar": frozenset({EVENTS, EVENTS_READ, BUSY, CALENDARS}),
    f"{AUTH}calendar.readonly": frozenset({EVENTS_READ, BUSY, CALENDARS}),
}


def lacking(granted: frozenset[str], wanted: frozenset[str]) -> frozenset[str]:
    """The scopes that are wanted and neither granted nor included in one that is."""
    return wanted - granted.union(*(_INCLUDES.get(scope, frozenset()) for scope in granted))
