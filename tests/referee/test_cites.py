"""The answers to all cases: each code cites the right clause, in the nouns of the game.

The names of the clauses are in `tests.referee.cites`.

The table here says what such a clause has to say. A person has read it beside all clauses of the
games; a finding that cites another rule, or one that says the opposite, is caught.
"""

import json
import re
from collections import Counter, defaultdict
from itertools import chain
from typing import NamedTuple

import pytest

from referee import variants
from referee.describing.sentences.clauses import CATALOGUE
from referee.melds.grounds import judge, legal_readings
from referee.protocol import answer_line
from referee.rulings import Code, Finding
from referee.scorepad.problems import Problem
from tests.nouns import out_of_place
from tests.referee.cases import every_case
from tests.referee.cites import CITES

EACH_GAME = pytest.mark.parametrize("variant", variants.all(), ids=lambda variant: variant.slug)
SAYS = {
    # Against a meld.
    Code.SET_OF_OTHER_SUITS: "exactly 3",
    Code.SET_REPEATS_CARD: "can’t (repeat|have the same)|each .*different (color|suit)",
    Code.WILD_IN_SET: "only in runs|never in a set",
    Code.WILD_AT_REST: "round without|rounds? that asks?",
    Code.FLUSH_OF_TWO_SUITS: "the same (color|suit)",
    Code.SPECIAL_CARD: "fits no meld|can’t contain|no sets of|from 4 to ace|never in a meld",
    Code.ONLY_GOING_OUT: "go out|goes out|going out",
    Code.RUN_OF_TWO_SUITS: "the same (color|suit)",
    Code.RUN_GAP: "in a row",
    Code.RUN_AROUND_THE_CORNER: "can’t go (around|past)|isn’t a|aren’t runs|never follows|"
    "never between|is low[:,]|ends at",
    Code.AROUND_THE_CORNER: "can go (around|from)",
    Code.ACE_NOT_LOW: "is high",
    Code.ACE_NOT_HIGH: "is (the lowest|low)|comes only before",
    Code.WILDS_ADJACENT: "(can’t|not) .*side by side",
    Code.TOO_MANY_WILDS: "at most|without wild|can’t have (more|jokers)|no wilds",
    Code.TOO_FEW_NATURALS: "at least",
    Code.TOO_MANY_IN_MELD: "at most|3 or 4|longest run|lowest tile|can’t go past|up to|below the 3",
    # Against laying down.
    Code.TOO_MANY_MELDS: "exactly (the|these) melds",
    Code.SETS_OF_ONE_RANK: "need different",
    Code.RUN_SPLIT: "can’t connect",
    Code.RUNS_OF_ONE_SUIT: "need different suits",
    Code.RANK_LIES_THERE: "second (set|book) of a|one (meld|set) of (each|a)|only once",
    Code.ALREADY_DOWN: "only one|one a round|whole contract",
    Code.CARDS_LEFT_OVER: "whole hand",
    Code.NOT_FROM_HAND: "from your ",
    Code.NOTHING_TO_DISCARD: "[Dd]iscard your last (card|tile)|need a tile to discard",
    Code.OPENING_TOO_LOW: "worth|counts|need more points|needs [0-9]+ points|"
    "[Oo]pen with [0-9]+ pairs",
    Code.TOO_FEW_NATURALS_FIRST: "2 natural",
    # Against laying off.
    Code.NOT_DOWN_YET: "before you lay off|[Oo]nce (you|your)|[Ff]rom the turn after|"
    "before you’ve opened|go down without it",
    Code.NOT_MY_TURN: "turn",
    Code.NOT_THIS_TURN: "On the turn .* can’t|next turn|turn after|later turn",
    Code.DOES_NOT_FIT: "fits|longer|longest|lowest tile|each end|can’t go|Lay down exactly|grow|"
    "Nobody adds",
    Code.WILD_ON_OTHERS_MELD: "own melds|doesn’t change",
    Code.NOT_OWN_MELD: "own melds|team’s (melds|books)",
    Code.NOT_MELDED: "own melds|team’s (melds|books)",
    Code.ONLY_WILDS_JOIN: "Only (wild cards|jokers|wilds) can join",
    # Against swapping, and against taking from the pile.
    Code.NO_SWAPS: "stays? (where|in their)|out of a run",
    Code.SWAP_WHEN_DOWN: "you’re down, you can’t",
    Code.WRONG_CARD_GIVEN: "exact",
    Code.WILD_NOT_USED: "right away",
    Code.SWAP_NOT_NEEDED: "only if",
    Code.LOWEST_NOT_USED: "[Uu]se|lay it down",
    Code.STAYS_IN_PILE: "stay in the pile",
    Code.PILE_BLOCKED: "(can’t|Nobody can) take (from )?the pile",
    Code.PILE_FROZEN: "frozen",
    Code.TOP_NOT_USED: "use|top",
    Code.WILD_THROWN_LAST: "last (discard|card)",
    Code.WILD_NOT_CALLED: "can’t claim",
    Code.DRAWN_ALREADY: "draw|turned up",
    Code.HAND_IS_OVER: "over",
    # Against closing.
    Code.NEEDS_MISSING: "[Nn]eeds? |can’t go out until",
    Code.CARDS_NOT_MELDED: "in melds|in a meld|outside (your )?melds|left ?over",
    # Against a turn at one table.
    Code.NOTHING_PLAYED: "at least (one|1)|draw|make room",
    Code.DREW_THIS_TURN: "next turn",
    Code.TABLE_TILE_TAKEN: "table",
    Code.TABLE_BEFORE_OPENING: "can’t .*table",
    Code.JOKER_KEPT: "same turn",
    Code.JOKER_LOCKED: "stays where it is",
    Code.JOKER_NOT_REPLACED: "place",
    Code.JOKER_WRONG_TILE: "exact",
    Code.JOKER_NOT_FROM_RACK: "from your (rack|hand)",
    Code.JOKER_BOTH_COLOURS: "both missing",
    Code.JOKER_NOT_IN_NEW_SET: "new (set|meld)",
    Code.NO_SUCH_PLAY: "[Dd]raw|turn|show it at once",
}
"""What a clause says that a finding of this code cites: one of these wordings is in it."""


