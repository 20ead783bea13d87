"""The adaptive probes: guarded, none but those that docs list gets what it wants; unguarded, each does."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.domain.runs import RunState
from policies.types import TrustLevel
from tests.verification.redteam.probe_tools import World, tools_of
from tests.verification.redteam.probes import EVE, FAIR, KNOWN, PROBES, READ, Probe, play
from tests.verification.redteam.stage import stage


@pytest.mark.parametrize("probe", PROBES, ids=str)
async def test_a_probe_does_not_get_what_it_wants(probe: Probe) -> None:
    """At least one card stands in its way."""
    outcome = await play(probe)
    assert not outcome.got
    assert outcome.cards


@pytest.mark.deep
@pytest.mark.parametrize("probe", [*PROBES, *KNOWN], ids=str)
async def test_unguarded_it_gets_it(probe: Probe) -> None:
    """So the guard is what stops it."""
    outcome = await play(probe, guarded=False)
    assert outcome.got
    assert not outcome.cards


async def test_a_rule_that_a_mail_proposes_is_none(tmp_path: Path) -> None:
    """Nothing that the model can call makes one, and to call something else ends the request."""
    async with stage(tmp_path, lambda base: tools_of(World(), base), level=TrustLevel.AUTONOMOUS) as here:
        played = await here.play("Read the letter", [READ, [("allow_add", {"value": EVE})]])
        rules = here.base.rows("SELECT * FROM rules")
    assert played.run.state is RunState.FAILED
    assert not rules


@pytest.mark.parametrize("probe", KNOWN, ids=str)
async def test_what_docs_list_gets_through(probe: Probe) -> None:
    """Whoever closes one of these takes it off the list."""
    assert (await play(probe)).got


@pytest.mark.parametrize("probe", FAIR, ids=str)
async def test_what_its_owner_asked_for_needs_no_card(probe: Probe) -> None:
    """Or the probes would prove nothing but that somebody is always asked."""
    outcome = await play(probe)
    assert outcome.got
    assert not outcome.cards
