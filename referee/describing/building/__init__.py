"""Builds the game that everything rules by from a description.

Only this makes a game. Once it is built, no ruling looks at the description again.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from referee.cards import Pack
from referee.describing.building import rules, tally, teams
from referee.describing.building.cards import (
    notation_of,
    points_by_card,
    points_by_rank,
    specials_of,
    stand_ins,
    suits_of,
)
from referee.describing.building.examples import examples_of
from referee.describing.canonical import canonical, full_form
from referee.describing.checking import check, check_rules, check_shape
from referee.describing.checking.unruled import unruled
from referee.describing.complaints import Complaint, Refused, complaint
from referee.describing.description import Description
from referee.describing.options import default_of, kind_of
from referee.describing.patch import PLAYERS, patched
from referee.describing.schema import Spec
from referee.describing.sentences.book import Book, option_clause
from referee.options import CHANGE
from referee.saying import ENGLISH
from referee.values import CardValues
from referee.variant import Edition, Option, Variant, Words

_REMEMBERED: Final = 128
"""How many games with house rules are cached for each description."""
_NAMES: Final = ("name", "title", "tagline", "words", "titles", "nouns")
"""The parts of the prose that aren’t clauses, and are stored with a game in progress."""


def build(spec: Spec, language: str = ENGLISH) -> Variant:
    """Return the game of a description, with its rules in a language.

    Raise Refused with everything that is wrong with the description, or that the referee doesn’t
    support.

    >>> from referee import variants
    >>> from referee.describing import build
    >>> game = build({**variants.description_of("gin-rummy"), "slug": "house-gin"})
    >>> game.slug, game.name
    ('house-gin', 'Gin Rummy')
    """
    as_it_is = check(spec)

    def made(game: Description, chosen: Mapping[str, object]) -> Variant:
        beyond = [*unruled(game)]
        if beyond:
            raise Refused(beyond)
        # The prose is written with the game's own house rules in mind, but not with every change.
        unforeseen = any(name.startswith(CHANGE) for name in chosen)
        book = Book(game, chosen, language, published.told if unforeseen else {})
        return _made(game, book, chosen, options, remake)

    @lru_cache(maxsize=_REMEMBERED)
    def remembered(written: str) -> Variant:
        chosen = dict(json.loads(written))
        in_order = {name: chosen[name] for name in spec.get("options", {}) if name in chosen}
        in_order |= {name: chosen[name] for name in chosen if name not in in_order}
        return made(check_rules(patched(spec, in_order)), in_order)

    def remake(chosen: Mapping[str, object]) -> Variant:
        # Changes by path are made in the order in which they were chosen.
        return remembered(canonical([[*each] for each in chosen.items()])) if chosen else without

    published = Book(as_it_is, {}, language)
    options = tuple(_options(spec, published))
    without = made(as_it_is, {})
    return without


def rebuilt(form: Spec, text: Mapping[str, Any], language: str = ENGLISH) -> Variant:
    """Return the game of stored rules (`Variant.form`), with names and words from `text`.

    The rules made a game when they were stored, and people can be in the middle of it. So checks
    that were added since for new games don’t apply, if a game can still be made.

    Raise Refused if no game can be made.

    >>> from referee import variants
    >>> from referee.describing import full_form, rebuilt
    >>> rebuilt(full_form(variants.description_of("gin-rummy")), {"name": "Our Gin"}).name
    'Our Gin'
    """
    spec = {**form, "text": text}
    game = check_shape(spec)
    found: list[Variant] = []

    def remake(chosen: Mapping[str, object]) -> Variant:
        assert not chosen, "a game that was kept has no house rules to choose"
        return found[0]

    try:
        found.append(_made(game, Book(game, {}, language), {}, (), remake))
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, AssertionError):
        # What cannot be made has its reason in what is asked of new ones.
        raise Refused(_reasons(spec)) from None
    return found[0]


def _reasons(spec: Spec) -> list[Complaint]:
    """Return why no game can be made of a description, as at least 1 complaint."""
    try:
        reasons = [*unruled(check_rules(spec))]
    except Refused as refused:
        reasons = [*refused.complaints]
    return reasons or [complaint("", "no-game")]


def _made(
    game: Description,
    book: Book,
    chosen: Mapping[str, object],
    options: tuple[Option, ...],
    remake: Callable[[Mapping[str, object]], Variant],
) -> Variant:
    text: Mapping[str, Any] = game.spec.get("text", {})
    said: Mapping[str, str] = {**book.words, **text.get("words", {})}
    words = Words(**{field: said[field.replace("_", "-")] for field in Words._fields})
    name = text.get("name", game.spec["slug"].replace("-", " ").capitalize())
    pack = Pack(
        suits=suits_of(game),
        ranks=game.pack.places,
        copies=game.most_copies,
        jokers=game.most_jokers,
        specials=specials_of(game),
        notation=notation_of(game),
        unsuited=None if game.get("pack.ignore-suits") else game.pack.unsuited,
    )
    ladder = game.way == "contract"
    pace = game.get("contract.pace")
    steps = range(1, len(game.contracts) + 1)
    return Variant(
        slug=game.spec["slug"],
        name=name,
        tagline=text.get("tagline", ""),
        sign=text.get("sign") or next(filter(str.isalnum, name), "★").upper(),
        rulebook=book.rulebook(text.get("title", name), text.get("source", "")),
        words=words,
        players=game.players,
        pack=pack,
        packs=tally.NumberByPlayers(tuple(game.by_players("pack.copies").items())),
        jokers=tally.NumberByPlayers(tuple(game.by_players("pack.jokers").items())),
        team_size=teams.team_size(game),
        hand_size=game.most_dealt,
        deal=tally.NumberByPlayers(tuple(game.by_players("deal.cards").items())),
        hands=MappingProxyType(game.deals),
        deals=0 if ladder else game.changing,
        wilds_in=MappingProxyType(rules.wilds_by_step(game, said, book.language)),
        sets=rules.sets(game, book),
        runs=rules.runs(game),
        flush=rules.flush(game),
        wilds=rules.wilds(game, said, book.language),
        wild_steps=frozenset(steps).difference(game.rests_in) if game.rests_in else None,
        contracts=game.contracts,
        way=rules.way(game, words),
        own_phases=ladder and pace != "together",
        everyone_advances=ladder and pace == "alone-all-move",
        lay_offs=rules.lay_offs(game),
        swaps=rules.swaps(game),
        opening=rules.opening(game),
        rearrangement=rules.jokers_moved(game),
        turning=rules.turning(game),
        pile=rules.pile(game),
        bonuses=teams.bonuses(game, book),
        aside=teams.aside(game, book),
        reserve=teams.reserve(game),
        going_out=teams.going_out(game),
        calls="claim" in game.spec,
        worth=tally.worth(game),
        values=CardValues(
            by_rank=MappingProxyType(points_by_rank(game, "score.hand")),
            by_card=MappingProxyType(points_by_card(game, "score.hand")),
            wild=game.get("score.wild"),
            stand_ins=stand_ins(game),
        ),
        cap=game.get("score.cap"),
        settle=tally.settlement(game),
        ending=tally.ending(game),
        pad=tally.pad(game, said, book.language),
        clock=tally.clock(game),
        for_the_table=rules.left_to_table(game),
        stand_in=rules.stand_in(game),
        must_discard=rules.must_discard(game),
        must_meld_last=rules.must_meld_last(game),
        examples=() if _has_other_cards(chosen) else tuple(examples_of(game.spec, pack)),
        options=options,
        editions=tuple(_editions(game.spec)),
        notes=tally.round_note,
        remake=remake,
        form=canonical(full_form(game.spec)),
        names={key: text[key] for key in _NAMES if key in text},
        language=book.language,
    )


def _has_other_cards(chosen: Mapping[str, object]) -> bool:
    """Return whether the pack was changed, so that examples can have cards that it lacks."""
    return any(name.startswith(f"{CHANGE}pack") for name in chosen)


def _editions(spec: Spec) -> Iterator[Edition]:
    """Yield the leaflets with different rules, the game itself first."""
    titles: Mapping[str, str] = spec.get("text", {}).get("titles", {})
    said: Mapping[str, Mapping[str, object]] = spec.get("editions", {})
    for name, patch in {"": {}, **said}.items() if said else ():
        key = f"edition.{name}".rstrip(".")
        title = titles.get(key, name.replace("-", " ").capitalize())
        players: Any = patch.get(PLAYERS)
        yield Edition(name, title, patch, range(players[0], players[1] + 1) if players else None)


def _options(spec: Spec, book: Book) -> Iterator[Option]:
    """Yield the house rules to choose from, with texts about the game without them."""
    text = spec.get("text", {}).get("options", {})
    for name, option in spec.get("options", {}).items():
        said = text.get(name, {})
        yield Option(
            name=name,
            title=said.get("title", name.replace("-", " ").capitalize()),
            clause=option_clause(book, option),
            kind=kind_of(spec, option, said.get("labels", {}), book.language),
            default=default_of(spec, option),
        )
