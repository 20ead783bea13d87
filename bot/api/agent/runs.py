"""The agent's routes: ask, stream, look, go on (runtime contract §1; docs/http-api.md)."""

from __future__ import annotations

import asyncio
import contextlib
import functools
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Generator, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, TypeVar

import structlog
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from bot.api.agent.access import HttpAccess, Slots
from bot.api.agent.bodies import json_body
from bot.api.agent.contract import ContinueRequest, RetryRequest, RunRequest, answer_of, read_as
from bot.api.agent.lines import HEARTBEAT_SECONDS, LineResponse, error_event, no_lines, written
from bot.api.agent.parameters import numbers
from bot.api.refusals import HEADERS, HttpRefusal, busy, not_found
from bot.domain.threads import User
from bot.redaction import as_json
from bot.runtime.core.priority import Priorities, Priority
from bot.runtime.over_http.admission import MaybeTaken, NotTaken, Taken, Turned
from bot.runtime.over_http.following import Behind, Followed, Following, Leaving, settled
from bot.runtime.over_http.going_on import GoingOn
from bot.runtime.over_http.keys import Key
from bot.runtime.over_http.outcomes import Outcome
from bot.runtime.over_http.prompts import HttpPrompt, Prompts
from bot.runtime.over_http.taking import handed_on
from bot.runtime.over_http.transcripts import Ended, Lost, TranscriptPiece
from bot.store.errors import NotRead, NotSaved
from bot.store.store import Store

log = structlog.get_logger()

FOLDER = "/api/agent/run"
WAIT_SECONDS = 300.0
LONGEST_KEY = 255

_STATUS = {
    Turned.NOT_FOUND: HTTPStatus.NOT_FOUND,
    Turned.KEY_USED: HTTPStatus.UNPROCESSABLE_ENTITY,
    Turned.NOTHING_TO_STOP: HTTPStatus.UNPROCESSABLE_ENTITY,
    Turned.NOT_NOW: HTTPStatus.UNPROCESSABLE_ENTITY,
    Turned.TOO_FAST: HTTPStatus.TOO_MANY_REQUESTS,
    Turned.BAD_INPUTS: HTTPStatus.BAD_REQUEST,
    Turned.BAD_REQUEST: HTTPStatus.BAD_REQUEST,
    Turned.UNAVAILABLE_AGENT: HTTPStatus.CONFLICT,
}
_UNSURE = "It is not known whether this was saved. Ask for this run before you send it again."
_KEY_USED = "This Idempotency-Key was used for something else within the last 24 hours. Use a new one."

