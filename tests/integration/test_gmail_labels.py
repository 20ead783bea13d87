"""Sorting mail against the Google emulator."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
import pytest_asyncio

from integrations.base import Done, NotDone, Unknown
from integrations.errors import ModelRetry, NotConnected
from integrations.gmail.tools.labels import GmailLabels, LabelArgs
from integrations.google.scopes import MAIL_MODIFY, MAIL_READ
from tests.integration.google_world import World, data
from tests.integration.mails import box_of, oak_thread

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(loop_scope="module")
async def world(company: World) -> World:
    company.begin()
    await company.admin("grants", {"person": "mara", "scopes": [MAIL_READ, MAIL_MODIFY]})
    box_of(company).own_labels["Label_7"] = "Suppliers/Wood"
    return company


async def found(world: World, query: str) -> list[str]:
    rows = data(await world.execute("gmail_search", {"query": query, "limit": 25}))["threads"]
    return [row["thread_id"] for row in rows]


async def test_a_thread_is_sorted_and_told_how_to_take_it_back(world: World) -> None:
    """Archived, unread, labelled: every message of the thread; the call that the result names undoes it."""
    thread_id = await oak_thread(world)
    change: dict[str, Any] = {"thread_id": thread_id, "archive": True, "read": False, "add": ["suppliers/wood"]}
    card = await world.preview("gmail_labels", change)
    assert {line.label: line.value for line in card.fields}["Change"] == (
        "Add “Suppliers/Wood”; Mark as unread; Archive"
    )
    result = await world.execute("gmail_labels", change, card=card)
    assert data(result)["changed"] == ["Add “Suppliers/Wood”", "Mark as unread", "Archive"]
    assert result.summary.startswith("Added “Suppliers/Wood”; Marked as unread; Archived: “")
    assert thread_id in await found(world, "is:unread label:suppliers-wood -in:inbox")
    await world.execute("gmail_labels", data(result)["to_take_it_back"])
    assert thread_id in await found(world, "in:inbox -is:unread -label:suppliers-wood")


async def test_the_card_tells_which_mail_it_is(world: World) -> None:
    """Who wrote in it, and when its newest message came, beside the subject."""
    rows = data(await world.execute("gmail_search", {"query": 'subject:"Invoice 2291"', "limit": 1}))["threads"]
    card = await world.preview("gmail_labels", {"thread_id": rows[0]["thread_id"], "archive": True})
    told = {line.label: line.value for line in card.fields}
    assert card.title == "Archive this mail?"
    assert "Change" not in told, "the title says it"
    assert "Bruno Keller <bruno@kellerholz.example>" in told["From"].split(", ")
    at = datetime.strptime(rows[0]["date"], "%a %Y-%m-%d %H:%M")
    assert told["Newest" if "Messages" in told else "Date"] == f"{at:%a} {at.day} {at:%b %Y, %H:%M}"


async def test_what_taking_back_would_not_restore_is_said(world: World) -> None:
    """One unread message of several: the way back is the whole thread's, and says so; what was so already stays."""
    thread_id = await oak_thread(world)
    await world.execute("gmail_labels", {"thread_id": thread_id, "read": True, "add": ["Suppliers/Wood"]})
    box_of(world).relabel(box_of(world).thread(thread_id)[-1].id, add=["UNREAD"])
    change = {"thread_id": thread_id, "read": True, "add": ["Suppliers/Wood"]}
    told = data(await world.execute("gmail_labels", change))
    assert told["to_take_it_back"] == {"thread_id": thread_id, "add": ["UNREAD"], "remove": []}
    assert "UNREAD" in told["note"]
    again = data(await world.execute("gmail_labels", change))
    assert again.keys() == {"thread_id", "changed"}


async def test_a_lost_answer_is_settled_by_looking(world: World) -> None:
    """The labels themselves tell whether the change arrived; done twice it is the same."""
    change: dict[str, Any] = {"thread_id": await oak_thread(world), "archive": True}
    assert await world.reconcile("gmail_labels", change) == NotDone()
    await world.interrupt("drop_after", "/modify", "gmail_labels", change, times=-1)
    world.emulator.admin.faults.clear()
    assert isinstance(await world.reconcile("gmail_labels", change), Done)
    await world.execute("gmail_labels", change, attempt=2)
    world.fault("status", "/gmail/", status=500, times=-1)
    assert isinstance(await world.reconcile("gmail_labels", change), Unknown)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"add": ["Holidays"]}, "label_not_found"),
        ({"add": ["TRASH"]}, "not_allowed"),
        ({"add": ["spam"]}, "not_allowed"),
        ({"remove": ["SENT"]}, "label_not_found"),
        ({}, "invalid_arguments"),
        ({"add": ["Starred"], "remove": ["starred"]}, "invalid_arguments"),
    ],
)
async def test_what_cannot_be_changed_is_asked_back(world: World, change: dict[str, Any], code: str) -> None:
    """Labels that are not there are named with those that are; nothing goes into the trash."""
    with pytest.raises(ModelRetry) as caught:
        await world.preview("gmail_labels", {"thread_id": await oak_thread(world), **change})
    assert caught.value.code == code
    if code == "label_not_found":
        assert "Suppliers/Wood" in caught.value.hint
    assert world.requests("/modify") == 0


async def test_sorting_needs_a_scope_of_its_own(world: World) -> None:
    """Who granted reading and writing only is told that this is missing, and nothing is changed."""
    change: dict[str, Any] = {"thread_id": await oak_thread(world), "archive": True}
    await world.admin("grants", {"person": "mara", "scopes": [MAIL_READ]})
    with pytest.raises(NotConnected) as caught:
        await world.execute("gmail_labels", change)
    assert MAIL_MODIFY in caught.value.missing


@pytest.mark.parametrize(
    ("change", "title", "caption"),
    [
        ({"archive": True}, "Archive this mail?", "Archive a mail thread"),
        ({"read": False}, "Mark this mail as unread?", "Mark a mail thread as unread"),
        ({"add": ["Suppliers/Wood"]}, "Add “Suppliers/Wood” to this mail?", "Add “Suppliers/Wood” to a mail thread"),
        (
            {"archive": True, "read": True},
            "Change this mail’s labels?",
            "Archive a mail thread, mark it as read",
        ),
        ({"add": ["{x}"], "archive": True}, "", "Archive a mail thread, add “{x}” to it"),
    ],
)
async def test_a_change_is_named_by_what_it_does(
    world: World, change: dict[str, Any], title: str, caption: str
) -> None:
    """The card asks about the change itself where it is one; the caption says all of them."""
    thread_id = await oak_thread(world)
    assert GmailLabels(world.google).caption(LabelArgs(thread_id=thread_id, **change)) == caption
    if title:
        assert (await world.preview("gmail_labels", {"thread_id": thread_id, **change})).title == title
