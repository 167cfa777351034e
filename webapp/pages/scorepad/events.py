"""Events in words: the last entry, players who joined and left, and corrections."""

from collections.abc import Iterator, Mapping
from typing import Final

from referee.scorepad import Problem
from webapp.game.facts import (
    Amended,
    CarriedOn,
    Corrected,
    Counted,
    Disputed,
    Fact,
    Joined,
    LaidDown,
    Left,
    Noted,
    Reseated,
    SatOut,
    Took,
    Undone,
    Voided,
)
from webapp.game.hand import Hand
from webapp.game.replay import GameState
from webapp.game.state import LoggedFact, say_hand
from webapp.game.teams import read_teams
from webapp.language import say
from webapp.own_games.sentences import say_house_rules
from webapp.pages.scorepad.by_team import describe_teams
from webapp.pages.scorepad.sentences import describe_changes, say_problem
from webapp.text.formatting import joined, name_step, say_points, say_time, uncapital


def say_entry(entry: LoggedFact, state: GameState, names: Mapping[int, str]) -> str:
    """Return what an entry was, for the button that undoes it."""
    match entry.fact:
        case Undone(seqs=seqs) as fact:
            if number := round_of(state, fact):
                return say("entry.round", number=number)
            since = state.entry(min(seqs)).at.astimezone()
            return say("entry.phone", time=say_time(since))
        case Voided(seq=seq):
            return say("entry.undo", what=say_entry(state.entry(seq), state, names))
        case Amended():
            return say("entry.rules")
        case CarriedOn():
            return say("entry.paper")
        case _:
            return _say_fact(entry.fact, state, names)


def round_of(state: GameState, fact: Fact) -> int | None:
    """Return the round whose hands a fact undid all at once, from all phones; else None."""
    if not isinstance(fact, Undone) or fact.phone:
        return None
    [number] = {
        counted.round for seq in fact.seqs if isinstance(counted := state.entry(seq).fact, Counted)
    }
    return number


def _say_fact(fact: Fact, state: GameState, names: Mapping[int, str]) -> str:
    match fact:
        case Corrected() as counted:
            # The players of a team in the order in which they sit.
            place = state.seats.index if state.in_teams else None
            hands = sorted(counted.hands, key=place) if place else counted.hands
            who, how = joined(names[player] for player in hands), "team" if place else ""
            return say("entry.correction", how, names=who, number=counted.round)
        case Counted(hands=hands) as counted if len(hands) == 1:
            ((player, hand),) = hands.items()
            return say(
                "entry.hand", name=names[player], hand=_say_hand(state, hand), number=counted.round
            )
        case Counted() as counted:
            return say("entry.round", number=counted.round)
        case Noted() as noted:
            return say("entry.note", number=noted.round)
        case LaidDown() | Disputed() | Took() | Joined() | Left() | SatOut() | Reseated() as fact:
            who = "" if isinstance(fact, Reseated) else names[fact.player]
            off = isinstance(fact, LaidDown) and not fact.melds
            asked = isinstance(fact, Disputed) and fact.about
            how = "lay-off" if off else "decision" if asked else _WORDS[type(fact)]
            return say("entry.event", how, name=who, number=fact.round)
        case _:
            return say("entry.last")


_WORDS: Final[Mapping[type, str]] = {
    LaidDown: "lay-down",
    Disputed: "dispute",
    Took: "may-i",
    Joined: "joined",
    Left: "left",
    SatOut: "sat-out",
    Reseated: "seats",
}


def _say_hand(state: GameState, hand: Hand) -> str:
    found = (cell for cells in (*state.rounds, state.counting) for cell in cells.values())
    left = next((cell.left for cell in found if cell.hand is hand), hand.points)
    return say_hand(hand, left)


def say_changed(state: GameState, names: Mapping[int, str]) -> str:
    """Return what a correction of a past round changed; empty once another hand is counted."""
    entry = state.latest
    if entry is None or not isinstance(entry.fact, Corrected):
        return ""
    number, without = entry.fact.round, state.with_facts([Voided(seq=entry.seq)])
    told = [*describe_teams(state, without, number, entry.fact.hands, names)]
    for player in () if told else entry.fact.hands:
        cell = state.hands_of(entry.fact.round)[player]
        was = cell.before.says if cell.before else say("hand.blank")
        how = "" if was != cell.says else "made" if cell.hand.made else "not"
        told.append(say("pad.change", how, name=names[player], was=was, now=cell.says))
    at = say_time(entry.at.astimezone())
    says = say("pad.round-corrected", number=number, time=at, changes=", ".join(told))
    return " ".join((says, *describe_changes(without, state, names)))


