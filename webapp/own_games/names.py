"""The names of the fields in a description, for pages and for problems with one."""

from collections.abc import Mapping
from typing import Any, Final

from referee.describing import BY_PATH, STEPS, UNCHECKED, Complaint, Description, nouns_of
from referee.saying import WORDS, Catalogue
from webapp.language import language, say
from webapp.text.formatting import capital

_RULES: Final = "options"
_LINE: Final = ", line "


def title_of(path: str, spec: Mapping[str, Any] | None = None) -> str:
    """Return a short title for a field or table; for a path inside a field, with the part’s name.

    With a description it’s in the words of that game: “tercias” for Conquián.
    """
    table, name, *deeper = [*path.split("."), "", ""]
    key = f"{table}-{name}" if name and table != UNCHECKED else table
    whole = capital(path.replace(".", ": ").replace("-", " "))
    title = capital(say("changing.of", key, path=whole, **melds_in(spec)))
    rest = " ".join(filter(None, deeper)).replace("-", " ")
    return f"{title}: {rest}" if rest else title


def melds_in(spec: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return a game’s words for sets and runs, by placeholder in sentences: "sets", "a-run"."""
    speech = Catalogue.read(language(), WORDS)
    nouns = nouns_of(Description(spec), speech) if spec else speech.nouns()
    melds: dict[str, Any] = {kind: nouns[kind] for kind in ("set", "run")}
    melds |= {f"a-{kind}": nouns[kind].a for kind in ("set", "run")}
    melds |= {f"{kind}s": nouns[kind].many for kind in ("set", "run")}
    return melds


def usual(path: str, word: str, spec: Mapping[str, Any]) -> str:
    """Return a sentence for a value that is so usual that rulebooks don’t mention it.

    `path` is the field and `word` its value. The sentence is empty for every other value.
    """
    return capital(say("changing.usual", f"{path.replace('.', '-')}-{word}", **melds_in(spec)))


def rule_title(draft: Mapping[str, Any], name: str) -> str:
    """Return the name of a house rule of a draft."""
    said: Any = draft.get("text")
    for word in (_RULES, name, "title"):
        said = said.get(word) if isinstance(said, dict) else None
    return said if isinstance(said, str) else capital(name.replace("-", " "))


def say_complaint(draft: Mapping[str, Any], complaint: Complaint) -> str:
    """Return what is wrong with a draft, and where, in a line."""
    at = where(draft, complaint.path)
    if not at and BY_PATH.get(complaint.path):
        at = title_of(complaint.path)
    says = complaint.said(language())
    return f"{at}: {says}" if at else says


def where(draft: Mapping[str, Any], path: str) -> str:
    """Return the name of the house rule, list or line of a list that `path` is in.

    It’s empty for any other path: a field of a page shows it.
    """
    if path.startswith(f"{_RULES}."):
        return rule_title(draft, path.split(".")[1])
    if not path.startswith((STEPS, "examples")):
        return ""
    name, _, number = path.partition(_LINE)
    return say("changing.line", what=title_of(name), number=number) if number else title_of(name)
