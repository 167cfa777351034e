"""Rules that change counting, set in the middle of a game: each kind, and each way to enter a hand.

A table's cards are known here, and the referee counts them by the new rules. What the page says is
new is that; or the page says whose hands stay as they were entered, or lack something.
"""

from dataclasses import dataclass, replace

import pytest

from referee import OptionError
from referee.describing import BY_PATH, Refused, brought, changed, kinds, problems
from referee.scorepad import HandRecord, close_choices, keep_score, points_of
from referee.scorepad.hands import table_points
from referee.scorepad.teams import bonus_melds
from tests.examples import in_turn
from tests.webapp.drafts import kept
from tests.webapp.table import Table, sent
from tests.webapp.test_all_taps import taps
from webapp.game.facts import Counted
from webapp.game.hand import Hand
from webapp.ledger.ledger import Submission, enter, new_key
from webapp.pages.counting.view import open_count
from webapp.pages.house_rules.commands import amend, facts_of, read_amending, read_drafted
from webapp.pages.house_rules.staying import say_what_stays
from webapp.pages.rulebook.draft import in_game
from webapp.pages.rulebook.form import fits
from webapp.pages.rulebook.widgets import controls_of


@dataclass(frozen=True, slots=True)
class Way:
    """A game, and how its hands are entered: what each has left, and laid; the first is out."""

    game: str
    left: tuple[str, ...]
    melds: tuple[tuple[str, ...], ...] = ((), (), ())
    named: bool = False
    """Whether the cards are named."""
    summed: bool = False
    aside: str = ""
    shown: str = ""


SEVENS, RUN = "7S 7H 7D", "4C 5C 6C"
LEFT = ("", "KS KH 5D AC QS 9H", "8C 2D 3S")
WAYS = {
    "number": Way("contract-rummy", LEFT, ((SEVENS,), (SEVENS,), ())),
    "sum": Way("mexican-rummy", LEFT, ((SEVENS,), (SEVENS,), ()), summed=True),
    "cards": Way("chinchon", ("", "12O 12C 5E 1B 4O 6C 7B", "2E 3O 12B 5C 6O 4E 11E"), named=True),
    "deadwood": Way("chinchon", ("", "12O 12C 5E 1B 4O 6C 7B", "2E 3O 12B 5C 6O 4E 11E")),
    "hand shown": Way(
        "gin-rummy",
        ("", "KS KH 5D AC QS 9H 2C 3S 8D JD"),
        ((), ()),
        named=True,
        shown="2S 3S 4S 5S 7S 7H 7C 9C 10C JC",
    ),
    "laid and left": Way("500-rum", LEFT, ((SEVENS, RUN), (SEVENS,), ())),
    "tiles": Way("rummikub", ("", "R5 B7 O13", "JK K2")),
    "phase": Way("phase-10", ("", "R5 B7 G12", "JK R1 Y9")),
    "drop": Way("indian-rummy-pool", ("", "KS KH 5D AC QS 9H 2C 3S 8D JD 4C 6H 10S", "4S")),
    "nothing": Way("okey", ("", "R5 B7", "K2")),
    "lowest": Way("tonk", ("", "KS KH 5D", "2D 3S")),
    "team": Way(
        "canasta",
        ("", "KS KH 5D AC", "2D 9S", "JK 8C"),
        (("7S 7H 7D 7C 7S 7H 7D", "KS KH KD"), ("QS QH QD",), (), ()),
        aside="3H",
    ),
    "second hand": Way(
        "burraco",
        ("", "KS KH 5D AC", "2D 9S", "JK 8C"),
        (("4C 5C 6C 7C 8C 9C 10C",), ("QS QH QD",), (), ()),
    ),
}
TABLES = ("score", "end", "wild", "aside", "reserve", "bonus", "hand", "out", "contract", "deal")
"""The tables of rules that could change what a round comes to."""
COUNTED = [path for path in BY_PATH if path.partition(".")[0] in TABLES]


class Played:
    """A round of a game, with all its cards, and the same as a table enters it."""

    def __init__(self, database, way):
        self.way = way
        names = ("Ana", "Ben", "Cleo", "Dov")[: len(way.left)]
        self.table = Table(database, names, way.game)
        self.now = database.read(read_drafted, self.table.pub, new_key())
        self.game = self.table.state.variant
        self.names = {number: name for name, number in self.table.ids.items()}
        hands = {who: self.entered(self.game, at) for at, who in enumerate(self.table.ids.values())}
        facts = [Counted(round=1, hands=hands)]
        form = Submission(key=new_key(), content="all", device="phone")
        database.write(enter, self.table.pub, form, lambda _: facts)

    def record(self, game, at):
        """A player’s hand as it is on the table."""
        parse, way = game.pack.parse, self.way
        shown = parse(way.shown) if not at and way.shown and game.close else ()
        return HandRecord(
            out=not at,
            made=not at or None,
            left=parse(way.left[at]) if at else None,
            table=tuple(map(parse, way.melds[at])),
            shown=shown,
            close=None if shown else usual(game) if not at else None,
            aside=parse(way.aside) if at == 1 else (),
            reserve=at != 1,
            written=True,
        )

    def entered(self, game, at):
        """The same as it is entered by the rules of a game."""
        record = self.record(game, at)
        left = points_of(game, record, 1)
        typed = f"{left - 5}+5" if self.way.summed else str(left)
        table = str(table_points(game, record)) if game.pad.asks_table else ""
        return Hand(
            out=record.out,
            made=record.made if game.climbs_alone else None,
            left=(self.way.left[at] if self.way.named else typed) if at else "",
            shown=self.way.shown if record.shown else "",
            close=record.close or "",
            table=table,
            bonus=dict(bonus_melds(game, [record])) if game.bonuses else {},
            aside=len(record.aside) if game.aside else 0,
            reserve=record.reserve if game.reserve else True,
        )

    def counted(self, state):
        """What the referee makes of the cards by the rules of a story."""
        game = state.variant
        seats = range(len(self.way.left))
        records = [self.record(game, at) for at in seats]
        dealer = state.score.dealers[0]
        return keep_score(game, len(seats), [records], dealer, (), state.changed).results


