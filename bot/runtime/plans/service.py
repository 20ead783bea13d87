"""Plans for code: begin one, have it changed, confirm it, have it carried out (docs/plans.md).

Rows are written as a click in Slack writes them, and the bot that works with this database takes them up. What came of
them is read from rows, twice a second.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import overload

from bot.domain import ids
from bot.domain.plans import PlanTask
from bot.domain.questions import Choice, PlanPayload, Question, QuestionKind, QuestionState
from bot.errors import BotError
from bot.runtime.core.ports import Sleep
from bot.runtime.core.transaction import TransactionFactory
from bot.runtime.plans import record, refinement
from bot.runtime.plans.record import LogEntry, PlanSession, SessionStatus
from bot.runtime.plans.refinement import WORDS_KEPT, Refinement
from bot.runtime.plans.requests import PlanRequest, PlanRequests
from bot.runtime.questions.decide import Click, decide
from bot.runtime.texts import about_plans
from bot.store.unit_of_work import UnitOfWork
from integrations.text import check_fit

LOOK_SECONDS = 0.5
MOST_CHARACTERS = 20_000
"""Of the prompt for a plan."""
MOST_OF_NAME = 1_000
"""Of the name of a repository."""


Tell = Callable[[PlanSession], None]
"""Is told how a plan stands while that is waited for."""


def _nobody(_: PlanSession) -> None:
    """Nobody is told."""


class PlanRefused(BotError):
    """It was not done; the message says why, for people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedPlan(Sequence[PlanTask]):
    """A plan: its tasks in their order, the session that it belongs to, and which of its revisions it is."""

    session_id: str
    revision: int
    tasks: Sequence[PlanTask]

    def __len__(self) -> int:
        return len(self.tasks)

    def __iter__(self) -> Iterator[PlanTask]:
        return iter(self.tasks)

    @overload
    def __getitem__(self, index: int) -> PlanTask: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[PlanTask]: ...
    def __getitem__(self, index: int | slice) -> PlanTask | Sequence[PlanTask]:
        return self.tasks[index]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanResult:
    """How a plan ended, or where it paused, and every action of it in order."""

    status: SessionStatus
    log: Sequence[LogEntry]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanService:
    """Plans of one person; those of others are not known to it.

    `by_operator`: somebody else gives the words, so none of them count as typed by the person. Everything here raises
    `PlanRefused` with words for people, and `NotSaved`.
    """

    requests: PlanRequests
    team: str
    user: str
    by_operator: bool = False
    sleep: Sleep = asyncio.sleep

    # The four of the specification ----------------------------------------------------------------------------

    async def start_planning(self, prompt: str, repo_url: str = "", deadline: datetime | None = None) -> ProposedPlan:
        """Have a plan made; it is returned once its owner is asked to confirm it. A deadline is an aware moment."""
        return await self.proposed(await self.begin(prompt, repo_url, deadline))

    async def refine_plan(self, session_id: str, refinement_prompt: str, *, tell: Tell = _nobody) -> ProposedPlan:
        """Have the proposed plan changed in words; what is proposed then, in its old revision if unchanged."""
        words = _fit(refinement_prompt, about_plans.SAY_WHAT, WORDS_KEPT)
        question = await self._asked(session_id)
        wanted = Refinement(
            team=self.team, user=self.user, value=question.button_value(), words=words, by_operator=self.by_operator
        )
        outcome = await refinement.refine_plan(self._transactions, wanted)
        if not outcome.accepted:
            raise PlanRefused(outcome.text)
        return await self.proposed(session_id, after=question.id, tell=tell)

    async def confirm_plan(self, session_id: str, revision: int) -> None:
        """Confirm this revision, which must be the one that is asked about; again is once."""
        if await self._is_settled(session_id, revision):
            return
        question = await self._asked(session_id)
        shown = question.payload_as(PlanPayload).revision
        if shown != revision:
            raise PlanRefused(about_plans.is_older(revision, shown))
        await self._confirm(session_id, question, revision)

    async def execute_plan(self, session_id: str) -> PlanResult:
        """Have it carried out, to its end or pause. The revision that is asked about is confirmed if none was."""
        await self.confirm_shown(session_id)
        async for _ in self.progress(session_id):
            pass
        ended = await self.session(session_id)
        return PlanResult(status=ended.status, log=ended.log)

    # Their parts ----------------------------------------------------------------------------------------------

    async def begin(self, prompt: str, repo_url: str = "", deadline: datetime | None = None) -> str:
        """Have planning begin; the id of the session."""
        words = _fit(prompt, about_plans.SAY_WHAT_FOR, MOST_CHARACTERS)
        begun = await self.requests.begin(
            PlanRequest(
                team=self.team,
                user=self.user,
                prompt=words,
                typed=words,
                source=ids.new_id("plan"),
                repository=_fit(repo_url, "", MOST_OF_NAME) if repo_url.strip() else "",
                deadline_at=deadline,
                by_operator=self.by_operator,
            )
        )
        if begun.refusal:
            raise PlanRefused(begun.refusal)
        return begun.run_id

    async def proposed(self, session_id: str, *, after: str = "", tell: Tell = _nobody) -> ProposedPlan:
        """Wait for a question about the plan that is newer than this one. Raises where planning ended without. At each
        look `tell` is given the session.
        """
        while True:
            async with self._transactions.store.read() as work:
                found = await self._found(work, session_id)
                newest = next(reversed(await _questions(work, session_id)), None)
            tell(found)
            if newest is not None and newest.id != after and found.status is not SessionStatus.PLANNING:
                return ProposedPlan(session_id=session_id, revision=found.revision, tasks=found.tasks)
            if found.is_over:
                raise PlanRefused(found.summary or about_plans.NOT_ASKED.format(status=found.status))
            await self.sleep(LOOK_SECONDS)

    async def confirm_shown(self, session_id: str) -> None:
        """Confirm the revision that is asked about, if none was before. Raises where nothing was or is to be confirmed,
        and where a plan that was confirmed asks about what it added since: that is to be read first.
        """
        found, question = await self._standing(session_id)
        if question is None and found.confirmed is None:
            raise PlanRefused(about_plans.NOT_ASKED.format(status=found.status))
        if question is None:
            return
        revision = question.payload_as(PlanPayload).revision
        if found.confirmed is not None:
            raise PlanRefused(about_plans.ASKED_ANEW.format(revision=revision))
        await self._confirm(session_id, question, revision)

    async def progress(self, session_id: str) -> AsyncIterator[PlanSession]:
        """The session without its log, now and each time that it changed, until nothing is done any more."""
        seen: PlanSession | None = None
        while seen is None or not seen.is_over:
            async with self._transactions.store.read() as work:
                found = await self._found(work, session_id)
            if found != seen:
                yield found
            if not found.is_over:
                await self.sleep(LOOK_SECONDS)
            seen = found

    async def session(self, session_id: str) -> PlanSession:
        """The session as it is now, with its log."""
        async with self._transactions.store.read() as work:
            return await self._found(work, session_id, with_log=True)

    # Rows -----------------------------------------------------------------------------------------------------

    @property
    def _transactions(self) -> TransactionFactory:
        return self.requests.transactions

    async def _found(self, work: UnitOfWork, session_id: str, *, with_log: bool = False) -> PlanSession:
        run = await work.records.run(session_id)
        is_own = run is not None and (run.team, run.user) == (self.team, self.user)
        now = self._transactions.clock.now()
        found = await record.session(work, session_id, now=now, with_log=with_log) if is_own else None
        if found is None:
            raise PlanRefused(about_plans.NO_SUCH_PLAN.format(session_id=session_id))
        return found

    async def _asked(self, session_id: str) -> Question:
        """The question about the plan that is open; raises where there is none."""
        found, question = await self._standing(session_id)
        if question is None:
            raise PlanRefused(about_plans.NOT_ASKED.format(status=found.status))
        return question

    async def _standing(self, session_id: str) -> tuple[PlanSession, Question | None]:
        """The session, and the question about the plan that is open."""
        async with self._transactions.store.read() as work:
            found = await self._found(work, session_id)
            questions = await _questions(work, session_id)
        return found, next((one for one in questions if one.state is QuestionState.OPEN), None)

    async def _is_settled(self, session_id: str, revision: int) -> bool:
        """Whether this revision was confirmed, and nothing newer is asked about; raises where another one was."""
        found, question = await self._standing(session_id)
        if question is None and found.confirmed not in {None, revision}:
            raise PlanRefused(about_plans.IS_CONFIRMED.format(revision=found.confirmed))
        return question is None and found.confirmed == revision

    async def _confirm(self, session_id: str, question: Question, revision: int) -> None:
        """By the question, so a revision that is newer than it is not confirmed."""
        click = Click(
            team=self.team,
            user=self.user,
            value=question.button_value(),
            choice=Choice.CONFIRM,
            by_operator=self.by_operator,
        )
        outcome = await decide(self._transactions, click)
        if not outcome.accepted and not await self._is_settled(session_id, revision):
            raise PlanRefused(outcome.text)


async def _questions(work: UnitOfWork, session_id: str) -> Sequence[Question]:
    """Those about the plan itself, in the order in which they were asked."""
    return [one for one in await work.records.questions(session_id) if one.kind is QuestionKind.PLAN]


def _fit(text: str, empty: str, most: int) -> str:
    """The words as they are stored; raises `PlanRefused`."""
    words = text.strip()
    if not words:
        raise PlanRefused(empty)
    if len(words) > most:
        raise PlanRefused(about_plans.TOO_LONG.format(characters=len(words), most=most))
    try:
        words.encode()
        check_fit(words)
    except UnicodeEncodeError:
        raise PlanRefused(about_plans.HALF_CHARACTER) from None
    except ValueError as error:
        raise PlanRefused(f"The text {error}.") from None
    return words
