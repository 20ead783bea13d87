"""The only reader of environment variables: one frozen settings object, and errors that name the variable and the cure.

The environment counts over the file (`bot.env_file`); near-misses in the environment are warned of. Read by the
composition root and the command line only: parts get values, never settings.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal, get_args
from urllib.parse import unquote, urlsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, SecretStr, ValidationError

from bot.env_file import IS_PLACEHOLDER, file_values, is_placeholder
from bot.errors import BadSettings
from bot.urls import LOOPBACK, Network, folder, is_loopback, networks, origins, public_address, web_address
from policies.types import TrustLevel

INSECURE_TRANSPORT = "OAUTHLIB_INSECURE_TRANSPORT"
"""oauthlib's switch for OAuth over http; we set it to "loopback", and only for an emulator on this machine."""

_SQLITE = "sqlite+aiosqlite:///"
_POSTGRESQL = {"postgresql", "postgres", "postgresql+psycopg"}
_NO_SERVER = (
    "it is no address of a server. In its password write %2F for “/”, %23 for “#”, %3F for “?”, %40 for “@”, and %25 "
    "for “%”"
)
NEEDED = {
    "SLACK_BOT_TOKEN": "take the Bot User OAuth Token (xoxb-…) of your Slack app.",
    "SLACK_APP_TOKEN": "make an App-Level Token (xapp-…) with connections:write for Socket Mode, or set "
    "SLACK_SIGNING_SECRET to receive events over HTTP.",
    "SLACK_CLIENT_SECRET": "SLACK_CLIENT_ID needs it; both are on the “Basic Information” page of your app.",
    "GEMINI_API_KEY": "make a key in Google AI Studio, or set VERTEX_AI_PROJECT_ID.",
    "VERTEX_AI_LOCATION": "name the region of your Vertex AI project, or “global”.",
    "GOOGLE_CLIENT_SECRET": "GOOGLE_CLIENT_ID needs it; both are on the OAuth client’s page.",
    "GOOGLE_DELEGATED_DOMAINS": "GOOGLE_SERVICE_ACCOUNT_FILE needs it; name the mail domains for whose people the "
    "service account may act, as in acme.com.",
    "GOOGLE_SERVICE_ACCOUNT_FILE": "GOOGLE_DELEGATED_DOMAINS needs it; name the service account’s key file.",
    "FIREBASE_SERVICE_ACCOUNT_FILE": "FIREBASE_PROJECT_ID needs it to see which accounts were disabled or signed out; "
    "name the key file of a service account of that project with the role “Firebase Authentication Viewer”.",
    "ENCRYPTION_KEYS": "with PostgreSQL every replica needs the same keys. Make one with: countersign keys new",
}
"""What to do about a variable that is missing."""

NO_KEYS = f"ENCRYPTION_KEYS is missing: {NEEDED['ENCRYPTION_KEYS']}"
_PROJECT = re.compile(r"[a-z][a-z0-9-]{4,28}[a-z0-9]")
_CHANNEL = re.compile(r"[CG][A-Z0-9]{2,20}", re.ASCII)
_COOKIE = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_DOMAIN = re.compile(r"(?!-)[a-z0-9-]+(\.[a-z0-9-]+)+")
_CURES = {
    "int_parsing": "it must be a whole number",
    "decimal_parsing": "it must be a number",
    "bool_parsing": "it must be true or false",
}
"""By pydantic's kind of error: what to do."""

_INSECURE = (
    f"{INSECURE_TRANSPORT} is set, which lets account keys travel unencrypted. Remove it: for an emulator on this "
    "machine it is not needed."
)

FEWEST_STEPS, MOST_STEPS = 1, 15
"""AGENT_MAX_LOOP_STEPS is held between them."""


def _blank_is_none(value: object) -> object:
    return None if isinstance(value, str) and not value.strip() else value


def _listed(value: str | None) -> list[str]:
    return [part.strip().lower() for part in (value or "").split(",") if part.strip()]


def _domains(value: str | None) -> str | None:
    if not all(_DOMAIN.fullmatch(domain) for domain in _listed(value)):
        raise ValueError("it must name domains, as in acme.com, separated by commas")
    return value


def _origins(value: str | None) -> str | None:
    origins(value)
    return value


def _networks(value: str | None) -> str | None:
    networks(value)
    return value


def _project(value: str | None) -> str | None:
    if value is not None and not _PROJECT.fullmatch(value):
        raise ValueError("it must be the project’s ID, as in acme-4711, not its name or number")
    return value


def _cookie(value: str) -> str:
    if not _COOKIE.fullmatch(value):
        raise ValueError("it must be the name of a cookie, as in __session")
    return value


