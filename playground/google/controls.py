"""Routes beside the protocol with which the page and tests change the world of Google."""

from __future__ import annotations

from collections.abc import Callable
from email.message import EmailMessage
from email.utils import format_datetime

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from playground.admin import asked
from playground.google.errors import ApiError
from playground.google.front import FrontDoor
from playground.google.gmail.corpus import file_corpus
from playground.google.gmail.letters import Letter
from playground.google.invitations import invite
from playground.google.world import World
from playground.people import person_named


class Controls:
    """`/__admin/mail`, `/__admin/corpus`, `/__admin/invite`, `/__admin/calendar`, `/__admin/quota`, `/__admin/apis`."""

    def __init__(self, world: Callable[[], World], front: FrontDoor) -> None:
        self._world = world
        self._front = front

    def routes(self) -> list[Route]:
        return [
            Route("/__admin/mail", self._mail, methods=["POST"]),
            Route("/__admin/corpus", self._corpus, methods=["POST"]),
            Route("/__admin/invite", self._invite, methods=["POST"]),
            Route("/__admin/calendar", self._calendar, methods=["POST"]),
            Route("/__admin/quota", self._quota, methods=["POST"]),
            Route("/__admin/apis", self._apis, methods=["POST"]),
        ]

    async def _mail(self, request: Request) -> Response:
        """Somebody outside writes: `{"from", "to": [...], "subject", "text", "cc"?, "in_reply_to"?, "html"?}`."""
        wish = await asked(request)
        post = self._world().post
        mail = EmailMessage()
        mail["From"] = wish.get("from", "Somebody <somebody@outside.example>")
        mail["To"] = ", ".join(wish.get("to", []))
        if wish.get("cc"):
            mail["Cc"] = ", ".join(wish["cc"])
        mail["Subject"] = wish.get("subject", "")
        mail["Date"] = format_datetime(self._world().clock.now())
        mail["Message-ID"] = wish.get("message_id") or f"<{post.now_ms()}@outside.example>"
        if wish.get("in_reply_to"):
            mail["In-Reply-To"] = mail["References"] = wish["in_reply_to"]
        mail.set_content(wish.get("text", ""))
        if wish.get("html"):
            mail.add_alternative(wish["html"], subtype="html")
        delivered = post.deliver(Letter(mail.as_bytes()))
        return JSONResponse({"ok": bool(delivered), "ids": [stored.id for stored in delivered]})

    async def _corpus(self, request: Request) -> Response:
        """`{"person": "dana", "only"?: [names]}`: mails that break readers arrive, told by their names."""
        wish = await asked(request)
        person = person_named(str(wish.get("person", "")))
        if person is None:
            return JSONResponse({"ok": False, "error": "unknown person"}, 400)
        filed = file_corpus(self._world().post, person, wish.get("only", ()))
        mails = {name: {"id": stored.id, "thread_id": stored.thread_id} for name, stored in filed.items()}
        return JSONResponse({"ok": True, "mails": mails})

    async def _invite(self, request: Request) -> Response:
        """Somebody outside invites: `{"from", "to": [addresses], "summary", "start", "end", ...}` as an Event."""
        wish = await asked(request)
        sender, to = str(wish.pop("from", "Somebody <somebody@outside.example>")), wish.pop("to", [])
        try:
            meeting, mails = invite(self._world(), sender, to, wish)
        except ApiError as error:
            return JSONResponse({"ok": False, "error": error.message}, 400)
        return JSONResponse({"ok": True, "id": meeting.id, "mails": mails})

    async def _calendar(self, request: Request) -> Response:
        """`{"meet": "success" | "pending" | "failure", "hidden": [handles of people who share nothing]}`."""
        wish = await asked(request)
        agenda = self._world().agenda
        agenda.meet_outcome = wish.get("meet", agenda.meet_outcome)
        agenda.hidden = set(wish.get("hidden", agenda.hidden))
        return JSONResponse({"ok": True, "meet": agenda.meet_outcome, "hidden": sorted(agenda.hidden)})

    async def _quota(self, request: Request) -> Response:
        """`{"gmail": 250}`: so many units a minute and person; null removes the limit."""
        quota = self._world().quota
        for api, units in (await asked(request)).items():
            quota.units.pop(api, None)
            if units is not None:
                quota.units[api] = int(units)
        return JSONResponse({"ok": True, "units": quota.units})

    async def _apis(self, request: Request) -> Response:
        """`{"disabled": ["gmail", "calendar"]}`: those answer 403 `accessNotConfigured`."""
        wish = await asked(request)
        self._front.disabled = set(wish.get("disabled", []))
        return JSONResponse({"ok": True, "disabled": sorted(self._front.disabled)})
