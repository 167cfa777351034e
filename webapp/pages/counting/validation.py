"""Validating a count: what it would write, and what speaks against it. Nothing is written here."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from referee import (
    MOST_ARRANGED,
    Close,
    Code,
    Counts,
    ForTheTableError,
    Moment,
    PadRule,
    Variant,
    rule_on,
)
from referee.scorepad import (
    HandRecord,
    Problem,
    check_round,
    close_choices,
    doubt,
    must_say_how,
    problem,
)
from webapp.game.facts import Corrected, Counted, CountedHand, Fact, Finished
from webapp.game.hand import (
    TypedHand,
    UnreadableCountError,
    read_cards,
    read_count,
    read_left,
    read_points,
    read_upcard,
)
from webapp.game.replay import GameState
from webapp.game.state import deal_of, record_of
from webapp.game.tallying import counted_of, is_by_team, known_in, teams_in
from webapp.language import say
from webapp.pages.counting.form import TypedHands
from webapp.pages.counting.melds import count_melds, names_melds, read_laid_down, read_shown_melds
from webapp.refusal import Refusal
from webapp.text.formatting import uncapital

SHOWN: Final = 0
"""Stands for the hand that closed the round, among the lines that could not be read."""
UPCARD: Final = -1
"""Stands for the card turned up at the deal, there."""
_OF_THE_ROUND: Final = frozenset(
    {Code.TWO_OUT, Code.NOBODY_OUT, Code.NEEDS_MISSING, Code.ONLY_ONE_DOWN}
)
"""What is said of a player, and depends on all hands of the round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Validation:
    """A count, looked at from every side."""

    unread: Mapping[int, str]
    """Why a player's line names no count, in a sentence; under `SHOWN` why the hand shown is none,
    under `UPCARD` what is to be said of the card turned up.
    """
    blank: tuple[int, ...]
    """The players of `unread` whom nobody has counted yet."""
    conflicts: Mapping[int, CountedHand]
    """What was typed where another phone wrote something else meanwhile."""
    doubts: tuple[Problem, ...]
    """What speaks against it, to be asked once. None of it refuses a save: a scorepad writes down
    what the table decided."""
    facts: tuple[Fact, ...]
    """What a save would write; nothing if everything is on the pad already."""


def validate(state: GameState, number: int, typed: TypedHands) -> Validation:
    """Validate what was typed for a round against what is on the pad."""
    standing = state.hands_of(number)
    before = state.upcards.get(number, "")
    upcard, wrong = upcard_of(state, number, typed)
    variant = deal_of(state.variant, upcard)
    hands, unread, blank = _read(state, number, typed)
    if wrong:
        unread[UPCARD] = wrong
    elif variant.lacks_upcard and _wants_upcard(variant, hands.values()):
        unread[UPCARD] = say("count.which-turned", variant.pack.kind)
    changed = {
        player: hand
        for player, hand in hands.items()
        if player not in standing
        or not _is_same(hand, standing[player].entered)
        or (hand.cards and upcard != before)
    }
    changed = {
        player: hand
        for player, hand in changed.items()
        if not ((typed.part or player in standing) and _was_seen(state, number, player, hand))
    }
    if is_by_team(state):
        # A team's hands are changed together: what it laid is in one of them.
        teams = [team for team in teams_in(state) if not changed.keys().isdisjoint(team)]
        changed = {player: hands[player] for team in teams for player in team if player in hands}
    conflicts = {
        player: hand
        for player, hand in changed.items()
        if hand.base != (standing[player].seq if player in standing else 0)
    }
    if is_by_team(state):
        # The line of a team is chosen as a whole, also if only a partner's hand is another.
        firsts = [team[0] for team in teams if not conflicts.keys().isdisjoint(team)]
        conflicts = {player: changed[player] for player in firsts if player in changed}
    # A box is odd as soon as it is typed, while others are blank.
    doubts = _check(state, number, changed, typed) if changed else ()
    doubts += (*_odd_melds(state, number, typed), *_not_here(state, number, typed))
    # Somebody who ticked that nobody went out has been asked.
    answered = tuple(one for one in doubts if one.code is Code.NOBODY_OUT and typed.nobody)
    doubts = tuple(
        one
        for one in doubts
        if one not in answered and not _was_saved_over(state, number, one, changed)
    )
    if not set(state.players_of(number)) <= {*standing, *changed}:
        # The phone that completes the round is asked about it.
        doubts = tuple(one for one in doubts if not _is_of_the_round(one))
    turned = upcard if upcard != before else ""
    facts = _facts(state, number, changed, typed.reason if typed.sure else "", turned)
    if facts and not conflicts:
        doubts += _later_problems(state, facts)
    doubted = (state.seats[problem.seat] for problem in doubts if problem.seat is not None)
    whose = tuple(dict.fromkeys(doubted))
    facts = tuple(
        replace(fact, override=_codes((*doubts, *answered)), doubted=whose)
        if isinstance(fact, Counted)
        else fact
        for fact in facts
    )
    return Validation(unread=unread, blank=blank, conflicts=conflicts, doubts=doubts, facts=facts)


