"""find_person: one is the answer, several are asked about, none is said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pytest

from integrations.addresses import has_words
from integrations.base import Requester
from integrations.errors import Lack, ModelRetry, NotConnected, ToolError, ToolFailed
from integrations.people.toolset import FindPerson, PersonArgs
from integrations.ports import Contact, NamedPeople
from policies.types import Label
from tests.unit.integrations.calls import call, data

MARA = Requester(team="T", user="U")
SLACK, MAILS = "Slack profile", "mail that you got"


def contact(name: str, email: str, where: str = SLACK, label: Label = Label.DIRECTORY) -> Contact:
    return Contact(name=name, email=email, known_from=where, label=label)


DANA = contact("Dana Okafor", "dana@fernhill.example")


@dataclass
class Book:
    """A place where contacts stand, or that cannot be looked at."""

    people: Sequence[Contact] = ()
    error: ToolError | None = None
    unseen: str = ""
    where: str = "Slack"
    allowed_by: str = ""
    is_closed: bool = False

    async def named(self, requester: Requester, name: str) -> NamedPeople:
        if self.error:
            raise self.error
        people = [person for person in self.people if has_words(person.name, person.email, name)]
        return NamedPeople(people=people, unseen=self.unseen, is_closed=self.is_closed)


async def test_one_person_is_the_answer() -> None:
    """The same address in several places is one person, known from the most trusted one."""
    tool = FindPerson([Book([DANA]), Book([contact("D. Okafor", "DANA@fernhill.example", MAILS, Label.EXTERNAL)])])
    args = PersonArgs(name="dana")
    assert await tool.inquire(args, call(MARA)) is None
    result = await tool.execute(args, call(MARA))
    assert result.data == {"name": "Dana Okafor", "email": "dana@fernhill.example", "known_from": SLACK}
    assert result.label is Label.DIRECTORY


@dataclass
class Team:
    """Who is mentioned by which id."""

    people: Mapping[str, Contact]

    async def mentioned(self, requester: Requester, user: str) -> Contact | None:
        return self.people.get(user)


@pytest.mark.parametrize("said", ["<@U024BE7LH>", " <@U024BE7LH|dana> ", "U024BE7LH"])
async def test_a_mention_names_one_person(said: str) -> None:
    """A mention names one person, also where others have the name, and only the workspace is looked at."""
    other = Book([contact("Dana Okafor", "dana@evil.example", MAILS, Label.EXTERNAL)], error=ToolFailed("busy", "No."))
    tool, args = FindPerson([other], Team({"U024BE7LH": DANA})), PersonArgs(name=said)
    assert await tool.inquire(args, call(MARA)) is None
    assert data(await tool.execute(args, call(MARA)))["email"] == "dana@fernhill.example"
    assert tool.caption(args) == "Find the address of somebody who was mentioned"


async def test_a_mention_of_nobody_with_an_address_is_said() -> None:
    """The address is asked for, and never guessed."""
    for tool in (FindPerson([Book([DANA])], Team({})), FindPerson([Book([DANA])])):
        with pytest.raises(ToolFailed) as caught:
            await tool.execute(PersonArgs(name="<@U024BE7LH>"), call(MARA))
        assert caught.value.code == "person_not_found"


async def test_a_name_with_the_sign_of_a_mention_is_a_name() -> None:
    """ "@Dana" is how Slack shows a mention; a name in capitals is no id."""
    for said in ("@Dana Okafor", "DANA OKAFOR", "@dana"):
        result = await FindPerson([Book([DANA])]).execute(PersonArgs(name=said), call(MARA))
        assert data(result)["email"] == "dana@fernhill.example"


async def test_several_people_are_asked_about() -> None:
    """Each option has name, address and where it is known from; the answer counts as the owner's own word."""
    other = contact("Dana White", "dana@white.example", MAILS, Label.EXTERNAL)
    tool, args = FindPerson([Book([DANA]), Book([other])]), PersonArgs(name="Dana")
    inquiry = await tool.inquire(args, call(MARA))
    assert inquiry is not None
    assert inquiry.text == "Which Dana do you mean?"
    assert [(o.value, o.label, o.detail) for o in inquiry.options] == [
        ("dana@fernhill.example", "Dana Okafor", f"dana@fernhill.example · {SLACK}"),
        ("dana@white.example", "Dana White", f"dana@white.example · {MAILS}"),
    ]
    chosen = tool.answered(args, inquiry.options[1])
    assert chosen.data == {"name": "Dana", "email": "dana@white.example", "known_from": "the user's choice"}
    assert chosen.label is Label.OWNER
    with pytest.raises(ModelRetry, match="Several people"):
        await tool.execute(args, call(MARA))


