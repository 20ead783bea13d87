"""Connecting an account: a link for one person, a page that says for whom, the provider's consent, and what it gave.

Three things must hold before an account is kept: the link was made for this person within the last minutes and is used
once; the browser that comes back is the one that left (cookie and state, both kept as hashes); and it is their account.
Its address is that of their Slack profile, or of an allowed domain, or the person at the browser says so, knowing which
Slack user it will belong to. Without the last one a link that somebody sends to somebody else would attach the second
person's mailbox to the first one's Slack user.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import structlog

from bot.domain import ids
from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.connections import OAUTH_ATTEMPT_LIFE, PROVIDER, Connection, ConnectLink, OAuthAttempt
from bot.domain.deliveries import Connected, DeliveryKind, LinkOutcome
from bot.domain.events import HomeChanged
from bot.domain.seals import Secret
from bot.domain.threads import User
from bot.runtime.connections.accounts import ConnectionService, fact
from bot.runtime.connections.consent_pages import AuthRedirect, CallbackOutcome, CallbackPage, ConsentPage
from bot.runtime.connections.revocation import Revoking, link_over
from bot.runtime.connections.sealed import attempt_bound_to, held_grant, seal_grant
from bot.runtime.core.ports import AccountProvider
from bot.runtime.core.transaction import Transaction, TransactionFactory
from bot.runtime.questions.connect import ConnectQuestions, believe_again
from bot.secrets import CannotOpen, KeyRing
from bot.store.unit_of_work import UnitOfWork
from integrations.grants import Access, ConsentFailed, Granted

log = structlog.get_logger()

_BYTES = 32
_SECRET = re.compile(r"[\w-]{43}", re.ASCII)
"""What so many bytes are in the address of a page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountMatchPolicy:
    """Which accounts may be kept without asking: those of domains whose people trust each other with their links. It
    also says whether anything else is refused instead of asked about.
    """

    domains: frozenset[str] = frozenset()
    strict: bool = False

    def is_theirs(self, person: User, granted: Granted) -> bool:
        """Its address is that of their Slack profile, or its organisation is an allowed one."""
        same = person.email is not None and person.email.casefold() == granted.email.casefold()
        return same or granted.domain.casefold() in self.domains - {""}


