"""A headless Chromium, driven by Selenium.

It renders pages at a given width, in a light or dark colour scheme, takes pictures, and runs axe-core.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def has_chromium() -> bool:
    """Return whether Chromium, its driver and Selenium are installed."""
    browser = any(map(shutil.which, BROWSERS))
    return browser and shutil.which("chromedriver") is not None and find_spec("selenium") is not None


@contextmanager
def chromium() -> Iterator[Any]:
    """Yield the driver of a browser, and close the browser at the end."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = next(filter(None, map(shutil.which, BROWSERS)))
    for each in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
    ):
        options.add_argument(each)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        yield driver
    finally:
        driver.quit()


def look(driver: Any, width: int, height: int, scheme: str) -> None:
    """Set the window's size in CSS pixels and the colour scheme (`light` or `dark`)."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def overflow(driver: Any) -> int:
    """Return by how many pixels the page is wider than its window."""
    found: int = driver.execute_script(
        "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    return found


def complaints(driver: Any) -> list[str]:
    """Return the messages on the browser's console."""
    return [str(each["message"]) for each in driver.get_log("browser")]


def axe_source() -> str | None:
    """Return the source of axe-core from the package axe-playwright-python, or None without it."""
    found = find_spec("axe_playwright_python")
    if found is None or not found.submodule_search_locations:
        return None
    return (Path(next(iter(found.submodule_search_locations))) / "axe.min.js").read_text(encoding="utf-8")


def violations(driver: Any, axe: str) -> list[str]:
    """Return one line for each accessibility rule of axe that the page violates."""
    # The page cannot run this script: its content security policy forbids foreign scripts.
    driver.execute_cdp_cmd("Runtime.evaluate", {"expression": axe})
    done = (
        "axe.run(document).then(done => JSON.stringify(done.violations.map(each => "
        "[each.id, each.impact, each.help, each.nodes.map(node => node.target.join(' '))])))"
    )
    answer = driver.execute_cdp_cmd(
        "Runtime.evaluate", {"expression": done, "awaitPromise": True, "returnByValue": True}
    )
    import json

    return [
        f"{rule} ({impact}): {text}: {'; '.join(nodes[:5])}"
        for rule, impact, text, nodes in json.loads(answer["result"]["value"])
    ]
