"""The app's manifest, as the program ships it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import yaml

import playground

ROOT = Path(playground.__file__).parent.parent


def app_manifest() -> dict[str, Any]:
    """In a checkout it lies at the top, in an installed package beside the bot's modules."""
    paths = (ROOT / "manifest.yaml", ROOT / "bot" / "manifest.yaml")
    path = next((path for path in paths if path.is_file()), paths[0])
    return cast("dict[str, Any]", yaml.safe_load(path.read_text(encoding="utf-8")))
