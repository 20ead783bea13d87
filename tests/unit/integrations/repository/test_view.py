"""What is said of a repository, from real ones that dulwich makes."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from dulwich.refs import Ref
from dulwich.repo import Repo

from integrations.ports import HeadCommit, RepositorySummary
from integrations.repository.address import OUTSIDE
from integrations.repository.errors import Unreadable
from integrations.repository.head import BROKEN
from integrations.repository.layout import NO_REPOSITORY, POINTS_ELSEWHERE, REFTABLE, UNKNOWN_FORM
from integrations.repository.objects import DAMAGED, ELSEWHERE, NOT_HERE
from integrations.repository.view import NO_COMMITS, NO_FOLDER, NO_ISSUES, repository
from tests import git_repositories as make

FILES: make.Files = {
    "README.md": b"# Website\n",
    "AGENT.md": b"Run the tests.\n",
    "src": {"app.py": b"print()\n", "deep": {"empty.py": b""}},
}
FIRST = "1" * 40


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The folder of repositories, with one of them; beside it lies another repository that nobody may read."""
    make.repository(tmp_path / "outside", {"README.md": b"secret"})
    make.repository(tmp_path / "root/website", FILES)
    return tmp_path / "root"


def look(root: Path, repo_url: str = "website") -> RepositorySummary:
    return repository(str(root), repo_url)


def why(root: Path, repo_url: str = "website") -> str:
    with pytest.raises(Unreadable) as refused:
        look(root, repo_url)
    return str(refused.value)


# What is read -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
@pytest.mark.parametrize("is_packed", [False, True], ids=["loose", "packed"])
@pytest.mark.parametrize("is_bare", [False, True], ids=["with files", "bare"])
def test_the_commit_that_is_checked_out_is_read(root: Path, object_format: str, is_packed: bool, is_bare: bool) -> None:
    """Branch, commit, paths, README and AGENT.md; open issues are said to be none."""
    git = make.repository(root / "one", FILES, bare=is_bare, packed=is_packed, object_format=object_format)
    assert bool(make.packs(git)) is is_packed
    assert look(root, "one") == RepositorySummary(
        branch="main",
        head=HeadCommit(commit=(git / "refs/heads/main").read_text().strip(), subject="First commit", at=make.AT),
        paths=["AGENT.md", "README.md", "src/", "src/app.py", "src/deep/", "src/deep/empty.py"],
        readme="# Website\n",
        agent_md="Run the tests.\n",
        missing=[NO_ISSUES],
    )


@pytest.mark.parametrize("url", ["website", "file:website", "file://{root}/website", "{root}/website"])
def test_it_is_named_in_each_way(root: Path, url: str) -> None:
    """By its name, and by a file: URL."""
    assert look(root, url.format(root=root)).readme == "# Website\n"


def test_the_working_tree_is_not_looked_at(root: Path) -> None:
    """Files that nobody committed, and links beside the repository, are not its files."""
    (root / "website/AGENT.md").write_text("changed")
    (root / "website/README.md").symlink_to("/etc/passwd")
    (root / "website/new").write_text("new")
    assert (look(root).agent_md, look(root).readme) == ("Run the tests.\n", "# Website\n")
    assert "new" not in look(root).paths


def test_branches_may_be_packed(root: Path) -> None:
    """packed-refs has what refs has not, with and without tags beside it."""
    git = root / "website/.git"
    commit = (git / "refs/heads/main").read_text().strip()
    (git / "refs/heads/main").unlink()
    lines = [f"{FIRST} refs/heads/another", f"{commit} refs/heads/main", f"{FIRST} refs/tags/v1", f"^{FIRST}"]
    (git / "packed-refs").write_text("\n".join(["# pack-refs with: peeled fully-peeled sorted ", *lines, ""]))
    assert look(root).head == HeadCommit(commit=commit, subject="First commit", at=make.AT)


def test_a_branch_of_its_own_file_counts_over_a_packed_one(root: Path) -> None:
    """As Git has it: packed-refs may be out of date."""
    (root / "website/.git/packed-refs").write_text(f"{FIRST} refs/heads/main\n")
    assert look(root).readme == "# Website\n"


