"""Refusals: each has a status for the browser, a code for the log and tests, and a sentence."""

import re
from typing import Any, ClassVar

from webapp.language import Later


class Refusal(Exception):  # noqa: N818 - an error is what went wrong; this was decided
    """Something can’t be done as requested.

    Each kind is a class with its status. Its sentence is made when it’s shown: the one that was
    given, or else that of its kind, `refusals.CODE` in the catalog.
    """

    status: ClassVar[int] = 422

    def __init__(self, sentence: str = "", **values: object) -> None:
        """Store a sentence of its own, or else the values for the sentence of its kind."""
        super().__init__(sentence)
        self.values: dict[str, Any] = values

    @property
    def code(self) -> str:
        """The name of its kind in the log, the tests and the catalog, such as "round-not-open"."""
        name = type(self).__name__.removesuffix("Error")
        return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()

    @property
    def sentence(self) -> str:
        """The sentence, which is made when it’s shown."""
        return self.args[0] or Later(f"refusals.{self.code}", (), self.values)

    @property
    def logged(self) -> str:
        """The sentence for the log, in English if it’s made when it’s shown."""
        return str.__str__(self.sentence)

    def __str__(self) -> str:
        """Return the sentence for the person at the table."""
        return str(self.sentence)