def _channel(value: str | None) -> str | None:
    if value is not None and not _CHANNEL.fullmatch(value):
        raise ValueError("it must be the id of a channel, as in C0123456789: Slack shows it below a channel’s details")
    return value


def _real(value: SecretStr | None) -> SecretStr | None:
    if value is not None and is_placeholder(value.get_secret_value()):
        raise ValueError(IS_PLACEHOLDER)
    return value


def _bot_token(value: SecretStr | None) -> SecretStr | None:
    return _with_prefix(value, "xoxb-", "the Bot User OAuth Token of your app's “OAuth & Permissions” page")


def _app_token(value: SecretStr | None) -> SecretStr | None:
    return _with_prefix(value, "xapp-", "an App-Level Token with connections:write (“Basic Information” page)")


def _with_prefix(value: SecretStr | None, prefix: str, what: str) -> SecretStr | None:
    if value is not None and not value.get_secret_value().startswith(prefix):
        raise ValueError(f"it must start with {prefix}: take {what}")
    return value


def _clamped(steps: int) -> int:
    return max(FEWEST_STEPS, min(MOST_STEPS, steps))


def _known_database(value: str) -> str:
    path = value.removeprefix(_SQLITE)
    is_file = value.startswith(_SQLITE) and path not in {"", ":memory:"}
    if is_file and "?" in path:
        raise ValueError("it must end with the file’s name: there are no options, leave out “?” and what follows")
    if is_placeholder(value):
        raise ValueError(IS_PLACEHOLDER)
    if not is_file and not _is_server(value):
        raise ValueError(
            f"it must be {_SQLITE}path/to/countersign.db, or postgresql://user:password@host/database for several "
            "replicas"
        )
    return value


def _is_server(url: str) -> bool:
    """Whether it names a PostgreSQL; a password that is not percent-encoded makes a port of what is none."""
    try:
        parts = urlsplit(url)
        return parts.scheme in _POSTGRESQL and parts.port != 0
    except ValueError:  # its words quote the address, and with it the password
        raise ValueError(_NO_SERVER) from None


Optional = Annotated[str | None, BeforeValidator(_blank_is_none)]
Domains = Annotated[Optional, AfterValidator(_domains)]
Origins = Annotated[Optional, AfterValidator(_origins)]
Networks = Annotated[Optional, AfterValidator(_networks)]
Address = Annotated[Optional, AfterValidator(web_address)]
Most = Annotated[int, Field(ge=0)]
"""A limit; 0 is none."""
Hours = Annotated[Decimal, Field(gt=0, le=24 * 365, allow_inf_nan=False)]
Dollars = Annotated[Decimal, Field(ge=0, allow_inf_nan=False)]
"""A limit in US dollars; 0 is none."""
OptionalSecret = Annotated[SecretStr | None, BeforeValidator(_blank_is_none), AfterValidator(_real)]


