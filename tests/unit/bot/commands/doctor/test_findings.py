"""What the doctor says of what it found."""

from __future__ import annotations

from bot.commands.doctor.findings import Findings


def test_a_sentence_is_said_once() -> None:
    """Who is away may keep people from working as well: then it is a problem and no remark."""
    said = list[str]()
    found = Findings(
        problems=["Slack is away.", "A key is missing."], remarks=["Look."], away=["Slack is away.", "So is Google."]
    )
    assert found.told(said.append) == ["Slack is away.", "A key is missing."]
    assert said == ["! Look.", "! So is Google."]
