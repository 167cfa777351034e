"""Each code is held against the clause that it cites, in every game where a case gives it.

The names of the clauses are in `tests.referee.cites`.

The table here says what such a clause has to say. A person has read it beside all clauses of the
games; a finding that cites another rule, or one that says the opposite, is caught.
"""

import json
import re

import pytest

from referee import variants
from referee.describing.telling.clauses import CATALOGUE
from referee.melds.grounds import judge, legal_readings
from referee.protocol import answer_line
from referee.rulings import Code, Finding
from referee.scorepad.checks import Problem
from tests.referee.cases import every_case
from tests.referee.cites import CITES

SAYS = {
    # Against a meld.
    Code.SET_REPEATS_CARD: "in a set twice|each .*another (colour|suit)",
    Code.WILD_IN_SET: "only in runs|never in a set",
    Code.WILD_AT_REST: "rounds (without|that ask)",
    Code.FLUSH_OF_TWO_SUITS: "of one (colour|suit)",
    Code.SPECIAL_CARD: "in no meld",
    Code.RUN_OF_TWO_SUITS: "of one (colour|suit)",
    Code.RUN_GAP: "follow one another|in order",
    Code.RUN_AROUND_THE_CORNER: "not go round|do not follow|no sequence|never follows|not go on|"
    "goes on past|low only|only at the end|a run ends there",
    Code.AROUND_THE_CORNER: "go (on )?(round|from)",
    Code.ACE_NOT_LOW: "high only",
    Code.ACE_NOT_HIGH: "is (the lowest|low)",
    Code.WILDS_ADJACENT: "(none|no|not) .*side by side",
    Code.TOO_MANY_WILDS: "at (the )?most|no more|has one|no wilds",
    Code.TOO_FEW_NATURALS: "at least|two natural",
    Code.TOO_MANY_IN_MELD: "at (the )?most|three or four|longest run|lowest tile|below the 3",
    # Against laying down.
    Code.TOO_MANY_MELDS: "Exactly the melds",
    Code.SETS_OF_ONE_RANK: "differ in",
    Code.RUN_SPLIT: "may not follow",
    Code.RUNS_OF_ONE_SUIT: "differ in suit",
    Code.ALREADY_DOWN: "[Oo]n(c)?e (contract|phase)|one in a round|whole contract",
    Code.CARDS_LEFT_OVER: "whole hand",
    Code.NOT_FROM_HAND: "from (your|the own) ",
    Code.NOTHING_TO_DISCARD: "last card is discarded",
    Code.OPENING_TOO_LOW: "worth|counts",
    Code.TOO_FEW_NATURALS_FIRST: "two natural",
    # Against laying off.
    Code.NOT_DOWN_YET: "before you lay off|[Oo]nce |Who (is down|has opened)",
    Code.NOT_MY_TURN: "turn",
    Code.NOT_THIS_TURN: "[Nn]othing .*turn|turn .*nothing|next turn",
    Code.DOES_NOT_FIT: "joins|fit|longer|longest|lowest tile|at each end|past it|further",
    Code.WILD_ON_OTHERS_MELD: "own melds|other player",
    Code.NOT_OWN_MELD: "own melds",
    Code.ONLY_WILDS_JOIN: "only wilds join",
    # Against swapping, and against taking from the pile.
    Code.NO_SWAPS: "stays? (where|in the meld)",
    Code.SWAP_WHEN_DOWN: "down takes no",
    Code.WRONG_CARD_GIVEN: "the very",
    Code.WILD_NOT_USED: "used at once",
    Code.SWAP_NOT_NEEDED: "only where",
    Code.LOWEST_NOT_USED: "used",
    Code.STAYS_IN_PILE: "stays in the pile",
    Code.WILD_NOT_CALLED: "not called",
    Code.DRAWN_ALREADY: "drawn",
    Code.HAND_IS_OVER: "over",
    # Against closing.
    Code.NEEDS_MISSING: "Among the melds",
    Code.CARDS_NOT_MELDED: "in melds|in a meld|outside melds|left over|tiles are in",
    # Against a turn at one table.
    Code.NOTHING_PLAYED: "at least one|draws",
    Code.DREW_THIS_TURN: "next turn",
    Code.TABLE_TILE_TAKEN: "table",
    Code.TABLE_BEFORE_OPENING: "nothing .*table",
    Code.JOKER_KEPT: "same turn",
    Code.JOKER_LOCKED: "stays where it is",
    Code.JOKER_NOT_REPLACED: "place",
    Code.JOKER_WRONG_TILE: "very tile",
    Code.JOKER_NOT_FROM_RACK: "from the (rack|hand)",
    Code.JOKER_BOTH_COLOURS: "both missing",
    Code.JOKER_NOT_IN_NEW_SET: "new (set|meld)",
    Code.NO_SUCH_PLAY: "turn|show it at once",
}
"""What a clause says that a finding of this code cites: one of these wordings is in it."""


