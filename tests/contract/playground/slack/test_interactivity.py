"""Buttons, modals, commands, shortcuts and what comes after them, handled by an unchanged bolt app."""

from __future__ import annotations

import asyncio
from typing import Any

from playground.slack.manifest import app_manifest
from tests.contract.playground.slack.clients import Bot, Slack, eventually

GENERAL = "C0GENERAL"
DM = "D0MARA"
GUESTS_DM = "D0THEO"


def plain(text: str) -> dict[str, str]:
    return {"type": "plain_text", "text": text}


def card(**more: Any) -> list[dict[str, Any]]:
    button = {"type": "button", "text": plain("Approve"), "action_id": "approve", "value": "q1", "style": "primary"}
    return [{"type": "actions", "block_id": "card", "elements": [button | more]}]


def modal(title: str = "Reason") -> dict[str, Any]:
    element = {"type": "plain_text_input", "action_id": "text"}
    return {
        "type": "modal",
        "callback_id": "reason",
        "title": plain(title),
        "submit": plain("Send"),
        "blocks": [{"type": "input", "block_id": "why", "label": plain("Why?"), "element": element}],
    }


async def posted(slack: Slack, channel: str = DM, **more: Any) -> dict[str, str]:
    """A card, as the arguments of a click on it."""
    message = await slack.web.chat_postMessage(channel=channel, text="card", blocks=card(**more))
    return {"user": "U0MARA", "channel": channel, "message_ts": message["ts"], "action_id": "approve"}


async def test_click(slack: Slack, bot: Bot) -> None:
    """A click arrives with the message, its container, the button's value, and is acknowledged."""
    clicks = bot.pressed()
    where = await posted(slack)
    answer = await slack.act("click", **where)
    assert answer == {"ok": True, "acked": True}
    body = clicks[0]
    assert body["actions"][0]["value"] == "q1"
    assert body["actions"][0]["block_id"] == "card"
    assert body["user"]["id"] == "U0MARA"
    assert body["container"] == {
        "type": "message",
        "message_ts": where["message_ts"],
        "channel_id": DM,
        "is_ephemeral": False,
    }
    assert body["message"]["ts"] == where["message_ts"]
    assert body["response_url"].startswith(slack.url)


async def test_click_without_answer(slack: Slack, bot: Bot) -> None:
    """A click that is not acknowledged in time failed, and is not sent again."""
    over = asyncio.Event()

    async def approve(ack: Any) -> None:
        await over.wait()
        await ack()

    bot.app.action("approve")(approve)
    await slack.admin("settings", ack_seconds=0.05)
    answer = await slack.act("click", **await posted(slack))
    over.set()
    assert (answer["acked"], answer["error"]) == (False, "operation_timeout")
    sent = [entry for entry in await slack.entries("block_actions") if entry["direction"] == "out"]
    assert len(sent) == 1


async def test_click_with_nobody_there(slack: Slack) -> None:
    """With no connection a click fails at once."""
    answer = await slack.act("click", **await posted(slack))
    assert (answer["acked"], answer["error"]) == (False, "dispatch_failed")


async def test_hidden_button(slack: Slack, bot: Bot) -> None:
    """Whom a button is hidden from cannot press it."""
    where = await posted(slack, GENERAL, visible_to_user_ids=["U0DANA"])
    refused = await slack.act("click", **where)
    assert (refused["ok"], refused["error"]) == (False, "not_visible")
    assert await slack.entries("block_actions") == []


async def test_feedback(slack: Slack, bot: Bot) -> None:
    """A feedback button is chosen by its value."""
    chosen = bot.pressed("feedback")
    buttons = {
        "type": "feedback_buttons",
        "action_id": "feedback",
        "positive_button": {"text": plain("Good"), "value": "good"},
        "negative_button": {"text": plain("Bad"), "value": "bad"},
    }
    blocks = [{"type": "context_actions", "elements": [buttons]}]
    message = await slack.web.chat_postMessage(channel=DM, text="x", blocks=blocks)
    where = {"user": "U0MARA", "channel": DM, "message_ts": message["ts"], "action_id": "feedback"}
    await slack.act("click", **where, value="bad")
    assert [body["actions"][0]["value"] for body in chosen] == ["bad"]