@pytest.mark.parametrize(
    ("head", "branch"),
    [("{commit}\n", None), ("ref: refs/heads/other\n", "other"), ("ref: refs/other/x\n", "refs/other/x")],
    ids=["detached", "symbolic", "no branch"],
)
def test_a_commit_may_be_checked_out_in_other_ways(root: Path, head: str, branch: str | None) -> None:
    """A commit without a branch, a branch that stands for another, and a reference that is no branch."""
    git = root / "website/.git"
    commit = (git / "refs/heads/main").read_text().strip()
    (git / "refs/heads/other").write_text("ref: refs/heads/main\n")
    (git / "refs/other").mkdir()
    (git / "refs/other/x").write_text(commit)
    (git / "HEAD").write_text(head.format(commit=commit))
    seen = look(root)
    assert (seen.branch, seen.readme) == ("main" if branch == "other" else branch, "# Website\n")


@pytest.mark.parametrize("is_bare", [False, True], ids=["with files", "bare"])
def test_a_repository_without_commits_is_one(root: Path, is_bare: bool) -> None:
    """It has a branch and no commit, and that is said."""
    make.repository(root / "empty", bare=is_bare)
    assert look(root, "empty") == RepositorySummary(branch="main", missing=[NO_COMMITS, NO_ISSUES])


def test_a_message_and_a_time_may_be_anything(root: Path) -> None:
    """One visible line of the message; a time that no calendar has is left out."""
    git = make.repository(root / "odd", FILES, message="\n\u202esubject\x1b[31m \xff\nmore".encode("latin-1", "ignore"))
    with Repo(root / "odd") as repo:
        commit = repo[repo.head()]
        commit.commit_time = 10**17  # pyright: ignore[reportAttributeAccessIssue] - its property has no types
        repo.object_store.add_object(commit)
        repo.refs[Ref(b"refs/heads/main")] = commit.id
    assert look(root, "odd").head == HeadCommit(
        commit=(git / "refs/heads/main").read_text().strip(), subject="subject[31m \ufffd", at=None
    )


# What is not there ------------------------------------------------------------------------------------------------


def test_without_the_folder_an_administrator_is_needed(tmp_path: Path) -> None:
    """REPOSITORIES_DIR names nothing that can be opened."""
    assert why(tmp_path / "none") == NO_FOLDER


def test_a_name_that_is_not_there_is_said_with_those_that_are(root: Path) -> None:
    """At most ten of them, folders only."""
    (root / "notes.txt").write_text("")
    assert why(root, "websit") == "There is no “websit”. The folder that REPOSITORIES_DIR names has: website."
    for n in range(11):
        (root / f"a{n:02}").mkdir()
    assert why(root, "website/x").startswith("There is no “x”. The folder that REPOSITORIES_DIR names has: a00, a01, ")
    assert why(root, "x").endswith(", a09 and 2 more.")


def test_an_empty_folder_has_none(tmp_path: Path) -> None:
    """That is said, too."""
    assert why(tmp_path, "x") == "There is no “x”. The folder that REPOSITORIES_DIR names has no folders."


@pytest.mark.parametrize("name", ["HEAD", "objects", "refs"])
def test_a_folder_without_a_repository_is_none(root: Path, name: str) -> None:
    """It has no .git, or that lacks what each repository has."""
    (root / "notes").mkdir()
    assert why(root, "notes") == NO_REPOSITORY
    lost = root / "website/.git" / name
    shutil.rmtree(lost) if lost.is_dir() else lost.unlink()
    assert why(root) == NO_REPOSITORY


# What would lead elsewhere ----------------------------------------------------------------------------------------


def _linked_repository(root: Path) -> None:
    (root / "other").symlink_to("../outside")


def _linked_git(root: Path) -> None:
    (root / "other").mkdir()
    (root / "other/.git").symlink_to("../../outside/.git")


def _git_file(root: Path) -> None:
    (root / "other").mkdir()
    (root / "other/.git").write_text("gitdir: ../../outside/.git\n")


def _common_folder(root: Path) -> None:
    _copied(root, "commondir").write_text(f"{root.parent}/outside/.git\n")


def _linked_objects(root: Path) -> None:
    git = _copied(root, "")
    shutil.rmtree(git / "objects")
    (git / "objects").symlink_to(root.parent / "outside/.git/objects")


