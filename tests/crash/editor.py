"""Fill in the form of one's own games with whatever comes to mind: `python -m tests.fuzz forms`.

Real pages, within this process: a game is opened, fields are filled in, left out, doubled and mixed
up, and any of its buttons is pressed, from page to page. Every answer is a page or a refusal.
"""

import json
import random
import time
from dataclasses import dataclass, field
from urllib.parse import urlencode

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from referee import variants
from tests.crash.fuzz import LIMIT_MS, Outcome, opened
from tests.crash.nasty import NASTY
from tests.webapp.table import OWN, Page
from tests.yardstick import milliseconds

FORM = "application/x-www-form-urlencoded"

LONGEST_WALK = 40
"""Pages from one game before another is opened."""

SAVING = 0.15
"""How often what there is is saved, or looked over where it cannot be saved yet."""

WORDS = (
    *("", "0", "1", "2", "-1", "13", "99", "1e9", "yes", "on", "lowest", "highest", "set", "run"),
    *("joker", "2", "A-2-3", "Q-K-A", "5, 10, 15", "1 set of 3", "2 runs of 4", "{}", "[]", "null"),
)
"""What a field of such a form could nearly hold."""

Fields = list[tuple[str, str]]


@dataclass(slots=True)
class Editor:
    """Somebody who edits games in an app; the same for the same seed."""

    app: Flask
    chance: random.Random
    outcome: Outcome = field(default_factory=Outcome)

    def edit(self, seconds: float, most: int = 0) -> None:
        """Edit for so long, or until so many requests were sent."""
        until = time.monotonic() + seconds
        client = self.app.test_client()
        while time.monotonic() < until and not self._is_enough(most):
            answer = self._ask(client, "GET", self._opening())
            for _ in range(self.chance.randrange(LONGEST_WALK)):
                pressed = self._pressed(answer)
                if pressed is None or self._is_enough(most):
                    break
                answer = self._ask(client, "POST", *pressed)

    def _is_enough(self, most: int) -> bool:
        return 0 < most <= self.outcome.answers.total()

    def _opening(self) -> str:
        """The address of some game's form."""
        chance = self.chance
        slug = chance.choice(variants.all()).slug
        few = chance.randrange(1, 9)
        nasty = urlencode({"variant": chance.choice(NASTY)}, errors="replace")
        return chance.choice(
            [
                "/games/own/new",
                f"/games/own/new?from={slug}",
                f"/games/own/new?from={slug}",
                f"/games/own/new?from=own-{few}",
                f"/games/own/{few}/change",
                f"/games/own/evening?variant={slug}",
                f"/games/own/evening?{nasty}",
            ]
        )

    def _pressed(self, answer: TestResponse) -> tuple[str, Fields] | None:
        """A button of a page's form with the fields as they were filled in; None without one."""
        if answer.mimetype != "text/html" or answer.status_code not in {200, 422}:
            return None
        forms = [form for form in Page(answer).forms if form.buttons and len(form.fields) > 3]
        if not forms:
            return None
        form = max(forms, key=lambda each: len(each.fields))
        button = self.chance.choice(form.buttons).attributes
        fields = [*form.fields]
        if self.chance.random() < SAVING:
            save = [each for each in form.buttons if each.attributes.get("id") in {"save", "play"}]
            look = [each for each in form.buttons if each.attributes.get("value") == "look"]
            button = (save or look or form.buttons)[0].attributes
        else:
            fields = self._filled(fields, sorted(form.choices))
        if "name" in button:
            fields.append((button["name"], button.get("value", "")))
        action = button.get("formaction") or form.attributes.get("action") or "/games/own/form"
        return self.chance.choice([action, action, action, "/games/own/told", "/games/own"]), fields

    def _filled(self, fields: Fields, choices: Fields) -> Fields:
        chance = self.chance
        for _ in range(chance.choice([0, 1, 1, 2, 5, 20])):
            place = chance.randrange(len(fields))
            name, value = fields[place]
            match chance.randrange(6):
                case 0:
                    del fields[place]
                case 1:
                    fields.append((name, chance.choice([value, *WORDS])))
                case 2:
                    fields[place] = name, fields[chance.randrange(len(fields))][1]
                case 3 if choices:
                    fields.append(chance.choice(choices))
                case 4:
                    fields[place] = name, self._bent(value)
                case _:
                    fields[place] = name, chance.choice([*WORDS, *NASTY])
            if not fields:
                return [("kept", "held-1")]
        return fields

    def _bent(self, value: str) -> str:
        """A value with a part of it changed, JSON as JSON."""
        chance = self.chance
        try:
            found = json.loads(value)
        except (ValueError, RecursionError):
            place = chance.randrange(len(value) + 1)
            return value[:place] + chance.choice(WORDS) + value[place + chance.randrange(3) :]
        here = found
        for _ in range(chance.randrange(1, 5)):
            if not isinstance(here, dict | list) or not here:
                break
            keys = [*here] if isinstance(here, dict) else [*range(len(here))]
            key = chance.choice(keys)
            if not isinstance(here[key], dict | list) or chance.random() < 0.3:
                here[key] = chance.choice([None, True, -1, 10**9, "", "x", [], {}, [[]], 0.5, "JK"])
                break
            here = here[key]
        return json.dumps(found)

    def _ask(
        self, client: FlaskClient, method: str, path: str, fields: Fields | None = None
    ) -> TestResponse:
        body = [
            (name.encode("utf-8", "replace"), value.encode("utf-8", "replace"))
            for name, value in fields or ()
        ]
        began = time.process_time()
        answer = client.open(
            path, method=method, data=urlencode(body), content_type=FORM, headers=OWN
        )
        took = 1000 * (time.process_time() - began)
        said = f"{method} {path[:60]}"
        self.outcome.answers[answer.status_code] += 1
        if took > self.outcome.slowest_ms:
            self.outcome.slowest_ms, self.outcome.slowest = took, said
        if answer.status_code >= 500:
            self.outcome.wrong.append(f"{answer.status_code}: {said} {fields}")
        elif took > LIMIT_MS and took > milliseconds(LIMIT_MS):
            self.outcome.wrong.append(f"{took:.0f} ms: {said} {fields}")
        return answer


def run(seconds: float, *, seed: int = 0, most: int = 0) -> Outcome:
    """Edit for so long, or so many requests, in an app on a database of its own."""
    with opened() as app:
        editor = Editor(app, random.Random(seed))
        editor.edit(seconds, most)
    return editor.outcome
