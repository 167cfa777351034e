"""The values of fields in words, for generated sentences."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from referee.describing.description import Description
from referee.describing.packs import JOKER, MOVING
from referee.melds.contracts import say_ranks
from referee.saying import ENGLISH, WORDS, Catalogue, Said

_OFTEN: Final = frozenset({"score.at-once", "score.pairs"})
"""The fields whose number is a multiplier, which sentences have as a word."""


_APART: Final = 10_000
"""From this number on, thousands have a separator."""


def number(value: int) -> str:
    """Return a number in digits, with a true minus sign."""
    return str(value).replace("-", "−")


def wild_name(game: Description, words: Mapping[str, str], language: str = ENGLISH) -> Said:
    """Return the noun for a wild: the game’s own if that still fits, else by what is wild.

    `words` has the game’s own words by name; its word for a wild is "wild".
    """
    speech = Catalogue.read(language, WORDS)
    known = {name: _said(forms) for name, forms in speech.tables["wilds"].items()}
    if "wild" in words and _names_all(game, words["wild"], known["joker"]):
        return _named(speech, words["wild"])
    selectors = game.get("wild.cards") or []
    if selectors == [JOKER]:
        return known["joker"]
    if set(MOVING) & set(selectors):
        return known["card"]
    if len(selectors) == 1:
        return _named(speech, selectors[0])
    return known["card" if selectors else "wild"]


def _said(forms: Mapping[str, str]) -> Said:
    return Said(forms["one"], **forms)


def _named(speech: Catalogue, word: str) -> Said:
    """Return a game’s own word for its wilds, with its plural."""
    said = speech.tables["wilds-called"]
    return _said(said[word]) if word in said else Said(word, many=f"{word}s")


def _names_all(game: Description, word: str, joker: str) -> bool:
    """Return whether a word for wilds includes all of them.

    A word that names cards ("black 2") can come from a game in which only those are wild.
    """
    named = game.pack.select(JOKER if word == joker else word)
    return not named or named == game.wild


def say(path: str, value: Any, game: Description, language: str = ENGLISH) -> str:  # noqa: ANN401 - what the field holds
    """Return the value of the field at a path in words, with the nouns of a game."""
    values = Values(language)
    values.nouns = nouns_of(game, values.speech)
    return values.say(path, value)


def title_in(game: Description, name: str, usual: str) -> str:
    """Return a game’s own title ("special.colour", "fixed.drop") by its name, else `usual`."""
    titles: Mapping[str, str] = game.spec.get("text", {}).get("titles", {})
    return titles.get(name, usual)


def nouns_of(game: Description, speech: Catalogue) -> dict[str, Said]:
    """Return the nouns for a game: its own, else those of its pack, else those of the language."""
    own = game.spec.get("text", {}).get("nouns", {})
    return {
        **speech.nouns(game.pack.kind.name),
        **{name: _said(forms) for name, forms in own.items()},
    }


def bonus_noun(speech: Catalogue, nouns: Mapping[str, object], name: str) -> Said:
    """Return the noun for a kind of meld with a bonus; “any” is for any of them.

    A game’s own noun is in `nouns`, under `bonus-` and the name of the bonus.
    """
    own = nouns.get("bonus" if name == "any" else f"bonus-{name}")
    if isinstance(own, Said):
        return own
    forms = speech.tables["bonus-usual"].get(name, speech.tables["bonus-named"])
    words = {**nouns, "name": name.replace("-", " ")}
    said = {form: says.format_map(words) for form, says in forms.items()}
    return Said(said["one"], **said)


class Values:
    """Puts values of fields into words, in a language."""

    def __init__(self, language: str) -> None:
        self.speech = Catalogue.read(language, WORDS)
        self.nouns: Mapping[str, object] = self.speech.nouns()
        """The nouns to use: those of a game, if the values are from one."""
        self.titles: Mapping[str, str] = {}
        """A game’s own titles for special hands and fixed scores ("special.colour")."""

    def word(self, key: str, *hows: str, n: int | None = None, **values: object) -> str:
        """Return a phrase of the catalogues’ section `values`, with its values filled in."""
        says = self.speech.template(f"values.{key}", *hows, n=n)
        return says.format_map({**self.nouns, "n": n, **values})

    def say(self, path: str, value: Any) -> str:  # noqa: ANN401, PLR0911 - one for each kind
        """Return the value of the field at a path in words."""
        if path in _PHRASES and isinstance(value, list | dict):
            return _PHRASES[path](self, value)
        match value:
            case bool():
                return self.word("yes" if value else "no")
            case int() if path in _OFTEN:
                return self.times(value)
            case int():
                return self.number(value)
            case str():
                return value
            case list() if path == "wild.in":
                return self.joined(self.word("melds", kind) for kind in value)
            case list() if path == "pack.remove":
                return self.joined(map(self.cards, _pairs_apart(value)))
            case list():
                return self.joined(map(self.selected, value))
            case dict():
                return self._table(path, value)
        return self.word("no-limit")

    def number(self, value: int) -> str:
        """Return a number with a true minus sign, and from 10,000 on with a thousands separator."""
        if abs(value) < _APART:
            return number(value)
        thousands, rest = divmod(abs(value), 1000)
        return f"{'−' * (value < 0)}{thousands}{self.word('apart')}{rest:03}"

    def joined(self, parts: Iterable[str]) -> str:
        """Return parts as a list in a sentence; empty for none."""
        return self.speech.joined(parts)

    def any_value(self, path: str) -> str:
        """Return the placeholder that stands in a sentence for any value of a field."""
        return self.speech.template("values.often").format(n="…") if path in _OFTEN else "…"

    def _table(self, path: str, value: Mapping[str, Any]) -> str:  # noqa: C901, PLR0911 - as above
        lines = value.items()
        match path:
            case "pack.copies" | "pack.jokers" | "deal.cards":
                return self.joined(
                    self.word("for-players", count=n or self.word("none"), players=self.span(key))
                    for key, n in lines
                )
            case "pack.special":
                return self.joined(
                    self._special(card["name"], card["count"]) for card in value.values()
                )
            case "score.hand" | "score.table" | "score.in-run" | "score.wilds":
                return self._scored(value)
            case "clock.penalties":
                return self.joined(self.word("draws-for", n=n, name=name) for name, n in lines)
            case "score.fixed":
                titled = ((self.titles.get(f"fixed.{word}"), one) for word, one in lines)
                return self.joined(
                    self.word("fixed", **{**one, "title": title or one["title"]})
                    for title, one in titled
                )
            case "score.ways":
                return self.joined(self._way_out(word, one) for word, one in lines)
            case "hand.special":
                return self.joined(self._hand(word, one) for word, one in lines)
            case "end.bonus":
                return self._bonus(value)
            case "hand.needs" | "opening.needs":
                return self._needs(value)
            case "wild.set" | "wild.run":
                return self.joined(
                    self.word(name, "" if limit else "no", n=limit) for name, limit in lines
                )
            case "hand.times":
                often, without = self.times(value["with"]), self.times(value["without"])
                if often == without:
                    return often
                return self.word("with-and-without", often=often, without=without)
        return self.joined(f"{key} {self.say('', number)}" for key, number in lines)

    def span(self, key: str) -> str:
        """Return a key of a table by players in words: "2 to 4" for "2-4"."""
        low, _, high = key.partition("-")
        how = "next" if high and int(high) == int(low) + 1 else ""
        return self.word("span", how, low=low, high=high) if high else low

    def _scored(self, table: Mapping[str, object]) -> str:
        """Return points as in a price list: "2–10: 5 points, jack–king: 10, ace: 15"."""
        parts, named = [], False
        for word, points in table.items():
            says = self.word("face") if points == "face" else str(points)
            if isinstance(points, int):
                says = number(points) if named else self.word("points", n=points).replace("-", "−")
                named = True
            parts.append(self.word("scored", cards=self.printed(word), points=says))
        says = ", ".join(parts)
        return f"{says[:1].upper()}{says[1:]}"

    def printed(self, word: str) -> str:
        """Return the cards of a selector as a list has them: "2–9", "red ace"."""
        *tint, ranks = word.split()
        says = "–".join(map(self.rank, ranks.split("-")))
        return self.word("tinted", *tint, cards=says, tint=tint[0]) if tint else says

    def _special(self, name: str, count: int) -> str:
        """Return a number of special cards; the catalogue can have a word for their name."""
        known: Mapping[str, Mapping[str, str]] = self.speech.tables["specials"]
        forms = known.get(name, {"one": name, "many": f"{name}s"})
        return f"{count} {forms['one' if count == 1 else 'many']}"

    def _bonus(self, value: Mapping[str, int]) -> str:
        """Return what is added at the end of the game, and for what."""
        game, won, shutout = value.get("game", 0), value.get("round", 0), value.get("shutout", 1)
        parts = [self.word("bonus-game", points=game)] if game else []
        parts += [self.word("bonus-round", points=won)] if won else []
        parts += [self.word("bonus-shutout", str(shutout), more=shutout - 1)] * (shutout > 1)
        return self.joined(parts) or self.word("nothing")

    def _needs(self, value: Mapping[str, int]) -> str:
        """Return the melds that a hand needs; pure runs are included in the number of runs."""
        parts = []
        for kind, count in value.items():
            if kind.removeprefix("pure ") != kind and value.get(kind[5:], 0) > count:
                continue
            pure = value.get(f"pure {kind}", 0)
            some = self.word("some-pure", pure=pure) if 0 < pure < count else ""
            parts.append(f"{self.melds(kind, count)}{some}")
        return self.joined(parts)

    def melds(self, kind: str, count: int) -> str:
        """Return a number of melds of a kind, which is written as in a contract: "2 runs of 4"."""
        name, _, size = kind.partition(" of ")
        *pure, noun = name.split()
        said: Any = self.nouns[noun]
        says = said if count == 1 else said.many
        if " " in size:
            size = say_ranks(self.speech, *size.removesuffix("s").split())
        how = noun if size.isdigit() else ""
        says = self.word("of-size", how, n=count, melds=says, size=size) if size else says
        return f"{count} {self.word('pure', melds=says) if pure else says}"

    def contract(self, text: str) -> str:
        """Return a contract in the words of the language: "1 set of 3 + 1 run of 4"."""
        parts = (part.split(" ", 1) for part in text.split(" + "))
        return " + ".join(
            self.melds(kind if count == "1" else _singular(kind), int(count))
            for count, kind in parts
        )

    def cards(self, word: str) -> str:
        """Return the cards of a selector: "2 to 9", "red ace"."""
        *tint, ranks = word.split()
        low, _, high = ranks.partition("-")
        first = self.rank(low)
        says = (
            self.word("ranks", low=first, high=self.rank(high))
            if high
            else self.word("rank", rank=first)
        )
        return self.word("tinted", *tint, cards=says, tint=tint[0]) if tint else says

    def rank(self, rank: str) -> Said:
        """Return a rank in words, with its forms."""
        known = self.speech.tables["ranks"]
        forms = known.get(rank, known["other"])
        return Said(
            forms["one"].format(n=rank),
            **{form: says.format(n=rank) for form, says in forms.items()},
        )

    def selected(self, word: str) -> str:
        """Return all cards of a selector: "black 2s"."""
        if word in {JOKER, *MOVING}:
            return self.word("selected", word)
        called = self.speech.tables["wilds-called"]
        return called[word]["all"] if word in called else self.word("selected", cards=word)

    def times(self, often: int) -> str:
        """Return a multiplier in words."""
        return self.word("often", str(often), n=often)

    def _way_out(self, word: str, one: Mapping[str, Any]) -> str:
        """Return a way of going out with how often it counts: "“With the wild” twice"."""
        title = self.titles.get(f"ways.{word}", one["title"])
        return self.word("way-out", title=title, often=self.times(one["times"]))

    def _hand(self, word: str, one: Mapping[str, Any]) -> str:
        usual = one.get("title", word.replace("-", " ").capitalize())
        title = self.titles.get(f"special.{word}", usual)
        kind = self.word("shape", one["is"])
        if one.get("wins") or "scores" in one:
            counts = self.word("wins" if one.get("wins") else "gives", n=one.get("scores"))
            return self.word("hand", title=title, kind=kind, counts=counts.replace("-", "−"))
        without = self.word("without", often=self.times(one["without"])) if "without" in one else ""
        saves = self.word("protects") if one.get("protects") else ""
        kind += self.word("thrown") if one.get("thrown") else ""
        return (
            self.word(
                "hand-often", title=title, often=f"{self.times(one['times'])}{without}", kind=kind
            )
            + saves
        )


def _singular(kind: str) -> str:
    """Return a kind of meld in the singular: "pure run of 4" for "pure runs of 4"."""
    name, of, size = kind.partition(" of ")
    for plural, one in (("flushes", "flush"), ("sets", "set"), ("runs", "run")):
        name = name.replace(plural, one)
    return f"{name}{of}{size}"


def _pairs_apart(words: Sequence[str]) -> Iterator[str]:
    """Yield selectors; a range of just 2 ranks is 2 selectors (“8 and 9”, not “8 to 9”)."""
    for word in words:
        low, _, high = word.partition("-")
        two = low.isdigit() and high.isdigit() and int(high) == int(low) + 1
        yield from (low, high) if two else (word,)


def _teams(values: Values, sizes: Mapping[str, int]) -> str:
    """Return how many of how many players play together."""
    of_size: dict[int, list[str]] = {}  # "2, 3 or 5 players play alone"
    for key, size in sizes.items():
        low, _, high = key.partition("-")
        many = map(str, range(int(low), int(high or low) + 1))
        of_size.setdefault(size, []).extend(many)
    return values.joined(
        values.word(
            "teams",
            "" if size > 1 else "alone",
            players=values.speech.joined(spans, "or"),
            size=size,
        )
        for size, spans in of_size.items()
    )


_ON_TABLE: Final = frozenset({"own", "open"})
"""The ways to use the top card of a pile with a meld on the table."""


def _top(values: Values, ways: Sequence[str]) -> str:
    """Return what players do with the top card of a pile that they take as a whole."""
    for alone in ("free", "any"):
        if alone in ways:
            return values.word("top", alone)
    # On the table first: what comes from the hand says so at its end.
    ordered = sorted(ways, key=lambda way: way not in _ON_TABLE)
    listed = values.speech.joined((values.word("top", way) for way in ordered), "or")
    return values.word("top", "with", ways=listed)


def _frozen(values: Values, when: Sequence[str]) -> str:
    """Return when a pile is frozen."""
    # A value may be said of no game in particular.
    usual = {
        "laid-aside": values.word("frozen", "face-up"),
        "you-have": values.speech.template("parts.you-have"),
    }
    nouns: dict[str, Any] = {name: values.nouns.get(name, usual[name]) for name in usual}
    inside = [values.word("frozen", each, **nouns) for each in when if each != "not-down"]
    cards = values.speech.joined(inside, "or")
    parts = [values.word("frozen", "inside", cards=cards)] * bool(inside)
    parts += [values.word("frozen", "not-down", **nouns)] * ("not-down" in when)
    return values.word("frozen", "both", inside=parts[0], down=parts[1]) if parts[1:] else parts[0]


def _bonuses(values: Values, melds: Mapping[str, Mapping[str, Any]]) -> str:
    """Return melds with a bonus: "natural canasta (7 cards or more, no wilds) 500"."""
    return values.joined(
        values.word(
            "bonus-meld",
            title=bonus_noun(values.speech, values.nouns, name),
            which=", ".join(_which(values, one)),
            points=one["points"],
        )
        for name, one in sorted(melds.items(), key=lambda line: -line[1]["points"])
    )


def _which(values: Values, one: Mapping[str, Any]) -> Iterator[str]:
    if "of" in one:
        yield values.word("bonus-of", one["of"])
    if one.get("ranks"):
        yield values.word("bonus-ranks", ranks=values.joined(map(values.selected, one["ranks"])))
    yield values.word("bonus-cards", n=one["cards"])
    if "wilds" in one:
        yield values.word("bonus-wilds", str(one["wilds"]), n=one["wilds"])
    if "unbroken" in one:
        yield values.word("bonus-row", n=one["unbroken"])


def _needed(values: Values, needs: Mapping[str, int]) -> str:
    """Return how many melds with a bonus are needed: "2 canastas"."""
    called = {name: bonus_noun(values.speech, values.nouns, name) for name in needs}
    return values.joined(
        called[name].a if n == 1 else values.word("so-many", melds=called[name].many, n=n)
        for name, n in needs.items()
    )


def _by_total(values: Values, points: Mapping[str, int]) -> str:
    """Return points by total: "50 from 0, 90 from 1500"."""
    return values.joined(
        values.word("from-total", n=n, total=values.number(total))
        for total, n in sorted((int(key), n) for key, n in points.items())
    )


_PHRASES: Final[Mapping[str, Callable[[Values, Any], str]]] = {
    "teams.size": _teams,
    "draw.top": _top,
    "draw.frozen": _frozen,
    "bonus.melds": _bonuses,
    "out.needs": _needed,
    "opening.by-total": _by_total,
}
"""Functions that put a value in words, by the path of its field."""
