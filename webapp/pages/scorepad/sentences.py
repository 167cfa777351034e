"""Sentences about saves: what a save would write, and what a correction changed."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from referee import Cards, Variant
from referee.scorepad import CloseChoice, KnockLayOff, close_choice, closed_as
from webapp.game.facts import Counted, Fact
from webapp.game.hand import Hand
from webapp.game.replay import GameState
from webapp.game.state import left_of, say_hand
from webapp.game.teams import read_teams
from webapp.language import say
from webapp.text.formatting import joined, say_points, signed, title_of, uncapital


@dataclass(frozen=True, slots=True, kw_only=True)
class Saving:
    """The state of a game before and after a save, which may not have happened yet."""

    before: GameState
    after: GameState
    number: int
    names: Mapping[int, str]

    def describe(self, facts: Iterable[Fact]) -> Iterator[str]:
        """Yield what would be written, a sentence for each player, in seat order."""
        counted = next((fact for fact in facts if isinstance(fact, Counted)), None)
        if counted is None:
            yield say("saving.already")
            return
        for player in self.before.seats:
            if player in counted.hands:
                yield self._describe_hand(player, counted.hands[player])
                yield from self._describe_made(player, counted.hands[player])
        if self.number <= len(self.after.rounds):
            yield from self._describe_round()
        if self.number <= len(self.before.rounds):
            yield from describe_changes(self.before, self.after, self.names, said=counted.hands)

    def _describe_round(self) -> Iterator[str]:
        """Yield what the round comes to as a whole, in addition to each hand."""
        after, pad = self.after, self.after.variant.pad
        cells = after.hands_of(self.number)
        yield from say_laid_off(after, self.number, self.names)
        if pad.dry and not any(cell.hand.out for cell in cells.values()):
            yield say("saving.nobody-out", dry=uncapital(pad.dry))
            yield from self._describe_shared()
        if self.number == len(self.before.rounds) + 1:
            there = zip(after.seats, self.before.score.playing, after.score.playing, strict=True)
            for player, was, plays in there:
                if was and not plays and after.seating.plays(player, self.number + 1):
                    yield say("saving.out-of-game", name=self.names[player])

    def _describe_shared(self) -> Iterator[str]:
        """Yield who shares a round that nobody won, in a game that counts rounds won."""
        after, number = self.after, self.number
        pad, won = after.variant.pad, sum(after.score_before(number + 1).games_won)
        if pad.counts_wins and won == sum(after.score_before(number).games_won):
            points = after.score.points[number - 1]
            best = max(points)
            level = (
                self.names[who]
                for who, got in zip(after.seats, points, strict=True)
                if got == best and who in after.hands_of(number)
            )
            yield say("saving.shared", names=joined(level))

    def _describe_hand(self, player: int, hand: Hand) -> str:
        after, number = self.after, self.number
        name, place = self.names[player], after.seats.index(player)
        laid = laid_off_by(after, number, player)
        left = laid.kept.points if laid else left_of(after.variant, hand, number)
        standing = self.before.hands_of(number).get(player)
        complete = number <= len(after.rounds)
        points = after.score.points[number - 1][place] if complete else left
        total = say_points(after.score.totals[place]) if complete else ""
        if standing:
            how, does = "changed" if complete else "entered", say_hand(hand, left)
        else:
            does = self._say_played(name, hand, left)
            how = "scored" if complete and (points or not hand.out) else ""
            if not does:
                how, does = "total" if complete else "points", name
        was = standing.says if standing else ""
        return say(
            "saving.hand",
            how,
            name=name,
            was=was,
            does=does,
            points=signed(points),
            total=total,
        )

    def _say_played(self, name: str, hand: Hand, left: int) -> str:
        """Return what a player did in addition to scoring: "Ana goes out"; empty if nothing."""
        after, variant = self.after, self.after.variant
        if hand.out:
            how = ", ".join(filter(None, close_of(after, hand)))
            way = ("close" if variant.close else "way") if how else ""
            return say("saving.out", way, name=name, how=how)
        if hand.table:
            return say("saving.table", name=name, hand=say_hand(hand, left))
        complete = self.number <= len(after.rounds)
        if hand.cards or (not complete and variant.pad.zero_sum):
            return say("saving.keeps", name=name, points=left)
        return ""

    def _describe_made(self, player: int, hand: Hand) -> Iterator[str]:
        """Yield that a player made their step, if every player has their own."""
        after, standing = self.after, self.before.hands_of(self.number).get(player)
        if after.variant.climbs_alone and hand.made and not (standing and standing.hand.made):
            step = after.score_before(self.number).steps[after.seats.index(player)]
            name, word = self.names[player], after.variant.words.step
            yield say("saving.makes", name=name, step=word, number=step)

    @property
    def next_says(self) -> str:
        """Return what comes after the save."""
        after = self.after
        shown = [self.names[player] for player in after.seats]
        if after.score.over:
            says = say("saving.over", result=say_winners(after, shown, after.score.winners))
            return " ".join(filter(None, (says, say_bonus(after, self.names), after.overtaken)))
        if self.number > len(after.rounds):
            who = (who for who in after.players_of(self.number) if who not in after.counting)
            return say("saving.missing", names=joined(map(self.names.__getitem__, who)))
        title = uncapital(title_of(after.variant, after.score.step))
        says = say("saving.next", "step" if title else "", step=title, number=after.open_round)
        pad = after.variant.pad
        if not pad.deals:
            return says
        return f"{says} {say('saving.deals', name=shown[after.score.dealers[-1]])}"

    @property
    def lead_says(self) -> str:
        """Return who leads after the save, and by how much: "Ana leads by 50."; or empty."""
        score, pad, seats = self.after.score, self.after.variant.pad, self.after.seats
        if score.over or not score.leaders:
            return ""
        first, *more = (team for team in self.after.teams if team[0] in score.leaders)
        others = (team for team in self.after.teams if team != first and score.places[team[0]])
        behind = [abs(score.totals[first[0]] - score.totals[team[0]]) for team in others]
        alone = not more and bool(behind) and not pad.counts_wins
        leaders = [self.names[seats[place]] for team in (first, *more) for place in team]
        by, how = min(behind, default=0), "by" if alone else ""
        return say(
            "saving.leads", how, n=len(leaders), names=joined(leaders), points=say_points(by)
        )


def laid_off_by(state: GameState, number: int, player: int) -> KnockLayOff | None:
    """Return what a player laid off in a complete round after another one knocked; or None."""
    if number > len(state.rounds):
        return None
    return state.score.laid_off[number - 1].get(state.seats.index(player))


def say_laid_off(state: GameState, number: int, names: Mapping[int, str]) -> Iterator[str]:
    """Yield what was laid off in a round: "Ben lays off 5♣ 6♣ 9♣ K♠, which leaves 48."."""
    for player in state.seats:
        laid = laid_off_by(state, number, player)
        if laid:
            cards = state.variant.speaker.cards(laid.cards)
            points = laid.kept.points
            if laid.cards:
                yield say("saving.lays-off", name=names[player], cards=cards, points=points)
            else:
                kept = state.variant.speaker.cards(laid.kept.left)
                yield say("saving.keeps-back", name=names[player], cards=kept, points=points)


def close_of(state: GameState, hand: Hand) -> tuple[str, str]:
    """Return how a round was closed and what that counts: "Colour", "×3"; or empty texts.

    If ways to close differ by what they add, the first text is empty, and the second names a way
    that adds something: "", "Big gin".
    """
    variant = state.variant
    if hand.shown:
        return close_shown(variant, variant.pack.parse(hand.shown), hand.close or None)
    choice = close_choice(variant, hand.close, joker=hand.joker)
    return _of_choice(choice) if choice else ("", "")


def _of_choice(choice: CloseChoice) -> tuple[str, str]:
    if choice.adds is None:
        return choice.title, choice.counts
    return "", choice.title if choice.adds else ""


def close_shown(variant: Variant, cards: Cards, said: str | None) -> tuple[str, str]:
    """Return how a hand that was shown closes and what that counts, as `close_of` does.

    Both texts are empty if the hand doesn’t close. `said` is the way to close that the player
    named; None if the cards decide.
    """
    found = closed_as(variant, cards, said)
    if found is None:
        return "", ""
    choice = choice_of(variant, cards, said)
    return _of_choice(choice) if choice else ("", f"×{found[1]}")


def choice_of(variant: Variant, cards: Cards, said: str | None) -> CloseChoice | None:
    """Return the way to close that a hand shown amounts to; None if it doesn’t close."""
    found = closed_as(variant, cards, said)
    joker = any(card in variant.wilds.cards for card in cards)
    return close_choice(variant, found[0], joker=joker) if found else None


def describe_changes(
    before: GameState, after: GameState, names: Mapping[int, str], said: Container[int] = ()
) -> Iterator[str]:
    """Yield a sentence for each change in the standings between two states of a game.

    The totals of the players in `said` are left out: they have been mentioned already.
    """
    shown = [names[player] for player in after.seats]
    if before.seats != after.seats:
        return
    was, now = before.score, after.score
    for team in read_teams(after, names):
        place, told = team.seats[0], any(who in said for who in team.players)
        if was.results[place] != now.results[place] and not told:
            points = say_points(now.results[place])
            yield say("saving.total", n=len(team.players), name=team.name, points=points)
    yield from _describe_seats(before, after, shown)
    yield from _describe_end(before, after, shown)


def _describe_seats(before: GameState, after: GameState, shown: Sequence[str]) -> Iterator[str]:
    was, now, variant = before.score, after.score, after.variant
    for place, name in enumerate(shown):
        if variant.climbs_alone and was.steps[place] != now.steps[place]:
            yield _describe_step(after, name, now.steps[place])
        if variant.pad.counts_wins and was.games_won[place] != now.games_won[place]:
            yield say("saving.won", n=now.games_won[place], name=name)
        plays = now.playing[place]
        if was.playing[place] != plays and not now.over and not was.over:
            yield say("saving.plays", "again" if plays else "", name=name)


def _describe_step(state: GameState, name: str, step: int) -> str:
    how = "last" if step > len(state.variant.contracts) else ""
    return say("saving.step", how, name=name, step=state.variant.words.step, number=step)


def _describe_end(before: GameState, after: GameState, shown: Sequence[str]) -> Iterator[str]:
    was, now = before.score, after.score
    if was.over and not now.over:
        yield say("saving.not-over")
    elif now.over and not was.over:
        yield say("saving.over-now", result=say_winners(after, shown, now.winners))
    elif now.over and was.winners != now.winners:
        yield say("saving.now", what=say_winners(after, shown, now.winners))
    elif was.leaders != now.leaders and now.leaders:
        leaders = [shown[place] for team in after.teams for place in team if place in now.leaders]
        yield say("saving.leads-now", n=len(leaders), names=joined(leaders))
    if was.dealers[-1] != now.dealers[-1] and not now.over and len(was.dealers) == len(now.dealers):
        yield say("saving.deals-next", name=shown[now.dealers[-1]])


def say_winners(state: GameState, shown: Sequence[str], places: Container[int]) -> str:
    """Return who wins: "Ana wins", "Ana and Ben share the win", for a team "Ana and Ben win"."""
    teams = [team for team in state.teams if team[0] in places]
    winners = [shown[place] for team in teams for place in team]
    how = "team" if len(teams) == 1 and len(winners) > 1 else ""
    return say("pad.wins", how, n=len(winners), names=joined(winners))


def say_problem(says: str, number: int | None, name: str) -> str:
    """Return a problem with its round and player, if they are known: "Round 2, Ana: …"."""
    how = ("round-name" if name else "round") if number else "name" if name else ""
    return say("saving.problem", how, says=says, number=number, name=name)


def say_bonus(state: GameState, names: Mapping[int, str]) -> str:
    """Return the points added at the end: "Added at the end: Ana +150, Ben +25."; or empty."""
    bonus = state.score.bonus
    given = [
        f"{team.name} {signed(bonus[team.seats[0]])}"
        for team in read_teams(state, names)
        if bonus[team.seats[0]]
    ]
    return say("saving.bonus", points=", ".join(given)) if given else ""
