"""The windows of whole lists, of which App Home has the beginning; and which page of one a command names."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.runtime.delivery.lists import HomeView, QuestionLine
from bot.runtime.delivery.queries import Queries
from bot.slack.connection.web import SlackWeb
from bot.slack.inbound.clicks import SlackClick
from bot.slack.outbound.background_tasks import BackgroundTasks
from bot.slack.views import deferred, home, ids
from bot.slack.views.blocks import Block
from bot.slack.views.lists import PART, window


@dataclass(frozen=True, slots=True, kw_only=True)
class ListListener:
    """Shows a person a list of their own, in the background. Best effort."""

    queries: Queries
    web: SlackWeb
    background: BackgroundTasks

    async def show(self, click: SlackClick) -> None:
        """Open the window from App Home, or turn to another part in it."""
        if (wanted := ids.list_of(click.value)) is not None:
            self.background.run("list", self._show(click, *wanted))

    def show_again(self, click: SlackClick) -> None:
        """What is left of the list in whose window something was pressed; nothing where that was elsewhere."""
        if click.window and (shown := ids.list_of(click.kept)) is not None:
            self.background.run("list", self._show(click, *shown))

    async def _show(self, click: SlackClick, name: str, first: int) -> None:
        view = await self.queries.home(click.team, click.user)
        count = _count(view, name)
        first = min(first, max(0, count - 1) // PART * PART)  # it may be shorter by now
        if name != ids.WAITING:
            rows = _rows(view, name)[first : first + PART]
            await self._put(click, window(name, rows, first=first, count=count))
            return
        waiting = await self.queries.waiting(click.team, click.user, most=PART, but=first)
        shown = click.window
        if not shown:  # a trigger is good for three seconds, and links are asked for one by one
            shown = await self.web.open_view(click.trigger, _waiting(view, waiting, {}, first=first, count=count))
        links = await self._links(waiting)
        await self.web.update_view(_waiting(view, waiting, links, first=first, count=count), view_id=shown)

    async def _put(self, click: SlackClick, shown: Block) -> None:
        if click.window:
            await self.web.update_view(shown, view_id=click.window)
        else:
            await self.web.open_view(click.trigger, shown)

    async def _links(self, lines: Sequence[QuestionLine]) -> Mapping[str, str]:
        """The addresses of the cards that stand somewhere, by question."""
        cards = {line.question_id: line.card for line in lines if line.card}
        return dict(zip(cards, await asyncio.gather(*(self.web.permalink(*at) for at in cards.values())), strict=True))


def _count(view: HomeView, name: str) -> int:
    return len(view.questions) + view.more_questions if name == ids.WAITING else len(_rows(view, name))


def _rows(view: HomeView, name: str) -> Sequence[Sequence[Block]]:
    return deferred.rows(view.held, view.user.zone) if name == ids.HELD_LIST else home.allowed_rows(view.allowed)


def _waiting(
    view: HomeView, waiting: Sequence[QuestionLine], links: Mapping[str, str], *, first: int, count: int
) -> Block:
    """Without `links` the window says that they come."""
    rows = [home.waiting_row(line, view.user.zone, links.get(line.question_id, "")) for line in waiting]
    loading = not links and any(line.card for line in waiting)
    return window(ids.WAITING, rows, first=first, count=count, loading=loading)


def page_of(typed: str) -> int | None:
    """The number behind the word “page”, the first one for what is no number; None where the word is not there."""
    word, _, rest = typed.strip().lower().partition(" ")
    return (number_of(rest) or 1) if word == "page" else None


def number_of(typed: str) -> int | None:
    """A number that a person typed; None for what is none, or is too long for one of ours."""
    digits = typed.strip().lstrip("#")
    return int(digits) if digits.isdecimal() and len(digits) <= 9 else None
