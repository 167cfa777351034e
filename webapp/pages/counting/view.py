"""The count page of one round: its hands as on the pad or as typed, and what to say about them.

Templates read the game (`page.state`, `page.variant`, `page.pad`) and the hands themselves; the
properties here are derived.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, groupby

from sqlalchemy.orm import Session

from referee import MOST_ARRANGED, Arrangement, Counts, PadRule, Score, ValueClass, Variant
from referee.scorepad import (
    CloseChoice,
    HandRecord,
    close_choice,
    close_choices,
    knocks,
    laid_out,
    least_left,
    must_say_how,
)
from webapp.game.facts import Counted
from webapp.game.hand import (
    Hand,
    UnreadableCountError,
    add_up,
    is_sum,
    read_cards,
    read_count,
    read_left,
    read_points,
)
from webapp.game.melds import read_shown_melds
from webapp.game.replay import GameState
from webapp.game.state import Cell, deal_of, say_marks
from webapp.game.teams import hands_on_pad, is_by_team, line_in, lines_of, teams_in
from webapp.game.validation import (
    SHOWN,
    UPCARD,
    CountForm,
    Validation,
    upcard_of,
    validate,
)
from webapp.language import say
from webapp.ledger import ledger
from webapp.pages.counting.doubts import MOST_NAMES, Asked, Doubts, are_empty, few_of
from webapp.pages.counting.form import write_choice
from webapp.pages.counting.lines import Choice, CountFields, Line, TeamColumn, TeamSums
from webapp.pages.counting.teams import TeamSheet
from webapp.pages.scorepad.by_team import describe_teams
from webapp.pages.scorepad.sentences import Saving, choice_of, close_shown
from webapp.players.tokens import People, Token, read_people
from webapp.text.formatting import capital, joined, say_points, step_says
from webapp.text.refusals import GameFinishedError, NotInRoundError, RoundNotFoundError


@dataclass(frozen=True, kw_only=True)
class CountPage:
    """The count page of one round, for all players or for one."""

    pub: str
    round_number: int
    state: GameState
    people: People
    form: CountForm | None = None
    """The form as typed; None shows the round as it is on the pad."""
    refused: Validation | None = None
    """The validation that refused to save the form; None if nobody has tried to save."""
    alone: int | None = None
    """The id of the only player whose hand is asked for, if nothing was typed; else None."""
    at: str = ""
    """The id of the box that somebody chose to change; empty if none."""

    # The round and its game.

    @cached_property
    def turned_known(self) -> str:
        """The card turned up at the deal, if it’s known."""
        if self.form:
            return upcard_of(self.state, self.round_number, self.form)[0]
        return self.state.upcards.get(self.round_number, "")

    @cached_property
    def variant(self) -> Variant:
        """The game, with its house rules, in the deal of this round."""
        return deal_of(self.state.variant, self.turned_known)

    @property
    def pad(self) -> PadRule:
        """The rules of the game’s scorepad."""
        return self.variant.pad

    @cached_property
    def before(self) -> Score:
        """The score at the start of the round."""
        return self.state.score_before(self.round_number)

    @property
    def standing(self) -> Mapping[int, Cell]:
        """The hands on the pad already, by player id."""
        return self.state.hands_of(self.round_number)

    @cached_property
    def by_team(self) -> bool:
        """Whether the page has a column for each team."""
        return is_by_team(self.state)

    @property
    def only(self) -> int | None:
        """The id of the only player whose hand is counted (hidden field `only`); None for all."""
        only = self.form.only if self.form else self.alone
        return None if self.by_team else only

    @property
    def correcting(self) -> bool:
        """Whether the round is closed already, so that a save is a correction."""
        return self.round_number <= len(self.state.rounds)

    @property
    def is_new(self) -> bool:
        """Whether a whole round is counted for the first time.

        Then the page shows what others save.
        """
        return not (self.correcting or self.only)

    @property
    def part(self) -> bool:
        """Whether only the hands that were filled in are being saved."""
        return bool(self.form and self.form.part)

    @cached_property
    def key(self) -> str:
        """The form key: sent back unchanged, it makes a second tap harmless."""
        return self.form.key if self.form else ledger.new_key()

    @cached_property
    def every_line(self) -> tuple[tuple[int, ...], ...]:
        """The lines of the round, each as the ids of its players: one player, or a team."""
        return lines_of(self.state, self.round_number)

    @property
    def here(self) -> tuple[tuple[int, ...], ...]:
        """The lines that this page shows, each as the ids of its players."""
        return tuple(line for line in self.every_line if self.only in {None, *line})

    # The hands on the page.

    def on_pad(self, line: Sequence[int]) -> dict[int, Hand]:
        """Return the hands of a line’s players, as on the pad.

        If only some of them are on the pad, all are blank; if none is, they have what was recorded
        on the table.
        """
        cells = {who: self.standing[who] for who in line if who in self.standing}
        if len(cells) == len(line):
            if self.by_team:
                return hands_on_pad(line, cells)
            return {who: cell.as_typed for who, cell in cells.items()}
        if cells:
            return {who: Hand(base=cells[who].seq if who in cells else 0) for who in line}
        laid = [self.state.lay_downs.get((self.round_number, who), ()) for who in line]
        recorded = [str(each.points) for each in chain.from_iterable(laid) if each.points]
        hand = Hand(
            made=any(laid) and not self.by_team,
            table="+".join(recorded) if self.pad.asks_table else "",
        )
        return {who: Hand() for who in line} | {line[0]: hand}

    @cached_property
    def hands(self) -> dict[int, Hand]:
        """The hands on the page, by player id: as typed, or else as on the pad."""
        hands: dict[int, Hand] = {}
        for line in self.here:
            there = self.on_pad(line)
            typed = line_in(self.form.hands, line) if self.form else {}
            for who, hand in there.items():
                hands[who] = typed.get(who, Hand(base=hand.base)) if typed else hand
                if line[0] in self.conflicts:
                    # What is tapped now replaces what is on the pad.
                    hands[who] = replace(hands[who], base=hand.base)
        return hands

    # What to say about them.

    @cached_property
    def sent(self) -> CountForm:
        """The form as it would be sent from this page."""
        return self.form or CountForm(hands=self.hands, only=self.only)

    @cached_property
    def found(self) -> Validation:
        """The validation of the form in `sent`: the one that refused to save it, or a new one."""
        return self.refused or validate(self.state, self.round_number, self.sent)

    @property
    def conflicts(self) -> tuple[int, ...]:
        """The id of the first player of each line that two phones have entered differently."""
        return self.refused.conflicts if self.refused else ()

    @property
    def unread(self) -> Mapping[int, str]:
        """Why lines can’t be read, by the first player’s id; empty until a save was refused."""
        return self.refused.unread if self.refused else {}

    @cached_property
    def saving(self) -> Saving:
        """The game as it is and as a save would leave it, for sentences about the difference."""
        return Saving(
            before=self.state,
            after=self.found.after,
            number=self.round_number,
            names=self.people.names,
        )

    @property
    def sentences(self) -> tuple[str, ...]:
        """What a save would write, in sentences: "Ana goes out."."""
        return tuple(self.saving.describe(self.found.facts))

    @property
    def kind(self) -> str:
        """The state of the count: "no", "wait", "doubt" or "in".

        "no" if a hand can’t be read, "wait" while one is missing, "doubt" if there is a question
        before a save, and "in" if there isn’t one.
        """
        return self._state[0]

    @property
    def says(self) -> str:
        """The state of the count, in one line."""
        return self._state[1]

    @cached_property
    def _state(self) -> tuple[str, str]:
        """The values of `kind` and `says`: the first of these states that applies."""
        found = self.found
        wrong = [
            f"{self.called(who)}: {says}" if who in self.people.names else says
            for who, says in found.unread.items()
            if who not in found.blank
        ]
        if wrong:
            return "no", wrong[0]
        if found.blank:
            return "wait", self._say_missing(found.blank)
        empty = [self.called(who) for who in self._empty]
        if are_empty(found.doubts) and not found.conflicts:
            # A box that nobody has typed into yet isn’t odd before somebody saves it.
            kind = "doubt" if self.refused or self.correcting else "wait"
            still = say("count.still", "", names=few(empty))
            return kind, still if empty[1:] else say("count.empty", n=1, names=empty[0])
        if found.conflicts or found.doubts:
            names = joined(self.called(first) for first in found.conflicts)
            return "doubt", say("count.can-save", "clash" if names else "", names=names)
        if not found.facts:
            return "wait", say("count.type")
        ready = say("count.zeros", n=len(empty), names=empty[0]) if empty else say("count.ready")
        said: Iterable[str] = (ready, self.saving.lead_says, self.saving.next_says)
        if self.correcting:
            said = self.saving.describe(found.facts)
            if self.by_team:
                names_of = self.people.names
                changes = describe_teams(found.after, self.state, self.round_number, None, names_of)
                said = (ready, *changes, self.saving.lead_says)
        return "in", " ".join(filter(None, said))

    @cached_property
    def _empty(self) -> tuple[int, ...]:
        """The ids of the players whose empty boxes a save would count as 0."""
        fact = next(iter(self.found.facts), None)
        there = fact.hands if isinstance(fact, Counted) and self.variant.points_only else ()
        typed = self.sent.hands
        return tuple(who for who in there if who in typed and not typed[who].left)

    def _say_missing(self, blank: Sequence[int]) -> str:
        if self.by_team and self.pad.counts is not Counts.NONE:
            return self.sheet.say_missing(self.sent, blank, self.called)
        nothing = blank == self.state.players_of(self.round_number)
        how = "nothing" if self.variant.points_only and nothing else ""
        return say("count.still", how, names=few([self.called(who) for who in blank]))

    def called(self, player: int) -> str:
        """Return the name of a line: a player, or all players of a team."""
        return self.sheet.called(player) if self.by_team else self.people.names[player]

    @cached_property
    def doubted(self) -> Asked | None:
        """The question about the doubts in the count, asked or not; None if there are none."""
        state, standing = self.state, self.standing
        teams = teams_in(state) if self.by_team else tuple((who,) for who in state.seats)
        hands: dict[int, Hand] = {}
        for line in self.every_line:
            typed = line_in(self.sent.hands, line)
            if any(not hand.is_blank for hand in typed.values()):
                hands |= typed
            elif line[0] in standing:
                hands |= self.on_pad(line)
        counted = next(iter(self.found.facts), None)
        return Doubts(
            variant=self.variant.seated(len(state.players_of(self.round_number))),
            number=self.round_number,
            seats=state.seats,
            firsts={who: team[0] for team in teams for who in team},
            partners=frozenset(who for team in teams if len(team) > 1 for who in team),
            called=self.called,
            tokens=self.people.tokens,
            hands=hands,
            changed=tuple(counted.hands) if isinstance(counted, Counted) else (),
            shown=tuple(line[0] for line in self.here),
            counts=self._counts,
        ).ask(self.found.doubts)

    @property
    def asked(self) -> Asked | None:
        """The question that the page asks because it was to be saved with doubts; else None.

        Its button sends `sure`. It isn’t asked while there are two scores to choose from: its sheet
        would cover them, and its button would save one that nobody has chosen.
        """
        return (
            self.doubted if self.refused and self.kind == "doubt" and not self.conflicts else None
        )

    @property
    def asks(self) -> str:
        """The doubt in brief ("650 for Lucy?"), shown before the state of the count; or empty."""
        asks = self.doubted and self.kind == "doubt" and not self.found.conflicts
        asks = asks and not are_empty(self.found.doubts)
        return self.doubted.line if self.doubted and asks else ""

    @cached_property
    def odd(self) -> tuple[str, ...]:
        """The ids of the boxes that are doubtful."""
        boxes = [each.box for each in self.doubted.boxes] if self.doubted else []
        return tuple(box.id for box in boxes if self.kind == "doubt" or not box.is_blank)

    @property
    def wrong(self) -> tuple[str, ...]:
        """The ids of the boxes that can’t be read."""
        there = line_in(self.sent.hands, [*self.found.unread])
        unread = ((who, hand) for who, hand in there.items() if who not in self.found.blank)
        return tuple(f"{self._unread_in(hand)}-{who}" for who, hand in unread)

    def _unread_in(self, hand: Hand) -> str:
        if self.by_team:
            return self.sheet.unread_in(hand)
        return "table" if self.pad.asks_table and self._left_in(hand.left) is not None else "left"

    def _counts(self, hand: Hand, field: str) -> int | None:
        """Return the sum in a field of a hand; None if it can’t be added up."""
        if field == "left":
            return self.points_of(hand)
        if self.by_team:
            laid = self.sheet.laid(hand)
            return laid.table_points if laid else None
        return _points_in(hand.table)

    @cached_property
    def sums(self) -> dict[int, str]:
        """How the round changes each total: "65 + 45 = 110"; empty until the round is complete.

        By player. While a round is corrected, only hands that changed: "45 → 60, total 125".
        """
        return {} if self.found.unread else dict(self._sums_in(self.found.after))

    def _sums_in(self, after: GameState) -> Iterator[tuple[int, str]]:
        number = self.round_number
        if len(after.rounds) < number:
            return
        cells, scored = after.hands_of(number), after.score.points[number - 1]
        totals = after.score_before(number + 1).totals
        for place, player in enumerate(after.seats):
            points, before, total = scored[place], self.before.totals[place], totals[place]
            standing = self.standing.get(player)
            if player in cells and self.correcting:
                was, now = standing.says if standing else say("hand.blank"), cells[player].says
                if was != now:
                    sum_now = say_points(after.score.totals[place])
                    yield player, say("count.changed", was=was, now=now, total=sum_now)
            elif player in cells and self.variant.climbs_alone:
                yield player, self._say_climb(place, total, made=bool(cells[player].hand.made))
            elif player in cells and self.pad.asks_table and before + points == total:
                yield player, say("count.moved", before=say_points(before), now=say_points(total))
            elif player in cells and before + points == total and player not in self._empty:
                adds = f"{'−' if points < 0 else '+'} {say_points(abs(points))}"
                yield player, f"{self._say_total(before)} {adds} = {say_points(total)}"

    def _so_far(self, player: int) -> str:
        """Return a note about a total before anything is typed: "60 so far", "was 60"."""
        standing, place = self.standing.get(player), self.state.seats.index(player)
        if standing and self.correcting:
            total = say_points(self.state.score.totals[place])
            return say("count.was", hand=standing.says.replace("-", "−"), total=total)
        if self.variant.climbs_alone:
            return self._say_climb(place, self.before.totals[place], made=False)
        total = self._say_total(self.before.totals[place])
        return total if self.pad.has_gin else say("count.so-far", total=total)

    def _say_climb(self, place: int, total: int, *, made: bool) -> str:
        """Return a player’s step and total: "Phase 2 · 10", "Phase 2 → 3 · 45" if it’s made."""
        return f"{self._say_step(place, made=made)} · {say_points(total)}"

    def _say_step(self, place: int, *, made: bool = False) -> str:
        """Return the step of a player who climbs alone; once the last one is made, with a ✓."""
        step, title = self.before.steps[place], capital(self.variant.words.step)
        if not made:
            return f"{title} {step}"
        return f"{title} {step} → {step + 1}" if step < self.variant.steps else f"{title} {step} ✓"

    def _say_total(self, total: int) -> str:
        """Return a total, with the target if the game has one: "62 of 100"."""
        points = say_points(total)
        return (
            say("count.of", points=points, of=say_points(self.pad.target or 0))
            if self.pad.has_gin
            else points
        )

    # The lines of the page.

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The lines on the page."""
        return tuple(
            self._line(
                line[0],
                self.hands[line[0]],
                problem=say("count.disagree")
                if line[0] in self.conflicts
                else self.unread.get(line[0], ""),
                choices=self._choices(line),
                sum_says=self.sums.get(line[0]) or self._so_far(line[0]),
            )
            for line in self.here
        )

    @property
    def rest(self) -> tuple[Line, ...]:
        """The lines of the round that aren’t on the page; none if all are."""
        others = [line for line in self.every_line if line not in self.here]
        return tuple(self._line(line[0], self.on_pad(line)[line[0]]) for line in others)

    def _line(
        self,
        player: int,
        hand: Hand,
        *,
        problem: str = "",
        choices: tuple[Choice, ...] = (),
        sum_says: str = "",
    ) -> Line:
        place = self.state.seats.index(player)
        down = (self.round_number, player) in self.state.lay_downs
        grown = self.pad.cards_per_buy * len(self.state.takes.get((self.round_number, player), ()))
        points = self.points_of(hand)
        return Line(
            player_id=player,
            hand=hand,
            name=self.people.names[player],
            token=self.people.tokens[player],
            total=self.before.totals[place],
            points=0 if points is None and hand.out else points,
            arrangement=self.arrange(hand),
            table_points=_points_in(hand.table),
            problem=problem,
            choices=choices,
            sum_says=sum_says,
            saved=player in self.state.counting and not self.correcting,
            told=tuple(filter(None, self._describe(grown, down=down))),
            step=self._say_step(place) if self.variant.climbs_alone else "",
            step_made=self._say_step(place, made=True) if self.variant.climbs_alone else "",
        )

    def _describe(self, grown: int, *, down: bool) -> Iterator[str]:
        """Yield notes about a hand before it’s counted; none if there is nothing to say."""
        yield say("pad.down") if down and not self.pad.asks_table else ""
        yield say("count.grown", n=grown) if grown else ""

    def _choices(self, line: Sequence[int]) -> tuple[Choice, ...]:
        """Return the two versions of a line to choose from: the pad’s, and what was typed here."""
        if line[0] not in self.conflicts:
            return ()
        mine = line_in(self.sent.hands, line)
        return (
            self._choice(self.on_pad(line), say("count.whose", "pad")),
            self._choice({who: mine.get(who, Hand()) for who in line}, say("count.whose", "you")),
        )

    def _choice(self, hands: dict[int, Hand], whose: str) -> Choice:
        """Return one version of a line; `whose` is as in `Choice`."""
        hand = next(iter(hands.values()))
        points = self.points_of(hand)
        says = say("hand.out") if hand.out else "–" if points is None else str(points)
        if self.by_team:
            says = ", ".join(self.sheet.describe(hand)) or says
        elif self.pad.asks_table:
            says = say("count.laid", table=_points_in(hand.table) or 0, left=says)
        says = ", ".join([says, *say_marks(hand)])
        if self.variant.climbs_alone and not hand.out:
            says = say("count.made-it", "" if hand.made else "not", left=says)
        if all(each.is_blank for each in hands.values()):
            says = say("hand.blank")
        return Choice(says=says, value=write_choice(hands), whose=whose)

    def points_of(self, hand: Hand) -> int | None:
        """Return the points of a hand as it was typed; None if it can’t be read."""
        arrangement = self.arrange(hand)
        return arrangement.points if arrangement else self._left_in(hand.left)

    def _left_in(self, text: str) -> int | None:
        """Return the points in a typed text; None if it’s blank, cards, or can’t be read."""
        return _points_in(text, read_points if self.variant.points_only else read_count)

    def arrange(self, hand: Hand) -> Arrangement | None:
        """Return a hand whose cards were named, arranged in melds; None if they weren’t.

        A player who knocked showed the melds; otherwise they are those in which the hand costs
        least.
        """
        variant = self.variant
        pack = variant.pack if variant.names_cards else None
        try:
            left = read_left(hand.left, pack, MOST_ARRANGED)
        except UnreadableCountError:
            return None
        if is_sum(left):
            return None
        cards = variant.pack.parse(left)
        laid = read_shown_melds(variant, hand.left, self.round_number) if hand.out else ()
        if laid:
            shown = HandRecord(left=cards, laid=tuple(map(variant.pack.parse, laid)))
            return laid_out(variant, shown, self.round_number)
        return least_left(variant, cards, self.round_number)

    # Teams.

    @cached_property
    def sheet(self) -> TeamSheet:
        """The round of a game that is counted by team."""
        return TeamSheet(self.state, self.round_number, self.variant, self.before, self.people)

    @cached_property
    def team_sums(self) -> dict[int, TeamSums]:
        """Each team’s points and total so far, by its first player’s id; none in other games."""
        return dict(self.sheet.sums(self.sent)) if self.by_team else {}

    @cached_property
    def teams(self) -> tuple[TeamColumn, ...]:
        """The teams, a column each; none in a game that isn’t counted by team."""
        if not self.by_team:
            return ()
        return tuple(self.sheet.columns(self.lines, self.hands, self.team_sums))

    @property
    def kinds(self) -> CountFields | None:
        """The fields for each team; None in a game that isn’t counted by team."""
        return self.sheet.kinds if self.by_team else None

    # How the round was closed.

    @property
    def nobody(self) -> bool:
        """Whether nobody went out, as ticked or as on the pad."""
        if self.form:
            return self.form.nobody
        return self.correcting and not any(cell.hand.out for cell in self.standing.values())

    @cached_property
    def closes(self) -> tuple[CloseChoice, ...]:
        """The ways to close a round (field `close`); none if the game doesn’t ask."""
        return close_choices(self.variant)

    @property
    def shown(self) -> str:
        """The hand that closed the round, as typed (field `shown`)."""
        return self._closing[0]

    @property
    def close(self) -> str:
        """The key of the way to close, as chosen or as the cards shown say."""
        return self._closing[1]

    @property
    def shown_says(self) -> str:
        """What the hand shown is called and counts ("Colour, ×3").

        Empty if it isn’t a special hand.
        """
        return self._closing[2]

    @cached_property
    def _closing(self) -> tuple[str, str, str]:
        """The hand shown, the key of its way to close, and what that is called ("Colour, ×3").

        The key is what was chosen; in games that go by the cards, it’s what the cards are.
        """
        shown, close = self._closed()
        rule, variant = self.variant.close, self.variant
        if self.closes and not must_say_how(variant):
            return "", close or self.closes[0].key, ""
        if rule is None:
            return shown, close, ""
        try:
            most = max(variant.hand_at(self.round_number), MOST_ARRANGED)
            cards = variant.pack.parse(read_cards(shown, variant.pack, most))
        except UnreadableCountError:
            return shown, close, ""
        chosen = {choice.key: choice.word for choice in self.closes}
        said = chosen.get(close) if rule.strict else None
        if not cards:
            return shown, close, ""
        found = None if rule.strict else choice_of(variant, cards, None)
        says = ", ".join(filter(None, close_shown(variant, cards, said)))
        return shown, found.key if found else close, says

    def _closed(self) -> tuple[str, str]:
        """The hand shown and the way chosen: as typed, or as on the pad."""
        if self.form:
            return self.form.shown[:200], self.form.close[:40]
        hand = next((cell.hand for cell in self.standing.values() if cell.hand.out), None)
        if hand is None:
            return "", ""
        choice = close_choice(self.variant, hand.close, joker=hand.joker)
        return hand.shown, choice.key if choice else ""

    @property
    def shown_problem(self) -> str:
        """Why the hand shown doesn’t close the round, or what is missing; or empty."""
        return self.unread.get(SHOWN, "")

    @property
    def turned(self) -> str:
        """The card turned up at the deal, as typed (field `turned`) or as on the pad."""
        return self.form.turned[:20] if self.form else self.turned_known

    @property
    def turned_problem(self) -> str:
        """Why the text in `turned` isn’t a card, or that the card is missing; or empty."""
        return self.unread.get(UPCARD, "")

    @property
    def asks_shown(self) -> bool:
        """Whether the cards that closed can be typed instead of choosing the way to close."""
        return self.variant.close is not None and self.variant.close.pays_by_way

    @property
    def asks_times(self) -> bool:
        """Whether each way to close shows how often the others pay."""
        return all(choice.adds is None for choice in self.closes)

    @property
    def asks_wild(self) -> bool:
        """Whether a way to close counts differently without a wild."""
        return any(choice.joker is not None for choice in self.closes)

    @property
    def ways(self) -> tuple[tuple[str, tuple[CloseChoice, ...]], ...]:
        """The ways to close, grouped if they only differ by a joker: "Colour" with and without."""
        titles = self.variant.close_titles
        rows = [(word, tuple(some)) for word, some in groupby(self.closes, lambda each: each.word)]
        return tuple((capital(titles.get(word, some[0].title)), some) for word, some in rows)

    # The page around them.

    @property
    def knocks(self) -> bool:
        """Whether a player who goes out can have cards left over that count."""
        return knocks(self.variant)

    @property
    def adds(self) -> bool:
        """Whether the points left are simply added, so that a phone can do the sum."""
        pad = self.pad
        if self.kinds:
            return self.kinds.adds
        more = pad.asks_table or pad.zero_sum or self.knocks or self.closes or self.marks
        return not (more or self.correcting) and pad.counts in {Counts.ALL, Counts.POINTS}

    @property
    def marks(self) -> bool:
        """Whether more than the cards left counts in a hand: pairs, penalties, or a partner’s."""
        pad = self.pad
        return pad.pairs > 1 or pad.penalty is not None or pad.hand_by_hand

    def spared_by(self, player: int) -> tuple[int, ...]:
        """Return the ids of the partners who spare a player’s cards left by going out."""
        if not self.pad.spares_partners:
            return ()
        team = next(team for team in teams_in(self.state) if player in team)
        return tuple(who for who in team if who != player)

    @property
    def has_columns(self) -> bool:
        """Whether the fields of a hand are in columns, whose titles are above the hands."""
        return self.variant.climbs_alone or (self.pad.asks_table and not self.by_team)

    @property
    def style(self) -> str:
        """The name of the style for this count, with no more than it needs."""
        if self.by_team:
            return "css/teams.css"
        cards = "-cards" if self.variant.names_cards else ""
        return f"css/count{cards}{'-columns' if self.has_columns else ''}.css"

    @property
    def nets(self) -> bool:
        """Whether a hand scores what was laid less what is left, so that a phone can do the sum."""
        pad = self.pad
        more = pad.zero_sum or self.knocks or self.closes or self.correcting or self.by_team
        more = more or self.marks
        return pad.asks_table and not more and pad.counts in {Counts.ALL, Counts.POINTS}

    @property
    def asked_for(self) -> tuple[tuple[str, str, tuple[Token, ...]], ...]:
        """The steps that players are on, each with what it asks for and their tokens.

        None if all players have the same step, which is the round.
        """
        if not self.variant.climbs_alone:
            return ()
        there = [self.state.seats.index(line[0]) for line in self.every_line]
        steps = {self.before.steps[place] for place in there}
        return tuple(
            (
                f"{capital(self.variant.words.step)} {step}",
                step_says(self.variant, step),
                tuple(
                    self.people.tokens[self.state.seats[place]]
                    for place in there
                    if self.before.steps[place] == step
                ),
            )
            for step in sorted(steps)
        )

    @property
    def has_gin(self) -> bool:
        """Whether each player has a box for Gin as well as for knocking."""
        return self.pad.has_gin and not self.only

    @property
    def step(self) -> int | None:
        """The step of the round; None if each player has their own."""
        return None if self.variant.climbs_alone else self.before.steps[0]

    @property
    def title(self) -> str:
        """The contract of the round ("2 runs"); empty if each player has their own step."""
        asked, speaker = self.variant.contract_at(self.step), self.variant.speaker
        return asked.brief(speaker) if asked else self.variant.step_says(self.step or 0)

    @property
    def note(self) -> str:
        """A special rule of this round; or empty."""
        of_round = self.variant.round_note(self.step) if self.step else ""
        return self.pad.table_note or of_round or self.pad.fixed_note

    @property
    def dealt(self) -> int:
        """The number of cards dealt to a hand in this round."""
        return self.variant.hand_at(self.round_number)

    @cached_property
    def classes(self) -> tuple[ValueClass, ...]:
        """The keys for tapping the cards left, with their values in this round."""
        players = self.state.players_of(self.round_number)
        return self.variant.value_classes(self.before.steps[0], len(players))

    @property
    def copies(self) -> int:
        """How many of one card there are, the same for all but the jokers."""
        return self.classes[0].copies // len(self.classes[0].cards)

    @property
    def jokers(self) -> int:
        """The number of jokers: the copies of the cards on the last key."""
        return self.classes[-1].copies

    @property
    def sample(self) -> str:
        """An example of how a card is written: "7C", "R7" for a tile."""
        return self.variant.pack.notation.sample.split()[0]

    @property
    def overline(self) -> str:
        """The line above the heading: the round and its contract."""
        pad, title = self.pad, "" if self.variant.climbs_alone else self.title
        if self.variant.points_only:
            of = pad.asks_after if self.round_number <= (pad.asks_after or 0) else None
            number = say("pad.round-of", "of" if of else "", number=self.round_number, rounds=of)
            return f"{number} · {self.variant.name}"
        if self.by_team:
            to = say("count.to", points=say_points(pad.target)) if pad.target else ""
            return " · ".join(filter(None, (self.variant.name, to, self.sheet.say_dealt())))
        target = say("count.to", points=pad.target) if pad.has_gin or pad.asks_table else ""
        number = say("count.round", number=self.round_number)
        return " · ".join(filter(None, (number, title, target)))

    @property
    def heading(self) -> str:
        """The heading, which is the question of the page: "What is left in hand?"."""
        pad = self.pad
        if self.by_team:
            return say("count.round", number=self.round_number)
        asks = {
            "change": self.correcting and self.only is not None,
            "changes": self.correcting,
            "deadwood": self.has_gin,
            "table": pad.asks_table,
            "out": pad.counts is Counts.NONE,
            "points": self.variant.points_only,
        }
        how = next((how for how, is_so in asks.items() if is_so), self.variant.pack.kind)
        return say("count.heading", how, name=self.lines[0].name, number=self.round_number)


