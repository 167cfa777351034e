"""A phone at the table, without a screen: it fills in the pages' own forms over HTTP.

Like a phone in a pocket it loses connections: a request that gets no answer is sent again with the
same form key until there is one, and now and then an answer that did come is thrown away.
"""

import http.client
import random
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urlencode, urlsplit

PATIENCE = 60
"""For how many seconds a phone tries to reach a server that is away."""

LOST_ANSWERS = 0.1
"""What share of the answers to a save is thrown away."""


class ServerAwayError(Exception):
    """No server answered for as long as a phone has patience."""


class RefusedError(Exception):
    """The server would not do what was asked; `status` is its answer."""

    def __init__(self, status: int, text: str) -> None:
        alerts = re.findall(r'role="alert"[^>]*>(.*?)</', text, re.DOTALL)
        super().__init__(f"{status}: {' '.join(' '.join(alerts).split())}")
        self.status = status


@dataclass(slots=True)
class Submission:
    """A form as a page shows it: where it goes, and its fields with what stands in them."""

    action: str
    fields: dict[str, str] = field(default_factory=dict)


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Submission] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = dict(attrs)
        if tag == "form":
            self.forms.append(Submission(has.get("action") or ""))
        elif tag == "input" and self.forms and has.get("name"):
            ticked = has.get("type") not in {"radio", "checkbox"} or "checked" in has
            if ticked and has.get("type") != "submit":
                self.forms[-1].fields[has["name"] or ""] = has.get("value") or ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: the status, the page, and where it sends the phone on to."""

    status: int
    text: str
    location: str

    def form(self, has_field: str) -> Submission | None:
        """Answer the first form on the page that has such a field."""
        reader = _Forms()
        reader.feed(self.text)
        return next((form for form in reader.forms if has_field in form.fields), None)


@dataclass(slots=True)
class Phone:
    """One phone; not to be shared between threads.

    `replays` counts the saves that were sent again without knowing whether they had been kept.
    """

    url: str
    chance: random.Random
    replays: int = 0
    below: str = ""
    """The path of its house; what it asks for is below that."""
    cookie: str = ""
    """What the house knows it by."""
    _line: http.client.HTTPConnection | None = None

    def get(self, path: str) -> Answer:
        """Open a page."""
        return self._until_answered(lambda: self._ask("GET", path))

    def save(self, path: str, fields: Mapping[str, str] | Sequence[tuple[str, str]]) -> Answer:
        """Send a form until it is answered; raises RefusedError unless it was saved."""
        body = urlencode(fields)
        tries = 0

        def send() -> Answer:
            nonlocal tries
            tries += 1
            self.replays += tries == 2
            answer = self._ask("POST", path, body)
            if self.chance.random() < LOST_ANSWERS:
                raise ConnectionResetError
            return answer

        answer = self._until_answered(send)
        if answer.status >= http.HTTPStatus.BAD_REQUEST:
            raise RefusedError(answer.status, answer.text)
        return answer

    def hang_up(self) -> None:
        """Let go of the connection."""
        if self._line:
            self._line.close()
        self._line = None

    def _until_answered(self, ask: Callable[[], Answer]) -> Answer:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                answer = ask()
            except (OSError, http.client.HTTPException):
                self.hang_up()
            else:
                if answer.status != http.HTTPStatus.SERVICE_UNAVAILABLE:
                    return answer
            time.sleep(0.02)
        raise ServerAwayError

    def _ask(self, method: str, path: str, body: str | None = None) -> Answer:
        if self._line is None:
            self._line = http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=10)
        headers = {"Origin": self.url} | ({"Cookie": self.cookie} if self.cookie else {})
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        self._line.request(method, self.below + path, body, headers)
        response = self._line.getresponse()
        text = response.read().decode(errors="replace")
        location = response.headers.get("Location", "").removeprefix(self.below)
        return Answer(response.status, text, location)
