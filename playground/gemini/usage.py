"""Plausible token counts: about four characters a token, files as Google counts them, a cache for stable prefixes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from playground.gemini import inline_data, rules
from playground.gemini.schema import Json

CACHED_FROM_TOKENS = 1_024
_CHARACTERS_PER_TOKEN = 4


def tokens(value: Any) -> int:
    """The tokens of a text, or of anything else as JSON."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return max(1, len(text) // _CHARACTERS_PER_TOKEN) if text else 0


def prompt_usage(request: Json) -> dict[str, int]:
    """The usage of the prompt. Contents before the current turn count as cached, if they are long enough."""
    contents = request["contents"]
    rest = {name: value for name, value in request.items() if name != "contents"}
    fixed, each = tokens(rest), [_content_tokens(content) for content in contents]
    before, whole = fixed + sum(each[: rules.current_turn(contents)]), fixed + sum(each)
    return {"promptTokenCount": whole} | ({"cachedContentTokenCount": before} if before >= CACHED_FROM_TOKENS else {})


def _content_tokens(content: Json) -> int:
    blobs = [part["inlineData"] for part in content["parts"] if "inlineData" in part]
    if not blobs:
        return tokens(content)
    said = [part for part in content["parts"] if "inlineData" not in part]
    return tokens(content | {"parts": said}) + sum(map(inline_data.tokens, blobs))


def total(prompt: Mapping[str, int], *, candidates: int, thoughts: int) -> Json:
    """The usage so far, which each chunk of a stream repeats."""
    usage: Json = {**prompt}
    if candidates:
        usage["candidatesTokenCount"] = candidates
    if thoughts:
        usage["thoughtsTokenCount"] = thoughts
    usage["totalTokenCount"] = prompt["promptTokenCount"] + candidates + thoughts
    return usage
