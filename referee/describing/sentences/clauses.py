"""The clauses that the referee can cite: their chapters, and the rules that no field sets.

Such a rule follows from what a table is for, or from the way rummy is played. All other clauses
come from the fields that affect them.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from referee.describing.description import Description
from referee.describing.schema import CHAPTERS, POINTS_ONLY, UNCHECKED
from referee.describing.sentences.words import nouns_of, wild_name
from referee.saying import ENGLISH, WORDS, Catalogue


class Constant(NamedTuple):
    """A rule that no field sets; its sentence is in the catalogues, under its clause."""

    holds: Callable[[Description], bool]
    """Returns whether a game has the rule."""
    how: str = ""
    """The message variant for that game."""


def _always(_: Description) -> bool:
    return True


def _with(*tables: str) -> Callable[[Description], bool]:
    """Return a test for games that have these tables."""
    return lambda game: all(game.has(table) for table in tables)


def _where(path: str, *, value: object) -> Callable[[Description], bool]:
    """Return a test for games that have this value in a field."""
    return lambda game: game.has(path.partition(".")[0]) and bool(game.get(path) == value)


def _without_discard(game: Description) -> bool:
    return any(step.get("discard") == "never" for step in game.steps)


def pays_by_hand(game: Description) -> bool:
    """Return whether some special hands make the others pay more often."""
    special = game.get("hand.special").values() if game.has("hand") else ()
    return any("scores" not in hand and not hand.get("wins") for hand in special)


def _pays_by_wilds(game: Description) -> bool:
    return pays_by_hand(game) and game.has("wild")


def _before_down(game: Description) -> bool:
    return game.has("swap") and game.get("swap.who") in {"not-down", "anyone"}


def _laid_down_first(game: Description) -> bool:
    """Return whether players need to be down before they lay off."""
    return game.has("layoff") and (game.has("contract") or game.has("opening"))


def _with_swaps(game: Description) -> bool:
    """Return whether players can take a wild from the table."""
    return game.has("swap") and game.get("swap.who") != "nobody"


def _without_swaps(game: Description) -> bool:
    """Return whether the game has wilds on the table that nobody can take."""
    return game.has("wild") and game.way != "hand" and not {"swap", "rearrange"} & set(game.spec)


def _at_one_table(game: Description) -> bool:
    """Return whether players can rearrange all melds on the table."""
    return game.has("rearrange") and bool(game.get("rearrange.whose") == "all")


def _with_wilds_at_one_table(game: Description) -> bool:
    return _at_one_table(game) and game.has("wild")


def _with_wilds_in_runs(game: Description) -> bool:
    return game.has("run") and game.has("wild") and "run" in game.get("wild.in")


def _with_larger_sets(game: Description) -> bool:
    """Return whether sets can’t repeat a suit but can be larger with wilds."""
    if not game.has("wild") or "set" not in game.get("wild.in"):
        return False
    return game.get("set.max") is None and bool(game.get("set.suits") == "different")


def _with_cards_too_deep(game: Description) -> bool:
    """Return whether a part of the pile can stay when a player takes from it."""
    pile = game.get("draw.pile")
    return bool(pile == "any" or (pile == "all" and game.get("draw.depth")))


def _row(clauses: str) -> tuple[str, ...]:
    return tuple(clauses.split())


_CLAUSES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "goal": _row("aim leads"),
        "need": _row("players teams pack jokers special suits"),
        "deal": _row("deal steps reserve dealer"),
        "turn": _row(
            "turn draw draw-top frozen blocked aside draw-ends drawn top-free lowest by-layoff "
            "stays-in-pile buy buy-limit buy-down dry"
        ),
        "melds": _row(
            "set set-without set-last set-once same-card set-most run run-without run-most ace "
            "run-ends corner longest-run as-laid flush"
        ),
        "wilds": _row(
            "wild wild-when wild-where natural naturals wilds-most touching wilds-share "
            "only-wilds joins-wilds moves wild-counts no-swap"
        ),
        "down": _row(
            "own-cards contracts once exact same-rank split-run run-suits no-discard nobody-else "
            "melds opening opening-needs opening-wilds opening-pairs several first-naturals "
            "first-lay opening-table opening-at-once close hand-size knock big-gin needs "
            "melds-count special-hands announce highest no-wild last-turn"
        ),
        "table": _row(
            "layoff down-first fits own-turn layoff-turn layoff-wilds layoff-wild-pair "
            "swap exact-card completes swap-from swap-turn swap-use swap-down rearrange from-hand "
            "table-stays wild-stays retrieval joker-steps same-stands replacement "
            "replacement-from group-of-three goes claim claim-until claim-wilds"
        ),
        "time": _row("time time-over"),
        "out": _row("going-out discard out-needs out-wild"),
        "melds-score": _row("table-values bonus-melds aside-points aside-minus"),
        "score": _row(
            "points settle counts values wild-value times protects cap out-bonus at-once "
            "ways-out reserve-untaken fixed pairs-left partners-left penalties held"
        ),
        "winning": _row("target ends pace overtaken tied end-bonus"),
    }
)
SECTIONS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {name: (*_CLAUSES[name], f"{UNCHECKED}-{name}") for name in CHAPTERS}
)
"""The chapters of a leaflet, each with its clauses in order; rules in the players’ own words are
last."""

CONSTANTS: Final[Mapping[str, Constant]] = MappingProxyType(
    {
        "aim": Constant(_always),
        "turn": Constant(_always),
        "own-cards": Constant(lambda game: game.way != "hand"),
        "jokers": Constant(_always),
        "set-most": Constant(_with_larger_sets),
        "longest-run": Constant(_with("run")),
        "as-laid": Constant(_with_wilds_in_runs),
        "wild": Constant(_always),
        "joins-wilds": Constant(_where("wild.alone", value=True)),
        "once": Constant(_with("contract")),
        "no-discard": Constant(_without_discard),
        "nobody-else": Constant(_without_discard),
        "several": Constant(_with("opening")),
        "big-gin": Constant(lambda game: game.big_gin > 0),
        "highest": Constant(pays_by_hand),
        "no-wild": Constant(_pays_by_wilds),
        "down-first": Constant(_laid_down_first),
        "no-swap": Constant(_without_swaps),
        "fits": Constant(_with("layoff")),
        "own-turn": Constant(
            lambda game: game.has("layoff") and game.get("layoff.onto") != "closer"
        ),
        "layoff-wild-pair": Constant(_where("layoff.wilds", value="own")),
        "exact-card": Constant(_with_swaps),
        "completes": Constant(_before_down),
        "swap-use": Constant(lambda game: _with_swaps(game) and not game.get("swap.keep")),
        "from-hand": Constant(_at_one_table),
        "table-stays": Constant(_with("rearrange")),
        "wild-stays": Constant(_with_wilds_at_one_table),
        "drawn": Constant(
            lambda game: _at_one_table(game) and game.get("rearrange.draw") == "instead"
        ),
        "joker-steps": Constant(_with_wilds_at_one_table),
        "same-stands": Constant(_with_wilds_at_one_table),
        "by-layoff": Constant(_where("draw.pile", value="any")),
        "stays-in-pile": Constant(_with_cards_too_deep),
        "claim-until": Constant(_with("claim")),
        "claim-wilds": Constant(_with("claim", "wild")),
        "going-out": Constant(_always),
        "held": Constant(lambda game: _laid_down_first(game) and not game.melds_together),
    }
)
"""The rules that no field sets, by clause."""


def constants_of(game: Description) -> Mapping[str, Constant]:
    """Return the rules that no field sets and that a game has; empty if only points are entered."""
    if game.way == POINTS_ONLY:
        return {}
    constants = dict(CONSTANTS)
    for applies, others in OTHERWISE:
        constants |= others if applies(game) else {}
    return {clause: constant for clause, constant in constants.items() if constant.holds(game)}


OTHERWISE: Final[tuple[tuple[Callable[[Description], bool], Mapping[str, Constant]], ...]] = (
    (
        lambda game: game.way == "hand",
        {"aim": Constant(_always, "hands"), "going-out": Constant(_always, "hands")},
    ),
    (
        lambda game: game.settlement == "table-less-hand",
        {"aim": Constant(_always, "scores")},
    ),
    (
        lambda game: "run" not in game.spec and "flush" not in game.spec,
        {"fits": Constant(_with("layoff"), "sets")},
    ),
    (_with("reserve"), {"going-out": Constant(_always, "reserve")}),
    (
        lambda game: game.way == "hand" and bool(game.get("hand.last-turn")),
        {"going-out": Constant(_always, "last-turn")},
    ),
    (
        lambda game: bool(game.get("rearrange.draw") == "first"),
        {"from-hand": Constant(_at_one_table, "drawn")},
    ),
    (_with("flush"), {"fits": Constant(_with("layoff"), "flushes")}),
    (
        lambda game: "run" in game.spec and bool(game.get("run.around")),
        {
            "ace": Constant(lambda game: bool(game.get("run.ace") != "both"), "corners"),
            "longest-run": Constant(_with("run"), "corners"),
        },
    ),
)
"""Rules that some games have in another form: a test for these games, and their rules."""


def section_of(clause: str) -> str:
    """Return the chapter of a clause; raise LookupError if it is in no chapter."""
    clause = clause.partition(".")[0]
    for name, clauses in SECTIONS.items():
        if clause in clauses:
            return name
    message = f"The clause {clause} is in no chapter: give it a place in _CLAUSES."
    raise LookupError(message)


def chapters_of(game: Description, language: str = ENGLISH) -> dict[str, str]:
    """Return the chapter of each clause in a game, in a language and in the order of a leaflet.

    >>> from referee import variants
    >>> from referee.describing import chapters_of, check
    >>> chapters_of(check(variants.description_of("gin-rummy")))["run"]
    'Sets and runs'
    """
    speech, within = Catalogue.read(language, WORDS), _within(game)
    wild = wild_name(game, game.spec.get("text", {}).get("words", {})) if game.has("wild") else ""
    hows, nouns = _hows(game), {**nouns_of(game, speech), "wild": wild}

    def title(name: str) -> str:
        chapter = within.get(name, name)
        says = speech.find("chapters", [chapter, *hows, "other"]).format_map(nouns)
        return f"{says[:1].upper()}{says[1:]}"

    titles = {name: title(name) for name in SECTIONS}
    return {clause: titles[name] for name, clauses in SECTIONS.items() for clause in clauses}


def _within(game: Description) -> Mapping[str, str]:
    """Return the chapters that a game has under the heading of another, by that heading’s key."""
    within = {} if game.has("wild") else {"wilds": "melds"}
    if not game.get("score.table"):
        # What cards count on the table is then asked for the first melds alone.
        within |= {"melds-score": "down"}
    if game.way == "hand":
        within |= {"down": "show", "out": "show"}
    elif game.has_tiles and not game.get("score.table"):
        within |= {"out": "score"}
    return within


def _hows(game: Description) -> list[str]:
    """Return the message variants for the headings of chapters in a game."""
    tiles = game.has_tiles
    ways = {
        "sets": not game.has("run"),
        "knock": game.way == "hand" and bool(game.get("hand.knock")),
        "opening": tiles and game.has("opening"),
        "free": game.way == "free",
        "move-tiles": tiles and game.has("rearrange"),
        "move": game.has("rearrange"),
        "tiles": tiles,
    }
    return [how for how, holds in ways.items() if holds]


FINE_PRINT: Final = frozenset(
    _row(
        "jokers own-cards longest-run as-laid exact-card joins-wilds once nobody-else hand-size "
        "highest no-wild layoff-wild-pair own-turn by-layoff stays-in-pile claim-until claim-wilds "
        "same-stands joker-steps table-stays group-of-three replacement replacement-from held"
    )
)
"""Clauses that players take for granted or hardly ever need; a leaflet has them in small print."""

CATALOGUE: Final = tuple(clause for clauses in SECTIONS.values() for clause in clauses)
"""Every clause, in the order of a generated book."""

INSTEAD: Final[Mapping[str, str]] = MappingProxyType(
    {
        clause: other
        for other, clauses in {
            "set": "set-most same-card set-without set-last set-once",
            "run": "as-laid run-without",
            "wild": "wild-where natural naturals wilds-most touching moves wild-counts no-swap",
            "naturals": "wilds-share",
            "only-wilds": "joins-wilds",
            "contracts": "no-discard nobody-else",
            "melds": "several",
            "opening": "opening-needs opening-wilds opening-pairs opening-table opening-at-once",
            "first-naturals": "first-lay",
            "close": "no-wild highest announce",
            "layoff": "down-first",
            "layoff-wilds": "layoff-wild-pair",
            "swap": "completes swap-from swap-turn",
            "draw": "draw-top frozen blocked",
            "rearrange": "wild-stays retrieval joker-steps same-stands replacement "
            "replacement-from group-of-three goes draw-ends drawn from-hand",
            "going-out": "out-needs out-wild",
            "table-values": "bonus-melds aside-points",
            "aside-points": "aside-minus",
            "reserve": "reserve-untaken",
            "settle": "times ways-out pairs-left partners-left penalties",
            "values": "held",
        }.items()
        for clause in _row(clauses)
    }
)
"""The clause to cite instead of one that a game doesn’t have."""
