"""Filling in the count form: as a round stands on the pad, or with what was typed."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from types import MappingProxyType
from typing import Final

from referee import MOST_ARRANGED, Arrangement, Counts, PadRule, Score, Variant
from referee.scorepad import (
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
    Count,
    TypedHand,
    UnreadableCountError,
    read_cards,
    read_count,
    read_left,
    read_points,
)
from webapp.game.replay import GameState
from webapp.game.state import Hand, deal_of
from webapp.game.tallying import BLANK, is_by_team, teams_in, typed_of
from webapp.language import say
from webapp.ledger import ledger
from webapp.ledger.ledger import Sent
from webapp.pages.counting.doubts import Doubts
from webapp.pages.counting.form import TypedHands
from webapp.pages.counting.lines import HandChoice, HandLine, TeamColumn
from webapp.pages.counting.melds import read_shown_melds
from webapp.pages.counting.page import CountConflictError, CountForm, CountRefusedError, Judged
from webapp.pages.counting.teams import TeamSheet
from webapp.pages.counting.validation import SHOWN, UPCARD, Validation, upcard_of, validate
from webapp.pages.scorepad.by_team import tell_teams
from webapp.pages.scorepad.sentences import Saving, choice_of, close_shown
from webapp.players.tokens import People, Token
from webapp.text.formatting import capital, joined, say_points, step_says

_MOST_NAMES: Final = 3
"""Names that a line says one by one."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One round of a game, as the count page sees it."""

    pub: str
    number: int
    state: GameState
    names: Mapping[int, str]
    tokens: Mapping[int, Token]
    before: Score
    """The score at the start of the round."""
    turned: str = ""
    """The card turned up at the deal, as it is known; empty if it is not."""

    @property
    def standing(self) -> Mapping[int, Hand]:
        """What is on the pad already, by player."""
        return self.state.hands_of(self.number)

    @property
    def variant(self) -> Variant:
        """The game, with its house rules, in the deal of this round."""
        return deal_of(self.state.variant, self.turned)

    @property
    def pad(self) -> PadRule:
        """What the game's scorepad asks."""
        return self.variant.pad

    @property
    def by_team(self) -> bool:
        """Whether the page has a column for each team."""
        return is_by_team(self.state)

    @property
    def firsts(self) -> tuple[int, ...]:
        """The players whose lines are filled in: all, or the first of each team."""
        if not self.by_team:
            return self.state.players_of(self.number)
        return tuple(team[0] for team in teams_in(self.state))

    def first_of(self, player: int) -> int:
        """The player whom the fields of a player's team are named for."""
        return next(team[0] for team in teams_in(self.state) if player in team)

    def validate(self, typed: TypedHands) -> Validation:
        """Validate what was typed; raises CountRefusedError and CountConflictError."""
        validation = validate(self.state, self.number, typed)
        differing = {
            player: self.choose(player, typed.lines[player])
            for player in self.firsts
            if player in validation.conflicts and player in typed.lines
        }
        if differing:
            raise CountConflictError(self.form(typed, validation=validation, differing=differing))
        if validation.unread:
            raise CountRefusedError(self.form(typed, validation=validation))
        return validation

    def choose(self, player: int, line: TypedHand) -> tuple[HandChoice, ...]:
        """The hand on the pad and that of this phone, which was made before that was saved."""
        standing = self.standing.get(player)
        theirs = self.choice(_typed_of(standing) if standing else BLANK, say("count.whose", "pad"))
        return theirs, self.choice(line, say("count.whose", "you"))

    def choice(self, hand: TypedHand, whose: str) -> HandChoice:
        """A hand to choose, and whose it is."""
        points = self.points_of(hand)
        says = say("hand.out") if hand.out else "–" if points is None else str(points)
        if self.by_team:
            says = ", ".join(self.teams.tell(hand)) or says
        elif self.pad.asks_table:
            says = say("count.laid", table=_add_up(hand.table) or 0, left=says)
        if self.variant.climbs_alone and not hand.out:
            says = say("count.made-it", "" if hand.made else "not", left=says)
        if hand.is_blank:
            says = say("hand.blank")
        return HandChoice(says=says, value=hand.says, whose=whose)

    def points_of(self, hand: TypedHand) -> int | None:
        """What a hand costs as it was typed; None if it can't be read."""
        arrangement = self.arrange(hand)
        return arrangement.points if arrangement else self.add_up(hand.left)

    def add_up(self, text: str) -> int | None:
        """What a hand comes to as it was typed, if no card is named."""
        return _add_up(text, read_points if self.variant.points_only else read_count)

    def judge(self, typed: TypedHands, validation: Validation | None = None) -> Judged:
        """Say in one line how a count stands, and what a save would make of it."""
        validation = validation or validate(self.state, self.number, typed)
        after = self.state.with_facts(validation.facts) if validation.facts else self.state
        saving = self.saving(after)
        complete = not validation.unread
        asked = self.doubts(typed, validation).ask(validation.doubts)
        kind, says = self.say_state(validation, saving, typed)
        return Judged(
            kind=kind,
            says=says,
            sums=dict(self.sums(after)) if complete else {},
            sentences=tuple(saving.tell(validation.facts)),
            asks=asked.line if asked and kind == "doubt" else "",
            odd=tuple(
                each.box.id
                for each in (asked.boxes if asked else ())
                if kind == "doubt" or not each.box.is_blank
            ),
            wrong=tuple(self.unread_in(validation, typed)),
            teams=dict(self.teams.run(typed)) if self.by_team else {},
        )

    @property
    def teams(self) -> TeamSheet:
        """The round as it is counted by team."""
        return TeamSheet(
            self.state, self.number, self.variant, self.before, self.names, self.tokens
        )

    def called(self, player: int) -> str:
        """What a line is called: a player's name, or those of the whole team."""
        return self.teams.called(player) if self.by_team else self.names[player]

    def unread_in(self, validation: Validation, typed: TypedHands) -> Iterator[str]:
        """The fields in which something is typed that can’t be read."""
        for who in validation.unread:
            if who not in validation.blank and who in typed.lines:
                line = typed.lines[who]
                field = self.teams.unread_in(line) if self.by_team else "left"
                if not self.by_team and self.pad.asks_table and self.add_up(line.left) is not None:
                    field = "table"
                yield f"{field}-{who}"

    def doubts(self, typed: TypedHands, validation: Validation) -> Doubts:
        """What was typed, to be asked about."""
        standing, by_team = self.standing, self.by_team
        teams = teams_in(self.state) if by_team else tuple((who,) for who in self.state.seats)
        here = self.state.players_of(self.number)
        lines = {who: self.hand(who) for who in self.firsts if who in standing}
        lines |= {who: line for who, line in typed.lines.items() if not line.is_blank}
        counted = next(iter(validation.facts), None)
        return Doubts(
            variant=self.variant.seated(len(here)),
            number=self.number,
            seats=self.state.seats,
            firsts={who: team[0] for team in teams for who in team},
            partners=frozenset(who for team in teams if len(team) > 1 for who in team),
            called=self.called,
            tokens=self.tokens,
            hands={who: line for who, line in lines.items() if who in self.firsts},
            changed=tuple(counted.hands) if isinstance(counted, Counted) else (),
            shown=tuple(who for who in self.firsts if typed.only in {None, who}),
            counts=self.counts,
        )

    def counts(self, line: TypedHand, field: str) -> int | None:
        """What is in a field of a hand, added up; None if it can’t be."""
        if field == "left":
            return self.points_of(line)
        if self.by_team:
            laid = self.teams.laid(line)[1]
            return laid.points if laid else None
        return _add_up(line.table)

    def say_state(
        self, validation: Validation, saving: Saving, typed: TypedHands
    ) -> tuple[str, str]:
        """What to say of a count, and of what kind that is."""
        wrong = [
            f"{self.called(who)}: {says}" if who in self.names else says
            for who, says in validation.unread.items()
            if who not in validation.blank
        ]
        if wrong:
            return "no", wrong[0]
        if validation.blank:
            if self.by_team and self.pad.counts is not Counts.NONE:
                return "wait", self.teams.say_missing(typed, validation.blank, self.called)
            nothing = validation.blank == self.state.players_of(self.number)
            how = "nothing" if self.variant.points_only and nothing else ""
            names = few([self.called(who) for who in validation.blank])
            return "wait", say("count.still", how, names=names)
        if validation.conflicts or validation.doubts:
            names = joined(self.called(who) for who in self.firsts if who in validation.conflicts)
            return "doubt", say("count.can-save", "clash" if names else "", names=names)
        if not validation.facts:
            return "wait", say("count.type")
        said: Iterable[str] = (say("count.ready"), saving.lead_says, saving.next_says)
        if self.number <= len(self.state.rounds):
            said = saving.tell(validation.facts)
            if self.by_team:
                changes = tell_teams(saving.after, self.state, self.number, None, self.names)
                said = (say("count.ready"), *changes, saving.lead_says)
        return "in", " ".join(filter(None, said))

    def sums(self, after: GameState) -> Iterator[tuple[int, str]]:
        """What the round makes of each total."""
        if len(after.rounds) < self.number:
            return
        hands, scored = after.hands_of(self.number), after.score.points[self.number - 1]
        for place, player in enumerate(after.seats):
            points = scored[place]
            before, total = (
                self.before.totals[place],
                after.score_before(self.number + 1).totals[place],
            )
            standing = self.standing.get(player)
            if player in hands and self.number <= len(self.state.rounds):
                was, now = standing.says if standing else say("hand.blank"), hands[player].says
                if was != now:
                    sum_now = say_points(after.score.totals[place])
                    yield player, say("count.changed", was=was, now=now, total=sum_now)
            elif player in hands and before + points == total:
                adds = f"{'−' if points < 0 else '+'} {abs(points)}"
                yield player, f"{self.total_says(before)} {adds} = {say_points(total)}"

    def so_far(self, player: int) -> str:
        """What there is to say of a total before anything is typed: "60 so far", "was 60"."""
        standing, place = self.standing.get(player), self.state.seats.index(player)
        if standing and self.number <= len(self.state.rounds):
            total = say_points(self.state.score.totals[place])
            return say("count.was", hand=standing.says.replace("-", "−"), total=total)
        total = self.total_says(self.before.totals[place])
        return total if self.pad.says_gin else say("count.so-far", total=total)

    def total_says(self, total: int) -> str:
        """A total, with what it is to reach if the game is about that: "62 of 100"."""
        points = say_points(total)
        return say("count.of", points=points, of=self.pad.target) if self.pad.says_gin else points

    def form(
        self,
        typed: TypedHands | None = None,
        *,
        only: int | None = None,
        validation: Validation | None = None,
        differing: Mapping[int, tuple[HandChoice, ...]] = MappingProxyType({}),
    ) -> CountForm:
        """Make the form: as it stands on the pad, or with what was typed.

        It is for all players, or for `only` one; `differing` are those of whom two phones have
        different hands.
        """
        turned = upcard_of(self.state, self.number, typed)[0] if typed else self.turned
        only = typed.only if typed else only
        sheet = replace(self, turned=turned)
        return sheet.filled(typed, only=only, validation=validation, differing=differing)

    def filled(
        self,
        typed: TypedHands | None,
        *,
        only: int | None,
        validation: Validation | None,
        differing: Mapping[int, tuple[HandChoice, ...]],
    ) -> CountForm:
        """The form of this deal, with what was typed."""
        variant, pad = self.variant, self.pad
        step = None if variant.climbs_alone else self.before.steps[0]
        asked = variant.contract_at(step)
        unread = validation.unread if validation else {}
        players = self.state.players_of(self.number)
        here = [player for player in players if only in {None, player}]
        hands = {player: self.hand(player) for player in here}
        entered = typed or TypedHands(lines=hands, only=only, sure=False, sent=Sent(key=""))
        judged = self.judge(entered, validation)
        wrong = {**unread} | dict.fromkeys(differing, say("count.disagree"))
        lines = []
        for player in here:
            hand = entered.lines.get(player, hands[player])
            if player in differing or (self.by_team and self.first_of(player) in differing):
                # Whatever is tapped takes the place of what is there now.
                hand = replace(hand, base=hands[player].base)
            line = self.line(
                player,
                hand,
                problem=wrong.get(player, ""),
                choices=differing.get(player, ()),
                sum_says=judged.sums.get(player) or self.so_far(player),
            )
            lines.append(line)
        shown, close, shown_says = self.closing(typed)
        columns: tuple[TeamColumn, ...] = ()
        if self.by_team:
            told = {**hands, **entered.lines}
            columns = tuple(self.teams.columns(lines, told, judged.teams))
        return CountForm(
            judged=judged,
            asked=self.doubts(entered, validation).ask(validation.doubts)
            if validation and judged.kind == "doubt"
            else None,
            pub=self.pub,
            variant=variant,
            round_number=self.number,
            title=asked.brief(variant.speaker) if asked else variant.step_says(step or 0),
            note=pad.table_note or (variant.round_note(step) if step else "") or pad.fixed_note,
            classes=variant.value_classes(self.before.steps[0], len(players)),
            lines=tuple(lines),
            rest=tuple(
                self.line(each, self.hand(each)) for each in players if only and each != only
            ),
            asks_made=variant.climbs_alone,
            key=typed.sent.key if typed else ledger.new_key(),
            sure=bool(typed and typed.sure),
            part=bool(typed and typed.part),
            only=only,
            correcting=self.number <= len(self.state.rounds),
            dry=pad.dry,
            nobody=typed.nobody if typed else self.nobody(),
            knocks=knocks(variant),
            asks_upcard=variant.turning is not None,
            turned=typed.turned[:20] if typed else self.turned,
            turned_problem=unread.get(UPCARD, ""),
            dealt=variant.hand_at(self.number),
            closes=close_choices(variant),
            close=close,
            shown=shown,
            shown_says=shown_says,
            shown_problem=unread.get(SHOWN, ""),
            teams=columns,
            kinds=self.teams.kinds if self.by_team else None,
            dealt_says=self.teams.say_dealt() if self.by_team else "",
        )

    def nobody(self) -> bool:
        """Whether the round stands on the pad as one in which nobody went out."""
        hands = self.standing.values()
        complete = self.number <= len(self.state.rounds)
        return complete and not any(hand.out for hand in hands)

    def closing(self, typed: TypedHands | None) -> tuple[str, str, str]:
        """The hand shown, the way it closes by its key, and what it is ("Colour, ×3").

        The way is what was chosen; where a hand counts as what it is, what the cards come to.
        """
        shown, close = self._closed(typed)
        rule, choices = self.variant.close, close_choices(self.variant)
        if choices and not must_say_how(self.variant):
            return "", close or choices[0].key, ""
        if rule is None:
            return shown, close, ""
        try:
            most = max(self.variant.hand_at(self.number), MOST_ARRANGED)
            cards = self.variant.pack.parse(read_cards(shown, self.variant.pack, most))
        except UnreadableCountError:
            return shown, close, ""
        chosen = {choice.key: choice.word for choice in choices}
        said = chosen.get(close) if rule.strict else None
        if not cards:
            return shown, close, ""
        found = None if rule.strict else choice_of(self.variant, cards, None)
        says = ", ".join(filter(None, close_shown(self.variant, cards, said)))
        return shown, found.key if found else close, says

    def _closed(self, typed: TypedHands | None) -> tuple[str, str]:
        """The hand shown and the way chosen: as typed, or as they stand on the pad."""
        if typed:
            return typed.shown[:200], typed.close[:40]
        hand = next((hand.entered for hand in self.standing.values() if hand.out), None)
        if hand is None:
            return "", ""
        choice = close_choice(self.variant, hand.close, joker=hand.joker)
        return hand.shown, choice.key if choice else ""

    def hand(self, player: int) -> TypedHand:
        """A player's hand as it is on the pad."""
        standing = self.standing.get(player)
        team = next((team for team in teams_in(self.state) if player in team), ())
        if self.by_team and (player != team[0] or standing):
            base = standing.seq if standing else 0
            is_counted = player == team[0] and all(who in self.standing for who in team)
            return typed_of(team, self.standing) if is_counted else replace(BLANK, base=base)
        if standing:
            return _typed_of(standing)
        laid = self.state.lay_downs.get((self.number, player), ())
        if self.by_team:
            every = (self.state.lay_downs.get((self.number, who), ()) for who in team)
            laid = tuple(chain.from_iterable(every))
        recorded = "+".join(str(each.points) for each in laid if each.points)
        table = recorded if self.pad.asks_table else ""
        return replace(BLANK, made=bool(laid) and not self.by_team, table=table)

    def line(
        self,
        player: int,
        hand: TypedHand,
        *,
        problem: str = "",
        choices: tuple[HandChoice, ...] = (),
        sum_says: str = "",
    ) -> HandLine:
        """A player's line with a hand in it, and what there is to say of that."""
        place = self.state.seats.index(player)
        laid = self.state.lay_downs.get((self.number, player), ())
        grown = self.pad.grows_by * len(self.state.takes.get((self.number, player), ()))
        points = self.points_of(hand)
        return HandLine(
            player_id=player,
            name=self.names[player],
            token=self.tokens[player],
            total=self.before.totals[place],
            out=hand.out,
            made=hand.made,
            typed=hand.left,
            points=0 if points is None and hand.out else points,
            arrangement=self.arrange(hand),
            table=hand.table,
            table_points=_add_up(hand.table),
            problem=problem,
            choices=choices,
            sum_says=sum_says,
            base=hand.base,
            saved=player in self.state.counting and self.number > len(self.state.rounds),
            told=tuple(filter(None, self.tell_hand(place, grown, down=bool(laid)))),
        )

    def tell_hand(self, place: int, grown: int, *, down: bool) -> Iterator[str]:
        """Say what to know of a hand before it is counted; empty if there is nothing."""
        variant, step = self.variant, self.before.steps[place]
        if variant.climbs_alone:
            yield f"{capital(variant.words.step)} {step}: {step_says(variant, step)}"
        yield say("pad.down") if down and not self.pad.asks_table else ""
        yield say("count.grown", n=grown) if grown else ""

    def arrange(self, hand: TypedHand) -> Arrangement | None:
        """A hand whose cards were named, in melds; None if none were.

        As a player who knocked showed them, or else so that it costs least.
        """
        pack = self.variant.pack if self.variant.names_cards else None
        try:
            count = read_left(hand.left, pack, MOST_ARRANGED)
        except UnreadableCountError:
            return None
        if count is None or not count.cards:
            return None
        cards = self.variant.pack.parse(count.cards)
        laid = read_shown_melds(self.variant, hand.left, self.number) if hand.out else ()
        if laid:
            shown = HandRecord(left=cards, laid=tuple(map(self.variant.pack.parse, laid)))
            return laid_out(self.variant, shown, self.number)
        return least_left(self.variant, cards, self.number)

    def saving(self, after: GameState) -> Saving:
        """Set the game as it is beside what a save would make of it."""
        return Saving(before=self.state, after=after, number=self.number, names=self.names)


def make_sheet(pub: str, number: int, state: GameState, people: People) -> Sheet:
    """Open a round of a game that was reached."""
    before, turned = state.score_before(number), state.upcards.get(number, "")
    return Sheet(pub, number, state, people.names, people.tokens, before, turned)


def few(names: Sequence[str]) -> str:
    """Some names in one line: from 4 on 2 of them, and how many more."""
    if len(names) <= _MOST_NAMES:
        return ", ".join(names)
    return say("count.few", first=names[0], second=names[1], n=len(names) - 2)


def _typed_of(hand: Hand) -> TypedHand:
    """What is on the pad, as it would be typed."""
    one = hand.entered
    left = hand.typed or str(hand.left) if hand.left or not one.out else ""
    table = one.table_typed or ("" if one.table is None else str(one.table))
    return TypedHand(left=left, out=one.out, made=bool(one.made), base=hand.seq, table=table)


def _add_up(text: str, read: Callable[[str], Count | None] = read_count) -> int | None:
    try:
        count = read(text)
    except UnreadableCountError:
        return None
    return count.points if count else None
