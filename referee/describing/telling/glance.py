"""A game at a glance: a few lines, each with the clause that says it whole."""

from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from referee.describing.description import Description
from referee.describing.schema import POINTS_ONLY
from referee.describing.telling.words import number, say, wild_name
from referee.rulings import MeldKind
from referee.wording import joined

_LINES: Final = 8
_ACES: Final = {"low": "ace low", "high": "ace high"}
_PILES: Final = {"any": "Take several, use the lowest", "all": "Take it all, use the top card"}
_ONTO: Final = {"all": "On any meld", "own": "Only on your own melds", "closer": "On a hand shown"}
_LEADS: Final = {
    "lowest": "Lowest total",
    "highest": "Highest total",
    "wins": "Most rounds won",
    "furthest": "The furthest",
}


class Line(NamedTuple):
    """One line at a glance."""

    name: str
    """What it's about, in a word or two."""
    says: str
    clause: str
    """The clause that says it whole, as the referee cites it."""


def glance(game: Description, contract: str = "contract", wild: str = "") -> tuple[Line, ...]:
    """A game in eight lines at most; `contract` and `wild` are its words for one."""
    if game.way == POINTS_ONLY:
        return (
            Line("Players", _numbers([game.players[0], game.players[-1]]), "players"),
            Line("Scores", "What each player scored", "points"),
            Line("Winner", _LEADS[game.get("end.leads")], "leads"),
        )
    way = [*_way(game, contract)]
    scores = (*_scores(game), _winner(game))
    first = (
        Line("You need", _pack(game), "pack"),
        Line("Deal", _deal(game), "deal"),
        _melds(game),
        Line(_wilds(game, wild), _wild(game, wild), "wild"),
        *way,
    )
    left = _LINES - len(first) - len(scores)
    return (*first, *islice(_more(game, {line.clause for line in way}), max(left, 0)), *scores)


def _numbers(counts: list[int]) -> str:
    """The least and the most of some numbers: "2 to 8"."""
    low, high = min(counts), max(counts)
    return str(low) if low == high else f"{low} {'or' if high == low + 1 else 'to'} {high}"


def _several(counts: list[int], noun: str) -> str:
    """So many of something, "no jokers" among them."""
    if max(counts) == 0:
        return f"no {noun}s"
    return f"{_numbers(counts)} {noun}{'s' * (max(counts) > 1)}"


def _pack(game: Description) -> str:
    packs = _several([*game.by_players("pack.copies").values()], "deck")
    jokers = _several([*game.by_players("pack.jokers").values()], "joker")
    if game.nouns["card"] == "tile":
        often = {1: "once", 2: "twice"}.get(game.most_copies, f"{game.most_copies} times")
        return f"Tiles {game.pack.ranks[0]} to {game.pack.ranks[-1]} {often}, {jokers}"
    if game.pack.kind.name == "french":
        return f"{packs}, {jokers}"
    few = joined(f"{one['count']} {one['name']}s" for one in game.get("pack.special").values())
    return _listed(game.pack.kind.title, packs, jokers, few)


def _deal(game: Description) -> str:
    cards = f"{game.nouns['card']}s"
    dealt = [*(game.deals if game.deals_differ else game.by_players("deal.cards")).values()]
    upcard = game.get("deal.upcard") and not game.no_discard_pile
    return f"{_numbers(dealt)} {cards} each{', one turned up' if upcard else ''}"


def _melds(game: Description) -> Line:
    kinds = [kind for kind in MeldKind if game.has(kind.value)]
    says = ", ".join(_size(game, kind) for kind in kinds)
    ace = game.get("run.ace") if game.has("run") and game.pack.ranks[0] == "A" else "both"
    around = game.has("run") and game.get("run.around")
    more = "around the corner" if around else _ACES.get(ace, "")
    return Line("Melds", _listed(says[:1].upper() + says[1:], more), kinds[0].value)


def _size(game: Description, kind: MeldKind) -> str:
    """A kind of meld with how many cards it has; without, if the contracts differ in that."""
    sizes = {need.size for each in game.contracts for need in each.needs if need.kind is kind}
    if len(sizes) > 1:
        return kind.plural
    least = next(iter(sizes), game.get(f"{kind.value}.min"))
    most = None if kind is MeldKind.FLUSH else game.get(f"{kind.value}.max")
    return f"{kind.plural} of {_numbers([least, most]) if most else least}"


def _listed(*parts: str) -> str:
    """Those of some words that are there, with commas between."""
    return ", ".join(filter(None, parts))


