"""One request of a person and what came of it. Several requests can share a world: each is a thread of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import cast

from bot.domain.actions import Action, ActionState
from bot.domain.runs import Run, RunState
from playground.people import TEAM_ID, Person
from tests.acceptance.world import Emulator, Json, World, button_ids, text_of

_FAR_AWAY = datetime(9000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """How long the logs of the emulators were when the request was made."""

    google: int
    gemini: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A message that was sent to the agent; `root` is its thread."""

    here: World
    person: Person
    channel: str
    ts: str
    root: str
    marks: Marks

    # Rows -----------------------------------------------------------------------------------------------------

    async def run(self) -> Run | None:
        return await self.here.read(lambda work: work.runs.by_source(f"slack:{TEAM_ID}:{self.channel}:{self.ts}"))

    async def ended(self, state: RunState | None = None) -> Run:
        """The run, once it is final or paused; in this state if one is given."""

        async def over() -> Run | None:
            run = await self.run()
            return run if run is not None and not run.state.is_live() else None

        run = await self.here.until(over, "the end of the run")
        assert state in {None, run.state}, run.state
        return run

    async def actions(self) -> Sequence[Action]:
        run = await self.run()
        assert run is not None
        return await self.here.read(lambda work: work.actions.of_run(run.id))

    async def action(self, state: ActionState) -> Action:
        """The run's only action, which is in this state."""
        (action,) = await self.actions()
        assert action.state is state
        return action

    async def codes(self) -> list[str]:
        """The audit codes of this run, in order."""
        run = await self.run()
        entries = await self.here.read(lambda work: work.audit.page(after=0, limit=10_000))
        return [entry.code for entry in entries if run is not None and entry.scope == run.id]

    # Slack ----------------------------------------------------------------------------------------------------

    async def said(self) -> list[Json]:
        """What the bot wrote into the thread, oldest first."""
        return [m for m in await self.here.bot_messages(self.channel) if m.get("thread_ts") == self.root]

    async def says(self, words: str) -> None:
        """Wait until a message in this thread has these words."""
        await self.here.until(self.said, words, when=lambda said: any(words in text_of(message) for message in said))

    async def answer(self, words: str) -> str:
        """The message of the bot in this thread that holds these words, once all that the run had to say is said."""
        await self.told_all()

        async def found() -> str:
            texts = [text_of(message) for message in await self.said()]
            return next((text for text in reversed(texts) if words.lower() in text.lower()), "")

        return await self.here.until(found, f"an answer with “{words}”")

    async def told_all(self) -> None:
        """Wait until the run has ended and everything of it was delivered."""
        run = await self.ended()

        async def delivered() -> bool:
            heads = await self.here.read(lambda work: work.outbox.heads(now=_FAR_AWAY, limit=1_000))
            return all(head.lane != run.thread_id for head in heads)

        await self.here.until(delivered, "the delivery of the answer")

    async def card(self, button: str, *, besides: Json | None = None) -> Json:
        """The newest card with this button, other than the one that is known."""
        return await self.here.message(
            self.channel,
            lambda m: (
                m.get("thread_ts") == self.root
                and button in button_ids(m)
                and (not besides or m["ts"] != besides["ts"])
            ),
            f"a card with {button}",
        )

    # The wire -------------------------------------------------------------------------------------------------

    async def to_google(self, path: str = "") -> list[Json]:
        """What was asked of Google since, as its log has it."""
        entries = (await self.here.google.get(f"/__admin/log?after={self.marks.google}"))["entries"]
        return [entry for entry in entries if path in entry["path"]]

    async def to_model(self) -> list[Json]:
        """What was asked of the model since."""
        entries = (await self.here.gemini.get(f"/__admin/log?after={self.marks.gemini}"))["entries"]
        return [entry for entry in entries if "generateContent" in entry["path"] or "GenerateContent" in entry["path"]]


def told(entry: Json) -> list[Json]:
    """The function responses that end a request to the model."""
    last: Json = entry["request"]["contents"][-1]
    return [part["functionResponse"]["response"] for part in last["parts"] if "functionResponse" in part]


def mode_of(entry: Json) -> str:
    """Whether the model might call tools in this request: AUTO, or NONE."""
    return entry["request"]["toolConfig"]["functionCallingConfig"]["mode"]


def texts_in(entry: Json) -> list[str]:
    """The texts of the contents of a request to the model, in order."""
    return [part["text"] for content in entry["request"]["contents"] for part in content["parts"] if "text" in part]


def error_of(action: Action) -> Json:
    """What the model is told of an action that did not succeed."""
    return cast("Json", dict(action.response or {})["error"])


async def ask(
    here: World, person: Person, text: str, *, under: Request | None = None, channel: str = "", **more: object
) -> Request:
    """Send a message to the agent in the person's DM, or in the thread of an earlier request; `more` comes with it."""
    marks = Marks(google=await _length(here.google), gemini=await _length(here.gemini))
    more |= {"thread_ts": under.root} if under else {}
    where = channel or (under.channel if under else here.dm_of(person))
    said = await here.say(person, text, channel=where, **more)
    return Request(
        here=here, person=person, channel=where, ts=said["ts"], root=under.root if under else said["ts"], marks=marks
    )


async def _length(emulator: Emulator) -> int:
    entries = await emulator.log()
    return entries[-1]["n"] if entries else 0
