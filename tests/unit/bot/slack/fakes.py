"""Stand-ins of the runtime's services: what the Slack surface hands over is kept, what it asks for is preset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from bot.domain.deliveries import Delivery, DeliveryKind, DeliveryState, Post
from bot.domain.threads import User
from bot.runtime.core.clicks import ClickOutcome, Press
from bot.runtime.delivery.views import (
    AnswerView,
    CardView,
    HeldView,
    HomeView,
    LossView,
    NoticeView,
    OpeningView,
    PermissionsView,
    Place,
    RefusalView,
    ReminderView,
    ResumedView,
    RunLine,
    ScheduledReminderView,
)
from bot.runtime.people.people import InvalidAddress, LevelChoice, NotListed
from bot.runtime.questions.decide import Click
from bot.runtime.runs.intake import Admission, Admitted, Incoming
from bot.runtime.runs.stop import Halt
from bot.store.errors import NotSaved
from policies.rules import recipient_typed
from policies.types import TrustLevel
from tests.unit.bot.slack.cases import NOW, answer_view, home_view, run_line


@dataclass
class Disk:
    """Fails the next writes, as a store does whose lock is not had in time."""

    failures: int = 0

    def write(self) -> None:
        if self.failures:
            self.failures -= 1
            raise NotSaved("the lock was not had in time")


@dataclass
class FakeIntake:
    disk: Disk
    said: list[Incoming] = field(default_factory=list[Incoming])
    gone: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])
    changed: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])
    admission: Admission = Admission.STARTED
    tries: int = 0

    async def message(self, incoming: Incoming) -> Admitted:
        self.tries += 1
        self.disk.write()
        if any(known.ts == incoming.ts for known in self.said):
            return Admitted(admission=Admission.DUPLICATE)
        self.said.append(incoming)
        return Admitted(admission=self.admission, run_id="run_1")

    async def deleted(self, team: str, channel: str, ts: str, *, may_ask: bool = True) -> None:
        del may_ask
        self.disk.write()
        self.gone.append((team, channel, ts))

    async def edited(self, team: str, channel: str, ts: str) -> None:
        self.disk.write()
        self.changed.append((team, channel, ts))


@dataclass
class FakeQuestions:
    disk: Disk
    clicks: list[Click] = field(default_factory=list[Click])
    turned: list[tuple[Press, str]] = field(default_factory=list[tuple[Press, str]])
    outcome: ClickOutcome = field(default_factory=lambda: ClickOutcome(accepted=True))

    async def click(self, click: Click) -> ClickOutcome:
        self.disk.write()
        self.clicks.append(click)
        return self.outcome

    async def turned_away(self, press: Press, wanted: str) -> None:
        self.disk.write()
        self.turned.append((press, wanted))


@dataclass
class FakeResuming:
    disk: Disk
    deeds: list[tuple[str, Press]] = field(default_factory=list[tuple[str, Press]])
    outcome: ClickOutcome = field(default_factory=lambda: ClickOutcome(accepted=True))

    async def continue_run(self, press: Press) -> ClickOutcome:
        return self._did("continue", press)

    async def ask_again(self, press: Press) -> ClickOutcome:
        return self._did("ask again", press)

    async def try_again(self, press: Press) -> ClickOutcome:
        return self._did("try again", press)

    def _did(self, deed: str, press: Press) -> ClickOutcome:
        self.disk.write()
        self.deeds.append((deed, press))
        return self.outcome


@dataclass
class Stopped:
    id: str


@dataclass
class FakeStops:
    disk: Disk
    live: list[str] = field(default_factory=list[str])
    otherwise: Halt = Halt.NOTHING
    threads: list[tuple[str, str, str, str]] = field(default_factory=list[tuple[str, str, str, str]])
    changed: list[User] = field(default_factory=list[User])

    async def person_changed(self, person: User) -> None:
        self.disk.write()
        self.changed.append(person)

    async def stop_person(self, team: str, user: str) -> Sequence[Stopped]:
        self.disk.write()
        stopped, self.live = [Stopped(run) for run in self.live], []
        return stopped

    async def stop_thread(self, team: str, user: str, channel: str, root_ts: str) -> Halt:
        self.threads.append((team, user, channel, root_ts))
        return Halt.STOPPED if await self.stop_person(team, user) else self.otherwise


@dataclass
class FakePeople:
    disk: Disk
    level: TrustLevel = TrustLevel.SUPERVISED
    allowed: list[str] = field(default_factory=list[str])
    turned: list[str] = field(default_factory=list[str])

    async def choose_level(self, team: str, user: str, text: str) -> LevelChoice:
        level = TrustLevel.parse(text)
        self.disk.write()
        self.level = level
        return LevelChoice(level=level, warning="Mind what you do." if level is TrustLevel.AUTONOMOUS else "")

    async def turned_away(self, team: str, user: str) -> None:
        self.disk.write()
        self.turned.append(user)

    async def allow(self, team: str, user: str, address: str) -> str:
        if "@" not in address:
            raise InvalidAddress(address)
        self.disk.write()
        self.allowed.append(address)
        return address

    async def disallow(self, team: str, user: str, address: str) -> str:
        self.disk.write()
        if recipient_typed(address) not in self.allowed:
            raise NotListed(address)
        self.allowed.remove(recipient_typed(address))
        return recipient_typed(address)


@dataclass
class FakeUndoing:
    disk: Disk
    pressed: list[Press] = field(default_factory=list[Press])
    trouble: Exception | None = None

    async def undo(self, press: Press) -> ClickOutcome:
        self.disk.write()
        if self.trouble:
            raise self.trouble
        self.pressed.append(press)
        first = len(self.pressed) == 1
        return ClickOutcome(accepted=first, text="" if first else "That is gone.")

    async def forget(self, press: Press) -> ClickOutcome:
        return await self.undo(press)


@dataclass
class FakeConnecting:
    disk: Disk
    linked: list[User] = field(default_factory=list[User])

    async def link(self, person: User, *, missing: frozenset[str] = frozenset()) -> str:
        self.disk.write()
        self.linked.append(person)
        return "https://countersign.example/connect"


@dataclass
class FakeHeld:
    disk: Disk
    deeds: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    async def undo(self, press: Press) -> ClickOutcome:
        return self._done("undo", press)

    async def send_now(self, press: Press) -> ClickOutcome:
        return self._done("now", press)

    def _done(self, deed: str, press: Press) -> ClickOutcome:
        self.disk.write()
        self.deeds.append((deed, press.value))
        return ClickOutcome(accepted=True)


@dataclass
class FakeQueries:
    places: dict[str, Place] = field(default_factory=dict[str, Place])
    cards: dict[str, CardView] = field(default_factory=dict[str, CardView])
    answers: dict[str, AnswerView] = field(default_factory=dict[str, AnswerView])
    notices: dict[str, NoticeView] = field(default_factory=dict[str, NoticeView])
    refusals: dict[str, RefusalView] = field(default_factory=dict[str, RefusalView])
    losses: dict[str, LossView] = field(default_factory=dict[str, LossView])
    pauses: dict[str, ResumedView] = field(default_factory=dict[str, ResumedView])
    waiting: dict[str, HeldView] = field(default_factory=dict[str, HeldView])
    homes: HomeView = field(default_factory=home_view)

    def put(self, place: Place) -> Place:
        self.places[place.run_id] = place
        return place

    async def place(self, run_id: str) -> Place:
        return self.places[run_id]

    async def card(self, question_id: str) -> CardView | None:
        view = self.cards.get(question_id)
        return replace(view, place=self.places.get(view.place.run_id, view.place)) if view else None

    async def answer(self, run_id: str) -> AnswerView:
        return replace(self.answers.get(run_id, answer_view()), place=self.places[run_id])

    async def notice(self, action_id: str) -> NoticeView:
        view = self.notices[action_id]
        return replace(view, place=self.places.get(view.place.run_id, view.place))

    async def held(self, run_id: str) -> HeldView | None:
        return self.waiting.get(run_id)

    async def refusal(self, subject: str) -> RefusalView:
        return self.refusals[subject]

    async def resumed(self, message_id: str) -> ResumedView:
        return self.pauses[message_id]

    async def loss(self, subject: str) -> LossView:
        return self.losses[subject]

    async def home(self, team: str, user: str) -> HomeView:
        return self.homes

    async def permissions(self, team: str, user: str) -> PermissionsView:
        return PermissionsView(level=self.homes.level, cap=self.homes.cap, allowed=self.homes.allowed)

    def is_delegated(self, person: User) -> bool:
        return False

    async def live_runs(self, team: str, user: str) -> Sequence[RunLine]:
        return [run_line()]


@dataclass
class FakeTimely:
    reminders: dict[str, ReminderView] = field(default_factory=dict[str, ReminderView])
    alarms: dict[str, ScheduledReminderView] = field(default_factory=dict[str, ScheduledReminderView])
    openings: dict[str, OpeningView] = field(default_factory=dict[str, OpeningView])

    async def reminder(self, question_id: str) -> ReminderView | None:
        return self.reminders.get(question_id)

    async def alarm(self, subject: str) -> ScheduledReminderView | None:
        return self.alarms.get(subject)

    async def opening(self, run_id: str) -> OpeningView:
        return self.openings[run_id]


@dataclass
class FakePosts:
    posts: dict[tuple[str, str], Post] = field(default_factory=dict[tuple[str, str], Post])
    roots: dict[str, str] = field(default_factory=dict[str, str])

    async def root(self, run_id: str, post: Post) -> None:
        self.roots[run_id] = post.ts

    async def save(self, post: Post, *, instead_of: Post | None = None) -> Post:
        standing = self.posts.get((post.run_id, post.slot))
        if standing is None or standing.ts in {post.ts, instead_of and instead_of.ts}:
            self.posts[post.run_id, post.slot] = post
        return self.posts[post.run_id, post.slot]

    async def has(self, team: str, channel: str, ts: str) -> bool:
        return any((post.channel, post.ts) == (channel, ts) for post in self.posts.values())

    async def find(self, run_id: str, slot: str) -> Post | None:
        return self.posts.get((run_id, slot))

    async def of_run(self, run_id: str) -> Sequence[Post]:
        return [post for post in self.posts.values() if post.run_id == run_id]


def delivery(kind: DeliveryKind, subject: str, *, attempts: int = 1) -> Delivery:
    return Delivery(
        id=1,
        lane="thr_1",
        kind=kind,
        subject=subject,
        team="T0FERNHILL",
        state=DeliveryState.PENDING,
        attempts=attempts,
        created_at=NOW,
    )
