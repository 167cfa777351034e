"""What is said of a play is true, helps, and stands under the clause that says it."""

import json

import pytest

from referee import variants
from referee.describing import build
from referee.protocol import answer_line
from tests import described


def ask(variant, ask, **fields):
    """Give the answer to a question."""
    return answer_line(json.dumps({"id": 1, "variant": variant, "ask": ask, **fields}))


def said(answer, code):
    """Give the finding of a code."""
    (finding,) = (one for one in answer["findings"] if one["code"] == code)
    return finding


def codes(answer):
    """Give the codes of what was found, in order."""
    return [finding["code"] for finding in answer["findings"]]


NUMBERS = {"three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack"}
CLOSED = "7S 7H 7D 8S 9S 10S KH KD KC"


@pytest.mark.parametrize(("last", "clause", "times"), [("KS", "multipliers", 2), ("JK", "pay", 1)])
def test_the_others_pay_only_what_they_cannot_meld(last, clause, times):
    answer = ask("remigio", "close", cards=f"{CLOSED} {last}")

    paid = said(answer, "paid-so-many-times")
    assert answer["multiplier"] == times
    assert paid["clause"] == clause
    assert "hold" not in paid["says"]


@pytest.mark.parametrize(("last", "word"), [("KS", "twice"), ("JK", "pay what")])
def test_paying_once_is_not_called_paying_one_time(last, word):
    assert (
        word
        in said(ask("remigio", "close", cards=f"{CLOSED} {last}"), "paid-so-many-times")["says"]
    )


def test_a_hand_that_is_several_things_is_told_once_how_often_it_pays():
    answer = ask("remigio", "close", cards="AS 2S 3S 4S 5S 6S 7S 8S 9S 10S")

    assert not any(letter.isdigit() for letter in said(answer, "highest-counts")["says"])


def test_two_of_a_rank_with_black_twos_were_meant_as_a_set():
    answer = ask("mexican-rummy", "meld", step=2, cards="7S 7H 2S 2C")

    assert codes(answer) == ["wild-in-set"]
    assert answer["findings"][0]["cards"] == "2S 2C"


@pytest.mark.parametrize(
    ("variant", "options", "cards"),
    [
        ("remigio", {"min-naturals": 2}, "7S JK JK"),
        ("rummy-500", {"first-lay-naturals": "each-meld"}, "2S 2C JK"),
        ("rummikub", {"jokers-per-set": 1}, "R7 JK JK"),
    ],
)
def test_what_could_be_a_set_or_a_run_is_not_told_of_one_of_them(variant, options, cards):
    (finding,) = ask(variant, "meld", options=options, cards=cards)["findings"]

    assert finding["code"] in {"too-few-naturals", "too-many-wilds"}
    assert "run" not in finding["says"]


def test_where_wilds_are_only_in_runs_a_run_is_spoken_of():
    answer = ask("mexican-rummy", "meld", options={"min-naturals": 2}, cards="7S 2S 2C 2C")

    assert "run" in said(answer, "too-few-naturals")["says"]


@pytest.mark.parametrize("ask_for", ["laydown", "rearrange"])
@pytest.mark.parametrize(
    ("tiles", "points", "order"),
    [("K12 K13 JK", 30, "JK K12 K13"), ("K4 JK JK K5", 22, "K4 K5 JK JK")],
)
def test_an_opening_worth_enough_in_the_order_hinted_is_refused_for_the_order_alone(
    ask_for, tiles, points, order
):
    options = {"opening-points": points}
    fields = {"melds": [tiles]} if ask_for == "laydown" else {"before": [], "after": [tiles]}
    answer = ask("rummikub", ask_for, options=options, opened=False, **fields)

    assert not answer["legal"]
    assert answer["hint"] == [order]
    assert "opening-too-low" not in codes(answer)


def test_an_opening_too_low_in_any_order_is_told_so_too():
    answer = ask("rummikub", "laydown", melds=["R1 R2 JK", "K12 K13 JK"])
    assert "opening-too-low" not in codes(answer)

    answer = ask("rummikub", "laydown", melds=["JK K1 K2"])
    assert "opening-too-low" in codes(answer)


