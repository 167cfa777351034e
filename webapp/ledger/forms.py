"""Forms: what comes with a deed, by which the same form is known when it is sent again."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from sqlalchemy.orm import Session

from webapp.models import KeptForm
from webapp.refusal import Refusal


class KeyReusedError(Refusal, ValueError):
    """A form key comes again with something else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """What came with a deed beside the deed itself."""

    key: str
    """Made by the server when the form was shown: the same form sent twice is known by it."""
    device: str = ""
    """Which phone it came from, as a hash; empty if it has no cookie."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A deed's form: enough to know it again."""

    key: str
    """At most 64 characters; of its own for each kind of deed."""
    content: str
    """What it says, as text: the same key must not come back with something else."""
    device: str

    @classmethod
    def by_content(cls, sent: Sent, content: str) -> Form:
        """A form that may be sent again with something else: that is another deed, and kept too.

        Whoever writes a second name while the first one is still on its way has sent two names.
        """
        said = hashlib.sha256(content.encode()).hexdigest()[:16]
        return cls(key=f"{said}-{sent.key}", content=content, device=sent.device)

    @property
    def digest(self) -> str:
        """What it says, in 64 characters."""
        return hashlib.sha256(self.content.encode()).hexdigest()


def keep_form(session: Session, form: Form, answer: str = "") -> bool:
    """Keep the key of a form that is no entry of a game; answers whether it is new.

    One that is not was done before, and there is nothing left to do. `answer` is the public id of
    the game that it leads to. Raises KeyReusedError.
    """
    if answer_to(session, form) is not None:
        return False
    session.add(KeptForm(key=form.key, digest=form.digest, answer=answer))
    session.flush()
    return True


def answer_to(session: Session, form: Form) -> str | None:
    """The saved answer to a form that was sent before; None for a new form.

    Raises KeyReusedError.
    """
    kept = session.get(KeptForm, form.key)
    if kept is None:
        return None
    if kept.digest != form.digest:
        raise KeyReusedError
    return kept.answer
