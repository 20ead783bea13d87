"""Puts one streamed answer together: parts into a content, its text, its calls, and how it ended.

Works on parts in wire form and knows nothing of google-genai.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import cast
from uuid import uuid4

from bot.llm.model import FinishKind, ModelCall, TextDelta, ThoughtDelta, Turn, TurnUsage
from bot.llm.wire import Part, content, whole

EMPTY = "EMPTY"
UNREADABLE = "UNREADABLE"
PROMPT_BLOCKED = "PROMPT_BLOCKED"

_FINISHES: Mapping[str, FinishKind] = {
    "STOP": FinishKind.STOP,
    "MAX_TOKENS": FinishKind.MAX_TOKENS,
    "CONTINUATION": FinishKind.MAX_TOKENS,
    **dict.fromkeys(
        (
            "SAFETY",
            "RECITATION",
            "BLOCKLIST",
            "PROHIBITED_CONTENT",
            "SPII",
            "IMAGE_SAFETY",
            "IMAGE_PROHIBITED_CONTENT",
            "IMAGE_RECITATION",
            "ESCALATION",
            "PUP_LIMITED_DISABLED",
            "MODEL_ARMOR",
        ),
        FinishKind.SAFETY,
    ),
    **dict.fromkeys(
        ("MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MALFORMED_RESPONSE"),
        FinishKind.MALFORMED,
    ),
}
"""The API's finish reasons (ai.google.dev/api/generate-content#FinishReason); others are OTHER."""


class Assembly:
    """One attempt at an answer, filled part by part.

    Adjacent plain texts of one kind become one part; a part with a signature stays a part of its own, as the API
    demands of a history (ai.google.dev/gemini-api/docs/thought-signatures).
    """

    def __init__(self) -> None:
        self.usage = TurnUsage()
        self.model = ""
        self.finish_reason: str | None = None
        self.finish_message = ""
        self.block_reason: str | None = None
        self._parts: list[Part] = []
        self._calls: list[ModelCall] = []
        self._text: list[str] = []

    @property
    def is_finished(self) -> bool:
        """Whether the API said how it ended; a stream that ends without was cut."""
        return self.finish_reason is not None or self.block_reason is not None

    def add(self, part: Part) -> TextDelta | ThoughtDelta | None:
        """Take in one part; the delta to show, if it has one."""
        self._keep(part)
        if "functionCall" in part:
            self._calls.append(self._call(cast("dict[str, object]", part["functionCall"])))
        text = part.get("text")
        if not isinstance(text, str) or not text:
            return None
        text = whole(text)  # as it is kept, so that everybody who follows can be sent it
        if part.get("thought"):
            return ThoughtDelta(text)
        self._text.append(text)
        return TextDelta(text)

    def turn(self) -> Turn:
        """The whole answer, once `is_finished`."""
        finish, detail = self._finish()
        calls = tuple(self._calls)
        executable = finish is FinishKind.CALLS
        keeps_content = finish.is_usable() or (finish is FinishKind.MAX_TOKENS and not calls and self._text)
        return Turn(
            content=content("model", self._parts) if keeps_content else None,
            text="".join(self._text),
            calls=calls if executable else (),
            refused=() if executable else calls,
            finish=finish,
            finish_detail=detail,
            usage=self.usage,
            model=self.model,
        )

    def spoil(self) -> None:
        """The data is no answer of the API: the turn is malformed, whatever it said before."""
        self.finish_reason, self.finish_message = "MALFORMED_RESPONSE", UNREADABLE

    def _finish(self) -> tuple[FinishKind, str]:
        if self.block_reason is not None:
            return FinishKind.SAFETY, f"{PROMPT_BLOCKED}: {self.block_reason}"
        reason = self.finish_reason or ""
        detail = f"{reason}: {self.finish_message}" if self.finish_message else reason
        kind = _FINISHES.get(reason, FinishKind.OTHER)
        if kind is not FinishKind.STOP:
            return kind, detail
        if self._calls:
            return FinishKind.CALLS, detail
        if not "".join(self._text).strip():
            return FinishKind.EMPTY, EMPTY
        return kind, detail

    def _keep(self, part: Part) -> None:
        if not part or (_is_plain_text(part) and not part["text"]):
            return
        last = self._parts[-1] if self._parts else {}
        if _is_plain_text(last) and _is_plain_text(part) and bool(last.get("thought")) == bool(part.get("thought")):
            self._parts[-1] = last | {"text": f"{last['text']}{part['text']}"}
        else:
            self._parts.append(part)

    def _call(self, call: Mapping[str, object]) -> ModelCall:
        args = call.get("args")
        given = call.get("id")
        known = {other.id for other in self._calls}
        is_given = isinstance(given, str) and bool(given) and given not in known
        return ModelCall(
            id=str(given) if is_given else f"call-{uuid4().hex}",
            given_id=is_given,
            name=str(call.get("name") or ""),
            args=cast("Mapping[str, object]", args) if isinstance(args, Mapping) else {} if args is None else None,
            raw=json.dumps(args),
        )


def _is_plain_text(part: Part) -> bool:
    return "text" in part and part.keys() <= {"text", "thought"}