@dataclass(frozen=True, slots=True, kw_only=True)
class OAuthFlow:
    """The way of an account into the store. `public_url` is where people's browsers reach us."""

    transactions: TransactionFactory
    keyring: KeyRing
    provider: AccountProvider
    connections: ConnectionService
    questions: ConnectQuestions
    revoking: Revoking
    match_policy: AccountMatchPolicy
    public_url: str

    # The link -------------------------------------------------------------------------------------------------

    async def link(
        self, person: User, *, choice: str | None = None, missing: frozenset[str] = frozenset()
    ) -> ConnectLink:
        """A link for this person alone, good for some minutes; it offers this choice only. Raises `NotSaved`."""
        token = secrets.token_urlsafe(_BYTES)
        choices = [access.id for access in self.provider.offered(missing) if choice in {None, access.id}]
        async with self.transactions.write_promptly() as tx:
            await tx.work.users.seen(person)
            made = OAuthAttempt(
                id=ids.new_id("con"),
                team=person.team,
                user=person.user,
                provider=PROVIDER,
                token_hash=hashed(token),
                choices=choices,
                missing=missing,
                created_at=tx.now,
                expires_at=tx.now + OAUTH_ATTEMPT_LIFE,
            )
            await tx.work.oauth_attempts.add(made)
            _note(tx, made, AuditCode.CONNECT_OFFERED)
        return ConnectLink(url=f"{self.public_url}/oauth/{PROVIDER}/start?t={token}", attempt_id=made.id)

    async def consent_page(self, token: str) -> ConsentPage | CallbackOutcome:
        """What its page shows, or why it shows nothing. Looking changes nothing: links are fetched in advance by
        programs that show what is behind them.
        """
        now = self.transactions.clock.now()
        async with self.transactions.read_promptly() as work:
            connect = await work.oauth_attempts.by_token(hashed(token))
            if connect is None or not connect.is_usable(now):
                return _why_over(connect, connect and connect.consumed_at)
            person, workspace = await self._owner(work, connect)
            before = await self._before(work, connect)
        if connect.opened_at is None:
            async with self.transactions.store.write(patience=self.transactions.patience_seconds) as work:
                await work.oauth_attempts.opened(connect.id, at=now)
        return ConsentPage(
            name=person.name,
            email=person.email or "",
            workspace=workspace,
            choices=self._choices(connect),
            allowed=self.provider.described(before.scopes) if before else "",
            adds=bool(connect.missing),
        )

    def _choices(self, connect: OAuthAttempt) -> Sequence[Access]:
        return [access for access in self.provider.offered(connect.missing) if access.id in connect.choices]

    async def leave(self, token: str, chosen: str, *, cookie: str = "") -> AuthRedirect | CallbackOutcome:
        """The person chose; or why the link leads nowhere, which may be that it never offered this. A browser keeps the
        `cookie` that it brings from another attempt: so two of them may be under way in two tabs.
        """
        state = secrets.token_urlsafe(_BYTES)
        cookie = cookie if _SECRET.fullmatch(cookie) else secrets.token_urlsafe(_BYTES)
        async with self.transactions.store.read() as work:
            connect = await work.oauth_attempts.by_token(hashed(token))
            person = await self._person(work, connect) if connect else None
            before = await self._before(work, connect) if connect else None
        access = next((item for item in self._choices(connect) if item.id == chosen), None) if connect else None
        if connect is None or access is None or person is None:
            return CallbackOutcome.STALE
        if not connect.is_usable(self.transactions.clock.now()):
            return _why_over(connect, connect and connect.consumed_at)
        adds = bool(self._staying(connect, before, access.scopes))
        consent = await self.provider.consent(access.scopes, state=state, email=person.email, adds=adds)
        verifier = self.keyring.seal(consent.verifier, bound_to=attempt_bound_to(connect, Secret.VERIFIER))
        async with self.transactions.write_promptly() as tx:
            left = await tx.work.oauth_attempts.begin(
                connect, state_hash=hashed(state), cookie_hash=hashed(cookie), verifier=verifier, scopes=access.scopes
            )
            if left:
                _note(tx, connect, AuditCode.CONNECT_BEGAN, choice=access.id)
        return AuthRedirect(url=consent.url, cookie=cookie) if left else CallbackOutcome.USED

    # Coming back ----------------------------------------------------------------------------------------------

    async def came_back(self, *, state: str, code: str, error: str, cookie: str) -> CallbackPage:
        """The browser is back from the provider; the first time counts, whatever it brings. Raises `NotSaved`."""
        async with self.transactions.store.read() as work:  # a guess costs no write
            if await work.oauth_attempts.by_state(hashed(state)) is None:
                return CallbackPage(end=CallbackOutcome.ELSEWHERE)
        async with self.transactions.write() as tx:
            connect = await tx.work.oauth_attempts.take(hashed(state), now=tx.now)
            if connect is None:
                known = await tx.work.oauth_attempts.by_state(hashed(state))
                return await _stale(tx, known, known and known.consumed_at)
            refusal = _refusal(connect, code=code, error=error, cookie=cookie)
            if refusal is not None:
                await _end(tx, connect)
                _note(tx, connect, AuditCode.CONNECT_REFUSED, why=refusal.value)
                return CallbackPage(end=refusal)
        try:
            verifier = self.keyring.open(connect.verifier or "", bound_to=attempt_bound_to(connect, Secret.VERIFIER))
            granted = await self.provider.granted(code, verifier=verifier)
        except (ConsentFailed, CannotOpen) as failure:
            why = failure.why if isinstance(failure, ConsentFailed) else "keys"
            unkept = failure.unkept if isinstance(failure, ConsentFailed) else None
            log.warning("connect.failed", connect=connect.id, why=why)
            end = CallbackOutcome.UNAVAILABLE if why == "unavailable" else CallbackOutcome.FAILED
            return await self._refused(connect, end, unkept, detail=why)
        return await self._judged(connect, granted)

    async def _judged(self, connect: OAuthAttempt, granted: Granted) -> CallbackPage:
        """Whether there is anything to keep, and whether it is theirs."""
        async with self.transactions.store.read() as work:
            person, workspace = await self._owner(work, connect)
            usable = await self._usable(work, connect, granted)
        if not self.provider.described(usable):
            return await self._refused(connect, CallbackOutcome.NOTHING, granted)
        if self.match_policy.is_theirs(person, granted):
            return await self._kept(connect, granted, confirmed=False)
        if self.match_policy.strict:
            return await self._refused(connect, CallbackOutcome.WRONG_ACCOUNT, granted)
        confirm = secrets.token_urlsafe(_BYTES)
        held = seal_grant(self.keyring, connect, granted)
        async with self.transactions.write() as tx:
            if not await tx.work.oauth_attempts.hold(connect, confirm_hash=hashed(confirm), held=held):
                await _end(tx, connect)
                return await self._too_late(tx, connect, CallbackOutcome.STALE, granted)
            _note(tx, connect, AuditCode.CONNECT_HELD)
        return _page(CallbackOutcome.CONFIRM, person, workspace, account=granted.email, confirm=confirm)

    async def _usable(self, work: UnitOfWork, connect: OAuthAttempt, granted: Granted) -> frozenset[str]:
        """What may be used of a grant: what was chosen now, and what stays of the same account's earlier choice. A
        provider may grant more because the person granted it once before; that is not used.
        """
        before = await self._before(work, connect)
        same = before if before is not None and before.account == granted.account else None
        chosen = connect.scopes | self._staying(connect, same, connect.scopes)
        return chosen - self.provider.lacking(granted.scopes, chosen)

    def _staying(self, connect: OAuthAttempt, before: Connection | None, chosen: frozenset[str]) -> frozenset[str]:
        """What stays of an earlier choice: all of it where an action asks for more, else what this one is not about."""
        if before is None:
            return frozenset()
        return before.scopes if connect.missing else self.provider.staying(before.scopes, chosen)

    async def confirmed(self, confirm: str, *, cookie: str, yes: bool) -> CallbackPage:
        """What the person at the browser said about an account with another address. Raises `NotSaved`."""
        async with self.transactions.store.read() as work:
            if await work.oauth_attempts.by_confirmation(hashed(confirm)) is None:
                return CallbackPage(end=CallbackOutcome.STALE)
        async with self.transactions.write() as tx:
            connect = await tx.work.oauth_attempts.take_held(hashed(confirm), now=tx.now)
            if connect is None:
                known = await tx.work.oauth_attempts.by_confirmation(hashed(confirm))
                return await _stale(tx, known, known and known.ended_at)
            if not _is_same(cookie, connect.cookie_hash):
                await _end(tx, connect)
                await self.revoking.let_go_of_held(tx, connect)
                _note(tx, connect, AuditCode.CONNECT_REFUSED, why=CallbackOutcome.OTHER_BROWSER.value)
                return CallbackPage(end=CallbackOutcome.OTHER_BROWSER)
        granted = held_grant(self.keyring, connect)
        if not yes:
            return await self._refused(connect, CallbackOutcome.DECLINED, granted)
        if granted is None:
            return await self._refused(connect, CallbackOutcome.FAILED, detail="keys")
        return await self._kept(connect, granted, confirmed=True)

    async def _kept(self, connect: OAuthAttempt, granted: Granted, *, confirmed: bool) -> CallbackPage:
        """The account is kept, its owner told, and what waits for it goes on."""
        async with self.transactions.write() as tx:
            person, workspace = await self._owner(tx.work, connect)
            if not await _end(tx, connect, connected=person.is_member):  # they disconnected meanwhile
                return await self._too_late(tx, connect, CallbackOutcome.STALE, granted)
            if not person.is_member:
                return await self._too_late(tx, connect, CallbackOutcome.GONE, granted)
            kept = await self._connection(tx.work, connect, granted)
            await self._save(tx, connect, kept, confirmed=confirmed)
        await self.questions.connected(connect.team, connect.user)
        left_out = self.provider.described(self.provider.lacking(kept.scopes, connect.scopes))
        allowed = self.provider.described(kept.scopes)
        return _page(
            CallbackOutcome.CONNECTED, person, workspace, account=granted.email, allowed=allowed, left_out=left_out
        )

    async def _connection(self, work: UnitOfWork, connect: OAuthAttempt, granted: Granted) -> Connection:
        return self.connections.sealed(
            connect.team,
            connect.user,
            account=granted.account,
            email=granted.email,
            scopes=await self._usable(work, connect, granted),
            tokens=granted.token,
        )

    async def _save(self, tx: Transaction, connect: OAuthAttempt, kept: Connection, *, confirmed: bool) -> None:
        """With a word to its owner, and to everybody else who connected the same account. Another one that it takes the
        place of is let go of.
        """
        before = await tx.work.connections.find(kept.team, kept.user, kept.provider)
        if before is not None and before.account != kept.account:
            await self.revoking.let_go(tx, before)
        await tx.work.revocations.forget(kept.provider, kept.account)
        whose = (kept.team, kept.user)
        sharing = await tx.work.connections.of_account(kept.provider, kept.account)
        others = [item for item in sharing if (item.team, item.user) != whose]
        await tx.work.connections.save(kept, at=tx.now)
        await believe_again(tx.work, kept.team, kept.user)
        tx.record(fact(kept, AuditCode.CONNECTION_CONNECTED, confirmed=confirmed, shared=len(others)))
        for team, user in [whose, *((item.team, item.user) for item in others if item.team == kept.team)]:
            told = str(Connected(connect.id, user))
            await tx.deliver(f"person:{team}:{user}", DeliveryKind.CONNECTED, told, team=team)
        tx.publish(HomeChanged(*whose))

    # ----------------------------------------------------------------------------------------------------------

    async def _refused(
        self, connect: OAuthAttempt, end: CallbackOutcome, granted: Granted | None = None, *, detail: str = ""
    ) -> CallbackPage:
        """It is over, and what was granted is given back."""
        async with self.transactions.write() as tx:
            await _end(tx, connect)
            if granted is not None:
                await self.revoking.refuse(tx, connect, granted)
            code = AuditCode.CONNECT_DECLINED if end is CallbackOutcome.DECLINED else AuditCode.CONNECT_REFUSED
            _note(tx, connect, code, why=end.value, **({"detail": detail} if detail else {}))
            person, workspace = await self._owner(tx.work, connect)
        account = granted.email if granted is not None and end is CallbackOutcome.WRONG_ACCOUNT else ""
        return _page(end, person, workspace, account=account)

    async def _too_late(
        self, tx: Transaction, connect: OAuthAttempt, end: CallbackOutcome, granted: Granted
    ) -> CallbackPage:
        """Nobody is there any more to keep it for."""
        await self.revoking.refuse(tx, connect, granted)
        _note(tx, connect, AuditCode.CONNECT_REFUSED, why=end.value)
        return CallbackPage(end=end)

    async def _owner(self, work: UnitOfWork, connect: OAuthAttempt) -> tuple[User, str]:
        """The person that it is for, and the name of the workspace."""
        return await self._person(work, connect), (await work.users.workspace(connect.team)).name

    async def _before(self, work: UnitOfWork, connect: OAuthAttempt) -> Connection | None:
        """What this person has connected so far."""
        return await work.connections.find(connect.team, connect.user, connect.provider)

    async def _person(self, work: UnitOfWork, connect: OAuthAttempt) -> User:
        known = await work.users.find(connect.team, connect.user)
        return known or User(team=connect.team, user=connect.user, is_deleted=True)


