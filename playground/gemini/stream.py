"""An answer as the API sends it: parts, chunks of a stream, or one response.

Where the real API varies (ids or none, the place of a text's signature), the request's contents decide, so the same
request always gets the same answer.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from playground.gemini import rules
from playground.gemini.answers import Answer
from playground.gemini.catalogue import KnownModel
from playground.gemini.schema import Json
from playground.gemini.signatures import Signer
from playground.gemini.usage import prompt_usage, tokens, total

PIECE_CHARACTERS = 24
MOST_PIECES = 200
ONE_IN = 4
"""One step in so many has calls without ids, one text in so many carries no signature."""


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """A checked request and the scripted answer to it."""

    request: Json
    answer: Answer
    model: KnownModel
    signer: Signer

    def chunks(self) -> list[Json]:
        """The stream: the finish reason stands in the last chunk only."""
        if self.answer.block:
            return [self._blocked()]
        parts = list(self._parts())
        last = parts.pop() if parts and _is_trailer(parts[-1]) else None
        chunks = [self._chunk([part], parts[: n + 1]) for n, part in enumerate(parts)]
        if self.answer.is_empty:
            return [self._finished({}, [])]
        content = {"parts": [last or {"text": ""}], "role": "model"}
        return [*chunks, self._finished({"content": content}, parts)]

    def response(self) -> Json:
        """The same without streaming: texts of one kind are one part."""
        if self.answer.block:
            return self._blocked()
        parts = list(_merged(self._parts()))
        return self._finished({} if self.answer.is_empty else {"content": {"parts": parts, "role": "model"}}, parts)

    def _parts(self) -> Iterator[Json]:
        for thought in self.answer.thoughts:
            yield {"text": thought, "thought": True}
        texts: list[Json] = [{"text": piece} for piece in _pieces(self.answer.text)]
        where = self.answer.signature or ("part", "empty", "empty", "none")[self._choice("signature") % ONE_IN]
        if texts and where == "part" and not self.answer.calls:
            texts[-1]["thoughtSignature"] = self.signer.sign(texts[-1])
        yield from texts
        for index, call in enumerate(self._calls()):
            part: Json = {"functionCall": call}
            yield part | {"thoughtSignature": self.signer.sign(part)} if index == 0 else part
        if texts and where == "empty" and not self.answer.calls:
            yield {"text": "", "thoughtSignature": self.signer.sign({"text": ""})}

    def _calls(self) -> Iterator[Json]:
        with_ids = self._choice("ids") % ONE_IN != 0 if self.answer.ids is None else self.answer.ids
        for index, call in enumerate(self.answer.calls):
            ids = {"id": self._digest(f"call {index}")[:12]} if with_ids else {}
            yield {**ids, "name": call.name, "args": dict(call.args)}

    def _chunk(self, parts: Sequence[Json], so_far: Sequence[Json]) -> Json:
        return self._body([{"content": {"parts": list(parts), "role": "model"}, "index": 0}], so_far)

    def _finished(self, candidate: Json, parts: Sequence[Json]) -> Json:
        finish: Json = {"finishReason": self.answer.finish, "index": 0}
        if self.answer.finish_message:
            finish["finishMessage"] = self.answer.finish_message
        if self.answer.finish == "CONTINUATION":  # a client that sends it back gets the rest, and pays for it
            finish["continuationToken"] = base64.b64encode(self._digest("rest").encode()).decode()
        return self._body([{**candidate, **finish}], parts)

    def _blocked(self) -> Json:
        return {"promptFeedback": {"blockReason": self.answer.block}, **self._body([], [])}

    def _body(self, candidates: list[Json], parts: Sequence[Json]) -> Json:
        thoughts = sum(tokens(part.get("text", "")) for part in parts if part.get("thought"))
        spent = sum(
            tokens(part.get("functionCall") or part.get("text", "")) for part in parts if not part.get("thought")
        )
        return {
            **({"candidates": candidates} if candidates else {}),
            "usageMetadata": total(self._prompt, candidates=spent, thoughts=thoughts),
            "modelVersion": self.model.version,
            "responseId": self._id,
        }

    @cached_property
    def _prompt(self) -> Mapping[str, int]:
        return prompt_usage(self.request)

    @cached_property
    def _id(self) -> str:
        return self._digest("response")[:22]

    def _choice(self, what: str) -> int:
        """A number that depends on the current turn only, not on the time of day."""
        contents = self.request["contents"]
        turn = contents[rules.current_turn(contents) :]
        said = [part["text"] for part in turn[0].get("parts", []) if "text" in part]
        return int(hashlib.sha256(json.dumps([what, said, len(turn)]).encode()).hexdigest()[:8], 16)

    def _digest(self, what: str) -> str:
        return hashlib.sha256(json.dumps([what, self.request["contents"]], sort_keys=True).encode()).hexdigest()


def _is_trailer(part: Json) -> bool:
    return part.get("text") == "" and "thoughtSignature" in part


def _pieces(text: str) -> Iterator[str]:
    """A text in the deltas of a stream, cut after a space where there is one."""
    size = max(PIECE_CHARACTERS, len(text) // MOST_PIECES)
    while len(text) > size:
        cut = text.rfind(" ", 1, size) + 1 or size
        yield text[:cut]
        text = text[cut:]
    if text:
        yield text


def _merged(parts: Iterator[Json]) -> Iterator[Json]:
    held: Json | None = None
    for part in parts:
        joins = held is not None and part.keys() == held.keys() <= {"text", "thought"}
        if joins and held is not None:
            held = {**held, "text": held["text"] + part["text"]}
            continue
        if held is not None:
            yield held
        held = part
    if held is not None:
        yield held
