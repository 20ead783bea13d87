"""Tokens, scopes, batches and faults, as the real client and google-auth meet them."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Iterator
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest

from playground.google.schema import problems
from tests.contract.playground.google.client import Google, RefreshError, raw_of, refusal, refused
from tests.patience import PATIENCE_SECONDS

MAIL = {"raw": raw_of("To: helen.marsh@marshgardens.example\nSubject: Once\n\nOnce only.\n")}


def profile(google: Google, who: str = "dana") -> Any:
    return google.gmail(who).users().getProfile(userId="me")


def ids(google: Google, count: int) -> list[str]:
    page = google.gmail().users().messages().list(userId="me", maxResults=count).execute()
    return [message["id"] for message in page["messages"]]


class TestTokens:
    def test_an_unknown_token(self, google: Google) -> None:
        """A token that was never issued is a 401 with a challenge."""
        request = google.gmail(token="ya29.stolen").users().getProfile(userId="me")
        status, body = refusal(request.execute)
        assert (status, body["error"]["status"]) == (401, "UNAUTHENTICATED")

    def test_an_expired_token_is_refreshed(self, google: Google) -> None:
        """google-auth exchanges the refresh token, with the client's id and secret in the body."""
        google.admin("grants", {"person": "dana", "do": "expire"})
        assert refused(profile(google).execute) == (401, "authError")
        service = google.refreshing("gmail.v1", "dana")
        assert service.users().getProfile(userId="me").execute()["emailAddress"] == "dana@fernhill.example"
        assert len(google.calls("/token")) == 1

    def test_a_revoked_grant(self, google: Google) -> None:
        """After a revocation neither token works: the refresh is answered invalid_grant, until it is restored."""
        google.admin("grants", {"person": "dana", "do": "revoke"})
        with pytest.raises(RefreshError, match="invalid_grant"):
            google.refreshing("gmail.v1", "dana").users().getProfile(userId="me").execute()
        google.admin("grants", {"person": "dana", "do": "restore"})
        assert profile(google).execute()

    def test_time_ends_an_issued_token(self, google: Google) -> None:
        """A refreshed token ends when the emulator's clock is an hour ahead."""
        token = self.refresh(google, basic=True)["access_token"]
        request = google.gmail(token=token).users().getProfile(userId="me")
        assert request.execute()
        google.admin("clock", {"advance": 3_700})
        assert refused(request.execute)[0] == 401

    def test_client_authentication(self, google: Google) -> None:
        """HTTP Basic works as the body does; a wrong secret is a 401 invalid_client."""
        assert self.refresh(google, basic=True)["token_type"] == "Bearer"
        assert self.refresh(google, basic=False)["expires_in"] == 3599
        with pytest.raises(HTTPError, match="401") as caught:
            self.refresh(google, basic=True, secret="wrong")
        with caught.value:
            assert json.load(caught.value)["error"] == "invalid_client"

    def refresh(self, google: Google, *, basic: bool, secret: str = "playground-secret") -> dict[str, Any]:
        form = {"grant_type": "refresh_token", "refresh_token": "1//playground-dana"}
        headers = {"content-type": "application/x-www-form-urlencoded"}
        if basic:
            pair = base64.b64encode(f"playground-client:{secret}".encode()).decode()
            headers["authorization"] = f"Basic {pair}"
        else:
            form |= {"client_id": "playground-client", "client_secret": secret}
        request = Request(f"{google.url}/token", data=urlencode(form).encode(), headers=headers)
        with urlopen(request, timeout=PATIENCE_SECONDS) as answer:
            return json.load(answer)


