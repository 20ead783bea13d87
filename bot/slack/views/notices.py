"""Short messages: the lines that a run posts beside its cards and answer, and the line under the conversation."""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.actions import UNDONE
from bot.domain.deliveries import DeliveryKind, Place
from bot.domain.runs import RunState
from bot.runtime.delivery.views import CheckpointView, LossView, NoticeView, OfferView, OpeningView, ReminderView
from bot.runtime.texts import about_times
from bot.slack.views import blocks as kit
from bot.slack.views import ids
from bot.slack.views.blocks import Element, Outgoing
from bot.slack.views.plain import cut, one_line, plain

STATUS_LIMIT = 100

_HARMLESS = str.maketrans("<>", "‹›")
"""Slack does not say whether it reads a status as mrkdwn, so neither an escape nor a mention may stand in it."""

SHOWN_ALONE = "What I make from your mail, calendar or memory is shown to you alone, in our direct messages."
"""What the windows of requests say that begin in a channel."""

_PRIVATE = "This uses things that others here may not see, such as your mail or calendar"
_ELSEWHERE = {
    RunState.COMPLETED: f"{_PRIVATE}, so I answered you privately.",
    RunState.FAILED: "I could not do this; I told you why privately.",
    RunState.CANCELLED: "Stopped. I told you privately what was done until then.",
    RunState.PAUSED: "I paused, and told you privately what was done until then.",
}
_WORKING = f"{_PRIVATE}, so I answer you privately."
_ASKED = "I asked you about this privately."
_LOST = {
    DeliveryKind.CARD: (
        "I could not post a card of your request. Nothing on it is done without you: /agent status lists what waits, "
        "/agent stop ends it."
    ),
    DeliveryKind.ANSWER: "I could not post my answer where you asked. Ask me again here.",
    DeliveryKind.HELD: (
        "I could not show what I have scheduled for you. App Home lists it with its Cancel, and /agent stop ends it."
    ),
    DeliveryKind.RESUMED: "I could not take a button away that you pressed; pressing it again does nothing.",
    DeliveryKind.STUB: "I could not post in the place where you asked; what I have to say comes here.",
    DeliveryKind.LOG: (
        "I could not share the log of a plan as a file. An administrator can print it with `countersign plan show`."
    ),
    DeliveryKind.AGENTS: "I could not show what the agents do that work for you. “stop” ends your request with them.",
    DeliveryKind.NOTICE: "I could not post a line about something that I did for you. Ask me here what it was.",
    DeliveryKind.REMINDER: "I could not remind you of a card that waits for you. /agent status lists what waits.",
    DeliveryKind.OPENING: "I could not begin a request of yours where it belongs; its result comes here.",
    DeliveryKind.ALARM: "I could not remind you of something when you had asked me to. Ask me here what it was.",
    DeliveryKind.BRIEFING: "I could not post your briefing. Ask me here for another one.",
    DeliveryKind.CONNECTED: "I could not tell you that a Google account was connected. /agent status says which one.",
    DeliveryKind.REFUSAL: "I could not answer a message of yours where you wrote it. Write to me here instead.",
}


def checkpoint(view: CheckpointView) -> Outgoing:
    """A checkpoint of the audit log, with the line that `audit verify --checkpoints` takes."""
    lead = f"Audit log of {view.team}: checkpoint at entry {view.seq:,}."
    return Outgoing(text=kit.fallback(lead), blocks=[kit.rich(kit.line(kit.words(lead)), kit.code(view.line))])


def notice(view: NoticeView) -> Outgoing:
    """The line about an action in our own store, such as a memory; with an Undo while there is something to undo."""
    line = view.action
    undone = line.undo == UNDONE
    parts = [line.detail] if undone else [line.caption, line.detail]
    said = ": ".join(text for part in parts if (text := one_line(part, 1_000)))
    blocks = [kit.paragraph(kit.words(said))]
    if line.undo and not undone:
        button = kit.button("Undo", ids.UNDO, line.action_id, only_for=view.place.user)
        blocks.append(kit.buttons(f"undo:{line.action_id}", [button]))
    return Outgoing(text=kit.fallback(said), blocks=blocks)


def refusal(text: str) -> Outgoing:
    """Why a message started no run; the text is ours, what it quotes is shown literally."""
    return kit.sentence(cut(plain(text).strip(), kit.PIECE_LIMIT) or "I could not take this.")


def offer(view: OfferView) -> Outgoing:
    """What came too fast, with the button that has it taken now."""
    many = len(view.untaken)
    said = "You said something faster than I take it, so I did not take it. Shall I take it now?"
    if many > 1:
        said = f"You said {many} things faster than I take them, so I did not take them. Shall I take them now?"
    lines = [kit.line(kit.words(one_line(one.text, 150)), *_said_in(one.channel)) for one in view.untaken]
    label = "Take it now" if many == 1 else f"Take all {many} now"
    button = kit.button(label, ids.TAKE_HELD_BACK, view.value, style="primary", only_for=view.user)
    ends = (
        "Each counts as a request and is answered where you said it. The offer stands for a day; “stop” here ends it."
    )
    return Outgoing(
        text=kit.fallback(said),
        blocks=[
            kit.paragraph(kit.words(said)),
            kit.bullet_list(lines),
            kit.buttons(f"offer:{view.value}", [button]),
            kit.context(kit.small(ends)),
        ],
    )


