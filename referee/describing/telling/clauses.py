"""The clauses that the referee can cite: where each stands in a book, and what it says untold.

Those with a sentence here are rules that no field sets: a consequence of what the table says, or of
the way rummy is played. All others are told from the fields that bear on them.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from referee.describing.description import Description

GAME: Final = "The game"
DEAL: Final = "Cards and deal"
MELDS: Final = "Sets and runs"
WILDS: Final = "Wild cards"
DOWN: Final = "Laying down"
TABLE: Final = "On the table"
OUT: Final = "Going out"
SCORE: Final = "Scoring"


class Constant(NamedTuple):
    """A rule that no field sets."""

    says: str
    holds: Callable[[Description], bool] = lambda _: True
    """Whether a game has it."""


def _with(*tables: str) -> Callable[[Description], bool]:
    """Games that have these tables."""
    return lambda game: all(game.has(table) for table in tables)


def _where(path: str, *, value: object) -> Callable[[Description], bool]:
    """Games in which this stands there."""
    return lambda game: game.has(path.partition(".")[0]) and bool(game.get(path) == value)


def _without_discard(game: Description) -> bool:
    return any(step.get("discard") == "never" for step in game.steps)


def pays_by_hand(game: Description) -> bool:
    """Games in which some hands make the others pay more often."""
    special = game.get("hand.special").values() if game.has("hand") else ()
    return any("scores" not in hand and not hand.get("wins") for hand in special)


def _pays_by_wilds(game: Description) -> bool:
    return pays_by_hand(game) and game.has("wild")


def _before_down(game: Description) -> bool:
    return game.has("swap") and game.get("swap.who") in {"not-down", "anyone"}


def _laid_down_first(game: Description) -> bool:
    """Games in which you must be down before you lay off."""
    return game.has("layoff") and (game.has("contract") or game.has("opening"))


def _without_swaps(game: Description) -> bool:
    """Games with wilds on the table, which nobody may take."""
    return game.has("wild") and game.way != "hand" and not {"swap", "rearrange"} & set(game.spec)


def _at_one_table(game: Description) -> bool:
    """Games in which all melds on the table may be rearranged."""
    return game.has("rearrange") and bool(game.get("rearrange.whose") == "all")


def _with_wilds_at_one_table(game: Description) -> bool:
    return _at_one_table(game) and game.has("wild")


def _row(clauses: str) -> tuple[str, ...]:
    return tuple(clauses.split())


SECTIONS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        GAME: _row(
            "points target turn draw ends leads pace tied overtaken end-bonus time time-over"
        ),
        DEAL: _row("pack jokers special suits deal dealer steps dry buy buy-limit buy-down"),
        MELDS: _row(
            "set same-card set-most run run-most ace corner run-ends longest-run as-laid flush"
        ),
        WILDS: _row(
            "wild wild-when wild-where natural naturals wilds-most touching wilds-share "
            "only-wilds joins-wilds"
        ),
        DOWN: _row(
            "own-cards contracts once exact same-rank split-run run-suits no-discard nobody-else "
            "melds several first-lay first-naturals opening opening-wilds opening-table "
            "close hand-size knock big-gin needs melds-count special-hands announce highest "
            "no-wild last-turn"
        ),
        TABLE: _row(
            "layoff down-first fits own-turn layoff-turn layoff-wilds layoff-wild-pair no-swap "
            "swap exact-card completes swap-use swap-down rearrange from-hand table-stays "
            "wild-stays draw-ends drawn retrieval joker-steps same-stands replacement "
            "replacement-from group-of-three goes lowest by-layoff top-free stays-in-pile claim "
            "claim-until claim-wilds"
        ),
        OUT: _row("discard going-out"),
        SCORE: _row(
            "values wild-value counts table-values settle times protects cap out-bonus "
            "at-once fixed held"
        ),
    }
)
"""The headings of a told book, each with its clauses in order."""

CONSTANTS: Final[Mapping[str, Constant]] = MappingProxyType(
    {
        "turn": Constant("In a turn you {turn}."),
        "own-cards": Constant(
            "Play only cards from your own {hand}.", lambda game: game.way != "hand"
        ),
        "jokers": Constant("There are as many cards of a kind as the packs hold, and no more."),
        "longest-run": Constant("A run goes on to the last {rank}, and no further.", _with("run")),
        "as-laid": Constant(
            "Where the natural {cards} of a run lie in rising or falling order, each wild is what "
            "its place makes it; where they lie in no order, order was not meant.",
            _with("run", "wild"),
        ),
        "wild": Constant("No {card} is wild."),
        "joins-wilds": Constant(
            "Only wilds join a set of only wilds.", _where("wild.alone", value=True)
        ),
        "once": Constant("One {contract} is laid down in a round.", _with("contract")),
        "no-discard": Constant(
            "Where nothing is discarded the whole hand goes down at once.", _without_discard
        ),
        "nobody-else": Constant(
            "Where nothing is discarded nobody else can be down: the round is over when one player "
            "has laid down.",
            _without_discard,
        ),
        "several": Constant("Several melds may make up the points together.", _with("opening")),
        "big-gin": Constant(
            "Who has every {card} in a meld, the one just drawn too, may show them without a "
            "discard: that is big gin. It adds {big-gin}, and nothing is laid off on it.",
            lambda game: game.big_gin > 0,
        ),
        "highest": Constant("Of all that a {hand} is, what pays most counts.", pays_by_hand),
        "no-wild": Constant(
            "Whether there is a wild is asked of the {cards} shown.", _pays_by_wilds
        ),
        "down-first": Constant("Lay down {down} before you lay off.", _laid_down_first),
        "no-swap": Constant("A wild stays in the meld it was laid in.", _without_swaps),
        "fits": Constant(
            "A {card} joins a set of its {rank}, or a run that it continues at either end.",
            _with("layoff"),
        ),
        "own-turn": Constant(
            "Lay down and lay off {cards} only on your turn.",
            lambda game: game.has("layoff") and game.get("layoff.onto") != "closer",
        ),
        "layoff-wild-pair": Constant(
            "A natural {card} laid off with a wild changes nothing.",
            _where("layoff.wilds", value="own"),
        ),
        "exact-card": Constant(
            "The {card} given is the very one that the wild stands for.", _with("swap")
        ),
        "completes": Constant(
            "If you aren’t down, take a wild only if that lets you lay down now.", _before_down
        ),
        "swap-use": Constant("A wild that was taken is used at once.", _with("swap")),
        "from-hand": Constant(
            "In every turn that is played at least one {card} comes from the {hand}.",
            _at_one_table,
        ),
        "table-stays": Constant("What lay on the table lies there after the turn.", _at_one_table),
        "wild-stays": Constant(
            "A wild that was taken is played in the same turn.", _with_wilds_at_one_table
        ),
        "drawn": Constant(
            "What was drawn is not played before the next turn.",
            lambda game: _at_one_table(game) and game.get("rearrange.draw") == "instead",
        ),
        "joker-steps": Constant(
            "A turn goes step by step, and one {card} takes the place of one wild.",
            _with_wilds_at_one_table,
        ),
        "same-stands": Constant(
            "A wild that still stands for the same {card} was not taken.",
            _with_wilds_at_one_table,
        ),
        "by-layoff": Constant(
            "Laying the lowest {card} off is using it.", _where("draw.pile", value="any")
        ),
        "stays-in-pile": Constant(
            "What lies below the lowest {card} taken stays in the pile.",
            _where("draw.pile", value="any"),
        ),
        "claim-until": Constant(
            "A discard is called before the next player has drawn, and not when the round is over.",
            _with("claim"),
        ),
        "claim-wilds": Constant("A wild is not called.", _with("claim")),
        "going-out": Constant("The round ends when one player has no {card} left."),
        "held": Constant(
            "A player who isn’t down still has at least as many {cards} as were dealt.",
            _laid_down_first,
        ),
    }
)


OF_HANDS: Final[Mapping[str, Constant]] = MappingProxyType(
    {
        "going-out": Constant("The round ends when somebody shows a {hand} that closes."),
    }
)
"""What these say where a whole hand is shown at once."""

OF_FLUSHES: Final[Mapping[str, Constant]] = MappingProxyType(
    {
        "fits": Constant(
            "A {card} joins a set of its {rank}, a flush of its {suit}, or a run that it continues "
            "at either end.",
            _with("layoff"),
        ),
    }
)
"""What these say where there are flushes."""

OF_CORNERS: Final[Mapping[str, Constant]] = MappingProxyType(
    {
        "longest-run": Constant(
            "A run ends with the {rank} that it began with at the latest.", _with("run")
        ),
    }
)
"""What these say where runs go round the corner."""


def section_of(clause: str) -> str:
    """The heading that a told clause stands under."""
    clause = clause.partition(".")[0]
    return next(name for name, clauses in SECTIONS.items() if clause in clauses)


CATALOGUE: Final = tuple(clause for clauses in SECTIONS.values() for clause in clauses)
"""Every clause, in the order of a told book."""

INSTEAD: Final[Mapping[str, str]] = MappingProxyType(
    {
        "set-most": "set",
        "same-card": "set",
        "as-laid": "run",
        **dict.fromkeys(_row("wild-where natural naturals wilds-most touching"), "wild"),
        "wilds-share": "naturals",
        **dict.fromkeys(_row("no-discard nobody-else"), "contracts"),
        "layoff-wild-pair": "layoff-wilds",
        "completes": "swap",
        "no-swap": "wild",
        "down-first": "layoff",
        **dict.fromkeys(_row("opening-wilds opening-table"), "opening"),
        "several": "melds",
        "first-lay": "first-naturals",
        "joins-wilds": "only-wilds",
        **dict.fromkeys(
            _row(
                "wild-stays retrieval joker-steps same-stands replacement replacement-from "
                "group-of-three goes"
            ),
            "rearrange",
        ),
        **dict.fromkeys(_row("no-wild highest announce"), "close"),
        "times": "settle",
        "held": "values",
    }
)
"""What is cited in place of a clause that a game has not."""
