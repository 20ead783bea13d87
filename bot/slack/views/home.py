"""App Home: what the agent may do for a person, what waits for them, what it did lately and what it remembers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.domain.audit import AuditEntry
from bot.domain.runs import RunState
from bot.domain.sessions import BrowserSession
from bot.runtime.delivery.lists import WAITS_FOR_OTHERS, WAITS_FOR_YOU, HomeView, MemoryLine, QuestionLine, RunLine
from bot.runtime.texts import about_log
from bot.slack.views import blocks as kit
from bot.slack.views import connect, ids, rules, schedule, trust_form
from bot.slack.views.blocks import Block
from bot.slack.views.deferred import listed
from bot.slack.views.plain import markdown_line, one_line, quoted_line, request_line

MAX_QUESTIONS = 10
MAX_RUNS = 5
MAX_ALLOWED = 30
MAX_SESSIONS = 5
MEMORY_LIMIT = 300  # characters of one

_SIGNED_OUT = "That browser cannot ask me anything any more. What it asked for goes on."
_STOP = kit.confirm(
    "Stop all of it?",
    "What is under way for you ends, and what waits for your decision is withdrawn. What was done stays done.",
    yes="Stop all of it",
    no="Go on",
)
_NAMED_LIMIT = 150  # characters of what a window asks about
_ERASED = "It is erased from my memory for good. What was said about it in conversations stays there."


def home(
    view: HomeView,
    links: Mapping[str, str] | None = None,
    sessions: Sequence[BrowserSession] = (),
    log: Sequence[AuditEntry] = (),
    *,
    is_admin: bool = False,
) -> Block:
    """The whole tab; `links` are the addresses of the open questions' cards, by question, `sessions` where the person
    is signed in to the HTTP API, and `log` the newest entries of the log that are for them. `is_admin`: they are an
    administrator by now, so that they can change rules.
    """
    return {
        "type": "home",
        "blocks": [
            *trust_form.on_home(view),
            *_connections(view),
            *_questions(view, links or {}),
            *_plans(view.plans),
            *listed(view.held, view.user.zone),
            *_runs(view),
            *schedule.on_home(view.schedules),
            *_memories(view),
            *_allowed(view.allowed),
            *rules.on_home(view.rules, is_admin=is_admin),
            *_sessions(sessions, view.user.zone),
            *_log(log, view.user.zone),
            kit.context(kit.small("Type /agent help to see what you can set.")),
        ],
    }


def turned_away(why: str) -> Block:
    """The tab of somebody for whom the agent does not work: it has no buttons, because none would do anything."""
    return {"type": "home", "blocks": [kit.section(why)]}


def _connections(view: HomeView) -> Sequence[Block]:
    lines = [connect.connection_line(connection) for connection in view.connections]
    return [
        kit.header("Connections"),
        _list(lines, "No account is connected, so I cannot read mail or calendars."),
        *connect.home_buttons(view.connections, offered=view.accounts_offered),
    ]


def _questions(view: HomeView, links: Mapping[str, str]) -> Sequence[Block]:
    listed = view.questions[:MAX_QUESTIONS]
    shown = [block for line in listed for block in _question(line, view, links.get(line.question_id, ""))]
    more = kit.way_on(ids.WAITING, max(0, len(view.questions) - MAX_QUESTIONS) + view.more_questions)
    return [kit.header("Waiting for you"), *(shown or [kit.section("Nothing waits for you.")]), *more]


def _question(line: QuestionLine, view: HomeView, link: str) -> Sequence[Block]:
    """The title with a button that shows everything."""
    title, *more = waiting_row(line, view.user.zone, link)
    return [{**title, "accessory": kit.button("Show", ids.SHOW_ALL, line.value)}, *more]


def waiting_row(line: QuestionLine, zone: str, link: str) -> Sequence[Block]:
    """What waits: it is decided on the card, which the link leads to and which has the same code."""
    card = kit.link(link, "Go to the card")
    return [
        kit.section(one_line(line.title, 300) or "…"),
        *(
            [kit.paragraph(kit.words("You have to agree: "), kit.person(line.asked_by), kit.words(" asks for this."))]
            if line.asked_by
            else []
        ),
        *([kit.paragraph(*card)] if card else []),
        kit.context(
            kit.card_code(line.question_id),
            kit.moment_token("Asked", line.asked_at, zone),
            kit.moment_token("Expires", line.expires_at, zone),
        ),
    ]


def _plans(plans: Sequence[RunLine]) -> Sequence[Block]:
    """Those that have not ended; nothing where there is none."""
    return [kit.header("Plans"), kit.bullets([plan_line(plan) for plan in plans])] if plans else []


def plan_line(plan: RunLine) -> str:
    """A plan in words: what it is for, and how it stands."""
    return f"{one_line(plan.request, 150) or 'A plan'} – {plan.plan}"


def _runs(view: HomeView) -> Sequence[Block]:
    lines = [run_line(run) for run in view.runs[:MAX_RUNS]]
    waits = any(not one.asked_by for one in view.questions)  # perhaps of a request that is not listed any more
    live = waits or any(run.state.is_live() for run in (*view.runs, *view.plans))
    button = kit.button("Stop what is under way", ids.STOP_MINE, "all", style="danger") | {"confirm": _STOP}
    stop = [kit.buttons("home:stop", [button])]
    nothing = "Nothing but the plans above." if view.plans else "You have not asked for anything yet."
    return [kit.header("Lately"), _list(lines, nothing), *(stop if live else [])]


_STANDS = {
    RunState.QUEUED: "waits for its turn",
    RunState.PLANNING: "I am working on it",
    RunState.EXECUTING: "I am working on it",
    RunState.AWAITING: WAITS_FOR_YOU,
    RunState.COMPLETED: "done",
    RunState.FAILED: "I could not finish it",
    RunState.CANCELLED: "stopped",
    RunState.PAUSED: "paused",
}


def run_line(run: RunLine) -> str:
    """One run in words: what was asked, and what came of it; an answer speaks for itself."""
    summary = markdown_line(run.summary, 200)
    stands = WAITS_FOR_OTHERS if run.agreed else _STANDS[run.state]
    is_said = run.state is RunState.COMPLETED or run.is_account or summary.lower().startswith(stands)
    said = ": ".join([*([] if summary and is_said else [stands]), *([summary] if summary else [])])
    return f"{request_line(run.request, 150) or 'A request'} – {said}"


def _memories(view: HomeView) -> Sequence[Block]:
    listed = [_memory(one) for one in view.memories]
    nothing = kit.section("Nothing. Say “remember that …” to have something kept.")
    more = kit.context(kit.small("These are the newest. To see others, ask me what I remember about something."))
    return [kit.header("What I remember"), *(listed or [nothing]), *([more] if view.more_memories else [])]


def _memory(one: MemoryLine) -> Block:
    about = quoted_line(one.text, _NAMED_LIMIT)
    asks = kit.confirm("Forget this?", f"{about} {_ERASED}", yes="Forget it", no="Keep it")
    forget = kit.button("Forget", ids.FORGET, one.memory_id) | {"confirm": asks}
    return kit.section(one_line(one.text, MEMORY_LIMIT) or "…") | {"accessory": forget}


def _allowed(addresses: Sequence[str]) -> Sequence[Block]:
    lines = [one_line(address, 200) for address in addresses[:MAX_ALLOWED]]
    more = kit.way_on(ids.ALLOWED, len(addresses) - MAX_ALLOWED)
    how = [kit.context(kit.small("Take one off with /agent disallow and the address."))] if lines else []
    listed = _list(lines, "None. Add one with /agent allow and an address.")
    return [kit.header("Allowed recipients"), listed, *more, *how]


def allowed_rows(addresses: Sequence[str]) -> Sequence[Sequence[Block]]:
    """For a window of all of them."""
    return [[kit.section(one_line(address, 200))] for address in addresses]


def _sessions(sessions: Sequence[BrowserSession], zone: str) -> Sequence[Block]:
    """Nothing where there are none: most people never sign in anywhere else."""
    listed = [block for one in sessions[:MAX_SESSIONS] for block in _session(one, zone)]
    more = kit.and_more(len(sessions) - MAX_SESSIONS, ": they come up here as these end.")
    return [kit.header("Signed in elsewhere"), *listed, *more] if listed else []


def _session(one: BrowserSession, zone: str) -> Sequence[Block]:
    asks = kit.confirm("Sign out there?", _SIGNED_OUT, yes="Sign out", no="Stay signed in")
    sign_out = kit.button("Sign out", ids.SIGN_OUT, one.id, style="danger") | {"confirm": asks}
    return [
        kit.section(one_line(one.browser, 80) or "A browser") | {"accessory": sign_out},
        kit.context(kit.moment_token("Since", one.created_at, zone), kit.moment_token("Ends", one.expires_at, zone)),
    ]


def _log(entries: Sequence[AuditEntry], zone: str) -> Sequence[Block]:
    if not entries:
        return []
    lines = [kit.said(one_line(about_log.line(entry, zone), 200)) for entry in entries]
    more = f"{about_log.times(zone)} More with /agent audit."
    return [kit.header("Audit log"), kit.bullet_list(lines), kit.context(kit.small(more))]


def _list(lines: Sequence[str], nothing: str) -> Block:
    return kit.bullets(lines) if lines else kit.section(nothing)
