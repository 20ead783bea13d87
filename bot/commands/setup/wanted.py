"""The answers that `setup` wants, with the flags that give them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """One answer: its variable, the flag that gives it, and what it is."""

    variable: str
    flag: str
    what: str
    secret: bool = False
    default: str = ""
    optional: bool = False


SOCKET, HTTP = "socket", "http"
LOCAL_URL = "http://localhost:8080"
_DATABASE = "sqlite+aiosqlite:///countersign.db"

BOT_TOKEN = Wanted(
    variable="SLACK_BOT_TOKEN", flag="--slack-bot-token-file", what="Bot User OAuth Token (xoxb-…)", secret=True
)
APP_TOKEN = Wanted(
    variable="SLACK_APP_TOKEN", flag="--slack-app-token-file", what="App-Level Token (xapp-…)", secret=True
)
SIGNING_SECRET = Wanted(
    variable="SLACK_SIGNING_SECRET", flag="--slack-signing-secret-file", what="Signing Secret", secret=True
)
GEMINI_KEY = Wanted(variable="GEMINI_API_KEY", flag="--gemini-api-key-file", what="Gemini API key", secret=True)
CLIENT_ID = Wanted(
    variable="GOOGLE_CLIENT_ID",
    flag="--google-client-id",
    what="Google OAuth client ID (- for none)",
    optional=True,
)
CLIENT_SECRET = Wanted(
    variable="GOOGLE_CLIENT_SECRET", flag="--google-client-secret-file", what="Its client secret", secret=True
)
PUBLIC_URL = Wanted(variable="PUBLIC_URL", flag="--public-url", what="Address of this server, as people reach it")
DATABASE = Wanted(
    variable="DATABASE_URL",
    flag="--database",
    what="Database: a file for SQLite, or postgresql://user:password@host/database",
    default=_DATABASE,
)
SECRETS = (BOT_TOKEN, APP_TOKEN, SIGNING_SECRET, GEMINI_KEY, CLIENT_SECRET)
PLAIN = (CLIENT_ID, PUBLIC_URL, DATABASE)
