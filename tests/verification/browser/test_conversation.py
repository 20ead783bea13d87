"""The conversation: writing, reading, threads, what streams and what is for one person only."""

from __future__ import annotations

import asyncio
import re
from datetime import UTC, datetime

import pytest
from playwright.async_api import Page, Route, expect

from tests.verification.browser.stage import DANA, MARA, Stage

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_enter_sends_and_shift_enter_breaks_the_line(page: Page, played: Stage) -> None:
    """Enter sends what was typed; Shift+Enter only adds a line."""
    await page.goto(played.at(DANA, "C0SALES"))
    await page.locator("#composer").press_sequentially("first")
    await page.keyboard.press("Shift+Enter")
    await page.keyboard.type("second <b>line</b> & more")
    await page.keyboard.press("Enter")
    await expect(page.locator("#composer")).to_have_value("")
    await expect(page.locator(".message").last).to_contain_text("second <b>line</b> & more")


@pytest.mark.deep
async def test_a_name_is_completed_and_becomes_a_mention(page: Page, played: Stage) -> None:
    """`@` and a few letters offer people; what is sent is a mention of that person."""
    await page.goto(played.at(DANA, "C0SALES"))
    await page.locator("#composer").press_sequentially("@coun")
    await page.keyboard.press("Enter")
    await page.keyboard.type("hello")
    await page.keyboard.press("Enter")
    await expect(page.locator(".message").last.locator(".mention")).to_have_text("@Countersign")


async def test_a_command_is_completed_and_answered_to_one_person(page: Page, played: Stage) -> None:
    """`/` completes /agent; what was typed stands there, its answer is marked as visible to the person only, and nobody
    else sees either, in another window no less than after a reload."""
    await page.goto(played.at(DANA, "C0SALES"))
    await page.locator("#composer").press_sequentially("/agent st")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    shown = page.locator(".message.ephemeral")
    await expect(shown).to_have_count(2)
    await expect(shown.first.locator(".name")).to_have_text("Dana Okafor")
    await expect(shown.first.locator(".text")).to_have_text("/agent status")
    await expect(shown.last).to_contain_text("You asked /agent status")
    await expect(shown.last).to_contain_text("Only visible to you")
    await page.reload()
    await expect(shown.first.locator(".text")).to_have_text("/agent status")
    await page.goto(played.at(MARA, "C0SALES"))
    await expect(page.locator(".message").first).to_be_visible()
    await expect(page.locator(".message.ephemeral")).to_have_count(0)


@pytest.mark.deep
async def test_an_unknown_command_is_refused_in_a_sentence(page: Page, played: Stage) -> None:
    """What Slack says about it is shown, not the name of the error; the text is there to be corrected."""
    refused = {"ok": False, "error": "invalid_command", "reason": "/nope is not a valid command"}
    await page.route("**/api/act/command", lambda route: route.fulfill(json=refused))
    await page.goto(played.at(DANA))
    await page.locator("#composer").fill("/nope")
    await page.keyboard.press("Enter")
    said = "Not sent: /nope is not a valid command. Your text is back in the box."
    await expect(page.locator(".notice")).to_have_text(said)
    await expect(page.locator("#composer")).to_have_value("/nope")


@pytest.mark.deep
async def test_a_text_that_was_not_sent_is_back_in_the_box_that_is_shown(page: Page, played: Stage) -> None:
    """Also where its box was drawn again meanwhile, as another conversation was looked at."""
    looked = asyncio.Event()

    async def refuse(route: Route) -> None:
        await looked.wait()
        await route.fulfill(json={"ok": False, "error": "it was refused"})

    await page.route("**/api/act/message", refuse)
    await page.goto(played.at(DANA))
    await page.locator("#composer").fill("Thursday it is")
    await page.keyboard.press("Enter")
    await page.get_by_role("button", name="sales", exact=True).click()
    await expect(page.locator("#composer")).to_have_attribute("placeholder", re.compile("#sales"))
    await page.get_by_role("button", name="Countersign APP").click()
    await expect(page.locator("#composer")).to_have_value("")
    looked.set()
    await expect(page.locator(".notice")).to_contain_text("Your text is back in the box.")
    await expect(page.locator("#composer")).to_have_value("Thursday it is")


