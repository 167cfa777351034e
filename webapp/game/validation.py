"""Validating a count: the facts that it would write, and the problems with it.

It writes nothing.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from referee import (
    MOST_ARRANGED,
    Close,
    Code,
    Counts,
    ForTheTableError,
    Moment,
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
from webapp.game.facts import Corrected, Counted, Fact, Finished, canonical
from webapp.game.hand import (
    Hand,
    Hands,
    UnreadableCountError,
    read_cards,
    read_count,
    read_left,
    read_points,
    read_upcard,
)
from webapp.game.melds import count_melds, names_melds, read_laid_down, read_shown_melds
from webapp.game.replay import GameState
from webapp.game.state import Cell, deal_of, record_of
from webapp.game.teams import is_by_team, kept_of, line_in, lines_of, teams_in
from webapp.language import say
from webapp.refusal import Refusal
from webapp.text.formatting import uncapital

SHOWN: Final = 0
"""The key in `Validation.unread` for the hand that closed the round."""
UPCARD: Final = -1
"""The key in `Validation.unread` for the card turned up at the deal."""
_OF_THE_ROUND: Final = frozenset(
    {Code.TWO_OUT, Code.NOBODY_OUT, Code.NEEDS_MISSING, Code.ONLY_ONE_DOWN}
)
"""The codes of problems that depend on all hands of the round, although they can name a player."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountForm:
    """A count as it was sent; nothing in it is checked yet."""

    hands: Hands
    """The hands as typed, by player; a player who is missing wasn’t on the form."""
    key: str = ""
    """The form key, by which a form that is sent twice is recognized."""
    device: str = ""
    """The phone that it came from."""
    only: int | None = None
    """The id of the only player whose hand is counted; None for all."""
    sure: bool = False
    """Whether somebody confirmed that the count is right in spite of its doubts."""
    nobody: bool = False
    """Whether somebody ticked that nobody went out."""
    shown: str = ""
    """The hand that closed the round, as typed."""
    close: str = ""
    """How the round was closed, as chosen."""
    turned: str = ""
    """The card turned up at the deal, as typed."""
    reason: str = ""
    """The reason for saving something unlikely."""
    part: bool = False
    """Whether only the filled-in hands are saved, because the others are on other phones."""
    zeros: bool = False
    """Whether it was ticked that an empty box is 0 in this game."""

    @property
    def content(self) -> str:
        """Everything that a save depends on, as text.

        The ledger compares it with what earlier releases wrote for the same form, so that a form
        that is sent again after an update is recognized. So what a form of today has without a new
        field must stay as it is: a new field is added at the end, and only if it’s set.
        """
        lines = {
            str(who): [hand.left, hand.out, bool(hand.made), hand.base, _more_text(who, hand)]
            for who, hand in self.hands.items()
        }
        said = [self.nobody, self.shown, self.close, self.turned, self.reason]
        more = [name for name in ("part", "zeros") if getattr(self, name)]
        return canonical([lines, self.only, self.sure, *said, *more])


def _more_text(player: int, hand: Hand) -> str:
    more = [f"bonus.{name}={number}" for name, number in sorted(hand.bonus.items())]
    more += [f"aside={hand.aside}"] * bool(hand.aside) + [f"untaken={player}"] * (not hand.reserve)
    more += ["pairs"] * hand.pairs + [f"penalties={hand.penalties}"] * bool(hand.penalties)
    return " ".join(filter(None, (hand.table, *more)))


@dataclass(frozen=True, kw_only=True)
class Validation:
    """The result of validating a count."""

    state: GameState
    """The game that the count is for."""
    unread: Mapping[int, str]
    """The sentence for each line that can’t be read, by the id of its first player; under `SHOWN`
    for the hand shown, and under `UPCARD` for the card turned up."""
    blank: tuple[int, ...]
    """The ids of the players in `unread` whose lines aren’t wrong, only not filled in yet."""
    conflicts: tuple[int, ...]
    """The id of the first player of each line that another phone has saved differently in the
    meantime."""
    doubts: tuple[Problem, ...]
    """The problems to ask about once. None of them prevents a save: a scorepad writes down what the
    table decided."""
    facts: tuple[Fact, ...]
    """The facts that a save would write; none if everything is on the pad already."""

    @cached_property
    def after(self) -> GameState:
        """The game as a save would leave it."""
        return self.state.with_facts(self.facts) if self.facts else self.state

    def require(self, *, sure: bool) -> None:
        """Raise CountConflictError or CountRefusedError if it can’t be saved like this.

        If the table is `sure`, doubts don’t matter.
        """
        if self.conflicts:
            raise CountConflictError(self)
        if self.unread or (self.doubts and not sure):
            raise CountRefusedError(self)


