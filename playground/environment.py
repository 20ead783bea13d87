"""The environment of the playground's processes: an allow-list of the person's variables, and the emulators' addresses.

Nothing else passes. slack_sdk takes its proxy from HTTPS_PROXY and ignores NO_PROXY, so a loopback call would leave the
machine. A person's real tokens or database must never reach the demo's agent.
"""

from __future__ import annotations

import site
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from playground import people
from playground.google.firebase import CERTIFICATES
from playground.google.oauth.service_account import PROJECT

ALLOWED = frozenset(
    {
        "PATH",
        "HOME",
        "USER",
        "LOGNAME",
        "LANG",
        "LANGUAGE",
        "TZ",
        "TMPDIR",
        "TEMP",
        "TMP",
        "SYSTEMROOT",
        "LD_LIBRARY_PATH",
        "VIRTUAL_ENV",
        "PYTHONPATH",
        "PYTHONHOME",
        "PYTHONUTF8",
        "PYTHONIOENCODING",
        "PYTHONTZPATH",
        "SSL_CERT_FILE",
        "SSL_CERT_DIR",
        "NO_COLOR",
        "COVERAGE_PROCESS_START",
        "COVERAGE_PROCESS_CONFIG",
    }
)
ALLOWED_PREFIXES = ("LC_", "AGENT_")  # people may try the agent's limits
FOR_AGENT = ("HTTP_ORIGINS", "HTTP_APPLICATION")
"""People may try the HTTP API from a page of their own."""

CLIENT_ID = "playground-client"
CLIENT_SECRET = "playground-secret"
SLACK_CLIENT_ID = "playground-slack-client"
SLACK_CLIENT_SECRET = "playground-slack-secret"
MODEL_KEY = "playground-key"
"""Secrets are blotted out of what leaves the agent, so none of them is a word that somebody would say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Addresses:
    """Where the emulators listen, without a trailing slash. `gemini` is None when the real model answers."""

    slack: str
    google: str
    gemini: str | None


def inherited(environment: Mapping[str, str], *, root: Path) -> dict[str, str]:
    """What every child gets: the allowed variables, unbuffered output, and a checkout's `root` to import from."""
    passed = {name: value for name, value in environment.items() if _is_allowed(name)}
    if str(root) not in site.getsitepackages():
        passed["PYTHONPATH"] = ":".join(filter(None, (str(root), passed.get("PYTHONPATH"))))
    return {**passed, "PYTHONUNBUFFERED": "1"}


def for_agent(
    environment: Mapping[str, str],
    *,
    root: Path,
    addresses: Addresses,
    database: Path,
    key_file: Path | None = None,
    port: int = 0,
) -> dict[str, str]:
    """The agent's environment: production configuration with other base URLs, and no `.env`. With the `key_file` of
    the emulated Google's service account people can sign in over HTTP. A `port` of 0 takes a free one.
    """
    return {
        **inherited(environment, root=root),
        **_slack(addresses.slack),
        **_google(addresses.google),
        **(_firebase(addresses.google, key_file) if key_file else {}),
        **_model(environment, addresses.gemini),
        "HTTP_APPLICATION": "the playground",
        **{name: environment[name] for name in FOR_AGENT if environment.get(name)},
        "DATABASE_URL": f"sqlite+aiosqlite:///{database}",
        "HTTP_HOST": "127.0.0.1",
        "HTTP_PORT": str(port),
        "PUBLIC_URL": f"http://127.0.0.1:{port}",  # with 0 the port that it gets
        "COUNTERSIGN_ENV_FILE": "",
        "COUNTERSIGN_READY_LINE": "1",
    }


def has_real_model(environment: Mapping[str, str]) -> bool:
    """Whether the person's environment has a Gemini key."""
    return bool(environment.get("GEMINI_API_KEY", "").strip())


def _is_allowed(name: str) -> bool:
    return name in ALLOWED or name.startswith(ALLOWED_PREFIXES)


def _slack(url: str) -> dict[str, str]:
    return {
        "SLACK_BOT_TOKEN": people.BOT_TOKEN,
        "SLACK_APP_TOKEN": people.APP_TOKEN,
        "SLACK_API_URL": f"{url}/api/",
        "SLACK_CLIENT_ID": SLACK_CLIENT_ID,
        "SLACK_CLIENT_SECRET": SLACK_CLIENT_SECRET,
    }


def _google(url: str) -> dict[str, str]:
    return {
        "GOOGLE_API_ROOT_URL": url,
        "GOOGLE_OAUTH_AUTH_URL": f"{url}/o/oauth2/v2/auth",
        "GOOGLE_OAUTH_TOKEN_URL": f"{url}/token",
        "GOOGLE_OAUTH_REVOKE_URL": f"{url}/revoke",
        "GOOGLE_OAUTH_CERTS_URL": f"{url}/oauth2/v1/certs",
        "GOOGLE_CLIENT_ID": CLIENT_ID,
        "GOOGLE_CLIENT_SECRET": CLIENT_SECRET,
    }


def _firebase(url: str, key_file: Path) -> dict[str, str]:
    return {
        "FIREBASE_PROJECT_ID": PROJECT,
        "FIREBASE_SERVICE_ACCOUNT_FILE": str(key_file),
        "FIREBASE_CERTS_URL": f"{url}{CERTIFICATES}",
        "FIREBASE_API_URL": url,
    }


def _model(environment: Mapping[str, str], emulator: str | None) -> dict[str, str]:
    if emulator is not None:
        return {"GEMINI_API_KEY": MODEL_KEY, "GOOGLE_GEMINI_BASE_URL": emulator}
    return {name: environment[name] for name in ("GEMINI_API_KEY", "GEMINI_MODEL") if environment.get(name)}
