"""Asking for advice as the tests do: hands that can be laid, and what the page says of them."""

import re

from referee import variants

HANDS = {
    "mexican-rummy": "7C 7D 7H 4D 5D 2S 7D KD KH AC 8H",
    "eleven-phases": "7 7 7 8 8 8 9 K K A 3",
    "rummikub": "R10 B10 K10 R4 O13",
    "remigio": "AH 2H 3H 4H 7C 7D 7S KS KH KD 9D",
    "rummy-500": "4D 5D 6D KS KH KD 9D",
}
STEPS = {"mexican-rummy": "2"}
FIVE = [variants.get(slug) for slug in HANDS]
"""The games that pages are read of at length; of the others each page is read once."""


def advise(client, slug, status=200, address="", **question):
    fields = {name.replace("_", "-"): text for name, text in question.items()}
    fields.setdefault("step", STEPS.get(slug, "1"))
    address = address or f"/desk/{slug}/advice"
    answer = client.get(address, query_string={"put": "1", **fields})
    assert answer.status_code == status, answer.text
    return answer.text


def found(page):
    """Whether a play was found; None where none was looked for."""
    match = re.search(r'id="found" data-legal="(\w+)"', page)
    return match and match[1] == "yes"


def follow(client, page):
    """Put the play that was found to the referee."""
    (link,) = re.findall(r'id="rule" href="([^"]+)"', page)
    ruling = client.get(link.replace("&amp;", "&"))
    assert ruling.status_code == 200
    return re.search(r'data-legal="(\w*)"', ruling.text)[1]
