"""Steps that wait for what people see in Slack, and for the audit log."""

from __future__ import annotations

import time

from pydantic import Field

from playground.stage.cards import Posted
from playground.stage.fields import text
from playground.stage.stage import Say, Stage, Unmet
from playground.stage.step import Parts, Place, Somebody, Step

SETTLED_SECONDS = 0.5


class Settled:
    """Accepts a message once it stopped changing: an answer's stream ends before its last words are written."""

    def __init__(self) -> None:
        self._last: Posted | None = None
        self._since = 0.0

    def of(self, found: Posted | None) -> Posted | None:
        now = time.monotonic()
        if found != self._last:
            self._last, self._since = found, now
        return found if now - self._since >= SETTLED_SECONDS else None


class ExpectCard(Step):
    """A card waits in a person's direct messages, and contains all of `contains`. Later steps find it under `name`."""

    to: Somebody | None = None
    name: str = "card"
    contains: Parts = ()
    buttons: Parts = ("Approve", "Reject")

    async def play(self, stage: Stage, say: Say) -> None:
        channel = await stage.slack.dm(stage.who(self.to))

        async def look() -> Posted | None:
            waiting = await stage.slack.by_agent(channel, since=stage.asked)
            return next((card for card in waiting if self._fits(card, stage)), None)

        async def unmet() -> str:
            return _instead("no such card", await stage.slack.by_agent(channel, since=stage.asked))

        card = await stage.until(look, unmet)
        stage.cards[self.name] = card
        say("card" if card.button("Approve") else "message", "\n".join(card.lines))
        if card.buttons:
            say("", " ".join(f"[{button.label}]" for button in card.buttons))

    def _fits(self, card: Posted, stage: Stage) -> bool:
        taken = {seen.ts for name, seen in stage.cards.items() if name != self.name}
        return card.ts not in taken and card.holds(self.contains) and all(map(card.button, self.buttons))


class ExpectMessage(ExpectCard):
    """The same for any message with buttons: a question with its answers, a deferred action with its Undo."""

    name: str = "message"
    buttons: Parts = ()


class ExpectNoCard(Step):
    """No message of the agent in a channel offers an approval."""

    place: Place = Field(alias="in")

    async def play(self, stage: Stage, say: Say) -> None:
        channel = await stage.where(self.place, stage.who(None))
        if waiting := await stage.slack.waiting_cards(channel, since=stage.asked):
            raise Unmet(_instead(f"a card waits in {self.place}", waiting))
        say("held", f"no card in {self.place}")


class ExpectDecided(Step):
    """A card has its final form: no buttons any more, and it contains all of `contains`."""

    card: str | None = None
    contains: Parts = ()

    async def play(self, stage: Stage, say: Say) -> None:
        card = stage.card(self.card)

        async def look() -> Posted | None:
            now = await self._now(stage, card)
            return now if now and not now.button("Approve") and now.holds(self.contains) else None

        async def unmet() -> str:
            now = await self._now(stage, card)
            return _instead("the card has not got this final form", [now] if now else [])

        decided = await stage.until(look, unmet)
        say("card is now", "\n".join(decided.lines))

    async def _now(self, stage: Stage, card: Posted) -> Posted | None:
        messages = await stage.slack.messages(card.channel, since=card.ts)
        return next((message for message in messages if message.ts == card.ts), None)


class ExpectAnswer(Step):
    """The agent's answer contains all of `contains`, in the person's direct messages or a channel; a card is no answer.

    In the conversation of the request the answer is in the request's thread.
    """

    place: Place = Field("dm", alias="in")
    contains: Parts

    async def play(self, stage: Stage, say: Say) -> None:
        channel, settled = await stage.where(self.place, stage.who(None)), Settled()

        async def look() -> Posted | None:
            said = await stage.slack.by_agent(channel, since=stage.asked)
            return settled.of(next((one for one in said if self._fits(one, stage)), None))

        async def unmet() -> str:
            return _instead("no such answer", await stage.slack.by_agent(channel, since=stage.asked))

        answer = await stage.until(look, unmet)
        say("answer" if self.place == "dm" else f"in {self.place}", "\n".join(answer.lines))

    def _fits(self, one: Posted, stage: Stage) -> bool:
        is_card = one.button("Approve") or one.ts in {card.ts for card in stage.cards.values()}
        is_elsewhere = one.channel == stage.channel and one.thread != stage.asked
        return not (is_card or is_elsewhere or one.is_streaming) and one.holds(self.contains)


class ExpectAudit(Step):
    """The audit log has entries with these codes, in this order."""

    codes: Parts

    async def play(self, stage: Stage, say: Say) -> None:
        async def look() -> bool | None:
            return True if _in_order(self.codes, self._seen(stage)) else None

        async def unmet() -> str:
            return f"the audit log has not {' … '.join(self.codes)}, but {', '.join(self._seen(stage)) or 'nothing'}"

        await stage.until(look, unmet)
        say("held", f"the audit log has, in this order: {', '.join(self.codes)}")

    def _seen(self, stage: Stage) -> list[str]:
        return [text(entry, "code") for entry in stage.playing.audit.newest(10_000)]


class VerifyAudit(Step):
    """The agent's own command finds the audit log whole."""

    async def play(self, stage: Stage, say: Say) -> None:
        ok, said = await stage.playing.verify_audit()
        if not ok:
            raise Unmet(f"the audit log does not verify: {said}")
        say("verified", said)


def _in_order(codes: tuple[str, ...], seen: list[str]) -> bool:
    rest = iter(seen)
    return all(code in rest for code in codes)


def _instead(what: str, messages: list[Posted]) -> str:
    said = "\n".join(f"— {message.said}" for message in messages)
    return f"{what}; the agent said:\n{said}" if said else f"{what}; the agent said nothing"
