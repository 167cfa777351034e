"""Counting by team: a column for each, what its hand comes to so far, and what is still missing."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from referee import MOST_ARRANGED, Score, Variant, variants
from webapp.game.facts import Corrected, Counted, CountedHand
from webapp.game.hand import Count, TypedHand, UnreadableCountError, read_left
from webapp.game.replay import GameState
from webapp.game.tallying import BLANK, brief_kinds, counted_of, say_aside, teams_in
from webapp.game.teams import Team, read_teams
from webapp.language import say
from webapp.pages.counting.form import TypedHands
from webapp.pages.counting.lines import BonusKind, HandLine, Kinds, TeamColumn, TeamPlayer, TeamRun
from webapp.pages.counting.melds import names_melds, read_laid_down
from webapp.players.tokens import Token, team_token
from webapp.text.formatting import capital, grouped, joined, say_points


@dataclass(frozen=True, slots=True)
class TeamSheet:
    """One round of a game that is counted by team."""

    state: GameState
    number: int
    variant: Variant
    before: Score
    names: Mapping[int, str]
    tokens: Mapping[int, Token]

    @property
    def teams(self) -> tuple[Team, ...]:
        """The teams, in seat order."""
        return read_teams(self.state, self.names)

    def called(self, player: int) -> str:
        """The names of a player's team."""
        return next(team.name for team in self.teams if player in team.players)

    @property
    def kinds(self) -> Kinds:
        """What the page asks of each team."""
        return kinds_of(self.variant.seated(len(self.state.seats)))

    def run(self, typed: TypedHands) -> Iterator[tuple[int, TeamRun]]:
        """What each team’s hand and total come to, by its first player; a blank is nothing yet."""
        hands, seen = dict(self._hands(typed)), self.state.hands_of(self.number)
        based = {
            who: replace(hand, base=seen[who].seq if who in seen else 0)
            for who, hand in hands.items()
        }
        closed = len(self.state.rounds)
        if self.number <= closed:
            after = self.state.with_facts(
                [Corrected(round=self.number, hands=based, closed=closed)]
            )
        else:
            after = self.state.with_facts([Counted(round=self.number, hands=based)])
        if len(after.rounds) < self.number:
            return
        opens = after.score.opens_with
        for players in teams_in(self.state):
            seat, line = self.state.seats.index(players[0]), typed.lines.get(players[0])
            hand = after.score.points[self.number - 1][seat]
            total = after.score_before(self.number + 1).totals[seat]
            is_last = self.number == len(after.rounds) and opens and not after.score.over
            says = say("pad.needs", points=opens[seat]) if is_last else ""
            if line is None or self._lacks(players, line):
                says = say("tally.so-far")
            run = TeamRun(say_points(hand), grouped(total), says)
            if line and names_melds(line.table):
                known, laid = self.laid(line)
                run = run._replace(
                    table=str(laid.points) if laid else "?", bonus=dict(known.tally.bonus)
                )
            yield players[0], run

    def _hands(self, typed: TypedHands) -> Iterator[tuple[int, CountedHand]]:
        """The hands as they are typed, with nothing where a field is blank or can’t be read."""
        seen = self.state.hands_of(self.number)
        for players in teams_in(self.state):
            line = typed.lines.get(players[0])
            if line is None and players[0] in seen:
                yield from ((who, seen[who].entered) for who in players if who in seen)
                continue
            # A form without a team's fields says as little of it as one with blank fields.
            line = line or BLANK
            for who, hand in counted_of(players, *self._read(line)).items():
                yield who, replace(hand, close=typed.close if hand.out else "")

    def _read(self, line: TypedHand) -> tuple[TypedHand, Count, Count]:
        nothing = Count(points=0, typed="")
        try:
            left = read_left(line.left, self.variant.pack, MOST_ARRANGED) or nothing
        except UnreadableCountError:
            left = nothing
        line, laid = self.laid(line)
        return line, left, laid or nothing

    def laid(self, line: TypedHand) -> tuple[TypedHand, Count | None]:
        """A team’s line with its bonuses as its melds have them; None if that can’t be read."""
        try:
            return read_laid_down(self.variant.seated(len(self.state.seats)), line)
        except UnreadableCountError:
            return line, None

    def unread_in(self, line: TypedHand) -> str:
        """The row of a line that can’t be read."""
        return "table" if line.table and self.laid(line)[1] is None else "left"

    def _lacks(self, players: Sequence[int], line: TypedHand) -> tuple[str, ...]:
        """The fields of a team that are blank and shouldn’t be: "table", "left"."""
        pad = self.variant.pad
        table = pad.asks_table and not line.table
        left = not line.left and not (line.out and len(players) == 1)
        return ("table",) * table + ("left",) * left

    def say_missing(
        self, typed: TypedHands, blank: Sequence[int], called: Callable[[int], str]
    ) -> str:
        """Say what is still blank: "Still need Ben and Dov’s cards left"."""
        blanks: dict[int, tuple[str, ...]] = {}
        for players in teams_in(self.state):
            if players[0] in blank:
                line = typed.lines.get(players[0])
                blanks[players[0]] = self._lacks(players, line) if line else ("table", "left")
        kinds = {kind for each in blanks.values() for kind in each}
        how = kinds.pop() if len(kinds) == 1 else "both"
        if len(blanks) == len(self.state.teams):
            return say("tally.still-all", how)
        return say("tally.still", how, name=joined(map(called, blanks)))

    def tell(self, hand: TypedHand) -> Iterator[str]:
        """Say a team’s hand in a few words: "natural 1", "245 down, 20"."""
        for kind in self.kinds.bonuses:
            if kind.name in hand.tally.bonus:
                yield say("tally.some", title=kind.title, n=hand.tally.bonus[kind.name])
        if hand.tally.aside:
            yield say("tally.some", title=self.kinds.aside, n=hand.tally.aside)
        yield say("count.laid", table=hand.table or "–", left=hand.left or "–")

    def say_dealt(self) -> str:
        """Say who dealt this round."""
        dealer, pad = self.state.score.dealers[self.number - 1], self.variant.pad
        name = self.names[self.state.seats[dealer]]
        return say("tally.dealt", name=name) if pad.deals else ""

    def columns(
        self,
        lines: Sequence[HandLine],
        hands: Mapping[int, TypedHand],
        runs: Mapping[int, TeamRun],
    ) -> Iterator[TeamColumn]:
        """The columns of a page that counts by team."""
        by_player = {line.player_id: line for line in lines}
        for team in self.teams:
            first = team.players[0]
            if first not in by_player:
                continue
            line, names = by_player[first], [self.names[who] for who in team.players]
            hand = hands[first]
            tally = self.laid(hand)[0].tally
            yield TeamColumn(
                line=line,
                index=team.index,
                name=team.name,
                token=team_token([self.tokens[who] for who in team.players], names)
                if len(names) > 1
                else self.tokens[first],
                players=tuple(
                    TeamPlayer(who, self.names[who], self.tokens[who]) for who in team.players
                ),
                bonus=tally.bonus,
                aside=tally.aside,
                out=tally.out,
                untaken=tally.untaken,
                runs=runs[first],
                wrong={self.unread_in(hand): line.problem} if line.problem else {},
            )