async def test_response_url(slack: Slack, bot: Bot) -> None:
    """A response_url may be used five times; it replaces the card or answers the clicker alone."""
    statuses: list[int] = []

    async def approve(ack: Any, respond: Any) -> None:
        await ack()
        for number in range(6):
            answer = await respond(text=f"answer {number}", replace_original=number == 0, response_type="ephemeral")
            statuses.append(answer.status_code)

    bot.app.action("approve")(approve)
    where = await posted(slack)
    await slack.act("click", **where)
    await eventually(lambda: len(statuses) == 6)
    assert statuses == [200] * 5 + [404]
    state = await slack.read("state")
    assert [shown["message"]["text"] for shown in state["ephemerals"]] == [f"answer {number}" for number in range(1, 5)]
    replaced = next(message for message in state["messages"][DM] if message["ts"] == where["message_ts"])
    assert replaced["text"] == "answer 0"
    assert "blocks" not in replaced


async def test_response_url_expires(slack: Slack, bot: Bot) -> None:
    """After thirty minutes a response_url is dead."""
    clicks = bot.pressed()
    await slack.act("click", **await posted(slack))
    await slack.admin("clock", advance=30 * 60 + 1)
    async with slack.session.post(clicks[0]["response_url"], json={"text": "late"}) as answer:
        assert (answer.status, await answer.json()) == (404, {"ok": False, "error": "expired_url"})


async def opened(slack: Slack, bot: Bot) -> dict[str, Any]:
    """A modal that Mara's click opened."""

    async def approve(ack: Any, body: dict[str, Any], client: Any) -> None:
        await ack()
        await client.views_open(trigger_id=body["trigger_id"], view=modal())

    bot.app.action("approve")(approve)
    await slack.act("click", **await posted(slack))
    state = await slack.until(lambda state: bool(state["views"]))
    return state["views"]["U0MARA"][-1]


async def test_trigger(slack: Slack, bot: Bot) -> None:
    """A trigger_id opens one modal, within three seconds."""
    clicks = bot.pressed()
    where = await posted(slack)
    await slack.act("click", **where)
    await slack.act("click", **where)
    first, second = clicks
    await slack.web.views_open(trigger_id=first["trigger_id"], view=modal())
    again = slack.web.views_open(trigger_id=first["trigger_id"], view=modal())
    assert await slack.error(again) == "exchanged_trigger_id"
    await slack.admin("clock", advance=3.5)
    late = slack.web.views_open(trigger_id=second["trigger_id"], view=modal())
    assert await slack.error(late) == "expired_trigger_id"
    assert await slack.error(slack.web.views_open(trigger_id="1.2.3", view=modal())) == "invalid_trigger_id"


async def test_submission_with_errors(slack: Slack, bot: Bot) -> None:
    """Errors keep the modal open; an empty required field is not even sent; success closes it."""
    texts: list[str] = []

    async def reason(ack: Any, view: dict[str, Any]) -> None:
        text = view["state"]["values"]["why"]["text"]["value"]
        texts.append(text)
        await (ack() if len(text) > 3 else ack(response_action="errors", errors={"why": "Longer, please."}))

    bot.app.view("reason")(reason)
    view = await opened(slack, bot)
    who: dict[str, Any] = {"user": "U0MARA", "view_id": view["id"]}
    empty = await slack.act("submit", **who, values={})
    assert (empty["error"], list(empty["errors"])) == ("missing_value", ["why"])
    short = await slack.act("submit", **who, values={"why": {"text": {"value": "no"}}})
    assert short["errors"] == {"why": "Longer, please."}
    done = await slack.act("submit", **who, values={"why": {"text": {"value": "because"}}})
    assert done["acked"]
    assert texts == ["no", "because"]
    assert (await slack.read("state"))["views"] == {}


