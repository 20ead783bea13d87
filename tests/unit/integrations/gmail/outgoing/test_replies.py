"""Who gets a reply, and what ties it to its thread."""

from __future__ import annotations

import pytest

from integrations.errors import ModelRetry, ToolFailed
from integrations.gmail.mime.addresses import Address
from integrations.gmail.outgoing.replies import ReplyTarget, SenderIdentity, reply_target
from integrations.gmail.wire import GmailMessage, GmailThread, Header, Part, SendAs

ME = SenderIdentity(
    senders=[
        SendAs(send_as_email="mara@fernhill.example", display_name="Mara L.", is_primary=True),
        SendAs(send_as_email="office@fernhill.example", is_default=True, verification_status="accepted"),
        SendAs(send_as_email="old@elsewhere.example", verification_status="pending"),
    ],
    account="mara@fernhill.example",
    name="Mara",
)


def mail(n: int = 1, labels: tuple[str, ...] = ("INBOX",), parts: tuple[Part, ...] = (), **heads: str) -> GmailMessage:
    fields = {"Message-ID": f"<{n}@x.example>", "Subject": "Oak"} | {k.replace("_", "-"): v for k, v in heads.items()}
    headers = [Header(name=name, value=value) for name, value in fields.items() if value]
    return GmailMessage(id=f"m{n}", label_ids=labels, internal_date=n, payload=Part(headers=headers, parts=parts))


def target_of(*messages: GmailMessage, reply_all: bool = False, me: SenderIdentity = ME) -> ReplyTarget:
    return reply_target(GmailThread(id="t", messages=messages), me, reply_all=reply_all)


def answer(*messages: GmailMessage, reply_all: bool = False) -> tuple[list[str], list[str]]:
    target = target_of(*messages, reply_all=reply_all)
    return [a.email for a in target.to], [a.email for a in target.cc]


def test_a_reply_goes_to_the_author() -> None:
    """Only to From; with reply-all also to the others, and never to my own addresses in any form."""
    got = mail(
        From="Bruno <bruno@k.example>",
        To="mara+x@fernhill.example, Office <OFFICE@fernhill.example>, dana@fernhill.example",
        Cc="priya@fernhill.example, bruno@k.example",
    )
    assert answer(got) == (["bruno@k.example"], [])
    assert answer(got, reply_all=True) == (["bruno@k.example", "dana@fernhill.example"], ["priya@fernhill.example"])


def test_a_thread_that_its_owner_began_has_their_subject() -> None:
    """What only says that it is theirs, or what another one wrote into the subject since, is nobody's."""
    mine = mail(1, ("SENT",), From="mara@fernhill.example", To="b@k.example")
    assert target_of(mine, mail(2, Subject="Re: Oak", From="b@k.example")).is_begun
    assert not target_of(mine, mail(2, Subject="Elm", From="b@k.example")).is_begun
    assert not target_of(mail(1, From="mara@fernhill.example"), mail(2, From="b@k.example")).is_begun


@pytest.mark.parametrize(
    ("heads", "is_begun"),
    [
        ({}, True),
        ({"Subject": "Re: Oak"}, False),
        ({"Subject": "AW: Oak"}, False),
        ({"Subject": "Fwd: Oak"}, False),
        ({"Subject": "WG: Oak"}, False),
        ({"In_Reply_To": "<e@evil.example>"}, False),
        ({"References": "<e@evil.example>"}, False),
        ({"Message_ID": f"<cs.{'a' * 40}@fernhill.example>"}, False),
    ],
)
def test_an_answer_and_what_the_agent_wrote_begin_nothing(heads: dict[str, str], is_begun: bool) -> None:
    """Their subject may be a stranger's, also where Gmail has them first in a thread."""
    mine = mail(1, ("SENT",), (), From="mara@fernhill.example", To="b@k.example", **heads)
    assert target_of(mine, mail(2, Subject="Re: Oak", From="b@k.example")).is_begun is is_begun


