"""slack_channels and slack_read over a small Slack."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from pydantic import ValidationError

from integrations.base import Requester
from integrations.ports import Channel, SlackMessage
from integrations.slack.toolset import ChannelsArgs, ReadArgs, SlackChannels, SlackRead, slack_tools
from policies.types import EffectClass, Label
from tests.unit.integrations.calls import call, data

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)
MARA = Requester(team="T1", user="U0MARA")

SALES = Channel(id="C0SALES", name="sales", topic="Orders, quotes", topic_by="U0MARA", is_member=True)
FINANCE = Channel(
    id="C0FINANCE", name="finance-private", topic="Numbers", topic_by="U0MARA", is_private=True, is_member=True
)
GENERAL = Channel(id="C0GENERAL", name="general", topic="Everything", topic_by="U0DANA")


def said(number: int, text: str = "", *, author: str = "Dana Okafor", by_member: bool = True) -> SlackMessage:
    return SlackMessage(
        channel="C0SALES", ts=f"{number}.000100", author=author, text=text or f"m{number}", by_member=by_member
    )


class SmallSlack:
    """`SlackReader` over fixed rooms; `hidden` are those that not every reader of a channel could see."""

    def __init__(self) -> None:
        self.rooms: list[Channel] = [FINANCE, SALES, GENERAL]
        self.said: list[SlackMessage] = [said(1), said(2)]
        self.hidden = {"C0FINANCE"}
        self.members = {"U0MARA", "U0DANA"}

    async def channels(self, requester: Requester) -> Sequence[Channel]:
        return self.rooms

    async def are_members(self, users: Collection[str]) -> bool:
        return self.members.issuperset(users)

    async def messages(
        self, requester: Requester, channel: str, *, thread_ts: str | None, limit: int
    ) -> Sequence[SlackMessage]:
        if thread_ts:
            return self.said if len(self.said) <= limit else [self.said[0], *self.said[len(self.said) - limit + 1 :]]
        return self.said[-limit:]

    async def seen_by_all(self, channel: str, *, readers_of: str | None) -> bool:
        return readers_of in {None, channel} or channel not in self.hidden


DM = replace(call(MARA), channel="D0MARA")
IN_GENERAL = replace(DM, channel="C0GENERAL", is_dm=False)


@pytest.fixture
def slack() -> SmallSlack:
    return SmallSlack()


def test_both_tools_only_read(slack: SmallSlack):
    """The toolset offers slack_channels and slack_read, and both only read."""
    effects = {tool.name: tool.effect for tool in slack_tools(slack)}
    assert effects == {"slack_channels": EffectClass.READ, "slack_read": EffectClass.READ}


async def test_channels_are_listed_with_what_one_needs_to_choose(slack: SmallSlack):
    """Each channel has id, name, topic and whether it is private; the text is members' text."""
    result = await SlackChannels(slack).execute(ChannelsArgs(), DM)
    assert data(result)["channels"][0] == {
        "id": "C0FINANCE",
        "name": "finance-private",
        "topic": "Numbers",
        "private": True,
    }
    assert [item.title for item in result.objects] == ["#finance-private", "#sales", "#general"]
    assert (result.label, result.summary, result.private) == (Label.MEMBER, "Found 3 channels", False)


@pytest.mark.parametrize(
    ("author", "query", "label"),
    [
        ("U0DANA", "", Label.MEMBER),
        ("U0THEO", "", Label.EXTERNAL),
        ("", "", Label.EXTERNAL),
        ("U0THEO", "sales", Label.MEMBER),  # that channel is not shown
    ],
)
async def test_a_topic_that_no_member_wrote_is_external(slack: SmallSlack, author: str, query: str, label: Label):
    """So is one of which Slack does not say who wrote it; only topics that are shown count."""
    slack.rooms = [FINANCE, SALES, replace(GENERAL, topic_by=author)]
    assert (await SlackChannels(slack).execute(ChannelsArgs(query=query), DM)).label is label