def usual(game):
    return next((choice.word for choice in close_choices(game)), None)


def changes(of, path):
    """What can be tapped of a field, one value at a time, with what comes with it."""
    tapped = [tap for each in controls_of(of.spec, path, 1) for tap in taps(of, each)]
    if isinstance(BY_PATH[path].kind, kinds.Whole):
        tapped += [(path, number) for number in (1, 10, 30, 100) if fits(path, number)]
    for at, value in tapped:
        patch = {at: value, **brought(of.spec, changed(of.spec, {at: value}))}
        if not problems(changed(of.spec, patch)):
            yield patch


def recounted(played, patch):
    """What the page says stays, what is new, and what the cards come to; None if it’s no game."""
    state = played.table.state
    try:
        facts = facts_of(state, played.now.base.played(patch))
        after = state.with_facts(facts)
    except (OptionError, Refused, ValueError):
        return None
    if state.teams != after.teams:
        return None
    stays = say_what_stays(state, after, played.names)
    return stays, after.score.results, played.counted(after)


@pytest.mark.slow
@pytest.mark.parametrize("way", in_turn([*WAYS], quick=0, each=4))
def test_totals_are_what_the_new_rules_say_or_the_page_says_what_stays(database, way):
    played = Played(database, WAYS[way])
    wrong = []
    for path in COUNTED:
        for patch in changes(played.now.base, path):
            if (found := recounted(played, patch)) is None:
                continue
            stays, new, cards = found
            if new != cards and not stays:
                wrong.append((patch, new, cards))
    assert not wrong, "\n".join(map(str, wrong))


def cap(table, most):
    key = kept(table.database, in_game(table.pub), {"score.cap": most})
    page = table.database.read(read_amending, table.pub, key)
    table.database.write(amend, table.pub, key, page.seen, sent())
    return page


@pytest.fixture
def contract(database):
    """Three at Contract Rummy, after a round: Cleo has 60, entered as a number."""
    table = Table(database, variant="contract-rummy")
    table.count(1, ana="out", ben="20+25", cleo="60")
    return table


def test_a_cap_set_in_the_middle_counts_for_hands_entered_as_numbers(contract):
    page = cap(contract, 50)

    assert [(each.now, each.new) for each in page.totals] == [(0, 0), (45, 45), (60, 50)]
    assert not page.stays
    assert contract.totals() == [0, 45, 50]
    contract.undo()
    assert contract.totals() == [0, 45, 60]


def test_a_cap_counts_for_a_sum_and_the_form_shows_what_it_counts(contract):
    cap(contract, 30)
    form = contract.database.read(open_count, contract.pub, 1)

    assert contract.totals() == [0, 30, 30]
    assert [line.hand.left for line in form.lines][1:] == ["30", "30"]
    assert "30" in contract.state.rounds[0][contract.ids["ben"]].says


def test_a_cap_that_is_raised_again_gives_back_what_was_entered(contract):
    cap(contract, 30)
    page = cap(contract, 55)

    assert [each.new for each in page.totals] == [0, 45, 55]
    assert contract.totals() == [0, 45, 55]


def test_more_than_the_cap_that_a_table_decided_stays(contract):
    cap(contract, 50)
    contract.save(2, contract.typed(2, ana="out", ben="20", cleo="60", sure=True))
    key = kept(contract.database, in_game(contract.pub), {"end.rounds": None, "score.out": -5})
    page = contract.database.read(read_amending, contract.pub, key)

    assert contract.totals() == [0, 65, 110]
    assert [each.new for each in page.totals][2] == 110


def test_a_hand_at_a_cap_that_is_raised_stays_and_the_page_says_so(contract):
    cap(contract, 50)
    contract.count(2, ana="out", ben="20", cleo="50")

    assert "Cleo’s in round 2" in cap(contract, 80).stays


def test_a_game_whose_cap_was_changed_before_that_was_noted_counts_as_it_did(contract):
    state = contract.state
    base = contract.database.read(read_drafted, contract.pub, new_key()).base
    facts = facts_of(state, base.played({"score.cap": 50}))

    assert all(fact.caps for fact in facts)
    older = [replace(fact, caps=False) for fact in facts]
    assert state.with_facts(older).score.results == (0, 45, 60)
