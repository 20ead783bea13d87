"""The machine with rules about who has to agree to a mail: others vote, in turn or not, turns end, and rules change."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

from bot.domain.questions import Choice, QuestionKind
from policies.deciders import TURN_MINUTES
from policies.types import TrustLevel
from tests.builders import DANA
from tests.verification.explorer.circles import PEOPLE, RULES
from tests.verification.explorer.rules import NUMBERS, Machine
from tests.verification.explorer.walks import event

_MAILS = (36, 0, 1)
"""Numbers with which the model begins by a mail: alone, or beside something else."""

OTHERS = PEOPLE[1:]


class Agreeing(Machine):
    """The same thread of Dana's. Whose turn it is says yes more often than not."""

    @initialize(n=st.sampled_from(_MAILS), level=st.just(TrustLevel.AUTONOMOUS), yes=st.integers(0, 2))
    @event
    def begin(self, n: int, level: str, yes: int = 0) -> None:
        """She asks for a mail to which two of three others have to agree, and so many said yes."""
        self.do("rules", self.people.rule(0))
        self._begin(n, level)
        self._goes_on(0)
        for _ in range(yes):
            self._agree(0)

    @rule(n=NUMBERS)
    @event
    def agree(self, n: int) -> None:
        """Whoever is asked says yes."""
        self._agree(n)

    @rule(n=NUMBERS)
    @event
    def agree_again(self, n: int) -> None:
        """The same, so that it happens more often."""
        self._agree(n)

    def _agree(self, n: int) -> None:
        cards = self._questions(QuestionKind.APPROVE)
        if not cards:
            self._goes_on(n)
            return
        card = cards[n % len(cards)]
        user = card["reader"] or DANA
        self.do(f"yes of {user}", self.people.clicks(card, Choice.APPROVE, user=user))

    @rule(n=NUMBERS, user=st.sampled_from(OTHERS), choice=st.sampled_from([Choice.APPROVE, Choice.REJECT]))
    @event
    def vote(self, n: int, user: str, choice: str) -> None:
        """Anybody presses a button, in their turn or not, maybe late."""
        if cards := self._questions(QuestionKind.APPROVE, closed=n % 4 == 0):
            self.do(f"{choice} of {user}", self.people.clicks(cards[n % len(cards)], Choice(choice), user=user))
        else:
            self._goes_on(n)

    @rule(turns=st.integers(1, 2))
    @event
    def be_silent(self, turns: int) -> None:
        """Whoever is asked says nothing in their turn."""
        for _ in range(turns):
            self.do("a turn", self.stage.silence(60.0 * TURN_MINUTES))

    @rule(n=NUMBERS, rules=st.sampled_from(range(len(RULES))))
    @event
    def change_rules(self, n: int, rules: int) -> None:
        """An administrator changes who has to agree."""
        if self._is_rare(n, one_in=3):
            self.do(f"rules {rules}", self.people.rule(rules))