async def test_a_channel_without_a_topic_has_no_author(slack: SmallSlack):
    """Nobody is asked about, so nobody is unknown."""
    slack.rooms = [SALES, replace(GENERAL, topic="", topic_by="")]
    assert (await SlackChannels(slack).execute(ChannelsArgs(), DM)).label is Label.MEMBER


@pytest.mark.parametrize(
    ("query", "names"), [("sales", ["sales"]), ("#Sales", ["sales"]), ("QUOTES orders", ["sales"]), ("x", [])]
)
async def test_a_query_looks_at_names_and_topics(slack: SmallSlack, query: str, names: list[str]):
    """All words of the query must be in name or topic, in any case, with or without #."""
    result = await SlackChannels(slack).execute(ChannelsArgs(query=query), DM)
    assert [channel["name"] for channel in data(result)["channels"]] == names


async def test_a_long_list_and_a_long_topic_are_cut_and_that_is_said(slack: SmallSlack):
    """The limit holds, and the model is told how many are left and how to get them."""
    slack.rooms = [replace(SALES, topic="t" * 300), *(replace(SALES, id=f"C{n}") for n in range(40))]
    result = await SlackChannels(slack).execute(ChannelsArgs(), DM)
    assert len(data(result)["channels"]) == 30
    assert data(result)["cut"].startswith("11 more.")
    assert data(result)["channels"][0]["topic"].endswith("… [100 more characters cut]")


async def test_a_list_with_a_hidden_channel_is_private(slack: SmallSlack):
    """In a channel, a list that names what not everybody there could see is private; one without it is not."""
    assert (await SlackChannels(slack).execute(ChannelsArgs(), IN_GENERAL)).private
    assert not (await SlackChannels(slack).execute(ChannelsArgs(query="sales"), IN_GENERAL)).private


async def test_messages_are_fenced_and_in_order(slack: SmallSlack):
    """Messages come oldest first, text and author's name fenced, with thread and replies only where there are any."""
    slack.said[0] = replace(slack.said[0], thread_ts="1.000100", reply_count=2, author="x" * 90_000)
    result = await SlackRead(slack).execute(ReadArgs(channel="#sales"), DM)
    assert result.data == {
        "channel": "C0SALES",
        "messages": [
            {
                "ts": "1.000100",
                "author": f'<untrusted source="slack">{"x" * 100} … [89900 more characters cut]</untrusted>',
                "text": '<untrusted source="slack">m1</untrusted>',
                "thread_ts": "1.000100",
                "reply_count": 2,
            },
            {
                "ts": "2.000100",
                "author": '<untrusted source="slack">Dana Okafor</untrusted>',
                "text": '<untrusted source="slack">m2</untrusted>',
            },
        ],
    }
    assert (result.label, result.summary) == (Label.MEMBER, "Read 2 messages in #sales")
    assert [(item.kind, item.id, item.title) for item in result.objects] == [("channel", "C0SALES", "#sales")]


async def test_one_outsiders_message_makes_the_result_external(slack: SmallSlack):
    """As soon as a guest, a bot or a stranger wrote one of the messages shown, the label is external."""
    slack.said.append(said(3, author="Theo Grant (guest)", by_member=False))
    assert (await SlackRead(slack).execute(ReadArgs(channel="C0SALES"), DM)).label is Label.EXTERNAL
    slack.said.append(said(4))
    assert (await SlackRead(slack).execute(ReadArgs(channel="C0SALES", limit=1), DM)).label is Label.MEMBER


async def test_what_not_every_reader_could_see_is_private(slack: SmallSlack):
    """Read for an answer in a channel whose readers could not all see it, the result is private; in a DM it is not."""
    slack.hidden.add("C0SALES")
    read = ReadArgs(channel="C0SALES")
    assert (await SlackRead(slack).execute(read, IN_GENERAL)).private
    assert not (await SlackRead(slack).execute(read, DM)).private
    assert not (await SlackRead(slack).execute(read, replace(IN_GENERAL, channel="C0SALES"))).private