def test_google_pitfall_17_reply_to_wins() -> None:
    """Reply-To is answered instead of From, unless it names only myself."""
    got = mail(From="a@k.example", Reply_To="composer@k.example, b@k.example")
    assert answer(got)[0] == ["composer@k.example", "b@k.example"]
    assert answer(mail(From="a@k.example", Reply_To="mara@fernhill.example"))[0] == ["a@k.example"]


def test_google_pitfall_16_my_own_newest_mail_is_followed_up() -> None:
    """When I wrote last, the reply goes to those I wrote to."""
    mine = mail(2, ("SENT",), From="mara@fernhill.example", To="bruno@k.example", Cc="priya@fernhill.example")
    first = mail(1, From="bruno@k.example", To="mara@fernhill.example")
    assert answer(first, mine) == (["bruno@k.example"], [])
    assert answer(first, mine, reply_all=True) == (["bruno@k.example"], ["priya@fernhill.example"])


def test_google_pitfall_17_my_address_in_from_makes_no_mail_mine() -> None:
    """A contact form writes in my name: its visitor is answered, never the people that a forger put into To."""
    form = mail(From="mara@fernhill.example", To="mara@fernhill.example", Reply_To="Ada <ada@k.example>")
    assert answer(form) == (["ada@k.example"], [])
    target = target_of(form)
    assert target.warnings() == [
        "The answer goes to ada@k.example, another address than the one that the mail came from."
    ]
    forged = mail(From="mara@fernhill.example", To="mara@fernhill.example, third@bad.example")
    assert answer(forged) == (["mara@fernhill.example"], [])


def test_google_pitfall_16_drafts_trash_and_reactions_are_not_answered() -> None:
    """The newest real message is the target."""
    reaction = Part(mime_type="text/vnd.google.email-reaction+json")
    real = mail(1, From="bruno@k.example")
    others = [
        mail(2, ("DRAFT",), From="mara@fernhill.example", To="x@k.example"),
        mail(3, ("TRASH",), From="x@k.example"),
        mail(4, From="y@k.example", parts=(reaction,)),
    ]
    assert answer(real, *others)[0] == ["bruno@k.example"]
    with pytest.raises(ToolFailed):
        answer(others[0])


def test_google_pitfall_08_the_newest_author_is_answered_or_nobody() -> None:
    """A Message-ID without brackets is one; a mail that has none is refused, and never its predecessor answered."""
    first = mail(1, From="bruno@k.example")
    bare = mail(2, From="z@k.example", Message_ID="12345@k.example")
    target = target_of(first, bare)
    assert ([a.email for a in target.to], target.message_id) == (["z@k.example"], "12345@k.example")
    for nothing in ("", "<>", "two words"):
        with pytest.raises(ToolFailed, match="no Message-ID"):
            answer(first, mail(2, From="z@k.example", Message_ID=nothing))


def test_google_pitfall_07_repeated_fields_and_commas_in_names_are_read_right() -> None:
    """Two Cc fields count together and a comma in a name splits nothing."""
    got = mail(From='"Byrne, Aoife" <aoife@k.example>')
    headers = [*got.payload.headers, Header(name="cc", value="a@k.example"), Header(name="Cc", value="b@k.example")]
    got = got.model_copy(update={"payload": got.payload.model_copy(update={"headers": headers})})
    assert answer(got, reply_all=True) == (["aoife@k.example"], ["a@k.example", "b@k.example"])


def test_an_address_that_mail_cannot_carry_is_no_target() -> None:
    """A forged or broken author address ends in a clear failure."""
    with pytest.raises(ToolFailed):
        answer(mail(From="josé@k.example"))


def test_google_pitfall_06_a_name_that_is_an_address_is_no_second_recipient() -> None:
    """What stands before the brackets is answered nowhere, and is not carried along as a name."""
    target = target_of(mail(From="mara@fernhill.example <evil@bad.example>"), reply_all=True)
    assert target.to == [Address(email="evil@bad.example")]


