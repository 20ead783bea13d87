"""Refreshing tokens through google-auth, against the Google emulator."""

from __future__ import annotations

from dataclasses import replace

import pytest

from integrations.errors import ClientRefused, GrantGone
from integrations.google.auth.tokens import GoogleTokens
from tests.integration.google_world import World

REFRESH_TOKEN = "1//playground-dana"

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture
def tokens(world: World) -> GoogleTokens:
    return GoogleTokens(
        token_url=f"{world.url}/token", client_id="playground-client", client_secret="playground-secret"
    )


async def test_a_token_is_renewed(tokens: GoogleTokens) -> None:
    """With its end, and the refresh token that was used where Google gives no other."""
    got = await tokens.refresh(REFRESH_TOKEN)
    assert got.access_token.startswith("ya29.")
    assert got.expires_at is not None
    assert got.refresh_token


async def test_a_wrong_client_is_nobodys_lost_grant(world: World, tokens: GoogleTokens) -> None:
    """A wrong secret is the installation's fault, a withdrawn grant the account's end: each is told as what it is."""
    with pytest.raises(ClientRefused):
        await replace(tokens, client_secret="wrong").refresh(REFRESH_TOKEN)
    await world.admin("grants", {"person": "dana", "do": "revoke"})
    with pytest.raises(GrantGone):
        await tokens.refresh(REFRESH_TOKEN)