class CountRefusedError(Refusal, ValueError):
    """A round isn’t saved yet: something is missing, wrong or unlikely."""

    def __init__(self, validation: Validation) -> None:
        """Store the validation."""
        super().__init__()
        self.validation = validation


class CountConflictError(CountRefusedError):
    """Two phones counted one hand differently."""


class UnreadableCloseError(Refusal, ValueError):
    """How the round was closed is missing, or contradicts the cards."""


def validate(state: GameState, number: int, form: CountForm) -> Validation:
    """Validate a count for a round against the pad."""
    return _Check(state, number, form).run()


def upcard_of(state: GameState, number: int, form: CountForm) -> tuple[str, str]:
    """Return the card turned up in round `number`, and why a typed text isn’t a card.

    It’s the card as typed, or else as saved. The reason is empty if the text is a card or blank.
    Both are empty if the game turns up no card.
    """
    kept = state.upcards.get(number, "")
    if state.variant.turning is None:
        return "", ""
    try:
        return read_upcard(form.turned, state.variant.pack) or kept, ""
    except UnreadableCountError as error:
        return kept, str(error)


@dataclass(frozen=True)
class _Check:
    """The steps of validating one form; `run` takes all of them."""

    state: GameState
    number: int
    """The number of the round."""
    form: CountForm

    @cached_property
    def upcard(self) -> tuple[str, str]:
        """The card turned up, and why what was typed isn’t one, as from `upcard_of`."""
        return upcard_of(self.state, self.number, self.form)

    @cached_property
    def variant(self) -> Variant:
        """The game’s rules for this deal, with the card turned up if it’s known."""
        return deal_of(self.state.variant, self.upcard[0])

    @cached_property
    def standing(self) -> Mapping[int, Cell]:
        """The hands of the round that are on the pad already, by player id."""
        return self.state.hands_of(self.number)

    @cached_property
    def by_team(self) -> bool:
        return is_by_team(self.state)

    @property
    def only(self) -> int | None:
        """The only player whose line is saved; None for all, and always in games counted by team.

        There a form is about all teams: another team may have entered already who went out.
        """
        return None if self.by_team else self.form.only

    @property
    def is_correction(self) -> bool:
        """Whether the round is complete already, so that a save corrects it."""
        return self.number <= len(self.state.rounds)

    def run(self) -> Validation:
        state, number, form = self.state, self.number, self.form
        hands, unread, blank = self.read()
        upcard, wrong = self.upcard
        before = state.upcards.get(number, "")
        if wrong:
            unread[UPCARD] = wrong
        elif self.variant.lacks_upcard and self.needs_upcard(hands.values()):
            unread[UPCARD] = say("count.which-turned", self.variant.pack.kind)
        changed = {who: hand for who, hand in hands.items() if self.changes(who, hand, before)}
        if self.by_team:
            # A team’s hands change together: its melds are in one of them.
            teams = [team for team in teams_in(state) if not changed.keys().isdisjoint(team)]
            changed = {who: hands[who] for team in teams for who in team if who in hands}
        # A box is marked as unlikely as soon as it’s typed, while others are still blank.
        doubts = self.check(changed) if changed else ()
        doubts += (*self.odd_melds(), *self.not_here(), *self.empty_boxes(changed))
        # Ticking that nobody went out has answered the question.
        answered = tuple(one for one in doubts if one.code is Code.NOBODY_OUT and form.nobody)
        doubts = tuple(
            one
            for one in doubts
            if one not in answered and not self.was_saved_over(one, changed.keys())
        )
        if not set(state.players_of(number)) <= {*self.standing, *changed}:
            # The phone that completes the round is asked about it.
            doubts = tuple(one for one in doubts if not _is_of_the_round(one))
        # Only a correction that would be written, and that no other phone contradicts, can affect
        # the rounds after it.
        conflicts = self.conflicts(changed)
        facts = self.facts(changed, upcard if upcard != before else "")
        if facts and not conflicts:
            doubts += self.later_problems(facts)
        # What was answered by a tick is recorded as overridden too.
        codes = tuple(dict.fromkeys(one.code.value for one in (*doubts, *answered)))
        whose = dict.fromkeys(state.seats[one.seat] for one in doubts if one.seat is not None)
        return Validation(
            state=state,
            unread=unread,
            blank=blank,
            conflicts=conflicts,
            doubts=doubts,
            facts=tuple(
                replace(fact, override=codes, doubted=tuple(whose))
                if isinstance(fact, Counted)
                else fact
                for fact in facts
            ),
        )

    def read(self) -> tuple[dict[int, Hand], dict[int, str], tuple[int, ...]]:
        """Return the hands as they’re stored, a sentence for each unreadable line, and blank lines.

        The hands are by player. A line is named by its first player.
        """
        form, standing, only = self.form, self.standing, self.only
        hands: dict[int, Hand] = {}
        unread: dict[int, str] = {}
        blank: list[int] = []
        for line in lines_of(self.state, self.number) if only is None else ((only,),):
            first, told = line[0], line_in(form.hands, line)
            try:
                read = self.read_line(line, told) if told else {}
            except UnreadableCountError as error:
                unread[first] = str(error)
                continue
            except UnreadableCloseError as error:
                # This form may be older than another phone’s choice of how it closed: then that one
                # counts.
                if first in standing and not (form.shown or form.close):
                    read = {first: replace(standing[first].hand, base=standing[first].seq)}
                else:
                    unread[SHOWN] = str(error)
                    continue
            was_filled = first in told and bool(told[first].base)
            if read:
                hands |= read
            elif first not in standing or only is not None or was_filled:
                # If this form saw the cell filled, somebody emptied it. If it saw the cell blank
                # and another phone has counted it since, the cell is that phone’s.
                unread[first] = say("count.blank", self.state.variant.pack.kind)
                blank.append(first)
        if form.part and hands:
            # The others are on other phones.
            return hands, {who: says for who, says in unread.items() if who not in blank}, ()
        return hands, unread, tuple(blank)

    def read_line(self, line: Sequence[int], told: Hands) -> dict[int, Hand]:
        """Read one line, and return its hands as they’re stored, by player id; none if it’s blank.

        `told` has the hands as typed. Raises UnreadableCountError if the points or cards can’t be
        read, or UnreadableCloseError if how the round was closed can’t be read.
        """
        if self.by_team:
            read = self.read_team(line, told)
        else:
            read = self.read_single(line[0], told[line[0]])
        return {who: self.with_close(hand) if hand.out else hand for who, hand in read.items()}

    def read_team(self, line: Sequence[int], told: Hands) -> dict[int, Hand]:
        """Read a team’s line; return nothing while what it laid or has left is blank."""
        variant, one = self.variant, told.get(line[0], Hand())
        left = read_left(one.left, variant.pack, MOST_ARRANGED)
        if variant.pad.asks_table:
            one = read_laid_down(variant.seated(len(self.state.seats)), one)
        else:
            one = replace(one, table="")
        is_out = any(hand.out for hand in told.values())
        if not left and not (is_out and len(line) == 1):
            return {}
        if not one.table and variant.pad.asks_table:
            return {}
        return kept_of(variant, line, {**told, line[0]: replace(one, left=left)})

    def read_single(self, player: int, hand: Hand) -> dict[int, Hand]:
        """Read the line of a player who plays alone; return nothing while it’s blank."""
        variant = self.variant
        if variant.points_only:
            left = read_points(hand.left)
        else:
            pack = variant.pack if variant.names_cards else None
            left = read_left(hand.left, pack, MOST_ARRANGED)
        # No melds are no points: that is what an empty table means.
        table = read_count(hand.table) or "0" if variant.pad.asks_table else ""
        free = self.may_be_blank() or player in self.empty or player in self.spared
        if not left and not hand.out and not free:
            return {}
        # A player who went out has nothing left. Nobody wrote a 0 there.
        nothing = "" if hand.out else "0"
        # Bonus melds and the second hand are a team’s; anything else stays as it was sent.
        kept = replace(
            hand,
            left=nothing if left in {"", "0"} else left,
            table=table,
            made=self.made(player, hand),
            bonus={},
            aside=0,
            reserve=True,
            pairs=hand.pairs and variant.pad.pairs > 1,
            penalties=hand.penalties if variant.pad.penalty is not None else 0,
        )
        if kept.out and kept.cards:
            kept = replace(kept, laid=read_shown_melds(variant, hand.left, self.number))
        return {player: kept}

    def may_be_blank(self) -> bool:
        """Return whether hands can stay blank because of how the round ended.

        They can if the game doesn’t count hands once somebody is out, or if it only compares hands
        after a knock and the player who went out has nothing left.
        """
        form, counts = self.form, self.variant.pad.counts
        if form.part:
            return False
        out = [hand for hand in form.hands.values() if hand.out]
        if counts is Counts.NONE:
            return bool(out) or form.nobody
        return counts is Counts.WHERE_COMPARED and any(hand.left in {"", "0"} for hand in out)

    @cached_property
    def spared(self) -> frozenset[int]:
        """The ids of the players whose cards left don’t count, because a partner goes out."""
        if not self.variant.pad.spares_partners:
            return frozenset()
        hands = {who: cell.hand for who, cell in self.standing.items()} | {**self.form.hands}
        out = {who for who, hand in hands.items() if hand.out}
        return frozenset(
            who for team in teams_in(self.state) if not out.isdisjoint(team) for who in team
        )

    @cached_property
    def empty(self) -> frozenset[int]:
        """The players whose empty box counts as 0, in a game of points alone.

        There are none until a number is typed. If another phone has filled a box that this form
        showed empty, the box isn’t among them: that phone’s number stays.
        """
        form = self.form
        typed = any(hand.left for hand in form.hands.values())
        if not self.variant.points_only or form.part or not typed:
            return frozenset()
        return frozenset(
            who
            for who, hand in form.hands.items()
            if not hand.left and (hand.base or who not in self.standing)
        )

    def empty_boxes(self, changed: Hands) -> Iterator[Problem]:
        """Yield a doubt about each empty box that would be saved as 0.

        There are none if the table said before that empty boxes are 0 in this game.
        """
        for place, player in enumerate(self.state.seats):
            if player in self.empty and player in changed and not self.state.zeros:
                yield doubt(Code.POINTS_UNLIKELY, "points", place, "empty")

    def made(self, player: int, hand: Hand) -> bool | None:
        """Return whether the player made the contract; None if that isn’t known.

        If each player has their own step it’s ticked, else it’s known from a recorded lay-down.
        """
        variant = self.state.variant
        if variant.climbs_alone:
            return bool(hand.made)
        recorded = (self.number, player) in self.state.lay_downs
        return True if recorded and variant.contracts else None

    def with_close(self, hand: Hand) -> Hand:
        """Return a hand that went out with how it closed the round: the cards shown, or the choice.

        Raises UnreadableCloseError if how it closed is missing, or contradicts the cards.
        """
        variant, form = self.variant, self.form
        choices = {choice.key: choice for choice in close_choices(variant)}
        if not choices:
            return hand
        if not must_say_how(variant):
            return replace(hand, close=form.close if form.close in choices else "")
        if variant.close is None:
            if form.close not in choices:
                raise UnreadableCloseError(say("count.say-how"))
            return replace(hand, close=form.close)
        most = max(variant.hand_at(self.number), MOST_ARRANGED)
        try:
            shown = read_cards(form.shown, variant.pack, most)
        except UnreadableCountError as error:
            raise UnreadableCloseError(str(error)) from None
        choice = choices.get(form.close)
        if shown:
            said = choice.word if choice and variant.close.strict else None
            self.require_ruling(shown, said)
            # Cards that don’t close by the rules are a doubt; if it’s saved anyway, they count
            # once.
            return replace(hand, shown=shown, close=said or "")
        if choice is None:
            raise UnreadableCloseError
        return replace(hand, close=choice.word, joker=bool(choice.joker))

    def require_ruling(self, shown: str, said: str | None) -> None:
        """Raise UnreadableCloseError if the referee needs to know how the hand was closed."""
        close = Close(cards=self.variant.pack.parse(shown), says=said)
        try:
            rule_on(close, self.variant, Moment(self.number))
        except ForTheTableError as error:
            raise UnreadableCloseError(f"{say('count.say-how')} {error}") from None

    def needs_upcard(self, hands: Iterable[Hand]) -> bool:
        """Return whether these hands can’t be counted unless the card turned up is known."""
        rule = self.variant.turning
        if rule is None:
            return False
        named = any(hand.cards or hand.shown for hand in hands)
        return rule.twice is not None or (rule.rank_wild and named)

    def changes(self, player: int, hand: Hand, before: str) -> bool:
        """Return whether a save would write this hand, because it differs from the pad.

        `before` is the card turned up that is saved already; empty if none is.
        """
        cell = self.standing.get(player)
        # Cards count differently if another card was turned up.
        counts_anew = bool(hand.cards) and self.upcard[0] != before
        if cell and hand.content == cell.hand.content and not counts_anew:
            return False
        # If the hand that the form showed was undone since (its cell is blank), it stays a change
        # in a whole round, so that `conflicts` asks about it. In a part it’s just left out.
        return not ((self.form.part or cell) and self.is_outdated(player, hand))

    def is_outdated(self, player: int, hand: Hand) -> bool:
        """Return whether a hand is just what the form showed, while the pad has another by now.

        Nobody typed anything into it here, so the change that another phone saved counts.
        """
        cell = self.standing.get(player)
        if not 0 < hand.base <= len(self.state.entered) or (cell and hand.base == cell.seq):
            return False
        fact = self.state.entry(hand.base).fact
        seen = fact.hands.get(player) if isinstance(fact, Counted) else None
        return seen is not None and hand.content == seen.content

    def conflicts(self, changed: Hands) -> tuple[int, ...]:
        """Return the first player of each line that another phone has saved differently meanwhile.

        `changed` are the hands that this form would save. The table then chooses between the two
        versions of the line. A team has one line, even if only one partner’s hand differs.
        """
        # A hand has the number of the entry that it would replace. If another entry is in the cell
        # by now, two phones disagree.
        bases = {who: cell.seq for who, cell in self.standing.items()}
        differ = {who for who, hand in changed.items() if hand.base != bases.get(who, 0)}
        if not self.by_team:
            return tuple(who for who in changed if who in differ)
        return tuple(line[0] for line in teams_in(self.state) if not differ.isdisjoint(line))

    def check(self, changed: Hands) -> tuple[Problem, ...]:
        """Return the problems that the scorepad finds in the round as it would be after a save."""
        state, number, variant = self.state, self.number, self.variant
        players = state.players_of(number)
        records: list[HandRecord | None] = []
        for player in state.seats:
            if player in changed:
                records.append(record_of(variant, changed[player]))
            else:
                records.append(self.standing[player].record if player in self.standing else None)
        before = state.score_before(number)
        found = check_round(
            variant,
            before.steps,
            records,
            grown=[
                variant.pad.cards_per_buy * len(state.takes.get((number, who), ()))
                for who in state.seats
            ],
            playing=[who in players for who in state.seats],
            opens=before.opens_with,
        )
        found += tuple(self.less_than_recorded(changed))
        complete = set(players) <= {*self.standing, *changed}
        if self.form.nobody or not complete or any(record and record.out for record in records):
            return found
        if self.is_correction and not any(cell.hand.out for cell in self.standing.values()):
            return found
        return (*found, *self.nobody_out())

    def less_than_recorded(self, changed: Hands) -> Iterator[Problem]:
        """Yield a doubt for each hand with fewer points on the table than lay-downs recorded."""
        state = self.state
        for place, player in enumerate(state.seats):
            team = state.teams[place] if place < len(state.teams) else ()
            laid = [
                one
                for who in team
                for one in state.lay_downs.get((self.number, state.seats[who]), ())
            ]
            recorded = sum(each.points or 0 for each in laid)
            table = changed[player].table_points if player in changed else None
            if table is not None and table < recorded and recorded > 0:
                how = "recorded"
                yield doubt(
                    Code.POINTS_UNLIKELY, "counts", place, how, recorded=recorded, points=table
                )

    def nobody_out(self) -> Iterator[Problem]:
        """Yield the doubt that nobody went out, if a round can end like that (a dry round)."""
        dry = self.variant.pad.dry
        if dry:
            yield doubt(Code.NOBODY_OUT, "going-out", None, "dry", dry=uncapital(dry))

    def was_saved_over(self, one: Problem, changed: Container[int]) -> bool:
        """Return whether the table was asked about this problem before, and saved the hand anyway.

        Then nobody is asked twice. That is only so if this save doesn’t change the hand. In a round
        that is still open, the phone that saved the hand was asked everything about it; afterwards,
        the entry tells which doubts were overridden.
        """
        player = None if one.seat is None else self.state.seats[one.seat]
        if player is None or player in changed or player not in self.standing:
            return False
        if not self.is_correction:
            return not _is_of_the_round(one)
        fact = self.state.entry(self.standing[player].seq).fact
        return isinstance(fact, Counted) and one.code.value in fact.override

    def odd_melds(self) -> Iterator[Problem]:
        """Yield a doubt for each reason why melds that a team named by cards aren’t legal."""
        variant = self.variant.seated(len(self.state.seats))
        for line in teams_in(self.state) if self.by_team else ():
            hand = self.form.hands.get(line[0])
            if hand is None or not names_melds(hand.table):
                continue
            with suppress(UnreadableCountError):
                seat = self.state.seats.index(line[0])
                for each in count_melds(variant, hand.table).against:
                    yield Problem(
                        *(Code.MELD_NOT_LEGAL, each.cites, seat),
                        how=each.how,
                        values=each.values,
                        because=each,
                    )

    def not_here(self) -> Iterator[Problem]:
        """Yield a problem for each typed hand of a player who isn’t in the round.

        It wouldn’t be saved, so the table has to know.
        """
        players = self.state.players_of(self.number)
        for place, player in enumerate(self.state.seats):
            hand = self.form.hands.get(player)
            if hand and player not in players and (hand.left or hand.out):
                yield problem(Code.NOT_PLAYING, "held", place, "left")

    def facts(self, changed: Hands, turned: str) -> tuple[Fact, ...]:
        """Return the facts that a save would write; `turned` is the card turned up, if it’s new."""
        if not changed:
            return ()
        reason, closed = self.form.reason if self.form.sure else "", len(self.state.rounds)
        zeros = self.form.zeros and self.form.sure
        counted = Counted(
            round=self.number, hands=changed, turned=turned, reason=reason, zeros=zeros
        )
        if self.is_correction:
            corrected = Corrected(round=self.number, hands=changed, closed=closed, turned=turned)
            return (replace(corrected, reason=reason, zeros=zeros),)
        # In the same write, so that no phone sees a game that is over by the rules but still open.
        if self.state.with_facts([counted]).score.over:
            return (counted, Finished(by="rules"))
        return (counted,)

    def later_problems(self, facts: tuple[Fact, ...]) -> tuple[Problem, ...]:
        """Return the problems that a correction would cause in other rounds than its own.

        A problem that was there before isn’t among them, even if its sentence is another now.
        """
        if not isinstance(facts[0], Corrected):
            return ()
        known = {(one.round, one.seat, one.code) for one in self.state.score.problems}
        after = self.state.with_facts(facts).score.problems
        # The round itself is checked as it’s typed.
        known |= {(one.round, one.seat, one.code) for one in after if one.round == self.number}
        return tuple(one for one in after if (one.round, one.seat, one.code) not in known)


def _is_of_the_round(one: Problem) -> bool:
    """Return whether a doubt is about how the round started or ended, not about one hand."""
    return one.seat is None or one.code in _OF_THE_ROUND or one.how == "opening"