async def test_a_modal_is_closed_before_its_submission_is_answered(slack: Slack, bot: Bot) -> None:
    """What was sent counts, and the person is told that the app took it."""
    sent, left = asyncio.Event(), asyncio.Event()

    async def reason(ack: Any) -> None:
        sent.set()
        await left.wait()
        await ack()

    bot.app.view("reason")(reason)
    view = await opened(slack, bot)
    values = {"why": {"text": {"value": "because"}}}
    submitting = asyncio.create_task(slack.act("submit", user="U0MARA", view_id=view["id"], values=values))
    await sent.wait()
    await slack.act("close", user="U0MARA", view_id=view["id"])
    left.set()
    assert (await submitting)["acked"]


async def test_submission_updates(slack: Slack, bot: Bot) -> None:
    """A submission may put another view in place."""

    async def reason(ack: Any) -> None:
        await ack(response_action="update", view=modal("Another"))

    bot.app.view("reason")(reason)
    view = await opened(slack, bot)
    values = {"why": {"text": {"value": "x"}}}
    await slack.act("submit", user="U0MARA", view_id=view["id"], values=values)
    after = (await slack.read("state"))["views"]["U0MARA"][0]
    assert (after["id"], after["title"]["text"]) == (view["id"], "Another")


async def test_view_rules(slack: Slack, bot: Bot) -> None:
    """A title holds 24 characters, inputs need a submit button, and a stale hash is a conflict."""
    view = await opened(slack, bot)
    update = slack.web.views_update
    long = modal() | {"title": plain("x" * 25)}
    assert await slack.error(update(view_id=view["id"], view=long)) == "invalid_arguments"
    without = {key: value for key, value in modal().items() if key != "submit"}
    assert await slack.error(update(view_id=view["id"], view=without)) == "invalid_arguments"
    assert await slack.error(update(view_id=view["id"], view=modal(), hash="1.old")) == "hash_conflict"
    fresh = await update(view_id=view["id"], view=modal("New"), hash=view["hash"])
    assert fresh["view"]["hash"] != view["hash"]


async def test_a_window_is_known_by_the_apps_own_name(slack: Slack, bot: Bot) -> None:
    """`external_id`: unique among all views of the team, at most 255 characters, and gone with its window."""
    seen = bot.pressed()
    update, view = slack.web.views_update, modal() | {"external_id": "connect:1"}
    assert await slack.error(update(external_id="connect:1", view=view)) == "not_found"
    ts = (await slack.web.chat_postMessage(channel=GENERAL, text="x", blocks=card()))["ts"]
    for _ in range(3):
        await slack.act("click", user="U0MARA", channel=GENERAL, message_ts=ts, action_id="approve")
    first, second, third = (body["trigger_id"] for body in seen)
    opened = (await slack.web.views_open(trigger_id=first, view=view))["view"]
    twice = slack.web.views_push(trigger_id=second, view=view)
    assert await slack.error(twice) == "duplicate_external_id"
    home = {"type": "home", "blocks": card(), "external_id": "connect:1"}
    assert await slack.error(slack.web.views_publish(user_id="U0DANA", view=home)) == "duplicate_external_id"
    await slack.web.views_push(trigger_id=third, view=modal() | {"external_id": "e" * 255})
    after = (await update(external_id="connect:1", view=view | {"title": plain("Done")}))["view"]
    assert (after["id"], after["title"]["text"], after["external_id"]) == (opened["id"], "Done", "connect:1")
    other = update(external_id="e" * 255, view=view)
    assert await slack.error(other) == "duplicate_external_id"
    assert (
        await slack.error(update(view_id=opened["id"], view=modal() | {"external_id": "e" * 256}))
        == "invalid_arguments"
    )
    for one in reversed((await slack.read("state"))["views"]["U0MARA"]):
        await slack.act("close", user="U0MARA", view_id=one["id"])
    assert await slack.error(update(external_id="connect:1", view=view)) == "not_found"


