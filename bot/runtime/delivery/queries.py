"""The read side: rows become what cards, answers, App Home and `/agent` show (`bot.runtime.delivery.views`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.domain.actions import UNDONE, Action
from bot.domain.conditions import Standing, may_be_changed
from bot.domain.connections import DELEGATED
from bot.domain.deliveries import card_slot, certainly_before
from bot.domain.questions import Choice, ConnectPayload, Question, QuestionKind
from bot.domain.runs import Run, RunState
from bot.domain.threads import User, zone_of
from bot.runtime.actions.defer import SEND_NOW_FROM_SECONDS
from bot.runtime.actions.previews import connect_preview, named, preview_of
from bot.runtime.actions.tool_questions import options_of
from bot.runtime.delivery.failed_deliveries import loss_of
from bot.runtime.delivery.views import (
    ActionLine,
    AnswerView,
    CardView,
    ConnectedView,
    ConnectionLine,
    HeldLine,
    HeldView,
    HomeView,
    LossView,
    MemoryLine,
    NoticeView,
    PermissionsView,
    Place,
    QuestionLine,
    RefusalView,
    ResumedView,
    RunLine,
)
from bot.runtime.limits import rate_limit
from bot.runtime.questions.follow_ups import can_be_asked_again, can_be_edited, follow_up_of
from bot.runtime.texts import about_limits, to_people
from bot.runtime.texts.about_schedules import planned
from bot.store.store import Store
from bot.store.unit_of_work import UnitOfWork
from policies.types import Decision

_CHOICES = {
    QuestionKind.APPROVE: (Choice.APPROVE, Choice.REJECT),
    QuestionKind.SETTLE: (Choice.HAPPENED, Choice.DID_NOT, Choice.TRY_AGAIN),
    QuestionKind.CONNECT: (Choice.REJECT,),
}
_OPEN_LISTED = 10
_RUNS_LISTED = 5
_MEMORIES_LISTED = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Queries:
    """Answers what surfaces ask. Every answer is one snapshot. `accounts_offered`: people can connect their own; those
    of the `delegated_domains` need not.
    """

    store: Store
    side_effects_enabled: bool
    accounts_offered: bool = False
    delegated_domains: frozenset[str] = frozenset()

    async def place(self, run_id: str) -> Place:
        """Where a run lives, now."""
        async with self.store.read() as work:
            return await place_of(work, await work.runs.find(run_id))

    async def card(self, question_id: str) -> CardView | None:
        """A question's card; None when there is no such question."""
        async with self.store.read() as work:
            question = await work.questions.find(question_id)
            if question is None:
                return None
            run = await work.runs.find(question.run_id)
            action = await work.actions.find(question.action_id)
            person = await work.users.find(question.team, question.user)
            preview = connect_preview(question, action) if _is_connect(question) else preview_of(action)
            verdict = action.verdict
            older, newer = await _beside(work, question)
            connect = question.payload if isinstance(question.payload, ConnectPayload) else None
            return CardView(
                place=await place_of(work, run),
                question_id=question.id,
                kind=question.kind,
                state=question.state,
                value=question.button_value(),
                tool=action.tool,
                preview=preview,
                card_private=preview.private,
                rule=verdict.rule if verdict else "",
                reason=verdict.reason if verdict else "",
                expires_at=question.expires_at,
                zone=zone_of(person),
                decided_by=question.decided_by,
                decided_at=question.decided_at,
                decision=question.decision,
                outcome=action.state,
                doubt=action.doubt,
                detail=action.summary,
                link=action.link,
                choices=_CHOICES.get(question.kind, ()),
                scheduled=action.is_scheduled,
                editable=_is_editable(question, action, run),
                ask_again=await can_be_asked_again(work, question, action),
                edited=question.edition > 1,
                options=options_of(question),
                said=question.reason,
                missing=connect.missing if connect else frozenset(),
                quiet=connect is not None and connect.quiet,
                elsewhere=connect is not None and connect.elsewhere,
                declined=connect is not None and connect.declined,
                older=older,
                newer=newer,
            )

    async def connected(self, subject: str) -> ConnectedView | None:
        """That an account was connected, for the person whom it is told; None when it is not any more."""
        connect_id, _, reader = subject.partition("@")
        async with self.store.read() as work:
            connect = await work.connects.find(connect_id)
            found = await work.connections.find(connect.team, connect.user, connect.provider) if connect else None
            if connect is None or found is None:
                return None
            sharing = await work.connections.of_account(found.provider, found.account)
        return ConnectedView(
            team=connect.team,
            reader=reader,
            owner=connect.user,
            provider=found.provider,
            email=found.email,
            sharing=[item.user for item in sharing if item.team == connect.team and item.user != connect.user],
            since=certainly_before(connect.created_at),
        )

    async def answer(self, run_id: str) -> AnswerView:
        """A run's final answer, or its honest substitute."""
        async with self.store.read() as work:
            run = await work.runs.find(run_id)
            actions = await work.actions.of_run(run_id)
            place = await place_of(work, run)
            return AnswerView(
                place=place,
                text=run.summary + (about_limits.interrupted(run.partial) if run.partial else ""),
                error=run.error,
                actions=[replace(_line(action), on_card=_is_on_card(action, place)) for action in actions],
                offer=await follow_up_of(work, run),
            )

    async def resumed(self, message_id: str) -> ResumedView:
        """What was said at a pause that is over."""
        async with self.store.read() as work:
            said = await work.messages.find(message_id)
            assert said.run_id is not None, "a run said it"
            place = await place_of(work, await work.runs.find(said.run_id))
            return ResumedView(place=place, channel=said.channel, ts=said.ts, text=said.text)

    async def notice(self, action_id: str) -> NoticeView:
        """A line about one action."""
        async with self.store.read() as work:
            action = await work.actions.find(action_id)
            run = await work.runs.find(action.run_id)
            return NoticeView(place=await place_of(work, run), action=_line(action))

    async def held(self, run_id: str) -> HeldView | None:
        """What waits for its moment in this run, or what came of it; None for every other run."""
        async with self.store.read() as work:
            run = await work.runs.find(run_id)
            if run.holds is None or run.not_before is None:
                return None
            (action,) = await work.actions.of_run(run_id)
            person = await work.users.find(run.team, run.user)
            wait = run.not_before - run.created_at
            allowed = action.verdict if action.verdict and action.verdict.decision is Decision.ALLOW else None
            return HeldView(
                place=await place_of(work, run),
                state=run.state,
                action=action.state,
                preview=preview_of(action),
                caption=named(action),
                at=run.not_before,
                wait=wait,
                zone=zone_of(person),
                rule=allowed.rule if allowed else "",
                reason=allowed.reason if allowed else "",
                detail=action.summary,
                link=action.link,
                doubt=action.doubt,
                can_be_sent_now=wait.total_seconds() >= SEND_NOW_FROM_SECONDS,
                stopped_by=run.stopped_by,
            )

    async def refusal(self, subject: str) -> RefusalView:
        """Why a message started no run, told where it was said; the subject is `<why>:<message id>`."""
        why, _, message_id = subject.partition(":")
        async with self.store.read() as work:
            message = await work.messages.find(message_id)
            person = await work.users.find(message.team, message.author)
        text = _refused(why, zone_of(person))
        return RefusalView(channel=message.channel, root_ts=message.root_ts, request_ts=message.ts, text=text)

    async def loss(self, subject: str) -> LossView:
        """Whom to tell that something could not be delivered; reads no more of it than that."""
        async with self.store.read() as work:
            return await loss_of(work, subject)

    async def live_runs(self, team: str, user: str) -> Sequence[RunLine]:
        """The person's runs that work or wait, newest first."""
        async with self.store.read() as work:
            return [await _run_line(work, run) for run in await work.runs.live_of(team, user)]

    async def permissions(self, team: str, user: str) -> PermissionsView:
        """What `/agent trust` and `/agent allow` show of a person."""
        async with self.store.read() as work:
            return await _permissions(work, await work.users.find(team, user) or User(team=team, user=user))

    async def home(self, team: str, user: str) -> HomeView:
        """What App Home and `/agent status` show of a person."""
        async with self.store.read() as work:
            person = await work.users.find(team, user) or User(team=team, user=user)
            permissions = await _permissions(work, person)
            questions = await work.questions.open_of(team, user, limit=_OPEN_LISTED)
            runs = await work.runs.recent_of(team, user, limit=_RUNS_LISTED)
            memories = await work.memories.search(team, user, "", limit=_MEMORIES_LISTED + 1)
            return HomeView(
                user=person,
                level=permissions.level,
                cap=permissions.cap,
                side_effects_enabled=self.side_effects_enabled,
                connections=[
                    *self._delegated(person),
                    *(
                        ConnectionLine(provider=item.provider, email=item.email, status=item.status, scopes=item.scopes)
                        for item in await work.connections.of(team, user)
                    ),
                ],
                questions=[await _question_line(work, question) for question in questions],
                runs=[await _run_line(work, run) for run in runs if run.holds is None],
                held=await _held_lines(work, team, user),
                allowed=permissions.allowed,
                more_questions=await work.questions.count_open(team, user) - len(questions),
                accounts_offered=self.accounts_offered and not self._delegated(person),
                schedules=[planned(schedule) for schedule in await work.schedules.of(team, user)],
                memories=[MemoryLine(memory_id=one.id, text=one.text) for one in memories[:_MEMORIES_LISTED]],
                more_memories=len(memories) > _MEMORIES_LISTED,
            )

    def is_delegated(self, person: User) -> bool:
        """Whether an administrator's service account acts for this person: then there is nothing to connect."""
        return (person.email or "").rpartition("@")[2].strip().lower() in self.delegated_domains

    def _delegated(self, person: User) -> Sequence[ConnectionLine]:
        """The account that is used that way, if there is one."""
        line = ConnectionLine(provider="google", email=person.email or "", status=DELEGATED)
        return [line] if self.is_delegated(person) else []


