"""A scorepad writes down what the table decided: it asks, and what it asks is what it acts on."""

import random
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import pytest

from referee import Counts, Variant, variants
from referee.scorepad import close_choices
from tests.examples import in_turn
from tests.webapp.table import HTMX, OWN, Table
from webapp.game.hand import Hand
from webapp.game.validation import CountForm, CountRefusedError
from webapp.language import say
from webapp.ledger.ledger import new_key
from webapp.pages.counting import doubts
from webapp.pages.counting import view as count_page

NAMES = ("Rosa", "Tom", "Lucy", "Mia")
ANYTHING = ("0", "5", "48", "60", "650", "-20", "30+45", "99999")
"""What may be written into a box for points, whatever the rules say."""


def sit_down(database, slug: str, players: int = 4, more: str = "") -> Table:
    most = max(variants.get(slug).players)
    return Table(database, tuple(f"{name}{more}" for name in NAMES[: min(most, players)]), slug)


def form(hands: Mapping[int, Hand], **more) -> CountForm:
    return CountForm(hands=hands, key=new_key(), device="phone", **more)


def ask(table, typed, number=1):
    """Answer the sheet that a save shows, and what the page says of it before; saves nothing."""
    judged = table.database.read(count_page.fill_count, table.pub, number, typed)
    with pytest.raises(CountRefusedError) as refused:
        table.save(number, typed)
    return refused.value.page.asked, judged


def any_hand(rng, variant: Variant, player: int, out: set[int]) -> Hand:
    cards = " ".join(map(str, (*variant.pack.cards[:2], *variant.pack.cards[:1] * 3)))
    alone = not (variant.bonuses or variant.aside or variant.in_teams(4))
    asks_nothing = variant.pad.counts is Counts.NONE
    left = cards if rng.random() < 0.1 and variant.names_cards else rng.choice(ANYTHING)
    return Hand(
        left="" if asks_nothing or (alone and player in out and rng.random() < 0.6) else left,
        out=player in out,
        made=rng.random() < 0.5,
        base=0,
        table=rng.choice(ANYTHING) if variant.pad.asks_table else "",
        bonus={kind.name: rng.choice((0, 1, 3)) for kind in variant.bonuses},
        aside=rng.choice((0, 1, 9)) if variant.aside else 0,
        reserve=rng.random() >= 0.4,
    )


def any_round(rng, table: Table, variant: Variant) -> CountForm:
    players = [*table.ids.values()]
    out = set(rng.sample(players, rng.choice((0, 1, 1, 1, 2))))
    shows = variant.close and rng.random() < 0.3
    shown = variant.pack.cards[: variant.hand_at(1)] if shows else ()
    return form(
        {player: any_hand(rng, variant, player, out) for player in players},
        close=rng.choice([choice.key for choice in close_choices(variant)] or [""]),
        shown=" ".join(map(str, shown)),
        turned=str(variant.pack.cards[0]) if variant.turning else "",
        nobody=not out and (variant.pad.counts is Counts.NONE or rng.random() < 0.3),
    )


def written(table, typed) -> list[int]:
    """What a game in which everyone keeps what they have left makes of a form, at once."""
    return [sum(map(int, re.findall("-?[0-9]+", line.left))) for line in typed.hands.values()]


@pytest.mark.parametrize("variant", in_turn(variants.all()), ids=lambda variant: variant.slug)
def test_nothing_that_the_rules_speak_against_keeps_a_round_from_being_saved(
    database, client, variant
):
    rng = random.Random(variant.slug)
    table = sit_down(database, variant.slug)
    asked_of = 0
    for number in range(12):
        typed = any_round(rng, table, variant)
        judged = database.read(count_page.fill_count, table.pub, 1, typed)
        if judged.kind == "doubt":
            asked, judged = ask(table, typed)
            page = client.get(f"/g/{table.pub}/rounds/1", headers=HTMX).text
            there = {*re.findall(r'id="([^"]+)"', page)}
            ids = [each.box.id for each in asked.boxes]
            assert set(judged.odd) == set(ids) <= there
            assert asked.target == ids[0]
            assert asked.reasons
            asked_of += 1
        else:
            assert judged.kind == "in", (judged.says, typed)

        table.save(1, replace(typed, sure=True, key=new_key()))

        rows = table.pad.rows
        assert rows[0].complete
        assert table.pad.problems == ()
        if not typed.shown and re.search("own_deadwood", str(variant.settle)):
            knows = [line.left for line in typed.hands.values()]
            if all(re.fullmatch("[-+0-9]*", left) for left in knows) and not variant.close:
                assert table.totals() == written(table, typed), typed
        table = sit_down(database, variant.slug, more=f" {number}")
    assert asked_of


