from __future__ import annotations

import base64
from typing import Any

import pytest

from playground.adoption import accounts
from playground.people import DANA
from playground.stage.stage import Stage, Unmet
from playground.stage.steps import STEPS
from tests.integration.playground.stage.conftest import Agent, Played

HELEN = "helen.marsh@marshgardens.example"


def card(*lines: str) -> list[dict[str, Any]]:
    def button(label: str, style: str) -> dict[str, Any]:
        text = {"type": "plain_text", "text": label}
        return {"type": "button", "text": text, "style": style, "action_id": label.lower(), "value": "q.n"}

    buttons = [button("Approve", "primary"), button("Reject", "danger")]
    sections = [{"type": "section", "text": {"type": "plain_text", "text": line}} for line in lines]
    return [*sections, {"type": "actions", "block_id": "card", "elements": buttons}]


async def play(stage: Stage, step: str, /, **fields: object) -> list[tuple[str, str]]:
    said: list[tuple[str, str]] = []
    await STEPS[step].model_validate(fields).play(stage, lambda label, text: said.append((label, text)))
    return said


async def asked(stage: Stage, **more: object) -> str:
    await play(stage, "say", **{"as": "dana", "text": "please", **more})
    return stage.channel


async def posted(stage: Stage, agent: Agent, *lines: str) -> str:
    """Dana asks, and the agent answers with a card; the card's ts."""
    channel = await asked(stage)
    return (await agent.call("chat.postMessage", channel=channel, text="card", blocks=card(*lines)))["ts"]


async def send(agent: Agent, google: str, text: str) -> None:
    token = accounts(google).splitlines()[1].split('"access_token": "')[1].split('"')[0]
    mail = f"From: dana@fernhill.example\r\nTo: {HELEN}\r\nSubject: Hi\r\n\r\n{text}\r\n"
    raw, headers = base64.urlsafe_b64encode(mail.encode()).decode(), {"authorization": f"Bearer {token}"}
    drafts = f"{google}/gmail/v1/users/me/drafts"
    async with agent.http.post(drafts, json={"message": {"raw": raw}}, headers=headers) as answer:
        draft = await answer.json()
    async with agent.http.post(f"{drafts}/send", json={"id": draft["id"]}, headers=headers) as answer:
        assert answer.status == 200, await answer.text()


async def test_a_card_is_expected_in_the_askers_messages(stage: Stage, agent: Agent) -> None:
    """A waiting card that says what it should is found, and its text and buttons stand in the transcript."""
    await posted(stage, agent, "Reply", f"To {HELEN}")
    assert await play(stage, "expect_card", contains=HELEN) == [
        ("card", f"Reply\nTo {HELEN}"),
        ("", "[Approve] [Reject]"),
    ]


async def test_another_card_is_not_it(stage: Stage, agent: Agent) -> None:
    """When only other cards wait, the expectation fails and says what was there."""
    await posted(stage, agent, "Move the meeting")
    with pytest.raises(Unmet, match="no such card; the agent said:\n— Move the meeting"):
        await play(stage, "expect_card", contains=HELEN)


async def test_two_names_are_two_cards(stage: Stage, agent: Agent) -> None:
    """A card that was named is not found again under another name."""
    await posted(stage, agent, "Reply")
    await play(stage, "expect_card", name="first")
    with pytest.raises(Unmet):
        await play(stage, "expect_card", name="second")


async def test_earlier_cards_do_not_count(stage: Stage, agent: Agent) -> None:
    """What waited before the request is no answer to it."""
    await posted(stage, agent, "Old")
    await asked(stage)
    with pytest.raises(Unmet, match="the agent said nothing"):
        await play(stage, "expect_card")


async def test_a_press_reaches_the_agent_as_a_click(stage: Stage, agent: Agent) -> None:
    """Pressing a card's button sends the button's own value as that person."""
    await posted(stage, agent, "Reply")
    await play(stage, "expect_card")
    assert await play(stage, "click", button="Approve") == [("approval", "Dana Okafor presses Approve")]
    [click] = agent.clicks
    assert (click["user"]["id"], click["actions"][0]["value"]) == ("U0DANA", "q.n")


async def test_a_button_that_is_not_there(stage: Stage, agent: Agent) -> None:
    """Pressing what the card does not offer fails and names what it offers."""
    await posted(stage, agent, "Reply")
    await play(stage, "expect_card")
    with pytest.raises(Unmet, match="no button 'Edit'; its buttons: Approve, Reject"):
        await play(stage, "click", button="Edit")


async def test_a_final_form_has_no_buttons(stage: Stage, agent: Agent) -> None:
    """A card counts as decided only when its buttons are gone and it says so."""
    ts = await posted(stage, agent, "Reply")
    await play(stage, "expect_card")
    with pytest.raises(Unmet, match="has not got this final form"):
        await play(stage, "expect_decided", contains="Reply")
    await agent.call("chat.update", channel=stage.channel, ts=ts, text="Approved by Dana", blocks=[])
    await play(stage, "expect_decided", contains="Approved")


async def test_a_card_in_a_channel_is_found_out(stage: Stage, agent: Agent) -> None:
    """A card in the channel fails the expectation that there is none."""
    channel = await asked(stage, **{"in": "#sales", "text": "@countersign hello"})
    assert await play(stage, "expect_no_card", **{"in": "#sales"}) == [("held", "no card in #sales")]
    await agent.call("chat.postMessage", channel=channel, text="card", blocks=card("Reply"))
    with pytest.raises(Unmet, match="a card waits in #sales"):
        await play(stage, "expect_no_card", **{"in": "#sales"})