async def _permissions(work: UnitOfWork, person: User) -> PermissionsView:
    cap = (await work.users.workspace(person.team)).cap
    rules = await work.rules.of(person.team, person.user)
    allowed = [rule.value for rule in rules if rule.decision is Decision.ALLOW and rule.value]
    return PermissionsView(level=person.level.capped(cap), cap=cap, allowed=allowed)


def _refused(why: str, zone: str) -> str:
    if why.startswith(to_people.TAKEN_BACK):
        return to_people.taken_back(int(why.partition(".")[2]))
    return rate_limit.words_of(why, zone) if why.startswith(rate_limit.TOO_FAST) else to_people.REFUSALS[why]


async def place_of(work: UnitOfWork, run: Run) -> Place:
    """Where a run lives, in the caller's snapshot."""
    thread = await work.threads.find(run.thread_id)
    message = await work.messages.find(run.message_id)
    moved = message.channel != thread.channel
    return Place(
        run_id=run.id,
        team=run.team,
        user=run.user,
        channel=message.channel,
        root_ts=message.root_ts if moved else thread.root_ts if thread.is_rooted else "",
        request_ts=message.ts,
        is_dm=moved or thread.is_dm,
        private=run.private,
        state=run.state,
    )


async def _beside(work: UnitOfWork, question: Question) -> tuple[str, tuple[str, str] | None]:
    """The question before this one about the same action, and where the card of the one after it stands."""
    asked = await work.questions.ids_of_action(question.action_id)
    if question.id not in asked:
        return "", None
    place = asked.index(question.id)
    older = asked[place - 1] if place else ""
    after = asked[place + 1] if place + 1 < len(asked) else ""
    post = await work.posts.find(question.run_id, card_slot(after)) if after else None
    return older, (post.channel, post.ts) if post else None