class TestScopes:
    def test_a_missing_scope(self, google: Google) -> None:
        """A method outside the granted scopes is a 403 in both error shapes."""
        google.admin("grants", {"person": "dana", "scopes": ["https://www.googleapis.com/auth/gmail.readonly"]})
        assert profile(google).execute()
        status, body = refusal(google.gmail().users().messages().send(userId="me", body=MAIL).execute)
        assert status == 403
        assert body["error"]["errors"][0]["reason"] == "insufficientPermissions"
        assert body["error"]["details"][0]["reason"] == "ACCESS_TOKEN_SCOPE_INSUFFICIENT"
        assert google.state()["people"]["dana"]["sent"][0]["subject"] != "Once"

    def test_metadata_cannot_search(self, google: Google) -> None:
        """gmail.metadata lists and shows headers, but takes no query and gives no body."""
        google.admin("grants", {"person": "dana", "scopes": ["https://www.googleapis.com/auth/gmail.metadata"]})
        messages = google.gmail().users().messages()
        message = messages.list(userId="me").execute()["messages"][0]["id"]
        assert messages.get(userId="me", id=message, format="metadata").execute()["payload"]["headers"]
        assert refused(messages.get(userId="me", id=message).execute)[0] == 403
        assert refused(messages.list(userId="me", q="x").execute)[0] == 403

    def test_a_disabled_api(self, google: Google) -> None:
        """An API that the project has not enabled says where to enable it."""
        google.admin("apis", {"disabled": ["calendar"]})
        status, body = refusal(google.calendar().events().list(calendarId="primary").execute)
        assert (status, body["error"]["errors"][0]["reason"]) == (403, "accessNotConfigured")
        assert body["error"]["details"][0]["reason"] == "SERVICE_DISABLED"
        assert profile(google).execute()


class TestBatch:
    def run(self, google: Google, requests: list[Any]) -> dict[str, Any]:
        answers: dict[str, Any] = {}

        def note(request_id: str, answer: Any, error: Exception | None) -> None:
            answers[request_id] = error or answer

        batch = google.gmail().new_batch_http_request(callback=note)
        for number, request in enumerate(requests):
            batch.add(request, request_id=f"n {number}")
        batch.execute()
        return answers

    def test_each_answer_finds_its_question(self, google: Google) -> None:
        """Twenty reads and one that fails come back under the ids of their requests."""
        messages = google.gmail().users().messages()
        wanted = ids(google, 20)
        requests = [messages.get(userId="me", id=message, format="metadata") for message in wanted]
        answers = self.run(google, [*requests, messages.get(userId="me", id="19ffffffffffffff")])
        assert [answers[f"n {number}"]["id"] for number in range(20)] == wanted
        assert answers["n 20"].resp.status == 404
        assert len(google.calls("/batch")) == 1

    def test_one_of_them_is_over_the_limit(self, google: Google) -> None:
        """A part can be refused with 429 while the others are answered."""
        messages = google.gmail().users().messages()
        wanted = ids(google, 3)
        google.fault("error", wanted[1], status=429, error="rateLimitExceeded")
        answers = self.run(google, [messages.get(userId="me", id=message) for message in wanted])
        assert answers["n 1"].resp.status == 429
        assert answers["n 0"]["id"] == wanted[0]
        assert answers["n 2"]["id"] == wanted[2]

    def test_calendar_has_its_own(self, google: Google) -> None:
        """Batches of Calendar go to /batch/calendar/v3, with bodies in their parts."""
        service = google.calendar()
        answers: list[Any] = []

        def note(_: str, answer: Any, error: Exception | None) -> None:
            answers.append(error or answer)

        batch = service.new_batch_http_request(callback=note)
        day = {"start": {"date": "2030-05-01"}, "end": {"date": "2030-05-02"}, "summary": "Maifeiertag – Ruhe"}
        batch.add(service.events().insert(calendarId="primary", body=day))
        batch.add(service.events().list(calendarId="primary", maxResults=1))
        batch.execute()
        assert answers[0]["summary"] == "Maifeiertag – Ruhe"
        assert answers[1]["items"]
        assert google.calls("/batch/calendar/v3")


class TestQuota:
    def test_a_minutes_budget(self, google: Google) -> None:
        """Ten reads use a budget of two hundred units up; the next is a 429 until the minute is over."""
        google.admin("quota", {"gmail": 200})
        messages = google.gmail().users().messages()
        (message,) = ids(google, 1)
        for _ in range(9):
            messages.get(userId="me", id=message, format="minimal").execute()
        read = messages.get(userId="me", id=message, format="minimal")
        status, body = refusal(read.execute)
        assert (status, body["error"]["errors"][0]["reason"]) == (429, "rateLimitExceeded")
        assert body["error"]["details"][0]["reason"] == "RATE_LIMIT_EXCEEDED"
        assert google.gmail("mara").users().getProfile(userId="me").execute()
        google.admin("clock", {"advance": 61})
        assert read.execute()


