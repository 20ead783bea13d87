"""The pages that an installer opens, with Slack's manifest filled in."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote, urlencode

import yaml

from bot.api.sign_in import redirect_uri
from bot.errors import Misconfigured
from bot.slack.connection.http import PATH

SLACK_APPS = "https://api.slack.com/apps"
_APIS = "gmail.googleapis.com,calendar-json.googleapis.com,people.googleapis.com"
GOOGLE_APIS = f"https://console.cloud.google.com/flows/enableapi?apiid={_APIS}"


def manifest_path() -> Path:
    """Where the manifest lies: in the installed package, or beside it in a checkout."""
    package = Path(__file__).parents[2]
    for path in (package / "manifest.yaml", package.parent / "manifest.yaml"):
        if path.is_file():
            return path
    raise Misconfigured("manifest.yaml is missing: it belongs beside the folder `bot`. Install the program again.")


def manifest(*, public_url: str | None) -> str:
    """The manifest without its comments; with an address it is for an app that Slack calls over HTTP, and where people
    can sign in to the HTTP API.

    Keys as in docs.slack.dev/reference/app-manifest.
    """
    found = cast("dict[str, Any]", yaml.safe_load(manifest_path().read_text(encoding="utf-8")))
    if public_url:
        url = f"{public_url.rstrip('/')}{PATH}"
        found["oauth_config"] = {"redirect_urls": [redirect_uri(public_url)], **found["oauth_config"]}
        settings = found["settings"]
        settings["socket_mode_enabled"] = False
        settings["event_subscriptions"] = {"request_url": url, **settings["event_subscriptions"]}
        settings["interactivity"] = {**settings["interactivity"], "request_url": url}
        commands: list[Mapping[str, Any]] = found["features"]["slash_commands"]
        found["features"]["slash_commands"] = [{**command, "url": url} for command in commands]
    return yaml.safe_dump(found, sort_keys=False, allow_unicode=True, width=10_000)


def slack_link(*, public_url: str | None) -> str:
    """The page that makes the app, with everything filled in (docs.slack.dev, "Sharing manifests")."""
    wanted = {"new_app": "1", "manifest_yaml": manifest(public_url=public_url)}
    return f"{SLACK_APPS}?{urlencode(wanted, quote_via=quote)}"