def _said_in(channel: str) -> Sequence[Element]:
    return [kit.words(" in "), kit.room(channel)] if channel else []


def taken() -> Outgoing:
    """What stands in the offer's place once it was taken up."""
    return kit.sentence("I took what you had said too fast: each is answered where you said it.")


def lost(view: LossView) -> Outgoing:
    """That something can never be delivered, with the id to quote."""
    return kit.sentence(f"{_LOST[view.kind]} ({view.reference})")


def opening(view: OpeningView, link: str = "") -> Outgoing:
    """How such a request begins: whose it is, what it is about, and the request as it was written. `link` is the
    address of the message that it is about.
    """
    if view.agent:
        return _to_agent(view)
    asked = kit.quote(cut(plain(view.text), kit.PIECE_LIMIT) or " ")
    if view.about:
        said = f"Your request about a message of {one_line(view.about.author, 120)}"
        place = kit.conversation(view.about.channel)
        lead = kit.line(kit.words(said, bold=True), kit.words(" in "), place, *kit.beside(link, "Open it"))
        return Outgoing(text=kit.fallback(said), blocks=[kit.rich(lead, asked)])
    said = one_line(view.title, 170) or "A request"
    by = kit.line(kit.words(f"{said} (", bold=True), kit.person(view.place.user), kit.words(")", bold=True))
    return Outgoing(text=kit.fallback(said), blocks=[kit.rich(by, asked)])


def _to_agent(view: OpeningView) -> Outgoing:
    said = f"Agent: {one_line(view.agent, 100)}"
    by = kit.line(kit.words(f"{said} (", bold=True), kit.person(view.place.user), kit.words(")", bold=True))
    inputs = cut(plain(view.text), kit.PIECE_LIMIT)
    return Outgoing(text=kit.fallback(said), blocks=[kit.rich(by, *([kit.quote(inputs)] if inputs else []))])


_EXPIRES = "If nobody answers, it expires "


def reminder(view: ReminderView, link: str) -> Outgoing:
    """That a card still waits, with the way to it; `link` is its address from Slack, or empty."""
    title = one_line(view.title, 300) or "a card of mine"
    lead = f"Still waiting for your decision, {about_times.left(view.left)} left: "
    asks = [kit.person(view.place.user), kit.words(" asks for it. ")] if view.reader else []
    silence = "If you do not answer, somebody else is asked " if view.passes_on else _EXPIRES
    ends = [*asks, kit.words(silence), kit.moment(view.ends_at, view.zone), kit.words(". ")]
    return Outgoing(
        text=kit.fallback(f"{lead}{title}"),
        blocks=[
            kit.paragraph(kit.words(lead), kit.words(title, bold=True)),
            kit.paragraph(*ends, *kit.link(link, "Go to the card")),
        ],
    )


def needs_stub(place: Place) -> bool:
    """Whether a line in the channel's thread leads to what stands elsewhere.

    A run that may speak in the channel has one while it works, because its card shows private things.
    """
    return place.elsewhere or (place.state.is_live() and not place.is_dm)


def private_stub(place: Place, link: str = "") -> Outgoing:
    """That line; `link` is the address of what stands in the owner's direct messages, once it does."""
    said = _ELSEWHERE.get(place.state, _WORKING) if place.elsewhere else _ASKED
    return Outgoing(
        text=said, blocks=[kit.paragraph(kit.person(place.user), kit.words(f" {said}"), *kit.beside(link, "Go to it"))]
    )


def posted_again(user: str, shown: Outgoing) -> Outgoing:
    """A waiting card that somebody deleted, with that said above it to this person, whose it is."""
    said = "This card was deleted while it waited for you, so I posted it again. I do that once."
    told = kit.paragraph(kit.person(user), kit.words(f" {said}"))
    return Outgoing(text=kit.fallback(f"{shown.text} {said}"), blocks=[told, *shown.blocks])


def root(place: Place, permalink: str, application: str = "") -> Outgoing:
    """The first message of a private run in its owner's DM: which request it is about, with Slack's own address. What
    was asked over HTTP was asked in an application, by its name.
    """
    if not place.is_in_slack:
        return kit.sentence(f"About your request in {one_line(application, 120)}.")
    about = [kit.words("About your request in "), kit.room(place.channel), kit.words(".")]
    shown = kit.paragraph(*about, *kit.beside(permalink, "Open it"))
    return Outgoing(text="About your request in a channel.", blocks=[shown])


def status(place: Place, caption: str) -> str:
    """What the run is doing. In a channel only that it works, because a caption may quote something private."""
    if not place.is_dm or not caption:
        return "is working on it…"
    return one_line(f"is working: {caption}", STATUS_LIMIT).translate(_HARMLESS)