def hashed(secret: str) -> str:
    """What is kept of something that only a browser may know; it is long and random, so it needs no salt."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _page(end: CallbackOutcome, person: User, workspace: str, **more: str) -> CallbackPage:
    return CallbackPage(end=end, name=person.name, slack_email=person.email or "", workspace=workspace, **more)


def _refusal(connect: OAuthAttempt, *, code: str, error: str, cookie: str) -> CallbackOutcome | None:
    if not _is_same(cookie, connect.cookie_hash):
        return CallbackOutcome.OTHER_BROWSER
    if error:
        return CallbackOutcome.DENIED if error == "access_denied" else CallbackOutcome.FAILED
    return None if code else CallbackOutcome.FAILED


def _is_same(brought: str, kept: str | None) -> bool:
    return hmac.compare_digest(hashed(brought), kept or "")


async def _end(tx: Transaction, connect: OAuthAttempt, *, connected: bool = False) -> bool:
    """It is over, also in the window that has its link; False when it was deleted meanwhile."""
    was_there = await tx.work.oauth_attempts.end(connect, at=tx.now)
    await link_over(tx, connect, LinkOutcome.CONNECTED if connected and was_there else LinkOutcome.REFUSED)
    return was_there


async def _stale(tx: Transaction, known: OAuthAttempt | None, used_at: datetime | None) -> CallbackPage:
    """Used or too old; or it is none of ours by now, and there is nobody to note it for."""
    end = _why_over(known, used_at)
    if known is not None:
        _note(tx, known, AuditCode.CONNECT_REFUSED, why=end.value)
    return CallbackPage(end=end)


def _why_over(known: OAuthAttempt | None, used_at: datetime | None) -> CallbackOutcome:
    """Why an attempt cannot go on: nobody knows it, it was used, or else its time is over."""
    if known is None:
        return CallbackOutcome.STALE
    return CallbackOutcome.USED if used_at else CallbackOutcome.EXPIRED


def _note(tx: Transaction, connect: OAuthAttempt, code: AuditCode, **details: object) -> None:
    about = {"provider": connect.provider, "connect": connect.id, **details}
    tx.record(AuditEvent(team=connect.team, code=code, actor=connect.user, details=about))