async def test_a_card_is_no_answer(stage: Stage, agent: Agent) -> None:
    """Only what the agent says outside its cards counts as its answer."""
    await posted(stage, agent, "Helen")
    with pytest.raises(Unmet, match="no such answer"):
        await play(stage, "expect_answer", contains="Helen")
    await agent.call("chat.postMessage", channel=stage.channel, text="Sent to Helen", thread_ts=stage.asked)
    assert await play(stage, "expect_answer", contains="helen") == [("answer", "Sent to Helen")]


async def test_an_answer_that_grows_is_awaited(stage: Stage, agent: Agent) -> None:
    """What is still being streamed is no answer yet."""
    channel = await asked(stage)
    place = {"channel": channel, "thread_ts": stage.asked, "recipient_user_id": "U0DANA"}
    stream = await agent.call("chat.startStream", **place, markdown_text="Sent to")
    with pytest.raises(Unmet, match="Sent to"):
        await play(stage, "expect_answer", contains="Sent")
    await agent.call("chat.stopStream", channel=channel, ts=stream["ts"], markdown_text=" Helen")
    assert await play(stage, "expect_answer", contains="Sent") == [("answer", "Sent to Helen")]


async def test_an_answer_stands_in_the_requests_thread(stage: Stage, agent: Agent) -> None:
    """In the channel of the request only its own thread counts."""
    channel = await asked(stage, **{"in": "#sales"})
    await agent.call("chat.postMessage", channel=channel, text="hello everybody")
    with pytest.raises(Unmet, match="hello everybody"):
        await play(stage, "expect_answer", **{"in": "#sales", "contains": "hello"})
    await agent.call("chat.postMessage", channel=channel, text="hello Dana", thread_ts=stage.asked)
    said = await play(stage, "expect_answer", **{"in": "#sales", "contains": "hello"})
    assert said == [("in #sales", "hello Dana")]


async def test_one_mail_is_one_mail(stage: Stage, agent: Agent, played: Played) -> None:
    """Exactly the mails since the request count, and a second one later breaks what lasted until then."""
    google = played.addresses.google
    await send(agent, google, "before")
    await asked(stage)
    await play(stage, "expect_sent", **{"from": "dana", "count": 0})
    stage.lasting.clear()
    await send(agent, google, "Thursday works")
    said = await play(stage, "expect_sent", **{"from": "dana", "to": HELEN, "contains": "thursday"})
    assert said == [
        ("effect", f"in Dana Okafor's sent mail: to {HELEN}, “Hi”"),
        ("held", "Dana Okafor has sent one mail"),
    ]
    [check] = stage.lasting.values()
    assert await check() is None
    await send(agent, google, "once more")
    assert await check() == "Dana Okafor has sent 2 mails, not one mail"


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"to": "luis@fernhill.example"}, "not to luis@fernhill.example"),
        ({"contains": "Friday"}, "does not say 'Friday'"),
        ({"count": 2}, "has sent one mail, not 2 mails"),
    ],
)
async def test_another_mail_is_not_it(
    stage: Stage, agent: Agent, played: Played, fields: dict[str, object], why: str
) -> None:
    """A mail to somebody else, with another text or in another number fails, and the reason names it."""
    await asked(stage)
    await send(agent, played.addresses.google, "Thursday works")
    with pytest.raises(Unmet, match=why):
        await play(stage, "expect_sent", **{"from": "dana", **fields})


async def test_an_event_is_looked_up_in_its_owners_zone(stage: Stage) -> None:
    """An event counts where weekday and time are its owner's, and another day is named in the failure."""
    there = {"whose": "dana", "title": "delivery planning", "weekday": "Wednesday"}
    where = next(event for event in await stage.google.events_of(DANA) if "Delivery" in event.title)
    there |= {"weekday": f"{where.start:%A}", "time": f"{where.start:%H:%M}"}
    assert (await play(stage, "expect_event", **there))[0][0] == "effect"
    with pytest.raises(Unmet, match="“delivery planning” is on "):
        await play(stage, "expect_event", **{**there, "time": "03:07"})


async def test_a_reference_in_a_channel_is_found(stage: Stage, agent: Agent) -> None:
    """One private token in anything sent to the channel fails, also when it comes after the look."""
    channel = await asked(stage, **{"in": "#sales"})
    await agent.call("chat.postMessage", channel=channel, text="I go on in a direct message.")
    await play(stage, "expect_private", **{"in": "#sales"})
    posted = await agent.call("chat.postMessage", channel=channel, text="Our reference: FRN-M-0001")
    await agent.call("chat.update", channel=channel, ts=posted["ts"], text="never mind")
    [check] = stage.lasting.values()
    assert await check() == "told in #sales: FRN-M-0001"
    with pytest.raises(Unmet, match="FRN-M-0001"):
        await play(stage, "expect_private", **{"in": "#sales"})


async def test_audit_codes_come_in_order(stage: Stage, played: Played) -> None:
    """The codes must be there in that order, with others between them."""
    for line in ('{"code": "a"}', '{"code": "x"}', '{"code": "b"}'):
        played.audit.hear(line)
    await play(stage, "expect_audit", codes=["a", "b"])
    with pytest.raises(Unmet, match="has not b … a, but a, x, b"):
        await play(stage, "expect_audit", codes=["b", "a"])


async def test_a_broken_audit_log_fails(stage: Stage, played: Played) -> None:
    """What the verify command says decides."""
    assert await play(stage, "verify_audit") == [("verified", "whole")]
    played.verdict = (False, "entry 3 was changed")
    with pytest.raises(Unmet, match="entry 3 was changed"):
        await play(stage, "verify_audit")
