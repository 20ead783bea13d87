"""The repository of people's rules."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, insert, or_, select

from bot.store.engine.session import Session
from bot.store.rows import every, merged, plain
from bot.store.tables.people import rules
from policies.types import Decision, Rule, RuleAuthor

_COLUMNS = [rules.c[name] for name in ("id", "decision", "tool", "argument", "value", "by")]
_SAME = ("decision", "tool", "argument", "value")


class Rules:
    """Rules that people added."""

    def __init__(self, session: Session) -> None:
        self._db = session

    async def of(self, team: str, user: str) -> Sequence[Rule]:
        """The rules that apply to this person: the workspace's and their own."""
        counts = or_(rules.c.user == user, rules.c.by == RuleAuthor.ADMIN.value)
        wanted = select(*_COLUMNS).where(rules.c.team == team, counts).order_by(rules.c.created_at)
        return [
            Rule(**merged(row, decision=Decision(row["decision"]), by=RuleAuthor(row["by"])))
            for row in every(await self._db.execute(wanted))
        ]

    async def add(self, team: str, user: str, rule: Rule, *, at: datetime) -> bool:
        await self._db.lock_names([f"rules of {team} {user}"])
        if any(all(getattr(rule, name) == getattr(old, name) for name in _SAME) for old in await self.of(team, user)):
            return False
        values = plain(
            id=rule.id, decision=rule.decision, tool=rule.tool, argument=rule.argument, value=rule.value, by=rule.by
        )
        await self._db.execute(insert(rules).values(**values, team=team, user=user, created_at=at))
        return True

    async def remove(self, team: str, user: str, value: str) -> Sequence[str]:
        """Delete the person's own rules about this value, and return their ids."""
        await self._db.lock_names([f"rules of {team} {user}"])
        own = (rules.c.team == team) & (rules.c.user == user) & (rules.c.by == RuleAuthor.OWNER.value)
        gone = await self._db.execute(delete(rules).where(own, rules.c.value == value).returning(rules.c.id))
        return [rule_id for (rule_id,) in gone]
