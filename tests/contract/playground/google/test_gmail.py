"""Gmail as the real client meets it."""

from __future__ import annotations

from email import message_from_bytes
from typing import Any

import pytest

from tests.contract.playground.google.client import Google, decoded, raw_of, refused

QUESTION = "from:helen is:unread"


def users(google: Google, who: str = "dana") -> Any:
    return google.gmail(who).users()


def found(google: Google, query: str, who: str = "dana") -> list[Any]:
    return users(google, who).messages().list(userId="me", q=query).execute().get("messages", [])


def newest(google: Google, query: str, who: str = "dana", **more: Any) -> Any:
    message = found(google, query, who)[0]["id"]
    return users(google, who).messages().get(userId="me", id=message, **more).execute()


def header(message: Any, name: str) -> str:
    headers = message["payload"]["headers"]
    return next((pair["value"] for pair in headers if pair["name"].lower() == name.lower()), "")


def answer_to(message: Any, text: str = "Thursday is fine.", **headers: str) -> str:
    fields = {
        "To": header(message, "From"),
        "Subject": header(message, "Subject"),
        "In-Reply-To": header(message, "Message-ID"),
        "References": header(message, "Message-ID"),
        **headers,
    }
    return raw_of("".join(f"{name}: {value}\n" for name, value in fields.items()) + f"\n{text}\n")


class TestReading:
    def test_the_central_mail_waits_for_an_answer(self, google: Google) -> None:
        """Dana has Helen's unread question about the twelve oak benches."""
        message = newest(google, QUESTION)
        assert header(message, "Subject") == "Re: Delivery of the twelve oak benches"
        text = decoded(message["payload"]["body"]["data"]).decode()
        assert "moved to Thursday" in text
        assert "who will be on site" in text

    def test_a_thread_holds_its_messages_oldest_first(self, google: Google) -> None:
        """threads.get gives question, answer and question in order."""
        thread = newest(google, QUESTION)["threadId"]
        shown = users(google).threads().get(userId="me", id=thread, format="metadata").execute()
        dates = [int(message["internalDate"]) for message in shown["messages"]]
        assert len(dates) == 3
        assert dates == sorted(dates)

    def test_metadata_has_only_the_named_headers(self, google: Google) -> None:
        """format=metadata gives no body and just the headers that were asked for."""
        message = newest(google, QUESTION, format="metadata", metadataHeaders=["Subject", "from"])
        assert {pair["name"] for pair in message["payload"]["headers"]} == {"Subject", "From"}
        assert "body" not in message["payload"]

    def test_minimal_and_raw(self, google: Google) -> None:
        """format=minimal has no payload; format=raw is the mail itself."""
        assert "payload" not in newest(google, QUESTION, format="minimal")
        raw = newest(google, QUESTION, format="raw")["raw"]
        assert "=" not in raw
        assert message_from_bytes(decoded(raw))["From"] == "Helen Marsh <helen.marsh@marshgardens.example>"

    def test_the_snippet_is_escaped(self, google: Google) -> None:
        """Snippets are HTML-escaped, as Gmail's are."""
        assert "parents&#39; association" in newest(google, "from:stein lime")["snippet"]

    def test_text_is_utf8_whatever_the_charset_says(self, google: Google) -> None:
        """body.data is UTF-8 although the part's own header still names its old charset."""
        for query, charset, words in (
            ("from:rene Schloßpark", "iso-8859-1", "Schloßpark"),
            ("from:olga", "koi8-r", "Здравствуйте"),
        ):
            message = newest(google, query)
            assert charset in header(message, "Content-Type")
            assert words in decoded(message["payload"]["body"]["data"]).decode()

    def test_headers_keep_their_encoded_words(self, google: Google) -> None:
        """A name with a comma and an umlaut arrives as RFC 2047 words: splitting at commas must not break it."""
        sender = header(newest(google, "from:rene"), "From")
        assert sender.startswith("=?utf-8?q?")
        assert "," not in sender

    def test_an_attachment_is_fetched_by_an_id_that_changes(self, google: Google) -> None:
        """Each fetch names the attachment differently, and every such id works."""
        message = newest(google, "from:bruno filename:pdf", "mara")
        again = newest(google, "from:bruno filename:pdf", "mara")
        ids = [shown["payload"]["parts"][1]["body"]["attachmentId"] for shown in (message, again)]
        assert ids[0] != ids[1]
        attachments = users(google, "mara").messages().attachments()
        for attachment in ids:
            body = attachments.get(userId="me", messageId=message["id"], id=attachment).execute()
            assert decoded(body["data"]).startswith(b"%PDF")
            assert body["size"] == len(decoded(body["data"]))

    def test_a_mail_inside_a_mail_is_a_part(self, google: Google) -> None:
        """A carried message/rfc822 has its own tree below the part."""
        part = newest(google, "from:dana gatehouse", "jonas")["payload"]["parts"][1]
        assert part["mimeType"] == "message/rfc822"
        assert part["filename"] == "gatehouse.eml"
        assert part["parts"][0]["partId"] == "1.0"

    def test_pages_and_the_estimate(self, google: Google) -> None:
        """Pages lead to every message once, and the estimate is no count."""
        messages = users(google).messages()
        request, ids, estimates = messages.list(userId="me", maxResults=5), list[str](), list[int]()
        while request is not None:
            page = request.execute()
            ids += [message["id"] for message in page["messages"]]
            estimates.append(page["resultSizeEstimate"])
            request = messages.list_next(request, page)
        assert len(ids) == len(set(ids)) == users(google).getProfile(userId="me").execute()["messagesTotal"]
        assert estimates[0] == 201

    def test_fields_cut_the_answer(self, google: Google) -> None:
        """Only what the mask names comes back; a name that does not exist is refused."""
        threads = users(google).threads()
        thread = newest(google, QUESTION)["threadId"]
        shown = threads.get(userId="me", id=thread, fields="id,messages(id,payload/mimeType)").execute()
        assert shown.keys() == {"id", "messages"}
        assert shown["messages"][0] == {"id": thread, "payload": {"mimeType": "text/plain"}}
        assert refused(threads.get(userId="me", id=thread, fields="nonsense").execute) == (400, "invalidParameter")

    def test_a_very_long_query_arrives_as_a_post(self, google: Google) -> None:
        """A GET beyond 2,048 characters is overridden by the client and answered the same."""
        query = "{" + " ".join(f"subject:word{number}" for number in range(300)) + "} OR from:helen"
        assert len(found(google, query)) == 2
        assert google.calls("/messages")[-1]["method"] == "POST"


