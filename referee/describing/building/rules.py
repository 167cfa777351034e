"""What is a meld, and what may be done with melds: the rules of play out of a description.

Each function makes one rule with the clauses that it cites; None where the game has none such.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from referee.cards import rank_name
from referee.describing.building.cards import cards_of, points_by_rank
from referee.describing.checking.sense import MOVING
from referee.describing.packs import face
from referee.melds.contracts import Contract, ContractRule, Need
from referee.melds.needs import HandNeeds
from referee.melds.rules import RunRule, SetRule, WildRule
from referee.rulings import MeldKind
from referee.turns.closing import (
    CLOSED,
    NO_WILD,
    CloseRule,
    SpecialHand,
    in_one_row,
    of_one_rank,
    of_one_suit,
)
from referee.turns.discards import CallRule, PileRule
from referee.turns.jokers import JokerRule, Retrieval
from referee.turns.layoffs import LayOffRule
from referee.turns.opening import LayRule, OpeningRule
from referee.turns.rearranging import RearrangeRule
from referee.turns.swaps import SwapRule
from referee.turns.upcard import UpcardRule

if TYPE_CHECKING:
    from collections.abc import Mapping

    from referee.describing.description import Description
    from referee.describing.telling.book import Book
    from referee.rulebook import Clause
    from referee.variant import Words

_READS: Final = {"one-rank": of_one_rank, "one-suit": of_one_suit, "one-run": in_one_row}
_JOKER: Final = "joker"
_PURE_RUN: Final = "pure run"
_WILD_CARD: Final = "wild card"
_GO_DOWN: Final = "go down"
_LAY_DOWN: Final = "lay down"


def sets(game: Description, book: Book) -> SetRule:
    """What a set is."""
    most, alone = game.get("set.max"), game.get("wild.alone")
    return SetRule(
        cite=book["set"],
        repeats=book.get("same-card") or book["set"],
        most_clause=book["set-most"] if most is not None or book.get("set-most") else None,
        min_size=game.get("set.min"),
        max_size=most,
        distinct_suits=game.get("set.suits") == "different",
        only_wilds=book["only-wilds"] if alone else None,
        wilds_join=book["joins-wilds"] if alone else None,
    )


def runs(game: Description, book: Book) -> RunRule:
    """What a run is: where it may stand, and how short it is where a contract asks for it so."""
    low, high = _ends(game)
    return RunRule(
        cite=book["run"],
        ends=book["run-ends"],
        both_aces=book["longest-run"],
        order=book.get("as-laid") or book["run"],
        min_size=min([game.get("run.min"), *game.asked("run")]),
        one_suit=game.get("run.one-suit") and not game.get("pack.ignore-suits"),
        low=low,
        high=high,
        wrap=game.get("run.around"),
    )


def _ends(game: Description) -> tuple[int, int]:
    """The lowest and the highest place of a run: a rank that is always wild is no end of one."""
    ranks = game.pack.ranks
    ace = game.get("run.ace")
    first = face(ranks[0])
    low, high = first + (ace == "high"), face(ranks[-1]) + (ace in {"both", "high"})
    if game.get("wild.natural") == "never":
        while low < high and game.pack.select(ranks[(low - first) % len(ranks)]) <= game.wild:
            low += 1
    return low, high


def wild_name(game: Description, words: Mapping[str, str]) -> str:
    """What a wild is called: by the prose, else by what is wild."""
    if "wild" in words:
        return words["wild"]
    selectors = game.get("wild.cards") or []
    if selectors == ["JK"]:
        return _JOKER
    if set(MOVING) & set(selectors):
        return _WILD_CARD
    return selectors[0] if len(selectors) == 1 else _WILD_CARD if selectors else "wild"


def wilds(game: Description, book: Book, words: Mapping[str, str]) -> WildRule:
    """Which cards are wild, where, and how many."""
    some = "wild" in game.spec
    everywhere = some and "set" in game.get("wild.in")
    usual = book["wild"]
    rule = WildRule(
        cite=usual,
        name=wild_name(game, words),
        cards=frozenset(cards_of(game, game.wild)) if some else frozenset(),
        in_sets=None if everywhere else book.get("wild-where") or usual,
        natural=book.get("natural") or usual,
        most_clause=book.get("wilds-most") or usual,
        touching=book.get("touching") or usual,
        naturals=book.get("naturals") or usual,
        at_rest=book["wild-when"] if game.rests_in else None,
        max_in_meld=game.get("wild.most"),
        adjacent=game.get("wild.adjacent"),
        min_naturals=game.get("wild.naturals"),
        share=None if not some or game.get("wild.outnumber") else book["wilds-share"],
        natural_in_place=game.get("wild.natural") == "own-place",
    )
    limits = [game.get(f"wild.{kind}") for kind in ("set", "run")]
    if not any(limits):
        return rule
    of_sets, of_runs = (_limited(rule, each, book) for each in limits)
    return replace(rule, apart=(of_sets, of_runs))


def _limited(rule: WildRule, limits: Mapping[str, int], book: Book) -> WildRule:
    """The wilds of a game with the limits that one kind of meld has apart."""
    shares = limits.get("outnumber", rule.share is None)
    return replace(
        rule,
        min_naturals=limits.get("naturals", rule.min_naturals),
        max_in_meld=limits.get("most", rule.max_in_meld),
        adjacent=bool(limits.get("adjacent", rule.adjacent)),
        share=None if shares else book.get("wilds-share") or book["naturals"],
    )


def wilds_by_step(game: Description, book: Book, words: Mapping[str, str]) -> dict[int, WildRule]:
    """The wilds of each step, where the rank that is the number dealt is wild."""
    if "dealt" not in (game.get("wild.cards") or ()):
        return {}
    usual = wilds(game, book, words)
    found = {}
    for at in range(1, len(game.steps) + 1):
        dealt = game.dealt_wild(at)
        name = usual.name if usual.cards else rank_name(face(dealt[0].rank))
        found[at] = replace(usual, name=name, cards=usual.cards | set(cards_of(game, dealt)))
    return found


def contracts(game: Description) -> tuple[Contract, ...]:
    """The contracts of the steps, in order."""
    return tuple(
        Contract(
            tuple(
                Need(MeldKind(meld.kind), meld.size, pure=meld.how == "pure")
                for meld in game.contract_of(step)
            ),
            no_discard=step.get("discard") == "never",
        )
        for step in game.steps
        if "contract" in step
    )


def contract_rule(game: Description, book: Book, words: Words) -> ContractRule | None:
    """How melds are held against a contract."""
    if game.way != "contract":
        return None
    return ContractRule(
        cite=book["contracts"],
        exact=book["exact"],
        ranks=book["same-rank"],
        split=book["split-run"],
        once=book["once"],
        no_discard=book.get("no-discard") or book["contracts"],
        nobody_else=book.get("nobody-else") or book["contracts"],
        name=words.contract,
        extra_melds=game.get("contract.extra-melds"),
        same_rank_sets=game.get("contract.same-rank-sets"),
        split_runs=game.get("contract.split-runs"),
        suits=book["run-suits"] if game.get("contract.run-suits") == "different" else None,
    )


def lay_offs(game: Description, book: Book, words: Words) -> LayOffRule | None:
    """When cards may join a meld on the table."""
    if "layoff" not in game.spec:
        return None
    # A table that is open at once after the opening is open to what is laid off, too.
    opened = "opening" in game.spec and game.get("opening.then-table")
    return LayOffRule(
        cite=book["layoff"],
        fits=book["fits"],
        turn=book["own-turn"],
        same_turn=book.get("layoff-turn") if _comes_first(game) else None,
        in_same_turn=game.get("layoff.when") == "same-turn" or opened,
        lay_down=_GO_DOWN if words.lay_down == _LAY_DOWN else words.lay_down,
        needs_down=_comes_first(game),
        wilds=book.get("layoff-wilds"),
        wilds_with_naturals=book.get("layoff-wild-pair"),
        wilds_on_own_only=game.get("layoff.wilds") == "own",
    )


def _comes_first(game: Description) -> bool:
    """Whether something must be laid down before anything is laid off."""
    return game.way == "contract" or "opening" in game.spec


def swaps(game: Description, book: Book) -> SwapRule | None:
    """When a wild may be taken out of another player's meld."""
    if "swap" not in game.spec:
        return None
    return SwapRule(
        cite=book["swap"],
        exact=book["exact-card"],
        completes=book.get("completes") or book["swap"],
        at_once=book["swap-use"],
        down=book["swap-down"],
        allowed=game.get("swap.who") != "nobody",
        before_down=game.get("swap.who") in {"not-down", "anyone"},
        when_down=game.get("swap.who") in {"down", "anyone"},
    )


