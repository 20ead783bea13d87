"""The doctor on the HTTP API: whether the agent can be asked there, and if not, why."""

from __future__ import annotations

from collections.abc import Sequence

from bot.commands.doctor.slack import no_way_back
from bot.settings import Settings
from bot.urls import at_port, is_loopback
from bot.wiring.agent_api import reached_at

_PAGE = "docs/http-api.md"
_HTTPS = "signing in lacks an https address in PUBLIC_URL"


def http_api(settings: Settings, *, starts: bool = True) -> str:
    """One line, with a mark; `starts` unless something was found with which the program does not."""
    ways, lacking = _ways_in(settings), _lacking(settings)
    if not ways and no_way_back(settings) and lacking == _HTTPS:
        return f"! HTTP API: nobody can sign in, because {lacking}"
    if not ways and lacking:
        return f"! HTTP API: off, because {lacking}"
    if not ways:
        return f"✓ HTTP API: off, because there is no way of signing in; to have one: {_PAGE}"
    served = at_port(settings.http_host, settings.http_port)
    address = reached_at(settings, served)
    if not address:
        return (
            "! HTTP API: off, because cookies would pass a network that anybody can listen to; set PUBLIC_URL to the "
            "https address at which browsers reach this server, or HTTP_HOST to 127.0.0.1"
        )
    people = f"for people who are signed in with {' or '.join(ways)}"
    proxies = ", ".join(map(str, settings.proxies)) or "nobody"
    once = "" if starts else " once what is marked ✗ is mended"
    line = f"HTTP API: on at {address}{once}, {people}; {_pages(settings)}; X-Forwarded-For is believed from {proxies}"
    if is_loopback(address) and not is_loopback(served):
        return (
            f"! {line}. HTTP_HOST {settings.http_host} is reached from other machines, too, and their cookies would "
            "pass unencrypted; set PUBLIC_URL to an https address, or HTTP_HOST to 127.0.0.1, or publish the port of a "
            "container there alone (--publish 127.0.0.1:8080:8080)"
        )
    if lacking:
        return f"! {line}; {lacking}"
    return f"{'✓' if starts else '!'} {line}"


def _ways_in(settings: Settings) -> Sequence[str]:
    """The ways of signing in that have all that they need, in words."""
    project = settings.firebase_project_id
    has_slack = settings.slack_client_id and settings.slack_client_secret and settings.public_url
    has_firebase = project and _firebase_account(settings)
    return [
        *(["Slack"] if has_slack and not no_way_back(settings) else []),
        *([f"Firebase ({project})"] if has_firebase else []),
    ]


def _lacking(settings: Settings) -> str:
    """What a way of signing in lacks that was begun: the problems below say what to do."""
    needs = {
        "SLACK_CLIENT_SECRET": settings.slack_client_id and not settings.slack_client_secret,
        "PUBLIC_URL": settings.slack_client_id and not settings.public_url,
        "an https address in PUBLIC_URL": settings.slack_client_id and settings.public_url and no_way_back(settings),
        "FIREBASE_SERVICE_ACCOUNT_FILE": settings.firebase_project_id and not _firebase_account(settings),
    }
    names = [name for name, is_lacking in needs.items() if is_lacking]
    return f"signing in lacks {' and '.join(names)}" if names else ""


def _firebase_account(settings: Settings) -> str | None:
    return settings.firebase_service_account_file or settings.google_service_account_file


def _pages(settings: Settings) -> str:
    """As what people know it, and which pages may use it."""
    elsewhere = ", ".join(sorted(settings.origins)) or "no other address"
    return f"people read that “{settings.application}” asks; pages of {elsewhere} may use it, too"
