"""The configuration file as `setup` writes it: answers are put in, and every other line stays as it is."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from dotenv import dotenv_values
from dotenv.parser import Binding, parse_stream

from bot.env_file import write_privately
from bot.errors import Misconfigured

_PLAIN = re.compile(r"[\w./:@%+=,?&~-]*", re.ASCII)


class FileUnusable(Misconfigured):
    """The file cannot be read or written."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(
            f"{path} cannot be used: {why}. Nothing was written. Repair it, or name another file with --env-file."
        )


class ConfigurationFile:
    """One file of variables; `path` may be a link to it. Raises `FileUnusable`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._target = Path(os.path.realpath(path))
        try:
            self._text = self._target.read_text(encoding="utf-8") if self._target.exists() else ""
        except (OSError, UnicodeDecodeError) as error:
            raise FileUnusable(path, getattr(error, "strerror", None) or "it is not UTF-8 text") from error

    def values(self) -> dict[str, str]:
        """Every variable that has a value."""
        found = dotenv_values(stream=io.StringIO(self._text))
        return {name: value for name, value in found.items() if value}

    def write(self, answers: Mapping[str, str]) -> None:
        """Put the answers in, whole or not at all, readable by this user only. An empty answer removes a value."""
        changed = {name: value for name, value in answers.items() if self.values().get(name, "") != value}
        text = "".join(self._kept(changed))
        there = {binding.key for binding in parse_stream(io.StringIO(self._text))}
        new = {name: value for name, value in changed.items() if name not in there and value}
        if new and text and not text.endswith("\n"):
            text += "\n"
        text += "".join(_line(name, value) for name, value in new.items())
        self._check(text, answers)
        try:
            self._target.parent.mkdir(parents=True, exist_ok=True)
            write_privately(self._target, text)
        except OSError as error:
            raise FileUnusable(self.path, error.strerror or str(error)) from error
        self._text = text

    def _kept(self, changed: Mapping[str, str]) -> Iterator[str]:
        for binding in parse_stream(io.StringIO(self._text)):
            name = binding.key or ""
            yield _changed(binding, changed[name]) if name in changed else binding.original.string

    def _check(self, text: str, answers: Mapping[str, str]) -> None:
        """Check that every answer will be read as given. Raises `FileUnusable` for one that the format cannot hold."""
        read = dotenv_values(stream=io.StringIO(text))
        for name, value in answers.items():
            if (read.get(name) or "") != value:
                raise FileUnusable(self.path, f"the value of {name} cannot be written into such a file")


def _changed(binding: Binding, value: str) -> str:
    """The same line with this value, after the blank lines that came before it."""
    original = binding.original.string
    lead = original[: len(original) - len(original.lstrip())]
    return lead + _line(binding.key or "", value)


def _line(name: str, value: str) -> str:
    """Quote only where needed, since not every reader of such files knows quotes."""
    if _PLAIN.fullmatch(value):
        return f"{name}={value}\n"
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"{name}='{escaped}'\n"
