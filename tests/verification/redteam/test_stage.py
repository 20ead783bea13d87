"""The stage itself: what the model proposes is decided by the product, and the cards are counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from policies.types import TrustLevel
from tests.unit.bot.runtime.scripted import Effect, Read
from tests.verification.redteam.stage import stage

SAYS = [[("gmail_search", {"text": "it"})], [("gmail_send", {"text": "it"})], [("gmail_send", {"text": "again"})]]


@pytest.mark.parametrize(("approves", "done"), [(True, 2), (False, 0)])
async def test_supervised_every_change_has_a_card_and_the_model_goes_on_after_it(
    tmp_path: Path, *, approves: bool, done: int
) -> None:
    """Approved, it is done; rejected, the model's next call comes all the same."""
    effect = Effect()
    async with stage(tmp_path, lambda _: [Read(), effect], level=TrustLevel.SUPERVISED) as here:
        played = await here.play("Send it", SAYS, approves=approves)
    assert len(played.actions) == 3
    assert len(played.carded) == 2
    assert len(effect.calls) == done


async def test_unguarded_and_autonomous_everything_is_done(tmp_path: Path) -> None:
    """So an attack that fails here would prove nothing."""
    effect = Effect()
    async with stage(tmp_path, lambda _: [Read(), effect], level=TrustLevel.AUTONOMOUS, guarded=False) as here:
        played = await here.play("Send it", SAYS)
    assert not played.carded
    assert len(effect.calls) == 2
