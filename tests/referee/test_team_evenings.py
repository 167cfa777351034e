"""Whole evenings of the games of teams, against a second scorer that is written from their rules.

It knows no description: values, bonuses and ends stand here as the rules have them. An evening is
asked as a program would ask it, with what a team has written with any of its players.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from referee.protocol import answer_line

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn")
CANASTA_CARDS = (
    {"2": 20, "A": 20, "JK": 50} | dict.fromkeys("89XJQK", 10) | dict.fromkeys("34567", 5)
)
BURRACO_CARDS = CANASTA_CARDS | {"A": 15, "JK": 30}


@dataclass(frozen=True)
class Rules:
    """What the rules of a game say of scoring."""

    cards: Mapping[str, int]
    bonuses: Mapping[str, int]
    out: int = 100
    at_once: int = 100
    red_three: int = 0
    """In hand; 0 where it is a card like any other."""
    all_red: int | None = None
    red_needs: int | None = None
    """How many melds with a bonus make red threes count for a team; None for any meld at all."""
    red_minus: bool = True
    untaken: int = 0
    target: int | None = None
    rounds: int | None = None
    minimum: Mapping[int, int] = field(default_factory=dict)
    """What the first melds total, by total; by round where there are so many rounds."""
    packs: Mapping[int, int] = field(default_factory=dict)


RULES = {
    "canasta": Rules(
        CANASTA_CARDS,
        {"natural": 500, "mixed": 300},
        at_once=200,
        red_three=500,
        all_red=800,
        target=5000,
        minimum={-99999: 15, 0: 50, 1500: 90, 3000: 120},
        packs={2: 2, 3: 2, 4: 2, 5: 3, 6: 3},
    ),
    "samba": Rules(
        CANASTA_CARDS,
        {"samba": 1500, "natural": 500, "mixed": 300},
        out=200,
        at_once=200,
        red_three=500,
        all_red=1000,
        red_needs=2,
        target=10_000,
        minimum={-99999: 15, 0: 50, 1500: 90, 3000: 120, 7000: 150},
        packs=dict.fromkeys(range(2, 7), 3),
    ),
    "hand-and-foot": Rules(
        CANASTA_CARDS,
        {"clean": 500, "dirty": 300},
        red_three=100,
        red_minus=False,
        rounds=4,
        minimum={1: 50, 2: 90, 3: 120, 4: 150},
        packs={2: 3, 3: 4, 4: 5, 5: 6, 6: 7},
    ),
    "burraco": Rules(
        BURRACO_CARDS,
        {"clean": 200, "semi": 150, "dirty": 100},
        untaken=100,
        target=2005,
        packs=dict.fromkeys(range(2, 5), 2),
    ),
}
SIZES = {2: 1, 3: 1, 4: 2, 5: 1, 6: 3}


def cost(rules: Rules, hand: object) -> int:
    """What is left in a hand."""
    if isinstance(hand, int):
        return hand
    return sum(
        rules.red_three
        if card in {"3H", "3D"} and rules.red_three
        else rules.cards[card.rstrip("SHDC")]
        for card in str(hand).replace("10", "X").split()
    )


def meld_points(rules: Rules, meld: str) -> int:
    return sum(rules.cards[card.rstrip("SHDC")] for card in meld.replace("10", "X").split())


def score_of(rules: Rules, team: list[dict[str, Any]], red_threes: int) -> int:
    """What a team scores in a round."""
    melds, points, red, down = 0, 0, 0, False
    for record in team:
        down = down or record.get("out", False)
        if isinstance(record.get("table"), list):
            for meld in record["table"]:
                points += meld_points(rules, meld)
                wilds = sum(card == "JK" or card[0] == "2" for card in meld.split())
                if len(meld.split()) >= 7:
                    melds += 1
                    clean = "natural" if "natural" in rules.bonuses else "clean"
                    points += [*rules.bonuses.values()][-1] if wilds else rules.bonuses[clean]
        else:
            points += record.get("table", 0)
            for name, number in record.get("bonus", {}).items():
                melds += number
                points += number * rules.bonuses[name]
        down = down or bool(record.get("table")) or melds > 0
        aside = record.get("aside", 0)
        red += aside if isinstance(aside, int) else len(aside.split())
        if record.get("out"):
            points += rules.at_once if record.get("close") == "outright" else rules.out
        else:
            points -= cost(rules, record["left"])
    earned = down if rules.red_needs is None else melds >= rules.red_needs
    reds = rules.all_red if rules.all_red and red == red_threes else 100 * red
    points += reds if earned or not rules.red_minus else -reds
    taken = all(record.get("reserve", True) for record in team)
    return points - (0 if taken else rules.untaken)


def an_evening(slug: str, random: Random, players: int, size: int) -> Iterator[dict[str, Any]]:
    """Rounds as tables write them down, each player with a record."""
    rules, names, teams = RULES[slug], NAMES[:players], teams_of(players, size)
    while True:
        out = random.choice([None, *range(players), *range(players)])
        records: list[dict[str, Any]] = [{"left": 5 * random.randint(2, 20)} for _ in names]
        records[random.randrange(players)]["left"] = hand_of(random)
        if out is not None:
            records[out] = {"out": True}
            if rules.at_once != rules.out and random.random() < 0.3:
                records[out]["close"] = "outright"
        named = random.choice([None, *teams])
        for team in teams:
            own = [records[seat] for seat in team]
            write_melds(slug, random, own, names_cards=team is named)
            if rules.untaken and out not in team and random.random() < 0.2:
                records[random.choice(team)]["reserve"] = False
        if rules.red_three:
            lay_open(random, records, 2 * rules.packs[players])
        yield dict(zip(names, records, strict=True))


def write_melds(
    slug: str, random: Random, team: list[dict[str, Any]], *, names_cards: bool
) -> None:
    """Write down a team's melds with some of its players: their points, or the cards."""
    out = any(record.get("out") for record in team)
    melds = {name: random.choice([0, 0, 1, 2]) + out for name in RULES[slug].bonuses}
    one, other = random.sample(team, 2) if len(team) > 1 else team * 2
    if names_cards and (one is not other or not out):
        one["table"] = [*meld_cards(random, slug)]
    if "table" not in other and (any(melds.values()) or random.random() < 0.6):
        other["table"] = 5 * random.randint(20, 90) + 70 * sum(melds.values())
        other["bonus"] = {name: number for name, number in melds.items() if number}


