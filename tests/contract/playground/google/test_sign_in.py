"""Consent, codes and tokens, as google-auth-oauthlib and google-auth meet them."""

from __future__ import annotations

import base64
import json
import time
from importlib import import_module
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest

from tests.contract.playground.google.browser import Page, decide, look
from tests.contract.playground.google.client import Google, refused
from tests.patience import PATIENCE_SECONDS

_flow: Any = import_module("google_auth_oauthlib.flow")
_id_token: Any = import_module("google.oauth2.id_token")
_requests: Any = import_module("google.auth.transport.requests")
_service_account: Any = import_module("google.oauth2.service_account")

AUTH = "https://www.googleapis.com/auth/"
IDENTITY = ("openid", f"{AUTH}userinfo.email")
MAIL = f"{AUTH}gmail.readonly"
EVENTS = f"{AUTH}calendar.events"
SCOPES = (*IDENTITY, MAIL, EVENTS)
BACK = "http://127.0.0.1:8765/oauth/google/callback"
JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"


@pytest.fixture(autouse=True)
def loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OAUTHLIB_INSECURE_TRANSPORT", "1")
    monkeypatch.setenv("OAUTHLIB_RELAX_TOKEN_SCOPE", "1")


def flow(google: Google, scopes: tuple[str, ...] = SCOPES, **more: Any) -> Any:
    web = {
        "client_id": "playground-client",
        "client_secret": "playground-secret",
        "auth_uri": f"{google.url}/o/oauth2/v2/auth",
        "token_uri": f"{google.url}/token",
    }
    return _flow.Flow.from_client_config({"web": web}, list(scopes), redirect_uri=BACK, **more)


def asked(google: Google, **change: str | None) -> str:
    """The address of an authorization request, with parameters changed or (None) left out."""
    query: dict[str, str | None] = {
        "client_id": "playground-client",
        "redirect_uri": BACK,
        "response_type": "code",
        "scope": " ".join(SCOPES),
        "state": "s1",
        "access_type": "offline",
        "prompt": "consent",
        "login_hint": "dana@fernhill.example",
        **change,
    }
    return f"{google.url}/o/oauth2/v2/auth?{urlencode({n: v for n, v in query.items() if v is not None})}"


def exchange(google: Google, **form: str) -> tuple[int, dict[str, Any]]:
    """The answer of the token endpoint, the client authenticated in the body."""
    client = {"client_id": "playground-client", "client_secret": "playground-secret"}
    return post(google, "token", {**client, **form})


def post(google: Google, path: str, form: dict[str, str]) -> tuple[int, dict[str, Any]]:
    """The status and body of a form that was posted."""
    try:
        request = Request(f"{google.url}/{path}", data=urlencode(form).encode())
        with urlopen(request, timeout=PATIENCE_SECONDS) as answer:
            return answer.status, json.load(answer)
    except HTTPError as error:
        with error:
            return error.code, json.load(error)


def allowed(google: Google, **change: str | None) -> str:
    """A code that Dana allowed."""
    return decide(look(asked(google, **change)), google.url, "allow").told["code"]


def redeem(google: Google, code: str, **more: str) -> tuple[int, dict[str, Any]]:
    return exchange(google, grant_type="authorization_code", code=code, redirect_uri=BACK, **more)