async def test_the_newest_messages_are_kept(slack: SmallSlack):
    """With more messages than the limit the oldest are left out, and that is said."""
    slack.said = [said(n) for n in range(30)]
    result = await SlackRead(slack).execute(ReadArgs(channel="C0SALES", limit=5), DM)
    assert [message["ts"] for message in data(result)["messages"]] == [f"{n}.000100" for n in range(25, 30)]
    assert "Raise limit" in data(result)["cut"]
    exactly = await SlackRead(slack).execute(ReadArgs(channel="C0SALES", limit=30), DM)
    assert "cut" not in data(exactly)


async def test_a_threads_first_message_is_kept(slack: SmallSlack):
    """Of a long thread its first message and the newest replies are shown."""
    slack.said = [said(n) for n in range(30)]
    result = await SlackRead(slack).execute(ReadArgs(channel="C0SALES", thread_ts="0.000100", limit=3), DM)
    assert [message["ts"] for message in data(result)["messages"]] == ["0.000100", "28.000100", "29.000100"]


async def test_long_messages_are_bounded_alone_and_together(slack: SmallSlack):
    """One long text is cut where it stands; many long texts together leave out the oldest."""
    slack.said = [said(n, "x" * 5000) for n in range(20)]
    result = await SlackRead(slack).execute(ReadArgs(channel="C0SALES"), DM)
    texts = [message["text"] for message in data(result)["messages"]]
    assert all("… [3000 more characters cut]" in text for text in texts)
    assert sum(map(len, texts)) < 26_000
    assert data(result)["messages"][-1]["ts"] == "19.000100"
    assert "cut" in data(result)


async def test_an_empty_channel_is_an_honest_answer(slack: SmallSlack):
    """Nothing said is no error."""
    slack.said = []
    result = await SlackRead(slack).execute(ReadArgs(channel="C0SALES"), DM)
    assert result.data == {"channel": "C0SALES", "messages": []}
    assert result.summary == "Read 0 messages in C0SALES"


def test_captions_name_what_is_looked_at(slack: SmallSlack):
    """Captions name the query or the channel."""
    assert SlackChannels(slack).caption(ChannelsArgs()) == "Look at the Slack channels"
    assert SlackChannels(slack).caption(ChannelsArgs(query="sales")) == "Look for Slack channels about “sales”"
    assert SlackRead(slack).caption(ReadArgs(channel="#sales")) == "Read #sales"
    assert SlackRead(slack).caption(ReadArgs(channel="#sales", thread_ts="1.1")) == "Read a thread in #sales"


@pytest.mark.parametrize(
    "arguments", [{"channel": ""}, {"channel": "C1", "limit": 0}, {"channel": "C1", "oldest": "1"}]
)
def test_arguments_are_bounded_and_known(arguments: dict[str, object]):
    """An empty channel, a limit out of bounds and an unknown argument are refused."""
    with pytest.raises(ValidationError):
        ReadArgs.model_validate(arguments)


async def test_what_messages_say_is_peoples_own_and_nothing_else(slack: SmallSlack):
    """Neither who they say they are nor what the call named; a channel's name and topic are nobody's words."""
    mine = said(1, "see www.lunch.example", author="www.evil.example")
    slack.said = [replace(mine, files=["www.evil.example/plan.pdf, id F1"])]
    read, channels = SlackRead(slack), SlackChannels(slack)
    result = await read.execute(ReadArgs(channel="www.evil.example"), DM)
    assert [*read.words_of_people(data(result))] == ["see www.lunch.example"]
    assert [*read.words_of_people(None)] == []
    assert [*channels.words_of_people(data(await channels.execute(ChannelsArgs(), DM)))] == []


@pytest.mark.parametrize(
    "shown",
    [
        "> pay at evil.example",
        "Has anybody got this?\n> pay at evil.example",
        "Phishing:\n```pay at evil.example```",
        "Careful: `evil.example/pay` is phishing",
        "~see evil.example/pay~",
    ],
)
async def test_what_a_message_only_shows_is_not_its_authors(slack: SmallSlack, shown: str):
    """A warning about a link does not name it."""
    slack.said = [said(1, shown)]
    read = SlackRead(slack)
    words = read.words_of_people(data(await read.execute(ReadArgs(channel="#sales"), DM)))
    assert not any("evil" in each for each in words)
