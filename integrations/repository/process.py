"""The process that reads repositories: which one comes in, what there is to say of it goes out, until the input ends.

A repository that takes more than its budget ends the process.
"""

from __future__ import annotations

import json
import sys

from integrations.isolated.child import serve
from integrations.ports import RepositoryProblem, RepositorySummary
from integrations.repository.client import ANSWERS
from integrations.repository.errors import Unreadable
from integrations.repository.view import repository

MEMORY = 2_000_000_000
"""Of addresses: packs of `MOST_PACKED_BYTES` are mapped, and take memory where they are read only."""


def looked(root: str, repo_url: str) -> RepositorySummary | RepositoryProblem:
    """What there is to say of a repository below the root, an absolute path."""
    try:
        return repository(root, repo_url)
    except Unreadable as error:
        return RepositoryProblem(why=str(error))


def answered(question: str) -> str:
    """What is asked for, as JSON."""
    asked = json.loads(question)
    return ANSWERS.dump_json(looked(asked["root"], asked["repo_url"])).decode()


if __name__ == "__main__":
    serve(answered, memory=MEMORY, budget=float(sys.argv[1]))
