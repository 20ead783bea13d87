"""What a row of which columns changed is afterwards."""

from __future__ import annotations

from dataclasses import fields

import pytest

from bot.domain.actions import Action
from bot.domain.runs import Run
from bot.domain.steps import Step


@pytest.mark.parametrize("kept", [Run, Step, Action])
def test_a_known_row_can_be_copied_without_being_made(kept: type[Run | Step | Action]) -> None:
    """`KnownRows.change` copies its values: they have to lie in one place, and none may be computed."""
    assert "__slots__" not in vars(kept)
    assert not hasattr(kept, "__post_init__")
    assert all(field.init for field in fields(kept))