def lays(game: Description, book: Book) -> LayRule | None:
    """How melds are laid down where no contract asks for certain ones."""
    if game.way != "free":
        return None
    naturals = game.get("free.first-naturals")
    return LayRule(
        cite=book["melds"],
        several=book["several"] if "opening" in game.spec else None,
        first=book["first-naturals"] if naturals else None,
        together=book["first-lay"] if naturals else None,
        first_naturals=naturals,
    )


def opening(game: Description, book: Book) -> OpeningRule | None:
    """What a player's first melds must be worth."""
    if "opening" not in game.spec:
        return None
    return OpeningRule(
        cite=book["opening"],
        wilds=book.get("opening-wilds") or book["opening"],
        table=book.get("opening-table") or book["opening"],
        points=game.get("opening.points"),
        then_table=game.get("opening.then-table"),
    )


def jokers_moved(game: Description, book: Book) -> RearrangeRule | None:
    """What a turn may do with the melds on the table, and with their wilds."""
    if "rearrange" not in game.spec:
        return None
    usual = book["rearrange"]
    return RearrangeRule(
        cite=usual,
        rack=book["from-hand"],
        stays=book["table-stays"],
        joker_stays=book.get("wild-stays") or usual,
        draw=book["draw-ends"],
        drawn=book["drawn"],
        equipment=book["jokers"],
        jokers=JokerRule(
            cite=book.get("retrieval") or usual,
            steps=book.get("joker-steps") or usual,
            same=book.get("same-stands") or usual,
            replacement=book.get("replacement") or usual,
            source=book.get("replacement-from") or usual,
            colours=book.get("group-of-three") or usual,
            reuse=book.get("goes") or usual,
            retrieval=Retrieval(game.get("rearrange.retrieval")),
            exact=game.get("rearrange.replacement") == "exact",
            from_rack=game.get("rearrange.from") == "hand",
            both_colours=game.get("rearrange.group-of-three") == "both",
            new_set=game.get("rearrange.goes") == "new-meld",
        ),
    )


