"""The plays that a player can ask the referee about, and the moment of a play.

A play has the cards in the order they were laid. Nothing here knows a rule.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import NamedTuple, TypeAlias

from referee.cards import Card, Cards


class Moment(NamedTuple):
    """When a play is made: the step is the round, or the player’s own phase, from 1.

    If the step is None, the game’s usual wilds are active, and ruling on melds laid down for a
    contract raises MomentError.

    >>> from referee import Moment, parse_cards
    >>> Moment(2).step
    2
    >>> Moment(upcard=parse_cards("7C")[0])
    Moment(step=None, upcard=7C)
    """

    step: int | None = None
    upcard: Card | None = None
    """The card turned up at the deal, in games where it decides something; None if it isn’t
    known."""


@dataclass(frozen=True, slots=True)
class ShowMeld:
    """A question: are these cards a meld?

    >>> from referee import Moment, ShowMeld, parse_cards, rule_on, variants
    >>> rule_on(ShowMeld(parse_cards("7C 7D 7H")), variants.get("mexican-rummy")).is_legal
    True
    """

    cards: Cards
    as_laid: bool = True
    """Whether the order of the cards decides what the wilds stand for; if false, the referee can
    rearrange the cards."""


@dataclass(frozen=True, slots=True)
class LayOff:
    """Cards added to a meld that is already on the table.

    >>> from referee import LayOff, Moment, parse_cards, rule_on, variants
    >>> game = variants.get("mexican-rummy")
    >>> play = LayOff(parse_cards("9D"), onto=parse_cards("4D 5D 2S 7D"))
    >>> game.say(rule_on(play, game, Moment(2)).findings[0])
    'You can add 3♦ or 8♦ to this run.'
    """

    cards: Cards
    """The cards added."""
    onto: Cards
    """The meld on the table, before they are added."""
    own: bool = False
    """Whether the meld is the player's own."""
    down: bool = True
    """Whether the player has laid down the contract."""
    same_turn: bool = False
    """Whether the player went down on this turn."""
    my_turn: bool = True
    """Whether it is the player's turn."""


