"""The picture at the top of the README, made from the running app: a pad, a count and a ruling.

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
LEFT: Final = ({"Ben": "65", "Cleo": "35", "Dov": "20"}, {"Ana": "40", "Cleo": "15", "Dov": "70"})

PAGE: Final = """
<style>
  body {{ display: flex; gap: 24px; width: max-content; margin: 0; padding: 24px; }}
  body {{ background: #8a8580; }}
  img {{ width: {width}px; border-radius: 28px; }}
</style>{images}
"""


def take(browser: Browser, url: str, to: Path) -> None:
    """Play two rounds and a bit on one phone, and photograph it on the way."""
    context = browser.new_context(
        viewport={"width": WIDTH, "height": HEIGHT},
        has_touch=True,
        reduced_motion="reduce",
        device_scale_factor=SHARPNESS,
    )
    phone = Phone(context, url, "readme")
    game = start_game(phone, NAMES)
    for number, (out, left) in enumerate(zip(NAMES, LEFT, strict=False), start=1):
        Pad(phone).count(number)
        Counting(phone).fill(out, left)
        Counting(phone).save()
    phone.page.wait_for_timeout(6_000)  # until it no longer says "Saved."
    pictures = [phone.page.screenshot()]
    Pad(phone).count(3)
    Counting(phone).fill("Cleo", {"Ana": "20", "Ben": "35"})
    pictures.append(phone.page.screenshot())
    phone.open(f"{game}/desk?ask=laydown&step=2")
    lay(phone, ("7C 7D 7H", "4D 5D 2S 7D"))
    phone.page.wait_for_timeout(500)
    pictures.append(phone.page.screenshot())
    phone.page.goto("about:blank")
    phone.page.set_viewport_size({"width": 3 * WIDTH + 96, "height": HEIGHT + 48})
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
