"""Weighing a count: what it would write, and what speaks against it. Nothing is written here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.scorepad import HandRecord, check_round
from webapp.facts import Corrected, Counted, CountedHand, Finished
from webapp.services.hands import UnreadableCountError, read_count

if TYPE_CHECKING:
    from collections.abc import Mapping

    from referee.scorepad import Problem
    from webapp.facts import Fact
    from webapp.services.hands import TypedHand, TypedHands
    from webapp.story import Hand, Story


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """A count, looked at from every side."""

    unread: Mapping[int, str]
    """Why a player's line names no count, in a sentence."""
    clashes: Mapping[int, CountedHand]
    """What was typed where another phone wrote something else meanwhile."""
    problems: tuple[Problem, ...]
    """What cannot be true."""
    doubts: tuple[Problem, ...]
    """What is unlikely, and to be asked once."""
    facts: tuple[Fact, ...]
    """What a save would write; nothing where everything is on the pad already."""


def weigh(story: Story, number: int, typed: TypedHands) -> Weighed:
    """Weigh what was typed for a round against what is on the pad."""
    standing = story.hands_of(number)
    hands, unread = _read(story, number, typed)
    changed = {
        player: hand
        for player, hand in hands.items()
        if player not in standing or not _is_same(hand, standing[player])
    }
    clashes = {
        player: hand
        for player, hand in changed.items()
        if hand.base != (standing[player].seq if player in standing else 0)
    }
    found = _check(story, number, changed) if changed and not unread else ()
    problems = tuple(problem for problem in found if problem.certain)
    doubts = tuple(problem for problem in found if not problem.certain)
    facts = _facts(story, number, changed, tuple(problem.code.value for problem in doubts))
    problems += _later_problems(story, facts) if facts and not problems and not clashes else ()
    return Weighed(unread=unread, clashes=clashes, problems=problems, doubts=doubts, facts=facts)


def _read(
    story: Story, number: int, typed: TypedHands
) -> tuple[dict[int, CountedHand], dict[int, str]]:
    standing = story.hands_of(number)
    hands: dict[int, CountedHand] = {}
    unread: dict[int, str] = {}
    for player in story.start.seats if typed.only is None else (typed.only,):
        line = typed.lines.get(player)
        try:
            hand = _read_line(line, _made(story, number, player, line)) if line else None
        except UnreadableCountError as error:
            unread[player] = str(error)
            continue
        if hand:
            hands[player] = hand
        elif player not in standing or typed.only is not None or (line and line.base):
            # A cell that this form saw filled was emptied by hand; one that it saw blank and that
            # another phone has counted since is simply theirs.
            unread[player] = "This hand is still blank. Blank is not nought."
    return hands, unread


def _read_line(line: TypedHand, made: bool | None) -> CountedHand | None:  # noqa: FBT001
    count = read_count(line.left)
    if count is None and not line.out:
        return None
    points, typed = (count.points, count.typed) if count else (0, "")
    return CountedHand(left=points, typed=typed, out=line.out, made=made, base=line.base)


def _made(story: Story, number: int, player: int, line: TypedHand | None) -> bool | None:
    """Tell whether the contract was made: as ticked, or else as recorded at the desk."""
    if story.variant.climbs_alone:
        return bool(line and (line.made or line.out))
    return True if (number, player) in story.lay_downs else None


def _is_same(hand: CountedHand, standing: Hand) -> bool:
    """Whether a hand says what is on the pad already; equal values are no conflict."""
    mine = (hand.left, hand.out, bool(hand.made))
    return mine == (standing.left, standing.out, bool(standing.made))


def _check(story: Story, number: int, changed: Mapping[int, CountedHand]) -> tuple[Problem, ...]:
    standing = story.hands_of(number)
    records: list[HandRecord | None] = []
    for player in story.start.seats:
        if player in changed:
            hand = changed[player]
            # Who goes out and has nothing typed holds nothing; what was typed is looked at.
            left = None if hand.out and not hand.left else hand.left
            records.append(HandRecord(out=hand.out, made=hand.made, left=left))
        else:
            records.append(standing[player].record if player in standing else None)
    return check_round(story.variant, story.steps_before(number), records)


def _facts(
    story: Story, number: int, changed: Mapping[int, CountedHand], override: tuple[str, ...]
) -> tuple[Fact, ...]:
    if not changed:
        return ()
    if number <= len(story.rounds):
        return (Corrected(round=number, hands=changed, override=override),)
    counted = Counted(round=number, hands=changed, override=override)
    if story.followed_by([counted]).score.over:
        return (counted, Finished(by="rules"))
    return (counted,)


def _later_problems(story: Story, facts: tuple[Fact, ...]) -> tuple[Problem, ...]:
    """Find what a correction would make impossible in the rounds that came after it."""
    if not isinstance(facts[0], Corrected):
        return ()
    known = set(story.score.problems)
    after = story.followed_by(facts).score.problems
    return tuple(problem for problem in after if problem.certain and problem not in known)
