from __future__ import annotations

from playground.page.wire import BODIES, LINES, Wire


def entry(number: int) -> dict[str, object]:
    return {"n": number, "at": f"2026-11-21T10:{number // 60:04d}:{number % 60:02d}", "path": "/x", "request": {"a": 1}}


def test_lines_have_no_bodies() -> None:
    """The list names an exchange; its bodies are read one by one."""
    wire = Wire()
    wire.add("slack", entry(1))
    assert "request" not in wire.lines()["slack:1"]
    found = wire.entry("slack:1")
    assert found is not None
    assert found["request"] == {"a": 1}


def test_only_the_newest_are_kept() -> None:
    """The list and the bodies are bounded, and the newest stay."""
    wire = Wire()
    for number in range(BODIES + 10):
        wire.add("google", entry(number))
    assert len(wire.lines()) == LINES
    assert f"google:{BODIES + 9}" in wire.lines()
    assert wire.entry("google:9") is None


def test_a_reset_forgets_one_source_only() -> None:
    """What the other emulators logged stays."""
    wire = Wire()
    wire.add("slack", entry(1))
    wire.add("google", entry(1))
    wire.forget("slack")
    assert list(wire.lines()) == ["google:1"]
