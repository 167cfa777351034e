"""Checks between the fields of a description."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from referee.describing.checking.bonuses import against_bonuses, against_teams, second_hand
from referee.describing.complaints import Complaint, complaint, near
from referee.describing.description import Description
from referee.describing.packs import JOKER, MOVING, ROUND, NamedCard, face
from referee.describing.schema import ENDS, POINTS_ONLY, SECTIONS, STEPS, WAYS
from referee.describing.schema.scoring import AGAINST
from referee.melds.contracts import Contract, ContractError
from referee.rulings import Code, MeldKind
from referee.saying import Told, wrong

_MOST_FOLLOWED: Final = 4
"""The most wilds on a table that is rearranged: more could move in too many ways to check."""
_ROWS: Final = (
    *("meld", "melds", "kept", "cards", "onto", "give", "take", "out-of", "before", "after"),
    *("rack", "pile", "discard", "table", "close", "turned"),
)
"""The fields of an example that have cards."""
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
"""The fields of each kind of play: the one that only this kind has, and all that it needs."""
_CODES: Final = frozenset(code.value for code in Code)


def against_sense(game: Description) -> Iterator[Complaint]:
    """Yield complaints about fields that don’t make sense together."""
    if game.way == POINTS_ONLY:
        yield from _against_points(game)
        return
    yield from _against_way(game)
    packs = [*_against_packs(game)]
    steps = [*_against_steps(game), *_against_opening(game)]
    yield from (*packs, *steps)
    # All other checks look up packs, deals and contracts, and would fail on wrong ones.
    if packs or steps:
        return
    yield from _against_too_few_cards(game)
    yield from _against_wilds(game)
    yield from _against_values(game)
    yield from _against_melds(game)
    yield from _against_hands(game)
    yield from _against_end(game)
    yield from _against_table(game)
    yield from against_bonuses(game)


def _against_way(game: Description) -> Iterator[Complaint]:
    ways = [f"[{way}]" for way in (*WAYS, POINTS_ONLY) if way in game.spec]
    if len(ways) != 1:
        yield complaint("", "one-way", "" if ways else "none", ways=tuple(ways))
    for part in ("opening", "rearrange"):
        if part in game.spec and game.way != "free":
            yield complaint(part, "not-free", part)
    if not {"set", "run", "flush"} & set(game.spec):
        yield complaint("", "no-melds")


def _against_points(game: Description) -> Iterator[Complaint]:
    """Yield complaints about fields that can’t be used if only points are entered."""
    for part in sorted((SECTIONS | {STEPS}) & set(game.spec) - {POINTS_ONLY, "end"}):
        yield complaint(part, "points-alone", part=part)
    if not game.get("end.open"):
        yield complaint("end.open", "points-end")
    if game.get("end.leads") not in {"lowest", "highest"}:
        yield complaint("end.leads", "points-leads")


def _against_packs(game: Description) -> Iterator[Complaint]:
    for word in game.get("pack.remove"):
        if not game.pack.kind.ranks_of(word):
            yield complaint("pack.remove", "no-rank", word=word)
    if not game.pack.ranks:
        yield complaint("pack.remove", "no-deck")
    for path in ("pack.copies", "pack.jokers", "deal.cards", "teams.size"):
        if path == "teams.size" and "teams" not in game.spec:
            continue
        missing = set(game.players) - set(game.by_players(path))
        if missing:
            yield complaint(path, "no-number", players=min(missing))
        elif path == "teams.size":
            yield from against_teams(game)


def _against_steps(game: Description) -> Iterator[Complaint]:
    said = ["contract" in step for step in game.steps]
    if game.way == "contract" and not (said and all(said)):
        yield complaint("steps", "needs-contract")
    if game.way in {"free", "hand"} and any(said):
        yield complaint("steps", "no-contracts")
    for number, step in enumerate(game.steps, 1):
        if "contract" in step:
            try:
                contract = game.contract_of(step)
            except ContractError as error:
                yield Complaint(f"steps, line {number}", error.told)
                continue
            yield from _against_contract(game, contract, step, f"steps, line {number}")


def _against_opening(game: Description) -> Iterator[Complaint]:
    try:
        needs = game.opening_needs
    except ContractError as error:
        yield Complaint("opening.needs", error.told)
        return
    yield from _against_contract(game, needs, {"contract": needs.says}, "opening.needs")


def _against_contract(
    game: Description, contract: Contract, step: Mapping[str, Any], path: str
) -> Iterator[Complaint]:
    pack = game.pack.kind.name
    longest = len(game.pack.ranks) + (game.get("run.ace") == "both" or game.get("run.around"))
    for kind in sorted({need.kind.value for need in contract.needs}):
        if kind not in game.spec:
            yield complaint(path, "asks-kind", kind=kind)
    for size in sorted({need.size for need in contract.needs if need.kind is MeldKind.RUN}):
        if size > longest:
            yield complaint(path, "run-too-long", pack=pack, most=longest, size=size)
    largest = _largest_set(game)
    for size in sorted({need.size for need in contract.needs if need.kind is MeldKind.SET}):
        if largest is not None and size > largest:
            yield complaint(path, "set-too-large", pack=pack, most=largest, size=size)
    dealt = step.get("deal", min(game.by_players("deal.cards").values()))
    bought = 0
    if "buy" in game.spec:
        bought = (game.get("buy.extra") + 1) * (game.get("buy.limit") or 9)
    if contract.cards > dealt + 1 + bought:
        asks = {"size": contract.cards, "most": dealt + 1}
        yield complaint(path, "contract-too-large", pack=pack, **asks)


def _largest_set(game: Description) -> int | None:
    """Return the most cards of a set, if the limit doesn’t depend on wilds in it; else None."""
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
        deal = max([deals[players], *steps]) + second_hand(game, players)
        there = copies[players] * len(game.pack.cards) + jokers[players] + special
        if players * deal >= there:
            found = {"there": there, "deal": deal, "players": players}
            yield complaint("deal.cards", "too-few-cards", pack=game.pack.kind.name, **found)
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
    yield from _against_moving(game, game.get("wild.cards") or [])
    if "wild" not in game.spec:
        return
    for kind in game.spec["wild"].get("in", ()):
        if kind not in game.spec:
            yield complaint("wild.in", "wild-in", kind=kind)
    if game.get("wild.when") == "run-in-contract" and game.way != "contract":
        yield complaint("wild.when", "no-run-rounds")
    yield from _against_alone(game)
    yield from _against_naturals(game)


def _against_moving(game: Description, words: list[str]) -> Iterator[Complaint]:
    """Yield complaints if it isn’t known in each round which cards are wild in it."""
    if ROUND in words and not game.changing:
        yield complaint("wild.cards", "round-wild")
    elif ROUND in words and game.way == "contract" and game.get("contract.pace") == "alone":
        yield complaint("wild.cards", "round-wild", "pace")
    if "dealt" in words:
        shown = {face(rank) for rank in game.pack.ranks}
        deals = {step.get("deal", game.most_dealt) for step in game.steps}
        for deal in sorted((deals or {game.most_dealt}) - shown):
            yield complaint("wild.cards", "dealt-wild", pack=game.pack.kind.name, deal=deal)


def _against_alone(game: Description) -> Iterator[Complaint]:
    if not game.get("wild.alone"):
        return
    if "set" not in game.get("wild.in"):
        yield complaint("wild.alone", "wilds-not-in-sets")
    if game.get("wild.naturals") == 0:
        yield complaint("wild.alone", "wilds-alone-already")


def _against_naturals(game: Description) -> Iterator[Complaint]:
    """Yield complaints if a meld needs more natural cards than its smallest size, or none."""
    for kind in MeldKind:
        if kind.value not in game.spec or kind.value not in game.get("wild.in"):
            continue
        size = min([game.get(f"{kind.value}.min"), *game.asked(kind)])
        apart = {} if kind is MeldKind.FLUSH else game.get(f"wild.{kind.value}")
        if apart.get("naturals", game.get("wild.naturals")) > size:
            path = f"wild.{kind.value}" if "naturals" in apart else "wild.naturals"
            pack = game.pack.kind.name
            yield complaint(path, "only-size", pack=pack, kind=kind.value, size=size)
    apart = {*game.get("wild.set"), *game.get("wild.run")}
    if game.get("wild.naturals") == 0 and not game.get("wild.outnumber") and not apart:
        yield complaint("wild.naturals", "outnumber-naturals")


def _against_wild(game: Description, path: str, word: str) -> Iterator[Complaint]:
    if word in MOVING:
        return
    found = game.pack.select(word)
    if not found:
        yield complaint(path, "wild-word", pack=game.pack.kind.name, word=word)
    elif not found <= game.there:
        yield complaint(path, "wild-absent", "joker" if word == JOKER else "", word=word)


def _against_values(game: Description) -> Iterator[Complaint]:
    wild_cost = game.get("score.wild")
    costed = game.wild if wild_cost is not None else frozenset()
    yield from _against_table_of_values(game, "score.hand", must=game.there - costed)
    settle, table = game.settlement, game.get("score.table")
    laid = game.there if settle == "table-less-hand" else frozenset()
    yield from _against_table_of_values(game, "score.table", must=laid)
    yield from _against_table_of_values(game, "score.in-run", must=frozenset())
    yield from _against_table_of_values(game, "score.wilds", must=frozenset())
    if (settle == "table-less-hand") != bool(table):
        yield complaint("score.table", "table-scores", "table" if table else "")
    moving = set(MOVING) & set(game.get("wild.cards") or ())
    if wild_cost is not None and not game.wild and not moving:
        yield complaint("score.wild", "no-wild")


def _against_table_of_values(
    game: Description, path: str, *, must: frozenset[NamedCard]
) -> Iterator[Complaint]:
    said: dict[NamedCard, tuple[int, str]] = {}
    for word, points in (game.get(path) or {}).items():
        found = game.pack.select(word)
        if not found:
            yield complaint(path, "no-card", pack=game.pack.kind.name, word=word)
        stands = path == "score.hand" and game.stand_ins and word in game.pack.specials
        if points == "face" and not stands and any(card.suit == "" for card in found):
            yield complaint(path, "no-face", word=word)
        twice = [card for card in found if said.get(card, (0, ""))[0] == len(found)]
        if twice:
            card = min(twice)
            other = said[card][1]
            yield complaint(path, "points-twice", word=word, other=other, this=card.rank)
        for card in found:
            if card not in said or said[card][0] > len(found):
                said[card] = (len(found), word)
    missing = must - set(said)
    if missing:
        order = [*game.pack.kind.ranks, JOKER, *sorted(game.pack.specials)]
        ranks = sorted({card.rank for card in missing}, key=order.index)
        names = tuple("joker" if rank == JOKER else rank for rank in ranks)
        yield complaint(path, "no-points", ranks=names)


def _against_melds(game: Description) -> Iterator[Complaint]:
    ranks, suits = len(game.pack.ranks), len(game.pack.kind.suits)
    if "set" in game.spec:
        low, high = game.get("set.min"), game.get("set.max")
        if high is not None and high < low:
            yield complaint("set.max", "set-max", low=low)
        asked = game.get("set.suits")
        if asked != "any" and game.get("pack.ignore-suits"):
            yield complaint("set.suits", "no-suits")
        if asked == "different" and low > suits:
            pack = game.pack.kind.name
            yield complaint("set.min", "few-suits", pack=pack, suits=suits, low=low)
    if "run" in game.spec:
        low, high = game.get("run.min"), game.get("run.max")
        if low > ranks:
            yield complaint("run.min", "few-ranks", pack=game.pack.kind.name, ranks=ranks)
        if high is not None and high < low:
            yield complaint("run.max", "run-max", low=low)


def _against_hands(game: Description) -> Iterator[Complaint]:
    if game.way == "hand":
        if "layoff" in game.spec and game.get("layoff.onto") != "closer":
            yield complaint("layoff.onto", "shown-layoff")
        for part in ("swap", "claim"):
            if part in game.spec:
                yield complaint(part, "shown-no-table")
    elif "layoff" in game.spec and game.get("layoff.onto") == "closer":
        yield complaint("layoff.onto", "nobody-shows")
    if game.has("layoff") and game.get("layoff.counted") and game.get("layoff.onto") != "closer":
        yield complaint("layoff.counted", "counted-shown")
    doubles = game.get("hand.spades-twice")
    if doubles and not (game.knocks_by_upcard and game.settlement == "knock"):
        yield complaint("hand.spades-twice", "spades-upcard")
    if game.settlement == "knock":
        yield from _against_knock(game)


def _against_knock(game: Description) -> Iterator[Complaint]:
    if game.way != "hand" or game.players != range(2, 3):
        yield complaint("score.settle", "knock-two")
    if game.get("score.out"):
        yield complaint("score.out", "knock-bonus")
    if game.big_gin and game.big_gin < game.settled_by["gin"]:
        gin = game.settled_by["gin"]
        yield complaint("score.settle", "big-gin-less", big=game.big_gin, gin=gin)


def _against_end(game: Description) -> Iterator[Complaint]:
    ends = [path for path in ENDS if game.get(path) is not None and game.get(path) is not False]
    leads = game.get("end.leads")
    alone = game.way == "contract" and game.get("contract.pace") == "alone"
    if len(ends) > 1:
        yield complaint("end", "one-end", ends=tuple(ends))
    if not ends and not game.steps:
        yield complaint("end", "no-end")
    if alone and ends:
        yield complaint("end", "own-pace-end")
    yield from _against_leads(game)
    rounds, out_at = game.get("end.rounds"), game.get("end.eliminated")
    if rounds is not None and rounds < len(game.steps):
        yield complaint("end.rounds", "few-rounds", rounds=len(game.steps))
    if game.get("end.tie") == "decider" and not game.contracts:
        yield complaint("end.tie", "no-decider")
    if out_at is not None and (out_at > 0) != (leads == "lowest"):
        yield complaint("end.eliminated", "out-sign")


def _against_leads(game: Description) -> Iterator[Complaint]:
    """Yield complaints if the game doesn’t count what its standings go by."""
    pace, leads = game.get("contract.pace"), game.get("end.leads")
    if pace == "alone" and leads not in {"furthest", "lowest"}:
        yield complaint("end.leads", "own-pace-leads")
    elif leads == "furthest" and pace == "together":
        yield complaint("end.leads", "nobody-further")
    against = game.settlement in AGAINST
    if against and leads in {"highest", "wins"}:
        yield complaint("end.leads", "points-against")
    if not against and leads in {"lowest", "furthest"}:
        yield complaint("end.leads", "points-for")


def _against_table(game: Description) -> Iterator[Complaint]:
    jokers = game.most_jokers if "wild" in game.spec else 0
    if (
        "rearrange" in game.spec
        and jokers > _MOST_FOLLOWED
        and game.get("rearrange.retrieval") != "free"
    ):
        yield complaint("rearrange.retrieval", "many-wilds")
    if "buy" in game.spec and game.no_discard_pile:
        yield complaint("buy", "no-pile")
    if "claim" in game.spec and game.way == "contract":
        yield complaint("claim", "no-claims")


def against_examples(game: Description) -> Iterator[Complaint]:
    """Yield complaints about the examples, which are plays in the game without house rules."""
    for number, example in enumerate(game.spec.get("examples", ()), 1):
        where = f"examples, line {number}"
        yield from (Complaint(where, told) for told in _against_example(game, example))


def _against_example(game: Description, example: Mapping[str, Any]) -> Iterator[Told]:
    if ("code" in example) == example.get("legal", False):
        yield wrong("example-verdict")
    elif "code" in example and example["code"] not in _CODES:
        yield wrong("no-code", word=example["code"][:40], near=near(example["code"], _CODES))
    shape = next((fields for first, fields in _PLAYS if first in example), ())
    if not shape or not set(shape) <= set(example):
        yield wrong("no-play", *([] if shape else ["none"]), fields=", ".join(shape))
    step = example.get("step")
    if step is not None and step > len(game.steps):
        yield wrong("no-round", number=step)
    for name in _ROWS:
        row = example.get(name, "")
        words = (row if isinstance(row, str) else " ".join(row)).split()
        if name in _ONE_CARD and row and len(words) != 1:
            yield wrong("single-card", pack=game.pack.kind.name, name=name)
        for word in words:
            bare = game.get("pack.ignore-suits") and word in game.pack.ranks
            if not bare and not game.pack.reads(word):
                yield wrong("no-card", pack=game.pack.kind.name, word=word)
                break
    if "pile" in example and example.get("take") not in example["pile"].split():
        yield wrong("not-in-pile", pack=game.pack.kind.name)
