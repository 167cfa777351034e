"""Replaying a game: its state, from its entries.

Nothing here reads a database or a clock. The same entries give the same state on every engine, and
the referee’s scorepad turns the hands into points.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from referee import Score, Variant, keep_score, variants
from referee.scorepad import NEVER, Attendance, Changed
from webapp.game.facts import (
    Amended,
    CarriedOn,
    Corrected,
    Counted,
    Disputed,
    Fact,
    Finished,
    Joined,
    LaidDown,
    Left,
    Reopened,
    SatOut,
    Started,
    Took,
    Totalled,
    canonical,
)
from webapp.game.own_names import named_kind, own_name, shown_by_name
from webapp.game.seating import SeatingPlan, plan_seats
from webapp.game.state import (
    ASIDE,
    MOVE,
    Cell,
    LoggedFact,
    by_cell,
    deal_of,
    find_gaps,
    find_void,
    latest_void,
    lay_out,
    upcards_of,
)
from webapp.language import language, say

MOST_ROUNDS: Final = 500
"""The highest round number that a game started on paper can be carried on with."""

OF_PAPER: Final = 3
"""The most entries of a game from paper: its start, its totals, and its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameState:
    """A game’s state, as replayed from its entries."""

    entered: tuple[LoggedFact, ...]
    void: frozenset[int]
    """The numbers of the entries that are undone."""
    standing: frozenset[int]
    """The numbers of the entries that are in force: not undone, and not a correction of a hand that
    was undone. Some don’t show until a round before theirs is counted again."""
    start: Started
    carried_on: CarriedOn | None
    """What was played on paper before, if the game was started there."""
    totalled: Totalled | None
    """The totals, if the game was kept on paper and its rounds aren’t known."""
    variant: Variant
    """The game with its house rules, under the name that its table gave it."""
    called: str
    """The name that its table gave a game of points alone; empty if it has none."""
    options: Mapping[str, object]
    """The house rules that differ from the source, by name."""
    amended: LoggedFact | None
    """The entry that last changed the house rules; None if they are those of the start."""
    changed: Changed
    """After which round the house rules were last changed, as the referee’s scorepad takes it."""
    seating: SeatingPlan
    """The players and their seats, including those who joined late or left."""
    rounds: tuple[Mapping[int, Cell], ...]
    """The complete rounds: for each, the hands of everybody who played in it, by player id."""
    counting: Mapping[int, Cell]
    """The hands counted so far in the round that isn’t complete, by player id."""
    lay_downs: Mapping[tuple[int, int], tuple[LaidDown, ...]]
    """The recorded lay-downs, by round and player."""
    upcards: Mapping[int, str]
    """The cards turned up at the deals, by round, in games that depend on them."""
    takes: Mapping[tuple[int, int], tuple[Took, ...]]
    """The May I's, by round and player."""
    moves: tuple[LoggedFact, ...]
    """Players joining, leaving, sitting out and changing seats, in the order in which that was
    entered."""
    asides: tuple[LoggedFact, ...]
    """Notes, May I's and disputes, in the order in which they were entered."""
    score: Score
    finished: bool
    last: LoggedFact | None
    """The entry that Undo would undo."""
    latest: LoggedFact | None
    """The latest entry that counted or corrected a hand."""
    taken_back: LoggedFact | None
    """The undo that Redo would undo."""

    @property
    def kind(self) -> str:
        """The kind of game that standings count it as: its slug, with the name it was given."""
        return named_kind(self.start.variant, self.called)

    @property
    def zeros(self) -> bool:
        """Whether the table said that an empty box is 0 in this game."""
        live = (entry.fact for entry in self.entered if entry.seq not in self.void)
        return any(isinstance(fact, Counted) and fact.zeros for fact in live)

    @property
    def seats(self) -> tuple[int, ...]:
        """Everybody who ever played in the game, in the order of play."""
        return self.seating.players

    @property
    def teams(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each team, from 0; in a game without teams everybody is a team of one."""
        return self.variant.teams(len(self.seats))

    @property
    def in_teams(self) -> bool:
        """Whether players form teams."""
        return self.variant.in_teams(len(self.seats))

    def team_of(self, place: int) -> int | None:
        """Return the number of the team at a seat, both from 0; None in a game without teams."""
        return place % len(self.teams) if self.in_teams else None

    @property
    def known(self) -> tuple[int, ...]:
        """The ids of everybody whom an entry ever seated, even if that entry was undone."""
        joined = (entry.fact for entry in self.entered)
        late = (fact.player for fact in joined if isinstance(fact, Joined))
        return tuple(dict.fromkeys((*self.start.seats, *late)))

    @property
    def first_round(self) -> int:
        """The first round that is counted here; later ones if the game was started on paper."""
        return self.carried_on.round if self.carried_on else 1

    @property
    def open_round(self) -> int | None:
        """The round that takes new counts; None once the rules say that the game is over."""
        return None if self.score.over else len(self.rounds) + 1

    @property
    def reached(self) -> int:
        """The last round that has a page: the open one, or the last one played."""
        return self.open_round or len(self.rounds) or 1

    @property
    def starter(self) -> int:
        """The seat that plays first: the first one after the dealer that is in the round."""
        order = self.seating.order_of(len(self.score.dealers))
        after = order.index(self.score.dealers[-1]) + 1
        turn = [*order[after:], *order[:after]]
        return next((place for place in turn if self.score.playing[place]), turn[0])

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won, or led if the table ended it early; none in an unfinished game."""
        if not self.finished:
            return ()
        return self.score.winners if self.score.over else self.score.leaders

    @property
    def places(self) -> tuple[int | None, ...]:
        """The place of each seat, from 1: first the winners, then by points.

        A team has one place: after a team of 2 that won comes the second. None for a player who
        left and isn’t ranked: no page lists them in order.
        """
        winners, counted = self.winners, self.score.places
        behind = {team: (team[0] not in winners, counted[team[0]]) for team in self.teams}
        order = sorted((lost, place) for lost, place in behind.values() if place is not None)
        return tuple(
            order.index((lost, place)) + 1 if place is not None else None
            for seat in range(len(self.seats))
            for lost, place in [behind[self.teams[seat % len(self.teams)]]]
        )

    @property
    def margin(self) -> int | None:
        """The points that the game was won by; None if points don’t decide it."""
        winners, counted, results = self.winners, self.score.places, self.score.results
        others = sorted(
            (place, seat)
            for seat, place in enumerate(counted)
            if place is not None and seat not in winners
        )
        if not winners or not others or self.variant.pad.counts_wins:
            return None
        first, (behind, second) = winners[0], others[0]
        # A player who wins without the best total isn’t ahead by any points.
        if behind <= (counted[first] or 0):
            return None
        return abs(results[first] - results[second]) or None

    @property
    def overtaken(self) -> str:
        """The sentence of the rule by which the player with the best total didn’t win.

        Empty if they won, or the game isn’t over.
        """
        pad, score, book = self.variant.pad, self.score, self.variant.rulebook
        if not (pad.overtaken and score.over):
            return ""
        if score.winners != score.leaders:
            won_by_hand = "overtaken" not in book.by_cite
            return book.cited("special-hands" if won_by_hand else "overtaken").says
        if pad.bonus is None:
            return ""
        best = max(score.results[place] for place in score.winners)
        return book.cited("end-bonus").says if best < max(score.results) else ""

    def players_of(self, number: int) -> tuple[int, ...]:
        """Return the ids of the players of a round that was reached, in the order of play."""
        if number <= len(self.rounds):
            there = {*self.rounds[number - 1]}
        else:
            both = zip(self.seats, self.score.playing, strict=True)
            there = {player for player, plays in both if plays}
        order = (self.seats[place] for place in self.seating.order_of(number))
        return tuple(player for player in order if player in there)

    def hands_of(self, number: int) -> Mapping[int, Cell]:
        """Return the hands counted in a round, by player id; empty if it wasn’t reached."""
        if 1 <= number <= len(self.rounds):
            return self.rounds[number - 1]
        return self.counting if number == len(self.rounds) + 1 else {}

    def score_before(self, number: int) -> Score:
        """Return the score at the start of a round that was reached."""
        if number > len(self.rounds):
            return self.score
        before = self.rounds[: number - 1]
        score = _keep(self.variant, self.seating, before, self.upcards, self.changed)
        if number <= self.changed.rounds:
            # The rules were changed later: by them, others might have been out of the game at that
            # time. Who played this round is known from its hands.
            hands = self.rounds[number - 1]
            score = replace(score, playing=tuple(who in hands for who in self.seats))
        return score

    @property
    def next_change(self) -> Changed:
        """The value that `changed` would have if the house rules were changed now."""
        score = self.score
        # If the last change of the rules ended the game, the rounds hadn’t ended it by the old
        # rules.
        by_change = score.over and self.changed == (score.ended, False)
        return Changed(score.ended or len(self.rounds), score.over and not by_change)

    @property
    def upcard_texts(self) -> Mapping[str, str]:
        """The card turned up in this round as the field of a question; empty if it isn’t known."""
        text = self.upcards.get(len(self.rounds) + 1, "")
        return {"turned": text} if text else {}

    def entry(self, seq: int) -> LoggedFact:
        """Return an entry by its number, from 1; raise LookupError if it’s too high."""
        return self.entered[seq - 1]

    def with_facts(self, facts: Iterable[Fact]) -> GameState:
        """Return the state as it would be with more facts, entered just now."""
        last = self.entered[-1]
        more = tuple(
            LoggedFact(seq=last.seq + count, at=last.at, device="", fact=fact)
            for count, fact in enumerate(facts, 1)
        )
        return replay(self.entered + more)


def replay(entered: Sequence[LoggedFact]) -> GameState:
    """Replay a game’s entries, in order, to its state.

    Raises ValueError if the first entry isn’t its start, if a game from paper has other entries, or
    if somebody joins or leaves a game with teams, sits out or changes seats there.
    """
    start = entered[0].fact if entered else None
    if not isinstance(start, Started):
        raise ValueError(say("intake.no-start"))  # noqa: TRY004 - the entries are wrong
    totalled = _find_totals(start, entered)
    void = find_void(entered)
    live = [entry for entry in entered if entry.seq not in void]
    # The last change of the rules applies to the whole game, so it’s needed before any hand is
    # read.
    amended = next((entry for entry in reversed(live) if isinstance(entry.fact, Amended)), None)
    ruled = amended.fact if amended and isinstance(amended.fact, Amended) else start
    form = canonical(dict(ruled.game)) if ruled.game else ""
    kept = variant_of(start.variant, canonical(dict(ruled.options)), form)
    variant = shown_by_name(variants.in_language(kept, language()))
    moves = tuple(entry for entry in live if isinstance(entry.fact, MOVE))
    carried_on = _find_carried_on(start, entered, live, variant)
    seating = plan_seats(start, (entry.fact for entry in moves), carried_on)
    if moves and variant.in_teams(len(seating.players)):
        raise ValueError(say("intake.teams"))
    # Undoing a player’s joining leaves entries about somebody who has no seat. They are dropped
    # here, before anything is worked out from them.
    seated = frozenset(seating.players)
    live = [entry for entry in live if not _is_of_a_stranger(entry.fact, seated)]
    laid, standing = lay_out(variant, live)
    cells = {cell: hand for cell, hand in laid.items() if cell[1] in seated}
    gaps = find_gaps(entered, live, laid)
    changed = _changed(amended, live)
    # A round that a correction or a change of the rules found closed stays closed.
    closes = (entry.fact.closed for entry in live if isinstance(entry.fact, Corrected))
    closed = max((*closes, changed.rounds))
    upcards = upcards_of(live)

    def keep(rounds: Sequence[Mapping[int, Cell]]) -> Score:
        return _keep(variant, seating, rounds, upcards, changed)

    first = carried_on.round if carried_on else 1
    rounds, counting, score = _split(keep, seating, cells, closed, gaps, first)
    # There are no hands to score on paper: the totals written there replace the score.
    if totalled:
        score = _score_of(variant, seating.players, seating.dealer, totalled)
    shown = {(number, who) for number, hands in enumerate((*rounds, counting), 1) for who in hands}
    return GameState(
        entered=tuple(entered),
        void=void,
        standing=frozenset(entry.seq for entry in standing),
        start=start,
        carried_on=carried_on,
        totalled=totalled,
        variant=variant,
        called=own_name(kept),
        options=ruled.options,
        amended=amended,
        changed=changed,
        seating=seating,
        rounds=rounds,
        counting=counting,
        lay_downs=by_cell(live, LaidDown),
        upcards=upcards,
        takes=by_cell(live, Took),
        moves=tuple(entry for entry in moves if not _is_of_a_stranger(entry.fact, seated)),
        asides=tuple(entry for entry in live if isinstance(entry.fact, ASIDE)),
        score=score,
        finished=_is_finished(entered),
        last=standing[-1] if standing else None,
        latest=next((e for e in reversed(standing) if _shows(e.fact, shown)), None),
        taken_back=latest_void(entered, void),
    )


def _changed(amended: LoggedFact | None, live: Iterable[LoggedFact]) -> Changed:
    """Return when the house rules last changed: never after a round that nobody had counted yet."""
    if amended is None or not isinstance(amended.fact, Amended):
        return NEVER
    counted = max(
        (
            entry.fact.round
            for entry in live
            if isinstance(entry.fact, Counted) and entry.seq < amended.seq
        ),
        default=0,
    )
    rounds = amended.fact.rounds
    if rounds is None:
        # Older games didn’t store whether the game was over: the scorepad asks, as after any round.
        return Changed(counted, over=True)
    return Changed(max(0, min(rounds, counted)), amended.fact.over)


def _is_of_a_stranger(fact: Fact, seated: Container[int]) -> bool:
    """Return whether a fact is about somebody without a seat, because their joining was undone."""
    named = LaidDown | Took | Disputed | Left | SatOut
    return isinstance(fact, named) and fact.player not in seated


def _shows(fact: Fact, shown: Container[tuple[int, int]]) -> bool:
    """Return whether a fact counted hands, all of them in cells (round, player) that show.

    `shown` has those cells.
    """
    return isinstance(fact, Counted) and all((fact.round, who) in shown for who in fact.hands)


@lru_cache(maxsize=256)
def variant_of(slug: str, options: str, form: str) -> Variant:
    """Return a game with its house rules (`options`) and its stored rules (`form`).

    Both are JSON from `canonical`.
    """
    return variants.kept_with(slug, json.loads(options), form)


def _split(  # noqa: PLR0913, PLR0917 - all that says which rounds are complete
    keep: Callable[[Sequence[Mapping[int, Cell]]], Score],
    seating: SeatingPlan,
    cells: Mapping[tuple[int, int], Cell],
    closed: int,
    gaps: Container[tuple[int, int]],
    first: int,
) -> tuple[tuple[Mapping[int, Cell], ...], Mapping[int, Cell], Score]:
    """Split the complete rounds from the one being counted, and score them.

    A round that was `closed`, or that another one followed, is complete whoever is missing in it: a
    correction or a change of the rules can bring somebody back who didn’t play on. A round with
    `gaps`, cells whose hand was undone with everything from a phone, needs to be counted again.
    Rounds before the `first` were played on paper, and are empty.
    """
    last = max((number for number, _ in cells), default=0)
    rounds: list[Mapping[int, Cell]] = [{} for _ in range(1, first)]
    while True:
        number = len(rounds) + 1
        hands = {who: cells[number, who] for who in seating.players if (number, who) in cells}
        missing = [
            place
            for place, who in enumerate(seating.players)
            if who not in hands and seating.plays(who, number)
        ]
        gap = any((number, seating.players[place]) in gaps for place in missing)
        if not hands or gap or (missing and closed < number == last):
            # Scoring goes through all rounds, so it’s only done if somebody is missing or no round
            # is left.
            score = keep(rounds)
            # A player who is out of the game for good still has a seat, but their hand isn’t
            # missing.
            if not hands or any(score.playing[place] for place in missing):
                return tuple(rounds), hands, score
        rounds.append(hands)


def _keep(
    variant: Variant,
    seating: SeatingPlan,
    rounds: Sequence[Mapping[int, Cell]],
    upcards: Mapping[int, str],
    changed: Changed,
) -> Score:
    records = [
        [hands[who].record if who in hands else None for who in seating.players] for hands in rounds
    ]
    turned = [deal_of(variant, upcards.get(at, "")).upcard for at in range(1, len(rounds) + 1)]
    return keep_score(
        variant, seating.seats, records, seating.dealer, turned, changed, seating.orders
    )


def _is_finished(entered: Iterable[LoggedFact]) -> bool:
    # All entries, not only the live ones: Undo leaves these alone, and a finished game is reopened.
    turns = [entry.fact for entry in entered if isinstance(entry.fact, Finished | Reopened)]
    return bool(turns) and isinstance(turns[-1], Finished)


def _find_totals(start: Started, entered: Sequence[LoggedFact]) -> Totalled | None:
    """Return the totals of a game from paper; None if its rounds were counted here.

    Raises ValueError if it has more than its start, its totals and its end, or if the totals aren’t
    those of its players.
    """
    found = [entry.fact for entry in entered if isinstance(entry.fact, Totalled)]
    if not found:
        return None
    [fact, *_] = found
    if (
        len(entered) > OF_PAPER
        or entered[1].fact is not fact
        or not all(isinstance(entry.fact, Finished) for entry in entered[2:])
    ):
        raise ValueError(say("intake.paper"))
    seated = set(start.seats)
    if fact.totals.keys() != seated or not seated.issuperset(fact.winners) or not fact.winners:
        raise ValueError(say("intake.totals"))
    return fact


def _find_carried_on(
    start: Started,
    entered: Sequence[LoggedFact],
    live: Sequence[LoggedFact],
    variant: Variant,
) -> CarriedOn | None:
    """Return what was played on paper before the game was carried on here; None if nothing was.

    Raises ValueError if it isn’t the second entry, or isn’t about the players of the start.
    """
    found = [entry for entry in entered if isinstance(entry.fact, CarriedOn)]
    if not found:
        return None
    [entry, *more] = found
    fact, seats = entry.fact, start.seats
    assert isinstance(fact, CarriedOn)
    partners = variant.teams(len(seats))
    named = {*fact.steps, *fact.won} <= {*seats}
    if more or entry is not entered[1] or not 1 <= fact.round <= MOST_ROUNDS or not named:
        raise ValueError(say("intake.carried-on"))
    if fact.totals.keys() != {*seats} or any(
        len({(fact.totals[seats[at]], fact.won.get(seats[at], 0)) for at in team}) > 1
        for team in partners
    ):
        raise ValueError(say("intake.totals"))
    return fact if entry in live else None


def _score_of(variant: Variant, seats: Sequence[int], dealer: int, fact: Totalled) -> Score:
    """Return the score of a game from paper: no rounds, the totals, and the winners as written.

    Raises ValueError if partners have different totals, or if only some of them won.
    """
    for team in variant.teams(len(seats)):
        if len({(fact.totals[seats[at]], seats[at] in fact.winners) for at in team}) > 1:
            raise ValueError(say("intake.totals"))
    score = _count_totals(variant, [fact.totals[who] for who in seats], dealer)
    winners = tuple(place for place, who in enumerate(seats) if who in fact.winners)
    return replace(score, over=True, winners=winners, leaders=winners, step=None)


def best_of(variant: Variant, totals: Sequence[int]) -> tuple[int, ...]:
    """Return the seats with the best totals, as the game counts points; several if they tie."""
    places = _count_totals(variant, totals).places
    return tuple(seat for seat, place in enumerate(places) if place == 1)


def _count_totals(variant: Variant, totals: Sequence[int], dealer: int = 0) -> Score:
    """Return a score before any round, in which everybody starts with these totals."""
    return keep_score(variant, tuple(Attendance(carried=total) for total in totals), (), dealer)
