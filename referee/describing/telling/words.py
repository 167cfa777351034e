"""Values in words, as told sentences want them."""

from collections.abc import Mapping
from typing import Any, Final

from referee.wording import joined

_NUMBERS: Final = (
    "no one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen".split()
)
_OFTEN: Final = "score.at-once"
"""The field whose number says how often something counts."""
_SELECTED: Final = {
    "JK": "jokers",
    "dealt": "the cards of the rank that is the number dealt",
    "turned": "the cards of the rank turned up",
    "turned-next": "the one above the one turned up",
}


def number(value: int) -> str:
    """A number in words, a large one in digits."""
    few = 0 <= value < len(_NUMBERS)
    return _NUMBERS[value] if few else str(value).replace("-", "−")


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
                f"{number(n) if n else 'none'} for {players.replace('-', ' to ')} players"
                for players, n in lines
            )
        case "pack.special":
            return joined(f"{number(card['count'])} {card['name']}s" for card in value.values())
        case "score.hand" | "score.table" | "score.in-run":
            return joined(
                f"{_cards(word)} {'as shown' if points == 'face' else points}"
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
            return often if often == without else f"{often} with a wild and {without} without"
    return joined(f"{key} {say('', number)}" for key, number in lines)


def _bonus(value: Mapping[str, int]) -> str:
    """What is added at the end, and for what."""
    game, won, shutout = value.get("game", 0), value.get("round", 0), value.get("shutout", 1)
    more = {2: "once more", 3: "twice more"}.get(shutout, f"{number(shutout - 1)} times more")
    parts = [f"{game} for who wins"] if game else []
    parts += [f"{won} for each round won"] if won else []
    alone = f"the winner’s points of the rounds {more} where nobody else has won one"
    return joined([*parts, alone] if shutout > 1 else parts) or "nothing"


def _needs(value: Mapping[str, int]) -> str:
    """What a hand needs: pure runs are told as some of the runs."""
    parts = []
    for kind, count in value.items():
        if kind.removeprefix("pure ") != kind and value.get(kind.removeprefix("pure "), 0) > count:
            continue
        pure = value.get(f"pure {kind}", 0)
        some = f", {number(pure)} of them without a wild" if 0 < pure < count else ""
        parts.append(f"{number(count)} {kind}{'s' * (count > 1)}{some}")
    return joined(parts)


def _limit(name: str, limit: int) -> str:
    """A limit to wilds in one kind of meld; switches are numbers, too."""
    match name:
        case "naturals":
            return f"at least {number(limit)} natural cards"
        case "most":
            return f"at most {number(limit)} wilds"
        case "adjacent":
            return "wilds side by side" if limit else "no wilds side by side"
    return "any share of wilds" if limit else "no more wilds than naturals"


def _cards(word: str) -> str:
    return "a joker" if word == "JK" else word.replace("-", " to ")


def _times(often: int) -> str:
    return {1: "once", 2: "twice"}.get(often, f"{number(often)} times")


def _hand(word: str, one: Mapping[str, Any]) -> str:
    title = one.get("title", word.replace("-", " ").capitalize())
    if one.get("wins") or "scores" in one:
        counts = "wins the game" if one.get("wins") else f"scores {number(one['scores'])}"
        return f"“{title}” ({one['is'].replace('-', ' ')}) {counts}"
    without = f", {_times(one['without'])} without a wild" if "without" in one else ""
    saves = ", which saves its holder too" if one.get("protects") else ""
    kind = f"{one['is'].replace('-', ' ')}{', a wild thrown away' * one.get('thrown', False)}"
    return f"“{title}” {_times(one['times'])}{without} ({kind}){saves}"