class TestTheRealLibraries:
    def test_from_the_request_to_a_checked_identity(self, google: Google) -> None:
        """Flow and verify_oauth2_token run unchanged: consent, PKCE, Basic auth, and an id_token signed with RS256."""
        google.admin("grants", {"person": "luis", "do": "forget"})
        first = flow(google)
        url, state = first.authorization_url(
            prompt="consent", include_granted_scopes="true", login_hint="luis@fernhill.example"
        )
        back = decide(look(url), google.url, "allow")
        assert back.location.startswith(f"{BACK}?")
        assert back.told["state"] == state
        second = flow(google, state=state, code_verifier=first.code_verifier, autogenerate_code_verifier=False)
        second.fetch_token(code=back.told["code"])
        credentials = second.credentials
        claims = _id_token.verify_oauth2_token(credentials.id_token, moved(google), "playground-client")
        assert claims["email"] == "luis@fernhill.example"
        assert claims["hd"] == "fernhill.example"
        assert claims["email_verified"] is True
        assert set(credentials.granted_scopes) == set(SCOPES)
        gmail = google.gmail(token=credentials.token)
        assert gmail.users().getProfile(userId="me").execute()["emailAddress"] == "luis@fernhill.example"
        assert google.refreshing("gmail.v1", "luis", refresh_token=credentials.refresh_token)

    def test_a_fresh_flow_without_the_verifier(self, google: Google) -> None:
        """A callback that does not bring the verifier is refused in Google's words."""
        url, state = flow(google).authorization_url(prompt="consent", login_hint="dana@fernhill.example")
        code = decide(look(url), google.url, "allow").told["code"]
        with pytest.raises(Exception, match="Missing code verifier"):
            flow(google, state=state, autogenerate_code_verifier=False).fetch_token(code=code)

    def test_a_service_account_acts_for_a_person(self, google: Google) -> None:
        """google-auth signs the assertion with the key file, and reads the mailbox of the person it names."""
        info = google.admin("service_account")
        plain = _service_account.Credentials.from_service_account_info(info, scopes=[MAIL])
        assert profile(google, plain.with_subject("dana@fernhill.example")) == "dana@fernhill.example"
        for subject, scopes, words in (
            ("dana@fernhill.example", [f"{AUTH}gmail.modify"], "unauthorized_client"),
            ("helen.marsh@marshgardens.example", [MAIL], "Invalid email or User ID"),
        ):
            credentials = plain.with_subject(subject).with_scopes(scopes)
            with pytest.raises(Exception, match=words):
                profile(google, credentials)
        service = google.gmail(token=fetched(plain))
        assert refused(service.users().getProfile(userId="me").execute) == (400, "failedPrecondition")


def profile(google: Google, credentials: Any) -> str:
    service = google.gmail(token=fetched(credentials))
    return service.users().getProfile(userId="me").execute()["emailAddress"]


def fetched(credentials: Any) -> str:
    credentials.refresh(_requests.Request())
    return credentials.token


def moved(google: Google) -> Any:
    """google-auth's transport, with the address of Google's keys moved to the emulator."""
    plain = _requests.Request()

    def request(url: str, **more: Any) -> Any:
        return plain(url.replace("https://www.googleapis.com", google.url), **more)

    return request


