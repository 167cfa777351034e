"""The last card where it can’t be discarded: it is laid, or it stays with another one."""

import pytest

from referee import LayDown, LayOff, Moment, parse_cards, rule_on, variants
from referee.advice import advise
from referee.rulings import Code

GAMES = [
    variants.get("rummy-500").with_options({"last-card": "laid"}),
    variants.get("rummy").with_options({"last-card": "laid"}),
]
IDS = [game.slug for game in GAMES]
SEVENS = parse_cards("7C 7H 7D")


@pytest.mark.parametrize("game", GAMES, ids=IDS)
def test_it_may_be_laid_off_instead(game):
    off = LayOff(parse_cards("7S"), SEVENS, own=True, down=True, same_turn=True)
    play = LayDown(melds=(SEVENS,), layoffs=(off,), kept=())

    assert Code.NOTHING_TO_DISCARD not in rule_on(play, game).broken


@pytest.mark.parametrize("game", GAMES, ids=IDS)
def test_nothing_is_advised_that_leaves_one_card(game):
    for hand in ("7C 7H 7D KS", "7C 7H 7D 7S KS", "7C 7H 7D 8D 9D KS", "7C 7H 7D KS QS"):
        cards = parse_cards(hand)
        advice = advise(game, Moment(None), cards)
        assert len(advice.kept) != 1, hand


@pytest.mark.parametrize("game", GAMES, ids=IDS)
def test_the_referee_says_which_card_it_is_in_both_languages(game):
    for language, says in (("en", "K♠"), ("es", "K♠")):
        told = variants.in_language(game, language)
        ruling = rule_on(LayDown(melds=(SEVENS,), kept=parse_cards("KS")), told)
        assert says in told.say(next(each for each in ruling.findings if each.against))
