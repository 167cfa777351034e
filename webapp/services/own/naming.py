"""What pages call the fields of a description, and where something is wrong in one."""

import re
from collections.abc import Mapping
from typing import Any, Final

from referee.describing import BY_PATH, STEPS, Complaint
from webapp.services.wording import capital

_FIELDS: Final = {
    "pack.kind": "Which deck",
    "pack.copies": "Decks",
    "pack.jokers": "Jokers in the deck",
    "pack.remove": "Cards left out",
    "pack.ignore-suits": "Play without suits",
    "pack.special": "Special cards",
    "deal.cards": "Cards dealt",
    "deal.upcard": "A card is turned up at the deal",
    "deal.direction": "Direction of play",
    "set.min": "Smallest set",
    "set.max": "Largest set",
    "set.suits": "Suits in a set",
    "run.min": "Shortest run",
    "run.max": "Longest run",
    "run.ace": "The ace in a run",
    "run.around": "Around the corner",
    "run.one-suit": "All cards of a run have the same suit",
    "flush.min": "Flushes",
    "wild.cards": "Wild cards",
    "wild.when": "Rounds with wild cards",
    "wild.in": "Melds with wild cards",
    "wild.natural": "A wild in its own place",
    "wild.naturals": "Natural cards in a meld",
    "wild.most": "Most wilds in a meld",
    "wild.adjacent": "Wilds side by side",
    "wild.outnumber": "More wilds than natural cards",
    "wild.alone": "Sets of only wilds",
    "wild.set": "Wilds in sets",
    "wild.run": "Wilds in runs",
    "contract.pace": "Moving on to the next contract",
    "contract.extra-melds": "Melds beyond the contract",
    "contract.same-rank-sets": "Sets of the same rank",
    "contract.split-runs": "One long run laid as two",
    "contract.run-suits": "Suits of the runs",
    "free.first-naturals": "Natural cards in your first melds",
    "opening.points": "Points for your first melds",
    "opening.wilds": "Wilds in your first melds",
    "opening.then-table": "The table on the turn you open",
    "rearrange.whose": "Melds you can rearrange",
    "rearrange.draw": "When you draw",
    "rearrange.retrieval": "When a wild can leave its meld",
    "rearrange.replacement": "What replaces a wild",
    "rearrange.from": "Where the replacement comes from",
    "rearrange.group-of-three": "A wild in a set of 3",
    "rearrange.goes": "Where a wild you took goes",
    "hand.knock": "Points left to knock",
    "hand.spades-twice": "Spades count twice",
    "hand.knock-cards": "Cards left to knock",
    "hand.needs": "Melds a hand needs",
    "hand.melds-count": "When melds save points",
    "hand.times": "How often a hand counts",
    "hand.announce": "Saying what you have",
    "hand.special": "Special hands",
    "hand.last-turn": "One more turn for the others",
    "layoff.when": "When you can lay off",
    "layoff.onto": "Where you can lay off",
    "layoff.counted": "The pad lays off for you",
    "layoff.wilds": "Laying off wilds",
    "swap.who": "Taking a wild from a meld",
    "draw.pile": "Drawing",
    "draw.top-free": "Keeping the top discard",
    "buy.extra": "Extra cards with a discard out of turn",
    "buy.limit": "How often you can ask for a discard",
    "buy.down": "Asking for a discard once you’re down",
    "out.discard": "The last card",
    "out.dry": "When the stock runs out",
    "score.hand": "Cards left in hand",
    "score.wild": "A wild left in hand",
    "score.table": "Cards on the table",
    "score.in-run": "Cards in a run",
    "score.low-ace": "An ace below the 2",
    "score.wilds-alone": "Wilds in a set of only wilds",
    "score.settle": "Scoring a round",
    "score.cap": "Most points in a round",
    "score.out": "A bonus for going out",
    "score.at-once": "Going out all at once",
    "score.fixed": "Fixed scores",
    "end.leads": "Who wins",
    "end.rounds": "Number of rounds",
    "end.total": "Target score",
    "end.eliminated": "Total that puts a player out",
    "end.open": "No fixed end",
    "end.several": "Several players reach the end together",
    "end.tie": "A tie",
    "end.bonus": "Bonuses at the end",
    "points.target": "Target",
    "points.dealer": "Dealing",
    "clock.seconds": "Turn timer",
    "clock.penalties": "Penalties when time runs out",
}
"""What fields are called on a page."""
_USUAL: Final = {
    ("wild.when", "always"): "They’re wild in every round.",
    ("contract.run-suits", "any"): "The runs of a contract can have the same suit.",
    ("hand.melds-count", "always"): "Cards in melds never count.",
    ("layoff.wilds", "all"): "You can lay off wilds on any meld.",
    ("end.several", "best"): "If several players get there together, the best total wins.",
    ("deal.upcard", "true"): "A card is turned up to start the discard pile.",
    ("deal.upcard", "false"): "No card is turned up.",
    ("run.one-suit", "true"): "All cards of a run have the same suit.",
    ("run.one-suit", "false"): "A run can mix suits.",
    ("pack.ignore-suits", "false"): "Suits count.",
    ("wild.outnumber", "true"): "A meld can have more wilds than natural cards.",
    ("wild.alone", "false"): "A set needs natural cards.",
    ("layoff.counted", "true"): "The pad lays off on the hand that closed.",
    ("layoff.counted", "false"): "Players lay off for themselves.",
    ("hand.spades-twice", "false"): "Spades don’t count twice.",
    ("hand.last-turn", "false"): "The others have no more turns.",
    ("end.open", "false"): "The game has an end.",
    ("buy.down", "true"): "You can ask for a discard once you’re down.",
}
"""Values that go without saying in a rulebook, and not where one chooses."""
TITLES: Final = {
    "set": "Sets",
    "run": "Runs",
    "flush": "Flushes: cards of the same suit",
    "wild": "Some cards are wild",
    "opening": "Your first melds need points",
    "rearrange": "Melds on the table can be rearranged",
    "layoff": "You can lay off cards",
    "swap": "Wilds on the table can be taken",
    "buy": "You can ask for a discard out of turn",
    "clock": "Turns are timed",
    "contract": "Each round has a contract",
    "free": "Lay down any melds on your turn",
    "hand": "Melds stay in hand until a player shows them all",
    "claim": "You can claim a discard that fits a meld on the table",
}
"""What it says in a few words that a table is there."""
_RULES: Final = "options"


