"""The rulebook told from the data: a sentence for each clause that a game has.

What is not in the description's own prose is told so, and so is every house rule. A rule that says
nothing in a game (whose melds a wild may join where there is none) is not told.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from referee.describing.checking.unruled import for_the_table
from referee.describing.description import Description
from referee.describing.packs import JOKER
from referee.describing.schema import BARE, BY_PATH, ENDS, FIELDS, POINTS_ONLY, WITH_POINTS
from referee.describing.schema.fields import Field
from referee.describing.schema.scoring import SETTLEMENTS
from referee.describing.telling.clauses import (
    CATALOGUE,
    constants_of,
    pays_by_hand,
)
from referee.describing.telling.words import any_value, say, wild_name
from referee.rulings import MeldKind
from referee.wording import joined

_ONE: Final = re.compile(
    r"\b1 (more )?((?:natural |wild )?(?:card|tile)|joker|wild|round|step|player|point|second)s\b"
)
_VOWEL: Final = re.compile(r"\b([Aa]) (?=[aeio])")

_COURT: Final = {"J": "jack", "Q": "queen", "K": "king"}
_OF_WILDS: Final = ("retrieval", "replacement", "from", "group-of-three", "goes")
"""What is said of wilds where a table may be rearranged."""
_FOR_THE_TABLE: Final = "The referee doesn’t check this."
_TOLD_IF: Final[Mapping[str, Callable[[Description], bool]]] = {
    "deal.upcard": lambda game: not game.no_discard_pile,
    "draw.top-free": lambda game: game.get("draw.pile") in {"any", "all"},
    "draw.pile": lambda game: "rearrange" not in game.spec or not game.no_discard_pile,
    "layoff.when": lambda game: (
        game.way == "contract" or ("opening" in game.spec and "rearrange" not in game.spec)
    ),
    "hand.times": lambda game: game.settlement == "to-out",
    "hand.announce": pays_by_hand,
    "out.dry": lambda game: not game.no_discard_pile or bool(game.get("out.dry")),
    "wild.adjacent": lambda game: (
        "run" in game.get("wild.in")
        and "adjacent" not in game.get("wild.run")
        and game.get("wild.run").get("most", game.get("wild.most")) not in {0, 1}
    ),
    "score.low-ace": lambda game: game.get("run.ace") != "high" or bool(game.get("run.around")),
    "contract.same-rank-sets": lambda game: _asks_for_two(game, MeldKind.SET),
    "contract.split-runs": lambda game: (
        _asks_for_two(game, MeldKind.RUN) and game.get("contract.run-suits") == "any"
    ),
    "contract.pace": lambda game: len(game.steps) > 1,
    "deal.direction": lambda game: game.players[-1] > 2,  # noqa: PLR2004 - of two each is next
    **dict.fromkeys(
        [f"rearrange.{name}" for name in _OF_WILDS],
        lambda game: "wild" in game.spec,
    ),
    "rearrange.draw": lambda game: game.get("rearrange.whose") == "all",
    "opening.wilds": lambda game: "wild" in game.spec,
    "opening.then-table": lambda game: "rearrange" in game.spec,
    "wild.natural": lambda game: set(game.get("wild.cards")) != {"JK"},
    "set.suits": lambda game: game.most_copies > 1 and not game.get("pack.ignore-suits"),
    "run.one-suit": lambda game: not game.get("pack.ignore-suits"),
    "run.ace": lambda game: (
        not game.get("run.around")
        and (game.pack.ranks[0] in {"A", "1"} or game.get("run.ace") != "low")
    ),
    "out.discard": lambda game: game.way != "hand" or game.get("out.discard") != "may",
}
"""Fields that are worth a sentence only where another makes them so."""


def _asks_for_two(game: Description, kind: MeldKind) -> bool:
    """Whether a contract asks for two melds of a kind."""
    kinds = ([need.kind for need in contract.needs] for contract in game.contracts)
    return any(some.count(kind) > 1 for some in kinds)


def tell(game: Description, contract: str = "contract") -> dict[str, str]:
    """What is told of a game, by clause, in the order of a book; `contract` is its word for one."""
    nouns = _nouns(game, contract)
    told: dict[str, list[str]] = {"players": [_players(game)]}
    for field in FIELDS:
        if matters(game, field.path):
            says = _sentence(game, field, nouns)
            if says:
                told.setdefault(field.clauses[0], []).append(says)
    for section, (clause, says) in BARE.items():
        if section in game.spec:
            told[clause] = [says]
    for clause, says in _of_steps(game, contract):
        told.setdefault(clause, []).append(says)
    for clause, constant in constants_of(game).items():
        told.setdefault(clause, [_written(constant.says, nouns)])
    for left in for_the_table(game):
        told[left.clause].append(_FOR_THE_TABLE)
    return {clause: " ".join(told[clause]) for clause in CATALOGUE if clause in told}


def told_of(game: Description, path: str) -> str:
    """The sentence of one field; empty if it needs none, or another one’s says it."""
    if not matters(game, path):
        return ""
    return _sentence(game, BY_PATH[path], _nouns(game, "contract"))


def label(path: str, value: object, pack: str = "french") -> str:
    """What would be told of a value of a field, in the words of a pack; empty where nothing is.

    `...` stands for any number, which is "…" in the sentence.
    """
    told = BY_PATH[path].told
    says = told if isinstance(told, str) else told.get(value, "")
    plain = Description({"pack": {"kind": pack}, "set": {}, "run": {}})
    return _written(says, {**_nouns(plain, "contract"), "v": any_value(path)}) if says else ""


def matters(game: Description, path: str) -> bool:
    """Whether a field decides anything in this game: one about wilds doesn't where there are none.

    Raises KeyError if there is no such field.
    """
    if game.way == POINTS_ONLY:
        return path in WITH_POINTS
    return game.has(BY_PATH[path].section) and _TOLD_IF.get(path, _always)(game)


def _always(_: Description) -> bool:
    return True


def _sentence(game: Description, field: Field, nouns: Mapping[str, str]) -> str:
    value = game.get(field.path)
    if field.name == "min":
        # A contract may ask for fewer, and then that many are a meld.
        value = min([value, *game.asked(MeldKind(field.section))])
    says = field.sentence(value)
    if field.path == "wild.in" and all(
        game.has(kind.value) == (kind.value in value) for kind in MeldKind
    ):
        return ""
    if field.path == "deal.cards" and (isinstance(value, dict) or game.deals_differ):
        says = _deal(game, value) + (" Turn one {card} up." if nouns["upcard"] else "")
    if not says:
        return ""
    if field.path == "score.settle" and game.get("score.out"):
        # The same sentence says what a player gets for going out.
        says = says.removesuffix(" The player who went out scores 0.")
    if field.section == "wild" and game.get("wild.in") == ["run"]:
        says = says.replace("A meld", "A run")
    if field.path == "score.wild" and "JK" in game.get("score.hand"):
        says += " A joker counts as shown above."
    told = _written(says, {**nouns, "v": say(field.path, value)})
    if field.path == "score.settle" and isinstance(value, dict):
        usual = SETTLEMENTS[game.settlement]
        told_of = {
            name.replace("-", " "): number
            for name, number in next(iter(value.values())).items()
            if number or usual[name]
        }
        arguments = say("", told_of)
        return f"{told} {arguments[:1].upper()}{arguments[1:]}." if arguments else told
    return told


def _deal(game: Description, value: int | dict[str, int]) -> str:
    """How many cards are dealt, if that goes by the round, or by how many play."""
    if game.deals_differ or isinstance(value, int):
        return "The number of {cards} you’re dealt changes each round."
    first, *others = (
        (number, players.replace("-", " or " if _next_to(players) else " to "))
        for players, number in value.items()
    )
    parts = [f"{first[0]} {{cards}} each to {first[1]} players"]
    parts += [f"{number} to {players}" for number, players in others]
    return f"Deal {joined(parts)}."


def _next_to(players: str) -> bool:
    """Whether two numbers of players follow on each other: "3-4"."""
    low, _, high = players.partition("-")
    return bool(high) and int(high) == int(low) + 1


def _of_steps(game: Description, contract: str) -> list[tuple[str, str]]:
    told = []
    steps = len(game.steps)
    if game.way == "contract":
        lines = [f"{step['contract']}{_beside(step, game.nouns['card'])}" for step in game.steps]
        told.append(("contracts", f"The {contract}s are: {'; '.join(lines)}."))
    elif steps:
        deals = ", ".join(str(step.get("deal", game.most_dealt)) for step in game.steps)
        told.append(
            ("steps", f"{game.nouns['card'].capitalize()}s dealt, round by round: {deals}.")
        )
    if game.rests_in and any(card.rank == JOKER for card in game.wild):
        at_rest = "Then a joker fits no meld, and counts as much as a wild card left in hand."
        told.append(("wild-when", at_rest))
    if steps and not any(game.get(path) for path in ENDS):
        alone = game.way == "contract" and game.get("contract.pace") == "alone"
        last = f"when a player makes the last of {steps} {contract}s"
        told.append(("ends", f"The game ends {last if alone else f'after {steps} rounds'}."))
    return told


def _beside(step: Mapping[str, Any], card: str) -> str:
    """What a step says beside its contract: " (12 cards, without a discard)"."""
    said = [f"{step['deal']} {card}s"] if "deal" in step else []
    said += ["without a discard"] if step.get("discard") == "never" else []
    return f" ({', '.join(said)})" if said else ""


def _players(game: Description) -> str:
    """How many can play."""
    low, high = game.players[0], game.players[-1]
    return f"{low} players." if low == high else f"{low} to {high} players."


def _turn(game: Description) -> str:
    """What you do in a turn, in its order."""
    if game.way == "hand":
        shows = "knock" if game.get("hand.knock") else f"show your {game.nouns['hand']}"
        return f"On your turn, draw a {game.nouns['card']} and discard one, or {shows}."
    lay = "lay down and lay off" if game.has("layoff") else "lay down"
    if game.no_discard_pile:
        first = game.has("rearrange") and game.get("rearrange.draw") == "first"
        want = "what you can and want to"
        return f"On your turn, {f'draw, then {lay} {want}' if first else f'{lay} {want}, or draw'}."
    return f"On your turn, draw, {lay} what you can and want to, and discard."


def _packs(game: Description) -> str:
    """What is played with: "2 decks of 52 cards, without jokers."."""
    copies, jokers = game.get("pack.copies"), game.get("pack.jokers")
    cards = len(game.pack.ranks) * len(game.pack.kind.suits)
    french = game.pack.kind.name == "french"
    if isinstance(copies, int):
        decks = f"{copies} deck{'s' * (copies > 1)}"
        decks = f"{decks} of {cards} cards" if french else f"{game.pack.kind.title}, {decks}"
    else:
        kind = f"Decks of {cards} cards" if french else f"{game.pack.kind.title}, decks"
        decks = f"{kind}: {say('pack.copies', copies)}"
    if isinstance(jokers, int):
        return f"{decks}, with{f' {jokers}' if jokers else 'out'} joker{'s' * (jokers != 1)}."
    return f"{decks}. Jokers: {say('pack.jokers', jokers)}."


def _nouns(game: Description, contract: str) -> dict[str, str]:
    words = game.nouns
    card, suit, low = words["card"], words["suit"], game.pack.ranks[0]
    said = game.spec.get("text", {}).get("words", {})
    wild = wild_name(game, said) if game.has("wild") else "wild"
    wild = f"wild {card}" if wild in {"wild", "wild card"} else wild
    upcard = game.get("deal.upcard") and not game.no_discard_pile
    one_suit = game.get("run.one-suit") and not game.get("pack.ignore-suits")
    return {
        "card": card,
        "cards": f"{card}s",
        "Cards": f"{card}s".capitalize(),
        "rank": words["rank"],
        "suit": suit,
        "stand": "are wild: they stand" if card == "card" else "stand",
        "Suits": f"{suit}s".capitalize(),
        "wild": wild,
        "wilds": f"{wild}s",
        "Wilds": f"{wild[:1].upper()}{wild[1:]}s",
        "hand": words["hand"],
        "held": words["held"],
        "Held": f"Left {words['held']}",
        "stock": words["stock"],
        "contract": contract,
        "one-suit": f", all of the same {suit}" if one_suit else "",
        "low": "ace" if low == "A" else low,
        "second": game.pack.ranks[1],
        "top": _COURT.get(game.pack.ranks[-1], game.pack.ranks[-1]),
        "packs": _packs(game),
        "shows": "knocks"
        if game.has("hand") and game.get("hand.knock")
        else f"shows their {words['hand']}",
        "big-gin": str(game.big_gin),
        "turn": _turn(game),
        "down": f"your {contract}" if game.has("contract") else "your first melds",
        "upcard": ", and turn one up" if upcard else "",
    }


def _written(says: str, nouns: Mapping[str, str]) -> str:
    """A sentence with its words put in, a capital letter, and one thing as one."""
    told = _VOWEL.sub(r"\1n ", says.format_map(nouns))
    return _ONE.sub(r"1 \1\2", told[:1].upper() + told[1:])
