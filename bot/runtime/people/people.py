"""What a person sets: the trust level, and addresses that mail may go to unasked; an administrator the guard."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from bot.domain import ids
from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.events import HomeChanged
from bot.domain.threads import User
from bot.errors import BotError
from bot.runtime.core.transaction import Transaction, TransactionFactory
from policies import rules
from policies.errors import InvalidRecipient
from policies.provenance import GuardMode
from policies.trust import LEVELS
from policies.types import TrustLevel


class InvalidAddress(BotError):
    """What was typed is no mail address."""

    def __init__(self, text: str) -> None:
        super().__init__(f"“{text[:80]}” is not a mail address. Type one like dana@example.com.")


class NotListed(BotError):
    """The address is not on the person's own list."""

    def __init__(self, address: str) -> None:
        super().__init__(f"“{address[:300]}” is not on your list; /agent allow shows it.")


class UnknownGuardMode(BotError):
    """What was typed is no mode of the guard."""

    def __init__(self, text: str) -> None:
        super().__init__(f"The guard has no mode “{text[:80]}”. Choose one of: {', '.join(GuardMode)}.")


class NotAdministrator(BotError):
    """Only an administrator of the workspace may set this."""

    def __init__(self, what: str = "set the guard") -> None:
        super().__init__(f"Only administrators of this workspace can {what}.")


class NotConfirmed(BotError):
    """The level is one that people are warned of, and the person has not said yes to the warning."""

    def __init__(self, level: TrustLevel) -> None:
        super().__init__(f"“{level.value}” has to be confirmed.")
        self.level = level


class AboveCap(BotError):
    """The workspace does not allow this level."""

    def __init__(self, level: TrustLevel, cap: TrustLevel) -> None:
        super().__init__(f"This workspace allows at most “{cap.value}”, so “{level.value}” was not set.")


@dataclass(frozen=True, slots=True, kw_only=True)
class People:
    """A person's own settings, within the installation's `cap`. Every change is audited."""

    transactions: TransactionFactory
    cap: TrustLevel = TrustLevel.AUTONOMOUS

    async def choose_level(self, team: str, user: str, text: str, *, confirmed: bool = False) -> TrustLevel:
        """Set the trust level that a person typed; `confirmed`: they said yes to what a higher level warns of.

        Raises `policies.errors.UnknownLevel`, `AboveCap`, `NotConfirmed`, `NotSaved`.
        """
        level = TrustLevel.parse(text)
        async with self.transactions.write_promptly() as tx:
            cap = (await tx.work.users.workspace(team)).cap.capped(self.cap)
            within = level.capped(cap) is level
            if within and not confirmed and LEVELS[level].warning:
                raise NotConfirmed(level)
            if within:
                await tx.work.users.set_level(team, user, level.value)
            code = AuditCode.PERSON_TRUST_LEVEL if within else AuditCode.PERSON_TRUST_LEVEL_REFUSED
            await self._record(tx, team, user, code, level=level.value)
        if not within:
            raise AboveCap(level, cap)
        return level

    async def set_guard(self, person: User, text: str) -> GuardMode:
        """Set what becomes of what guards say in the person's workspace; `person` is as Slack tells it now. Where it is
        set so already, nothing changes.

        Raises `UnknownGuardMode`, `NotAdministrator`, `NotSaved`.
        """
        try:
            mode = GuardMode(text.strip().lower())
        except ValueError:
            raise UnknownGuardMode(text) from None
        async with self.transactions.write_promptly() as tx:
            before = (await tx.work.users.workspace(person.team)).guard
            if person.is_admin and mode is before:
                return mode
            if person.is_admin:
                await tx.work.users.set_guard(person.team, mode)
            code = AuditCode.WORKSPACE_GUARD if person.is_admin else AuditCode.WORKSPACE_GUARD_REFUSED
            await self._record(tx, person.team, person.user, code, guard=mode.value, before=before.value)
        if not person.is_admin:
            raise NotAdministrator
        return mode

    async def allow(self, team: str, user: str, address: str) -> str:
        """Allow mail to this address from `delegated` upward; the address as it is kept. Raises `InvalidAddress`."""
        try:
            rule = rules.recipient_rule(address, id=ids.new_id("rule"))
        except InvalidRecipient as error:
            raise InvalidAddress(address) from error
        kept = rule.value or ""
        async with self.transactions.write_promptly() as tx:
            if await tx.work.rules.add(team, user, rule, at=tx.now):
                await self._record(tx, team, user, AuditCode.PERSON_ALLOWED, {"address": kept}, rule=rule.id)
        return kept

    async def disallow(self, team: str, user: str, address: str) -> str:
        """Take an address off the person's list; the address as it was kept. Raises `NotListed`."""
        kept = rules.recipient_typed(address)
        async with self.transactions.write_promptly() as tx:
            gone = await tx.work.rules.remove(team, user, kept)
            if not gone:
                raise NotListed(kept)
            for rule_id in gone:
                await self._record(tx, team, user, AuditCode.PERSON_DISALLOWED, {"address": kept}, rule=rule_id)
        return kept

    async def met(self, person: User) -> None:
        """Keep the profile of somebody who uses the agent, as Slack tells it now: they may never have written to it.

        Raises `NotSaved`, `NotRead`.
        """
        async with self.transactions.read_promptly() as work:
            known = await work.users.find(person.team, person.user)
        if known is None or replace(person, level=known.level) != known:
            async with self.transactions.write_promptly() as tx:
                await tx.work.users.seen(person)

    async def turned_away(self, team: str, user: str) -> None:
        """Somebody who is no full member wanted something: it was refused. Raises `NotSaved`."""
        async with self.transactions.write_promptly() as tx:
            tx.record(AuditEvent(team=team, code=AuditCode.PERSON_TURNED_AWAY, actor=user, details={}))

    async def _record(
        self,
        tx: Transaction,
        team: str,
        user: str,
        code: AuditCode,
        personal: Mapping[str, object] | None = None,
        /,
        **details: object,
    ) -> None:
        owner = user if personal else ""
        tx.record(AuditEvent(team=team, code=code, actor=user, details=details, owner=owner, personal=personal or {}))
        tx.publish(HomeChanged(team, user))
