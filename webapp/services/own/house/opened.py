"""A house rule that is open on the page: what it may be set to, part by part."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from referee.describing import BY_PATH, STEPS, kinds, label, value_at
from webapp.services.own import written
from webapp.services.own.controls import Argument, Control, control_of, pack_of, value_in
from webapp.services.own.house.rules import (
    NO_LIMIT,
    as_table,
    kind_of,
    label_of,
    line_of,
    rule_of,
    said_of,
    values_of,
)
from webapp.services.own.naming import rule_title, title_of
from webapp.services.wording import capital

_AS_IT_IS: Final = "as it is"


@dataclass(frozen=True, slots=True)
class Value:
    """A value of the field that a house rule is about."""

    text: str
    label: str
    told: str
    """What the rulebook would say of it."""
    offered: bool
    usual: bool


@dataclass(frozen=True, slots=True)
class Setting:
    """A field that a choice sets."""

    path: str
    control: Control


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the choices of a house rule, or a row or a list of it; the last one is empty."""

    word: str
    """Its name in the description; empty in the empty one."""
    label: str
    usual: bool = False
    settings: tuple[Setting, ...] = ()
    text: str = ""
    """Of a row the path of its number, of a list its lines."""
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A house rule that is open on the page."""

    name: str
    title: str
    asks: str
    kind: str
    """ "few", "number", or one of KINDS."""
    about: str
    """The field that it is about, where it is about one."""
    values: tuple[Value, ...] = ()
    least: str = ""
    most: str = ""
    only: str = ""
    """Numbers to choose from, in place of a range."""
    may_be_none: bool = False
    none: bool = False
    usual: str = ""
    """The number that it usually is; empty for no limit."""
    choices: tuple[Choice, ...] = ()
    """Choices, rows or lists."""
    high: str = ""
    problems: tuple[str, ...] = ()
    of_values: tuple[str, ...] = ()
    """What is wrong with its values, its range, or its rows."""

    @property
    def is_wrong(self) -> bool:
        """Whether anything is to be put right."""
        return bool(self.problems or self.of_values or any(each.problems for each in self.choices))


class About:
    """What is wrong with a house rule, told part by part."""

    def __init__(self, at: str, wrong: Sequence[tuple[str, str]]) -> None:
        """Take the path of the house rule, and all that is complained of."""
        self._at, self._wrong, self._told = at, dict(wrong), set[str]()

    def __call__(self, *parts: str) -> tuple[str, ...]:
        """What is said of these parts."""
        found = []
        for part in parts:
            path = f"{self._at}.{part}"
            if path in self._wrong:
                self._told.add(path)
                found.append(self._wrong[path])
        return tuple(found)

    def rest(self) -> tuple[str, ...]:
        """What is said of no part that was asked for."""
        return tuple(
            says
            for path, says in self._wrong.items()
            if path not in self._told and (path == self._at or path.startswith(f"{self._at}."))
        )


def open_rule(draft: Mapping[str, Any], name: str, wrong: About) -> Opened:
    """A house rule of a draft, with what is wrong in it."""
    rule, asks = rule_of(draft, name), said_of(draft, name).get("asks", "")
    path = rule.get("path")
    shown = Opened(
        name=name,
        title=rule_title(draft, name),
        asks=asks if isinstance(asks, str) else "",
        kind=kind_of(rule),
        about=title_of(path) if isinstance(path, str) and path != STEPS else "",
    )
    match shown.kind:
        case "few":
            shown = replace(shown, values=tuple(_few(draft, name)), of_values=wrong("values"))
        case "number":
            shown = _number(shown, draft, wrong)
            shown = replace(shown, of_values=wrong("range", "values", "choices.no-limit"))
        case "table":
            rows = as_table(rule.get("rows"))
            shown = replace(
                shown,
                choices=tuple(
                    Choice(word, label_of(draft, name, word) or word, text=str(at))
                    for word, at in [*rows.items(), ("", "")]
                ),
                high=str(rule.get("high", "")),
                of_values=wrong("rows", "high"),
            )
        case "rounds":
            shown = replace(
                shown, choices=tuple(_lists(draft, name)), of_values=wrong("named", "presets")
            )
        case _:
            choices = tuple(_choices(draft, name, wrong))
            shown = replace(shown, choices=choices, of_values=wrong("choices"))
    return replace(shown, problems=wrong.rest())


def _few(draft: Mapping[str, Any], name: str) -> Iterator[Value]:
    rule = rule_of(draft, name)
    path, given = rule.get("path"), rule.get("values")
    field = BY_PATH.get(path) if isinstance(path, str) else None
    for value in values_of(rule):
        text = str(value).lower()
        told = label(field.path, value, pack_of(draft)) if field else ""
        yield Value(
            text,
            label_of(draft, name, text),
            told or capital(text.replace("-", " ")),
            not isinstance(given, list) or value in given,
            field is not None and value_in(draft, field) == value,
        )


def _number(shown: Opened, draft: Mapping[str, Any], wrong: About) -> Opened:
    rule = rule_of(draft, shown.name)
    field = BY_PATH.get(str(rule.get("path")))
    now = value_in(draft, field) if field else value_at(draft, str(rule.get("path")))
    ends, given = rule.get("range"), rule.get("values")
    low, high = (*ends, "", "")[:2] if isinstance(ends, list) else ("", "")
    kind = field.kind if field else None
    if not (ends or given) and isinstance(kind, kinds.Whole):
        low, high = kind.low, kind.high
    choices = as_table(rule.get("choices"))
    others = {word: patch for word, patch in choices.items() if word != NO_LIMIT}
    return replace(
        shown,
        least=str(low),
        most=str(high),
        only=", ".join(map(str, given)) if isinstance(given, list) else "",
        may_be_none=isinstance(kind, kinds.Whole) and kind.none,
        none=rule.get("none") is True or NO_LIMIT in choices or _is_open(rule, kind),
        usual="" if now is None else str(now),
        choices=tuple(_choices(draft, shown.name, wrong))[:-1] if others else (),
    )


def _is_open(rule: Mapping[str, Any], kind: object) -> bool:
    """Whether a rule says nothing of its values, and among those of its field is no limit."""
    return not {"range", "values"} & set(rule) and isinstance(kind, kinds.Whole) and kind.none


def _choices(draft: Mapping[str, Any], name: str, wrong: About) -> Iterator[Choice]:
    rule = rule_of(draft, name)
    is_switch = kind_of(rule) == "switch"
    # Of several that set nothing the first is the game as it is, and the others say nothing yet.
    usual = next((word for word, patch in as_table(rule.get("choices")).items() if not patch), None)
    for at, (word, patch) in enumerate(as_table(rule.get("choices")).items()):
        sets = as_table(patch)
        called = label_of(draft, name, word)
        plain = {"true": "Yes", "false": "No"}[word] if is_switch else ""
        yield Choice(
            word,
            plain or called or capital(word.replace("-", " ")),
            word == usual,
            tuple(Setting(path, _control(draft, at, path, value)) for path, value in sets.items()),
            problems=wrong(f"choices.{word}"),
        )
    if not is_switch:
        yield Choice("", "")


def _control(draft: Mapping[str, Any], at: int, path: str, value: object) -> Control:
    """A field that a choice sets, as it would be asked for in the game; with a name of its own."""
    before = f"choice.{at}:"
    field = BY_PATH.get(path)
    if field is None:
        text = "" if value is None else written.show(value)
        return Control(name=f"{before}{path}", kind="line", label=title_of(path), text=text)
    part = dict(as_table(draft.get(field.section)))
    part.pop(field.name, None)
    if value is not None:
        part[field.name] = value
    control = control_of({**draft, field.section: part}, field)
    picks = tuple(replace(pick, more=_renamed(pick.more, before)) for pick in control.picks)
    more = _renamed(control.more, before)
    return replace(control, name=f"{before}{path}", picks=picks, more=more)


def _renamed(numbers: Iterable[Argument], before: str) -> tuple[Argument, ...]:
    return tuple(replace(each, id=f"{before}{each.id}") for each in numbers)


def _lists(draft: Mapping[str, Any], name: str) -> Iterator[Choice]:
    rule = rule_of(draft, name)
    named, steps = str(rule.get("named", _AS_IT_IS)), draft.get(STEPS)
    lists: dict[str, object] = {named: steps, **as_table(rule.get("presets"))}
    for word, lines in lists.items():
        texts = map(line_of, lines if isinstance(lines, list) else ())
        called = label_of(draft, name, word) or capital(word.replace("-", " "))
        yield Choice(word, called, word == named, text="\n".join(texts))
    yield Choice("", "")
