"""Scopes and rate-limit tiers per method."""

from __future__ import annotations

from collections import deque

from playground.slack.errors import Refused

GRANTED = frozenset(
    {
        "app_mentions:read",
        "assistant:write",
        "channels:history",
        "channels:read",
        "chat:write",
        "commands",
        "files:read",
        "files:write",
        "groups:history",
        "groups:read",
        "im:history",
        "im:write",
        "mpim:history",
        "reactions:write",
        "search:read.public",
        "users:read",
        "users:read.email",
    }
)
"""The manifest's bot scopes, required and optional ones, as if an administrator had granted all."""

NEEDED: dict[str, tuple[str, ...]] = {
    "chat.postMessage": ("chat:write",),
    "chat.update": ("chat:write",),
    "chat.delete": ("chat:write",),
    "chat.postEphemeral": ("chat:write",),
    "chat.startStream": ("chat:write",),
    "chat.appendStream": ("chat:write",),
    "chat.stopStream": ("chat:write",),
    "agents.sessions.setStatus": ("chat:write",),
    "agents.sessions.rename": ("chat:write",),
    "assistant.threads.setStatus": ("chat:write", "assistant:write"),
    "assistant.threads.setSuggestedPrompts": ("assistant:write",),
    "assistant.threads.setTitle": ("assistant:write",),
    "conversations.open": ("im:write",),
    "users.info": ("users:read",),
    "users.list": ("users:read",),
    "users.lookupByEmail": ("users:read.email",),
    "reactions.add": ("reactions:write",),
    "reactions.remove": ("reactions:write",),
    "files.info": ("files:read",),
    "files.getUploadURLExternal": ("files:write",),
    "files.completeUploadExternal": ("files:write",),
}
"""One of these is enough. Methods check scopes that depend on the kind of channel themselves."""

TIERS = {1: 1, 2: 20, 3: 50, 4: 100}
"""Requests a minute."""

TIER: dict[str, int] = {
    "apps.connections.open": 1,
    "chat.startStream": 2,
    "chat.stopStream": 2,
    "conversations.list": 2,
    "users.list": 2,
    "chat.update": 3,
    "chat.delete": 3,
    "conversations.open": 3,
    "conversations.info": 3,
    "conversations.replies": 3,
    "conversations.history": 3,
    "users.conversations": 3,
    "users.lookupByEmail": 3,
    "reactions.add": 3,
    "reactions.remove": 2,
    "agents.sessions.setStatus": 3,
    "agents.sessions.rename": 3,
    "chat.appendStream": 4,
    "chat.postEphemeral": 4,
    "conversations.members": 4,
    "views.open": 4,
    "views.push": 4,
    "views.update": 4,
    "views.publish": 4,
    "users.info": 4,
    "files.info": 4,
    "files.getUploadURLExternal": 4,
    "files.completeUploadExternal": 4,
}
POSTS_PER_CHANNEL = 1
BURST_SECONDS = 1.0


class RateLimits:
    """Sliding windows per method; `chat.postMessage` counts per channel and second."""

    def __init__(self) -> None:
        self._seen: dict[str, deque[float]] = {}

    def count(self, method: str, channel: str, now: float) -> None:
        """Counts a call; raises `ratelimited` with `Retry-After` if it is one too many."""
        if method == "chat.postMessage":
            self._count(f"{method}:{channel}", POSTS_PER_CHANNEL, BURST_SECONDS, now)
        elif method in TIER:
            self._count(method, TIERS[TIER[method]], 60.0, now)

    def _count(self, key: str, limit: int, seconds: float, now: float) -> None:
        seen = self._seen.setdefault(key, deque())
        while seen and now - seen[0] >= seconds:
            seen.popleft()
        if len(seen) >= limit:
            raise ratelimited(max(1, round(seconds - (now - seen[0]))))
        seen.append(now)


def ratelimited(seconds: int) -> Refused:
    """HTTP 429; `retry_after` becomes the header."""
    return Refused("ratelimited", status=429, retry_after=seconds)
