"""The repository of actions, which are tool calls."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any, Unpack

from sqlalchemy import Select, insert, select, update

from bot.domain.actions import ACTION_MOVES, Action, ActionChanges, ActionState, Undo
from bot.domain.questions import QuestionState
from bot.domain.states import LostRace, check_move
from bot.domain.steps import Sibling
from bot.store.engine.session import Repository, among, given
from bot.store.rows import action, columns_of, plain
from bot.store.tables.runs import actions, questions, steps

_IN_STEPS = actions.join(steps, steps.c.id == actions.c.step_id)
"""With their steps, whose numbers order them: a clock may step back."""
_NEWEST_FIRST = steps.c.seq.desc(), actions.c.seq.desc()
_WITH_QUESTIONS = actions.outerjoin(questions, questions.c.action_id == actions.c.id)
_FIND = select(actions).where(given(actions.c.id))
_OF_STEP = select(actions).where(given(actions.c.step_id)).order_by(actions.c.seq)
_OF_RUN = select(actions).select_from(_IN_STEPS).where(given(actions.c.run_id)).order_by(steps.c.seq, actions.c.seq)
_SIBLINGS = (
    select(actions.c.id, actions.c.state, questions.c.state)
    .select_from(_WITH_QUESTIONS)
    .where(given(actions.c.step_id))
)


@cache
def _in_state(states: tuple[ActionState, ...]) -> Select[Any]:
    here = given(actions.c.thread_id) & among(actions.c.state, states)
    return select(actions).where(here).order_by(actions.c.id)


class Actions(Repository):
    """Tool calls of the model."""

    async def add(self, new: Sequence[Action]) -> None:
        if new:
            await self._db.execute(insert(actions), [columns_of(item) for item in new])

    async def find(self, action_id: str) -> Action:
        return await self._db.the(action, _FIND, {"id": action_id})

    async def known(self, action_id: str) -> Action | None:
        """The action with this id; None when there is none."""
        return await self._db.first(action, _FIND, {"id": action_id})

    async def that_left(self, team: str, user: str, undo: Undo) -> Action | None:
        """The person's action that can be undone by `undo`; None when there is none any more."""
        mine = (actions.c.team == team) & (actions.c.user == user) & (actions.c.undo == str(undo))
        return await self._db.first(action, select(actions).where(mine))

    async def change(self, action_id: str, **changes: Unpack[ActionChanges]) -> None:
        """Change columns other than the state."""
        await self._db.execute(update(actions).where(actions.c.id == action_id).values(**plain(**changes)))

    async def of_step(self, step_id: str) -> Sequence[Action]:
        return await self._db.all(action, _OF_STEP, {"step_id": step_id})

    async def of_run(self, run_id: str) -> Sequence[Action]:
        """In the order in which the model made the calls."""
        return await self._db.all(action, _OF_RUN, {"run_id": run_id})

    async def calls(self, run_id: str, *, limit: int) -> Sequence[str]:
        """The run's newest calls as `tool:hash`, oldest first."""
        wanted = select(actions.c.tool, actions.c.args_hash).select_from(_IN_STEPS).where(actions.c.run_id == run_id)
        newest = wanted.order_by(*_NEWEST_FIRST).limit(limit)
        return [f"{tool}:{hash_}" for tool, hash_ in reversed((await self._db.execute(newest)).all())]

    async def answered(self, run_id: str, *, limit: int) -> Sequence[str]:
        """The run's newest calls with their results, oldest first: two are equal only if call and result are."""
        columns = actions.c.tool, actions.c.args_hash, actions.c.response
        wanted = select(*columns).select_from(_IN_STEPS).where(actions.c.run_id == run_id)
        newest = wanted.order_by(*_NEWEST_FIRST).limit(limit)
        found = (await self._db.execute(newest)).all()
        return [f"{tool}:{hash_}:{json.dumps(response, sort_keys=True)}" for tool, hash_, response in reversed(found)]

    async def siblings(self, step_id: str) -> Sequence[Sibling]:
        """The actions of a step as `domain.steps.after` needs them."""
        by_action: dict[tuple[str, ActionState], set[QuestionState | None]] = {}
        for action_id, state, question_state in await self._db.execute(_SIBLINGS, {"step_id": step_id}):
            by_action.setdefault((action_id, state), set()).add(question_state)
        return [_sibling(state, asked) for (_, state), asked in by_action.items()]

    async def in_state(self, thread_id: str, states: Sequence[ActionState]) -> Sequence[Action]:
        """The thread's actions in one of these states, in any order."""
        return await self._db.all(action, _in_state(tuple(states)), {"thread_id": thread_id})

    async def move(self, before: Action, to: ActionState, **changes: Unpack[ActionChanges]) -> Action:
        """One guarded UPDATE from `before.state`, attempt and edition; raises `LostRace`."""
        check_move("action", ACTION_MOVES, before.state, to)
        guard = (
            (actions.c.id == before.id)
            & (actions.c.state == before.state)
            & (actions.c.attempt == before.attempt)
            & (actions.c.edition == before.edition)
        )
        moved = update(actions).where(guard).values(state=to, **plain(**changes)).returning(actions)
        if (after := await self._db.first(action, moved)) is None:
            raise LostRace("action", before.id, before.state, to)
        return after

    async def note(self, action_id: str, attempt: int, value: Mapping[str, object]) -> None:
        """Keep what an attempt notes (`Call.note`) instead of its earlier note; raises `LostRace` when the attempt is
        over.
        """
        guard = (actions.c.id == action_id) & (actions.c.attempt == attempt)
        noted = await self._db.execute(
            update(actions).where(guard, actions.c.state == ActionState.EXECUTING).values(noted=dict(value))
        )
        if noted.rowcount != 1:
            raise LostRace("action", action_id, ActionState.EXECUTING, "noted")

    async def prolong(self, action_id: str, attempt: int, *, until: datetime) -> None:
        """Move the deadline of this attempt while it executes."""
        guard = (actions.c.id == action_id) & (actions.c.attempt == attempt)
        made = guard & (actions.c.state == ActionState.EXECUTING)
        await self._db.execute(update(actions).where(made).values(deadline_at=until))


def _sibling(state: ActionState, asked: set[QuestionState | None]) -> Sibling:
    return Sibling(
        state=state,
        question_open=QuestionState.OPEN in asked,
        decided_by_person=state is ActionState.REJECTED or QuestionState.DECIDED in asked,
    )
