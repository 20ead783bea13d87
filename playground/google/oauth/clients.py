"""The one registered OAuth client, and its redirect URIs."""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import urlsplit

CLIENT_ID = "playground-client"
CLIENT_SECRET = "playground-secret"
APP_NAME = "Countersign"

CALLBACK = "/oauth/google/callback"
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


def is_registered(redirect_uri: str, more: Collection[str] = ()) -> bool:
    """Whether the URI is a loopback address at any port with the callback's path, or exactly one of `more`."""
    if redirect_uri in more:
        return True
    try:
        uri = urlsplit(redirect_uri)
        return (uri.scheme, uri.hostname in LOOPBACK, uri.path, uri.query, uri.fragment) == (
            "http",
            True,
            CALLBACK,
            "",
            "",
        )
    except ValueError:
        return False