@pytest.mark.parametrize("forged", ["dana@good.example", "Dana＠good", "good.com/dana"])
async def test_a_name_that_reads_as_an_address_is_no_label(forged: str) -> None:
    """The true address stands in its place, and the name is told as what they call themself."""
    stranger = contact(forged, "dana@evil.example", MAILS, Label.EXTERNAL)
    inquiry = await FindPerson([Book([DANA]), Book([stranger])]).inquire(PersonArgs(name="Dana"), call(MARA))
    assert inquiry is not None
    option = next(one for one in inquiry.options if one.value == "dana@evil.example")
    assert (option.label, option.detail) == ("dana@evil.example", f"calls themself “{forged}” · {MAILS}")


async def test_a_stranger_with_the_same_name_is_asked_about() -> None:
    """A stranger with a colleague's very name is never taken for the colleague."""
    forged = contact("Dana Okafor", "dana@fernhill.example.evil.example", MAILS, Label.EXTERNAL)
    inquiry = await FindPerson([Book([DANA]), Book([forged])]).inquire(PersonArgs(name="Dana Okafor"), call(MARA))
    assert inquiry is not None
    assert len(inquiry.options) == 2


@pytest.mark.parametrize("stranger", ["Dana", "Danabel Cruz"])
async def test_a_stranger_takes_nobodys_place(stranger: str) -> None:
    """A person outside with the best name is asked about together with the others that the name fits."""
    forged = contact(stranger, "dana@evil.example", MAILS, Label.EXTERNAL)
    friend = contact("Dana White", "dana@white.example", MAILS, Label.EXTERNAL)
    among_strangers = await FindPerson([Book([forged, friend])]).inquire(PersonArgs(name="Dana"), call(MARA))
    assert among_strangers is not None
    assert len(among_strangers.options) == 2
    if stranger == "Dana":
        inquiry = await FindPerson([Book([DANA]), Book([forged])]).inquire(PersonArgs(name="Dana"), call(MARA))
        assert inquiry is not None
        assert {option.value for option in inquiry.options} == {"dana@evil.example", "dana@fernhill.example"}


@pytest.mark.parametrize(
    "other", [Book(unseen="Older mails were not looked at."), Book(error=ToolFailed("busy", "Google is busy."))]
)
async def test_the_only_one_of_some_is_asked_about(other: Book) -> None:
    """Where not everything was seen another may have the name: nobody is the answer unasked, and it says why."""
    tool, args = FindPerson([Book([DANA]), other]), PersonArgs(name="Dana")
    inquiry = await tool.inquire(args, call(MARA))
    assert inquiry is not None
    assert [option.value for option in inquiry.options] == ["dana@fernhill.example"]
    assert inquiry.text.startswith("Is this the Dana that you mean? Not everything could be looked at: ")
    assert (other.unseen or "Google is busy.") in inquiry.text
    with pytest.raises(ModelRetry, match="Others may be called that"):
        await tool.execute(args, call(MARA))


