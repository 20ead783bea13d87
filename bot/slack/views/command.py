"""What `/agent` answers. Most answers are text that Slack reads as mrkdwn, so whatever came from people is escaped.
What quotes whole requests is in blocks, too, where these stand as they were typed: `*now*` is not bold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from bot.domain import ids
from bot.domain.audit import AuditEntry
from bot.domain.runs import RunState
from bot.domain.threads import User
from bot.runtime.delivery.lists import HomeView, QuestionLine, RunLine
from bot.runtime.texts import about_guards, about_limits, about_log, about_times
from bot.slack.views import blocks as kit
from bot.slack.views.blocks import Outgoing
from bot.slack.views.connect import connection_line
from bot.slack.views.deferred import held_line
from bot.slack.views.home import plan_line, run_line
from bot.slack.views.plain import cut, escaped, escaped_but_people, one_line, plain, request_line
from policies import trust
from policies.provenance import GuardMode
from policies.rules import in_ascii
from policies.types import TrustLevel

USAGE_HINT = (
    "[help | status | trust | guard | rules | allow | disallow | connect | disconnect | schedule | agents | run | "
    "plan | audit | stop]"
)
PAUSED = "What is paused goes on when you press *Continue* under my last message about it."
WAITING = "Waiting for you, each with a way to its card on App Home"
SCHEDULED = "Scheduled, each with its Cancel on App Home"
ALLOWED_LISTED = 20
ANSWER_LIMIT = 3_500  # characters
NOT_SAVED = "Not saved, press again."
NOT_SAVED_COMMAND = "Not saved, send it again."
LEVEL_NOT_ASKED = "The window could not be opened, so nothing was changed. Type it again."
GUESTS = "Guests and people from other workspaces cannot use me."
UNKNOWN_PERSON = "I could not look you up in Slack just now. Nothing was changed; try again in a minute."

_BACK = "To go back at any time: `/agent trust supervised`."

HELP = f"""\
Mention me in a channel, or write to me in a direct message, in your own words. Unless your trust level lets me go \
ahead, I show you a card before I change anything outside.
• `/agent status` – your trust level, accounts, open questions and last requests
• `/agent trust` – show your trust level; add {trust.choices("`")} to set it
• `/agent guard` – whether I ask where you did not name what I reach or change; administrators add `enforce`, `shadow` \
or `off` to set it for the workspace
• `/agent rules` – who else has to agree to what; administrators add `add` for a new rule, or `edit` or \
`remove` with the id of one
• `/agent allow someone@example.com` – mail to this address may go out unasked from `delegated` upward
• `/agent disallow someone@example.com` – takes the address off your list again
• `/agent connect google` – connect your account; with `mail`, `calendar` (also `read-only`) or `contacts` only that
• `/agent disconnect google` – I delete my access to your account, and revoke it at Google
• `/agent schedule` – your reminders and briefings; add `pause 1`, `resume 1` or `remove 1` to change number 1
• `/agent agents` – the agents that can do a task for you, and what each of them does
• `/agent run` – choose an agent and give it work; add its name to skip the choice. Or ask me for it in your own words
• `/agent plan` – a plan for something big: I write it, you confirm it; add what it is for to begin at once
• `/agent audit` – what the audit log says of your requests, newest first; for administrators of everybody's
• `/agent stop` – stop what I am doing for you"""


def unknown(word: str) -> str:
    """The answer to a word that is no command."""
    return f"I do not know “{escaped(one_line(word, 60))}”.\n{HELP}"


def status(view: HomeView) -> Outgoing:
    """Everything at a glance."""
    accounts = [connection_line(connection) for connection in view.connections]
    questions = [_question(line, view.user.zone) for line in view.questions[:10]]
    questions += _and_more(len(view.questions[10:]) + view.more_questions)
    runs = [run_line(run) for run in view.runs[:5]]
    waiting = [held_line(line, view.user.zone) for line in view.held[:10]] + _and_more(len(view.held[10:]))
    off = [] if view.side_effects_enabled else ["Side effects are switched off: nothing is sent or changed."]
    return _outgoing(
        level(view.level, view.cap, view.guard),
        f"The guard is set to `{view.guard}`. {about_guards.CAPTIONS[view.guard]}",
        *off,
        _List("Accounts", accounts, "none connected"),
        _List(WAITING if questions else "Waiting for you", questions, "nothing"),
        *([_List("Plans", [plan_line(plan) for plan in view.plans])] if view.plans else []),
        *([_List(SCHEDULED, waiting)] if waiting else []),
        _List("Allowed recipients", _addresses(view.allowed), "none"),
        _List("Lately", runs, "nothing"),
        *([PAUSED] if any(run.state is RunState.PAUSED for run in (*view.plans, *view.runs[:5])) else []),
    )


def _question(line: QuestionLine, zone: str) -> str:
    """Its title, its card's code, and since when it waits: two alike can be told apart, and found."""
    agree = ", for somebody else: you have to agree" if line.asked_by else ""
    asked = about_times.moment(line.asked_at, zone)
    return f"{one_line(line.title, 150)} – card {ids.card_code(line.question_id)}, asked {asked}{agree}"


