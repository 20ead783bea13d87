"""What the doctor says of a missing address of this server."""

from __future__ import annotations

import pytest

from bot.commands.doctor.address import missing_address
from bot.settings import Settings

SLACK = {"slack_client_id": "1.2", "slack_client_secret": "secret"}
GOOGLE = {"google_client_id": "3.4", "google_client_secret": "secret"}
SIGN_IN = "with SLACK_CLIENT_ID people sign in there"
CONNECT = "with GOOGLE_CLIENT_ID people connect accounts there"
TO_SLACK = "with /auth/slack/callback to the redirect URLs of your Slack app (“OAuth & Permissions”)"
TO_GOOGLE = "with /oauth/google/callback to the client’s redirect URIs at https://console.cloud.google.com/auth/clients"


@pytest.mark.parametrize(
    ("given", "why", "where"),
    [
        (SLACK, SIGN_IN, TO_SLACK),
        (GOOGLE, CONNECT, TO_GOOGLE),
        (SLACK | GOOGLE, f"{SIGN_IN} and {CONNECT}", f"{TO_SLACK} and {TO_GOOGLE}"),
    ],
)
def test_it_is_told_once_for_all_who_need_it(given: dict[str, str], why: str, where: str) -> None:
    """With what each needs it for, and where it has to be written down besides."""
    (line,) = missing_address(Settings.model_validate(given))
    told = f"PUBLIC_URL is missing: {why}. Set it to the address at which browsers reach this server, and add that"
    assert line == f"{told} address {where}."


@pytest.mark.parametrize(
    "given",
    [
        SLACK | GOOGLE | {"public_url": "https://agent.acme.com"},
        {},
        {"slack_client_id": "1.2"},  # of which the missing secret is told
        {"google_client_id": "3.4"},
    ],
)
def test_nobody_is_led_there(given: dict[str, str]) -> None:
    """Then none is missing."""
    assert missing_address(Settings.model_validate(given)) == []