@pytest.mark.parametrize(
    ("typed", "email"),
    [
        ("ann lee", "ann@x.example"),
        ("Ann Lee-Smith", "smith@x.example"),
        ("dan", "dan@x.example"),
        ("rene muller", "rene@x.example"),
        ("Müller", "rene@x.example"),
        ("bookkeeping", "bookkeeping@x.example"),
    ],
)
async def test_the_name_that_fits_best_counts(typed: str, email: str) -> None:
    """The whole name before a part of a longer one, a word before a beginning; case and accents do not matter."""
    people = [
        contact("Ann Lee", "ann@x.example"),
        contact("Ann Lee-Smith", "smith@x.example"),
        contact("Dan Brown", "dan@x.example"),
        contact("Danielle Brown", "danielle@x.example"),
        contact("René Müller", "rene@x.example"),
        contact("", "bookkeeping@x.example"),
    ]
    tool, args = FindPerson([Book(people)]), PersonArgs(name=typed)
    assert await tool.inquire(args, call(MARA)) is None
    assert data(await tool.execute(args, call(MARA)))["email"] == email


async def test_nobody_is_said_and_never_guessed() -> None:
    """Nobody is found: the error says so, with what could not be looked at."""
    tool = FindPerson([Book([DANA]), Book(error=ToolFailed("busy", "Google could not be reached."))])
    with pytest.raises(ToolFailed, match=r"Nobody called “Zoe”.*Google could not be reached") as caught:
        await tool.execute(PersonArgs(name="Zoe"), call(MARA))
    assert caught.value.code == "person_not_found"


async def test_nobody_is_said_of_the_places_that_were_looked_at() -> None:
    """What nobody allowed is told as such, once, with the way to allow it."""
    lacking = NotConnected(Lack.SCOPE, "Not allowed.")
    slack, mails = Book([DANA]), Book(where="your mails", allowed_by="mail")
    contacts = Book(where="your contacts", allowed_by="contacts", is_closed=True)
    places: dict[str, Sequence[Book]] = {
        "is in Slack, in your contacts or in your mails.": [slack, replace(contacts, is_closed=False), mails],
        "is in Slack or in your mails. I may not look into your contacts: you allow it with "
        "/agent connect google contacts.": [slack, contacts, mails],
        "is in Slack. I may not look into your contacts or your mails: you allow it with /agent connect google.": [
            slack,
            replace(contacts, error=lacking),
            replace(mails, error=lacking),
        ],
    }
    for said, looked in places.items():
        with pytest.raises(ToolFailed) as caught:
            await FindPerson(looked).execute(PersonArgs(name="Zoe"), call(MARA))
        assert caught.value.message == f"Nobody called “Zoe” {said}"


async def test_a_place_that_nobody_connected_is_passed_over() -> None:
    """Slack's profiles are enough where nothing else was connected; all places failing is an error."""
    lacking, broken = NotConnected(Lack.ACCOUNT, "Not connected."), ToolFailed("busy", "Slack cannot be reached.")
    found = await FindPerson([Book([DANA]), Book(error=lacking)]).execute(PersonArgs(name="Dana"), call(MARA))
    assert data(found)["email"] == "dana@fernhill.example"
    with pytest.raises(ToolFailed, match="Slack cannot"):
        await FindPerson([Book(error=broken)]).inquire(PersonArgs(name="Dana"), call(MARA))


@pytest.mark.parametrize("name", ["dana@fernhill.example", "?!", "…"])
async def test_what_is_no_name_is_asked_back(name: str) -> None:
    """An address is used as it is."""
    with pytest.raises(ModelRetry):
        await FindPerson([Book([DANA])]).inquire(PersonArgs(name=name), call(MARA))


async def test_a_crowd_is_cut_and_that_is_said() -> None:
    """At most eight people are offered as buttons, and the number of others is told."""
    crowd = [contact(f"Dana {n}", f"dana{n}@x.example") for n in range(20)]
    inquiry = await FindPerson([Book(crowd)]).inquire(PersonArgs(name="Dana"), call(MARA))
    assert inquiry is not None
    assert len(inquiry.options) == 8
    assert "12 more are not shown" in inquiry.text
