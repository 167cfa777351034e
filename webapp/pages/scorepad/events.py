"""Reminding: what was entered last, who came and went, what was corrected, in words for the pad."""

from collections.abc import Iterator, Mapping
from typing import Final

from referee.scorepad import Problem
from webapp.game.facts import (
    Amended,
    Corrected,
    Counted,
    CountedHand,
    Disputed,
    Fact,
    Joined,
    LaidDown,
    Left,
    Noted,
    Took,
    Undone,
    Voided,
)
from webapp.game.replay import Story
from webapp.game.state import Entered, say_hand
from webapp.game.teams import read_teams
from webapp.language import say
from webapp.own_games.telling import say_house_rules
from webapp.pages.scorepad.by_team import tell_teams
from webapp.pages.scorepad.sentences import say_problem, tell_changes
from webapp.text.formatting import joined, say_points, say_time, uncapital


def say_entry(entry: Entered, story: Story, names: Mapping[int, str]) -> str:
    """Say what an entry was, for the button that takes it back."""
    match entry.fact:
        case Undone(seqs=seqs) as fact:
            if number := round_of(story, fact):
                return say("entry.round", number=number)
            since = story.entry(min(seqs)).at.astimezone()
            return say("entry.phone", time=say_time(since))
        case Voided(seq=seq):
            return say("entry.undo", what=say_entry(story.entry(seq), story, names))
        case Amended():
            return say("entry.rules")
        case _:
            return _say_fact(entry.fact, story, names)


def round_of(story: Story, fact: Fact) -> int | None:
    """The round whose hands were all undone at once, by whichever phones they were saved."""
    if not isinstance(fact, Undone) or fact.phone:
        return None
    [number] = {
        counted.round for seq in fact.seqs if isinstance(counted := story.entry(seq).fact, Counted)
    }
    return number


def _say_fact(fact: Fact, story: Story, names: Mapping[int, str]) -> str:
    match fact:
        case Corrected() as counted:
            # A team is named as it sits.
            place = story.seats.index if story.in_teams else None
            hands = sorted(counted.hands, key=place) if place else counted.hands
            who, how = joined(names[player] for player in hands), "team" if place else ""
            return say("entry.correction", how, names=who, number=counted.round)
        case Counted(hands=hands) as counted if len(hands) == 1:
            ((player, hand),) = hands.items()
            return say(
                "entry.hand", name=names[player], hand=_say_hand(story, hand), number=counted.round
            )
        case Counted() as counted:
            return say("entry.round", number=counted.round)
        case Noted() as noted:
            return say("entry.note", number=noted.round)
        case LaidDown() | Disputed() | Took() | Joined() | Left() as fact:
            off = isinstance(fact, LaidDown) and not fact.melds
            how = "lay-off" if off else _WORDS[type(fact)]
            return say("entry.deed", how, name=names[fact.player], number=fact.round)
        case _:
            return say("entry.last")


_WORDS: Final[Mapping[type, str]] = {
    LaidDown: "lay-down",
    Disputed: "dispute",
    Took: "may-i",
    Joined: "joined",
    Left: "left",
}


def _say_hand(story: Story, hand: CountedHand) -> str:
    found = (each for hands in (*story.rounds, story.counting) for each in hands.values())
    left = next((each.left for each in found if each.entered is hand), hand.left)
    return say_hand(hand, left)


def say_changed(story: Story, names: Mapping[int, str]) -> str:
    """Tell of a past round that was corrected, until the next hand is counted."""
    entry = story.latest
    if entry is None or not isinstance(entry.fact, Corrected):
        return ""
    number, without = entry.fact.round, story.followed_by([Voided(seq=entry.seq)])
    told = [*tell_teams(story, without, number, entry.fact.hands, names)]
    for player in () if told else entry.fact.hands:
        hand = story.hands_of(entry.fact.round)[player]
        was = hand.before.says if hand.before else say("hand.blank")
        how = "" if was != hand.says else "made" if hand.made else "not"
        told.append(say("pad.change", how, name=names[player], was=was, now=hand.says))
    at = say_time(entry.at.astimezone())
    says = say("pad.round-corrected", number=number, time=at, changes=", ".join(told))
    return " ".join((says, *tell_changes(without, story, names)))


def say_moves(story: Story, names: Mapping[int, str]) -> Iterator[str]:
    """Say who joined late and who left, and how that counts; and that the rules were changed."""
    if story.amended:
        told = (f"{title}: {uncapital(value)}" for title, value in say_house_rules(story.variant))
        at, rules = say_time(story.amended.at.astimezone()), "; ".join(told)
        yield say("pad.rules-changed", "" if rules else "standard", time=at, rules=rules)
    for entry in story.moves:
        match entry.fact:
            case Joined(player=player, round=number, carried=carried, step=step):
                climbs = step > 1 and story.variant.climbs_alone
                yield say(
                    "pad.joined",
                    "step" if climbs else "",
                    "with" if carried else "",
                    name=names[player],
                    number=number,
                    step=f"{story.variant.words.step} {step}",
                    points=say_points(carried),
                )
            case Left(player=player, round=number, ranked=ranked):
                how = "" if ranked else "unranked"
                yield say("pad.has-left", how, name=names[player], number=number)


def _was_asked(story: Story, problem: Problem) -> bool:
    """Whether the table was asked about this cell, or this round, and saved it all the same."""
    if problem.round is None:
        return False
    player = None if problem.seat is None else story.seats[problem.seat]
    facts = (story.entry(hand.seq).fact for hand in story.hands_of(problem.round).values())
    return any(
        isinstance(fact, Counted)
        and problem.code.value in fact.override
        # A phone that completes a round is asked about hands of others, too.
        and (player is None or player in fact.hands or player in fact.doubted)
        for fact in facts
    )


def say_problems(story: Story, names: Mapping[int, str]) -> Iterator[str]:
    """Say what cannot be true of the scores as they stand: the round, whom it is about, and why."""
    teams = read_teams(story, names)
    called = {seat: team.name for team in teams for seat in team.seats}
    for problem in story.score.problems:
        if problem.certain and not _was_asked(story, problem):
            who = "" if problem.seat is None else called[problem.seat]
            yield say_problem(story.variant.say(problem), problem.round, who)
