"""Canonical JSON for descriptions, the full form of one (all defaults set), and its hash."""

import json
from collections.abc import Mapping
from hashlib import sha256

from referee.describing.description import Description
from referee.describing.schema import ALWAYS, OF_SECTION, POINTS_ONLY, Spec
from referee.describing.schema.fields import GIVEN
from referee.describing.schema.scoring import SETTLEMENTS

_ASIDE = frozenset({"text", "examples", "options", "editions"})
"""The keys that aren’t rules: prose, examples, and the house rules and editions to choose from."""


def canonical(value: object) -> str:
    """Return a value as JSON that is always the same: with sorted keys and without spaces.

    >>> from referee.describing import canonical
    >>> canonical({"b": 1, "a": [2]})
    '{"a":[2],"b":1}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def full_form(spec: Spec) -> dict[str, object]:
    """Return the rules of a checked description with every default written out, and nothing else.

    This is stored with a game in progress, so that a later change of a default doesn’t affect that
    game.

    >>> from referee import variants
    >>> from referee.describing import full_form
    >>> full_form(variants.description_of("gin-rummy"))["run"]["around"]
    False
    """
    game = Description(spec)
    form: dict[str, object] = {key: value for key, value in spec.items() if key not in _ASIDE}
    for section, fields in OF_SECTION.items():
        if section in spec or (section in ALWAYS and POINTS_ONLY not in spec):
            values = {
                field.name: game.get(field.path) for field in fields if field.default is not GIVEN
            }
            written = {**values, **spec.get(section, {})}
            if isinstance(written.get("settle"), dict):
                written["settle"] = _settled(written["settle"])
            form[section] = {name: value for name, value in written.items() if value is not None}
    return form


def _settled(settle: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
    """Return a settlement without numbers that are 0 both here and by default."""
    return {
        name: {word: number for word, number in given.items() if number or SETTLEMENTS[name][word]}
        for name, given in settle.items()
    }


def rules_hash(spec: Spec) -> str:
    """Return the SHA-256 of a description’s full form; two ways to write a game have the same.

    >>> from referee import variants
    >>> from referee.describing import rules_hash
    >>> spec = variants.description_of("gin-rummy")
    >>> rules_hash(spec) == rules_hash({**spec, "run": {"around": False, **spec["run"]}})
    True
    """
    return sha256(canonical(full_form(spec)).encode()).hexdigest()
