"""The façade over google-api-python-client: services built once from the documents that ship with it.

With an API root given, the documents are patched before they are built, so that calls, batches and media all go there;
`client_options.api_endpoint` would leave batches at Google. No credentials are ever put into a service.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from io import BytesIO
from typing import Any, Protocol, cast

from integrations.google.auth.transport import MANGLED
from integrations.google.calls import Answer, ApiCall, Outcome
from integrations.google.errors import read_refusal
from integrations.google.http import GoogleHttp

MAIL_TYPE = "message/rfc822"
VERSIONS = {"gmail": "v1", "calendar": "v3", "people": "v1"}


class WireRequest(Protocol):
    """A request of googleapiclient, ready to be executed."""

    headers: dict[str, str]

    def execute(self, *, http: GoogleHttp, num_retries: int) -> object:
        """Send it; raises the library's HttpError for an answer that is not 2xx."""
        ...


class _WireBatch(Protocol):
    def add(self, request: WireRequest, *, callback: Callable[[str, object, Exception | None], None]) -> None: ...

    def execute(self, *, http: GoogleHttp) -> None: ...


class Services:
    """Requests and answers of the Google APIs that we use. Inert until `open`, which reads and builds (about 0.2 s)."""

    def __init__(self, *, api_root_url: str | None) -> None:
        self._root = api_root_url
        self._services: dict[str, Any] = {}
        self._leaves: dict[tuple[str, str], Any] = {}
        self._http_error: type[Exception] = Exception
        self._batch_error: type[Exception] = Exception
        self._upload: Callable[..., object] = BytesIO  # until `open`

    def open(self) -> None:
        """Import the library and build every service."""
        discovery = import_module("googleapiclient.discovery")
        documents = import_module("googleapiclient.discovery_cache")
        errors = import_module("googleapiclient.errors")
        self._http_error, self._batch_error = errors.HttpError, errors.BatchError
        self._upload = import_module("googleapiclient.http").MediaIoBaseUpload  # not resumable: one request
        http = import_module("httplib2").Http()
        for name, version in VERSIONS.items():
            document = self._rooted(json.loads(documents.get_static_doc(name, version)))
            self._services[name] = discovery.build_from_document(document, http=http)

    def _rooted(self, document: dict[str, object]) -> dict[str, object]:
        if self._root:
            document["rootUrl"] = self._root.rstrip("/") + "/"
            document.pop("mtlsRootUrl", None)
        return document

    def request(self, call: ApiCall) -> WireRequest:
        """The request for a call; parameters that the method does not know raise TypeError."""
        media = {} if call.upload is None else {"media_body": self._upload(BytesIO(call.upload), mimetype=MAIL_TYPE)}
        request = getattr(self._leaf(call), call.method)(**call.params, **media)
        request.headers.update(call.headers)
        return cast("WireRequest", request)

    def _leaf(self, call: ApiCall) -> Any:
        """The resource that has the method; navigating to it costs more than building a request, so it is kept."""
        key = (call.api, call.resource)
        if key not in self._leaves:
            leaf = self._services[call.api]
            for name in call.resource.split("."):
                leaf = getattr(leaf, name)()
            self._leaves[key] = leaf
        return self._leaves[key]

    def execute(self, request: WireRequest, transport: GoogleHttp) -> Outcome:
        """Send one request, once as far as we are concerned. Connection errors come out as they are; an answer that the
        library cannot read is a ValueError.
        """
        try:
            return Answer(request.execute(http=transport, num_retries=0))
        except self._http_error as error:
            return read_refusal(error)
        except MANGLED as error:
            raise ValueError("the answer is in no form of Google's") from error

    def execute_batch(self, api: str, requests: Sequence[WireRequest], transport: GoogleHttp) -> list[Outcome]:
        """Send many requests of one API in one POST; the outcomes come in the order of the requests. Raises as
        `execute`; an answer that leaves one of them out is none either.
        """
        outcomes: dict[int, Outcome] = {}
        batch = cast("_WireBatch", self._services[api].new_batch_http_request())
        for place, request in enumerate(requests):
            batch.add(request, callback=partial(self._keep, outcomes, place))
        try:
            batch.execute(http=transport)
        except (self._batch_error, *MANGLED) as error:
            raise ValueError("the answer is no batch of Google's") from error
        except self._http_error as error:
            return [read_refusal(error)] * len(requests)
        return [outcomes[place] for place in range(len(requests))]

    def _keep(self, outcomes: dict[int, Outcome], place: int, _id: str, data: object, error: Exception | None) -> None:
        if error is None:
            outcomes[place] = Answer(data)
        elif isinstance(error, self._http_error):
            outcomes[place] = read_refusal(error)
        else:
            raise error
