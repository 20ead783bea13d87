"""pydantic-ai with Google's model, nothing kept; its first argument is the model's URL."""

from __future__ import annotations

import asyncio
import sys

from pydantic_ai import Agent, UsageLimits
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.providers.google import GoogleProvider

from tests.verification.benchmarks.contestants.serving import each, lookup, serve


async def _main(url: str) -> None:
    model = GoogleModel("gemini-3.8-flash", provider=GoogleProvider(api_key="bench", base_url=url))
    agent = Agent(model, system_prompt="You look things up.")

    @agent.tool_plain(name="lookup")
    def _(i: int) -> dict[str, object]:
        """Looks up."""
        return lookup(i)

    async def converse(steps: int) -> None:
        limits = UsageLimits(request_limit=None)
        async with agent.run_stream(f"Look things up: steps={steps}", usage_limits=limits) as answer:
            async for _ in answer.stream_text(debounce_by=None):
                pass

    await serve(each(converse))


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1]))
