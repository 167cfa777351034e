"""The build hook: `webapp` and `referee` in one package, with everything they need to run.

In the checkout they are packages of their own, beside `templates/` and `static/`. In the wheel the
four are in `laydown/`, because the two names are too common to claim among a machine's packages;
`laydown/__init__.py` finds them there. An editable install is the checkout as it is.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

OUTER: Final = "laydown"
MOVED: Final = (
    *(("webapp", "*.py"), ("referee", "*.py")),
    *(("webapp/words", "*.toml"), ("referee/words", "*.toml")),
    *(("referee/games", "[!.]*"), ("static", "[!.]*"), ("templates", "[!.]*")),
)
"""The folders that go into the package, with the files of each."""


class OnePackage(BuildHookInterface[Any]):
    """Puts everything into one package as a wheel is built."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Say which files go where."""
        if version != "editable":
            build_data["force_include"].update(_places(Path(self.root)))


def _places(root: Path) -> Iterator[tuple[str, str]]:
    """The files of the wheel, each with its place in it."""
    for source in sorted((root / OUTER).glob("*.py")):
        yield str(source), f"{OUTER}/{source.name}"
    for folder, pattern in MOVED:
        for source in sorted((root / folder).rglob(pattern)):
            if source.is_file():
                yield str(source), f"{OUTER}/{source.relative_to(root).as_posix()}"