@pytest.mark.parametrize("step", [1, 4])
def test_a_black_two_in_a_run_is_told_that_it_is_plain_in_rounds_without_runs(step):
    answer = ask("mexican-rummy", "meld", step=step, cards="4D 5D 2S 7D")

    plain = said(answer, "wild-at-rest")
    assert (plain["clause"], plain["basis"], plain["cards"]) == ("plain-2", "reading", "2S")


def test_a_black_two_laid_off_on_a_run_is_plain_in_rounds_without_runs():
    fields = {"cards": "2S", "onto": "4D 5D 6D 7D", "owner": "other"}

    assert "wild-at-rest" in codes(ask("mexican-rummy", "layoff", step=4, **fields))
    assert ask("mexican-rummy", "layoff", step=5, **fields)["legal"]


@pytest.mark.parametrize("cards", ["9S 9H 2C", "2S 2H 3D", "2S 3S 4S"])
def test_where_it_would_be_plain_in_every_round_that_is_not_said(cards):
    assert "wild-at-rest" not in codes(ask("mexican-rummy", "meld", step=1, cards=cards))


def test_an_invalid_meld_on_the_table_is_explained():
    fields = {"give": "6D", "take": "2S", "then": ["9S 10S 2S QS", "KS KH KD"]}
    answer = ask("mexican-rummy", "swap", step=2, meld="4D 5S 2S 7D", **fields)

    assert codes(answer)[:2] == ["no-meld-there", "run-of-two-suits"]
    assert [finding["clause"] for finding in answer["findings"][:2]] == ["run", "run"]


def test_an_invalid_meld_that_is_laid_off_on_is_explained():
    answer = ask("rummy-500", "layoff", cards="7S", onto="7H 7D", owner="self")

    assert codes(answer) == ["no-meld-there", "too-few-cards"]
    assert {finding["clause"] for finding in answer["findings"]} == {"set"}


def test_only_wilds_joining_wilds_cites_a_reading():
    answer = ask("rummy-500", "layoff", cards="7S", onto="2S 2C JK", owner="self")

    finding = said(answer, "only-wilds-join")
    assert (finding["clause"], finding["basis"]) == ("wilds-stay-alone", "reading")


@pytest.mark.parametrize(
    ("variant", "noun"), [("mexican-rummy", "contract"), ("eleven-phases", "phase")]
)
@pytest.mark.parametrize(
    "melds", [["7S 7H 7D", "8S 8H 8D", "9S 9H 9D"], ["7S 7H 7D"], ["7S 7H 7D", "8S 8H 8D"], ["7S"]]
)
@pytest.mark.parametrize("down", [False, True])
def test_phases_are_not_called_contracts(variant, noun, melds, down):
    answer = ask(variant, "laydown", step=1, melds=melds, down=down)

    spoken = " ".join(finding["says"] for finding in answer["findings"])
    other = {"contract": "phase", "phase": "contract"}[noun]
    assert noun in spoken
    assert other not in spoken


def test_melds_that_may_be_longer_are_not_told_that_they_may_only_be_longer():
    answer = ask("mexican-rummy", "laydown", step=1, melds=["7S 7H 7D", "8S 8H 8D", "9S 9H 9D"])

    assert "only" not in said(answer, "too-many-melds")["says"]


@pytest.mark.parametrize(("cards", "taken"), [("9H", True), ("JH", False)])
def test_a_card_whose_place_a_wild_has_is_told_so(cards, taken):
    answer = ask("mexican-rummy", "layoff", step=2, cards=cards, onto="6H 7H 8H 2S", owner="other")

    assert ("nine of hearts" in said(answer, "does-not-fit")["says"]) is taken


