"""Opening the form: for a new game, for a correction, for one evening, and as it came back."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from sqlalchemy.orm import Session

from referee import OptionError, Variant, variants
from referee.describing import Complaint, rules_hash, upgraded
from referee.variants import UnknownVariantError
from webapp.ledger import new_key
from webapp.services.own.catalogue import (
    find_game,
    id_of,
    is_for_one_evening,
    latest_of,
    whole_game,
)
from webapp.services.own.controls import Sent
from webapp.services.own.drafts import (
    LONGEST,
    DraftRefusedError,
    from_nothing,
    made_from,
    read_draft,
    slim,
    text_in,
    with_page,
)
from webapp.services.own.examples import with_examples
from webapp.services.own.house import with_house_rules
from webapp.services.own.layout import PAGES
from webapp.services.own.plain import read_text
from webapp.services.wording import capital

AS_TEXT: Final = "text"
"""What is open on the last page where the whole game is written."""
_CHANGED: Final = "-changed"
"""What the slug of a game ends with that was changed for one evening."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnForm:
    """What goes to a phone with the form, and comes back from it."""

    draft: Mapping[str, Any]
    page: str = PAGES[0].name
    slug: str = ""
    """The game of one's own that is corrected; empty for a new one."""
    seen: int = 0
    """The version of it that was looked at."""
    base: str = ""
    """The game that it was made from; empty where from nothing."""
    evening: str = ""
    """The fields of the new game page to go back to, as the query of its address; empty where the
    game is to be kept."""
    key: str = ""
    rule: str = ""
    """The house rule that is open on the page of house rules, or "text" where the whole game is
    written on the last page; else empty."""
    typed: str = ""
    """The text that the game was written as, where that cannot be read."""
    unread: str = ""
    """Why it cannot."""


def open_new(session: Session, slug: str) -> OwnForm:
    """A form for a new game made from the one called `slug`, or from nothing where that is empty.

    Raises UnknownVariantError.
    """
    if not slug:
        return OwnForm(draft=from_nothing(), key=new_key())
    spec = spec_of(session, slug)
    name = f"Our {name_of(spec)}"[:40]
    base = "" if is_for_one_evening(slug) else slug
    return OwnForm(draft=made_from(spec, name), base=base, key=new_key())


def open_again(session: Session, slug: str) -> OwnForm:
    """A form to correct a game of one's own; raises UnknownVariantError."""
    row = latest_of(session, slug)
    spec = {**upgraded(json.loads(row.spec)), "text": json.loads(row.prose)}
    return OwnForm(draft=spec, slug=slug, seen=row.number, base=slug, key=new_key())


def open_evening(session: Session, slug: str, chosen: Mapping[str, str], back: str) -> OwnForm:
    """A form for one evening: a game with its house rules in force, and the page to go back to.

    `chosen` are the house rules as form text, and those that cannot be read are as usual. Raises
    UnknownVariantError and GameLeftOutError.
    """
    game = find_game(session, slug)
    rules, name, base = json.loads(_chosen(game, chosen).form), game.name, ""
    if not is_for_one_evening(slug):
        rules["slug"] = f"{game.slug[:32].strip('-')}{_CHANGED}"
        name, base = f"{game.name}, changed"[:60], slug
    words = {key: part for key, part in game.names.items() if key == "words"}
    draft = slim({**rules, "text": {**words, "name": name}})
    return OwnForm(draft=draft, base=base, evening=back, key=new_key())


def _chosen(game: Variant, texts: Mapping[str, str]) -> Variant:
    values: dict[str, object] = {}
    for option in game.options:
        try:
            values[option.name] = option.kind.parse(texts[option.name])
        except (KeyError, ValueError):
            continue
    try:
        return game.with_options(values)
    except OptionError:
        return game


def name_of(spec: Mapping[str, Any]) -> str:
    """What a game is called."""
    return text_in(spec, "name") or capital(str(spec.get("slug", "")).replace("-", " "))


def spec_of(session: Session, slug: str) -> dict[str, Any]:
    """The description of a game, prose and all.

    Raises UnknownVariantError and DraftRefusedError.
    """
    if is_for_one_evening(slug):
        return whole_game(slug)
    if id_of(slug) is None:
        return variants.description_of(slug)
    row = latest_of(session, slug)
    return {**upgraded(json.loads(row.spec)), "text": json.loads(row.prose)}


def base_of(session: Session, form: OwnForm) -> dict[str, Any] | None:
    """The description that a form was made from; None where from nothing, or it is gone."""
    try:
        return spec_of(session, form.base) if form.base else None
    except UnknownVariantError:
        return None


def base_hash(session: Session, form: OwnForm) -> str:
    """The hash of the rules that a form was made from; empty where from nothing."""
    base = base_of(session, form)
    return rules_hash(base) if base else ""


def filled_in(form: OwnForm, sent: Sent) -> OwnForm:
    """A form with what was typed on the page that was shown."""
    if form.rule == AS_TEXT and "description" in sent:
        text = next(iter(sent["description"]))
        try:
            return replace(form, draft=read_text(text))
        except DraftRefusedError as refused:
            return replace(form, typed=text[:LONGEST], unread=str(refused))
    draft = with_examples(with_page(form.draft, form.page, sent), sent)
    rule = with_house_rules(draft, form.rule, sent) if form.page == "house" else ""
    return replace(form, draft=draft, rule=rule)


def leading_to(form: OwnForm, to: str) -> tuple[OwnForm, str]:
    """A form on its way to another page, and the name of that.

    A page is "house", or "house.swap" with a house rule to open. Where `to` is empty one stays.
    """
    page, _, rule = (to or form.page).partition(".")
    return (replace(form, rule=rule) if to else form), page


def to_put_right(form: OwnForm, complaint: Complaint) -> tuple[OwnForm, str]:
    """A form that is refused, and the page where that is shown: a house rule on its own."""
    part, _, rest = complaint.path.partition(".")
    if part != "options":
        return form, PAGES[-1].name
    return replace(form, rule=rest.partition(".")[0]), "house"


def read_form(fields: Mapping[str, str], key: str) -> OwnForm:
    """A form as it came back; raises DraftRefusedError."""
    seen = fields.get("seen", "0")
    return OwnForm(
        draft=read_draft(fields.get("draft", "")),
        page=fields.get("page", ""),
        slug=fields.get("slug", "")[:40],
        seen=int(seen) if seen.isascii() and seen.isdigit() and len(seen) < 6 else 0,  # noqa: PLR2004 - digits
        base=fields.get("base", "")[:40].removeprefix("~"),
        # Written once more, as it becomes part of an address.
        evening=urlencode(parse_qsl(fields.get("evening", "")[:4000], keep_blank_values=True)),
        key=key,
        rule=fields.get("rule", "")[:40],
    )
