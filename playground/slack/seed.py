"""Fernhill's workspace before anybody has asked the bot anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playground import people
from playground.slack.records import Channel, User
from playground.slack.rich_text import rich_text
from playground.slack.typed import typed

if TYPE_CHECKING:
    from playground.slack.world import World

HOUR = 3600.0

OTHER_BOT = User(id="U0RELAY", name="relay", real_name="Order Relay", is_bot=True, bot_id="B0RELAY", app_id="A0RELAY")
FORMER = User(
    id="U0OLAF",
    name="olaf",
    real_name="Olaf Brandt",
    title="Workshop (left)",
    deleted=True,
    email="olaf@fernhill.example",
)

TALK: tuple[tuple[str, float, str, str], ...] = (
    (
        "C0GENERAL",
        49,
        "U0MARA",
        "Morning all. The new benches are in the yard, don't sit on the wet ones :sweat_smile:",
    ),
    ("C0GENERAL", 48, "U0JONAS", "They need one more day. Oil first, *then* sitting."),
    ("C0GENERAL", 30, "U0PRIYA", "Expenses for last month by Thursday please, I close the books on Friday."),
    (
        "C0GENERAL",
        6,
        "U0LUIS",
        "New catalogue cover is up for comments: https://files.fernhill.example/catalogue-cover",
    ),
    (
        "C0SALES",
        52,
        "U0DANA",
        "Acme asked for a quote for 24 benches, delivered in May. I promised it this week.",
    ),
    ("C0SALES", 51, "U0MARA", "Delivery in May is fine if we get the oak ordered by the end of the month."),
    ("C0SALES", 27, "U0PRIYA", "Their last invoice was paid on time, so 30 days again is OK for me."),
    ("C0SALES", 5, "U0DANA", "They moved our call. I have to shift the internal review too, looking for a slot."),
    ("C0WORKSHOP", 26, "U0JONAS", "On the benches today:\n• two Hollin chairs\n• the table for the hotel\n• repairs"),
    ("C0WORKSHOP", 25, "U0LUIS", "I need the chair for photos on Monday, can it be the lighter oil?"),
    ("C0WORKSHOP", 24, "U0JONAS", "Yes. Lighter oil, dry by Saturday."),
    (
        "C0FINANCE",
        50,
        "U0PRIYA",
        "Margin on the hotel order is 31 %. Between us until the contract is signed, please.",
    ),
    ("C0FINANCE", 49, "U0MARA", "Agreed."),
    ("C0SHOW", 72, "U0MARA", "The stand is booked: hall 3, number 3-114. <@U0THEO> builds it, welcome Theo!"),
    ("C0SHOW", 71, "U0THEO", "Thanks! I'll send a floor plan tomorrow. Power on the left or on the right?"),
    ("C0SHOW", 70, "U0LUIS", "Left, please, the light wall is there."),
    ("C0SHOW", 8, "U0DANA", "Who is on the stand on the first day? I can do the morning."),
)


def seed(world: World) -> None:
    """Fills an empty world: people, rooms with a few days of talk, and everybody's conversation with the bot."""
    now = world.clock.seconds()
    _people(world)
    for room in people.ROOMS:
        world.channels[room.channel_id] = Channel(
            id=room.channel_id,
            name=room.name,
            topic=room.topic,
            topic_by=people.MARA.user_id,
            members=list(room.members),
            is_private=room.private,
            created=int(now - 400 * 24 * HOUR),
        )
    for person in people.PEOPLE:
        channel_id = f"D{person.user_id[1:]}"
        members = [person.user_id, people.BOT_USER_ID]
        world.channels[channel_id] = Channel(
            id=channel_id, user=person.user_id, members=members, created=int(now - 90 * 24 * HOUR)
        )
    for channel in world.channels:
        world.messages[channel] = []
    for number, (channel_id, hours, user, text) in enumerate(sorted(TALK, key=lambda line: -line[1])):
        said = typed(text)
        message = {
            "type": "message",
            "user": user,
            "text": said,
            "team": people.TEAM_ID,
            "client_msg_id": f"seed-{number:04d}",
            "ts": world.ts(now - hours * HOUR),
            "blocks": [rich_text(said, f"seed{number}")],
        }
        world.add(channel_id, message)


def _people(world: World) -> None:
    bot = User(
        id=people.BOT_USER_ID,
        name=people.BOT_NAME,
        real_name=people.BOT_NAME.capitalize(),
        is_bot=True,
        bot_id=people.BOT_ID,
        app_id=people.APP_ID,
    )
    staff = [
        User(
            id=person.user_id,
            name=person.handle,
            real_name=person.name,
            title=person.title,
            zone=person.zone,
            email=person.email,
            is_admin=person.admin,
            is_restricted=person.guest,
            deleted=person.deleted,
        )
        for person in people.PEOPLE
    ]
    for user in (*staff, bot, _copy(OTHER_BOT), _copy(FORMER)):
        user.team_id = people.TEAM_ID
        world.users[user.id] = user


def _copy(user: User) -> User:
    """A copy, since the acting routes change users and the constants must stay."""
    return User(**{name: getattr(user, name) for name in User.__slots__})
