"""Google's lists come in pages, each with the token of the next one."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import TypeVar

from integrations.google.account import GoogleAccount
from integrations.google.calls import ApiCall, Resource


class Page(Resource):
    """One page of a list; `next_page_token` is None on the last one."""

    next_page_token: str | None = None


P = TypeVar("P", bound=Page)


async def pages(account: GoogleAccount, call: ApiCall, shape: type[P], *, most: int | None = None) -> AsyncGenerator[P]:
    """Each page of a list, `most` of them at most; raises `ToolError` as `GoogleAccount.read`."""
    number = 0
    while True:
        page = await account.read(call, shape)
        yield page
        number += 1
        if page.next_page_token is None or number == most:
            return
        call = at_page(call, page.next_page_token)


def at_page(call: ApiCall, token: str | None) -> ApiCall:
    """The same list from the page that the token names; from the first one without a token."""
    return replace(call, params={**call.params, "pageToken": token}) if token else call
