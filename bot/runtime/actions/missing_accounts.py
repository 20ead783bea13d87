"""What an action does when the account that it needs is missing: it may ask its owner to connect one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.domain.actions import Action
from bot.domain.conditions import is_certain, is_repeatable
from bot.runtime.core.transaction import Transaction
from integrations.errors import NotConnected

AskToConnect = Callable[[Transaction, Action, NotConnected], Awaitable[None]]
"""Ask the owner to connect an account, where connecting is offered at all."""


def can_wait(action: Action) -> bool:
    """Whether an attempt whose credentials were refused was certainly not carried out, nor any before it."""
    return is_certain(action.doubt) or is_repeatable(action.effect)
