"""What the form calls the fields of a description, and what is wrong with one, in those words."""

import re
from collections.abc import Mapping
from typing import Any, Final

from referee.describing import BARE, BY_PATH, STEPS, Complaint, kinds, label
from webapp.services.wording import capital

_FIELDS: Final = {
    "wild.cards": "Which cards are wild",
    "wild.when": "In which rounds cards are wild",
    "wild.in": "In which melds wilds stand",
    "wild.adjacent": "Wilds side by side",
    "run.around": "Runs round the corner",
    "contract.same-rank-sets": "Two sets of one rank",
    "opening.wilds": "What a wild counts in the first melds",
    "opening.then-table": "The table after the first melds",
    "rearrange.whose": "Whose melds may be rearranged",
    "rearrange.retrieval": "When a wild leaves its meld",
    "rearrange.replacement": "What takes the place of a wild",
    "rearrange.from": "Where that comes from",
    "rearrange.group-of-three": "A wild in a set of three",
    "rearrange.goes": "Where a wild goes that was taken",
    "hand.announce": "Whether it counts what was said",
    "hand.last-turn": "One more turn for the others",
    "layoff.when": "When cards are laid off",
    "layoff.onto": "On whose melds cards are laid off",
    "layoff.wilds": "On whose melds wilds are laid off",
    "swap.who": "Who may take a wild out of a meld",
    "draw.pile": "What is drawn",
    "draw.top-free": "Whether the top card alone may be kept",
    "buy.extra": "Cards taken with a discard out of turn",
    "buy.limit": "How often one may ask for the discard",
    "buy.down": "Whether who is down may ask for the discard",
    "out.discard": "The last card of who goes out",
    "out.dry": "What happens when the stock is used up",
    "score.hand": "What cards cost",
    "score.wild": "What a wild costs",
    "score.in-run": "What cards score in a run",
    "score.low-ace": "What an ace below the two scores",
    "score.wilds-alone": "What wilds score in a set of their own",
    "score.settle": "How a round is settled",
    "score.cap": "The most that a hand costs",
    "score.out": "What who goes out gets",
    "score.at-once": "How often going out all at once counts",
    "end.leads": "Which total wins",
    "end.rounds": "How many rounds there are",
    "end.total": "The total that ends the game",
    "end.eliminated": "The total at which a player is out",
    "end.open": "No end but the table’s own",
    "end.several": "Who wins where several come there at once",
    "end.tie": "Who wins where it is level",
    "end.bonus": "What is added at the end",
    "clock.seconds": "How long a turn lasts",
    "clock.penalties": "What it costs to take longer",
}
"""Titles of fields whose meaning in the schema is said for who writes a file."""
_USUAL: Final = {
    ("wild.when", "always"): "They are wild in every round.",
    ("contract.run-suits", "any"): "The runs of one contract may be of the same suit.",
    ("hand.melds-count", "always"): "What is in melds never counts.",
    ("layoff.wilds", "all"): "Wilds may be laid off on any meld.",
    ("end.several", "best"): "Where several come there at once, the best total wins.",
}
"""Values that go without saying in a rulebook, and not where one chooses."""
TITLES: Final = {
    "set": "There are sets",
    "run": "There are runs",
    "flush": "There are flushes",
    "wild": "Some cards are wild",
    "opening": "Your first melds need points",
    "rearrange": "Melds on the table can be rearranged",
    "layoff": "You can lay off cards",
    "swap": "Wilds on the table can be taken",
    "buy": "You can ask for a discard out of turn",
    "clock": "Turns are timed",
    "contract": "Each round asks for melds, a contract",
    "free": BARE["free"][1].rstrip("."),
    "hand": "Melds stay in hand until somebody shows them all",
    "claim": BARE["claim"][1].rstrip("."),
}
"""What it says in a few words that a table is there."""
_PATH: Final = re.compile(r"“?\b([a-z]+\.[a-z-]+(?:\.[a-z0-9-]+)*)\b”?")
_TABLE: Final = re.compile(r"\[([a-z]+)\]")
_QUOTED: Final = re.compile(r"“([^“”]+)”")
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


def in_words(draft: Mapping[str, Any], complaint: Complaint) -> str:
    """What is wrong, with fields, tables, house rules and values by what the form calls them."""
    says = _TABLE.sub(lambda found: f"“{_table(found[1])}”", complaint.says)
    says = _QUOTED.sub(lambda found: f"“{_quoted(draft, complaint.path, found[1])}”", says)
    return _PATH.sub(lambda found: _path(found[0], found[1]), says)


def say(draft: Mapping[str, Any], complaint: Complaint) -> str:
    """What is wrong with a draft, and where, in a line of its own."""
    at = where(draft, complaint.path)
    if not at and BY_PATH.get(complaint.path):
        at = title_of(complaint.path)
    says = in_words(draft, complaint)
    return f"{at}: {says}" if at else says


def where(draft: Mapping[str, Any], path: str) -> str:
    """Where it is, where no field of a page says so: a line, or a house rule; else empty."""
    if path.startswith(f"{_RULES}."):
        return rule_title(draft, path.split(".")[1])
    line = path.replace(STEPS, "rounds", 1)
    return capital(line) if path.startswith((STEPS, "examples")) else ""


def _table(name: str) -> str:
    return TITLES.get(name, capital(name))


def _quoted(draft: Mapping[str, Any], path: str, word: str) -> str:
    """What stands in quotes: a house rule, or a value of the field that is complained of."""
    rules = draft.get(_RULES)
    if path.startswith(f"{_RULES}.") and isinstance(rules, dict) and word in rules:
        return rule_title(draft, word)
    field = BY_PATH.get(path)
    told = ""
    if field is not None and isinstance(field.kind, kinds.OneOf | kinds.Named):
        known = field.kind.words if isinstance(field.kind, kinds.OneOf) else field.kind.known
        told = label(path, word) if word in known else ""
    return told.rstrip(".") or word


def _path(written: str, path: str) -> str:
    known = ".".join(path.split(".")[:2]) in BY_PATH
    return f"“{title_of(path)}”" if known else written
