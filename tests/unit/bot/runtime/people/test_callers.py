"""Who calls over HTTP, by any way of signing in, and who of them may use the agent."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import pytest

from bot.domain.threads import User
from bot.errors import BotError
from bot.runtime.core.ports import Authenticator, Caller, NoSuchPerson, NotAllowed, NotSignedIn, SignInUnavailable
from bot.runtime.people import callers
from bot.runtime.people.callers import RECORD_SECONDS, Callers
from bot.runtime.people.firebase import FirebaseAuthenticator
from bot.runtime.people.people import People
from bot.runtime.people.profiles import ProfileService
from integrations.identities import Identity
from tests.builders import DANA, MARA, TEAM
from tests.unit.bot.runtime.runtime_harness import Harness

OTHER = "T2"
PERSON = User(team=TEAM, user=DANA, name="Dana", email="dana@acme.com")


@dataclass(slots=True)
class Directory:
    """The people of some workspaces; `hangs` says that it does not answer, `is_away` that it cannot be asked."""

    people: list[User]
    hangs: bool = False
    is_away: bool = False

    async def profile(self, team: str, user: str) -> User:
        if self.hangs:
            await asyncio.Event().wait()
        if self.is_away:
            raise BotError
        found = [one for one in self.people if (one.team, one.user) == (team, user)]
        if not found:
            raise NoSuchPerson
        return found[0]

    async def with_address(self, team: str, email: str) -> User | None:
        if self.hangs:
            raise BotError
        return next((one for one in self.people if (one.team, one.email) == (team, email)), None)


@dataclass(slots=True)
class Way:
    """A way of signing in whose every cookie is this person's, or which raises this."""

    name: str
    who: Caller | BotError
    asked: list[str] = field(default_factory=list[str])

    async def caller(self, cookies: Mapping[str, str]) -> Caller | None:
        if self.name not in cookies:
            return None
        self.asked.append(cookies[self.name])
        if isinstance(self.who, BotError):
            raise self.who
        return self.who


@dataclass(slots=True)
class Known:
    """Where everybody is signed in as this account."""

    who: Identity

    async def identity(self, shown: str) -> Identity:
        return self.who


@dataclass(slots=True)
class Watch:
    seconds: float = 0.0

    def __call__(self) -> float:
        return self.seconds


def desk(here: Harness, *ways: Authenticator, people: list[User] | None = None) -> Callers:
    directory = Directory([PERSON] if people is None else people)
    profiles = ProfileService(store=here.base.store, profiles=directory)
    return Callers(
        authenticators=ways, profiles=profiles, people=People(transactions=here.transactions), monotonic=Watch()
    )


DANAS = Caller(team=TEAM, user=DANA)


async def test_the_first_way_that_knows_somebody_counts(here: Harness) -> None:
    """In their order; a session that ended keeps nobody out who is signed in in another way."""
    ended, second, third = Way("a", NotSignedIn()), Way("b", DANAS), Way("c", Caller(team=TEAM, user=MARA))
    made = desk(here, ended, second, third)
    assert await made.person({"a": "1", "b": "2", "c": "3"}) == PERSON
    assert (ended.asked, second.asked, third.asked) == (["1"], ["2"], [])


@pytest.mark.parametrize("cookies", [{}, {"other": "1"}, {"a": "1"}])
async def test_nobody_is_signed_in(here: Harness, cookies: dict[str, str]) -> None:
    """Without a cookie, with one that is none of ours, with a session that ended."""
    with pytest.raises(NotSignedIn):
        await desk(here, Way("a", NotSignedIn())).person(cookies)


@pytest.mark.parametrize("error", [NotAllowed("no"), SignInUnavailable()])
async def test_a_way_that_says_no_is_not_gone_around(here: Harness, error: BotError) -> None:
    """Neither who may not, nor who cannot be checked now, is asked for by another way."""
    second = Way("b", DANAS)
    with pytest.raises(type(error)):
        await desk(here, Way("a", error), second).person({"a": "1", "b": "2"})
    assert second.asked == []


@pytest.mark.parametrize("what", ["is_guest", "is_bot", "is_deleted"])
async def test_whoever_is_no_full_member_is_refused(here: Harness, what: str) -> None:
    """Each time that they ask, and the log has it once a minute."""
    made = desk(here, Way("a", DANAS), people=[replace(PERSON, **{what: True})])
    for _ in range(3):
        with pytest.raises(NotAllowed, match="full members"):
            await made.person({"a": "1"})
    assert here.codes() == ["person.turned_away"]
    assert isinstance(made.monotonic, Watch)
    made.monotonic.seconds += RECORD_SECONDS
    with pytest.raises(NotAllowed):
        await made.person({"a": "1"})
    assert here.codes() == ["person.turned_away"] * 2


