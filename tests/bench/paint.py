"""When a slow phone shows a page, and whether it stays in place: `python -m tests.bench.paint`.

The largest paint and every shift of the layout, as the browser itself tells them, on a first visit
over slow 4G with a processor a quarter as fast. It wants a machine that does nothing else.
"""

import os
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, sync_playwright

from tests.browser.phone import Counting, Pad, Phone, start_game
from tests.provision import find_chromium, find_node
from tests.servers import Laydown

LARGEST_PAINT: Final = 1300
"""Milliseconds until the largest thing on a page is seen."""

VISITS: Final = 3
"""Of which the median is taken."""

SLOWER: Final = 4
SLOW_4G: Final = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}

WATCH: Final = """
  window.paint = 0; window.shift = 0;
  const watch = (type, heed) => new PerformanceObserver((list) => {
    list.getEntries().forEach(heed);
  }).observe({ type, buffered: true });
  watch('largest-contentful-paint', (each) => { window.paint = each.startTime; });
  watch('layout-shift', (each) => { window.shift += each.value; });
"""

NAMES: Final = ("Ana", "Ben", "Cleo", "Dov")
LEFT: Final = dict.fromkeys(NAMES[1:], "65")


def play(browser: Browser, url: str) -> dict[str, str]:
    """Play a game to its end and begin another; answers the pages to look at, by name."""
    context = browser.new_context(viewport={"width": 360, "height": 640}, has_touch=True)
    phone = Phone(context, url, "paint")
    paths = []
    for rounds in (6, 2):
        paths.append(start_game(phone, NAMES))
        for number in range(1, rounds + 1):
            Pad(phone).count(number)
            Counting(phone).fill(NAMES[0], LEFT)
            Counting(phone).save()
    context.close()
    over, game = paths
    return {
        "home": "/",
        "new game": "/games/new?seat=1&seat=2&seat=3",
        "pad": game,
        "count": f"{game}/rounds/3",
        "desk": f"{game}/desk?ask=laydown&step=3&meld-1=4D+5D+6D+7D&meld-2=9C+10C+JC+QC",
        "advice": f"{game}/desk/advice",
        "result": f"{over}/sheet",
        "rules": "/rules/mexican-rummy",
        "players": "/players",
    }


def visit(browser: Browser, address: str) -> tuple[float, float]:
    """Open a page on a slow phone that has seen none; answers milliseconds and the shift."""
    context = browser.new_context(viewport={"width": 360, "height": 640}, has_touch=True)
    page = context.new_page()
    page.add_init_script(WATCH)
    slow = context.new_cdp_session(page)
    slow.send("Network.enable")
    slow.send("Network.emulateNetworkConditions", SLOW_4G)
    slow.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(address, wait_until="networkidle")
    page.wait_for_timeout(300)
    paint, shift = page.evaluate("[window.paint, window.shift]")
    context.close()
    return paint, shift


def main() -> int:
    """Print the figures; the exit status is 1 where a page is seen late, or moves."""
    node = find_node()
    if node:
        os.environ["PLAYWRIGHT_NODEJS_PATH"] = node
    bad = 0
    with (
        tempfile.TemporaryDirectory(prefix="laydown-bench-") as folder,
        Laydown(Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        found = find_chromium(Path(playwright.chromium.executable_path))
        browser = playwright.chromium.launch(
            executable_path=str(found.program), env={**os.environ, **found.surroundings}
        )
        for name, path in play(browser, server.url).items():
            seen = [visit(browser, server.url + path) for _ in range(VISITS)]
            paint = statistics.median(paint for paint, _ in seen)
            shift = max(shift for _, shift in seen)
            bad += paint > LARGEST_PAINT or shift > 0
            print(f"{name:10} {paint:6.0f} ms (at most {LARGEST_PAINT}), shifts {shift:.3f} (0)")
        browser.close()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
