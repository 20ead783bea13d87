"""Refusals of the HTTP API: one shape for all, with a code for programs and a sentence for people."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus

from starlette.responses import Response

FOLDER = "/api/"
HEADERS: Mapping[str, str] = {"cache-control": "no-store", "x-content-type-options": "nosniff"}
"""Of every answer: nobody keeps it, and no browser takes text of others in it for a page."""


class HttpRefusal(Exception):
    """Why a request was not done. `field` is the part of the body at fault, `run_id` the run that goes on without this
    answer, `retry_after` the seconds after which it may be sent again. `close`: the body was not read to its end.
    """

    def __init__(
        self,
        status: HTTPStatus,
        code: str,
        message: str,
        *,
        field: str = "",
        run_id: str = "",
        retry_after: float | None = None,
        close: bool = False,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.field = field
        self.run_id = run_id
        self.retry_after = retry_after
        self.close = close

    def response(self) -> Response:
        """As it is answered."""
        error = {"code": self.code, "message": self.message, "field": self.field, "runId": self.run_id}
        headers = dict(HEADERS)
        if self.retry_after is not None:
            headers["retry-after"] = str(max(1, -int(-self.retry_after // 1)))
        if self.close:
            headers["connection"] = "close"
        told = {name: value for name, value in error.items() if value}
        body = json.dumps({"ok": False, "error": told}, ensure_ascii=False)  # written as the answers are
        return Response(body, self.status, headers, media_type="application/json")


def is_api(path: str) -> bool:
    """Whether what is asked there is asked of the API, so that a program reads the answer."""
    return f"{path.lower()}/".startswith(FOLDER)


def not_found() -> HttpRefusal:
    """There is no such thing, or none for this person: which of both is not said."""
    return HttpRefusal(HTTPStatus.NOT_FOUND, "not_found", "There is no such thing here, or it is not yours.")


def busy(words: str = "This could not be saved just now, so this request did nothing. Send it again.") -> HttpRefusal:
    """It may work in a moment."""
    return HttpRefusal(HTTPStatus.SERVICE_UNAVAILABLE, "unavailable", words, retry_after=2)


def unrouted(status: int, headers: Mapping[str, str] | None) -> Response:
    """No route has this path, or none with this method: 404, or 405 with the methods that there are in `headers`."""
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        refusal = HttpRefusal(HTTPStatus.METHOD_NOT_ALLOWED, "wrong_method", "This path is asked in another way.")
    else:
        refusal = HttpRefusal(HTTPStatus.NOT_FOUND, "not_found", "The API has no such path.")
    response = refusal.response()
    response.headers.update(headers or {})
    return response