class Odd(NamedTuple):
    """One hand that is odd, among others that aren't, and what should be asked about it."""

    slug: str
    fine: str
    """What everyone else has: as `hand` takes it."""
    odd: str
    field: str
    heading: str
    save: str
    change: str
    out: str = "out"
    """What somebody else has who went out; empty if that is the odd hand itself."""
    more: Mapping[str, str] = {}

    def __str__(self) -> str:
        return f"{self.slug} {self.odd}"


NUMBER = ("Save with {value}", "Change {name}’s {value}")
KINDS = [
    # Points: too much, no sum of cards, nothing, less than nothing, and left with who is out.
    Odd("mexican-rummy", "60", "650", "left", "{name} has 650 in hand?", *NUMBER),
    Odd("mexican-rummy", "60", "48", "left", "{name} has 48 in hand?", *NUMBER),
    Odd("mexican-rummy", "60", "0", "left", "{name} has 0 in hand?", *NUMBER),
    Odd("mexican-rummy", "60", "-20", "left", "{name} has −20 in hand?", *NUMBER),
    Odd("mexican-rummy", "60", "out 30", "left", "{name} has 30 in hand?", *NUMBER, out=""),
    Odd("mexican-rummy", "60", "300+350", "left", "{name} has 650 in hand?", *NUMBER),
    # Tiles.
    Odd("rummikub", "20", "999", "left", "{name} has 999 on the rack?", *NUMBER),
    Odd("rummikub", "20", "0", "left", "{name} has 0 on the rack?", *NUMBER),
    # Cards: of too many of them, too few, and a hand that was knocked with too much.
    Odd(
        "remigio", "10", "500", "left", "{name} has 500 in hand?", *NUMBER, more={"close": "closed"}
    ),
    Odd(
        "remigio", "10", "4S 5S", "left", "{name} has 9 in hand?", *NUMBER, more={"close": "closed"}
    ),
    Odd("gin-rummy", "20", "out 40", "left", "{name} has 40 in hand?", *NUMBER, out=""),
    Odd(
        *("remigio", "10", "out", "close", "{name} closed like this?"),
        *("Save anyway", "Change how {name} closed", ""),
        {"shown": "4S 4H 4D"},
    ),
    # Laid and left.
    Odd("500-rum", "30/20", "999/20", "table", "{name} laid 999?", *NUMBER, out="60/out"),
    Odd("500-rum", "30/20", "30/700", "left", "{name} has 700 in hand?", *NUMBER, out="60/out"),
    Odd("500-rum", "30/20", "-15/20", "table", "{name} laid −15?", *NUMBER, out="60/out"),
    Odd("500-rum", "30/20", "60/out 5", "left", "{name} has 5 in hand?", *NUMBER, out=""),
    # Phases: too little for a whole hand, and out without having made it.
    Odd("eleven-phases", "60", "45", "left", "{name} has 45 in hand?", *NUMBER, out="out made"),
    Odd(
        *("eleven-phases", "60", "out", "made", "{name} didn’t make it?"),
        *("Save anyway", "Change it for {name}", ""),
    ),
]
VALUES = {"300+350": "650", "4S 5S": "9"}


def hand(text: str, **more) -> Hand:
    """A hand of "45", "out 30", "60/15" (on the table and in hand), "made 20"."""
    table, _, left = text.rpartition("/")
    return Hand(
        left=re.sub("out|made", "", left).strip(),
        table=table,
        out="out" in text,
        made="made" in text,
        **more,
    )


@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_what_is_asked_names_and_changes_the_very_box_that_is_odd(database, kind, place):
    table = sit_down(database, kind.slug)
    players = [*table.ids.values()]
    place %= len(players)
    who, name = players[place], NAMES[place]
    lines = {player: hand(kind.fine) for player in players}
    if kind.out:
        lines[players[place - 1]] = hand(kind.out)
    lines[who] = hand(kind.odd)

    asked, judged = ask(table, form(lines, **kind.more))

    box = "close-how" if kind.field == "close" else f"{kind.field}-{who}"
    assert ([each.box.id for each in asked.boxes], asked.target) == ([box], box)
    assert judged.odd == (box,)
    figure = re.sub("out|made", "", kind.odd.split("/")[kind.field != "table" and -1]).strip()
    value = VALUES.get(figure, figure).replace("-", "−")
    assert asked.heading == kind.heading.format(name=name)
    assert asked.save == kind.save.format(value=value)
    assert asked.change == kind.change.format(name=name, value=value)


TEAM = [
    Odd("canasta", "20", "93", "left", "{name} have 93 in hand?", *NUMBER),
    Odd("canasta", "20", "−5", "left", "{name} have −5 in hand?", *NUMBER),
    Odd("canasta", "180", "182", "table", "{name} melded 182?", *NUMBER),
    Odd("canasta", "180", "40", "table", "{name} melded 40?", *NUMBER),
    Odd("canasta", "0", "9", "aside", "Red 3s: 9 for {name}?", *NUMBER),
    Odd("canasta", "1", "0", "out", "{name} went out?", "Save anyway", "Change who went out"),
]
FIELDS = {"table": "180", "left": "20", "aside": "0", "bonus.natural": "0"}