def level(current: TrustLevel, cap: TrustLevel, guard: GuardMode) -> str:
    """The trust level in words, as it works while the guard is set so."""
    change = f"To change it, type `/agent trust` followed by {trust.choices('`', cap=cap)}."
    said = [f"Your trust level is `{current}`.", trust.LEVELS[current].meaning(guard), trust.limit(cap), change]
    return " ".join(filter(None, said))


def guard(current: GuardMode) -> str:
    """The answer to `/agent guard`."""
    change = "Administrators of this workspace change it with `/agent guard` and `enforce`, `shadow` or `off`."
    return f"The guard is set to `{current}`. {about_guards.CAPTIONS[current]} {change}"


def guard_set(chosen: GuardMode) -> str:
    """The answer to `/agent guard MODE`."""
    back = "" if chosen is GuardMode.ENFORCE else " To go back at any time: `/agent guard enforce`."
    return f"Saved. The guard is now set to `{chosen}` for this workspace. {about_guards.CAPTIONS[chosen]}{back}"


def guard_already(chosen: GuardMode) -> str:
    """The same where it was set so before."""
    return f"The guard is set to `{chosen}` already. Nothing was changed. {about_guards.CAPTIONS[chosen]}"


def level_chosen(chosen: TrustLevel, guard: GuardMode) -> str:
    """The answer to `/agent trust LEVEL`."""
    level = trust.LEVELS[chosen]
    listing = " `/agent allow` shows and adds them." if level.uses_list else ""
    said = f"Saved. Your trust level is now `{chosen}`. {level.meaning(guard)}{listing}"
    return f"{said}\n⚠ {level.warns(guard)}\n{_BACK}" if level.warning else said


def level_confirmed(chosen: TrustLevel) -> str:
    """The same in the window that has just said what the level means."""
    return f"Saved. Your trust level is now `{chosen}`. {_BACK}"


def allowed(address: str, current: TrustLevel) -> str:
    """The answer to `/agent allow ADDRESS`."""
    everybody = " That is everybody there." if address.startswith("@") else ""
    plainly = in_ascii(address)
    odd = f"\n⚠ It has letters of another script: mail takes it as {escaped(plainly)}." if plainly != address else ""
    return f"Saved. {escaped(one_line(address, 300))} is on your list.{everybody} {trust.LEVELS[current].listed}{odd}"


def disallowed(address: str, current: TrustLevel) -> str:
    """The answer to `/agent disallow ADDRESS`."""
    asks = "I ask again before mail goes there."
    after = asks if trust.LEVELS[current].uses_list else f"At your trust level, `{current}`, that changes nothing."
    return f"Saved. {escaped(one_line(address, 300))} is not on your list any more. {after}"


