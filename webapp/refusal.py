"""One way to refuse: a status for the browser, a code for the log and for tests, and a sentence."""

import re
from typing import Any, ClassVar

from webapp.language import Later


class Refusal(Exception):  # noqa: N818 - an error is what went wrong; this was decided
    """Something isn't done as it was asked.

    Each kind is a class with its status; its sentence is made when it is shown, and is the one that
    was handed to it, or else its kind's: `refusals.CODE` of the catalogue.
    """

    status: ClassVar[int] = 422

    def __init__(self, sentence: str = "", **values: object) -> None:
        """Keep a sentence of its own, or else the values of its kind's."""
        super().__init__(sentence)
        self.values: dict[str, Any] = values

    @property
    def code(self) -> str:
        """What it is called outside the code: "round-not-open"."""
        name = type(self).__name__.removesuffix("Error")
        return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()

    @property
    def sentence(self) -> str:
        """The sentence, to be made when it is shown."""
        return self.args[0] or Later(f"refusals.{self.code}", (), self.values)

    @property
    def logged(self) -> str:
        """The sentence for the log: in English, if it’s made when it is shown."""
        return str.__str__(self.sentence)

    def __str__(self) -> str:
        """The sentence for the person at the table."""
        return str(self.sentence)
