"""The count page: a round's hands as they were typed, and what speaks against them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from webapp import ledger
from webapp.facts import Counted
from webapp.services.hands import UnreadableCountError, read_count
from webapp.services.scorepad import join_names, step_says, title_of
from webapp.services.weighing import weigh

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from referee.scorepad import Problem
    from referee.scoring import ValueClass
    from webapp.facts import CountedHand, Fact
    from webapp.services.hands import TypedHand, TypedHands
    from webapp.services.weighing import Weighed
    from webapp.story import Hand, Story


@dataclass(frozen=True, slots=True, kw_only=True)
class HandLine:
    """One player's line on the count page, with what was typed so far."""

    player_id: int
    name: str
    total: int
    """The total before this round."""
    step_says: str
    """The player's own phase ("Phase 3: 1 run of 7"); empty where the step is the round's."""
    contract_says: str
    """What this player had to lay down ("2 runs of 4")."""
    out: bool
    made: bool | None
    """Whether the contract was made; None where nobody has said."""
    typed: str
    """Digits or a sum ("20+10+5"); empty is blank, not nought."""
    points: int | None
    """What was typed, added up; None while blank or unreadable."""
    problem: str
    """Why this line is refused, to stand beside the field; or empty."""
    base: int
    """The entry this cell stood on when the form was made; 0 for a blank cell."""
    laid_down: bool
    """Whether a lay-down was recorded for this player in this round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountForm:
    """The count page of one round, for all players or for one."""

    pub: str
    round_number: int
    title: str
    note: str
    classes: tuple[ValueClass, ...]
    """The keys for tapping the cards left; of the round, or of all rounds alike."""
    lines: tuple[HandLine, ...]
    asks_made: bool
    """Whether the page asks who made their phase."""
    key: str
    """The form key: posted back unchanged, it makes a second tap harmless."""
    problems: tuple[str, ...]
    """What speaks against the round as a whole; refused."""
    doubts: tuple[str, ...]
    """What is unlikely; asked once, overridden by ``sure``."""
    sure: bool
    """Whether the doubts were overridden."""
    only: int | None
    """The player whose hand alone is counted here (hidden field ``only``); None for all."""
    correcting: bool
    """Whether the round is closed already, so that a save is a correction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """What a save would write, in words."""

    form: CountForm
    sentences: tuple[str, ...]
    """ "Ana goes out.", "Ben +65, now 140." """
    next_says: str
    """ "Then round 4, three sets. Cleo deals.", or that the game ends. """


