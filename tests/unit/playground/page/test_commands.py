"""What the message box of the page offers after `/`."""

from __future__ import annotations

import re
from pathlib import Path

import playground.page.app
from bot.slack.views.command import HELP, USAGE_HINT

COMPOSER = Path(playground.page.app.__file__).parent / "static" / "composer.js"


def test_every_command_of_the_bot_is_offered() -> None:
    """The same words as in the usage hint of the manifest, and as `/agent help` lists."""
    offered = re.findall(r'\["/agent (\w+)', COMPOSER.read_text())
    assert sorted(offered) == sorted(re.findall(r"\w+", USAGE_HINT))
    assert set(re.findall(r"`/agent (\w+)", HELP)) == set(offered) - {"help"}