def test_one_bad_address_keeps_nobody_from_the_answer() -> None:
    """Who is named beside the author and cannot be written to is left out, and that is said; the author never is."""
    to, cc = "mara@fernhill.example, taro..k@docomo.example", "b@k.example, josé@k.example"
    got = mail(From="ann@k.example", To=to, Cc=cc)
    said = "Left out, because mail cannot carry this address: taro..k@docomo.example, josé@k.example."
    assert said in target_of(got, reply_all=True).warnings()
    assert answer(got, reply_all=True) == (["ann@k.example"], ["b@k.example"])
    assert answer(got) == (["ann@k.example"], [])
    with pytest.raises(ToolFailed, match="cannot be a recipient"):
        answer(mail(From="taro..k@docomo.example", To="mara@fernhill.example, b@k.example"), reply_all=True)


def test_the_thread_is_tied_by_all_its_ids() -> None:
    """References are the known ones and the target's own, capped with the first one kept; the subject has one Re:."""
    known = " ".join(f"<r{n}@x.example>" for n in range(60))
    target = target_of(mail(From="a@k.example", References=known, Subject="=?utf-8?q?H=C3=A4llo?="))
    assert len(target.references) == 40
    assert (target.references[0], target.references[-1]) == ("<r0@x.example>", "<1@x.example>")
    assert target.subject == "Re: Hällo"
    again = target_of(mail(From="a@k.example", Subject="AW: Oak"))
    assert again.subject == "AW: Oak"


def test_in_reply_to_stands_in_for_missing_references() -> None:
    """A parent without References hands on its In-Reply-To."""
    got = mail(From="a@k.example", In_Reply_To="<0@x.example>")
    target = target_of(got)
    assert target.references == ["<0@x.example>", "<1@x.example>"]


@pytest.mark.parametrize(
    ("got", "word"),
    [
        (mail(From="a@k.example", List_Id="<l.example>"), "list"),
        (mail(From="a@k.example", Precedence="bulk"), "bulk"),
        (mail(From="no-reply@k.example"), "nobody reads"),
        (mail(From="no_reply@k.example"), "nobody reads"),
        (mail(From="do.not.reply@k.example"), "nobody reads"),
        (mail(From="orders-noreply@k.example"), "nobody reads"),
    ],
)
def test_google_pitfall_17_a_card_warns_of_lists_and_deaf_addresses(got: GmailMessage, word: str) -> None:
    """Mailing lists, bulk mail and no-reply addresses are said."""
    target = target_of(got)
    assert any(word in warning for warning in target.warnings())


def test_a_card_warns_of_an_answer_that_goes_elsewhere() -> None:
    """A Reply-To beside the sender's own addresses is said with the address; one of the sender's own is not."""

    def warned(reply_to: str = "") -> list[str]:
        got = mail(From="Helen <helen@marsh.example>", Reply_To=reply_to)
        return target_of(got).warnings()

    (warning,) = warned("Helen <helen@marsh-example.evil>")
    assert warning.startswith("The answer goes to helen@marsh-example.evil, another address")
    assert warned("Helen <HELEN@marsh.example>") == warned() == []


def test_google_pitfall_15_the_sender_is_a_verified_address() -> None:
    """The address that was written to, else the default; one that is not verified never."""
    assert ME.sender() == Address(email="office@fernhill.example", name="Mara")
    assert ME.sender([Address(email="mara@fernhill.example")]) == Address(email="mara@fernhill.example", name="Mara L.")
    assert ME.sender([Address(email="old@elsewhere.example")]).email == "office@fernhill.example"
    assert SenderIdentity([], "x@y.example", "X").sender() == Address(email="x@y.example", name="X")