class Asked(NamedTuple):
    """Every case that is a question, with its answer."""

    of: dict[str, list[tuple[dict, dict]]]
    """By game."""
    cited: set[tuple[Code, str]]
    """Each code that was found, with the clauses that it cited."""


@pytest.fixture(scope="module")
def asked():
    """All cases asked once, for every look at their answers: it takes three seconds."""
    found = Asked(defaultdict(list), set())

    def watch(kind):
        make = kind.__new__

        def made(*given, **named):
            one = make(*given, **named)
            found.cited.add((one.code, one.cites.partition(".")[0]))
            return one

        patch.setattr(kind, "__new__", made)

    with pytest.MonkeyPatch.context() as patch:
        watch(Finding)
        watch(Problem)
        legal_readings.cache_clear()
        judge.cache_clear()
        for case in every_case():
            if "raw" not in case:
                found.of[case.get("variant")].append((case, answer_line(json.dumps(case))))
    return found


@pytest.mark.slow
def test_every_code_cites_only_the_clauses_that_stand_beside_it(asked):
    assert len({code for code, _ in asked.cited}) > len(Code) * 0.9
    assert not {(code, clause) for code, clause in asked.cited if not may_cite(code, clause)}


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


def wrongly_cited(case, answer):
    """The findings of a case whose clause does not say what their code needs."""
    game = variants.get(case["variant"]).with_options(case.get("options") or {})
    cited = [
        (Code(finding["code"]), game.rulebook[finding["clause"]].says)
        for finding in answer.get("findings", ())
    ]
    return [(code, clause) for code, clause in cited if not says_it(code, clause)]


@pytest.mark.slow
@EACH_GAME
def test_every_finding_of_the_cases_cites_a_clause_that_says_it(variant, asked):
    told = [(case, answer) for case, answer in asked.of[variant.slug] if "error" not in answer]

    assert {found for case, answer in told for found in wrongly_cited(case, answer)} == set()


@pytest.mark.slow
@EACH_GAME
def test_every_clause_that_is_broken_is_broken_in_two_cases(variant, asked):
    broken = Counter(
        clause
        for _, answer in asked.of[variant.slug]
        for clause in {found["clause"] for found in answer.get("findings", ()) if found["against"]}
    )

    assert {clause for clause, cases in broken.items() if cases == 1} == set()


def said_in(answer):
    """Give every sentence of an answer, wherever it stands in it."""
    if isinstance(answer, list):
        return [says for part in answer for says in said_in(part)]
    if not isinstance(answer, dict):
        return []
    own = [answer["says"]] if isinstance(answer.get("says"), str) else []
    return own + said_in(list(answer.values()))


@pytest.mark.slow
@EACH_GAME
def test_no_answer_to_a_case_speaks_of_another_game(variant, asked):
    said = [said_in(answer) for _, answer in asked.of[variant.slug]]
    assert sum(map(bool, said)) >= 20

    assert out_of_place(variant, chain.from_iterable(said)) == set()


@pytest.mark.parametrize(
    ("code", "clause"),
    [
        (Code.NOT_DOWN_YET, "You can lay off on any meld, yours or not."),
        (Code.NO_SWAPS, "Draw, lay down and lay off if you like."),
        (Code.NOT_FROM_HAND, "Draw, lay down and lay off if you like."),
        (Code.WILDS_ADJACENT, "Jokers can be side by side."),
        (
            Code.RUN_AROUND_THE_CORNER,
            "The ace is low or high in a run. A run can have one at each end.",
        ),
    ],
)
def test_a_clause_that_was_wrongly_cited_is_caught(code, clause):
    """The twins: what these codes cited before."""
    assert not says_it(code, clause)
