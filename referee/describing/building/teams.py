"""The rules for teams of a description: bonuses, cards face up, second hands and going out.

Each function makes one rule, or returns None if the game doesn’t have that rule.
"""

from types import MappingProxyType

from referee.describing.building.cards import cards_of, suited
from referee.describing.building.tally import NumberByPlayers
from referee.describing.description import Description
from referee.describing.sentences.book import Book
from referee.melds.bonuses import MeldBonus
from referee.pad import AsideRule, ReserveRule
from referee.rulings import MeldKind
from referee.turns.going_out import OutRule

_ONLY_WILDS = "wilds"


def team_size(game: Description) -> NumberByPlayers:
    """Return the size of a team by how many play; 1 if everyone plays alone."""
    if "teams" not in game.spec:
        return NumberByPlayers(tuple(dict.fromkeys(game.players, 1).items()))
    return NumberByPlayers(tuple(game.by_players("teams.size").items()))


def bonuses(game: Description, book: Book) -> tuple[MeldBonus, ...]:
    """Return the kinds of meld that earn a bonus, the highest first: the first that fits counts."""
    found = (
        MeldBonus(
            name=name,
            called=(said := book.bonus_noun(name)),
            title=f"{said[:1].upper()}{said[1:]}",
            points=one["points"],
            cards=one["cards"],
            of=MeldKind(one["of"]) if one.get("of", _ONLY_WILDS) != _ONLY_WILDS else None,
            only_wilds=one.get("of") == _ONLY_WILDS,
            wilds=one.get("wilds"),
            unbroken=one.get("unbroken", 0),
            ranks=frozenset(
                card
                for word in one.get("ranks", ())
                for card in cards_of(game, game.pack.select(word))
            ),
        )
        for name, one in (game.get("bonus.melds") or {}).items()
    )
    return tuple(sorted(found, key=lambda bonus: (-bonus.points, bonus.name)))


def aside(game: Description, book: Book) -> AsideRule | None:
    """Return the rule for cards that are placed face up and score; None if there are none."""
    if "aside" not in game.spec:
        return None
    return AsideRule(
        called=book.say("aside.cards"),
        cards=frozenset(suited(game, game.selected("aside.cards"))),
        each=game.get("aside.each"),
        all=game.get("aside.all"),
        minus=game.get("aside.minus"),
    )


def reserve(game: Description) -> ReserveRule | None:
    """Return the rule for second hands; None if there are none."""
    if "reserve" not in game.spec:
        return None
    return ReserveRule(
        cards=game.get("reserve.cards"),
        per_team=game.get("reserve.of") == "team",
        untaken=game.get("reserve.untaken"),
    )


def going_out(game: Description) -> OutRule | None:
    """Return what a team needs to go out, and whether its last discard can be a wild.

    Return None if it needs nothing and can discard anything last.
    """
    needs, wild, steps = game.get("out.needs"), game.get("out.wild"), game.needs_by_step
    if not needs and wild and not steps:
        return None
    return OutRule(
        needs=MappingProxyType(needs),
        wild=wild,
        by_step=MappingProxyType(dict(enumerate(map(MappingProxyType, steps), 1))),
    )
