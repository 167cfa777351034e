"""Games of a table's own, as descriptions that a test changes."""

from tests.described import BARE

HAND = {**BARE, "hand": {}, "out": {"discard": "must"}}


COSTS = {"A-10": "face", "J-K": 10}


JOKERS = {
    "pack": {"copies": 2, "jokers": 4},
    "wild": {"cards": ["JK"]},
    "score": {"hand": COSTS, "wild": 20},
}


PLAIN = {"pack": {"copies": 2}, "score": {"hand": COSTS}}


def with_jokers(**limits):
    return {**JOKERS, "wild": {"cards": ["JK"], **limits}}


def ignoring_suits(**run):
    return {**PLAIN, "pack": {"copies": 2, "ignore-suits": True}, "run": run}


GAMES = {
    "one joker a meld": with_jokers(most=1),
    "no jokers side by side": with_jokers(adjacent=False),
    "jokers in runs only": with_jokers(**{"in": ["run"]}),
    "two naturals, and a 2 may be one": with_jokers(cards=["JK", "2"], naturals=2),
    "sets of four at the most": {**JOKERS, "set": {"max": 4, "suits": "different"}},
    "no more jokers than naturals": with_jokers(outnumber=False),
    "one joker in a set, two in a run": with_jokers(set={"most": 1}, run={"most": 2}),
    "two naturals in a set, one in a run": with_jokers(set={"naturals": 2}),
    "jokers side by side in sets only": with_jokers(run={"adjacent": False}),
    "more jokers than naturals in runs only": with_jokers(set={"outnumber": False}),
    "runs of any suits": {**JOKERS, "run": {"one-suit": False}},
    "runs of any suits, sets of different ones": {
        **JOKERS,
        "run": {"one-suit": False},
        "set": {"suits": "different"},
    },
    "runs of any suits, round the corner": {**PLAIN, "run": {"one-suit": False, "around": True}},
    "runs of four at the most": {**JOKERS, "run": {"max": 4}},
    "runs of four at the most, suits ignored": ignoring_suits(max=4),
    "jokers never natural, alone a set": with_jokers(
        cards=["JK", "3"], natural="never", alone=True
    ),
    "no natural needed, three jokers at the most": with_jokers(naturals=0, most=3),
    "most cards may be wild": with_jokers(
        cards=["JK", "2", "4", "6", "red 8"], naturals=2, most=3, adjacent=False
    ),
    "a joker costs more than a wild 5": {
        **with_jokers(cards=["JK", "5"], most=2),
        "score": {"hand": {**COSTS, "JK": 50}, "wild": 25},
    },
    "suits ignored": ignoring_suits(),
    "suits ignored, round the corner": ignoring_suits(around=True),
    "kings cost nothing": {**PLAIN, "score": {"hand": {"A-10": "face", "J-Q": 10, "K": 0}}},
    "jokers that are not wild": {
        "pack": {"copies": 2, "jokers": 4},
        "score": {"hand": {**COSTS, "JK": 20}},
    },
}


RULES = {
    **BARE,
    "pack": {"copies": 2},
    "deal": {"cards": 10},
    "set": {"suits": "different"},
    "run": {"one-suit": False},
    "free": {},
    "layoff": {},
    "score": {"hand": {"A-K": 5}},
}
