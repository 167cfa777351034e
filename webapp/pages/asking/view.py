"""The referee’s first page: a question in words, answers while it is typed, and ways to the cards.

Most arguments are about a rule, and end with one word: yes, no, or it depends. So the page begins
with what people ask in this game and round, the answer beside each question.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import Final

from sqlalchemy.orm import Session

from referee import Card, Variant
from referee.describing import BY_PATH
from referee.faq import OPPOSITE, Answer, FrequentQuestion, questions_of, ruling_on
from referee.variants import in_language
from webapp.history.argued import read_argued
from webapp.language import language, say
from webapp.ledger import ledger
from webapp.ledger.ledger import new_key
from webapp.pages.desk.decisions import Decision, decision_about, decision_on, list_decisions
from webapp.pages.desk.questions import asks_of
from webapp.pages.rules.search import AskedLine, FoundRules, asked_line, lines_of
from webapp.pages.rules.task import finding
from webapp.pages.rules.view import read_book
from webapp.pages.scorepad.view import read_pad
from webapp.players.tokens import read_people
from webapp.refusal import Refusal
from webapp.text.formatting import uncapital
from webapp.text.refusals import NoRefereeError
from webapp.workers.jobs import Solver, directly

SUGGESTED: Final = 3
"""The most questions on the page before anything is typed."""
_MELDS: Final = ("run", "set", "flush")
"""The sections of a game’s description about kinds of melds; a rule’s section is its subject."""
_WILDS: Final = ("wild", "swap")
"""The sections about wilds, which only matter in a round that has wilds."""
_WITH_MELDS: Final = frozenset({"meld", "layoff", "swap"})
"""The plays (`ask` of a question’s position) that show what can be done with melds."""
_IN_TURN: Final = 2
"""Questions up to this rank (`_ranked`) take turns: one of each subject, then a second of each."""
_REMEMBERED: Final = 128
_DRAWN: Final = ("onto", "cards", "meld")
"""The fields of a question’s position whose cards are drawn, besides its melds."""


class QuestionNotFoundError(Refusal, LookupError):
    """A game has no such question."""

    status = 404


@dataclass(frozen=True, slots=True, kw_only=True)
class AskPage:
    """The page for asking in words about a game: suggestions, or answers to what was typed."""

    variant: Variant
    pub: str
    """The public id of the game in progress; empty outside of games."""
    line: str
    """The line over the heading: the game, and which round it is."""
    words: str
    """The question as typed so far."""
    suggested: tuple[AskedLine, ...]
    """A few questions of this round, each with its answer."""
    found: FoundRules | None
    """What answers the words; None if nothing was typed."""
    plays: tuple[tuple[str, str], ...]
    """The plays that the referee rules on, each as its name in addresses and its label."""
    step: int | None


@dataclass(frozen=True, slots=True)
class ShownPosition:
    """The cards that prove an answer, and what the referee says of them."""

    melds: tuple[tuple[Card, ...], ...]
    is_legal: bool
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPage:
    """The answer to one question."""

    variant: Variant
    pub: str
    line: AskedLine
    """The question, with the answer that the table decided on, or else the referee’s."""
    position: ShownPosition | None
    may_change: bool
    """Whether the rule can be changed from here; False if the game is over."""
    decision: Decision | None
    """What the table decided; None if nothing, or outside of games."""
    by_book: Answer
    """The answer without the table’s decision and house rules; empty if it’s the same one."""
    key: str
    """The form key for saving a decision, or for taking it back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """The context of a question: a game in progress or none, the step, and earlier decisions."""

    pub: str = ""
    line: str = ""
    """The line over the heading; empty for the game’s name."""
    step: int | None = None
    decisions: tuple[Decision, ...] = ()
    """What the table has decided, the latest last."""
    argued: Mapping[str, int] = field(default_factory=dict)
    """How often each question was argued about in this house."""


