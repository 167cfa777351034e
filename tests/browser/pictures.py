"""The picture at the top of the README: a pad, a count, a ruling and a result, of the running app.

.venv/bin/python -m tests.browser.pictures
"""

import os
import tempfile
from base64 import b64encode
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, sync_playwright

from tests.browser.phone import Counting, Pad, Phone, lay, start_game
from tests.provision import find_chromium, find_node
from tests.servers import Laydown
from webapp._bootstrap import ROOT

PICTURE: Final = ROOT / "docs" / "pictures" / "laydown.jpg"
WIDTH, HEIGHT = 360, 640
SHARPNESS: Final = 1.5
"""Pixels of the picture to one of the page."""

NAMES: Final = ("Ana", "Ben", "Cleo", "Dov")
LEFT: Final = (
    {"Ben": "65", "Cleo": "35", "Dov": "20"},
    {"Ana": "40", "Cleo": "15", "Dov": "70"},
    {"Ana": "20", "Ben": "35", "Dov": "45"},
    {"Ben": "25", "Cleo": "60", "Dov": "45"},
    {"Ana": "15", "Ben": "30", "Dov": "80"},
    {"Ben": "85", "Cleo": "95", "Dov": "110"},
)
"""What is left in each round, of all but whoever goes out."""

PHOTOGRAPHED: Final = 3
"""The round that is photographed while it is counted."""

PAGE: Final = """
<style>
  body {{ display: flex; gap: 24px; width: max-content; margin: 0; padding: 24px; }}
  body {{ background: #cdbfc8; }}
  img {{ width: {width}px; border-radius: 28px; box-shadow: 0 8px 24px rgb(42 26 40 / .25); }}
</style>{images}
"""


def take(browser: Browser, url: str, to: Path) -> None:
    """Play a game on one phone, and photograph it on the way."""
    context = browser.new_context(
        viewport={"width": WIDTH, "height": HEIGHT},
        has_touch=True,
        reduced_motion="reduce",
        device_scale_factor=SHARPNESS,
    )
    phone = Phone(context, url, "readme")
    game = start_game(phone, NAMES)
    pictures = []
    for number, left in enumerate(LEFT, start=1):
        (out,) = set(NAMES) - set(left)
        if number == PHOTOGRAPHED:
            phone.page.wait_for_timeout(6_000)  # until it no longer says "Saved."
            pictures.append(phone.page.screenshot())
        Pad(phone).count(number)
        *most, (_, text) = left.items()
        Counting(phone).fill(out, dict(most))
        Counting(phone).next()
        if number == PHOTOGRAPHED:
            pictures.append(phone.page.screenshot())
        Counting(phone).type(text)
        Counting(phone).save()
    phone.open(f"{game}/result")
    pictures.append(phone.page.screenshot())
    phone.open("/desk/mexican-rummy?ask=laydown&step=3")
    lay(phone, ("4D 5D 2S 7D", "9C 10C JC QC"))
    phone.page.wait_for_timeout(500)
    phone.page.evaluate("scrollTo(0, 0)")
    pictures.insert(2, phone.page.screenshot())
    phone.page.goto("about:blank")
    broad = len(pictures) * (WIDTH + 24) + 24
    phone.page.set_viewport_size({"width": broad, "height": HEIGHT + 48})
    images = "".join(
        f'<img src="data:image/png;base64,{b64encode(each).decode()}">' for each in pictures
    )
    phone.page.set_content(PAGE.format(width=WIDTH, images=images))
    to.parent.mkdir(exist_ok=True)
    phone.page.screenshot(path=to, type="jpeg", quality=75, full_page=True)
    context.close()


if __name__ == "__main__":
    node = find_node()
    if node:
        os.environ["PLAYWRIGHT_NODEJS_PATH"] = node
    with (
        tempfile.TemporaryDirectory() as folder,
        Laydown(Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        found = find_chromium(Path(playwright.chromium.executable_path))
        chromium = playwright.chromium.launch(
            executable_path=str(found.program), env={**os.environ, **found.surroundings}
        )
        take(chromium, server.url, PICTURE)
        chromium.close()
    print(f"{PICTURE.relative_to(ROOT)}: {PICTURE.stat().st_size // 1000} kB")