class TestRefusals:
    @pytest.mark.parametrize(
        ("message_id", "status"), [("190000000000beef", 404), ("<not@an.id>", 400), ("FMfcgzQbfBsX", 400)]
    )
    def test_ids(self, google: Google, message_id: str, status: int) -> None:
        """An id that nothing has is 404; what is no id at all, such as one from the web page's URL, is 400."""
        assert refused(users(google).messages().get(userId="me", id=message_id).execute)[0] == status
        assert refused(users(google).threads().get(userId="me", id=message_id).execute)[0] == status
        draft = {"message": {"raw": raw_of("To: a@b.example\n\nx\n"), "threadId": message_id}}
        assert refused(users(google).drafts().create(userId="me", body=draft).execute)[0] == status

    def test_another_mailbox(self, google: Google) -> None:
        """One's own address works for `me`, somebody else's does not."""
        assert users(google).getProfile(userId="dana@fernhill.example").execute()
        assert refused(users(google).getProfile(userId="mara@fernhill.example").execute)[0] == 403

    def test_nobody_to_send_to(self, google: Google) -> None:
        """A mail without recipients, with a broken one, or without content is a 400."""
        send = users(google).messages()
        for raw in (raw_of("Subject: x\n\nx\n"), raw_of("To: nobody\n\nx\n"), ""):
            assert refused(send.send(userId="me", body={"raw": raw}).execute) == (400, "invalidArgument")

    def test_unknown_fields_in_the_body(self, google: Google) -> None:
        """Gmail refuses a body with fields that it does not know."""
        body = {"raw": raw_of("To: a@b.example\n\nx\n"), "sendAt": "tomorrow"}
        assert refused(users(google).messages().send(userId="me", body=body).execute)[0] == 400


class TestDrafts:
    def test_a_draft_is_sent_once(self, google: Google) -> None:
        """drafts.send uses the draft up: it is in Sent, gone from the drafts, and a second send is a 404."""
        drafts = users(google).drafts()
        question = newest(google, QUESTION)
        body = {"message": {"raw": answer_to(question), "threadId": question["threadId"]}}
        draft = drafts.create(userId="me", body=body).execute()
        assert draft["message"]["threadId"] == question["threadId"]
        sent = drafts.send(userId="me", body={"id": draft["id"]}).execute()
        assert sent["threadId"] == question["threadId"]
        assert sent["id"] != draft["message"]["id"]
        assert sent["labelIds"] == ["SENT"]
        assert refused(drafts.send(userId="me", body={"id": draft["id"]}).execute) == (404, "notFound")
        assert refused(drafts.get(userId="me", id=draft["id"]).execute) == (404, "notFound")
        state = google.state()
        assert state["people"]["dana"]["drafts"] == []
        assert [gone["envelope_to"] for gone in state["outside"]] == [["helen.marsh@marshgardens.example"]]

    def test_an_update_is_a_new_message(self, google: Google) -> None:
        """The draft keeps its id and its thread; the message behind it is another one."""
        drafts = users(google).drafts()
        first = drafts.create(userId="me", body={"message": {"raw": raw_of("To: a@b.example\n\none\n")}}).execute()
        body = {"message": {"raw": raw_of("To: a@b.example\n\ntwo\n")}}
        second = drafts.update(userId="me", id=first["id"], body=body).execute()
        assert second["id"] == first["id"]
        assert second["message"]["id"] != first["message"]["id"]
        assert second["message"]["threadId"] == first["message"]["threadId"]
        assert drafts.get(userId="me", id=first["id"]).execute()["message"]["snippet"] == "two"
        sent = drafts.send(userId="me", body={"id": first["id"]}).execute()
        assert sent["threadId"] == first["message"]["threadId"]

    def test_a_draft_keeps_bcc_and_can_be_thrown_away(self, google: Google) -> None:
        """Bcc is in the draft; a deleted draft leaves nothing."""
        drafts = users(google).drafts()
        raw = raw_of("To: a@b.example\nBcc: c@d.example\n\nx\n")
        draft = drafts.create(userId="me", body={"message": {"raw": raw}}).execute()
        assert header(drafts.get(userId="me", id=draft["id"]).execute()["message"], "Bcc") == "c@d.example"
        drafts.delete(userId="me", id=draft["id"]).execute()
        assert "drafts" not in drafts.list(userId="me").execute()