def say_moves(state: GameState, names: Mapping[int, str]) -> Iterator[str]:
    """Yield who joined late and who left and how that counts, and that the rules were changed."""
    if state.carried_on:
        totals = ", ".join(_say_so_far(state, state.carried_on, names))
        before = state.carried_on.round - 1
        yield say("pad.on-paper", "" if before else "none", n=before, totals=totals)
    if state.amended:
        told = (f"{title}: {uncapital(value)}" for title, value in say_house_rules(state.variant))
        at, rules = say_time(state.amended.at.astimezone()), "; ".join(told)
        yield say("pad.rules-changed", "" if rules else "standard", time=at, rules=rules)
    for fact in _moves_in_force(state):
        match fact:
            case Joined(player=player, round=number, carried=carried, step=step):
                climbs = step > 1 and state.variant.climbs_alone
                yield say(
                    "pad.joined",
                    "step" if climbs else "",
                    "with" if carried else "",
                    name=names[player],
                    number=number,
                    step=name_step(state.variant, step),
                    points=say_points(carried),
                )
            case Left(player=player, round=number, ranked=ranked):
                how = "" if ranked else "unranked"
                yield say("pad.has-left", how, name=names[player], number=number)
            case SatOut(player=player, round=number, average=average):
                past = "was" if number <= len(state.rounds) else ""
                how = "average" if average else ""
                yield say("pad.sits-out", past, how, name=names[player], number=number)
            case Reseated(round=number):
                there = (who for who in state.seats if state.seating.stays(who, number))
                order = ", ".join(names[who] for who in there)
                yield say("pad.reseated", number=number, names=order)


def _say_so_far(state: GameState, fact: CarriedOn, names: Mapping[int, str]) -> Iterator[str]:
    """Yield what each player or team had on paper: "Ana 30", "Ana 30 (phase 4)"."""
    for team in read_teams(state, names):
        who = team.players[0]
        points = f"{team.name} {say_points(fact.totals[who])}" if who in fact.totals else ""
        if points and state.variant.climbs_alone:
            points += f" ({state.variant.words.step} {fact.steps.get(who, 1)})"
        yield from filter(None, (points,))


def _moves_in_force(state: GameState) -> Iterator[Joined | Left | SatOut | Reseated]:
    """Yield what players did, in order, without what they took back before the round began."""
    moves: list[Joined | Left | SatOut | Reseated] = []
    for entry in state.moves:
        match entry.fact:
            case Reseated() as fact:
                # Only the latest order is of interest.
                moves = [each for each in moves if not isinstance(each, Reseated)]
                moves.append(fact)
            case Joined() | Left() | SatOut() as fact:
                kept = [each for each in moves if not _is_undone_by(each, fact)]
                stays = isinstance(fact, Joined) and not fact.carried and len(kept) < len(moves)
                moves = kept if stays else [*kept, fact]
            case _:
                pass
    yield from moves


def _is_undone_by(fact: Joined | Left | SatOut | Reseated, later: Joined | Left | SatOut) -> bool:
    """Return whether a player was about to be away from a round, and decided otherwise."""
    if not isinstance(fact, Left | SatOut):
        return False
    return (fact.player, fact.round) == (later.player, later.round)


def _was_asked(state: GameState, problem: Problem) -> bool:
    """Return whether the table was asked about this cell or round, and saved it anyway."""
    if problem.round is None:
        return False
    player = None if problem.seat is None else state.seats[problem.seat]
    facts = (state.entry(cell.seq).fact for cell in state.hands_of(problem.round).values())
    return any(
        isinstance(fact, Counted)
        and problem.code.value in fact.override
        # A phone that completes a round is asked about the others’ hands as well.
        and (player is None or player in fact.hands or player in fact.doubted)
        for fact in facts
    )


def say_problems(state: GameState, names: Mapping[int, str]) -> Iterator[str]:
    """Yield what can’t be true of the scores: the round, the player, and why."""
    teams = read_teams(state, names)
    called = {seat: team.name for team in teams for seat in team.seats}
    for problem in state.score.problems:
        if problem.certain and not _was_asked(state, problem):
            who = "" if problem.seat is None else called[problem.seat]
            yield say_problem(state.variant.say(problem), problem.round, who)
