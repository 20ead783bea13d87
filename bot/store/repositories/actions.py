"""The repository of actions, which are tool calls."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import NamedTuple, Unpack

from sqlalchemy import Integer, and_, bindparam, case, func, or_, select

from bot.domain.actions import ACTION_MOVES, Action, ActionChanges, ActionState, Tally, Undo
from bot.domain.questions import QuestionState
from bot.domain.runs import RunState
from bot.domain.states import LostRace, check_move
from bot.domain.steps import Sibling
from bot.store.engine.session import DatabaseSession, Repository, among, being, given, step_lock, thread_lock, with_id
from bot.store.engine.statements import Prepared
from bot.store.known import KnownRows
from bot.store.rows import action, columns_of, plain
from bot.store.tables.runs import actions, questions, runs, steps
from policies.types import EffectClass

_IN_STEPS = actions.join(steps, steps.c.id == actions.c.step_id)
"""With their steps, whose numbers order them: a clock may step back."""
_NEWEST_FIRST = steps.c.seq.desc(), actions.c.seq.desc()
_GUARDED = ("state", "attempt", "edition")
_ASKED = {ActionState.AWAITING, ActionState.EXPIRED, ActionState.UNKNOWN}
"""Only while one of a step's actions is in such a state its questions decide what comes next."""
_FIND = with_id(actions)
_THAT_LEFT = Prepared(select(actions).where(given(actions.c.team, actions.c.user, actions.c.undo)))
_OF_STEP = Prepared(select(actions).where(given(actions.c.step_id)).order_by(actions.c.seq))
_OF_RUN = Prepared(
    select(actions).select_from(_IN_STEPS).where(given(actions.c.run_id)).order_by(steps.c.seq, actions.c.seq)
)
_NEWEST_STEP = select(steps.c.id).where(given(steps.c.run_id)).order_by(steps.c.seq.desc()).limit(1).scalar_subquery()
_FIRST_OF_NEWEST = Prepared(select(actions).where(actions.c.step_id == _NEWEST_STEP).order_by(actions.c.seq).limit(1))
_DEFERRED = Prepared(
    select(actions)
    .select_from(_IN_STEPS)
    .where(given(actions.c.run_id), actions.c.undo.like("%held:%"))
    .order_by(steps.c.seq, actions.c.seq)
)
_NEWEST = (
    select(actions.c.tool, actions.c.args_hash)
    .select_from(_IN_STEPS)
    .where(given(actions.c.run_id))
    .order_by(*_NEWEST_FIRST)
    .limit(bindparam("limit", type_=Integer))
)
_CALLS = Prepared(_NEWEST)
_ANSWERED = Prepared(_NEWEST.add_columns(actions.c.response))
_QUESTIONS = Prepared(select(questions.c.action_id, questions.c.state).where(given(questions.c.step_id)))
_CHILDREN = Prepared(select(runs.c.id, runs.c.state).where(runs.c.id.in_(bindparam("ids"))))

_UNDER_WAY = case((being(actions.c.state, ActionState.EXECUTING), actions.c.caption))
_IS_READ, _IS_OWN = being(actions.c.effect, EffectClass.READ), actions.c.child.is_(None)
_IS_OVER = being(actions.c.state, ActionState.COMPLETED)
_MAY_BE_DONE = or_(_IS_OVER, being(actions.c.state, ActionState.UNKNOWN), actions.c.doubt)
_REJECTED = being(actions.c.state, ActionState.REJECTED)
_WOULD_CHANGE = and_(_IS_OWN, or_(_REJECTED, ~_IS_READ))
_USED = Prepared(
    select(
        actions.c.run_id,
        func.count(case((and_(_IS_OWN, _IS_READ, _IS_OVER), 1))),
        func.count(case((and_(_IS_OWN, ~_IS_READ, _MAY_BE_DONE), 1))),
        func.max(_UNDER_WAY),
        func.count(case((_WOULD_CHANGE, 1))),
        func.count(case((_REJECTED, 1))),
    )
    .select_from(actions.join(runs, runs.c.id == actions.c.run_id))
    .where(given(runs.c.root), actions.c.tool != bindparam("apart_from"))
    .group_by(actions.c.run_id)
)


@cache
def _in_state(states: tuple[ActionState, ...]) -> Prepared:
    here = given(actions.c.thread_id) & among(actions.c.state, states)
    return Prepared(select(actions).where(here).order_by(actions.c.id))


MARKS = ("state", "attempt", "edition", "deadline_at")
"""The columns by which it is seen that an action which can move was changed: whoever changes another one changes one of
these, too, or has its thread's lease.
"""


