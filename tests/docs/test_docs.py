"""What the papers say is true: code blocks run, verbs exist, variables are known, links lead somewhere."""

from __future__ import annotations

import configparser
import io
import re
import shlex
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from dotenv import dotenv_values

from bot.cli import main
from bot.settings import Settings
from tests.dockerfile import dockerfile, of

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
VARIABLES_NOT_OURS = frozenset({"PATH", "PIP_DISABLE_PIP_VERSION_CHECK", "PIP_NO_CACHE_DIR", "PYTHONUNBUFFERED"})

_BLOCK = re.compile(r"^(?P<in> *)```(?P<language>\w*)\n(?P<code>.*?)^(?P=in)```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


def test_each_picture_is_used() -> None:
    """A picture that no page shows is read by nobody, and grows old unseen."""
    shown = {(page.parent / link).resolve() for page in PAGES for link in _LINK.findall(page.read_text("utf-8"))}
    pictures = {picture.resolve() for picture in ROOT.glob("docs/images/*")}
    assert pictures - shown == set()


def page_id(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path, *languages: str) -> list[tuple[int, str]]:
    """The code blocks in these languages, each with the line that it begins on."""
    text = page.read_text(encoding="utf-8")
    return [
        (text.count("\n", 0, found.start("code")) + 1, textwrap.dedent(found["code"]))
        for found in _BLOCK.finditer(text)
        if found["language"] in languages
    ]


def commands(page: Path) -> Iterator[list[str]]:
    """Every command of the page's shell blocks, as words; comments and prompts are left out."""
    for _, block in blocks(page, "sh", "shell", "bash", "console"):
        for line in block.replace("\\\n", " ").splitlines():
            words = shlex.split(line.removeprefix("$ "), comments=True)
            while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):
                del words[0]
            if words:
                yield words


def verbs() -> set[str]:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    return set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))


# Pages ------------------------------------------------------------------------------------------------------------


SPEAKS_TO_A_BOT = ROOT / "docs/http-api.md"
"""tests/acceptance/test_http_page.py runs its script."""


@pytest.mark.parametrize("page", [page for page in PAGES if page != SPEAKS_TO_A_BOT], ids=page_id)
def test_python_blocks_run_in_order(page: Path):
    """The Python blocks of a page are one program, and it runs without an error."""
    program: dict[str, object] = {"__name__": f"page_{page.stem.replace('-', '_')}"}
    for line, block in blocks(page, "python"):
        code = compile("\n" * (line - 1) + block, str(page), "exec", dont_inherit=True)
        exec(code, program)


