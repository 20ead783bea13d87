"""The pages on which a person connects an account: what a browser is shown, as values without any HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from integrations.grants import Access


class CallbackOutcome(StrEnum):
    """What came of a visit to our pages."""

    CONNECTED = "connected"
    CONFIRM = "confirm"  # it is another address than that of the Slack profile: whose is it?
    DENIED = "denied"  # the person said no at the provider
    NOTHING = "nothing"  # they unticked everything that the agent could use
    DECLINED = "declined"  # they did not confirm
    WRONG_ACCOUNT = "wrong_account"  # another address, and nobody is asked
    USED = "used"
    EXPIRED = "expired"
    ELSEWHERE = "elsewhere"  # it left a second time since, from another tab, or was ended
    STALE = "stale"  # unknown: ended by a disconnect, forgotten, or never ours
    OTHER_BROWSER = "other_browser"
    OTHER_ADDRESS = "other_address"  # a form of ours that was not sent from where people's browsers reach us
    UNAVAILABLE = "unavailable"  # the provider could not be asked
    FAILED = "failed"  # what came back cannot be used
    GONE = "gone"  # the person is no member any more


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsentPage:
    """The person that a link is for, what may be chosen, and, in words, what they allowed before: `adds` says that a
    choice is added to all of it.
    """

    name: str
    email: str
    workspace: str
    choices: Sequence[Access]
    allowed: str = ""
    adds: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthRedirect:
    """The browser leaves for the provider, with this cookie."""

    url: str
    cookie: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CallbackPage:
    """What a page says: what came of it, for whom, which account, what it may do now and what was left out.

    `confirm` is the page's own secret where a confirmation is asked for.
    """

    end: CallbackOutcome
    name: str = ""
    slack_email: str = ""
    workspace: str = ""
    account: str = ""
    allowed: str = ""
    left_out: str = ""
    confirm: str = ""
