"""The proxies that the machine's environment names."""

from __future__ import annotations

import os

NAMES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")


def forget() -> None:
    """slack_sdk sends calls to a loopback address to a proxy, whatever NO_PROXY says."""
    for name in NAMES:
        os.environ.pop(name, None)
