"""The transport of google-auth, with a timeout, and what its errors say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from google.auth.exceptions import RefreshError
from google.auth.transport.requests import Request

TIMEOUT_SECONDS = 10.0
"""For each attempt, to connect and to answer. The library's own is two minutes, which hold a thread."""

MANGLED = (AttributeError, KeyError, OverflowError, TypeError, ValueError)
"""What Google's libraries raise of an answer in another form than the documentation promises: they take it for granted,
and the page that a proxy answers in Google's place has none of it.
"""


def words_of(error: RefreshError) -> tuple[str, str]:
    """Google's code and description, which google-auth keeps as the last argument."""
    details = cast("dict[str, object]", error.args[1]) if isinstance(error.args[-1], dict) else {}
    return str(details.get("error", "")), str(details.get("error_description", ""))


class BoundedRequest(Request):
    """Implements google-auth's `transport.Request`. The library names no timeout when it asks for tokens and keys."""

    def __init__(self, timeout_seconds: float = TIMEOUT_SECONDS) -> None:
        super().__init__()
        self._timeout_seconds = timeout_seconds

    def __call__(
        self,
        url: str,
        method: str = "GET",
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float | None = None,
        **kwargs: Any,
    ) -> Any:
        """One request; the caller's timeout counts where it is shorter."""
        bound = self._timeout_seconds if timeout is None else min(timeout, self._timeout_seconds)
        library = cast("Any", super())  # typed in part only, and its timeout in whole seconds; requests takes less too
        return library.__call__(url, method=method, body=body, headers=headers, timeout=bound, **kwargs)
