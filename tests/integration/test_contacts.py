"""The places where contacts stand, against the emulators."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio
from slack_sdk.web.async_client import AsyncWebClient

from integrations.base import Requester
from integrations.gmail.incoming.contacts import MailContacts
from integrations.google.scopes import CONTACTS, DIRECTORY, MAIL_READ, OTHER_CONTACTS
from integrations.people.google_contacts import GoogleContacts
from integrations.ports import Contacts
from integrations.slack.people import WebContacts
from playground import people
from playground.google.gmail.letters import Letter
from playground.people import DANA, MARA, THEO
from playground.serve import Served
from playground.slack.emulator import Emulator
from playground.slack.settings import Settings
from policies.types import Label
from tests.integration.google_world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def slack_url() -> AsyncGenerator[str]:
    async with Served(Emulator(Settings()).app) as url:
        yield url


def of(person: people.Person) -> Requester:
    return Requester(team=people.TEAM_ID, user=person.user_id, email=person.email)


async def found(place: Contacts, who: people.Person, name: str) -> list[tuple[str, str]]:
    return [(each.name, each.email) for each in (await place.named(of(who), name)).people]


async def test_slack_profiles_have_addresses(world: World, slack_url: str) -> None:
    """By first name, full name or handle; apps, those who left and strangers are nobody's contacts."""
    client = AsyncWebClient(token=people.BOT_TOKEN, base_url=f"{slack_url}/api/", trust_env_in_session=False)
    place = WebContacts(client=client, clock=world.clock)
    for typed in ("dana", "Dana Okafor", "okafor"):
        assert await found(place, MARA, typed) == [("Dana Okafor", "dana@fernhill.example")]
    [theo] = (await place.named(of(MARA), "theo")).people
    assert theo.known_from.startswith("Slack profile of a guest")
    assert theo.label is Label.EXTERNAL
    assert await found(place, MARA, "countersign") == await found(place, MARA, "olaf") == []
    assert await found(place, THEO, "dana") == []  # a guest sees few in Slack
    mentioned = await place.mentioned(of(MARA), people.DANA.user_id)
    assert mentioned is not None
    assert mentioned.email == "dana@fernhill.example"
    assert await place.mentioned(of(MARA), people.BOT_USER_ID) is None
    assert await place.mentioned(of(THEO), people.DANA.user_id) is None


async def test_people_of_another_workspace_are_nobodys_contacts(world: World) -> None:
    """In a shared channel one sees them, and Slack calls them no strangers; they choose their names themselves."""
    emulator = Emulator(Settings())
    emulator.workspace.world.users[DANA.user_id].team_id = "T0OTHER"
    async with Served(emulator.app) as url:
        client = AsyncWebClient(token=people.BOT_TOKEN, base_url=f"{url}/api/", trust_env_in_session=False)
        place = WebContacts(client=client, clock=world.clock)
        assert await found(place, MARA, "dana") == []
        assert await place.mentioned(of(MARA), DANA.user_id) is None


async def test_slack_profiles_have_zones(world: World, slack_url: str) -> None:
    """Where colleagues are is known from their profiles, whatever the case of the address; a guest is told nothing."""
    client = AsyncWebClient(token=people.BOT_TOKEN, base_url=f"{slack_url}/api/", trust_env_in_session=False)
    place = WebContacts(client=client, clock=world.clock)
    asked = ["DANA@fernhill.example", "nobody@fernhill.example"]
    assert await place.zones(of(MARA), asked) == {"DANA@fernhill.example": "Europe/London"}
    assert await place.zones(of(THEO), asked) == {}


async def test_whom_one_wrote_to_and_heard_from_is_known(world: World) -> None:
    """Names come from the mails' heads; a hit in the text alone is nobody."""
    place = MailContacts(world.google)
    assert ("Bruno Keller", "bruno@kellerholz.example") in await found(place, MARA, "Bruno")
    assert await found(place, MARA, "loungers") == await found(place, MARA, "…") == []
    before = len(await found(place, MARA, "Helen"))
    await world.execute("gmail_send", {"to": ["Helen Marsh <helen@new.example>"], "subject": "x", "body": "x"})
    contacts = (await place.named(of(MARA), "Helen")).people
    assert len(contacts) == before + 1
    assert (contacts[0].email, contacts[0].known_from) == ("helen@new.example", "mail that you sent")


def arrives(world: World, sender: str, times: int = 1) -> str:
    """Mails from somebody to Mara, each in a thread of its own; the id of the last."""
    heads = f"From: {sender}\r\nTo: {MARA.email}\r\nSubject: {sender}"
    letters = [Letter(f"{heads} {n}\r\n\r\nHello".encode()) for n in range(times)]
    return str([world.emulator.world.post.deliver(letter)[0] for letter in letters][-1].thread_id)


async def test_whom_one_hears_from_often_hides_nobody_of_the_same_name(world: World) -> None:
    """Behind more than twenty threads of one there is another; what was not looked at even so is said."""
    place = MailContacts(world.google)
    arrives(world, "Zoe Old <zoe@old.example>")
    arrives(world, "Zoe New <zoe@new.example>", times=21)
    known = await place.named(of(MARA), "Zoe")
    assert {each.email for each in known.people} == {"zoe@old.example", "zoe@new.example"}
    assert known.unseen == ""
    arrives(world, "Zoe Third <zoe@third.example>", times=21)
    assert (await place.named(of(MARA), "Zoe")).unseen.startswith("Older mails")


async def test_heads_that_were_refused_are_said(world: World) -> None:
    """A person in a thread that could not be read may be the one who is meant."""
    hidden = arrives(world, "Zoe Old <zoe@old.example>")
    arrives(world, "Zoe New <zoe@new.example>")
    world.fault("error", f"/threads/{hidden}", status=429, error="rateLimitExceeded", times=-1)
    known = await MailContacts(world.google).named(of(MARA), "Zoe")
    assert [each.email for each in known.people] == ["zoe@new.example"]
    assert known.unseen.startswith("1 mail thread could not be read")


async def test_contacts_are_asked_only_where_they_were_granted(world: World) -> None:
    """Own contacts, those that Gmail remembers, and the directory, each behind its scope; nothing else is asked."""
    place = GoogleContacts(world.google)
    assert await found(place, DANA, "Helen") == []
    assert world.requests("/v1/") == 0
    scopes = [MAIL_READ, CONTACTS, OTHER_CONTACTS, DIRECTORY]
    await world.admin("grants", {"person": "dana", "scopes": scopes})
    world.grants.scopes = frozenset(scopes)
    assert await found(place, DANA, "helen") == [
        ("Helen Marsh", "helen.marsh@marshgardens.example"),
        ("Helen Marsh", "helen@marsh-family.example"),
        ("Helen Brandt", "helen.brandt@kellerholz.example"),
    ]
    assert ("Nora Falk", "nora.falk@") in [(n, e[:10]) for n, e in await found(place, DANA, "nora")]
    assert ("Priya Raman", "priya@fernhill.example") in await found(place, DANA, "Priya")