async def test_a_command_in_a_thread_is_not_sent(page: Page, played: Stage) -> None:
    """Slack has no commands in threads, so none is offered; the text stays in the box, with where they work."""
    root = (await played.app.act("message", user=DANA, channel="C0SALES", text="a root"))["ts"]
    await page.goto(played.at(DANA, "C0SALES", thread=root))
    field = page.locator("#thread textarea")
    await expect(page.locator("#room .keys")).to_contain_text("/ commands")
    await expect(page.locator("#thread .keys")).not_to_contain_text("/ commands")
    await field.press_sequentially("/agent st")
    await expect(page.locator("#thread .completion")).to_be_hidden()
    await field.press_sequentially("atus")
    await field.press("Enter")
    await expect(page.locator(".notice")).to_contain_text("commands work in the conversation, not in a thread")
    await expect(field).to_have_value("/agent status")
    assert [one for one in played.app.heard if one["type"] == "slash_commands"] == []


@pytest.mark.deep
async def test_what_slack_says_itself_comes_from_slackbot(page: Page, played: Stage) -> None:
    """What stands where a root was deleted is under Slackbot's name, not under its id."""
    root = await played.app.act("message", user=DANA, channel="C0SALES", text="a slip")
    where = {"user": DANA, "channel": "C0SALES"}
    await played.app.act("message", **where, text="a reply", thread_ts=root["ts"])
    await played.app.act("delete", **where, ts=root["ts"])
    await page.goto(played.at(DANA, "C0SALES"))
    message = page.locator("#room .message", has_text="This message was deleted.")
    await expect(message.locator(".name")).to_have_text("Slackbot")


@pytest.mark.deep
async def test_a_thread_opens_beside_and_escape_closes_it(page: Page, played: Stage) -> None:
    """A reply is written in the drawer, counted at its root, and Escape closes the drawer."""
    await page.goto(played.at(DANA, "C0SALES"))
    message = page.locator("#room .message", has_text="quote for 24 benches")
    await message.hover()
    await message.get_by_role("button", name="Reply in thread").click()
    await page.locator("#thread textarea").fill("I do it")
    await page.keyboard.press("Enter")
    await expect(page.locator("#thread .message").last).to_contain_text("I do it")
    await expect(message.locator(".thread-line")).to_contain_text("1 reply")
    await page.keyboard.press("Escape")
    await expect(page.locator("#thread")).to_be_hidden()


async def test_a_stream_has_a_cursor_and_can_be_stopped(page: Page, played: Stage) -> None:
    """While an answer streams it has a cursor and the session a Stop button; Stop reaches the app."""
    root = await played.app.say(DANA, "Tell me a long story")
    await played.app.session(DANA, root, "processing")
    where = {"channel": f"D{DANA[1:]}", "thread_ts": root}
    stream = await played.app.call("chat.startStream", **where, markdown_text="Once **upon**")
    await page.goto(played.at(DANA))
    await expect(page.locator(".message.streaming .cursor")).to_be_visible()
    await played.app.call("chat.appendStream", channel=where["channel"], ts=stream["ts"], markdown_text=" a time")
    await expect(page.locator(".message.streaming")).to_contain_text("Once upon a time")
    await page.get_by_role("button", name="Stop", exact=True).click()
    await expect(page.locator(".message.streaming")).to_have_count(0)
    await played.app.hears(lambda one: one["payload"].get("event", {}).get("type") == "agent_session_stopped")


@pytest.mark.deep
async def test_an_edited_message_says_so(page: Page, played: Stage) -> None:
    """A person edits a message in place, which Escape ends and Enter saves; it is marked as edited. A thread that is
    open stays open."""
    root = await played.app.say(DANA, "I mean Tuesday")
    await page.goto(played.at(DANA, thread=root))
    message = page.locator("#thread .message", has_text="I mean Tuesday")
    field = page.get_by_role("textbox", name="Edit message")
    for key, text in (("Escape", "I mean Tuesday"), ("Enter", "I mean Thursday")):
        await message.hover()
        await message.get_by_role("button", name="Edit message").click()
        await expect(page.locator("#thread .message .note", has_text="Enter saves · Esc cancels")).to_be_visible()
        await field.fill("I mean Thursday")
        await page.keyboard.press(key)
        await expect(page.locator("#thread .message")).to_contain_text(text)
    await expect(page.locator("#thread .message", has_text="I mean Thursday")).to_contain_text("(edited)")


