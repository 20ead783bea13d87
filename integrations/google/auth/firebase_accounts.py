"""Whether a Firebase account still stands, and which sign-ins of it: asked of Identity Toolkit, and kept for a minute.

"Method: projects.accounts.lookup" of Identity Toolkit's REST reference; "Manage User Sessions" of Firebase: revoking
sets `validSince`, and what was signed in before that moment counts no more.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from pydantic import BaseModel, Field, ValidationError

from integrations.google.auth.json_answers import NoAnswer, ask
from integrations.google.auth.service_account import Minted, MintRefused, MintUnreachable, ServiceAccount
from integrations.identities import IdentityUnavailable
from integrations.ports import Clock

API_URL = "https://identitytoolkit.googleapis.com"
SCOPES = frozenset({"https://www.googleapis.com/auth/identitytoolkit"})

KEPT_SECONDS = 60.0
"""How long a good answer counts."""

REFUSED_SECONDS = 5.0
"""How long a bad one does, so that a cookie that is not good any more costs no look each time."""

MOST_KEPT = 10_000
MOST_LOOKS = 8
_FRESH_SECONDS = 300.0


class _User(BaseModel):
    """An account as Google tells of it. `validSince` is in seconds, as text."""

    local_id: str = Field(alias="localId")
    disabled: bool = False
    valid_since: int = Field(default=0, alias="validSince")


class _Users(BaseModel):
    """The answer; without `users` where there is no such account."""

    users: list[_User] = []


@dataclass(frozen=True, slots=True, kw_only=True)
class _State:
    """How an account stood when it was looked at; `user` is None where there was none."""

    user: _User | None
    looked: float

    def refusal(self, signed_in: int) -> str:
        """Why a sign-in of this moment does not count; empty where it does."""
        if self.user is None:
            return "deleted"
        if self.user.disabled:
            return "disabled"
        return "revoked" if signed_in < self.user.valid_since else ""


@dataclass(slots=True, weakref_slot=True)
class _Look:
    """A look that is under way, or waited for."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    failures: int = 0


class FirebaseAccounts:
    """The accounts of one project, asked about in the name of a service account of it."""

    def __init__(
        self,
        *,
        project: str,
        account: ServiceAccount,
        clock: Clock,
        api_url: str = API_URL,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._url = f"{api_url.rstrip('/')}/v1/projects/{project}/accounts:lookup"
        self._account = account
        self._clock = clock
        self._monotonic = monotonic
        self._states: OrderedDict[str, _State] = OrderedDict()
        self._looks: WeakValueDictionary[str, _Look] = WeakValueDictionary()
        self._at_once = asyncio.Semaphore(MOST_LOOKS)
        self._minting: asyncio.Future[Minted] | None = None

    async def refusal(self, account: str, *, signed_in: int) -> str:
        """Why a sign-in at this moment (seconds since the epoch) does not count any more; empty where it does.

        Raises `IdentityUnavailable`: of `permission` where the service account may not look, else of `account`.
        A caller who asks while an account is being looked at takes what comes of that.
        """
        known = self._known(account, signed_in)
        if known is not None:
            return known
        look = self._looks.setdefault(account, _Look())
        failures = look.failures
        async with look.lock:
            known = self._known(account, signed_in)
            if known is not None:
                return known
            if look.failures != failures:
                raise IdentityUnavailable("account")
            try:
                state = await self._looked(account)
            except NoAnswer as error:
                look.failures += 1
                raise IdentityUnavailable("permission" if error.status == 403 else "account", str(error)) from None
        self._keep(account, state)
        return state.refusal(signed_in)

    def _known(self, account: str, signed_in: int) -> str | None:
        state = self._states.get(account)
        if state is None:
            return None
        refusal = state.refusal(signed_in)
        seconds = REFUSED_SECONDS if refusal else KEPT_SECONDS
        return refusal if self._monotonic() - state.looked < seconds else None

    def _keep(self, account: str, state: _State) -> None:
        self._states[account] = state
        self._states.move_to_end(account)
        if len(self._states) > MOST_KEPT:
            self._states.popitem(last=False)

    async def _looked(self, account: str) -> _State:
        """Raises `NoAnswer`. A token that Google does not accept any more is renewed once."""
        async with self._at_once:
            looked = self._monotonic()
            answer = await ask(self._url, token=await self._token(), body={"localId": [account]})
            if answer.status == 401:
                self._minting = None
                answer = await ask(self._url, token=await self._token(), body={"localId": [account]})
        if answer.status != 200:
            raise NoAnswer(f"status {answer.status}", status=answer.status)
        try:
            users = _Users.model_validate(answer.body).users
        except ValidationError:
            raise NoAnswer("no users") from None
        if any(user.local_id != account for user in users):
            raise NoAnswer("another account")
        return _State(user=users[0] if users else None, looked=looked)

    async def _token(self) -> str:
        """A token of the service account itself. It is made once for all that want it; who leaves does not end it."""
        minting = self._minting
        if minting is None or (minting.done() and not self._is_good(minting)):
            minting = self._minting = asyncio.ensure_future(self._account.mint(None, SCOPES))
            minting.add_done_callback(_heard)
        try:
            return (await asyncio.shield(minting)).access_token
        except MintRefused as error:
            raise NoAnswer(f"{error.code}: {error.description}", status=403) from None
        except MintUnreachable:
            raise NoAnswer("no token") from None

    def _is_good(self, minted: asyncio.Future[Minted]) -> bool:
        if minted.cancelled() or minted.exception() is not None:
            return False
        left = minted.result().expires_at - self._clock.now()
        return left.total_seconds() > _FRESH_SECONDS


def _heard(minted: asyncio.Future[Minted]) -> None:
    """What went wrong is told by whoever waited; where nobody did, by nobody."""
    if not minted.cancelled():
        minted.exception()
