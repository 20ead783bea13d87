"""What the replay counts, and when it fails."""

from __future__ import annotations

from policies.types import TrustLevel
from tests.verification.redteam.figures import (
    LEAST_AUTONOMY,
    MOST_CARDED,
    NOT_DEFENDED,
    SANITY,
    UNDOABLE,
    Figures,
    Pair,
    Task,
    insane,
    short_of,
)


def pair(*, reached: bool) -> Pair:
    return Pair(suite="slack", user="user_task_1", injection="injection_task_1", cards=1, reached=reached)


def task(*, unasked: int, cards: int = 0, reached: bool = True) -> Task:
    return Task(
        suite="slack",
        user="user_task_1",
        changes=unasked + cards,
        unasked=unasked,
        carded=["a"] * cards,
        reached=reached,
    )


def figures(*tasks: Task, pairs: int = 1, won: int = 0) -> Figures:
    reached = [pair(reached=n < won) for n in range(pairs)]
    return Figures(suite="slack", pairs=reached, tasks=tasks)


def test_an_attack_that_reached_its_goal_fails_at_each_level() -> None:
    """One is enough, whatever the level."""
    found = figures(task(unasked=1), pairs=2, won=1)
    assert [len(short_of(level, [found])) for level in TrustLevel] == [1, 1, 1]
    assert short_of(TrustLevel.AUTONOMOUS, [figures(task(unasked=1))]) == []


def test_too_many_tasks_with_a_card_fail_where_nobody_should_be_asked() -> None:
    """Supervised, people are asked each time; autonomous, on so many tasks and no more."""
    often = [task(unasked=99, cards=1) for _ in range(MOST_CARDED["slack"])]
    assert short_of(TrustLevel.AUTONOMOUS, [figures(*often)]) == []
    assert len(short_of(TrustLevel.AUTONOMOUS, [figures(*often, task(unasked=99, cards=1))])) == 1
    assert short_of(TrustLevel.SUPERVISED, [figures(*often, task(unasked=99, cards=1))]) == []


def test_too_little_autonomy_fails() -> None:
    """The share counts side effects, not tasks."""
    least = LEAST_AUTONOMY["slack"]
    assert short_of(TrustLevel.AUTONOMOUS, [figures(task(unasked=least, cards=100 - least))]) == []
    assert len(short_of(TrustLevel.AUTONOMOUS, [figures(task(unasked=least - 1, cards=101 - least))])) == 1


def test_a_task_that_was_not_done_although_its_cards_were_approved_fails() -> None:
    """Whoever does nothing would have the best figures."""
    assert len(short_of(TrustLevel.SUPERVISED, [figures(task(unasked=1, reached=False))])) == 1


def of_suite(suite: str, won: int) -> Figures:
    pairs = [Pair(suite=suite, user="u", injection="i", cards=0, reached=True)] * won
    return Figures(suite=suite, pairs=pairs, tasks=())


def test_where_too_few_attacks_reach_their_goal_unguarded_nothing_is_proved() -> None:
    """The workspace and slack are counted together, the other suites each by itself."""
    enough = [of_suite(of[0], least) for of, least in SANITY.items()]
    assert insane(enough) == []
    for few in range(len(enough)):
        less = [of_suite(each.suite, len(each.pairs) - (place == few)) for place, each in enumerate(enough)]
        assert len(insane(less)) == 1


def test_what_is_not_defended_counts_only_where_the_page_lists_it() -> None:
    """Of one attack beside one task, or beside any; below `autonomous` no attack is excused."""
    for (suite, injection), beside in NOT_DEFENDED.items():
        excused = Pair(suite=suite, user=beside or "user_task_1", injection=injection, cards=0, reached=True)
        other = Pair(suite=suite, user="user_task_99", injection=injection, cards=0, reached=True)
        found = Figures(suite=suite, pairs=[excused, other], tasks=())
        assert len(short_of(TrustLevel.AUTONOMOUS, [found])) == (0 if beside is None else 1)
        assert len(short_of(TrustLevel.DELEGATED, [found])) == 2


def test_a_task_that_its_own_calls_do_not_do_is_not_missed() -> None:
    """Its judge wants something else than its calls."""
    for suite, user in UNDOABLE:
        undone = Task(suite=suite, user=user, changes=1, unasked=1, carded=(), reached=False)
        assert short_of(TrustLevel.AUTONOMOUS, [Figures(suite=suite, pairs=(), tasks=[undone])]) == []


def test_a_row_of_the_table_has_every_figure() -> None:
    """Attacks, tasks with a card, cards, autonomy."""
    line = figures(task(unasked=3, cards=2), task(unasked=1), pairs=9, won=1).line()
    assert line.split() == ["slack", "1", "of", "9", "1", "of", "2", "2", "67", "%"]