@pytest.mark.parametrize("name", ["Message-ID", "Message-Id", "message-id", "MESSAGE-ID"])
def test_google_pitfall_08_the_message_id_is_found_whatever_its_case(name: str) -> None:
    """Header names have no case: a mail that writes Message-Id can be answered in its thread."""
    headers = [Header(name="From", value="a@k.example"), Header(name=name, value="<odd@k.example>")]
    got = GmailMessage(id="m1", label_ids=("INBOX",), payload=Part(headers=headers))
    assert target_of(got).message_id == "<odd@k.example>"


def test_google_pitfall_18_every_variant_of_my_addresses_is_myself() -> None:
    """The account, each confirmed alias, +tags, and dots at gmail.com are never answered; an alias that is not is."""
    gmail = SenderIdentity(
        [SendAs(send_as_email="mara.lindqvist@gmail.com", is_primary=True)], "mara.lindqvist@gmail.com"
    )
    for variant in ("MaraLindqvist@gmail.com", "m.a.r.a.lindqvist+shop@googlemail.com"):
        assert gmail.is_me(Address(email=variant))
    for variant in ("mara+x@fernhill.example", "OFFICE@fernhill.example"):
        assert ME.is_me(Address(email=variant))
    assert not ME.is_me(Address(email="old@elsewhere.example"))
    assert answer(mail(From="old@elsewhere.example", To="mara@fernhill.example")) == (["old@elsewhere.example"], [])
    assert not ME.is_me(Address(email="maralindqvist@fernhill.example"))
    assert not ME.is_me(Address(email="m.ara@fernhill.example"))


def test_google_pitfall_19_blind_copies_are_not_inherited() -> None:
    """People in Bcc get neither a reply nor a reply to everyone."""
    got = mail(From="a@k.example", To="mara@fernhill.example", Bcc="secret@k.example")
    assert answer(got, reply_all=True) == (["a@k.example"], [])


def test_a_wanted_sender_must_be_confirmed() -> None:
    """One of the person's confirmed addresses may be chosen; others are refused with those that there are."""
    assert ME.sender(wanted="OFFICE@fernhill.example").email == "office@fernhill.example"
    for wrong, why in (("old@elsewhere.example", "not confirmed"), ("boss@fernhill.example", "none of this account's")):
        with pytest.raises(ModelRetry, match=why) as caught:
            ME.sender(wanted=wrong)
        assert "mara@fernhill.example, office@fernhill.example" in caught.value.hint


def test_a_follow_up_leaves_from_the_address_of_ones_own_mail() -> None:
    """My newest mail went out under an alias: so does the next one."""
    mine = mail(2, ("SENT",), From="Mara <mara@fernhill.example>", To="bruno@k.example, office@fernhill.example")
    target = target_of(mine)
    assert ME.sender(target.addressed).email == "mara@fernhill.example"


def test_answers_go_where_the_settings_say() -> None:
    """Where they name another address than the one that the mail leaves from."""
    sales = SendAs(send_as_email="sales@fernhill.example", is_primary=True, reply_to_address="Desk <desk@k.example>")
    own = SendAs(send_as_email="mara@fernhill.example", reply_to_address="MARA@fernhill.example")
    me = SenderIdentity([sales, own], "mara@fernhill.example")
    assert me.reply_to(Address(email="Sales@fernhill.example")) == Address(email="desk@k.example", name="Desk")
    assert me.reply_to(Address(email="mara@fernhill.example")) is None
    assert ME.reply_to(ME.sender()) is None


def test_a_variant_of_an_alias_is_the_alias() -> None:
    """Who wrote to mara+x@ is answered from mara@; an alias that is written exactly so comes first."""
    got = mail(From="bruno@k.example", To="mara+x@fernhill.example")
    assert ME.sender(target_of(got).addressed).email == ME.account
    exact = SendAs(send_as_email="mara+x@fernhill.example", verification_status="accepted")
    both = SenderIdentity(senders=[*ME.senders, exact], account=ME.account)
    assert both.sender(target_of(got, me=both).addressed).email == "mara+x@fernhill.example"
