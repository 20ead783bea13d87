"""What the guard takes of the processor for one call that is judged, beside its look-ups: no row is read for it."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from bot.domain.threads import SeenObject
from bot.runtime.policy.tracer import MOST_MESSAGES, MOST_OBJECTS, seen_before
from bot.runtime.policy.trusted_words import typed_by
from policies.engine import decide
from policies.evidence import Evidence
from policies.guards.known import MOST_CHARACTERS, KnownWorld, World
from policies.guards.things import Things
from policies.guards.tracing import trace
from policies.provenance import GuardMode, Provenance
from policies.types import EffectClass, ProposedAction, Role, TrustLevel
from tests.verification.benchmarks import judged
from tests.verification.benchmarks.figures import Measured, Outcome
from tests.verification.benchmarks.judged import Call, Thread

SIZES = {"short": (2, 5), "60": (20, 60), "500": (20, 500), "bounds": (MOST_MESSAGES, MOST_OBJECTS)}
"""Messages and things of a thread; the last ones are the most that are looked at."""
_ROUNDS, _TURNS = 9, 15
_LONG = MOST_CHARACTERS // MOST_MESSAGES - 50
"""Characters of a message of the longest thread that is looked at."""
_LONGER = 10_000
"""Of one whose thread is not: how long that would take."""
_FEW, _LARGE_ROUNDS = 50, 3
_BEAT_SECONDS = 0.001
_TOOL = "a_tool"
_EVIDENCE = Evidence(
    is_member=True,
    level=TrustLevel.AUTONOMOUS,
    side_effects_enabled=True,
    policy_version="1",
    allowed_tools=frozenset({_TOOL}),
)
_ACTION = ProposedAction(tool=_TOOL, effect=EffectClass.EXTERNAL, arguments=())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Round:
    """Milliseconds of the processor for a call: the first ones in a thread, those after them, and without a guard."""

    cold: float
    warm: float
    off: float


def bench() -> Outcome:
    """Each size in turn, round after round, each round with threads of its own."""
    rounds = {name: list[_Round]() for name in SIZES}
    for number in range(1 + _ROUNDS):
        for place, (name, (messages, things)) in enumerate(SIZES.items()):
            found = _round(judged.thread(messages, things, seed=number * len(SIZES) + place))
            if number:
                rounds[name].append(found)
    warm = {name: [one.warm - one.off for one in each] for name, each in rounds.items()}
    cold = {name: [one.cold - one.off for one in each] for name, each in rounds.items()}
    off = statistics.median(one.off for each in rounds.values() for one in each)
    large = _large()
    growth = [large / small for large, small in zip(warm["500"], warm["60"], strict=True)]
    return Outcome(
        measured=[
            *(_measured(f"guard_{name}", each) for name, each in warm.items()),
            *(_measured(f"guard_{name}_first", cold[name]) for name in ("500", "bounds")),
            _measured("guard_growth", growth),
            *large.measured,
        ],
        lines=[
            f"  the same verdict with the guard off: {off:.3f} ms",
            *(
                f"  {messages} messages, {things} things: {statistics.median(warm[name]):.3f} ms,"
                f" the first time {statistics.median(cold[name]):.3f} ms"
                for name, (messages, things) in SIZES.items()
            ),
            *large.lines,
        ],
        rounds={name: {"warm": warm[name], "first": cold[name]} for name in SIZES},
    )


def _large() -> Outcome:
    """Threads of long messages, none of which is kept from one judgement to the next: of all kinds the slowest one."""
    found = {name: _of_large(titles) for name, titles in judged.LARGE.items()}
    return Outcome(
        measured=[
            _measured("guard_long", max((each["long"] for each in found.values()), key=statistics.median)),
            _measured("guard_longer", max((each["longer"] for each in found.values()), key=statistics.median)),
            _measured("guard_long_growth", max((each["growth"] for each in found.values()), key=statistics.median)),
            _measured("guard_held", asyncio.run(_held())),
        ],
        lines=[
            f"  {MOST_MESSAGES} messages of {_LONG:,} and of {_LONGER:,} characters, {MOST_OBJECTS} things, {name}:"
            f" {statistics.median(each['long']):.0f} and {statistics.median(each['longer']):.0f} ms"
            for name, each in found.items()
        ],
    )


def _of_large(titles: judged.Titles) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {"long": [], "longer": [], "growth": []}
    for seed in range(_LARGE_ROUNDS):
        few, many, longer = (
            _milliseconds(partial(_traced_large, judged.large(MOST_MESSAGES, characters, things, titles, seed=seed)), 1)
            for characters, things in ((_LONG, _FEW), (_LONG, MOST_OBJECTS), (_LONGER, MOST_OBJECTS))
        )
        found["long"].append(many)
        found["longer"].append(longer)
        found["growth"].append(many / few)
    return found


def _traced_large(thread: Thread) -> None:
    """The slower one of its calls alone: to write to those in a thing."""
    call = thread.calls[0]
    known = KnownWorld(said=list(typed_by(judged.OWNER, thread.typed)), things=thread.things)
    trace(call.impact, known, effect=call.effect, verbs=call.verbs)


async def _held() -> list[float]:
    """Milliseconds for which the loop stands still at the most while the longest thread is judged beside it."""
    found = list[float]()
    for seed in range(_LARGE_ROUNDS):
        thread = judged.large(MOST_MESSAGES, _LONG, MOST_OBJECTS, judged.LARGE["one title"], seed=100 + seed)
        judging, gaps = asyncio.create_task(asyncio.to_thread(_traced_large, thread)), [0.0]
        while not judging.done():
            began = time.perf_counter()
            await asyncio.sleep(_BEAT_SECONDS)
            gaps.append(time.perf_counter() - began - _BEAT_SECONDS)
        await judging
        found.append(max(gaps) * 1e3)
    return found


def _measured(key: str, values: Sequence[float]) -> Measured:
    return Measured(key=key, value=statistics.median(values), spread=(min(values), max(values)))


def _round(thread: Thread) -> _Round:
    """A call in the mean of all kinds: each is judged once where nothing is known of the thread, then again."""
    seen = [judged.seen(one) for one in thread.things]
    cold = _milliseconds(lambda: _judged(thread, seen), turns=1)
    warm = _milliseconds(lambda: _judged(thread, seen), turns=_TURNS)
    off = _milliseconds(lambda: [_decided(Provenance(), GuardMode.OFF) for _ in thread.calls], turns=_TURNS)
    return _Round(cold=cold / len(thread.calls), warm=warm / len(thread.calls), off=off / len(thread.calls))


def _milliseconds(play: Callable[[], object], turns: int) -> float:
    """The middle turn: others on the machine make some of them longer."""
    found = list[float]()
    for _ in range(turns):
        began = time.process_time()
        play()
        found.append(time.process_time() - began)
    return statistics.median(found) * 1e3


def _judged(thread: Thread, seen: Sequence[SeenObject]) -> None:
    for call in thread.calls:
        _decided(_traced(thread, seen, call), GuardMode.ENFORCE)


def _traced(thread: Thread, seen: Sequence[SeenObject], call: Call) -> Provenance:
    """As `bot.runtime.policy.tracer` has it traced; whom it would look up comes at once."""
    said = list(typed_by(judged.OWNER, thread.typed))
    things, latest = seen_before(seen, said, call.impact)
    known = KnownWorld(said=said, things=things, seen=latest)
    there = Things(World(known, call.impact), call.impact.today)
    found = trace(replace(call.impact, met=frozenset()), known, effect=call.effect, verbs=call.verbs, there=there)
    if not found.unnamed(Role.DESTINATION):
        return found
    assert there.world.names, "these names are looked up"
    known = replace(known, acquaintances=thread.people)
    return trace(call.impact, known, effect=call.effect, verbs=call.verbs, there=there)


def _decided(provenance: Provenance, guard: GuardMode) -> None:
    decide(_ACTION, replace(_EVIDENCE, provenance=provenance, guard=guard))