def read_asking(variant: Variant, words: str, where: Where, solve: Solver = directly) -> AskPage:
    """Return what can be asked about a game at a step, and what answers the words typed so far.

    A question on which the table has decided comes before the others.
    """
    book = read_book(variant)
    step = where.step if variant.has_step(where.step) else (1 if variant.steps else None)
    asked = {each.id: each for each in questions_of(variant)}
    decided = {
        each.id: replace_answer(each, decision)
        for each in asked.values()
        if (decision := _decision(variant, each, where.decisions))
    }
    first = [*decided.values(), *(map(asked_line, _suggested(variant, step, where.argued)))]
    suggested = {each.id: each for each in reversed(first)}
    found = solve(finding(variant, words, lines_of(book))) if words.strip() else None
    if found:
        lines = [decided.get(each.id, each) for each in found.asked]
        found = replace(found, asked=tuple(sorted(lines, key=lambda each: each.id not in decided)))
    return AskPage(
        variant=variant,
        pub=where.pub,
        line=where.line or variant.name,
        words=words,
        suggested=tuple(reversed(suggested.values()))[:SUGGESTED],
        found=found,
        plays=tuple((each.name, each.label(variant)) for each in asks_of(variant)),
        step=step,
    )


def read_where(session: Session, pub: str) -> tuple[Variant, Where]:
    """Return a game in progress with its house rules, and the context of questions in it.

    Raises GameNotFoundError, or NoRefereeError.
    """
    pad = read_pad(session, pub)
    if pad.variant.points_only:
        raise NoRefereeError
    where = Where(
        pub=pub,
        line=f"{pad.variant.name} · {uncapital(pad.round_says)}",
        # Where everybody has a step of their own, the round isn’t anybody’s step.
        step=None if pad.variant.climbs_alone else pad.round_number,
        decisions=read_decisions(session, pub),
        argued=read_argued(session, pad.variant.slug),
    )
    return in_language(pad.variant, language()), where


def question_of(variant: Variant, question: str) -> FrequentQuestion:
    """Return a question of a game, by its id; raise QuestionNotFoundError."""
    asked = next((each for each in questions_of(variant) if each.id == question), None)
    if asked is None:
        raise QuestionNotFoundError
    return asked


def read_answer(
    variant: Variant,
    question: str,
    *,
    pub: str = "",
    over: bool = False,
    decisions: Sequence[Decision] = (),
) -> AnswerPage:
    """Return the answer to a question about a game, by the question’s id.

    `over` is whether the game in progress is over. Raises QuestionNotFoundError.
    """
    asked = question_of(variant, question)
    decision = _decision(variant, asked, decisions)
    line = replace_answer(asked, decision) if decision else asked_line(asked)
    published = variant.remake({}) if variant.chosen else variant
    before = next((each for each in questions_of(published) if each.id == question), asked)
    return AnswerPage(
        variant=variant,
        pub=pub,
        line=line,
        position=_shown(variant, asked),
        may_change=not over,
        decision=decision,
        by_book=before.answer if before.answer != line.answer else "",
        key=new_key(),
    )


def read_decisions(session: Session, pub: str) -> tuple[Decision, ...]:
    """Return what was decided in a game, the latest last; raise GameNotFoundError."""
    state = ledger.read_game(session, pub)
    return tuple(list_decisions(state, read_people(session, state).names))


def replace_answer(asked: FrequentQuestion, decision: Decision) -> AskedLine:
    """Return a question with the answer that the table has decided on.

    If the table overruled the referee, the answer is “yes” instead of “no”, or the other way round.
    The note that the table wrote replaces the sentence; without a note, the sentence stays if the
    answer does: under the opposite answer it would be wrong.
    """
    line = asked_line(asked)
    answer = asked.answer
    if answer in OPPOSITE and decision.fact.about:
        # By what the book said then: house rules may have changed its answer since.
        answer = "yes" if decision.fact.legal != decision.overruled else "no"
    elif decision.overruled:
        answer = OPPOSITE.get(answer, answer)
    says = line.says if answer == asked.answer else say("decided.stands", "not")
    return line._replace(answer=answer, says=decision.fact.note or says)


def _decision(
    variant: Variant, asked: FrequentQuestion, decisions: Sequence[Decision]
) -> Decision | None:
    """Return what the table decided on a question: on itself, or on cards that it’s about."""
    if not decisions:
        return None
    about, ruled = decision_about(decisions, asked.id), _rulings(variant).get(asked.id)
    if about or ruled is None:
        return about
    legal, codes = ruled
    return decision_on(decisions, legal=legal, codes=codes)


