"""What people call a repository: its name, a path, or a `file:` URL (RFC 8089)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import unquote

from integrations.repository.errors import Unreadable
from integrations.text import clean

OUTSIDE = "Only what lies in the folder that REPOSITORIES_DIR names can be read."
OTHER_MACHINE = "This file: URL names another machine. Write file: and the repository’s name."
UNNAMED = "No repository is named. Say which one, as it is called in the folder that REPOSITORIES_DIR names."
BAD_NAME = "That cannot be the name of a repository."

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*(?=:)")
_SECURE_SHELL = re.compile(r"[^/:]*@[^/:]*:")  # git@github.com:acme/website.git
_HERE = ("", "localhost")
_SLASHES = re.compile("/+")


def names_of(repo_url: str, root: str) -> Sequence[str]:
    """The names that lead to it from `root`, an absolute path; raises `Unreadable`.

    No name is empty or leads upward, and none has a slash.
    """
    path = _SLASHES.sub("/", _path(repo_url.strip()))
    names = [name for name in _below(path, root).split("/") if name not in {"", "."}]
    if ".." in names:
        raise Unreadable(OUTSIDE)
    if not names:
        raise Unreadable(UNNAMED)
    if "\0" in path or not _can_be_encoded(path):
        raise Unreadable(BAD_NAME)
    return names


def _path(url: str) -> str:
    found = _SCHEME.match(url)
    scheme = found[0].lower() if found else "ssh" if _SECURE_SHELL.match(url) else ""
    if scheme == "file":
        return _path_of_file(url[len("file:") :])
    if scheme:
        raise Unreadable(
            f"Repositories in a folder can be read so far, none behind “{clean(scheme, 20)}:”. Name one in the folder "
            "that REPOSITORIES_DIR names, or have it copied there with `git clone`."
        )
    return url


def _path_of_file(rest: str) -> str:
    """What follows `file:`, decoded once."""
    if rest.startswith("//"):
        host, slash, path = rest.removeprefix("//").partition("/")
        if host.lower() not in _HERE:
            raise Unreadable(OTHER_MACHINE)
        rest = slash + path
    try:
        return unquote(rest, errors="strict")
    except UnicodeDecodeError:
        raise Unreadable(BAD_NAME) from None


def _below(path: str, root: str) -> str:
    """What follows the root in an absolute path; a relative one begins there."""
    if not path.startswith("/"):
        return path
    begin = root.rstrip("/") + "/"
    if not f"{path}/".startswith(begin):
        raise Unreadable(OUTSIDE)
    return path[len(begin) :]


def _can_be_encoded(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True
