"""The desk’s view: answers a question about a play, in a game or outside of games."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy.orm import Session

from referee import Card, Play, Ruling, Variant
from referee.advice import no_advice
from webapp.game.lay_downs import (
    laid_by,
    laid_too_often,
    lays_cards,
    may_record,
    melds_of_round,
)
from webapp.game.replay import GameState
from webapp.language import say, write
from webapp.ledger import ledger
from webapp.pages.desk.card_fields import CardRow, Choices, DeskQuestion
from webapp.pages.desk.decisions import Decision, decision_on, list_decisions
from webapp.pages.desk.page import (
    Desk,
    DeskChoice,
    DeskSwitch,
    Hint,
    TableMeld,
)
from webapp.pages.desk.play import Ruled, hint_slot, put
from webapp.pages.desk.progress import progress_of
from webapp.pages.desk.questions import DeskAsk, asks_of
from webapp.pages.desk.team import TOTAL, asks_own, fill_own, lays_on_own, total_text, whose
from webapp.players.tokens import People, read_people
from webapp.text.cards import Drawing
from webapp.text.formatting import capital, title_of
from webapp.text.refusals import NoRefereeError, PlayerNotFoundError
from webapp.workers.jobs import Solver, directly

_TABLE: Final = "table-"
"""The start of the names of the rows with the melds on the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AtTable:
    """A game in progress at the moment when a question is asked, and the player who asks it."""

    pub: str
    state: GameState
    people: People
    variant: Variant
    """The game for the number of players in it."""
    player: int
    team: tuple[int, ...]
    """The ids of the player and their partners."""
    playing: tuple[int, ...]
    now: int | None
    """The step that the player is on; None in a game without steps."""
    table: tuple[TableMeld, ...]


def open_desk(variant: Variant, question: DeskQuestion, solve: Solver = directly) -> Desk:
    """Answer a question outside of games; raise NoRefereeError in a game of points alone."""
    if variant.points_only:
        raise NoRefereeError
    return _show(variant, _with_defaults(question, variant, 1), None, solve)


def read_desk(session: Session, pub: str, question: DeskQuestion, solve: Solver = directly) -> Desk:
    """Answer a question in a game, with its house rules.

    Raises GameNotFoundError, NoRefereeError or PlayerNotFoundError for somebody who isn’t in it.
    """
    state = ledger.read_game(session, pub)
    if state.variant.points_only:
        raise NoRefereeError
    return show_in_game(pub, state, read_people(session, state), question, solve)


def _with_defaults(question: DeskQuestion, variant: Variant, step: int | None) -> DeskQuestion:
    """Return a question with its kind and step filled in, if it has none that the game knows.

    The kind is then the one that is asked most, and the step is `step`.
    """
    asks = [ask.name for ask in asks_of(variant)]
    ask = question.ask if question.ask in asks else asks[0]
    wanted = question.step if variant.has_step(question.step) else step
    return replace(question, ask=ask, step=wanted if variant.has_step(wanted) else None)


def ask_of(variant: Variant, question: DeskQuestion) -> DeskAsk:
    """Return the kind of a question."""
    return next(ask for ask in asks_of(variant) if ask.name == question.ask)


def _show(variant: Variant, question: DeskQuestion, game: AtTable | None, solve: Solver) -> Desk:
    asks, ask, step = asks_of(variant), ask_of(variant, question), question.step
    melds = _fitting(variant, ask, question, game.table, solve) if game else ()
    table = tuple(sorted(melds, key=lambda meld: not meld.fits))
    question = _onto_only_fit(question, table)
    slots, ruled = put(variant, ask, question, solve)
    ruling = ruled.ruling if ruled else None
    legal = ruling is not None and ruling.is_legal
    if table and ask.name == "layoff":  # Melds on the table are tapped, and rarely typed.
        slots = tuple(replace(slot, rare=slot.rare or slot.name == "onto") for slot in slots)
    states = progress_of(variant, step, slots)
    twice = game and legal and ruled and _laid_too_often(game, ruled.play)
    switches = show_switches(question, variant, ask.switches(variant))
    choices = show_choices(question, ask.choices(variant), whose(variant, question))
    fields = dict(fields_of(question, slots, switches, choices))
    return Desk(
        variant=variant,
        pub=game.pub if game else None,
        step=step,
        title=title_of(variant, step) if variant.has_step(step) else "",
        note=variant.round_note(step) if variant.contract_at(step) and step else "",
        ask=question.ask,
        asks=tuple((each.name, each.label(variant)) for each in asks),
        slots=slots,
        states=states,
        typing=question.has("typing"),
        short=_short_of_a_hand(variant, ask, slots, step),
        switches=switches,
        choices=choices,
        table=table,
        lays_on_own=lays_on_own(variant),
        play=ruled.play if ruled else None,
        ruling=ruling,
        notes=(
            *_notes(variant, ruling),
            *([capital(write("desk.there", card=Drawing(variant).card(twice)))] if twice else ()),
        ),
        hints=tuple(_hints(variant, ruling, slots, fields)),
        steps=tuple((at, variant.step_says(at)) for at in range(1, variant.steps + 1)),
        players=tuple((who, game.people.names[who]) for who in game.playing) if game else (),
        player=game.player if game else None,
        team=game.team if game else (),
        tokens=game.people.tokens if game else {},
        records=game is not None and may_record(variant, question.ask, down=False),
        can_record=bool(
            game and ruled and legal and not twice and _can_record(game, question, ruled)
        ),
        may_decide=game is not None and not game.state.finished,
        decision=_decided(game, ruling) if game and ruling else None,
        advice=not no_advice(variant) and (game is None or game.state.start.advice),
        key=ledger.new_key(),
        fields=fields,
    )