class Settings(BaseModel):
    """Every variable of the program; `.env.example` explains each."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    # Slack
    slack_bot_token: Annotated[OptionalSecret, AfterValidator(_bot_token)] = None
    slack_app_token: Annotated[OptionalSecret, AfterValidator(_app_token)] = None
    slack_signing_secret: OptionalSecret = None
    slack_client_id: Optional = None
    slack_client_secret: OptionalSecret = None
    slack_api_url: Annotated[str, AfterValidator(web_address), AfterValidator(folder)] = "https://slack.com/api/"
    # The language model
    gemini_api_key: OptionalSecret = None
    gemini_model: Optional = None
    google_gemini_base_url: Address = None
    vertex_ai_project_id: Optional = None
    vertex_ai_location: Optional = None
    vertex_ai_endpoint: Address = None
    # Google accounts
    google_client_id: Optional = None
    google_client_secret: OptionalSecret = None
    google_service_account_file: Optional = None
    google_delegated_domains: Domains = None
    google_allowed_domains: Domains = None
    google_other_address: Literal["ask", "refuse"] = "ask"
    google_api_root_url: Address = None
    google_oauth_auth_url: Address = None
    google_oauth_token_url: Address = None
    google_oauth_revoke_url: Address = None
    google_oauth_certs_url: Address = None
    # Firebase's session cookies, for the HTTP API
    firebase_project_id: Annotated[Optional, AfterValidator(_project)] = None
    firebase_service_account_file: Optional = None
    firebase_session_cookie: Annotated[str, AfterValidator(_cookie)] = "__session"
    firebase_certs_url: Address = None
    firebase_api_url: Address = None
    # This process and its database
    public_url: Annotated[Address, AfterValidator(public_address)] = None
    http_host: str = "127.0.0.1"
    http_port: Annotated[int, Field(ge=0, le=65535)] = 8080
    http_application: Optional = None
    http_origins: Origins = None
    http_requests_per_minute: Most = 1_200
    trusted_proxies: Networks = None
    database_url: Annotated[str, AfterValidator(_known_database)] = "sqlite+aiosqlite:///countersign.db"
    encryption_keys: OptionalSecret = None
    agents_dir: Optional = None
    policies_dir: Optional = None
    repositories_dir: Optional = None
    # What may be used (docs/limits.md), how long is waited and kept (docs/time.md)
    agent_max_loop_steps: Annotated[int, AfterValidator(_clamped)] = 8
    agent_max_active_seconds: Most = 600
    agent_max_tokens: Most = 200_000
    agent_max_usd: Dollars = Decimal("0.50")
    agent_max_side_effects: Most = 10
    agent_max_recipients: Most = 10
    agent_max_cards: Most = 3
    agent_grace_seconds: Annotated[int, Field(ge=1, le=600)] = 30
    agent_max_calls_per_step: Annotated[int, Field(ge=1, le=64)] = 16
    agent_same_call_refused_at: Annotated[int, Field(ge=2, le=10)] = 3
    agent_same_call_failed_at: Annotated[int, Field(ge=2, le=20)] = 5
    agent_daily_tokens_per_user: Most = 0
    agent_daily_usd_per_user: Dollars = Decimal(0)
    agent_daily_side_effects_per_user: Most = 0
    agent_daily_recipients_per_user: Most = 0
    agent_daily_tokens_per_workspace: Most = 0
    agent_daily_usd_per_workspace: Dollars = Decimal(0)
    agent_daily_side_effects_per_workspace: Most = 0
    agent_daily_recipients_per_workspace: Most = 0
    agent_requests_per_minute: Most = 20
    gemini_requests_per_minute: Most = 0
    agent_question_hours: Hours = Decimal(24)
    agent_side_effects_enabled: bool = True
    agent_trust_cap: TrustLevel = TrustLevel.AUTONOMOUS
    retention_steps_days: Most = 30
    retention_messages_days: Most = 90
    retention_runs_days: Most = 365
    retention_audit_days: Most = 400
    # What proves the log to others (docs/audit.md)
    audit_checkpoint_entries: Annotated[int, Field(ge=1)] = 1_000
    audit_checkpoint_minutes: Annotated[int, Field(ge=1)] = 60
    audit_checkpoints_file: Optional = None
    audit_checkpoints_channel: Annotated[Optional, AfterValidator(_channel)] = None

    @property
    def uses_postgresql(self) -> bool:
        """Whether the database is one that several replicas share."""
        return not self.database_url.startswith(_SQLITE)

    @property
    def sqlite_path(self) -> Path:
        """The database file, where the database is one; never a link to it, so that it is known by one name.

        SQLite puts its own files beside the file itself, and so do we: lock, key and id.
        """
        return Path(os.path.realpath(self.database_url.removeprefix(_SQLITE)))

    @property
    def uses_socket_mode(self) -> bool:
        """An app token means Socket Mode; else Slack calls us over HTTP."""
        return self.slack_app_token is not None

    @property
    def delegated_domains(self) -> frozenset[str]:
        """The domains that the service account acts in, in small letters; none without a service account."""
        return frozenset(_listed(self.google_delegated_domains)) if self.google_service_account_file else frozenset()

    @property
    def origins(self) -> frozenset[str]:
        """Where pages of others stand that may use the HTTP API with a person's session."""
        return origins(self.http_origins)

    @property
    def proxies(self) -> Sequence[Network]:
        """Where proxies are that say where a request comes from. Unless some are named: on this machine, if people come
        over https. We speak none, so something before us does.
        """
        if named := networks(self.trusted_proxies):
            return named
        return LOOPBACK if (self.public_url or "").startswith("https:") else ()

    @property
    def application(self) -> str:
        """What people know the HTTP API as: by its name, or by where they reach it."""
        return self.http_application or urlsplit(self.public_url or "").hostname or "an application"

    @property
    def allowed_domains(self) -> frozenset[str]:
        """The organisations whose accounts are connected without asking whose they are, in small letters."""
        return frozenset(_listed(self.google_allowed_domains))

    def secrets(self) -> tuple[str, ...]:
        """Every secret value, for the redaction filter."""
        values = [getattr(self, name) for name in type(self).model_fields]
        plain = [value.get_secret_value() for value in values if isinstance(value, SecretStr)]
        if password := urlsplit(self.database_url).password:
            plain += [password, unquote(password)]
        return tuple(part.strip() for text in plain for part in text.split(","))