def _alternates(root: Path) -> None:
    git = _copied(root, "")
    shutil.rmtree(git / "objects")
    (git / "objects/info").mkdir(parents=True)
    (git / "objects/info/alternates").write_text(f"{root.parent}/outside/.git/objects\n")


def _linked_pack(root: Path) -> None:
    git, packed = _copied(root, ""), make.repository(root.parent / "packed", {"README.md": b"secret"}, packed=True)
    shutil.rmtree(git / "objects")
    (git / "objects/pack").mkdir(parents=True)
    for file in [*make.packs(packed), *(each.with_suffix(".idx") for each in make.packs(packed))]:
        (git / "objects/pack" / file.name).symlink_to(file)


def _linked_branch(root: Path) -> None:
    git = _copied(root, "refs/heads/main")
    (git).unlink()
    git.symlink_to(root.parent / "outside/.git/refs/heads/main")


def _linked_head(root: Path) -> None:
    head = _copied(root, "HEAD")
    head.unlink()
    head.symlink_to("refs/heads/main")


def _climbing_branch(root: Path) -> None:
    _copied(root, "HEAD").write_text("ref: refs/../../../../outside/.git/refs/heads/main\n")


def _branch_elsewhere(root: Path) -> None:
    head = _copied(root, "HEAD")
    shutil.copy(head.parent / "refs/heads/main", head.parent / "ORIG_HEAD")
    head.write_text("ref: ORIG_HEAD\n")


def _copied(root: Path, name: str) -> Path:
    """A file of a repository that is the one outside, byte by byte."""
    shutil.copytree(root.parent / "outside", root / "other")
    return root / "other/.git" / name


@pytest.mark.parametrize(
    ("hostile", "said"),
    [
        (_linked_repository, "“other” is a link, and links are not followed. "),
        (_linked_git, "“.git” is a link, and links are not followed."),
        (_git_file, POINTS_ELSEWHERE),
        (_common_folder, POINTS_ELSEWHERE),
        (_linked_objects, "“objects” is a link, and links are not followed."),
        (_alternates, f"The commit that is checked out cannot be read: {ELSEWHERE}."),
        (_linked_pack, "is a link, and links are not followed."),
        (_linked_branch, "“main” is a link, and links are not followed."),
        (_linked_head, "“HEAD” is a link, and links are not followed."),
        (_climbing_branch, BROKEN),
        (_branch_elsewhere, BROKEN),
    ],
)
def test_what_leads_elsewhere_is_not_followed(root: Path, hostile: Callable[[Path], None], said: str) -> None:
    """Links, worktrees, borrowed objects and names that climb: each is said, and nothing outside is read."""
    hostile(root)
    assert said in why(root, "other")


def test_borrowed_objects_do_not_matter_where_none_is_needed(root: Path) -> None:
    """objects/info/alternates alone is no reason to refuse."""
    (root / "website/.git/objects/info").mkdir(exist_ok=True)
    (root / "website/.git/objects/info/alternates").write_text("/etc\n")
    assert look(root).readme == "# Website\n"


@pytest.mark.parametrize("url", ["../outside", "file:website/%2e%2e/%2e%2e/outside", "file://{outside}", "{outside}"])
def test_a_url_does_not_lead_out(root: Path, url: str) -> None:
    """It is refused before anything is opened."""
    assert why(root, url.format(outside=root.parent / "outside")) == OUTSIDE


# Its configuration, hooks and filters -----------------------------------------------------------------------------

HOSTILE = """
[core]
    repositoryformatversion = 0
    fsmonitor = {touch}
    sshCommand = {touch}
    pager = {touch}
    editor = {touch}
    hooksPath = hooks
    worktree = /etc
    gitProxy = {touch}
[filter "evil"]
    clean = {touch}
    smudge = {touch}
    process = {touch}
    required = true
[diff "evil"]
    textconv = {touch}
[credential]
    helper = !{touch}
[alias]
    log = !{touch}
[include]
    path = {included}
[includeIf "gitdir:/"]
    path = {included}
[extensions]
    objectFormat = sha256
"""


