"""Steps in which somebody does something."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from playground.stage.stage import Say as Tell
from playground.stage.stage import Stage, Unmet
from playground.stage.step import Place, Somebody, Step


class Say(Step):
    """Somebody writes in his direct messages with the agent or in a channel, where `@countersign` mentions it."""

    is_act: ClassVar[bool] = True

    by: Somebody = Field(alias="as")
    place: Place = Field("dm", alias="in")
    text: str

    async def play(self, stage: Stage, say: Tell) -> None:
        stage.speaker = self.by
        stage.channel = await stage.where(self.place, self.by)
        stage.sent_before = {mail.id for mail in await stage.google.sent_by(self.by)}
        stage.cards.clear()
        where = "to Countersign" if self.place == "dm" else f"in {self.place}"
        say("request", f"{self.by.name} {where}: “{self.text}”")
        stage.asked = await stage.slack.say(self.by, stage.channel, self.text)


class Click(Step):
    """Somebody presses a button of a card; without a name the card that was seen last."""

    is_act: ClassVar[bool] = True

    by: Somebody | None = Field(None, alias="as")
    button: str
    card: str | None = None

    async def play(self, stage: Stage, say: Tell) -> None:
        person, card = stage.who(self.by), stage.card(self.card)
        button = card.button(self.button)
        if button is None:
            offered = ", ".join(button.label for button in card.buttons) or "none"
            raise Unmet(f"the card has no button {self.button!r}; its buttons: {offered}")
        say("approval" if self.button == "Approve" else "decision", f"{person.name} presses {button.label}")
        if not await stage.slack.press(person, card, button):
            raise Unmet("the click was not acknowledged within three seconds")


class KillBot(Step):
    """The agent's process is killed, as a crash would."""

    is_act: ClassVar[bool] = True

    async def play(self, stage: Stage, say: Tell) -> None:
        pid = stage.playing.agent.pid
        await stage.playing.agent.kill()
        say("kill", f"the agent's process {pid or ''} was killed (SIGKILL)".replace("  ", " "))


class StartBot(Step):
    """The agent's process is started again."""

    is_act: ClassVar[bool] = True

    async def play(self, stage: Stage, say: Tell) -> None:
        await stage.playing.agent.start()
        say("start", "the agent's process runs again")