@cache
def _marks(states: tuple[ActionState, ...]) -> Prepared:
    columns = [actions.c[name] for name in ("thread_id", "id", *MARKS)]
    here = actions.c.thread_id.in_(bindparam("ids")) & among(actions.c.state, states)
    return Prepared(select(*columns).where(here).order_by(actions.c.id))


class Used(NamedTuple):
    """What a run did, the caption of what is under way, how many of its calls would have changed something, and how
    many of these somebody rejected. What was given to an agent is no action by itself.
    """

    tally: Tally = Tally()
    doing: str = ""
    changes: int = 0
    rejected: int = 0


class Actions(Repository):
    """Tool calls of the model."""

    def __init__(self, session: DatabaseSession) -> None:
        super().__init__(session)
        self.known_rows: KnownRows[Action] = KnownRows(
            session,
            actions,
            columns=columns_of,
            lock=lambda action: thread_lock(action.thread_id),
            over=lambda action: action.state.is_settled(),
            guarded=_GUARDED,
        )
        self._whole: dict[str, list[str]] = {}
        session.at_end(self._learn)
        self.added: list[Action] = []
        """Those that this transaction added."""

    async def add(self, new: Sequence[Action]) -> None:
        """Store calls of a step; those of a new one, all of them, begin with its first."""
        self.added += new
        for each in new:
            self.known_rows.add(each.id, each)
            before = [] if each.seq == 0 else self._all_of(each.step_id)
            if before is not None:
                self._whole[each.step_id] = [*before, each.id]

    async def find(self, action_id: str) -> Action:
        known = self.known_rows.get(action_id)
        return known or self.known_rows.read(action_id, await self._db.the(action, _FIND, {"id": action_id}))

    async def known(self, action_id: str) -> Action | None:
        """The action with this id; None when there is none."""
        return self.known_rows.get(action_id) or await self._db.first(action, _FIND, {"id": action_id})

    async def that_left(self, team: str, user: str, undo: Undo) -> Action | None:
        """The person's action that can be undone by `undo`; None when there is none any more."""
        return await self._db.first(action, _THAT_LEFT, {"team": team, "user": user, "undo": str(undo)})

    async def change(self, action_id: str, **changes: Unpack[ActionChanges]) -> None:
        """Change columns other than the state."""
        if self.known_rows.get(action_id) is not None:
            self.known_rows.change(action_id, changes)
        else:
            await self._db.change(actions, {"id": action_id}, plain(**changes))
            self.known_rows.forget(action_id)

    async def of_step(self, step_id: str) -> Sequence[Action]:
        """In the order of the calls."""
        known = [self.known_rows.get(action_id) for action_id in self._all_of(step_id) or ()]
        if known and all(known):
            return sorted((one for one in known if one is not None), key=lambda one: one.seq)
        found = await self._db.all(action, _OF_STEP, {"step_id": step_id})
        if self._db.holds(step_lock(step_id)):
            self._whole[step_id] = [one.id for one in found]
        return [self.known_rows.read(one.id, one) for one in found]

    def _all_of(self, step_id: str) -> list[str] | None:
        """The ids of its actions, where all of them are known."""
        return self._whole.get(step_id) or self._db.recall(actions.name, _all_of(step_id))

    def _learn(self) -> None:
        for step_id, ids in self._whole.items():
            self._db.learn(actions.name, _all_of(step_id), ids)

    async def of_run(self, run_id: str) -> Sequence[Action]:
        """In the order in which the model made the calls."""
        return await self._db.all(action, _OF_RUN, {"run_id": run_id})

    async def first_of_newest(self, run_id: str) -> Action:
        """The first call of the newest step of the run."""
        return await self._db.the(action, _FIRST_OF_NEWEST, {"run_id": run_id})

    async def of_work(self, run_id: str) -> Sequence[Action]:
        """The same with those of the runs that did the work of some of them, each behind the action that it was for."""
        found = list[Action]()
        for one in await self.of_run(run_id):
            found += [one, *(await self.of_work(one.child) if one.child else ())]
        return found

    async def used(self, root_id: str, *, apart_from: str) -> Mapping[str, Used]:
        """What each run below this one did with tools but this."""
        found = await self._db.execute(_USED, {"root": root_id, "apart_from": apart_from})
        return {run: Used(Tally(looks, done), doing or "", *more) for run, looks, done, doing, *more in found.rows}

    async def deferred(self, run_id: str) -> Sequence[Action]:
        """Those of the run that were deferred, in the order of the calls."""
        return await self._db.all(action, _DEFERRED, {"run_id": run_id})

    async def calls(self, run_id: str, *, limit: int) -> Sequence[str]:
        """The run's newest calls as `tool:hash`, oldest first."""
        found = await self._db.execute(_CALLS, {"run_id": run_id, "limit": limit})
        return [_call(tool, hash_) for tool, hash_ in reversed(found.rows)]

    async def answered(self, run_id: str, *, limit: int) -> Sequence[str]:
        """The run's newest calls with their results, oldest first: two are equal only if call and result are."""
        found = await self._db.execute(_ANSWERED, {"run_id": run_id, "limit": limit})
        newest_last = reversed(found.rows)
        return [f"{tool}:{hash_}:{json.dumps(response, sort_keys=True)}" for tool, hash_, response in newest_last]

    async def siblings(self, step_id: str) -> Sequence[Sibling]:
        """The actions of a step as `domain.steps.after` needs them: about its questions only where they matter."""
        found, asked = await self.of_step(step_id), defaultdict[str, set[QuestionState]](set)
        if any(one.state in _ASKED for one in found):
            for action_id, state in (await self._db.execute(_QUESTIONS, {"step_id": step_id})).rows:
                asked[action_id].add(state)
        children = await self._children([one.child for one in found if one.child and one.state is ActionState.AWAITING])
        return [_sibling(one, asked[one.id], children) for one in found]

    async def _children(self, run_ids: Sequence[str]) -> Mapping[str, RunState]:
        """The states of these child runs."""
        if not run_ids:
            return {}
        return {row[0]: row[1] for row in (await self._db.execute(_CHILDREN, {"ids": list(run_ids)})).rows}

    async def in_state(self, thread_id: str, states: Sequence[ActionState]) -> Sequence[Action]:
        """The thread's actions in one of these states, in any order."""
        return await self._db.all(action, _in_state(tuple(states)), {"thread_id": thread_id})

    async def marks(self, thread_ids: Sequence[str], states: Sequence[ActionState]) -> Sequence[Sequence[object]]:
        """Of the actions of these threads in one of these states: the thread, and by what it is seen that an action was
        changed.
        """
        return (await self._db.execute(_marks(tuple(states)), {"ids": list(thread_ids)})).rows

    async def move(self, before: Action, to: ActionState, **changes: Unpack[ActionChanges]) -> Action:
        """One guarded UPDATE from `before.state`, attempt and edition; raises `LostRace`."""
        check_move("action", ACTION_MOVES, before.state, to)
        known, guard = self.known_rows.get(before.id), {name: getattr(before, name) for name in _GUARDED}
        if known is None:
            values = {"state": to, **plain(**changes)}
            after = await self._db.changed(action, actions, {"id": before.id, **guard}, values)
        else:
            is_there = all(getattr(known, name) == value for name, value in guard.items())
            after = self.known_rows.change(before.id, {"state": to, **changes}, to=to) if is_there else None
        if after is None:
            raise LostRace("action", before.id, before.state, to)
        return self.known_rows.read(after.id, after)

    async def note(self, action_id: str, attempt: int, value: Mapping[str, object]) -> None:
        """Keep what an attempt notes (`Call.note`) instead of its earlier note; raises `LostRace` when the attempt is
        over.
        """
        guard = {"id": action_id, "attempt": attempt, "state": ActionState.EXECUTING}
        noted = await self._db.change(actions, guard, {"noted": dict(value)})
        self.known_rows.forget(action_id)
        if noted != 1:
            raise LostRace("action", action_id, ActionState.EXECUTING, "noted")

    async def prolong(self, action_id: str, attempt: int, *, until: datetime) -> None:
        """Move the deadline of this attempt while it executes."""
        guard = {"id": action_id, "attempt": attempt, "state": ActionState.EXECUTING}
        await self._db.change(actions, guard, {"deadline_at": until})
        self.known_rows.forget(action_id)


def _all_of(step_id: str) -> str:
    """Under this the ids of a step's actions are known, all of them."""
    return f"all of {step_id}"


def call_of(added: Action) -> str:
    """The call as `Actions.calls` tells it."""
    return _call(added.tool, added.args_hash)


def _call(tool: str, args_hash: str) -> str:
    return f"{tool}:{args_hash}"


def _sibling(one: Action, asked: set[QuestionState], children: Mapping[str, RunState]) -> Sibling:
    return Sibling(
        state=one.state,
        question_open=QuestionState.OPEN in asked,
        decided_by_person=one.state is ActionState.REJECTED or QuestionState.DECIDED in asked,
        child=children.get(one.child or ""),
    )
