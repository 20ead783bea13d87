from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy.dialects import postgresql, sqlite

from bot.store.tables.columns import Moment, Worded, Words
from policies.types import Label

_SQLITE, _POSTGRESQL = sqlite.dialect(), postgresql.dialect()


@pytest.mark.parametrize(
    "moment",
    [
        datetime(2026, 11, 29, 23, 59, 59, 1, tzinfo=UTC),
        datetime(999, 1, 1, tzinfo=UTC),
        datetime(2026, 3, 29, 2, 30, tzinfo=ZoneInfo("Asia/Kolkata")),
    ],
)
def test_a_moment_is_written_as_sqlalchemy_writes_it(moment: datetime) -> None:
    """Of one form, whatever its zone and its parts are: SQLite orders moments as texts."""
    write = sqlite.DATETIME().bind_processor(_SQLITE)
    assert write is not None
    naive = moment.astimezone(UTC).replace(tzinfo=None)
    assert Moment().bind_processor(_SQLITE)(moment) == write(naive)
    assert Moment().bind_processor(_POSTGRESQL)(moment) == naive


def test_a_member_is_stored_by_its_word() -> None:
    """A member, or its word, gives the word as a plain text; a word of another version stays as it is."""
    bind = Worded(Label).bind_processor(_SQLITE)
    found = [bind(value) for value in (Label.EXTERNAL, "member", "of another version", None)]
    assert found == ["external", "member", "of another version", None]
    assert type(found[0]) is str


def test_a_text_can_be_stored_whatever_is_in_it() -> None:
    """What no database takes is replaced, and nothing else."""
    bind = Words().bind_processor(_SQLITE)
    assert [bind(text) for text in ("a\0b", "\ud800c", "Zoë", None)] == ["a\ufffdb", "\ufffdc", "Zoë", None]