def title_of(path: str) -> str:
    """What a field is about, in a few words: deeper in it, with what stands there."""
    *table, name = path.split(".")[:2]
    field = BY_PATH.get(".".join([*table, name]))
    if field is None:
        return capital(path.replace(".", ": ").replace("-", " "))
    means = re.split("[;:]", field.means)[0] or field.name.replace("-", " ")
    title = _FIELDS.get(field.path) or capital(means)
    deeper = " ".join(path.split(".")[2:]).replace("-", " ")
    return f"{title}: {deeper}" if deeper else title


def usual(path: str, word: str) -> str:
    """What a value means that no rulebook tells; empty where one does."""
    return _USUAL.get((path, word), "")


def rule_title(draft: Mapping[str, Any], name: str) -> str:
    """What a house rule of a draft is called."""
    said: Any = draft.get("text")
    for word in (_RULES, name, "title"):
        said = said.get(word) if isinstance(said, dict) else None
    return said if isinstance(said, str) else capital(name.replace("-", " "))


def say(draft: Mapping[str, Any], complaint: Complaint) -> str:
    """What is wrong with a draft, and where, in a line of its own."""
    at = where(draft, complaint.path)
    if not at and BY_PATH.get(complaint.path):
        at = title_of(complaint.path)
    return f"{at}: {complaint.says}" if at else complaint.says


def where(draft: Mapping[str, Any], path: str) -> str:
    """Where it is, where no field of a page says so: a line, or a house rule; else empty."""
    if path.startswith(f"{_RULES}."):
        return rule_title(draft, path.split(".")[1])
    line = path.replace(STEPS, "rounds", 1)
    return capital(line) if path.startswith((STEPS, "examples")) else ""
