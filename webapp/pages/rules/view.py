"""The leaflet of a game’s rules: chapters of sentences, with a few melds drawn."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from referee import Basis, Card, Clause, Moment, ShowMeld, Variant, rule_on
from referee.describing import LINES, Description, Line, chapters_of, glance
from webapp.language import say
from webapp.own_games.check import tried
from webapp.pages.rules.variants import variants_of
from webapp.text.formatting import uncapital

_REMEMBERED: Final = 64
_TOGETHER: Final = 190
"""The most characters of sentences in one paragraph: 5 lines on a phone."""
_Rule: TypeAlias = tuple[Clause, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class DrawnMeld:
    """A meld to draw, with the referee’s ruling."""

    cards: tuple[Card, ...]
    wild: frozenset[int]
    """The positions of the meld’s wild cards, from 0."""
    is_legal: bool
    says: str


class Paragraph(NamedTuple):
    """Sentences that are read as one, and what a tap on them shows."""

    clauses: tuple[Clause, ...]
    others: tuple[str, ...] = ()
    """The sentences of the house rules by which some tables play it differently."""

    @property
    def source(self) -> str:
        """The source of the sentences."""
        return " ".join(filter(None, map(_source, self.clauses)))


@dataclass(frozen=True, slots=True)
class LeafletChapter:
    """A chapter of the leaflet."""

    anchor: str
    title: str
    rules: tuple[_Rule, ...]
    """Its sentences, each with that of house rules by which some tables play it differently."""
    fine_print: tuple[_Rule, ...]
    """Sentences that players take for granted, but that the referee cites."""
    shown: tuple[DrawnMeld, ...]

    @property
    def paragraphs(self) -> tuple[Paragraph, ...]:
        """Its sentences; short ones that everybody plays the same way share a paragraph."""
        return _together(self.rules)


@dataclass(frozen=True, slots=True)
class Leaflet:
    """A game’s rules as a page to read: chapters of sentences, with a few melds drawn."""

    glance: tuple[tuple[Line, str], ...]
    """A few lines, each with the anchor of its rule."""
    prices: tuple[tuple[str, int | str], ...]
    chapters: tuple[LeafletChapter, ...]

    @property
    def fine_print(self) -> tuple[tuple[str, Paragraph], ...]:
        """The small print: each chapter’s paragraphs, the first one with its title."""
        return tuple(
            ("" if at else chapter.title, each)
            for chapter in self.chapters
            for at, each in enumerate(_together(chapter.fine_print))
        )


@lru_cache(maxsize=_REMEMBERED)
def read_book(variant: Variant) -> Leaflet:
    """Return the leaflet of a game with its house rules."""
    anchors = anchors_of(variant)
    others = variants_of(variant)
    drawn = drawn_in(variant)
    return Leaflet(
        at_a_glance(variant),
        prices(variant),
        tuple(
            LeafletChapter(
                anchors[title],
                title,
                tuple((one, others.get(one.id, ())) for one in clauses if not one.fine_print),
                tuple((one, others.get(one.id, ())) for one in clauses if one.fine_print),
                drawn.get(title, ()),
            )
            for title, clauses in variant.rulebook.sections()
        ),
    )


def _together(rules: Iterable[_Rule]) -> tuple[Paragraph, ...]:
    found: list[Paragraph] = []
    room = 0
    for clause, others in rules:
        # A tap shows something about one sentence, and the mark for what isn’t checked is about one
        # too.
        unruled = clause.basis is Basis.TABLE
        before = found.pop().clauses if len(clause.says) <= room and not unruled else ()
        room = (room if before else _TOGETHER) - len(clause.says)
        found.append(Paragraph((*before, clause), others))
        room = 0 if others or unruled else room
    return tuple(found)


def _source(clause: Clause) -> str:
    return say("rules.from", clause.basis.value, place=clause.place).strip()


def prices(variant: Variant) -> tuple[tuple[str, int | str], ...]:
    """Return the values of cards left in hand; cards that count their number share a line."""
    found: list[tuple[str, int | str]] = []
    first, face = "", variant.speaker.catalogue.say("values.face")
    last, after = _last_shown(variant)
    for each in variant.value_classes(None):
        label, (low, _, high) = each.label, each.label.partition("–")
        if first and high and low == last:
            # A 10 counts its number, so the rules say it that way, and the other cards with it
            # count 10.
            found[-1] = (f"{first}–{last}", face)
            label = "–".join(dict.fromkeys([after, high]))
        if label != str(each.points):
            first = ""
        elif first:
            found[-1] = (f"{first}–{label}", face)
            continue
        else:
            first = label
        found.append((label, each.points))
    return tuple(found)


def _last_shown(variant: Variant) -> tuple[str, str]:
    """Return the last card that counts its number, as the rules write it, and the one after it."""
    game = _described(variant)
    values = game.get("score.hand") or {}
    shown = [word for word, points in values.items() if points == "face"]
    ranks = game.pack.ranks
    last = shown[0].rpartition("-")[2] if shown else ""
    return last, ranks[ranks.index(last) + 1] if last in ranks[:-1] else ""


def _described(variant: Variant) -> Description:
    return Description({**json.loads(variant.form), "text": dict(variant.names)})


@lru_cache(maxsize=_REMEMBERED)
def at_a_glance(variant: Variant, most: int = LINES) -> tuple[tuple[Line, str], ...]:
    """Return a game in up to `most` lines, each with the anchor of its rule."""
    words = variant.names.get("words", {})
    wild = words.get("wild", "") if isinstance(words, dict) else ""
    lines = glance(_described(variant), variant.words.contract, wild, variant.language, most)
    return tuple((line, variant.rulebook.cited(line.clause).id) for line in lines)


def what_it_has(variant: Variant) -> str:
    """Return what sets a game apart, in a line: "11 cards each · 10 contracts · Wild: Jokers"."""
    lines = {line.clause: line for line, _ in at_a_glance(variant)}
    melds = next(lines[kind] for kind in ("contracts", "set", "run", "flush") if kind in lines)
    wild, winner = lines["wild"], at_a_glance(variant)[-1][0]
    dealt = lines["deal"].says.partition(",")[0]  # whether a card is turned up tells few apart
    has = [dealt, melds.says, f"{wild.name}:\u00a0{uncapital(wild.says)}"]
    if "rearrange" in lines:
        has.append(uncapital(lines["rearrange"].says))
    if not variant.contracts:
        # With contracts, the lowest total wins nearly everywhere.
        has.append(uncapital(winner.says))
    if _described(variant).get("pack.ignore-suits"):
        has.append(say("rules.no-suits"))
    if variant.climbs_alone:
        has.append(say("rules.until-made", contract=variant.words.contract))
    return " · ".join(has)


@lru_cache(maxsize=_REMEMBERED)
def anchors_of(variant: Variant) -> Mapping[str, str]:
    """Return the anchors of chapters by title: the same in all languages, so that links work."""
    return anchors_in(_described(variant), variant.language)


def anchors_in(game: Description, spoken: str) -> Mapping[str, str]:
    """Return the anchors of a description’s chapters, by their titles in a language."""
    usual = chapters_of(
        Description({key: each for key, each in game.spec.items() if key != "text"})
    )
    return {
        title: "c-" + re.sub("[^a-z]+", "-", usual[clause].lower())
        for clause, title in chapters_of(game, spoken).items()
    }


@lru_cache(maxsize=_REMEMBERED)
def drawn_in(
    variant: Variant, before: Variant | None = None
) -> Mapping[str, tuple[DrawnMeld, ...]]:
    """Return, by chapter title, a meld, cards that aren’t one, and a meld with a wild.

    While rules are changed, they are the melds of the game `before`, with new rulings.
    """
    before = before if before and before.pack == variant.pack else variant
    called = chapters_of(_described(before), before.language)
    wanted = {("set", True, False), ("set", False, False), ("wild", True, True)}
    drawn: dict[str, tuple[DrawnMeld, ...]] = {}
    for cards, step, says in _melds(before):
        shown = _ruled(before, cards, step, says)
        clause = "wild" if shown.wild else "set"
        about = (clause, shown.is_legal, bool(shown.wild))
        if about in wanted:
            wanted.remove(about)
            now = shown if before is variant else _ruled(variant, cards, step, says)
            drawn[called[clause]] = (*drawn.get(called[clause], ()), now)
    return drawn


def _melds(variant: Variant) -> Iterator[tuple[Sequence[Card], int | None, tuple[bool, str]]]:
    """Yield melds that could be drawn, each with its round and the sentence of its ruling."""
    for example in variant.examples:
        if isinstance(example.play, ShowMeld):
            yield example.play.cards, example.step, (example.is_legal, example.says)
    if not variant.examples:
        for each in tried(variant):
            cards = tuple(variant.pack.parse(each.written))
            yield cards, 1 if variant.steps else None, (each.is_legal, each.says)


def _ruled(
    variant: Variant, cards: Sequence[Card], step: int | None, before: tuple[bool, str]
) -> DrawnMeld:
    """Return a meld to draw, with the referee’s ruling in this game.

    `before` is the ruling before the rules were changed: whether it was legal, and why.
    """
    at = step if variant.has_step(step) else None
    ruling = rule_on(ShowMeld(tuple(cards)), variant, Moment(at or (1 if variant.steps else None)))
    was_legal, says = before
    if not says or ruling.is_legal is not was_legal:
        grounds = [each for each in ruling.findings if each.against] or ruling.findings
        says = variant.say(grounds[0]) if grounds else ""
    wild = variant.wilds_at(at).cards
    return DrawnMeld(
        tuple(cards),
        frozenset(place for place, card in enumerate(cards) if card in wild),
        ruling.is_legal,
        says,
    )
