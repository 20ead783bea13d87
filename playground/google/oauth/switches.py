"""What a test or the page can set about sign-in: the project's settings, the administrator's, and people who click."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, cast

_AUTH = "https://www.googleapis.com/auth/"

DELEGATED = (f"{_AUTH}gmail.readonly", f"{_AUTH}gmail.compose", f"{_AUTH}calendar.events", f"{_AUTH}calendar.freebusy")


class UnknownSwitch(Exception):
    """There is no such switch."""


@dataclass(slots=True, kw_only=True)
class Switches:
    """As the world begins: a published app, and everybody clicks for himself."""

    auto: str | None = None
    """`allow` or `deny`: the pages answer themselves, for `person` or for whom `login_hint` names."""
    person: str | None = None
    untick: tuple[str, ...] = ()
    """Scopes that `auto` does not allow."""
    testing_seconds: float | None = None
    """The app is in testing mode: refresh tokens end so many seconds after their issue."""
    invalid_grant: tuple[str, ...] = ()
    """People whose refresh tokens and codes are refused."""
    invalid_rapt: tuple[str, ...] = ()
    """The same, because their administrator wants them to sign in again (session control)."""
    domain_policy: tuple[str, ...] = ()
    """APIs that the administrator closed for this app: they answer 403 `domainPolicy`."""
    admin_policy: bool = False
    """The administrator does not let anybody of the company consent to the app."""
    internal: bool = False
    """The app is for the company's own accounts only."""
    test_users: tuple[str, ...] | None = None
    """The people who may use an app in testing mode; None is everybody."""
    rotate: bool = False
    """A refresh gives a new refresh token, and the old one ends."""
    life_seconds: float = 3599
    redirect_uris: tuple[str, ...] = ()
    """Registered beside the loopback addresses."""
    delegated: tuple[str, ...] = DELEGATED
    """The scopes that the service account may use in people's names."""

    def set(self, wish: Mapping[str, Any]) -> None:
        """Sets what is named; raises `UnknownSwitch`."""
        names = {field.name for field in fields(self)}
        if unknown := wish.keys() - names:
            raise UnknownSwitch(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(sorted(names))}")
        for name, value in wish.items():
            setattr(self, name, tuple(cast("list[str]", value)) if isinstance(value, list) else value)