_SECRET = frozenset({name for name, field in Settings.model_fields.items() if SecretStr in get_args(field.annotation)})


def read(environ: Mapping[str, str] | None = None) -> Settings:
    """The settings of this process: the environment over `.env`; raises `BadSettings` that lists all that is wrong."""
    environ = os.environ if environ is None else environ
    values, problems = _values(environ)
    try:
        settings = Settings.model_validate(values)
    except ValidationError as error:
        raise BadSettings([*problems, *map(_problem, error.errors()), *_insecure(environ, values)]) from None
    if problems := [*problems, *_insecure(environ, values)]:
        raise BadSettings(problems)
    return settings


def _insecure(environ: Mapping[str, str], values: Mapping[str, str]) -> list[str]:
    is_insecure = environ.get(INSECURE_TRANSPORT, "loopback") != "loopback"
    return [_INSECURE] if is_insecure and not is_loopback(values.get("google_oauth_token_url", "")) else []


def lacking(environ: Mapping[str, str] | None = None) -> list[str]:
    """What `countersign run` cannot do without and nobody configured, a line each, whatever is wrong besides."""
    given, _ = _values(os.environ if environ is None else environ)
    on_vertex, domains = "vertex_ai_project_id" in given, _listed(given.get("google_delegated_domains"))
    lacks = {
        "SLACK_BOT_TOKEN": "slack_bot_token" not in given,
        "SLACK_APP_TOKEN": not given.keys() & {"slack_app_token", "slack_signing_secret"},
        "SLACK_CLIENT_SECRET": "slack_client_id" in given and "slack_client_secret" not in given,
        "GEMINI_API_KEY": not on_vertex and "gemini_api_key" not in given,
        "VERTEX_AI_LOCATION": on_vertex and "vertex_ai_location" not in given,
        "GOOGLE_CLIENT_SECRET": "google_client_id" in given and "google_client_secret" not in given,
        "GOOGLE_DELEGATED_DOMAINS": "google_service_account_file" in given and not domains,
        "GOOGLE_SERVICE_ACCOUNT_FILE": "google_service_account_file" not in given and bool(domains),
        "FIREBASE_SERVICE_ACCOUNT_FILE": "firebase_project_id" in given
        and not given.keys() & {"firebase_service_account_file", "google_service_account_file"},
        "ENCRYPTION_KEYS": given.get("database_url", "").partition(":")[0] in _POSTGRESQL
        and "encryption_keys" not in given,
    }
    return [f"{name} is missing: {NEEDED[name]}" for name, is_lacking in lacks.items() if is_lacking]


def doubts(environ: Mapping[str, str] | None = None) -> list[str]:
    """What is ignored, or counts otherwise than it was written: a warning each."""
    environ = os.environ if environ is None else environ
    return [*_near_misses(environ), *_held_between(environ)]


def _held_between(environ: Mapping[str, str]) -> list[str]:
    try:
        settings = read(environ)
    except BadSettings:  # the reader of the settings is told
        return []
    written = _values(environ)[0].get("agent_max_loop_steps", "")
    counts = settings.agent_max_loop_steps
    if not written or float(written) == counts:
        return []
    why = f"it is held between {FEWEST_STEPS} and {MOST_STEPS}"
    return [f"AGENT_MAX_LOOP_STEPS is {written} and counts as {counts}: {why}."]


def _near_misses(environ: Mapping[str, str]) -> list[str]:
    """Variables of the environment that look like ours and are not."""
    known = [name.upper() for name in Settings.model_fields]
    warnings: list[str] = []
    for name in environ:
        close = difflib.get_close_matches(name.upper(), known, n=1, cutoff=0.85)
        if close and name not in known:
            warnings.append(f"{name} is not a variable of this program and is ignored. Did you mean {close[0]}?")
    return sorted(warnings)


def _values(environ: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """What is configured, by the names of the fields: the environment over the file, and what is wrong with that."""
    names = {name.upper(): name for name in Settings.model_fields}
    of_environment = {names[key]: value.strip() for key, value in environ.items() if key in names and value.strip()}
    of_file, problems = file_values(environ, names, _SECRET)
    return of_file | of_environment, problems


def _problem(item: Any) -> str:
    name = str(item["loc"][0]).upper() if item["loc"] else "The configuration"
    why = _CURES.get(item["type"]) or str(item["msg"]).removeprefix("Value error, ").replace("Input should", "it must")
    return f"{name} is wrong: {why}."
