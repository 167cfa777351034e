"""The advice page: what can be laid down from a hand, in a game with advice or outside of games."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy.orm import Session

from referee import JOKER, Variant, legal_readings, standing, write_cards
from referee.advice import NoAdviceError, no_advice
from webapp.language import say
from webapp.ledger import ledger
from webapp.pages.advice.forms import AdviceKind, advice_kind_of, in_hand
from webapp.pages.advice.results import FoundAdvice, KnownGame, show_found
from webapp.pages.desk.card_fields import UPCARD, CardRow, DeskQuestion, LaidCards
from webapp.pages.desk.page import CardPage, TableMeld
from webapp.pages.desk.play import note_missing_upcard, read
from webapp.pages.desk.view import fields_of, show_choices, show_in_game, show_switches, sit_down
from webapp.players.tokens import read_people
from webapp.text.refusals import AdviceOffError, NoRefereeError
from webapp.workers.jobs import SearchTask, Solver, directly, name_game

_MOST_SEARCHED: Final = 60
"""The most cards of a hand; in games with growing hands it’s what the referee can search."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvicePage(CardPage):
    """A request for advice as far as it’s filled in, and what was found."""

    game: KnownGame
    dealt: int
    """The least number of cards in the hand; 0 if it can have any number."""
    bad: bool
    """Whether a row has a problem, so that nothing was searched for."""
    found: FoundAdvice | None
    can_record: bool
    """Whether the play that was found can be recorded as the player’s."""

    @property
    def now(self) -> str:
        """The row that the keys start with: one that can’t be read, else the hand."""
        return next((slot.name for slot in self.slots if slot.problem), self.slots[0].name)

    @property
    def whose(self) -> str:
        """The name of the player whose hand it is ("Ben"), or empty outside of games."""
        return self.game.who

    @property
    def overline(self) -> str:
        """The line above the heading: the contract ("Advice · round 3 · 2 runs of 4").

        If nothing can be laid, the heading doesn’t name the player, so this line does.
        """
        what = self.variant.step_says(self.step) if self.step else self.variant.name
        if self.whose and self.found is not None and self.found.closest is not None:
            return f"{say('advice.for-whom', who=self.whose)} · {what}"
        at = f"{self.variant.words.step} {self.step}" if self.step else ""
        return " · ".join(filter(None, (say("pad.advice"), at, what)))


def open_advice(variant: Variant, question: DeskQuestion, solve: Solver = directly) -> AdvicePage:
    """Return the advice page outside of games; raise NoAdviceError if the game has no advice."""
    if variant.points_only:
        raise NoRefereeError
    step = question.step if variant.has_step(question.step) else 1
    question = replace(question, step=step if variant.steps else None)
    return _show(variant, question, KnownGame(), solve)


def read_advice(
    session: Session, pub: str, question: DeskQuestion, solve: Solver = directly
) -> AdvicePage:
    """Return the advice page in a game, with its house rules and the melds on the table.

    Raises NoAdviceError if the game has no advice, AdviceOffError if it’s switched off,
    GameNotFoundError, or PlayerNotFoundError for somebody who isn’t in the game.
    """
    state = ledger.read_game(session, pub)
    if state.variant.points_only:
        raise NoRefereeError
    if not state.start.advice:
        raise AdviceOffError
    people = read_people(session, state)
    game = sit_down(pub, state, people, question.player)
    variant, player, names = game.variant, game.player, people.names
    asked_for = question.player is not None
    question = replace(_fill_in(question, variant, player, game.table), step=game.now)
    question = replace(question, player=player)
    question = replace(question, texts={**state.upcard_texts, **question.texts})

    def can_record(texts: Mapping[str, str]) -> bool:
        play = DeskQuestion(ask=texts.get("ask", ""), step=game.now, player=player, texts=texts)
        return bool(play.ask) and show_in_game(pub, state, people, play, solve).can_record

    known = KnownGame(
        owners={meld.text: meld.owner for meld in game.table},
        pub=pub,
        players=tuple((who, names[who]) for who in game.playing),
        tokens=people.tokens,
        who=names[player],
        asked_for=asked_for,
        can_record=can_record,
    )
    return _show(variant, question, known, solve)


def _fill_in(
    question: DeskQuestion, variant: Variant, player: int, table: tuple[TableMeld, ...]
) -> DeskQuestion:
    """Return a question with this round’s melds filled in, unless they’re there for this player."""
    if question.texts.get("for") == str(player):
        return question
    texts = {name: text for name, text in question.texts.items() if name in {"hand", "put", UPCARD}}
    rows = {row.name for row in advice_kind_of(variant).rows(variant, question)}
    counts = {"own-": 0, "table-": 0}
    for meld in table:
        own = meld.owner_id == player
        prefix = "own-" if own and "own-1" in rows else "table-"
        counts[prefix] += 1
        texts[f"{prefix}{counts[prefix]}"] = meld.text
        texts |= {"down": "1", "later": "1"} if own else {}
    return replace(question, texts=texts)