@pytest.mark.deep
async def test_long_messages_are_folded(page: Page, played: Stage) -> None:
    """40,000 characters show their beginning and a button that shows the rest."""
    await played.app.say(DANA, "long " * 7_990)
    await page.goto(played.at(DANA))
    box = page.locator(".message .folded")
    await expect(box).to_be_visible()
    shown = await box.bounding_box()
    assert shown is not None
    assert shown["height"] < 300
    await page.get_by_role("button", name="Show all").click()
    await expect(box).to_have_count(0)


@pytest.mark.deep
async def test_the_reader_stays_where_he_is(page: Page, played: Stage) -> None:
    """With 500 messages, a new one moves nobody who reads further up; at the end the newest is shown."""
    said = [played.app.act("message", user=DANA, channel="C0SALES", text=f"message {number}") for number in range(499)]
    await asyncio.gather(*said)
    await played.app.act("message", user=DANA, channel="C0SALES", text="the last one")
    await page.goto(played.at(DANA, "C0SALES"))
    await expect(page.get_by_text("the last one", exact=True)).to_be_in_viewport()
    scroll = page.locator("#room .scroll")
    await scroll.evaluate("box => { box.scrollTop = 4000 }")
    before = await scroll.evaluate("box => box.scrollTop")
    await played.app.act("message", user=MARA, channel="C0SALES", text="one more")
    await expect(page.get_by_role("button", name="New messages")).to_be_visible()
    assert await scroll.evaluate("box => box.scrollTop") == before
    end = await scroll.evaluate("box => box.getBoundingClientRect().bottom")
    top = await page.get_by_role("button", name="New messages").evaluate("node => node.getBoundingClientRect().top")
    assert top >= end, "it covers no message"
    await page.get_by_role("button", name="New messages").click()
    await expect(page.get_by_text("one more", exact=True)).to_be_in_viewport()


async def test_who_says_something_sees_it(page: Page, played: Stage) -> None:
    """Whoever reads further up and sends something is taken to what was said."""
    said = [played.app.act("message", user=MARA, channel="C0SALES", text=f"message {number}") for number in range(60)]
    await asyncio.gather(*said)
    await page.goto(played.at(DANA, "C0SALES"))
    await expect(page.get_by_text("message 59", exact=True)).to_be_visible()
    await page.locator("#room .scroll").evaluate("box => { box.scrollTop = 0 }")
    await expect(page.get_by_text("message 59", exact=True)).not_to_be_in_viewport()
    await page.locator("#composer").fill("What I say")
    await page.keyboard.press("Enter")
    await expect(page.locator("#room").get_by_text("What I say", exact=True)).to_be_in_viewport()
    await expect(page.get_by_role("button", name="New messages")).to_be_hidden()


@pytest.mark.deep
async def test_unread_dots_follow_what_was_read(page: Page, played: Stage) -> None:
    """An answer that a person has not looked at is a dot beside that person; looking takes it away, in every window."""
    await played.app.post(MARA, [{"type": "markdown", "text": "For you"}])
    await page.goto(played.at(DANA, "C0SALES"))
    mara = page.locator("#people .person", has_text="Mara")
    await expect(mara.locator(".dot")).to_be_visible()
    other = await page.context.new_page()
    await other.goto(played.at(MARA))
    await expect(other.get_by_text("For you")).to_be_visible()
    await expect(mara.locator(".dot")).to_have_count(0)


async def test_the_home_tab_shows_what_the_app_published(page: Page, played: Stage) -> None:
    """Opening Home asks the app, and shows its view."""
    await page.goto(played.at(DANA))
    await page.get_by_role("tab", name="Home").click()
    await expect(page.locator(".home-view")).to_contain_text("Trust level supervised")


@pytest.mark.deep
async def test_ctrl_k_jumps(page: Page, played: Stage) -> None:
    """Ctrl+K finds a person, a conversation or a tab by some letters; Enter goes there, and typing goes on there."""
    await page.goto(played.at(DANA))
    await expect(page.locator("#room h1")).to_contain_text("Countersign")  # the page listens by now
    await page.keyboard.press("Control+k")
    await page.keyboard.type("sal")
    await page.keyboard.press("Enter")
    await expect(page.locator("#room h1")).to_contain_text("sales")
    await expect(page.locator("#composer")).to_be_focused()
    await page.keyboard.press("Control+k")
    await page.keyboard.type("zzz")
    await expect(page.get_by_role("status").filter(has_text="in its name")).to_be_visible()
    await page.get_by_label("Jump to").last.fill("")
    await page.keyboard.type("audit")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("tab", name="Audit")).to_have_attribute("aria-selected", "true")
    await expect(page.get_by_role("tab", name="Audit")).to_be_focused()