async def test_a_person_is_looked_at_each_time(here: Harness) -> None:
    """Who was a member a moment ago may be none now."""
    made = desk(here, Way("a", DANAS))
    assert await made.person({"a": "1"}) == PERSON
    directory = made.profiles.profiles
    assert isinstance(directory, Directory)
    directory.people = [replace(PERSON, is_deleted=True)]
    with pytest.raises(NotAllowed):
        await made.person({"a": "1"})


async def test_somebody_whom_slack_does_not_know_is_refused(here: Harness) -> None:
    """An id in a claim is only an id."""
    with pytest.raises(NotAllowed, match="knows nobody"):
        await desk(here, Way("a", DANAS), people=[]).person({"a": "1"})


async def test_a_directory_that_hangs_holds_up_nobody_who_is_known(here: Harness) -> None:
    """The row counts then; of somebody unknown nothing is believed."""
    made = desk(here, Way("a", DANAS))
    await made.person({"a": "1"})
    slow = replace(made.profiles, profiles=Directory([], hangs=True), patience_seconds=0.01)
    assert await replace(made, profiles=slow).person({"a": "1"}) == PERSON
    unknown = Way("a", Caller(team=TEAM, user=MARA))
    with pytest.raises(SignInUnavailable):
        await replace(made, profiles=slow, authenticators=[unknown]).person({"a": "1"})


async def test_somebody_new_comes_again_when_slack_can_be_asked(here: Harness) -> None:
    """That it cannot be asked says nothing about them: a page would sign out whoever is refused."""
    made = desk(here, Way("a", DANAS))
    away = replace(made.profiles, profiles=Directory([PERSON], is_away=True))
    with pytest.raises(SignInUnavailable):
        await replace(made, profiles=away).person({"a": "1"})
    assert await made.person({"a": "1"}) == PERSON
    assert await replace(made, profiles=away).person({"a": "1"}) == PERSON


async def test_nobody_waits_for_ever(here: Harness) -> None:
    """What takes too long in all is not to be had now."""
    made = replace(desk(here, Way("a", DANAS)), limit_seconds=0.01)
    hanging = replace(made.profiles, profiles=Directory([], hangs=True))
    with pytest.raises(SignInUnavailable):
        await replace(made, profiles=hanging).person({"a": "1"})


