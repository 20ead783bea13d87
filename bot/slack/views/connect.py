"""Connecting an account, as Slack shows it: the card that asks for it, the link, the word that it happened."""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.actions import ActionState
from bot.domain.connections import ACTIVE, DELEGATED, REFUSED, ConnectLink, window_of
from bot.domain.deliveries import LinkEnd, LinkOutcome
from bot.domain.questions import Choice, QuestionKind, QuestionState
from bot.runtime.delivery.lists import ConnectionLine
from bot.runtime.delivery.views import CardView, ConnectedView
from bot.slack.views import blocks as kit
from bot.slack.views import ids
from bot.slack.views.blocks import Block, Element, Outgoing
from bot.slack.views.card import ask_again
from bot.slack.views.plain import escaped, one_line
from integrations.google.auth.access import in_short

NOT_OFFERED = (
    "Accounts cannot be connected here yet: an administrator has to set PUBLIC_URL, GOOGLE_CLIENT_ID and "
    "GOOGLE_CLIENT_SECRET first. Nothing was changed."
)
DELEGATED_ALREADY = (
    "There is nothing for you to connect: your Google account is used through your administrator's service account. "
    "Nothing was changed."
)
NO_SUCH_PROVIDER = "I can connect Google: type `/agent connect google`. Nothing was changed."
NOT_AN_ACCESS = (
    "I do not know that choice. Type `/agent connect google`, alone or followed by `mail`, `calendar` or `contacts`; "
    "`read-only` may follow `mail` or `calendar`. Nothing was changed."
)
NOTHING_CONNECTED = "No Google account of yours is connected, so there was nothing to disconnect."
NOT_ASKED_ANY_MORE = "This needs no account any more. Nothing was changed."
NOT_YOURS = "Only the person who asked can connect an account for this."
ASKED_ELSEWHERE = (
    "This waits until your Google account is connected again. I asked you about that in another card; once is "
    "enough for everything that waits."
)
DECLINED_ELSEWHERE = (
    "This waits until your Google account is connected again. You said “Not now” when I asked, so I do not ask again: "
    "“/agent connect google” connects it, and I go on."
)
CONNECT, WINDOW = "Connect Google", "Your Google account"
_FORGOTTEN = (
    "I delete its keys and tell Google that they are not wanted any more. What is approved or waits for the account "
    "asks you to connect it first."
)
GOES_ON = "If anything waited for it, that goes on now."
NOTHING_BY_LINK = (
    "Nothing was connected by this link, and it is used up. The page in your browser says why. To try again, close "
    "this window, and press the button once more."
)
DISCONNECTED = (
    "You disconnected Google, so this link leads nowhere any more. To connect it again, close this window, and press "
    "the button once more."
)
LINK_GOOD_FOR = "The link is yours alone and good for ten minutes. Do not pass it on."


def link_text(url: str, connections: Sequence[ConnectionLine]) -> str:
    """What a command answers, with the accounts that there are; the link's address is ours and needs no escaping."""
    works = any(line.status == ACTIVE for line in connections)
    label = "Change what I may use" if works else "Connect your Google account"
    return "\n".join([*(escaped(connection_line(line)) for line in connections), f"<{url}|{label}>", LINK_GOOD_FOR])


def link_modal(link: ConnectLink) -> Block:
    """The same for a button, in a window that `over_modal` takes the place of."""
    button = kit.button("Continue in the browser", ids.OPEN_LINK, "google", style="primary") | {"url": link.url}
    blocks = [
        kit.section("In the browser you choose what I may use, and Google asks you whether that is all right."),
        kit.buttons("connect:link", [button]),
        kit.context(kit.small(LINK_GOOD_FOR)),
    ]
    return kit.modal(WINDOW, blocks, external_id=window_of(link.attempt_id))


def over_modal(end: LinkEnd, email: str) -> Block:
    """What stands in that window once its link is over: the account's address where one was connected by it, unless it
    was disconnected since.
    """
    if end.outcome is not LinkOutcome.CONNECTED:
        blocks = [kit.section(DISCONNECTED if end.outcome is LinkOutcome.DISCONNECTED else NOTHING_BY_LINK)]
    else:
        lead = f"✓ Connected as {one_line(email, 200)}" if email else "✓ Connected"
        blocks = [kit.paragraph(kit.words(f"{lead}.", bold=True), kit.words(f" {GOES_ON}"))]
    return kit.modal(WINDOW, blocks, external_id=window_of(end.attempt_id))


def card(view: CardView) -> Outgoing:
    """The card of an action that waits for an account, open or in its final form."""
    shown = _open(view) if view.state is QuestionState.OPEN else _final(view)
    return Outgoing(text=kit.fallback(_summary(view)), blocks=shown)


def _open(view: CardView) -> Sequence[Block]:
    if view.elsewhere:
        return [*_why(view)[:1], kit.context(kit.small(_elsewhere(view)))]
    buttons = [
        kit.button(view.preview.approve_label, ids.CONNECT, view.value, style="primary", only_for=view.place.user),
        kit.button("Not now", ids.choice_action(Choice.REJECT), view.value, only_for=view.place.user),
    ]
    return [
        kit.header(view.preview.title),
        *_why(view),
        kit.context(kit.moment_token("Expires", view.expires_at, view.zone), kit.card_code(view.question_id)),
        kit.buttons(f"card:{view.question_id}", buttons),
    ]