class TestThePages:
    def test_choosing_an_account(self, google: Google) -> None:
        """Without a hint everybody is offered, and each link leads to the consent page of that account."""
        page = look(asked(google, login_hint=None))
        assert page.status == 200
        assert len(page.links) == 6
        mara = look(google.url + next(link for link in page.links if "authuser=mara" in link))
        assert "mara@fernhill.example" in mara.text
        assert mara.boxes == (MAIL, EVENTS)

    def test_select_account_overrules_the_hint(self, google: Google) -> None:
        """prompt=select_account shows the accounts although the app hinted at one, and goes on once one is chosen."""
        page = look(asked(google, prompt="select_account consent"))
        assert "Choose an account" in page.text
        chosen = look(google.url + next(link for link in page.links if "authuser=jonas" in link))
        assert decide(chosen, google.url, "allow").told["code"]

    def test_another_account(self, google: Google) -> None:
        """“Use another account” changes the account and nothing else: what the app asked for stays, consent too."""
        first = look(asked(google))
        page = look(google.url + next(link for link in first.links if "select_account" in link))
        assert "Choose an account" in page.text
        mara = look(google.url + next(link for link in page.links if "authuser=mara" in link))
        back = decide(mara, google.url, "allow")
        assert back.told["prompt"] == "consent select_account"
        assert redeem(google, back.told["code"])[1]["refresh_token"]

    def test_unticking_a_scope(self, google: Google) -> None:
        """What is unticked is not granted, and the answer's scope says so."""
        google.admin("grants", {"person": "dana", "do": "forget"})
        back = decide(look(asked(google)), google.url, "allow", untick=("calendar.events",))
        assert EVENTS not in back.told["scope"].split()
        status, token = redeem(google, back.told["code"])
        assert status == 200
        assert set(token["scope"].split()) == {*IDENTITY, MAIL}
        events = google.calendar(token=token["access_token"]).events().list(calendarId="primary")
        assert refused(events.execute) == (403, "insufficientPermissions")

    def test_unticking_everything(self, google: Google) -> None:
        """With nothing left it is a refusal; who somebody is cannot be unticked and stays."""
        page = look(asked(google, scope=EVENTS))
        assert decide(page, google.url, "allow", untick=("calendar.events",)).told["error"] == "access_denied"
        back = decide(look(asked(google)), google.url, "allow", untick=("calendar.events", "gmail.readonly"))
        assert set(back.told["scope"].split()) == {*IDENTITY}

    def test_denying(self, google: Google) -> None:
        """Deny goes back with access_denied and the state, and grants nothing."""
        google.admin("grants", {"person": "dana", "do": "forget"})
        back = decide(look(asked(google)), google.url, "deny")
        assert (back.told["error"], back.told["state"]) == ("access_denied", "s1")
        assert google.admin("grants")["grants"]["dana"]["scopes"] == []

    def test_no_prompt_when_all_is_granted(self, google: Google) -> None:
        """Somebody who granted it all before comes back at once, without a new refresh token."""
        back = look(asked(google, prompt=None))
        assert back.status == 302
        assert "refresh_token" not in redeem(google, back.told["code"])[1]

    def test_prompt_none(self, google: Google) -> None:
        """prompt=none never shows a page: it is answered with an error when one would be needed."""
        google.admin("grants", {"person": "dana", "do": "forget"})
        assert look(asked(google, prompt="none")).told["error"] == "interaction_required"
        assert look(asked(google, prompt="none", login_hint=None)).told["error"] == "login_required"

    def test_the_pages_are_plain(self, google: Google) -> None:
        """No scripts, nothing loaded from elsewhere, no frames, and the app's name and the account in words."""
        page = look(asked(google))
        assert "<script" not in page.text
        assert "src=" not in page.text
        assert "Countersign wants access" in page.text
        assert "dana@fernhill.example" in page.text
        assert "View your email messages and settings" in page.text

    @pytest.mark.parametrize(
        ("change", "error"),
        [
            ({"client_id": "somebody"}, "Error 401: invalid_client"),
            ({"redirect_uri": "http://127.0.0.1:8765/elsewhere"}, "Error 400: redirect_uri_mismatch"),
            ({"redirect_uri": "https://evil.example/oauth/google/callback"}, "Error 400: redirect_uri_mismatch"),
            ({"scope": f"{AUTH}gmail.everything"}, "Error 400: invalid_scope"),
            ({"scope": None}, "Error 400: invalid_request"),
            ({"response_type": None}, "Error 400: invalid_request"),
            ({"prompt": "none consent"}, "Error 400: invalid_request"),
            ({"access_type": "forever"}, "Error 400: invalid_request"),
            ({"code_challenge": "x", "code_challenge_method": "plain"}, "Error 400: invalid_request"),
        ],
    )
    def test_requests_that_nobody_sees_consent_for(
        self, google: Google, change: dict[str, str | None], error: str
    ) -> None:
        """A request that is wrong ends on a page that names the error, and sends nobody anywhere."""
        page = look(asked(google, **change))
        assert error in page.text
        assert page.location == ""
        assert str(page.status) in error

    @pytest.mark.parametrize(
        ("switch", "error"),
        [
            ({"test_users": ["mara"]}, "Error 403: access_denied"),
            ({"admin_policy": True}, "Error 400: admin_policy_enforced"),
        ],
    )
    def test_accounts_that_may_not(self, google: Google, switch: dict[str, Any], error: str) -> None:
        """Testing mode and the administrator keep people out, with Google's names for it."""
        google.admin("oauth", switch)
        assert error in look(asked(google)).text

    def test_an_internal_app(self, google: Google) -> None:
        """Somebody from another firm cannot use an app that is the company's own."""
        google.admin("oauth", {"internal": True})
        assert "org_internal" in look(asked(google, login_hint="theo@grantworks.example")).text
        assert look(asked(google)).boxes

    def test_pages_that_answer_themselves(self, google: Google) -> None:
        """For tests the consent page can click by itself, in anybody's name, leaving scopes out, or denying."""
        google.admin("oauth", {"auto": "allow", "person": "mara", "untick": [EVENTS]})
        back = look(asked(google))
        assert EVENTS not in back.told["scope"]
        claims = redeem(google, back.told["code"])[1]["id_token"].split(".")[1]
        assert json.loads(base64.urlsafe_b64decode(claims + "=="))["email"] == "mara@fernhill.example"
        google.admin("oauth", {"auto": "deny"})
        assert look(asked(google)).told["error"] == "access_denied"