@pytest.mark.parametrize(
    ("run", "named", "kept"),
    [
        # The 2 that is given would have been the jack itself.
        ("9S 10S 2S QS", "two of clubs", "two of spades"),
        # The run is long enough without any 2.
        ("9S 10S JS QS 2S", "two of spades", "two of clubs"),
    ],
)
def test_a_swap_that_is_not_needed_is_told_what_would_do(run, named, kept):
    answer = ask(
        "mexican-rummy",
        "swap",
        step=2,
        give="2C",
        take="2S",
        meld="AC 2S 3C 4C",
        then=[run, "KS KH KD"],
    )

    says = said(answer, "swap-not-needed")["says"]
    assert named in says
    assert kept not in says


@pytest.mark.parametrize(
    ("variant", "word"),
    [("mexican-rummy", "go down"), ("eleven-phases", "lay the phase"), ("rummikub", "open")],
)
@pytest.mark.parametrize("code", ["not-down-yet", "not-this-turn"])
def test_going_down_is_called_what_it_is_called_in_the_game(variant, word, code):
    tiles = {"cards": "R8", "onto": "R5 R6 R7"}
    cards = {"cards": "8S", "onto": "4S 5S 6S 7S", "step": 2}
    options = {} if variant == "rummikub" else {"layoff-same-turn": False}
    when = {"down": False} if code == "not-down-yet" else {"same_turn": True}
    fields = (tiles if variant == "rummikub" else cards) | when
    answer = ask(variant, "layoff", owner="self", options=options, **fields)

    assert word in said(answer, code)["says"]


@pytest.mark.parametrize(("rank", "word"), [("A", "ace"), ("8", "eight")])
def test_a_rank_that_does_not_fit_a_set_is_named_without_an_article(rank, word):
    onto = " ".join(f"{rank}{suit}" for suit in "SHD")
    answer = ask("mexican-rummy", "layoff", step=1, cards="7S", onto=onto, owner="other")

    says = said(answer, "does-not-fit")["says"]
    assert word in says
    assert f"a {word}" not in says


def test_a_card_that_is_not_wild_is_not_told_what_to_do_with_wilds():
    fields = {"give": "6D", "take": "4D", "meld": "4D 5D 2S 7D", "step": 2}
    answer = ask("mexican-rummy", "swap", then=["9S 10S 2S QS", "KS KH KD"], **fields)

    assert "not-a-wild" in codes(answer)
    assert "wild-not-used" not in codes(answer)


def test_where_nobody_swaps_it_is_not_said_what_might_be_swapped():
    fields = {"give": "6D", "take": "4D", "meld": "4D 5D 2S 7D", "step": 2}
    options = {"swap": "never"}
    answer = ask(
        "mexican-rummy", "swap", then=["9S 10S 2S QS", "KS KH KD"], options=options, **fields
    )

    assert codes(answer) == ["no-swaps"]


@pytest.mark.parametrize(
    ("variant", "ask_for", "fields", "word"),
    [
        ("remigio", "layoff", {"cards": "7S", "onto": "7H 7D 7C", "owner": "other"}, "laying off"),
        ("mexican-rummy", "close", {"cards": "7S 7H 7D"}, "closing"),
        ("rummikub", "call", {"discard": "R7", "table": []}, "calling"),
    ],
)
def test_a_play_that_the_game_does_not_know_is_named(variant, ask_for, fields, word):
    assert word in said(ask(variant, ask_for, **fields), "no-such-play")["says"]


def test_one_meld_in_rummikub_is_not_told_of_several():
    one = said(ask("rummikub", "laydown", melds=["R10 B10 K10"]), "melds-laid")
    two = said(ask("rummikub", "laydown", melds=["R4 B4 K4", "O5 O6 O7"]), "melds-laid")
    later = ask("rummikub", "laydown", melds=["R4 B4 K4", "O5 O6 O7"], down=True)

    assert (one["clause"], two["clause"]) == ("turn", "opening-sets")
    assert said(later, "melds-laid")["clause"] == "turn"