@pytest.fixture
def started() -> Iterator[list[str]]:
    """What starts a program while a test runs."""
    found, is_on = list[str](), [True]

    def look(event: str, _: object) -> None:
        if is_on and event in {"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "pty.spawn"}:
            found.append(event)

    sys.addaudithook(look)
    yield found
    is_on.clear()


def test_hostile_configuration_runs_nothing(root: Path, started: list[str]) -> None:
    """No hook, filter, monitor or helper is started, and no file that the configuration includes is opened."""
    ran, git = root.parent / "ran", root / "website/.git"
    script = root.parent / "touch"
    script.write_text(f"#!/bin/sh\ntouch {ran}\n")
    script.chmod(0o755)
    included = root.parent / "included"
    included.write_text("[core]\n    repositoryformatversion = 99\n")
    (git / "config").write_text(HOSTILE.format(touch=script, included=included))
    (git / "hooks").mkdir(exist_ok=True)
    for hook in ("post-checkout", "pre-commit", "post-index-change", "fsmonitor-watchman", "reference-transaction"):
        shutil.copy(script, git / "hooks" / hook)
    (git / "info").mkdir(exist_ok=True)
    (git / "info/attributes").write_text("* filter=evil diff=evil\n")
    assert look(root) == look(make.repository(root / "same/website", FILES).parents[1])
    assert not ran.exists()
    assert started == []


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ("[core]\n repositoryformatversion = 2\n", UNKNOWN_FORM),
        ("[core]\n repositoryformatversion = 1\n[extensions]\n unheardOf = true\n", UNKNOWN_FORM),
        ("[core]\n repositoryformatversion = 1\n[extensions]\n objectFormat = md5\n", UNKNOWN_FORM),
        ("[core]\n repositoryformatversion = 1\n[extensions]\n refStorage = reftable\n", REFTABLE),
        ("[core\n", UNKNOWN_FORM),
        ("#" * 1_000_001, UNKNOWN_FORM),
    ],
)
def test_a_form_that_is_not_known_is_said(root: Path, config: str, said: str) -> None:
    """A newer format, an unknown extension, a reftable, and configuration that is damaged or huge."""
    (root / "website/.git/config").write_text(config)
    assert why(root) == said


@pytest.mark.parametrize(
    "config",
    ["", "[core]\n repositoryformatversion = 1\n[Extensions]\n RefStorage = files\n partialClone = origin\n"],
)
def test_plain_forms_are_read(root: Path, config: str) -> None:
    """No configuration, and extensions that do not change where things lie."""
    (root / "website/.git/config").write_text(config)
    assert look(root).readme == "# Website\n"


# Damage -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "head", ["", "ref: \n", "ref: refs/heads/main.lock\n", "ab", "0" * 39, "g" * 40, "0" * 64, "ref: HEAD", "x" * 4_001]
)
def test_a_damaged_head_is_said(root: Path, head: str) -> None:
    """It names neither a reference nor a commit."""
    (root / "website/.git/HEAD").write_text(head)
    assert why(root) == BROKEN


def test_references_that_go_round_are_said(root: Path) -> None:
    """A branch that stands for itself."""
    (root / "website/.git/refs/heads/main").write_text("ref: refs/heads/main\n")
    assert why(root) == BROKEN


@pytest.mark.parametrize("packed", ["no lines of it\n", f"^{FIRST}\n", f"{FIRST} refs/../x\n", "\xff\n"])
def test_damaged_packed_references_are_said(root: Path, packed: str) -> None:
    """Lines that are none."""
    (root / "website/.git/refs/heads/main").unlink()
    (root / "website/.git/packed-refs").write_text(packed)
    assert why(root) == BROKEN


def test_a_commit_that_is_not_there_is_said(root: Path) -> None:
    """A copy without its objects."""
    (root / "website/.git/refs/heads/main").write_text(FIRST)
    assert why(root) == f"The commit that is checked out cannot be read: {NOT_HERE}."


def test_head_that_is_no_commit_is_said(root: Path) -> None:
    """A branch that names a file."""
    git = root / "website/.git"
    (git / "refs/heads/main").write_text(make.raw_object(git, b"blob", b"no commit"))
    assert why(root) == f"The commit that is checked out cannot be read: {DAMAGED}."


def test_what_may_not_be_read_is_said(root: Path) -> None:
    """The folder of a repository that this program may not open."""
    if os.geteuid() == 0:
        pytest.skip("nothing is forbidden to root")
    (root / "website").chmod(0)
    try:
        assert why(root).startswith("“website” cannot be opened.")
    finally:
        (root / "website").chmod(stat.S_IRWXU)
