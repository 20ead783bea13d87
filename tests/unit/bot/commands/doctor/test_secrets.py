"""What the doctor says of secrets that others can read, and of values that are none."""

from __future__ import annotations

from pathlib import Path

from bot.commands.doctor.examination import examine
from bot.env_file import ENV_FILE_VARIABLE


async def test_the_start_and_the_doctor_say_the_same(tmp_path: Path) -> None:
    """Each problem with its cure, all at once; status 1."""
    path, said = tmp_path / "settings.env", list[str]()
    path.write_text("GEMINI_API_KEY=a-key\nSLACK_BOT_TOKEN=xoxb-…\n", encoding="utf-8")
    path.chmod(0o644)
    assert await examine(said.append, {ENV_FILE_VARIABLE: str(path)}) == 1
    assert f"✗ Others can read {path}, which holds secrets. Run: chmod 600 {path}" in said
    assert "✗ SLACK_BOT_TOKEN is wrong: it is a placeholder: put the real value there." in said