def _decided(game: AtTable, ruling: Ruling) -> Decision | None:
    decisions = tuple(list_decisions(game.state, game.people.names))
    codes = [finding.code.value for finding in ruling.findings]
    return decision_on(decisions, legal=ruling.is_legal, codes=codes)


def _laid_too_often(game: AtTable, play: Play) -> Card | None:
    """Return a card that the play has too many of, with those recorded in this round; else None."""
    number = game.state.open_round
    return None if number is None else laid_too_often(game.state, number, play)


def _can_record(game: AtTable, question: DeskQuestion, ruled: Ruled) -> bool:
    state, number = game.state, game.state.open_round
    return (
        number is not None
        and not state.finished
        and may_record(state.variant, question.ask, down=(number, game.player) in state.lay_downs)
        and lays_cards(ruled.play)
        and game.player in game.playing
        and question.step == game.now
    )


def _short_of_a_hand(
    variant: Variant, ask: DeskAsk, slots: Sequence[CardRow], step: int | None
) -> int:
    shown = sum(len(slot.cards) for slot in slots if slot.name in {"cards", "discard"})
    return max(0, variant.hand_at(step) - shown) if ask.whole_hand and shown else 0


def _fitting(
    variant: Variant,
    ask: DeskAsk,
    question: DeskQuestion,
    table: Sequence[TableMeld],
    solve: Solver,
) -> Iterator[TableMeld]:
    """Yield the melds on the table, each with whether the cards to lay off fit there."""
    asked = ask.name == "layoff" and bool(question.texts.get("cards"))
    for meld in table:
        there = _onto(question, meld)
        ruled = put(variant, ask, there, solve)[1] if asked else None
        yield replace(meld, fits=ruled.ruling.is_legal if ruled else None)


def _onto(question: DeskQuestion, meld: TableMeld) -> DeskQuestion:
    """Return a question as if this meld had been chosen to lay off on."""
    texts = {name: text for name, text in question.texts.items() if name != "own"}
    texts.pop("theirs", None)
    whose = {"own": "1"} if meld.own else {"theirs": "1"}
    return replace(question, texts={**texts, "onto": meld.text, **whose})


def _onto_only_fit(question: DeskQuestion, table: Sequence[TableMeld]) -> DeskQuestion:
    """Return a question about a lay-off with the meld filled in, if its cards fit just one.

    If the question names a meld already, it’s unchanged.
    """
    fits = [meld for meld in table if meld.fits]
    return (
        _onto(question, fits[0]) if len(fits) == 1 and not question.texts.get("onto") else question
    )


def show_in_game(
    pub: str,
    state: GameState,
    people: People,
    question: DeskQuestion,
    solve: Solver = directly,
) -> Desk:
    """Answer a question at a moment of a game.

    Raises PlayerNotFoundError if the player who asks isn’t in it.
    """
    game, number = sit_down(pub, state, people, question.player), state.open_round
    variant, player = game.variant, game.player
    question = replace(_with_defaults(question, variant, game.now), player=player)
    if number is not None:
        # If the question asks for the team’s melds, they already say that it’s down.
        laid = {} if asks_own(variant) else laid_by(state, number, player)
        total = total_text(variant, state.score.totals[state.seats.index(player)])
        texts = {**state.upcard_texts, **laid, TOTAL: total, **question.texts}
        in_team = state.variant.melds_together(len(state.seats))
        question = replace(question, texts=texts, in_team=in_team)
    question = _with_table(question, variant, game.table)
    rows = ask_of(variant, question).rows(variant, question)
    question = fill_own(question, rows, (meld.text for meld in game.table if meld.own))
    return _show(variant, question, game, solve)


