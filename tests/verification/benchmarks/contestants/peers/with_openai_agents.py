"""openai-agents with its SQLite session; its arguments are the model's URL and a database file."""

from __future__ import annotations

import asyncio
import itertools
import sys

from agents import Agent, OpenAIChatCompletionsModel, Runner, SQLiteSession, function_tool, set_tracing_disabled
from openai import AsyncOpenAI

from tests.verification.benchmarks.contestants.serving import each, lookup, serve

_MOST_TURNS = 1_000
_numbers = itertools.count()


@function_tool(name_override="lookup")
def _lookup(i: int) -> dict[str, object]:
    """Looks up."""
    return lookup(i)


async def _main(url: str, database: str) -> None:
    set_tracing_disabled(disabled=True)
    client = AsyncOpenAI(api_key="bench", base_url=f"{url}/v1")
    model = OpenAIChatCompletionsModel(model="bench", openai_client=client)
    agent = Agent(name="assistant", instructions="You look things up.", model=model, tools=[_lookup])

    async def converse(steps: int) -> None:
        session = SQLiteSession(f"s{next(_numbers)}", database)
        said = f"Look things up: steps={steps}"
        answer = Runner.run_streamed(agent, said, session=session, max_turns=_MOST_TURNS)
        async for _ in answer.stream_events():
            pass

    await serve(each(converse))


if __name__ == "__main__":
    asyncio.run(_main(*sys.argv[1:]))