@pytest.mark.deep
async def test_times_are_those_of_the_acting_person(page: Page, played: Stage) -> None:
    """The same message is shown in each acting person's zone, with the zone in the tooltip."""
    await played.app.act("message", user=DANA, channel="C0SHOW", text="what time is it")
    await page.goto(played.at(DANA, "C0SHOW"))
    stamp = page.locator(".message", has_text="what time is it").locator("time").first
    london = await stamp.text_content()
    await expect(stamp).to_have_attribute("title", await stamp.get_attribute("title") or "")
    assert "Europe/London" in (await stamp.get_attribute("title") or "")
    await page.goto(played.at("U0LUIS", "C0SHOW"))
    await expect(page.locator("#people [aria-pressed=true]")).to_contain_text("Luis")
    assert await stamp.text_content() != london
    assert "America/New_York" in (await stamp.get_attribute("title") or "")


DAY = r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{1,2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"


@pytest.mark.deep
async def test_dates_have_one_form(page: Page, played: Stage) -> None:
    """“Thu 26 Nov”, with the year where it is another one, on every pane; the whole moment is in the tooltip."""
    when = int(datetime(2031, 9, 4, 12, tzinfo=UTC).timestamp())
    said = f"By <!date^{when}^{{date_short_pretty}} at {{time}}|then>, as <!date^{when}^{{date_long}}|then>."
    await played.app.post(DANA, [], text=said)
    played.app.record("run.queued", actor=DANA)
    await page.goto(played.at(DANA))
    await expect(page.locator("#room .message").last).to_contain_text("By Thu 4 Sep 2031 at 13:00, as Thu 4 Sep 2031.")
    await expect(page.locator("#room .day").first).to_have_text(re.compile(f"^{DAY}$"))
    old = page.locator(".item.mail time").last
    await expect(old).to_have_text(re.compile(f"^{DAY}( \\d{{4}})?$"))
    whole = re.compile(rf"^{DAY} \d{{4}}, \d\d:\d\d:\d\d \(Europe/London\)$")
    await expect(old).to_have_attribute("title", whole)
    await page.get_by_role("tab", name="Audit").click()
    await page.locator(".item.audit .item-main").click()
    await expect(page.locator(".item-open .pair", has_text="time").locator("dd")).to_have_text(whole)
    await page.get_by_role("tab", name="Calendar").click()
    await page.get_by_role("button", name="Week before").click()
    await page.locator(".week .event").first.click()
    dated = re.compile(rf"^{DAY}( \d{{4}})?, \d\d:\d\d–\d\d:\d\d \(London\)$")
    await expect(page.locator(".event-open .pair", has_text="When").locator("dd")).to_have_text(dated)


async def test_a_dead_bot_is_said_and_started_again(page: Page, played: Stage) -> None:
    """Kill shows the bot as stopped and offers Start; Start brings it back."""
    await page.goto(played.at(DANA))
    await page.get_by_role("button", name="Kill").click()
    await expect(page.locator(".bot")).to_contain_text("stopped")
    await page.locator(".bot").get_by_role("button", name="Start").click()
    await expect(page.locator(".bot")).to_contain_text("running")


async def test_a_file_is_attached(page: Page, played: Stage) -> None:
    """A chosen file is named in the box, sent with the message and shown below it, where it opens as what it says."""
    await page.goto(played.at(DANA, "C0SALES"))
    chosen = {"name": "plan.txt", "mimeType": "text/plain", "buffer": b"hall 3"}
    await page.locator("#room input[type=file]").set_input_files([chosen])  # pyright: ignore[reportArgumentType] # a TypedDict
    await expect(page.locator(".composer-files")).to_contain_text("plan.txt")
    await page.locator("#composer").fill("the plan")
    await page.keyboard.press("Enter")
    file = page.locator(".message").last.locator(".file")
    await expect(file).to_contain_text("plan.txt")
    await file.focus()
    async with page.expect_popup() as opened:
        await page.keyboard.press("Enter")
    shown = await opened.value
    await expect(shown.locator("body")).to_have_text("hall 3")
    await shown.close()


@pytest.mark.deep
async def test_an_attached_file_is_taken_away_again(page: Page, played: Stage) -> None:
    """A file that was chosen by mistake is removed before the message is sent, and the other one goes along."""
    await page.goto(played.at(DANA, "C0SALES"))
    chosen = [{"name": f"{name}.txt", "mimeType": "text/plain", "buffer": b"hall 3"} for name in ("plan", "slip")]
    await page.locator("#room input[type=file]").set_input_files(chosen)  # pyright: ignore[reportArgumentType] # TypedDicts
    await page.get_by_role("button", name="Remove slip.txt").click()
    await expect(page.locator(".composer-files .chip")).to_have_count(1)
    await page.locator("#composer").fill("the plan")
    await page.keyboard.press("Enter")
    await expect(page.locator(".message").last.locator(".file")).to_have_text(re.compile("^plan.txt"))


@pytest.mark.deep
async def test_a_message_is_deleted_after_a_question(page: Page, played: Stage) -> None:
    """A slip of the mouse deletes nothing: the page asks before."""
    await played.app.say(DANA, "a slip")
    await page.goto(played.at(DANA))
    message = page.locator("#room .message", has_text="a slip")
    for answer, left in (("Keep it", 1), ("Delete", 0)):
        await message.hover()
        await message.get_by_role("button", name="Delete message").click()
        await page.locator("dialog.confirm").get_by_role("button", name=answer).click()
        await expect(message).to_have_count(left)


@pytest.mark.deep
async def test_the_wire_is_filtered_by_service_and_run(page: Page, played: Stage) -> None:
    """The wire shows what a service received, what a run did, and the bodies of what is opened."""
    await played.app.ask()
    await page.goto(played.at(DANA, tab="wire"))
    await page.get_by_role("button", name="Google", exact=True).click()
    await expect(page.locator(".tab-body.wire .empty")).to_be_visible()
    await page.get_by_role("button", name="Slack", exact=True).click()
    row = page.locator(".item.wire", has_text="chat.postMessage").first
    await row.locator(".item-main").click()
    await expect(row.locator("pre").first).to_contain_text("Send this mail?")
    runs = page.get_by_label("Filter by run")
    await expect(runs.locator("option")).to_have_count(2)
    await runs.select_option(index=1)
    await expect(page.locator(".item.wire").first).to_be_visible()


@pytest.mark.deep
@pytest.mark.parametrize(
    ("now", "first", "last"),
    [
        ("2026-11-22T12:00:00Z", "Sun22", "Fri27"),
        ("2026-11-21T12:00:00Z", "Sat21", "Fri27"),
        ("2026-11-25T12:00:00Z", "Mon23", "Fri27"),
    ],
)
async def test_the_calendar_shows_today(page: Page, played: Stage, now: str, first: str, last: str) -> None:
    """On a weekend the days from today on are shown, else the week from Monday; always one that contains today."""
    await page.clock.set_fixed_time(now)
    await page.goto(played.at(DANA, tab="calendar"))
    await expect(page.locator(".day-head.today")).to_be_visible()
    heads = [re.sub(r"\s", "", text) for text in await page.locator(".day-head").all_inner_texts()]
    assert heads[0].startswith(first)
    assert heads[-1].startswith(last) or heads[-1].startswith(("Sat", "Sun"))


async def test_the_list_of_people_is_read_at_a_glance(page: Page, played: Stage) -> None:
    """In a middling window each name has one line, and what a person does is told once."""
    await page.set_viewport_size({"width": 1024, "height": 768})
    await page.goto(played.at(DANA))
    mara = page.locator(".row.person", has_text="Mara Lindqvist")
    await expect(mara).to_have_attribute("title", "Mara Lindqvist — Operations, admin, Europe/Stockholm")
    dana = page.locator(".row.person", has_text="Dana Okafor")
    await expect(dana).to_have_attribute("title", "Dana Okafor — Sales, Europe/London")
    heights = [await one.locator(".row-name").evaluate("node => node.offsetHeight") for one in (mara, dana)]
    assert heights[0] == heights[1]
