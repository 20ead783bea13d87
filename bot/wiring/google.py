"""Google's sign-in, and whose accounts are used: everybody's own, or those that a service account acts for."""

from __future__ import annotations

import os
from pathlib import Path

from bot.api.oauth import redirect_uri
from bot.env_file import is_open_to_others
from bot.errors import Misconfigured
from bot.settings import INSECURE_TRANSPORT, NEEDED, Settings
from bot.urls import is_loopback
from integrations.google.auth import consent
from integrations.google.auth.delegation import Delegation
from integrations.google.auth.firebase import FirebaseSessions
from integrations.google.auth.firebase_accounts import API_URL, FirebaseAccounts
from integrations.google.auth.firebase_keys import CERTS_URL, SigningKeys
from integrations.google.auth.service_account import BadAccountFile, ServiceAccount, read_service_account
from integrations.grants import GoogleGrants
from integrations.ports import Clock


class ServiceAccountUnusable(Misconfigured):
    """There is no service account to act for."""


class AccountFileUnreadable(ServiceAccountUnusable):
    """The key file cannot be read, or is none."""

    def __init__(self, path: Path, why: str, *, variable: str) -> None:
        super().__init__(
            f"{variable} names {path}, which cannot be used: {why}. Make a key for the service "
            "account in the Google Cloud console (IAM, Service accounts, Keys, JSON), and name that file."
        )


class OpenAccountFile(ServiceAccountUnusable):
    """Others can read the key file, and act as the service account."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"Others can read {path}, which acts for all that its service account may. Run: chmod 600 {path}"
        )


class NoFirebaseAccount(Misconfigured):
    """Nobody could see which accounts were disabled or signed out."""

    def __init__(self) -> None:
        super().__init__(f"FIREBASE_SERVICE_ACCOUNT_FILE is missing: {NEEDED['FIREBASE_SERVICE_ACCOUNT_FILE']}")


def service_account(settings: Settings) -> ServiceAccount | None:
    """The service account, where one is configured; raises `ServiceAccountUnusable`, also where others can read it."""
    name = settings.google_service_account_file
    return _account_in(name, settings, "GOOGLE_SERVICE_ACCOUNT_FILE") if name else None


def _account_in(name: str, settings: Settings, variable: str) -> ServiceAccount:
    if name.lstrip().startswith("{"):  # the key itself, which stands in no message
        raise AccountFileUnreadable(Path("…"), "it is the key itself and not the name of its file", variable=variable)
    path = Path(name)
    try:
        text = path.read_text(encoding="utf-8")
        account = read_service_account(text, token_url=settings.google_oauth_token_url)
    except (OSError, UnicodeDecodeError, BadAccountFile) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise AccountFileUnreadable(path, why, variable=variable) from error
    if is_open_to_others(path):
        raise OpenAccountFile(path)
    return account


def firebase_sessions(settings: Settings, *, clock: Clock) -> FirebaseSessions | None:
    """Firebase's session cookies, where there is a project; raises `NoFirebaseAccount`, `ServiceAccountUnusable`."""
    project, name = settings.firebase_project_id, settings.firebase_service_account_file
    if project is None:
        return None
    account = _account_in(name, settings, "FIREBASE_SERVICE_ACCOUNT_FILE") if name else service_account(settings)
    if account is None:
        raise NoFirebaseAccount
    accounts = FirebaseAccounts(
        project=project, account=account, clock=clock, api_url=settings.firebase_api_url or API_URL
    )
    keys = SigningKeys(url=settings.firebase_certs_url or CERTS_URL)
    return FirebaseSessions(project=project, keys=keys, accounts=accounts, clock=clock)


def google_grants(settings: Settings, *, clock: Clock, own: GoogleGrants) -> GoogleGrants:
    """Everybody's own account; with a service account, its tokens for the people of its domains.

    Without an OAuth client nobody can connect an account, so nobody else is told to.
    """
    account = service_account(settings)
    if account is None:
        return own
    others = own if settings.google_client_id else None
    return Delegation(account=account, domains=settings.delegated_domains, clock=clock, own=others)


def google_provider(settings: Settings, public_url: str) -> consent.GoogleAccounts | None:
    """Google, or its emulator. oauthlib speaks http only where it is told that it may: only to this machine."""
    secret = settings.google_client_secret
    if settings.google_client_id is None or secret is None:
        return None
    token_url = settings.google_oauth_token_url or consent.TOKEN_URL
    if is_loopback(token_url):
        os.environ[INSECURE_TRANSPORT] = "loopback"
    return consent.GoogleAccounts(
        client_id=settings.google_client_id,
        client_secret=secret.get_secret_value(),
        redirect_uri=redirect_uri(public_url),
        auth_url=settings.google_oauth_auth_url or consent.AUTH_URL,
        token_url=token_url,
        revoke_url=settings.google_oauth_revoke_url or consent.REVOKE_URL,
        certs_url=settings.google_oauth_certs_url or consent.CERTS_URL,
    )
