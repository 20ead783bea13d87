"""What there is to say of a repository below a folder, or why it cannot be read."""

from __future__ import annotations

import stat
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import UTC, datetime

from dulwich.objects import Commit, ObjectID

from integrations.ports import HeadCommit, RepositorySummary
from integrations.repository.address import names_of
from integrations.repository.errors import Unreadable
from integrations.repository.files import CommitFiles
from integrations.repository.folder import Folder
from integrations.repository.head import CheckedOut, checked_out
from integrations.repository.layout import object_format, repository_in
from integrations.repository.objects import GitObjects
from integrations.text import clean

NAME_LENGTH = 200
NAMES_SHOWN = 10

README = (b"README.md", b"README.rst", b"README.txt", b"README", b"readme.md")
AGENT = (b"AGENT.md",)

NO_FOLDER = (
    "The folder that REPOSITORIES_DIR names cannot be opened. An administrator has to look whether it is there, and "
    "whether this program may read it."
)
NO_COMMITS = "The repository has no commits yet, and so no files."
NO_ISSUES = "No issues were read: a repository in a folder has none."


def repository(root: str, repo_url: str) -> RepositorySummary:
    """What there is to say of one below the root, an absolute path. Raises `Unreadable`."""
    names = names_of(repo_url, root)
    with ExitStack() as stack:
        git = repository_in(_folder(root, names, stack), stack)
        form = object_format(git)
        objects = stack.enter_context(GitObjects(git, form))
        return _repository(objects, checked_out(git, form))


def _folder(root: str, names: Sequence[str], stack: ExitStack) -> Folder:
    try:
        place = stack.enter_context(Folder.at(root))
    except OSError:
        raise Unreadable(NO_FOLDER) from None
    top = place
    try:
        for name in names:
            place = stack.enter_context(place.folder(name))
    except Unreadable as error:
        raise Unreadable(f"{error} {_there(top)}") from None
    return place


def _there(top: Folder) -> str:
    """The names that a person may have meant."""
    names = [clean(name, NAME_LENGTH) for name in top.names() if stat.S_ISDIR(top.mode(name))]
    if not names:
        return "The folder that REPOSITORIES_DIR names has no folders."
    more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
    return f"The folder that REPOSITORIES_DIR names has: {', '.join(names[:NAMES_SHOWN])}{more}."


def _repository(objects: GitObjects, out: CheckedOut) -> RepositorySummary:
    branch = out.branch and clean(out.branch, NAME_LENGTH)
    if out.commit is None:
        return RepositorySummary(branch=branch, missing=[NO_COMMITS, NO_ISSUES])
    subject, at, tree = objects.read(out.commit, Commit, "The commit that is checked out", _said)
    files = CommitFiles(objects, tree)
    return RepositorySummary(
        branch=branch,
        head=HeadCommit(commit=out.commit.decode(), subject=subject, at=at),
        paths=files.paths(),
        readme=files.text("README", README),
        agent_md=files.text("AGENT.md", AGENT),
        missing=[*files.missing, NO_ISSUES],
    )


def _said(commit: Commit) -> tuple[str, datetime | None, ObjectID]:
    """The first line of a commit's message, when it was made, and its tree."""
    subject = commit.message.decode(errors="replace").strip().partition("\n")[0]
    return clean(subject, NAME_LENGTH), _moment(commit.commit_time), commit.tree


def _moment(seconds: int) -> datetime | None:
    """A time that no calendar has is none."""
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None
