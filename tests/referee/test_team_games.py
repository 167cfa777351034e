"""Every game played by two pairs scores as two who play alone, if their partners hold nothing."""

from random import Random

import pytest

from referee import variants
from referee.scorepad import HandRecord, keep_score
from referee.variant import Variant
from tests.examples import examples

GAMES = [game for game in variants.all() if {2, 4} <= set(game.players)]
CLOSES = [None, "outright", "closed", "colour", "big-gin"]


def in_teams(game: Variant, size: int) -> Variant:
    """A game in which four play in teams of such a size."""
    sizes = {str(players): size if players == 4 else 1 for players in game.players}
    by_hand = game.pad.pairs > 1 or game.pad.penalty is not None
    own = {"/teams.melds": "own"} if by_hand else {}
    return game.with_options({"/teams.size": sizes, **own})


def a_round(game: Variant, random: Random) -> list[HandRecord]:
    """What two players wrote down, true or not."""
    out = random.choice([0, 1, None])
    return [
        HandRecord(
            out=seat == out,
            left=None if seat == out else 5 * random.randint(1, 20),
            table=5 * random.randint(7, 60),
            made=True if seat == out else random.choice([None, True, False]),
            close=random.choice(CLOSES) if seat == out else None,
            bonus={kind.name: random.randint(0, 2) for kind in game.bonuses},
            aside=random.randint(0, 3),
            reserve=random.random() < 0.8,
        )
        for seat in range(2)
    ]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_two_pairs_score_as_two_who_play_alone(game):
    random, nothing = Random(game.slug), HandRecord(left=0)
    for _ in range(examples(100)):
        rounds = [a_round(game, random) for _ in range(random.randint(1, 5))]
        two = keep_score(in_teams(game, 1), 2, rounds, 1)
        four = keep_score(in_teams(game, 2), 4, [[*line, nothing, nothing] for line in rounds], 3)

        assert four.points == tuple(points * 2 for points in two.points)
        for name in ("totals", "bonus", "games_won", "places"):
            assert getattr(four, name) == getattr(two, name) * 2
        assert four.over == two.over
        assert four.winners == (*two.winners, *(seat + 2 for seat in two.winners))
