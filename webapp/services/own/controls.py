"""The fields of a description as a page asks for them, whatever fields there are.

Each kind of field has one way to be shown and one to be read back. What a choice means is told in
the sentence that the rulebook would have; a field that the referee may not rule on is not asked.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from referee.describing import Description, Field, kinds, kinds_of_packs, label, may_be_ruled
from webapp.services.own import written
from webapp.services.own.naming import title_of, usual
from webapp.services.wording import capital

Sent = Mapping[str, Sequence[str]]
"""What a form brought: for each name its values, in order."""

LEFT_OUT: Final = object()
"""In place of a value that is not written."""
_SPARE: Final = 2
"""Rows that stand empty below those of a table."""
_SAYS_NOTHING: Final = "…."
_PACK: Final = "pack.kind"
_SWITCHED: Final = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class Argument:
    """A number that goes with one of a few values."""

    id: str
    """The name of its field in the form."""
    name: str
    text: str
    usual: str
    """What it is where nothing is typed."""


@dataclass(frozen=True, slots=True)
class Pick:
    """One of a few values."""

    value: str
    label: str
    chosen: bool
    more: tuple[Argument, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """A field of a description on a page."""

    name: str
    """Its path, which is the name of the field in the form: "run.ace"."""
    kind: str
    """How it is asked: "picks", "some", "check", "number", "numbers", "line" or "rows"."""
    label: str
    text: str = ""
    picks: tuple[Pick, ...] = ()
    more: tuple[Argument, ...] = ()
    """Its numbers, where it has a few, each with a name."""
    rows: tuple[tuple[str, str], ...] = ()
    """Names and numbers; the last ones are empty."""
    hint: str = ""
    """How it is written, where that is as in a file."""
    problems: tuple[str, ...] = ()
    is_plain: bool = False
    """Whether each of its picks says in a sentence what it is about, so that no heading need."""


def pack_of(draft: Mapping[str, Any]) -> str:
    """The kind of pack that a draft is played with; the usual one where that cannot be known."""
    pack = draft.get("pack")
    kind = pack.get("kind") if isinstance(pack, dict) else None
    return kind if isinstance(kind, str) and kind in kinds_of_packs() else "french"


def default_of(field: Field, pack: str) -> Any:  # noqa: ANN401 - what the kind of the field says
    """What a field is where it is not written; None where it must be, or has no limit."""
    played_with = {} if field.section == "pack" else {"pack": {"kind": pack}}
    return Description(played_with).get(field.path)


def value_in(draft: Mapping[str, Any], field: Field) -> Any:  # noqa: ANN401 - as above
    """What a draft says in a field, by default too."""
    part = draft.get(field.section)
    if isinstance(part, dict) and field.name in part:
        return part[field.name]
    return default_of(field, pack_of(draft))


def is_asked(draft: Mapping[str, Any], field: Field) -> bool:
    """Whether a page asks for a field: the referee may rule on it, or the draft says it."""
    part = draft.get(field.section)
    said = isinstance(part, dict) and field.name in part
    return (
        said
        or may_be_ruled(field.path, ...)
        or any(may_be_ruled(field.path, value) for value in _others(field))
    )


def _others(field: Field) -> Iterator[object]:
    """The values that a field may be changed to, where they are few."""
    match field.kind:
        case kinds.Switch():
            yield not field.default
        case kinds.OneOf(few):
            yield from (word for word in few if word != field.default)


def control_of(draft: Mapping[str, Any], field: Field, problems: tuple[str, ...] = ()) -> Control:
    """A field as a page asks for it, with what the draft says."""
    pack, value = pack_of(draft), value_in(draft, field)
    says = label(field.path, ..., pack)
    title = title_of(field.path)
    asked = Control(
        name=field.path,
        kind="line",
        label=_cut(says) or title,
        text="" if value is None else written.show(value),
        problems=problems,
    )
    return _as_asked(asked, field, value, pack, title)


def _cut(says: str) -> str:
    """A sentence without the place of its value at the end: "Left in hand"."""
    return says.removesuffix(_SAYS_NOTHING).strip().removesuffix(":")


def _as_asked(  # noqa: PLR0911 - one for each kind
    asked: Control, field: Field, value: object, pack: str, title: str
) -> Control:
    match field.kind:
        case kinds.Switch():
            return _switch(asked, field, value, pack, title)
        case kinds.OneOf(few):
            says = [label(field.path, word, pack) or usual(field.path, word) for word in few]
            told = [(word, told or capital(word)) for word, told in zip(few, says, strict=True)]
            picks = _picks(field, told, value)
            return replace(asked, kind="picks", label=title, picks=picks, is_plain=all(says))
        case kinds.SomeOf(few):
            chosen = value if isinstance(value, list) else []
            picks = tuple(
                Pick(word, f"{capital(word)}{'es' if word[-1] == 'h' else 's'}", word in chosen)
                for word in few
            )
            return replace(asked, kind="some", picks=picks)
        case kinds.Named(_, known):
            return _settlement(asked, field, value, pack, known)
        case kinds.Numbers(known) if isinstance(value, dict):
            return replace(asked, kind="numbers", label=title, more=_numbers(field, value, known))
    if field.path == _PACK:
        packs = [(name, kind.title) for name, kind in kinds_of_packs().items()]
        return replace(asked, kind="picks", label=title, picks=_picks(field, packs, value))
    return _as_typed(asked, field, value)


def _as_typed(asked: Control, field: Field, value: Any) -> Control:  # noqa: ANN401 - as above
    match field.kind:
        case kinds.ByPlayers():
            kind = "line" if isinstance(value, dict) else "number"
            return replace(asked, kind=kind, text=written.show_by_players(value))
        case kinds.Whole():
            return replace(asked, kind="number", text="" if value is None else str(value))
        case kinds.Shaped(_, _, "words") if isinstance(value, list):
            return replace(asked, text=", ".join(map(str, value)))
        case kinds.Shaped(_, _, "numbers") if value is None or isinstance(value, dict):
            rows = tuple((str(key), str(number)) for key, number in (value or {}).items())
            return replace(asked, kind="rows", rows=(*rows, *[("", "")] * _SPARE))
    hint = field.kind.example if isinstance(field.kind, kinds.Shaped) else ""
    return replace(asked, text="" if value in ({}, []) else asked.text, hint=hint)


def _switch(asked: Control, field: Field, value: object, pack: str, title: str) -> Control:
    """Two sentences to choose from, or one that is ticked."""
    yes, no = _both(field, pack)
    if yes and no:
        picks = _picks(field, [(True, yes), (False, no)], value)
        return replace(asked, kind="picks", label=title, picks=picks, is_plain=True)
    ticked = value is (bool(yes) or not no)
    return replace(asked, kind="check", label=yes or no or title, text="on" * ticked)


def _both(field: Field, pack: str) -> tuple[str, str]:
    """What is told where a switch is on, and where it is off."""
    return label(field.path, True, pack), label(field.path, False, pack)  # noqa: FBT003 - the value


def _settlement(
    asked: Control, field: Field, value: object, pack: str, known: Mapping[str, Mapping[str, int]]
) -> Control:
    name, given = kinds.named(value)
    told = [(word, label(field.path, word, pack) or capital(word)) for word in known]
    picks = tuple(
        replace(
            pick,
            more=tuple(
                Argument(
                    f"{field.path}.{pick.value}.{argument}",
                    capital(argument.replace("-", " ")),
                    str(given.get(argument, "")) if pick.chosen and isinstance(given, dict) else "",
                    str(usual),
                )
                for argument, usual in known[pick.value].items()
            ),
        )
        for pick in _picks(field, told, name)
    )
    return replace(asked, kind="picks", picks=picks, is_plain=True)


def _numbers(
    field: Field, value: Mapping[str, object], known: Mapping[str, kinds.Number]
) -> tuple[Argument, ...]:
    return tuple(
        Argument(
            f"{field.path}.{name}", capital(one.means), str(value.get(name, "")), str(one.usual)
        )
        for name, one in known.items()
    )


def _picks(field: Field, told: Sequence[tuple[Any, str]], value: object) -> tuple[Pick, ...]:
    """The values that may be chosen: those that the referee may rule on, and the one that is."""
    return tuple(
        Pick(str(each).lower() if isinstance(each, bool) else each, says, each == value)
        for each, says in told
        if each == value or may_be_ruled(field.path, each)
    )


def read_back(field: Field, sent: Sent, draft: Mapping[str, Any]) -> object:  # noqa: PLR0911 - one for each kind
    """What a form says in a field that it asked for; LEFT_OUT where it says nothing."""
    text = next(iter(sent.get(field.path, ())), "")
    match field.kind:
        case kinds.Switch():
            yes, no = _both(field, pack_of(draft))
            if yes and no:
                return _SWITCHED.get(text, text[:60]) if text else LEFT_OUT
            return bool(text) is (bool(yes) or not no)
        case kinds.OneOf():
            return text[:60] or LEFT_OUT
        case kinds.SomeOf():
            return [*sent.get(field.path, ())]
        case kinds.Named(_, known):
            return _named(field, text, known, sent)
        case kinds.Numbers(known) if any(f"{field.path}.{name}" in sent for name in known):
            return _given(field.path, known, sent) or LEFT_OUT
    if field.path == _PACK:
        return text[:60] or LEFT_OUT
    return _typed(field, text, sent)


def _typed(field: Field, text: str, sent: Sent) -> object:
    if f"{field.path}:name" in sent:
        return _rows(field.path, sent) or LEFT_OUT
    if not text.strip():
        return LEFT_OUT
    match field.kind:
        case kinds.ByPlayers():
            return written.by_players(text)
        case kinds.Whole():
            return written.whole(text)
        case kinds.Shaped(_, _, "words"):
            return written.words(text)
    return written.value(text)


def _named(field: Field, text: str, known: Mapping[str, Mapping[str, int]], sent: Sent) -> object:
    given = _given(f"{field.path}.{text}", known.get(text, {}), sent)
    return {text: given} if given else text[:60] or LEFT_OUT


def _given(path: str, names: Iterable[str], sent: Sent) -> dict[str, int | str]:
    """The numbers that were typed, by their names."""
    typed = {name: next(iter(sent.get(f"{path}.{name}", ())), "") for name in names}
    return {name: written.whole(number) for name, number in typed.items() if number.strip()}


def _rows(path: str, sent: Sent) -> dict[str, int | str]:
    names = sent.get(f"{path}:name", ())
    numbers = [*sent.get(f"{path}:number", ()), *[""] * len(names)]
    pairs = zip(names, numbers, strict=False)
    return {" ".join(name.split()): written.whole(number) for name, number in pairs if name.strip()}
