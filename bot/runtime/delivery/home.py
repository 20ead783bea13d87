"""The read model of App Home and `/agent status`: what a person may do, is asked, has asked and has stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bot.domain.actions import UNDONE, Action
from bot.domain.connections import DELEGATED, PROVIDER
from bot.domain.deliveries import card_slot, reader_slot
from bot.domain.questions import Question, QuestionKind
from bot.domain.runs import Run, RunState
from bot.domain.threads import User
from bot.runtime.actions.previews import connect_preview, named, preview_of
from bot.runtime.delivery.deferred import deferred_lines
from bot.runtime.delivery.lists import ConnectionLine, HomeView, MemoryLine, QuestionLine, RunLine
from bot.runtime.delivery.plans import stands
from bot.runtime.texts import about_agents, to_people
from bot.runtime.texts.about_schedules import planned
from bot.store.unit_of_work import UnitOfWork
from policies.provenance import GuardMode
from policies.types import Decision, Rule, RuleAuthor, TrustLevel

_OPEN_LISTED = 10
_RUNS_LISTED = 5
_MEMORIES_LISTED = 8
_PLANS_LISTED = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class PermissionsView:
    """What the agent may do for a person unasked: the trust level, capped by the workspace, addresses for mail, what
    becomes of what guards say, and the rules that administrators wrote.
    """

    level: TrustLevel
    cap: TrustLevel
    allowed: Sequence[str]
    guard: GuardMode
    rules: Sequence[Rule]


async def home_view(
    work: UnitOfWork,
    person: User,
    *,
    cap: TrustLevel,
    side_effects_enabled: bool,
    accounts_offered: bool,
    delegated: bool,
    now: datetime,
) -> HomeView:
    """What App Home shows; `delegated` says that an administrator's service account acts for this person."""
    team, user = person.team, person.user
    permissions = await permissions_view(work, person, cap=cap)
    questions = await question_lines(work, team, user, most=_OPEN_LISTED)
    plans = await _plans(work, person)
    runs = await work.runs.recent_requests_of(team, user, limit=_RUNS_LISTED + len(plans))
    memories = await work.memories.search(team, user, "", limit=_MEMORIES_LISTED + 1)
    return HomeView(
        user=person,
        level=permissions.level,
        cap=permissions.cap,
        side_effects_enabled=side_effects_enabled,
        guard=permissions.guard,
        rules=permissions.rules,
        connections=await _connection_lines(work, person, delegated=delegated),
        questions=questions,
        runs=[await run_line(work, run) for run in [one for one in runs if one not in plans][:_RUNS_LISTED]],
        plans=[await _plan_line(work, run, now) for run in plans],
        held=await deferred_lines(work, team, user),
        allowed=permissions.allowed,
        more_questions=await work.questions.count_open(team, user) - len(questions),
        accounts_offered=accounts_offered and not delegated,
        schedules=[planned(schedule) for schedule in await work.schedules.of(team, user)],
        memories=[MemoryLine(memory_id=one.id, text=one.text) for one in memories[:_MEMORIES_LISTED]],
        more_memories=len(memories) > _MEMORIES_LISTED,
    )


async def permissions_view(work: UnitOfWork, person: User, *, cap: TrustLevel) -> PermissionsView:
    """What `/agent trust`, `allow`, `guard` and `rules` show of a person; `cap` is that of the installation."""
    workspace = await work.users.workspace(person.team)
    cap = workspace.cap.capped(cap)
    rules = await work.rules.of(person.team, person.user)
    allowed = [rule.value for rule in rules if rule.decision is Decision.ALLOW and rule.value]
    admins = [rule for rule in rules if rule.by is RuleAuthor.ADMIN]
    return PermissionsView(
        level=person.level.capped(cap), cap=cap, allowed=allowed, guard=workspace.guard, rules=admins
    )


async def _connection_lines(work: UnitOfWork, person: User, *, delegated: bool) -> Sequence[ConnectionLine]:
    """The accounts that are used for this person."""
    used = [ConnectionLine(provider=PROVIDER, email=person.email or "", status=DELEGATED)] if delegated else []
    return used + [
        ConnectionLine(provider=one.provider, email=one.email, status=one.status, scopes=one.scopes)
        for one in await work.connections.of(person.team, person.user)
    ]


