"""Values in words, as told sentences want them."""

from collections.abc import Mapping
from typing import Any, Final

from referee.describing.description import Description
from referee.describing.packs import MOVING
from referee.wording import joined

_JOKER: Final = "joker"
_RANKS: Final = {"JK": "joker", "A": "ace", "J": "jack", "Q": "queen", "K": "king"}
_WILD_CARD: Final = "wild card"
_OFTEN: Final = "score.at-once"
"""The field whose number says how often something counts."""
_SELECTED: Final = {
    "JK": "jokers",
    "dealt": "the cards of the rank of the number dealt",
    "turned": "the cards of the rank turned up",
    "turned-next": "the one after the one turned up",
}


def number(value: int) -> str:
    """A number as it is printed, with a true minus."""
    return str(value).replace("-", "−")


def wild_name(game: Description, words: Mapping[str, str]) -> str:
    """What a wild is called: by the prose if that still fits, else by what is wild."""
    if "wild" in words and _names_all(game, words["wild"]):
        return words["wild"]
    selectors = game.get("wild.cards") or []
    if selectors == ["JK"]:
        return _JOKER
    if set(MOVING) & set(selectors):
        return _WILD_CARD
    return selectors[0] if len(selectors) == 1 else _WILD_CARD if selectors else "wild"


def _names_all(game: Description, word: str) -> bool:
    """Whether a word for wilds leaves none of them out.

    A word that names cards ("black 2") may be that of a game in which only those are wild.
    """
    named = game.pack.select("JK" if word == _JOKER else word)
    return not named or named == game.wild


def say(  # noqa: PLR0911 - one for each kind
    path: str,
    value: Any,  # noqa: ANN401 - what the field holds
) -> str:
    """The value of a field in words."""
    match value:
        case bool():
            return "yes" if value else "no"
        case int() if path == _OFTEN:
            return _times(value)
        case int():
            return number(value)
        case str():
            return value
        case list() if path == "wild.in":
            return joined("flushes" if kind == "flush" else f"{kind}s" for kind in value)
        case list() if path == "pack.remove":
            return joined(map(_cards, value))
        case list():
            return joined(_SELECTED.get(word, f"{word}s") for word in value)
        case dict():
            return _table(path, value)
    return "no limit"


def any_value(path: str) -> str:
    """What stands in a sentence for any value of a field."""
    return "… times" if path == _OFTEN else "…"


def _table(path: str, value: Mapping[str, Any]) -> str:  # noqa: PLR0911 - as above
    lines = value.items()
    match path:
        case "pack.copies" | "pack.jokers" | "deal.cards":
            return joined(
                f"{n or 'none'} for {players.replace('-', ' to ')} players" for players, n in lines
            )
        case "pack.special":
            return joined(f"{card['count']} {card['name']}s" for card in value.values())
        case "score.hand" | "score.table" | "score.in-run":
            return joined(
                f"{_cards(word)} {'face value' if points == 'face' else number(points)}"
                for word, points in lines
            )
        case "score.fixed":
            return joined(f"“{one['title']}” {one['points']} points" for one in value.values())
        case "hand.special":
            return joined(_hand(word, one) for word, one in lines)
        case "end.bonus":
            return _bonus(value)
        case "hand.needs":
            return _needs(value)
        case "wild.set" | "wild.run":
            return joined(_limit(name, limit) for name, limit in lines)
        case "hand.times":
            often, without = _times(value["with"]), _times(value["without"])
            return often if often == without else f"{often} with a wild card and {without} without"
    return joined(f"{key} {say('', number)}" for key, number in lines)


def _bonus(value: Mapping[str, int]) -> str:
    """What is added at the end, and for what."""
    game, won, shutout = value.get("game", 0), value.get("round", 0), value.get("shutout", 1)
    more = {2: "once more", 3: "twice more"}.get(shutout, f"{shutout - 1} times more")
    parts = [f"{game} for the winner"] if game else []
    parts += [f"{won} for each round won"] if won else []
    alone = f"the winner’s points of the rounds {more} if nobody else won one"
    return joined([*parts, alone] if shutout > 1 else parts) or "nothing"


def _needs(value: Mapping[str, int]) -> str:
    """What a hand needs: pure runs are told as some of the runs."""
    parts = []
    for kind, count in value.items():
        if kind.removeprefix("pure ") != kind and value.get(kind.removeprefix("pure "), 0) > count:
            continue
        pure = value.get(f"pure {kind}", 0)
        some = f", {pure} of them without a wild card" if 0 < pure < count else ""
        parts.append(f"{count} {kind}{'s' * (count > 1)}{some}")
    return joined(parts)


def _limit(name: str, limit: int) -> str:
    """A limit to wilds in one kind of meld; switches are numbers, too."""
    match name:
        case "naturals":
            return f"at least {limit} natural cards"
        case "most":
            return f"at most {limit} wild cards"
        case "adjacent":
            return "wild cards side by side" if limit else "no wild cards side by side"
    return "any share of wild cards" if limit else "no more wild cards than natural cards"


def _cards(word: str) -> str:
    ranks = (_RANKS.get(rank, rank) for rank in word.replace("-", " to ").split())
    return " ".join(ranks)


def _times(often: int) -> str:
    return {1: "once", 2: "twice"}.get(often, f"{often} times")


def _hand(word: str, one: Mapping[str, Any]) -> str:
    title = one.get("title", word.replace("-", " ").capitalize())
    if one.get("wins") or "scores" in one:
        counts = "wins the game" if one.get("wins") else f"scores {number(one['scores'])}"
        return f"“{title}” ({one['is'].replace('-', ' ')}) {counts}"
    without = f", {_times(one['without'])} without a wild card" if "without" in one else ""
    saves = ", and it protects you" if one.get("protects") else ""
    kind = f"{one['is'].replace('-', ' ')}{', a wild card discarded' * one.get('thrown', False)}"
    return f"“{title}” {_times(one['times'])}{without} ({kind}){saves}"