def sit_down(pub: str, state: GameState, people: People, player: int | None) -> AtTable:
    """Return a game as it is now, with the player who asks.

    If `player` is None, it’s the first player of the open round, or of the game if no round is
    open. Raises PlayerNotFoundError if the player isn’t in the game.
    """
    seats, number = state.seats, state.open_round
    playing = seats if number is None else state.players_of(number)
    variant = state.variant.seated(len(playing))
    player = playing[0] if player is None else player
    if player not in seats:
        raise PlayerNotFoundError
    seat = seats.index(player)
    now = state.score.steps[seat] if variant.climbs_alone else state.score.step
    team = next(tuple(seats[place] for place in team) for team in state.teams if seat in team)
    return AtTable(
        pub=pub,
        state=state,
        people=people,
        variant=variant,
        player=player,
        team=team,
        playing=tuple(playing),
        now=now if variant.steps else None,
        table=tuple(
            replace(meld, own=meld.owner_id in team) for meld in melds_on_table(state, people.names)
        ),
    )


def _with_table(
    question: DeskQuestion, variant: Variant, table: Sequence[TableMeld]
) -> DeskQuestion:
    """Return a question with the melds on the table filled in, if it asks for them and has none."""
    rows = [row.name for row in ask_of(variant, question).rows(variant, question)]
    if f"{_TABLE}1" not in rows or question.filled(_TABLE):
        return question
    there = {f"{_TABLE}{count}": meld.text for count, meld in enumerate(table, 1)}
    return replace(question, texts={**there, **question.texts})


def melds_on_table(state: GameState, names: Mapping[int, str]) -> Iterator[TableMeld]:
    """Yield the melds recorded in the round being played, each with its player."""
    for who, text in melds_of_round(state, len(state.rounds) + 1):
        yield TableMeld(
            owner_id=who,
            owner=names[who],
            text=text,
            cards=state.variant.pack.parse(text),
        )


def _notes(variant: Variant, ruling: Ruling | None) -> Iterator[str]:
    if ruling and ruling.played and not ruling.is_legal:
        yield Drawing(variant).say("played-from-rack", "", {"these": ruling.played})


def show_switches(
    question: DeskQuestion, variant: Variant, switches: Iterable[str]
) -> tuple[DeskSwitch, ...]:
    """Return switches, on or off as in the question."""
    how = "" if variant.opening is None else "opening"
    return tuple(
        DeskSwitch(
            name=name,
            label=capital(say("desk.switch", name, how, variant=variant)),
            on=question.has(name),
        )
        for name in switches
    )


def show_choices(question: DeskQuestion, choices: Choices, how: str = "") -> tuple[DeskChoice, ...]:
    """Return choices, set as in the question; `how` is the variant of their labels: "team"."""
    return tuple(
        DeskChoice(
            name=name,
            label=say("desk.choice", name, how),
            options=tuple(options.items()),
            chosen=question.texts.get(name, "")[:40],
        )
        for name, options in choices.items()
    )


def fields_of(
    question: DeskQuestion,
    slots: tuple[CardRow, ...],
    switches: tuple[DeskSwitch, ...],
    choices: tuple[DeskChoice, ...],
) -> Iterator[tuple[str, str]]:
    """Yield a question as the fields of its address."""
    if question.ask:
        yield "ask", question.ask
    if question.step is not None:
        yield "step", str(question.step)
    if question.player is not None:
        yield "player", str(question.player)
    for switch in switches:
        if switch.on:
            yield switch.name, "1"
    for choice in choices:
        if choice.chosen:
            yield choice.name, choice.chosen
    for slot in slots:
        if slot.text:
            yield slot.name, slot.text


def _hints(
    variant: Variant,
    ruling: Ruling | None,
    slots: tuple[CardRow, ...],
    fields: Mapping[str, str],
) -> Iterator[Hint]:
    for text in ruling.hint if ruling else ():
        cards = variant.pack.parse(text)
        slot = hint_slot(slots, cards)
        if slot:
            yield Hint(
                says=Drawing(variant).cards(cards),
                text=text,
                slot=slot.name,
                fields={**fields, slot.name: text},
            )
