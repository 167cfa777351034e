"""House rules put right in the middle of a game: every round is counted again by the new ones."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sqlalchemy.orm import Session

from referee import OptionError, Variant, variants
from referee.variants import UnknownVariantError
from webapp import ledger
from webapp.ledger import GameFullError, Kept, Sent
from webapp.ledger.facts import Amended, Fact
from webapp.ledger.story import Story
from webapp.refusal import Refusal
from webapp.services.games.house_rules import OptionField, option_fields
from webapp.services.own import GameLeftOutError, find_game
from webapp.services.refusals import GameFinishedError, RefusedError, RulesKeptError
from webapp.services.sentences import tell_changes
from webapp.services.tokens import read_people

_MOVED: Final = (
    "Another phone changed the house rules meanwhile. "
    "See what yours would change now, and save again."
)


class AmendingRefusedError(RefusedError):
    """House rules are not changed; the page says why."""

    says = "The house rules cannot be changed like this; the page says why."

    def __init__(self, page: AmendingPage) -> None:
        """Keep the page with what was chosen."""
        super().__init__()
        self.page = page


@dataclass(frozen=True, slots=True, kw_only=True)
class Choosing:
    """The form as it came in; nothing in it is checked yet."""

    options: Mapping[str, str]
    """Form text by option name; who is missing is as it is in the game."""
    preset: str = ""
    """A named list that takes the place of what was written: "phases:reconstructed"."""
    seen: int = 0
    """The last change of them that was looked at, by its number in the game; 0 for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AmendingPage:
    """The house rules of a game that is being played, with what was chosen so far."""

    pub: str
    name: str
    """What the game is called."""
    options: tuple[OptionField, ...]
    tells: tuple[str, ...]
    """What would become different, in sentences; none where nothing would."""
    differs: bool
    """Whether anything was chosen that is not so already."""
    problem: str
    """Why the game cannot be played like that; or empty."""
    seen: int
    """The last change of them, by its number in the game; 0 for none."""
    key: str


def read_amending(session: Session, pub: str, chosen: Choosing) -> AmendingPage:
    """Show the house rules of a game, and what those that were chosen would change.

    Raises GameNotFoundError, GameFinishedError, RulesKeptError.
    """
    story = ledger.read_story(session, pub)
    if story.finished:
        raise GameFinishedError
    return _page(session, pub, story, chosen)


def amend(session: Session, pub: str, chosen: Choosing, sent: Sent) -> Kept:
    """Play by other house rules, from the first round on; nothing is entered where they are so.

    Raises AmendingRefusedError, GameFinishedError, RulesKeptError, and as `ledger.enter`.
    """

    def deed(story: Story) -> tuple[Fact, ...]:
        if story.finished:
            raise GameFinishedError
        page = _page(session, pub, story, chosen, "" if chosen.seen == _changed(story) else _MOVED)
        if page.problem or any(option.problem for option in page.options):
            raise AmendingRefusedError(page)
        return _facts(story, _game(_base(session, story), page.options))

    told = sorted(chosen.options.items())
    form = ledger.Form.by_content(sent, f"amend {told} {chosen.preset}")
    try:
        return ledger.enter(session, pub, form, deed)
    except GameFullError as error:
        story = ledger.read_story(session, pub)
        raise AmendingRefusedError(_page(session, pub, story, chosen, str(error))) from error


def _base(session: Session, story: Story) -> Variant:
    """The game as it comes, whose house rules can be chosen again.

    It is the one that was begun: with the house rules of this table it has the rules that the
    table keeps. Raises RulesKeptError where it has others by now.
    """
    try:
        game = find_game(session, story.variant.slug)
        if game.with_options(story.options).form == story.variant.form:
            return game
    except (UnknownVariantError, GameLeftOutError, OptionError):
        pass
    raise RulesKeptError


def _page(
    session: Session, pub: str, story: Story, chosen: Choosing, problem: str = ""
) -> AmendingPage:
    base = _base(session, story)
    now = {
        option.name: option.kind.show(story.options.get(option.name, option.default))
        for option in base.options
    }
    fields = tuple(option_fields(base, {**now, **chosen.options}, chosen.preset))
    tells: tuple[str, ...] = ()
    differs = False
    if not any(field.problem for field in fields):
        try:
            facts = _facts(story, _game(base, fields))
        except (OptionError, _TooFewError) as error:
            problem = problem or str(error)
        else:
            differs = bool(facts)
            names = read_people(session, story).names
            tells = tuple(tell_changes(story, story.followed_by(facts), names)) if facts else ()
    return AmendingPage(
        pub=pub,
        name=base.name,
        options=fields,
        tells=tells,
        differs=differs,
        problem=problem,
        seen=_changed(story),
        key=ledger.new_key(),
    )


def _changed(story: Story) -> int:
    """The last change of the house rules, by its number in the game; 0 where they are the first."""
    return story.amended.seq if story.amended else 0


class _TooFewError(Refusal, ValueError):
    """A house rule would be for another number of players."""


def _game(base: Variant, fields: tuple[OptionField, ...]) -> Variant:
    """The game with the house rules of a form; raises OptionError where they do not go together."""
    return base.with_options(
        {field.option.name: field.option.kind.parse(field.text) for field in fields}
    )


def _facts(story: Story, game: Variant) -> tuple[Fact, ...]:
    """What is entered: nothing where the game is played by these rules already."""
    number = len(story.rounds) + 1
    there = sum(story.seating.plays(who, number) for who in story.seats)
    if there not in game.players:
        raise _TooFewError(game.for_how_many)
    if game.form == story.variant.form:
        return ()
    if game.points_only:
        game = game.called(story.variant.name)
    return (Amended(options=dict(game.chosen), game=json.loads(variants.kept(game))),)
