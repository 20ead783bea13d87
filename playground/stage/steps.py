"""All kinds of steps."""

from __future__ import annotations

from collections.abc import Mapping

from playground.stage.acts import Click, Command, Connect, Fill, Invite, KillBot, Reply, Say, StartBot
from playground.stage.expectations import (
    ExpectAnswer,
    ExpectAudit,
    ExpectCard,
    ExpectDecided,
    ExpectMessage,
    ExpectNoCard,
    VerifyAudit,
)
from playground.stage.outside import ExpectEvent, ExpectPrivate, ExpectSent
from playground.stage.step import Step

STEPS: Mapping[str, type[Step]] = {
    "say": Say,
    "reply": Reply,
    "click": Click,
    "fill_in": Fill,
    "command": Command,
    "connect": Connect,
    "invite": Invite,
    "kill_bot": KillBot,
    "start_bot": StartBot,
    "expect_card": ExpectCard,
    "expect_message": ExpectMessage,
    "expect_no_card": ExpectNoCard,
    "expect_decided": ExpectDecided,
    "expect_answer": ExpectAnswer,
    "expect_sent": ExpectSent,
    "expect_event": ExpectEvent,
    "expect_private": ExpectPrivate,
    "expect_audit": ExpectAudit,
    "verify_audit": VerifyAudit,
}