def close(game: Description, book: Book) -> CloseRule | None:
    """How a whole hand is shown at once."""
    if game.way != "hand":
        return None
    times, special = game.get("hand.times"), game.get("hand.special")
    often = {CLOSED: times["with"], CLOSED + NO_WILD: times["without"]}
    for word, hand in reversed(special.items()):
        often[word] = hand["times"]
        if "without" in hand:
            often[word + NO_WILD] = hand["without"]
    return CloseRule(
        cite=book["close"],
        number=book["hand-size"],
        special=tuple(
            SpecialHand(
                word=word,
                title=hand.get("title", word.replace("-", " ").title()),
                cite=book.get(f"special-hands.{word}") or book["special-hands"],
                reads=_READS[hand["is"]],
            )
            for word, hand in special.items()
        ),
        no_wild=book.get("no-wild") or book["close"],
        highest=book.get("highest") or book["close"],
        announced=book.get("announce") or book["close"],
        pay=book["settle"],
        times=book.get("times") or book["settle"],
        multipliers=MappingProxyType(often),
        knock=0 if game.get("hand.knock") == "turned" else game.get("hand.knock"),
        knock_cards=game.get("hand.knock-cards"),
        needs=_needs(game, book),
        strict=game.get("hand.announce") == "strict",
        protected=any(hand.get("protects", False) for hand in special.values()),
    )


def _needs(game: Description, book: Book) -> HandNeeds | None:
    """The runs that a hand needs among its melds: those that are pure are runs, too."""
    said = game.get("hand.needs")
    if not said:
        return None
    pure = said.get(_PURE_RUN, 0)
    return HandNeeds(
        cite=book["needs"],
        runs=max(said.get("run", 0), pure),
        pure=pure,
        unmet=book["melds-count"] if game.get("hand.melds-count") == "with-needs" else None,
    )


def turning(game: Description, book: Book) -> UpcardRule | None:
    """What the card turned up at the deal decides."""
    wild, knocks = "turned" in (game.get("wild.cards") or ()), game.get("hand.knock") == "turned"
    if not (wild or knocks):
        return None
    return UpcardRule(
        cite=book["wild"] if wild else book["knock"],
        rank_wild=wild,
        knock=MappingProxyType(points_by_rank(game, "score.hand") if knocks else {}),
    )


def pile(game: Description, book: Book) -> PileRule | None:
    """How much of the discard pile may be taken."""
    if game.get("draw.pile") != "any":
        return None
    return PileRule(
        cite=book["lowest"],
        off=book["by-layoff"],
        top=book["top-free"],
        stays=book["stays-in-pile"],
        top_is_free=game.get("draw.top-free"),
    )


def must_discard(game: Description, book: Book) -> Clause | None:
    """Why who goes out keeps a card to discard; None where the last may be laid."""
    must = game.way != "hand" and game.get("out.discard") == "must"
    return book["discard"] if must else None


def calls(game: Description, book: Book) -> CallRule | None:
    """When a discard that fits may be claimed."""
    if "claim" not in game.spec:
        return None
    return CallRule(cite=book["claim"], until=book["claim-until"], wilds=book["claim-wilds"])
