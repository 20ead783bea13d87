"""google-adk with its database sessions; its arguments are the model's URL and a database file."""

from __future__ import annotations

import asyncio
import itertools
import os
import sys

from google.adk.agents import Agent, RunConfig
from google.adk.agents.run_config import StreamingMode
from google.adk.runners import Runner
from google.adk.sessions import DatabaseSessionService
from google.genai import types

from tests.verification.benchmarks.contestants.serving import each, lookup, serve

_APP, _USER = "bench", "dana"
_numbers = itertools.count()


def _agent() -> Agent:
    def lookup_tool(i: int) -> dict[str, object]:
        """Looks up."""
        return lookup(i)

    lookup_tool.__name__ = "lookup"
    return Agent(name="assistant", model="gemini-3.8-flash", instruction="You look things up.", tools=[lookup_tool])


async def _main(url: str, database: str) -> None:
    os.environ |= {"GOOGLE_API_KEY": "bench", "GOOGLE_GEMINI_BASE_URL": url, "GOOGLE_GENAI_USE_VERTEXAI": "0"}
    sessions = DatabaseSessionService(db_url=f"sqlite+aiosqlite:///{database}")
    runner = Runner(app_name=_APP, agent=_agent(), session_service=sessions)

    async def converse(steps: int) -> None:
        session = await sessions.create_session(app_name=_APP, user_id=_USER, session_id=f"s{next(_numbers)}")
        said = types.Content(role="user", parts=[types.Part(text=f"Look things up: steps={steps}")])
        config = RunConfig(streaming_mode=StreamingMode.SSE, max_llm_calls=0)
        last = None
        async for event in runner.run_async(user_id=_USER, session_id=session.id, new_message=said, run_config=config):
            last = event
            if event.error_code:
                raise RuntimeError(event.error_code)
        assert last is not None
        assert last.is_final_response()

    await serve(each(converse))


if __name__ == "__main__":
    asyncio.run(_main(*sys.argv[1:]))