Link = Callable[[str, str], Awaitable[str]]
"""The address of a message in Slack, by its channel and timestamp; empty where it cannot be had."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentRoutes:
    """The routes. A request is let in, checked and given a place to wait before anything is taken for it."""

    access: HttpAccess
    slots: Slots
    store: Store
    prompts: Prompts
    going_on: GoingOn
    following: Following
    link: Link
    redact: Callable[[str], str]
    priorities: Priorities
    now: Callable[[], float]
    wait_seconds: float = WAIT_SECONDS
    heartbeat: float = HEARTBEAT_SECONDS

    def routes(self) -> Sequence[Route]:
        """All of them."""
        return [
            Route(FOLDER, answered(self.run), methods=["POST"]),
            Route(f"{FOLDER}/stream", answered(self.stream), methods=["POST"]),
            Route(f"{FOLDER}/{{run_id}}", answered(self.look), methods=["GET"]),
            Route(f"{FOLDER}/{{run_id}}/stream", answered(self.join), methods=["GET"]),
            Route(f"{FOLDER}/{{run_id}}/continue", answered(self.continued), methods=["POST"]),
            Route(f"{FOLDER}/{{run_id}}/retry", answered(self.again), methods=["POST"]),
        ]

    # Asking ---------------------------------------------------------------------------------------------------

    async def run(self, request: Request) -> Response:
        """Ask, and wait for what comes of it."""
        person = await self.access.person(request)
        prompt = await self._prompt(request, person)
        with self.slots.held(person):
            taken = await self.taken(self.prompts.take(prompt))
            return await self._waited(request, person, taken)

    async def stream(self, request: Request) -> Response:
        """Ask, and follow what comes of it."""
        with self._urgently() as (held, urgent):
            person = await self.access.person(request)
            prompt = await self._prompt(request, person)
            held.enter_context(self.slots.held(person))
            taken = await self.taken(self.prompts.take(prompt))
            with goes_on_without(taken):
                followed = await self.following.join(taken.run_id, team=person.team, user=person.user)
            return self._lines(held.pop_all(), urgent, request, person, taken, followed, after=None)

    async def look(self, request: Request) -> Response:
        """What came of a request so far."""
        person = await self.access.person(request)
        outcome = await settled(
            self.store, request.path_params["run_id"], team=person.team, user=person.user, patience=0
        )
        if outcome is None:
            raise not_found()
        return await self._answer(outcome)

    async def join(self, request: Request) -> Response:
        """Follow a request that was asked before, behind the lines that one has. A HEAD follows nothing."""
        with self._urgently() as (held, urgent):
            person = await self.access.person(request)
            run_id, after = request.path_params["run_id"], numbers(request, {"after": (0, None)}).get("after")
            outcome = await settled(self.store, run_id, team=person.team, user=person.user, patience=0)
            if outcome is None:
                raise not_found()
            if request.method == "HEAD":
                return no_lines()
            taken = Taken(run_id=run_id, thread_id=outcome.thread_id)
            held.enter_context(self.slots.held(person))
            followed = await self.following.join(run_id, team=person.team, user=person.user)
            return self._lines(held.pop_all(), urgent, request, person, taken, followed, after=after)

    async def continued(self, request: Request) -> Response:
        """A paused request goes on."""
        person = await self.access.person(request)
        value, body = await json_body(request)
        until = read_as(ContinueRequest, value).deadline
        if until is not None and until.tzinfo is None:
            raise HttpRefusal(HTTPStatus.BAD_REQUEST, "bad_request", "deadline: it needs an offset.", field="deadline")
        run_id, key = request.path_params["run_id"], key_of(request, person, body)
        with self.slots.held(person):
            going = self.going_on.continued(run_id, team=person.team, user=person.user, until=until, key=key)
            return await self._waited(request, person, await self.taken(going))

    async def again(self, request: Request) -> Response:
        """A failed request is tried again."""
        person = await self.access.person(request)
        value, body = await json_body(request)
        read_as(RetryRequest, value)
        run_id, key = request.path_params["run_id"], key_of(request, person, body)
        with self.slots.held(person):
            going = self.going_on.again(run_id, team=person.team, user=person.user, key=key)
            return await self._waited(request, person, await self.taken(going))

    @contextlib.contextmanager
    def _urgently(self) -> Generator[tuple[contextlib.ExitStack, contextlib.ExitStack]]:
        """What a stream holds until it ends, and what it holds until something of it was sent: before that it comes
        before what other streams say.
        """
        with contextlib.ExitStack() as held:
            urgent = held.enter_context(contextlib.ExitStack())
            urgent.enter_context(self.priorities.work(Priority.REQUEST))
            yield held, urgent

    async def _prompt(self, request: Request, person: User) -> HttpPrompt:
        value, body = await json_body(request)
        asked = read_as(RunRequest, value)
        return HttpPrompt(
            team=person.team,
            user=person.user,
            text=asked.prompt,
            thread_id=asked.thread_id,
            conversation=asked.said(),
            attached=asked.attached(),
            key=key_of(request, person, body),
        )

    async def taken(self, taking: Coroutine[object, object, Taken]) -> Taken:
        """What was taken, or why nothing was. Raises `HttpRefusal`, `MaybeTaken`, `NotSaved`."""
        try:
            return await taking
        except NotTaken as error:
            refused = error.refused
            wait = refused.again_at.timestamp() - self.now() if refused.again_at else None
            words = refused.words or (_KEY_USED if refused.why is Turned.KEY_USED else not_found().message)
            code, field = refused.why.value, refused.field
            raise HttpRefusal(_STATUS[refused.why], code, words, field=field, retry_after=wait) from None

    # Answering ------------------------------------------------------------------------------------------------

    async def _waited(self, request: Request, person: User, taken: Taken) -> Response:
        """The answer, when the request rests."""
        with goes_on_without(taken):
            async with asyncio.timeout(self.wait_seconds):
                outcome = await unless_left(request, self._outcome(person, taken))
            if outcome is None:
                raise not_found()
            await self.access.still(request, person, taken.run_id)  # who signed out meanwhile is told nothing of it
            return await self._answer(outcome)

    async def _outcome(self, person: User, taken: Taken) -> Outcome | None:
        """What came of it; where it was said to a request that ended without it, of the one that goes on with it."""
        followed = await self.following.join(taken.run_id, team=person.team, user=person.user)
        outcome = await self.following.outcome(followed)
        following = await handed_on(self.store, taken)
        return await self._outcome(person, following) if following else outcome

    async def _answer(self, outcome: Outcome) -> Response:
        status = HTTPStatus.OK if outcome.rests else HTTPStatus.ACCEPTED
        body = as_json(answer_of(outcome, await self._links(outcome)), self.redact)
        return Response(body, status, media_type="application/json", headers=HEADERS)

    async def _links(self, outcome: Outcome) -> Mapping[str, str]:
        """All at once: each takes its time where Slack does not answer."""
        there = {one.id: self.link(*one.card) for one in outcome.waiting if one.card}
        return dict(zip(there, await asyncio.gather(*there.values()), strict=True))

    def _lines(
        self,
        held: contextlib.ExitStack,
        urgent: contextlib.ExitStack,
        request: Request,
        person: User,
        taken: Taken,
        followed: Followed,
        *,
        after: int | None,
    ) -> Response:
        begun = followed.transcript.begun(after)
        texts = self._texts(request, person, taken, self._pieces(request, person, taken, followed, begun))
        return LineResponse(texts, first=begun.first, held=held, urgent=urgent)

    async def _texts(
        self, request: Request, person: User, taken: Taken, told: AsyncGenerator[str]
    ) -> AsyncGenerator[str]:
        """The lines, with exactly one that ends them; the answer's status was sent already. Whoever signs out meanwhile
        reads on for one sign of life at the longest.
        """
        loop = asyncio.get_running_loop()
        looked_at = loop.time()
        try:
            with goes_on_without(taken):
                async with contextlib.aclosing(told) as texts:
                    async for text in texts:
                        if loop.time() - looked_at >= self.heartbeat:
                            await self.access.still(request, person, taken.run_id)
                            looked_at = loop.time()
                        yield text
        except HttpRefusal as refusal:
            yield self._last(error_event(refusal, taken))

    async def _pieces(
        self, request: Request, person: User, taken: Taken, followed: Followed, begun: TranscriptPiece
    ) -> AsyncGenerator[str]:
        """What came together goes out together; when nothing came for a while, an empty line. What came of it in the
        end is told to whoever is signed in by then.
        """
        lines = self.following.lines_from(followed, begun, heartbeat=self.heartbeat)
        about = {"run_id": taken.run_id, "thread_id": taken.thread_id}
        async with contextlib.aclosing(lines) as pieces:
            async for piece in pieces:
                told = [written(one, self.redact, **about) for one in piece.lines if not isinstance(one, Ended | Lost)]
                if told or not piece.lines:
                    yield "".join(told) or "\n"
        if following := await handed_on(self.store, taken):
            goes_on = await self.following.join(following.run_id, team=person.team, user=person.user)
            rest = self._pieces(request, person, following, goes_on, goes_on.transcript.begun(None))
            async with contextlib.aclosing(rest) as texts:
                async for text in texts:
                    yield text
        elif isinstance(followed.transcript.end, Ended):
            await self.access.still(request, person, taken.run_id)
            outcome = followed.transcript.end.outcome
            yield self._last({"type": "result", "result": answer_of(outcome, await self._links(outcome))})
        else:
            raise not_found()

    def _last(self, event: Mapping[str, Any]) -> str:
        return as_json(event, self.redact) + "\n"


@contextlib.contextmanager
def goes_on_without(taken: Taken) -> Generator[None]:
    """What fails after something was taken says so, with the run that goes on: who sends it again has it done twice."""
    try:
        yield
    except TimeoutError:
        words = "It is not done yet and goes on. Ask for this run again."
        raise HttpRefusal(HTTPStatus.GATEWAY_TIMEOUT, "still_working", words, run_id=taken.run_id) from None
    except Behind:
        words = "You read more slowly than this happens. Join again behind the last line that you have."
        raise _later("behind", words, taken) from None
    except Leaving:
        words = "Nothing more of it is told here just now; the run goes on. Ask for it again in a moment."
        raise _later("leaving", words, taken) from None
    except (NotRead, NotSaved) as error:
        log.warning("http.unavailable", run=taken.run_id, why=str(error))
        words = "What comes of it cannot be read at the moment; the run goes on. Ask for it again."
        raise _later("unavailable", words, taken) from None
    except (HttpRefusal, ClientDisconnect):
        raise
    except Exception:  # nothing of it reaches whoever asked
        log.exception("http.answer_broke", run=taken.run_id)
        words = "Something went wrong on our side; the run goes on. Ask for it again."
        raise HttpRefusal(HTTPStatus.INTERNAL_SERVER_ERROR, "internal", words, run_id=taken.run_id) from None


def _later(code: str, words: str, taken: Taken) -> HttpRefusal:
    return HttpRefusal(HTTPStatus.SERVICE_UNAVAILABLE, code, words, run_id=taken.run_id, retry_after=2)


def answered(endpoint: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    """A route whose refusals and failures have the API's own form; what failed is told by a code alone."""

    @functools.wraps(endpoint)
    async def handle(request: Request) -> Response:
        try:
            return await endpoint(request)
        except HttpRefusal as refusal:
            return refusal.response()
        except MaybeTaken as error:
            log.warning("http.unsure", run=error.taken.run_id)
            return _later("unsure", _UNSURE, error.taken).response()
        except (NotSaved, NotRead) as error:
            log.warning("http.unavailable", path=request.url.path, why=str(error))
            return busy().response()
        except ClientDisconnect:
            return Response(status_code=HTTPStatus.BAD_REQUEST)
        except Exception:  # a route's outer edge
            log.exception("http.route_broke", path=request.url.path)
            words = "Something went wrong on our side. Ask again; if it happens again, tell your administrator."
            return HttpRefusal(HTTPStatus.INTERNAL_SERVER_ERROR, "internal", words).response()

    return handle


async def unless_left(request: Request, work: Coroutine[object, object, T]) -> T:
    """The result, unless whoever waits for it leaves: raises `ClientDisconnect` then."""
    working, leaving = asyncio.ensure_future(work), asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
        raise ClientDisconnect
    finally:
        for task in (working, leaving):
            task.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def key_of(request: Request, person: User, body: bytes) -> Key | None:
    """The request's `Idempotency-Key`, which is its person's, with the route and the body. Raises `HttpRefusal`."""
    names = request.headers.getlist("idempotency-key")
    if not names:
        return None
    if len(names) > 1:
        words = "Idempotency-Key: it may stand once."
        raise HttpRefusal(HTTPStatus.BAD_REQUEST, "bad_request", words, field="Idempotency-Key")
    (name,) = names
    if not (0 < len(name) <= LONGEST_KEY and name.isascii() and name.isprintable()):
        words = f"Idempotency-Key: 1 to {LONGEST_KEY} printable ASCII characters are taken."
        raise HttpRefusal(HTTPStatus.BAD_REQUEST, "bad_request", words, field="Idempotency-Key")
    asked = f"{request.url.path}?{request.url.query}\n".encode()
    return Key(team=person.team, user=person.user, name=name, body=asked + body)
