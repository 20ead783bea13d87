"""Every shipped tool that reaches somebody says whom, so that limits count them and the log keeps them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

import pytest

from bot.wiring.tools import known_tools
from playground.people import DANA, MARA, Person
from policies.guards.words import addresses_in
from policies.types import EffectClass
from tests.integration.calendar.series import created, oak
from tests.integration.google_world import Arguments, World
from tests.integration.mails import HELEN, LOUNGERS, draft_of, mail_from, oak_thread, own_draft

Case = Callable[[World, str], Awaitable[tuple[Arguments, Person]]]
GUESTS = [f"Helen Marsh <{HELEN}>", DANA.email]

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def mail(world: World, day: str) -> tuple[Arguments, Person]:
    return {**LOUNGERS, "cc": [DANA.email]}, MARA


async def reply(world: World, day: str) -> tuple[Arguments, Person]:
    return {"thread_id": await oak_thread(world), "body": "Thanks."}, MARA


async def draft(world: World, day: str) -> tuple[Arguments, Person]:
    return {"draft_id": await draft_of(world, cc=[DANA.email])}, MARA


async def draft_with_receipt(world: World, day: str) -> tuple[Arguments, Person]:
    letter = mail_from(MARA.email, "Loungers", to=HELEN)
    letter["Disposition-Notification-To"] = "receipts@x.example"
    return {"draft_id": own_draft(world, letter.as_bytes())}, MARA


async def new_event(world: World, day: str) -> tuple[Arguments, Person]:
    return oak(day, attendees=GUESTS), MARA


async def change(world: World, day: str) -> tuple[Arguments, Person]:
    return {"event_id": await created(world, day, attendees=GUESTS[:1]), "add_attendees": GUESTS[1:]}, MARA


async def answer(world: World, day: str) -> tuple[Arguments, Person]:
    return {"event_id": await created(world, day, attendees=GUESTS), "answer": "accept"}, DANA


async def end(world: World, day: str) -> tuple[Arguments, Person]:
    return {"event_id": await created(world, day, attendees=GUESTS)}, MARA


CASES: Mapping[str, tuple[Case, ...]] = {
    "gmail_send": (mail,),
    "gmail_reply": (reply,),
    "gmail_draft_send": (draft, draft_with_receipt),
    "calendar_event_create": (new_event,),
    "calendar_event_update": (change,),
    "calendar_event_answer": (answer,),
    "calendar_event_cancel": (end,),
}


async def test_every_shipped_tool_that_reaches_somebody_has_a_case() -> None:
    """A new one needs a row here."""
    reaching = {EffectClass.EXTERNAL, EffectClass.DESTRUCTIVE}
    assert set(CASES) == {tool.name for tool in known_tools() if tool.effect in reaching}


@pytest.mark.parametrize(("tool", "case"), [(tool, case) for tool, cases in CASES.items() for case in cases])
async def test_a_preview_names_all_whom_the_call_reaches(world: World, free_day: str, tool: str, case: Case) -> None:
    """Everybody whom its card shows as somebody who is reached is among those that limits count, guard or not."""
    arguments, who = await case(world, free_day)
    card = await world.preview(tool, arguments, who=who)
    shown = {address for field in card.fields if field.destination for address in addresses_in(field.value)}
    assert shown
    assert shown - {who.email} <= {found for each in card.reached or () for found in addresses_in(each)}
    assert card.impact is not None
    assert not card.impact.tells_nothing()