def _show(variant: Variant, question: DeskQuestion, game: KnownGame, solve: Solver) -> AdvicePage:
    kind = advice_kind_of(variant)
    slots, laid = read(variant, kind, question)
    why = no_advice(variant)
    if why:
        raise NoAdviceError(why)
    put = question.has("put")
    slots = tuple(_check(variant, question, slot, put=put) for slot in slots)
    slots = tuple(replace(slot, label=game.owners.get(slot.text, slot.label)) for slot in slots)
    cards = {slot.name: slot.cards for slot in slots if slot.name != UPCARD}
    laid = replace(laid, cards=cards)
    if put and laid.variant.lacks_upcard:
        slots = note_missing_upcard(slots, variant)
    contract = variant.contract_at(question.step)
    if put and variant.contracts and contract is None:
        slots = (replace(slots[0], problem=say("advice.all-done")), *slots[1:])
    bad = any(slot.problem for slot in slots)
    found = _find(kind, laid, game, solve) if put and not bad else None
    switches = show_switches(question, variant, kind.switches(variant))
    choices = show_choices(question, kind.choices())
    fields = dict(fields_of(question, slots, switches, choices))
    steps = () if game.pub else range(1, variant.steps + 1)
    if question.player:
        fields["for"] = str(question.player)
    return AdvicePage(
        variant=variant,
        game=game,
        step=question.step,
        slots=slots,
        switches=switches,
        choices=choices,
        steps=tuple((at, variant.step_says(at)) for at in steps),
        player=question.player,
        dealt=_least_in_hand(variant, kind, question),
        bad=bad,
        found=found,
        can_record=found is not None and game.can_record(found.best.fields),
        key=ledger.new_key(),
        fields=fields,
    )


def _check(variant: Variant, question: DeskQuestion, slot: CardRow, *, put: bool) -> CardRow:
    """Return a row with what is wrong with it, before any search; melds in a legal order."""
    if slot.problem:
        return slot
    if slot.name == "hand":
        problem, most = "", _most_in_hand(variant)
        if put and not slot.cards:
            problem = say("advice.which", variant=variant)
        elif len(slot.cards) > most:
            problem = say("typed.too-many", variant.pack.kind, most=most)
        elif JOKER in slot.cards and not variant.pack.jokers:
            problem = variant.speaker.say("not-in-pack", "", {})
        cards = tuple(sorted(slot.cards, key=in_hand))
        return replace(slot, problem=problem, cards=cards, text=write_cards(cards) or slot.text)
    if slot.name in {"discards", UPCARD} or not slot.cards:
        return slot
    rules = variant.melds_at(question.step)
    readings = standing(slot.cards, rules)
    if readings:
        return replace(slot, reading=readings[0])
    sorted_out = legal_readings(slot.cards, rules, as_laid=False)
    if not sorted_out:
        return replace(slot, problem=say("advice.no-meld", variant=variant))
    return replace(slot, cards=sorted_out[0].arranged.cards, reading=sorted_out[0].arranged)


def _least_in_hand(variant: Variant, kind: AdviceKind, question: DeskQuestion) -> int:
    """Return the least number of cards in a hand: those dealt, unless some are on the table."""
    is_whole = kind.whole_hand or (bool(variant.contracts) and not question.has("down"))
    return variant.hand_at(question.step) if is_whole else 0


def _most_in_hand(variant: Variant) -> int:
    """Return the most cards in a hand: those dealt and one that was drawn, if hands don’t grow.

    A growing hand has at most what the packs have, which is checked for all cards together.
    """
    grows = variant.pad.may_grow
    return _MOST_SEARCHED if grows else variant.most_dealt + 1


def _find(kind: AdviceKind, laid: LaidCards, game: KnownGame, solve: Solver) -> FoundAdvice:
    question, own = laid.question, laid.rows("own-")
    table = (*own, *laid.rows("table-"))
    task = SearchTask(
        game=name_game(laid.variant),
        step=question.step,
        hand=laid.row("hand"),
        table=table,
        own=own,
        down=question.has("down"),
        first=not question.has("later"),
        opened=not question.has("not-opened"),
        by_value=question.texts.get("aim") == "value",
        pile=laid.row("discards"),
    )
    return show_found(kind, laid, solve(task), table, game)
