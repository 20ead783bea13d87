"""The key of the playground's service account, in a file as the agent reads it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import aiohttp

from playground.errors import PlaygroundFailed

SECONDS = 20.0


async def write_key_file(path: Path, *, google: str) -> None:
    """Ask the emulated Google for it. Raises `PlaygroundFailed`."""
    timeout = aiohttp.ClientTimeout(total=SECONDS)
    try:
        async with (
            aiohttp.ClientSession(trust_env=False, timeout=timeout, raise_for_status=True) as http,
            http.get(f"{google}/__admin/service_account") as answer,
        ):
            key = await answer.text()
    except (aiohttp.ClientError, TimeoutError) as error:
        raise PlaygroundFailed("The emulated Google gave no key of its service account.") from error
    await asyncio.to_thread(_write, path, key)


def _write(path: Path, key: str) -> None:
    path.touch(mode=0o600)
    path.write_text(key, encoding="utf-8")