@dataclass(frozen=True, slots=True, kw_only=True)
class Clash:
    """One cell that another phone has written meanwhile."""

    name: str
    theirs: str
    """What stands on the pad ("45", "out")."""
    yours: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Two phones, two values: shown with 409 and two buttons."""

    clashes: tuple[Clash, ...]
    keep: CountForm
    """The form that keeps what is on the pad, and saves the rest."""
    replace: CountForm
    """The form that writes what was typed here over it."""


class CountRefusedError(ValueError):
    """Something on the form cannot be, or is to be asked; the form says what."""

    def __init__(self, form: CountForm) -> None:
        """Keep the form with what was typed and what speaks against it."""
        super().__init__(self.__doc__)
        self.form = form


class CountConflictError(ValueError):
    """Another phone has written something else there meanwhile."""

    def __init__(self, conflict: Conflict) -> None:
        """Keep both values."""
        super().__init__(self.__doc__)
        self.conflict = conflict


@dataclass(frozen=True, slots=True)
class Sheet:
    """One round of a game, as the count page sees it."""

    pub: str
    number: int
    story: Story
    names: Mapping[int, str]

    @property
    def steps(self) -> tuple[int, ...]:
        """The step of each seat in this round."""
        return self.story.steps_before(self.number)

    @property
    def standing(self) -> Mapping[int, Hand]:
        """What is on the pad already, by player."""
        return self.story.hands_of(self.number)

    def weigh(self, typed: TypedHands) -> Weighed:
        """Weigh what was typed; raises CountRefusedError and CountConflictError."""
        weighed = weigh(self.story, self.number, typed)
        if weighed.unread:
            raise CountRefusedError(self.form(typed, only=typed.only, weighed=weighed))
        if weighed.clashes:
            raise CountConflictError(self.conflict(typed, weighed.clashes))
        if weighed.problems:
            raise CountRefusedError(self.form(typed, only=typed.only, weighed=weighed))
        return weighed

    def form(
        self,
        typed: TypedHands | None = None,
        *,
        only: int | None,
        weighed: Weighed | None = None,
    ) -> CountForm:
        """Make the form: as it stands on the pad, or with what was typed."""
        seats, variant = self.story.start.seats, self.story.variant
        alone = variant.climbs_alone
        step = None if alone else self.steps[0]
        problems = weighed.problems if weighed else ()
        doubts = weighed.doubts if weighed else ()
        lines = {player: self.line(player) for player in seats if only in {None, player}}
        for player, hand in (typed.lines if typed else {}).items():
            if player in lines:
                lines[player] = _fill(lines[player], hand)
        for player, says in (weighed.unread if weighed else {}).items():
            lines[player] = replace(lines[player], problem=says)
        for found in problems:
            who = None if found.seat is None else seats[found.seat]
            if who in lines and not lines[who].problem:
                lines[who] = replace(lines[who], problem=found.says)
        return CountForm(
            pub=self.pub,
            round_number=self.number,
            title=title_of(variant, step),
            note=variant.round_note(step) if step else "",
            classes=variant.value_classes(self.steps[0], len(seats)),
            lines=tuple(lines.values()),
            asks_made=alone,
            key=typed.sent.key if typed else ledger.new_key(),
            problems=tuple(
                self.say(problem)
                for problem in problems
                if problem.seat is None or seats[problem.seat] not in lines
            ),
            doubts=tuple(map(self.say, doubts)),
            sure=bool(typed and typed.sure),
            only=only,
            correcting=self.number <= len(self.story.rounds),
        )

    def line(self, player: int) -> HandLine:
        """Make a player's line as it stands on the pad."""
        place = self.story.start.seats.index(player)
        step, variant = self.steps[place], self.story.variant
        hand = self.standing.get(player)
        laid = (self.number, player) in self.story.lay_downs
        says = step_says(variant, step)
        return HandLine(
            player_id=player,
            name=self.names[player],
            total=sum(points[place] for points in self.story.score.points[: self.number - 1]),
            step_says=f"{variant.words.step.capitalize()} {step}: {says}"
            if variant.climbs_alone
            else "",
            contract_says=says,
            out=bool(hand and hand.out),
            made=hand.made if hand else laid or None,
            typed="" if hand is None or hand.out else hand.typed or str(hand.left),
            points=None if hand is None else hand.left,
            problem="",
            base=hand.seq if hand else 0,
            laid_down=laid,
        )

    def conflict(self, typed: TypedHands, clashes: Mapping[int, CountedHand]) -> Conflict:
        """Set what is on the pad beside what was typed, with a form for either."""
        mine = self.form(typed, only=typed.only)
        now = {line.player_id: line for line in self.form(only=typed.only).lines}
        lines = [(line, now[line.player_id]) for line in mine.lines]
        return Conflict(
            clashes=tuple(
                Clash(
                    name=theirs.name,
                    theirs=self.tell(theirs),
                    yours=self.tell(yours),
                )
                for yours, theirs in lines
                if yours.player_id in clashes
            ),
            keep=replace(
                mine,
                lines=tuple(
                    theirs if yours.player_id in clashes else yours for yours, theirs in lines
                ),
            ),
            replace=replace(
                mine,
                lines=tuple(replace(yours, base=theirs.base) for yours, theirs in lines),
            ),
        )

    def tell(self, line: HandLine) -> str:
        """Say a line in a word: "45", "out", "45 and made it"."""
        if line.points is None and not line.out:
            return "blank"
        told = "out" if line.out else str(line.points)
        if not self.story.variant.climbs_alone or line.out:
            return told
        return f"{told}, {'made' if line.made else 'not made'}"

    def say(self, problem: Problem) -> str:
        """Say a problem with the name of whom it is about."""
        if problem.seat is None:
            return problem.says
        return f"{self.names[self.story.start.seats[problem.seat]]}: {problem.says}"

    def sentences(self, facts: Iterable[Fact], after: Story) -> Iterator[str]:
        """Say what would be written, a sentence a player, in seat order."""
        counted = next((fact for fact in facts if isinstance(fact, Counted)), None)
        if counted is None:
            yield "All this is on the pad already."
            return
        for place, player in enumerate(self.story.start.seats):
            hand = counted.hands.get(player)
            if hand is None:
                continue
            name, before = self.names[player], self.standing.get(player)
            total = after.score.totals[place]
            if before:
                change = f"{before.says} → {'out' if hand.out else hand.left}"
                yield f"{name} {change}, now {total}."
            elif hand.out:
                yield f"{name} goes out."
            elif self.number > len(after.rounds):
                yield f"{name} +{hand.left}."
            else:
                yield f"{name} +{hand.left}, now {total}."
            if self.story.variant.climbs_alone and hand.made:
                yield f"{name} makes {self.story.variant.words.step} {self.steps[place]}."

    def next_says(self, after: Story) -> str:
        """Say what comes after the save."""
        names = [self.names[player] for player in after.start.seats]
        if after.score.over:
            winners = tuple(names[place] for place in after.score.winners)
            verb = "wins" if len(winners) == 1 else "share the win"
            return f"Then the game is over: {join_names(winners)} {verb}."
        if self.number > len(after.rounds):
            missing = tuple(
                self.names[player] for player in after.start.seats if player not in after.counting
            )
            return f"Still to be counted: {join_names(missing)}."
        title = title_of(after.variant, after.score.step)
        title = title[:1].lower() + title[1:]
        return f"Then round {after.open_round}, {title}. {names[after.score.dealers[-1]]} deals."


def _fill(line: HandLine, hand: TypedHand) -> HandLine:
    """Put what was typed into a line."""
    try:
        count = read_count(hand.left)
    except UnreadableCountError:
        count = None
    return replace(
        line,
        out=hand.out,
        made=hand.made,
        typed=hand.left,
        points=count.points if count else 0 if hand.out else None,
        base=hand.base,
    )
