"""The doctor on the address at which browsers reach this server."""

from __future__ import annotations

from collections.abc import Sequence

from bot.api import oauth, sign_in
from bot.commands.doctor.google import CLIENTS
from bot.settings import Settings


def missing_address(settings: Settings) -> Sequence[str]:
    """That there is none although people are led back there, and where else it has to be set: once for all of them."""
    needs: list[tuple[str, str]] = []
    if settings.slack_client_id and settings.slack_client_secret:
        where = f"with {sign_in.FOLDER}/callback to the redirect URLs of your Slack app (“OAuth & Permissions”)"
        needs.append(("with SLACK_CLIENT_ID people sign in there", where))
    if settings.google_client_id and settings.google_client_secret:
        where = f"with {oauth.FOLDER}/callback to the client’s redirect URIs at {CLIENTS}"
        needs.append(("with GOOGLE_CLIENT_ID people connect accounts there", where))
    if settings.public_url or not needs:
        return []
    why, where = (" and ".join(parts) for parts in zip(*needs, strict=True))
    told = f"PUBLIC_URL is missing: {why}. Set it to the address at which browsers reach this server, and add that"
    return [f"{told} address {where}."]
