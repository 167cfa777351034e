"""The build hook: `webapp` and `referee` in one package, with all that they need to run.

In the checkout they are packages of their own, beside `templates/` and `static/`. In the wheel the
four lie in `laydown/`, because the two names are too common to claim among a machine's packages;
imports are rewritten for that. An editable install is the checkout as it is.
"""

import ast
import re
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

OUTER: Final = "laydown"
INNER: Final = ("referee", "webapp")
DATA: Final = ("referee/games", "static", "templates")

_IMPORT: Final = re.compile(rf"^(\s*(?:>>> )?from )((?:{'|'.join(INNER)})\b)", re.MULTILINE)
_DOTTED: Final = re.compile(rf"(?:{'|'.join(INNER)})(?:\.\w+)+")


class NotMovableError(ValueError):
    """A source names a module in a way that would not hold in another package."""


class OnePackage(BuildHookInterface[Any]):
    """Moves the packages into one, as a wheel is built."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Say which files go where; rewritten ones wait in a temporary folder."""
        if version == "editable":
            return
        # It goes with the hook, once the wheel is written.
        self._staged = tempfile.TemporaryDirectory()
        root, into = Path(self.root), build_data["force_include"]
        for source, place in _places(root, (OUTER, *INNER), "*.py"):
            moved = Path(self._staged.name) / place
            moved.parent.mkdir(parents=True, exist_ok=True)
            text = move_imports(source.read_text(encoding="utf-8"), place)
            moved.write_text(text, encoding="utf-8", newline="\n")
            into[str(moved)] = place
        into.update((str(source), place) for source, place in _places(root, DATA, "[!.]*"))


def _places(root: Path, folders: Iterable[str], pattern: str) -> Iterator[tuple[Path, str]]:
    """The files in some folders of the checkout, each with its place in the wheel."""
    for folder in folders:
        for file in sorted((root / folder).rglob(pattern)):
            if file.is_file():
                path = file.relative_to(root).as_posix()
                yield file, path if folder == OUTER else f"{OUTER}/{path}"


def move_imports(source: str, name: str) -> str:
    """A module's source with its imports leading into the outer package; `name` is for messages.

    Raises NotMovableError where it names a module in a way that is not rewritten: `import webapp`,
    or a name in a string.
    """
    moved = _IMPORT.sub(rf"\1{OUTER}.\2", source)
    for node in ast.walk(ast.parse(moved)):
        match node:
            case ast.Import(names=names):
                told = [alias.name for alias in names]
            case ast.ImportFrom(module=str(module), level=0):
                told = [module]
            case ast.Constant(value=str(text)) if _DOTTED.fullmatch(text):
                told = [text]
            case _:
                continue
        if any(each.partition(".")[0] in INNER for each in told):
            raise NotMovableError(f"{name} names {told[0]}: say `from … import`, or `__name__`")
    return moved