@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("kind", TEAM, ids=str)
def test_what_is_asked_of_a_team_names_and_changes_its_own_box(database, kind, place):
    table = sit_down(database, "canasta")
    players = [*table.ids.values()]
    who, first = players[place], players[place % 2]
    teams = {players[0]: "Rosa and Lucy", players[1]: "Tom and Mia"}
    lines = {}
    for player in players:
        said = FIELDS | {"bonus.natural": "1"}
        if player == first:
            said[{"out": "bonus.natural"}.get(kind.field, kind.field)] = kind.odd
        lines[player] = hand(
            f"{said['table']}/{said['left']}",
            aside=int(said["aside"]),
            bonus={"natural": int(said["bonus.natural"])},
        )
    if kind.field == "out":
        lines[who] = replace(lines[who], out=True)
    else:
        lines[players[place - 1]] = replace(lines[players[place - 1]], out=True)

    asked, judged = ask(table, form(lines))

    box = f"out-{who}" if kind.field == "out" else f"{kind.field}-{first}"
    assert ([each.box.id for each in asked.boxes], asked.target) == ([box], box)
    assert judged.odd == (box,)
    named = {"name": teams[first], "value": kind.odd}
    assert asked.heading == kind.heading.format(**named)
    assert asked.save == kind.save.format(**named)
    assert asked.change == kind.change.format(**named)


def test_of_two_odd_boxes_both_are_named_and_each_has_a_row(table):
    asked, _ = ask(table, table.typed(1, ana="out", ben="48", cleo="650"))

    ben, cleo = table.ids["ben"], table.ids["cleo"]
    assert asked.heading == "Ben 48 and Cleo 650?"
    assert asked.save == "Save with 48 and 650"
    assert (asked.change, asked.target) == ("Change Ben’s 48", f"left-{ben}")
    rows = [(each.box.id, each.box.name, each.box.value, each.field_says) for each in asked.boxes]
    assert rows == [
        (f"left-{ben}", "Ben", "48", "in hand"),
        (f"left-{cleo}", "Cleo", "650", "in hand"),
    ]
    assert [says.partition(":")[0] for says in asked.reasons] == ["Ben", "Cleo"]


def test_from_three_odd_boxes_on_they_are_counted(table):
    asked, _ = ask(table, table.typed(1, ana="out 30", ben="48", cleo="650"))

    assert (asked.heading, asked.save) == ("3 odd scores?", "Save anyway")
    assert len(asked.boxes) == 3


def test_a_box_is_odd_before_the_others_are_filled(table):
    typed = table.typed(1, ana="", ben="650", cleo="")

    judged = table.database.read(count_page.fill_count, table.pub, 1, typed)

    assert judged.odd == (f"left-{table.ids['ben']}",)
    assert (judged.kind, judged.asks) == ("wait", "")


def test_what_is_only_odd_can_be_saved_and_no_other_phone_is_spoken_of(table):
    typed = table.typed(1, ana="out", ben="650", cleo="48")

    judged = table.database.read(count_page.fill_count, table.pub, 1, typed)

    assert (judged.kind, judged.says) == ("doubt", say("count.can-save"))


def test_the_page_has_the_box_the_buttons_and_the_mark(client, table):
    ben = table.ids["ben"]
    typed = {f"left-{player}": "60" for player in table.ids.values()}
    typed |= {f"left-{ben}": "650", "out": table.ids["ana"], f"left-{table.ids['ana']}": ""}

    answer = client.post(
        f"/g/{table.pub}/rounds/1", data=typed | {"key": new_key()}, headers=OWN | HTMX
    )

    assert re.search(f'data-odd>(?:(?!data-odd).)*id="left-{ben}"', answer.text, re.DOTALL)
    assert answer.text.count("data-odd") == 1
    assert f'name="change" value="left-{ben}">Change Ben’s 650<' in answer.text
    back = client.post(
        f"/g/{table.pub}/rounds/1",
        data=typed | {"key": new_key(), "change": f"left-{ben}"},
        headers=OWN | HTMX,
    )
    assert re.search(f'id="left-{ben}"[^>]* autofocus', back.text)
    assert back.text.count("autofocus") == 1


def test_if_the_boxes_were_named_for_the_next_player_it_would_show(database, monkeypatch):
    """The twin: what was wrong once, a button that names one player and changes another."""

    def next_one(self, player, field):
        players = [*self.hands]
        found = real(self, players[(players.index(player) + 1) % len(players)], field)
        return replace(found, name=self.called(player))

    real = doubts.Doubts._box
    monkeypatch.setattr(doubts.Doubts, "_box", next_one)
    for kind in (KINDS[0], KINDS[-2]):
        with pytest.raises(AssertionError):
            test_what_is_asked_names_and_changes_the_very_box_that_is_odd(database, kind, 1)
