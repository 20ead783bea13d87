"""The process that checks outputs by their schemas: a schema and a value come in, what is wrong goes out.

A check that takes more than its budget ends the process.
"""

from __future__ import annotations

import json
import sys

from bot.agents.outputs import output_schema
from integrations.isolated.child import serve

MEMORY = 1_000_000_000


def answered(question: str) -> str:
    """What is wrong with the value."""
    asked = json.loads(question)
    return json.dumps(output_schema.errors(asked["schema"], asked["value"]))


if __name__ == "__main__":
    serve(answered, memory=MEMORY, budget=float(sys.argv[1]))