def _wilds(game: Description, wild: str) -> str:
    """What a line about wilds is called."""
    if game.nouns["card"] == "tile" and game.has("wild"):
        return f"{wild_name(game, {'wild': wild} if wild else {})}s".capitalize()
    return "Wild"


def _wild(game: Description, wild: str) -> str:
    if not game.has("wild"):
        return "None"
    card = game.nouns["card"]
    moving = {
        "dealt": "the rank of the number dealt",
        "turned": "the rank turned up",
        "turned-next": f"the {card} after the one turned up",
        "JK": f"{game.pack.kind.names[0]}s",
    }
    cards: list[str] = game.get("wild.cards")
    own = wild and wild_name(game, {"wild": wild}) == wild and not {*cards} & {*moving}
    says = f"{wild}s" if own else joined(moving.get(w) or say("wild.cards", [w]) for w in cards)
    kinds: list[str] = game.get("wild.in")
    most = game.get("wild.most")
    limit = f"up to {most} per meld" if most else ""
    where = f"only in {kinds[0]}s" if len(kinds) == 1 else limit
    return _listed(says[:1].upper() + says[1:], where)


def _way(game: Description, contract: str) -> Iterator[Line]:
    """How melds come down."""
    card = game.nouns["card"]
    if game.way == "contract":
        yield Line("Rounds", f"{len(game.steps)} {contract}s", "contracts")
        if any(step.get("discard") == "never" for step in game.steps):
            yield Line("Last round", "Whole hand at once", "no-discard")
        elif game.has("layoff"):
            yield Line("Laying off", _ONTO[game.get("layoff.onto")], "layoff")
        return
    if game.way == "hand":
        yield _knock(game)
        return
    pile = game.get("draw.pile")
    if game.has("opening"):
        points = f"{game.get('opening.points')} points from your {game.nouns['hand']}"
        yield Line("First melds", points, "opening")
    elif pile not in _PILES:
        yield Line("Laying", "Any melds, on your turn", "melds")
    if game.has("rearrange"):
        whose = "any melds" if game.get("rearrange.whose") == "all" else "your own melds"
        yield Line("Table", f"Rearrange {whose}", "rearrange")
    elif pile in _PILES:
        yield Line("Pile", _PILES[pile].replace("card", card), "draw")


def _knock(game: Description) -> Line:
    hand, knock = game.nouns["hand"], game.get("hand.knock")
    if isinstance(knock, str):
        return Line("Knock", "With as many points as the card turned up", "knock")
    if knock:
        return Line("Knock", f"With {knock} points or less", "knock")
    needs = say("hand.needs", game.get("hand.needs")) if game.get("hand.needs") else ""
    return Line("Show", needs[:1].upper() + needs[1:] or f"A {hand} of melds", "close")


def _more(game: Description, told: set[str]) -> Iterator[Line]:
    """What else is worth a line, if there is room."""
    if game.settlement == "knock":
        bonus = (f"{name} {game.settled_by[name]}" for name in ("gin", "undercut"))
        yield Line("Bonuses", ", ".join(bonus).capitalize(), "settle")
    if game.has("layoff") and "layoff" not in told:
        yield Line("Laying off", _ONTO[game.get("layoff.onto")], "layoff")
    if game.way == "hand" and game.get("hand.last-turn"):
        yield Line("Last turn", "One more for everyone else", "last-turn")
    card = game.nouns["card"]
    last = {
        "may": "With or without a discard",
        "must": f"Discard your last {card}",
        "never": "Without a discard",
    }
    if game.way != "hand":
        yield Line("Going out", last[game.get("out.discard")], "discard")


def _scores(game: Description) -> Iterator[Line]:
    """What melds score, and what is left in hand."""
    if game.get("score.table"):
        yield Line("On the table", f"Points per {game.nouns['card']}", "table-values")
    held = game.nouns["held"]
    match game.settlement:
        case "fixed" | "penalty" | "drop":
            each = game.settled_by["each"]
            yield Line("Round", f"{number(each)} from each player", "settle")
        case _:
            yield Line(held[:1].upper() + held[1:], f"Points per {game.nouns['card']}", "values")


def _winner(game: Description) -> Line:
    leads = game.get("end.leads")
    if game.get("end.eliminated") is not None:
        return Line("Winner", "The last one left", "ends")
    total = game.get("end.total")
    if total is not None and leads == "highest":
        return Line("Winner", f"First to {total}", "ends")
    if total is not None and leads == "lowest":
        return Line("Winner", f"Lowest total when someone reaches {total}", "ends")
    return Line("Winner", _LEADS[leads], "leads")
