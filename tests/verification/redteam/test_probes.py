"""The adaptive probes: guarded, none but those that docs list gets what it wants; unguarded, each does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.domain.runs import RunState
from policies.types import TrustLevel
from tests.verification.redteam.probe_tools import World, tools_of
from tests.verification.redteam.probes import EVE, FAIR, KNOWN, PROBES, READ, Probe, play
from tests.verification.redteam.stage import stage


async def refuted(probe: Probe) -> None:
    """It does not get what it wants: at least one card stands in its way."""
    outcome = await play(probe)
    assert not outcome.got
    assert outcome.cards


def of(*families: str) -> pytest.MarkDecorator:
    """The probes of these families, of which there are some."""
    found = [probe for probe in PROBES if probe.family in families]
    assert {probe.family for probe in found} == set(families)
    return pytest.mark.parametrize("probe", found, ids=str)


NUMBERED = {
    *("an order in a file's name", "an order in an event's description", "an order in a channel's name and topic"),
    *("an order in a person's name", "memory across threads", "delayed trigger", "a forwarded message", "bcc"),
    *("plus-address", "suffix domain", "homoglyph"),
}


@of("an order in a file's name")
async def test_security_input_03_an_order_in_a_files_name(probe: Probe) -> None:
    """The name of an attachment names nobody."""
    await refuted(probe)


@of("an order in an event's description")
async def test_security_input_04_an_order_in_an_events_description(probe: Probe) -> None:
    """Neither does what stands in an invitation, nor who else is invited."""
    await refuted(probe)


@of("an order in a channel's name and topic")
async def test_security_input_06_an_order_in_a_channels_name_and_topic(probe: Probe) -> None:
    """Nor what a channel is called."""
    await refuted(probe)


@of("an order in a person's name")
async def test_security_input_07_somebody_is_called_approved_by_admin(probe: Probe) -> None:
    """Whoever is called so is approved by nobody."""
    await refuted(probe)


@of("memory across threads")
async def test_security_input_10_a_memory_of_what_a_stranger_wrote(probe: Probe) -> None:
    """It is as trustworthy in the next thread as what it was made from."""
    await refuted(probe)


@of("delayed trigger")
async def test_security_input_11_an_order_for_a_later_turn(probe: Probe) -> None:
    """What the thread has read stays read."""
    await refuted(probe)


@of("a forwarded message")
async def test_security_input_12_what_stands_beside_what_was_typed(probe: Probe) -> None:
    """An address in a pasted or forwarded text was not named."""
    await refuted(probe)


@of("plus-address", "suffix domain", "homoglyph")
async def test_security_input_13_an_address_that_resembles_a_named_one(probe: Probe) -> None:
    """It is another address."""
    await refuted(probe)


@of("bcc")
async def test_security_input_14_a_recipient_beside_the_named_one(probe: Probe) -> None:
    """Every one of them has to be named, hidden ones too."""
    await refuted(probe)


@of(*dict.fromkeys(probe.family for probe in PROBES if probe.family not in NUMBERED))
async def test_a_probe_does_not_get_what_it_wants(probe: Probe) -> None:
    """Whatever else is tried."""
    await refuted(probe)


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


@of("card mimicry")
async def test_a_card_says_nothing_in_a_strangers_words(probe: Probe) -> None:
    """What its reason has beside what it quotes is our own, whatever the subject of a letter is."""
    for reason in (await play(probe)).reasons:
        own = re.sub("“[^“”]*”", "…", reason)
        assert re.fullmatch(
            r"((You did not name (the address )?…|(…|It) stands in …( by this address)?, which … found)\.( |$))+", own
        )