def open_count(session: Session, pub: str, number: int, only: int | None = None) -> CountPage:
    """Return the count page of a round that was reached, for all players or for one.

    In a game of teams it’s always for all. Raises GameNotFoundError, RoundNotFoundError,
    GameFinishedError and NotInRoundError.
    """
    state = _open(session, pub, number, only)
    people = read_people(session, state)
    return CountPage(pub=pub, round_number=number, state=state, people=people, alone=only)


def fill_count(session: Session, pub: str, number: int, form: CountForm, at: str = "") -> CountPage:
    """Return the count page with what was typed, without trying to save it.

    `at` is the id of the box to change. Raises the same errors as `open_count`.
    """
    state = _open(session, pub, number, form.only)
    people = read_people(session, state)
    return CountPage(pub=pub, round_number=number, state=state, people=people, form=form, at=at)


def refuse_count(
    session: Session, pub: str, number: int, form: CountForm, validation: Validation
) -> CountPage:
    """Return the count page with what was typed, and why it can’t be saved."""
    return CountPage(
        pub=pub,
        round_number=number,
        state=validation.state,
        people=read_people(session, validation.state),
        form=form,
        refused=validation,
    )


def _open(session: Session, pub: str, number: int, only: int | None) -> GameState:
    state = ledger.read_game(session, pub)
    if state.finished:
        raise GameFinishedError
    if not state.first_round <= number <= state.reached:
        raise RoundNotFoundError
    if only is not None and only not in state.players_of(number):
        raise NotInRoundError
    return state


def few(names: Sequence[str]) -> str:
    """Return some names in one line: if there are 4 or more, 2 of them and how many more."""
    return few_of(names) if len(names) > MOST_NAMES else ", ".join(names)


def _points_in(text: str, read: Callable[[str], str] = read_count) -> int | None:
    """Return the points in a typed number or sum; None if it’s blank, cards, or can’t be read."""
    try:
        count = read(text)
    except UnreadableCountError:
        return None
    return add_up(count) if count else None