@pytest.fixture
def cited(monkeypatch):
    """What is cited for each code while a test runs: pairs of a code and a clause."""
    pairs = set()

    def watch(kind):
        make = kind.__init__

        def made(self, *given, **named):
            make(self, *given, **named)
            pairs.add((self.code, self.cites.partition(".")[0]))

        monkeypatch.setattr(kind, "__init__", made)

    watch(Finding)
    watch(Problem)
    return pairs


def test_every_code_cites_only_the_clauses_that_stand_beside_it(cited):
    legal_readings.cache_clear()
    judge.cache_clear()
    for case in every_case():
        if "raw" not in case:
            answer_line(json.dumps(case))

    assert len({code for code, _ in cited}) > len(Code) * 0.9
    assert not {(code, clause) for code, clause in cited if not may_cite(code, clause)}


def may_cite(code, clause):
    """Whether a finding of a code may cite a clause."""
    return clause in CITES[code].split() or CITES[code] == "*"


def test_each_code_has_clauses_of_the_catalogue_beside_it():
    assert set(CITES) == set(Code)
    assert {word for words in CITES.values() for word in words.split()} <= {*CATALOGUE, "*"}


def test_a_clause_that_does_not_say_it_is_not_beside_its_code():
    """The twin: laying off before being down cited that cards may be laid off on any meld."""
    assert not may_cite(Code.NOT_DOWN_YET, "layoff")
    assert not may_cite(Code.NO_SWAPS, "turn")
    assert not may_cite(Code.NOT_FROM_HAND, "turn")


def says_it(code, clause):
    """Whether a clause says what a finding of this code rests on; so where no table asks."""
    return code not in SAYS or re.search(SAYS[code], clause) is not None


def wrongly_cited(case):
    """The findings of a case whose clause does not say what their code needs."""
    answer = answer_line(json.dumps(case))
    game = variants.get(case["variant"]).with_options(case.get("options") or {})
    cited = [
        (Code(finding["code"]), game.rulebook[finding["clause"]].says)
        for finding in answer.get("findings", ())
    ]
    return [(code, clause) for code, clause in cited if not says_it(code, clause)]


@pytest.mark.parametrize("slug", [game.slug for game in variants.all()])
def test_every_finding_of_the_cases_cites_a_clause_that_says_it(slug):
    cases = [
        case
        for case in every_case()
        if case.get("variant") == slug and "raw" not in case and "error" not in case["expect"]
    ]
    wrong = {found for case in cases for found in wrongly_cited(case)}

    assert wrong == set()


@pytest.mark.parametrize(
    ("code", "clause"),
    [
        (Code.NOT_DOWN_YET, "Cards may be laid off on any meld of the table."),
        (Code.NO_SWAPS, "In a turn you draw, lay down and lay off what you can and want to."),
        (Code.NOT_FROM_HAND, "In a turn you draw, lay down and lay off what you can and want to."),
        (Code.WILDS_ADJACENT, "Wilds may lie side by side."),
        (
            Code.RUN_AROUND_THE_CORNER,
            "The ace stands at either end of a run. A run can have one at each end.",
        ),
    ],
)
def test_a_clause_that_was_wrongly_cited_is_caught(code, clause):
    """The twins: what these codes cited before."""
    assert not says_it(code, clause)
