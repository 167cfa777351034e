"""The pages of a game speak of what it is played with: tiles on a rack, or cards in a hand."""

import html
import re

import pytest

from tests.nouns import out_of_place
from tests.webapp.advice import FIVE, HANDS, STEPS

pytestmark = pytest.mark.slow

HOPELESS = {"rummikub": "R1 B4 K8", "eleven-phases": "A 3 5"}
PAGES = [
    "/rules/{slug}",
    "/print/{slug}",
    "/desk/{slug}",
    *(f"/desk/{{slug}}?ask={ask}" for ask in ("rearrange", "laydown", "layoff", "close", "meld")),
    "/desk/{slug}?ask=meld&cards={hand}",
    "/desk/{slug}?ask=meld&cards=nonsense",
    "/desk/{slug}?ask=laydown&meld-1={hand}&off-1={hand}&onto-1={hand}",
    "/desk/{slug}?ask=rearrange&after-1={hand}",
    "/desk/{slug}/advice",
    "/desk/{slug}/advice?put=1&step={step}",
    "/desk/{slug}/advice?put=1&step={step}&hand={hand}",
    "/desk/{slug}/advice?put=1&step={step}&hand={hopeless}",
    "/desk/{slug}/advice?put=1&step={step}&not-opened=1&hand={hand}",
]


@pytest.mark.parametrize("variant", FIVE, ids=lambda variant: variant.slug)
def test_no_page_of_a_game_speaks_of_another(client, variant):
    slug = variant.slug
    hopeless = HOPELESS.get(slug, "3C 5D 7H")
    step = STEPS.get(slug, "1")
    for address in PAGES:
        page = client.get(address.format(slug=slug, hand=HANDS[slug], hopeless=hopeless, step=step))
        assert page.status_code in {200, 422}, address

        assert out_of_place(variant, seen(page.text)) == set(), address


def seen(page):
    """Give all that is read on a page, or read out."""
    page = re.sub(r"(?s)<(script|style)\b.*?</\1>", "", page)
    labels = re.findall(r'(?:aria-label|placeholder|data-which)="([^"]*)"', page)
    return [html.unescape(text) for text in (*re.split(r"<[^>]+>", page), *labels)]
