"""Generates sentences from a description: one for each clause that a game has.

The rulebook uses them for everything that the description’s own prose leaves out, and for house
rules. A rule that means nothing in a game, such as which melds a wild can join if there are no
wilds, has no sentence.
"""

import re
from collections.abc import Mapping
from functools import cache
from itertools import groupby
from types import MappingProxyType
from typing import Any, Final

from referee.describing.checking.unruled import for_the_table
from referee.describing.description import VALUES, Description
from referee.describing.packs import JOKER
from referee.describing.schema import BARE, BY_PATH, ENDS, FIELDS
from referee.describing.schema.fields import Field
from referee.describing.schema.kinds import Text
from referee.describing.schema.scoring import SETTLEMENTS
from referee.describing.sentences.clauses import CATALOGUE, constants_of
from referee.describing.sentences.mattering import matters as matters
from referee.describing.sentences.words import Values, nouns_of, wild_name
from referee.rulings import MeldKind
from referee.saying import ENGLISH, WORDS, Catalogue, Said

_ONE: Final = re.compile(
    r"\b1 (more )?((?:natural |wild )?(?:card|tile)|joker|wild|round|step|player|point|second)s\b"
)
_VOWEL: Final = re.compile(r"\b([Aa]) (?=[aeio])")
_FEW: Final = 3
"""The most different deals for which a sentence names the rounds; more are a list."""


def sentences_of(game: Description, contract: str = "", language: str = ENGLISH) -> dict[str, str]:
    """Return a game’s rules as sentences by clause; `contract` is its word for a contract.

    >>> from referee import variants
    >>> from referee.describing import check, sentences_of
    >>> sentences_of(check(variants.description_of("gin-rummy")))["leads"]
    'The highest total wins.'
    """
    return _Teller(game, contract or _contract_in(game, language), language).book()


def sentence_of(game: Description, path: str, language: str = ENGLISH) -> str:
    """Return the sentence of the field at a path.

    It’s empty if the field needs no sentence, or if another field’s sentence includes it. Raise
    KeyError if there is no such field.

    >>> from referee import variants
    >>> from referee.describing import check, sentence_of
    >>> sentence_of(check(variants.description_of("gin-rummy")), "run.min")
    'A run is 3 or more cards of the same suit in a row.'
    """
    if not matters(game, path):
        return ""
    return _Teller(game, _contract_in(game, language), language).sentence(BY_PATH[path])


def _contract_in(game: Description, language: str) -> str:
    """Return a game’s word for a contract."""
    own = game.spec.get("text", {}).get("words", {})
    words: Mapping[str, str] = {**Catalogue.read(language, WORDS).tables["words"], **own}
    return words["contract"]


def sentence_of_table(table: str, language: str = ENGLISH) -> str:
    """Return the sentence of a table that is a rule by being there; empty for other tables."""
    return Catalogue.read(language, WORDS).say(f"told.tables.{table}") if table in BARE else ""


def label(
    path: str,
    value: object,
    pack: str = "french",
    language: str = ENGLISH,
    nouns: Mapping[str, object] = MappingProxyType({}),
) -> str:
    """Return the sentence that a field has for a value; empty if it has none.

    If `value` is `...`, the sentence has “…” for any number. `pack` is the kind of pack whose nouns
    it uses, and `nouns` are a game’s own, as its prose has them. Raise KeyError if there is no such
    field.
    """
    plain = Description(
        {
            "pack": {"kind": pack},
            "deal": {"upcard": False},
            "set": {},
            "run": {},
            "text": {"nouns": nouns},
        }
    )
    contract = Catalogue.read(language, WORDS).tables["words"]["contract"]
    return _Teller(plain, contract, language).label(BY_PATH[path], value)


def named(value: object) -> str:
    """Return the message variant for a value: "yes", "no", "none", "other" for `...`, or text."""
    named: dict[object, str] = {True: "yes", False: "no", None: "none", ...: "other"}
    return named[value] if value is None or isinstance(value, bool) or value is ... else str(value)