async def run_line(work: UnitOfWork, run: Run) -> RunLine:
    """One request in a list."""
    message = await work.messages.find(run.message_id)
    actions = await work.actions.of_work(run.id)
    return RunLine(
        run_id=run.id,
        request=message.text,
        state=run.state,
        summary=_came_of(run, actions, [await _as_done(work, action) for action in actions]),
        created_at=run.created_at,
        holds=actions[0].caption if run.holds and actions else "",
        is_account=run.is_plan and run.is_led_by_code and run.state.is_final(),
        agreed=run.state is RunState.AWAITING and await _waits_for_others(work, run),
    )


async def _waits_for_others(work: UnitOfWork, run: Run) -> bool:
    asking = [run, *await work.runs.below(run.id)]
    questions = [question for one in asking for question in await work.questions.open_of_run(one.id)]
    return bool(questions) and all(question.reader for question in questions)


async def _plans(work: UnitOfWork, person: User) -> Sequence[Run]:
    """Those that are under way, and behind them those that paused."""
    team, user = person.team, person.user
    unfinished = [*await work.runs.live_of(team, user), *await work.runs.paused_of(team, user)]
    return [run for run in unfinished if run.is_plan][:_PLANS_LISTED]


async def _plan_line(work: UnitOfWork, run: Run, now: datetime) -> RunLine:
    line = await run_line(work, run)
    return replace(line, plan=stands(run, await work.plans.tasks(run.id), now, agreed=line.agreed))


async def _as_done(work: UnitOfWork, action: Action) -> Action:
    """In the place of what was scheduled and is done: what did it, which may have been earlier than it was to be."""
    if not action.is_scheduled or action.is_waiting or action.undo is None:
        return action
    done = [one for one in await work.actions.of_run(action.undo.subject) if one.is_told]
    return done[0] if done else action


def _came_of(run: Run, actions: Sequence[Action], now: Sequence[Action]) -> str:
    """Its answer; where that tells of something scheduled or undone, how everything stands now: it cannot know it.
    Where cards tell what was done, and there is no answer: what they tell.
    """
    is_outdated = any(action.is_scheduled or action.undo == UNDONE for action in actions)
    changed = [action for action in now if action.is_change]
    if run.state is RunState.COMPLETED and (is_outdated or (changed and not about_agents.answer(run))):
        return "\n".join(line.removeprefix("• ") for line in to_people.ledger(changed))
    came = about_agents.answer(run) or run.error
    return came.partition("\n\n")[0] if run.is_plan else came  # its message has what came of each task


async def question_lines(work: UnitOfWork, team: str, user: str, *, most: int, but: int = 0) -> Sequence[QuestionLine]:
    """What waits for this person, newest first: so many at most, behind those that are left out at first."""
    questions = await work.questions.open_of(team, user, limit=but + most)
    return [await _question_line(work, question, user) for question in questions[but:]]


async def _question_line(work: UnitOfWork, question: Question, user: str) -> QuestionLine:
    """A question that waits for this person: their own, or somebody's to which they have to agree."""
    action = await work.actions.find(question.action_id)
    request = await work.runs.request_of(question.run_id)
    return QuestionLine(
        question_id=question.id,
        title=_title(question, action),
        asked_by="" if question.user == user else question.user,
        asked_at=question.shown_since(user),
        expires_at=request.ends_by(question.waits_until(user)),
        card=await place_of_card(work, question, user),
        value=question.button_value(),
    )


async def place_of_card(work: UnitOfWork, question: Question, user: str) -> tuple[str, str] | None:
    """Where the card stands that this person has of it: their own, or of somebody's to which they have to agree."""
    slot = card_slot(question.id) if question.user == user else reader_slot(question.id, user)
    post = await work.posts.find(question.run_id, slot)
    return (post.channel, post.ts) if post else None


def _title(question: Question, action: Action) -> str:
    """What would be decided; a tool's question and a missing account have words of their own."""
    if question.kind is QuestionKind.ANSWER:
        return preview_of(action).title
    if question.kind is QuestionKind.CONNECT:
        return f"{connect_preview(question, action).title} I need it to: {named(action)}"
    return named(action)
