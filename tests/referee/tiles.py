"""Short hands for tests of tiles: sets as text, a turn as the table before it and after it."""

from collections.abc import Mapping

from referee import variants
from referee.cards import Cards
from referee.judging import allows, rule_on
from referee.plays import LayDown, LayOff, Rearrange, ShowMeld
from referee.rulings import Ruling
from referee.variant import Variant

RUMMIKUB = variants.get("rummikub")


def tiles(text: str) -> Cards:
    """Tiles as they are written."""
    return RUMMIKUB.pack.parse(text)


def sets(*texts: str) -> tuple[Cards, ...]:
    """Sets as they lie."""
    return tuple(map(tiles, texts))


def rule(play: object, **options: object) -> Ruling:
    """Rule on a play, with house rules written with underscores."""
    return rule_on(play, _with_options(options))  # type: ignore[arg-type]


def _with_options(options: Mapping[str, object]) -> Variant:
    return RUMMIKUB.with_options({name.replace("_", "-"): each for name, each in options.items()})


def show(text: str, **options: object) -> Ruling:
    """Ask whether tiles are a group or a run."""
    return rule(ShowMeld(tiles(text)), **options)


def opens(*melds: str, **options: object) -> Ruling:
    """Ask whether sets may open."""
    return rule(LayDown(melds=sets(*melds)), **options)


def add(cards: str, onto: str, *, down: bool = True, **options: object) -> Ruling:
    """Ask whether tiles may join a set."""
    return rule(LayOff(tiles(cards), tiles(onto), down=down), **options)


def turn(
    before: list[str],
    after: list[str],
    rack: str | None = None,
    *,
    opened: bool = True,
    drew: bool = False,
    **options: object,
) -> Ruling:
    """Ask whether a turn at the table is right: with all that is to be said of it, and at once."""
    play = Rearrange(
        before=sets(*before),
        after=sets(*after),
        rack=None if rack is None else tiles(rack),
        opened=opened,
        drew=drew,
    )
    ruling = rule(play, **options)
    assert allows(play, _with_options(options)) is ruling.is_legal
    return ruling


def codes(ruling: Ruling) -> set[str]:
    """The codes of all that was found, for and against."""
    return {finding.code.value for finding in ruling.findings}
