"""The parts that the prose of a game can have."""

from typing import Final

from referee.describing.schema import BY_PATH
from referee.describing.schema.kinds import (
    LONGEST_TEXT,
    Shaped,
    is_slug,
    is_text,
    is_word,
    listed,
    one_of,
    record,
    table,
)
from referee.saying import wrong

_MOST_CLAUSES: Final = 120
LONGEST_KEY: Final = 60
_IDS: Final = listed(lambda word: is_text(word, 40), 12)

_CLAUSE: Final = record(
    ("says",),
    {
        "id": is_slug,
        "title": is_word,
        "for": _IDS,
        "fields": listed(lambda word: word in BY_PATH, 12),
        "says": is_text,
        "at": is_text,
        "basis": one_of("source", "reading", "table"),
        "option": is_slug,
        "value": lambda value: is_text(value, 60),
    },
)
_SECTION: Final = record(
    ("name", "clauses"), {"name": is_word, "clauses": listed(_CLAUSE, _MOST_CLAUSES)}
)
_OPTION: Final = record(
    (),
    {"title": is_word, "asks": is_text, "labels": table(lambda key: len(key) <= 60, is_word)},  # noqa: PLR2004 - letters
)

TEXT: Final = Shaped(
    record(
        (),
        {
            "name": is_word,
            "title": is_word,
            "sign": lambda value: is_text(value, 2),
            "tagline": is_text,
            "source": is_text,
            "words": table(is_slug, is_word),
            "titles": table(lambda key: len(key) <= LONGEST_KEY, is_word),
            "nouns": table(is_slug, table(is_slug, is_word)),
            "examples": listed(is_text),
            "sections": listed(_SECTION, 30),
            "clauses": listed(_CLAUSE, _MOST_CLAUSES),
            "options": table(is_slug, _OPTION),
        },
    ),
    wrong("prose-parts", most=LONGEST_TEXT),
)
