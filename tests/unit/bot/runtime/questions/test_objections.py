"""What a tool objects to in the changes of a form: all of it, each at its argument."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import cast

import pytest

from bot.runtime.questions.objections import collect

PASSED = "That time has passed."
NOBODY = "“{}” cannot be a recipient."


async def refused(changes: Mapping[str, object]) -> str:
    """A tool that looks at the time first, then at each recipient, and says the first thing that is wrong."""
    if changes.get("send_at") == "yesterday":
        return PASSED
    to = cast("list[str]", changes.get("to", []))
    return next((NOBODY.format(one) for one in to if not one.endswith(".example")), "")


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"to": ["helen@hill.example"], "send_at": "tomorrow"}, {}),
        ({"to": ["helen@hill.example"], "send_at": "yesterday"}, {"send_at": PASSED}),
        (
            {"to": ["helen@", "ann@hill.example", "nobody"], "send_at": "yesterday"},
            {"send_at": PASSED, "to": f"{NOBODY.format('helen@')} {NOBODY.format('nobody')}"},
        ),
        ({"to": ["nobody"], "subject": "Tea"}, {"to": NOBODY.format("nobody")}),
    ],
)
async def test_all_that_is_wrong_is_found_at_its_argument(
    changes: Mapping[str, object], wrong: Mapping[str, str]
) -> None:
    """Also where the words do not show which argument they are about, and of each entry of a list."""
    found: dict[str, str] = {}
    await collect(refused, changes, found)
    assert found == wrong


async def test_what_no_change_is_to_blame_for_is_said_once() -> None:
    async def always(_: Mapping[str, object]) -> str:
        return "No account."

    found: dict[str, str] = {}
    await collect(always, {"to": ["a@b.example"], "subject": "Tea"}, found)
    assert found == {"to": "No account."}


async def test_what_was_heard_in_time_is_kept() -> None:
    asked: list[object] = []

    async def slow(changes: Mapping[str, object]) -> str:
        asked.append(changes)
        if len(asked) > 1:
            await asyncio.Event().wait()
        return PASSED

    found: dict[str, str] = {}
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.001):
            await collect(slow, {"send_at": "yesterday"}, found)
    assert found == {"send_at": PASSED}
