"""The headless browser that draws pictures, for `python -m pages.export` and for the tests."""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Playwright

SHELL = "chromium-headless-shell"  # Debian's Chromium without a window, which is quicker
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC_APPLICATIONS = ("Google Chrome", "Chromium")
# Without this, each tab takes 0.8 s more to draw the suggestions of an invisible address bar.
_DISABLED_FEATURES = (
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "MediaRouter",
    "OptimizationHints",
)
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(_DISABLED_FEATURES)}",
)
REMEDY = "There is no browser: install Chromium or Chrome, or set DP_BROWSER to the path of one."


def find_browser(playwright: Playwright) -> str:
    """Return the path of a Chromium or Chrome; install one if there is none.

    In this order: the one that `$DP_BROWSER` names; one that is installed; as root on Debian `apt-get install
    chromium-headless-shell`, or `chromium`; Playwright's own download.

    Raises
    ------
    FileNotFoundError
        with the remedy, if none can be had.
    """
    with (Path(tempfile.gettempdir()) / f"find_browser_{os.getuid()}").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # only one of several processes installs it
        return os.environ.get("DP_BROWSER") or _installed() or _from_apt() or _from_playwright(playwright)


def _installed() -> str | None:
    on_path = [shutil.which(name) for name in NAMES]
    on_mac = [f"/Applications/{name}.app/Contents/MacOS/{name}" for name in MAC_APPLICATIONS]
    return next((path for path in (*on_path, *on_mac) if path and Path(path).exists()), None)


def _from_apt() -> str | None:
    if os.getuid() != 0 or not shutil.which("apt-get"):
        return None
    for arguments in (("update",), ("install", "-y", SHELL), ("install", "-y", "chromium")):
        if not _installed():
            subprocess.run(["apt-get", *arguments], check=False, capture_output=True)
    return _installed()


def _from_playwright(playwright: Playwright) -> str:
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    subprocess.run(command, check=False, capture_output=True)
    if not Path(playwright.chromium.executable_path).exists():
        raise FileNotFoundError(REMEDY)
    return playwright.chromium.executable_path
