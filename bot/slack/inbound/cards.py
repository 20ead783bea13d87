"""Clicks on cards: their choices, the answers to a tool's question, and Show everything."""

from __future__ import annotations

from dataclasses import dataclass

from bot.domain.questions import Choice
from bot.runtime.delivery.queries import Queries
from bot.runtime.questions.decide import Click, Questions
from bot.slack.connection.web import SlackWeb
from bot.slack.inbound.clicks import SlackClick
from bot.slack.outbound.background_tasks import BackgroundTasks
from bot.slack.outbound.ephemeral import Ephemeral
from bot.slack.views import ids
from bot.slack.views.full_preview import full_preview

NOT_YOURS = "Only the person who asked can see this."


@dataclass(frozen=True, slots=True, kw_only=True)
class CardListener:
    """Commits a choice, then answers the person who clicked. Raises `NotSaved`."""

    questions: Questions
    queries: Queries
    web: SlackWeb
    background: BackgroundTasks
    ephemeral: Ephemeral

    async def choose(self, click: SlackClick) -> None:
        """Take a choice of a card."""
        await self._decide(click, click.value, ids.CHOICE_ACTIONS[click.action])

    async def answer(self, click: SlackClick) -> None:
        """Take one of the answers that a tool's question offers."""
        value, option = ids.option_of(click.action, click.value)
        await self._decide(click, value, Choice.ANSWER, option)

    async def _decide(self, click: SlackClick, value: str, choice: Choice, option: int | None = None) -> None:
        outcome = await self.questions.click(
            Click(
                team=click.team,
                user=click.user,
                value=value,
                choice=choice,
                option=option,
                channel=click.channel,
                message_ts=click.ts,
            )
        )
        self.ephemeral.tell(click.recipient, outcome.text)

    async def show_all(self, click: SlackClick) -> None:
        """Show a card's owner everything that it folds away."""
        view = await self.queries.card(ids.question_of(click.value))
        owner = (view.place.team, view.place.user) if view and view.value == click.value else None
        if view is None or owner != (click.team, click.user):
            await self.questions.turned_away(click.on_button(), "show_all")
            self.ephemeral.tell(click.recipient, NOT_YOURS)
        else:
            self.background.run("show-all", self.web.open_view(click.trigger, full_preview(view)))
