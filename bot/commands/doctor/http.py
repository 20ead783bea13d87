"""The doctor on the HTTP API: whether the agent can be asked there, and if not, why."""

from __future__ import annotations

from collections.abc import Sequence

from bot.settings import Settings
from bot.wiring.agent_api import reached_at

_PAGE = "docs/http-api.md"


def http_api(settings: Settings) -> str:
    """One line, with a mark."""
    ways = ways_in(settings)
    if not ways:
        return f"✓ HTTP API: off, because there is no way of signing in; to have one: {_PAGE}"
    host = f"[{settings.http_host}]" if ":" in settings.http_host else settings.http_host
    address = reached_at(settings, f"http://{host}:{settings.http_port}")
    if not address:
        return (
            "! HTTP API: off, because cookies would pass a network that anybody can listen to; set PUBLIC_URL to the "
            "https address at which browsers reach this server, or HTTP_HOST to 127.0.0.1"
        )
    people = f"for people who are signed in with {' or '.join(ways)}"
    proxies = ", ".join(map(str, settings.proxies)) or "nobody"
    return f"✓ HTTP API: on at {address}, {people}; X-Forwarded-For is believed from {proxies}"


def ways_in(settings: Settings) -> Sequence[str]:
    """The ways of signing in, in words."""
    project = settings.firebase_project_id
    has_slack = settings.slack_client_id and settings.slack_client_secret and settings.public_url
    return [*(["Slack"] if has_slack else []), *([f"Firebase ({project})"] if project else [])]