class TestSending:
    def test_colleagues_receive_it(self, google: Google) -> None:
        """A mail to a colleague lands unread in his inbox, without Bcc, in a thread of his own mailbox."""
        raw = raw_of("To: Jonas <jonas@fernhill.example>\nBcc: mara@fernhill.example\nSubject: Lorry\n\nAt noon?\n")
        sent = users(google).messages().send(userId="me", body={"raw": raw}).execute()
        for who in ("jonas", "mara"):
            copy = newest(google, "subject:lorry from:dana", who)
            assert set(copy["labelIds"]) == {"INBOX", "UNREAD"}
            assert header(copy, "Bcc") == ""
            assert copy["threadId"] != sent["threadId"]
        kept = users(google).messages().get(userId="me", id=sent["id"]).execute()
        assert header(kept, "Bcc") == "mara@fernhill.example"

    def test_an_answer_joins_the_thread_on_both_sides(self, google: Google) -> None:
        """References and subject bring an answer into the recipient's thread as well."""
        question = newest(google, "subject:wobbly from:jonas")
        body = {"raw": answer_to(question), "threadId": question["threadId"]}
        users(google).messages().send(userId="me", body=body).execute()
        copy = newest(google, "from:dana subject:wobbly", "jonas")
        thread = users(google, "jonas").threads().get(userId="me", id=copy["threadId"]).execute()
        assert len(thread["messages"]) == 3

    @pytest.mark.parametrize("change", [{"Subject": "Something else"}, {"In-Reply-To": "<x@y>", "References": "<x@y>"}])
    def test_a_thread_needs_subject_and_references(self, google: Google, change: dict[str, str]) -> None:
        """With the thread's id alone, a mail with another subject or no reference starts a thread of its own."""
        question = newest(google, QUESTION)
        body = {"raw": answer_to(question, **change), "threadId": question["threadId"]}
        sent = users(google).messages().send(userId="me", body=body).execute()
        assert sent["threadId"] == sent["id"]

    def test_what_is_missing_is_added(self, google: Google) -> None:
        """From, Date and Message-ID are filled in; a From that is not one's own is replaced, a Message-ID kept."""
        raw = raw_of("From: boss@fernhill.example\nTo: jonas@fernhill.example\nMessage-ID: <mine@here>\n\nx\n")
        sent = users(google).messages().send(userId="me", body={"raw": raw}).execute()
        message = users(google).messages().get(userId="me", id=sent["id"]).execute()
        assert header(message, "From") == '"Dana Okafor" <dana@fernhill.example>'
        assert header(message, "Message-ID") == "<mine@here>"
        assert header(message, "Date")
        assert found(google, "rfc822msgid:mine@here")[0]["id"] == sent["id"]

    def test_an_accepted_alias_may_write(self, google: Google) -> None:
        """sales@ is Dana's to send from, and mail to it reaches her."""
        raw = raw_of("From: sales@fernhill.example\nTo: sales@fernhill.example\nSubject: note\n\nx\n")
        sent = users(google).messages().send(userId="me", body={"raw": raw}).execute()
        message = users(google).messages().get(userId="me", id=sent["id"]).execute()
        assert header(message, "From") == "sales@fernhill.example"
        assert {"INBOX", "SENT"} <= set(message["labelIds"])
        alias = users(google, "mara").settings().sendAs().list(userId="me").execute()["sendAs"]
        assert [address.get("verificationStatus") for address in alias] == [None, "accepted", "pending"]

    def test_somebody_outside_answers(self, google: Google) -> None:
        """A mail that the page lets arrive joins its thread."""
        question = newest(google, QUESTION)
        google.admin(
            "mail",
            {
                "from": "Helen Marsh <helen.marsh@marshgardens.example>",
                "to": ["dana@fernhill.example"],
                "subject": header(question, "Subject"),
                "text": "Any news?",
                "in_reply_to": header(question, "Message-ID"),
            },
        )
        assert newest(google, QUESTION)["threadId"] == question["threadId"]
        assert newest(google, QUESTION)["snippet"] == "Any news?"
