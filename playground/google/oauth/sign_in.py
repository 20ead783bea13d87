"""What signing in changes: grants, codes and switches."""

from __future__ import annotations

from playground.clock import Clock
from playground.google.grants import Grants
from playground.google.oauth.codes import Codes
from playground.google.oauth.switches import Switches


class SignIn:
    """The state of the authorization server."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.grants = Grants(clock)
        self.codes = Codes(clock)
        self.switches = Switches()