class TestCodes:
    def test_a_code_is_good_once(self, google: Google) -> None:
        """The second exchange of a code is invalid_grant."""
        code = allowed(google)
        assert redeem(google, code)[0] == 200
        assert redeem(google, code) == (400, {"error": "invalid_grant", "error_description": "Bad Request"})

    def test_a_code_is_good_for_ten_minutes(self, google: Google) -> None:
        """After ten minutes it is refused."""
        code = allowed(google)
        google.admin("clock", {"advance": 601})
        assert redeem(google, code)[1]["error"] == "invalid_grant"

    def test_a_code_belongs_to_its_address(self, google: Google) -> None:
        """Another redirect_uri than the one it was sent to is refused."""
        form = {"grant_type": "authorization_code", "code": allowed(google)}
        status, told = exchange(google, redirect_uri=BACK.replace("8765", "1"), **form)
        assert (status, told["error"]) == (400, "redirect_uri_mismatch")

    @pytest.mark.parametrize(
        ("verifier", "words"), [({}, "Missing code verifier."), ({"code_verifier": "w" * 43}, "Invalid code verifier.")]
    )
    def test_the_proof_key(self, google: Google, verifier: dict[str, str], words: str) -> None:
        """A code that was asked for with a challenge needs the verifier behind it."""
        code = allowed(google, code_challenge="c" * 43, code_challenge_method="S256")
        assert redeem(google, code, **verifier)[1]["error_description"] == words

    def test_nonce_comes_back(self, google: Google) -> None:
        """The id_token carries the nonce of the request, an hour of life, and the client as its audience."""
        token = redeem(google, allowed(google, nonce="n-1"))[1]["id_token"]
        claims = _id_token.verify_oauth2_token(token, moved(google), "playground-client")
        assert claims["nonce"] == "n-1"
        assert claims["exp"] - claims["iat"] == 3600

    def test_refresh_tokens_are_for_offline_use(self, google: Google) -> None:
        """Without access_type=offline there is none."""
        assert "refresh_token" not in redeem(google, allowed(google, access_type=None))[1]
        assert redeem(google, allowed(google))[1]["refresh_token"].startswith("1//")

    def test_incremental_grants(self, google: Google) -> None:
        """With include_granted_scopes the token holds what was granted before as well; without, only what is new."""
        google.admin("grants", {"person": "dana", "do": "forget"})
        redeem(google, allowed(google, scope=" ".join((*IDENTITY, MAIL))))
        only = redeem(google, allowed(google, scope=EVENTS))[1]
        assert only["scope"] == EVENTS
        both = redeem(google, allowed(google, scope=EVENTS, include_granted_scopes="true"))[1]
        assert set(both["scope"].split()) == {*SCOPES}


class TestLife:
    def refresh(self, google: Google, token: str) -> tuple[int, dict[str, Any]]:
        return exchange(google, grant_type="refresh_token", refresh_token=token)

    def test_testing_mode(self, google: Google) -> None:
        """Refresh tokens of an app in testing mode end after their days, and the exchange says when."""
        google.admin("oauth", {"testing_seconds": 604_800})
        answer = redeem(google, allowed(google))[1]
        assert answer["refresh_token_expires_in"] == 604_800
        assert self.refresh(google, answer["refresh_token"])[0] == 200
        google.admin("clock", {"advance": 604_801})
        told = {"error": "invalid_grant", "error_description": "Token has been expired or revoked."}
        assert self.refresh(google, answer["refresh_token"]) == (400, told)

    def test_rotation(self, google: Google) -> None:
        """With rotation a refresh brings a new token and ends the old one."""
        google.admin("oauth", {"rotate": True})
        new = self.refresh(google, "1//playground-dana")[1]["refresh_token"]
        assert self.refresh(google, "1//playground-dana")[1]["error"] == "invalid_grant"
        assert self.refresh(google, new)[0] == 200

    @pytest.mark.parametrize("switch", ["invalid_grant", "invalid_rapt"])
    def test_a_refused_account(self, google: Google, switch: str) -> None:
        """One person's refreshes can be refused while the others' go on."""
        google.admin("oauth", {switch: ["dana"]})
        assert self.refresh(google, "1//playground-dana")[1]["error"] == "invalid_grant"
        assert self.refresh(google, "1//playground-mara")[0] == 200

    def test_revoking(self, google: Google) -> None:
        """/revoke ends the whole grant, whichever of its tokens it names; again it is invalid_token."""
        token = redeem(google, allowed(google))[1]
        assert post(google, "revoke", {"token": token["access_token"]}) == (200, {})
        assert post(google, "revoke", {"token": token["access_token"]})[1]["error"] == "invalid_token"
        assert self.refresh(google, token["refresh_token"])[1]["error"] == "invalid_grant"
        assert self.refresh(google, "1//playground-dana")[1]["error"] == "invalid_grant"

    def test_the_oldest_of_too_many(self, google: Google) -> None:
        """A hundred refresh tokens live beside each other; one more ends the first."""
        for _ in range(99):
            google.admin("oauth", {"auto": "allow"})
            redeem(google, look(asked(google)).told["code"])
        assert self.refresh(google, "1//playground-dana")[0] == 200
        redeem(google, look(asked(google)).told["code"])
        assert self.refresh(google, "1//playground-dana")[1]["error"] == "invalid_grant"

    def test_somebody_who_never_connected(self, google: Google) -> None:
        """A person can begin without a grant, and connects like anybody else."""
        google.admin("grants", {"person": "dana", "do": "forget"})
        assert google.state()["people"]["dana"]["connected"] is False
        assert refused(google.gmail().users().getProfile(userId="me").execute)[0] == 401
        token = redeem(google, allowed(google))[1]
        assert google.gmail(token=token["access_token"]).users().getProfile(userId="me").execute()
        assert google.state()["people"]["dana"]["connected"] is True

    def test_a_closed_api(self, google: Google) -> None:
        """An API that the administrator closed for the app answers domainPolicy."""
        google.admin("oauth", {"domain_policy": ["gmail"]})
        assert refused(google.gmail().users().getProfile(userId="me").execute) == (403, "domainPolicy")
        assert google.calendar().events().list(calendarId="primary").execute()["items"]

    def test_an_unknown_switch(self, google: Google) -> None:
        """A misspelt switch is refused, so that no test passes because nothing happened."""
        with pytest.raises(HTTPError, match="400") as caught:
            google.admin("oauth", {"testing": 1})
        caught.value.close()