def test_a_joker_in_the_opening_is_said_once_to_stand_for_its_tile():
    answer = ask("rummikub", "laydown", melds=["R9 R10 JK"])

    assert "counts 11" in said(answer, "wild-counts")["says"]
    assert "stands for" not in said(answer, "wild-counts")["says"]


def test_one_card_alone_is_told_neither_of_sets_nor_of_runs():
    finding = said(ask("mexican-rummy", "meld", step=1, cards="JD"), "too-few-cards")

    assert "four" not in finding["says"]


@pytest.mark.parametrize(
    ("melds", "words"),
    [
        (["2 3 4 5 6 7 8"], ["a run of 7 is too short"]),
        (["2 3 4 5 6 7 8 9"], []),
    ],
)
def test_a_run_too_short_for_its_phase_is_told_so(melds, words):
    answer = ask("eleven-phases", "laydown", step=7, melds=melds)

    told = [finding for finding in answer["findings"] if finding["code"] == "contract-not-met"]
    assert bool(told) is bool(words)
    assert all(word in finding["says"] for finding in told for word in words)
    assert not any("missing" in finding["says"] for finding in told)


@pytest.mark.parametrize(
    ("melds", "words"),
    [
        (["9 9 9"], "2 sets of 3 are missing"),
        (["9 9 9", "8 8 8"], "1 set of 3 is missing"),
        (["9 9 9", "8 8 8", "7 7"], "a set of 2 is too small"),
    ],
)
def test_what_a_phase_lacks_is_counted(melds, words):
    answer = ask("eleven-phases", "laydown", step=8, melds=melds)

    assert words in said(answer, "contract-not-met")["says"]


@pytest.mark.parametrize(("says", "is_told"), [({}, False), ({"says": "closed"}, True)])
def test_a_hand_of_which_nothing_was_said_is_not_told_what_was_said(says, is_told):
    answer = ask("remigio", "close", cards="AS 2S 3S 4S 5S 6S 7S 8S 9S 10S", **says)

    assert ("said-otherwise" in codes(answer)) is is_told


@pytest.mark.parametrize("wild", ["JK", "2S"])
def test_claiming_no_wild_cites_a_reading(wild):
    answer = ask("rummy-500", "call", discard=wild, table=["7H 7D 7C"])

    finding = said(answer, "wild-not-called")
    assert (finding["clause"], finding["basis"]) == ("wilds-not-called", "reading")


def test_many_cards_that_do_not_fit_a_set_are_written_not_told():
    answer = ask(
        "mexican-rummy", "layoff", step=1, cards="7S 8S 9S", onto="4S 4H 4D", owner="other"
    )

    assert "7S 8S 9S" in said(answer, "does-not-fit")["says"]


def test_where_no_wild_is_allowed_it_is_not_said_how_many_may_be_at_most():
    answer = ask("mexican-rummy", "meld", step=2, cards="4D 5D 2S 7D", options={"max-wilds": 0})

    assert "at most" not in said(answer, "too-many-wilds")["says"]


def test_a_hand_said_to_be_a_colour_that_is_nothing_is_told_both():
    cards = "7S 7H 7D 8S 9S 10S KH KD KC 2S"
    answer = ask("remigio", "close", cards=cards, says="colour")
    strict = ask("remigio", "close", cards=cards, says="colour", options={"announce": "strict"})

    assert codes(answer) == ["not-what-was-said", "cards-not-melded"]
    assert [finding["clause"] for finding in answer["findings"]] == ["colour", "close"]
    assert codes(strict) == ["not-what-was-said"]
    assert strict["findings"][0]["clause"] == "house-announce"


def test_a_wild_that_is_not_there_stands_under_the_clause_on_taking():
    fields = {"give": "6D", "take": "2C", "meld": "4D 5D 2S 7D", "step": 2}
    answer = ask("mexican-rummy", "swap", then=["9S 10S 2C QS", "KS KH KD"], **fields)

    assert said(answer, "not-a-wild")["clause"] == "swap"


TWO_TO_ACE = "2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AS"