class _Teller:
    """Generates the sentences of a game in a language."""

    def __init__(self, game: Description, contract: str, language: str) -> None:
        self.game = game
        self.language = language
        self.values = Values(language)
        self.speech = self.values.speech
        self.contract = contract
        self.nouns = self._nouns()
        self.values.nouns = self.nouns
        self.values.titles = game.spec.get("text", {}).get("titles", {})

    def book(self) -> dict[str, str]:
        """Return the sentences by clause, in the order of a rulebook."""
        game = self.game
        told: dict[str, list[str]] = {"players": [self._players()]}
        for field in FIELDS:
            if matters(game, field.path):
                says = self.sentence(field)
                if says:
                    told.setdefault(field.clauses[0], []).append(says)
        for section, clause in BARE.items():
            if section in game.spec:
                told[clause] = [self.speech.say(f"told.tables.{section}")]
        for clause, says in self._of_steps():
            told.setdefault(clause, []).append(says)
        for clause, constant in constants_of(game).items():
            says = self.speech.find(f"told.rules.{clause}", [constant.how, "other"])
            told.setdefault(clause, [self._written(says)])
        for left in for_the_table(game):
            told[left.clause].append(self._part("for-the-table"))
        return {clause: " ".join(told[clause]) for clause in CATALOGUE if clause in told}

    def _part(self, key: str, *hows: str, n: int | None = None, **values: object) -> str:
        """Return a part of a sentence by its key, with nouns and values filled in."""
        says = self.speech.template(f"parts.{key}", *hows, n=n)
        return says.format_map({**self.nouns, "n": n, **values})

    def _template(self, field: Field, value: object) -> str:
        """Return the sentence of a value, with its placeholders; empty if it has none.

        A field with a sentence for each value always has one, others only if the value isn’t the
        default.
        """
        entry = _entries().get(field.section, {}).get(field.name, "")
        if not entry or (isinstance(value, list) and isinstance(entry, dict)):
            return ""
        hows = ["one"] if value == 1 and not isinstance(value, bool) else []
        hows += ["run"] if field.section == "wild" and self.game.get("wild.in") == ["run"] else []
        hows += ["teams"] if self.game.melds_together else []
        hows += ["own"] if self.game.has("teams") and not self.game.melds_together else []
        hows += self._pile
        hows += ["alone"] if field.path == "wild.naturals" and self.game.get("wild.alone") else []
        hows += [] if self.game.has("run") else ["sets"]
        if isinstance(entry, str):
            empty = value is None or value in ({}, [], 0, False)
            told = not empty and (field.always or value != field.default)
            return self.speech.find(f"told.{field.path}", [*hows, "other"]) if told else ""
        key = named(next(iter(value), None) if isinstance(value, dict) else value)
        if key not in entry and (key == "none" or "other" not in entry):
            return ""
        hows += ["out"] if field.path == "score.settle" and self.game.get("score.out") else []
        hows += ["left"] if field.path == "end.leads" and self.game.get("end.eliminated") else []
        hows += ["once"] if field.path == "end.leads" and self.game.get("end.rounds") == 1 else []
        return self.speech.find(f"told.{field.path}", [key, *hows, "other"])

    def label(self, field: Field, value: object) -> str:
        """Return the sentence of a value, or of any value if it is `...`."""
        entry = _entries().get(field.section, {}).get(field.name, "")
        key = named(value)
        if not entry or (isinstance(entry, dict) and key not in entry):
            return ""
        says = self.speech.find(f"told.{field.path}", [key, "other"])
        return self._written(says, v=self.values.any_value(field.path))

    def sentence(self, field: Field) -> str:
        """Return the sentence of a field; empty if it needs none."""
        game = self.game
        value = game.get(field.path)
        if field.name == "min":
            # A contract may ask for fewer, and then that many are a meld.
            value = min([value, *game.asked(MeldKind(field.section))])
        if _limits_nothing(game, field.path, value):
            return ""
        says = self._template(field, value)
        if field.path == "deal.cards" and (isinstance(value, dict) or game.deals):
            up = f" {self._part('upcard')}" if self.nouns["upcard"] else ""
            return self._written(f"{self._deal(value)}{up}")
        if field.path == "teams.size" and isinstance(value, dict):
            how = "own" if not game.melds_together else ""
            how = how if max(value.values()) > 1 else "alone"
            return self._written(self._part("teams", how, list=self.values.say(field.path, value)))
        if not says:
            return (value or "") if isinstance(field.kind, Text) else ""
        if field.path == "score.wild" and JOKER in game.get("score.hand"):
            says += f" {self._part('joker-as-shown')}"
        shown = game.apart(value) if field.path in VALUES else value
        told = self._written(says, v=self.values.say(field.path, shown))
        if field.path == "score.settle" and isinstance(value, dict):
            usual = SETTLEMENTS[game.settlement]
            arguments = self.values.joined(
                self._part("argument", name, n=number, name=name.replace("-", " "))
                for name, number in next(iter(value.values())).items()
                if number or usual[name]
            )
            return f"{told} {arguments[:1].upper()}{arguments[1:]}." if arguments else told
        return told

    def _deal(self, value: int | dict[str, int]) -> str:
        """Return how many cards are dealt, if that depends on the round or on how many play."""
        if self.game.way != "contract" and self.game.deals:
            return self._part("deal-changes")  # The clause of the rounds says how many.
        if self.game.deals_differ or isinstance(value, int):
            return self._by_rounds([step.get("deal", value) for step in self.game.steps])
        first, *others = (
            (count, self._part("either" if _next_to(key) else "between", low=low, high=high))
            if (high := key.partition("-")[2])
            else (count, low)
            for key, count in value.items()
            for low in (key.partition("-")[0],)
        )
        parts = [self._part("deal-first", n=first[0], players=first[1])]
        parts += [self._part("deal-next", n=count, players=players) for count, players in others]
        return self._part("deal-by-players", parts=self.values.joined(parts))

    def _by_rounds(self, deals: list[int]) -> str:
        """Return how many cards are dealt by round: "Deal 10 cards each in rounds 1 to 4 and…"."""
        if len(deals) > 1 and deals == [*range(deals[0], deals[-1] + 1)]:
            return self._part("deals", "rising", first=deals[0], last=deals[-1])
        alike = groupby(enumerate(deals, 1), lambda each: each[1])
        groups = [(n, [at for at, _ in some]) for n, some in alike]
        if len(groups) > _FEW:
            return self._part("deals", list=", ".join(map(str, deals)))
        parts = [
            self._part(
                "deal-in-rounds" if at else "deal-in-first",
                {1: "round", 2: "two"}.get(len(rounds), ""),
                n=n,
                low=rounds[0],
                high=rounds[-1],
            )
            for at, (n, rounds) in enumerate(groups)
        ]
        return self._part("deal-by-players", parts=self.values.joined(parts))

    def _of_steps(self) -> list[tuple[str, str]]:
        told, game = [], self.game
        steps = len(game.steps)
        if game.way == "contract":
            lines = [
                f"{self.values.contract(contract.says)}{self._beside(step)}"
                for contract, step in zip(game.contracts, game.steps, strict=True)
            ]
            told.append(
                ("contracts", self._written(self._part("contracts", list="; ".join(lines))))
            )
        elif any("deal" in step for step in game.steps):
            deals = [step.get("deal", game.most_dealt) for step in game.steps]
            told.append(("steps", self._by_rounds(deals)))
        if game.opens_by_step:
            points = ", ".join(str(step["opening"]) for step in game.steps)
            says = self._part("openings", *self._pile, list=points)
            told.append(("opening", self._written(says)))
        if game.needs_by_step:
            needs = "; ".join(
                self.values.say("out.needs", each) if each else self.values.word("nothing")
                for each in game.needs_by_step
            )
            told.append(("out-needs", self._written(self._part("needs-by-round", list=needs))))
        if game.rests_in and any(card.rank == JOKER for card in game.wild):
            told.append(("wild-when", self._part("wild-at-rest")))
        if steps and not any(game.get(path) for path in ENDS):
            alone = game.way == "contract" and game.get("contract.pace") == "alone"
            told.append(("ends", self._part("ends", "alone" if alone else "", n=steps)))
        return told

    @property
    def _pile(self) -> list[str]:
        """The message variants to prefer: "pile" if first melds can use the pile, else none."""
        return ["pile"] if self.game.get("draw.pile") == "all" else []

    def _beside(self, step: Mapping[str, Any]) -> str:
        """Return what a step has besides its contract: " (12 cards, without a discard)"."""
        said = [self._part("dealt", n=step["deal"])] if "deal" in step else []
        said += [self._part("without-discard")] if step.get("discard") == "never" else []
        return f" ({', '.join(said)})" if said else ""

    def _players(self) -> str:
        """Return the sentence on how many can play."""
        low, high = self.game.players[0], self.game.players[-1]
        return self._part("players", "same" if low == high else "", low=low, high=high)

    def _turn(self) -> str:
        """Return the key of the sentence on what you do in a turn."""
        game = self.game
        if game.way == "hand":
            return "turn-knock" if game.get("hand.knock") else "turn-show"
        first = game.has("rearrange") and game.get("rearrange.draw") == "first"
        return "turn-draw-first" if first else "turn-or-draw" if game.no_discard_pile else "turn"

    def _packs(self, nouns: Mapping[str, object]) -> str:
        """Return what is played with ("2 decks of 52 cards, without jokers.") as a sentence."""
        game, speech = self.game, self.speech
        copies, jokers = game.get("pack.copies"), game.get("pack.jokers")
        cards = len(game.pack.ranks) * len(game.pack.kind.suits)
        kind = "french" if game.pack.kind.name == "french" else ""
        title = speech.find("packs", [game.pack.kind.name, "other"]).format(
            title=game.pack.kind.title
        )

        def part(key: str, *hows: str, n: int | None = None, **values: object) -> str:
            return speech.say(f"parts.{key}", *hows, n=n, **{**nouns, **values})

        if isinstance(copies, int):
            decks = part("decks", kind, n=copies, cards=cards, title=title)
        else:
            by_players = self.values.say("pack.copies", copies)
            decks = part("decks-by-players", kind, cards=cards, title=title, list=by_players)
        if isinstance(jokers, int):
            return part("with-jokers", "" if jokers else "no", n=jokers, decks=decks)
        return part("jokers-by-players", decks=decks, list=self.values.say("pack.jokers", jokers))

    def _nouns(self) -> dict[str, object]:
        game, speech = self.game, self.speech
        text = game.spec.get("text", {})
        named = nouns_of(game, speech)
        card, suit = named["card"], named["suit"]
        low, top = game.pack.ranks[0], game.pack.ranks[-1]
        wilds = speech.tables["wilds"]
        bare = wilds["wild"]["one"]
        wild = Said(bare)
        if game.has("wild"):
            wild = wild_name(game, text.get("words", {}), self.language)
        if wild in {bare, wilds["card"]["one"]}:
            forms = {form: says.format(card=card) for form, says in wilds["plain"].items()}
            wild = Said(forms["one"], **forms)
        one_suit = game.get("run.one-suit") and not game.get("pack.ignore-suits")
        shows = game.has("hand") and game.get("hand.knock")
        naturals = game.has("wild") and game.get("wild.naturals")
        upcard = game.get("deal.upcard") and not game.no_discard_pile
        nouns: dict[str, object] = {
            **named,
            "cards": card.many,
            "Cards": _capital(card.many),
            "Suits": _capital(suit.many),
            "wild": wild,
            "wilds": wild.many,
            "Wilds": _capital(wild.many),
            "contract": self.contract,
            "low": self._lowest(low),
            "second": self.values.rank(game.pack.ranks[1]),
            "top": self.values.rank(top),
            "big-gin": str(game.big_gin),
            "depth": game.get("draw.depth") or "…",
        }

        def part(key: str, *hows: str, n: int | None = None) -> str:
            return speech.template(f"parts.{key}", *hows, n=n).format_map({**nouns, "n": n})

        nouns |= {
            "stand": part("stand", "tiles" if game.has_tiles else ""),
            "one-suit": part("one-suit") if one_suit else "",
            "besides": part("besides") if naturals else "",
            "packs": self._packs(nouns),
            "shows": part("shows", "knock" if shows else ""),
            "down": part("down", *self._whose(game)),
            "you-have": part("you-have", *self._whose(game)),
            "your": part("your", *self._whose(game)),
            "drawn": part("drawn", n=game.get("draw.cards")),
            "taken": part("taken", "" if game.get("draw.depth") is None else "depth"),
            "counts-again": part("counts-again", game.settlement),
            "laid-aside": self.values.say("aside.cards", game.get("aside.cards") or ["3"]),
            "upcard": part("and-upcard") if upcard else "",
        }
        layoff = "" if game.has("layoff") else "no-layoff"
        return {**nouns, "turn": part(self._turn(), layoff)}

    @staticmethod
    def _whose(game: Description) -> list[str]:
        """Return the message variants to prefer.

        These are "teams" if partners lay melds together, "melds" without contracts, else none.
        """
        return ["teams"] if game.melds_together else [] if game.has("contract") else ["melds"]

    def _lowest(self, rank: str) -> Said:
        """Return the name of the lowest rank; an ace has its name even if 1 is printed on it."""
        is_ace = rank in {"A", "1"} and self.game.pack.kind.names[1] == "ace"
        printed, called = self.values.rank(rank), self.values.rank("A" if is_ace else rank)
        return Said(called, **{**called.forms, "short": printed.forms.get("short", rank)})

    def _written(self, says: str, **values: object) -> str:
        """Return a sentence with words filled in, a capital letter, and “1 card”, not “1 cards”."""
        told = says.format_map({**self.nouns, **values}) if "{" in says else says
        told = f"{told[:1].upper()}{told[1:]}"
        return _ONE.sub(r"1 \1\2", _VOWEL.sub(r"\1n ", told)) if self.language == ENGLISH else told


@cache
def _entries() -> Mapping[str, Any]:
    """Return the English sentences of the fields, whose variants decide which values have one."""
    told: Mapping[str, Any] = Catalogue.read(ENGLISH, WORDS).tables["told"]
    return told


def _limits_nothing(game: Description, path: str, value: object) -> bool:
    """Return whether a field on wilds limits nothing, so that its sentence would be wrong."""
    if path == "wild.in" and isinstance(value, list):
        return all(game.has(kind.value) == (kind.value in value) for kind in MeldKind)
    if path != "wild.most" or value is not None:
        return False
    limits = (game.get(path) or {} for path in ("wild.set", "wild.run"))
    return not game.get("wild.outnumber") or any(
        "most" in limit or limit.get("outnumber") is False for limit in limits
    )


def _capital(word: str) -> str:
    return word[:1].upper() + word[1:]


def _next_to(players: str) -> bool:
    """Return whether a key of a table by players has just 2 numbers: "3-4"."""
    low, _, high = players.partition("-")
    return bool(high) and int(high) == int(low) + 1
