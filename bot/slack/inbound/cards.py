"""Clicks on cards: their choices, the answers to a tool's question, and Show everything."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from bot.domain.questions import Choice
from bot.runtime.core.transaction import TransactionFactory
from bot.runtime.delivery.queries import Queries
from bot.runtime.questions.decide import Click, decide, turned_away
from bot.slack.inbound.clicks import SlackClick
from bot.slack.outbound.replies import Replies
from bot.slack.views import card, ids

NOT_YOURS = "Only the person who asked can see this."


@dataclass(frozen=True, slots=True, kw_only=True)
class CardListener:
    """Commits a choice, then answers the person who clicked. Raises `NotSaved`."""

    transactions: TransactionFactory
    queries: Queries
    replies: Replies

    async def choose(self, click: SlackClick) -> None:
        """Take a choice of a card."""
        await self._decide(click, click.value, ids.CHOICE_ACTIONS[click.action])

    async def answer(self, click: SlackClick) -> None:
        """Take one of the answers that a tool's question offers."""
        value, option = ids.option_of(click.action, click.value)
        await self._decide(click, value, Choice.ANSWER, option)

    async def _decide(self, click: SlackClick, value: str, choice: Choice, option: int | None = None) -> None:
        clicked: dict[str, Any] = asdict(click.on_button()) | {"value": value}
        outcome = await decide(self.transactions, Click(**clicked, choice=choice, option=option))
        self.replies.tell(click.recipient, outcome.text)

    async def show_all(self, click: SlackClick) -> None:
        """Show a card's owner everything that it folds away."""
        view = await self.queries.card(click.question_id)
        owner = (view.place.team, view.place.user) if view and view.value == click.value else None
        if view is None or owner != (click.team, click.user):
            await turned_away(self.transactions, click.on_button(), "show_all")
            self.replies.tell(click.recipient, NOT_YOURS)
        else:
            self.replies.open(click.trigger, card.full_preview(view))