@pytest.mark.parametrize(
    ("cards", "code", "clause"),
    [
        ("KS AS 2S 3S", "run-around-the-corner", "ace"),
        (f"{TWO_TO_ACE} JK", "too-many-in-meld", "house-natural-twos"),
    ],
)
def test_a_run_of_natural_twos_stands_under_the_clause_that_limits_it(cards, code, clause):
    answer = ask("rummy-500", "meld", cards=cards, options={"natural-twos": True})

    assert said(answer, code)["clause"] == clause


@pytest.mark.parametrize(
    ("cards", "word"),
    [("6H 7H 9H 10H", "eight"), ("6H 7H 10H JH", None), ("6H 7H 9C 10C", None)],
)
def test_the_one_card_that_a_run_lacks_is_named(cards, word):
    answer = ask("mexican-rummy", "meld", step=1, cards=cards)

    says = said(answer, "run-gap")["says"]
    assert ("missing" in says) is bool(word)
    assert word is None or word in says


@pytest.mark.parametrize(
    ("onto", "names"),
    [
        ("4H 5H 6H 7H", {"three", "eight"}),
        ("AH 2H 3H 4H", {"five"}),
        ("JH QH KH AH", {"ten"}),
    ],
)
def test_a_run_goes_on_with_the_cards_below_and_above_it(onto, names):
    answer = ask("mexican-rummy", "layoff", cards="JD", onto=onto, owner="self")

    says = said(answer, "does-not-fit")["says"]
    assert {word for word in says.replace("the ", "").split() if word in NUMBERS} == names


def test_a_card_is_called_what_its_pack_prints_on_it():
    run = said(ask("phase-10", "meld", cards="R9 B10 JK Y12"), "wild-stands-for")
    many = ask("phase-10", "meld", cards=" ".join(["JK"] * 9))

    assert run["says"] == "The wild stands for the 11."
    assert many["error"]["says"] == "There are more copies of the wild here than the game has."


@pytest.mark.parametrize(
    ("slug", "first", "last"),
    [
        ("five-crowns", "3 cards, 3s wild", "13 cards, kings wild"),
        ("three-thirteen", "3 cards, 3s wild", "13 cards, kings wild"),
    ],
)
def test_the_rank_that_is_wild_in_a_deal_is_called_what_its_cards_show(slug, first, last):
    deals = dict(variants.get(slug).deals_told)

    assert (deals[1], deals[11]) == (first, last)


def test_a_wild_rank_of_a_pack_of_numbers_is_called_by_its_number():
    game = described.game("three-thirteen")
    game |= {
        "pack": {"kind": "numbered", "copies": 2},
        "steps": [11, 12],
        "examples": [],
        "options": {},
    }
    game["score"] |= {"hand": {"1-12": "face"}}

    deals = [says for _, says in build(game).deals_told]
    assert deals == ["11 cards, 11s wild", "12 cards, 12s wild"]


def test_a_wild_that_is_the_number_already_is_named_whatever_the_suit():
    run = {"onto": "R4 B5 R6 Y7 R8 R9 R10 R11 JK", "owner": "other", "down": True}

    finding = said(ask("phase-10", "layoff", cards="B12", **run), "does-not-fit")

    assert finding["says"].startswith("The wild is the 12 there already.")


@pytest.mark.parametrize(
    ("cards", "says"),
    [
        ("AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS", "a run from ace to king."),
        ("2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AS", "a run from two to ace."),
    ],
)
def test_an_ace_in_a_whole_suit_is_where_it_was_laid(cards, says):
    answer = ask("romme", "meld", cards=cards)

    assert says in said(answer, "run")["says"]
    assert "order-not-meant" not in codes(answer)


def test_a_hand_with_too_many_cards_left_over_is_told_how_many_may_be():
    answer = ask("chinchon", "close", cards="1O 2O 3O 4O 5O 1C 2C")

    assert codes(answer) == ["cards-not-melded"]
    assert said(answer, "cards-not-melded")["says"] == (
        "You can have only one card left over to close, not 1C 2C."
    )
