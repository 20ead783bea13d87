"""The configuration file, `.env`: its lines as values, and what is wrong with them by line and name."""

from __future__ import annotations

import difflib
import io
import os
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from dotenv import dotenv_values
from dotenv.parser import Binding, Original, parse_stream

_PLACEHOLDER = re.compile(
    r"(xox\w-|xapp-(1-)?(A0?-?)?|AIza(Sy)?|GOCSPX-|sk-)?"
    r"(…|\.{2,}|x{3,}([-_]x{3,})*|0{6,}([-_]0{6,})*|\*{3,}|<.*>|\$?\{.*\}|your[-_ ].*|todo|placeholder([-_ ].*)?"
    r"|(change|replace|insert)[-_ ]?(me|this|it|with[-_ ].*|.*here)|(put|paste)[-_ ].*[-_ ]here)?"
    r"|postgresql://user:password@host/database",  # as .env.example shows it
    re.IGNORECASE,
)
IS_PLACEHOLDER = "it is a placeholder: put the real value there"
ENV_FILE_VARIABLE = "COUNTERSIGN_ENV_FILE"  # another file than `.env`; empty: none is read


def file_values(
    environ: Mapping[str, str], known: Collection[str], secret: Collection[str]
) -> tuple[dict[str, str], list[str]]:
    """The values of the file that `environ` names, by name in small letters, and what is wrong with it; neither where
    there is no file.

    `known` are the names that may stand there, in capitals. Wrong are a file that cannot be read, a line that says
    nothing, a name that is not known, one that stands there twice, and a value of the `secret` ones (in small letters)
    where others can read it.
    """
    path = environ.get(ENV_FILE_VARIABLE, ".env")
    if not path or (ENV_FILE_VARIABLE not in environ and not Path(path).exists()):
        return {}, []
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8 text"
        return {}, [f"{path} cannot be read: {why}. Mend the file, or name another one with {ENV_FILE_VARIABLE}."]
    lines = [line for line in parse_stream(io.StringIO(text)) if line.key is not None or line.error]
    values = {key.lower(): value for key, value in dotenv_values(stream=io.StringIO(text)).items() if value}
    ours = {name: value for name, value in values.items() if name.upper() in known}
    problems = [*_unreadable(lines, path), *_strange(lines, known, path)]
    if ours.keys() & secret and is_open_to_others(Path(path)):
        problems.append(f"Others can read {path}, which holds secrets. Run: chmod 600 {path}")
    return ours, problems


def is_placeholder(value: str) -> bool:
    """Whether it only shows where a value belongs, and of which form: xoxb-…, <token>, changeme."""
    return bool(_PLACEHOLDER.fullmatch(value))


def is_open_to_others(path: Path) -> bool:
    """Whether its group or everybody may read or write this file of secrets. On a file system that is mounted read-only
    its mode is not ours to choose: so Docker and Kubernetes hand secrets into a container, 0444 or 0644.
    """
    return bool(path.stat().st_mode & 0o077) and not os.statvfs(path).f_flag & os.ST_RDONLY


def write_privately(path: Path, text: str) -> None:
    """The file with this text and mode 0600, in place whole or not at all, whenever the process or the power ends."""
    draft = path.with_name(path.name + ".new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.rename(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _unreadable(lines: Sequence[Binding], path: str) -> list[str]:
    """Lines that say nothing. What stands in them is not told, for it may be a secret."""
    cure = "Write NAME=value; what begins with a quote must end with it."
    return [
        f"Line {_number(line.original)} of {path} cannot be read. {cure}"
        for line in lines
        if line.error or line.value is None
    ]


def _number(original: Original) -> int:
    """A binding begins with the blank lines above it."""
    blank = original.string[: len(original.string) - len(original.string.lstrip())]
    return original.line + blank.count("\n")


def _strange(lines: Sequence[Binding], known: Collection[str], path: str) -> list[str]:
    """Keys that are not ours, and those that stand there twice."""
    keys = Counter(line.key for line in lines if line.key is not None and not line.error)
    ours = Counter(key.upper() for key in keys.elements() if key.upper() in known)
    return [
        *(_unknown(key, known, path) for key in keys if key.upper() not in known),
        *(f"{key} stands in {path} {count} times. Keep one line." for key, count in ours.items() if count > 1),
    ]


def _unknown(key: str, known: Collection[str], path: str) -> str:
    close = difflib.get_close_matches(key.upper(), sorted(known), n=1, cutoff=0.6)
    cure = f"Did you mean {close[0]}?" if close else "Remove the line; .env.example lists every variable."
    return f"{key} in {path} is not a variable of this program. {cure}"