class TestKeys:
    def test_both_forms_and_the_document(self, google: Google) -> None:
        """The discovery document leads to the JWKS; the certificates have the same key id."""
        document = get(google, "/.well-known/openid-configuration")
        assert document["issuer"] == "https://accounts.google.com"
        jwks = get(google, document["jwks_uri"].removeprefix(google.url))
        (kid,) = get(google, "/oauth2/v1/certs")
        assert [key["kid"] for key in jwks["keys"]] == [kid]

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            ({"exp": 7_200}, "short-lived"),
            ({"iat": -9_000, "exp": -5_400}, "short-lived"),
            ({"iss": "other@x.iam.gserviceaccount.com"}, "account not found"),
            ({"aud": "https://example.com/token"}, "audience"),
        ],
    )
    def test_bad_assertions(self, google: Google, change: dict[str, Any], words: str) -> None:
        """An assertion that is too long, too old, of somebody else or for somebody else is invalid_grant."""
        info = google.admin("service_account")
        signer: Any = import_module("google.auth.crypt").RSASigner.from_service_account_info(info)
        times: dict[str, Any] = {"iat": 0, "exp": 3_600}
        now = int(time.time())
        claims: dict[str, Any] = {"iss": info["client_email"], "aud": info["token_uri"], "scope": MAIL} | times | change
        claims |= {name: now + claims[name] for name in times}
        assertion = import_module("google.auth.jwt").encode(signer, claims).decode()
        status, told = exchange(google, grant_type=JWT_BEARER, assertion=assertion)
        assert (status, told["error"]) == (400, "invalid_grant")
        assert words in told["error_description"]

    def test_a_forged_assertion(self, google: Google) -> None:
        """A signature that does not fit, or no JWT at all, is invalid_grant."""
        signer: Any = import_module("google.auth.crypt").RSASigner.from_service_account_info(
            google.admin("service_account")
        )
        good = import_module("google.auth.jwt").encode(signer, {"iss": "x"}).decode()
        for assertion in (f"{good[:-6]}AAAAAA", "nonsense", "a.b.c"):
            assert exchange(google, grant_type=JWT_BEARER, assertion=assertion)[1]["error"] == "invalid_grant"


def get(google: Google, path: str) -> Any:
    with urlopen(google.url + path, timeout=PATIENCE_SECONDS) as answer:
        return json.load(answer)


def test_userinfo(google: Google) -> None:
    """userinfo tells who the token belongs to."""
    token = redeem(google, allowed(google))[1]["access_token"]
    request = Request(f"{google.url}/v1/userinfo", headers={"authorization": f"Bearer {token}"})
    with urlopen(request, timeout=PATIENCE_SECONDS) as answer:
        assert json.load(answer)["email"] == "dana@fernhill.example"


def test_a_person_who_turns_the_page_back(google: Google) -> None:
    """The consent page can be answered again: each answer has a code of its own."""
    page: Page = look(asked(google))
    codes = {decide(page, google.url, "allow").told["code"] for _ in range(2)}
    assert len(codes) == 2
