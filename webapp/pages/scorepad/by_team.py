"""The pad’s notes about teams: what their points consist of, and what they need to go down."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace

from webapp.game.replay import GameState
from webapp.game.teams import brief_counts, is_by_team, read_teams, say_aside
from webapp.language import say
from webapp.pages.scorepad.pad import PadCell
from webapp.text.formatting import say_points, uncapital


def describe_cell(state: GameState, number: int, team: Sequence[int], cell: PadCell) -> PadCell:
    """Return a team’s cell with a note on what its points came from: "natural, 2 mixed, out"."""
    there = [state.hands_of(number).get(state.seats[place]) for place in team]
    hands = [each.hand for each in there if each]
    if not is_by_team(state) or not cell.seq or len(hands) < len(team):
        return cell
    variant, pad, first = state.variant, state.variant.pad, hands[0]
    told = [uncapital(each) for each in brief_counts(variant, first.bonus)]
    if not told and not any(hand.table_points for hand in hands):
        told.append(say("pad.no-melds"))
    if first.aside:
        told.append(say("pad.aside", title=uncapital(say_aside(variant)), n=first.aside))
    if not all(hand.reserve for hand in hands):
        told.append(say("pad.no-reserve", reserve=variant.speaker.nouns["reserve"]))
    if any(hand.close for hand in hands):
        told.append(uncapital(pad.outright_title))
    elif cell.out:
        told.append(variant.words.out.lower())
    return replace(cell, below=", ".join(told), times="")


def describe_teams(
    state: GameState,
    without: GameState,
    number: int,
    players: Container[int] | None,
    names: Mapping[int, str],
) -> Iterator[str]:
    """Yield how a correction changed a round in a game counted by team: "Ben and Dov 685 → 985".

    `without` is the state before it, and `players` are those it was about, who are listed even if
    nothing changed. In other games there is nothing to yield.
    """
    if not is_by_team(state) or number > len(without.rounds):
        return
    for team in read_teams(state, names):
        seat = team.seats[0]
        was, now = (each.score.points[number - 1][seat] for each in (without, state))
        if was != now or (players and any(player in players for player in team.players)):
            yield say("pad.change", name=team.name, was=say_points(was), now=say_points(now))


def opens_with(state: GameState, place: int) -> int | None:
    """Return the points that the first melds of the team at a seat need in the next round.

    None if the game is over, isn’t counted by team, or first melds need no points.
    """
    score, opening = state.score, state.variant.opening
    if state.finished or score.over or opening is None or not is_by_team(state):
        return None
    return score.opens_with[place] if score.opens_with else opening.points
