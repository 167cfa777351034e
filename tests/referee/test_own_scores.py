"""Every field of a description that has to do with points is counted, or the game is rejected.

Random descriptions are played on random pads, and each total is compared with what a second scorer
makes of it. That one reads the description itself, by the sentences that the rulebook has for its
fields, and knows nothing of the referee.
"""

from collections import Counter
from random import Random

import pytest

from referee.describing import build
from referee.describing.complaints import Refused
from referee.describing.schema import FIELDS
from referee.scorepad import HandRecord, keep_score
from tests.described import BARE
from tests.examples import examples

SELDOM = 0.25
RANKS = ["A", *map(str, range(2, 11)), "J", "Q", "K"]
SETTLED = (
    *("own-hand", "table-less-hand", "to-out", "to-lowest", "fixed", "penalty", "drop", "knock"),
    "winner-scores",
)
NOT_POINTS = {"score.table", "score.in-run", "score.wilds", "score.low-ace", "score.wilds-alone"}
"""What melds score: the referee of melds is compared with a second reader, and with cases."""


class Naive:
    """A description, and what is scored by it; it remembers which fields were looked at."""

    def __init__(self, spec):
        """Keep the description."""
        self.spec, self.seen = spec, set()

    def get(self, path, default=None):
        """A field as it is written, or as it is by default."""
        self.seen.add(path)
        section, _, name = path.partition(".")
        return self.spec.get(section, {}).get(name, default)

    @property
    def settle(self):
        """The way to settle, with its numbers."""
        said = self.get("score.settle", "own-hand")
        return (said, {}) if isinstance(said, str) else next(iter(said.items()))

    def costs(self, rank, *, wild):
        """What one card left in hand costs."""
        price = self.get("score.hand")
        if wild and rank != "JK" and self.get("score.wild") is not None:
            return self.get("score.wild")
        if rank == "JK" and "JK" not in price:
            return self.get("score.wild")
        low, high = next(
            (words[0], words[-1])
            for words in (word.split("-") for word in price)
            if rank in words or (len(words) > 1 and _between(rank, *words))
        )
        points = price[low if low == high else f"{low}-{high}"]
        return int(rank) if points == "face" else points

    def left(self, record, step):
        """What a hand counts, as it was written down."""
        if isinstance(record["left"], int):
            return record["left"]
        wild = "wild" in self.spec and self.wild_in(step)
        ranks = self.get("wild.cards", [])
        points = sum(self.costs(rank, wild=wild and rank in ranks) for rank in record["left"])
        cap = self.get("score.cap")
        return points if cap is None else min(points, cap)

    def counted(self, record, step):
        """What a hand counts, more often if its player opened with pairs."""
        often, fixed = self.get("score.pairs", 1), self.get("score.fixed", {}).values()
        points = self.left(record, step)
        is_fixed = isinstance(record["left"], int) and points in {one["points"] for one in fixed}
        return points * often if record["pairs"] and not is_fixed else points

    def sides(self, seats):
        """Who plays together."""
        size = self.get("teams.size", 1)
        return [range(side, seats, seats // size) for side in range(seats // size)]

    def together(self, records, step, *, keeps):
        """The hands of a side as one: who is out, what is left, and how much of it with others."""
        count = lambda one: 0 if one["out"] and not keeps else self.counted(one, step)  # noqa: E731
        first = next((each for each in records if each["out"]), records[0])
        others = [each for each in records if each is not first]
        if first["out"] and self.get("score.partners", "count") == "spared":
            others = []
        own, more = count(first), sum(map(count, others))
        rest = {name: sum(each[name] for each in records) for name in ("table", "penalties")}
        return first | rest | {"left": own + more, "own": own}

    def wild_in(self, step):
        """Whether anything is wild in a round."""
        if self.get("wild.when", "always") == "always":
            return True
        return "run" in self.spec["steps"][step - 1]

    def round(self, records, step):
        """The points of one round, and who won it."""
        way, given = self.settle
        keeps = way == "drop" or self.get("hand.knock", 0) != 0
        records = [self.together(side, step, keeps=keeps) for side in records]
        ways = self.get("score.ways", {})
        out = next((seat for seat, each in enumerate(records) if each["out"]), None)
        shown = self.get("hand.special", {}).get(records[out]["close"]) if out is not None else None
        often = 1
        if out is not None and records[out]["close"] == "outright":
            often = given.get("outright", 2) if way == "drop" else self.get("score.at-once", 1)
        if out is not None and records[out]["close"] in ways:
            often = ways[records[out]["close"]]["times"]
        left = [each["left"] for each in records]
        match way:
            case "own-hand":
                points = [each if seat == out else each * often for seat, each in enumerate(left)]
                won = out
            case "table-less-hand":
                points = [each["table"] - cost for each, cost in zip(records, left, strict=True)]
                won = out
            case "to-lowest":
                points, won = _to_lowest(left, out)
            case "drop":
                points, won = _dropped(left, out, given, often)
            case "knock":
                points, won = _knocked(left, out, given)
            case _:
                each = given.get("each", 1 if way == "fixed" else 2)
                points, won = _paid(way, [cost * often for cost in left], out, each), out
        if out is not None and not records[out]["own"]:
            bonus, at_once = self.get("score.out", 0), self.get("score.out-at-once")
            if records[out]["close"] == "outright":
                # Where the table scores, nobody's hand counts twice: what going out scores does.
                doubled = bonus * often if way == "table-less-hand" else bonus
                bonus = doubled if at_once is None else at_once
            points[out] += (shown or {}).get("scores", bonus) * (often if ways else 1)
        each = self.get("score.penalty", 0)
        each = each if self.get("end.leads", "lowest") in {"lowest", "furthest"} else -each
        points = [one + each * hand["penalties"] for one, hand in zip(points, records, strict=True)]
        return points, won, bool(shown and shown.get("wins"))

    def game(self, rounds):
        """The totals with what the end adds, and the winners; nobody while the game goes on."""
        sides = self.sides(len(rounds[0]))
        rounds = [[[records[seat] for seat in side] for side in sides] for records in rounds]
        totals = [0] * len(sides)
        won, winners = Counter(), set()
        for number, records in enumerate(rounds, 1):
            there = [seat for seat, total in enumerate(totals) if not self.lost(total)]
            step = min(number, len(self.spec.get("steps", "-")))
            points, winner, wins = self.round([records[seat] for seat in there], step)
            for seat, more in zip(there, points, strict=True):
                totals[seat] += more
            won.update([] if winner is None else [there[winner]])
            outs = {seat for seat in there if any(each["out"] for each in records[seat])}
            winners = outs if wins else self.won(totals, won, number, outs)
            if winners:
                break
        bonus = self.get("end.bonus", {}) if winners else {}
        alone = all(not won[seat] for seat in range(len(totals)) if seat not in winners)
        for seat in range(len(totals)) if bonus else ():
            more = bonus.get("round", 0) * won[seat]
            if seat in winners:
                times = bonus.get("shutout", 1) - 1 if alone else 0
                more += bonus.get("game", 0) + times * max(totals[seat], 0)
            totals[seat] += more
        of = {seat: side for side, seats in enumerate(sides) for seat in seats}
        by_seat = [totals[of[seat]] for seat in sorted(of)]
        return by_seat, {seat for seat in of if of[seat] in winners}

    def lost(self, total):
        """Whether a player with such a total is out of the game."""
        limit = self.get("end.eliminated")
        return limit is not None and (total >= limit if limit > 0 else total <= limit)

    def won(self, totals, won, number, outs):
        """Who has won after so many rounds."""
        lead = self.get("end.leads", "lowest")
        behind = {
            seat: {"lowest": total, "highest": -total, "wins": (-won[seat], -total)}[lead]
            for seat, total in enumerate(totals)
        }
        best = {seat for seat in behind if behind[seat] == min(behind.values())}
        target, limit = self.get("end.total"), self.get("end.eliminated")
        if self.get("end.open", False):
            return set()
        if target is not None:
            there = {seat for seat, total in enumerate(totals) if total >= target}
            if self.get("end.several", "best") == "out" and there & outs:
                return there & outs
            return best if there else set()
        if limit is not None:
            stay = {seat for seat, total in enumerate(totals) if not self.lost(total)}
            return stay if len(stay) == 1 else set() if stay else best
        last = self.get("end.rounds")
        last = len(self.spec.get("steps", ())) if last is None else last
        return best if number >= last else set()


def _paid(way, left, out, each):
    points = [0] * len(left)
    for seat in range(len(left)) if out is not None else ():
        if seat != out:
            paid = left[seat] if way in {"to-out", "winner-scores"} else each
            loses = {"penalty": paid, "winner-scores": 0}.get(way, -paid)
            points[seat] += loses
            points[out] += 0 if way == "penalty" else paid
    return points


def _knocked(left, out, given):
    if out is None:
        return [0, 0], None
    own, other = left[out], left[1 - out]
    if own and other <= own:
        return _at(1 - out, own - other + given.get("undercut", 25)), 1 - out
    return _at(out, other - own + (0 if own else given.get("gin", 25))), out


def _at(seat, points):
    return [points if each == seat else 0 for each in range(2)]


def _between(rank, low, high):
    return RANKS.index(low) <= RANKS.index(rank) <= RANKS.index(high) if rank in RANKS else False


def _to_lowest(left, out):
    lowest = [out] if out is not None else [at for at, n in enumerate(left) if n == min(left)]
    least = left[lowest[0]]
    pays = [0 if seat in lowest else each - least for seat, each in enumerate(left)]
    if len(lowest) > 1:
        pays = [each - each % len(lowest) if sum(pays) % len(lowest) else each for each in pays]
    gets = sum(pays) // len(lowest)
    points = [gets if seat in lowest else -each for seat, each in enumerate(pays)]
    return points, lowest[0] if len(lowest) == 1 else None


def _dropped(left, out, given, often):
    each, caught = given.get("each", 1), given.get("caught", 2)
    seats = range(len(left))
    if out is not None:
        by = [at for at in seats if at != out and left[out] and left[at] <= left[out]]
        if by and given.get("lowest"):
            by = [at for at in by if left[at] == min(left[other] for other in by)]
            caught *= len(left) - 1
        if by:
            points = [caught if at in by else 0 for at in seats]
            points[out] = -caught * len(by)
            return points, by[0] if len(by) == 1 else None
        winners, each = [out], each * often
    else:
        winners = [at for at in seats if left[at] == min(left)]
    losers = len(left) - len(winners)
    points = [each * losers if at in winners else -each * len(winners) for at in seats]
    return points, winners[0] if len(winners) == 1 else None


def description(chance):
    """A game of somebody's own, at random: most of such are no game, or make no sense."""
    way = chance.choice(["contract", "free", "free", "hand"])
    settle = chance.choice(SETTLED)
    seldom = lambda *values: chance.choice(values) if chance.random() < SELDOM else None  # noqa: E731
    score = {
        "hand": {"A": chance.choice([1, 11, 15]), "2-9": chance.choice(["face", 5]), "10-K": 10},
        "settle": settle if settle == "table-less-hand" else {settle: _numbers(settle, chance)},
        "out": seldom(-25, -10, 10, 25),
        "cap": seldom(30, 80),
        "at-once": seldom(2, 3),
        "out-at-once": seldom(-10, 0, 30),
        "fixed": seldom({"drop": {"points": chance.choice([20, -50]), "title": "Dropped"}}),
        "ways": seldom({"wild": {"times": chance.choice([2, 3]), "title": "With a wild"}}),
        "pairs": seldom(2, 3),
        "penalty": seldom(20),
    }
    if settle == "table-less-hand":
        score["table"] = {"A-K": 10, "JK": 20}
    spec = {
        "schema": 1,
        "slug": "own",
        "players": [2, chance.choice([2, 4])],
        "pack": {"copies": 2, "jokers": chance.choice([0, 0, 4])},
        "deal": {"cards": 7},
        "set": {},
        "run": {},
        way: {},
        "end": {
            chance.choice(["rounds", "total", "eliminated", "open"]): chance.choice([3, 60, -60]),
            "leads": chance.choice(["lowest", "highest", "wins"]),
            "several": seldom("out"),
            "bonus": seldom({"game": 100, "round": 20, "shutout": 2}, {"game": 50}),
        },
    }
    if "open" in spec["end"]:
        spec["end"]["open"] = True
    if score["pairs"]:
        spec["opening"] = {"points": 30, "pairs": 4}
    if chance.random() < SELDOM:
        spec |= {"players": [4, 4], "teams": {"size": 2, "melds": "own"}}
        score["partners"] = seldom("spared")
    _with_wilds(spec, score, chance)
    if way == "contract":
        spec["steps"] = ["2 sets of 3", "1 set of 3 + 1 run of 4"]
        spec["end"] = {} if chance.random() < 0.5 else spec["end"]
    if way == "hand":
        special = {
            "seven": {
                "is": "one-run",
                "times": 1,
                "title": "Seven",
                **_SCORES[chance.random() < 0.5],
            }
        }
        spec["hand"] = {"knock": chance.choice([0, 10]), "special": seldom(special)}
    for section in ("end", "hand"):
        if section in spec:
            spec[section] = {k: v for k, v in spec[section].items() if v is not None}
    spec["score"] = {name: value for name, value in score.items() if value is not None}
    return spec


_SCORES = ({"scores": -50}, {"scores": -5, "wins": True})


def _with_wilds(spec, score, chance):
    wild = ["JK"] if spec["pack"]["jokers"] else []
    wild += chance.choice([[], ["2"]])
    if not wild:
        return
    when = "always" if "contract" not in spec else chance.choice(["always", "run-in-contract"])
    spec["wild"] = {"cards": wild, "when": when}
    score["wild"] = chance.choice([None, 20, 50])
    if "JK" in wild and (score["wild"] is None or chance.random() < SELDOM):
        score["hand"]["JK"] = 30


def _numbers(settle, chance):
    if settle in {"fixed", "penalty"}:
        return {"each": chance.choice([1, 3])}
    if settle == "drop":
        return {"each": 2, "outright": chance.choice([2, 3]), "caught": 3} | chance.choice(
            [{}, {"lowest": 1}]
        )
    return {"gin": 20, "undercut": 10} if settle == "knock" else {}


def pad(spec, chance):
    """Rounds at random, as somebody might write them down."""
    seats = chance.randint(*spec["players"])
    fixed = [one["points"] for one in spec["score"].get("fixed", {}).values()]
    ranks = [*RANKS, *["JK"] * bool(spec["pack"]["jokers"])]
    named = "hand" not in spec
    rounds = []
    for _ in range(chance.randint(1, min(3, len(spec.get("steps", "..."))))):
        out = chance.choice([None, *range(seats)])
        records = []
        for seat in range(seats):
            close = None
            if seat == out:
                special = spec.get("hand", {}).get("special", {})
                ways = spec["score"].get("ways", {})
                close = chance.choice(["outright", None, *special, *ways])
            left = chance.choice([*fixed, chance.randint(0, 60)])
            if named and left not in fixed and chance.random() < 0.5:
                left = chance.choices(ranks, k=chance.randint(0, 7))
            if seat == out and (close == "seven" or chance.random() < 0.7):
                left = 0
            record = {"out": seat == out, "left": left, "close": close}
            record |= {"pairs": chance.random() < SELDOM, "penalties": chance.choice([0, 0, 1, 2])}
            records.append(record | {"table": chance.randint(0, 9) * 10})
        rounds.append(records)
    return rounds


def records_of(game, spec, rounds):
    """The same rounds as the referee's scorepad takes them."""
    suits = "SHDC"

    def cards(ranks):
        words = [r if r == "JK" else r + suits[at % 4] for at, r in enumerate(ranks)]
        return game.pack.parse(" ".join(words))

    table = "table" in spec["score"]
    return [
        [
            HandRecord(
                out=each["out"],
                left=each["left"] if isinstance(each["left"], int) else cards(each["left"]),
                close=each["close"],
                table=each["table"] if table else None,
                pairs=each["pairs"],
                penalties=each["penalties"],
            )
            for each in records
        ]
        for records in rounds
    ]


def played(count, seed, naive=Naive):
    """Random games that make sense, each on a pad: what the referee and the second scorer say."""
    chance, made = Random(seed), 0
    for _ in range(count):
        spec = description(chance)
        try:
            game = build(spec)
        except Refused:
            continue
        made += 1
        rounds = _until_over(spec, pad(spec, chance))
        score = keep_score(game, len(rounds[0]), records_of(game, spec, rounds), 0)
        second = naive(spec)
        yield spec, rounds, (list(score.results), set(score.winners)), second.game(rounds), second
    assert made > count // 20, "too few of these descriptions are games"


def _until_over(spec, rounds):
    last = next((n for n in range(1, len(rounds)) if Naive(spec).game(rounds[:n])[1]), len(rounds))
    return rounds[:last]


def test_every_total_is_what_a_second_scorer_makes_of_it():
    for spec, rounds, referee, second, _ in played(examples(1500), "totals"):
        assert referee == second, (spec, rounds)


@pytest.mark.slow
@pytest.mark.release
def test_every_field_that_has_to_do_with_points_is_counted():
    seen = set().union(*(naive.seen for *_, naive in played(2000, "fields")))
    fields = {field.path for field in FIELDS if field.section in {"score", "end"}} - NOT_POINTS

    assert fields - seen <= {"score.fixed", "end.tie"}


class _WithoutBonus(Naive):
    def get(self, path, default=None):
        """A field as it is written, but for what a player gets for going out."""
        return 0 if path == "score.out" else super().get(path, default)


def test_a_bonus_in_the_rules_that_is_not_counted_is_found():
    """The twin: in five of six ways to settle a round, going out once got nothing."""
    found = played(1500, "twin", _WithoutBonus)

    assert any(referee != second for _, _, referee, second, _ in found)


@pytest.mark.parametrize(
    ("section", "fields", "path"),
    [
        ("end", {"total": 100, "leads": "highest"}, "end.leads"),
        (
            "score",
            {"settle": "penalty", "fixed": {"d": {"points": 5, "title": "D"}}},
            "score.fixed",
        ),
        ("score", {"fixed": {"d": {"points": -50, "title": "D"}}}, "score.fixed.d"),
    ],
)
def test_what_would_not_be_counted_is_rejected(section, fields, path):
    spec = {**BARE, "free": {}, "score": {"hand": {"A-K": 5}}}

    build(spec)
    with pytest.raises(Refused) as refused:
        build(spec | {section: spec[section] | fields})
    assert path in {complaint.path for complaint in refused.value.complaints}