def address_wanted(allowed: Sequence[str], *, page: int = 1) -> str:
    """The answer to `/agent allow` without an address: one page of what is on the list."""
    asked = "Tell me one address, like `/agent allow dana@example.com`; `/agent disallow` takes one off the list."
    pages = max(1, -(-len(allowed) // ALLOWED_LISTED))
    page = min(max(page, 1), pages)
    shown = [one_line(address, 200) for address in allowed[(page - 1) * ALLOWED_LISTED : page * ALLOWED_LISTED]]
    more = [f"Page {page} of {pages}; `/agent allow page {page % pages + 1}` shows another."] if pages > 1 else []
    return "\n".join([f"{asked} Nothing was changed.", *_titled("Your list", shown, "empty"), *more])


def refused(message: str) -> str:
    """Why something a person typed was not taken; the message is fit for people."""
    return f"{escaped(one_line(message, 1_000))} Nothing was changed."


def stopped(runs: Sequence[RunLine], *, left: int = 0, dropped: int = 0) -> Outgoing:
    """The answer to `/agent stop`; `left` are those for which there was no time, `dropped` the messages that came too
    fast and are not offered again.
    """
    gone = [about_limits.dropped(dropped)] if dropped else []
    if not runs:
        return _outgoing(*(gone or ["Nothing of yours is running."]))
    lines = [*map(_stopped, runs[:10]), *_and_more(len(runs) - 10)]
    more = [f"{left} more still run: type `/agent stop` again."] if left else []
    return _outgoing(_List("Stopping at the next safe point; the answer says what was done", lines), *more, *gone)


def _stopped(run: RunLine) -> str:
    """What waited for its moment is named by what it would have done: its request stands there already."""
    if run.holds:
        return f"Held back: {one_line(run.holds, 150)}"
    return request_line(run.request, 150) or "a request"


def audit(entries: Sequence[AuditEntry], person: User) -> str:
    """What the log says lately, newest first: as many whole entries as an answer holds."""
    about = "of this workspace" if person.is_admin else "about you"
    title = f"The newest entries {about}, with the times of {about_times.zone_of(person.zone)}"
    lines = [f"• {said(one_line(about_log.line(entry, person.zone), 200))}" for entry in entries]
    ends = accumulate((len(line) + 1 for line in lines), initial=len(title))
    fit = [line for line, begins in zip(lines, ends, strict=False) if begins + len(line) < ANSWER_LIMIT - 10]
    return "\n".join([f"*{title}:*", *(fit or ["The log says nothing of you yet."])])


def said(text: str) -> str:
    """A sentence of ours for one person; whatever it quotes is escaped, only people's names stay."""
    return escaped_but_people(cut(plain(text), ANSWER_LIMIT))


def failed(reference: str) -> str:
    """What a person is told when something broke: a reference, never the error's own words."""
    return f"Something went wrong on my side. Try again; if it goes on, tell your administrator `{reference}`."


def _addresses(allowed: Sequence[str]) -> list[str]:
    shown = [one_line(address, 200) for address in allowed[:ALLOWED_LISTED]]
    return shown + [f"{line}: /agent allow lists them" for line in _and_more(len(allowed) - ALLOWED_LISTED)]


def _and_more(count: int) -> list[str]:
    return [f"… and {count} more"] if count > 0 else []


@dataclass(frozen=True, slots=True)
class _List:
    """Lines with words of people under a title of ours, or what stands for none."""

    title: str
    lines: Sequence[str]
    nothing: str = ""

    @property
    def as_text(self) -> Sequence[str]:
        return _titled(self.title, self.lines, self.nothing)

    @property
    def as_block(self) -> kit.Block:
        if not self.lines:
            return kit.marked(f"*{self.title}:* {self.nothing}")
        return kit.bullets(self.lines, title=f"{self.title}:")


def _outgoing(*parts: str | _List) -> Outgoing:
    """The parts below each other: sentences of ours, in which nothing of other people stands, and lists."""
    text = "\n".join(line for part in parts for line in ([part] if isinstance(part, str) else part.as_text))
    blocks = [kit.marked(part) if isinstance(part, str) else part.as_block for part in parts]
    return Outgoing(text=cut(text, ANSWER_LIMIT), blocks=blocks)


def _titled(title: str, lines: Sequence[str], nothing: str) -> Sequence[str]:
    return [f"*{title}:* {nothing}"] if not lines else [f"*{title}:*", *(f"• {escaped(line)}" for line in lines)]