@lru_cache(maxsize=200)
def kinds_of(variant: Variant) -> Kinds:
    """What the count page of a game asks of each team."""
    brief = brief_kinds(variant)
    aside, reserve, pad = variant.aside, variant.reserve, variant.pad
    scores = json.loads(variants.kept(variant)).get("score", {})
    needs, minus = dict(variant.going_out.needs) if variant.going_out else {}, "0"
    if aside and aside.minus != "never":
        minus = "down" if aside.minus == "not-down" else str(needs.pop("any", 0))
    once = pad.outright > 1 or pad.at_once is not None
    return Kinds(
        bonuses=tuple(BonusKind(one.name, brief[one.name], one.points) for one in variant.bonuses),
        aside=say_aside(variant),
        aside_each=aside.each if aside else 0,
        aside_all=aside.all if aside else None,
        most_aside=len(aside.cards) * variant.pack.copies if aside else 0,
        out=scores.get("out", 0),
        at_once=pad.outright_title if once else "",
        once=pad.at_once or 0,
        reserve=capital(variant.speaker.nouns["reserve"]) if reserve and reserve.untaken else "",
        untaken=reserve.untaken if reserve else 0,
        each_reserve=bool(reserve and not reserve.per_team),
        aside_needs=minus,
        adds=scores.get("settle") == "table-less-hand"
        and variant.cap is None
        and not (aside and aside.minus == "needs" and needs),
    )