async def test_what_is_kept_of_refusals_is_bounded(here: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """The person who was refused longest ago is forgotten first, and then in the log once more."""
    monkeypatch.setattr(callers, "MOST_REFUSED", 1)
    guests = [replace(PERSON, user=user, is_guest=True) for user in (DANA, MARA)]
    danas, maras = Way("a", DANAS), Way("b", Caller(team=TEAM, user=MARA))
    made = desk(here, danas, maras, people=guests)
    for cookie in ("a", "b", "b", "a"):
        with pytest.raises(NotAllowed):
            await made.person({cookie: "1"})
    assert here.codes() == ["person.turned_away"] * 3


# Whose Firebase account it is -----------------------------------------------------------------------------------------


async def seen(here: Harness, *people: User) -> None:
    async with here.base.store.write() as work:
        for one in people:
            await work.users.seen(one)


def by_firebase(
    here: Harness, *, email: str | None = None, people: list[User] | None = None, **claims: object
) -> FirebaseAuthenticator:
    """Everybody is signed in with this address and these claims; the agent is installed in two workspaces."""
    directory = Directory(people or [])
    return FirebaseAuthenticator(
        cookie="__session",
        teams=frozenset({TEAM, OTHER}),
        identities=Known(Identity(account="abc", email=email, claims=claims)),
        profiles=ProfileService(store=here.base.store, profiles=directory),
        directory=directory,
        store=here.base.store,
    )


COOKIE = {"__session": "x"}


async def test_claims_name_a_person(here: Harness) -> None:
    """By both ids, in a workspace where the agent is installed; its address does not matter then."""
    way = by_firebase(here, email="other@acme.com", slack_team_id=TEAM, slack_user_id=DANA)
    assert await way.caller(COOKIE) == DANAS
    assert await way.caller({}) is None


@pytest.mark.parametrize(
    "claims",
    [
        {"slack_team_id": "T9", "slack_user_id": DANA},
        {"slack_team_id": TEAM},
        {"slack_user_id": DANA},
        {"slack_team_id": TEAM, "slack_user_id": ""},
        {"slack_team_id": TEAM, "slack_user_id": "U1DANA\n"},
        {"slack_team_id": TEAM, "slack_user_id": "\ud800"},
        {"slack_team_id": TEAM, "slack_user_id": ["U1DANA"]},
        {"slack_team_id": [], "slack_user_id": DANA},
        {"slack_team_id": None, "slack_user_id": None},
    ],
)
async def test_claims_that_name_nobody_here_are_no_address(here: Harness, claims: dict[str, object]) -> None:
    """A workspace that is none of ours, half of a name, what is no id: the address is not tried instead."""
    await seen(here, PERSON)
    with pytest.raises(NotAllowed, match="slack_team_id"):
        await by_firebase(here, email=PERSON.email, people=[PERSON], **claims).caller(COOKIE)


async def test_a_confirmed_address_is_its_one_member(here: Harness) -> None:
    """In small letters or in capitals; without an address that was confirmed it is nobody."""
    await seen(here, PERSON, User(team=TEAM, user=MARA, email="mara@acme.com"))
    assert await by_firebase(here, email="DANA@Acme.com", people=[PERSON]).caller(COOKIE) == DANAS
    for nobody in (None, "dan@acme.com", "%"):
        with pytest.raises(NotAllowed):
            await by_firebase(here, email=nobody, people=[PERSON]).caller(COOKIE)


@pytest.mark.parametrize(
    ("given", "has"), [("mi\u212ae@acme.com", "mike@acme.com"), ("stra\xdfe@acme.com", "strasse@acme.com")]
)
async def test_an_address_of_other_letters_is_another_one(here: Harness, given: str, has: str) -> None:
    """The Kelvin sign is no k, and ß is not ss: whoever has an account with such an address is not that member."""
    member = replace(PERSON, email=has)
    await seen(here, member)
    for directory in ([member], []):
        with pytest.raises(NotAllowed):
            await by_firebase(here, email=given, people=directory).caller(COOKIE)
    known = by_firebase(here, email=given, people=[replace(member, email=given)])
    found = replace(known, profiles=ProfileService(store=known.store, profiles=Directory([member])))
    with pytest.raises(NotAllowed):
        await found.caller(COOKIE)


async def test_an_address_in_two_workspaces_is_nobody(here: Harness) -> None:
    """Nor is one that two members have; guests and workspaces that are none of ours do not count."""
    await seen(here, PERSON, replace(PERSON, team="T9"), replace(PERSON, team=OTHER, is_guest=True))
    assert await by_firebase(here, email=PERSON.email, people=[PERSON]).caller(COOKIE) == DANAS
    await seen(here, replace(PERSON, team=OTHER))
    with pytest.raises(NotAllowed):
        await by_firebase(here, email=PERSON.email, people=[PERSON]).caller(COOKIE)


async def test_an_address_that_moved_on_is_nobody(here: Harness) -> None:
    """The row may be older than what Slack says now."""
    await seen(here, PERSON)
    moved = replace(PERSON, email="dana.okafor@acme.com")
    with pytest.raises(NotAllowed):
        await by_firebase(here, email="dana@acme.com", people=[moved]).caller(COOKIE)


async def test_an_address_is_found_of_somebody_who_never_spoke_to_the_agent(here: Harness) -> None:
    """Slack is asked where no row has the address; in two workspaces it is nobody's; without Slack it is not known."""
    assert await by_firebase(here, email=PERSON.email, people=[PERSON]).caller(COOKIE) == DANAS
    both = [PERSON, replace(PERSON, team=OTHER)]
    with pytest.raises(NotAllowed):
        await by_firebase(
            here, email="dana2@acme.com", people=[replace(one, email="dana2@acme.com") for one in both]
        ).caller(COOKIE)
    half = by_firebase(here, email="mara@acme.com", people=[replace(PERSON, user=MARA, email="mara@acme.com")])
    away = ProfileService(store=half.store, profiles=Directory([], is_away=True))
    with pytest.raises(SignInUnavailable):
        await replace(half, profiles=away).caller(COOKIE)
    silent = by_firebase(here, email="dana3@acme.com")
    with pytest.raises(SignInUnavailable):
        await replace(silent, directory=Directory([], hangs=True)).caller(COOKIE)
