"""Variants of rules: the sentences of a game’s house rules with their other values."""

from collections.abc import Iterator, Mapping
from itertools import islice
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from referee import Variant, variants
from referee.describing import (
    BY_PATH,
    Description,
    Values,
    field_path,
    label,
    patch_of,
    patched,
    sentence_of,
    values_of,
)
from referee.variants import UnknownVariantError
from webapp.text.formatting import SENTENCE_END

Others: TypeAlias = Mapping[str, tuple[str, ...]]
"""Sentences by the anchor of the rule that they would replace."""

_MOST: Final = 3


def variants_of(variant: Variant) -> Others:
    """Return the sentences for other values of a game’s house rules, by the anchor of the rule."""
    if not variant.options:
        return MappingProxyType({})
    try:
        spec = variants.description_of(variant.slug, variant.language)
    except UnknownVariantError:
        return MappingProxyType({})
    found: dict[str, dict[str, None]] = {}
    for name, option in spec.get("options", {}).items():
        # A rule that a game doesn’t have would be shown next to one that it has.
        near = next(each.clause for each in variant.options if each.name == name)
        for clause, says in islice(_of_option(spec, option, name, variant.language), _MOST):
            there = variant.rulebook.by_cite.get(clause)
            found.setdefault(there.id if there else near, {})[says] = None
    said = {clause.says for clause in variant.rulebook.clauses}
    return MappingProxyType(
        {
            anchor: tuple(says for says in those if says not in said)
            for anchor, those in found.items()
        }
    )


def _of_option(
    spec: Mapping[str, Any], option: Mapping[str, Any], name: str, language: str
) -> Iterator[tuple[str, str]]:
    """Yield the sentences of one house rule’s other values, each with its clause."""
    before = Description(spec)
    if "rows" in option or option.get("path") == "steps":
        return
    values, path = values_of(spec, option), option.get("path", "")
    if "range" in option and path in BY_PATH:
        said, ends, values = Values(language), values[:2], values[2:]
        low, high = (said.number(end) for end in ends if isinstance(end, int))
        says = said.speech.say("parts.any-number", low=low, high=high)
        # If the game has no number of its own, its sentence isn’t there yet.
        says = (
            says
            if before.get(path) is not None
            else label(
                path, ..., before.pack.kind.name, language, spec.get("text", {}).get("nouns", {})
            )
        )
        yield BY_PATH[path].clauses[0], says
    for value in values:
        now = Description(patched(spec, {name: value}))
        for path in map(field_path, patch_of(option, value)):
            if path in BY_PATH and now.get(path) != before.get(path):
                says, clause = sentence_of(now, path, language), BY_PATH[path].clauses[0]
                was = sentence_of(before, path, language)
                if says and says != was:
                    yield clause, _different(was, says)


def _different(was: str, says: str) -> str:
    """Return the sentences of the text `says` that `was` lacks, or all if it has all of them."""
    same = {*SENTENCE_END.split(was)}
    return " ".join(each for each in SENTENCE_END.split(says) if each not in same) or says