def upcard_of(state: GameState, number: int, typed: TypedHands) -> tuple[str, str]:
    """The card turned up, as typed or else as saved, and why what was typed isn’t a card."""
    kept = state.upcards.get(number, "")
    if state.variant.turning is None:
        return "", ""
    try:
        return read_upcard(typed.turned, state.variant.pack) or kept, ""
    except UnreadableCountError as error:
        return kept, str(error)


def _deal(state: GameState, number: int, typed: TypedHands) -> Variant:
    """The game in the deal of a round, as far as it is known what was turned up."""
    return deal_of(state.variant, upcard_of(state, number, typed)[0])


def _wants_upcard(variant: Variant, hands: Iterable[CountedHand]) -> bool:
    """Whether what is written down of hands cannot be counted without the card turned up."""
    rule = variant.turning
    if rule is None:
        return False
    return rule.twice is not None or (
        rule.rank_wild and any(hand.cards or hand.shown for hand in hands)
    )


def _codes(doubts: tuple[Problem, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(problem.code.value for problem in doubts))


def _read(
    state: GameState, number: int, typed: TypedHands
) -> tuple[dict[int, CountedHand], dict[int, str], tuple[int, ...]]:
    standing = state.hands_of(number)
    hands: dict[int, CountedHand] = {}
    unread: dict[int, str] = {}
    blank: list[int] = []
    teams = {team[0]: team for team in teams_in(state)} if is_by_team(state) else {}
    for player in teams or state.players_of(number) if typed.only is None else (typed.only,):
        line = typed.lines.get(player)
        try:
            if player in teams:
                counted = _read_team(state, number, teams[player], typed)
                hands |= counted
                hand = counted.get(player)
            else:
                hand = _read_line(state, number, player, line, typed) if line else None
        except UnreadableCountError as error:
            unread[player] = str(error)
            continue
        except UnreadableCloseError as error:
            # How another phone said that it closed isn't on a form that was made before.
            if player in standing and not (typed.shown or typed.close):
                hand = replace(standing[player].entered, base=standing[player].seq)
            else:
                unread[SHOWN] = str(error)
                continue
        if hand:
            hands[player] = hand
        elif player not in standing or typed.only is not None or (line and line.base):
            # A cell that this form saw filled was emptied by hand; one that it saw blank and that
            # another phone has counted since is simply theirs.
            unread[player] = say("count.blank", state.variant.pack.kind)
            blank.append(player)
    if typed.part and hands:
        # The others are on other phones.
        return hands, {who: says for who, says in unread.items() if who not in blank}, ()
    return hands, unread, tuple(blank)


def _read_team(
    state: GameState, number: int, players: Sequence[int], typed: TypedHands
) -> dict[int, CountedHand]:
    """Read what was typed for a team; nothing while what it laid or has left is blank.

    Raises UnreadableCountError, and UnreadableCloseError for how the round was closed.
    """
    variant, line = _deal(state, number, typed), typed.lines.get(players[0])
    if line is None:
        return {}
    left = read_left(line.left, variant.pack, MOST_ARRANGED)
    seated = variant.seated(len(state.seats))
    line = replace(line, tally=known_in(variant, line.tally))
    line, table = read_laid_down(seated, line) if variant.pad.asks_table else (line, None)
    if left is None and not (line.out and len(players) == 1):
        return {}
    if table is None and variant.pad.asks_table:
        return {}
    hands = counted_of(players, line, left, table)
    for player, hand in hands.items():
        shown, close, joker = _read_close(variant, typed, number) if hand.out else ("", "", False)
        base = typed.lines[player].base if player in typed.lines else 0
        hands[player] = replace(hand, base=base, shown=shown, close=close, joker=joker)
    return hands


class UnreadableCloseError(Refusal, ValueError):
    """How a round was closed is missing, or contradicts the cards."""


def _read_line(
    state: GameState, number: int, player: int, line: TypedHand, typed: TypedHands
) -> CountedHand | None:
    """Read one player's line; None if it is blank.

    Raises UnreadableCountError, and UnreadableCloseError for the hand that closed the round.
    """
    variant = _deal(state, number, typed)
    if variant.points_only:
        left = read_points(line.left)
    else:
        left = read_left(line.left, variant.pack if variant.names_cards else None, MOST_ARRANGED)
    table = _read_table(variant, line)
    if left is None and not line.out and not _may_be_blank(variant, typed):
        return None
    shown, close, joker = _read_close(variant, typed, number) if line.out else ("", "", False)
    named = line.out and left is not None and left.cards
    return CountedHand(
        left=left.points if left else 0,
        typed=left.typed if left else "",
        cards=left.cards if left else "",
        laid=read_shown_melds(variant, line.left, number) if named else (),
        out=line.out,
        made=_made(state, number, player, line),
        base=line.base,
        table=table[0],
        table_typed=table[1],
        shown=shown,
        close=close,
        joker=joker,
    )


def _may_be_blank(variant: Variant, typed: TypedHands) -> bool:
    """Whether players who aren’t out need no count: how the round ended decides."""
    if typed.part:
        return False
    counts = variant.pad.counts
    out = [line for line in typed.lines.values() if line.out]
    if counts is Counts.NONE:
        return bool(out) or typed.nobody
    if counts is Counts.POINTS:
        return any(line.left for line in typed.lines.values())
    return counts is Counts.WHERE_COMPARED and any(line.left in {"", "0"} for line in out)


def _read_table(variant: Variant, line: TypedHand) -> tuple[int | None, str]:
    if not variant.pad.asks_table:
        return None, ""
    table = read_count(line.table)
    # Nothing laid is nothing scored: that is what an empty table looks like.
    return (table.points, table.typed) if table else (0, "")


def _read_close(variant: Variant, typed: TypedHands, step: int) -> tuple[str, str, bool]:
    """Read how the round was closed: the cards shown, and what was said or chosen."""
    choices = {choice.key: choice for choice in close_choices(variant)}
    if not choices:
        return "", "", False
    if not must_say_how(variant):
        return "", typed.close if typed.close in choices else "", False
    if variant.close is None:
        if typed.close not in choices:
            raise UnreadableCloseError(say("count.say-how"))
        return "", typed.close, False
    try:
        shown = read_cards(typed.shown, variant.pack, max(variant.hand_at(step), MOST_ARRANGED))
    except UnreadableCountError as error:
        raise UnreadableCloseError(str(error)) from None
    choice = choices.get(typed.close)
    if shown:
        said = choice.word if choice and variant.close.strict else None
        try:
            rule_on(Close(cards=variant.pack.parse(shown), says=said), variant, Moment(step))
        except ForTheTableError as error:
            raise UnreadableCloseError(f"{say('count.say-how')} {error}") from None
        # Cards that don't close by the rules are a doubt, and count once if the table saves them.
        return shown, said or "", False
    if choice is None:
        raise UnreadableCloseError
    return "", choice.word, bool(choice.joker)


def _made(state: GameState, number: int, player: int, line: TypedHand) -> bool | None:
    """Whether the contract was made: as ticked, or else as recorded at the desk."""
    if state.variant.climbs_alone:
        return line.made
    return True if (number, player) in state.lay_downs and state.variant.contracts else None


def _was_seen(state: GameState, number: int, player: int, hand: CountedHand) -> bool:
    """Whether a hand is one that the form was made with, and that another phone changed since.

    Nobody typed it here: it is simply theirs. One that still stands was changed by nobody, and
    counts anew if another card was turned up.
    """
    standing = state.hands_of(number).get(player)
    if not 0 < hand.base <= len(state.entered) or (standing and hand.base == standing.seq):
        return False
    fact = state.entry(hand.base).fact
    return isinstance(fact, Counted) and player in fact.hands and _is_same(hand, fact.hands[player])


def _is_same(hand: CountedHand, standing: CountedHand) -> bool:
    """Whether a hand says what is on the pad already; equal values are no conflict."""

    def says(one: CountedHand) -> tuple[object, ...]:
        how = (one.laid, one.shown, one.close, one.joker)
        team = (dict(one.bonus), one.aside, one.reserve)
        return one.left, one.cards, one.out, bool(one.made), one.table, *how, *team

    return says(hand) == says(standing)


def _check(
    state: GameState, number: int, changed: Mapping[int, CountedHand], typed: TypedHands
) -> tuple[Problem, ...]:
    standing, variant = state.hands_of(number), _deal(state, number, typed)
    players = state.players_of(number)
    records: list[HandRecord | None] = []
    for player in state.seats:
        if player in changed:
            records.append(record_of(variant, changed[player]))
        else:
            records.append(standing[player].record if player in standing else None)
    before = state.score_before(number)
    found = check_round(
        variant,
        before.steps,
        records,
        grown=[
            variant.pad.grows_by * len(state.takes.get((number, who), ())) for who in state.seats
        ],
        playing=[who in players for who in state.seats],
        opens=before.opens_with,
    )
    found += tuple(_less_than_recorded(state, number, changed))
    anybody = any(record and record.out for record in records)
    if anybody or typed.nobody or not set(players) <= {*standing, *changed}:
        return found
    if number <= len(state.rounds) and not any(hand.out for hand in standing.values()):
        return found
    return (*found, *_is_it_dry(variant.pad))


def _less_than_recorded(
    state: GameState, number: int, changed: Mapping[int, CountedHand]
) -> Iterator[Problem]:
    """Ask where somebody is to score less on the table than was recorded there."""
    for place, player in enumerate(state.seats):
        team = state.teams[place] if place < len(state.teams) else ()
        laid = [one for who in team for one in state.lay_downs.get((number, state.seats[who]), ())]
        recorded = sum(each.points or 0 for each in laid)
        table = changed[player].table if player in changed else None
        if table is not None and table < recorded and recorded > 0:
            how = "recorded"
            yield doubt(Code.POINTS_UNLIKELY, "counts", place, how, recorded=recorded, points=table)


def _is_of_the_round(doubt: Problem) -> bool:
    """Whether a doubt is about how the round ended or began, and not about one hand."""
    return doubt.seat is None or doubt.code in _OF_THE_ROUND or doubt.how == "opening"


def _was_saved_over(
    state: GameState, number: int, doubt: Problem, changed: Mapping[int, CountedHand]
) -> bool:
    """Whether a hand that stays as it is was saved in spite of this: nobody is asked twice.

    In a round that is still open the phone that saved a hand was asked all there is to ask of it.
    """
    player = None if doubt.seat is None else state.seats[doubt.seat]
    standing = state.hands_of(number)
    if player is None or player in changed or player not in standing:
        return False
    if number > len(state.rounds):
        return not _is_of_the_round(doubt)
    fact = state.entry(standing[player].seq).fact
    return isinstance(fact, Counted) and doubt.code.value in fact.override


def _odd_melds(state: GameState, number: int, typed: TypedHands) -> Iterator[Problem]:
    """Ask about melds that a team named by their cards and that the rules don't allow."""
    variant = _deal(state, number, typed).seated(len(state.seats))
    for players in teams_in(state) if is_by_team(state) else ():
        line = typed.lines.get(players[0])
        if line and names_melds(line.table):
            try:
                against = count_melds(variant, line.table).against
            except UnreadableCountError:
                continue
            seat = state.seats.index(players[0])
            for each in against:
                yield Problem(
                    *(Code.MELD_NOT_LEGAL, each.cites, seat),
                    how=each.how,
                    values=each.values,
                    because=each,
                )


def _not_here(state: GameState, number: int, typed: TypedHands) -> Iterator[Problem]:
    """Ask about a hand of somebody who does not play the round: it would be lost without a word."""
    players = state.players_of(number)
    for place, player in enumerate(state.seats):
        line = typed.lines.get(player)
        if line and player not in players and (line.left or line.out):
            yield problem(Code.NOT_PLAYING, "held", place, "left")


def _is_it_dry(pad: PadRule) -> Iterator[Problem]:
    """Ask whether nobody went out, where that is a way for a round to end."""
    if pad.dry:
        yield doubt(Code.NOBODY_OUT, "going-out", None, "dry", dry=uncapital(pad.dry))


def _facts(
    state: GameState,
    number: int,
    changed: Mapping[int, CountedHand],
    reason: str,
    turned: str,
) -> tuple[Fact, ...]:
    if not changed:
        return ()
    if number <= len(state.rounds):
        closed = len(state.rounds)
        corrected = Corrected(round=number, hands=changed, closed=closed, turned=turned)
        return (replace(corrected, reason=reason),)
    counted = Counted(round=number, hands=changed, turned=turned, reason=reason)
    if state.with_facts([counted]).score.over:
        return (counted, Finished(by="rules"))
    return (counted,)


def _later_problems(state: GameState, facts: tuple[Fact, ...]) -> tuple[Problem, ...]:
    """Find what a correction would make impossible in the rounds that came after it.

    What was odd there before, in whatever words, is no news.
    """
    if not isinstance(facts[0], Corrected):
        return ()
    known = {(one.round, one.seat, one.code) for one in state.score.problems}
    after = state.with_facts(facts).score.problems
    # The round itself is looked at as it is typed.
    known |= {(one.round, one.seat, one.code) for one in after if one.round == facts[0].round}
    return tuple(one for one in after if (one.round, one.seat, one.code) not in known)
