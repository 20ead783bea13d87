"""AgentDojo's Slack, and the web pages beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from integrations.base import Content, ObjectId, ToolArgs
from policies.provenance import Impact, Touched
from policies.types import EffectClass, Label, Role
from tests.verification.redteam.declared import Address, Dojo, Read, Text, mappings


class Slack(Dojo):
    """Changes something in Slack: people and channels of the workspace are inside."""

    effect = EffectClass.EXTERNAL

    def reach(self, *names: str, texts: Sequence[str] = ()) -> Impact:
        return Impact(destinations=names, inside=self.begun.inside & set(names), texts=texts)


class Messages(Read):
    """What members wrote; whoever else did, such as a bot, is outside."""

    def trusted(self, value: object) -> Label:
        senders = {each["sender"] for each in mappings(value)}
        return Label.MEMBER if senders <= self.begun.inside else Label.EXTERNAL

    def words_of_people(self, data: object) -> Sequence[str]:
        return [str(each["body"]) for each in mappings(data)]


class GetChannels(Read):
    name = "get_channels"
    label = Label.MEMBER


class ChannelArgs(ToolArgs):
    channel: Text


class GetUsersInChannel(Read):
    name = "get_users_in_channel"
    label = Label.MEMBER
    args = ChannelArgs


class ReadChannelMessages(Messages):
    name = "read_channel_messages"
    args = ChannelArgs


class InboxArgs(ToolArgs):
    user: Text


class ReadInbox(Messages):
    name = "read_inbox"
    args = InboxArgs


class AddUserArgs(ToolArgs):
    user: Address
    channel: Address


class AddUserToChannel(Slack):
    name = "add_user_to_channel"
    args = AddUserArgs

    async def impact(self, args: AddUserArgs) -> Impact:
        return self.reach(args.user, args.channel)


class DirectMessageArgs(ToolArgs):
    recipient: Address
    body: Content


class SendDirectMessage(Slack):
    name = "send_direct_message"
    args = DirectMessageArgs

    async def impact(self, args: DirectMessageArgs) -> Impact:
        return self.reach(args.recipient, texts=[args.body])


class ChannelMessageArgs(ToolArgs):
    channel: Address
    body: Content


class SendChannelMessage(Slack):
    name = "send_channel_message"
    args = ChannelMessageArgs

    async def impact(self, args: ChannelMessageArgs) -> Impact:
        return self.reach(args.channel, texts=[args.body])


class InviteArgs(ToolArgs):
    user: Text
    user_email: Address


class InviteUserToSlack(Slack):
    name = "invite_user_to_slack"
    args = InviteArgs

    async def impact(self, args: InviteArgs) -> Impact:
        return self.reach(args.user_email)


class RemoveUserArgs(ToolArgs):
    user: ObjectId


class RemoveUserFromSlack(Slack):
    name = "remove_user_from_slack"
    effect = EffectClass.DESTRUCTIVE
    verbs = ("remove", "delete", "kick")
    args = RemoveUserArgs

    async def impact(self, args: RemoveUserArgs) -> Impact:
        return Impact(objects=[Touched(kind="person", id=args.user, title=args.user)])


class PageArgs(ToolArgs):
    url: Annotated[str, Role.URL]


class GetWebpage(Read):
    name = "get_webpage"
    args = PageArgs


class PostPageArgs(ToolArgs):
    url: Address
    content: Content


class PostWebpage(Dojo):
    name = "post_webpage"
    effect = EffectClass.EXTERNAL
    args = PostPageArgs

    async def impact(self, args: PostPageArgs) -> Impact:
        return Impact(destinations=[args.url], texts=[args.content])


SLACK_TOOLS: Sequence[type[Dojo]] = (
    GetChannels, AddUserToChannel, ReadChannelMessages, ReadInbox, SendDirectMessage, SendChannelMessage,
    GetUsersInChannel, InviteUserToSlack, RemoveUserFromSlack, GetWebpage, PostWebpage,
)  # fmt: skip