def _is_connect(question: Question) -> bool:
    return question.kind is QuestionKind.CONNECT


def _line(action: Action) -> ActionLine:
    return ActionLine(
        action_id=action.id,
        caption=action.caption,
        changes=action.is_side_effect,
        state=action.state,
        detail=action.summary,
        doubt=action.doubt,
        undo=action.undo,
        link=action.link,
        scheduled=action.is_scheduled,
    )


def _is_on_card(action: Action, place: Place) -> bool:
    """Whether it was asked about where its run's answer stands; a private card of a public run stands elsewhere."""
    asked = action.verdict is not None and action.verdict.decision is Decision.ASK
    return asked and (place.is_dm or place.private or not preview_of(action).private)


async def _run_line(work: UnitOfWork, run: Run) -> RunLine:
    message = await work.messages.find(run.message_id)
    actions = await work.actions.of_run(run.id)
    return RunLine(
        run_id=run.id,
        request=message.text,
        state=run.state,
        summary=_came_of(run, actions),
        created_at=run.created_at,
        holds=actions[0].caption if run.holds and actions else "",
    )


def _came_of(run: Run, actions: Sequence[Action]) -> str:
    """Its answer; where that tells of something scheduled or undone, how everything stands now: it cannot know it."""
    undone = [action.summary for action in actions if action.undo == UNDONE]
    if run.state is RunState.COMPLETED and (undone or any(action.is_scheduled for action in actions)):
        changed = [action for action in actions if action.is_side_effect]
        return "\n".join([*undone, *(line.removeprefix("• ") for line in to_people.ledger(changed))])
    return run.summary or run.error


def _is_editable(question: Question, action: Action, run: Run) -> bool:
    return action.is_side_effect and may_be_changed(Standing.of(run)) and can_be_edited(question, action)


async def _held_lines(work: UnitOfWork, team: str, user: str) -> Sequence[HeldLine]:
    """What waits, what comes first first."""
    found: list[HeldLine] = []
    for run in await work.runs.live_of(team, user):
        if run.holds is not None and run.state is RunState.QUEUED and run.not_before is not None:
            (action,) = await work.actions.of_run(run.id)
            found.append(HeldLine(run_id=run.id, caption=named(action), at=run.not_before))
    return sorted(found, key=lambda line: line.at)


def _title(question: Question, action: Action) -> str:
    """What would be decided: an account is asked for by its own words, and for what it is needed; so is what a tool
    asks.
    """
    if question.kind is QuestionKind.ANSWER:
        return preview_of(action).title
    about = named(action)
    return f"{connect_preview(question, action).title} I need it to: {about}" if _is_connect(question) else about


async def _question_line(work: UnitOfWork, question: Question) -> QuestionLine:
    action = await work.actions.find(question.action_id)
    post = await work.posts.find(question.run_id, card_slot(question.id))
    return QuestionLine(
        question_id=question.id,
        title=_title(question, action),
        asked_at=question.created_at,
        expires_at=question.expires_at,
        card=(post.channel, post.ts) if post else None,
        value=question.button_value(),
    )
