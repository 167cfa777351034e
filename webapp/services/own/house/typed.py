"""What was typed of the house rules of a game of one's own: added, set, moved, taken out.

What makes no house rule yet stays as it was typed, and is complained of at its field.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any, Final

from referee.describing import (
    BY_PATH,
    ENDS,
    STEPS,
    Refused,
    check_rules,
    kinds,
    patched,
    paths_of,
    value_at,
)
from webapp.services.own import written
from webapp.services.own.controls import LEFT_OUT, Sent, read_back, value_in
from webapp.services.own.house.rules import (
    KINDS,
    NO_LIMIT,
    as_table,
    is_for_itself,
    kind_of,
    line_of,
    offered,
    rule_of,
    said_of,
    values_of,
)
from webapp.services.text import clean_text

_LONGEST_TITLE: Final = 60
_LONGEST: Final = 400
_MOST_CHOICES: Final = 40
_WIDE: Final = 40
"""So many numbers may be chosen from without saying which."""


def with_house_rules(draft: dict[str, Any], name: str, sent: Sent) -> str:
    """Put into a draft what was typed on the page of house rules, `name` the one that was open.

    Answers the one that is to be open then; empty for the list of all.
    """
    rules = draft["options"] = dict(as_table(draft.get("options")))
    do, _, about = _one(sent, "do").partition(":")
    if name in rules and "title" in sent:
        _typed(draft, name, sent)
        if do == "drop":
            _drop(draft, name, about)
    elif name in rules:
        pass
    elif do == "up" and about in rules:
        _move_up(rules, about)
    elif do == "remove":
        rules.pop(about, None)
        if said_of(draft, about):
            _prose(draft, about).clear()
            _tidied(draft, about)
    else:
        name = _add(draft, sent)
    if not rules:
        del draft["options"]
    return name if name in rules else ""


def _one(sent: Sent, name: str) -> str:
    return next(iter(sent.get(name, ())), "")


def _line(sent: Sent, name: str, longest: int = _LONGEST_TITLE) -> str:
    return clean_text(_one(sent, name)[: 4 * longest])[:longest]


def _slug(text: str, taken: object, plain: str) -> str:
    """A short word for a name that is not taken: "ace-low"; `plain` where no letter is left."""
    letters = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    word = re.sub("[^a-z0-9]+", "-", letters)[:30].strip("-") or plain
    found, number = word, 1
    while found in taken:  # type: ignore[operator]  # a table or a list of names
        number += 1
        found = f"{word}-{number}"
    return found


def _prose(draft: dict[str, Any], name: str) -> dict[str, Any]:
    """What the prose says of a house rule, to be changed."""
    text = draft["text"] = as_table(draft.get("text"))
    options = text["options"] = as_table(text.get("options"))
    said = options[name] = said_of(draft, name)
    said["labels"] = as_table(said.get("labels"))
    return said


def _tidied(draft: dict[str, Any], name: str) -> None:
    """Leave out of the prose what is empty."""
    options = draft["text"]["options"]
    options[name] = {key: part for key, part in options[name].items() if part}
    if not options[name]:
        del options[name]
    if not options:
        del draft["text"]["options"]


def _add(draft: dict[str, Any], sent: Sent) -> str:
    rules, offer, title = draft["options"], _one(sent, "offer"), _line(sent, "new-title")
    if offer in KINDS:
        name = _slug(title, rules, offer)
        rules[name] = _new(draft, offer)
    elif offer in offered(draft) and is_for_itself(BY_PATH[offer]):
        name = _slug(title, rules, offer.replace(".", "-"))
        rules[name] = _about(draft, offer)
    else:
        return ""
    if title:
        _prose(draft, name)["title"] = title
        _tidied(draft, name)
    return name


def _new(draft: Mapping[str, Any], kind: str) -> dict[str, Any]:
    match kind:
        case "switch":
            return {"choices": {"false": {}, "true": {}}}
        case "table":
            return {"rows": {}, "high": 1000}
        case "rounds":
            steps = draft.get(STEPS)
            lines = [line_of(each) for each in steps] if isinstance(steps, list) else []
            return {"path": STEPS, "named": "as-it-is", "presets": {"others": lines}}
    return {"choices": {"as-it-is": {}}}


def _about(draft: Mapping[str, Any], path: str) -> dict[str, Any]:
    """A house rule about one field; a wide number from half of what it is to twice that."""
    kind, now = BY_PATH[path].kind, value_in(draft, BY_PATH[path])
    if not isinstance(kind, kinds.Whole) or kind.high - kind.low < _WIDE:
        return {"path": path}
    if type(now) is not int:
        return {"path": path, "range": [kind.low, kind.high]}
    least, most = sorted((now // 2, now * 2))
    return {"path": path, "range": [max(kind.low, least), min(kind.high, max(most, least + 1))]}


def _move_up(rules: dict[str, Any], name: str) -> None:
    order = list(rules)
    at = order.index(name)
    order.insert(max(at - 1, 0), order.pop(at))
    for each in order:
        rules[each] = rules.pop(each)


def _typed(draft: dict[str, Any], name: str, sent: Sent) -> None:
    """What was typed of the house rule that was open."""
    said = _prose(draft, name)
    said["title"], said["asks"] = _line(sent, "title"), _line(sent, "asks", _LONGEST)
    rule = draft["options"][name] = rule_of(draft, name)
    kind = kind_of(rule)
    match kind:
        case "few":
            _few(draft, rule, said, sent)
        case "number":
            _number(rule, sent)
            if "choice.0" in sent:
                _choices(draft, rule, said, sent)
            _set_number(draft, name, sent)
        case "table":
            _rows(rule, said, sent)
        case "rounds":
            _lists(rule, said, sent)
        case _:
            _choices(draft, rule, said, sent)
    usual = _one(sent, "usual")
    if kind in {"choices", "switch"} and as_table(rule.get("choices")).get(usual):
        _make_usual(draft, name, usual)
    if kind == "rounds" and usual in as_table(rule.get("presets")):
        _make_list_usual(draft, rule, usual)
    _tidied(draft, name)


def _few(draft: dict[str, Any], rule: dict[str, Any], said: dict[str, Any], sent: Sent) -> None:
    there = values_of(rule)
    ticked = {*sent.get("value", ())}
    kept = [value for value in there if str(value).lower() in ticked]
    for text in (str(value).lower() for value in there):
        said["labels"].pop(text, None)
        called = _line(sent, f"label:{text}")
        if called:
            said["labels"][text] = called
    field = BY_PATH.get(rule["path"]) if isinstance(rule.get("path"), str) else None
    if "values" in rule or not field or len(kept) < len(there):
        rule["values"] = kept
    usual = next((value for value in there if str(value).lower() == _one(sent, "usual")), None)
    part = draft.get(field.section, {}) if field else None
    if field and usual is not None and isinstance(part, dict):
        draft[field.section] = {**part, field.name: usual}


def _number(rule: dict[str, Any], sent: Sent) -> None:
    """Which numbers there are to choose from: a list, or from the least to the most."""
    if "least" not in sent:
        return
    only = [written.whole(each) for each in written.words(_one(sent, "only"))][:_MOST_CHOICES]
    least, most = (written.whole(_one(sent, end)) for end in ("least", "most"))
    for part in ("values", "range", "none"):
        rule.pop(part, None)
    field = BY_PATH.get(str(rule.get("path")))
    kind = field.kind if field else None
    none = bool(_one(sent, "none")) and isinstance(kind, kinds.Whole) and kind.none
    choices = as_table(rule.pop("choices", None))
    choices.pop(NO_LIMIT, None)
    if only:
        rule["values"] = only
        rule |= {"none": True} if none else {}
    elif not (
        isinstance(kind, kinds.Whole)
        and (least, most, none) == (kind.low, kind.high, kind.none)
        and kind.high - kind.low < _WIDE
    ):
        rule["range"] = [least, most]
        if none:
            choices[NO_LIMIT] = {rule["path"]: None}
    if choices:
        rule["choices"] = choices


def _set_number(draft: dict[str, Any], name: str, sent: Sent) -> None:
    """The number that a field is, where nobody chooses another."""
    rule = draft["options"][name]
    path, typed = str(rule.get("path")), _one(sent, "usual").strip()
    field = BY_PATH.get(path)
    if field is None:
        if typed and type(now := value_at(draft, path)) is int and typed != str(now):
            _make_usual(draft, name, written.whole(typed))
        return
    if not isinstance(draft.get(field.section, {}), dict):
        return
    now = value_in(draft, field)
    if typed and typed != str(now):
        _make_usual(draft, name, written.whole(typed))
    elif not typed and now is not None and getattr(field.kind, "none", False):
        part = dict(draft.get(field.section, {}))
        part.pop(field.name, None)
        draft[field.section] = part
    none = as_table(rule.get("choices"))
    if NO_LIMIT in none and value_in(draft, field) is None:
        none[NO_LIMIT] = {}


def _rows(rule: dict[str, Any], said: dict[str, Any], sent: Sent) -> None:
    rows: dict[str, str] = {}
    labels: dict[str, str] = {}
    for word, called, at in _each(sent, rows, "row"):
        path = _line(sent, f"choice.{at}.path", 80)
        if path:
            rows[word], labels[word] = path, called
    rule["rows"], said["labels"] = rows, labels
    high = _one(sent, "high")
    rule.pop("high", None)
    if high.strip():
        rule["high"] = written.whole(high)


def _lists(rule: dict[str, Any], said: dict[str, Any], sent: Sent) -> None:
    """The lists of rounds; the first one is the game as it is, and stands on another page."""
    presets: dict[str, list[str]] = {}
    labels: dict[str, str] = {}
    named = str(rule.get("named", ""))
    for word, called, at in _each(sent, presets, "list"):
        labels[word] = called
        if word != named:
            lines = map(clean_text, _one(sent, f"choice.{at}.lines")[:4000].splitlines())
            presets[word] = [line[:200] for line in lines if line]
    rule["presets"], said["labels"] = presets, labels


def _each(sent: Sent, taken: object, plain: str) -> Iterator[tuple[str, str, int]]:
    """Choices as they were typed: a word, what it is called, and its number on the page."""
    for at in range(_MOST_CHOICES):
        was, called = _line(sent, f"choice.{at}.was"), _line(sent, f"choice.{at}")
        if was or called:
            yield was or _slug(called, taken, plain), called, at


def _choices(draft: dict[str, Any], rule: dict[str, Any], said: dict[str, Any], sent: Sent) -> None:
    before = as_table(rule.get("choices"))
    choices: dict[str, Any] = {}
    for word, called, at in _each(sent, choices, "choice"):
        said["labels"].pop(word, None)
        if called and word not in {"true", "false"}:
            said["labels"][word] = called
        patch = as_table(before.get(word))
        for path in sent.get(f"choice.{at}.sets", ()):
            patch[path] = _set_to(draft, f"choice.{at}:", path, sent)
        added = _one(sent, f"choice.{at}.field")
        if added in offered(draft) and added not in patch:
            now = value_in(draft, BY_PATH[added])
            patch[added] = not now if isinstance(now, bool) else now
        choices[word] = patch
    if NO_LIMIT in before and NO_LIMIT not in choices:
        choices[NO_LIMIT] = before[NO_LIMIT]
    rule["choices"] = choices


def _set_to(draft: Mapping[str, Any], before: str, path: str, sent: Sent) -> object:
    """What a choice sets a field to; None where nothing is typed, for no limit."""
    own = {
        name.removeprefix(before): values
        for name, values in sent.items()
        if name.startswith(before)
    }
    field = BY_PATH.get(path)
    if field is None:
        text = _one(own, path)
        return written.value(text) if text.strip() else None
    value = read_back(field, own, draft)
    return None if value is LEFT_OUT else value


def _drop(draft: dict[str, Any], name: str, about: str) -> None:
    """Take a choice out of the house rule that is open, or a field out of a choice."""
    rule = rule_of(draft, name)
    word, _, path = about.partition(":")
    for part in ("choices", "rows", "presets"):
        found = as_table(rule.get(part))
        if path and word in found:
            as_table(found[word]).pop(path, None)
        elif word in found:
            del found[word]


def _make_usual(draft: dict[str, Any], name: str, value: object) -> None:
    """Make the game so, and the choices what they are from there; not where it is no game yet."""
    rule = draft["options"][name]
    try:
        check_rules({**draft, "options": {}})
        now = patched(draft, {name: value})
    except (Refused, AttributeError, TypeError):
        return
    paths = paths_of(rule)
    if {*paths} & {*ENDS}:
        paths = tuple(dict.fromkeys((*paths, *ENDS)))
    choices = {}
    for word in as_table(rule.get("choices")):
        other = patched(draft, {name: word})
        found = {path: value_at(other, path) for path in paths}
        choices[word] = {
            path: each
            for path, each in found.items()
            if each != value_at(now, path) and not (path in ENDS and each in (None, False))
        }
    draft |= {key: part for key, part in now.items() if key not in {"text", "options"}}
    if choices:
        rule["choices"] = choices


def _make_list_usual(draft: dict[str, Any], rule: dict[str, Any], word: str) -> None:
    """Make a list of rounds that of the game, and that of the game one to choose."""
    steps, presets = draft.get(STEPS), as_table(rule.get("presets"))
    lines = [line_of(each) for each in steps] if isinstance(steps, list) else []
    draft[STEPS] = presets[word]
    rule["presets"] = {
        str(rule.get("named", "")): lines,
        **{each: preset for each, preset in presets.items() if each != word},
    }
    rule["named"] = word
