"""One way to refuse: a status for the browser, a code for the log and for tests, and a sentence."""

import re
from typing import ClassVar


class Refusal(Exception):  # noqa: N818 - an error is what went wrong; this was decided
    """Something isn't done as it was asked.

    Each kind is a class with its status and its sentence. The sentence is made when it is shown:
    `says` with the values that the refusal was raised with, or the one that was handed to it.
    """

    status: ClassVar[int] = 422
    says: ClassVar[str] = ""

    def __init__(self, sentence: str = "", **values: object) -> None:
        """Keep a sentence of its own, or else what its kind's sentence has in braces."""
        super().__init__(sentence)
        self.values = values

    @property
    def code(self) -> str:
        """What it is called outside the code: "round-not-open"."""
        name = type(self).__name__.removesuffix("Error")
        return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()

    def __str__(self) -> str:
        """The sentence for the person at the table."""
        return super().__str__() or self.says.format_map(self.values)