def lay_open(random: Random, records: list[dict[str, Any]], reds: int) -> None:
    """Let players have laid red threes open, at times one of them all that there are."""
    luckiest = random.choice(records)
    for _ in range(reds if random.random() < 0.9 else 0):
        player = random.choice([luckiest, luckiest, *records])
        player["aside"] = player.get("aside", 0) + 1
    if random.random() < 0.3:
        number = luckiest.get("aside", 0)
        luckiest["aside"] = " ".join(["3H", "3D"][n % 2] for n in range(number))


def teams_of(players: int, size: int) -> list[list[int]]:
    """The seats of each team: every so many."""
    return [[*range(first, players, players // size)] for first in range(players // size)]


def hand_of(random: Random) -> str:
    return " ".join(random.sample(["5S", "10H", "KD", "AC", "2S", "JK", "8D", "3S", "3C", "JH"], 4))


def meld_cards(random: Random, slug: str) -> Iterator[str]:
    """Sets of different ranks, long and short, with and without wilds."""
    ways: list[list[str]] = [[], [], ["JK"], ["2S", "2H"]]
    random.shuffle(ways)
    for rank in random.sample(["4", "7", "9", "10", "Q", "A"], random.randint(2, 4)):
        wilds = [] if slug == "burraco" else ways.pop()
        number = random.randint(3, 7 - len(wilds))
        yield " ".join([*(rank + "SHDC"[n % 4] for n in range(number)), *wilds])


def keep(
    rules: Rules, teams: list[list[int]], rounds: list[dict[str, Any]]
) -> tuple[list[list[int]], list[int]]:
    """The points of each round by team, and the winners among the teams."""
    players = sum(map(len, teams))
    totals, played, winners = [0] * len(teams), [], []
    for number, line in enumerate(rounds, 1):
        records = [*line.values()]
        points = [
            score_of(rules, [records[seat] for seat in team], 2 * rules.packs[players])
            for team in teams
        ]
        totals = [total + more for total, more in zip(totals, points, strict=True)]
        played.append(points)
        best = max(totals)
        if number == rules.rounds or (rules.target and best >= rules.target):
            winners = [team for team, total in enumerate(totals) if total == best]
            break
    return played, winners


@pytest.mark.parametrize(
    ("slug", "players", "size"),
    [
        *[("canasta", players, SIZES[players]) for players in SIZES],
        *[("samba", players, SIZES[players]) for players in (2, 4, 6)],
        *[("hand-and-foot", players, SIZES[players]) for players in SIZES],
        *[("burraco", players, SIZES[players]) for players in (2, 3, 4)],
        ("canasta", 6, 2),
        ("hand-and-foot", 6, 2),
    ],
)
@pytest.mark.parametrize("seed", range(5))
def test_an_evening_totals_what_its_rules_say(slug, players, size, seed):
    rules, names = RULES[slug], NAMES[:players]
    teams = teams_of(players, size)
    evening = an_evening(slug, Random(f"{slug} {players} {size} {seed}"), players, size)
    rounds: list[dict[str, Any]] = []
    winners: list[int] = []
    while not winners:
        rounds.append(next(evening))
        points, winners = keep(rules, teams, rounds)
    options = {} if size == SIZES[players] else {"/teams.size": SIZES | {players: size}}
    options = {path: {str(at): n for at, n in sizes.items()} for path, sizes in options.items()}

    for number in range(1, len(rounds) + 1):
        question = {"id": 1, "variant": slug, "ask": "game", "players": names, "options": options}
        answer = answer_line(json.dumps(question | {"rounds": rounds[:number]}))
        assert "error" not in answer, answer
        by_team = [
            [sum(line[team] for line in points[:number])] * len(teams[team])
            for team in range(len(teams))
        ]
        totals = {names[seat]: by_team[seat % len(teams)][0] for seat in range(players)}
        assert answer["totals"] == totals
        assert answer["rounds"][-1] == {
            names[seat]: points[number - 1][seat % len(teams)] for seat in range(players)
        }
        assert answer["over"] == (number == len(rounds))
        assert answer.get("teams") == (
            [[names[seat] for seat in team] for team in teams] if size > 1 else None
        )
        if not answer["over"] and rules.minimum:
            asked = {
                name: rules.minimum[number + 1]
                if rules.rounds
                else [points for least, points in rules.minimum.items() if total >= least][-1]
                for name, total in totals.items()
            }
            assert answer["next"]["opening"] == asked
        certain = {each["code"] for each in answer["problems"]}
        assert not certain - {"points-too-many", "too-many-copies", "meld-not-legal"}
    assert answer["winners"] == [
        names[seat] for seat in range(players) if seat % len(teams) in winners
    ]