class Taken(NamedTuple):
    """A wild taken from another player’s meld in exchange for the card it stands for.

    >>> from referee import Taken, parse_cards
    >>> six, wild = parse_cards("6D 2S")
    >>> Taken(give=six, take=wild, meld=parse_cards("4D 5D 2S 7D"))
    Taken(give=6D, take=2S, meld=(4D, 5D, 2S, 7D))
    """

    give: Card
    """The card that takes its place."""
    take: Card
    """The wild."""
    meld: Cards
    """The meld before the exchange."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LayDown:
    """Melds laid on the table from the hand, with lay-offs and swaps on the same turn.

    >>> from referee import LayDown, Moment, parse_cards, rule_on, variants
    >>> melds = parse_cards("7C 7D 7H"), parse_cards("4D 5D 2S 7D")
    >>> play = LayDown(melds=melds, kept=parse_cards("KC"))
    >>> game = variants.get("mexican-rummy")
    >>> game.say(rule_on(play, game, Moment(2)).findings[0])
    'This makes the contract: 1 set of 3 + 1 run of 4.'
    """

    melds: tuple[Cards, ...]
    """The melds laid down, each with its cards as they were laid."""
    kept: Cards | None = None
    """The cards still in hand afterwards; None if they aren’t known."""
    layoffs: tuple[LayOff, ...] = ()
    """The cards laid off on the same turn."""
    swaps: tuple[Taken, ...] = ()
    """The wilds taken on the same turn, before the melds are laid."""
    down: bool = False
    """Whether the player has laid down in this round before."""
    hand: Cards | None = None
    """The cards in hand before the play; None if they aren’t known."""
    first: bool = True
    """Whether the player has laid no meld in this round yet (games without a contract)."""
    as_laid: bool = True
    """As in `ShowMeld`."""
    own: tuple[Cards, ...] = ()
    """All melds of the player’s team before the play; empty if there are none, or if they aren’t
    known. If any are given, a lay-off on an own meld is on one of these, or on one laid now."""
    total: int = 0
    """The team's total before the deal."""
    reserve: bool = True
    """Whether the second hand (the player’s own or the team’s) was taken before."""
    pairs: bool = False
    """Whether the player has opened with pairs; only if `down`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Swap:
    """A wild taken in exchange for the card it stands for, and the melds laid down with it at once.

    >>> from referee import Moment, Swap, Taken, parse_cards, rule_on, variants
    >>> six, wild = parse_cards("6D 2S")
    >>> taken = Taken(give=six, take=wild, meld=parse_cards("4D 5D 2S 7D"))
    >>> then = parse_cards("9C 9D 9H"), parse_cards("JH 2S KH AH")
    >>> rule_on(Swap(taken=taken, then=then), variants.get("mexican-rummy"), Moment(2)).is_legal
    True
    """

    taken: Taken
    then: tuple[Cards, ...]
    """The melds laid down with the wild."""
    layoffs: tuple[LayOff, ...] = ()
    """The cards laid off on the same turn."""
    down: bool = False
    """Whether the player has laid down in this round before."""
    kept: Cards | None = None
    """The cards still in hand afterwards; None if they aren’t known."""
    pairs: bool = False
    """As in `LayDown`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rearrange:
    """A turn that rearranges the table, with every meld before it and after it.

    >>> from referee import Rearrange, rule_on, variants
    >>> game = variants.get("rummikub")
    >>> sevens, four, rack = map(game.pack.parse, ["B7 R7 O7", "B7 R7 O7 K7", "K7 R1"])
    >>> ruling = rule_on(Rearrange(before=(sevens,), after=(four,), rack=rack), game)
    >>> ruling.is_legal, ruling.played
    (True, (K7,))
    """

    before: tuple[Cards, ...]
    """All melds on the table before the turn."""
    after: tuple[Cards, ...]
    """All melds on the table after it."""
    rack: Cards | None = None
    """The tiles on the rack before the turn; None if they aren’t known."""
    opened: bool = True
    """Whether the player opened (laid their first melds) on an earlier turn."""
    drew: bool = False
    """Whether the player drew a tile on this turn."""
    as_laid: bool = True
    """As in `ShowMeld`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Close:
    """A whole hand shown at once.

    >>> from referee import Close, parse_cards, rule_on, variants
    >>> game = variants.get("gin-rummy")
    >>> ruling = rule_on(Close(cards=parse_cards("4D 5D 6D 7C 7D 7H KS KC KD 2H")), game)
    >>> game.say(ruling.findings[0])
    'You’re left with 2♥, which counts 2. You can close with 10 or less.'
    """

    cards: Cards
    """The hand, without the discard."""
    discard: Card | None = None
    """The card discarded as the hand is shown; None if it isn’t known."""
    says: str | None = None
    """The word (one of `CloseRule.words`) for the hand that the player claims to have; None if
    none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PickUp:
    """Cards taken from the discard pile, and the melds and lay-offs on the same turn.

    >>> from referee import PickUp, parse_cards, rule_on, variants
    >>> pile, melds = parse_cards("9C 4D KH"), (parse_cards("4C 4D 4H"),)
    >>> play = PickUp(pile=pile, take=pile[1], melds=melds)
    >>> ruling = rule_on(play, variants.get("rummy-500"))
    >>> ruling.is_legal, ruling.points
    (True, 15)
    """

    pile: Cards
    """The discard pile, from bottom to top."""
    take: Card | None = None
    """The lowest card taken, with all cards above it; None if the whole pile is taken."""
    melds: tuple[Cards, ...]
    """The melds laid down on the same turn."""
    layoffs: tuple[LayOff, ...] = ()
    """The cards laid off on the same turn."""
    first: bool = True
    """As in `LayDown`."""
    down: bool = False
    """Whether the player's team has laid down in this round before."""
    hand: Cards | None = None
    """The cards in hand before the pile is taken; None if they aren’t known."""
    kept: Cards | None = None
    """The cards still in hand afterwards; None if they aren’t known."""
    own: tuple[Cards, ...] = ()
    """This, `total`, `reserve` and `pairs` are as in `LayDown`."""
    total: int = 0
    reserve: bool = True
    pairs: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A claim to a discard, because it fits a meld on the table.

    >>> from referee import Call, parse_cards, rule_on, variants
    >>> game = variants.get("rummy-500")
    >>> play = Call(discard=parse_cards("8D")[0], table=(parse_cards("5D 6D 7D"),))
    >>> game.say(rule_on(play, game).findings[0])
    '8♦ fits a run on the table.'
    """

    discard: Card
    table: tuple[Cards, ...]
    """All melds on the table."""
    ended: bool = False
    """Whether the round is over."""
    drawn: bool = False
    """Whether the next player has already drawn."""


Play: TypeAlias = ShowMeld | LayDown | LayOff | Swap | Rearrange | Close | PickUp | Call
"""Every kind of play that `rule_on` can rule on."""


def cards_of(play: object) -> Iterator[Card]:
    """Yield every card that a play or a part of it names, also those on the table or in a pile."""
    if isinstance(play, Card):
        yield play
    elif isinstance(play, tuple):
        for part in play:
            yield from cards_of(part)
    elif is_dataclass(play):
        for field in fields(play):
            yield from cards_of(getattr(play, field.name))
