"""The switches of sign-in: the project's settings, the administrator's, and answers in place of people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, cast

_AUTH = "https://www.googleapis.com/auth/"

DELEGATED = (f"{_AUTH}gmail.readonly", f"{_AUTH}gmail.compose", f"{_AUTH}calendar.events", f"{_AUTH}calendar.freebusy")


class UnknownSwitch(Exception):
    """This switch does not exist."""


@dataclass(slots=True, kw_only=True)
class Switches:
    """The switches. By default the app is published, and people click themselves."""

    auto: str | None = None
    """`allow` or `deny`: the pages answer by themselves, for `person` or the person in `login_hint`."""
    person: str | None = None
    untick: tuple[str, ...] = ()
    """Scopes that `auto` does not allow."""
    testing_seconds: float | None = None
    """The app is in testing mode: refresh tokens end so many seconds after their issue."""
    invalid_grant: tuple[str, ...] = ()
    """People whose refresh tokens and codes are refused."""
    invalid_rapt: tuple[str, ...] = ()
    """People refused because their administrator requires a new sign-in (session control)."""
    domain_policy: tuple[str, ...] = ()
    """APIs that the administrator blocked for this app: they answer 403 `domainPolicy`."""
    admin_policy: bool = False
    """The administrator blocks consent to the app for the whole company."""
    internal: bool = False
    """The app is for the company's own accounts only."""
    test_users: tuple[str, ...] | None = None
    """The people who may use an app in testing mode; None is everybody."""
    rotate: bool = False
    """Whether a refresh gives a new refresh token, and the old one ends."""
    life_seconds: float = 3599
    redirect_uris: tuple[str, ...] = ()
    """Redirect URIs registered beside the loopback addresses."""
    delegated: tuple[str, ...] = DELEGATED
    """The scopes that the service account may use in people's names."""

    def set(self, wish: Mapping[str, Any]) -> None:
        """Sets what is named; raises `UnknownSwitch`."""
        names = {field.name for field in fields(self)}
        if unknown := wish.keys() - names:
            raise UnknownSwitch(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(sorted(names))}")
        for name, value in wish.items():
            setattr(self, name, tuple(cast("list[str]", value)) if isinstance(value, list) else value)