def test_the_how_to_is_code():
    """The page on adding a tool has blocks to run, so that the test above cannot pass by finding none."""
    assert len(blocks(ROOT / "docs/how-to/add-a-tool.md", "python")) >= 5


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_make_verbs_exist(page: Path):
    """Every `make <verb>` in a shell block is a verb of the Makefile."""
    asked = {words[1] for words in commands(page) if words[0] == "make" and len(words) > 1 and "=" not in words[1]}
    assert asked <= verbs()


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_links_lead_to_files(page: Path):
    """Every relative link of a page leads to a file that is there."""
    text = _BLOCK.sub("", page.read_text(encoding="utf-8"))
    targets = [link.partition("#")[0] for link in _LINK.findall(text) if "://" not in link]
    assert [target for target in targets if target and not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_countersign_commands_exist(page: Path):
    """Every `countersign <command>` in a shell block is a command of the program."""
    asked = {words[1] for words in commands(page) if words[0] == "countersign" and len(words) > 1}
    assert asked <= subcommands()


def test_every_dependency_has_its_reason():
    """Each library of pyproject.toml stands in the decision record on libraries."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    record = (ROOT / "docs/adr/0005-libraries.md").read_text(encoding="utf-8")
    names = [re.split(r"[\[<>=]", requirement)[0] for requirement in project["dependencies"]]
    assert [name for name in names if f"`{name}`" not in record] == []


def test_decision_records_are_numbered_and_short():
    """Decision records are numbered without a gap and fit on a page."""
    records = sorted((ROOT / "docs/adr").glob("*.md"))
    assert [record.name[:4] for record in records] == [f"{number:04d}" for number in range(1, len(records) + 1)]
    assert all(len(record.read_text(encoding="utf-8").splitlines()) <= 60 for record in records)


# Configuration ----------------------------------------------------------------------------------------------------


def subcommands() -> set[str]:
    return set(main.commands)


def test_the_example_has_every_variable_with_its_default():
    """`.env.example` lists exactly the variables that the program reads, with their defaults."""
    text = (ROOT / ".env.example").read_text(encoding="utf-8")
    example = dotenv_values(stream=io.StringIO(text.replace("# HTTP_HOST=", "HTTP_HOST=")))
    fields = {name.upper(): field for name, field in Settings.model_fields.items()}
    assert set(example) == set(fields)
    defaults = {name: field.default for name, field in fields.items() if field.default is not None}
    written = {name: "true" if value is True else str(value) for name, value in defaults.items()}
    assert {name: value for name, value in example.items() if value} == written


def test_every_variable_of_the_example_is_explained():
    """Each variable, or the group it stands in, has a comment right above."""
    above = ""
    for line in (ROOT / ".env.example").read_text(encoding="utf-8").splitlines():
        assert not line or line.startswith("#") or above, line
        above = line


# As a service -----------------------------------------------------------------------------------------------------


def test_the_unit_starts_the_program():
    """The systemd unit is one, starts a command that exists, and leaves every variable to the file beside it."""
    assert not [block for _, block in blocks(ROOT / "README.md", "ini") if "[Service]" in block]
    configured, unit = [block for _, block in blocks(ROOT / "docs/how-to/run-as-a-service.md", "ini")]
    parsed = configparser.ConfigParser(interpolation=None, comment_prefixes=("#",))
    parsed.optionxform = str  # pyright: ignore[reportAttributeAccessIssue] - systemd's keys have capitals
    parsed.read_string(unit)
    service = parsed["Service"]
    program, command = service["ExecStart"].split()
    assert program == f"{service['WorkingDirectory']}/.venv/bin/countersign"
    assert command in subcommands()
    assert "Environment" not in service
    variable, _, url = configured.strip().partition("=")
    assert variable in {name.upper() for name in Settings.model_fields}
    assert f"/var/lib/{service['StateDirectory']}/" in url
    assert parsed["Install"]["WantedBy"] == "multi-user.target"


def test_the_readme_installs_what_running_needs():
    """To run it for good, README takes the lock files without development's libraries, by their hashes."""
    installed = [words for words in commands(ROOT / "README.md") if words[0].endswith("/pip")]
    assert [word for words in installed for word in words if word.endswith(".lock")] == [
        "requirements/run.lock",
        "requirements/build.lock",
    ]
    assert all("--no-deps" in words for words in installed)
    assert ["--require-hashes" in words for words in installed] == [True, False]


# The image --------------------------------------------------------------------------------------------------------


def installs() -> list[list[str]]:
    """Every pip command of the image, from `pip` on."""
    runs = [shlex.split(part) for run in of("RUN") for part in run.split("&&")]
    return [["pip", *words[1:]] for words in runs if Path(words[0]).name == "pip"]


def pip(*arguments: str) -> None:
    """pip of this environment, without any network."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_dockerfile_parses():
    """The Dockerfile has only known instructions, begins with an image, and ends with the program in exec form."""
    known = {"FROM", "WORKDIR", "RUN", "ENV", "EXPOSE", "COPY", "USER", "VOLUME", "HEALTHCHECK", "CMD"}
    names = [instruction.name for instruction in dockerfile()]
    assert set(names) <= known
    assert names[0] == "FROM"
    assert of("CMD") == ['["countersign", "run"]']


def test_the_image_begins_with_a_digest():
    """Both stages name the bytes they begin with, and the same ones: a tag alone can mean others tomorrow."""
    build, run = (words.split()[0] for words in of("FROM"))
    assert build == run
    assert re.fullmatch(r"python:3\.\d+\.\d+-slim-[a-z]+@sha256:[0-9a-f]{64}", run)


def test_the_image_is_reached_from_outside_its_container():
    """`docker run --publish` leads to the port that the image exposes: the program listens there on every address."""
    set_here = dict(word.split("=", 1) for env in of("ENV") for word in env.split())
    assert of("EXPOSE") == [set_here["HTTP_PORT"]]
    assert set_here["HTTP_HOST"] == "0.0.0.0"


def test_the_image_does_not_run_as_root():
    """The last user before the program is one that the image itself made, without a shell."""
    user = of("USER")[-1]
    assert any("useradd" in run and run.split("&&")[0].split()[-1] == user for run in of("RUN"))
    assert "nologin" in " ".join(of("RUN"))


def test_nothing_is_installed_without_a_hash():
    """Every installation takes a lock file with hashes, or is our own wheel, or builds it offline; none resolves."""
    assert len(installs()) == 4
    for words in installs():
        assert "--no-deps" in words
        assert {"--require-hashes", "--no-index", "--no-build-isolation"} & set(words), words
    for name in ("run", "build"):
        lock = (ROOT / f"requirements/{name}.lock").read_text(encoding="utf-8")
        pinned = re.findall(r"^([A-Za-z0-9._-]+)==", lock, re.MULTILINE)
        assert pinned
        assert lock.count("--hash=sha256:") >= len(pinned)
        assert "://" not in lock


def test_the_build_lock_pins_what_the_development_lock_pins():
    """What builds the wheel is the same, hash for hash, in both lock files."""
    development = (ROOT / "requirements/dev.lock").read_text(encoding="utf-8")
    build = (ROOT / "requirements/build.lock").read_text(encoding="utf-8")
    pinned = set(re.findall(r"^[a-z0-9-]+==[^ ]+", build, re.MULTILINE))
    assert any(pin.startswith("hatchling==") for pin in pinned)
    assert pinned <= set(re.findall(r"^[a-z0-9-]+==[^ ]+", development, re.MULTILINE))


def test_what_is_copied_is_there_and_let_in():
    """Every file that the image copies exists, and .dockerignore keeps out everything else."""
    ignore = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    let_in = {line[1:] for line in ignore if line.startswith("!")}
    assert "*" in ignore
    assert ignore.index("*") < min(ignore.index(f"!{name}") for name in let_in)
    copied = [word for copy in of("COPY") if "--from" not in copy for word in copy.split()[:-1]]
    assert [name for name in copied if not (ROOT / name).exists()] == []
    assert {name.partition("/")[0] for name in copied} == let_in
    assert "**/.env" in ignore


@pytest.mark.deep
def test_the_images_commands_work_here(tmp_path: Path):
    """The image's own pip commands, run in this environment without a network: the lock holds, the wheel is whole."""
    pip("install", "--dry-run", "--no-index", "--require-hashes", "--no-deps", "-r", "requirements/run.lock")
    pip("wheel", "--no-index", "--no-deps", "--no-build-isolation", "--wheel-dir", str(tmp_path), ".")
    (wheel,) = tmp_path.glob("*.whl")
    target = tmp_path / "installed"
    pip("install", "--no-deps", "--no-index", "--target", str(target), str(wheel))
    assert (target / "policies/policy.yaml").is_file()
    assert (target / "bot/agents/shipped/schemas/meeting_brief.json").is_file()
    assert (target / "policies/constitution.md").is_file()
    assert (target / "bin/countersign").is_file()


def test_the_image_starts_what_the_program_has():
    """`countersign run` is a command, and the image sets no variable that the program does not know."""
    assert "run" in subcommands()
    ours = {name.upper() for name in Settings.model_fields}
    given = {word.partition("=")[0] for env in of("ENV") for word in env.split()}
    assert given - VARIABLES_NOT_OURS <= ours
