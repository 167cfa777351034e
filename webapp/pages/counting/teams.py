"""Counting by team: a column for each team, its points so far, and what is still missing."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from referee import MOST_ARRANGED, Score, Variant, variants
from webapp.game.facts import Corrected, Counted
from webapp.game.hand import Hand, Hands, UnreadableCountError, read_left
from webapp.game.melds import names_melds, read_laid_down
from webapp.game.replay import GameState
from webapp.game.teams import (
    Team,
    brief_kinds,
    kept_of,
    line_in,
    read_teams,
    say_aside,
    teams_in,
    went_out,
)
from webapp.game.validation import CountForm
from webapp.language import say
from webapp.pages.counting.lines import (
    BonusKind,
    CountFields,
    Line,
    TeamColumn,
    TeamPlayer,
    TeamSums,
)
from webapp.players.tokens import People, team_token
from webapp.text.formatting import capital, joined, say_points


@dataclass(frozen=True, slots=True)
class TeamSheet:
    """One round of a game that is counted by team."""

    state: GameState
    number: int
    variant: Variant
    before: Score
    people: People

    @property
    def teams(self) -> tuple[Team, ...]:
        """The teams, in seat order."""
        return read_teams(self.state, self.people.names)

    def called(self, player: int) -> str:
        """Return the name of a player’s team."""
        return next(team.name for team in self.teams if player in team.players)

    @property
    def kinds(self) -> CountFields:
        """The fields that the page has for each team."""
        return kinds_of(self.variant.seated(len(self.state.seats)))

    def sums(self, form: CountForm) -> Iterator[tuple[int, TeamSums]]:
        """Yield the id of each team’s first player, with the team’s points and total so far.

        A blank counts as nothing yet.
        """
        seen = self.state.hands_of(self.number)
        hands = {
            who: replace(hand, base=seen[who].seq if who in seen else 0)
            for who, hand in self._hands(form)
        }
        closed = len(self.state.rounds)
        if self.number <= closed:
            after = self.state.with_facts(
                [Corrected(round=self.number, hands=hands, closed=closed)]
            )
        else:
            after = self.state.with_facts([Counted(round=self.number, hands=hands)])
        if len(after.rounds) < self.number:
            return
        opens = after.score.opens_with
        for players in teams_in(self.state):
            seat, told = self.state.seats.index(players[0]), line_in(form.hands, players)
            points = after.score.points[self.number - 1][seat]
            total = after.score_before(self.number + 1).totals[seat]
            is_last = self.number == len(after.rounds) and opens and not after.score.over
            says = say("pad.needs", points=opens[seat]) if is_last else ""
            if self._lacks(players, told):
                says = say("tally.so-far")
            sums = TeamSums(say_points(points), say_points(total), says)
            one = told.get(players[0])
            if one and names_melds(one.table):
                laid = self.laid(one)
                known = dict((laid or one).bonus)
                sums = sums._replace(table=str(laid.table_points) if laid else "?", bonus=known)
            yield players[0], sums

    def _hands(self, form: CountForm) -> Iterator[tuple[int, Hand]]:
        """Yield the hands as typed; a field that is blank or can’t be read is empty."""
        seen = self.state.hands_of(self.number)
        for players in teams_in(self.state):
            told = line_in(form.hands, players)
            if not told and players[0] in seen:
                yield from ((who, seen[who].hand) for who in players if who in seen)
                continue
            # A form without a team’s fields means the same as one with blank fields.
            one = self._read(told.get(players[0], Hand()))
            for who, hand in kept_of(self.variant, players, {**told, players[0]: one}).items():
                yield who, replace(hand, close=form.close if hand.out else "")

    def _read(self, hand: Hand) -> Hand:
        try:
            left = read_left(hand.left, self.variant.pack, MOST_ARRANGED)
        except UnreadableCountError:
            left = ""
        laid = self.laid(hand) or replace(hand, table="")
        return replace(laid, left=left, table=laid.table or "0")

    def laid(self, hand: Hand) -> Hand | None:
        """Return a team’s hand with its melds as points, and its bonuses; None if it can’t be read.

        The bonuses are as ticked, or as the cards of the melds say if they were named.
        """
        try:
            return read_laid_down(self.variant.seated(len(self.state.seats)), hand)
        except UnreadableCountError:
            return None

    def unread_in(self, hand: Hand) -> str:
        """Return the field that makes a hand unreadable: "table" or "left"."""
        return "table" if hand.table and self.laid(hand) is None else "left"

    def _lacks(self, players: Sequence[int], told: Hands) -> tuple[str, ...]:
        """Return the fields of a team that are blank and shouldn’t be: "table", "left"."""
        one = told.get(players[0], Hand())
        table = self.variant.pad.asks_table and not one.table
        left = not one.left and not (one.out and len(players) == 1)
        return ("table",) * table + ("left",) * left

    def say_missing(
        self, form: CountForm, blank: Sequence[int], called: Callable[[int], str]
    ) -> str:
        """Return what is still blank, in words: "Still need Ben and Dov’s cards left"."""
        blanks: dict[int, tuple[str, ...]] = {}
        for players in teams_in(self.state):
            if players[0] in blank:
                told = line_in(form.hands, players)
                blanks[players[0]] = self._lacks(players, told) if told else ("table", "left")
        kinds = {kind for each in blanks.values() for kind in each}
        how = kinds.pop() if len(kinds) == 1 else "both"
        if len(blanks) == len(self.state.teams):
            return say("tally.still-all", how)
        return say("tally.still", how, name=joined(map(called, blanks)))

    def describe(self, hand: Hand) -> Iterator[str]:
        """Yield a team’s hand in a few words: "natural 1", "245 down, 20"."""
        for kind in self.kinds.bonuses:
            if kind.name in hand.bonus:
                yield say("tally.some", title=kind.title, n=hand.bonus[kind.name])
        if hand.aside:
            yield say("tally.some", title=self.kinds.aside, n=hand.aside)
        yield say("count.laid", table=hand.table or "–", left=hand.left or "–")

    def say_dealt(self) -> str:
        """Return who dealt this round, in words; empty if the game has no dealer."""
        dealer, pad = self.state.score.dealers[self.number - 1], self.variant.pad
        name = self.people.names[self.state.seats[dealer]]
        return say("tally.dealt", name=name) if pad.deals else ""

    def columns(
        self, lines: Sequence[Line], hands: Hands, sums: Mapping[int, TeamSums]
    ) -> Iterator[TeamColumn]:
        """Yield the columns of a page that counts by team, from its lines, hands and points."""
        by_player = {line.player_id: line for line in lines}
        names, tokens = self.people.names, self.people.tokens
        for team in self.teams:
            line, told = by_player[team.players[0]], line_in(hands, team.players)
            partners = [tokens[who] for who in team.players]
            yield TeamColumn(
                line=line,
                index=team.index,
                name=team.name,
                token=team_token(partners, [names[who] for who in team.players])
                if partners[1:]
                else partners[0],
                players=tuple(TeamPlayer(who, names[who], tokens[who]) for who in team.players),
                laid=self.laid(line.hand) or line.hand,
                out=went_out(told),
                untaken=frozenset(who for who, hand in told.items() if not hand.reserve),
                sums=sums[line.player_id],
                wrong={self.unread_in(line.hand): line.problem} if line.problem else {},
            )


@lru_cache(maxsize=200)
def kinds_of(variant: Variant) -> CountFields:
    """Return the fields that a game’s count page has for each team."""
    brief = brief_kinds(variant)
    aside, reserve, pad = variant.aside, variant.reserve, variant.pad
    scores = json.loads(variants.kept(variant)).get("score", {})
    needs, minus = dict(variant.going_out.needs) if variant.going_out else {}, "0"
    if aside and aside.minus != "never":
        minus = "down" if aside.minus == "not-down" else str(needs.pop("any", 0))
    once = pad.outright > 1 or pad.at_once is not None
    return CountFields(
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
