"""Steps in which a person does something."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import Field

from playground.stage.browsing import LINK, connect
from playground.stage.fields import Fields
from playground.stage.outside import Weekday
from playground.stage.stage import Say as Tell
from playground.stage.stage import Stage, Unmet
from playground.stage.step import Parts, Place, Somebody, Step


class Say(Step):
    """A person writes in their direct messages with the agent, or in a channel, where `@countersign` mentions it."""

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


class Reply(Step):
    """A person writes in the thread of the request."""

    is_act: ClassVar[bool] = True

    by: Somebody | None = Field(None, alias="as")
    text: str

    async def play(self, stage: Stage, say: Tell) -> None:
        person = stage.who(self.by)
        say("reply", f"{person.name} in the thread: “{self.text}”")
        await stage.slack.say(person, stage.channel, self.text, thread=stage.asked)


class Click(Step):
    """A person presses a button of a card: the named one, or the one seen last."""

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


class Fill(Step):
    """A person changes fields of the open form, by their names, and sends it."""

    is_act: ClassVar[bool] = True

    by: Somebody | None = Field(None, alias="as")
    fields: Mapping[str, str]

    async def play(self, stage: Stage, say: Tell) -> None:
        person = stage.who(self.by)

        async def look() -> Fields | None:
            return await stage.slack.modal(person)

        async def unmet() -> str:
            return f"no form is open for {person.name}"

        form = await stage.until(look, unmet)
        try:
            answer = await stage.slack.submit(person, form, self.fields)
        except LookupError as error:
            raise Unmet(str(error)) from error
        said = ", ".join(f"{name}: {value}" for name, value in self.fields.items())
        say("form", f"{person.name} fills in {said}")
        if answer.get("response_action") == "errors":
            raise Unmet(f"the form was refused: {answer.get('errors')}")


class Command(Step):
    """A person types `/agent …`; the answer, which only they see, contains all of `contains`."""

    is_act: ClassVar[bool] = True

    by: Somebody = Field(alias="as")
    text: str
    contains: Parts = ()

    async def play(self, stage: Stage, say: Tell) -> None:
        answer = await stage.slack.command(self.by, self.text)
        say("command", f"{self.by.name} types /agent {self.text}")
        if missing := [part for part in self.contains if part.casefold() not in answer.casefold()]:
            raise Unmet(f"the answer to /agent {self.text} does not say {missing[0]!r} but: {answer}")


class Connect(Step):
    """A person opens the link to connect a Google account, chooses what to connect, and allows it on Google's page."""

    is_act: ClassVar[bool] = True

    by: Somebody = Field(alias="as")
    want: Literal["both", "mail", "mail_read", "calendar", "calendar_read"] = "both"

    async def play(self, stage: Stage, say: Tell) -> None:
        stage.speaker = self.by
        answer = await stage.slack.command(self.by, "connect google")
        if (link := LINK.search(answer)) is None:
            raise Unmet(f"/agent connect google gave no link but: {answer}")
        page = await connect(link[0], self.by, self.want)
        say("consent", f"{self.by.name} allows it on Google's page and reads: {page.words}")


class Invite(Step):
    """Somebody outside invites a person to `title`, on the next `weekday` at `time` (HH:MM, in the person's zone)."""

    is_act: ClassVar[bool] = True

    sender: str = Field(alias="from")
    whom: Somebody
    title: str
    weekday: Weekday
    time: str = Field(pattern=r"^\d\d:\d\d$")
    minutes: int = Field(60, gt=0)

    async def play(self, stage: Stage, say: Tell) -> None:
        start = await stage.google.invite(self.whom, self.sender, self.title, self.weekday, self.time, self.minutes)
        say("invitation", f"{self.sender} invites {self.whom.name} to “{self.title}” on {start:%A %d %B at %H:%M}")


class KillBot(Step):
    """The agent's process is killed, as by a crash."""

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
