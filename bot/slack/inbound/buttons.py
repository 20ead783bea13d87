"""The button table: every action id that our views make, and its handler."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial

from bot.domain.limits import Rate
from bot.runtime.core.clicks import ButtonClick, ClickOutcome
from bot.runtime.core.transaction import TransactionFactory
from bot.runtime.limits import held_back
from bot.runtime.plans.paused_requests import make_plan
from bot.runtime.runs import resume, undo
from bot.runtime.runs.stop import stop_agent, stop_person, stop_request
from bot.slack.inbound.accounts import AccountListener
from bot.slack.inbound.cards import CardListener
from bot.slack.inbound.clicks import SlackClick
from bot.slack.inbound.forms import FormListener
from bot.slack.inbound.lists import ListListener
from bot.slack.inbound.requests.plans import PlanListener
from bot.slack.inbound.router import Matcher, Router
from bot.slack.inbound.rules import RuleListener
from bot.slack.inbound.schedules import ScheduleListener
from bot.slack.outbound.replies import Replies
from bot.slack.views import ids, notices

Handler = Callable[[SlackClick], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Buttons:
    """Commits what a button says, then answers the person who clicked. A handler raises `NotSaved`.

    `rate` is how fast one person may try requests again.
    """

    cards: CardListener
    forms: FormListener
    accounts: AccountListener
    schedules: ScheduleListener
    plans: PlanListener
    rules: RuleListener
    lists: ListListener
    transactions: TransactionFactory
    replies: Replies
    rate: Rate | None = None

    def register(self, router: Router) -> None:
        """Listen to every button of the table."""
        for action_id, handle in self.table().items():
            router.action(action_id, SlackClick.parse, handle)

    def table(self) -> Mapping[Matcher, Handler]:
        """Action id to handler."""
        return {
            **dict.fromkeys(ids.CHOICE_ACTIONS, self.cards.choose),
            ids.OPTION_ACTION: self.cards.answer,
            ids.SHOW_ALL: self.cards.show_all,
            ids.CONFIRM: self.cards.check,
            ids.REJECT_WHY: self.cards.why_not,
            ids.EDIT: self.forms.edit,
            ids.VARIANT_ACTION: self.forms.approve_variant,
            ids.REFINE: self.plans.refine,
            ids.CONTINUE: self.plans.go_on,
            ids.ASK_AGAIN: self._run(resume.ask_again),
            ids.TRY_AGAIN: self._run(partial(resume.try_again, rate=self.rate)),
            ids.TAKE_HELD_BACK: self._take_held_back,
            ids.MAKE_PLAN: self._run(partial(make_plan, rate=self.rate)),
            ids.UNDO: self._run(undo.undo),
            ids.FORGET: self._run(undo.forget),
            ids.HELD_UNDO: self._undo_deferred,
            ids.HELD_NOW: self._run(undo.send_now),
            ids.STOP_MINE: self._stop,
            ids.STOP_RUN: self._run(stop_request),
            ids.STOP_AGENT: self._run(stop_agent),
            ids.CONNECT: self.accounts.connect,
            ids.DISCONNECT: self.accounts.disconnect,
            ids.SIGN_OUT: self.accounts.sign_out,
            ids.RULE_ADD: self.rules.add,
            ids.RULE_EDIT: self.rules.edit,
            ids.RULE_REMOVE: self.rules.remove,
            **dict.fromkeys(ids.LIST_ACTIONS, self.lists.show),
            ids.OPEN_LINK: _acknowledge,
            **dict.fromkeys(ids.ALARM_ACTIONS, self.schedules.answer_reminder),
            **dict.fromkeys(ids.BRIEFING_ACTIONS, self.schedules.ask_about_item),
            **dict.fromkeys(ids.SCHEDULE_ACTIONS, self.schedules.change),
        }

    def _run(self, action: Callable[[TransactionFactory, ButtonClick], Awaitable[ClickOutcome]]) -> Handler:
        """What the runtime does by itself; its words are for the person who clicked."""

        async def handle(click: SlackClick) -> None:
            outcome = await action(self.transactions, click.on_button())
            self.replies.tell(click.recipient, outcome.text)

        return handle

    async def _undo_deferred(self, click: SlackClick) -> None:
        """Take back what waits for its moment; the window of a list goes on with what is left."""
        await self._run(undo.undo_deferred)(click)
        self.lists.show_again(click)

    async def _take_held_back(self, click: SlackClick) -> None:
        """Take what came too fast; then there is no button any more."""
        outcome = await resume.take_held_back(self.transactions, click.on_button(), self.rate)
        self.replies.tell(click.recipient, outcome.text)
        if outcome.accepted and click.ts:
            self.replies.change(click.channel, click.ts, notices.taken())

    async def _stop(self, click: SlackClick) -> None:
        """Stop everything that a person has running, from App Home, and drop what was held back of them."""
        await stop_person(self.transactions, click.team, click.user)
        await held_back.drop_of(self.transactions, click.team, click.user)


async def _acknowledge(click: SlackClick) -> None:
    """Slack opens a link by itself and sends the click as well.

    docs.slack.dev/reference/block-kit/block-elements/button-element, "url".
    """
