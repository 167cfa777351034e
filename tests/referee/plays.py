"""Short hands for tests: cards as text, plays as a player would say them."""

from referee import variants
from referee.cards import Card, Cards, parse_cards
from referee.judging import rule_on
from referee.plays import LayDown, LayOff, Moment, ShowMeld, Swap, Taken
from referee.rulebook import Clause
from referee.rulings import Ruling
from referee.variant import Variant

MEXICAN = variants.get("mexican-rummy")
PHASES = variants.get("eleven-phases")


def lay_down(*melds: str, kept: str | None = None, **rest: object) -> LayDown:
    """Melds put down from the hand."""
    left = None if kept is None else parse_cards(kept)
    return LayDown(melds=tuple(map(parse_cards, melds)), kept=left, **rest)  # type: ignore[arg-type]


def lay_off(cards: str, onto: str, **rest: bool) -> LayOff:
    """Cards put to a meld on the table."""
    return LayOff(parse_cards(cards), parse_cards(onto), **rest)


def show(cards: str) -> ShowMeld:
    """Cards shown as one meld."""
    return ShowMeld(parse_cards(cards))


def card(text: str) -> Card:
    """One card."""
    (only,) = parse_cards(text)
    return only


def taken(give: str, take: str, meld: str) -> Taken:
    """A wild taken for the card it stands for."""
    return Taken(card(give), card(take), parse_cards(meld))


def swap(give: str, take: str, meld: str, *then: str, **rest: object) -> Swap:
    """A wild taken, and what is laid down with it."""
    melds: tuple[Cards, ...] = tuple(map(parse_cards, then))
    return Swap(taken=taken(give, take, meld), then=melds, **rest)  # type: ignore[arg-type]


def rule(play: object, step: int | None = None, **options: object) -> Ruling:
    """Rule on a play of Mexican Rummy, with house rules written with underscores."""
    chosen = {name.replace("_", "-"): value for name, value in options.items()}
    return rule_on(play, MEXICAN.with_options(chosen), Moment(step))  # type: ignore[arg-type]


def clauses(ruling: Ruling, game: Variant, **options: object) -> tuple[Clause, ...]:
    """The clause that each finding rests on, in the rulebook of a game with house rules."""
    chosen = {name.replace("_", "-"): value for name, value in options.items()}
    rulebook = (game.with_options(chosen) if chosen else game).rulebook
    return tuple(rulebook.cited(finding.cites) for finding in ruling.findings)
