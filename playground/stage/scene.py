"""A scene: what people do, and what must be seen. It is written in YAML, one step to a list item."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import cast

import yaml
from pydantic import ValidationError

from playground.errors import PlaygroundFailed
from playground.stage.stage import PATIENCE_SECONDS
from playground.stage.steps import STEPS, Step

HEAD = {"title", "about", "patience", "steps"}


class InvalidScene(PlaygroundFailed):
    """The file is not a scene."""

    def __init__(self, file: Path, why: str) -> None:
        super().__init__(f"{file} is no scene: {why}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """The steps to play, with a title, a sentence about them, and the seconds to wait for an expectation."""

    title: str
    about: str
    patience: float
    steps: tuple[Step, ...]


def read_scene(file: Path) -> Scene:
    """The scene in a file. Raises `InvalidScene` with the step and the reason."""
    try:
        said: object = yaml.safe_load(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidScene(file, f"it cannot be read ({error.strerror})") from error
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        raise InvalidScene(file, str(error)) from error
    head = _object(file, said, "the file")
    if unknown := set(head) - HEAD:
        raise InvalidScene(file, f"unknown key {sorted(unknown)[0]!r}; a scene has title, about, patience and steps")
    steps, patience = head.get("steps"), head.get("patience", PATIENCE_SECONDS)
    if not isinstance(patience, int | float) or patience <= 0:
        raise InvalidScene(file, "patience is a number of seconds")
    if not isinstance(steps, list) or not steps:
        raise InvalidScene(file, "it has no steps")
    return Scene(
        title=str(head.get("title") or file.stem),
        about=str(head.get("about") or ""),
        patience=float(patience),
        steps=tuple(_step(file, number, row) for number, row in enumerate(cast("list[object]", steps), start=1)),
    )


def _step(file: Path, number: int, row: object) -> Step:
    """`name` alone or `name: {fields}`."""
    given = {row: None} if isinstance(row, str) else _object(file, row, f"step {number}")
    if len(given) != 1:
        raise InvalidScene(file, f"step {number} has {len(given)} names, not one")
    [(name, fields)] = given.items()
    if name not in STEPS:
        raise InvalidScene(file, f"step {number}: there is no step {name!r}; there are {', '.join(STEPS)}")
    try:
        return STEPS[name].model_validate(fields or {})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or name
        raise InvalidScene(file, f"step {number} ({name}): {where}: {first['msg']}") from error


def _object(file: Path, said: object, what: str) -> dict[str, object]:
    if not isinstance(said, dict) or not all(isinstance(key, str) for key in cast("dict[object, object]", said)):
        raise InvalidScene(file, f"{what} is no mapping")
    return cast("dict[str, object]", said)