@lru_cache(maxsize=_REMEMBERED)
def _rulings(variant: Variant) -> Mapping[str, tuple[bool, frozenset[str]]]:
    """Return, by a question’s id, whether its position is legal, and the codes of the findings.

    It’s cached because it’s needed again for every letter that somebody types.
    """
    found = {}
    for asked in questions_of(variant):
        ruling = ruling_on(variant, asked.position) if asked.position else None
        if ruling:
            codes = frozenset(finding.code.value for finding in ruling.findings)
            found[asked.id] = ruling.is_legal, codes
    return found


def _suggested(
    variant: Variant, step: int | None, argued: Mapping[str, int]
) -> tuple[FrequentQuestion, ...]:
    """Return a few yes-or-no questions, each about another rule: melds of this round come first.

    Among those, the questions that were argued about most in this house come first, and each is
    about another subject: a run, wilds, taking one.
    """
    by_rule: dict[str, tuple[int, str, FrequentQuestion]] = {}
    often = sorted(_ranked(variant, step), key=lambda each: (-argued.get(each[2].id, 0), each[0]))
    for each in often:
        by_rule.setdefault(each[2].clauses[0].id, each)
    seen: Counter[str] = Counter()
    found = []
    for rank, subject, asked in sorted(by_rule.values(), key=itemgetter(0)):
        found.append(((rank if rank > _IN_TURN else 0, seen[subject], rank), asked))
        seen[subject] += bool(subject)
    return tuple(asked for _, asked in sorted(found, key=itemgetter(0))[:SUGGESTED])


@lru_cache(maxsize=_REMEMBERED)
def _ranked(variant: Variant, step: int | None) -> tuple[tuple[int, str, FrequentQuestion], ...]:
    """Return the yes-or-no questions with their subjects, each with a rank: 0 comes first.

    Those whose rule is about melds of this round have 0, about wilds 1, about what is done with
    melds 2, about something else 3, and about melds that this round doesn’t have 4.
    """
    contract = variant.contract_at(step)
    here = {need.kind.value for need in contract.needs} if contract else {*_MELDS}
    wilds = {*_WILDS} if variant.wilds_at(step).cards else set()
    subjects = _subjects(variant)

    def rank(asked: FrequentQuestion, subject: str) -> int:
        if subject in here:
            return 0
        if subject in _MELDS or (subject in _WILDS and subject not in wilds):
            return 4
        if subject in wilds:
            return 1
        return 2 if (asked.position or {}).get("ask") in _WITH_MELDS else 3

    asked = [(each, subjects.get(each.clauses[0].id, "")) for each in questions_of(variant)]
    return tuple((rank(each, about), about, each) for each, about in asked if each.answer)


@lru_cache(maxsize=_REMEMBERED)
def _subjects(variant: Variant) -> Mapping[str, str]:
    """Return the subject ("run", "wild") of each clause about melds or wilds, by its id."""
    found: dict[str, str] = {}
    for about in (*_MELDS, *_WILDS):
        cites = (BY_PATH[path].clauses for path in BY_PATH if path.startswith(f"{about}."))
        for cite in chain.from_iterable(cites):
            if clause := variant.rulebook.by_cite.get(cite):
                found.setdefault(clause.id, about)
    return found


def _shown(variant: Variant, asked: FrequentQuestion) -> ShownPosition | None:
    """Return the cards of a question’s position with a ruling; None if there is nothing to show."""
    position = asked.position
    ruling = ruling_on(variant, position) if position else None
    if not position or ruling is None:
        return None
    texts = [*position.get("melds", ()), *(position[name] for name in _DRAWN if name in position)]
    grounds = [each for each in ruling.findings if each.against] or ruling.findings
    cards = tuple(variant.pack.parse(text) for text in texts if isinstance(text, str))
    if not cards or not grounds:
        return None
    return ShownPosition(cards, ruling.is_legal, variant.say(grounds[0]))
