"""The doctor on Google: what is wrong in a Google project or a Firebase one, seen from the errors that it causes."""

from __future__ import annotations

from datetime import timedelta

from bot.clock import SystemClock
from bot.commands.doctor.findings import Findings
from bot.domain.connections import ended_after_a_week
from bot.settings import Settings
from bot.wiring.google import (
    NoFirebaseAccount,
    ServiceAccountUnusable,
    firebase_sessions,
    google_provider,
    service_account,
)
from bot.wiring.store import Base
from integrations.google.auth.client_check import Finding, probe
from integrations.google.auth.delegation import SCOPES, missing_scopes
from integrations.google.auth.service_account import MintRefused, MintUnreachable, ServiceAccount
from integrations.identities import IdentityUnavailable, NoIdentity

LOOKED_BACK = timedelta(days=30)

CLIENTS = "https://console.cloud.google.com/auth/clients"
_AWAY = "Google could not be reached. Check the network, a proxy, and GOOGLE_OAUTH_TOKEN_URL."
_NO_ACCOUNT = "countersign-doctor"
_AUDIENCE = "https://console.cloud.google.com/auth/audience"


async def examine_settings(settings: Settings) -> Findings:
    """Check what needs no database: the OAuth client, and the service account's key."""
    found = await examine_client(settings)
    try:
        account = service_account(settings)
    except ServiceAccountUnusable as error:
        found.problems.append(str(error))
        return found
    if account is not None:
        await _own_token(account, found)
    firebase = await examine_firebase(settings)
    found.problems += firebase.problems
    found.away += firebase.away
    return found


async def examine_firebase(settings: Settings) -> Findings:
    """Look up an account that cannot exist, and ask for a key that cannot."""
    found = Findings()
    try:
        sessions = firebase_sessions(settings, clock=SystemClock())
    except NoFirebaseAccount:
        return found  # `lacking` said so
    except ServiceAccountUnusable as error:
        found.problems.append(str(error))
        return found
    if sessions is None:
        return found
    try:
        await sessions.accounts.refusal(_NO_ACCOUNT, signed_in=0)
        await sessions.keys.certificate(_NO_ACCOUNT)
    except NoIdentity:
        found.good.append("Firebase lets the service account look up accounts")
    except IdentityUnavailable as error:
        if error.what == "permission":
            found.problems.append(
                f"Firebase does not let the service account look up accounts of {settings.firebase_project_id}, so "
                "nobody can sign in. Give it the role “Firebase Authentication Viewer” in that project (Google Cloud "
                "console, IAM), or name another key in FIREBASE_SERVICE_ACCOUNT_FILE."
            )
        else:
            found.away.append(
                "Firebase could not be reached, so nobody can sign in with it. Check the network, a proxy, "
                "FIREBASE_CERTS_URL and FIREBASE_API_URL."
            )
    return found


async def examine_client(settings: Settings) -> Findings:
    """Ask Google's token endpoint with a code that cannot exist, and look at the consent page."""
    found, client = Findings(), google_provider(settings, settings.public_url or "")
    if client is None or not settings.public_url:  # `missing_address` tells of it
        return found
    match await probe(client):
        case Finding.CLIENT:
            found.problems.append(
                "Google does not know GOOGLE_CLIENT_ID with GOOGLE_CLIENT_SECRET (invalid_client). Copy both again "
                f"from the client's page: {CLIENTS}"
            )
        case Finding.REDIRECT:
            found.problems.append(
                f"The Google client has no redirect URI {client.redirect_uri} (redirect_uri_mismatch). Add exactly "
                f"this at {CLIENTS}, or correct PUBLIC_URL: also https, port and a slash at the end count."
            )
        case Finding.AWAY:
            found.away.append(_AWAY)
        case Finding.UNCLEAR:
            found.remarks.append("Google did not say whether it knows GOOGLE_CLIENT_ID. Try again later.")
        case Finding.GOOD:
            found.good.append("Google knows the client, its secret and the redirect URI")
    return found


async def _own_token(account: ServiceAccount, found: Findings) -> None:
    """Check that Google accepts what the key signs."""
    try:
        await account.mint(None, SCOPES)
    except MintUnreachable:
        found.away.append(_AWAY)
    except MintRefused as error:
        found.problems.append(_refused(account, error))


def _refused(account: ServiceAccount, error: MintRefused) -> str:
    if error.is_about_the_clock:
        return "This machine's clock is wrong, so Google accepts no signature of the service account. Set it by NTP."
    return (
        f"Google does not accept the key of {account.email} ({error.code}: {error.description}). Make a new key in the "
        "Google Cloud console (IAM, Service accounts, Keys), and name its file in GOOGLE_SERVICE_ACCOUNT_FILE."
    )


async def examine_rows(base: Base) -> Findings:
    """Check what the database shows: APIs not enabled, connections that end after a week, delegation that fails.

    For the last one it asks for a token in one person's name, and throws it away.
    """
    found = Findings()
    async with base.store.read() as work:
        since = base.clock.now() - LOOKED_BACK
        problems = work.connection_problems
        changes, disabled = await problems.changes(since), await problems.disabled(since)
        somebody = await problems.somebody_of(base.settings.delegated_domains)
    found.problems += sorted({f"{failure.message} (seen {failure.at:%Y-%m-%d %H:%M} UTC)" for failure in disabled})
    if ended := ended_after_a_week(changes):
        found.remarks.append(_testing(ended))
    if somebody is not None:
        await _in_the_name_of(somebody, base.settings, found)
    return found


def _testing(ended: int) -> str:
    whose = "A connection" if ended == 1 else f"{ended} connections"
    return (
        f"{whose} ended seven days after connecting, as all do while the Google app's publishing status is “Testing”. "
        f"Make its audience “Internal”, or publish it: {_AUDIENCE} Then people connect once more."
    )


async def _in_the_name_of(email: str, settings: Settings, found: Findings) -> None:
    try:
        account = service_account(settings)
    except ServiceAccountUnusable:
        return  # `examine_settings` said so
    if account is None:
        return
    try:
        await account.mint(email, SCOPES)
    except MintUnreachable:
        return  # `examine_settings` said so
    except MintRefused as error:
        if error.lacks_scope:
            found.problems.append(missing_scopes(account, SCOPES))
        elif error.knows_no_such_person:
            found.remarks.append(f"Google knows no account {email}, which is in GOOGLE_DELEGATED_DOMAINS.")