async def test_home(slack: Slack, bot: Bot) -> None:
    """A published home is each person's own, and its buttons work."""
    pressed = bot.pressed()
    await slack.web.views_publish(user_id="U0MARA", view={"type": "home", "blocks": card()})
    homes = (await slack.read("state"))["homes"]
    assert list(homes) == ["U0MARA"]
    await slack.act("click", user="U0MARA", view_id=homes["U0MARA"]["id"], action_id="approve")
    assert [body["container"]["type"] for body in pressed] == ["view"]
    theirs = await slack.act("click", user="U0DANA", view_id=homes["U0MARA"]["id"], action_id="approve")
    assert theirs["ok"] is False


async def test_command(slack: Slack, bot: Bot) -> None:
    """A command's text has names resolved, and its acknowledgement is shown to the person only."""
    seen: list[dict[str, Any]] = []

    async def agent(ack: Any, command: dict[str, Any], respond: Any) -> None:
        seen.append(command)
        await ack("Here you are.")
        await respond("And later.")

    bot.app.command("/agent")(agent)
    text = "trust @dana in #sales & <more>"
    answer = await slack.act("command", user="U0MARA", channel=GENERAL, command="/agent", text=text)
    assert answer["message"]["text"] == "Here you are."
    assert seen[0]["text"] == "trust <@U0DANA|dana> in <#C0SALES|sales> &amp; &lt;more&gt;"
    shown = (await slack.until(lambda state: len(state["ephemerals"]) == 2))["ephemerals"]
    assert {one["message"]["text"] for one in shown} == {"Here you are.", "And later."}
    assert {one["user"] for one in shown} == {"U0MARA"}


async def test_failed_command(slack: Slack) -> None:
    """A command that nobody answers fails visibly."""
    answer = await slack.act("command", user="U0MARA", channel=GENERAL, command="/agent", text="help")
    assert answer["error"] == "dispatch_failed"
    shown = (await slack.read("state"))["ephemerals"][0]["message"]
    assert (shown["user"], shown["text"]) == ("USLACKBOT", '/agent failed with the error "dispatch_failed"')


async def test_a_shortcut_that_the_app_does_not_have_is_refused(slack: Slack, bot: Bot) -> None:
    """A shortcut that the manifest does not name is refused; the prompts that it suggests stand in each DM but a
    guest's, for whom the app does not work.
    """
    manifest = app_manifest()
    prompts = manifest["features"]["agent_view"]["suggested_prompts"]
    del manifest["features"]["shortcuts"]
    await slack.admin("manifest", **manifest)
    said = await slack.act("message", user="U0DANA", channel=GENERAL, text="Can somebody move the review?")
    refused = await slack.act("shortcut", user="U0MARA", channel=GENERAL, message_ts=said["ts"])
    assert refused["error"] == "invalid_shortcut"
    suggested = (await slack.read("state"))["prompts"]
    assert suggested["D0MARA"]["prompts"] == prompts
    assert GUESTS_DM not in suggested


async def test_shortcuts(slack: Slack, bot: Bot) -> None:
    """A message shortcut brings the message; a global one a trigger. Unlike clicks, neither names the app."""
    seen: list[dict[str, Any]] = []

    async def shortcut(ack: Any, body: dict[str, Any]) -> None:
        await ack()
        seen.append(body)

    bot.app.shortcut("agent_message_shortcut")(shortcut)
    bot.app.shortcut("agent_global_shortcut")(shortcut)
    said = await slack.act("message", user="U0DANA", channel=GENERAL, text="Can somebody move the review?")
    await slack.act("shortcut", user="U0MARA", channel=GENERAL, message_ts=said["ts"])
    await slack.act("shortcut", user="U0MARA")
    assert [body["type"] for body in seen] == ["message_action", "shortcut"]
    assert not any("api_app_id" in body for body in seen)
    assert seen[0]["message"]["text"] == "Can somebody move the review?"
    await slack.web.views_open(trigger_id=seen[1]["trigger_id"], view=modal())
