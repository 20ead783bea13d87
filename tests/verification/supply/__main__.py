"""`make sbom` and `make advisories`: what the program is made of, and what is known against that.

Both read the lock that an installation takes, with tools in environments of their own under `.bench/`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from tests.verification.benchmarks.peers import NotToBeHad, Peer, python_of
from tests.verification.benchmarks.processes import ROOT

LOCK = ROOT / "requirements" / "run.lock"
SBOM = ROOT / "dist" / "sbom.json"

CYCLONEDX = Peer(name="CycloneDX", module="cyclonedx", packages=["cyclonedx-bom==7.5.0"])
PIP_AUDIT = Peer(name="pip-audit", module="pip_audit", packages=["pip-audit==2.10.1"])

CURE = "Connect this machine, or name a proxy (HTTPS_PROXY) or a mirror of the package index (PIP_INDEX_URL)."
_FOUND, _AWAY = 1, 2


def main() -> int:
    """0 where all is well, 1 where something is known against a library, 2 where that cannot be told."""
    parser = argparse.ArgumentParser(prog="python -m tests.verification.supply", description=__doc__)
    parser.add_argument("wanted", choices=("sbom", "advisories"))
    wanted = parser.parse_args().wanted
    try:
        return _sbom() if wanted == "sbom" else _advisories()
    except NotToBeHad as error:
        click.echo(f"The tool cannot be installed here: {error}. {CURE}", err=True)
        return _AWAY


def _sbom() -> int:
    """Write every library of the lock, with its version and hashes, as CycloneDX."""
    SBOM.parent.mkdir(exist_ok=True)
    asked = ["requirements", str(LOCK), "--output-format", "JSON", "--output-file", str(SBOM)]
    ended = _run(CYCLONEDX, "cyclonedx_py", [*asked, "--pyproject", str(ROOT / "pyproject.toml")])
    if ended.returncode:
        click.echo(ended.stderr.strip(), err=True)
        return _AWAY
    click.echo(f"{SBOM.relative_to(ROOT)} has what {LOCK.relative_to(ROOT)} installs.")
    return 0


def _advisories() -> int:
    """Ask the package index what is known against the versions of the lock; nothing is resolved or installed."""
    options = ["--disable-pip", "--progress-spinner", "off", "--format", "json"]
    ended = _run(PIP_AUDIT, "pip_audit", ["--requirement", str(LOCK), *options])
    status, lines = verdict(ended.stdout, ended.stderr)
    for line in lines:
        click.echo(line, err=status == _AWAY)
    return status


def verdict(said: str, complained: str) -> tuple[int, list[str]]:
    """The status, and what is told, of pip-audit's JSON. A library that the index has no advisories of was not checked:
    a mirror may have none at all, and pip-audit itself ends with 0 then.
    """
    try:
        libraries = json.loads(said)["dependencies"]
    except (ValueError, LookupError):
        why = (complained.strip().splitlines() or ["no reason given"])[-1]
        return _AWAY, [f"Nothing was checked, because the advisories could not be had: {why}", CURE]
    known = [
        f"{library['name']} {library['version']}: {one['id']}, mended in {', '.join(one['fix_versions']) or 'none'}"
        for library in libraries
        for one in library.get("vulns", ())
    ]
    skipped = [library for library in libraries if "skip_reason" in library]
    if skipped:
        cure = "Ask the index itself: a mirror may have no advisories."
        told = f"{len(skipped)} of {len(libraries)} libraries were not checked: {skipped[0]['skip_reason']}. {cure}"
        return _AWAY, [*known, told]
    if known:
        return _FOUND, known
    return 0, [f"Nothing is known against the {len(libraries)} libraries of {LOCK.relative_to(ROOT)}."]


def _run(tool: Peer, module: str, arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    python: Path = asyncio.run(python_of(tool))
    return subprocess.run(
        [str(python), "-m", module, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )


if __name__ == "__main__":
    sys.exit(main())
