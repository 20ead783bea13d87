"""Ids of events: the agent's own are known again, and those of one series share one."""

from __future__ import annotations

import pytest

from policies.event_ids import event_id_for, is_id_of_ours, series_of


def test_an_event_id_comes_from_the_key() -> None:
    """The same key gives the same id, of characters that Calendar takes."""
    made = event_id_for("k1")
    assert made == event_id_for("k1") != event_id_for("k2")
    assert set(made) <= set("0123456789abcdefghijklmnopqrstuv")


@pytest.mark.parametrize("after", ["", "@team", "_20261202T120000Z", "_R20261202T120000_20261209T120000Z@team"])
def test_an_id_of_ours_is_known(after: str) -> None:
    """With what Google and we add to it; an id that is shorter, longer or begins otherwise is somebody else's."""
    ours = event_id_for("act_1")
    assert is_id_of_ours(f"{ours}{after}")
    assert not is_id_of_ours(f"{ours[:-1]}{after}")
    assert not is_id_of_ours(f"{ours}0{after}")
    assert not is_id_of_ours(f"x{ours}{after}")
    assert not is_id_of_ours(f"_{ours}{after}")


@pytest.mark.parametrize(
    ("event_id", "series"),
    [
        ("e1", "e1"),
        ("e1_20261202", "e1"),
        ("e1_20261202T120000Z", "e1"),
        ("e1_R20261202", "e1"),
        ("e1_R20261202T120000_20261209T120000Z", "e1"),
        ("e1_20261202T120000Z@team", "e1@team"),
        ("e1@team", "e1@team"),
        ("e1_20261202@team_20261203", "e1@team_20261203"),
        ("_60o30c1g6o", "_60o30c1g6o"),
        ("_60o30c1g6o_20261202T120000Z", "_60o30c1g6o"),
        ("e1_2026", "e1_2026"),
        ("e1_20261202T120000Z_more", "e1_20261202T120000Z_more"),
    ],
)
def test_occurrences_share_the_id_of_their_series(event_id: str, series: str) -> None:
    """On the calendar where they are; an id that has only a part of the form is whole."""
    assert series_of(event_id) == series