class TestFaults:
    @pytest.mark.parametrize(
        ("status", "reason"),
        [(429, "rateLimitExceeded"), (403, "userRateLimitExceeded"), (403, "domainPolicy"), (500, ""), (503, "")],
    )
    def test_errors(self, google: Google, status: int, reason: str) -> None:
        """An error that was asked for comes once, in Google's own shape, and nothing is done."""
        google.fault("error", "gmail.users.messages.send", status=status, error=reason)
        send = google.gmail().users().messages().send(userId="me", body=MAIL)
        assert refused(send.execute) == (status, reason or "backendError")
        assert google.state()["outside"] == []
        assert send.execute()["labelIds"] == ["SENT"]

    def test_the_nth_call(self, google: Google) -> None:
        """A fault can let the first calls of its method pass."""
        google.fault("error", "users.getProfile", status=503, skip=2)
        assert profile(google).execute()
        assert profile(google).execute()
        assert refused(profile(google).execute)[0] == 503

    def test_an_expired_token(self, google: Google) -> None:
        """expired_token answers 401 once; credentials that can refresh carry on by themselves."""
        google.fault("expired_token", "users.getProfile")
        assert google.refreshing("gmail.v1", "dana").users().getProfile(userId="me").execute()
        assert len(google.calls("/token")) == 1

    def test_a_dropped_connection_makes_httplib2_send_twice(self, google: Google) -> None:
        """The server did it and closed the connection: the bare client sends the mail again, without being asked."""
        google.fault("drop_after", "/messages/send")
        google.gmail().users().messages().send(userId="me", body=MAIL).execute(num_retries=0)
        assert len(google.state()["outside"]) == 2

    def test_a_dropped_draft_is_sent_once(self, google: Google) -> None:
        """The same with a draft: the second attempt finds no draft, the mail is out once."""
        drafts = google.gmail().users().drafts()
        draft = drafts.create(userId="me", body={"message": MAIL}).execute()
        google.fault("drop_after", "drafts/send")
        assert refused(drafts.send(userId="me", body={"id": draft["id"]}).execute) == (404, "notFound")
        assert len(google.state()["outside"]) == 1

    def test_a_slow_body(self, google: Google) -> None:
        """slow_body lets an answer trickle in."""
        google.fault("slow_body", "users.getProfile", seconds=0.3)
        begin = time.monotonic()
        assert profile(google).execute()["emailAddress"]
        assert time.monotonic() - begin >= 0.3

    def test_long_answers_are_compressed(self, google: Google) -> None:
        """Answers come in gzip when the client says that it takes it; the log keeps them readable."""
        http = google.http("ya29.playground-dana")
        response, _ = http.request(f"{google.url}/gmail/v1/users/me/messages?maxResults=50")
        assert response["-content-encoding"] == "gzip"
        assert google.calls("/messages")[-1]["response"]["messages"]


class TestBeside:
    def test_reset(self, google: Google) -> None:
        """A reset brings the seeded world back, with the same ids."""
        before = ids(google, 50)
        google.gmail().users().messages().send(userId="me", body=MAIL).execute()
        assert ids(google, 50) != before
        google.admin("reset", {})
        assert ids(google, 50) == before
        assert google.state()["outside"] == []

    def test_changes_are_told(self, google: Google) -> None:
        """The event stream tells of mail that was sent and delivered."""
        with urlopen(f"{google.url}/__admin/events", timeout=PATIENCE_SECONDS) as stream:
            lines = iter(stream.readline, b"")
            next(lines)
            raw = raw_of("To: jonas@fernhill.example\nSubject: News\n\nx\n")
            google.gmail().users().messages().send(userId="me", body={"raw": raw}).execute()
            kinds = list(self.kinds(lines, until="log"))
        assert kinds == ["mail_sent", "mail_delivered", "log"]

    def kinds(self, lines: Iterator[bytes], *, until: str) -> Iterator[str]:
        for line in lines:
            if line.startswith(b"data: "):
                kind = json.loads(line[6:])["kind"]
                yield kind
                if kind == until:
                    return

    def test_problems_are_named(self) -> None:
        """The check that guards every answer names the field that is wrong."""
        schemas: dict[str, dict[str, Any]] = {"Box": {"type": "object", "properties": {"size": {"type": "integer"}}}}
        assert list(problems(schemas, "Box", {"size": "big", "lid": 1})) == [
            "Box.size: str instead of integer",
            "Box.lid: unknown field",
        ]
