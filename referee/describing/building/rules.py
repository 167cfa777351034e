"""The rules of play of a description: what is a meld, and what players can do with melds.

Each function makes one rule, or returns None if the game doesn’t have that rule.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from referee.cards import ACE, Card, Suit
from referee.describing.building.cards import cards_of, points_by_rank, specials_of
from referee.describing.checking.unruled import for_the_table
from referee.describing.description import Description
from referee.describing.packs import ROUND, face
from referee.describing.sentences.book import Book
from referee.describing.sentences.words import title_in, wild_name
from referee.melds.contracts import ContractRule
from referee.melds.needs import HandNeeds
from referee.melds.rules import RunRule, SetRule, WildRule, rank_at
from referee.rulings import MeldKind
from referee.turns.closing import (
    BIG_GIN,
    CLOSED,
    NO_WILD,
    CloseRule,
    SpecialHand,
    in_one_row,
    in_pairs,
    of_one_rank,
    of_one_suit,
)
from referee.turns.discards import PileRule
from referee.turns.jokers import JokerRule, Retrieval
from referee.turns.layoffs import LayOffRule
from referee.turns.opening import LayRule, OpeningRule
from referee.turns.rearranging import RearrangeRule
from referee.turns.swaps import SwapRule
from referee.turns.upcard import UpcardRule
from referee.variant import LeftToTable, Way, Words

_READS: Final = {
    "one-rank": of_one_rank,
    "one-suit": of_one_suit,
    "one-run": in_one_row,
    "pairs": in_pairs,
    "melds": None,
}
_PURE_RUN: Final = "pure run"


def sets(game: Description, book: Book) -> SetRule:
    """Return the rule for sets."""
    most = game.get("set.max")
    return SetRule(
        min_size=min([game.get("set.min"), *game.asked(MeldKind.SET)]),
        max_size=most,
        distinct_suits=game.get("set.suits") == "different",
        suits=3 if game.get("set.suits") == "three" else None,
        only_wilds=game.get("wild.alone"),
        outgrow_suits=most is None and book.get("set-most") is not None,
        without=frozenset(cards_of(game, game.selected("set.without"))),
        last=frozenset(cards_of(game, game.selected("set.last"))),
        once=game.get("set.once"),
    )


def runs(game: Description) -> RunRule:
    """Return the rule for runs; a contract can ask for shorter ones than usual.

    If a game has no runs, the rule leaves no room for one.
    """
    low, high = _ends(game) if "run" in game.spec else (game.pack.places[0], 0)
    return RunRule(
        min_size=min([game.get("run.min"), *game.asked(MeldKind.RUN)]),
        one_suit=game.get("run.one-suit") and not game.get("pack.ignore-suits"),
        low=low,
        high=high,
        wrap=game.get("run.around"),
        top=game.pack.places[-1],
        max_size=game.get("run.max"),
        one_ace=game.get("run.ace") == "either",
        without=frozenset(cards_of(game, game.selected("run.without"))),
    )


def flush(game: Description) -> int | None:
    """Return the fewest cards of a flush; None if the game has no flushes."""
    if "flush" not in game.spec:
        return None
    fewest: int = min([game.get("flush.min"), *game.asked(MeldKind.FLUSH)])
    return fewest


def _ends(game: Description) -> tuple[int, int]:
    """Return the lowest and the highest place of a run; a rank that is always wild is no end."""
    ace, places = game.get("run.ace"), game.pack.places
    low, high = places[ace == "high"], places[-1] + (ace != "low")
    if game.get("wild.natural") == "never" and game.get("wild.when") == "always":
        ranks = dict(zip(places, game.pack.ranks, strict=True))
        while low < high and game.pack.select(ranks[rank_at(low, places[-1])]) <= game.wild:
            low += 1
        while low < high and game.pack.select(ranks[rank_at(high, places[-1])]) <= game.wild:
            high -= 1
    return low, high


def wilds(game: Description, words: Mapping[str, str], language: str) -> WildRule:
    """Return the rule for wilds: which cards they are, where they can be, and how many.

    `words` has the game’s own words by name.
    """
    some = "wild" in game.spec
    cards = frozenset(cards_of(game, game.wild)) if some else frozenset()
    if game.get("pack.ignore-suits"):
        cards |= {Card(card.rank) for card in cards}  # They need not be written with a suit.
    rule = WildRule(
        name=wild_name(game, words, language),
        cards=cards,
        in_sets=some and "set" in game.get("wild.in"),
        runs_only=frozenset(cards_of(game, game.runs_only)),
        in_flushes=some and "flush" in game.get("wild.in"),
        max_in_meld=game.get("wild.most"),
        adjacent=game.get("wild.adjacent"),
        min_naturals=game.get("wild.naturals"),
        may_outnumber=not some or game.get("wild.outnumber"),
        natural_in_place=game.get("wild.natural") == "own-place",
        moves=some and game.get("wild.moves"),
        counts_own=some and game.get("wild.counts") == "own",
        # Under a contract a wild moves over for the card that it stands for and no other.
        moves_freely=some and game.get("wild.moves") and game.way == "free",
    )
    limits = [game.get(f"wild.{kind}") for kind in ("set", "run")]
    if some and "run" in game.spec and "run" not in game.get("wild.in"):
        limits[1] = {**limits[1], "naturals": 0, "most": 0}
    if not any(limits):
        return rule
    of_sets, of_runs = (_limited(rule, each) for each in limits)
    return replace(rule, apart=(of_sets, of_runs))


def _limited(rule: WildRule, limits: Mapping[str, int]) -> WildRule:
    """Return the rule for wilds with the separate limits of one kind of meld."""
    return replace(
        rule,
        min_naturals=limits.get("naturals", rule.min_naturals),
        max_in_meld=limits.get("most", rule.max_in_meld),
        adjacent=bool(limits.get("adjacent", rule.adjacent)),
        may_outnumber=bool(limits.get("outnumber", rule.may_outnumber)),
    )


def wilds_by_step(
    game: Description, words: Mapping[str, str], language: str
) -> dict[int, WildRule]:
    """Return the rule for wilds in each step (from 1), if a rank is wild by the deal or round.

    It’s empty if the game has no such wilds.
    """
    if not {"dealt", ROUND} & {*(game.get("wild.cards") or ())}:
        return {}
    usual = wilds(game, words, language)
    found = {}
    for at in range(1, game.changing + 1):
        moving = game.moving_wild(at)
        shown = moving[0].rank
        name = shown if shown.isdigit() else game.pack.kind.names[face(shown)]
        name = usual.name if usual.cards else name
        found[at] = replace(usual, name=name, cards=usual.cards | set(cards_of(game, moving)))
    return found


def way(game: Description, words: Words) -> Way:
    """Return the rule for how melds are laid."""
    match game.way:
        case "contract":
            return _contract_rule(game, words)
        case "free" | "points":
            return LayRule(first_naturals=game.get("free.first-naturals"))
        case _:
            return _close(game)


def _contract_rule(game: Description, words: Words) -> ContractRule:
    """Return the rule for comparing melds with a contract."""
    return ContractRule(
        name=words.contract,
        extra_melds=game.get("contract.extra-melds"),
        same_rank_sets=game.get("contract.same-rank-sets"),
        split_runs=game.get("contract.split-runs"),
        different_suits=game.get("contract.run-suits") == "different",
    )


def lay_offs(game: Description) -> LayOffRule | None:
    """Return the rule for lay-offs; None if there are none."""
    if "layoff" not in game.spec:
        return None
    # If the table is open right after the opening, players can also lay off then.
    opened = "opening" in game.spec and game.get("opening.then-table")
    return LayOffRule(
        after_close=game.get("layoff.onto") == "closer",
        counted=game.get("layoff.counted"),
        in_same_turn=game.get("layoff.when") == "same-turn" or opened,
        needs_down=_comes_first(game) or game.get("layoff.who") == "down",
        own_only=game.get("layoff.onto") == "own",
        in_teams=game.melds_together,
        wilds_on_own_only=game.get("layoff.wilds") == "own",
    )


def _comes_first(game: Description) -> bool:
    """Return whether a player has to lay something down before they can lay off."""
    return game.way == "contract" or "opening" in game.spec


def swaps(game: Description) -> SwapRule | None:
    """Return the rule for taking a wild from another player’s meld; None if there are no swaps."""
    if "swap" not in game.spec:
        return None
    return SwapRule(
        allowed=game.get("swap.who") != "nobody",
        before_down=game.get("swap.who") in {"not-down", "anyone"},
        when_down=game.get("swap.who") in {"down", "anyone"},
        same_turn=game.get("swap.when") == "same-turn",
        runs_only=game.get("swap.from") == "run",
        may_keep=game.get("swap.keep"),
    )


def opening(game: Description) -> OpeningRule | None:
    """Return the rule for what a player’s first melds must be worth; None if there isn’t one."""
    if "opening" not in game.spec:
        return None
    return OpeningRule(
        points=game.get("opening.points"),
        then_table=game.get("opening.then-table"),
        at_once=game.get("opening.at-once"),
        needs=game.opening_needs,
        wilds=game.get("opening.wilds") != "none",
        by_total=tuple(sorted((int(key), n) for key, n in game.get("opening.by-total").items())),
        by_step=MappingProxyType(
            {at: step["opening"] for at, step in enumerate(game.steps, 1) if "opening" in step}
        ),
        pairs=game.get("opening.pairs"),
    )


def jokers_moved(game: Description) -> RearrangeRule | None:
    """Return the rule for rearranging melds on the table and their wilds; None without one."""
    if "rearrange" not in game.spec:
        return None
    own = game.get("rearrange.whose") == "own"
    return RearrangeRule(
        jokers=JokerRule(
            retrieval=Retrieval(game.get("rearrange.retrieval")),
            exact=game.get("rearrange.replacement") == "exact",
            from_rack=game.get("rearrange.from") == "hand",
            both_colours=game.get("rearrange.group-of-three") == "both",
            new_set=game.get("rearrange.goes") == "new-meld",
        ),
        draws_first=game.get("rearrange.draw") == "first" or own,
        own=own,
    )


def _close(game: Description) -> CloseRule:
    """Return the rule for showing a whole hand."""
    times, special = game.get("hand.times"), game.get("hand.special")
    often = {CLOSED: times["with"], CLOSED + NO_WILD: times["without"]}
    if game.big_gin:
        often[BIG_GIN] = 1
    for word, hand in reversed(special.items()):
        often[word] = hand["times"]
        if "without" in hand:
            often[word + NO_WILD] = hand["without"]
    return CloseRule(
        special=tuple(
            SpecialHand(
                word=word,
                title=title_in(
                    game, f"special.{word}", hand.get("title", word.replace("-", " ").title())
                ),
                reads=_READS[hand["is"]],
                thrown=hand.get("thrown", False),
                scores=hand.get("scores"),
                wins=hand.get("wins", False),
            )
            for word, hand in special.items()
        ),
        multipliers=MappingProxyType(often),
        knock=0 if game.knocks_by_upcard else game.get("hand.knock"),
        knock_cards=game.get("hand.knock-cards"),
        needs=_needs(game),
        big_gin=game.big_gin,
        strict=game.get("hand.announce") == "strict",
        priced=game.settlement in {"fixed", "penalty"},
        protected=any(hand.get("protects", False) for hand in special.values()),
    )


def _needs(game: Description) -> HandNeeds | None:
    """Return the runs that a hand needs among its melds; pure runs count as runs."""
    said = game.get("hand.needs")
    if not said:
        return None
    pure = said.get(_PURE_RUN, 0)
    return HandNeeds(
        runs=max(said.get("run", 0), pure),
        pure=pure,
        all_counts_without=game.get("hand.melds-count") == "with-needs",
    )


def turning(game: Description) -> UpcardRule | None:
    """Return the rule for what the card turned up at the deal decides; None if nothing."""
    selectors = game.get("wild.cards") or ()
    wild, follows = "turned" in selectors, "turned-next" in selectors
    if not (wild or follows or game.knocks_by_upcard):
        return None
    knock = points_by_rank(game, "score.hand") if game.knocks_by_upcard else {}
    if game.get("hand.knock") == "turned-but-ace":
        knock[ACE] = 0
    return UpcardRule(
        rank_wild=wild or follows,
        next_of_suit=follows,
        knock=MappingProxyType(knock),
        twice=_spades(game) if game.get("hand.spades-twice") else None,
    )


def _spades(game: Description) -> Suit | None:
    """Return the suit of spades in this pack, which can have its own ranks; None if it has none."""
    return next((suit for suit in game.pack.suits if suit.word == Suit.SPADES.word), None)


def pile(game: Description) -> PileRule | None:
    """Return the rule for taking the discard pile; None if players can only take its top card."""
    if game.get("draw.pile") == "all":
        return PileRule(
            top_can_be_kept="free" in game.get("draw.top"),
            whole=True,
            depth=game.get("draw.depth"),
            top=frozenset(game.get("draw.top")),
            frozen=frozenset(game.get("draw.frozen")),
            blocked=frozenset(cards_of(game, game.selected("draw.blocked"))),
        )
    if game.get("draw.pile") not in {"any", "used"}:
        return None
    only = game.get("draw.pile") == "used"
    return PileRule(top_can_be_kept=game.get("draw.top-free") and not only, top_only=only)


def left_to_table(game: Description) -> tuple[LeftToTable, ...]:
    """Return the rules that the referee doesn’t check in this game."""
    return tuple(LeftToTable(left.clause, left.plays) for left in for_the_table(game))


def stand_in(game: Description) -> Card | None:
    """Return the special card that stands for the card that is wild in the deal, or None."""
    special = game.get("pack.special")
    cards = (card for card, _ in specials_of(game) if "stands" in special[str(card)])
    return next(cards, None)


def must_discard(game: Description) -> bool:
    """Return whether a player needs to discard to go out."""
    return bool(game.way != "hand" and game.get("out.discard") == "must")


def must_meld_last(game: Description) -> bool:
    """Return whether a player has to lay their last card to go out, and can’t discard it."""
    return bool(game.way != "hand" and game.get("out.discard") == "laid")
