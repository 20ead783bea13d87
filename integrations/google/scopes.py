"""The OAuth scopes that the tools ask for, each the narrowest that its methods accept.

Source: the `scopes` of each method in Google's discovery documents for gmail v1 and calendar v3.
"""

_AUTH = "https://www.googleapis.com/auth/"

MAIL_READ = f"{_AUTH}gmail.readonly"
MAIL_COMPOSE = f"{_AUTH}gmail.compose"
EVENTS = f"{_AUTH}calendar.events"

# Any one of these lets a call see whether other people are busy (freebusy.query).
FREE_BUSY = frozenset(
    f"{_AUTH}{name}" for name in ("calendar", "calendar.readonly", "calendar.freebusy", "calendar.events.freebusy")
)