def _elsewhere(view: CardView) -> str:
    return DECLINED_ELSEWHERE if view.declined else ASKED_ELSEWHERE


def _final(view: CardView) -> Sequence[Block]:
    return [kit.header(view.preview.title), *_why(view), kit.paragraph(*_verdict(view)), *ask_again(view)]


def _why(view: CardView) -> Sequence[Block]:
    lines = [
        kit.line(kit.words(f"{one_line(field.label, 60)}: ", bold=True), kit.words(one_line(field.value, 500)))
        for field in view.preview.fields
    ]
    return [kit.rich(*lines)] if lines else []


def _verdict(view: CardView) -> Sequence[Element]:
    match view.state, view.decision:
        case QuestionState.DECIDED, Choice.CONNECTED:
            done = " It was done." if view.outcome is ActionState.COMPLETED and not view.scheduled else ""
            return [kit.words(f"✓ Connected, so I went on.{done}", bold=True)]
        case QuestionState.DECIDED, Choice.OTHER_ACCOUNT:
            return [kit.words("Another account was connected than the one this was meant for, so it was not done.")]
        case QuestionState.DECIDED, _:
            return [kit.words("You did not want that, so it was not done.")]
        case QuestionState.EXPIRED, _:
            return [kit.words("Expired: nobody answered in time. Nothing was done.")]
        case _:
            return [kit.words("Withdrawn: no account is needed any more.")]


def _summary(view: CardView) -> str:
    if view.state is QuestionState.OPEN and view.elsewhere:
        return _elsewhere(view)
    if view.state is QuestionState.OPEN:
        return f"{one_line(view.preview.title, 300)} I need it for what you asked."
    return f"{one_line(view.preview.title, 300)} {_verdict(view)[0]['text']}"


def refusal(view: CardView | None, *, value: str, owner: tuple[str, str]) -> str:
    """Why a click on the card's button connects nothing; empty for its owner, while it is asked."""
    if view is None or view.value != value or view.kind is not QuestionKind.CONNECT:
        return NOT_ASKED_ANY_MORE
    if (view.place.team, view.place.user) != owner:
        return NOT_YOURS
    return "" if view.state is QuestionState.OPEN else NOT_ASKED_ANY_MORE


def connected(view: ConnectedView) -> Outgoing:
    """For its owner, with a Disconnect button; for others who connected the same account, a warning."""
    email, provider = one_line(view.email, 200), one_line(view.provider, 40).capitalize()
    if not view.own:
        words = [kit.words(f"Your {provider} account {email} was connected to another Slack account too: ")]
        ends = [kit.person(view.owner), kit.words(". If that was not you, disconnect it there, or tell an admin.")]
        said = f"Your {provider} account was connected to another Slack account too."
        return Outgoing(text=kit.fallback(said), blocks=[kit.paragraph(*words, *ends)])
    lead = f"Connected {email}"
    goes_on = f" ({provider}). {GOES_ON}"
    blocks = [kit.paragraph(kit.words(f"✓ {lead}", bold=True), kit.words(goes_on))]
    if view.sharing:
        warning = kit.words("⚠ The same account is connected to other Slack accounts too: ", bold=True)
        others = (element for user in view.sharing for element in (kit.person(user), kit.words(" ")))
        blocks.append(kit.paragraph(warning, *others))
    blocks.append(kit.buttons("connected", [_disconnect(view.provider)]))
    return Outgoing(text=kit.fallback(lead), blocks=blocks)


_STATUSES = {
    DELEGATED: "used through your administrator's service account",
    ACTIVE: "connected",
    REFUSED: "does not work any more; it has to be connected again",
}


def connection_line(connection: ConnectionLine) -> str:
    """One account in words."""
    provider, email = one_line(connection.provider, 40).capitalize(), one_line(connection.email, 200)
    stands = _STATUSES.get(connection.status, one_line(connection.status, 60))
    uses = in_short(connection.scopes)
    return f"{provider}: {email} – {stands}{f' for {uses}' if uses and connection.status == ACTIVE else ''}"


def home_buttons(connections: Sequence[ConnectionLine], *, offered: bool) -> Sequence[Block]:
    """What App Home offers under the list of accounts."""
    own = (line for line in connections if line.status != DELEGATED)
    known = next((line for line in own if line.provider == "google"), None)
    works = known is not None and known.status == ACTIVE
    label = "Change what I may use" if works else "Connect Google again" if known else CONNECT
    connect = [kit.button(label, ids.CONNECT, "google", style=None if works else "primary")] if offered else []
    disconnect = [_disconnect("google")] if known else []
    return [kit.buttons("home:accounts", [*connect, *disconnect])] if connect or disconnect else []


def _disconnect(provider: str) -> Element:
    asks = kit.confirm("Disconnect Google?", _FORGOTTEN, yes="Disconnect", no="Keep it")
    return kit.button("Disconnect", ids.DISCONNECT, provider, style="danger") | {"confirm": asks}


def signed_out(ended: bool) -> str:
    """The answer to “Sign out” on App Home."""
    return "Signed out there." if ended else "That had ended already. Nothing was changed."


def disconnected(email: str) -> str:
    """The answer to `/agent disconnect google`, and to the button."""
    return (
        f"Disconnected {escaped(one_line(email, 200))}. I deleted its keys, and I tell Google that they are not wanted "
        "any more. What still needs the account asks you to connect it first."
    )
