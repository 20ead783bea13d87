"""The Google accounts of the demo's people, as the agent's `adopt` command takes them: nobody signs in here."""

from __future__ import annotations

import json

from playground.people import COLLEAGUES, TEAM_ID, Person

SCOPES = (
    "openid",
    "https://www.googleapis.com/auth/userinfo.email",
    "https://www.googleapis.com/auth/gmail.readonly",
    "https://www.googleapis.com/auth/gmail.compose",
    "https://www.googleapis.com/auth/calendar.events",
)


def accounts(google: str) -> str:
    """One line of JSON for each person but the guest; `google` is the emulator's address."""
    return "".join(json.dumps(_account(person, google)) + "\n" for person in COLLEAGUES)


def _account(person: Person, google: str) -> dict[str, object]:
    return {
        "team": TEAM_ID,
        "user": person.user_id,
        "provider": "google",
        "account": person.google_sub,
        "email": person.email,
        "access_token": f"ya29.playground-{person.handle}",
        "refresh_token": f"1//playground-{person.handle}",
        "token_url": f"{google}/token",
        "scopes": list(SCOPES),
    }
