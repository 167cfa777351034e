"""What must hold between the fields of a description."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from referee.describing.complaints import Complaint, near
from referee.describing.description import Description
from referee.describing.packs import JOKER, MOVING, NamedCard, face
from referee.describing.schema import ENDS, POINTS_ONLY, SECTIONS, STEPS, WAYS
from referee.describing.schema.scoring import AGAINST
from referee.melds.contracts import Contract
from referee.rulings import Code, MeldKind
from referee.wording import joined

_MOST_FOLLOWED: Final = 2
"""With more wilds their way round a table cannot be followed in bounded work."""
_ROWS: Final = (
    *("meld", "melds", "kept", "cards", "onto", "give", "take", "out-of", "before", "after"),
    *("rack", "pile", "discard", "table", "close", "turned"),
)
"""The fields of an example that hold cards."""
_ONE_CARD: Final = frozenset({"give", "take", "discard", "turned"})
_PLAYS: Final = (
    ("meld", ("meld",)),
    ("close", ("close",)),
    ("after", ("before", "after")),
    ("give", ("give", "take", "out-of", "melds")),
    ("pile", ("pile", "take", "melds")),
    ("discard", ("discard", "table")),
    ("onto", ("cards", "onto")),
    ("melds", ("melds",)),
)
"""What each kind of play says: the field by which it is known, and all that it needs."""
_CODES: Final = frozenset(code.value for code in Code)


def against_sense(game: Description) -> Iterator[Complaint]:
    """Say what speaks against a description whose fields hold what they should."""
    if game.way == POINTS_ONLY:
        yield from _against_points(game)
        return
    yield from _against_way(game)
    packs = [*_against_packs(game)]
    steps = [*_against_steps(game), *_against_opening(game)]
    yield from (*packs, *steps)
    if packs or steps:
        return
    yield from _against_too_few_cards(game)
    yield from _against_wilds(game)
    yield from _against_values(game)
    yield from _against_melds(game)
    yield from _against_hands(game)
    yield from _against_end(game)
    yield from _against_table(game)


def _against_way(game: Description) -> Iterator[Complaint]:
    ways = [f"[{way}]" for way in (*WAYS, POINTS_ONLY) if way in game.spec]
    if len(ways) != 1:
        says = "A game has exactly one of [contract], [free] and [hand]. This one has "
        yield Complaint("", f"{says}{' and '.join(ways) or 'none'}.")
    for part, does in (("opening", "need points for"), ("rearrange", "rearrange")):
        if part in game.spec and game.way != "free":
            yield Complaint(part, f"You can only {does} melds if you’re free to lay any you like.")
    if not {"set", "run", "flush"} & set(game.spec):
        yield Complaint("", "This game has no melds. Add sets, runs or flushes.")


def _against_points(game: Description) -> Iterator[Complaint]:
    """Nothing of cards goes with [points]: the game goes on until the table ends it."""
    for part in sorted((SECTIONS | {STEPS}) & set(game.spec) - {POINTS_ONLY, "end"}):
        yield Complaint(part, f"A game that only keeps points has no [{part}].")
    if not game.get("end.open"):
        yield Complaint("end.open", "If you only keep points, you decide when the game ends.")
    if game.get("end.leads") not in {"lowest", "highest"}:
        yield Complaint("end.leads", "If you only keep points, the lowest or highest total wins.")


def _against_packs(game: Description) -> Iterator[Complaint]:
    for word in game.get("pack.remove"):
        if not game.pack.kind.ranks_of(word):
            yield Complaint("pack.remove", f"This deck has no “{word}”.")
    if not game.pack.ranks:
        yield Complaint("pack.remove", "That leaves no cards in the deck.")
    for path in ("pack.copies", "pack.jokers", "deal.cards"):
        missing = set(game.players) - set(game.by_players(path))
        if missing:
            yield Complaint(path, f"There’s no number for {min(missing)} players.")


def _against_steps(game: Description) -> Iterator[Complaint]:
    said = ["contract" in step for step in game.steps]
    if game.way == "contract" and not (said and all(said)):
        yield Complaint("steps", "Every round needs a contract.")
    if game.way in {"free", "hand"} and any(said):
        yield Complaint("steps", "Only a game of contracts has rounds with a contract.")
    for number, step in enumerate(game.steps, 1):
        if "contract" in step:
            try:
                contract = game.contract_of(step)
            except ValueError as error:
                yield Complaint(f"steps, line {number}", str(error))
                continue
            for says in _against_contract(game, contract, step):
                yield Complaint(f"steps, line {number}", says)


def _against_opening(game: Description) -> Iterator[Complaint]:
    try:
        needs = game.opening_needs
    except ValueError as error:
        yield Complaint("opening.needs", str(error))
        return
    for says in _against_contract(game, needs, {"contract": needs.says}):
        yield Complaint("opening.needs", says)


def _against_contract(
    game: Description, contract: Contract, step: Mapping[str, Any]
) -> Iterator[str]:
    cards = f"{game.nouns['card']}s"
    longest = len(game.pack.ranks) + (game.get("run.ace") == "both" or game.get("run.around"))
    for kind in sorted({need.kind.value for need in contract.needs}):
        if kind not in game.spec:
            yield f"It asks for a {kind}, but this game has none."
    for size in sorted({need.size for need in contract.needs if need.kind is MeldKind.RUN}):
        if size > longest:
            yield f"A run has at most {longest} {cards}, not {size}."
    largest = _largest_set(game)
    for size in sorted({need.size for need in contract.needs if need.kind is MeldKind.SET}):
        if largest is not None and size > largest:
            yield f"A set has at most {largest} {cards}, not {size}."
    dealt = step.get("deal", min(game.by_players("deal.cards").values()))
    bought = 0
    if "buy" in game.spec:
        bought = (game.get("buy.extra") + 1) * (game.get("buy.limit") or 9)
    if contract.cards > dealt + 1 + bought:
        has = f"you have {dealt + 1}, with the one you draw"
        yield f"“{step['contract']}” takes {contract.cards} {cards}, but {has}."


def _largest_set(game: Description) -> int | None:
    """How many cards a set can have, if that is known before there is a wild in it."""
    most: int | None = game.get("set.max")
    wild = "wild" in game.spec and "set" in game.get("wild.in")
    if game.get("set.suits") == "different" and not wild:
        suits = len(game.pack.kind.suits)
        return suits if most is None else min(most, suits)
    return most


def _against_too_few_cards(game: Description) -> Iterator[Complaint]:
    copies, jokers = game.by_players("pack.copies"), game.by_players("pack.jokers")
    special = sum(card["count"] for card in game.get("pack.special").values())
    deals, steps = game.by_players("deal.cards"), [step.get("deal", 0) for step in game.steps]
    for players in reversed(game.players):
        deal = max([deals[players], *steps])
        there = copies[players] * len(game.pack.cards) + jokers[players] + special
        if players * deal >= there:
            says = f"There are {there} {game.nouns['card']}s, too few to deal {deal} each to "
            yield Complaint("deal.cards", f"{says}{players} players.")
            return


def _against_wilds(game: Description) -> Iterator[Complaint]:
    lists = [("wild.cards", game.get("wild.cards") or [])]
    lists += [
        (f"steps, line {number}", step["wild"])
        for number, step in enumerate(game.steps, 1)
        if "wild" in step
    ]
    for path, words in lists:
        for word in words:
            yield from _against_wild(game, path, word)
    if "dealt" in (game.get("wild.cards") or []):
        shown = {face(rank) for rank in game.pack.ranks}
        deals = {step.get("deal", game.most_dealt) for step in game.steps}
        for deal in sorted((deals or {game.most_dealt}) - shown):
            yield Complaint("wild.cards", f"If you deal {deal}, no {game.nouns['rank']} is wild.")
    if "wild" not in game.spec:
        return
    for kind in game.spec["wild"].get("in", ()):
        if kind not in game.spec:
            yield Complaint("wild.in", f"Wilds can be in a {kind}, but this game has none.")
    if game.get("wild.when") == "run-in-contract" and game.way != "contract":
        yield Complaint("wild.when", "Only a game of contracts has rounds that ask for a run.")
    yield from _against_alone(game)
    yield from _against_naturals(game)


def _against_alone(game: Description) -> Iterator[Complaint]:
    if not game.get("wild.alone"):
        return
    if "set" not in game.get("wild.in"):
        yield Complaint("wild.alone", "Wilds can’t be in sets here, so they can’t be a set alone.")
    if game.get("wild.naturals") == 0:
        says = "Wilds alone are already a meld if no meld needs a natural card."
        yield Complaint("wild.alone", says)


def _against_naturals(game: Description) -> Iterator[Complaint]:
    """Say that a meld would need more natural cards than it has, or none though it has some."""
    for kind in MeldKind:
        if kind.value not in game.spec or kind.value not in game.get("wild.in"):
            continue
        size = min([game.get(f"{kind.value}.min"), *game.asked(kind)])
        apart = {} if kind is MeldKind.FLUSH else game.get(f"wild.{kind.value}")
        if apart.get("naturals", game.get("wild.naturals")) > size:
            path = f"wild.{kind.value}" if "naturals" in apart else "wild.naturals"
            yield Complaint(path, f"A {kind.value} can be only {size} {game.nouns['card']}s.")
    apart = {*game.get("wild.set"), *game.get("wild.run")}
    if game.get("wild.naturals") == 0 and not game.get("wild.outnumber") and not apart:
        says = "If wilds can’t outnumber natural cards, a meld needs at least 1 natural card."
        yield Complaint("wild.naturals", says)


def _against_wild(game: Description, path: str, word: str) -> Iterator[Complaint]:
    if word in MOVING:
        return
    found, noun = game.pack.select(word), game.nouns["card"]
    if not found:
        says = f"This deck has no {noun} “{word}”. Write a {game.nouns['rank']}, “JK” or “red 2”."
        yield Complaint(path, says)
    elif not found <= game.there:
        name = "Joker" if word == "JK" else word[:1].upper() + word[1:]
        yield Complaint(path, f"{name}s are wild, but there are none in the deck.")


def _against_values(game: Description) -> Iterator[Complaint]:
    wild_cost = game.get("score.wild")
    costed = game.wild if wild_cost is not None else frozenset()
    yield from _against_table_of_values(game, "score.hand", must=game.there - costed)
    settle, table = game.settlement, game.get("score.table")
    laid = game.there if settle == "table-less-hand" else frozenset()
    yield from _against_table_of_values(game, "score.table", must=laid)
    yield from _against_table_of_values(game, "score.in-run", must=frozenset())
    if (settle == "table-less-hand") != bool(table):
        says = "Cards score on the table" if table else "Your melds score, but no card has points"
        yield Complaint("score.table", f"{says}{', but melds don’t' if table else ' there'}.")
    moving = set(MOVING) & set(game.get("wild.cards") or ())
    if wild_cost is not None and not game.wild and not moving:
        yield Complaint("score.wild", "No card is wild, so there’s none to count.")


def _against_table_of_values(
    game: Description, path: str, *, must: frozenset[NamedCard]
) -> Iterator[Complaint]:
    said: dict[NamedCard, tuple[int, str]] = {}
    for word, points in (game.get(path) or {}).items():
        found = game.pack.select(word)
        if not found:
            yield Complaint(path, f"This deck has no {game.nouns['card']} “{word}”.")
        if points == "face" and any(card.suit == "" for card in found):
            yield Complaint(path, f"“{word}” has no number to count.")
        twice = [card for card in found if said.get(card, (0, ""))[0] == len(found)]
        if twice:
            card = min(twice)
            says = f"“{word}” and “{said[card][1]}” both give points for {card.rank}."
            yield Complaint(path, says)
        for card in found:
            if card not in said or said[card][0] > len(found):
                said[card] = (len(found), word)
    missing = must - set(said)
    if missing:
        order = [*game.pack.kind.ranks, JOKER, *sorted(game.pack.specials)]
        ranks = sorted({card.rank for card in missing}, key=order.index)
        names = joined("joker" if rank == JOKER else rank for rank in ranks)
        yield Complaint(path, f"There are no points for {names} yet.")


def _against_melds(game: Description) -> Iterator[Complaint]:
    ranks, suits = len(game.pack.ranks), len(game.pack.kind.suits)
    if "set" in game.spec:
        low, high = game.get("set.min"), game.get("set.max")
        if high is not None and high < low:
            yield Complaint("set.max", f"The largest set is smaller than the smallest, {low}.")
        if game.get("set.suits") == "different":
            if game.get("pack.ignore-suits"):
                yield Complaint("set.suits", "Suits don’t matter in this game.")
            if low > suits:
                says = f"There are {suits} {game.nouns['suit']}s, too few for {low} different ones."
                yield Complaint("set.min", says)
    if "run" in game.spec:
        low, high = game.get("run.min"), game.get("run.max")
        if low > ranks:
            yield Complaint("run.min", f"There are only {ranks} {game.nouns['rank']}s in a row.")
        if high is not None and high < low:
            yield Complaint("run.max", f"The longest run is shorter than the shortest, {low}.")


def _against_hands(game: Description) -> Iterator[Complaint]:
    if game.way == "hand":
        if "layoff" in game.spec and game.get("layoff.onto") != "closer":
            says = "If hands are shown at once, you lay off on the player who showed first."
            yield Complaint("layoff.onto", says)
        for part in ("swap", "claim"):
            if part in game.spec:
                yield Complaint(part, "If hands are shown at once, no melds are on the table yet.")
    elif "layoff" in game.spec and game.get("layoff.onto") == "closer":
        yield Complaint("layoff.onto", "In this game nobody shows their whole hand at once.")
    if game.has("layoff") and game.get("layoff.counted") and game.get("layoff.onto") != "closer":
        yield Complaint("layoff.counted", "The pad can only lay off on the player who showed.")
    doubles = game.get("hand.spades-twice")
    if doubles and not (game.knocks_by_upcard and game.settlement == "knock"):
        says = "Spades can only count twice if the card turned up says when you can knock."
        yield Complaint("hand.spades-twice", says)
    if game.settlement == "knock":
        yield from _against_knock(game)


def _against_knock(game: Description) -> Iterator[Complaint]:
    if game.way != "hand" or game.players != range(2, 3):
        says = "Knocking is for 2 players who show their hands at once."
        yield Complaint("score.settle", says)
    if game.get("score.out"):
        says = "If you can knock, the bonus for nothing left over is the one for gin."
        yield Complaint("score.out", says)
    if game.big_gin and game.big_gin < game.settled_by["gin"]:
        gin = game.settled_by["gin"]
        says = f"Big gin can’t add less than gin: {game.big_gin} is less than {gin}."
        yield Complaint("score.settle", says)


def _against_end(game: Description) -> Iterator[Complaint]:
    ends = [path for path in ENDS if game.get(path) is not None and game.get(path) is not False]
    leads = game.get("end.leads")
    alone = game.way == "contract" and game.get("contract.pace") == "alone"
    if len(ends) > 1:
        says = f"A game ends in one way. This one has {' and '.join(ends)}."
        yield Complaint("end", says)
    if not ends and not game.steps:
        says = "This game has no end. Set a number of rounds, a target, or a total to be out."
        yield Complaint("end", says)
    if alone and ends:
        says = "If each player moves on alone, the game ends with somebody’s last contract."
        yield Complaint("end", says)
    yield from _against_leads(game)
    rounds, out_at = game.get("end.rounds"), game.get("end.eliminated")
    if rounds is not None and rounds < len(game.steps):
        yield Complaint("end.rounds", f"There are {len(game.steps)} rounds in the list.")
    if game.get("end.tie") == "decider" and not game.contracts:
        yield Complaint("end.tie", "There’s no last contract to play again.")
    if out_at is not None and (out_at > 0) != (leads == "lowest"):
        says = "If the lowest total wins, it needs to be above 0, otherwise below."
        yield Complaint("end.eliminated", says)


def _against_leads(game: Description) -> Iterator[Complaint]:
    """Say that what the standings go by is nothing that this game counts so."""
    pace, leads = game.get("contract.pace"), game.get("end.leads")
    if pace == "alone" and leads not in {"furthest", "lowest"}:
        says = "If each player moves on alone, whoever gets furthest wins, or the lowest total."
        yield Complaint("end.leads", says)
    elif leads == "furthest" and pace == "together":
        says = "Nobody gets further than others if everyone moves on together."
        yield Complaint("end.leads", says)
    against = game.settlement in AGAINST
    if against and leads in {"highest", "wins"}:
        says = "Points count against you here, so the lowest total wins."
        yield Complaint("end.leads", says)
    if not against and leads in {"lowest", "furthest"}:
        says = "Points count for you here, so the highest total wins, or the most rounds won."
        yield Complaint("end.leads", says)


def _against_table(game: Description) -> Iterator[Complaint]:
    jokers = game.most_jokers if "wild" in game.spec else 0
    if (
        "rearrange" in game.spec
        and jokers > _MOST_FOLLOWED
        and game.get("rearrange.retrieval") != "free"
    ):
        says = "With over 2 wilds, melds with a wild need to be rearranged like any other."
        yield Complaint("rearrange.retrieval", says)
    if "buy" in game.spec and game.no_discard_pile:
        yield Complaint("buy", "There’s no discard pile to ask for.")
    if "claim" in game.spec and game.way == "contract":
        yield Complaint("claim", "In a game of contracts, you can’t claim a discard.")


def against_examples(game: Description) -> Iterator[Complaint]:
    """Say what speaks against the examples of a sound game: they are of it without house rules."""
    for number, example in enumerate(game.spec.get("examples", ()), 1):
        where = f"examples, line {number}"
        yield from (Complaint(where, says) for says in _against_example(game, example))


def _against_example(game: Description, example: Mapping[str, Any]) -> Iterator[str]:
    if ("code" in example) == example.get("legal", False):
        yield "It says either legal = true or the code of what’s wrong."
    elif "code" in example and example["code"] not in _CODES:
        yield f"There’s no code “{example['code'][:40]}”.{near(example['code'], _CODES)}"
    shape = next((fields for first, fields in _PLAYS if first in example), ())
    if not shape or not set(shape) <= set(example):
        yield f"It isn’t a play yet. It needs {', '.join(shape) or 'meld, or melds, or another'}."
    step = example.get("step")
    if step is not None and step > len(game.steps):
        yield f"There’s no round {step}."
    for name in _ROWS:
        row = example.get(name, "")
        words = (row if isinstance(row, str) else " ".join(row)).split()
        if name in _ONE_CARD and row and len(words) != 1:
            yield f"“{name}” has just one {game.nouns['card']}."
        for word in words:
            bare = game.get("pack.ignore-suits") and word in game.pack.ranks
            if not bare and not game.pack.reads(word):
                yield f"This deck has no {game.nouns['card']} “{word}”."
                break
    if "pile" in example and example.get("take") not in example["pile"].split():
        yield "The card taken isn’t in the pile."
