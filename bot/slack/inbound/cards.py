"""Clicks on cards: their choices, the answers to a tool's question, Show everything, and what a window confirms."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from bot.domain.audit import AuditCode
from bot.domain.confirmations import TYPED, Confirmation
from bot.domain.questions import Choice
from bot.runtime.core.transaction import TransactionFactory
from bot.runtime.delivery.card import as_read_by
from bot.runtime.delivery.queries import Queries
from bot.runtime.delivery.views import CardView
from bot.runtime.questions.decide import Click, decide, turned_away
from bot.slack.connection.windows import Answer, instead
from bot.slack.inbound.clicks import SlackClick
from bot.slack.inbound.forms import FilledForm, answered
from bot.slack.inbound.router import Router
from bot.slack.outbound.replies import Replies
from bot.slack.views import agreement, card, command, confirmation, everything, ids
from bot.slack.views.form import FormCard

NOT_YOURS = "Only the person who asked can see this."


@dataclass(frozen=True, slots=True, kw_only=True)
class CardListener:
    """Commits a choice, then answers the person who clicked. Raises `NotSaved`."""

    transactions: TransactionFactory
    queries: Queries
    replies: Replies

    def register(self, router: Router) -> None:
        """The windows that were sent; the buttons stand in the button table."""
        router.form(ids.CONFIRM_FORM, FilledForm.parse, self.confirmed)
        router.form(ids.REJECT_FORM, FilledForm.parse, self.rejected)

    async def choose(self, click: SlackClick) -> None:
        """Take a choice of a card. A plain yes to something long is refused and logged, and opens the window that it is
        approved in: a card of an earlier version still has the button.
        """
        outcome = await decide(self.transactions, _said(click, ids.CHOICE_ACTIONS[click.action]))
        view = await self.queries.card(click.question_id) if outcome.refused is AuditCode.CLICK_NOT_READ else None
        if not self._opened(click, view):
            self.replies.tell(click.recipient, outcome.text)

    async def answer(self, click: SlackClick) -> None:
        """Take one of the answers that a tool's question offers."""
        value, option = ids.option_of(click.action, click.value)
        await self._decide(click, replace(_said(click, Choice.ANSWER), value=value, option=option))

    async def _decide(self, click: SlackClick, said: Click) -> None:
        outcome = await decide(self.transactions, said)
        self.replies.tell(click.recipient, outcome.text)

    async def check(self, click: SlackClick) -> None:
        """Show the person in turn the window in which they read what is long, and a card's owner confirms what they
        did not name. For everybody else, and on a card that has no such window now, it is a yes that confirms nothing:
        that is refused, logged and explained.
        """
        if not self._opened(click, await self.queries.card(click.question_id)):
            await self._decide(click, replace(_said(click, Choice.APPROVE), confirmed=Confirmation()))

    def _opened(self, click: SlackClick, view: CardView | None) -> bool:
        """Whether the card has that window for who clicked, which opens."""
        if not click.trigger or view is None or view.value != click.value or not _may_read(view, click):
            return False
        seen = _as_seen(view, click)
        if not card.can_be_confirmed(seen):
            return False
        place = FormCard(value=click.value, channel=click.channel, ts=click.ts, read=view.is_long)
        self.replies.open(click.trigger, confirmation.form(view.unnamed, place, card.to_read(seen) or ()))
        return True

    async def confirmed(self, filled: FilledForm) -> Answer:
        """What Slack does with that window: close it, show what is missing, or say why it came too late."""
        fields = filled.fields()
        ticked = frozenset(name for name, value in fields.items() if value is True)
        given = Confirmation(typed=str(fields.get(TYPED, "")), ticked=ticked, read=filled.card.read)
        clicked: dict[str, Any] = asdict(filled.on_button())
        deciding = decide(self.transactions, Click(**clicked, choice=Choice.APPROVE, confirmed=given))
        return await answered(filled, deciding, lambda text: instead(confirmation.not_approved(command.said(text))))

    async def show_all(self, click: SlackClick) -> None:
        """Show a card's owner everything that it folds away, and a person who has to agree while it is their turn. On
        App Home that comes with the way to the card.
        """
        view = await self.queries.card(click.question_id)
        if view is None or view.value != click.value or not _may_read(view, click):
            await turned_away(self.transactions, click.on_button(), "show_all")
            self.replies.tell(click.recipient, NOT_YOURS)
        elif click.channel:
            self.replies.open(click.trigger, everything.window(_as_seen(view, click)))
        else:
            at, seen = await self.queries.place_of_card(click.question_id, click.user), _as_seen(view, click)
            self.replies.open_linked(
                click.trigger, at, lambda link: everything.window(seen, way=everything.way(at, link))
            )

    async def why_not(self, click: SlackClick) -> None:
        """Ask somebody who has to agree why they say no. For everybody else it is refused and logged."""
        view = await self.queries.card(click.question_id)
        if view is None or view.value != click.value or not _may_read(view, click) or view.reader != click.user:
            await self._decide(click, _said(click, Choice.REJECT))
            return
        place = FormCard(value=click.value, channel=click.channel, ts=click.ts)
        self.replies.open(click.trigger, agreement.reject_form(place))

    async def rejected(self, filled: FilledForm) -> Answer:
        """What Slack does with that window: close it, or say why it came too late."""
        clicked: dict[str, Any] = asdict(filled.on_button())
        reason = str(filled.fields().get(agreement.WHY, "")).strip()
        deciding = decide(self.transactions, Click(**clicked, choice=Choice.REJECT, reason=reason))
        return await answered(filled, deciding, lambda text: instead(agreement.not_rejected(command.said(text))))


def _said(click: SlackClick, choice: Choice) -> Click:
    """What the runtime knows of a press of this choice's button."""
    clicked: dict[str, Any] = asdict(click.on_button())
    return Click(**clicked, choice=choice)


def _as_seen(view: CardView, click: SlackClick) -> CardView:
    """The card as who clicked has it."""
    return as_read_by(view, click.user) if click.user != view.place.user else view


def _may_read(view: CardView, click: SlackClick) -> bool:
    """Whether they have a card of it with its content: it is their request, or their turn."""
    return click.team == view.place.team and click.user in {view.place.user, view.reader}
